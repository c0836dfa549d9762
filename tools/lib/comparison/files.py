# SPDX-License-Identifier: Apache-2.0
"""The runs that tools/compare is given, and the files that it writes."""

import functools
from dataclasses import replace

from output_file import OutputFile
from runs.alike import baseline, groups, read_folder, read_runs
from runs.file import read_run
from runs.index import machine_folder
from runs.reading import is_folder

import results
from comparison.side import Side
from results import NO_RESULT, USAGE, ToolError

TOOL = "tools/compare"
# Of tools/compare alone; the other statuses are those of all tools.
NOT_COMPARABLE, BAD_INPUT = USAGE, NO_RESULT
say = functools.partial(results.say, TOOL)


def require_writable(flag, path):
    """Before the work rather than after it."""
    if path not in (None, "-"):
        OutputFile(path, BAD_INPUT, flag)


def put(flag, path, text):
    """`-` is standard output."""
    if path == "-":
        print(text, end="")
    else:
        OutputFile(path, BAD_INPUT, flag).write(text)


def chosen(run, which):
    """The run with only the cases that --cases wants."""
    if which is None:
        return run
    cases = {name: case for name, case in run.cases.items() if which.search(name)}
    if not cases:
        raise ToolError(BAD_INPUT, f'{run.path}: no case matches "{which.pattern}"')
    return replace(run, cases=cases)


def read_sides(parsed):
    """A side that is a folder is the latest runs in it that are like for like and of the other side's profile."""
    names = {"BASE": parsed.base, "NEW": parsed.new}
    found = {side: [read_run(path)] for side, path in names.items() if not is_folder(path)}
    for side, path in names.items():
        if side not in found:
            other = next((runs[0] for key, runs in found.items() if key != side), None)
            runs = [run for run in read_folder(path) if other is None or run.sha256 != other.sha256]
            found[side] = baseline(path, runs, other)
            say(f"{side}: {len(found[side])} runs: {', '.join(run.path for run in found[side])}")
    found["BASE"] += [read_run(path) for path in parsed.also_base]
    found["NEW"] += [read_run(path) for path in parsed.also_new]
    for runs in found.values():
        if len(groups(runs)) > 1:
            raise ToolError(NOT_COMPARABLE, f"{runs[-1].path}: not like for like with {runs[0].path}")
        if len({run.sha256 for run in runs}) < len(runs):
            raise ToolError(BAD_INPUT, f"{runs[-1].path}: stands there twice")
    if {run.sha256 for run in found["BASE"]} & {run.sha256 for run in found["NEW"]}:
        raise ToolError(BAD_INPUT, "BASE and NEW are the same run")
    return [Side([chosen(run, parsed.cases) for run in found[side]]) for side in ("BASE", "NEW")]


def recorded_runs(parsed, like):
    """What is known of this kind of machine: the runs of --noise, or those in results/."""
    if parsed.no_noise:
        return []
    if parsed.noise:
        return read_runs(parsed.noise)
    folder = machine_folder(like)
    if folder is None or not folder.is_dir():
        return []
    say(f"looking for like-for-like runs in {folder}")
    return read_folder(folder)
