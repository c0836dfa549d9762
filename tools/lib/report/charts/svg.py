# SPDX-License-Identifier: Apache-2.0
"""What matplotlib wrote, made fit for a page: colours by the theme, names of its own, a title and a description."""

import io
import re
import xml.etree.ElementTree as ET

from report.charts.style import STAND_IN, THEME

_SVG = "http://www.w3.org/2000/svg"
_HREF = "{http://www.w3.org/1999/xlink}href"
FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
ET.register_namespace("", _SVG)


def _variables(text):
    for name, stand_in in STAND_IN.items():
        text = text.replace(stand_in, f"var(--{name}, {THEME[name][0]})")
    # matplotlib names the font that it measured with.
    return re.sub(r"'DejaVu Sans'(, [\w' -]+)*", FONTS, text)


def _restyle(element):
    for key in ("style", "fill", "stroke"):
        if key in element.attrib:
            element.set(key, _variables(element.get(key)))


def _rename(root, prefix):
    """Names are unique in a page, and only what is referred to needs one."""
    used = set()
    for element in root.iter():
        if _HREF in element.attrib:
            element.set("href", element.attrib.pop(_HREF))
        for key, value in element.attrib.items():
            if key == "href" or "url(#" in value:
                used.update(re.findall(r"#([\w.-]+)", value) if "url(#" in value else [value[1:]])
    for element in root.iter():
        name = element.get("id")
        if name is not None and name not in used:
            del element.attrib["id"]
        elif name is not None:
            element.set("id", f"{prefix}-{name}")
        for key, value in list(element.attrib.items()):
            if key == "href":
                element.set(key, f"#{prefix}-{value[1:]}")
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{prefix}-"))


def finish(figure, name, title, description, simulated):
    """The text of an <svg> element; `name` is unique in the report."""
    written = io.StringIO()
    figure.savefig(
        written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    root = ET.fromstring(written.getvalue())
    for element in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(element)
    for element in root.iter():
        _restyle(element)
    _rename(root, name)
    width, height = (float(text) for text in root.get("viewBox").split()[2:])
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.set("role", "img")
    root.set("class", "chart")
    root.set("aria-labelledby", f"{name}-title {name}-description")
    for position, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(
            f"{{{_SVG}}}{tag}", {"id": f"{name}-{'title' if tag == 'title' else 'description'}"}
        )
        element.text = text
        root.insert(position, element)
    if simulated:
        # Under the lines, so that they can still be read.
        root.insert(2, _watermark(width, height))
    return ET.tostring(root, encoding="unicode")


def _watermark(width, height):
    style = f"font: bold {width / 9:.0f}px {FONTS}; text-anchor: middle; fill: {_variables(STAND_IN['s2'])}; opacity: 0.22"
    turned = f"rotate(-24 {width / 2:.0f} {height / 2:.0f})"
    mark = ET.Element(
        f"{{{_SVG}}}text",
        {
            "x": f"{width / 2:.0f}",
            "y": f"{height / 2:.0f}",
            "transform": turned,
            "style": style,
            "class": "watermark",
        },
    )
    mark.text = "SIMULATED"
    return mark


def standalone(svg):
    """The same as a file of its own, which knows the theme by itself."""
    light, dark = ("".join(f"--{name}:{pair[index]};" for name, pair in THEME.items()) for index in (0, 1))
    style = (
        f"<style>svg{{{light}background:var(--page)}}"
        f"@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    )
    head, rest = svg.split(">", 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}>{style}{rest}\n'
