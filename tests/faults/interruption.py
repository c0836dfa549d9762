# SPDX-License-Identifier: Apache-2.0
"""A signal at any moment of a run, and what the suite must make of it."""

import random
import re
import signal

from suite import SHORT, Outcome, at_once, clean_run, run
from sweep import good_row_complaints


def judge(number: signal.Signals, outcome: Outcome) -> list[str]:
    """What is wrong with how the suite took it."""
    if outcome.status is not None:
        return [] if outcome.status == 0 else [f"ended with {outcome.status} before the signal came"]
    if outcome.after_signal == -number and outcome.stderr == "":
        return []  # main() had not begun.
    if outcome.after_signal != 128 + number:
        return [f"ended with {outcome.after_signal}"]
    try:
        rows = outcome.rows
    except ValueError as error:
        return [f"invalid JSON: {error}"]
    complaints = good_row_complaints(outcome)
    if outcome.error_rows:
        complaints.append("rows are errors")
    names = [row["name"] for row in clean_run(SHORT).rows]
    if [row["name"] for row in rows] != names[: len(rows)]:
        complaints.append("the rows are not those of the first cases, in their order")
    if f"ended by {number.name}" not in outcome.stderr:
        complaints.append("nobody names the signal")
    said = re.search(r"(\d+) finished rows are in", outcome.stderr)
    if said and int(said[1]) != len(rows):
        complaints.append(f"{said[0]}, and there are {len(rows)}")
    if said and number.name not in outcome.document["context"]["ended_early"]:
        complaints.append("the result does not say that it was cut short")
    if not said and outcome.text is not None and len(rows) != len(names):
        complaints.append("rows are missing, and nobody says so")
    return complaints


def interrupt(number: signal.Signals, times: int, seed: int) -> tuple[list[Outcome], list[str]]:
    """Sends it at so many moments, one a run; returns what came of it and what was wrong with it."""
    rng = random.Random(seed)
    moments = [rng.uniform(0, 1.1 * clean_run(SHORT).seconds) for _ in range(times)]
    outcomes = at_once(lambda moment: run(SHORT, limit=moment, then=number), moments)
    return outcomes, [
        f"{number.name} after {moment:.3f} s: {complaint}: {outcome.messages}"
        for moment, outcome in zip(moments, outcomes, strict=True)
        for complaint in judge(number, outcome)
    ]
