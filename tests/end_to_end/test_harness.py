# SPDX-License-Identifier: Apache-2.0
"""The process around the cases: exit statuses, output, signals, failures, driven through copybench_fake_suite."""

import json
import os
import pty
import random
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

SUITE = os.environ["COPYBENCH_FAKE_SUITE"]
# Counters of what else ran on the machine: no two runs need agree on them.
OF_THE_NEIGHBOURS = {"cpu_time", "cpu", "discarded_batches", "disturbed_batches"}
FIELDS_OF_A_ROW = [
    "name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions",
    "repetition_index", "threads", "iterations", "real_time", "cpu_time", "time_unit",
]  # fmt: skip


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def parse(text):
    def no_duplicates(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), keys
        return dict(pairs)

    return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_duplicates)


def clean_environment(extra=None):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("BENCHMARK_")}
    return kept | (extra or {})


def run(*arguments, env=None, **options):
    return subprocess.run(
        [SUITE, *arguments],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=60,
        env=clean_environment(env),
        **options,
    )


def start(*arguments, **options):
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([SUITE, *arguments], env=clean_environment(), **(pipes | options))


def rows_of(document, part=""):
    return [row for row in document["benchmarks"] if row["run_type"] == "iteration" and part in row["name"]]


def our_lines(stderr):
    return [line for line in stderr.splitlines() if line.startswith("copybench: ")]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.json"


class TestGoodRun:
    def test_passes_and_writes_whole_json(self, out):
        done = run("--benchmark_filter=behaviour:ok", f"--benchmark_out={out}")
        assert done.returncode == 0
        assert our_lines(done.stderr) == []
        document = parse(out.read_text())
        assert len(rows_of(document)) == 4
        assert "ended_early" not in document["context"]
        assert document["context"]["gpu_name"] == "fake"
        assert document["context"]["profile"] == "full"
        assert document["context"]["skipped"] == "none"
        assert [file.name for file in out.parent.iterdir()] == ["out.json"]

    def test_names_are_those_that_filters_see(self, out):
        run("--benchmark_filter=samples:10$", f"--benchmark_out={out}")
        assert [row["name"] for row in parse(out.read_text())["benchmarks"]] == [
            "fake/behaviour:ok/samples:10"
        ]

    def test_one_repetition_is_one_batch_and_its_time_the_median(self, out):
        run("--benchmark_filter=samples:99$", f"--benchmark_out={out}")
        (row,) = parse(out.read_text())["benchmarks"]
        assert row["iterations"] == 1
        assert row["samples"] == 99
        assert row["real_time"] == pytest.approx(50_000)
        assert row["blocked_p50_ns"] == 50_000
        assert row["completion_p50_ns"] == 150_000
        assert row["max_ns"] == 99_000
        assert row["label"] == "async"

    @pytest.mark.parametrize(
        ("samples", "p90", "p99"),
        [(9, None, None), (10, 9_000, None), (99, 90_000, None), (100, 90_000, 99_000)],
    )
    def test_percentiles_need_samples(self, out, samples, p90, p99):
        run(f"--benchmark_filter=behaviour:ok/samples:{samples}$", f"--benchmark_out={out}")
        (row,) = parse(out.read_text())["benchmarks"]
        assert row.get("p90_ns") == p90
        assert row.get("p99_ns") == p99

    @pytest.mark.parametrize("interleaving", ["true", "false"])
    def test_repetitions_and_aggregates_are_json(self, out, interleaving):
        run(
            "--benchmark_filter=behaviour:ok",
            "--benchmark_repetitions=5",
            f"--benchmark_enable_random_interleaving={interleaving}",
            f"--benchmark_out={out}",
        )
        document = parse(out.read_text())
        assert len(rows_of(document)) == 20
        names = {row["name"] for row in document["benchmarks"] if row["run_type"] == "aggregate"}
        assert "fake/behaviour:ok/samples:10_median" in names

    def test_json_on_standard_output_is_the_same(self, out):
        done = run("--benchmark_filter=behaviour:ok", "--benchmark_format=json", f"--benchmark_out={out}")
        assert [row["name"] for row in parse(done.stdout)["benchmarks"]] == [
            row["name"] for row in parse(out.read_text())["benchmarks"]
        ]

    def test_a_case_of_two_sweeps_runs_once(self):
        done = run("--benchmark_filter=samples:10$", "--benchmark_format=json")
        assert len(parse(done.stdout)["benchmarks"]) == 1

    def test_more_iterations_are_more_batches(self, out):
        run("--benchmark_filter=samples:10$", "--benchmark_min_time=0.0001", f"--benchmark_out={out}")
        (row,) = parse(out.read_text())["benchmarks"]
        assert row["iterations"] > 1
        assert row["samples"] == 10 * row["iterations"]
        assert row["real_time"] == pytest.approx(5_500)

    def test_text_output(self, tmp_path):
        file = tmp_path / "out.txt"
        done = run(
            "--benchmark_filter=samples:10$", "--benchmark_out_format=console", f"--benchmark_out={file}"
        )
        assert done.returncode == 0
        assert "fake/behaviour:ok/samples:10 " in file.read_text()

    def test_the_environment_sets_flags_too(self, out):
        done = run(env={"BENCHMARK_FILTER": "samples:10$", "BENCHMARK_OUT": str(out)})
        assert done.returncode == 0
        assert len(parse(out.read_text())["benchmarks"]) == 1


class TestListing:
    def test_lists_names_without_a_device(self):
        done = run(
            "--benchmark_list_tests", "--benchmark_filter=fake/.*ok", env={"COPYBENCH_FAKE_DEVICE": "none"}
        )
        assert done.returncode == 0
        assert done.stdout.splitlines() == [
            f"fake/behaviour:ok/samples:{count}" for count in (9, 10, 99, 100)
        ]

    def test_lists_what_cannot_run_here(self):
        done = run("--copybench_list_skipped")
        assert done.returncode == 0
        reasons = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        assert list(reasons) == [
            "fake_large/mem:pageable/bytes:1099511627776",
            "fake_large/mem:managed/bytes:2147483648",
            "fake_large/mem:managed/bytes:1099511627776",
            "fake_large/mem:device/bytes:1099511627776",
        ]
        assert reasons["fake_large/mem:pageable/bytes:1099511627776"].startswith("too little host memory")
        assert reasons["fake_large/mem:device/bytes:1099511627776"].startswith("too little device memory")

    def test_the_context_lists_it_too(self, out):
        done = run("--benchmark_filter=fake_large", f"--benchmark_out={out}")
        assert done.returncode == 0
        document = parse(out.read_text())
        assert len(document["benchmarks"]) == 5
        assert "fake_large/mem:managed/bytes:2147483648: more than" in document["context"]["skipped"]

    def test_a_filter_that_matches_only_skipped_cases(self, out):
        done = run("--benchmark_filter=bytes:1099511627776", f"--benchmark_out={out}")
        assert done.returncode == 0
        assert len(our_lines(done.stderr)) == 3
        assert parse(out.read_text())["benchmarks"] == []

    def test_help(self):
        done = run("--help")
        assert done.returncode == 0
        assert "--copybench_axis" in done.stdout
        assert "--benchmark_filter" in done.stdout

    def test_version(self):
        done = run("--version")
        assert done.returncode == 0
        assert "git_commit: " in done.stdout


class TestUsage:
    @pytest.mark.parametrize(
        "argument",
        [
            "--copybench_profil=quick",
            "--copybench_profile=fast",
            "--copybench_watchdog=soon",
            "--copybench_axis=size:4",
            "--copybench_axis=mem:rom",
            "--copybench_device=7",
            "--copybench_device=1e9",
            "--benchmark_novelty=1",
            "--benchmark_filter=nothing_like_this",
            "--benchmark_filter=(",
            "--benchmark_format=xyz",
            "--benchmark_format=csv",
            "--benchmark_repetitions=abc",
            "--benchmark_repetitions=0",
            "--benchmark_min_time=x",
            "--benchmark_color=",
            "--benchmark_context=gpu_name=better",
            "--benchmark_context=date=never",
            "--benchmark_context=a=\udcff",
            "--benchmark_out=",
            pytest.param("--benchmark_filter=" + "(" * 30000 + ")" * 30000, id="deep filter"),
            "stray",
        ],
    )
    def test_one_line_that_names_the_argument(self, argument):
        done = run(argument)
        assert done.returncode == 2
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert line.startswith("copybench: ")
        assert argument.split("=")[0] in line

    def test_an_empty_argument_is_visible(self):
        done = run("")
        assert done.returncode == 2
        assert done.stderr.startswith('copybench: "": unknown argument')

    def test_a_deep_filter_is_no_crash(self):
        done = run("--benchmark_filter=" + "(" * 2000 + "no_such_case" + ")" * 2000)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1

    def test_numbers_that_a_family_refuses_are_left_out(self):
        done = run("--benchmark_list_tests", "--copybench_axis=elements:2,9", "--benchmark_filter=fake_")
        assert done.returncode == 0
        names = done.stdout.splitlines()
        assert [name for name in names if "picky" in name] == ["fake_picky/elements:2"]
        assert any("fake_large" in name for name in names)

    def test_a_family_that_refuses_all_numbers(self):
        done = run("--copybench_axis=elements:9", "--benchmark_filter=fake_picky")
        assert done.returncode == 2
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert "--copybench_axis: " in line
        assert "elements: expected at most 4" in line

    def test_hints_at_the_full_profile(self):
        done = run("--copybench_profile=quick", "--benchmark_filter=samples:99")
        assert done.returncode == 2
        assert done.stderr.rstrip().endswith("--copybench_profile=full has some")

    @pytest.mark.parametrize(
        ("arguments", "blamed"),
        [
            (["--copybench_axis=behaviour:ok", "--benchmark_filter=hang"], "--copybench_axis and --benchmark_filter=hang"),
            (["--copybench_axis=behaviour:ok", "--benchmark_filter=nowhere"], "--benchmark_filter=nowhere"),
            (["--benchmark_filter=nowhere"], "--benchmark_filter=nowhere"),
        ],
    )  # fmt: skip
    def test_a_choice_that_leaves_nothing(self, arguments, blamed):
        done = run("--copybench_profile=full", *arguments)
        assert done.returncode == 2
        assert done.stderr == f"copybench: {blamed}: no case of the full profile matches\n"

    def test_an_axis_narrows(self):
        done = run(
            "--benchmark_list_tests",
            "--copybench_axis=behaviour:ok",
            "--copybench_axis=samples:7",
            "--benchmark_filter=fake/",
        )
        assert done.stdout.splitlines() == ["fake/behaviour:ok/samples:7"]

    def test_an_output_path_through_links(self, tmp_path, out):
        link, loop = tmp_path / "link", tmp_path / "loop"
        link.symlink_to("out.json")
        loop.symlink_to("loop")
        assert run("--benchmark_filter=samples:10$", f"--benchmark_out={link}").returncode == 0
        assert link.is_symlink()
        parse(out.read_text())
        done = run("--benchmark_filter=samples:10$", f"--benchmark_out={loop}")
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert f"--benchmark_out={loop}: " in line

    def test_a_pipe_without_a_reader(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        done = run("--benchmark_filter=samples:10$", f"--benchmark_out={pipe}")
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert f"--benchmark_out={pipe}: " in line

    @pytest.mark.parametrize("path", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    def test_standard_output_in_a_file_is_not_replaced(self, tmp_path, path):
        log = tmp_path / "log"
        with log.open("w") as file:
            done = subprocess.run(
                [SUITE, "--benchmark_filter=samples:10$", f"--benchmark_out={path}"],
                stdout=file,
                stderr=subprocess.PIPE,
                text=True,
                timeout=30,
                env=clean_environment(),
            )
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert "--benchmark_format=json" in line
        assert log.read_text() == ""
        assert [entry.name for entry in tmp_path.iterdir()] == ["log"]

    @pytest.mark.parametrize("name", ["", "missing/out.json"])
    def test_an_output_path_that_cannot_be(self, tmp_path, name):
        done = run(f"--benchmark_out={tmp_path}/{name}", "--benchmark_filter=behaviour:ok")
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert "--benchmark_out=" in line
        assert list(tmp_path.iterdir()) == []

    def test_no_device(self):
        done = run("--benchmark_filter=behaviour:ok", env={"COPYBENCH_FAKE_DEVICE": "none"})
        assert done.returncode == 3
        (line,) = done.stderr.splitlines()
        assert "no NVIDIA driver" in line
        assert "copybench_sim" in line


@pytest.mark.parametrize("interleaving", ["true", "false"])
class TestFailingCases:
    def measure(self, out, interleaving, behaviour, repetitions=5):
        done = run(
            f"--benchmark_filter=behaviour:(ok|{behaviour})/",
            f"--benchmark_repetitions={repetitions}",
            f"--benchmark_enable_random_interleaving={interleaving}",
            f"--benchmark_out={out}",
        )
        return done, parse(out.read_text())

    @pytest.mark.parametrize(
        ("behaviour", "good", "message"),
        [
            ("wrong_first", 0, "1 wrong bytes"),
            ("cuda_error_first", 0, "cudaMemcpyAsync: cudaErrorInvalidValue"),
            ("infinite_counter", 0, "counter always_zero"),
            ("wrong_third", 2, "1 wrong bytes"),
            ("odd_exception_third", 2, "unknown type"),
        ],
    )
    def test_fails_for_good_and_the_others_run(self, out, interleaving, behaviour, good, message):
        done, document = self.measure(out, interleaving, behaviour)
        assert done.returncode == 1
        (line,) = our_lines(done.stderr)
        assert behaviour in line and message in line
        rows = rows_of(document, behaviour)
        assert [row["repetition_index"] for row in rows] == list(range(5))
        assert ["error_occurred" in row for row in rows] == [index >= good for index in range(5)]
        assert all(message in row["error_message"] for row in rows[good:])
        assert len(rows_of(document, "behaviour:ok")) == 20
        assert not any("error_occurred" in row for row in rows_of(document, "behaviour:ok"))

    @pytest.mark.parametrize(("behaviour", "good"), [("lost_context", 0), ("lost_context_third", 2)])
    def test_a_lost_context_ends_the_run(self, out, interleaving, behaviour, good):
        done, document = self.measure(out, interleaving, behaviour)
        assert done.returncode == 1
        rows = rows_of(document, behaviour)
        assert ["error_occurred" in row for row in rows] == [False] * good + [True]
        assert "context was lost" in document["context"]["ended_early"]
        assert [file.name for file in out.parent.iterdir()] == ["out.json"]


class TestWatchdog:
    @pytest.mark.parametrize(("behaviour", "good"), [("hang", 0), ("hang_third", 2)])
    def test_names_the_case_and_keeps_the_rows(self, out, behaviour, good):
        done = run(
            f"--benchmark_filter=behaviour:(ok|{behaviour})/",
            "--benchmark_repetitions=4",
            "--copybench_watchdog=0.5",
            f"--benchmark_out={out}",
        )
        assert done.returncode == 1
        assert f"behaviour:{behaviour}/" in done.stderr
        document = parse(out.read_text())
        rows = rows_of(document, behaviour)
        assert ["error_occurred" in row for row in rows] == [False] * good + [True]
        assert "no progress" in rows[-1]["error_message"]
        assert len(rows_of(document, "behaviour:ok")) == 16

    def test_leaves_a_slow_case_alone(self):
        done = run(
            "--benchmark_filter=behaviour:slow", "--copybench_watchdog=0.3", "--benchmark_repetitions=10"
        )
        assert done.returncode == 0


class TestShape:
    """A run that was cut short is read by the same tools."""

    def test_rows_are_the_same(self, tmp_path):
        whole, short = tmp_path / "whole.json", tmp_path / "short.json"
        run("--benchmark_filter=samples:100$", f"--benchmark_out={whole}")
        run("--benchmark_filter=(samples:100|lost_context/.*)$", f"--benchmark_out={short}")
        whole_document, short_document = parse(whole.read_text()), parse(short.read_text())
        (row,) = whole_document["benchmarks"]
        same = short_document["benchmarks"][0]
        assert list(row) == list(same)
        assert list(row)[: len(FIELDS_OF_A_ROW)] == FIELDS_OF_A_ROW
        for key in set(row) - OF_THE_NEIGHBOURS:
            assert row[key] == (pytest.approx(same[key]) if isinstance(same[key], float) else same[key]), key
        assert set(short_document["context"]) - set(whole_document["context"]) == {"ended_early"}
        assert set(whole_document["context"]) - set(short_document["context"]) == set()

    def test_error_rows_are_the_same(self, tmp_path):
        whole, short = tmp_path / "whole.json", tmp_path / "short.json"
        run("--benchmark_filter=wrong_first", f"--benchmark_out={whole}")
        run("--benchmark_filter=lost_context/", f"--benchmark_out={short}")
        (row,) = parse(whole.read_text())["benchmarks"]
        (same,) = parse(short.read_text())["benchmarks"]
        assert list(row) == list(same)
        assert row["iterations"] == same["iterations"] == 1
        assert row["real_time"] == same["real_time"] == 0

    def test_probes_are_no_rows(self, out):
        done = run(
            "--benchmark_filter=(samples:10|lost_context_third/.*)$",
            "--benchmark_repetitions=3",
            "--benchmark_min_time=0.0001",
            f"--benchmark_out={out}",
        )
        assert done.returncode == 1
        rows = rows_of(parse(out.read_text()), "samples:10")
        assert [row["repetition_index"] for row in rows] == [0, 1, 2]
        assert len({row["iterations"] for row in rows}) == 1
        assert rows[0]["iterations"] > 1


class TestSignals:
    @pytest.mark.parametrize(
        ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
    )
    def test_keeps_the_finished_rows(self, out, number, status):
        process = start(
            "--benchmark_filter=behaviour:(ok|slow)", "--benchmark_repetitions=1000", f"--benchmark_out={out}"
        )
        time.sleep(1.5)
        assert not out.exists()
        process.send_signal(number)
        _, stderr = process.communicate(timeout=20)
        assert process.returncode == status
        assert number.name in stderr
        document = parse(out.read_text())
        assert document["context"]["ended_early"].startswith(f"ended by {number.name}")
        assert len(rows_of(document)) > 0
        assert [file.name for file in out.parent.iterdir()] == ["out.json"]

    def test_at_random_moments(self, out):
        random.seed(0)
        for attempt in range(25):
            out.unlink(missing_ok=True)
            number = random.choice([signal.SIGINT, signal.SIGTERM])
            process = start(
                "--benchmark_filter=behaviour:(ok|slow)",
                "--benchmark_repetitions=3",
                "--benchmark_enable_random_interleaving=true",
                f"--benchmark_out={out}",
            )
            time.sleep(random.uniform(0.03, 0.7))
            process.send_signal(number)
            process.communicate(timeout=20)
            # A negative status is a signal before main or after the end of the run.
            assert process.returncode in (0, 128 + number, -number), attempt
            if out.exists():
                document = parse(out.read_text())
                is_whole = len(rows_of(document)) == 15
                assert is_whole or "ended_early" in document["context"]
            else:
                assert process.returncode != 0
            assert [file.name for file in out.parent.iterdir()] in ([], ["out.json"])

    def test_twice_at_once(self, out):
        process = start(
            "--benchmark_filter=behaviour:slow", "--benchmark_repetitions=1000", f"--benchmark_out={out}"
        )
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        assert process.returncode in (130, 143)
        parse(out.read_text())

    def test_while_the_device_starts(self, out):
        process = subprocess.Popen(
            [SUITE, "--benchmark_filter=behaviour:ok", f"--benchmark_out={out}"],
            stderr=subprocess.PIPE,
            env=clean_environment({"COPYBENCH_FAKE_DEVICE": "slow"}),
        )
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=5)
        assert process.returncode == 130
        assert list(out.parent.iterdir()) == []

    def test_in_a_hanging_case(self, out):
        process = start("--benchmark_filter=behaviour:(ok|hang)/", f"--benchmark_out={out}")
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=5)
        assert process.returncode == 130
        assert "in fake/behaviour:hang/samples:5" in stderr
        assert len(rows_of(parse(out.read_text()))) == 4

    def test_json_on_standard_output_is_whole_too(self):
        process = start(
            "--benchmark_filter=behaviour:(ok|slow)",
            "--benchmark_repetitions=1000",
            "--benchmark_format=json",
            stdout=subprocess.PIPE,
        )
        time.sleep(1.5)
        process.send_signal(signal.SIGTERM)
        stdout, _ = process.communicate(timeout=20)
        assert process.returncode == 143
        assert "ended_early" in parse(stdout)["context"]

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_while_a_filter_takes_for_ever(self, out, number):
        process = start("--benchmark_filter=(.*)*(.*)*(.*)*x", f"--benchmark_out={out}")
        time.sleep(0.5)
        assert process.poll() is None
        process.send_signal(number)
        process.communicate(timeout=5)
        assert process.returncode == -number

    def test_while_nobody_reads_the_pipe_of_the_results(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = start(
            "--benchmark_filter=behaviour:ok", "--benchmark_repetitions=100", f"--benchmark_out={pipe}"
        )
        time.sleep(2)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=5)
        os.close(reader)
        assert process.returncode == 143
        assert our_lines(stderr) == ["copybench: ended by SIGTERM while the results were written"]

    def test_twice_while_nobody_reads_the_pipe_of_the_results(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = start(
            "--benchmark_filter=behaviour:(ok|slow)",
            "--benchmark_repetitions=100",
            "--benchmark_enable_random_interleaving=true",
            f"--benchmark_out={pipe}",
        )
        time.sleep(6)
        process.send_signal(signal.SIGTERM)
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=5)
        os.close(reader)
        assert process.returncode == 130
        assert our_lines(stderr)[-1] == "copybench: ended by SIGINT"

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_after_the_file_is_written(self, out, number):
        process = start(
            "--benchmark_filter=behaviour:ok",
            "--benchmark_repetitions=100",
            "--benchmark_format=json",
            f"--benchmark_out={out}",
            stdout=subprocess.PIPE,
        )
        time.sleep(2)
        assert out.exists()
        process.send_signal(number)
        process.wait(timeout=5)
        assert process.returncode == 128 + number
        assert our_lines(process.stderr.read()) == [
            f"copybench: ended by {number.name} while the results were written"
        ]
        process.stdout.close()
        process.stderr.close()
        assert "ended_early" not in parse(out.read_text())["context"]

    def test_nohup_is_respected(self, out):
        process = start(
            "--benchmark_filter=behaviour:slow",
            "--benchmark_repetitions=8",
            f"--benchmark_out={out}",
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        time.sleep(0.7)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=30)
        assert process.returncode == 0
        assert "ended_early" not in parse(out.read_text())["context"]


class TestOutput:
    def test_a_closed_pipe_does_not_lose_the_file(self, out):
        process = start(
            "--benchmark_filter=behaviour:(ok|slow)",
            "--benchmark_repetitions=3",
            f"--benchmark_out={out}",
            stdout=subprocess.PIPE,
        )
        process.stdout.close()
        process.wait(timeout=30)
        process.stderr.close()
        assert process.returncode == 0
        assert len(rows_of(parse(out.read_text()))) == 15

    def test_a_closed_pipe_ends_a_run_without_a_file(self):
        process = start(
            "--benchmark_filter=behaviour:(ok|slow)", "--benchmark_repetitions=100", stdout=subprocess.PIPE
        )
        process.stdout.close()
        _, stderr = process.communicate(timeout=30)
        assert process.returncode == 1
        assert "standard output" in our_lines(stderr)[0]

    @pytest.mark.parametrize("form", ["json", "console"])
    def test_full_standard_output(self, form):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [SUITE, "--benchmark_filter=samples:10$", f"--benchmark_format={form}"],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=30,
                env=clean_environment(),
            )
        assert done.returncode == 1
        assert "standard output" in our_lines(done.stderr)[0]

    def test_a_full_disk_leaves_what_was_there(self, out):
        out.write_text("older")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

        done = run("--benchmark_filter=behaviour:ok", f"--benchmark_out={out}", preexec_fn=limit)
        assert done.returncode == 1
        assert "--benchmark_out=" in our_lines(done.stderr)[0]
        assert out.read_text() == "older"
        assert [file.name for file in out.parent.iterdir()] == ["out.json"]

    def test_killed_without_warning_leaves_nothing(self, out):
        process = start(
            "--benchmark_filter=behaviour:slow", "--benchmark_repetitions=1000", f"--benchmark_out={out}"
        )
        time.sleep(1)
        process.kill()
        process.communicate(timeout=20)
        assert list(out.parent.iterdir()) == []

    @pytest.mark.parametrize(
        "argument", ["--benchmark_filter=samples:10$", "--benchmark_filter=lost_context/"]
    )
    def test_a_program_name_that_is_not_utf8(self, out, argument):
        subprocess.run(
            [b"copy\xffbench\x01", argument, f"--benchmark_out={out}"],
            executable=SUITE,
            capture_output=True,
            timeout=30,
            env=clean_environment(),
        )
        assert parse(out.read_bytes().decode())["context"]["executable"] == "copy?bench"

    def test_a_pipe_is_written_to(self):
        reader, writer = os.pipe()
        done = run("--benchmark_filter=samples:10$", f"--benchmark_out=/dev/fd/{writer}", pass_fds=[writer])
        os.close(writer)
        assert done.returncode == 0
        with os.fdopen(reader) as pipe:
            assert len(parse(pipe.read())["benchmarks"]) == 1

    def test_a_special_file_is_written_to(self):
        done = run("--benchmark_filter=samples:10$", "--benchmark_out=/dev/null")
        assert done.returncode == 0
        assert Path("/dev/null").is_char_device()


class TestProgress:
    def test_elsewhere_it_is_a_line_now_and_then(self):
        done = run("--benchmark_filter=behaviour:slow", "--benchmark_repetitions=5", "--copybench_progress")
        assert done.returncode == 0
        (line,) = our_lines(done.stderr)
        assert line.startswith("copybench: 0/5 (0 %)")
        assert "\r" not in done.stderr

    def test_on_a_terminal_it_is_written_over(self):
        ours, theirs = pty.openpty()
        process = start(
            "--benchmark_filter=behaviour:slow",
            "--benchmark_repetitions=5",
            "--benchmark_format=json",
            "--copybench_progress",
            stderr=theirs,
        )
        process.wait(timeout=30)
        os.close(theirs)
        text = os.read(ours, 65536).decode()
        os.close(ours)
        assert process.returncode == 0
        assert "\r\x1b[K0/5 (0 %)" in text
        assert any(f"\r\x1b[K{done}/5 " in text for done in range(1, 5))
        assert text.endswith("\r\x1b[K")


@pytest.mark.parametrize("closed", [1, 2])
def test_a_stream_that_is_closed_is_no_file_of_results(tmp_path, closed):
    """The next file to be opened would take its number, and the console's text would go there."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        done = subprocess.run(
            [
                "sh",
                "-c",
                f'exec "$0" "$@" {closed}>&-',
                SUITE,
                "--benchmark_filter=behaviour:ok",
                f"--benchmark_out={pipe}",
            ],
            capture_output=True,
            timeout=60,
        )
        text = reader.communicate(timeout=10)[0]
    assert done.returncode == 0
    assert json.loads(text)["benchmarks"]
