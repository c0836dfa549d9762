# SPDX-License-Identifier: Apache-2.0
"""Figures and names as people read them."""

import math
import re

# What a browser, an XML reader or a terminal would act on in place of showing it: control characters, halves of
# characters, and those that turn the direction of the writing.
_UNSHOWN = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
_LONGEST = 400


def clean(value, longest=_LONGEST):
    """Text of anything that JSON can hold, fit to be shown."""
    text = _UNSHOWN.sub("\N{REPLACEMENT CHARACTER}", value if isinstance(value, str) else str(value))
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _three_digits(value):
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value)) + 1e-9))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _scaled(value, units):
    """`units`: (factor, name), the largest first."""
    for factor, name in units:
        # 999.6 of one unit would be shown as 1000 of it.
        if abs(value) >= factor * 0.9995:
            return f"{_three_digits(value / factor)} {name}"
    return f"{_three_digits(value / units[-1][0])} {units[-1][1]}"


def duration(nanoseconds):
    return _scaled(nanoseconds, [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")])


def rate(bytes_per_second):
    return _scaled(
        bytes_per_second, [(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1, "B/s")]
    )


# 800,000,000 is 781,250 KiB as well, which nobody would say.
_SIZES = [
    (1 << 30, "GiB", 1),
    (1 << 20, "MiB", 8),
    (10**9, "GB", 1),
    (10**6, "MB", 1),
    (1 << 10, "KiB", 1),
]


def size(count):
    """Bytes: in the first of these units in which it is a whole number, or in MiB one of eighths."""
    for unit, name, parts in _SIZES:
        if count and count % (unit // parts) == 0 and count >= unit:
            return f"{count / unit:,g} {name}" if parts > 1 else f"{count // unit:,} {name}"
    return f"{count:,} B"


def shown(value, as_text):
    """A figure that not every case has."""
    return "-" if value is None else as_text(value)


def percent(fraction):
    value = fraction * 100
    return f"{value:.0f} %" if value >= 10 else f"{_three_digits(value)} %"


def ratio(value):
    return f"{value:.3f}" if value < 10 else f"{value:.3g}"


def words(items):
    """a, b and c"""
    items = list(items)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1] if items else ""


def count(number, noun, plural=None):
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|~$^-])")


def markdown(text):
    """Text that Markdown shows as it is, in a table as well."""
    text = clean(str(text), 10_000).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _MARKDOWN.sub(r"\\\1", text)
    # What GitHub would turn into a link or into somebody's name.
    return text.replace("@", "&#64;").replace("://", "&#58;//")


def markdown_code(text):
    """A piece of code in a line, also of a table."""
    return (
        "<code>"
        + re.sub(r"[^\w /:;,=.'\"-]", lambda m: f"&#{ord(m[0])};", clean(str(text), 10_000))
        .replace("_", "&#95;")
        .replace("://", "&#58;//")
        + "</code>"
    )
