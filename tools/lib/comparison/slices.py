# SPDX-License-Identifier: Apache-2.0
"""Two slices of one run, case beside case: the names that hold one pattern, and the same names with the other."""

import re
from dataclasses import replace

from comparison.side import Side
from results import NO_RESULT, ToolError


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise ToolError(NO_RESULT, f'"{text}": no regular expression: {error}') from error


def slice_of(run, which, title):
    """Named like compare.py names them, so that its table and ours are of the same cases."""
    found = {}
    for name, case in run.cases.items():
        if which.search(name):
            renamed = which.sub(title, name)
            if renamed in found:
                raise ToolError(
                    NO_RESULT, f'"{which.pattern}" makes {found[renamed].name} and {name} the same'
                )
            found[renamed] = replace(case, name=name)
    if not found:
        raise ToolError(NO_RESULT, f'{run.path}: no case matches "{which.pattern}"')
    return Side([replace(run, cases=found)])


def slices(run, first, second):
    title = f"[{first} vs. {second}]"
    # A backslash in the title is no reference to a group.
    escaped = title.replace("\\", "\\\\")
    return slice_of(run, pattern(first), escaped), slice_of(run, pattern(second), escaped)
