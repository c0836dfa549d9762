# SPDX-License-Identifier: Apache-2.0
"""What the program tells profilers (NVTX), and what it takes from one (CUPTI), with stand-ins for both."""

import json
import os
import subprocess

import pytest

SUITE = os.environ["COPYBENCH_FAKE_SUITE"]
RECORDER = os.environ["COPYBENCH_NVTX_RECORDER"]


def run(*arguments, **extra):
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("BENCHMARK_", "NVTX_"))}
    return subprocess.run([SUITE, *arguments], capture_output=True, text=True, timeout=60, env=kept | extra)


def has_nvtx():
    return run("--copybench_nvtx", "--benchmark_filter=samples:10$").returncode == 0


class TestNvtx:
    def ranges(self, tmp_path, *arguments):
        """The stacks of open ranges, one for each push, in order."""
        log = tmp_path / "nvtx.log"
        done = run(*arguments, NVTX_INJECTION64_PATH=RECORDER, COPYBENCH_NVTX_LOG=str(log))
        if not log.exists():
            return done, None
        begin, domain, *lines = log.read_text().splitlines()
        assert (begin, domain) == ("initialize ", "domain copybench")
        stack, stacks = [], []
        for line in lines:
            what, name = line.split(" ", 1)
            if what == "push":
                stack.append(name)
                stacks.append(tuple(stack))
            else:
                assert what == "pop"
                stack.pop()
        assert stack == []
        return done, stacks

    @pytest.mark.skipif(not has_nvtx(), reason="built without NVTX's header")
    def test_every_case_and_every_batch_has_a_range(self, tmp_path):
        done, stacks = self.ranges(
            tmp_path,
            "--copybench_nvtx",
            "--copybench_cpu=any",
            "--benchmark_filter=fake/behaviour:(ok|wrong_first)/",
            "--benchmark_repetitions=2",
            "--benchmark_min_time=0.00000001",
        )
        assert done.returncode == 1
        cases = [f"fake/behaviour:ok/samples:{count}" for count in (9, 10, 99, 100)]
        expected = []
        for case in cases:
            for _ in range(2):
                expected += [(case,), (case, "batch 1")]
        broken = "fake/behaviour:wrong_first/samples:5"
        # It fails in its first batch, by an exception, and is not tried again.
        expected += [(broken,), (broken, "batch 1"), (broken,)]
        assert stacks == expected

    @pytest.mark.skipif(not has_nvtx(), reason="built without NVTX's header")
    def test_batches_of_one_entry_are_numbered(self, tmp_path):
        _, stacks = self.ranges(
            tmp_path,
            "--copybench_nvtx",
            "--benchmark_filter=behaviour:ok/samples:10$",
            "--benchmark_min_time=0.0001",
        )
        last = len(stacks) - 1 - stacks[::-1].index(("fake/behaviour:ok/samples:10",))
        batches = [names[-1] for names in stacks[last + 1 :]]
        assert batches == [f"batch {number}" for number in range(1, len(batches) + 1)]
        assert len(batches) > 1

    def test_nobody_is_told_without_the_flag(self, tmp_path):
        done, stacks = self.ranges(tmp_path, "--benchmark_filter=behaviour:ok")
        assert done.returncode == 0
        assert stacks is None

    @pytest.mark.skipif(has_nvtx(), reason="built with NVTX's header")
    def test_refused_in_one_line_where_it_was_built_without(self):
        done = run("--copybench_nvtx", "--benchmark_filter=samples:10$")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("copybench: --copybench_nvtx: ")
        assert done.stderr.count("\n") == 1


class TestCupti:
    CASE = "--benchmark_filter=behaviour:ok/samples:10$"

    def row(self, tmp_path, *arguments, **extra):
        out = tmp_path / "out.json"
        done = run(self.CASE, f"--benchmark_out={out}", *arguments, **extra)
        assert done.returncode == 0, done.stderr
        document = json.loads(out.read_text())
        return document["context"], document["benchmarks"][0]

    @pytest.mark.parametrize(
        ("flag", "source"),
        [
            ("--copybench_cupti", "activity"),
            ("--copybench_cupti=activity", "activity"),
            ("--copybench_cupti=callback", "callback"),
        ],
    )
    def test_rows_get_the_median_of_the_spans(self, tmp_path, flag, source):
        context, row = self.row(tmp_path, flag, COPYBENCH_FAKE_CUPTI="whole")
        assert context["cupti"] == source
        # The stand-in says 7 ns, 14 ns, ... for the ten calls of a batch, and nothing of others.
        assert (row["samples"], row["cupti_samples"]) == (10, 10)
        assert row["cupti_p50_ns"] == (35 + 42) // 2
        assert row["p50_ns"] == 5500

    def test_several_batches_count_together(self, tmp_path):
        _, row = self.row(
            tmp_path, "--copybench_cupti", "--benchmark_min_time=0.0001", COPYBENCH_FAKE_CUPTI="whole"
        )
        assert row["samples"] == row["cupti_samples"] > 10

    def test_lost_spans_show(self, tmp_path):
        _, row = self.row(tmp_path, "--copybench_cupti", COPYBENCH_FAKE_CUPTI="lossy")
        assert (row["samples"], row["cupti_samples"]) == (10, 9)

    def test_no_spans_at_all_show_too(self, tmp_path):
        _, row = self.row(tmp_path, "--copybench_cupti", COPYBENCH_FAKE_CUPTI="silent")
        assert row["cupti_samples"] == 0
        assert "cupti_p50_ns" not in row

    def test_without_the_flag_nothing_is_said(self, tmp_path):
        context, row = self.row(tmp_path, COPYBENCH_FAKE_CUPTI="whole")
        assert "cupti" not in context
        assert [key for key in row if key.startswith("cupti")] == []

    def test_refused_in_one_line_where_it_was_built_without(self):
        done = run(self.CASE, "--copybench_cupti")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("copybench: --copybench_cupti: ")
        assert done.stderr.count("\n") == 1

    def test_what_cupti_refuses_ends_the_run(self):
        done = run(self.CASE, "--copybench_cupti", COPYBENCH_FAKE_CUPTI="refused")
        assert done.returncode == 1
        assert done.stderr == "copybench: cuptiSubscribe: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED\n"

    def test_that_it_hangs_is_noticed(self):
        done = run(self.CASE, "--copybench_cupti", "--copybench_watchdog=0.5", COPYBENCH_FAKE_CUPTI="hanging")
        assert done.returncode == 1
        assert done.stderr.startswith("copybench: starting CUPTI: no progress")

    def test_it_is_not_asked_where_there_is_no_device(self):
        done = run(
            self.CASE, "--copybench_cupti", COPYBENCH_FAKE_CUPTI="refused", COPYBENCH_FAKE_DEVICE="none"
        )
        assert done.returncode == 3
        assert "no NVIDIA driver" in done.stderr
