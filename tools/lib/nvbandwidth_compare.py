# SPDX-License-Identifier: Apache-2.0
"""tools/nvbandwidth_compare: the bandwidth of pinned copies as nvbandwidth and as copybench measure it."""

import re
import statistics
import sys

from results import (
    AGREES,
    NO_RESULT,
    ToolError,
    format_table,
    good_rows,
    parse_arguments,
    read_json,
    read_result,
    run_tool,
)

TOOL = "tools/nvbandwidth_compare"
COLUMNS = ["direction", "bytes", "nvbandwidth GB/s", "copybench GB/s", "copybench / nvbandwidth"]
TESTS = {"h2d": "host_to_device_memcpy_ce", "d2h": "device_to_host_memcpy_ce"}
CASE = re.compile(
    r"host_blocking/api:memcpy_async/dir:(?P<dir>h2d|d2h)/mem:pinned/stream:\w+/queue:idle/bytes:(?P<bytes>\d+)"
)


def read_nvbandwidth(path, ordinal):
    """GB/s by direction: of the first processor's row, the column of the GPU."""
    rates = {}
    document = read_json(path)
    try:
        tests = {test["name"]: test for test in document["nvbandwidth"]["testcases"]}
        for direction, name in TESTS.items():
            if name in tests and tests[name].get("status", "Passed") == "Passed":
                # Numbers are in quotes there.
                rates[direction] = float(tests[name]["bandwidth_matrix"][0][ordinal])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise ToolError(NO_RESULT, f"{path}: no result of nvbandwidth -j for GPU {ordinal}") from error
    return rates


def read_copybench(rows):
    """{direction: (bytes, GB/s)}, of the largest copy of each."""
    rates = {}
    for row in good_rows(rows):
        case = CASE.fullmatch(row.get("run_name", row["name"]))
        if case and isinstance(row.get("bytes_per_second"), int | float):
            sizes = rates.setdefault(case["dir"], {})
            sizes.setdefault(int(case["bytes"]), []).append(row["bytes_per_second"] / 1e9)
    return {
        direction: (max(sizes), statistics.median(sizes[max(sizes)])) for direction, sizes in rates.items()
    }


def compare(usage, arguments):
    parsed = parse_arguments(usage, arguments, 2, "NVBANDWIDTH.json and FILE.json")
    if parsed is None:
        return AGREES
    files, markdown = parsed
    context, rows, simulated = read_result(files[1])
    ordinal = context.get("gpu_ordinal", "0")
    theirs = read_nvbandwidth(files[0], int(ordinal) if ordinal.isdecimal() else 0)
    ours = read_copybench(rows)
    both = [direction for direction in TESTS if direction in theirs and direction in ours]
    if not both:
        raise ToolError(NO_RESULT, f"{files[0]} and {files[1]} have no direction in common; see --help")
    if simulated:
        print(f"{TOOL}: {files[1]} is simulated: no figure here is a measurement", file=sys.stderr)
    lines = []
    for direction in both:
        size, rate = ours[direction]
        ratio = f"{rate / theirs[direction]:.3f}" if theirs[direction] > 0 else "-"
        lines.append([direction, str(size), f"{theirs[direction]:.2f}", f"{rate:.2f}", ratio])
    print(format_table(COLUMNS, lines, markdown))
    return AGREES


def main(usage, arguments):
    return run_tool(TOOL, lambda: compare(usage, arguments))
