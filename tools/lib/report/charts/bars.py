# SPDX-License-Identifier: Apache-2.0
"""Bars under their names, for things that are ranked or that have long names."""

import dataclasses

from matplotlib.ticker import FuncFormatter, MaxNLocator

from report import text
from report.charts.scales import SCALES
from report.charts.style import GRID, INK, MUTED, WIDTH, colour, label_box, new_picture, shortened, text_width
from report.charts.svg import finish

_ROW = 33
_THICK = 0.34
_TICKS = {
    "time": lambda value: text.duration(value) if value else "0",
    "change": lambda value: f"{value * 100:+g} %" if value else "0",
}


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


def _draw_bar(axes, row, bar):
    light = 0.38 if bar.part is not None else 1
    axes.barh(row, bar.value, _THICK, color=colour(bar.colour), alpha=light, linewidth=0)
    if bar.part is not None:
        axes.barh(row, min(bar.part, bar.value), _THICK, color=colour(bar.colour), linewidth=0)
    if bar.mark is not None:
        axes.plot([bar.mark, bar.mark], [row - 0.28, row + 0.28], color=INK, linewidth=2)


def _draw_names(axes, row, bar):
    place = {
        "xycoords": axes.get_yaxis_transform(),
        "textcoords": "offset points",
        "va": "bottom",
        "bbox": label_box(),
    }
    room = WIDTH - 50 - text_width(bar.text)
    axes.annotate(shortened(bar.label, room), (0, row - 0.21), (2, 0), color=INK, ha="left", **place)
    axes.annotate(bar.text, (1, row - 0.21), (0, 0), color=MUTED, ha="right", **place)


def _new(bars):
    figure, axes = new_picture(_ROW * len(bars) + 34, 14, 22, top=6, bottom=24)
    axes.set_ylim(len(bars) - 0.65, -0.95)
    axes.yaxis.set_visible(False)
    axes.spines["left"].set_color(GRID)
    axes.grid(axis="y", visible=False)
    for row, bar in enumerate(bars):
        _draw_names(axes, row, bar)
    return figure, axes


def bar_chart(name, title, description, bars, kind, simulated):
    """`kind`: of the axis, "time" or "change"; bars begin at 0, and go to the left of it where they are negative."""
    figure, axes = _new(bars)
    for row, bar in enumerate(bars):
        _draw_bar(axes, row, bar)
    values = [value for bar in bars for value in (bar.value, bar.mark or 0)]
    axes.set_xlim(min(0, *values) * 1.02, max(0, *values) * 1.02 if any(values) else 1)
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _TICKS[kind](value)))
    return finish(figure, name, title, description, simulated)


def dot_chart(name, title, description, bars, kind, simulated):
    """The same on a logarithmic axis, which has no beginning that a bar could stand on. `kind`: a key of SCALES."""
    figure, axes = _new(bars)
    values = [bar.value for bar in bars]
    SCALES[kind](axes, "x", min(values), max(values))
    start = axes.get_xlim()[0]
    for row, bar in enumerate(bars):
        axes.plot([start, bar.value], [row, row], color=GRID, linewidth=1.2)
        face = {"markerfacecolor": "none"} if bar.part is not None else {}
        axes.plot([bar.value], [row], "o", color=colour(bar.colour), markersize=7, **face)
    return finish(figure, name, title, description, simulated)
