# SPDX-License-Identifier: Apache-2.0
"""What all sections start from."""

import functools
import re

from report import text
from report.charts.lines import Line
from report.document import Table
from report.verdicts import verdict_lines


class Model:
    def __init__(self, run, base, peers, judged=None):
        self.run, self.base, self.peers = run, base, peers
        self.judged = judged
        self.cases = run.cases
        self.simulated = run.simulated
        self.base_cases = {case.name: case for case in base.cases} if base else {}

    @functools.cached_property
    def verdicts(self):
        return verdict_lines(self.cases)

    def fact(self, name):
        """A fact of the context; where the files of the run do not agree, or do not know, None."""
        values = {text.clean(source.context.get(name, "unknown")) for source in self.run.sources}
        return None if len(values) != 1 or values == {"unknown"} else values.pop()

    def base_lines(self, groups):
        """The medians of the base for {name: (colour, cases)}, for a picture over the bytes."""
        for name, (colour, cases) in groups.items():
            points = [(case.bytes, self.base_median(case)) for case in cases if case.bytes]
            points = [(x, y) for x, y in points if y]
            if points:
                yield Line(name, colour, points, base=True)

    def base_median(self, case):
        other = self.base_cases.get(case.name)
        return other.median if other and not other.failed else None


def filter_of(cases):
    """A regular expression that matches these cases, of one family: their values of each axis, of numbers any."""
    tokens = [_choice([cases[0].family])]
    for key in dict.fromkeys(key for case in cases for key in case.axes):
        values = list(dict.fromkeys(case.axes.get(key, "") for case in cases))
        numbers = all(re.fullmatch("[0-9]+", value) for value in values)
        many = (len(values) > 1 and numbers) or len(values) > 6
        tokens.append(f"{_choice([key])}:{'[^/]+' if many else _choice(values)}")
    return "^" + "/".join(tokens) + "$"


def _choice(values):
    # It is to be pasted into a shell: what would have to be quoted there is any character here.
    quoted = [re.sub(r"[^\w:/=, -]", ".", value) for value in values]
    return quoted[0] if len(quoted) == 1 else f"({'|'.join(quoted)})"


def series_table(caption, x_label, lines, x_text, y_text):
    """The data of a picture of lines: a row for each x, a column for each line."""
    lines = [line for line in lines if not line.base]
    xs = sorted({x for line in lines for x, *_ in line.points})
    values = [dict(line.points) for line in lines]
    bands = [{x: (low, high) for x, low, high in line.band} for line in lines]

    def cell(index, x):
        if x not in values[index]:
            return "-"
        shown = y_text(values[index][x])
        if x in bands[index]:
            low, high = bands[index][x]
            shown += f" ({y_text(low)} to {y_text(high)})"
        return shown

    rows = [[x_text(x), *(cell(index, x) for index in range(len(lines)))] for x in xs]
    return Table(caption, [x_label, *(line.label for line in lines)], rows)
