# SPDX-License-Identifier: Apache-2.0
"""Lines over a size or a number, each with its name at its end."""

import dataclasses

from report.charts.scales import SCALES
from report.charts.style import (
    FONT_SIZE,
    MUTED,
    colour,
    dash,
    marker,
    new_picture,
    say_axes,
    shortened,
    text_width,
)
from report.charts.svg import finish

_HEIGHT = 290
# Of the names to the right.
_WIDEST = 168


@dataclasses.dataclass
class Line:
    label: str
    # Of the palette; the same thing has the same one in every picture.
    colour: int
    # (x, y), x ascending.
    points: list
    # (x, low, high)
    band: list = dataclasses.field(default_factory=list)
    # What is no measurement of its own: a limit, a hold.
    reference: bool = False
    markers: bool = True
    # The same of the base: dotted, and without a name.
    base: bool = False


@dataclasses.dataclass
class Axis:
    # A key of SCALES.
    kind: str
    label: str


def _spread(wanted, least, lowest, highest):
    """Positions as near as can be to these, in their order, that are `least` apart and within the bounds."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed, blocks = {}, []
    for index in order:
        blocks.append([[index], wanted[index]])
        while len(blocks) > 1:
            (below, low), (above, high) = blocks[-2:]
            if high - low >= least * (len(below) + len(above)) / 2:
                break
            members = below + above
            blocks[-2:] = [[members, (low * len(below) + high * len(above)) / len(members)]]
    for members, centre in blocks:
        half = least * (len(members) - 1) / 2
        centre = min(max(centre, lowest + half), highest - half)
        for rank, index in enumerate(members):
            placed[index] = centre - half + rank * least
    return [placed[index] for index in range(len(wanted))]


def _draw(axes, line):
    stroke = MUTED if line.reference else colour(line.colour)
    xs, ys = zip(*line.points, strict=True)
    if line.band:
        at, low, high = zip(*line.band, strict=True)
        axes.fill_between(at, low, high, color=stroke, alpha=0.18, linewidth=0)
    plain = line.reference or line.base
    shape = marker(line.colour) if line.markers and not plain else "None"
    style = (0, (4, 3)) if line.reference else (0, (1, 1.5)) if line.base else dash(line.colour)
    axes.plot(xs, ys, color=stroke, marker=shape, linestyle=style, linewidth=1.2 if plain else 1.8)


def _label_ends(axes, lines, height):
    """Names to the right of the axes, with a thin line to the end that they belong to."""
    to_pixels = axes.transData.transform
    right = axes.transAxes.transform((1, 0))[0]
    ends = [to_pixels(line.points[-1]) for line in lines]
    places = _spread([y for _, y in ends], FONT_SIZE + 2.5, 32, height - 12)
    for line, (x, y), place in zip(lines, ends, places, strict=True):
        stroke = MUTED if line.reference else colour(line.colour)
        axes.annotate(
            shortened(line.label, _WIDEST - 20),
            (x, y),
            (right + 12, place),
            xycoords="figure pixels",
            textcoords="figure pixels",
            color=stroke,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": stroke, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3},
        )


def line_chart(name, title, description, lines, x, y, simulated):
    """`x`, `y`: Axis."""
    lines = [line for line in lines if line.points]
    named = [line for line in lines if not line.base]
    right = min(_WIDEST, 20 + max(text_width(line.label) for line in named))
    figure, axes = new_picture(_HEIGHT, 52 if y.kind in ("time", "bytes") else 44, right)
    xs = [point[0] for line in lines for point in line.points]
    ys = [point[1] for line in lines for point in line.points]
    ys += [edge for line in lines for _, low, high in line.band for edge in (low, high)]
    for line in lines:
        _draw(axes, line)
    SCALES[x.kind](axes, "x", min(xs), max(xs))
    SCALES[y.kind](axes, "y", min(ys), max(ys))
    say_axes(axes, x.label, y.label)
    _label_ends(axes, named, _HEIGHT)
    return finish(figure, name, title, description, simulated)
