# SPDX-License-Identifier: Apache-2.0
"""tools/history: reads the recorded runs, and shows one case of them."""

import difflib
import itertools
import re

from command_line import Parser, some
from comparison.show import percent, quantity
from output_file import OutputFile
from runs.alike import read_runs
from runs.index import RESULTS

from history.changes import FEWEST_RUNS, change_points, levels, points
from results import NO_RESULT, ToolError, format_table, run_tool, say

TOOL = "tools/history"
ENDINGS = (".svg", ".png", ".pdf")


def parse(words):
    parser = Parser(TOOL)
    parser.add_argument("case", metavar="CASE")
    parser.add_argument("--results", type=some, action="append", default=[], metavar="PATH")
    parser.add_argument("--gpu", type=some)
    parser.add_argument("--out", type=some, metavar="FILE")
    parsed = parser.parse_args(words)
    if parsed.out and not parsed.out.endswith(ENDINGS):
        raise ToolError(NO_RESULT, f"--out={ascii(parsed.out)[1:-1]}: ends with none of {', '.join(ENDINGS)}")
    return parsed


def read(parsed):
    runs = list({run.sha256: run for run in read_runs(parsed.results or [RESULTS])}.values())
    if not runs:
        raise ToolError(NO_RESULT, f"{(parsed.results or [RESULTS])[0]}: holds no run")
    return runs


def of_one_machine(runs, parsed):
    """A history over different GPUs, or of measurements and simulations, would be none."""
    with_case = [run for run in runs if parsed.case in run.cases]
    if not with_case:
        names = {name for run in runs for name in run.cases}
        near = difflib.get_close_matches(parsed.case, names, 1, 0.5)
        hint = f"; is it {near[0]}?" if near else ""
        raise ToolError(NO_RESULT, f"no run has the case {ascii(parsed.case)[1:-1][:200]}{hint}")
    machines = sorted({(run.fact("gpu_name") or "unknown", run.simulated) for run in with_case})
    if parsed.gpu:
        machines = [machine for machine in machines if machine[0] == parsed.gpu]
    if len(machines) != 1:
        names = ", ".join(ascii(name)[1:-1] + " (simulated)" * simulated for name, simulated in machines)
        raise ToolError(
            NO_RESULT, f"expected runs of one GPU, found: {names or 'none'}; --gpu and --results choose"
        )
    name, simulated = machines[0]
    return [
        run for run in with_case if (run.fact("gpu_name") or "unknown") == name and run.simulated == simulated
    ]


def lines(found, changes):
    rows = []
    for index, point in enumerate(found):
        before = found[index - 1].median if index else None
        rows.append([
            (point.run.fact("date") or "unknown")[:16],
            (point.run.fact("git_commit") or "unknown")[:8],
            str(point.repetitions),
            quantity(point.median),
            percent(point.median / before - 1) if before else "-",
            "CHANGE" if index in changes else "",
            point.run.path,
        ])  # fmt: skip
    return rows


def history(words):
    parsed = parse(words)
    runs = of_one_machine(read(parsed), parsed)
    found = points(runs, parsed.case)
    if not found:
        raise ToolError(NO_RESULT, f"{parsed.case}: failed in every run")
    changes = change_points(found, parsed.case)
    print(
        format_table(
            ["date", "commit", "repetitions", "median", "step", "", "file"], lines(found, changes), False
        )
    )
    steps = levels(found, changes)
    if len(found) < FEWEST_RUNS:
        print(f"\n{len(found)} runs: change points are looked for from {FEWEST_RUNS} on")
    else:
        texts = [
            f"{percent(after[2] / before[2] - 1)} from {found[after[0]].run.path} on"
            for before, after in itertools.pairwise(steps)
        ]
        print(f"\n{len(changes)} changes" + "".join(f"\n  {text}" for text in texts))
    if found[0].run.simulated:
        say(TOOL, "simulated: no figure here is a measurement")
    draw(parsed, found, changes, steps)
    return 0


def draw(parsed, found, changes, steps):
    path = parsed.out or re.sub(r"[^A-Za-z0-9_.-]+", "-", parsed.case)[:100] + ".svg"
    file = OutputFile(path, NO_RESULT, "--out" if parsed.out else None)
    # What draws takes a second to load: a bad path is said before.
    from history.plot import plot

    file.write(plot(path[-3:], parsed.case, found, changes, steps, found[0].run.simulated))
    print(f"wrote {path}")


def main(words):
    return run_tool(TOOL, lambda: history(words), unusable=NO_RESULT)
