# SPDX-License-Identifier: Apache-2.0
"""tools/cupti_agreement: the blocked times of a result beside CUPTI's."""

import statistics

from runs.reading import read_result

from results import (
    AGREES,
    DIFFERS,
    NO_RESULT,
    ToolError,
    format_table,
    good_rows,
    number,
    parse_arguments,
    printable_line,
    run_tool,
    say,
)

TOOL = "tools/cupti_agreement"
MOST_PERCENT = 5
MOST_NS = 150
COLUMNS = ["case", "blocked p50 ns", "CUPTI p50 ns", "difference ns", "%", "spans", "agrees"]
# The shortest call there is, and none at all. What the first differs by is the part of CUPTI's work that its spans leave
# out and what the suite's own clock adds; the second is what the suite adds, since CUPTI does not come into it.
SHORTEST = "harness_floor/operation:last_error/queue:idle"
NO_CALL = "harness_floor/operation:nothing/queue:"
OWN_SHARE = NO_CALL + "idle"


class Case:
    """All repetitions of a case; None for a median where no span came in."""

    def __init__(self, path, name, rows):
        def figures(key):
            return [number(path, row[key], f"{key} of {name}") for row in rows if key in row]

        self.name = name
        self.samples = int(sum(figures("samples")))
        self.spans = int(sum(figures("cupti_samples")))
        spans = figures("cupti_p50_ns")
        self.cupti = statistics.median(spans) if spans else None
        self.blocked = statistics.median(figures("blocked_p50_ns"))

    def difference(self):
        return self.blocked - self.cupti

    def agrees(self, cost):
        """cost: what CUPTI adds to every call outside of its spans, in ns."""
        if self.cupti is None or self.spans != self.samples:
            return False
        return abs(self.difference() - cost) <= max(MOST_NS, self.cupti * MOST_PERCENT / 100)

    def line(self, cost):
        name = printable_line(self.name)
        spans = f"{self.spans}/{self.samples}"
        word = "yes" if self.agrees(cost) else "NO"
        if self.cupti is None:
            return [name, f"{self.blocked:.0f}", "-", "-", "-", spans, word]
        difference = self.difference()
        percent = f"{difference / self.cupti * 100:+.1f}" if self.cupti > 0 else "-"
        return [
            name,
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
        if "cupti_samples" in row and "blocked_p50_ns" in row:
            repetitions.setdefault(row.get("run_name", row["name"]), []).append(row)
    if not repetitions:
        raise ToolError(
            NO_RESULT, f"{path}: no row has counters of CUPTI; run copybench with --copybench_cupti"
        )
    return context, [Case(path, name, rows) for name, rows in repetitions.items()], simulated


def cupti_cost(cases):
    """What CUPTI adds to every call outside of its spans, in ns; 0 where the file does not tell."""
    named = {case.name: case for case in cases}
    shortest, own = named.get(SHORTEST), named.get(OWN_SHARE)
    if shortest is None or own is None or shortest.cupti is None:
        return 0
    return max(0, shortest.difference() - own.blocked)


def compare(usage, arguments):
    parsed = parse_arguments(usage, arguments, 1, "one FILE.json")
    if parsed is None:
        return AGREES
    files, markdown = parsed
    context, cases, simulated = read_cases(files[0])
    if simulated:
        say(TOOL, f"{files[0]} is simulated: no figure here is a measurement")
    cost = cupti_cost(cases)
    compared = [case for case in cases if not case.name.startswith(NO_CALL)]
    if not compared:
        raise ToolError(NO_RESULT, f"{files[0]}: no case with a call that CUPTI sees")
    print(format_table(COLUMNS, [case.line(cost) for case in compared], markdown))
    what = f"{len(compared)} cases agree within {MOST_PERCENT} % or {MOST_NS} ns, and have every span"
    source = f"({printable_line(context.get('cupti', 'unknown'))} of CUPTI)"
    raw = sum(case.agrees(0) for case in compared)
    print(f"\n{raw} of {what}, as they are {source}")
    agreeing = sum(case.agrees(cost) for case in compared)
    if cost:
        print(
            f"{agreeing} of {what}, less the {cost:.0f} ns that CUPTI adds to the shortest call outside of its span {source}"
        )
    return AGREES if agreeing == len(compared) else DIFFERS


def main(usage, arguments):
    return run_tool(TOOL, lambda: compare(usage, arguments))
