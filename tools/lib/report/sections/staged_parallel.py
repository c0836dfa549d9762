# SPDX-License-Identifier: Apache-2.0
"""Parallel staging: what its settings do."""

from report import link, text
from report.cases import by, good, select
from report.charts.lines import Axis, Line, line_chart
from report.document import Figure, Finding, Section, Table
from report.model import filter_of, series_table
from report.sections.blocking import DIRECTIONS

_SETTINGS = {
    "threads": "threads",
    "chunk": "bytes of a chunk",
    "chunks": "chunks of the ring",
    "piece": "bytes a thread copies at a time",
}
_BYTES = ("chunk", "piece")
_COLOURS = {"h2d": 0, "d2h": 1}


def _cases(model):
    cases = good(select(model.cases, "staged_parallel"))
    return [
        case
        for case in cases
        if case.bytes and case.median > 0 and all(case.axis_number(key) for key in _SETTINGS)
    ]


def _rate(case):
    return case.bytes / case.median * 1e9


def _sweep(cases, setting):
    """Of the cases that differ in this setting alone, and in the direction, the largest group."""
    others = [key for key in ("mem", *_SETTINGS, "bytes") if key != setting]
    groups = by(cases, *others).values()
    return max(groups, key=lambda group: len({case.axes[setting] for case in group}), default=[])


def _pinned(cases):
    """The speed of the pinned copies that were made beside these."""
    times = [case.counter("pinned_completion_p50_ns") for case in cases]
    times = [time for time in times if time]
    return cases[0].bytes / min(times) * 1e9 if times else None


def _figure(model, cases, setting):
    cases = _sweep(cases, setting)
    if len({case.axes[setting] for case in cases}) < 2:
        return None
    lines, ceilings = [], []
    for direction, own in by(cases, "dir").items():
        points = sorted((case.axis_number(setting), _rate(case)) for case in own)
        lines.append(Line(direction, _COLOURS.get(direction, 2), points))
        ceilings += [value for value in [_pinned(own)] if value]
    xs = [x for line in lines for x, _ in line.points]
    if ceilings:
        lines.append(
            Line("pinned copy", 7, [(min(xs), max(ceilings)), (max(xs), max(ceilings))], reference=True)
        )
    fixed = {key: cases[0].axes[key] for key in _SETTINGS if key != setting}
    constant = ", ".join(
        f"{key} {text.size(int(value)) if key in _BYTES else value}" for key, value in fixed.items()
    )
    title = f"Parallel staging by {_SETTINGS[setting]}, {text.size(cases[0].bytes)}"
    ends = text.words(f"{line.label} {text.rate(max(y for _, y in line.points))}" for line in lines)
    description = f"Bandwidth over {_SETTINGS[setting]} ({constant}). The most of each line: {ends}."
    kind = "bytes" if setting in _BYTES else "count"
    name = f"staged-parallel-{setting}"
    svg = line_chart(
        name, title, description, lines, Axis(kind, _SETTINGS[setting]), Axis("rate", "GB/s"), model.simulated
    )
    x_text = text.size if setting in _BYTES else str
    table = series_table(
        title, _SETTINGS[setting], [line for line in lines if not line.reference], x_text, text.rate
    )
    return Figure(name, title, description, svg, table, filter_of(cases), f"With {constant}.")


def _findings(cases):
    for direction, own in by(cases, "dir").items():
        best = max(own, key=lambda case: (case.counter("pinned_fraction") or 0, _rate(case)))
        fraction = best.counter("pinned_fraction")
        settings = f"{text.count(best.axis_number('threads'), 'thread')}, {text.count(best.axis_number('chunks'), 'chunk')} of {text.size(best.axis_number('chunk'))} each"
        where = " on huge pages" if best.axes.get("mem") == "pageable_thp" else ""
        said = f"Best seen: {text.rate(_rate(best))} for {text.size(best.bytes)}{where} with {settings}"
        said += f", {text.percent(fraction)} of a pinned copy." if fraction is not None else "."
        yield Finding(f"Parallel staging, {DIRECTIONS.get(direction, direction)}", said, "staged-parallel")


def build(model):
    cases = _cases(model)
    if not cases:
        return None, []
    figures = [
        figure
        for figure in (_figure(model, cases, setting) for setting in ("threads", "chunk", "piece"))
        if figure
    ]
    rows = [
        [*(case.axes.get(key, "") for key in ("dir", "mem", *_SETTINGS)), text.size(case.bytes), text.duration(case.median), text.rate(link.rate(case) or _rate(case)),
         text.shown(case.counter("pinned_fraction"), text.percent)]
        for case in cases
    ]  # fmt: skip
    table = Table(
        "All settings that were measured",
        ["dir", "mem", *_SETTINGS, "bytes", "until usable", "bandwidth", "of a pinned copy"],
        rows,
    )
    return Section("staged-parallel", "Staging with several threads", figures=figures, details=[table]), list(
        _findings(cases)
    )
