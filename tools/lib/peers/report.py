# SPDX-License-Identifier: Apache-2.0
"""What is said of a run while it lasts, and shown at its end."""

import functools
import statistics

import results
from results import format_table, good_rows

TOOL = "tools/peers.py"
say = functools.partial(results.say, TOOL)
COLUMNS = ["case", "blocked p50 ns", "completion p50 ns", "GB/s"]


def say_outcome(name, outcome):
    if outcome.left_out:
        return say(f"left out {name}: {outcome.left_out}")
    for names, reason in outcome.skipped:
        say(
            f"left out {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 2 else "") + f": {reason}"
        )
    messages = {row["run_name"]: row["error_message"] for row in outcome.rows if "error_message" in row}
    for case, message in messages.items():
        say(f"{case}: {message}")
    if outcome.failed:
        say(f"{name}: {outcome.failed}")
    return None


def table(rows):
    """Of each case the medians of its repetitions."""
    figures = {}
    for row in good_rows(rows):
        if "/metric:completion/" in row["run_name"]:
            case = row["run_name"].replace("/metric:completion", "")
            figures.setdefault(case, []).append(
                [row[f"{key}_p50_ns"] for key in ("blocked", "completion")] + [row["bytes_per_second"] / 1e9]
            )
    medians = {
        case: [statistics.median(values) for values in zip(*each, strict=True)]
        for case, each in figures.items()
    }
    return format_table(
        COLUMNS,
        [[case, f"{a:.0f}", f"{b:.0f}", f"{rate:.2f}"] for case, (a, b, rate) in medians.items()],
        False,
    )
