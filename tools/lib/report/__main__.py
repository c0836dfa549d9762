# SPDX-License-Identifier: Apache-2.0
"""tools/report, once it has a Python with what it needs."""

import functools
import sys

from report.judged import read_judged
from report.load import load
from report.options import output_folder, parse
from report.output import make_folder, write_report
from results import AGREES, run_tool, say

TOOL = "tools/report"


_say = functools.partial(say, TOOL)


def _report(arguments):
    options = parse(arguments)
    folder = output_folder(options)
    run, base, peers = load(options, _say)
    judged = read_judged(options.comparison, run) if options.comparison else None
    if run.simulated:
        _say("SIMULATED: no figure of this report is a measurement")
    make_folder(folder)
    # What draws takes a second to load: bad files are said before.
    from report import render
    from report.build import build_report

    report = build_report(run, base, peers, judged)
    files = {"report.html": render.html(report), **render.markdown(report)}
    files |= {f"figures/{name}": svg for name, svg in render.pictures(report).items()}
    write_report(folder, files)
    print(folder / "report.html")
    return AGREES


if __name__ == "__main__":
    sys.exit(run_tool(TOOL, lambda: _report(sys.argv[1:])))
