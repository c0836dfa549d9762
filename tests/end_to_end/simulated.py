# SPDX-License-Identifier: Apache-2.0
"""Runs of the suite on the simulated runtime."""

import collections
import json
import os
import subprocess
from pathlib import Path

import jsonschema

SUITE = os.environ["COPYBENCH_SIM"]
BANNER = "copybench: SIMULATED: this program runs on a simulated CUDA runtime; none of its figures is a measurement"
# Whether the suite works does not depend on how fast the simulated machine is.
FAST = {"COPYBENCH_SIM_LINK_BYTES_PER_S": "1e10", "COPYBENCH_SIM_STAGING_BYTES_PER_S": "1e10"}


def read_schema():
    path = Path(__file__).with_name("result.schema.json")
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def validate(document):
    faults = [f"{error.json_path}: {error.message[:300]}" for error in read_schema().iter_errors(document)]
    assert faults == []


def run(*arguments, **simulator):
    """`simulator`: FAULT="..." and the like."""
    ours = ("BENCHMARK_", "COPYBENCH_SIM_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    return subprocess.run(
        [SUITE, *arguments],
        capture_output=True,
        text=True,
        timeout=480,
        env=kept | FAST | {f"COPYBENCH_SIM_{key}": value for key, value in simulator.items()},
    )


def require_no_lasting_fault(find_faults, attempts=4):
    """Asserts that no key of the set or dictionary find_faults(attempt) is there each time.

    For what other work on the machine may bring about now and then, in one case or in another.
    """
    lasting = find_faults(0)
    for attempt in range(1, attempts):
        if not lasting:
            return
        again = find_faults(attempt)
        lasting = {
            fault: again[fault] if isinstance(again, dict) else "" for fault in lasting if fault in again
        }
    assert not lasting, lasting


def list_cases(*arguments):
    done = run(*arguments, "--benchmark_list_tests")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def our_lines(stderr):
    return [line for line in stderr.splitlines() if line.startswith("copybench: ")]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def by_case(document, key):
    values = collections.defaultdict(list)
    for row in document["benchmarks"]:
        if row["run_type"] == "iteration":
            values[row["run_name"]].append(row.get(key))
    return values
