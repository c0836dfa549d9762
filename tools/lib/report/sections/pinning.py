# SPDX-License-Identifier: Apache-2.0
"""What pinning costs, and from how many copies on it pays."""

from report import text
from report.cases import by, good, select
from report.charts.lines import Axis, Line, line_chart
from report.document import Figure, Finding, Section, Table
from report.model import filter_of, series_table
from report.sections.blocking import DIRECTIONS

_WAYS = {
    "register": "Pinning in place",
    "host_alloc": "A copy in pinned memory that is allocated for it",
    "host_alloc_in_place": "An array in pinned memory from the start",
}


def break_even(case):
    """From how many copies on more than half of the repetitions say that it pays; None for never."""
    answers = sorted(value or float("inf") for value in case.counters.get("break_even_copies", []))
    if not answers:
        return None
    middle = answers[len(answers) // 2]
    return None if middle == float("inf") else round(middle)


def _shown(case):
    copies = break_even(case)
    return "never" if copies is None else f"{copies:,}"


def _figure(model, direction, cases):
    lines = []
    for index, (way, own) in enumerate(by(cases, "way").items()):
        points = [
            (case.bytes, break_even(case)) for case in own if case.bytes and break_even(case) is not None
        ]
        if points:
            lines.append(Line(way, index, points))
    if not lines:
        return None
    title = f"Break-even of pinning, {DIRECTIONS.get(direction, direction)}"
    ends = text.words(
        f"{line.label} {line.points[-1][1]:,} at {text.size(line.points[-1][0])}" for line in lines
    )
    description = f"The number of copies from which on pinning pays, over the number of bytes. At the right end: {ends}."
    name = f"break-even-{direction}" if direction in DIRECTIONS else "break-even"
    svg = line_chart(
        name,
        title,
        description,
        lines,
        Axis("bytes", "bytes"),
        Axis("count", "copies of the array"),
        model.simulated,
    )
    table = series_table(title, "bytes", lines, text.size, lambda copies: f"{copies:,}")
    return Figure(name, title, description, svg, table, filter_of(cases), "What never pays has no point.")


def _sentence(way, cases):
    said = []
    for case in cases:
        if case.bytes:
            copies = break_even(case)
            start = {None: "never", 1: "at once"}.get(copies, f"from {copies} copies on")
            said.append(f"{text.size(case.bytes)} {start}")
    return f"{_WAYS.get(way, way)}: {', '.join(said)}" if said else ""


def _findings(cases):
    for direction, ways in by(cases, "dir").items():
        sentences = [sentence for way, own in by(ways, "way").items() if (sentence := _sentence(way, own))]
        if sentences:
            where = DIRECTIONS.get(direction, direction)
            yield Finding(f"Pinning, {where}", f"When it pays. {'. '.join(sentences)}.", "pinning")


def _cost_table(model):
    cases = good(select(model.cases, "pinning"))
    if not cases:
        return []
    parts = ["touch_p50_ns", "pin_p50_ns", "unpin_p50_ns"]
    rows = [
        [case.axes.get("api", ""), case.axes.get("mem", ""), case.axes.get("touch_threads", ""), text.size(case.bytes or 0), text.duration(case.median),
         *(text.shown(case.counter(part), text.duration) for part in parts)]
        for case in cases
    ]  # fmt: skip
    columns = ["api", "mem", "touch threads", "bytes", "all of it", "touch", "pin", "unpin"]
    return [Table("What pinning and unpinning cost", columns, rows, texts=3)]


def build(model):
    cases = [
        case for case in good(select(model.cases, "pin_break_even")) if case.counters.get("break_even_copies")
    ]
    costs = _cost_table(model)
    if not cases and not costs:
        return None, []
    figures = [
        figure for direction, own in by(cases, "dir").items() if (figure := _figure(model, direction, own))
    ]
    section = Section("pinning", "When pinning pays", figures=figures, details=costs)
    if cases:
        rows = [
            [
                case.axes.get("dir", ""),
                case.axes.get("way", ""),
                text.size(case.bytes or 0),
                _shown(case),
                text.duration(case.median),
                *_parts(case),
            ]
            for case in cases
        ]
        columns = [
            "dir",
            "way",
            "bytes",
            "pays from copies",
            "pin, copy once, unpin",
            "pageable copy",
            "pinned copy",
        ]
        section.tables.append(
            Table("From how many copies of an array on pinning it pays", columns, rows, texts=2)
        )
    return section, list(_findings(cases))


def _parts(case):
    for key in ("pageable_copy_p50_ns", "pinned_copy_p50_ns"):
        yield text.shown(case.counter(key), text.duration)
