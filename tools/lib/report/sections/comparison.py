# SPDX-License-Identifier: Apache-2.0
"""The medians of the run beside those of the base. Which differences count is for tools/compare to say."""

import statistics

from report import text
from report.charts.bars import Bar, bar_chart
from report.document import Figure, Finding, Section, Table

# What makes two runs two of a kind, and what each is called.
_ALIKE = {
    "gpu_name": "GPU",
    "gpu_uuid": "device",
    "driver_version": "driver",
    "cuda_runtime_version": "CUDA runtime",
    "cpu_model": "CPU",
    "kernel": "kernel",
    "pcie_generation_now": "PCIe generation",
    "pcie_width_now": "PCIe width",
    "profile": "profile",
    "batch_budget_ms": "budget of a batch",
    "git_commit": "commit",
    "build_flags": "compiler flags",
    "google_benchmark_version": "Google Benchmark",
}
_CHANGES = 15
_CELLS = "medians, ± half of what the repetitions span"


def _values(run, key):
    return sorted({text.clean(source.context.get(key, "unknown"), 120) for source in run.sources})


def _differences(model):
    rows = []
    for key, name in _ALIKE.items():
        ours, theirs = _values(model.run, key), _values(model.base, key)
        if ours != theirs:
            rows.append([name, text.words(theirs), text.words(ours)])
    return rows


def _row(base, case):
    def cell(one):
        shown = "failed" if one is None or one.failed else text.duration(one.median)
        return (
            shown
            if one is None or one.failed or one.spread is None
            else f"{shown} (±{text.percent(one.spread / 2)})"
        )

    both = not base.failed and not case.failed and base.median > 0
    return [
        case.name,
        cell(base),
        cell(case),
        text.ratio(case.median / base.median) if both else "-",
        _labels(base, case),
    ]


def _labels(base, case):
    return case.label if base.label == case.label else f"{base.label or 'none'} → {case.label or 'none'}"


def _figure(model, pairs):
    pairs = sorted(pairs, key=lambda pair: -abs(_change(*pair)))[:_CHANGES]
    bars = [
        Bar(
            _short(case),
            _change(base, case),
            f"{_change(base, case):+.1%}".replace("%", " %"),
            1 if case.median > base.median else 2,
        )
        for base, case in pairs
    ]
    if not bars or not bars[0].value:
        return None
    title = "Largest differences from the base"
    description = (
        "Difference of the medians, the largest first: "
        + text.words(f"{bar.label} {bar.text}" for bar in bars[:5])
        + "."
    )
    svg = bar_chart("differences", title, description, bars, "change", model.simulated)
    table = Table(
        f"{title}: {_CELLS}",
        ["case", "base", "run", "run / base", "verdict"],
        [_row(base, case) for base, case in pairs],
        code=0,
    )
    note = "To the left: less time than the base. A difference says little by itself: hold it against how well the repetitions agree."
    return Figure("differences", title, description, svg, table, "", note)


def _short(case):
    """The name without the names of its axes, for a picture."""
    values = [
        text.size(case.bytes) if key == "bytes" and case.bytes else value for key, value in case.axes.items()
    ]
    return " ".join([case.family, *values])


def _change(base, case):
    return case.median / base.median - 1


def build(model):
    if not model.base:
        return None, []
    names = {case.name for case in model.cases}
    common = [(model.base_cases[case.name], case) for case in model.cases if case.name in model.base_cases]
    pairs = [(base, case) for base, case in common if not base.failed and not case.failed and base.median > 0]
    differences = _differences(model)
    section = Section("comparison", "Beside the base")
    if differences:
        section.tables.append(
            Table("What differs besides the figures", ["what", "base", "run"], differences, texts=3)
        )
    else:
        section.text.append("GPU, driver, CUDA, CPU, profile, commit and build are the same in both.")
    said = [f"{text.count(len(common), 'case')} in common"]
    if pairs:
        middle = statistics.median(case.median / base.median for base, case in pairs)
        slower = sum(_change(*pair) > 0.05 for pair in pairs)
        faster = sum(_change(*pair) < -0.05 for pair in pairs)
        said.append(
            f"the median of run / base is {text.ratio(middle)}; {slower} are slower and {faster} faster by more than 5 %"
        )
    relabelled = [
        case.name for base, case in common if base.label != case.label and not base.failed and not case.failed
    ]
    said += [f"{text.count(len(relabelled), 'case')} with another verdict"] if relabelled else []
    only_base = [case.name for case in model.base.cases if case.name not in names]
    only_run = len(names) - len(common)
    said += [f"{len(only_base)} only in the base"] if only_base else []
    said += [f"{only_run} only in the run"] if only_run else []
    figure = _figure(model, pairs)
    section.figures += [figure] if figure else []
    section.details.append(
        Table(
            f"All cases in common: {_CELLS}",
            ["case", "base", "run", "run / base", "verdict"],
            [_row(*pair) for pair in common],
            code=0,
        )
    )
    return section, [Finding("Beside the base", "; ".join(said) + ".", "comparison")]
