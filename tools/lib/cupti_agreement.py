# SPDX-License-Identifier: Apache-2.0
"""tools/cupti_agreement: the blocked times of a result beside CUPTI's."""

import statistics
import sys

from results import (
    AGREES,
    DIFFERS,
    NO_RESULT,
    ToolError,
    format_table,
    good_rows,
    parse_arguments,
    read_result,
    run_tool,
)

TOOL = "tools/cupti_agreement"
MOST_PERCENT = 5
MOST_NS = 150
COLUMNS = ["case", "blocked p50 ns", "CUPTI p50 ns", "difference ns", "%", "spans", "agrees"]
# The shortest call there is: what it differs by is the part of CUPTI's work that its spans leave out, and a clock reading.
FLOOR = "harness_floor/operation:last_error/queue:idle"
# It makes no call that CUPTI could see.
NO_CALL = "harness_floor/operation:nothing/"


class Case:
    """All repetitions of a case; None for a median where no span came in."""

    def __init__(self, name, rows):
        self.name = name
        self.samples = int(sum(row["samples"] for row in rows))
        self.spans = int(sum(row["cupti_samples"] for row in rows))
        with_spans = [row for row in rows if "cupti_p50_ns" in row]
        self.cupti = statistics.median(row["cupti_p50_ns"] for row in with_spans) if with_spans else None
        self.blocked = statistics.median(row["blocked_p50_ns"] for row in rows)

    def difference(self):
        return self.blocked - self.cupti

    def agrees(self, cost):
        """cost: what CUPTI adds to every call outside of its spans, in ns."""
        if self.cupti is None or self.spans != self.samples:
            return False
        return abs(self.difference() - cost) <= max(MOST_NS, self.cupti * MOST_PERCENT / 100)

    def line(self, cost):
        spans = f"{self.spans}/{self.samples}"
        word = "yes" if self.agrees(cost) else "NO"
        if self.cupti is None:
            return [self.name, f"{self.blocked:.0f}", "-", "-", "-", spans, word]
        difference = self.difference()
        percent = f"{difference / self.cupti * 100:+.1f}" if self.cupti > 0 else "-"
        return [
            self.name,
            f"{self.blocked:.0f}",
            f"{self.cupti:.0f}",
            f"{difference:+.0f}",
            percent,
            spans,
            word,
        ]


def read_cases(path):
    context, rows, simulated = read_result(path)
    repetitions = {}
    for row in good_rows(rows):
        name = row.get("run_name", row["name"])
        if "cupti_samples" in row and "blocked_p50_ns" in row and not name.startswith(NO_CALL):
            repetitions.setdefault(name, []).append(row)
    if not repetitions:
        raise ToolError(
            NO_RESULT, f"{path}: no row has counters of CUPTI; run copybench with --copybench_cupti"
        )
    try:
        cases = [Case(name, rows) for name, rows in repetitions.items()]
    except (KeyError, TypeError, ValueError) as error:
        raise ToolError(NO_RESULT, f"{path}: no result of copybench: {error!r}") from error
    return context, cases, simulated


def compare(usage, arguments):
    parsed = parse_arguments(usage, arguments, 1, "one FILE.json")
    if parsed is None:
        return AGREES
    files, markdown = parsed
    context, cases, simulated = read_cases(files[0])
    if simulated:
        print(f"{TOOL}: {files[0]} is simulated: no figure here is a measurement", file=sys.stderr)
    cost = next((case.difference() for case in cases if case.name == FLOOR and case.cupti is not None), 0)
    print(format_table(COLUMNS, [case.line(cost) for case in cases], markdown))
    agreeing = sum(case.agrees(cost) for case in cases)
    what = f"{len(cases)} cases agree within {MOST_PERCENT} % or {MOST_NS} ns"
    source = f"({context.get('cupti', 'unknown')} of CUPTI)"
    if cost:
        raw = sum(case.agrees(0) for case in cases)
        print(f"\n{raw} of {what}, and have every span, as they are {source}")
        print(
            f"{agreeing} of {what}, and have every span, less the {cost:.0f} ns by which CUPTI makes {FLOOR} longer "
            f"outside of its span {source}"
        )
    else:
        print(f"\n{agreeing} of {what}, and have every span {source}")
    return AGREES if agreeing == len(cases) else DIFFERS


def main(usage, arguments):
    return run_tool(TOOL, lambda: compare(usage, arguments))
