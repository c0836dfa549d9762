# SPDX-License-Identifier: Apache-2.0
"""The run that a result file holds, with nothing taken for granted."""

import hashlib
import math
import re
import statistics
from dataclasses import dataclass, field

from results import is_text, number
from runs.reading import bad, parse, read_bytes

# Names reach terminals, Markdown and other people's dashboards.
NAME = re.compile(r"[A-Za-z0-9_.+-]+(/[A-Za-z0-9_.:+-]+)*")
LONGEST_NAME = 1000
NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
# Google Benchmark's own fields, which are no counters of the case.
FIELDS = {
    "family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
    "real_time", "cpu_time",
}  # fmt: skip


@dataclass
class Case:
    """The repetitions of one case that passed, in ns, and the messages of those that failed."""

    name: str
    times: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    counters: dict = field(default_factory=dict)
    errors: list = field(default_factory=list)
    medians: dict = field(default_factory=dict, repr=False)

    def median(self, key):
        """Of its repetitions, worked out once; nothing where there are none."""
        if key not in self.medians:
            values = self.figures(key)
            self.medians[key] = statistics.median(values) if values else None
        return self.medians[key]

    def figures(self, key):
        """One value per repetition; empty where a repetition lacks it."""
        if key == "real_time":
            return self.times
        values = self.counters.get(key, [])
        return values if len(values) == len(self.times) else []


@dataclass
class Run:
    path: str
    context: dict
    cases: dict
    simulated: bool
    sha256: str  # of the JSON, whether compressed or not

    def fact(self, key):
        """A fact of the context as text; None where it is not known."""
        value = self.context.get(key)
        return value if is_text(value) and value != "unknown" else None

    def repetitions(self):
        return max((len(case.times) for case in self.cases.values()), default=0)


def counters_of(path, row):
    # What is saved by something may be less than nothing.
    return {
        key: math.copysign(number(path, abs(value), f"{key} of {row['run_name']}"), value)
        for key, value in row.items()
        if key not in FIELDS and NAME.fullmatch(key) and isinstance(value, int | float)
        and not isinstance(value, bool)
    }  # fmt: skip


def add_row(path, cases, seen, row):
    name = row.get("run_name", row["name"])
    row = row | {"run_name": name}
    if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
        raise bad(path, f"the name {ascii(name)[:80]} is none that a case of copybench could have")
    index = row.get("repetition_index")
    if index is not None:
        if isinstance(index, list | dict) or (name, index) in seen:
            raise bad(path, f"repetition {ascii(index)[:20]} of {name} stands there twice, or is no number")
        seen.add((name, index))
    case = cases.setdefault(name, Case(name))
    if row.get("error_occurred"):
        case.errors.append(str(row.get("error_message", "")))
        return
    unit = row.get("time_unit", "ns")
    if not is_text(unit) or unit not in NS:
        raise bad(path, f"the time unit of {name} is none")
    case.times.append(number(path, row.get("real_time"), f"real_time of {name}") * NS[unit])
    label = row.get("label", "")
    if not is_text(label):
        raise bad(path, f"the label of {name} is no text")
    case.labels.append(label)
    for key, value in counters_of(path, row).items():
        case.counters.setdefault(key, []).append(value)


def read_run(path):
    """Raises ToolError, with one line to print, for whatever is no whole result of copybench."""
    content = read_bytes(path)
    return run_of(path, parse(path, content), hashlib.sha256(content).hexdigest())


def run_of(path, document, sha256):
    """The same of what was read from `path`."""
    cases, seen = {}, set()
    try:
        context, rows = document["context"], document["benchmarks"]
        simulated = context.get("simulated") == "true" or any("simulated" in row for row in rows)
        rows = [row for row in rows if row["run_type"] == "iteration" and not row.get("skipped")]
        if not all(is_text(row["name"]) and is_text(row.get("run_name", "")) for row in rows):
            raise TypeError
    except (TypeError, KeyError, AttributeError) as error:
        raise bad(path, "no result of copybench") from error
    for row in rows:
        add_row(path, cases, seen, row)
    if not cases:
        raise bad(path, "holds no row of a case")
    return Run(str(path), context, cases, simulated, sha256)
