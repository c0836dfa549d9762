# SPDX-License-Identifier: Apache-2.0
"""The report as HTML and as Markdown. Everything that a file said is escaped; only our own pictures are not."""

from pathlib import Path

import jinja2
import markupsafe

from report import text
from report.charts.style import THEME
from report.charts.svg import standalone

_TEMPLATES = Path(__file__).parent / "templates"


def _environment(autoescape):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=autoescape,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"md": text.markdown, "mdcode": text.markdown_code}
    return environment


def html(report):
    colours = {name: dict(zip(("light", "dark"), pair, strict=True)) for name, pair in THEME.items()}
    template = _environment(True).get_template("report.html.j2")
    style = markupsafe.Markup((_TEMPLATES / "report.css").read_text(encoding="utf-8"))
    return template.render(report=report, theme=colours, style=style, picture=markupsafe.Markup)


def markdown(report):
    """{file name: text}: every case has a file of its own, or the first would be too long for some who show it."""
    return {
        name: _environment(False).get_template(f"{name}.j2").render(report=report)
        for name in ("report.md", "cases.md")
    }


def pictures(report):
    """{file name: SVG}"""
    return {
        f"{figure.id}.svg": standalone(figure.svg)
        for section in report.sections
        for figure in section.figures
    }
