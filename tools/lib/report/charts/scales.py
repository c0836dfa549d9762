# SPDX-License-Identifier: Apache-2.0
"""Axes by what they show: their ticks stand at round values, and say the unit."""

import math

from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator, NullLocator

from report import text
from report.charts.style import FONT_SIZE


def _set_ticks(axis, ticks, labels):
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FixedFormatter(labels))
    axis.set_minor_locator(NullLocator())


def _powers(low, high, base, most):
    """Powers of `base` in the range, evenly spaced, and few enough."""
    first, last = math.ceil(math.log(low, base) - 1e-9), math.floor(math.log(high, base) + 1e-9)
    step = max(1, math.ceil((last - first + 1) / most))
    return [float(base) ** power for power in range(first, last + 1, step)]


def _log(axes, which, low, high, ticks, label):
    set_scale, axis, set_limits = (
        (axes.set_xscale, axes.xaxis, axes.set_xlim)
        if which == "x"
        else (axes.set_yscale, axes.yaxis, axes.set_ylim)
    )
    set_scale("log")
    margin = (high / low) ** 0.03 if high > low else 1.5
    set_limits(low / margin, high * margin)
    _set_ticks(axis, ticks, [label(tick) for tick in ticks])


def _decades(low, high, most=7):
    ticks = _powers(low, high, 10, most)
    if len(ticks) < 3 and high / low < 200:
        ticks = [
            step * 10.0**power
            for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            for step in (1, 2, 5)
            if low * 0.97 <= step * 10.0**power <= high * 1.03
        ]
    return ticks


def _room(axes, which, pixels):
    """How many ticks fit whose names take so many pixels."""
    box = axes.get_window_extent()
    return max(2, int(box.width / pixels if which == "x" else box.height / (2.5 * FONT_SIZE)))


def sizes(axes, which, low, high):
    """Bytes, by powers of two: 4 B, 64 B, 1 KiB ..."""
    base = 4 if high / low >= 2**8 else 2
    ticks = _powers(low, high, base, _room(axes, which, 50))
    _log(axes, which, low, high, ticks, lambda tick: text.size(round(tick)))


def counts(axes, which, low, high):
    """Numbers of things: threads, elements, copies."""
    most = _room(axes, which, 9 + 0.6 * FONT_SIZE * len(_short(high)))
    ticks = _powers(low, high, 2, most) if high <= 256 else _decades(low, high, most)
    _log(axes, which, low, high, ticks, _short)


def _short(count):
    for factor, letter in ((1e6, "M"), (1e3, "k")):
        if count >= factor:
            return f"{count / factor:.3g} {letter}"
    return f"{count:.0f}"


def times(axes, which, low, high):
    # Less than two decades would look like much when it is little.
    if high / low < 30:
        middle = math.sqrt(low * high)
        low, high = min(low, middle / 5.5), max(high, middle * 5.5)
    _log(axes, which, low, high, _decades(low, high, _room(axes, which, 50)), text.duration)


def percents(axes, which, low, high):
    _log(axes, which, low, high, _decades(low, high), text.percent)


def _linear(axes, which, high, label):
    axis, set_limits = (axes.xaxis, axes.set_xlim) if which == "x" else (axes.yaxis, axes.set_ylim)
    set_limits(0, high * 1.06)
    ticks = [
        float(tick)
        for tick in MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(0, high)
        if 0 <= tick <= high * 1.06
    ]
    _set_ticks(axis, ticks, [label(tick) for tick in ticks])


def rates(axes, which, low, high):
    _linear(axes, which, high, lambda tick: f"{tick / 1e9:g}")


def shares(axes, which, low, high):
    _linear(axes, which, 1, lambda tick: f"{tick * 100:.0f} %")


SCALES = {
    "bytes": sizes,
    "count": counts,
    "time": times,
    "percent": percents,
    "rate": rates,
    "share": shares,
}
