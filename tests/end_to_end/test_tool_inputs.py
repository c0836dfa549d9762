# SPDX-License-Identifier: Apache-2.0
"""What the tools of Python take for a name and for a result."""

import gzip
import json
import lzma
import os

import pytest
from all_tools import (
    COMPARE,
    CUPTI,
    CUPTI_AGREEMENT,
    EXPORT,
    FILTERS,
    HISTORY,
    NVBANDWIDTH,
    POWER,
    RECORD,
    REPORT,
    TOOLS,
    inputs,
    marked,
    name_of,
    one_line,
    run,
)  # fmt: skip
from made_runs import FIRST, QUIET, result, rows, write

# Those that read whole results, each from base.json. The others look at some rows of a file alone.
READERS = (COMPARE, POWER, EXPORT, HISTORY, RECORD, REPORT)


every_reader = pytest.mark.parametrize("tool", [marked(tool) for tool in READERS], ids=map(name_of, READERS))


@pytest.fixture
def folder(tmp_path):
    inputs(tmp_path)
    return tmp_path


class TestEmptyNames:
    """An empty name would be that of the current folder."""

    FLAGS = (
        (COMPARE, "--json"), (COMPARE, "--markdown"), (COMPARE, "--noise"), (COMPARE, "--also-base"),
        (COMPARE, "--also-new"), (COMPARE, "--compare-py"), (POWER, "--json"), (POWER, "--markdown"),
        (POWER, "--noise"), (FILTERS, "--json"), (FILTERS, "--markdown"), (EXPORT, "--out"), (HISTORY, "--results"),
        (HISTORY, "--out"), (HISTORY, "--gpu"), (RECORD, "--results"), (RECORD, "--name"), (REPORT, "--out"),
        (REPORT, "--base"), (REPORT, "--peers"), (REPORT, "--comparison"),
    )  # fmt: skip

    @pytest.mark.parametrize(
        ("tool", "flag"),
        [marked(*pair) for pair in FLAGS],
        ids=[f"{name_of(tool)}{flag}" for tool, flag in FLAGS],
    )
    @pytest.mark.parametrize("joined", [True, False], ids=["joined", "apart"])
    def test_of_a_flag(self, folder, tool, flag, joined):
        before = sorted(folder.rglob("*"))
        done = run(tool, folder, *([f"{flag}="] if joined else [flag, ""]))
        one_line(done, tool, tool.bad_usage)
        assert flag in done.stderr
        assert sorted(folder.rglob("*")) == before

    FILES = (
        (COMPARE, 1, "BASE"), (COMPARE, 2, "NEW"), (POWER, 2, "RUN"), (FILTERS, 2, "FILE"), (EXPORT, 1, "RUN"),
        (RECORD, 1, "RUN"), (REPORT, 1, "RUN.json"), (CUPTI_AGREEMENT, 1, "FILE.json"),
        (NVBANDWIDTH, 1, "NVBANDWIDTH.json"), (NVBANDWIDTH, 2, "FILE.json"),
    )  # fmt: skip

    @pytest.mark.parametrize(
        ("tool", "place", "argument"),
        [marked(*each) for each in FILES],
        ids=[f"{name_of(tool)}-{argument}" for tool, _, argument in FILES],
    )
    def test_of_a_file(self, folder, tool, place, argument):
        before = sorted(folder.rglob("*"))
        command = tool.command()
        command[-len(tool.words.split()) + place - 1] = ""
        done = run(tool, folder, command=command)
        one_line(done, tool, tool.bad_usage)
        assert argument in done.stderr
        assert sorted(folder.rglob("*")) == before


class TestUnreadable:
    @pytest.mark.parametrize("path", ["x" * 300, "base.json/x", "nothing"])
    @pytest.mark.parametrize("tool", TOOLS[:-1], ids=map(name_of, TOOLS[:-1]))
    def test_a_path_that_leads_nowhere_is_named(self, folder, tool, path):
        if not tool.can_run():
            pytest.skip("no matplotlib")
        command = [path if word in ("base.json", "slices.json", "cupti.json", "pinned.json") else word
                   for word in tool.command()]  # fmt: skip
        done = run(tool, folder, command=command)
        one_line(done, tool, tool.unusable)
        assert path in done.stderr

    @pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
    @pytest.mark.parametrize("tool", TOOLS[:-1], ids=map(name_of, TOOLS[:-1]))
    def test_compressed_is_the_same(self, folder, tool, ending, pack):
        if not tool.can_run():
            pytest.skip("no matplotlib")
        command, plain = tool.command(), run(tool, folder)
        for path in list(folder.glob("*.json")):
            packed = path.with_name(path.name + ending)
            packed.write_bytes(pack(path.read_bytes()))
            path.unlink()
            command = [packed.name if word == path.name else word for word in command]
        for path in (folder / "results").rglob("quick*"):
            path.unlink()
        done = run(tool, folder, command=command)
        assert done.returncode == plain.returncode == 0, done.stderr
        # A table is as wide as the names in it.
        assert done.stdout.replace(f".json{ending}", ".json").split() == plain.stdout.split()


def text(document):
    return json.dumps(document)


GOOD = text(result({FIRST: QUIET}))
NO_RESULTS = {
    "empty": "",
    "key twice": GOOD.replace('"threads": 1,', '"threads": 1, "threads": 2,'),
    "repetition twice": GOOD.replace('"repetition_index": 1', '"repetition_index": 0'),
    "name of two lines": GOOD.replace(FIRST, "a/b:1\\nc/d:2"),
    "name of a terminal": GOOD.replace(FIRST, "a/\\u001b[31m:1"),
    "name of markup": GOOD.replace(FIRST, "<b>/x:1"),
    "half a character": GOOD.replace(FIRST, "\\ud800"),
    "label": text(result([rows(FIRST, QUIET, ["a"])])),
    "huge time": text(result({FIRST: [1e308] * 9})),
    "huge time of some": text(result({FIRST: [1e300, 1, 2, 1e300, 1.7e308, 3, 1e308, 4, 5]})),
    "huge counter": text(result([rows(FIRST, QUIET, bytes_per_second=1e308)])),
    "huge whole number": GOOD.replace(": 100000,", f": 1{'0' * 400},"),
    "huge of a larger unit": GOOD.replace(": 100000,", ": 1e308,").replace('"ns"', '"s"'),
}


class TestNoResult:
    @every_reader
    @pytest.mark.parametrize("content", NO_RESULTS.values(), ids=NO_RESULTS)
    def test_every_reader_refuses_it(self, folder, tool, content):
        assert content != GOOD
        write(folder / "base.json", content)
        one_line(run(tool, folder), tool, 3)

    @pytest.mark.parametrize("flag", ["--also-base", "--also-new", "--noise"])
    def test_compare_refuses_it_beside_others(self, folder, flag):
        write(folder / "more.json", NO_RESULTS["huge time"])
        command = [word for word in COMPARE.command() if word != "--no-noise"]
        one_line(run(COMPARE, folder, flag, "more.json", command=command), COMPARE, 3)

    @pytest.mark.parametrize("false_runs", ["0.1", "1e-12", "1e-30"])
    def test_what_is_as_large_as_figures_can_be_is_compared(self, folder, false_runs):
        """Between 1 and 1e24 lie all times; a threshold that is wide enough for them is beyond all numbers."""
        for name, last in (("base", 1.0), ("new", 1e24)):
            write(folder / f"{name}.json", result({FIRST: [1.0, 1e24] * 4 + [last]}))
        done = run(COMPARE, folder, "--false-runs", false_runs, "--json", "out.json")
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr
        json.loads((folder / "out.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)

    @pytest.mark.parametrize("form", ["bencher", "github-action-benchmark"])
    def test_what_is_as_large_is_exported(self, folder, form):
        write(folder / "base.json", result([rows(FIRST, [1e24] * 9, bytes_per_second=1e24)]))
        done = run(EXPORT, folder, "--format", form)
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout, parse_constant=pytest.fail)


class TestCuptiAgreement:
    @staticmethod
    def agreement(folder, made, **context):
        write(folder / "cupti.json", result(made, **context))
        return run(CUPTI_AGREEMENT, folder)

    @pytest.mark.parametrize("name", ["nothing/queue:idle", "nothing/queue:busy"])
    def test_none_of_no_cases_is_no_agreement(self, folder, name):
        """The rows for no call at all have no span to agree with."""
        made = [rows(f"harness_floor/operation:{name}", [30], blocked_p50_ns=30, samples=20, cupti_samples=0)]
        one_line(self.agreement(folder, made), CUPTI_AGREEMENT, 3)

    @pytest.mark.parametrize("said", ["\ud800", "\x1b[31m", "two\nlines", "\u202e", 7, None, ["a"]])
    def test_what_the_context_says_is_printable(self, folder, said):
        context = {} if said is None else {"cupti": said}
        done = self.agreement(folder, [rows(FIRST, [1000], **CUPTI)], **context)
        assert (done.returncode, done.stderr) == (0, "")
        assert all(line.isprintable() for line in done.stdout.split("\n"))
        assert "1 of 1 cases agree" in done.stdout

    @pytest.mark.parametrize("name", ["a/\x1b[31m:1", "a/b:1\nc/d:2  yes", "a/\u202eb:1"])
    @pytest.mark.parametrize("spans", [{}, {"cupti_samples": 19}], ids=["whole", "short"])
    def test_names_are_printable(self, folder, name, spans):
        done = self.agreement(folder, [rows(name, [1000], **CUPTI | spans)])
        assert done.returncode == (1 if spans else 0)
        assert all(line.isprintable() for line in done.stdout.split("\n"))
        assert len(done.stdout.splitlines()) == 4


@pytest.mark.parametrize("tool", [HISTORY, REPORT], ids=name_of)
def test_without_a_home_nothing_is_said_of_it(folder, tool):
    if not tool.can_run():
        pytest.skip("no matplotlib")
    (folder / "home").touch()
    unset = {name: "" for name in ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME") if name in os.environ}
    done = run(tool, folder, HOME=str(folder / "home"), **unset)
    assert (done.returncode, done.stderr) == (0, "")
