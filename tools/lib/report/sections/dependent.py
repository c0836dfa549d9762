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
_MOST = 8


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
    lines = sorted((line for line in lines if line.points), key=lambda line: palette[line.label])[:_MOST]
    if not lines:
        return None
    title, y = _METRICS[metric]
    title = f"Dependent copy: {title[0].lower()}{title[1:]}"
    ends = text.words(f"{line.label} {text.duration(line.points[-1][1])}" for line in lines)
    description = f"Median time by the number of elements, both logarithmic. At the largest number of each strategy: {ends}."
    name = f"dependent-{metric.replace('_', '-')}"
    svg = line_chart(
        name, title, description, lines, Axis("count", "elements"), Axis("time", y), model.simulated
    )
    table = series_table(title, "elements", lines, lambda count: f"{count:,}", text.duration)
    shown = [case for line in lines for case in groups[line.label]]
    return Figure(name, title, description, svg, table, filter_of(shown))


def _findings(cases):
    wrong = sorted({case.axes.get("strategy", "") for case in cases if not case.correct})
    counts = sorted({case.axis_number("elements") for case in cases})
    correct = [case for case in cases if case.correct]
    for count in dict.fromkeys((counts[0] if counts[0] else counts[min(1, len(counts) - 1)], counts[-1])):
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
