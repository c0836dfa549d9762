# SPDX-License-Identifier: Apache-2.0
"""The verdicts that tools/compare wrote as JSON: which differences count."""

import dataclasses
import math
import re

from runs.reading import read_json

from report.text import clean
from results import MOST, NO_RESULT, ToolError

_VERSION = 1


@dataclasses.dataclass
class Judgement:
    name: str
    verdict: str
    why: str
    base: float | None = None
    new: float | None = None
    change: float | None = None
    low: float | None = None
    high: float | None = None
    threshold: float | None = None
    detectable: float | None = None


def _number(value):
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or abs(value) > MOST
    ):
        raise TypeError
    return float(value)


def _judgement(case):
    time = case.get("time_ns", {})
    low, high = time.get("interval") or (None, None)
    figures = [
        time.get("base", {}).get("median"),
        time.get("new", {}).get("median"),
        time.get("change"),
        low,
        high,
    ]
    figures += [time.get("threshold"), time.get("detectable")]
    if not re.fullmatch("[a-z_ ]{1,40}", case["verdict"]):
        raise ValueError
    return Judgement(
        clean(case["name"]), case["verdict"], clean(case.get("why") or ""), *map(_number, figures)
    )


def read_judged(path, run):
    """The judgements of the comparison in which `run` is the new side."""
    document = read_json(path)
    try:
        if document["copybench_compare"] != _VERSION:
            raise ValueError
        files = {side["sha256"] for side in document["new"]}
        judged = [_judgement(case) for case in document["cases"]]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ToolError(NO_RESULT, f"{path}: no comparison of tools/compare") from error
    if not files or not files <= {source.json_sha256 for source in run.sources}:
        raise ToolError(NO_RESULT, f"{path}: a comparison of other files than those of the run")
    return judged
