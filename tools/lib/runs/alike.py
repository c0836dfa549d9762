# SPDX-License-Identifier: Apache-2.0
"""Which runs are like for like, and which of those in a folder to hold a run against."""

import re
from pathlib import Path

from results import NO_RESULT, ToolError
from runs.file import read_run
from runs.reading import SUFFIXES, is_folder

MOST_FILES = 1000
# Two runs that agree in all of these differ by nothing but noise.
ALIKE = (
    "gpu_name", "gpu_uuid", "gpu_ecc", "gpu_mig_mode", "confidential_computing", "host_name", "cpu_model", "cpu_count",
    "kernel", "driver_version", "cuda_runtime_version", "cuda_driver_version", "profile", "batch_budget_ms", "verify",
    "measuring_cpu", "build_type", "build_flags", "build_compiler", "build_cuda_compiler", "git_commit", "git_dirty",
    "simulated", "simulator_model", "cupti", "google_benchmark_version",
)  # fmt: skip
# The machine and the way of measuring, whatever was measured: how much figures vary is alike.
SAME_KIND = ("gpu_name", "cpu_model", "cpu_count", "batch_budget_ms", "simulated", "cupti")
CASE_FLAG = re.compile(r"--(benchmark_filter|copybench_axis)=")


def selection(run):
    """The flags that choose cases; a run of some is not like one of all."""
    words = (run.fact("command_line") or "").split()
    return tuple(sorted(word for word in words if CASE_FLAG.match(word)))


def key(run, facts):
    return tuple(run.fact(fact) for fact in facts)


def groups(runs):
    """Lists of runs that are like for like, each in order of time, in the order of their latest."""
    found = {}
    for run in runs:
        found.setdefault((key(run, ALIKE), selection(run)), []).append(run)
    ordered = [sorted(group, key=date) for group in found.values()]
    return sorted(ordered, key=lambda group: date(group[-1]))


def date(run):
    return run.fact("date") or ""


def result_files(folder):
    """Files that could be results, by their names."""
    paths = sorted(path for path in Path(folder).rglob("*.json*") if path.name.endswith(SUFFIXES))
    if len(paths) > MOST_FILES:
        raise ToolError(NO_RESULT, f"{folder}: more than {MOST_FILES} files of JSON")
    return [path for path in paths if path.is_file()]


def read_folder(folder):
    """The runs in a folder and below it. Other JSON, of which results/ has some, is left out."""
    runs = {}
    for path in result_files(folder):
        try:
            run = read_run(path)
        except ToolError:
            continue
        if run.fact("profile"):
            runs.setdefault(run.sha256, run)
    return list(runs.values())


def read_runs(paths):
    """Of files, and of folders those in them."""
    return [run for path in paths for run in (read_folder(path) if is_folder(path) else [read_run(path)])]


def baseline(folder, runs, beside):
    """The latest of those runs that are like for like and of the profile of the run `beside`."""
    fitting = [run for run in runs if beside is None or run.fact("profile") == beside.fact("profile")]
    if not fitting:
        wanted = f" of the profile {beside.fact('profile')}" if beside else ""
        raise ToolError(NO_RESULT, f"{folder}: holds no run{wanted}")
    # The most cases in common first, and of those the latest: a file of one family is no baseline for all.
    names = set(beside.cases) if beside else set()
    return max(groups(fitting), key=lambda group: (len(names & set(group[-1].cases)), date(group[-1])))
