# SPDX-License-Identifier: Apache-2.0
"""The verdict table: of cudaMemcpyAsync in a non-blocking stream open, of other memory and other calls folded."""

from report.document import Marks, Table
from report.verdicts import MEANINGS, size_range

_QUEUES = {"idle": "drained stream", "busy": "behind a gate", "busy_elsewhere": "gate in another stream"}
# What stands first, and open.
_ORDINARY = ["pageable", "pinned", "registered", "managed"]
_DIRECTIONS = ["h2d", "d2h"]


def _place(values, value):
    return (values.index(value), "") if value in values else (len(values), value)


def _cell(line):
    return Marks([(word, size_range(first, last)) for first, last, word in line.changes]) if line else "-"


def _is_main(line):
    return (line.family, line.axes.get("api"), line.axes.get("stream")) == (
        "host_blocking",
        "memcpy_async",
        "nonblocking",
    )


def _table(caption, lines):
    """A row for what differs in more than the queue, a column for each queue; what is the same everywhere above."""
    keys = list(dict.fromkeys(key for line in lines for key in line.axes if key != "queue"))
    same = [key for key in keys if len({line.axes.get(key, "") for line in lines}) == 1]
    columns = [key for key in keys if key not in same] or same[-1:]
    queues = list(dict.fromkeys(line.axes.get("queue", "") for line in lines))
    queues.sort(key=lambda queue: _place(list(_QUEUES), queue))
    rows = {}
    for line in lines:
        rows.setdefault(tuple(line.axes.get(key, "") for key in columns), {})[line.axes.get("queue", "")] = (
            line
        )
    constant = ", ".join(
        f"{key}:{lines[0].axes.get(key, '')}" for key in same if key not in (*columns, "api")
    )
    heads = [_QUEUES.get(queue, queue) or "verdict by size" for queue in queues]
    body = [[*row, *(_cell(found.get(queue)) for queue in queues)] for row, found in rows.items()]
    caption = f"{caption}, {constant}" if constant else caption
    return Table(caption, [*columns, *heads], body, texts=len(columns) + len(heads))


def _order(line):
    return (_place(_ORDINARY, line.axes.get("mem", "")), _place(_DIRECTIONS, line.axes.get("dir", "")))


def verdict_tables(model):
    """([the main table] or nothing, [the others])."""
    main = sorted((line for line in model.verdicts if _is_main(line)), key=_order)
    first = [
        line for line in main if line.axes.get("mem") in _ORDINARY and line.axes.get("dir") in _DIRECTIONS
    ]
    groups = {"Other memory and directions": [line for line in main if line not in first]}
    for line in model.verdicts:
        if not _is_main(line):
            groups.setdefault(f"{line.family} {line.axes.get('api', '')}".strip(), []).append(line)
    tables = [_table("Verdicts of cudaMemcpyAsync", first)] if first else []
    return tables, [
        _table(f"Verdicts: {name}", sorted(lines, key=_order)) for name, lines in groups.items() if lines
    ]


def legend(model):
    seen = {word for line in model.verdicts for _, word in line.sizes}
    return (
        "; ".join(f"{word}: {meaning}" for word, meaning in MEANINGS.items() if word in seen) + "."
        if seen
        else ""
    )
