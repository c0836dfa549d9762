# SPDX-License-Identifier: Apache-2.0
"""Every case with its figures, by family."""

from report import text
from report.cases import good
from report.document import Section, Table

_PERCENTILES = ("p90_ns", "p99_ns", "max_ns")


def _row(case):
    spread = "-" if case.spread is None else text.percent(case.spread)
    shown = [text.shown(case.counter(key), text.duration) for key in _PERCENTILES]
    samples = case.counter("samples")
    return [
        case.name,
        text.duration(case.median),
        spread,
        *shown,
        "-" if samples is None else f"{samples:,.0f}",
        str(len(case.times)),
        case.label or "-",
    ]


def build(model):
    families = {}
    for case in good(model.cases):
        families.setdefault(case.family, []).append(case)
    columns = ["case", "median", "spread", "p90", "p99", "max", "calls", "rows", "label"]
    tables = [
        Table(f"{family}: {text.count(len(cases), 'case')}", columns, [_row(case) for case in cases], code=0)
        for family, cases in families.items()
    ]
    if not tables:
        return None, []
    said = "The median of the tracked figure over the repetitions; the spread of these, largest less smallest, of the median; and the medians of the percentiles of single calls."
    return Section("cases", "All cases", [said], details=tables), []
