# SPDX-License-Identifier: Apache-2.0
"""All faults, as a table of what came of them. Takes half an hour; COPYBENCH_SIM names the suite.

Usage: python complete.py [KIND...]
"""

import collections
import random
import signal
import sys

import corruption
from interruption import interrupt
from suite import clean_run
from sweep import COMPLETE, SHORT, sweep

MOMENTS = 100


def print_complaints(complaints):
    for complaint in complaints:
        print(f"  {complaint}")
    sys.stdout.flush()


def print_faults(kinds) -> int:
    print(
        f"{'calls that':12} {'runs':>5} {'exit 0':>7} {'exit 1':>7} {'exit 3':>7} {'no end':>7} {'wrong':>6}"
    )
    wrong = 0
    for kind in kinds:
        results, complaints = sweep(kind, COMPLETE[kind])
        counts = collections.Counter(outcome.status for _, outcome in results)
        numbers = (len(results), counts[0], counts[1], counts[3], counts[None], len(complaints))
        print(f"{kind:12} {'{:5} {:7} {:7} {:7} {:7} {:6}'.format(*numbers)}")
        print_complaints(complaints)
        wrong += len(complaints)
    return wrong


def print_corruptions(seed: int) -> int:
    results = corruption.sweep(corruption.all_cases(), seed, one=False)
    print(f"{'one wrong byte in':26} {'cases':>6} {'runs':>5} {'found':>6}")
    by_family = collections.defaultdict(list)
    for one, outcome in results:
        by_family[one.case.family].append((one, corruption.is_caught(outcome)))
    wrong = 0
    for family, members in by_family.items():
        cases = len({one.case for one, _ in members})
        print(f"{family:26} {cases:6} {len(members):5} {sum(found for _, found in members):6}")
        missed = [str(one) for one, found in members if not found]
        print_complaints(missed)
        wrong += len(missed)
    return wrong


def print_signals(seed: int) -> int:
    print(f"{'a signal':12} {'runs':>5} {'after the end':>14} {'wrong':>6}")
    wrong = 0
    for number in (signal.SIGINT, signal.SIGTERM):
        outcomes, complaints = interrupt(number, MOMENTS, seed)
        late = sum(outcome.status is not None for outcome in outcomes)
        print(f"{number.name:12} {len(outcomes):5} {late:14} {len(complaints):6}")
        print_complaints(complaints)
        wrong += len(complaints)
    return wrong


def main(kinds: list[str]) -> int:
    seed = random.randrange(2**32)
    calls = clean_run(SHORT).report["calls"]
    print(
        f"{len(clean_run(SHORT).rows)} cases make {sum(calls.values())} calls of {len(calls)} functions; seed {seed}\n"
    )
    kinds = kinds or [*COMPLETE, "corrupt", "signals"]
    wrong = print_faults([kind for kind in kinds if kind in COMPLETE])
    if "corrupt" in kinds:
        print()
        wrong += print_corruptions(seed)
    if "signals" in kinds:
        print()
        wrong += print_signals(seed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
