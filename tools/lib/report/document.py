# SPDX-License-Identifier: Apache-2.0
"""What a report is made of, before it is HTML or Markdown. All text is plain: whoever writes it out escapes it."""

import dataclasses


class Marks(str):
    """A cell of several marks, each a word that has a sign and a colour of its own, and what it is true of."""

    parts: list[tuple[str, str]]

    def __new__(cls, parts):
        cell = super().__new__(cls, ", ".join(f"{word} {of}" for word, of in parts))
        cell.parts = parts
        return cell


@dataclasses.dataclass
class Table:
    caption: str
    columns: list[str]
    rows: list[list[str]]
    # How many columns to the left are text; the others are figures, and stand to the right.
    texts: int = 1
    # A column of names of cases, or of commands.
    code: int | None = None


@dataclasses.dataclass
class Figure:
    id: str
    title: str
    # What the picture shows, for whoever does not see it.
    description: str
    svg: str
    table: Table
    # A regular expression for --benchmark_filter that measures it again.
    filter: str
    note: str = ""


@dataclasses.dataclass
class Section:
    id: str
    title: str
    # Sentences, each a paragraph.
    text: list[str] = dataclasses.field(default_factory=list)
    figures: list[Figure] = dataclasses.field(default_factory=list)
    tables: list[Table] = dataclasses.field(default_factory=list)
    # Large tables, which are folded.
    details: list[Table] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Finding:
    """A sentence of the summary, and the section that shows it."""

    # What is looked for: "Pinned memory"; what was seen.
    subject: str
    text: str
    section: str
