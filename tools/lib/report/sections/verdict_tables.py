# SPDX-License-Identifier: Apache-2.0
"""The verdict table, and of other families than that of cudaMemcpyAsync in a non-blocking stream the same, folded."""

from report.document import Table
from report.verdicts import in_words


def _table(caption, lines):
    """Axes that are the same everywhere stand in the caption."""
    keys = list(dict.fromkeys(key for line in lines for key in line.axes))
    same = [key for key in keys if len({line.axes.get(key, "") for line in lines}) == 1]
    if len(lines) == 1:
        same = same[:-1]
    columns = [key for key in keys if key not in same]
    constant = ", ".join(f"{key}:{lines[0].axes.get(key, '')}" for key in same)
    rows = [[*(line.axes.get(key, "") for key in columns), in_words(line)] for line in lines]
    return Table(f"{caption}{f' ({constant})' if constant else ''}", [*columns, "verdict by size"], rows, texts=len(columns) + 1)


def _is_main(line):
    return (line.family, line.axes.get("api"), line.axes.get("stream")) == ("host_blocking", "memcpy_async", "nonblocking")


def verdict_tables(model):
    """(the main table or none, the others)."""
    main = [line for line in model.verdicts if _is_main(line)]
    others = {}
    for line in model.verdicts:
        if not _is_main(line):
            key = (line.family, line.axes.get("api", line.axes.get("op", "")))
            others.setdefault(key, []).append(line)
    tables = [_table("Verdicts of cudaMemcpyAsync", main)] if main else []
    return tables, [_table(f"Verdicts of {' '.join(filter(None, key))}", lines) for key, lines in others.items()]
