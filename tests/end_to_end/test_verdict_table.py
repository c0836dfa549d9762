# SPDX-License-Identifier: Apache-2.0
"""The verdict table: what stands on the console and in the context agrees with the labels of the rows."""

import collections
import json
import os
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest

SUITES = {"fake": os.environ["COPYBENCH_FAKE_SUITE"], "simulated": os.environ["COPYBENCH_SIM"]}
CASES = {
    "fake": ["--benchmark_filter=^fake_verdict/"],
    "simulated": [
        "--benchmark_filter=^host_blocking/api:memcpy_async/dir:h2d/mem:(pageable|pinned)/stream:nonblocking/",
        "--copybench_profile=quick",
        "--copybench_axis=bytes:4,65536,3MiB",
        "--copybench_budget_ms=1",
    ],
}
FAILED = "failed"
VERDICTS = {"async", "waits_for_copy", "waits_for_queue", "mixed"}
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def run(suite, *arguments, status=0, **extra):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("BENCHMARK_")}
    done = subprocess.run(
        [SUITES[suite], *CASES[suite], *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env=kept | extra,
    )
    assert done.returncode == status, done.stderr
    return done.stdout


def recompute(document):
    """{(family, axes): [(from, to, verdict), ...]}, from the labels of the rows alone."""
    labels = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in document["benchmarks"]:
        has_failed = "error_occurred" in row
        if row["run_type"] != "iteration" or not (has_failed or row.get("label") in VERDICTS):
            continue
        family, *axes = row["run_name"].split("/")
        axes = dict(axis.split(":") for axis in axes)
        if "bytes" in axes:
            size = int(axes.pop("bytes"))
            labels[family, tuple(axes.items())][size] += [] if has_failed else [row["label"]]
    table = {}
    for group, sizes in labels.items():
        if not any(sizes.values()):
            continue
        ranges = table[group] = []
        for size, seen in sorted(sizes.items()):
            word, count = collections.Counter(seen).most_common(1)[0] if seen else (FAILED, 1)
            verdict = word if count > len(seen) / 2 else "mixed"
            if ranges and ranges[-1][2] == verdict:
                ranges[-1] = (ranges[-1][0], size, verdict)
            else:
                ranges.append((size, size, verdict))
    return table


def in_context(document):
    return {
        (group["family"], tuple(group["axes"].items())): [
            (change["from_bytes"], change["to_bytes"], change["verdict"]) for change in group["changes"]
        ]
        for group in document["context"].get("verdict_table", [])
    }


def on_console(text):
    """The same, with the axes of a group in no particular order."""
    table = {}
    blocks = text[text.index("\nVerdicts of ") :].split("\nVerdicts of ")[1:]
    for block in blocks:
        title, columns, *lines = block.strip("\n").split("\n")
        family, constant = re.fullmatch(r"(\w+)(?: \((.*)\))?", title).groups()
        axes = dict(axis.split(":") for axis in (constant or "").split(", ") if axis)
        keys = re.split("  +", columns)[:-1]
        # Aligned: every line has its last column where the heading has it.
        start = columns.index("verdict by size")
        for line in lines:
            assert line[:start].endswith("  ")
            values = dict(zip(keys, line[:start].split(), strict=True))
            changes = []
            for part in line[start:].split(", "):
                verdict, *sizes = re.fullmatch(r"(\w+) (\d+) (\w+)(?: to (\d+) (\w+))?", part).groups()
                first = int(sizes[0]) * UNITS[sizes[1]]
                changes.append((first, int(sizes[2]) * UNITS[sizes[3]] if sizes[2] else first, verdict))
            table[family, frozenset((axes | values).items())] = changes
    return table


def unordered(table):
    return {(family, frozenset(axes)): changes for (family, axes), changes in table.items()}


def validate(document):
    schema = json.loads(Path(__file__).with_name("result.schema.json").read_text(encoding="utf-8"))
    part = schema["properties"]["context"] = {"$ref": "#/$defs/context/properties/verdict_table"}
    validator = jsonschema.Draft202012Validator(part | {"$defs": schema["$defs"]})
    faults = [error.message for error in validator.iter_errors(document["context"]["verdict_table"])]
    assert faults == []


@pytest.mark.parametrize("suite", list(SUITES))
@pytest.mark.parametrize("repetitions", [1, 3])
def test_console_context_and_rows_agree(tmp_path, suite, repetitions):
    out = tmp_path / "out.json"
    console = run(
        suite,
        f"--benchmark_out={out}",
        f"--benchmark_repetitions={repetitions}",
        "--benchmark_enable_random_interleaving=true",
    )
    document = json.loads(out.read_text())
    validate(document)
    expected = recompute(document)
    assert len(expected) >= 4
    assert any(len(ranges) > 1 for ranges in expected.values())
    assert in_context(document) == expected
    assert on_console(console) == unordered(expected)
    assert console.rindex("/bytes:") < console.index("\nVerdicts")


def test_a_size_whose_rows_all_failed_is_not_passed_over(tmp_path):
    out = tmp_path / "out.json"
    fault = {"COPYBENCH_SIM_FAULT": "fail:cudaMemcpyAsync:30"}
    console = run("simulated", f"--benchmark_out={out}", status=1, **fault)
    document = json.loads(out.read_text())
    validate(document)
    expected = recompute(document)
    assert [change[2] for changes in expected.values() for change in changes].count(FAILED) == 1
    assert in_context(document) == expected
    assert on_console(console) == unordered(expected)


def test_what_is_expected_of_the_fake_cases(tmp_path):
    """Not recomputed but written down: a fault that both sides share would show here."""
    console = run("fake", "--benchmark_repetitions=2")
    assert console[console.index("\nVerdicts") :] == (
        "\nVerdicts of fake_verdict (dir:h2d)\n"
        "mem       queue  verdict by size\n"
        "pageable  idle   async 4 B, waits_for_copy 64 KiB to 2 MiB\n"
        "pageable  busy   async 4 B to 64 KiB, mixed 1 MiB, waits_for_queue 2 MiB\n"
        "pinned    idle   async 4 B to 2 MiB\n"
        "pinned    busy   async 4 B to 2 MiB\n"
    )
    # Of its two repetitions, one differs; of three, one as well.
    assert "waits_for_queue 1 MiB to 2 MiB" in run("fake", "--benchmark_repetitions=3")


def test_json_on_standard_output_has_it_in_the_context_alone():
    text = run("fake", "--benchmark_format=json")
    document = json.loads(text)
    assert in_context(document) == recompute(document)
    assert "Verdicts of" not in text


def test_a_text_file_ends_with_it(tmp_path):
    out = tmp_path / "out.txt"
    console = run("fake", f"--benchmark_out={out}", "--benchmark_out_format=console")
    table = console[console.index("\nVerdicts") :]
    assert out.read_text().endswith(table)


def test_one_size_of_one_group_needs_no_table(tmp_path):
    out = tmp_path / "out.json"
    console = run(
        "fake", "--benchmark_filter=^fake_verdict/.*pinned/queue:idle/bytes:4$", f"--benchmark_out={out}"
    )
    assert "Verdicts" not in console
    assert list(in_context(json.loads(out.read_text())).values()) == [[(4, 4, "async")]]


def test_rows_without_sizes_have_none(tmp_path):
    out = tmp_path / "out.json"
    console = run("fake", "--benchmark_filter=^fake/behaviour:ok", f"--benchmark_out={out}")
    assert "Verdicts" not in console
    assert "verdict_table" not in json.loads(out.read_text())["context"]


def test_a_run_that_is_cut_short_has_that_of_its_finished_rows(tmp_path):
    out = tmp_path / "out.json"
    done = subprocess.run(
        [
            SUITES["fake"],
            "--benchmark_filter=^(fake_verdict/|fake/behaviour:lost_context_third/)",
            "--benchmark_repetitions=9",
            "--benchmark_enable_random_interleaving=true",
            f"--benchmark_out={out}",
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    document = json.loads(out.read_text())
    assert "lost_context_third" in document["context"]["ended_early"]
    assert recompute(document)
    assert in_context(document) == recompute(document)


def test_the_key_is_taken():
    done = subprocess.run(
        [SUITES["fake"], "--benchmark_context=verdict_table=mine", "--benchmark_filter=fake_verdict"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert '"verdict_table" is taken' in done.stderr
