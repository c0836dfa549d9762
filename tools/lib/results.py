# SPDX-License-Identifier: Apache-2.0
"""What the tools that read results share: the statuses to end with, what they say on the way, and tables."""

import contextlib
import io
import os
import sys

AGREES, DIFFERS, USAGE, NO_RESULT = range(4)
# No figure of a result is larger: 1e24 ns are thirty million years. Sums and means of them stay finite.
MOST = 1e24


class ToolError(Exception):
    """Ends the tool with a line on standard error, and with `status`."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def number(path, value, what):
    """A figure: neither negative, nor beyond measure, nor one of the things that JSON readers take for a number as well."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST:
        return float(value)
    raise ToolError(NO_RESULT, f"{path}: {what} is no number that a result could hold")


def is_text(value):
    """Whether it can be printed: JSON can name halves of characters."""
    return isinstance(value, str) and not any(0xD800 <= ord(character) <= 0xDFFF for character in value)


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
    if "" in files:
        raise ToolError(USAGE, f"expected {expected}, found an empty name; see --help")
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


def printable_line(text):
    """What is quoted may hold anything: line breaks, a terminal's commands, halves of characters."""
    return "".join(character if character.isprintable() else "?" for character in str(text))


def say(tool, text):
    """A line on standard error. Where nobody can read it, the tool goes on: its status says the same."""
    try:
        print(f"{tool}: {printable_line(text)}", file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream):
    """What is left in the buffer would be tried once more at the end, and turn the status into another."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def open_stderr():
    """Python has no stream for one that is closed, and would give its number to the next file that is opened."""
    null = os.open(os.devnull, os.O_WRONLY)
    if null != 2:
        os.dup2(null, 2)
        os.close(null)
    sys.stderr = os.fdopen(2, "w", closefd=False)


def run_tool(tool, action, unusable=USAGE):
    """The status that `action` returns. `unusable`: the one for an output that cannot be written to."""
    if sys.stderr is None:
        open_stderr()
    if sys.stdout is None:
        say(tool, "standard output is closed")
        return unusable
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name may hold what is no character.
        sys.stdout.reconfigure(errors="replace")
    try:
        return run_action(tool, action, unusable)
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                silence(stream)


def run_action(tool, action, unusable):
    try:
        status = action()
        sys.stdout.flush()
        return status
    except ToolError as error:
        say(tool, error)
        return error.status
    except BrokenPipeError:
        # Whoever read the table has seen enough.
        return unusable
    except OSError as error:
        say(tool, f"{error.filename or 'standard output'}: {error.strerror}")
        return unusable
