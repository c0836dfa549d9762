# SPDX-License-Identifier: Apache-2.0
"""How much of the link each kind of memory gets."""

from report import link, text
from report.cases import by, good, select
from report.charts.lines import Axis, Line, line_chart
from report.document import Figure, Finding, Section
from report.model import filter_of, series_table
from report.sections.blocking import DIRECTIONS, MEMORY


def _cases(model, direction):
    return [
        case
        for case in good(
            select(
                model.cases,
                "host_blocking",
                api="memcpy_async",
                stream="nonblocking",
                queue="idle",
                dir=direction,
                mem=tuple(MEMORY),
            )
        )
        if case.bytes and link.rate(case)
    ]


def _figure(model, direction, ceiling):
    cases = _cases(model, direction)
    groups = by(cases, "mem")
    lines = [
        Line(memory, MEMORY[memory], [(case.bytes, link.rate(case)) for case in groups[memory]])
        for memory in MEMORY
        if memory in groups
    ]
    if not lines:
        return None
    if ceiling:
        span = [case.bytes for case in cases]
        lines.append(
            Line(
                ceiling.name,
                7,
                [(x, ceiling.bytes_per_second) for x in (min(span), max(span))],
                reference=True,
            )
        )
    title = f"Bandwidth, {DIRECTIONS[direction]}"
    best = {line.label: max(line.points, key=lambda point: point[1]) for line in lines}
    described = text.words(f"{label} {text.rate(y)}" for label, (_, y) in best.items())
    description = (
        f"Bytes over the median completion time, by the number of bytes. The most of each: {described}."
    )
    name = f"bandwidth-{direction}"
    svg = line_chart(
        name, title, description, lines, Axis("bytes", "bytes"), Axis("rate", "GB/s"), model.simulated
    )
    table = series_table(title, "bytes", [line for line in lines if not line.reference], text.size, text.rate)
    note = (
        f"Dashed: {ceiling.name}, {text.rate(ceiling.bytes_per_second)} before the headers of packets."
        if ceiling
        else ""
    )
    return Figure(name, title, description, svg, table, filter_of(cases), note)


def _findings(model, ceiling):
    for direction, where in DIRECTIONS.items():
        pinned = link.measured(model, direction)
        if not pinned:
            continue
        fastest = link.rate(pinned)
        said = f"A pinned copy of {text.size(pinned.bytes)} reaches {text.rate(fastest)}"
        if ceiling:
            said += f", {text.percent(fastest / ceiling.bytes_per_second)} of the {text.rate(ceiling.bytes_per_second)} of {ceiling.name}"
        said += "."
        pageable = [case for case in _cases(model, direction) if case.axes["mem"] == "pageable"]
        if pageable:
            best = max(pageable, key=link.rate)
            said += (
                f" Pageable memory gets at most {text.rate(link.rate(best))} ({text.size(best.bytes)}), "
                f"{text.percent(link.rate(best) / fastest)} of that."
            )
        yield Finding(f"Link, {where}", said, "bandwidth")


def build(model):
    ceiling = link.nominal(model)
    figures = [
        figure for figure in (_figure(model, direction, ceiling) for direction in DIRECTIONS) if figure
    ]
    findings = list(_findings(model, ceiling))
    if not figures:
        return None, []
    return Section("bandwidth", "How much of the link a copy gets", figures=figures), findings
