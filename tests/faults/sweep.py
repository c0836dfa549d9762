# SPDX-License-Identifier: Apache-2.0
"""Each call of the CUDA runtime goes wrong once: which faults there are, and what the suite must make of each."""

import collections
import re
from dataclasses import dataclass

from suite import SHORT, SLOWNESS, Outcome, at_once, clean_run, run

WATCHDOG = 1  # seconds, where a call hangs

# What the context says of the machine; a fact that is not to be had is "unknown".
QUERIES = {
    "cudaDeviceGetAttribute",
    "cudaDeviceGetPCIBusId",
    "cudaDriverGetVersion",
    "cudaGetDeviceProperties",
    "cudaRuntimeGetVersion",
}
# They come from destructors, which have nobody to tell; what they leave behind.
GIVING_BACK = {
    "cudaEventDestroy": "events",
    "cudaFree": "allocations",
    "cudaFreeHost": "allocations",
    "cudaGraphDestroy": "graphs",
    "cudaGraphExecDestroy": "graphs",
    "cudaHostUnregister": None,
    "cudaStreamDestroy": "streams",
}
# Destructors wait as well. So many of these calls are theirs, in the short run.
IN_DESTRUCTORS = {"cudaEventSynchronize": 24, "cudaStreamSynchronize": 3}
# A case that could not get its memory before the first case ran tries again when it is its turn.
GETTING = {
    "cudaEventCreateWithFlags",
    "cudaGetDevice",
    "cudaGetSymbolAddress",
    "cudaGraphAddMemcpyNode1D",
    "cudaGraphCreate",
    "cudaGraphInstantiate",
    "cudaHostAlloc",
    "cudaHostRegister",
    "cudaMalloc",
    "cudaMallocManaged",
    # In a thread that helps; and in a worker that nobody gives work to, which tells nobody.
    "cudaSetDevice",
    "cudaStreamCreateWithFlags",
}
# How often it is called depends on how fast the machine is.
NOW_AND_THEN = {"cudaStreamQuery"}
# Whether a row has them depends on how many samples there was time for.
PERCENTILES = {"p90_ns", "p99_ns"}

TYPICAL_ERRORS = {
    "cudaHostAlloc": "cudaErrorMemoryAllocation",
    "cudaHostRegister": "cudaErrorHostMemoryAlreadyRegistered",
    "cudaLaunchKernel": "cudaErrorLaunchOutOfResources",
    "cudaMalloc": "cudaErrorMemoryAllocation",
    "cudaMallocManaged": "cudaErrorMemoryAllocation",
    "cudaMemcpyAsync": "cudaErrorInvalidValue",
}
STICKY_ERRORS = {"lose": "cudaErrorECCUncorrectable", "trap": "cudaErrorIllegalAddress"}


# Faults of each kind for each function, in the complete sweep and in the quick one; below one: for a part of the functions.
COMPLETE = {"fail": 40, "always": 8, "lose": 40, "trap": 40, "hang": 8}
QUICKLY = {"fail": 0.5, "always": 0.25, "lose": 0.25, "trap": 3, "hang": 0.25}


@dataclass(frozen=True)
class Fault:
    """`kind` is the simulator's, or "always": the call fails, and so do all later ones of the function."""

    kind: str
    api: str
    n: int

    @property
    def error(self) -> str:
        return STICKY_ERRORS.get(self.kind) or TYPICAL_ERRORS.get(self.api, "cudaErrorUnknown")

    def __str__(self) -> str:
        if self.kind == "hang":
            return f"hang:{self.api}:{self.n}"
        if self.kind == "always":
            return f"fail:{self.api}:{self.n}+:{self.error}"
        return f"{self.kind}:{self.api}:{self.n}:{self.error}"


def spread(count: int, most: int) -> list[int]:
    """All numbers from 1 to count, or so many of them: the first, the last, and some between."""
    if count <= most:
        return list(range(1, count + 1))
    some = min(most, 25)
    first, last = (some * 2 + 2) // 5, some // 5
    between = some - first - last
    step = (count - first - last) / (between + 1)
    return [
        *range(1, first + 1),
        *(first + round(step * (i + 1)) for i in range(between)),
        *range(count - last + 1, count + 1),
    ]


def faults(kind: str, most: float) -> list[Fault]:
    """At most so many for each function that the short run calls, or one for a part of the functions."""
    calls = clean_run(SHORT).report["calls"]
    if kind == "trap":
        calls = {"cudaLaunchKernel": calls["cudaLaunchKernel"]}
    functions = list(calls.items())
    if most < 1:
        step = round(1 / most)
        # Other functions for another kind, so that together they have all.
        kinds = [one for one in COMPLETE if one != "trap"]
        functions = functions[kinds.index(kind) % step :: step]
    return [Fault(kind, api, n) for api, count in functions for n in spread(count, max(1, int(most)))]


def inject(fault: Fault) -> Outcome:
    normal = 2 * clean_run(SHORT).seconds + 5 * SLOWNESS
    if fault.kind == "hang":
        return run(SHORT, str(fault), limit=normal + WATCHDOG * SLOWNESS, watchdog=WATCHDOG)
    return run(SHORT, str(fault), limit=normal + 30 * SLOWNESS)


def names_error(fault: Fault, text: str) -> bool:
    """A lost context shows in whatever call comes next; a launch is named after its kernel."""
    is_sticky = fault.kind in STICKY_ERRORS
    names = [(r"cuda\w+" if is_sticky else fault.api) + "(?: in a stream callback)?"]
    if is_sticky or fault.api == "cudaLaunchKernel":
        names.append(r"\w+ launch")
    return re.search(rf"\b({'|'.join(names)}): {fault.error}\b", text) is not None


def good_row_complaints(outcome: Outcome) -> list[str]:
    clean = {row["name"]: set(row) for row in clean_run(SHORT).rows}
    differences = {
        row["name"]: (set(row) ^ clean[row["name"]]) - PERCENTILES
        for row in outcome.rows
        if not row.get("error_occurred")
    }
    return [
        f"the row of {name} is not what a good one is: {sorted(keys)}"
        for name, keys in differences.items()
        if keys
    ]


def judge(fault: Fault, outcome: Outcome) -> list[str]:
    """What is wrong with how the suite took it."""
    # The exit status does not always tell: the report may come while the process ends early.
    if "Sanitizer" in outcome.stderr:
        return [outcome.stderr[outcome.stderr.index("Sanitizer") :][:300]]
    if outcome.status is None:
        return [f"did not end; a signal ended it with {outcome.after_signal}"]
    if outcome.status not in (0, 1, 3):
        return [f"ended with {outcome.status}"]
    try:
        rows = outcome.rows
    except ValueError as error:
        return [f"invalid JSON: {error}"]
    complaints = []
    if outcome.status == 3:
        complaints += judge_no_device(fault, outcome)
    else:
        names = [row["name"] for row in rows]
        clean_names = [row["name"] for row in clean_run(SHORT).rows]
        if names != clean_names[: len(names)]:
            complaints.append("the rows are not those of the first cases, in their order")
        complaints += good_row_complaints(outcome)
        if outcome.status == 0 and not outcome.report["faults"]:
            return complaints + ([] if fault.api in NOW_AND_THEN else ["the fault never struck"])
        judge_end = judge_success if outcome.status == 0 else judge_failure
        complaints += judge_end(fault, outcome, len(names) == len(clean_names))
    if fault.kind == "fail" and outcome.report:
        excused = GIVING_BACK.get(fault.api)
        complaints += [
            f"{live} {kind} left"
            for kind, live in outcome.report["live"].items()
            if live > (1 if kind == excused else 0)
        ]
    return complaints


def judge_no_device(fault: Fault, outcome: Outcome) -> list[str]:
    complaints = []
    if fault.kind == "hang":
        complaints.append("a call that hangs is no missing device")
    if outcome.text is not None:
        complaints.append("a result, though nothing ran")
    if not any(fault.error in message for message in outcome.messages):
        complaints.append(f"nobody names {fault.error}: {outcome.messages}")
    elif not any(re.search(r"\bcuda(?!Error)\w+", message) for message in outcome.messages):
        complaints.append(f"nobody names the function: {outcome.messages}")
    return complaints


def last_ones(n: int) -> set[str]:
    """Functions that only destructors call from the n-th call on."""
    calls = clean_run(SHORT).report["calls"]
    return {api for api, count in IN_DESTRUCTORS.items() if n > calls[api] - count}


def judge_success(fault: Fault, outcome: Outcome, all_there: bool) -> list[str]:
    if outcome.error_rows or not all_there or "ended_early" in outcome.document["context"]:
        return ["ended with 0, though rows are missing or failed"]
    may_pass = {
        "fail": QUERIES | GETTING | GIVING_BACK.keys() | IN_DESTRUCTORS.keys(),
        "always": QUERIES | GIVING_BACK.keys() | last_ones(fault.n),
        # A context that is lost while everything is given back has done no harm.
        "lose": GIVING_BACK.keys() | IN_DESTRUCTORS.keys(),
    }
    return [] if fault.api in may_pass.get(fault.kind, set()) else ["nobody noticed"]


def judge_failure(fault: Fault, outcome: Outcome, all_there: bool) -> list[str]:
    if not outcome.error_rows:
        # Before the first case and after the last one, the watchdog has no case to name.
        hangs = fault.kind == "hang" and any("no progress" in message for message in outcome.messages)
        return (
            [] if hangs and (all_there or not outcome.rows) else [f"no row is an error: {outcome.messages}"]
        )
    reason = outcome.document["context"].get("ended_early")
    complaints = [
        f"{row['name']}: nobody names the case"
        for row in outcome.error_rows
        if not any(row["name"] in message for message in outcome.messages)
    ]
    for row in outcome.error_rows:
        said = row["error_message"]
        if not ("no progress for" in said if fault.kind == "hang" else names_error(fault, said)):
            complaints.append(f"{row['name']}: the row does not say what went wrong: {said}")
    if fault.kind in ("fail", "always"):
        if not all_there or reason:
            complaints.append(f"the context survived, and cases are missing: {reason}")
    elif not reason or outcome.error_rows[0] is not outcome.rows[-1]:
        complaints.append("cases after the last one that could run")
    if fault.kind != "always" and len(outcome.error_rows) > 1:
        complaints.append(f"{len(outcome.error_rows)} rows are errors")
    return complaints


def judge_order(results: list[tuple[Fault, Outcome]]) -> list[str]:
    """What the outcomes of one kind say together."""
    by_api = collections.defaultdict(list)
    for fault, outcome in results:
        by_api[fault.kind, fault.api].append(outcome.status)
    complaints = []
    for (kind, api), statuses in by_api.items():
        if kind != "fail":
            continue
        # Any other status has been complained of already.
        if (
            api in GETTING
            and set(statuses) <= {3, 0, 1}
            and statuses != sorted(statuses, key=(3, 0, 1).index)
        ):
            complaints.append(f"{api}: tried again once the cases had begun: {statuses}")
        if api in IN_DESTRUCTORS and statuses.count(0) > IN_DESTRUCTORS[api]:
            complaints.append(f"{api}: more are ignored than destructors make: {statuses}")
    return complaints


def sweep(kind: str, most: float) -> tuple[list[tuple[Fault, Outcome]], list[str]]:
    """Injects the faults, one a run; returns what came of them and what was wrong with it."""
    chosen = faults(kind, most)
    results = list(zip(chosen, at_once(inject, chosen), strict=True))
    complaints = [
        f"{fault}: {complaint}" for fault, outcome in results for complaint in judge(fault, outcome)
    ]
    return results, complaints + judge_order(results)
