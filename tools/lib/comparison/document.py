# SPDX-License-Identifier: Apache-2.0
"""A comparison as JSON, for other programs."""

import dataclasses
import json
import math

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


def of_side(side):
    return [
        {"file": run.path, "sha256": run.sha256, "date": run.fact("date"), "commit": run.fact("git_commit")}
        for run in side.runs
    ]


def comparison(base, new, differences, settings, noise, verdicts, theirs, status):
    counts = {}
    for found in verdicts:
        counts[found.verdict] = counts.get(found.verdict, 0) + 1
    document = {
        "copybench_compare": VERSION,
        "status": status,
        "simulated": base.runs[0].simulated or new.runs[0].simulated,
        "base": of_side(base),
        "new": of_side(new),
        "differences": [dataclasses.asdict(difference) for difference in differences],
        "settings": dataclasses.asdict(settings),
        "noise_runs": noise,
        "verdicts": counts,
        "cases": [of_case(found, theirs.get(found.name)) for found in verdicts],
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"
