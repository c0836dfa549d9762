# SPDX-License-Identifier: Apache-2.0
"""How good the gate is: false alarms among runs that are alike, and slow-downs that it finds when they are put in.

Every ordered pair of the runs is compared, with the noise of the others. Then the times of one case of the new run at a
time are made longer by a known share, and it is counted in how many pairs that is found. Alone: p is multiplied by the
number of cases, since no other case has changed. A slow-down that is found in all cases at once is easier.
"""

import itertools
import math
from dataclasses import dataclass, field, replace

import numpy as np

from comparison.cases import label_change
from comparison.judge import FASTER, SLOWER, judge, rank_tests
from comparison.noise import noise_for
from comparison.side import Side

SLOW_DOWNS = {0.10: ("detectable_99", 0.99), 0.05: ("detectable", 0.90)}


@dataclass
class Study:
    """`found` and `allowed`, by slow-down: how many comparisons of a case found it, of those whose noise allows it."""

    runs: int
    pairs: int = 0
    red: int = 0
    comparisons: int = 0
    slower: int = 0
    faster: int = 0
    found: dict = field(default_factory=lambda: dict.fromkeys(SLOW_DOWNS, 0))
    allowed: dict = field(default_factory=lambda: dict.fromkeys(SLOW_DOWNS, 0))
    cases: dict = field(default_factory=dict)  # name: (thresholds, detectable slow-downs)
    alarms: list = field(default_factory=list)

    def share(self, slow_down):
        return self.found[slow_down] / self.allowed[slow_down] if self.allowed[slow_down] else math.nan

    def passes(self):
        found = all(
            self.share(slow_down) >= least
            for slow_down, (_, least) in SLOW_DOWNS.items()
            if self.allowed[slow_down]
        )
        return found and self.red == 0 and self.slower <= 0.01 * self.comparisons


def slowed(figures, share):
    """The same repetitions, each longer by this share."""
    return replace(
        figures,
        values=figures.values * (1 + share),
        median=figures.median * (1 + share),
        resampled=figures.resampled + math.log1p(share),
    )


def study(alike, settings, known=(), per_side=1):
    """alike: runs that are like for like, in order of time, of which `per_side` make up a side. `known`: all runs from
    which a comparison may take its noise; those that it compares are left out each time."""
    result = Study(len(alike))
    ends = range(per_side, len(alike) + 1, per_side)
    sides = [Side(alike[end - per_side : end]) for end in ends]
    for base, new in itertools.permutations(sides, 2):
        add_pair(result, base, new, known, settings)
    return result


def add_pair(result, base, new, known, settings):
    old, now = base.figures("real_time"), new.figures("real_time")
    noise = noise_for(base, new, known)
    judged = judge(old, now, noise.of("real_time"), settings)
    judged = {name: judgement for name, judgement in judged.items() if judgement.p is not None}
    slower = [
        name
        for name, judgement in judged.items()
        if judgement.verdict == SLOWER
        or (label_change(base, new, name)[1] == SLOWER and not noise.wavers(name))
    ]
    result.pairs += 1
    result.red += bool(slower)
    result.comparisons += len(judged)
    result.slower += len(slower)
    result.faster += sum(judgement.verdict == FASTER for judgement in judged.values())
    result.alarms += [(base.runs[0].path, new.runs[0].path, name, judged[name]) for name in slower]
    for name, judgement in judged.items():
        thresholds, detectable = result.cases.setdefault(name, ([], []))
        thresholds.append(judgement.threshold)
        detectable.append(judgement.detectable)
    for slow_down, (limit, _) in SLOW_DOWNS.items():
        allowed = [name for name in judged if getattr(judged[name], limit) <= slow_down]
        moved = {name: slowed(now[name], slow_down) for name in allowed}
        tested = rank_tests(allowed, old, moved)
        result.allowed[slow_down] += len(allowed)
        result.found[slow_down] += sum(
            moved[name].median / old[name].median - 1 > judged[name].threshold
            and tested[name] * len(judged) < settings.alpha
            for name in allowed
        )


def case_lines(result):
    """Each case with the medians, over all pairs, of its threshold and of what could have been found."""
    return [
        (name, float(np.median(thresholds)), float(np.median(detectable)))
        for name, (thresholds, detectable) in result.cases.items()
    ]
