# SPDX-License-Identifier: Apache-2.0
"""A comparison as text for a terminal and as Markdown for a pull request."""

import math
from collections import Counter

import numpy as np

from comparison.cases import NEW, VERDICTS
from comparison.comparable import printable
from comparison.judge import SAME, SLOWER, UNSURE
from results import format_table

COLUMNS = ["case", "verdict", "base", "new", "change", "95 % interval", "p corrected", "noise", "threshold",
           "could find", "why"]  # fmt: skip
UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns"))
RATES = ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1, "B/s"))
OF_COUNTER = {
    "bytes_per_second": RATES,
    "knee_operations": ((1, ""),),
    "knee_bytes": ((1 << 20, "MiB"), (1, "B")),
}
SPECIAL = str.maketrans({character: "\\" + character for character in "\\`*_[]|~#"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"})  # fmt: skip


def quantity(value, units=UNITS):
    scale, unit = next((pair for pair in units if value >= pair[0]), units[-1])
    return f"{value / scale:{'.3g' if value < 1000 * scale else '.0f'}} {unit}".rstrip()


def percent(share, sign="+"):
    if share is None or math.isnan(share):
        return "-"
    # Of a threefold time nobody wants to read 200 %.
    return f"{1 + share:.3g}x" if share >= 2 else f"{share * 100:{sign}.1f} %"


def of_judgement(judged, units=UNITS):
    """The middle columns."""
    low, high = judged.interval or (None, None)
    return [
        quantity(judged.base.median, units),
        quantity(judged.new.median, units),
        percent(judged.change),
        "-" if low is None else f"{percent(low)} to {percent(high)}",
        "-" if judged.corrected is None else f"{judged.corrected:.2g}",
        f"{percent(judged.base.noise, '')}, {percent(judged.new.noise, '')}",
        percent(judged.threshold, ""),
        percent(judged.detectable, ""),
    ]


def lines(verdicts, everything):
    """The worst verdicts first, and of each the largest changes."""

    def order(found):
        return VERDICTS.index(found.verdict), -abs(found.time.change if found.time else 0)

    hidden = () if everything else (SAME, UNSURE, NEW)
    shown = [found for found in verdicts if found.verdict not in hidden]
    return [
        [found.name, found.verdict, *(of_judgement(found.time) if found.time else ["-"] * 8), printable(found.why)]
        for found in sorted(shown, key=order)
    ]  # fmt: skip


def counter_lines(verdicts):
    """Counters that say something else than the time of their case."""
    found = []
    for case in verdicts:
        for key, judged in case.counters.items():
            if judged.verdict not in (SAME, UNSURE, case.verdict):
                units = OF_COUNTER.get(key, UNITS)
                found.append([f"{case.name} {key}", judged.verdict, *of_judgement(judged, units), ""])
    return found


def count(verdicts):
    counts = Counter(found.verdict for found in verdicts)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])


def what_it_could_find(verdicts):
    found = [case.time.detectable for case in verdicts if case.time and case.time.detectable is not None]
    if not found:
        return "no case has the repetitions for a verdict"
    tenth, twentieth = (sum(value <= share for value in found) for share in (0.1, 0.05))
    return (
        f"a slow-down of 10 % would have been found in {tenth} of {len(found)} cases, of 5 % in {twentieth};"
        f" in half of them one of {percent(float(np.median(found)), '')}"
    )


def table(columns, cells, markdown):
    if markdown:
        # A name is code: nothing in it is markup.
        cells = [[f"`{line[0]}`", *(cell.translate(SPECIAL) for cell in line[1:])] for line in cells]
    return format_table(columns, cells, markdown)


def comparison(verdicts, found, noise, everything, markdown):
    """found: the Differences. Ends with the line to remember."""
    parts = []
    if found:
        escape = (lambda text: text.translate(SPECIAL)) if markdown else (lambda text: text)
        bullet = "- " if markdown else "  "
        listed = [
            bullet + ("**REFUSES** " if markdown and difference.refuses else "REFUSES " if difference.refuses else "")
            + escape(difference.sentence())
            for difference in found
        ]  # fmt: skip
        parts.append("Differences of the two runs:\n" + ("\n" if markdown else "") + "\n".join(listed))
    if cells := lines(verdicts, everything):
        parts.append(table(COLUMNS, cells, markdown))
    if cells := counter_lines(verdicts):
        parts.append(
            "Counters that say more than the time of their case:\n\n" + table(COLUMNS, cells, markdown)
        )
    repeated = (
        f"noise measured in {noise} like-for-like runs"
        if noise
        else "no like-for-like runs to take noise from"
    )
    parts.append(f"{count(verdicts)} ({len(verdicts)} cases; {repeated})\n{what_it_could_find(verdicts)}")
    red = [case for case in verdicts if case.red]
    parts.append(f"RED: {len(red)} cases" if red else f"green: nothing {SLOWER}")
    return "\n\n".join(parts)


def slices(verdicts, first, second, markdown):
    """Of two slices neither is a regression: the words are those of a race."""
    words = {SLOWER: "slower", "improved": "faster"}
    cells = [
        [found.name, words.get(found.verdict, found.verdict), *(of_judgement(found.time)[:6] if found.time else ["-"] * 6),
         *(text or "-" for text in found.label)]
        for found in verdicts
    ]  # fmt: skip
    columns = ["case", "verdict", "A", "B", *COLUMNS[4:8], "A waits", "B waits"]
    counts = Counter(words.get(found.verdict, found.verdict) for found in verdicts)
    title = f"A: {printable(first)}   B: {printable(second)}"
    rated = ", ".join(f"{counts[word]} {word}" for word in sorted(counts))
    return "\n\n".join(
        [title.translate(SPECIAL) if markdown else title, table(columns, cells, markdown), rated]
    )
