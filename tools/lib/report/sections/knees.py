# SPDX-License-Identifier: Apache-2.0
"""After how many operations, or bytes, a call begins to wait."""

from report import text
from report.cases import good, select
from report.charts.bars import Bar, dot_chart
from report.document import Figure, Finding, Section, Table
from report.model import filter_of

_MOST = 16
_ORDINARY = {("connections", "default"), ("streams", "1"), ("before_bytes", "0")}


def _name(case):
    parts = []
    for key, value in case.axes.items():
        count = case.axis_number(key) if key.endswith("bytes") else None
        # The ordinary values go without saying.
        if key != "mem" and (key, value) not in _ORDINARY:
            parts.append(f"{key}:{value}" if count is None else text.size(count))
    return " ".join(parts).replace("before:", "after ").replace("op:", "")


def _figure(model, family, counter, title, shown):
    cases = [case for case in good(select(model.cases, family)) if (case.counter(counter) or 0) > 0]
    if not cases:
        return None
    plotted = cases[:_MOST]
    # Where there was none, the search ended at its limit.
    bars = [
        Bar(
            _name(case),
            case.counter(counter),
            ("more than " if case.label == "no_knee" else "") + shown(case.counter(counter)),
            7 if case.label == "no_knee" else 0,
            part=0 if case.label == "no_knee" else None,
        )
        for case in plotted
    ]
    name = family.replace("_", "-")
    description = f"{title}: " + text.words(f"{bar.label} {bar.text}" for bar in bars) + "."
    kind = "bytes" if counter == "knee_bytes" else "count"
    svg = dot_chart(name, title, description, bars, kind, model.simulated)
    rows = [
        [
            _name(case),
            shown(case.counter(counter)),
            *(text.shown(case.counter(f"{counter}_{end}"), shown) for end in ("low", "high")),
            case.label,
        ]
        for case in cases
    ]
    table = Table(title, ["case", "knee", "lowest", "highest", "verdict"], rows)
    note = (
        "Ring: none was found, and the search ended there."
        if any(bar.part is not None for bar in bars)
        else ""
    )
    return Figure(name, title, description, svg, table, filter_of(cases), note)


def _findings(model):
    for case in good(select(model.cases, "queue_depth", op="copy_h2d", streams="1", connections="default")):
        knee = case.counter("knee_operations")
        if knee and case.label != "no_knee":
            said = f"A stream takes {knee:,.0f} pinned copies before the next call waits for the queue."
            yield Finding("Queue", said, "knees")
    for case in good(select(model.cases, "staging_pool", before="nothing")):
        knee = case.counter("knee_bytes")
        if knee:
            said = f"Behind a busy queue, with nothing staged before, a pageable copy returns early up to {text.size(round(knee))}."
            yield Finding("Staging pool", said, "knees")
            break


def build(model):
    figures = [
        _figure(
            model,
            "queue_depth",
            "knee_operations",
            "Operations before a call waits for the queue",
            lambda value: f"{value:,.0f}",
        ),
        _figure(
            model,
            "staging_pool",
            "knee_bytes",
            "Bytes that a pageable copy may have without waiting",
            lambda value: text.size(round(value)),
        ),
    ]
    figures = [figure for figure in figures if figure]
    if not figures:
        return None, []
    return Section("knees", "When the queue or the staging pool is full", figures=figures), list(
        _findings(model)
    )
