# SPDX-License-Identifier: Apache-2.0
"""tools/peers.py: from the command line to the file."""

import json
import shlex
import signal

from output_file import OutputFile

from peers.context import context
from peers.machine import machine_facts
from peers.options import parse
from peers.outcome import Outcome
from peers.peer import peer_class
from peers.report import TOOL, say, say_outcome, table
from peers.rows import finished_rows
from peers.supervisor import measure
from results import AGREES, DIFFERS, NO_RESULT, USAGE, ToolError, run_tool


class InterruptedRunError(Exception):
    """SIGINT or SIGTERM."""

    def __init__(self, number):
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number


def on_signals(handler):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def interrupt(number, _):
    # One is enough: what was measured is still to be written.
    on_signals(signal.SIG_IGN)
    raise InterruptedRunError(number)


def measure_all(options, outcomes):
    """What ended it early: nothing, or the signal."""
    try:
        on_signals(interrupt)
        for name in options.frameworks:
            outcomes[name] = Outcome()
            say(f"measuring {name}")
            measure(name, options, outcomes[name])
            say_outcome(name, outcomes[name])
        on_signals(signal.SIG_IGN)
    except InterruptedRunError as reason:
        say(f"ended by {reason}")
        return reason
    return None


def run(options, arguments):
    output = OutputFile(options.out, USAGE, "--out") if options.out else None
    machine, outcomes = machine_facts(), {}
    interrupted = measure_all(options, outcomes)
    rows = finished_rows([row for each in outcomes.values() for row in each.rows], options.repetitions)
    if rows and output:
        ended_early = str(interrupted) if interrupted else ""
        facts = context(options, shlex.join([TOOL, *arguments]), machine, outcomes, ended_early)
        output.write(json.dumps({"context": facts, "benchmarks": rows}, indent=1, allow_nan=False) + "\n")
        say(f"wrote {options.out}")
    on_signals(signal.SIG_DFL)
    if rows:
        print(table(rows))
    if interrupted:
        return interrupted.status
    return status(rows, outcomes.values())


def status(rows, outcomes):
    if any(each.failed for each in outcomes) or any("error_occurred" in row for row in rows):
        return DIFFERS
    if rows:
        return AGREES
    if any(each.facts for each in outcomes):
        raise ToolError(USAGE, "--bytes: no array of these sizes fits; nothing was measured")
    raise ToolError(NO_RESULT, "no framework is installed that finds a GPU; nothing was measured")


def list_cases(options):
    for name in options.frameworks:
        for size in options.sizes:
            for case in peer_class(name).cases:
                print("\n".join(case.names(size)))
    return AGREES


def main(usage, arguments):
    def action():
        if "--help" in arguments:
            print(usage.strip())
            return AGREES
        options = parse(arguments)
        return list_cases(options) if options.only_list else run(options, arguments)

    return run_tool(TOOL, action)
