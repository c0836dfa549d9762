# SPDX-License-Identifier: Apache-2.0
"""Rows as Google Benchmark writes them, with the counters of copybench's."""

import statistics

from peers.case import METRICS


def percentile(ordered, percent):
    """Nearest rank; None where the largest sample would have to stand for it."""
    rank = -(-len(ordered) * percent // 100)
    return ordered[rank - 1] if 0 < rank < len(ordered) else None


def _identity(name, repetition):
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "repetition_index": repetition,
        "iterations": 1,
    }


def measured_rows(case, size, repetition, samples):
    """One row for each metric; all figures are of the same calls."""
    medians = {
        figure: float(statistics.median(getattr(sample, figure) for sample in samples))
        for figure in samples[0]._fields
    }
    rows = []
    for metric in METRICS:
        ordered = sorted(getattr(sample, metric) for sample in samples)
        row = _identity(case.name(metric, size), repetition)
        row |= {"real_time": medians[metric], "cpu_time": medians["cpu"], "time_unit": "ns"}
        row |= {f"{figure}_p50_ns": medians[figure] for figure in ("blocked", "completion", "residual")}
        row["bytes_per_second"] = size / medians["completion"] * 1e9
        row |= {"samples": len(samples), "p50_ns": medians[metric], "max_ns": ordered[-1]}
        row |= {
            f"p{percent}_ns": value
            for percent in (90, 99)
            if (value := percentile(ordered, percent)) is not None
        }
        rows.append(row)
    return rows


def failed_rows(names, repetition, message):
    return [
        _identity(name, repetition)
        | {
            "real_time": 0.0,
            "cpu_time": 0.0,
            "time_unit": "ns",
            "error_occurred": True,
            "error_message": message,
        }
        for name in names
    ]


def finished_rows(rows, repetitions):
    """All rows in the order of their cases, with what can be said only of all of them."""
    families = {}
    for row in rows:
        families.setdefault(row["run_name"], len(families))
    return sorted(
        (
            {
                "name": row["name"],
                "family_index": families[row["run_name"]],
                "per_family_instance_index": 0,
                "run_name": row["run_name"],
                "run_type": row["run_type"],
                "repetitions": repetitions,
                "repetition_index": row["repetition_index"],
                "threads": 1,
            }
            | row
            for row in rows
        ),
        key=lambda row: (row["family_index"], row["repetition_index"]),
    )
