# SPDX-License-Identifier: Apache-2.0
"""tools/nvbandwidth_compare: the bandwidth of pinned copies as nvbandwidth and as copybench measure it."""

import re
import statistics

from runs.reading import read_json, read_result

from results import (
    AGREES,
    NO_RESULT,
    ToolError,
    format_table,
    good_rows,
    number,
    parse_arguments,
    run_tool,
    say,
)

TOOL = "tools/nvbandwidth_compare"
COLUMNS = ["direction", "bytes", "nvbandwidth GB/s", "copybench GB/s", "copybench / nvbandwidth"]
TESTS = {"h2d": "host_to_device_memcpy_ce", "d2h": "device_to_host_memcpy_ce"}
CASE = re.compile(
    r"host_blocking/api:memcpy_async/dir:(?P<dir>h2d|d2h)/mem:pinned/stream:\w+/queue:idle/bytes:(?P<bytes>\d{1,18})"
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
                matrix = tests[name]["bandwidth_matrix"]
                if not isinstance(matrix, list) or not isinstance(matrix[0], list):
                    raise TypeError
                rates[direction] = number(path, float(matrix[0][ordinal]), f"the bandwidth of {name}")
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ToolError(NO_RESULT, f"{path}: no result of nvbandwidth -j for GPU {ordinal}") from error
    return rates


def read_copybench(path, rows):
    """{direction: (bytes, GB/s)}, of the largest copy of each."""
    rates = {}
    for row in good_rows(rows):
        case = CASE.fullmatch(row.get("run_name", row["name"]))
        if case and "bytes_per_second" in row:
            rate = number(path, row["bytes_per_second"], f"bytes_per_second of {case.group()}")
            rates.setdefault(case["dir"], {}).setdefault(int(case["bytes"]), []).append(rate / 1e9)
    return {
        direction: (max(sizes), statistics.median(sizes[max(sizes)])) for direction, sizes in rates.items()
    }


def compare(usage, arguments):
    parsed = parse_arguments(usage, arguments, 2, "NVBANDWIDTH.json and FILE.json")
    if parsed is None:
        return AGREES
    files, markdown = parsed
    context, rows, simulated = read_result(files[1])
    ordinal = str(context.get("gpu_ordinal", "0"))
    theirs = read_nvbandwidth(files[0], int(ordinal) if re.fullmatch("[0-9]{1,4}", ordinal) else 0)
    ours = read_copybench(files[1], rows)
    both = [direction for direction in TESTS if direction in theirs and direction in ours]
    if not both:
        raise ToolError(NO_RESULT, f"{files[0]} and {files[1]} have no direction in common; see --help")
    if simulated:
        say(TOOL, f"{files[1]} is simulated: no figure here is a measurement")
    lines = []
    for direction in both:
        size, rate = ours[direction]
        ratio = f"{rate / theirs[direction]:.3f}" if theirs[direction] > 0 else "-"
        lines.append([direction, str(size), f"{theirs[direction]:.2f}", f"{rate:.2f}", ratio])
    print(format_table(COLUMNS, lines, markdown))
    return AGREES


def main(usage, arguments):
    return run_tool(TOOL, lambda: compare(usage, arguments))
