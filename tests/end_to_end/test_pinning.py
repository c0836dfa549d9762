# SPDX-License-Identifier: Apache-2.0
"""What pinning costs, and when it pays: on a simulated machine whose speeds are known."""

import math
import os
import re
import statistics

import pytest
from simulated import read, run, validate

PAGE = 4096
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
# So slow that a thread which is scheduled late makes no difference.
STAGING_BYTES_PER_S = 1e7
SIZE = 262144
ATTEMPTS = 3
SIZES = [65536, 131072]


def measure(tmp_path, cases, *arguments, status=0, **simulator):
    out = tmp_path / "out.json"
    arguments = [f"--benchmark_filter={cases}", "--copybench_budget_ms=1", *arguments]
    done = run(*arguments, f"--benchmark_out={out}", **simulator)
    assert done.returncode == status, done.stderr
    document = read(out)
    validate(document)
    return document, done.stdout


def axis(row, key):
    return dict(part.split(":") for part in row["run_name"].split("/")[1:])[key]


def pages_of(row):
    return math.ceil(int(axis(row, "bytes")) / PAGE)


class TestCosts:
    CASES = "^pinning/.*/bytes:[0-9]+$"
    AXES = ("--copybench_profile=full", "--copybench_axis=bytes:4097,1048576")

    def test_every_case_shows_what_the_model_takes(self, tmp_path):
        document, _ = measure(tmp_path, self.CASES, *self.AXES, PIN_US_PER_PAGE="10")
        rows = document["benchmarks"]
        ways = {(axis(row, "api"), axis(row, "mem"), axis(row, "touch_threads")) for row in rows}
        expected = {("host_alloc", "pinned", "0")}
        for threads in [0, 1, 2, 4, 8, 16]:
            if threads <= len(os.sched_getaffinity(0)):
                expected |= {("host_register", mem, str(threads)) for mem in ("pageable", "pageable_thp")}
        assert ways == expected
        for row in rows:
            pages = pages_of(row)
            assert row["pin_p50_ns"] >= 10_000 * pages
            assert row["unpin_p50_ns"] >= 10_000 * pages
            assert row["p50_ns"] == row["total_p50_ns"] >= row["touch_p50_ns"] + 20_000 * pages
            assert row["ns_per_page"] == pytest.approx(row["total_p50_ns"] / pages)
            assert row["pin_ns_per_page"] == pytest.approx(row["pin_p50_ns"] / pages)
            assert row["unpin_ns_per_page"] == pytest.approx(row["unpin_p50_ns"] / pages)

    def test_touching_is_a_figure_of_its_own(self, tmp_path):
        document, _ = measure(tmp_path, self.CASES, *self.AXES)
        for row in document["benchmarks"]:
            touched = axis(row, "touch_threads") != "0"
            assert (row["touch_p50_ns"] > 0) == touched, row["name"]
            assert ("touch_ns_per_page" in row) == ("page_faults" in row) == touched

    def test_each_sample_touches_every_page_anew(self, tmp_path):
        case = "^pinning/api:host_register/mem:pageable/touch_threads:1/"
        document, _ = measure(tmp_path, case, *self.AXES)
        for row in document["benchmarks"]:
            # A system that does not count them says 0.
            assert row["page_faults"] == 0 or row["page_faults"] >= pages_of(row)

    @pytest.mark.parametrize("api", ["cudaHostAlloc", "cudaHostRegister", "cudaHostUnregister"])
    def test_a_call_that_fails_is_a_failed_row(self, tmp_path, api):
        document, _ = measure(
            tmp_path, self.CASES, *self.AXES, status=1, FAULT=f"fail:{api}:12:cudaErrorUnknown"
        )
        (row,) = [row for row in document["benchmarks"] if "error_occurred" in row]
        assert f"{api}: cudaErrorUnknown" in row["error_message"]

    def test_memory_that_cuda_cannot_tell_of_is_no_figure(self, tmp_path):
        fault = "fail:cudaPointerGetAttributes:9"
        document, _ = measure(tmp_path, self.CASES, *self.AXES, status=1, FAULT=fault)
        (row,) = [row for row in document["benchmarks"] if "error_occurred" in row]
        assert "cudaPointerGetAttributes" in row["error_message"]

    def test_no_memory_stays_pinned(self, tmp_path):
        report = tmp_path / "report.json"
        measure(tmp_path, "^pin", *self.AXES, REPORT=str(report))
        calls, live = (read(report)[key] for key in ("calls", "live"))
        assert live["allocations"] == 0
        assert calls["cudaHostRegister"] == calls["cudaHostUnregister"] > 0
        assert calls["cudaHostAlloc"] == calls["cudaFreeHost"] > 0


def break_even(pageable, pinned, once):
    """Tried one after the other, as the definition says; none within reach is never, which is 0."""
    copies = range(1, 10_000)
    return next((n for n in copies if n * pageable > once + n * pinned), 0)


def word_of(copies):
    return {0: "never_pays", 1: "pays_at_once"}.get(copies, "pays_with_reuse")


def in_context(document):
    return {
        (tuple(sorted(group["axes"].items())), size["bytes"]): size["copies"]
        for group in document["context"].get("break_even_table", [])
        for size in group["sizes"]
    }


def recompute(document):
    """The same from the counters of the rows."""
    said = {}
    for row in document["benchmarks"]:
        if row["run_type"] == "iteration" and row["run_name"].startswith("pin_break_even/"):
            axes = dict(part.split(":") for part in row["run_name"].split("/")[1:])
            size = int(axes.pop("bytes"))
            counters = said.setdefault((tuple(sorted(axes.items())), size), [])
            counters += [] if "error_occurred" in row else [row["break_even_copies"] or math.inf]
    table = {}
    for place, counters in said.items():
        middle = statistics.median_high(counters) if counters else None
        table[place] = "failed" if middle is None else "never" if middle == math.inf else int(middle)
    return table


def on_console(text):
    table = {}
    for block in text.split("\nCopies from which on it pays, ")[1:]:
        title, headings, *lines = block.split("\n\n")[0].strip("\n").split("\n")
        family, constant = re.fullmatch(r"(\w+)(?: \((.*)\))?", title).groups()
        assert family == "pin_break_even"
        axes = dict(part.split(":") for part in (constant or "").split(", ") if part)
        names = re.split("  +", headings)
        keys = [name for name in names if not name[0].isdigit()]
        for line in lines:
            if not line.strip():
                break
            cells = line.split()
            varying = dict(zip(keys, cells, strict=False))
            for name, cell in zip(names[len(keys) :], cells[len(keys) :], strict=True):
                number, unit = name.split()
                if cell != "-":
                    place = tuple(sorted((axes | varying).items())), int(number) * UNITS[unit]
                    table[place] = int(cell) if cell.isdigit() else cell
    return table


class TestBreakEven:
    CASES = "^pin_break_even/"
    ALL = ("--copybench_profile=full", f"--copybench_axis=bytes:{','.join(map(str, SIZES))}")

    @pytest.mark.parametrize("copies", [1, 2])
    def test_is_that_of_the_given_speeds(self, tmp_path, copies):
        # Halfway between two numbers.
        pin_us_per_page = (copies - 0.5) * PAGE / STAGING_BYTES_PER_S * 1e6 / 2
        pinned = 20 + SIZE / 1e10 * 1e6
        # What staging takes is what a pinned copy saves, as the copy is of one piece.
        pageable = pinned + SIZE / STAGING_BYTES_PER_S * 1e6
        once = 2 * SIZE / PAGE * pin_us_per_page
        assert break_even(pageable, pinned, once) == copies
        # The scheduler of a busy machine may have been in the way.
        for _ in range(ATTEMPTS):
            document, _ = measure(
                tmp_path,
                self.CASES,
                "--copybench_profile=full",
                f"--copybench_axis=bytes:{SIZE}",
                STAGING_BYTES_PER_S=f"{STAGING_BYTES_PER_S}",
                LINK_BYTES_PER_S="1e10",
                LINK_LATENCY_US="20",
                PIN_US_PER_PAGE=f"{pin_us_per_page:.3f}",
            )
            rows = document["benchmarks"]
            assert len(rows) == 6
            assert all(row["once_p50_ns"] >= (once + pinned) * 1e3 for row in rows)
            said = [(row["break_even_copies"], row["label"]) for row in rows]
            if said == [(copies, word_of(copies))] * len(rows):
                break
        assert said == [(copies, word_of(copies))] * len(rows)
        assert list(in_context(document).values()) == [copies] * len(rows)

    def test_a_way_that_is_slower_each_time_never_pays(self, tmp_path):
        """Staging that takes no time beside a slow link is better than a copy by the host in front of it."""
        for _ in range(ATTEMPTS):
            document, console = measure(
                tmp_path,
                "^pin_break_even/dir:h2d/way:host_alloc/",
                "--copybench_profile=full",
                "--copybench_axis=bytes:8MiB,16MiB",
                STAGING_BYTES_PER_S="1e15",
                PIECE_BYTES="2097152",
                POOL_BYTES="16777216",
                LINK_BYTES_PER_S="2e8",
                LINK_LATENCY_US="0",
                PIN_US_PER_PAGE="0",
            )
            if all(row["saved_per_copy_ns"] < 0 for row in document["benchmarks"]):
                break
        for row in document["benchmarks"]:
            assert row["saved_per_copy_ns"] < 0
            assert row["break_even_copies"] == 0
            assert row["label"] == "never_pays"
        assert set(in_context(document).values()) == {"never"}
        assert on_console(console) == in_context(document)

    def test_the_counter_is_that_of_the_rows_medians(self, tmp_path):
        document, _ = measure(tmp_path, self.CASES, *self.ALL, PIN_US_PER_PAGE="3")
        for row in document["benchmarks"]:
            pinned = row["pinned_copy_p50_ns"] + row["host_copy_p50_ns"]
            expected = break_even(
                row["pageable_copy_p50_ns"], pinned, row["pin_p50_ns"] + row["unpin_p50_ns"]
            )
            assert row["break_even_copies"] == expected
            assert row["label"] == word_of(expected)
            by_host = axis(row, "way") == "host_alloc"
            assert (row["host_copy_p50_ns"] > 0) == by_host

    @pytest.mark.parametrize("repetitions", [1, 3])
    def test_console_context_and_rows_agree(self, tmp_path, repetitions):
        document, console = measure(
            tmp_path,
            self.CASES,
            *self.ALL,
            f"--benchmark_repetitions={repetitions}",
            "--benchmark_enable_random_interleaving=true",
            PIN_US_PER_PAGE="5",
        )
        table = in_context(document)
        assert len(table) == 2 * 3 * len(SIZES)
        assert table == recompute(document) == on_console(console)
        assert console.rindex("/bytes:") < console.index("\nCopies from which on")

    def test_a_size_whose_rows_all_failed_is_not_passed_over(self, tmp_path):
        fault = "fail:cudaHostUnregister:9"
        document, console = measure(tmp_path, self.CASES, *self.ALL, status=1, FAULT=fault)
        table = in_context(document)
        assert list(table.values()).count("failed") == 1
        assert table == recompute(document) == on_console(console)

    def test_one_size_of_one_way_needs_no_table_for_people(self, tmp_path):
        document, console = measure(
            tmp_path,
            "^pin_break_even/dir:h2d/way:register/",
            "--copybench_axis=bytes:65536",
            PIN_US_PER_PAGE="1",
        )
        assert len(in_context(document)) == 1
        assert "Copies from which on" not in console

    def test_other_families_have_none(self, tmp_path):
        document, console = measure(tmp_path, "^pinning/", "--copybench_axis=bytes:65536")
        assert "break_even_table" not in document["context"]
        assert "Copies from which on" not in console

    @pytest.mark.parametrize("copy", [0, 1])
    def test_a_wrong_byte_of_either_copy_is_found(self, tmp_path, copy):
        case = "^pin_break_even/dir:h2d/way:register/"
        # One copy wakes the link, and two samples warm up, whose last copies count: for more a copy takes too long.
        document, _ = measure(
            tmp_path,
            case,
            "--copybench_axis=bytes:65536",
            status=1,
            FAULT=f"corrupt:cudaMemcpyAsync:{1 + 2 + copy + 1}:-1",
            LINK_LATENCY_US="1100",
        )
        (row,) = document["benchmarks"]
        assert "copied data: 1 wrong bytes" in row["error_message"]
