# SPDX-License-Identifier: Apache-2.0
"""tools/compare: reads the runs, decides whether they can be compared, and says what came of it."""

from dataclasses import replace

from runs.alike import groups, read_runs
from runs.file import read_run
from runs.reading import is_folder

from comparison import arguments, compare_py, document, hints, show
from comparison.cases import compare_cases
from comparison.comparable import MACHINE, SIMULATED, differences
from comparison.files import (
    BAD_INPUT,
    NOT_COMPARABLE,
    TOOL,
    chosen,
    put,
    read_sides,
    recorded_runs,
    require_writable,
    say,
)
from comparison.noise import RecordedNoise, noise_for
from comparison.power import study
from comparison.show_power import per_case, summary
from comparison.side import Side
from comparison.slices import slices
from results import ToolError, run_tool

FINE, REGRESSION = 0, 1


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
    machines = parsed.hints or (is_folder(parsed.base) and any(d.kind in MACHINE for d in refusing))
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
    verdicts = compare_cases(base, new, noise, settings, parsed.gate == "counters")
    theirs = table_of(parsed, compare_py.benchmarks(base, new))
    status = REGRESSION if any(case.red for case in verdicts) else FINE
    report(
        parsed,
        lambda everything, markdown: show.comparison(verdicts, found, noise.runs(), everything, markdown),
    )
    if parsed.json:
        put(
            "--json",
            parsed.json,
            document.comparison(base, new, found, settings, noise.runs(), verdicts, theirs, status),
        )
    return status


def report(parsed, text):
    """On the terminal, and in the file of --markdown. JSON on standard output is alone there."""
    if "-" not in (parsed.json, parsed.markdown):
        print(text(parsed.everything, False))
    if parsed.markdown:
        put("--markdown", parsed.markdown, text(parsed.everything, True) + "\n")


def compare_machines(parsed, base, new, found, settings):
    warn_of_simulation(base, new)
    settings = replace(settings, fixed=settings.fixed or hints.LEAST)
    verdicts = compare_cases(base, new, RecordedNoise([]), settings)
    listed = "\n".join("  " + difference.sentence() for difference in found if difference.kind != "cases")
    text = (
        "Differences, baseline -> yours:\n" + listed
        if listed
        else "No differences in what the runs say of their machines."
    )

    def both(everything, markdown):
        # Facts of a machine are no markup.
        shown = "\n".join(f"    {line}" for line in text.splitlines()) if markdown else text
        return shown + "\n\n" + hints.hints(base, new, settings, verdicts, markdown)

    report(parsed, both)
    if parsed.json:
        put("--json", parsed.json, document.comparison(base, new, found, settings, 0, verdicts, {}, FINE))
    return FINE


def compare_slices(parsed):
    settings = arguments.settings(parsed)
    run = chosen(read_run(parsed.file), parsed.cases)
    base, new = slices(run, parsed.first, parsed.second)
    if not set(base.names) & set(new.names):
        raise ToolError(BAD_INPUT, "no case of the one slice has one in the other")
    warn_of_simulation(base, new)
    both = set(base.names) & set(new.names)
    judged = compare_cases(base, new, RecordedNoise([]), settings, labels=False)
    verdicts = [case for case in judged if case.name in both]
    say(f"{len(both)} pairs; {len(judged) - len(both)} cases without a counterpart are left out")
    theirs = {}
    if parsed.cases is None:
        theirs = table_of(
            parsed,
            lambda folder: [
                "filters",
                compare_py.as_one_file(Side([run]), folder, "run.json"),
                parsed.first,
                parsed.second,
            ],
        )
    report(parsed, lambda everything, markdown: show.slices(verdicts, parsed.first, parsed.second, markdown))
    if parsed.json:
        put("--json", parsed.json, document.comparison(base, new, [], settings, 0, verdicts, theirs, FINE))
    return FINE


def study_power(parsed):
    settings = arguments.settings(parsed)
    runs = list({run.sha256: chosen(run, parsed.cases) for run in read_runs(parsed.run)}.values())
    alike = max(groups(runs), key=len, default=[])
    sides = len(alike) // parsed.per_side
    if sides < 2:
        raise ToolError(BAD_INPUT, f"{len(alike)} of these runs are like for like, too few for two sides")
    say(
        f"{len(alike)} of {len(runs)} runs are like for like: {sides} sides, {sides * (sides - 1)} ordered pairs"
    )
    warn_of_simulation(Side(alike), Side(alike))
    runs += read_runs(parsed.noise)
    say("comparing them with the noise of the others, and without")
    known = study(alike, settings, runs, parsed.per_side)
    alone = study(alike, settings, (), parsed.per_side)
    if not known.comparisons:
        raise ToolError(
            BAD_INPUT, "no case is in two of these sides with two repetitions that passed in each"
        )

    def both(everything, markdown):
        tables = [summary(known, alone, markdown)]
        return "\n\n".join(tables + ([per_case(known, markdown)] if everything or markdown else []))

    report(parsed, both)
    status = FINE if known.passes() else REGRESSION
    if parsed.json:
        put("--json", parsed.json, document.power(alike, settings, known, alone, status))
    return status


def main(words):
    commands = {"runs": compare_runs, "filters": compare_slices, "power": study_power}

    def action():
        command, parsed = arguments.parse(words)
        require_writable("--markdown", parsed.markdown)
        require_writable("--json", parsed.json)
        return commands[command](parsed)

    return run_tool(TOOL, action, unusable=BAD_INPUT)
