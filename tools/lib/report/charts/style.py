# SPDX-License-Identifier: Apache-2.0
"""Colours, sizes and type of all pictures."""

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

# A picture is as wide as a telephone, so that its type need not shrink there; on a large screen two stand side by
# side. One unit of a picture is a pixel then.
WIDTH = 400
FONT_SIZE = 11

# Name in the style sheet, light theme, dark theme. The series differ for colour-blind eyes in both; no picture says
# anything by colour alone.
THEME = {
    "ink": ("#1b1f24", "#e8eaed"),
    "muted": ("#59616b", "#a6adb7"),
    "grid": ("#dfe2e6", "#353a42"),
    "page": ("#ffffff", "#16181c"),
    "s1": ("#005fa8", "#62b5f5"),
    "s2": ("#bf4500", "#ff9a5c"),
    "s3": ("#00785a", "#45d0a3"),
    "s4": ("#9b3a8c", "#e894d8"),
    "s5": ("#716000", "#d8c548"),
    "s6": ("#0a7f96", "#66d5ea"),
    "s7": ("#8a4b2a", "#d3a58a"),
    "s8": ("#4d5560", "#b7bdc6"),
}
# matplotlib knows no variables: a colour that stands for each, by which it is found in what matplotlib wrote.
STAND_IN = {name: f"#0000{index + 1:02x}" for index, name in enumerate(THEME)}
SERIES = 8
MARKERS = "os^Dv<>P"


def colour(index):
    return STAND_IN[f"s{index % SERIES + 1}"]


def marker(index):
    return MARKERS[index % SERIES]


def dash(index):
    """What has a colour that was given before is dashed."""
    return "solid" if index < SERIES else (0, (5, 1.5))


def label_box():
    """Behind a name, so that no line of the grid goes through it."""
    return {"facecolor": PAGE, "edgecolor": "none", "pad": 0.8}


INK, MUTED, GRID, PAGE = (STAND_IN[name] for name in ("ink", "muted", "grid", "page"))

mpl.rcParams.update(
    {
        # Text as text, of one known width whatever is installed.
        "svg.fonttype": "none",
        "svg.hashsalt": "copybench",
        "font.family": "DejaVu Sans",
        "font.size": FONT_SIZE,
        # A name with dollars is a name.
        "text.parse_math": False,
        "text.color": INK,
        "axes.edgecolor": GRID,
        "axes.labelcolor": MUTED,
        "axes.linewidth": 1,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.unicode_minus": False,
        "grid.color": GRID,
        "grid.linewidth": 0.8,
        "xtick.color": GRID,
        "ytick.color": GRID,
        "xtick.labelcolor": MUTED,
        "ytick.labelcolor": MUTED,
        "lines.linewidth": 1.8,
        "lines.markersize": 4,
        "path.simplify": False,
    }
)


def text_width(text):
    """What a line takes at most, in pixels: without a renderer, by the mean character of the font."""
    return len(text) * FONT_SIZE * 0.6


def shortened(name, pixels):
    """A name that fits, with its middle left out where it must be: names differ at their ends."""
    most = max(8, int(pixels / (FONT_SIZE * 0.6)))
    if len(name) <= most:
        return name
    tail = most * 2 // 3
    return f"{name[: most - tail - 1]}…{name[-tail:]}"


def new_picture(height, left, right, top=24, bottom=34):
    """A figure, and its axes with these margins, in pixels."""
    figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72)
    FigureCanvasSVG(figure)
    figure.patch.set_visible(False)
    box = [left / WIDTH, bottom / height, (WIDTH - left - right) / WIDTH, (height - top - bottom) / height]
    axes = figure.add_axes(box)
    axes.patch.set_visible(False)
    axes.tick_params(length=3)
    return figure, axes


def say_axes(axes, x, y):
    """What the axes are: y above it, where it can be read without turning the head."""
    axes.set_xlabel(x, loc="right", labelpad=2)
    axes.annotate(
        y, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", color=MUTED, ha="left"
    )
