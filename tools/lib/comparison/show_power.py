# SPDX-License-Identifier: Apache-2.0
"""The tables of a power study."""

import math

from comparison.power import SLOW_DOWNS, case_lines
from comparison.show import percent, printable, table
from results import format_table


def counted(part, whole):
    return f"{part} of {whole}" + (f" ({part / whole:.2%})" if whole else "")


def column(result):
    lines = [
        str(result.pairs),
        counted(result.slower, result.comparisons),
        counted(result.red, result.pairs),
        counted(result.faster, result.comparisons),
    ]
    for slow_down in SLOW_DOWNS:
        share = result.share(slow_down)
        lines.append(counted(result.allowed[slow_down], result.comparisons))
        lines.append(
            "-" if math.isnan(share) else counted(result.found[slow_down], result.allowed[slow_down])
        )
    return lines


def summary(known, alone, markdown):
    rows = ["ordered pairs", "false alarms: cases", "false alarms: red runs", "false improvements: cases"]
    for slow_down, (_, least) in SLOW_DOWNS.items():
        rows.append(f"cases whose noise allows to find {slow_down:.0%}")
        rows.append(f"of those, {slow_down:.0%} found (wanted: {least:.0%})")
    columns = ["", "noise of the other runs known", "of the two runs alone"]
    cells = [list(line) for line in zip(rows, column(known), column(alone), strict=True)]
    parts = [f"{known.runs} like-for-like runs", format_table(columns, cells, markdown)]
    if known.alarms:
        alarms = [
            f"  {printable(base)} -> {printable(new)}: {name} {percent(judged.change)}, threshold {percent(judged.threshold, '')}"
            for base, new, name, judged in known.alarms
        ]
        parts.append("False alarms:\n" + "\n".join(f"    {line}" if markdown else line for line in alarms))
    parts.append("passes" if known.passes() else "FAILS")
    return "\n\n".join(parts)


def per_case(result, markdown):
    cells = [
        [name, percent(threshold, ""), percent(detectable, "")]
        for name, threshold, detectable in sorted(case_lines(result), key=lambda line: line[2])
    ]
    return table(["case", "threshold", "could find"], cells, markdown)
