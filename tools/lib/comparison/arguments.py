# SPDX-License-Identifier: Apache-2.0
"""The arguments of tools/compare."""

import argparse
import math
import re

from command_line import Parser, some

from comparison.comparable import ALLOWABLE
from comparison.judge import Settings
from results import NO_RESULT, ToolError


def share(text):
    """A percentage, as a fraction."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = math.nan
    if not 0 < value <= 1000:
        raise argparse.ArgumentTypeError(f'"{text}" is no percentage above 0')
    return value / 100


def allowed(text):
    words = text.split(",")
    for word in words:
        if word not in (*ALLOWABLE, "all"):
            raise argparse.ArgumentTypeError(f'"{word}" is none of {", ".join((*ALLOWABLE, "all"))}')
    return list(ALLOWABLE) if "all" in words else words


def regular(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f'"{text}" is no regular expression: {error}') from error


def nanoseconds(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f'"{text}" is no number of nanoseconds')
    return value


def count(text):
    if not re.fullmatch(r"[1-9][0-9]?", text):
        raise argparse.ArgumentTypeError(f'"{text}" is no number from 1 to 99')
    return int(text)


def common(parser):
    defaults = Settings()
    parser.add_argument("--threshold", type=share, default=None)
    parser.add_argument("--least", type=share, default=defaults.least_change)
    parser.add_argument("--least-ns", type=nanoseconds, default=defaults.least_ns)
    parser.add_argument("--alpha", type=share, default=defaults.alpha)
    parser.add_argument("--false-runs", type=share, default=defaults.false_runs)
    parser.add_argument("--widest", type=share, default=defaults.widest)
    parser.add_argument("--cases", type=regular, default=None)
    parser.add_argument("--markdown", type=some, metavar="FILE")
    parser.add_argument("--json", type=some, metavar="FILE")
    parser.add_argument("--all", action="store_true", dest="everything")
    parser.add_argument("--noise", type=some, action="append", default=[], metavar="PATH")


def settings(parsed):
    if parsed.alpha >= 1 or parsed.false_runs >= 1:
        raise ToolError(NO_RESULT, "--alpha and --false-runs are below 100 %; see --help")
    return Settings(
        alpha=parsed.alpha,
        false_runs=parsed.false_runs,
        least_change=parsed.least,
        least_ns=parsed.least_ns,
        widest=parsed.widest,
        fixed=parsed.threshold,
    )


def table_options(parser):
    parser.add_argument("--no-noise", action="store_true")
    parser.add_argument("--compare-py", type=some, metavar="FILE")
    parser.add_argument("--no-compare-py", action="store_true")


def with_one_noise(parsed):
    if parsed.noise and parsed.no_noise:
        raise ToolError(NO_RESULT, "--noise and --no-noise contradict each other")
    return parsed


def parse(words):
    """The command, `runs`, `filters` or `power`, is the first word where it is one of the last two."""
    parser = Parser("tools/compare")
    common(parser)
    command = words[0] if words and words[0] in ("filters", "power") else "runs"
    if command == "filters":
        table_options(parser)
        parser.add_argument("file", type=some, metavar="FILE")
        parser.add_argument("first", metavar="A")
        parser.add_argument("second", metavar="B")
        return command, with_one_noise(parser.parse_args(words[1:]))
    if command == "power":
        parser.add_argument("run", type=some, nargs="+", metavar="RUN")
        parser.add_argument("--per-side", type=count, default=1, metavar="N")
        return command, parser.parse_args(words[1:])
    table_options(parser)
    parser.add_argument("base", type=some, metavar="BASE")
    parser.add_argument("new", type=some, metavar="NEW")
    parser.add_argument("--also-base", type=some, action="append", default=[], metavar="FILE")
    parser.add_argument("--also-new", type=some, action="append", default=[], metavar="FILE")
    parser.add_argument("--allow", type=allowed, action="extend", default=[])
    parser.add_argument("--gate", choices=("time", "counters"), default="time")
    parser.add_argument("--hints", action="store_true")
    return command, with_one_noise(parser.parse_args(words))
