# SPDX-License-Identifier: Apache-2.0
"""The process that measures one framework, and reports in lines of JSON what becomes of it."""

import ctypes
import json
import os
import signal

from peers.peer import LeftOutError, peer_class
from peers.reports import Reports

# Linux's request to be ended along with the process that has started this one.
PR_SET_PDEATHSIG = 1


def one_line(error):
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def start(name):
    """The peer; raises LeftOutError where its packages are not there."""
    try:
        return peer_class(name)()
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in {name, "numpy", "cupyx"}:
            raise LeftOutError(f"{error.name} is not installed") from error
        raise


def measure_size(peer, size, options, reports):
    from peers.arrays import WrongDataError
    from peers.rows import failed_rows, measured_rows
    from peers.sampling import Sampler

    sampler = Sampler(peer, size, seed=size)
    counts, failures = {}, {}
    repetitions = range(-1, options["repetitions"])  # the one at -1 is the warm-up
    for repetition in repetitions:
        for case in peer.cases:
            names = case.names(size)
            if reason := peer.why_not(case):
                if repetition < 0:
                    reports.send("skipped", [names, reason])
                continue
            reports.send("begin", [names, max(repetition, 0)])
            rows = []
            try:
                if case not in failures and repetition < 0:
                    counts[case] = sampler.warm_up(case, options["budget_ms"] * 1_000_000)
                elif case not in failures:
                    rows = measured_rows(case, size, repetition, sampler.repetition(case, counts[case]))
            except WrongDataError as error:
                failures[case] = str(error)
            except Exception as error:
                failures[case] = one_line(error)
            # A case that has failed once has failed.
            if case in failures and repetition >= 0:
                rows = failed_rows(names, repetition, failures[case])
            reports.send("rows", rows)


def run(name, options, reports):
    from peers.gpu import gpu_facts
    from peers.memory import why_too_large

    peer = start(name)
    from peers.clock import clock_cost_ns

    versions = {f"{package}_version": version for package, version in peer.packages().items()}
    facts = {"gpu_name": peer.gpu_name(), "clock_cost_ns": str(clock_cost_ns())}
    facts |= {f"{name}_allocation": peer.allocation} | peer.facts() | versions
    reports.send("facts", gpu_facts() | facts)
    for size in options["sizes"]:
        if reason := why_too_large(peer, size):
            names = [each for case in peer.cases for each in case.names(size)]
            reports.send("skipped", [names, reason])
            continue
        measure_size(peer, size, options, reports)
        peer.release()


def main(name, parent, descriptor, options):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        return
    reports = Reports(int(descriptor))
    try:
        run(name, json.loads(options), reports)
    except LeftOutError as reason:
        reports.send("left_out", " ".join(str(reason).split()))
    except BrokenPipeError:
        return  # whoever wanted to know is gone
    except Exception as error:
        reports.send("failed", one_line(error))
    reports.send("end", None)
