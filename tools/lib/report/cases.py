# SPDX-License-Identifier: Apache-2.0
"""Cases: what the rows of one name say together."""

import collections
import dataclasses
import re
import statistics

from report.text import clean
from results import NO_RESULT, ToolError, number

_LEAST = 1e-9
VERDICTS = ("async", "waits_for_copy", "waits_for_queue", "mixed")


class Axes(dict):
    """The values of a name; empty for an axis that it lacks."""

    def __missing__(self, key):
        return ""


@dataclasses.dataclass
class Case:
    name: str
    family: str
    axes: dict
    # One value for each repetition that did not fail; counters as lists as well.
    times: list
    counters: dict
    labels: list
    errors: list

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def failed(self):
        return not self.times

    @property
    def lowest(self):
        return min(self.times)

    @property
    def highest(self):
        return max(self.times)

    @property
    def spread(self):
        """Of the repetitions: largest less smallest, of the median; None of a single one."""
        return (self.highest - self.lowest) / self.median if len(self.times) > 1 and self.median else None

    def counter(self, name):
        """The median over the repetitions; None where no row has it."""
        values = self.counters.get(name)
        return statistics.median(values) if values else None

    @property
    def label(self):
        """Of several repetitions that of more than half of them, or mixed."""
        if not self.labels:
            return ""
        (label, most), *_ = collections.Counter(self.labels).most_common(1)
        return label if 2 * most > len(self.labels) else "mixed"

    @property
    def correct(self):
        return self.counter("correct") != 0 and not self.label.startswith(("wrong_data", "refused_"))

    def axis_number(self, key):
        """A whole number; None where the axis is something else."""
        text = self.axes.get(key, "")
        return int(text) if re.fullmatch("[0-9]{1,18}", text) else None

    @property
    def bytes(self):
        return self.axis_number("bytes")


def _parse_name(name):
    family, *tokens = name.split("/")
    return family, Axes(token.split(":", 1) for token in tokens if ":" in token)


_NO_COUNTERS = {
    "real_time", "cpu_time", "family_index", "per_family_instance_index", "repetitions", "repetition_index",
    "threads", "iterations",
}  # fmt: skip


def _figure(path, value, what):
    """Not so little that it is nothing."""
    figure = number(path, value, what)
    return figure if figure >= _LEAST else 0.0


def _add(case, path, row):
    if row.get("error_occurred"):
        case.errors.append(clean(row.get("error_message", "no message")))
        return
    if row.get("time_unit", "ns") != "ns":
        raise ToolError(NO_RESULT, f"{path}: the times of {case.name} are not in ns")
    what = f"real_time of {case.name}"
    case.times.append(_figure(path, row.get("real_time"), what))
    case.labels.append(clean(row.get("label", "")))
    for key, value in row.items():
        if key not in _NO_COUNTERS and isinstance(value, int | float) and not isinstance(value, bool):
            # What is saved by something may be less than nothing.
            figure = _figure(path, abs(value), f"{clean(key, 60)} of {case.name}")
            case.counters.setdefault(key, []).append(-figure if value < 0 else figure)


def collect_cases(files):
    """`files`: (path, rows) of each. Sorted as the suite registers them, as far as the rows tell."""
    cases = {}
    for path, rows in files:
        for row in rows:
            if row.get("run_type") != "iteration":
                continue
            name = row.get("run_name", row["name"])
            if name not in cases:
                family, axes = _parse_name(clean(name))
                cases[name] = Case(clean(name), family, axes, [], {}, [], [])
            _add(cases[name], path, row)
    for case in cases.values():
        case.labels = [label for label in case.labels if label]
    return sorted(cases.values(), key=_order)


def _order(case):
    """By family and axes, numbers as numbers, and to the device before to the host."""

    def rank(value):
        return (
            (int(value), "") if re.fullmatch("[0-9]{1,18}", value) else (-1, "" if value == "h2d" else value)
        )

    values = [rank(value) for value in case.axes.values()]
    return (case.family, values, case.name)


def select(cases, family, **axes):
    """The cases of a family whose axes have these values; a tuple stands for any of several."""

    def fits(case):
        return all(
            case.axes.get(key) in value if isinstance(value, tuple) else case.axes.get(key) == value
            for key, value in axes.items()
        )

    return [case for case in cases if case.family == family and fits(case)]


def good(cases):
    return [case for case in cases if not case.failed]


def by(cases, *keys):
    """{value of key, or a tuple of values: cases}, in the order of their first appearance."""
    groups = {}
    for case in cases:
        values = tuple(case.axes.get(key, "") for key in keys)
        groups.setdefault(values[0] if len(keys) == 1 else values, []).append(case)
    return groups
