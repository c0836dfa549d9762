# SPDX-License-Identifier: Apache-2.0
"""What the tools of Python write to: files of every kind, and standard streams that are closed or full."""

import os
import stat
import threading
from pathlib import Path

import pytest
from all_tools import (
    COMPARE,
    EXPORT,
    FILTERS,
    HISTORY,
    POWER,
    RECORD,
    REPORT,
    TOOLS,
    inputs,
    marked,
    name_of,
    one_line,
    run,
)
from made_runs import FIRST, QUIET, result, scaled, write

FULL = "/dev/full"
needs_full = pytest.mark.skipif(not Path(FULL).exists(), reason=f"no {FULL} here")
every_tool = pytest.mark.parametrize("tool", [marked(tool) for tool in TOOLS], ids=map(name_of, TOOLS))
# Those that write one file, and the flag that names it.
WRITERS = (
    (COMPARE, "--json"), (COMPARE, "--markdown"), (POWER, "--json"), (POWER, "--markdown"), (FILTERS, "--json"),
    (FILTERS, "--markdown"), (EXPORT, "--out"), (HISTORY, "--out"),
)  # fmt: skip
every_writer = pytest.mark.parametrize(
    ("tool", "flag"),
    [marked(tool, flag) for tool, flag in WRITERS],
    ids=[f"{name_of(tool)}{flag}" for tool, flag in WRITERS],
)


@pytest.fixture
def folder(tmp_path):
    inputs(tmp_path)
    return tmp_path


def named(tool, name):
    """tools/history knows kinds of pictures by their endings."""
    return name + ".svg" if tool.name == "history" else name


class TestFiles:
    @every_writer
    def test_a_new_file_is_as_readable_as_any(self, folder, tool, flag):
        name = named(tool, "out")
        (folder / "other").touch()
        assert run(tool, folder, flag, name).returncode == 0
        assert (folder / name).stat().st_size > 20
        assert (folder / name).stat().st_mode == (folder / "other").stat().st_mode

    @every_writer
    def test_a_link_stays_and_what_it_points_to_is_replaced(self, folder, tool, flag):
        (folder / "elsewhere").mkdir()
        target = folder / "elsewhere" / "target"
        target.write_text("old", encoding="utf-8")
        target.chmod(0o640)
        link = folder / named(tool, "link")
        link.symlink_to("elsewhere/target")
        done = run(tool, folder, flag, link)
        assert done.returncode == 0, done.stderr
        assert link.is_symlink()
        assert target.stat().st_size > 20
        assert stat.S_IMODE(target.stat().st_mode) == 0o640
        assert [path.name for path in (folder / "elsewhere").iterdir()] == ["target"]

    @every_writer
    def test_a_link_to_nothing_makes_what_it_points_to(self, folder, tool, flag):
        link = folder / named(tool, "link")
        link.symlink_to("target")
        assert run(tool, folder, flag, link).returncode == 0
        assert link.is_symlink()
        assert (folder / "target").stat().st_size > 20

    @every_writer
    def test_a_pipe_is_written_to(self, folder, tool, flag):
        pipe = folder / named(tool, "pipe")
        os.mkfifo(pipe)
        got = []
        reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
        reader.start()
        done = run(tool, folder, flag, pipe)
        assert done.returncode == 0, done.stderr
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        reader.join(10)
        assert len(got[0]) > 20

    @every_writer
    def test_a_device_is_written_to(self, folder, tool, flag):
        """One of our own that takes everything, as 1:3 is in Linux."""
        node = folder / named(tool, "node")
        try:
            os.mknod(node, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            node.write_bytes(b"x")
        except OSError as error:
            pytest.skip(f"no device can be made here: {error.strerror}")
        done = run(tool, folder, flag, node)
        assert done.returncode == 0, done.stderr
        assert stat.S_ISCHR(node.stat().st_mode)

    @every_writer
    @pytest.mark.parametrize(
        ("path", "problem"),
        [
            ("base.json/x", "Not a directory"),
            ("x" * 300, "File name too long"),
            ("nowhere/x", "there is no directory"),
            ("nowhere/deep/x", "there is no directory"),
            ("results", "is a directory"),
        ],
    )
    def test_a_bad_path_is_named_and_no_folder_made(self, folder, tool, flag, path, problem):
        if tool.name == "history" and path == "results":
            (folder / "results.svg").mkdir()
        before = sorted(folder.rglob("*"))
        path = named(tool, path)
        done = run(tool, folder, flag, path)
        assert done.returncode == tool.unusable
        last = done.stderr.splitlines()[-1]
        assert last.startswith(f"tools/{tool.name}: {flag}={path}: {problem}")
        assert "standard output" not in done.stderr
        assert sorted(folder.rglob("*")) == before

    @every_writer
    def test_a_file_that_standard_output_goes_to_is_not_replaced(self, folder, tool, flag):
        name = named(tool, "out")
        done = run(tool, folder, flag, name, streams=f">> {name}")
        assert done.returncode == tool.unusable
        assert f"{flag}={name}: is open already, and would be replaced" in done.stderr

    @pytest.mark.skipif(not REPORT.can_run(), reason="no matplotlib")
    def test_a_report_goes_where_links_point(self, folder):
        (folder / "made").mkdir()
        (folder / "made" / "report.html").symlink_to("../page.html")
        assert run(REPORT, folder).returncode == 0
        assert (folder / "made" / "report.html").is_symlink()
        assert (folder / "page.html").stat().st_size > 1000

    def test_the_index_goes_where_a_link_points(self, folder):
        (folder / "results" / "index.tsv").symlink_to("../index.tsv")
        assert run(RECORD, folder).returncode == 0
        assert (folder / "results" / "index.tsv").is_symlink()
        assert (folder / "index.tsv").read_text(encoding="utf-8").startswith("date\t")


class TestStandardStreams:
    @every_tool
    def test_as_they_should_be(self, folder, tool):
        done = run(tool, folder)
        assert done.returncode == 0, done.stderr
        assert done.stdout

    @every_tool
    def test_closed_standard_output(self, folder, tool):
        one_line(run(tool, folder, streams=">&-"), tool, tool.unusable)

    @needs_full
    @every_tool
    def test_full_standard_output(self, folder, tool):
        done = run(tool, folder, streams=f"> {FULL}")
        assert done.returncode == tool.unusable
        lines = [line for line in done.stderr.splitlines() if "standard output: " in line]
        assert lines == [f"tools/{tool.name}: standard output: No space left on device"]
        assert "Traceback" not in done.stderr and "Exception" not in done.stderr

    @every_tool
    @pytest.mark.parametrize("streams", ["2>&-", f"2> {FULL}"], ids=["closed", "full"])
    def test_standard_error_makes_no_difference(self, folder, tool, streams):
        if FULL in streams and not Path(FULL).exists():
            pytest.skip(f"no {FULL} here")
        good = run(tool, folder, streams=streams)
        assert (good.returncode, good.stderr) == (0, "")
        assert good.stdout

    @every_tool
    @pytest.mark.parametrize("streams", ["2>&-", f"2> {FULL}"], ids=["closed", "full"])
    def test_nor_does_it_where_the_tool_fails(self, folder, tool, streams):
        if FULL in streams and not Path(FULL).exists():
            pytest.skip(f"no {FULL} here")
        done = run(tool, folder, "--no-such-flag", streams=streams)
        assert (done.returncode, done.stdout, done.stderr) == (tool.bad_usage, "", "")

    @every_tool
    def test_nothing_is_open(self, folder, tool):
        done = run(tool, folder, streams="<&- >&- 2>&-")
        assert (done.returncode, done.stdout, done.stderr) == (tool.unusable, "", "")

    @every_tool
    def test_a_reader_that_has_seen_enough(self, folder, tool):
        """The status is that of the tool, not of the reader that ends without reading."""
        done = run(tool, folder, streams="| true; exit ${PIPESTATUS[0]}")
        assert done.returncode in (0, tool.unusable)
        assert "Traceback" not in done.stderr and "Exception" not in done.stderr

    @pytest.mark.parametrize("streams", ["2>&-", f"2> {FULL}", "2<&0"], ids=["closed", "full", "read-only"])
    @pytest.mark.parametrize(("factor", "status", "word"), [(1.0001, 0, "green"), (1.5, 1, "RED")])
    def test_a_remark_that_nobody_can_read_is_no_regression(self, folder, streams, factor, status, word):
        """Of simulated runs it is said that they are."""
        if FULL in streams and not Path(FULL).exists():
            pytest.skip(f"no {FULL} here")
        for name, times in (("base", QUIET), ("new", scaled(QUIET, factor))):
            write(folder / f"{name}.json", result({FIRST: times}, simulated="true"))
        assert "simulated" in run(COMPARE, folder).stderr
        done = run(COMPARE, folder, streams=streams)
        assert (done.returncode, word in done.stdout) == (status, True)
