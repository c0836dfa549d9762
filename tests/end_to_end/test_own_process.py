# SPDX-License-Identifier: Apache-2.0
"""Cases that are measured in a process of their own, driven through copybench_fake_suite."""

import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

import pytest
from test_harness import SUITE, clean_environment, our_lines, parse, rows_of, run

GOOD = "fake_process/stage:never/act:nothing"
STAGES = ["make", "prepare", "sample", "verify", "conclude"]
MARK = "COPYBENCH_TEST_MARK"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.json"


@pytest.fixture
def mark():
    """A variable that the suite hands on to whatever it starts."""
    return {MARK: uuid.uuid4().hex}


def processes_with(mark):
    wanted = f"{MARK}={mark[MARK]}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                variables = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if wanted in variables:
                found.append(int(entry.name))
    return found


def cpus_of_core(cpu):
    try:
        text = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text()
    except OSError:
        return {cpu}
    ranges = [[int(number) for number in part.split("-")] for part in text.strip().split(",")]
    return {number for first_last in ranges for number in range(first_last[0], first_last[-1] + 1)}


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def start(mark, out, name, *arguments):
    return subprocess.Popen(
        [SUITE, f"--benchmark_filter=^(fake/behaviour:ok|{name})", f"--benchmark_out={out}", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(mark),
    )


class TestGoodCase:
    def measure(self, out, *arguments, **options):
        done = run(f"--benchmark_filter=^{GOOD}$", f"--benchmark_out={out}", *arguments, **options)
        assert done.returncode == 0, done.stderr
        assert our_lines(done.stderr) == []
        return rows_of(parse(out.read_text()))

    def test_has_the_variable_and_says_so(self, out):
        (row,) = self.measure(out)
        assert row["own_process"] == 1
        assert row["echo"] == 0.1
        assert row["third"] == 1 / 3
        assert row["label"] == "sleeps"

    def test_figures_and_summaries_cross_over(self, out):
        (row,) = self.measure(out)
        assert row["waited_p50_ns"] == 7
        # Of 71, 72, 73 and 74, in whole nanoseconds.
        assert row["latency_p50_ns"] == 72
        assert row["samples"] == row["seen_samples"] == 4
        assert row["seen_p90"] == -1
        assert row["real_time"] == pytest.approx(row["p50_ns"])

    def test_enough_samples_have_percentiles_there_too(self, out):
        (row,) = self.measure(out, "--benchmark_min_time=0.000001")
        assert row["samples"] == row["seen_samples"] > 40
        assert row["seen_p90"] == row["p90_ns"]

    def test_each_sample_may_be_verified(self, out):
        (row,) = self.measure(out, "--copybench_verify=sample")
        assert row["own_process"] == 1

    def test_repetitions_share_it(self, out):
        rows = self.measure(out, "--benchmark_repetitions=3")
        assert len({row["pid"] for row in rows}) == 1

    def test_another_case_ends_it(self, out):
        done = run(
            f"--benchmark_filter=^({GOOD}|fake/behaviour:ok/samples:9)$",
            "--benchmark_repetitions=6",
            "--benchmark_enable_random_interleaving=true",
            f"--benchmark_out={out}",
        )
        assert done.returncode == 0
        document = parse(out.read_text())
        assert len({row["pid"] for row in rows_of(document, "fake_process")}) > 1
        assert not any("own_process" in row for row in rows_of(document, "fake/"))

    def test_what_is_used_up_is_had_from_another(self, out):
        done = run(
            "--benchmark_filter=act:is_used_up",
            "--benchmark_repetitions=5",
            "--copybench_cpu=any",
            f"--benchmark_out={out}",
        )
        assert done.returncode == 0, done.stderr
        rows = rows_of(parse(out.read_text()))
        # Six batches, of which a process takes three. Nothing is taken anew on just any processor.
        assert len({row["pid"] for row in rows}) == 2

    def test_holds_nothing_of_the_parent_open(self, out):
        reader, writer = os.pipe()
        (row,) = self.measure(out, pass_fds=[writer])
        os.close(reader)
        os.close(writer)
        # The standard ones, where the answers go, and the one that counts them.
        assert row["descriptors"] == 5

    def test_measures_where_the_parent_would(self, out):
        (row,) = self.measure(out, "--copybench_cpu=any")
        cpus = len(os.sched_getaffinity(0))
        assert row["measuring_cpus"] == cpus
        cpu = max(os.sched_getaffinity(0))
        (row,) = self.measure(out, f"--copybench_cpu={cpu}")
        assert (row["measuring_cpus"], row["measuring_on"]) == (1, cpu)
        (row,) = self.measure(out, "--copybench_cpu=quiet")
        assert (row["measuring_cpus"], row["measuring_on"]) == (1, row["cpu"])
        others = os.sched_getaffinity(0) - cpus_of_core(row["measuring_on"])
        assert row["helper_cpus"] == (len(others) or cpus)

    def test_nothing_it_prints_gets_into_the_results(self):
        done = run(f"--benchmark_filter=^{GOOD}$", "--benchmark_format=json")
        assert parse(done.stdout)["benchmarks"][0]["echo"] == 0.1

    def test_is_gone_afterwards(self, out, mark):
        self.measure(out, env=mark)
        assert processes_with(mark) == []

    def test_is_not_started_for_other_cases(self, mark, out):
        process = start(mark, out, "fake/behaviour:slow", "--benchmark_repetitions=100")
        time.sleep(0.7)
        assert processes_with(mark) == [process.pid]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


class TestFailures:
    @pytest.mark.parametrize("stage", STAGES)
    @pytest.mark.parametrize(
        ("act", "message"),
        [
            ("throws", 'an "odd"  \\text with ends'),
            ("throws_cuda", "cudaMemcpyAsync: cudaErrorInvalidValue (invalid argument) at fake_process.cpp:"),
            ("throws_odd", "an exception of unknown type"),
            ("dies", "the process of its own ended: signal 9 (Killed)"),
            ("exits", "the process of its own ended: exit status 7"),
        ],
    )
    def test_fails_the_case_in_one_line(self, out, mark, stage, act, message):
        name = f"fake_process/stage:{stage}/act:{act}"
        done = run(
            f"--benchmark_filter=^({name}|{GOOD}|fake/behaviour:ok/samples:9)$",
            "--benchmark_repetitions=2",
            f"--benchmark_out={out}",
            env=mark,
        )
        assert done.returncode == 1
        (line,) = our_lines(done.stderr)
        assert line.startswith(f"copybench: {name}: {message}")
        document = parse(out.read_text())
        assert "ended_early" not in document["context"]
        failed = rows_of(document, name)
        assert len(failed) == 2
        assert all(row["error_message"].startswith(message) for row in failed)
        good = [row for row in rows_of(document) if row not in failed]
        assert len(good) == 4
        assert not any("error_occurred" in row for row in good)
        assert processes_with(mark) == []

    @pytest.mark.parametrize("stage", STAGES)
    def test_nonsense_is_an_answer_of_one_line_too(self, out, stage):
        done = run(f"--benchmark_filter=stage:{stage}/act:babbles", f"--benchmark_out={out}")
        assert done.returncode == 1
        (line,) = our_lines(done.stderr)
        assert 'the process of its own answered with what is no line of words: "well, well \\q"' in line

    @pytest.mark.parametrize("stage", STAGES)
    def test_the_watchdog_ends_one_that_hangs(self, out, mark, stage):
        process = start(mark, out, f"fake_process/stage:{stage}/act:stalls", "--copybench_watchdog=0.5")
        _, stderr = process.communicate(timeout=20)
        assert process.returncode == 1
        assert f"stage:{stage}/act:stalls: no progress for 500 ms" in stderr
        document = parse(out.read_text())
        assert "error_occurred" in rows_of(document, "stalls")[0]
        assert len(rows_of(document, "behaviour:ok")) == 4
        wait_until(lambda: processes_with(mark) == [])

    def test_it_cannot_be_started_by_a_stranger(self):
        done = run("--copybench_serve_case=1")
        assert (done.returncode, done.stdout) == (1, "")
        done = run("--copybench_serve_case=me")
        assert done.returncode == 2
        assert "--copybench_serve_case" in done.stderr


class TestSignals:
    def start_hanging(self, mark, out):
        process = start(mark, out, "fake_process/stage:sample/act:stalls")
        wait_until(lambda: len(processes_with(mark)) == 2)
        time.sleep(0.3)
        return process

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_the_results_are_whole_and_no_process_is_left(self, mark, out, number):
        process = self.start_hanging(mark, out)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=20)
        assert process.returncode == 128 + number
        assert f"ended by {number.name} in fake_process" in stderr
        assert len(rows_of(parse(out.read_text()), "behaviour:ok")) == 4
        wait_until(lambda: processes_with(mark) == [])

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_a_signal_for_both_is_the_parents(self, mark, out, number):
        process = self.start_hanging(mark, out)
        (child,) = [pid for pid in processes_with(mark) if pid != process.pid]
        os.kill(child, number)
        time.sleep(0.2)
        assert process.poll() is None
        assert child in processes_with(mark)
        process.send_signal(number)
        process.communicate(timeout=20)
        assert process.returncode == 128 + number
        assert len(rows_of(parse(out.read_text()), "behaviour:ok")) == 4

    def test_killed_without_warning_it_takes_the_process_along(self, mark, out):
        process = self.start_hanging(mark, out)
        process.kill()
        process.communicate(timeout=20)
        wait_until(lambda: processes_with(mark) == [])

    def test_one_that_is_killed_from_outside_fails_its_case(self, mark, out):
        process = self.start_hanging(mark, out)
        (child,) = [pid for pid in processes_with(mark) if pid != process.pid]
        os.kill(child, signal.SIGKILL)
        _, stderr = process.communicate(timeout=20)
        assert process.returncode == 1
        (line,) = our_lines(stderr)
        assert line.endswith("the process of its own ended: signal 9 (Killed)")
