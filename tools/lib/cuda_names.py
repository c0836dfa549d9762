# SPDX-License-Identifier: Apache-2.0
"""Reports every check(cudaX(...), "cudaY") in which X and Y differ: an error would name the wrong call.

A name that is no literal is the caller's, and cudaGetLastError reports on another call anyway.
"""

import re
import sys
from pathlib import Path

CALL = re.compile(r"\bcheck\(\s*(?:::)?(cu[A-Z]\w*|cuda[A-Z]\w*)\s*\(")
REPORT_ON_OTHERS = {"cudaGetLastError", "cudaPeekAtLastError"}
NAME = re.compile(r'\s*,\s*"([^"]*)"')


def end_of_arguments(text: str, start: int) -> int:
    """The position after the parenthesis that closes the one before `start`."""
    depth = 1
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return len(text)


def mismatches(text: str) -> list[tuple[int, str, str]]:
    """Line, function called, and name given."""
    found = []
    for call in CALL.finditer(text):
        name = NAME.match(text, end_of_arguments(text, call.end()))
        called = call.group(1)
        if name and name.group(1) != called and called not in REPORT_ON_OTHERS:
            found.append((text.count("\n", 0, call.start()) + 1, called, name.group(1)))
    return found


def main(paths: list[str]) -> int:
    status = 0
    for path in paths:
        for line, called, given in mismatches(Path(path).read_text(encoding="utf-8")):
            print(f'{path}:{line}: check({called}(...)) is given the name "{given}"')
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
