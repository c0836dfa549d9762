# SPDX-License-Identifier: Apache-2.0
"""What the command line asks for."""

import dataclasses
from pathlib import Path

from results import USAGE, ToolError

_LISTS = {"--base": "base", "--peers": "peers"}
_SINGLE = {"--out": "out", "--comparison": "comparison"}


@dataclasses.dataclass
class Options:
    runs: list[Path] = dataclasses.field(default_factory=list)
    base: list[Path] = dataclasses.field(default_factory=list)
    peers: list[Path] = dataclasses.field(default_factory=list)
    out: Path | None = None
    # What tools/compare --json said of base and run.
    comparison: Path | None = None
    # All of `runs` are of one run, whatever they have in common.
    pool: bool = False


def parse(arguments):
    options = Options()
    rest = list(arguments)
    while rest:
        flag, equals, value = rest.pop(0).partition("=")
        if not flag.startswith("--"):
            if flag.startswith("-") and len(flag) > 1:
                raise ToolError(USAGE, f'unknown argument "{flag}"; see --help')
            if not flag + equals + value:
                raise ToolError(USAGE, "RUN.json: is empty; see --help")
            options.runs.append(Path(flag + equals + value))
        elif flag == "--pool" and not equals:
            options.pool = True
        elif flag in _LISTS or flag in _SINGLE:
            value = value if equals else rest.pop(0) if rest else ""
            if not value:
                raise ToolError(USAGE, f"{flag} needs a value; see --help")
            if flag in _SINGLE:
                setattr(options, _SINGLE[flag], Path(value))
            else:
                getattr(options, _LISTS[flag]).append(Path(value))
        else:
            raise ToolError(USAGE, f'unknown argument "{flag}"; see --help')
    if not options.runs:
        raise ToolError(USAGE, "expected RUN.json; see --help")
    return options


def output_folder(options):
    """Where the report goes: beside the first file, unless told."""
    if options.out is not None:
        return options.out
    first = options.runs[0]
    if not first.name:
        raise ToolError(USAGE, f"{first}: no file")
    return first.with_name(
        first.name.removesuffix(".gz").removesuffix(".xz").removesuffix(".json") + "-report"
    )
