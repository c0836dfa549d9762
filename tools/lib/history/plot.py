# SPDX-License-Identifier: Apache-2.0
"""The history of a case as a picture."""

import io

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from comparison.comparable import printable
from comparison.show import UNITS, percent

MOST_TICKS = 24


def title_of(point):
    day = (point.run.fact("date") or "unknown")[:16].replace("T", " ")
    return f"{day}\n{(point.run.fact('git_commit') or 'unknown')[:8]}"


def plot(kind, name, found, changes, levels, simulated):
    """The bytes of a file of that kind, svg, png or pdf. Each point is a run, its bar the quartiles of its repetitions."""
    largest = max(point.median for point in found)
    scale, unit = next((pair for pair in UNITS if largest >= pair[0]), UNITS[-1])
    figure, axes = plt.subplots(
        figsize=(max(6.4, 0.5 * min(len(found), MOST_TICKS) + 3), 4.2), layout="constrained"
    )
    positions = range(len(found))
    medians = [point.median / scale for point in found]
    bars = [
        [(point.median - point.low) / scale for point in found],
        [(point.high - point.median) / scale for point in found],
    ]
    axes.errorbar(positions, medians, yerr=bars, fmt="o", color="#0b5394", ecolor="#9fc5e8", capsize=3)
    for (first, after, level), before in zip(levels, [None, *levels], strict=False):
        axes.hlines(level / scale, first - 0.4, after - 0.6, color="#444444", linewidth=1)
        if before:
            # Said beside the line, for whoever cannot see its colour.
            axes.axvline(first - 0.5, color="#cc0000", linestyle="--", linewidth=1)
            axes.annotate(
                percent(level / before[2] - 1), (first - 0.5, level / scale), xytext=(4, 8),
                textcoords="offset points", color="#cc0000",
            )  # fmt: skip
    every = -(-len(found) // MOST_TICKS)
    shown = list(positions)[::every]
    axes.set_xticks(shown, [title_of(found[index]) for index in shown], rotation=60, ha="right", fontsize=7)
    axes.set_ylabel(f"time, {unit}")
    axes.set_ylim(bottom=0)
    gpu = printable(found[-1].run.fact("gpu_name") or "unknown GPU")
    # A dollar sign would start mathematics.
    axes.set_title(f"{name}\n{gpu}".replace("$", r"\$"), fontsize=8)
    if simulated:
        axes.text(0.5, 0.5, "SIMULATED: no measurement", transform=axes.transAxes, ha="center", va="center",
                  fontsize=24, alpha=0.2, rotation=20)  # fmt: skip
    # The same picture each time.
    matplotlib.rcParams["svg.hashsalt"] = "copybench"
    picture = io.BytesIO()
    figure.savefig(picture, format=kind, metadata={"Date": None} if kind == "svg" else None)
    plt.close(figure)
    return picture.getvalue()
