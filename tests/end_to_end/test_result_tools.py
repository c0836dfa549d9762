# SPDX-License-Identifier: Apache-2.0
"""The tools that read results, with results made by hand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
CASE = "host_blocking/api:memcpy_async/dir:{}/mem:{}/stream:nonblocking/queue:idle/bytes:{}"
FIRST = CASE.format("h2d", "pinned", 4)


def run(tool, *arguments):
    return subprocess.run(
        [sys.executable, TOOLS / tool, *arguments], capture_output=True, text=True, timeout=60
    )


def write(path, document):
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def result(rows, **context):
    return {"context": {"gpu_ordinal": "0", **context}, "benchmarks": rows}


def row(name, **values):
    return {"name": name, "run_name": name, "run_type": "iteration", "samples": 20, **values}


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize(
    ("tool", "files"), [("cupti_agreement", ["x.json"]), ("nvbandwidth_compare", ["n.json", "x.json"])]
)
class TestArguments:
    def test_help_is_the_usage(self, tool, files):
        done = subprocess.run([TOOLS / tool, "--help"], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"Usage: tools/{tool} ")

    @pytest.mark.parametrize("bad", [["--fast"], ["a", "b", "c"], []])
    def test_bad_usage(self, tool, files, bad):
        done = run(tool, *bad)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"tools/{tool}: ")
        assert done.stderr.count("\n") == 1

    def test_a_file_that_is_not_there(self, tool, files, tmp_path):
        done = run(tool, *[tmp_path / file for file in files])
        assert (done.returncode, done.stdout) == (2, "")
        assert "No such file" in done.stderr
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        "content",
        [
            "",
            "{",
            "[]",
            "3",
            "{}",
            '{"context": {}, "benchmarks": 3}',
            '{"context": [], "benchmarks": []}',
            '{"context": {}, "benchmarks": [{}]}',
            '{"context": {}, "benchmarks": []}',
            '{"context": {}, "benchmarks": [{"name": 3}]}',
            '{"nvbandwidth": {"testcases": [{}]}}',
            "[" * 200_000,
            '{"a":' * 200_000,
            '{"context": {}, "benchmarks": [{"name": "a", "run_name": null}]}',
            '{"context": {}, "benchmarks": [{"name": "\\ud800"}]}',
        ],
        ids=lambda content: content[:40],
    )
    def test_a_file_that_is_no_result(self, tool, files, content, tmp_path):
        done = run(tool, *[write(tmp_path / file, content) for file in files])
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(f"tools/{tool}: ")
        assert done.stderr.count("\n") == 1


NO_NUMBERS = [None, "7", [1], True, -1, float("nan"), float("inf"), 10**400]


@pytest.mark.parametrize("tool", ["cupti_agreement", "nvbandwidth_compare"])
@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: str(value)[:9])
def test_a_figure_that_is_no_number(tool, value, tmp_path):
    good = {"blocked_p50_ns": 1000, "cupti_p50_ns": 1000, "cupti_samples": 20, "bytes_per_second": 5e10}
    theirs = write(
        tmp_path / "n.json",
        {"nvbandwidth": {"testcases": [{"name": "host_to_device_memcpy_ce", "bandwidth_matrix": [["55"]]}]}},
    )
    files = [theirs] if tool == "nvbandwidth_compare" else []
    for key in (
        ["bytes_per_second"] if files else ["blocked_p50_ns", "cupti_p50_ns", "samples", "cupti_samples"]
    ):
        bad = write(tmp_path / "x.json", result([row(FIRST, **(good | {key: value}))]))
        done = run(tool, *files, bad)
        assert (done.returncode, done.stdout) == (3, ""), key
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "matrix", ["55", ["55"], [["nan"]], [["inf"]], [["-5"]], [[]], [], None, [[10**400]]]
)
def test_a_bandwidth_that_is_no_number(matrix, tmp_path):
    tests = [{"name": "host_to_device_memcpy_ce", "bandwidth_matrix": matrix}]
    theirs = write(tmp_path / "n.json", {"nvbandwidth": {"testcases": tests}})
    done = run(
        "nvbandwidth_compare", theirs, write(tmp_path / "x.json", result([row(FIRST, bytes_per_second=5e10)]))
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1


def test_a_full_disk_is_said(tmp_path):
    good = row(FIRST, blocked_p50_ns=1000, cupti_p50_ns=1000, cupti_samples=20)
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, TOOLS / "cupti_agreement", write(tmp_path / "x.json", result([good]))],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr == "tools/cupti_agreement: standard output: No space left on device\n"


class TestCuptiAgreement:
    @staticmethod
    def case(blocked, cupti, name=FIRST, spans=20):
        return row(name, blocked_p50_ns=blocked, cupti_p50_ns=cupti, cupti_samples=spans)

    def verdicts(self, tmp_path, rows, status):
        done = run(
            "cupti_agreement", write(tmp_path / "x.json", result(rows, cupti="activity")), "--markdown"
        )
        assert done.returncode == status, done.stderr
        lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
        assert cells(lines[0])[0] == "case"
        assert all(len(cells(line)) == len(cells(lines[0])) for line in lines)
        return [cells(line) for line in lines[2:]], done.stdout.splitlines()[-1]

    @pytest.mark.parametrize(
        ("blocked", "cupti", "agrees"),
        [
            (1150, 1000, True),
            (1151, 1000, False),
            (850, 1000, True),
            (849, 1000, False),
            (105_000, 100_000, True),
            (105_001, 100_000, False),
            (95_000, 100_000, True),
            (94_999, 100_000, False),
        ],
    )
    def test_within_five_percent_or_150_ns(self, tmp_path, blocked, cupti, agrees):
        ((*figures, spans, word),), last = self.verdicts(
            tmp_path, [self.case(blocked, cupti)], 0 if agrees else 1
        )
        difference = blocked - cupti
        assert figures[1:] == [
            str(blocked),
            str(cupti),
            f"{difference:+}",
            f"{difference / cupti * 100:+.1f}",
        ]
        assert (spans, word) == ("20/20", "yes" if agrees else "NO")
        assert last.startswith(f"{int(agrees)} of 1 cases agree")
        assert "activity" in last

    def test_one_that_does_not_is_enough(self, tmp_path):
        rows = [self.case(1000, 1000, name=CASE.format("h2d", "pinned", size)) for size in (4, 8, 16)]
        rows[1]["blocked_p50_ns"] = 2000
        lines, last = self.verdicts(tmp_path, rows, 1)
        assert [line[-1] for line in lines] == ["yes", "NO", "yes"]
        assert last.startswith("2 of 3")

    def floor(self, nothing):
        """CUPTI adds 200 ns to the shortest call, and the suite `nothing`."""
        own = self.case(nothing, 0, name="harness_floor/operation:nothing/queue:idle", spans=0)
        del own["cupti_p50_ns"]
        return [own, self.case(250 + nothing, 50, name="harness_floor/operation:last_error/queue:idle")]

    @pytest.mark.parametrize(
        ("blocked", "agrees"), [(1200, True), (1350, True), (1351, False), (1049, False)]
    )
    def test_what_cupti_adds_to_the_shortest_call_is_taken_off(self, tmp_path, blocked, agrees):
        rows = [*self.floor(30), self.case(blocked, 1000)]
        lines, last = self.verdicts(tmp_path, rows, 0 if agrees else 1)
        assert [line[-1] for line in lines] == ["yes", "yes" if agrees else "NO"]
        assert last.startswith(f"{1 + agrees} of 2 cases agree")
        assert "less the 200 ns" in last

    def test_what_the_suite_adds_is_not(self, tmp_path):
        """A clock that makes every figure 2 us longer must not pass for CUPTI's doing."""
        lines, last = self.verdicts(tmp_path, [*self.floor(2000), self.case(3200, 1000)], 1)
        assert [line[-1] for line in lines] == ["NO", "NO"]
        assert last.startswith("0 of 2")

    def test_missing_spans_do_not_agree(self, tmp_path):
        lines, _ = self.verdicts(tmp_path, [self.case(1000, 1000, spans=19)], 1)
        assert lines[0][-2:] == ["19/20", "NO"]
        nothing = self.case(1000, 1000, spans=0)
        del nothing["cupti_p50_ns"]
        lines, _ = self.verdicts(tmp_path, [nothing], 1)
        assert lines[0][-3:] == ["-", "0/20", "NO"]

    def test_repetitions_are_one_case(self, tmp_path):
        rows = [self.case(1000, 990), self.case(5000, 1000), self.case(1020, 1010)]
        lines, _ = self.verdicts(tmp_path, rows, 0)
        assert lines == [[rows[0]["name"], "1020", "1000", "+20", "+2.0", "60/60", "yes"]]

    def test_failed_rows_aggregates_and_rows_without_spans_are_left_out(self, tmp_path):
        name = CASE.format("d2h", "pinned", 4)
        rows = [
            self.case(1000, 1000),
            self.case(9000, 1000, name) | {"error_occurred": True},
            self.case(9000, 1000, name) | {"run_type": "aggregate"},
            row("bare_loop/bytes:4", blocked_p50_ns=9000),
        ]
        lines, _ = self.verdicts(tmp_path, rows, 0)
        assert len(lines) == 1

    def test_without_any_spans_it_is_no_such_result(self, tmp_path):
        done = run("cupti_agreement", write(tmp_path / "x.json", result([row("a/b:1", blocked_p50_ns=1)])))
        assert (done.returncode, done.stdout) == (3, "")
        assert "--copybench_cupti" in done.stderr

    def test_text_is_aligned(self, tmp_path):
        rows = [self.case(1000, 1000), self.case(1_000_000, 1_000_000, CASE.format("h2d", "registered", 4))]
        done = run("cupti_agreement", write(tmp_path / "x.json", result(rows)))
        lines = done.stdout.splitlines()[:3]
        assert len({len(line) for line in lines}) == 1

    def test_simulated_is_said(self, tmp_path):
        done = run(
            "cupti_agreement", write(tmp_path / "x.json", result([self.case(1000, 1000)], simulated="true"))
        )
        assert done.returncode == 0
        assert "simulated: no figure here is a measurement" in done.stderr


class TestNvbandwidth:
    @staticmethod
    def theirs(**rates):
        names = {"h2d": "host_to_device_memcpy_ce", "d2h": "device_to_host_memcpy_ce"}
        tests = [
            {
                "name": names[direction],
                "status": "Passed",
                "bandwidth_description": "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)",
                "bandwidth_matrix": [row],
                "sum": 1,
            }
            for direction, row in rates.items()
        ]
        return {"nvbandwidth": {"version": "v0.8", "testcases": tests}}

    @staticmethod
    def ours(direction, rate, size=268435456, memory="pinned"):
        return row(CASE.format(direction, memory, size), bytes_per_second=rate)

    def lines(self, tmp_path, theirs, rows, **context):
        done = run(
            "nvbandwidth_compare",
            write(tmp_path / "n.json", theirs),
            write(tmp_path / "x.json", result(rows, **context)),
            "--markdown",
        )
        assert done.returncode == 0, done.stderr
        return [cells(line) for line in done.stdout.splitlines()[2:]]

    def test_both_figures_and_their_ratio(self, tmp_path):
        rows = [
            self.ours("d2h", 50e9),
            self.ours("h2d", 54e9),
            self.ours("h2d", 56e9),
            self.ours("h2d", 55e9),
        ]
        # Smaller copies and other memory are another question.
        rows += [self.ours("h2d", 1e9, size=4096), self.ours("h2d", 2e9, memory="pageable")]
        assert self.lines(tmp_path, self.theirs(h2d=["55.20"], d2h=["50"]), rows) == [
            ["h2d", "268435456", "55.20", "55.00", "0.996"],
            ["d2h", "268435456", "50.00", "50.00", "1.000"],
        ]

    def test_the_column_is_that_of_the_gpu(self, tmp_path):
        theirs = self.theirs(h2d=["10", "20", "N/A"])
        rows = [self.ours("h2d", 20e9)]
        assert self.lines(tmp_path, theirs, rows, gpu_ordinal="1")[0][2:] == ["20.00", "20.00", "1.000"]
        for ordinal in ("2", "3"):
            done = run(
                "nvbandwidth_compare",
                write(tmp_path / "n.json", theirs),
                write(tmp_path / "x.json", result(rows, gpu_ordinal=ordinal)),
            )
            assert (done.returncode, done.stdout) == (3, "")
            assert f"GPU {ordinal}" in done.stderr

    def test_a_direction_that_one_lacks_is_left_out(self, tmp_path):
        theirs = self.theirs(h2d=["10"], d2h=["10"])
        assert len(self.lines(tmp_path, theirs, [self.ours("h2d", 20e9)])) == 1
        theirs["nvbandwidth"]["testcases"][1] = {"name": "device_to_host_memcpy_ce", "status": "Waived"}
        rows = [self.ours("h2d", 20e9), self.ours("d2h", 20e9)]
        assert len(self.lines(tmp_path, theirs, rows)) == 1

    def test_nothing_in_common(self, tmp_path):
        done = run(
            "nvbandwidth_compare",
            write(tmp_path / "n.json", self.theirs(h2d=["10"])),
            write(tmp_path / "x.json", result([self.ours("d2h", 20e9)])),
        )
        assert (done.returncode, done.stdout) == (3, "")
