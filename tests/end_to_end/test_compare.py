# SPDX-License-Identifier: Apache-2.0
"""tools/compare, with results made by hand: what it refuses, what it says, and the status it ends with."""

import gzip
import json
import lzma
import os
import re

import pytest
import runs.reading
from comparison.tool import main
from made_runs import CONTEXT, FIRST, QUIET, SECOND, THIRD, failed, result, rows, scaled, write

FINE, REGRESSION, NOT_COMPARABLE, BAD_INPUT = range(4)
THREE = {FIRST: QUIET, SECOND: QUIET, THIRD: QUIET}


@pytest.fixture
def compare(tmp_path, capsys):
    """Compares two documents, or files; returns the status, the JSON if there is any, and what was printed."""

    def run(base, new, *options, noise=False):
        files = [
            side if isinstance(side, str) else write(tmp_path / f"{name}.json", side)
            for name, side in (("base", base), ("new", new))
        ]
        out = tmp_path / "compared.json"
        status = main(
            [*files, "--no-compare-py", "--json", str(out), *([] if noise else ["--no-noise"]), *options]
        )
        printed = capsys.readouterr()
        document = json.loads(out.read_text(encoding="utf-8")) if out.exists() else None
        out.unlink(missing_ok=True)
        return status, document, printed

    return run


def verdicts(document):
    return {case["name"]: case["verdict"] for case in document["cases"]}


class TestVerdicts:
    def test_one_of_each(self, compare):
        base = result(
            [rows(FIRST, QUIET), rows(SECOND, QUIET), rows(THIRD, QUIET), failed("a/fixed:1"), failed("a/both:1"),
             rows("a/failing:1", QUIET), rows("a/missing:1", QUIET), rows("a/few:1", QUIET[:2])]
        )  # fmt: skip
        new = result(
            [rows(FIRST, scaled(QUIET, 1.2)), rows(SECOND, scaled(QUIET, 0.8)), rows(THIRD, QUIET),
             rows("a/fixed:1", QUIET), failed("a/both:1"), failed("a/failing:1"), rows("a/new:1", QUIET),
             rows("a/few:1", scaled(QUIET[:2], 2))]
        )  # fmt: skip
        status, document, printed = compare(base, new, "--allow", "cases")
        assert status == document["status"] == REGRESSION
        assert verdicts(document) == {
            FIRST: "regressed", SECOND: "improved", THIRD: "same", "a/fixed:1": "fixed", "a/both:1": "failing",
            "a/failing:1": "failing", "a/missing:1": "missing", "a/few:1": "inconclusive", "a/new:1": "new",
        }  # fmt: skip
        assert {case["name"] for case in document["cases"] if case["red"]} == {FIRST, "a/failing:1"}
        assert printed.out.rstrip().endswith("RED: 2 cases")
        assert "cudaErrorInvalidValue" in printed.out

    def test_the_figures_of_a_case(self, compare):
        status, document, _ = compare(result({FIRST: QUIET}), result({FIRST: scaled(QUIET, 1.2)}))
        (case,) = document["cases"]
        time = case["time_ns"]
        assert status == REGRESSION
        # The median of 100000 + 100 * (0 3 -2 5 -4 1 2 -1 4), and deviations 1 1 2 2 3 3 4 5 0 (times 100) from it.
        assert time["base"]["median"] == 100_100
        assert time["base"]["noise"] == pytest.approx(1.4826 * 200 / 100_100, rel=1e-4)
        assert time["change"] == pytest.approx(0.2)
        assert time["p"] == time["p_corrected"] == pytest.approx(2 / 48620)
        assert time["interval"][0] < 0.2 < time["interval"][1]
        assert 0.02 <= time["threshold"] < time["detectable"] < 0.1
        assert (time["base"]["repetitions"], time["new"]["runs"]) == (9, 1)

    def test_nothing_changed(self, compare):
        status, document, printed = compare(result(THREE), result(THREE, git_commit="1" * 40))
        assert (status, document["verdicts"]) == (FINE, {"same": 3})
        assert "green: nothing regressed" in printed.out
        assert "git_commit: 000" in printed.out

    @pytest.mark.parametrize(
        ("old", "now", "verdict"),
        [
            ("async", "waits_for_queue", "regressed"),
            ("async", "waits_for_copy", "regressed"),
            ("waits_for_copy", "waits_for_queue", "regressed"),
            ("waits_for_queue", "async", "improved"),
            ("async", "async", "same"),
            ("sleeps", "spins", "same"),
        ],
    )
    def test_what_the_call_waits_for(self, compare, old, now, verdict):
        status, document, _ = compare(
            result([rows(FIRST, QUIET, old)]), result([rows(FIRST, QUIET, now)], os="b")
        )
        assert verdicts(document) == {FIRST: verdict}
        assert status == (REGRESSION if verdict == "regressed" else FINE)
        assert document["cases"][0]["label"] == {"base": old, "new": now}

    def test_a_verdict_that_wavers_is_no_change(self, compare):
        wavering = rows(FIRST, QUIET, "waits_for_queue")
        wavering[4]["label"] = "async"
        status, document, _ = compare(result([rows(FIRST, QUIET, "async")]), result([wavering]))
        assert (status, verdicts(document)) == (FINE, {FIRST: "same"})

    def test_a_verdict_that_wavers_between_runs_that_are_alike_is_no_change(self, compare, tmp_path):
        sides = [result([rows(FIRST, QUIET, label)]) for label in ("async", "waits_for_copy")]
        alike = [result([rows(FIRST, scaled(QUIET, factor), label)], git_commit="1" * 40)
                 for factor, label in ((1, "async"), (1.001, "waits_for_copy"))]  # fmt: skip
        known = [
            "--noise",
            write(tmp_path / "known" / "a.json", alike[0]),
            "--noise",
            write(tmp_path / "known" / "b.json", alike[1]),
        ]
        assert compare(*sides)[0] == REGRESSION
        assert compare(*sides, *known, noise=True)[0] == FINE

    def test_counters_are_shown_and_fail_the_gate_only_when_asked_to(self, compare):
        rate = [1e10 + 1e6 * step for step in range(9)]
        base = result([rows(FIRST, QUIET, bytes_per_second=rate, p99_ns=QUIET)])
        new = result([rows(FIRST, QUIET, bytes_per_second=scaled(rate, 0.8), p99_ns=scaled(QUIET, 0.5))])
        status, document, printed = compare(base, new)
        counters = document["cases"][0]["counters"]
        assert {key: found["verdict"] for key, found in counters.items()} == {
            "bytes_per_second": "regressed", "p99_ns": "improved",
        }  # fmt: skip
        assert counters["bytes_per_second"]["change"] == pytest.approx(-0.2)
        assert status == FINE
        assert "GB/s" in printed.out
        assert compare(base, new, "--gate", "counters")[0] == REGRESSION

    def test_a_time_unit_that_changed(self, compare):
        new = result({FIRST: scaled(QUIET, 1e-3)})
        for row in new["benchmarks"]:
            row["time_unit"] = "us"
        status, document, _ = compare(result({FIRST: QUIET}), new)
        assert (status, verdicts(document)) == (FINE, {FIRST: "same"})

    def test_aggregates_are_no_repetitions(self, compare):
        new = result({FIRST: QUIET})
        new["benchmarks"].append(rows(FIRST, [1e9])[0] | {"run_type": "aggregate", "name": FIRST + "_mean"})
        assert compare(result({FIRST: QUIET}), new)[0] == FINE

    def test_only_some_cases(self, compare):
        new = result(THREE | {FIRST: scaled(QUIET, 2)})
        status, document, _ = compare(result(THREE), new, "--cases", "bytes:4096$")
        assert (status, verdicts(document)) == (FINE, {SECOND: "same"})

    def test_several_runs_of_a_side(self, compare, tmp_path):
        more = write(tmp_path / "more.json", result({FIRST: scaled(QUIET, 1.001)}))
        document = compare(
            result({FIRST: QUIET}), result({FIRST: scaled(QUIET, 1.002)}), "--also-base", more
        )[1]
        base = document["cases"][0]["time_ns"]["base"]
        assert (base["runs"], base["repetitions"], document["noise_runs"]) == (2, 18, 2)
        unlike = write(tmp_path / "more.json", result({FIRST: QUIET}, driver_version="1"))
        assert (
            compare(result({FIRST: QUIET}), result({FIRST: QUIET}), "--also-new", unlike)[0] == NOT_COMPARABLE
        )


class TestComparable:
    @pytest.mark.parametrize(
        ("fact", "kind"),
        [
            ("gpu_name", "gpu"), ("cpu_model", "cpu"), ("driver_version", "driver"), ("cuda_runtime_version", "cuda"),
            ("profile", "profile"), ("verify", "profile"), ("build_type", "build"), ("cupti", "cupti"),
        ],
    )  # fmt: skip
    def test_what_refuses(self, compare, fact, kind):
        base, new = result(THREE), result(THREE, **{fact: "another"})
        status, document, printed = compare(base, new)
        assert (status, document, printed.out) == (NOT_COMPARABLE, None, "")
        assert f"not comparable: {fact}: {CONTEXT.get(fact, 'unknown')} -> another" in printed.err
        status, document, printed = compare(base, new, "--allow", kind)
        assert status == FINE
        assert [difference["kind"] for difference in document["differences"]] == [kind]
        assert f"{fact}: " in printed.out

    @pytest.mark.parametrize("fact", ["git_commit", "gpu_uuid", "kernel", "host_name"])
    def test_what_is_said(self, compare, fact):
        status, _, printed = compare(result(THREE, **{fact: "one"}), result(THREE, **{fact: "other"}))
        assert status == FINE
        assert f"{fact}: one -> other" in printed.out

    def test_a_fact_that_one_lacks_is_said(self, compare):
        status, _, printed = compare(result(THREE, verify=None), result(THREE))
        assert (status, "verify: unknown -> batch" in printed.out) == (FINE, True)

    @pytest.mark.parametrize("options", [(), ("--allow", "all"), ("--hints",)])
    def test_simulated_is_never_compared_with_measured(self, compare, options):
        simulated = result(THREE, simulated="true")
        for sides in ((result(THREE), simulated), (simulated, result(THREE))):
            status, document, printed = compare(*sides, *options)
            assert (status, document) == (NOT_COMPARABLE, None)
            assert "simulated" in printed.err
            assert printed.err.count("\n") == 1

    def test_both_simulated_is_said(self, compare):
        sides = [result(THREE, simulated="true", git_commit=commit * 40) for commit in "01"]
        status, document, printed = compare(*sides)
        assert (status, document["simulated"]) == (FINE, True)
        assert "simulated: no figure here is a measurement" in printed.err

    def test_a_run_that_ended_early(self, compare):
        status, _, printed = compare(result(THREE), result({FIRST: QUIET}, ended_early="SIGTERM"))
        assert status == NOT_COMPARABLE
        assert "whole -> SIGTERM" in printed.err

    def test_cases_that_are_gone(self, compare):
        fewer = result({FIRST: QUIET})
        status, _, printed = compare(result(THREE), fewer)
        assert (status, "2 missing" in printed.err) == (NOT_COMPARABLE, True)
        assert compare(result(THREE), fewer, "--allow", "cases")[0] == FINE
        # More of them are no reason.
        assert compare(fewer, result(THREE))[0] == FINE

    @pytest.mark.parametrize(
        "facts", [{"command_line": "copybench --benchmark_filter=4$"}, {"skipped": "a: no such API"}]
    )
    def test_cases_that_the_run_itself_left_out(self, compare, facts):
        status, document, _ = compare(result(THREE), result({FIRST: QUIET}, **facts))
        assert (status, verdicts(document)[SECOND]) == (FINE, "missing")

    def test_nothing_in_common(self, compare):
        status, _, printed = compare(result({FIRST: QUIET}), result({SECOND: QUIET}), "--allow", "all")
        assert status == NOT_COMPARABLE
        assert "no case is in both" in printed.err


def markup(name):
    return json.dumps(result({name: QUIET}))


GOOD = json.dumps(result(THREE))
HOSTILE = {
    "empty": "",
    "blanks": "  \n ",
    "truncated": GOOD[:1000],
    "no object": "[]",
    "a number": "3",
    "foreign": '{"benchmarks": {"case": 3}}',
    "no rows": '{"context": {}, "benchmarks": []}',
    "only aggregates": GOOD.replace('"iteration"', '"aggregate"'),
    "no context": '{"benchmarks": []}',
    "context is a list": '{"context": [], "benchmarks": []}',
    "rows are numbers": '{"context": {}, "benchmarks": [3]}',
    "no run_type": '{"context": {}, "benchmarks": [{"name": "a"}]}',
    "deep": "[" * 200_000,
    "deep objects": '{"a":' * 200_000,
    "half a character": GOOD.replace('"a', '"\\ud800a').replace(FIRST, "\\ud800"),
    "NaN": GOOD.replace("100000", "NaN"),
    "Infinity": GOOD.replace("100000", "Infinity"),
    "huge number": GOOD.replace("100000", "1" * 400),
    "very huge number": GOOD.replace("100000", "1" * 5000),
    "negative": GOOD.replace("100000", "-1"),
    "text for a time": GOOD.replace('"real_time": 100000', '"real_time": "100000"'),
    "key twice": GOOD.replace('"threads": 1,', '"threads": 1, "threads": 2,'),
    "repetition twice": GOOD.replace('"repetition_index": 1', '"repetition_index": 0'),
    "unit": GOOD.replace('"time_unit": "ns"', '"time_unit": "years"'),
    "label": json.dumps(result([rows(FIRST, QUIET, ["a"])])),
    "markup": markup("<script>alert(1)</script>"),
    "attribute": markup('a" onload="x'),
    "terminal": markup("a/\x1b[31mred:1"),
    "lines": markup("a/b:1\nRED: 0 cases"),
    "table": markup("a|b"),
    "other direction": markup("a/\u202ereversed:1"),
    "long name": markup("a" * 5000),
    "bytes": "\x00\x01\x02",
}


def test_a_counter_of_what_is_saved_may_be_less_than_nothing(compare, tmp_path):
    lossy = GOOD.replace('"threads": 1,', '"threads": 1, "saved_per_copy_ns": -4326.0,')
    assert lossy != GOOD
    path = write(tmp_path / "lossy.json", lossy)
    assert compare(path, result(THREE))[0] == 0


class TestHostileInput:
    @pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
    def test_it_is_one_line(self, compare, tmp_path, content):
        good, bad = write(tmp_path / "good.json", GOOD), write(tmp_path / "bad.json", content)
        for sides in ((good, bad), (bad, good)):
            status, document, printed = compare(*sides)
            assert (status, document, printed.out) == (BAD_INPUT, None, "")
            assert printed.err.startswith("tools/compare: ")
            assert printed.err.count("\n") == 1
            assert printed.err.strip().isprintable()
            assert len(printed.err) < 500

    @pytest.mark.parametrize("content", [b"\xff\xfe{}", gzip.compress(GOOD.encode())[:200], lzma.compress(GOOD.encode())[:200],
                                         b"\x1f\x8bno gzip", b"\xfd7zXZ\x00no xz"])  # fmt: skip
    def test_bytes_that_are_no_file_of_its_kind(self, compare, tmp_path, content):
        (tmp_path / "bad.json").write_bytes(content)
        status, _, printed = compare(result(THREE), str(tmp_path / "bad.json"))
        assert (status, printed.err.count("\n")) == (BAD_INPUT, 1)

    def test_too_large_is_not_read(self, compare, tmp_path, monkeypatch):
        monkeypatch.setattr(runs.reading, "MOST_BYTES", 1 << 20)
        for content in (
            b" " * (2 << 20),
            gzip.compress(b" " * (4 << 20)),
            lzma.compress(b" " * (4 << 20), preset=0),
        ):
            (tmp_path / "large.json").write_bytes(content)
            status, _, printed = compare(result(THREE), str(tmp_path / "large.json"))
            assert (status, "more than 1 MiB" in printed.err) == (BAD_INPUT, True)

    def test_what_is_no_file(self, compare, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for path in ("pipe", "nothing", "folder", "name\nof two lines"):
            (tmp_path / "folder").mkdir(exist_ok=True)
            status, _, printed = compare(result(THREE), str(tmp_path / path))
            assert (status, printed.err.count("\n")) == (BAD_INPUT, 1)

    def test_the_same_run_twice(self, compare, tmp_path):
        path = write(tmp_path / "a.json", GOOD)
        assert compare(path, path)[0] == BAD_INPUT

    def test_what_a_run_says_is_no_markup(self, compare, tmp_path):
        hostile = "<img src=x>|`*\n\x1b[31m"
        out = tmp_path / "comparison.md"
        base = result([rows(FIRST, QUIET)], os=hostile)
        new = result([failed(FIRST, hostile)], os="plain")
        status, document, printed = compare(base, new, "--markdown", str(out))
        text = out.read_text(encoding="utf-8")
        assert status == REGRESSION
        assert "&lt;img src=x&gt;\\|\\`\\*??" in text
        assert "<img" not in text
        assert all(character.isprintable() or character == "\n" for character in text + printed.out)
        assert document["cases"][0]["why"] == hostile


@pytest.mark.parametrize(
    "bad",
    [[], ["a"], ["a", "b", "c"], ["--fast", "a", "b"], ["a", "b", "--allow", "everything"], ["a", "b", "--alpha", "200"],
     ["a", "b", "--threshold", "nan"], ["a", "b", "--least-ns", "-1"], ["a", "b", "--cases", "("], ["filters", "a"],
     ["power"], ["a", "b", "--gate", "all"], ["a", "b", "--noise", "c", "--no-noise"],
     ["filters", "a", "b", "c", "--no-noise", "--noise", "d"], ["a\x1b", "b", "\x1b"]],
)  # fmt: skip
def test_bad_usage(bad, capsys):
    assert main(bad) == BAD_INPUT
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("tools/compare: ")
    assert printed.err.count("\n") == 1
    assert printed.err.strip().isprintable()


class TestOutput:
    def test_markdown_is_a_table(self, compare, tmp_path):
        out = tmp_path / "comparison.md"
        compare(result(THREE), result(THREE | {FIRST: scaled(QUIET, 1.5)}), "--markdown", str(out))
        text = out.read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line.startswith("|")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        assert len(lines) == 2 + 1
        assert {len(line) for line in cells} == {11}
        assert cells[2][:5] == [f"`{FIRST}`", "regressed", "100 us", "150 us", "+50.0 %"]
        assert text.rstrip().endswith("RED: 1 cases")

    @pytest.mark.parametrize("flag", ["--json", "--markdown"])
    def test_what_cannot_be_written_is_said_before_anything_is_read(self, flag, tmp_path, capsys):
        for words in (["no-base", "no-new"], ["filters", "no-file", "a", "b"], ["power", "no-run"]):
            assert main([*words, flag, str(tmp_path / "nowhere" / "out")]) == BAD_INPUT
            assert f"{flag}={tmp_path}/nowhere/out: there is no directory" in capsys.readouterr().err

    def test_json_alone_on_standard_output(self, tmp_path, capsys):
        files = [write(tmp_path / f"{name}.json", result(THREE, git_commit=name * 40)) for name in "01"]
        assert main([*files, "--no-compare-py", "--no-noise", "--json", "-"]) == FINE
        document = json.loads(capsys.readouterr().out)
        assert document["copybench_compare"] == 1
        assert re.fullmatch("[0-9a-f]{64}", document["base"][0]["sha256"])

    def test_a_file_that_cannot_be_written(self, compare, tmp_path):
        status, _, printed = compare(
            result(THREE), result(THREE, os="a"), "--markdown", str(tmp_path / "no" / "such.md")
        )
        assert (status, printed.err.count("\n")) == (BAD_INPUT, 1)

    @pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
    def test_compressed_is_the_same(self, compare, tmp_path, ending, pack):
        new = result(THREE | {FIRST: scaled(QUIET, 1.5)})
        packed = tmp_path / f"packed.json{ending}"
        packed.write_bytes(pack(json.dumps(new).encode()))
        plain, compressed = compare(result(THREE), new)[1], compare(result(THREE), str(packed))[1]
        assert plain["cases"] == compressed["cases"]
        assert plain["new"][0]["sha256"] == compressed["new"][0]["sha256"]


class TestPower:
    @pytest.fixture
    def runs(self, tmp_path):
        """Three runs that are alike, of which the last is slower in one case of two."""
        factors = (1, 1.0001, 1.3)
        cases = [{FIRST: scaled(QUIET, factor), SECOND: QUIET} for factor in factors]
        dates = [{"date": f"2026-01-0{day}T00:00:00"} for day in (1, 2, 3)]
        return [
            write(tmp_path / f"{date['date']}.json", result(each, **date))
            for each, date in zip(cases, dates, strict=True)
        ]

    def test_its_json_has_the_rows_of_its_table(self, runs, tmp_path, capsys):
        out = tmp_path / "power.json"
        assert main(["power", *runs, "--json", str(out), "--least", "5"]) == REGRESSION
        document = json.loads(out.read_text(encoding="utf-8"))
        assert (document["copybench_power"], document["status"], document["passes"]) == (1, REGRESSION, False)
        assert [run["file"] for run in document["runs"]] == runs
        # Of the six ordered pairs those from the first two runs to the last are red, each by one of two cases.
        assert document["settings"]["least_change"] == 0.05
        for noise in ("known", "alone"):
            found = document[noise]
            assert (found["ordered_pairs"], found["comparisons"]) == (6, 12)
        alarms = [(alarm["base"], alarm["new"], alarm["name"]) for alarm in document["false_alarms"]]
        assert alarms == [(runs[0], runs[2], FIRST), (runs[1], runs[2], FIRST)]
        assert (document["known"]["false_alarms"], document["known"]["red_runs"]) == (2, 2)
        assert [each["change"] for each in document["known"]["slow_downs"]] == [0.1, 0.05]
        assert {case["name"] for case in document["cases"]} == {FIRST, SECOND}
        printed = capsys.readouterr().out
        table = {line[:40].strip(): line[40:].split("  ") for line in printed.splitlines()}
        assert "2 of 12" in "".join(table["false alarms: cases"])

    def test_its_json_alone_on_standard_output(self, runs, capsys):
        assert main(["power", *runs[:2], "--json", "-"]) == FINE
        assert json.loads(capsys.readouterr().out)["status"] == FINE

    @pytest.mark.parametrize(
        "words",
        [["--no-noise"], ["--gate", "counters"], ["--allow", "all"], ["--hints"], ["--no-compare-py"],
         ["--compare-py", "x"], ["--also-base", "x"], ["--also-new", "x"]],
        ids=" ".join,
    )  # fmt: skip
    def test_what_it_has_no_use_for_is_refused(self, runs, words, capsys):
        assert main(["power", *runs, *words]) == BAD_INPUT
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n"), words[0] in printed.err) == ("", 1, True)

    @pytest.mark.parametrize(
        "cases",
        [
            # One repetition has no p.
            [{FIRST: QUIET[:1]}, {FIRST: QUIET[1:2]}],
            [{FIRST: QUIET}, {SECOND: QUIET}],
            [[failed(FIRST), rows(SECOND, QUIET[:1])], [rows(FIRST, QUIET)]],
        ],
        ids=["single", "other cases", "failed"],
    )
    def test_what_compared_nothing_does_not_pass(self, cases, tmp_path, capsys):
        runs = [write(tmp_path / f"{index}.json", result(each)) for index, each in enumerate(cases)]
        assert main(["power", *runs]) == BAD_INPUT
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "no case is in two of these sides" in printed.err.splitlines()[-1]


class TestFilters:
    def test_two_slices_of_one_run(self, tmp_path, capsys):
        names = ["copy/mem:{}/bytes:4", "copy/mem:{}/bytes:8", "copy/mem:{}/only:1"]
        cases = {name.format("pageable"): QUIET for name in names}
        cases |= {names[0].format("pinned"): scaled(QUIET, 0.1), names[1].format("pinned"): scaled(QUIET, 3)}
        path, out = write(tmp_path / "run.json", result(cases)), tmp_path / "out.json"
        words = ["filters", path, "mem:pageable", "mem:pinned", "--no-compare-py", "--json", str(out)]
        # The slower slice is no regression.
        assert main(words) == FINE
        printed = capsys.readouterr()
        document = json.loads(out.read_text(encoding="utf-8"))
        title = "[mem:pageable vs. mem:pinned]"
        assert verdicts(document) == {
            f"copy/{title}/bytes:4": "improved",
            f"copy/{title}/bytes:8": "regressed",
        }
        assert "1 faster, 1 slower" in printed.out
        assert "1 cases without a counterpart" in printed.err

    @pytest.mark.parametrize(
        "patterns", [("nothing", "mem"), ("(", "mem"), ("mem:pinned", "mem:other"), ("bytes:[48]", "mem")]
    )
    def test_patterns_that_do_not_fit(self, tmp_path, capsys, patterns):
        path = write(
            tmp_path / "run.json",
            result({"copy/mem:pinned/bytes:4": QUIET, "copy/mem:pinned/bytes:8": QUIET}),
        )
        assert main(["filters", path, *patterns, "--no-compare-py"]) == BAD_INPUT
        assert capsys.readouterr().err.count("\n") == 1
