# SPDX-License-Identifier: Apache-2.0
"""The ways to move an array, beside each other."""

from report import link, text
from report.charts.bars import Bar, bar_chart
from report.charts.lines import Axis, Line, line_chart
from report.document import Figure, Finding, Section, Table
from report.model import filter_of, series_table
from report.sections.strategy_choice import FAMILIES, KNOWN, best_by_size, colours, completions


def _lines_figure(model, family, chosen):
    shown = [name for name in KNOWN if name in chosen] + sorted(set(chosen) - set(KNOWN))
    shown = [name for name in shown if len(chosen[name]) > 1][:8]
    if not shown:
        return None
    palette = colours(shown)
    lines = [
        Line(name, palette[name], [(case.bytes, link.rate(case)) for case in chosen[name]]) for name in shown
    ]
    title = f"Ways {FAMILIES[family]}: bandwidth by size"
    ends = text.words(f"{line.label} {text.rate(line.points[-1][1])}" for line in lines)
    description = (
        f"Bytes over the median completion time for each strategy. At the largest size of each: {ends}."
    )
    name = f"{family.replace('_', '-')}-bandwidth"
    svg = line_chart(
        name, title, description, lines, Axis("bytes", "bytes"), Axis("rate", "GB/s"), model.simulated
    )
    table = series_table(title, "bytes", lines, text.size, text.rate)
    return Figure(
        name, title, description, svg, table, filter_of([case for name in shown for case in chosen[name]])
    )


def _bars_figure(model, family, chosen, count):
    cases = [case for own in chosen.values() for case in own if case.bytes == count]
    if len(cases) < 2:
        return None
    cases.sort(key=lambda case: case.median)
    cases = cases[:14]
    palette = colours([case.axes["strategy"] for case in cases])
    bars = [
        Bar(
            case.axes["strategy"],
            case.median,
            f"{text.duration(case.median)} · {text.rate(link.rate(case))}",
            palette[case.axes["strategy"]],
            part=case.counter("blocked_p50_ns"),
            mark=model.base_median(case),
        )
        for case in cases
    ]
    title = f"Ways {FAMILIES[family]}: {text.size(count)}"
    description = (
        f"Time until {text.size(count)} are usable, the fastest first: "
        + text.words(f"{bar.label} {bar.text}" for bar in bars)
        + "."
    )
    name = f"{family.replace('_', '-')}-{count}"
    svg = bar_chart(name, title, description, bars, "time", model.simulated)
    rows = [
        [
            case.axes["strategy"],
            case.axes.get("mem", ""),
            text.duration(case.median),
            text.shown(case.counter("blocked_p50_ns"), text.duration),
            text.rate(link.rate(case)),
        ]
        for case in cases
    ]
    table = Table(
        title, ["strategy", "memory", "until usable", "inside of the call", "bandwidth"], rows, texts=2
    )
    note = "Full colour: the host is inside of the call. Light: it is free, and the data is not there yet."
    if any(bar.mark is not None for bar in bars):
        note += " Upright mark: the base."
    return Figure(name, title, description, svg, table, filter_of(cases), note)


# More ranges of sizes than this nobody reads as a sentence.
_MOST_RANGES = 4


def _auto_said(chosen, best):
    """How far the strategy that chooses by size is behind the fastest way, at the size where it is the furthest."""
    behind = [(case.median / best[case.bytes][1].median - 1, case.bytes)
              for case in chosen.get("auto", []) if case.bytes in best and case.axes.get("mem") == "pageable"]  # fmt: skip
    if not behind:
        return ""
    most, count = max(behind)
    if most <= 0:
        return "auto is the fastest at every size. "
    return f"auto is at most {100 * most:.1f} % slower than the fastest way ({text.size(count)}). "


def _finding(family, chosen, best):
    runs = []
    for count, (names, case) in best.items():
        if runs and runs[-1][0] == names:
            runs[-1][2] = count
        else:
            runs.append([names, count, count, case])
    parts = []
    for names, first, last, _ in runs:
        sizes = text.size(first) if first == last else f"{text.size(first)} to {text.size(last)}"
        parts.append(f"{' or '.join(names)} ({sizes})")
    largest, (_, case) = list(best.items())[-1]
    by_size = f"The fastest way by size: {'; '.join(parts)}."
    if len(parts) > _MOST_RANGES:
        by_size = "No way is the fastest at every size: see the table."
    fastest = f"{text.size(largest)} take {text.duration(case.median)}, {text.rate(link.rate(case))}."
    said = f"{by_size} {_auto_said(chosen, best)}{fastest}"
    return Finding(f"Ordinary array {FAMILIES[family]}", said, family.replace("_", "-"))


def _build(model, family):
    chosen = completions(model, family)
    if not chosen:
        return None, []
    sizes = sorted({case.bytes for cases in chosen.values() for case in cases})
    picked = sorted({sizes[0], sizes[len(sizes) // 2], sizes[-1]})
    figures = [
        _lines_figure(model, family, chosen),
        *(_bars_figure(model, family, chosen, count) for count in picked),
    ]
    best = best_by_size(chosen)
    section = Section(
        family.replace("_", "-"),
        f"Ways to move an array {FAMILIES[family]}",
        ["Each strategy with its destination there before; of several streams the non-blocking one."],
        [figure for figure in figures if figure],
    )
    if best:
        rows = [
            [text.size(count), " or ".join(names), text.duration(case.median), text.rate(link.rate(case))]
            for count, (names, case) in best.items()
        ]
        section.tables.append(
            Table(
                "The fastest way for an array in ordinary memory; within 3 % none is called the faster",
                ["bytes", "strategy", "until usable", "bandwidth"],
                rows,
                texts=2,
            )
        )
    return section, [_finding(family, chosen, best)] if best else []


def build_to_device(model):
    return _build(model, "to_device")


def build_to_host(model):
    return _build(model, "to_host")
