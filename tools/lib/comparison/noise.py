# SPDX-License-Identifier: Apache-2.0
"""How much the median of a run varies where nothing has changed: from runs that are alike, and from its repetitions.

The repetitions of a run say little about the next run: the process has its memory elsewhere, its thread on another
core, and other guests on the host. What the medians of like-for-like runs differ by does say it, but of few runs it
is itself uncertain. So both are mixed, the way moderated variances are (Smyth 2004, doi:10.2202/1544-6115.1027): the
repetitions count as PRIOR_RUNS runs, and n runs that are alike as n - 1. More runs make the deviation better known, but
not the tails thinner: now and then a run is far off, so that the quantile of Student's t stays that of what was measured.
"""

import functools
import math
import statistics
from dataclasses import dataclass

import numpy as np
import scipy
from runs.alike import SAME_KIND, groups, key

# (difference of medians) / (its standard error by the bootstrap) of the 356 cases of the two like-for-like pairs of
# 2026-11-30 has a root mean square of 1.35 and an excess kurtosis of 0.9, which are those of Student's t with 10 degrees
# of freedom and a scale of 1.2. (1.4 in the pair on a busy host, where most cases drifted the same way, 0.9 in the other.)
BETWEEN = 1.2
PRIOR_RUNS = TAILS = 10
# Fewer repetitions have a median of another kind.
FEWEST = 5


@dataclass(frozen=True)
class Noise:
    """Variance of the logarithm of one run's median, and the degrees of freedom behind it."""

    variance: float = 0.0
    degrees: int = 0


NOTHING_KNOWN = Noise()


class RecordedNoise:
    """What runs that are alike differ by, case for case. `groups`: lists of such runs."""

    def __init__(self, groups):
        self.groups = [group for group in groups if len(group) > 1]
        self._found = {}

    def runs(self):
        return sum(len(group) for group in self.groups)

    def wavers(self, name):
        """Whether runs that are alike, or repetitions of one, have different labels."""
        return any(
            len({label for run in group if name in run.cases for label in run.cases[name].labels}) > 1
            for group in self.groups
        )

    def of(self, figure):
        if figure not in self._found:
            self._found[figure] = self._measure(figure)
        return self._found[figure]

    def _measure(self, figure):
        squares, degrees = {}, {}
        for group in self.groups:
            medians = {}
            for run in group:
                for name, case in run.cases.items():
                    if len(case.figures(figure)) >= FEWEST and not case.errors:
                        medians.setdefault(name, []).append(math.log(max(case.median(figure), 1)))
            for name, logs in medians.items():
                squares[name] = squares.get(name, 0) + statistics.pvariance(logs) * len(logs)
                degrees[name] = degrees.get(name, 0) + len(logs) - 1
        return {name: Noise(squares[name] / count, count) for name, count in degrees.items() if count}


def noise_for(base, new, recorded):
    """Of runs on this kind of machine, base and new left out, and of those that make up one side.

    The two sides may be alike as well: what they differ by is what is to be judged, and no noise."""
    compared = {run.sha256 for run in (*base.runs, *new.runs)}
    same = key(base.runs[0], SAME_KIND)
    others = [run for run in recorded if run.sha256 not in compared and key(run, SAME_KIND) == same]
    return RecordedNoise([*groups(others), base.runs, new.runs])


def spread(base, new, recorded):
    """What log(new median / base median) would vary by if nothing had changed."""
    variance = sum(
        (PRIOR_RUNS * (BETWEEN * side.error) ** 2 + recorded.degrees * recorded.variance / side.runs)
        / (PRIOR_RUNS + recorded.degrees)
        for side in (base, new)
    )
    return np.sqrt(variance)


@functools.lru_cache
def quantile(probability):
    """Of Student's t. The same few are wanted for every case."""
    return float(scipy.stats.t.ppf(probability, TAILS))


def threshold(base, new, recorded, cases, settings):
    """The least difference, as a logarithm, that noise does not explain: in `settings.false_runs` of all comparisons of
    like-for-like runs one of `cases` cases would pass it. Never less than what anybody would want to hear of."""
    least = max(settings.least_change, settings.least_ns / base.median if settings.least_ns else 0)
    return max(np.log1p(least), quantile(1 - settings.false_runs / cases / 2) * spread(base, new, recorded))
