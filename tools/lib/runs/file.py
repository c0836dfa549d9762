# SPDX-License-Identifier: Apache-2.0
"""A result file, plain or compressed, read with nothing taken for granted."""

import gzip
import hashlib
import json
import lzma
import math
import re
import statistics
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from results import NO_RESULT, ToolError, is_text, number

# A full run with a hundred repetitions has half of that. What is compressed may claim to be any size.
MOST_BYTES = 256 << 20
SUFFIXES = (".json", ".json.gz", ".json.xz")
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


def bad(path, why):
    return ToolError(NO_RESULT, f"{path}: {why}")


def unpacked(file, start):
    """`start`: its first bytes, which say more than its name."""
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)
    if start.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(file)
    return file


def read_bytes(path):
    """The JSON in the file, at most MOST_BYTES of it."""
    path = Path(path)
    if path.exists() and not path.is_file():
        raise bad(path, "no regular file")
    try:
        with path.open("rb") as file:
            start = file.read(6)
            file.seek(0)
            with unpacked(file, start) as stream:
                content = stream.read(MOST_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise bad(path, f"damaged or cut short: {error}") from error
    except OSError as error:
        raise bad(path, error.strerror or error) from error
    if len(content) > MOST_BYTES:
        raise bad(path, f"more than {MOST_BYTES >> 20} MiB of JSON")
    if not content.strip():
        raise bad(path, "empty")
    return content


def once(pairs):
    """Of two values by one name, readers of JSON take whichever they like."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(
            f"{next(key for key in keys if keys.count(key) > 1)!r:.60} stands twice in one object"
        )
    return found


def parse(path, content):
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=once)
    except ValueError as error:
        # What it quotes of the file may hold anything.
        raise bad(path, f"no JSON: {ascii(str(error))[1:-1][:200]}") from error
    except RecursionError as error:
        raise bad(path, "nested too deeply") from error


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
    document = parse(path, content)
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
    return Run(str(path), context, cases, simulated, hashlib.sha256(content).hexdigest())
