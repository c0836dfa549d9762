# SPDX-License-Identifier: Apache-2.0
"""From the median to the slowest call, on one line for each case."""

import dataclasses

from report.charts.scales import SCALES
from report.charts.style import INK, MUTED, PAGE, WIDTH, colour, label_box, new_picture, shortened
from report.charts.svg import finish

_ROW = 33


@dataclasses.dataclass
class Range:
    label: str
    colour: int
    # ("p50", value) ..., ascending.
    points: list


def range_chart(name, title, description, ranges, kind, simulated):
    height = _ROW * len(ranges) + 34
    figure, axes = new_picture(height, 10, 14, top=6, bottom=24)
    values = [value for one in ranges for _, value in one.points]
    for row, one in enumerate(ranges):
        xs = [value for _, value in one.points]
        axes.plot([xs[0], xs[-1]], [row, row], color=colour(one.colour), linewidth=2, alpha=0.55)
        axes.plot(
            xs[1:-1], [row] * (len(xs) - 2), "|", color=colour(one.colour), markersize=10, markeredgewidth=1.8
        )
        axes.plot(xs[-1:], [row], "o", markeredgecolor=colour(one.colour), markerfacecolor=PAGE, markersize=6)
        axes.plot(xs[:1], [row], "o", color=colour(one.colour), markersize=7)
        axes.annotate(
            shortened(one.label, WIDTH - 40),
            (0, row - 0.24),
            (2, 0),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            color=INK,
            va="bottom",
            bbox=label_box(),
        )
    axes.set_ylim(len(ranges) - 0.6, -0.95)
    axes.yaxis.set_visible(False)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", visible=False)
    SCALES[kind](axes, "x", min(values), max(values))
    axes.tick_params(axis="x", labelcolor=MUTED)
    return finish(figure, name, title, description, simulated)
