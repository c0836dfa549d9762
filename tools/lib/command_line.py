# SPDX-License-Identifier: Apache-2.0
"""The command lines of the tools whose status for bad usage is that for bad input."""

import argparse

from results import NO_RESULT, ToolError, printable_line


class Parser(argparse.ArgumentParser):
    def __init__(self, tool):
        # Help is the tool's own, and a flag that was cut short may become another one's name.
        super().__init__(prog=tool, add_help=False, allow_abbrev=False)

    def error(self, message):
        raise ToolError(NO_RESULT, f"{printable_line(message)}; see --help")


def some(text):
    """A value that may not be empty: a path without a name would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("is empty")
    return text
