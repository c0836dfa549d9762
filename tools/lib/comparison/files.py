# SPDX-License-Identifier: Apache-2.0
"""The runs that tools/compare is given, and the files that it writes."""

import os
import sys
from dataclasses import replace
from pathlib import Path

from runs.alike import baseline, groups, read_folder
from runs.file import read_run
from runs.index import machine_folder

from comparison.side import Side
from results import NO_RESULT, USAGE, ToolError

TOOL = "tools/compare"
# Of tools/compare alone; the other statuses are those of all tools.
NOT_COMPARABLE, BAD_INPUT = USAGE, NO_RESULT


def say(text):
    print(f"{TOOL}: {printable_line(text)}", file=sys.stderr)


def printable_line(text):
    return "".join(character if character.isprintable() else "?" for character in str(text))


def put(path, text):
    """A file appears whole or not at all; `-` is standard output."""
    if path == "-":
        print(text)
        return
    path = Path(path)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise ToolError(BAD_INPUT, f"{path}: {error.strerror}") from error


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
    found = {side: [read_run(path)] for side, path in names.items() if not Path(path).is_dir()}
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
    folders = [path for path in parsed.noise if Path(path).is_dir()]
    files = [read_run(path) for path in parsed.noise if path not in folders]
    if not parsed.noise:
        folder = machine_folder(like)
        folders = [folder] if folder is not None and folder.is_dir() else []
        if folders:
            say(f"looking for like-for-like runs in {folder}")
    return files + [run for folder in folders for run in read_folder(folder)]
