# SPDX-License-Identifier: Apache-2.0
"""Bars under their names, for things that are ranked or that have long names."""

import dataclasses

from report.charts.scales import SCALES
from report.charts.style import GRID, INK, MUTED, colour, new_picture
from report.charts.svg import finish

_ROW = 33


@dataclasses.dataclass
class Bar:
    label: str
    value: float
    # The figure, as text at the right end of the name.
    text: str
    colour: int
    # The first part of the bar, in full colour; the rest is lighter.
    part: float | None = None
    # Another value of the same thing, drawn as a mark.
    mark: float | None = None


def bar_chart(name, title, description, bars, kind, simulated, log=False):
    """`kind`: of the axis, a key of SCALES; `log`: the axis begins below the smallest value instead of at 0."""
    height = _ROW * len(bars) + 34
    figure, axes = new_picture(height, 6, 10, top=6, bottom=24)
    high = max(max(bar.value, bar.mark or 0) for bar in bars) or 1
    low = min(min(bar.value, bar.mark or bar.value) for bar in bars)
    start = low / 2 if log else 0
    for row, bar in enumerate(bars):
        axes.barh(row, bar.value - start, 0.34, left=start, color=colour(bar.colour), alpha=0.38 if bar.part is not None else 1, linewidth=0)
        if bar.part is not None:
            axes.barh(row, min(bar.part, bar.value), 0.34, color=colour(bar.colour), linewidth=0)
        if bar.mark is not None:
            axes.plot([bar.mark, bar.mark], [row - 0.28, row + 0.28], color=INK, linewidth=2)
        place = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "bottom"}
        axes.annotate(bar.label, (0, row - 0.21), (2, 0), color=INK, ha="left", **place)
        axes.annotate(bar.text, (1, row - 0.21), (0, 0), color=MUTED, ha="right", **place)
    axes.set_ylim(len(bars) - 0.65, -0.95)
    axes.yaxis.set_visible(False)
    axes.spines["left"].set_color(GRID)
    axes.grid(axis="y", visible=False)
    if log:
        SCALES[kind](axes, "x", start, high)
        axes.set_xlim(start, high * 1.1)
    else:
        _linear_times(axes, high, kind)
    return finish(figure, name, title, description, simulated)


def _linear_times(axes, high, kind):
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    from report import text

    shown = {"time": text.duration, "rate": text.rate}.get(kind, lambda value: f"{value:g}")
    axes.set_xlim(0, high * 1.02)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(value)))
