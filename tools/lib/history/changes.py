# SPDX-License-Identifier: Apache-2.0
"""Where the median of a case changed, and how much a median varies where it did not."""

import itertools
from dataclasses import dataclass

import numpy as np
import scipy
from comparison.noise import BETWEEN, NOTHING_KNOWN, PRIOR_RUNS, TAILS, RecordedNoise
from comparison.side import LEAST, Side
from runs.alike import groups

FEWEST_RUNS = 4
# One run alone is an outlier, and no change.
SHORTEST = 2
# A steady case shows a change in one of a thousand histories.
FALSE_CHANGES = 0.001
# Less is nothing that anybody would look for.
LEAST_NOISE = 0.005


@dataclass
class Point:
    run: object
    median: float  # ns
    low: float  # quartiles of the repetitions, ns
    high: float
    error: float  # of the logarithm of the median; not a number with one repetition
    repetitions: int


def points(runs, name):
    """The case in each run that has it and where it did not fail, in order of time."""
    found = []
    for run in sorted(runs, key=lambda run: run.fact("date") or ""):
        figures = Side([run]).figures("real_time").get(name) if name in run.cases else None
        if figures is not None:
            low, high = np.percentile(figures.values, [25, 75])
            found.append(Point(run, figures.median, low, high, figures.error, figures.values.size))
    return found


def noise(found, name):
    """The deviation of the logarithm of a median, as tools/compare sees it, and its degrees of freedom."""
    alike = groups([point.run for point in found])
    recorded = RecordedNoise(alike).of("real_time").get(name, NOTHING_KNOWN)
    errors = np.array([point.error for point in found if np.isfinite(point.error)])
    if errors.size:
        own = np.mean((BETWEEN * errors) ** 2)
        degrees = PRIOR_RUNS + recorded.degrees
        deviation = np.sqrt((PRIOR_RUNS * own + recorded.degrees * recorded.variance) / degrees)
    else:
        # From one run to the next there is mostly no change.
        steps = np.diff(logarithms(found))
        deviation = scipy.stats.median_abs_deviation(steps, scale="normal") / np.sqrt(2)
        degrees = max(1, steps.size // 2)
    return max(float(deviation), LEAST_NOISE), min(degrees, TAILS)


def logarithms(found):
    return np.log(np.maximum([point.median for point in found], LEAST))


def change_points(found, name):
    """The indices of the runs from which on the case is another. Pelt (Killick 2012) on medians in units of their noise:
    a change has to save more squared deviations than noise does in FALSE_CHANGES of all histories of that length."""
    import ruptures  # Half a second, for which nobody is to wait who has only made a mistake.

    if len(found) < FEWEST_RUNS:
        return []
    deviation, degrees = noise(found, name)
    penalty = scipy.stats.f.ppf(1 - FALSE_CHANGES / len(found), 1, degrees)
    # The median of three leaves steps as they are, and takes out a run that stands alone, also at either end.
    signal = scipy.ndimage.median_filter(logarithms(found) / deviation, size=3, mode="mirror").reshape(-1, 1)
    search = ruptures.Pelt(model="l2", min_size=SHORTEST, jump=1).fit(signal)
    return search.predict(pen=penalty)[:-1]


def levels(found, changes):
    """The median of the runs between two changes, in ns: (first index, index after the last, median)."""
    ends = [0, *changes, len(found)]
    medians = np.array([point.median for point in found])
    return [
        (first, after, float(np.median(medians[first:after]))) for first, after in itertools.pairwise(ends)
    ]
