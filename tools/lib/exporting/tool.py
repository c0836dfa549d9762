# SPDX-License-Identifier: Apache-2.0
"""tools/export: chooses what a service that knows only latencies can be given."""

import json
import re

from command_line import Parser, some
from output_file import OutputFile
from runs.file import read_run

from exporting.formats import FORMATS
from results import NO_RESULT, ToolError, run_tool, say

TOOL = "tools/export"
# The time of these rows is none that anybody waits for: wrong data, refused calls, the loop around a case.
NO_LATENCY = re.compile(r"^(harness_floor|bare_loop|queue_depth|staging_pool)/")


def parse(usage, words):
    if "--help" in words:
        print(usage.strip())
        return None
    parser = Parser(TOOL)
    parser.add_argument("run", type=some, metavar="RUN")
    parser.add_argument("--format", choices=sorted(FORMATS), required=True)
    parser.add_argument("--cases", default="", metavar="REGEX")
    parser.add_argument("--out", type=some, metavar="FILE")
    parser.add_argument("--simulated", action="store_true")
    return parser.parse_args(words)


def is_latency(case):
    """Whether more of the time is worse, and the row is one that passed."""
    correct = 0 not in case.counters.get("correct", [])
    return bool(case.times) and not case.errors and correct and not NO_LATENCY.match(case.name)


def export(usage, words):
    parsed = parse(usage, words)
    if parsed is None:
        return 0
    try:
        which = re.compile(parsed.cases)
    except re.error as error:
        raise ToolError(NO_RESULT, f"--cases: no regular expression: {error}") from error
    run = read_run(parsed.run)
    if run.simulated and not parsed.simulated:
        raise ToolError(
            NO_RESULT, f"{parsed.run}: is simulated, no measurement; --simulated exports it all the same"
        )
    matching = [case for case in run.cases.values() if which.search(case.name)]
    cases = [case for case in matching if is_latency(case)]
    if not cases:
        raise ToolError(NO_RESULT, f"{parsed.run}: no case to export is left")
    failing = sum(bool(case.errors) for case in matching)
    text = (
        json.dumps(FORMATS[parsed.format](run, cases), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    )
    if parsed.out:
        OutputFile(parsed.out, NO_RESULT, "--out").write(text)
    else:
        print(text, end="")
    left_out = len(matching) - len(cases)
    say(TOOL, f"{len(cases)} cases; left out: {left_out}, of which {failing} failed")
    return 0


def main(usage, words):
    return run_tool(TOOL, lambda: export(usage, words), unusable=NO_RESULT)
