# SPDX-License-Identifier: Apache-2.0
"""One side of a comparison: one run or several that are alike, and what each case says of a figure."""

from dataclasses import dataclass

import numpy as np
import scipy

RESAMPLES = 2000
SEED = 20261130  # The same files give the same verdicts.
# What the clock resolves, in ns; and so that a time of 0 has a logarithm.
LEAST = 1.0


@dataclass
class Figures:
    """A figure of a case over all repetitions of a side. Spreads and errors are of its logarithm: fractions."""

    values: np.ndarray
    median: float
    noise: float  # of the repetitions: 1.4826 times their median absolute deviation, over their median
    error: float  # standard error of the median, by the bootstrap
    resampled: np.ndarray  # medians of resampled repetitions, as logarithms
    runs: int


class Side:
    def __init__(self, runs):
        self.runs = runs
        self.names = list(dict.fromkeys(name for run in runs for name in run.cases))
        self._figures = {}

    def passed(self, name):
        """Whether the case is there and no repetition failed."""
        found = [run.cases[name] for run in self.runs if name in run.cases]
        return bool(found) and not any(case.errors for case in found) and any(case.times for case in found)

    def errors(self, name):
        return [text for run in self.runs if name in run.cases for text in run.cases[name].errors]

    def labels(self, name):
        return [text for run in self.runs if name in run.cases for text in run.cases[name].labels]

    def repetitions(self, name):
        return sum(len(run.cases[name].times) for run in self.runs if name in run.cases)

    def figures(self, key):
        """Of each case that has it and passed; worked out once."""
        if key not in self._figures:
            self._figures[key] = self._summarize(key)
        return self._figures[key]

    def _summarize(self, key):
        lengths = {}
        for name in self.names:
            if not self.passed(name):
                continue
            found = [run.cases[name].figures(key) for run in self.runs if name in run.cases]
            values = [value for figures in found for value in figures]
            if values:
                lengths.setdefault(len(values), []).append((name, values, len(found)))
        summary = {}
        for length, cases in lengths.items():
            values = np.maximum(np.array([values for _, values, _ in cases], dtype=float), LEAST)
            errors, resampled = (
                bootstrap(np.log(values)) if length > 1 else (np.full(len(cases), np.nan), None)
            )
            medians = np.median(values, axis=1)
            spreads = scipy.stats.median_abs_deviation(values, axis=1, scale="normal") / medians
            for index, (name, _, runs) in enumerate(cases):
                again = np.log(values[index]) if resampled is None else resampled[index]
                spread = spreads[index] if length > 1 else np.nan
                summary[name] = Figures(values[index], medians[index], spread, errors[index], again, runs)
        return summary


def bootstrap(logs):
    """The standard error of each row's median, and the medians of its resamples."""
    found = scipy.stats.bootstrap(
        (logs,), np.median, axis=-1, n_resamples=RESAMPLES, method="percentile", vectorized=True,
        batch=200, rng=np.random.default_rng(SEED),
    )  # fmt: skip
    return np.atleast_1d(found.standard_error), np.atleast_2d(found.bootstrap_distribution)
