# SPDX-License-Identifier: Apache-2.0
"""tools/compare: reads the runs, decides whether they can be compared, and says what came of it."""

import os
import sys
from dataclasses import replace
from pathlib import Path

from results import ToolError, run_tool

from comparison import arguments, compare_py, document, hints, show
from comparison.cases import compare_cases
from comparison.comparable import MACHINE, SIMULATED, differences
from comparison.noise import RecordedNoise, noise_for
from comparison.power import study
from comparison.show_power import per_case, summary
from comparison.side import Side
from comparison.slices import slices
from runs.alike import baseline, groups, read_folder
from runs.file import read_run
from runs.index import machine_folder

TOOL = "tools/compare"
FINE, REGRESSION, NOT_COMPARABLE, BAD_INPUT = range(4)


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


def warn_of_simulation(base, new):
    if base.runs[0].simulated or new.runs[0].simulated:
        say("simulated: no figure here is a measurement")


def table_of(parsed, names):
    if parsed.no_compare_py:
        return {}
    table, found, why = compare_py.run(names, parsed.compare_py)
    if why:
        say(f"no table of compare.py: {why}")
    print(table, end="\n" if table else "")
    return found


def compare_runs(parsed):
    settings = arguments.settings(parsed)
    base, new = read_sides(parsed)
    found = differences(base, new, parsed.allow)
    refusing = [difference for difference in found if difference.refuses]
    machines = parsed.hints or (Path(parsed.base).is_dir() and any(d.kind in MACHINE for d in refusing))
    if any(difference.kind == SIMULATED for difference in refusing):
        raise ToolError(NOT_COMPARABLE, "one is simulated and the other is not: no comparison")
    if machines:
        return compare_machines(parsed, base, new, found, settings)
    if not set(base.names) & set(new.names):
        raise ToolError(NOT_COMPARABLE, "no case is in both runs")
    if refusing:
        for difference in refusing:
            say(f"not comparable: {difference.sentence()}")
        kinds = ",".join(dict.fromkeys(difference.kind for difference in refusing))
        say(f"--allow {kinds} compares them all the same; --hints says what is slower on another machine")
        return NOT_COMPARABLE
    warn_of_simulation(base, new)
    noise = noise_for(base, new, recorded_runs(parsed, base.runs[0]))
    verdicts = compare_cases(base, new, noise.of, settings, parsed.gate == "counters")
    theirs = table_of(parsed, compare_py.benchmarks(base, new))
    status = REGRESSION if any(case.red for case in verdicts) else FINE
    report(parsed, lambda everything, markdown: show.comparison(verdicts, found, noise.runs(), everything, markdown))
    if parsed.json:
        put(parsed.json, document.comparison(base, new, found, settings, noise.runs(), verdicts, theirs, status))
    return status


def report(parsed, text):
    """On the terminal, and in the file of --markdown. JSON on standard output is alone there."""
    if "-" not in (parsed.json, parsed.markdown):
        print(text(parsed.everything, False))
    if parsed.markdown:
        put(parsed.markdown, text(parsed.everything, True) + "\n")


def compare_machines(parsed, base, new, found, settings):
    warn_of_simulation(base, new)
    settings = replace(settings, fixed=settings.fixed or hints.LEAST)
    verdicts = compare_cases(base, new, lambda figure: {}, settings)
    listed = "\n".join("  " + difference.sentence() for difference in found if difference.kind != "cases")
    text = "Differences, baseline -> yours:\n" + listed if listed else "No differences in what the runs say of their machines."

    def both(everything, markdown):
        # Facts of a machine are no markup.
        shown = "\n".join(f"    {line}" for line in text.splitlines()) if markdown else text
        return shown + "\n\n" + hints.hints(base, new, settings, verdicts, markdown)

    report(parsed, both)
    if parsed.json:
        put(parsed.json, document.comparison(base, new, found, settings, 0, verdicts, {}, FINE))
    return FINE


def compare_slices(parsed):
    settings = arguments.settings(parsed)
    run = chosen(read_run(parsed.file), parsed.cases)
    base, new = slices(run, parsed.first, parsed.second)
    if not set(base.names) & set(new.names):
        raise ToolError(BAD_INPUT, "no case of the one slice has one in the other")
    warn_of_simulation(base, new)
    verdicts = [
        case for case in compare_cases(base, new, RecordedNoise([]).of, settings) if case.name in base.names
    ]
    theirs = {}
    if parsed.cases is None:
        theirs = table_of(
            parsed,
            lambda folder: ["filters", compare_py.as_one_file(Side([run]), folder, "run.json"), parsed.first, parsed.second],
        )
    report(parsed, lambda everything, markdown: show.slices(verdicts, parsed.first, parsed.second, markdown))
    if parsed.json:
        put(parsed.json, document.comparison(base, new, [], settings, 0, verdicts, theirs, FINE))
    return FINE


def study_power(parsed):
    settings = arguments.settings(parsed)
    runs = [run for path in parsed.run for run in (read_folder(path) if Path(path).is_dir() else [read_run(path)])]
    runs = list({run.sha256: chosen(run, parsed.cases) for run in runs}.values())
    alike = max(groups(runs), key=len, default=[])
    if len(alike) < 2:
        raise ToolError(BAD_INPUT, "fewer than two of these runs are like for like")
    say(f"{len(alike)} of {len(runs)} runs are like for like, {len(alike) * (len(alike) - 1)} pairs")
    warn_of_simulation(Side(alike), Side(alike))
    known = study(alike, settings)
    alone = study(alike, settings, recorded=False)
    report(parsed, lambda everything, markdown: "\n\n".join(
        [summary(known, alone, markdown), *([per_case(known, markdown)] if everything or markdown else [])]
    ))
    return FINE if known.passes() else REGRESSION


def main(words):
    commands = {"runs": compare_runs, "filters": compare_slices, "power": study_power}

    def action():
        command, parsed = arguments.parse(words)
        return commands[command](parsed)

    return run_tool(TOOL, action, unusable=BAD_INPUT)
