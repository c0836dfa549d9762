# SPDX-License-Identifier: Apache-2.0
"""A copy whose size is known only after another one: the ways to chain them."""

from report import text
from report.cases import by, good, select
from report.charts.lines import Axis, Line, line_chart
from report.document import Figure, Finding, Section, Table
from report.model import filter_of, series_table

_METRICS = {
    "end_to_end": ("Data at the host after the producer's end", "after the producer's end"),
    "host_blocked": ("Time that the host is blocked", "inside of the calls"),
}
# The size is known beforehand: what the others are held against, and no way of doing it.
_BOUND = "known_size"
# The lines that a figure shows, where there are more strategies than it has room for.
_MOST = 8
_FIRST = (
    _BOUND, "stream_sync", "mapped_size_shared", "host_func_worker", "device_copy_kernel", "graph_device_update",
    "offloaded_speculative", "copy_capacity",
)  # fmt: skip


def _cases(model):
    cases = select(model.cases, "dependent_copy")
    return [
        case
        for case in good(cases)
        if case.axis_number("elements") is not None and case.axes.get("metric") in _METRICS
    ]


def _figure(model, cases, metric, palette):
    groups = by([case for case in cases if case.axes["metric"] == metric and case.correct], "strategy")
    lines = [
        Line(
            strategy,
            palette[strategy],
            [
                (case.axis_number("elements"), case.median)
                for case in own
                if case.axis_number("elements") and case.median > 0
            ],
        )
        for strategy, own in groups.items()
    ]
    lines = [line for line in lines if line.points]
    if not lines:
        return None
    lines.sort(key=lambda line: (line.label not in _FIRST, palette[line.label]))
    lines, left_out = lines[:_MOST], lines[_MOST:]
    title, y = _METRICS[metric]
    title = f"Dependent copy: {title[0].lower()}{title[1:]}"
    ends = text.words(f"{line.label} {text.duration(line.points[-1][1])}" for line in lines)
    description = f"Median time by the number of elements, both logarithmic. At the largest number of each strategy: {ends}."
    if left_out:
        description += f" Not shown: {text.words(sorted(line.label for line in left_out))}; the table of all of them has them."
    name = f"dependent-{metric.replace('_', '-')}"
    svg = line_chart(
        name, title, description, lines, Axis("count", "elements"), Axis("time", y), model.simulated
    )
    table = series_table(title, "elements", lines, lambda count: f"{count:,}", text.duration)
    shown = [case for line in lines for case in groups[line.label]]
    return Figure(name, title, description, svg, table, filter_of(shown))


def _counts(cases):
    """The smallest and the largest number of elements, above none, at which the most strategies have every figure."""

    def complete(count):
        having = [
            {case.axes.get("strategy") for case in cases
             if case.axis_number("elements") == count and case.axes["metric"] == metric}
            for metric in {case.axes["metric"] for case in cases}
        ]  # fmt: skip
        return len(set.intersection(*having))

    found = {
        count: complete(count) for count in sorted({case.axis_number("elements") for case in cases}) if count
    }
    best = [count for count, strategies in found.items() if strategies == max(found.values())]
    return dict.fromkeys((best[0], best[-1])) if best else ()


def _findings(cases):
    wrong = sorted({case.axes.get("strategy", "") for case in cases if not case.correct})
    correct = [case for case in cases if case.correct and case.axes.get("strategy") != _BOUND]
    for count in _counts(correct):
        at = [case for case in correct if case.axis_number("elements") == count]
        said = []
        for metric, words in (
            ("end_to_end", "has the data first"),
            ("host_blocked", "blocks the host least"),
        ):
            own = [case for case in at if case.axes["metric"] == metric]
            if own:
                best = min(own, key=lambda case: case.median)
                said.append(f"{best.axes.get('strategy', '')} {words} ({text.duration(best.median)})")
        if said:
            yield Finding(
                f"Dependent copy, {text.count(count, 'element')}", "; ".join(said) + ".", "dependent"
            )
    if wrong:
        yield Finding(
            "Dependent copy", f"Wrong or no data, as is to be shown: {text.words(wrong)}.", "dependent"
        )


def build(model):
    cases = _cases(model)
    if not cases:
        return None, []
    strategies = list(dict.fromkeys(case.axes.get("strategy", "") for case in cases))
    right = [
        name
        for name in strategies
        if any(case.correct for case in cases if case.axes.get("strategy", "") == name)
    ]
    palette = {name: index for index, name in enumerate(right)}
    figures = [figure for metric in _METRICS if (figure := _figure(model, cases, metric, palette))]
    rows = [
        [
            case.axes.get("strategy", ""),
            case.axes["metric"],
            case.axes["elements"],
            text.duration(case.median),
            case.label or ("right" if case.correct else "wrong"),
        ]
        for case in cases
    ]
    table = Table("All of them", ["strategy", "metric", "elements", "median", "data"], rows, texts=2)
    return Section(
        "dependent", "A copy as long as an earlier one says", figures=figures, details=[table]
    ), list(_findings(cases))
