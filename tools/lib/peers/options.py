# SPDX-License-Identifier: Apache-2.0
"""The command line of tools/peers.py."""

import re
from dataclasses import dataclass, field

from peers.case import ELEMENT_BYTES
from peers.peer import PEERS
from results import USAGE, ToolError

UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


@dataclass
class Options:
    out: str = ""
    sizes: list[int] = field(default_factory=lambda: [65536, 1 << 20, 16 << 20, 256 << 20, 800_000_000])
    frameworks: list[str] = field(default_factory=lambda: list(PEERS))
    repetitions: int = 5
    budget_ms: int = 100
    timeout_s: int = 120
    only_list: bool = False


def fail(flag, value, problem):
    raise ToolError(USAGE, f"{flag}={value}: {problem}")


def _number(flag, value, most):
    if not re.fullmatch(r"[1-9]\d{0,8}", value) or int(value) > most:
        fail(flag, value, f"expected a whole number from 1 to {most}")
    return int(value)


def _sizes(flag, value):
    sizes = []
    for text in value.split(","):
        found = re.fullmatch(r"(\d{1,15})(KiB|MiB|GiB|)", text)
        size = int(found[1]) * UNITS[found[2]] if found else 0
        if not 0 < size < 1 << 50 or size % ELEMENT_BYTES:
            fail(flag, value, f'"{text}" is no number of bytes that is a multiple of {ELEMENT_BYTES}')
        sizes.append(size)
    return list(dict.fromkeys(sizes))


def _frameworks(flag, value):
    names = value.split(",")
    for name in names:
        if name not in PEERS:
            fail(flag, value, f'"{name}" is none of {", ".join(PEERS)}')
    return list(dict.fromkeys(names))


# Which field of the options a flag is for, and how its value is read.
FLAGS = {
    "--out": ("out", lambda flag, value: value),
    "--bytes": ("sizes", _sizes),
    "--frameworks": ("frameworks", _frameworks),
    "--repetitions": ("repetitions", lambda flag, value: _number(flag, value, 9999)),
    "--budget-ms": ("budget_ms", lambda flag, value: _number(flag, value, 100_000)),
    "--timeout-s": ("timeout_s", lambda flag, value: _number(flag, value, 86_400)),
}


def parse(arguments):
    """Raises ToolError; each value stands behind its flag, after a space or after "="."""
    options, left = Options(), list(arguments)
    while left:
        flag, separator, value = left.pop(0).partition("=")
        if flag == "--list" and not separator:
            options.only_list = True
            continue
        if flag not in FLAGS:
            raise ToolError(USAGE, f'unknown argument "{flag}{separator}{value}"; see --help')
        if not separator and left:
            value = left.pop(0)
        if not value:
            raise ToolError(USAGE, f"{flag} needs a value; see --help")
        name, read = FLAGS[flag]
        setattr(options, name, read(flag, value))
    return options
