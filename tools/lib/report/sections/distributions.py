# SPDX-License-Identifier: Apache-2.0
"""How far single calls, and whole repetitions, are from their median."""

import statistics

from report import text
from report.cases import good, select
from report.charts.lines import Axis, Line, line_chart
from report.charts.ranges import Range, range_chart
from report.document import Figure, Finding, Section, Table
from report.model import filter_of
from report.sections.blocking import MEMORY

_PERCENTILES = {"p50_ns": "p50", "p90_ns": "p90", "p99_ns": "p99", "max_ns": "max"}
_SIZES = (4, 65536, 16777216)


def _points(case):
    return [(name, case.counter(key)) for key, name in _PERCENTILES.items() if (case.counter(key) or 0) > 0]


def _tails(model, count):
    cases = good(
        select(
            model.cases,
            "host_blocking",
            api="memcpy_async",
            stream="nonblocking",
            queue="idle",
            bytes=str(count),
            dir=("h2d", "d2h"),
            mem=tuple(MEMORY),
        )
    )
    cases = [case for case in cases if len(_points(case)) > 1]
    if not cases:
        return None
    cases.sort(key=lambda case: (list(MEMORY).index(case.axes["mem"]), case.axes["dir"]))
    ranges = [
        Range(f"{case.axes['mem']} {case.axes['dir']}", MEMORY[case.axes["mem"]], _points(case))
        for case in cases
    ]
    title = f"Single calls, {text.size(count)}, drained stream"
    said = text.words(
        f"{one.label} from {text.duration(one.points[0][1])} to {text.duration(one.points[-1][1])}"
        for one in ranges
    )
    description = f"Time inside of cudaMemcpyAsync, from the median to the slowest call of a batch: {said}."
    name = f"tail-{count}"
    svg = range_chart(name, title, description, ranges, "time", model.simulated)
    rows = [
        [
            one.label,
            *(
                text.duration(dict(one.points)[name]) if name in dict(one.points) else "-"
                for name in _PERCENTILES.values()
            ),
            f"{case.counter('samples') or 0:,.0f}",
        ]
        for one, case in zip(ranges, cases, strict=True)
    ]
    table = Table(title, ["case", *_PERCENTILES.values(), "calls"], rows)
    note = "Dot: median. Ticks: 90th and 99th percentile, where there are calls enough for it. Ring: the slowest call. Of several repetitions the medians."
    return Figure(name, title, description, svg, table, filter_of(cases), note)


def _repetitions(model):
    """The share of cases whose repetitions are within so much of each other."""
    cases = [case for case in good(model.cases) if case.spread is not None]
    spreads = sorted(case.spread for case in cases)
    drawn = [max(spread, 1e-4) for spread in spreads]
    if len(cases) < 5:
        return None, []
    # Two hundred steps look the same as all of them.
    kept = sorted({round(step * (len(drawn) - 1) / 199) for step in range(200)})
    points = [(drawn[index], (index + 1) / len(drawn)) for index in kept]
    title = "How well repetitions agree"
    middle, most = statistics.median(spreads), spreads[min(len(spreads) - 1, int(0.9 * len(spreads)))]
    spans = f"{text.percent(middle)} of the median in half of the cases, and up to {text.percent(most)} in nine tenths"
    description = (
        f"The share of the {len(cases):,} cases whose repetitions span no more than so much: up to {spans}."
    )
    line = Line("cases", 0, points, markers=False)
    svg = line_chart(
        "repeatability",
        title,
        description,
        [line],
        Axis("percent", "largest less smallest, of the median"),
        Axis("share", "share of the cases"),
        model.simulated,
    )
    worst = sorted(cases, key=lambda case: -case.spread)[:10]
    rows = [
        [case.name, text.percent(case.spread), text.duration(case.median), str(len(case.times))]
        for case in worst
    ]
    table = Table("The ten cases that agree least", ["case", "spread", "median", "repetitions"], rows, code=0)
    figure = Figure("repeatability", title, description, svg, table, "", "")
    said = f"From the smallest to the largest, the repetitions of a case span up to {spans}. Smaller differences from another run say little."
    return figure, [Finding("Repeatability", said, "distributions")]


def build(model):
    figures = [_tails(model, count) for count in _SIZES]
    repetitions, findings = _repetitions(model)
    figures = [figure for figure in [*figures, repetitions] if figure]
    if not figures:
        return None, []
    return Section("distributions", "Single calls and repetitions", figures=figures), findings
