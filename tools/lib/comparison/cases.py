# SPDX-License-Identifier: Apache-2.0
"""The verdict on each case: its time, what its label says it waits for, its counters, and whether it ran at all."""

from collections import Counter
from dataclasses import dataclass, field, replace

from comparison.judge import FASTER, SAME, SLOWER, UNSURE, judge

NEW, MISSING, FAILING, FIXED = "new", "missing", "failing", "fixed"
VERDICTS = (SLOWER, FAILING, MISSING, UNSURE, FIXED, FASTER, NEW, SAME)
# Each with the side on which it is good.
COUNTERS = {
    "bytes_per_second": "higher",
    "p99_ns": "lower",
    "knee_operations": "higher",
    "knee_bytes": "higher",
}
# From the best to the worst for the calling thread.
WAITS = ("async", "mixed", "waits_for_copy", "waits_for_queue")


@dataclass
class CaseVerdict:
    name: str
    verdict: str
    why: str = ""
    time: object = None  # a Judgement, where both sides have times
    counters: dict = field(default_factory=dict)  # Judgements
    label: tuple = ("", "")  # of each side, that of most repetitions
    red: bool = False  # whether it fails the gate


def common_label(labels):
    """What more than half of the repetitions say; and whether all do."""
    if not labels:
        return "", False
    label, count = Counter(labels).most_common(1)[0]
    return (label if 2 * count > len(labels) else "mixed"), count == len(labels)


def label_change(base, new, name):
    """'regressed' or 'improved' where all repetitions of a side say the one and all of the other the other."""
    (old, sure), (now, certain) = common_label(base.labels(name)), common_label(new.labels(name))
    verdict = None
    if sure and certain and old != now and old in WAITS and now in WAITS:
        verdict = SLOWER if WAITS.index(now) > WAITS.index(old) else FASTER
    return (old, now), verdict


def compare_cases(base, new, noise, settings, gate_counters=False, labels=True):
    """base, new: the sides. noise: a RecordedNoise. Returns the verdicts in the order of the baseline. `labels`:
    whether another verdict in the label makes a regression."""
    times = judge(base.figures("real_time"), new.figures("real_time"), noise.of("real_time"), settings)
    # A threshold in ns says nothing of a counter of something else.
    counters = {
        key: judge(base.figures(key), new.figures(key), noise.of(key),
                   settings if key.endswith("_ns") else replace(settings, least_ns=0), better)
        for key, better in COUNTERS.items()
    }  # fmt: skip
    verdicts = []
    for name in dict.fromkeys([*base.names, *new.names]):
        if name not in times:
            verdicts.append(without_times(base, new, name))
            continue
        found = CaseVerdict(name, times[name].verdict, times[name].why, times[name])
        found.counters = {key: judged[name] for key, judged in counters.items() if name in judged}
        found.label, change = label_change(base, new, name)
        if change and labels and not noise.wavers(name):
            found.why = " -> ".join(found.label)
            found.verdict = SLOWER if SLOWER in (change, found.verdict) else change
        found.red = found.verdict == SLOWER or (
            gate_counters and any(judged.verdict == SLOWER for judged in found.counters.values())
        )
        verdicts.append(found)
    return verdicts


def without_times(base, new, name):
    errors = new.errors(name)
    if name not in new.names:
        return CaseVerdict(name, MISSING)
    if errors and base.passed(name):
        return CaseVerdict(name, FAILING, errors[0], red=True)
    if errors and name in base.names:
        return CaseVerdict(name, FAILING, f"as before: {errors[0]}")
    if errors:
        return CaseVerdict(name, FAILING, errors[0], red=True)
    if name in base.names:
        return CaseVerdict(name, FIXED)
    return CaseVerdict(name, NEW)
