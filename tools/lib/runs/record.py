# SPDX-License-Identifier: Apache-2.0
"""tools/record: files runs under results/, and keeps the index."""

import os
import subprocess
import sys

from command_line import Parser, some

from results import NO_RESULT, ToolError, run_tool, say
from runs.alike import read_folder
from runs.file import read_run
from runs.index import RESULTS, ROOT, file_run, require_folder, write_index

TOOL = "tools/record"
REPORT = ROOT / "tools" / "report"


def parse(usage, words):
    if "--help" in words:
        print(usage.strip())
        return None
    parser = Parser(TOOL)
    parser.add_argument("run", type=some, nargs="*", metavar="RUN")
    parser.add_argument("--results", type=some, default=str(RESULTS), metavar="DIR")
    parser.add_argument("--name", type=some)
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--index", action="store_true")
    parsed = parser.parse_args(words)
    if not parsed.run and not parsed.index:
        raise ToolError(NO_RESULT, "no RUN given; see --help")
    if parsed.name and len(parsed.run) != 1:
        raise ToolError(NO_RESULT, "--name is for one RUN; see --help")
    return parsed


def report(path):
    """tools/report puts it beside the file."""
    if not os.access(REPORT, os.X_OK):
        raise ToolError(NO_RESULT, f"{path} is recorded, but there is no {REPORT}")
    done = subprocess.run(
        [REPORT, path], stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=sys.stderr, check=False
    )
    if done.returncode:
        raise ToolError(NO_RESULT, f"{path} is recorded, but its report failed with status {done.returncode}")


def record(usage, words):
    parsed = parse(usage, words)
    if parsed is None:
        return 0
    runs = [read_run(path) for path in parsed.run]
    for run in runs:
        if run.simulated and not parsed.simulated:
            raise ToolError(
                NO_RESULT, f"{run.path}: is simulated, no measurement; --simulated files it all the same"
            )
        if not run.fact("profile"):
            raise ToolError(NO_RESULT, f"{run.path}: no run of copybench: its context names no profile")
    require_folder(parsed.results)
    there = {run.sha256: run.path for run in read_folder(parsed.results)}
    filed = []
    for run in runs:
        if run.sha256 in there:
            print(f"{run.path}: is there already, as {there[run.sha256]}")
            continue
        there[run.sha256] = path = file_run(run, parsed.results, parsed.name)
        filed.append(path)
        failing = sum(bool(case.errors) for case in run.cases.values())
        print(f"{path}: {len(run.cases)} cases, {run.repetitions()} repetitions, {failing} failing")
        if early := run.context.get("ended_early"):
            say(TOOL, f"{run.path}: ended early: {ascii(early)[:100]}")
    print(write_index(parsed.results), flush=True)
    for path in filed if parsed.report else []:
        report(path)
    return 0


def main(usage, words):
    return run_tool(TOOL, lambda: record(usage, words), unusable=NO_RESULT)
