# SPDX-License-Identifier: Apache-2.0
"""A comparison as JSON, for other programs."""

import dataclasses
import json
import math

from comparison.power import SLOW_DOWNS, case_lines

VERSION = 1


def finite(value):
    """JSON has no numbers for what is not one."""
    if value is None or not math.isfinite(value):
        return None
    return float(value)


def of_figures(figures):
    return {
        "median": finite(figures.median),
        "repetitions": int(figures.values.size),
        "runs": figures.runs,
        "noise": finite(figures.noise),
    }


def of_judgement(judged):
    return {
        "verdict": judged.verdict,
        "base": of_figures(judged.base),
        "new": of_figures(judged.new),
        "change": finite(judged.change),
        "interval": None if judged.interval is None else [finite(end) for end in judged.interval],
        "p": finite(judged.p),
        "p_corrected": finite(judged.corrected),
        "threshold": finite(judged.threshold),
        "detectable": finite(judged.detectable),
    }


def of_case(found, theirs):
    case = {"name": found.name, "verdict": found.verdict, "why": found.why, "red": found.red}
    if found.time:
        case["time_ns"] = of_judgement(found.time)
    if any(found.label):
        case["label"] = dict(zip(("base", "new"), found.label, strict=True))
    if found.counters:
        case["counters"] = {key: of_judgement(judged) for key, judged in found.counters.items()}
    if theirs:
        case["compare_py"] = {key: finite(value) for key, value in theirs.items()}
    return case


def of_runs(runs):
    return [
        {"file": run.path, "sha256": run.sha256, "date": run.fact("date"), "commit": run.fact("git_commit")}
        for run in runs
    ]


def comparison(base, new, differences, settings, noise, verdicts, theirs, status):
    counts = {}
    for found in verdicts:
        counts[found.verdict] = counts.get(found.verdict, 0) + 1
    document = {
        "copybench_compare": VERSION,
        "status": status,
        "simulated": base.runs[0].simulated or new.runs[0].simulated,
        "base": of_runs(base.runs),
        "new": of_runs(new.runs),
        "differences": [dataclasses.asdict(difference) for difference in differences],
        "settings": dataclasses.asdict(settings),
        "noise_runs": noise,
        "verdicts": counts,
        "cases": [of_case(found, theirs.get(found.name)) for found in verdicts],
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def power(alike, settings, known, alone, status):
    """A power study: the rows of its table, with the noise of the other runs known, and of the two runs alone."""
    document = {
        "copybench_power": VERSION,
        "status": status,
        "passes": bool(known.passes()),
        "simulated": alike[0].simulated,
        "runs": of_runs(alike),
        "settings": dataclasses.asdict(settings),
        "known": of_study(known),
        "alone": of_study(alone),
        "false_alarms": [
            {"base": base, "new": new, "name": name, "change": finite(judged.change),
             "threshold": finite(judged.threshold)}
            for base, new, name, judged in known.alarms
        ],
        "cases": [
            {"name": name, "threshold": finite(threshold), "detectable": finite(detectable)}
            for name, threshold, detectable in case_lines(known)
        ],
    }  # fmt: skip
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def of_study(found):
    return {
        "ordered_pairs": found.pairs,
        "comparisons": found.comparisons,
        "false_alarms": found.slower,
        "red_runs": found.red,
        "false_improvements": found.faster,
        "slow_downs": [
            {"change": slow_down, "wanted": least, "allowed": found.allowed[slow_down], "found": int(found.found[slow_down])}
            for slow_down, (_, least) in SLOW_DOWNS.items()
        ],
    }  # fmt: skip
