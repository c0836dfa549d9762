# SPDX-License-Identifier: Apache-2.0
"""One figure of each case, compared: the change, its interval, p, the threshold, and what could have been found."""

import functools
import math
from dataclasses import dataclass

import numpy as np
import scipy  # And its parts by their full names: so they are loaded when they are used.

from comparison.noise import NOTHING_KNOWN, quantile, spread, threshold

SLOWER, FASTER, SAME, UNSURE = "regressed", "improved", "same", "inconclusive"


@dataclass(frozen=True)
class Settings:
    alpha: float = 0.05  # of p, corrected for the number of cases
    false_runs: float = 0.001  # comparisons of like-for-like runs with a case above its threshold
    least_change: float = 0.02
    least_ns: float = 10
    widest: float = 0.25  # above this threshold nothing is called the same
    fixed: float | None = None  # one threshold for all, in place of the measured ones


@dataclass
class Judgement:
    """Fractions of the baseline; None where the repetitions do not allow it."""

    verdict: str
    why: str
    base: object
    new: object
    change: float
    interval: tuple | None
    p: float | None
    corrected: float | None
    threshold: float | None
    detectable: float | None  # the least slow-down that is found nine times of ten
    detectable_99: float | None


def least_p(first, second):
    """The least p that so many repetitions can reach: all of one side beyond all of the other."""
    return 2 / math.comb(first + second, first)


def rank_test(base, new):
    """Two-sided Mann-Whitney U tests, one for each row. Exact: for 9 against 9 the approximation stops at 0.0004 where
    0.00004 is true. With ties the exact one errs on the side of no difference."""
    return scipy.stats.mannwhitneyu(new, base, method="exact", axis=-1).pvalue


@functools.lru_cache
def least_wins(first, second, level):
    """In how many of the pairs of a repetition of each side the new one has to be slower for p to be at most `level`."""
    low, high = first * second // 2, first * second + 1
    while high - low > 1:
        wins = (low + high) // 2
        above, beside = divmod(wins, first)
        new = [first + 1.0] * above + [beside - 0.5] * (beside > 0)
        new += [-1.0] * (second - len(new))
        reached = rank_test(np.arange(first), np.array(new)) <= level
        low, high = (low, wins) if reached else (wins, high)
    return high


def needed_shift(base, new, level):
    """The slow-down, as a logarithm, from which on the U test alone reaches `level`, were the medians equal."""
    old = np.log(base.values)
    again = np.log(new.values) - np.median(np.log(new.values)) + np.median(old)
    wins = least_wins(old.size, again.size, level)
    if wins > old.size * again.size:
        return np.inf
    return max(0.0, np.sort((old[None, :] - again[:, None]).ravel())[wins - 1])


def rank_tests(names, base, new):
    """p of each case. Those with as many repetitions are tested at once."""
    shapes = {}
    for name in names:
        shapes.setdefault((base[name].values.size, new[name].values.size), []).append(name)
    found = {}
    for alike in shapes.values():
        sides = [np.array([side[name].values for name in alike]) for side in (base, new)]
        found |= dict(zip(alike, rank_test(*sides), strict=True))
    return {name: float(found[name]) for name in names}


def judge(base, new, recorded, settings, better="lower"):
    """base, new: Figures by case, of cases in both. Returns Judgements by case. `better`: which way a figure is good."""
    names = [name for name in base if name in new]
    several = [name for name in names if base[name].values.size > 1 and new[name].values.size > 1]
    tested = rank_tests(several, base, new)
    corrected = dict(
        zip(
            several,
            scipy.stats.false_discovery_control(list(tested.values())) if several else [],
            strict=True,
        )
    )
    return {
        name: one(base[name], new[name], recorded.get(name, NOTHING_KNOWN), tested.get(name), corrected.get(name),
                  len(several), settings, better)
        for name in names
    }  # fmt: skip


def one(base, new, recorded, p, corrected, cases, settings, better):
    worse = 1 if better == "lower" else -1
    difference = math.log(new.median / base.median)
    change = bounded(difference)
    if p is None:
        why = f"{base.values.size} against {new.values.size} repetitions"
        return Judgement(UNSURE, why, base, new, change, None, None, None, None, None, None)
    low, high = np.percentile(new.resampled - base.resampled, [2.5, 97.5])
    deviation = spread(base, new, recorded)
    limit = threshold(base, new, recorded, cases, settings)
    if settings.fixed is not None:
        limit = math.log1p(settings.fixed)
    # A slow-down that is to be found must pass both, and may come out smaller than it is.
    both = max(limit, needed_shift(base, new, settings.alpha / cases))
    detectable, detectable_99 = (both + quantile(share) * deviation for share in (0.9, 0.99))
    verdict, why = decide(difference, low, high, corrected, limit, worse, base, new, cases, settings)
    return Judgement(
        verdict, why, base, new, change, (bounded(low), bounded(high)), p, float(corrected), bounded(limit),
        bounded(detectable), bounded(detectable_99),
    )  # fmt: skip


def bounded(logarithm):
    return math.expm1(logarithm) if logarithm < 50 else math.inf


def decide(difference, low, high, corrected, limit, worse, base, new, cases, settings):
    if abs(difference) > limit and corrected < settings.alpha:
        return (SLOWER if difference * worse > 0 else FASTER), ""
    reach = max(abs(low), abs(high))
    if reach <= limit and bounded(limit) <= settings.widest:
        return SAME, ""
    if least_p(base.values.size, new.values.size) * cases > settings.alpha:
        sizes = f"{base.values.size} against {new.values.size}"
        return UNSURE, f"{sizes} repetitions are too few for {cases} cases"
    if abs(difference) > limit:
        return UNSURE, f"beyond the threshold, but p is {corrected:.2g} for {cases} cases"
    if reach > limit:
        return UNSURE, "the interval reaches past the threshold"
    return UNSURE, "too noisy to be called the same"
