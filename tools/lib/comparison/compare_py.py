# SPDX-License-Identifier: Apache-2.0
"""Google Benchmark's compare.py on the same two runs: its table, and what it says of each case."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from runs.reading import parse, read_bytes

from results import NO_RESULT, ToolError

COMPARE_PY = Path(__file__).resolve().parents[2] / "compare_py"


def rows(side):
    """What compare.py reads, of several runs as if they were one."""
    found = []
    for name in side.names:
        pairs = [
            pair
            for run in side.runs
            if name in run.cases
            for pair in zip(run.cases[name].times, run.cases[name].labels, strict=True)
        ]
        for index, (time, label) in enumerate(pairs):
            found.append({
                "name": name, "run_name": name, "run_type": "iteration", "repetitions": len(pairs),
                "repetition_index": index, "threads": 1, "iterations": 1, "real_time": time, "cpu_time": time,
                "time_unit": "ns", "label": label,
            })  # fmt: skip
    return found


def as_one_file(side, folder, name):
    """The file of the side itself where that is all there is: it has the aggregates, and the processor time."""
    run = side.runs[0]
    if len(side.runs) == 1 and run.path.endswith(".json"):
        return str(Path(run.path).resolve())
    path = Path(folder) / name
    if len(side.runs) == 1:
        path.write_bytes(read_bytes(run.path))
    else:
        document = {"context": run.context, "benchmarks": rows(side)}
        path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def run(arguments, program):
    """The table, the comparison as compare.py's JSON has it, and why there is none."""
    environment = os.environ | ({"COMPARE_PY": program} if program else {})
    with tempfile.TemporaryDirectory(prefix="copybench-") as folder:
        dump = Path(folder) / "compared.json"
        words = [str(COMPARE_PY), "--no-color", "-a", "-d", str(dump), *arguments(folder)]
        done = subprocess.run(
            words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode or not dump.is_file():
            lines = [line for line in done.stderr.splitlines() if line.strip()] or ["it wrote no comparison"]
            why = "".join(character if character.isprintable() else " " for character in lines[-1])
            if program:
                raise ToolError(NO_RESULT, f"{program}: {why}")
            return "", {}, why
        return done.stdout, by_case(parse(dump, dump.read_bytes())), ""


def by_case(document):
    """Its change of the median and its p, by case. It leaves out cases whose names or units have changed."""
    found = {}
    for entry in document if isinstance(document, list) else []:
        name, test = entry.get("name", ""), entry.get("utest") or {}
        if entry.get("run_type") == "iteration" and "time_pvalue" in test:
            found.setdefault(name, {})["p"] = test["time_pvalue"]
        if entry.get("aggregate_name") == "median" and entry.get("measurements"):
            name = name.removesuffix("_median")
            found.setdefault(name, {})["change"] = entry["measurements"][0].get("time")
    return found


def benchmarks(base, new):
    return lambda folder: [
        "benchmarks", as_one_file(base, folder, "base.json"), as_one_file(new, folder, "new.json")
    ]  # fmt: skip
