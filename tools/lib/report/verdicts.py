# SPDX-License-Identifier: Apache-2.0
"""Whether the host was blocked, and on what, by size: the rule of the table that a run ends with."""

import dataclasses

from report.cases import VERDICTS
from report.text import size

MEANINGS = {
    "async": "the call returned early, whatever the queue",
    "waits_for_copy": "on a drained stream the call took most of the copy's time",
    "waits_for_queue": "behind a gate the call returned only after the gate had been opened",
    "mixed": "some calls waited, some did not",
    "failed": "no row of this size succeeded",
}


@dataclasses.dataclass
class Line:
    """The cases that differ in their size alone."""

    family: str
    axes: dict
    # (case, verdict), the smallest first.
    sizes: list

    @property
    def changes(self):
        """[(from bytes, to bytes, verdict)]: neighbours of the same verdict are one."""
        changes = []
        for case, verdict in self.sizes:
            if changes and changes[-1][2] == verdict:
                changes[-1][1] = case.bytes
            else:
                changes.append([case.bytes, case.bytes, verdict])
        return [tuple(change) for change in changes]

    @property
    def names(self):
        return "/".join([self.family, *(f"{key}:{value}" for key, value in self.axes.items())])


def verdict(case):
    return "failed" if case.failed else case.label


def verdict_lines(cases):
    lines = {}
    for case in cases:
        if case.bytes is None or (not case.failed and case.label not in VERDICTS):
            continue
        axes = {key: value for key, value in case.axes.items() if key != "bytes"}
        key = (case.family, *axes.items())
        lines.setdefault(key, Line(case.family, axes, [])).sizes.append((case, verdict(case)))
    # A row that only failed may be of a case that never has a verdict.
    lines = [line for line in lines.values() if any(word in VERDICTS for _, word in line.sizes)]
    for line in lines:
        line.sizes.sort(key=lambda entry: entry[0].bytes)
    return lines


def size_range(smallest, largest):
    return size(smallest) if smallest == largest else f"{size(smallest)} to {size(largest)}"


def in_words(line):
    return ", ".join(f"{word} {size_range(first, last)}" for first, last, word in line.changes)


def find(lines, family, **axes):
    """The lines whose axes have these values."""
    return [
        line
        for line in lines
        if line.family == family and all(line.axes.get(key) == value for key, value in axes.items())
    ]
