# SPDX-License-Identifier: Apache-2.0
"""Runs that are kept: tools/record and the index, baselines in a folder, tools/history, and tools/export."""

import gzip
import json
import math
import subprocess
import sys

import numpy as np
import pytest
import runs.record
from comparison.tool import main as compare
from history.changes import change_points, levels, points
from history.tool import main as history
from made_runs import CASE, FIRST, QUIET, SECOND, SOURCE, failed, result, rows, scaled, write
from runs.file import read_run
from runs.index import COLUMNS, INDEX, RESULTS, index_text

TOOLS = SOURCE / "tools"
BAD_INPUT = 3


def run(tool, *words):
    return subprocess.run(
        [sys.executable, TOOLS / tool, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def one_line(done, tool):
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert done.stderr.startswith(f"tools/{tool}: ")
    assert done.stderr.count("\n") == 1


class TestRecord:
    @pytest.fixture(autouse=True)
    def results(self, tmp_path):
        """What is not there is not made."""
        (tmp_path / "results").mkdir()

    def test_a_run_is_filed_and_indexed(self, tmp_path):
        path = write(tmp_path / "mine.json", result([rows(FIRST, QUIET), failed(SECOND)]))
        done = run("record", path, "--results", tmp_path / "results")
        assert done.returncode == 0, done.stderr
        filed = tmp_path / "results" / "some-gpu" / "2026-01-02" / "quick-030405.json"
        assert filed.read_bytes() == (tmp_path / "mine.json").read_bytes()
        header, line = (tmp_path / "results" / INDEX).read_text(encoding="utf-8").splitlines()
        facts = dict(zip(header.split("\t"), line.split("\t"), strict=True))
        assert list(facts) == COLUMNS
        assert facts | {"sha256": ""} == {
            "date": "2026-01-02T03:04:05+00:00", "file": "some-gpu/2026-01-02/quick-030405.json", "sha256": "",
            "profile": "quick", "cases": "2", "repetitions": "9", "failing": "1", "gpu": "Some GPU", "driver": "580.1",
            "cuda": "13.0", "commit": "0" * 40, "dirty": "unknown", "flags": "--copybench_profile=quick",
        }  # fmt: skip

    def test_large_ones_are_compressed_and_the_same_each_time(self, tmp_path):
        large = result({f"family/case:{index}": QUIET for index in range(120)})
        path = write(tmp_path / "mine.json", large)
        packed = []
        for folder in ("a", "b"):
            (tmp_path / folder).mkdir()
            assert run("record", path, "--results", tmp_path / folder, "--name", "mine").returncode == 0
            packed.append((tmp_path / folder / "some-gpu" / "2026-01-02" / "mine.json.gz").read_bytes())
        assert packed[0] == packed[1]
        # Bytes 4 to 8 of gzip are the time of the file.
        assert packed[0][4:8] == bytes(4)
        assert json.loads(gzip.decompress(packed[0])) == large

    def test_twice_is_once_and_nothing_is_written_over(self, tmp_path):
        first = write(tmp_path / "first.json", result({FIRST: QUIET}))
        other = write(tmp_path / "other.json", result({FIRST: scaled(QUIET, 2)}))
        place = ("--results", tmp_path / "results")
        assert run("record", first, *place).returncode == 0
        again = run("record", first, *place)
        assert (again.returncode, "is there already" in again.stdout) == (0, True)
        one_line(run("record", other, *place), "record")
        assert run("record", other, *place, "--name", "other").returncode == 0
        assert len((tmp_path / "results" / INDEX).read_text(encoding="utf-8").splitlines()) == 3

    @pytest.mark.parametrize(("script", "status"), [("echo report of $1 >&2", 0), ("exit 2", BAD_INPUT)])
    def test_its_report_is_made_beside_it(self, tmp_path, monkeypatch, capfd, script, status):
        tool = tmp_path / "report"
        tool.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        tool.chmod(0o755)
        monkeypatch.setattr(runs.record, "REPORT", tool)
        path = write(tmp_path / "mine.json", result({FIRST: QUIET}))
        filed = tmp_path / "results" / "some-gpu" / "2026-01-02" / "quick-030405.json"
        assert runs.record.main("", [path, "--report", "--results", str(tmp_path / "results")]) == status
        assert (filed.exists(), (tmp_path / "results" / INDEX).exists()) == (True, True)
        printed = capfd.readouterr().err
        assert (f"report of {filed}" if status == 0 else "report failed with status 2") in printed

    def test_simulated_is_no_result(self, tmp_path):
        path = write(tmp_path / "a.json", result({FIRST: QUIET}, simulated="true"))
        one_line(run("record", path, "--results", tmp_path / "results"), "record")
        assert list((tmp_path / "results").iterdir()) == []
        assert run("record", path, "--results", tmp_path / "results", "--simulated").returncode == 0
        (filed,) = (tmp_path / "results" / "simulated" / "2026-01-02").iterdir()
        assert filed.name == "quick-030405.simulated.json"
        assert "simulated" not in (tmp_path / "results" / INDEX).read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("facts", "said"),
        [
            ({"profile": None}, "no profile"),
            ({"gpu_name": None}, "does not say of which GPU it is\n"),
            ({"gpu_name": "../.."}, "does not say of which GPU it is\n"),
            ({"date": None}, "does not say of which day it is\n"),
            ({"date": "../../etc"}, "does not say of which day it is\n"),
            ({"date": "yesterday", "gpu_name": None}, "does not say of which GPU and of which day it is\n"),
        ],
    )
    def test_a_run_that_says_too_little(self, tmp_path, facts, said):
        path = write(tmp_path / "a.json", result({FIRST: QUIET}, **facts))
        done = run("record", path, "--results", tmp_path / "results")
        one_line(done, "record")
        assert said in done.stderr
        assert list((tmp_path / "results").iterdir()) == []

    @pytest.mark.parametrize("folder", ["nowhere", "nowhere/deep", "a.json", "a.json/x", "x" * 300])
    @pytest.mark.parametrize("words", [["--index"], ["a.json"], ["a.json", "--simulated"]])
    def test_no_folder_is_made_but_those_of_the_gpu_and_the_day(self, tmp_path, folder, words):
        write(tmp_path / "a.json", result({FIRST: QUIET}))
        before = sorted(tmp_path.rglob("*"))
        words = [tmp_path / word if word.endswith(".json") else word for word in words]
        done = run("record", *words, "--results", tmp_path / folder)
        one_line(done, "record")
        assert f"--results={tmp_path / folder}: " in done.stderr
        assert sorted(tmp_path.rglob("*")) == before

    @pytest.mark.parametrize("words", [[], ["--fast"], ["no-such.json"], ["a.json", "--name", "../x"]])
    def test_bad_usage(self, tmp_path, words):
        write(tmp_path / "a.json", result({FIRST: QUIET}))
        one_line(
            run("record", *[tmp_path / word if word.endswith(".json") else word for word in words]), "record"
        )

    def test_the_index_is_of_what_is_there(self):
        """If it is not: tools/record --index."""
        assert (RESULTS / INDEX).read_text(encoding="utf-8") == index_text(RESULTS)


class TestBaseline:
    def filed(self, tmp_path, name, factor=1, **facts):
        large, small = CASE.format(1 << 24), CASE.format(4)
        rates = [1e10 * (1 + step / 1000) for step in range(9)]
        cases = [rows(large, scaled(QUIET, factor), bytes_per_second=scaled(rates, 1 / factor)),
                 rows(small, scaled(QUIET, factor))]  # fmt: skip
        return write(tmp_path / name, result(cases, **facts))

    def compare(self, tmp_path, capsys, new):
        status = compare([str(tmp_path / "results"), new, "--no-compare-py", "--no-noise"])
        return status, capsys.readouterr()

    def test_the_latest_runs_of_the_same_profile_that_are_alike(self, tmp_path, capsys):
        for day, factor, facts in (
            ("01", 3, {}), ("02", 1, {}), ("02", 1.001, {}), ("03", 5, {"profile": "full"}),
        ):  # fmt: skip
            commit = {"git_commit": day * 20, "date": f"2026-01-{day}T00:00:00"}
            self.filed(tmp_path, f"results/{day}/run-{factor}.json", factor, **commit | facts)
        (tmp_path / "results" / "other.json").write_text('{"no": "result"}', encoding="utf-8")
        status, printed = self.compare(tmp_path, capsys, self.filed(tmp_path, "new.json", 1.0005))
        assert (status, "2 same" in printed.out) == (0, True)
        assert "BASE: 2 runs: " in printed.err
        assert self.compare(tmp_path, capsys, self.filed(tmp_path, "new.json", 1.5))[0] == 1

    def test_another_machine_gets_hints_and_no_verdict(self, tmp_path, capsys):
        self.filed(tmp_path, "results/run.json")
        status, printed = self.compare(
            tmp_path, capsys, self.filed(tmp_path, "new.json", 2, gpu_name="Other GPU")
        )
        assert status == 0
        assert "gpu_name: Some GPU -> Other GPU" in printed.out
        byte, call = printed.out.split("Per byte")[1].split("Per call")
        assert "1 of 1 cases are slower" in byte
        assert all(word in byte for word in ("10 GB/s", "5.02 GB/s", "2.00"))
        assert "1 of 1 cases are slower" in call
        assert all(word in call for word in ("100 us", "200 us", "2.00"))

    def test_what_is_slower_than_its_machine(self, tmp_path, capsys):
        """Twice as slow on a machine whose pinned copies are: its own link is the reason, and not for the other case."""
        pinned = (
            "host_blocking/api:memcpy_async/dir:h2d/mem:pinned/stream:nonblocking/queue:idle/bytes:268435456"
        )
        slow, fast = (pinned.replace("pinned", kind) for kind in ("pageable", "registered"))
        rates = [1e10 * (1 + step / 1000) for step in range(9)]
        runs = [
            result(
                [rows(name, QUIET, bytes_per_second=scaled(rates, 1 / factor)) for name, factor in factors],
                gpu_name=gpu,
            )
            for gpu, factors in (
                ("A", ((pinned, 1), (slow, 1), (fast, 1))),
                ("B", ((pinned, 2), (slow, 8), (fast, 2))),
            )
        ]
        files = [write(tmp_path / f"{name}.json", each) for name, each in zip("ab", runs, strict=True)]
        assert compare([*files, "--hints"]) == 0
        lines = {
            line.split()[0]: line.split()[-3:]
            for line in capsys.readouterr().out.splitlines()
            if line.startswith("host")
        }
        assert lines == {
            pinned: ["2.00", "2.00", "1.00"],
            slow: ["8.00", "2.00", "4.00"],
            fast: ["2.00", "2.00", "1.00"],
        }

    def test_a_folder_without_runs(self, tmp_path, capsys):
        (tmp_path / "results").mkdir()
        status, printed = self.compare(tmp_path, capsys, self.filed(tmp_path, "new.json"))
        assert (status, printed.out, printed.err.count("\n")) == (BAD_INPUT, "", 1)


class TestHistory:
    @staticmethod
    def file_runs(tmp_path, factors, noise=0.004, **facts):
        generator = np.random.default_rng(7)
        for index, factor in enumerate(factors):
            times = (1e5 * factor * np.exp(generator.normal(0, noise, 9))).tolist()
            when = {"date": f"2026-02-{index + 1:02}T00:00:00", "git_commit": f"{index:040}"}
            write(tmp_path / "runs" / f"{index:02}.json", result({FIRST: times}, **when, **facts))
        return [read_run(path) for path in sorted((tmp_path / "runs").iterdir())]

    @pytest.mark.parametrize(
        ("factors", "changes"),
        [
            ([1] * 12, []),
            ([1] * 6 + [1.1] * 6, [6]),
            ([1] * 4 + [0.8] * 4 + [1] * 4, [4, 8]),
            # One run alone is an outlier.
            ([1] * 6 + [1.5] + [1] * 5, []),
            ([1] * 8 + [1.5], []),
            ([1, 1, 2], []),
        ],
    )
    def test_where_it_changed(self, tmp_path, factors, changes):
        found = points(self.file_runs(tmp_path, factors), FIRST)
        assert change_points(found, FIRST) == changes
        medians = [level for _, _, level in levels(found, changes)]
        expected = [1e5 * factors[first] for first in [0, *changes]]
        assert medians == pytest.approx(expected, rel=0.01)

    def test_noise_is_no_change(self, tmp_path):
        found = points(self.file_runs(tmp_path, [1, 1.1, 0.95, 1.05, 0.9, 1.1, 1, 0.97], noise=0.15), FIRST)
        assert change_points(found, FIRST) == []

    def test_the_table_and_the_picture(self, tmp_path, capsys):
        self.file_runs(tmp_path, [1] * 4 + [1.5] * 4)
        words = [FIRST, "--results", str(tmp_path / "runs")]
        for name in ("a.svg", "b.png"):
            assert history([*words, "--out", str(tmp_path / name)]) == 0
        printed = capsys.readouterr().out
        assert "1 changes\n  +50." in printed
        assert (tmp_path / "a.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")
        assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")

    def test_measured_and_simulated_and_gpus_do_not_mix(self, tmp_path, capsys):
        self.file_runs(tmp_path, [1])
        write(tmp_path / "runs" / "other.json", result({FIRST: QUIET}, gpu_name="Other"))
        write(tmp_path / "runs" / "sim.json", result({FIRST: QUIET}, simulated="true"))
        words = [FIRST, "--results", str(tmp_path / "runs"), "--out", str(tmp_path / "a.svg")]
        assert history(words) == BAD_INPUT
        assert "expected runs of one GPU" in capsys.readouterr().err
        assert history([*words, "--gpu", "Other"]) == 0

    @pytest.mark.parametrize("words", [[], ["no/such:case"], [FIRST, "--out", "a.txt"], [FIRST, "--results", "/no/such"],
                                       [FIRST, "--out", "/no/such/folder/a.svg"], ["\x1b[31m"]])  # fmt: skip
    def test_bad_usage(self, tmp_path, capsys, words):
        self.file_runs(tmp_path, [1])
        status = history([*words, "--results", str(tmp_path / "runs")])
        printed = capsys.readouterr()
        assert (status, printed.err.count("\n")) == (BAD_INPUT, 1)
        assert printed.err.strip().isprintable()


class TestExport:
    CASES = (
        rows(FIRST, [5.0, 1.0, 2.0, 4.0, 3.0], "async", bytes_per_second=[1e9, 5e9, 2e9, 4e9, 3e9]),
        rows("dependent_copy/strategy:stale/metric:x", QUIET, correct=0.0),
        rows("harness_floor/operation:nothing/queue:idle", QUIET),
        failed(SECOND),
    )

    def export(self, tmp_path, *words, **facts):
        done = run("export", write(tmp_path / "a.json", result(self.CASES, **facts)), *words)
        assert done.returncode == 0, done.stderr
        assert "1 cases; left out: 3, of which 1 failed" in done.stderr
        return json.loads(done.stdout)

    def test_github_action_benchmark(self, tmp_path):
        """The quartiles of 1 to 5 are 2 and 4."""
        assert self.export(tmp_path, "--format", "github-action-benchmark") == [
            {
                "name": FIRST, "unit": "ns", "value": 3, "range": "± 1",
                "extra": "repetitions: 5\nverdict: async\nGPU: Some GPU\ndriver: 580.1",
            }
        ]  # fmt: skip

    def test_bencher(self, tmp_path):
        assert self.export(tmp_path, "--format", "bencher") == {
            FIRST: {
                "latency": {"value": 3, "lower_value": 2, "upper_value": 4},
                "bytes-per-second": {"value": 3e9, "lower_value": 2e9, "upper_value": 4e9},
            }
        }

    def test_a_run_on_an_h200(self, tmp_path):
        out = tmp_path / "out.json"
        source = SOURCE / "results" / "nvidia-h200" / "2026-11-30-b" / "quick-a.json"
        done = run("export", source, "--format", "bencher", "--cases", "^to_device/", "--out", out)
        assert (done.returncode, done.stdout) == (0, "")
        document = json.loads(out.read_text(encoding="utf-8"))
        assert len(document) > 20
        for name, measures in document.items():
            assert name.startswith("to_device/")
            assert len(name) <= 1024
            latency = measures["latency"]
            assert 0 < latency["lower_value"] <= latency["value"] <= latency["upper_value"] < math.inf

    @pytest.mark.parametrize("words", [[], ["--format", "csv"], ["--format", "bencher", "--cases", "("],
                                       ["--format", "bencher", "--cases", "nothing"]])  # fmt: skip
    def test_bad_usage(self, tmp_path, words):
        one_line(run("export", write(tmp_path / "a.json", result(self.CASES)), *words), "export")

    def test_simulated_is_refused(self, tmp_path):
        path = write(tmp_path / "a.json", result(self.CASES, simulated="true"))
        one_line(run("export", path, "--format", "bencher"), "export")
        assert run("export", path, "--format", "bencher", "--simulated").returncode == 0


@pytest.mark.parametrize("tool", ["record", "export"])
def test_help_is_the_usage(tool):
    done = run(tool, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: tools/{tool} ")
