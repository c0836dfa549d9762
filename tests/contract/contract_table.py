#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/contracts.md from what the contract tests reported on an H200 and on the simulator.

Usage: contract_table.py [--output FILE] H200.json... SIMULATOR.json

What the first H200 skipped, as it had one device, is taken from the next one.

Both files come from --gtest_output=json:FILE.
Exit status: 0 written, 1 a file cannot be used, 2 usage.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

OUTPUT = Path(__file__).resolve().parents[2] / "docs" / "contracts.md"
INTRODUCTION = """\
# What the suite assumes of CUDA

Each line is a test of `tests/contract`, run on an H200 and on the simulated runtime. "Documented" is NVIDIA's
promise in our own words. Where it promises something, the test requires it, unless the H200 was seen to do
otherwise ("**contradicts**"); where it says "may" or nothing, the test only reports what it saw. "The gate" is a
kernel in front of the call that runs until the host lets it end. This file is written by
`tests/contract/contract_table.py`.
"""
SYNC = "Runtime API, API synchronization behavior"
SOURCES = {
    1: f"{SYNC}, Memcpy, Asynchronous 4",
    2: f"{SYNC}, Memcpy, Asynchronous 1",
    3: f"{SYNC}, Memcpy, Asynchronous 3",
    4: f"{SYNC}, Memcpy, Asynchronous 2",
    5: f"{SYNC}, Memcpy, Asynchronous 4",
    6: f"{SYNC}, introduction, since 12.4",
    7: f"{SYNC}, Memcpy, Synchronous 1",
    8: f"{SYNC}, Memcpy, Synchronous 2",
    9: f"{SYNC}, Memcpy, Synchronous 3",
    10: f"{SYNC}, Memcpy, Synchronous 4",
    11: f"{SYNC}, Memcpy, Synchronous 5",
    13: "Programming Guide, Concurrent Execution between Host and Device",
    14: f"{SYNC}, 11.1 and before",
    15: f"{SYNC}, 11.1 against 12.2 and later",
    16: f"{SYNC}, Memset; Runtime API, cudaMemset",
    17: f"{SYNC}, Memset",
    18: "Runtime API, cudaMemcpyBatchAsync",
    19: "Runtime API, cudaMemcpyBatchAsync",
    20: "Runtime API, cudaMemcpyBatchAsync",
    21: "Runtime API, cudaMemcpyBatchAsync",
    23: "Runtime API, cudaLaunchHostFunc",
    24: "Runtime API, cudaStreamAddCallback",
    26: "Runtime API, cudaEventSynchronize",
    31: "Runtime API, the note on memory regions of the memcpy functions",
    32: "Runtime API, cudaFree",
    33: "Runtime API, cudaFreeHost",
    34: "Runtime API, cudaGraphExecMemcpyNodeSetParams1D",
}


class ReportError(Exception):
    """A file that no table can be made of; the text names it."""


class Contract(NamedTuple):
    documented: str
    observed: str
    contradicted: bool = False


def read_report(path):
    """The contracts of a report of GoogleTest by (suite, test), in its order."""
    try:
        report = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: cannot be read as JSON: {error}") from error
    contracts = {}
    try:
        for suite in report["testsuites"]:
            for test in suite["testsuite"]:
                name = f"{suite['name']}.{test['name']}"
                if test.get("failures"):
                    raise ReportError(f"{path}: {name} failed")
                for key in ("documented", "observed"):
                    if not isinstance(test.get(key), str):
                        raise ReportError(f'{path}: {name} has no text "{key}"')
                contracts[suite["name"], test["name"]] = Contract(
                    test["documented"], test["observed"], test.get("contradicted") == "yes"
                )
    except (KeyError, TypeError, AttributeError) as error:
        raise ReportError(f"{path}: is no report of GoogleTest") from error
    if not contracts:
        raise ReportError(f"{path}: holds no tests")
    return contracts


def read_reports(paths):
    """The contracts of the first report, and from the others what it skipped."""
    contracts, *others = [read_report(path) for path in paths]
    for other in others:
        for name, contract in contracts.items():
            if contract.observed.startswith("skipped:"):
                contracts[name] = other.get(name, contract)
    return contracts


def words(name):
    """MemcpyAsyncPinnedH2d is memcpy async pinned h2d."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", " ", name).lower()


def topic_of(suite):
    return words(suite.rpartition("/")[2]).capitalize()


def title_of(test):
    """Of a test with a parameter, the parameter says what is tested."""
    name, _, parameter = test.partition("/")
    return f"{words(name)}: {words(parameter)}" if parameter else words(name)


def rows_of(text):
    for numbers in re.findall(r"\brows? (\d+(?:, \d+)*)", text):
        yield from (int(number) for number in numbers.split(", "))


def line(*cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def make_table(real, simulated):
    names = list(real) + [name for name in simulated if name not in real]
    missing = Contract("", "not run")
    agreeing = 0
    contradictions = sum(contract.contradicted for contract in real.values())
    rows = set()
    lines = []
    for suite, test in names:
        ours, theirs = real.get((suite, test), missing), simulated.get((suite, test), missing)
        agrees = ours.observed == theirs.observed
        agreeing += agrees
        documented = ours.documented or theirs.documented
        rows.update(rows_of(documented))
        lines.append(
            line(
                topic_of(suite),
                title_of(test),
                documented,
                ours.observed + (" (**contradicts**)" if ours.contradicted else ""),
                theirs.observed,
                "yes" if agrees else "no",
            )
        )
    return "".join(
        [
            INTRODUCTION,
            f"\n{len(names)} contracts. The H200 contradicts the documentation in {contradictions} of them; the simulator "
            f"does what the H200 did in {agreeing}.\n\n",
            line("topic", "contract", "documented", "H200", "simulator", "simulator agrees"),
            line(*["---"] * 6),
            *lines,
            "\nThe rows of the third column, in NVIDIA's documentation of CUDA 12 and 13:\n\n",
            line("row", "where"),
            line("---", "---"),
            *[line(str(row), SOURCES[row]) for row in sorted(rows & SOURCES.keys())],
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=OUTPUT, help="instead of docs/contracts.md")
    parser.add_argument("h200", nargs="+", help="reports of copybench_contract_tests on an H200")
    parser.add_argument("simulator", help="the report of copybench_contract_tests_sim")
    options = parser.parse_args()
    try:
        table = make_table(read_reports(options.h200), read_report(options.simulator))
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(table, encoding="utf-8")
    except (ReportError, OSError) as error:
        print(f"contract_table.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
