# SPDX-License-Identifier: Apache-2.0
"""How long the call keeps the host, by size, memory and queue."""

import dataclasses
import statistics

from report import text
from report.cases import by, good, select
from report.charts.lines import Axis, Line, line_chart
from report.document import Figure, Finding, Section
from report.model import filter_of, series_table
from report.sections.verdict_tables import legend, verdict_tables
from report.verdicts import find, size_range

# In this order in every picture; what other memory there is does as one of these, and is in the tables.
MEMORY = {"pageable": 1, "pinned": 0, "registered": 2, "managed": 3}
DIRECTIONS = {"h2d": "to the device", "d2h": "to the host"}
QUEUES = {"idle": "Drained stream", "busy": "Behind a gate"}
_CALL = {"api": "memcpy_async", "stream": "nonblocking"}
_DOES = {
    "async": "returns early",
    "waits_for_copy": "waits for the copy",
    "waits_for_queue": "waits for the queue",
    "mixed": "sometimes waits",
    "failed": "fails",
}


def describe(line):
    """What the call does, by size: "returns early up to 2 MiB, waits for the queue from 2.5 MiB on"."""
    changes = line.changes
    does = [_DOES[word] for _, _, word in changes]
    if len(changes) == 1:
        first, last, _ = changes[0]
        return f"{does[0]} at {'every size' if first != last else 'the one size measured'} ({size_range(first, last)})"
    parts = [f"{does[0]} up to {text.size(changes[0][1])}"]
    parts += [
        f"{word} {size_range(first, last)}"
        for word, (first, last, _) in zip(does[1:-1], changes[1:-1], strict=True)
    ]
    parts.append(f"{does[-1]} from {text.size(changes[-1][0])} on")
    return ", ".join(parts)


def _findings(model):
    """One for all kinds of memory and directions that do the same."""
    groups = {}
    for memory in MEMORY:
        for direction in DIRECTIONS:
            said, calls = [], []
            for queue, where in QUEUES.items():
                lines = find(model.verdicts, "host_blocking", **_CALL, mem=memory, dir=direction, queue=queue)
                for line in filter(None, map(_with_bytes, lines)):
                    said.append(f"{where}: {describe(line)}.")
                    calls += [case for case, _ in line.sizes if queue == "idle" and not case.failed]
            if said:
                group = groups.setdefault(" ".join(said), [{}, []])
                group[0].setdefault(memory, []).append(DIRECTIONS[direction])
                group[1].extend(calls)
    for said, (who, calls) in groups.items():
        sides = list(dict.fromkeys(side for sides in who.values() for side in sides))
        subject = f"cudaMemcpyAsync, {text.words(who)}, {text.words(sides)}"
        yield Finding(subject, said + _how_long(calls), "blocking")


def _with_bytes(line):
    """Without the copy of no bytes, which is none; nothing if that was all."""
    sizes = [entry for entry in line.sizes if entry[0].bytes]
    return dataclasses.replace(line, sizes=sizes) if sizes else None


def _how_long(calls):
    if not calls:
        return ""
    low, high = min(calls, key=lambda case: case.median), max(calls, key=lambda case: case.median)
    return (
        f" On a drained stream the call takes {text.duration(low.median)} ({text.size(low.bytes)}) to "
        f"{text.duration(high.median)} ({text.size(high.bytes)})."
    )


def _line(memory, cases):
    cases = [case for case in cases if case.bytes]
    return Line(
        memory,
        MEMORY[memory],
        [(case.bytes, case.median) for case in cases if case.median > 0],
        [
            (case.bytes, case.lowest, case.counter("p90_ns"))
            for case in cases
            if (case.counter("p90_ns") or 0) > 0 < case.lowest
        ],
    )


def _hold(cases):
    """When the gate opens at the latest: who takes longer has waited for it."""
    sizes = {}
    for case in cases:
        if case.bytes and case.counter("most_hold_ns"):
            sizes.setdefault(case.bytes, []).append(case.counter("most_hold_ns"))
    points = [(count, statistics.median(holds)) for count, holds in sorted(sizes.items())]
    return [Line("gate", 7, points, reference=True)] if points else []


def _figure(model, direction, queue):
    cases = good(select(model.cases, "host_blocking", **_CALL, dir=direction, queue=queue, mem=tuple(MEMORY)))
    groups = by(cases, "mem")
    lines = [_line(memory, groups[memory]) for memory in MEMORY if memory in groups]
    lines = [line for line in lines if line.points]
    if not lines:
        return None
    lines += model.base_lines({memory: (MEMORY[memory], own) for memory, own in groups.items()})
    if queue == "busy":
        lines += _hold(cases)
    title = f"Blocked time, {DIRECTIONS[direction]}, {QUEUES[queue].lower()}"
    ends = text.words(
        f"{line.label} {text.duration(line.points[-1][1])} at {text.size(line.points[-1][0])}"
        for line in lines
        if not line.base
    )
    description = f"Time inside of cudaMemcpyAsync over the number of bytes, both logarithmic. At the right end: {ends}."
    name = f"blocked-{direction}-{queue}"
    svg = line_chart(
        name,
        title,
        description,
        lines,
        Axis("bytes", "bytes"),
        Axis("time", "time inside of the call"),
        model.simulated,
    )
    table = series_table(f"{title}: median, and the band", "bytes", lines, text.size, text.duration)
    note = "Band: from the lowest median of a repetition to the 90th percentile of the calls."
    if queue == "busy":
        note += (
            " Dashed: when the gate opens at the latest; a call that takes as long has waited for the queue."
        )
    if model.base:
        note += " Dotted: the base."
    return Figure(name, title, description, svg, table, filter_of(cases), note)


def build(model):
    figures = [_figure(model, direction, queue) for direction in DIRECTIONS for queue in QUEUES]
    figures = [figure for figure in figures if figure]
    tables, details = verdict_tables(model)
    if not figures and not tables and not details:
        return None, []
    section = Section(
        "blocking",
        "When the call blocks the host",
        [legend(model)],
        figures=figures,
        tables=tables,
        details=details,
    )
    return section, list(_findings(model))
