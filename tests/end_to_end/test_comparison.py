# SPDX-License-Identifier: Apache-2.0
"""Runs of the simulated machine, compared by compare.py. No figure here is a measurement."""

import collections
import functools
import os
import re
import statistics
import subprocess
from pathlib import Path

import pytest
from comparison.judge import Settings, judge
from comparison.power import slowed
from comparison.side import Side
from runs.file import read_run
from simulated import by_case, read, require_no_lasting_fault, run

SOURCE = Path(__file__).resolve().parents[2]
SANITIZED = bool(os.environ.get("COPYBENCH_SANITIZE"))
REPETITIONS = 9
# One sleep of milliseconds each, so that the model decides and not who else uses the machine's processors.
BYTES = 2 << 20
SLOW = {
    "LINK_BYTES_PER_S": "1e9",
    "STAGING_BYTES_PER_S": "2e8",
    "PIECE_BYTES": f"{BYTES}",
    "POOL_BYTES": f"{BYTES}",
}
LONG_COPIES = "^(host_blocking/api:memcpy_async/.*/mem:pageable/.*/queue:idle|to_device/strategy:driver_pageable/.*/alloc:none/.*:blocked)/"
# Those, and cases whose verdict is no close call.
STABLE = (
    f"{LONG_COPIES}|^host_blocking/.*(mem:pinned/.*/queue:idle|dir:d2h/mem:pageable/.*/queue:busy)"
    "|^dependent_copy/strategy:(stale_arguments|callback_illegal)/metric:end_to_end/"
)


# Under sanitizers the processor decides how long a copy takes.
@pytest.mark.skipif(SANITIZED, reason="the figures of a sanitized program are not the model's")
class TestComparison:
    @pytest.fixture(scope="class")
    def results(self, tmp_path_factory):
        folder = tmp_path_factory.mktemp("results")

        def measure(name, cases, **simulator):
            out = folder / f"{name}.simulated.json"
            done = run(
                "--copybench_profile=quick",
                "--copybench_budget_ms=30",
                f"--copybench_axis=bytes:{BYTES}",
                "--copybench_axis=elements:16",
                f"--benchmark_filter={cases}",
                f"--benchmark_repetitions={REPETITIONS}",
                "--benchmark_enable_random_interleaving=true",
                f"--benchmark_out={out}",
                **SLOW,
                **simulator,
            )
            assert done.returncode == 0, done.stderr
            return out

        def measure_kind(kind, attempt):
            slower = {"FAULT": "slow:cudaMemcpyAsync:1.1"} if kind == "slow" else {}
            return measure(f"{kind}-{attempt}", LONG_COPIES if slower else STABLE, **slower)

        # Measured when asked for: whatever slowed down one attempt hides nothing in the next.
        return functools.cache(measure_kind)

    @pytest.fixture(scope="class")
    def compare(self, results):
        def run_compare(contender, attempt):
            runs = [results("a", attempt), results(contender, attempt)]
            dump = runs[1].with_suffix(".compared.json")
            done = subprocess.run(
                [SOURCE / "tools" / "compare_py", "-d", dump, "benchmarks", *runs],
                capture_output=True,
                text=True,
                timeout=300,
            )
            if done.returncode == 2 and "compare.py" in done.stderr and os.environ.get("CI") != "true":
                pytest.skip(done.stderr.strip())
            assert done.returncode == 0, done.stderr
            assert "both are simulated: no figure here is a measurement" in done.stderr
            return {case["name"]: case for case in read(dump) if case.get("run_type") == "iteration"}

        return run_compare

    def test_alike_is_no_regression(self, results):
        """And compare.py's table comes first, its p beside ours."""

        def find_faults(attempt):
            runs = [results(kind, attempt) for kind in ("a", "b")]
            out = runs[1].with_suffix(".verdicts.json")
            words = [SOURCE / "tools" / "compare", *runs, "--cases", LONG_COPIES, "--json", out]
            done = subprocess.run(words, capture_output=True, text=True, timeout=300)
            assert done.returncode in (0, 1), done.stderr
            assert "simulated: no figure here is a measurement" in done.stderr
            document = read(out)
            assert (document["simulated"], document["status"]) == (True, done.returncode)
            assert len(document["cases"]) >= 3
            if "no table of compare.py" not in done.stderr:
                assert done.stdout.startswith("Comparing ")
                assert all(0 < case["compare_py"]["p"] <= 1 for case in document["cases"])
            red = {case["name"]: case["why"] for case in document["cases"] if case["red"]}
            assert bool(red) == bool(done.returncode)
            return red

        require_no_lasting_fault(find_faults)

    def test_what_is_slowed_is_found(self, results):
        """However busy the machine was: by three times of what each case says that it could find."""

        def find_faults(attempt):
            base, new = (Side([read_run(results(kind, attempt))]).figures("real_time") for kind in ("a", "b"))
            judged = judge(base, new, {}, Settings())
            moved = {
                name: slowed(new[name], 3 * found.detectable_99)
                for name, found in judged.items()
                if found.detectable_99 < 10
            }
            assert moved
            found = judge(base, moved, {}, Settings())
            return {
                name: judgement.change
                for name, judgement in found.items()
                if judgement.verdict != "regressed"
            }

        require_no_lasting_fault(find_faults)

    @staticmethod
    def change(case):
        old = statistics.median(pair["real_time"] for pair in case["measurements"])
        new = statistics.median(pair["real_time_other"] for pair in case["measurements"])
        return new / old - 1

    def is_slower(self, case):
        assert case["utest"]["have_optimal_repetitions"]
        return self.change(case) > 0.05 and case["utest"]["time_pvalue"] < 0.01

    def faults(self, cases):
        return {case["name"]: self.change(case) for case in cases}

    def test_equal_runs_have_equal_verdicts(self, results):
        def find_faults(attempt):
            verdicts = [
                {name: collections.Counter(labels).most_common(1)[0][0] for name, labels in labels_of.items()}
                for labels_of in (by_case(read(results(kind, attempt)), "label") for kind in ("a", "b"))
            ]
            assert verdicts[0].keys() == verdicts[1].keys()
            missing = {"async", "waits_for_copy", "waits_for_queue", "wrong_data"} - set(verdicts[0].values())
            return missing | {name for name in verdicts[0] if verdicts[0][name] != verdicts[1][name]}

        require_no_lasting_fault(find_faults)

    def test_equal_runs_do_not_differ(self, compare):
        def find_faults(attempt):
            cases = [case for name, case in compare("b", attempt).items() if re.search(LONG_COPIES, name)]
            assert len(cases) >= 3
            return self.faults(case for case in cases if self.is_slower(case))

        require_no_lasting_fault(find_faults)

    def test_a_tenth_slower_is_found(self, compare):
        def find_faults(attempt):
            cases = compare("slow", attempt).values()
            assert len(cases) >= 3
            return self.faults(case for case in cases if not self.is_slower(case))

        require_no_lasting_fault(find_faults)

    def test_simulated_is_not_compared_with_measured(self, results):
        measured = next(iter(SOURCE.glob("results/nvidia-*/*/quick*.json")))
        done = subprocess.run(
            [SOURCE / "tools" / "compare_py", "benchmarks", measured, results("a", 0)],
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 2
        assert "no comparison" in done.stderr
