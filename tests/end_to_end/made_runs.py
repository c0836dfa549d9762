# SPDX-License-Identifier: Apache-2.0
"""Results made by hand, for the tools that compare and record them."""

import json
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

CONTEXT = {
    "date": "2026-01-02T03:04:05+00:00",
    "gpu_name": "Some GPU",
    "gpu_uuid": "GPU-1",
    "cpu_model": "Some CPU",
    "cpu_count": "16",
    "driver_version": "580.1",
    "cuda_runtime_version": "13.0",
    "cuda_driver_version": "13.0",
    "profile": "quick",
    "batch_budget_ms": "25",
    "verify": "batch",
    "build_type": "Release",
    "git_commit": "0" * 40,
    "skipped": "none",
    "command_line": "copybench --copybench_profile=quick --benchmark_out=/tmp/x.json",
}
CASE = "host_blocking/api:memcpy_async/dir:h2d/mem:pinned/bytes:{}"
FIRST, SECOND, THIRD = (CASE.format(size) for size in (4, 4096, 65536))
# Nine repetitions of a quiet case, in ns.
QUIET = [100_000 + 100 * step for step in (0, 3, -2, 5, -4, 1, 2, -1, 4)]


def rows(name, times, label="", **counters):
    """counters: a value for all repetitions, or a list with one each."""
    return [
        {
            "name": name,
            "run_name": name,
            "run_type": "iteration",
            "repetitions": len(times),
            "repetition_index": index,
            "threads": 1,
            "iterations": 1,
            "real_time": time,
            "cpu_time": time,
            "time_unit": "ns",
            **({"label": label} if label else {}),
            **{key: value[index] if isinstance(value, list) else value for key, value in counters.items()},
        }
        for index, time in enumerate(times)
    ]


def failed(name, message="cudaMemcpyAsync: cudaErrorInvalidValue"):
    return [
        row | {"error_occurred": True, "error_message": message, "real_time": 0.0}
        for row in rows(name, [0.0])
    ]


def scaled(times, factor):
    return [time * factor for time in times]


def result(cases, **context):
    """cases: lists of rows, or times by name. A fact that is None is left out."""
    lists = [rows(name, times) for name, times in cases.items()] if isinstance(cases, dict) else cases
    facts = {key: value for key, value in (CONTEXT | context).items() if value is not None}
    return {"context": facts, "benchmarks": [row for each in lists for row in each]}


def write(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return str(path)
