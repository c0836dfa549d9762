# SPDX-License-Identifier: Apache-2.0
"""The frameworks of Python beside the strategies here."""

from report import link, text
from report.cases import good, select
from report.charts.bars import Bar, bar_chart
from report.document import Figure, Finding, Section, Table
from report.model import filter_of
from report.sections.strategy_choice import FAMILIES, completions

_OURS = ("driver_pageable", "driver_pageable_sync", "driver_pinned", "staged_parallel", "auto")
_MOST = 16


def _entries(model, family):
    """(name, case, whether it is a peer's) of all sizes."""
    entries = []
    for case in good(select(model.peers.cases, family, metric="completion")):
        if case.bytes and case.median > 0:
            axes = case.axes
            source = "" if axes.get("mem") == "pageable" else f", {axes.get('mem', '')}"
            made = "" if axes.get("alloc") == "none" else " and allocation"
            entries.append((f"{axes.get('strategy', '')}{made}{source}", case, True))
    for name, cases in completions(model, family).items():
        if name in _OURS:
            entries += [(f"copybench {name}", case, False) for case in cases]
    return entries


def _figure(model, family, entries, count):
    entries = sorted(
        (entry for entry in entries if entry[1].bytes == count), key=lambda entry: entry[1].median
    )[:_MOST]
    if not any(peer for *_, peer in entries):
        return None
    bars = [
        Bar(
            name,
            case.median,
            f"{text.duration(case.median)} · {text.rate(link.rate(case))}",
            1 if peer else 0,
            part=case.counter("blocked_p50_ns"),
        )
        for name, case, peer in entries
    ]
    title = f"Frameworks {FAMILIES[family]}: {text.size(count)}"
    description = (
        f"Time until {text.size(count)} are usable, the fastest first: "
        + text.words(f"{bar.label} {bar.text}" for bar in bars)
        + "."
    )
    name = f"peers-{family.replace('_', '-')}-{count}"
    svg = bar_chart(name, title, description, bars, "time", model.simulated)
    rows = [
        [
            name_,
            text.duration(case.median),
            text.shown(case.counter("blocked_p50_ns"), text.duration),
            text.rate(link.rate(case)),
        ]
        for name_, case, _ in entries
    ]
    table = Table(title, ["strategy", "until usable", "inside of the call", "bandwidth"], rows)
    note = "Names with copybench are of this run. Full colour: the host is inside of the call."
    return Figure(name, title, description, svg, table, filter_of([case for _, case, _ in entries]), note)


def build(model):
    if not model.peers:
        return None, []
    figures, findings = [], []
    for family, where in FAMILIES.items():
        entries = _entries(model, family)
        sizes = sorted({case.bytes for _, case, peer in entries if peer})
        for count in sorted({sizes[len(sizes) // 2], sizes[-1]} if sizes else []):
            figure = _figure(model, family, entries, count)
            figures += [figure] if figure else []
        if not sizes:
            continue
        largest = [
            (case.median, name, case) for name, case, peer in entries if peer and case.bytes == sizes[-1]
        ]
        # Beside the driver's copy of an ordinary array belong those of ordinary arrays.
        ordinary = [entry for entry in largest if entry[2].axes["mem"] == "pageable"]
        at = sorted(entry[:2] for entry in ordinary or largest)
        said = f"{text.size(sizes[-1])}: {at[0][1]} is the fastest of the frameworks with {text.duration(at[0][0])}"
        ours = [
            case
            for name, case, peer in entries
            if name == "copybench driver_pageable" and case.bytes == sizes[-1]
        ]
        said += f"; the driver's pageable copy takes {text.duration(ours[0].median)}." if ours else "."
        findings.append(Finding(f"Frameworks {where}", said, "peers"))
    rows = [
        [source.name, key.removeprefix("framework_"), text.clean(value)]
        for source in model.peers.sources
        for key, value in source.context.items()
        if key.startswith("framework")
    ]
    section = Section("peers", "Frameworks beside it", figures=figures)
    if rows:
        section.details.append(Table("The frameworks", ["file", "fact", "value"], rows, texts=3))
    return section if figures or rows else None, findings
