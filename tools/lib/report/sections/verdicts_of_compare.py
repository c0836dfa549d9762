# SPDX-License-Identifier: Apache-2.0
"""What tools/compare made of base and run."""

import collections

from report import text
from report.document import Finding, Section, Table

# In this order; the others change nothing, or are not known.
_COUNT = ["regressed", "failing", "missing", "improved", "fixed", "new"]
_COLUMNS = ["case", "verdict", "base", "run", "change", "interval", "threshold", "could find"]


def _signed(fraction):
    return f"{fraction * 100:+.1f} %"


def _row(one):
    interval = "-" if one.low is None or one.high is None else f"{_signed(one.low)} to {_signed(one.high)}"
    return [
        one.name,
        one.verdict,
        text.shown(one.base, text.duration),
        text.shown(one.new, text.duration),
        text.shown(one.change, _signed),
        interval,
        text.shown(one.threshold, text.percent),
        text.shown(one.detectable, text.percent),
    ]


def build(model):
    if not model.judged:
        return None, []
    counts = collections.Counter(one.verdict for one in model.judged)
    order = [*(word for word in _COUNT if word in counts), *sorted(set(counts) - set(_COUNT))]
    said = ", ".join(f"{counts[word]:,} {word}" for word in order)
    changed = sorted(
        (one for one in model.judged if one.verdict in _COUNT),
        key=lambda one: (_COUNT.index(one.verdict), -abs(one.change or 0)),
    )
    section = Section(
        "judged", "Verdicts of tools/compare", [f"Of {text.count(len(model.judged), 'case')}: {said}."]
    )
    if changed:
        section.tables.append(
            Table("Cases that changed", _COLUMNS, [_row(one) for one in changed], texts=2, code=0)
        )
    section.details.append(
        Table("All of them", _COLUMNS, [_row(one) for one in model.judged], texts=2, code=0)
    )
    return section, [Finding("Regressions", f"tools/compare says: {said}.", "judged")]
