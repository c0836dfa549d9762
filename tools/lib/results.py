# SPDX-License-Identifier: Apache-2.0
"""What the tools that read results share: reading them, the statuses to end with, and tables."""

import json
import math
import os
import sys
from pathlib import Path

AGREES, DIFFERS, USAGE, NO_RESULT = range(4)


class ToolError(Exception):
    """Ends the tool with a line on standard error, and with `status`."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def read_json(path):
    try:
        return parse_json(path, Path(path).read_bytes())
    except OSError as error:
        raise ToolError(USAGE, f"{path}: {error.strerror}") from error


def parse_json(path, content):
    """Of the bytes that `path` holds, or from which they were unpacked."""
    try:
        return json.loads(content.decode("utf-8"))
    except ValueError as error:
        raise ToolError(NO_RESULT, f"{path}: no JSON: {error}") from error
    except RecursionError as error:
        raise ToolError(NO_RESULT, f"{path}: nested too deeply") from error


def number(path, value, what):
    """A figure: neither negative nor one of the things that JSON readers take for a number as well."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= float(value) < math.inf:
            return float(value)
    except OverflowError:
        pass
    raise ToolError(NO_RESULT, f"{path}: {what} is no number that a result could hold")


def is_text(value):
    """Whether it can be printed: JSON can name halves of characters."""
    return isinstance(value, str) and not any(0xD800 <= ord(character) <= 0xDFFF for character in value)


def read_result(path):
    """A result of copybench: its context, its rows, and whether it is simulated."""
    return result_of(path, read_json(path))


def result_of(path, document):
    """The same of a document that was read from `path`."""
    try:
        context, rows = document["context"], document["benchmarks"]
        simulated = context.get("simulated") == "true"
        if not all(is_text(row["name"]) and is_text(row.get("run_name", "")) for row in rows):
            raise TypeError
    except (TypeError, KeyError, AttributeError) as error:
        raise ToolError(NO_RESULT, f"{path}: no result of copybench") from error
    return context, rows, simulated


def good_rows(rows):
    """Single repetitions that did not fail."""
    return [row for row in rows if row.get("run_type") == "iteration" and not row.get("error_occurred")]


def parse_arguments(usage, arguments, count, expected):
    """The `count` files, `expected` in words, and whether the table is Markdown; None once help was given."""
    if "--help" in arguments:
        print(usage.strip())
        return None
    unknown = [argument for argument in arguments if argument.startswith("-") and argument != "--markdown"]
    files = [argument for argument in arguments if not argument.startswith("-")]
    if unknown:
        raise ToolError(USAGE, f'unknown argument "{unknown[0]}"; see --help')
    if len(files) != count:
        raise ToolError(USAGE, f"expected {expected}; see --help")
    return files, "--markdown" in arguments


def format_table(columns, lines, markdown):
    """The first column to the left, the others, numbers, to the right."""
    cells = [columns, *lines]
    if markdown:
        rule = ["---"] + ["---:"] * (len(columns) - 1)
        return "\n".join("| " + " | ".join(line) + " |" for line in [columns, rule, *lines])
    widths = [max(len(line[column]) for line in cells) for column in range(len(columns))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def run_tool(tool, action, unusable=USAGE):
    """The status that `action` returns. `unusable`: the one for an output that cannot be written to."""
    try:
        status = action()
        sys.stdout.flush()
        return status
    except ToolError as error:
        # What it quotes may hold anything.
        line = "".join(character if character.isprintable() else "?" for character in str(error))
        print(f"{tool}: {line}", file=sys.stderr)
        return error.status
    except BrokenPipeError:
        # Whoever read the table has seen enough.
        sys.stderr.close()
        return unusable
    except OSError as error:
        print(f"{tool}: standard output: {error.strerror}", file=sys.stderr)
        # What is left in the buffer would be tried once more at the end, and turn the status into another.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return unusable
