# SPDX-License-Identifier: Apache-2.0
"""The whole suite on the simulated runtime. No figure here is a measurement."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from simulated import (
    BANNER,
    SUITE,
    by_case,
    list_cases,
    our_lines,
    read,
    require_no_lasting_fault,
    run,
    validate,
)
from studies import NAMES, STUDIES

SOURCE = Path(__file__).resolve().parents[2]
FAMILIES = [
    "bare_loop",
    "harness_floor",
    "host_blocking",
    "memory_call",
    "lifetime",
    "beside",
    "enqueue_threads",
    "queue_depth",
    "staging_pool",
    "wake_up",
    "callback_latency",
    "lazy_loading",
    "to_device",
    "to_device_queued",
    "to_host",
    "staged_parallel",
    "staging_limits",
    "small_arrays",
    "both_directions",
    "pinning",
    "pin_break_even",
    "dependent_copy",
    "dependent_copy_load",
    "scenario_copy_scale_copy",
    "scenario_to_device",
    "scenario_ping_pong",
]
ONLY_FULL = [
    "dependent_copy_load",
    "lazy_loading",
    "queue_depth",
    "staged_parallel",
    "staging_limits",
    "staging_pool",
]
SMALL = [
    "--copybench_axis=bytes:4096,1048576",
    "--copybench_axis=elements:1000",
    "--copybench_axis=kernels:2",
    "--copybench_axis=count:16",
]
# So many cases: one size is enough, of those that look for a knee, which take longest, some, and of chains one figure.
SMALL_FULL = [
    *(argument for argument in SMALL if "bytes:" not in argument),
    "--copybench_axis=bytes:65536",
    "--benchmark_filter=-^(queue_depth/op:(host_func|event_record|copy_pageable)|queue_depth/.*:eight$|staging_pool/.*_bytes:[1-9].{3}|callback_latency/waiter:[^hm]"
    "|(dependent_copy|dependent_copy_load|scenario_ping_pong)/.*metric:(host_blocked|cpu_time))",
]
SMALL_QUEUE = {"QUEUE_DEPTH": "64"}


class TestListing:
    def test_every_family_has_cases_in_both_profiles(self):
        for profile in ("quick", "full"):
            names = list_cases(f"--copybench_profile={profile}")
            expected = [name for name in FAMILIES if profile == "full" or name not in ONLY_FULL]
            assert list(dict.fromkeys(name.split("/")[0] for name in names)) == expected
            assert len(names) == len(set(names))

    def test_quick_cases_are_full_ones_too(self):
        assert set(list_cases("--copybench_profile=quick")) <= set(list_cases("--copybench_profile=full"))

    def test_a_filter_selects_a_slice(self):
        names = list_cases("--copybench_profile=full")
        chosen = list_cases(
            "--copybench_profile=full", "--benchmark_filter=host_blocking/.*dir:d2h/mem:managed/"
        )
        assert chosen == [
            name for name in names if "host_blocking/" in name and "dir:d2h/mem:managed/" in name
        ]
        assert len(chosen) > 10

    @pytest.mark.parametrize("pattern", [study[2] for study in STUDIES], ids=NAMES)
    def test_every_word_of_a_study_is_that_of_a_case(self, pattern):
        chosen = list_cases("--copybench_profile=full", f"--benchmark_filter={pattern}")
        words = {word for name in chosen for word in re.split(r"[/:]", name)}
        # Of to_(device|host) each half is a part of a word.
        parts = {part for word in words for part in re.split(r"(?<=_)", word)}
        for word in re.findall(r"[a-z_]+|[0-9]+", pattern):
            assert word in words | parts, word

    def test_a_filter_that_matches_nothing(self):
        done = run("--benchmark_filter=no_such_family")
        assert (done.returncode, done.stdout) == (2, "")
        assert len(our_lines(done.stderr)) == 1

    def test_the_schema_holds_for_what_was_measured(self):
        results = list(SOURCE.glob("results/*/*/*.json"))
        documents = [document for document in map(read, results) if "benchmarks" in document]
        assert documents
        for document in documents:
            validate(document)


class TestProfiles:
    @pytest.mark.parametrize(("profile", "repetitions"), [("quick", 1), ("full", 1), ("quick", 3)])
    def test_runs_whole(self, tmp_path, profile, repetitions):
        out = tmp_path / "out.json"
        small = SMALL_FULL if profile == "full" else SMALL
        arguments = [f"--copybench_profile={profile}", "--copybench_budget_ms=1", *small]
        if repetitions > 1:
            arguments.append("--benchmark_filter=bytes:4096$")
        done = run(
            *arguments,
            f"--benchmark_repetitions={repetitions}",
            "--benchmark_enable_random_interleaving=true",
            f"--benchmark_out={out}",
            DEVICES="2",
            **SMALL_QUEUE,
        )
        assert done.returncode == 0, done.stderr
        document = read(out)
        validate(document)
        assert document["context"]["simulated"] == "true"
        # Nothing but what a machine of few processors cannot show.
        skipped = run(*arguments, "--copybench_list_skipped", DEVICES="2").stdout.splitlines()
        families = "enqueue_threads|both_directions|pinning|callback_latency|staged_parallel|staging_limits"
        many_threads = f"({families})/.*: needs [0-9]+ processors"
        assert [line for line in skipped if not re.fullmatch(many_threads, line)] == []
        assert document["context"]["skipped"] == ("; ".join(skipped) or "none")
        said = [line for line in our_lines(done.stderr) if line != BANNER]
        assert our_lines(done.stderr).count(BANNER) == 2
        assert len(said) == (1 if skipped else 0)
        assert all("cases cannot run here" in line for line in said)
        assert document["context"]["profile"] == profile
        rows = by_case(document, "simulated")
        assert sorted([*rows, *(line.split(": ")[0] for line in skipped)]) == sorted(list_cases(*arguments))
        assert all(values == [1] * repetitions for values in rows.values())

    def test_cases_that_do_not_fit_are_skipped_with_a_reason(self):
        done = run("--copybench_list_skipped", DEVICE_MEMORY_BYTES="1e8")
        assert done.returncode == 0
        skipped = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        assert set(skipped) < set(list_cases())
        assert any("too little" in reason for reason in skipped.values())
        expected = "too little|needs [0-9]+ processors|needs a second GPU"
        assert all(re.search(expected, reason) for reason in skipped.values())

    def test_a_device_that_does_not_say_what_it_can_is_taken_to_lack_it(self):
        done = run(
            "--copybench_list_skipped",
            "--benchmark_filter=^(memory_call/api:prefetch_async|lifetime/.*mem:managed)/",
            FAULT="fail:cudaDeviceGetAttribute:1",
        )
        assert done.returncode == 0, done.stderr
        families = {line.split("/")[0] for line in done.stdout.splitlines()}
        assert families == {"lifetime", "memory_call"}


class TestMarks:
    """Nothing simulated can be mistaken for a measurement."""

    CASE = "--benchmark_filter=^host_blocking/.*/dir:h2d/mem:pinned/.*/queue:idle/bytes:4096$"

    def test_banner_before_the_first_row_and_after_the_last(self):
        done = subprocess.run(
            [SUITE, self.CASE, "--copybench_budget_ms=1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
        )
        lines = done.stdout.splitlines()
        rows = [i for i, line in enumerate(lines) if line.startswith("host_blocking/")]
        banners = [i for i, line in enumerate(lines) if line == BANNER]
        assert banners[0] < rows[0]
        assert rows[-1] < banners[-1] == len(lines) - 1

    def test_json_on_standard_output(self):
        done = run(self.CASE, "--copybench_budget_ms=1", "--benchmark_format=json")
        document = json.loads(done.stdout)
        validate(document)
        assert document["context"]["gpu_name"] == "copybench simulated device"
        assert "link_bytes_per_s=1e+10" in document["context"]["simulator_model"]
        assert our_lines(done.stderr) == [BANNER, BANNER]

    @pytest.mark.parametrize("fault", ["", "fail:cudaMemcpyAsync:30+"])
    def test_every_row_says_so_aggregates_and_failures_too(self, tmp_path, fault):
        out = tmp_path / "out.json"
        faults = {"FAULT": fault} if fault else {}
        run(
            self.CASE,
            "--copybench_budget_ms=1",
            "--benchmark_repetitions=3",
            f"--benchmark_out={out}",
            **faults,
        )
        document = read(out)
        rows = document["benchmarks"]
        assert len(rows) > 2
        assert [row.get("simulated") for row in rows] == [1] * len(rows)
        assert any("error_occurred" in row for row in rows) == bool(fault)
        assert (f"faults={fault}" in document["context"]["simulator_model"]) == bool(fault)

    def test_a_failed_case_is_a_valid_result_too(self, tmp_path):
        out = tmp_path / "out.json"
        done = run(
            "--benchmark_filter=^host_blocking/.*/bytes:4096$",
            "--copybench_budget_ms=1",
            f"--benchmark_out={out}",
            FAULT="fail:cudaStreamSynchronize:40",
        )
        assert done.returncode == 1
        document = read(out)
        validate(document)
        assert [row for row in document["benchmarks"] if "error_occurred" in row]

    def test_a_lost_device_is_a_valid_result_too(self, tmp_path):
        out = tmp_path / "out.json"
        done = run(
            "--benchmark_filter=^host_blocking/.*/bytes:4096$",
            "--copybench_budget_ms=1",
            f"--benchmark_out={out}",
            FAULT="lose:cudaStreamSynchronize:40",
        )
        assert done.returncode == 1
        validate(read(out))
        assert "context was lost" in read(out)["context"]["ended_early"]


class TestSmallArrays:
    def case(self, way, direction):
        mem = "pinned_mapped" if way == "mapped_gather" else "pinned"
        return f"small_arrays/way:{way}/dir:{direction}/mem:{mem}/metric:completion/bytes:1000/count:7"

    def measure(self, out, cases, **simulator):
        done = run(
            "--copybench_axis=bytes:1000",
            "--copybench_axis=count:7",
            f"--benchmark_filter=^({'|'.join(cases)})$",
            "--copybench_budget_ms=1",
            "--copybench_verify=sample",
            f"--benchmark_out={out}",
            **simulator,
        )
        return done, read(out)["benchmarks"]

    @pytest.mark.parametrize("direction", ["h2d", "d2h"])
    def test_every_way_has_its_row(self, tmp_path, direction):
        cases = [self.case(way, direction) for way in ("loop", "batch", "pack", "mapped_gather")]
        done, rows = self.measure(tmp_path / "out.json", cases)
        assert done.returncode == 0, done.stderr
        assert [row["name"] for row in rows] == cases
        for row in rows:
            assert row["ns_per_array"] == pytest.approx(row["completion_p50_ns"] / 7)
            assert row["bytes_per_second"] == pytest.approx(7000 / (row["completion_p50_ns"] * 1e-9))
            assert row["blocked_p50_ns"] <= row["completion_p50_ns"]

    # The first copy wakes the link, and the first kernel fills the source on the device.
    @pytest.mark.parametrize(
        ("way", "direction", "call"),
        [
            ("loop", "h2d", "cudaMemcpyAsync:2"),
            ("loop", "h2d", "cudaMemcpyAsync:8"),
            ("loop", "d2h", "cudaMemcpyAsync:2"),
            ("loop", "d2h", "cudaMemcpyAsync:8"),
            ("batch", "h2d", "cudaMemcpyBatchAsync:1"),
            ("batch", "d2h", "cudaMemcpyBatchAsync:1"),
            ("pack", "h2d", "cudaMemcpyAsync:2"),
            ("pack", "h2d", "cudaLaunchKernel:1"),
            ("pack", "d2h", "cudaMemcpyAsync:2"),
            ("pack", "d2h", "cudaLaunchKernel:2"),
            ("mapped_gather", "h2d", "cudaLaunchKernel:1"),
            ("mapped_gather", "d2h", "cudaLaunchKernel:2"),
        ],
    )
    @pytest.mark.parametrize("byte", [500, 0])
    def test_one_wrong_byte_is_found(self, tmp_path, way, direction, call, byte):
        fault = f"corrupt:{call}:{byte}"
        done, (row,) = self.measure(tmp_path / "out.json", [self.case(way, direction)], FAULT=fault)
        assert done.returncode == 1, done.stderr
        assert row["error_message"].startswith("copied arrays: 1 wrong bytes, ")


class TestBothDirections:
    BYTES = 4 << 20

    def measure(self, out, cases, **simulator):
        done = run(
            f"--copybench_axis=bytes:{self.BYTES}",
            f"--benchmark_filter=^both_directions/{cases}",
            "--copybench_budget_ms=1",
            f"--benchmark_out={out}",
            **simulator,
        )
        assert done.returncode == 0, done.stderr
        rows = {}
        for row in read(out)["benchmarks"]:
            values = dict(part.split(":") for part in row["name"].split("/")[1:])
            rows[tuple(values[key] for key in ("pair", "mem", "threads"))] = row
        return rows

    def test_the_sum_of_both_and_what_it_is_of_those_alone(self, tmp_path):
        rows = self.measure(tmp_path / "out.json", ".*/gpus:1/")
        assert len(rows) == 8
        for (pair, _, _), row in rows.items():
            copies = 2 if pair == "both" else 1
            assert row["bytes_per_second"] == pytest.approx(
                copies * self.BYTES / (row["completion_p50_ns"] * 1e-9)
            )
            if pair == "both":
                fraction = row["alone_p50_ns"] / row["completion_p50_ns"]
                assert row["duplex_fraction"] == pytest.approx(fraction)
            else:
                assert "duplex_fraction" not in row

    @pytest.mark.skipif(
        bool(os.environ.get("COPYBENCH_SANITIZE")), reason="the processor is the slowest then"
    )
    def test_a_thread_that_sits_in_one_copy_makes_no_other(self, tmp_path):
        # So slow that the processor has nothing to do with it, and next to nothing is captured.
        slow = {"LINK_BYTES_PER_S": "1e8", "STAGING_BYTES_PER_S": "1e8", "POOL_BYTES": "524288"}

        def find_faults(_):
            rows = self.measure(tmp_path / "out.json", "pair:both/", **slow)
            fractions = {key[1:]: row["duplex_fraction"] for key, row in rows.items()}
            at_once = {key for key, fraction in fractions.items() if fraction > 1.35}
            return at_once ^ {("pinned", "1"), ("pinned", "2"), ("pageable", "2")}

        require_no_lasting_fault(find_faults)

    def test_two_devices(self, tmp_path):
        rows = self.measure(tmp_path / "out.json", ".*/gpus:2/", DEVICES="2")
        assert set(rows) == {("h2d_alone", "pinned", "1"), ("h2d_alone", "pageable", "2")}
        for row in rows.values():
            assert row["own_process"] == 1
            assert row["duplex_fraction"] == pytest.approx(row["alone_p50_ns"] / row["completion_p50_ns"])

    # The link is woken and the other device's memory poisoned; then each copy is made alone, and both at once.
    @pytest.mark.parametrize("number", [5, 6])
    def test_a_wrong_byte_on_either_device_is_found(self, tmp_path, number):
        done = run(
            "--copybench_axis=bytes:4096",
            "--benchmark_filter=^both_directions/.*/gpus:2/mem:pinned/",
            "--copybench_budget_ms=1",
            "--copybench_verify=sample",
            f"--benchmark_out={tmp_path / 'out.json'}",
            DEVICES="2",
            FAULT=f"corrupt:cudaMemcpyAsync:{number}:17",
        )
        assert done.returncode == 1
        (row,) = read(tmp_path / "out.json")["benchmarks"]
        assert "copied data: 1 wrong bytes, the first at byte 17" in row["error_message"]


class TestProcessesOfTheirOwn:
    # Of the first launch of a kernel that is loaded by it.
    LOADING_NS = 6000

    def measure(self, out, cases, **simulator):
        done = run(
            f"--benchmark_filter={cases}", "--copybench_budget_ms=1", f"--benchmark_out={out}", **simulator
        )
        assert done.returncode == 0, done.stderr
        document = read(out)
        validate(document)
        return {row["name"]: row for row in document["benchmarks"]}

    def test_the_row_says_so(self, tmp_path):
        rows = self.measure(tmp_path / "out.json", "^wake_up/call:event_sync/.*wait_us:1000$")
        assert len(rows) == 8
        for name, row in rows.items():
            assert row.get("own_process") == (None if "device:auto" in name else 1), name
            assert row["latency_p50_ns"] > 0

    def test_copies_to_another_device(self, tmp_path):
        rows = self.measure(
            tmp_path / "out.json",
            "^host_blocking/api:memcpy_async/dir:(p2p|d2d)/.*/bytes:65536$",
            DEVICES="2",
        )
        assert len(rows) == 4
        for name, row in rows.items():
            to_other = "dir:p2p" in name
            assert row.get("own_process") == (1 if to_other else None), name
            assert row.get("peer_access") == (1 if to_other else None), name

    def test_a_copy_that_does_not_fit_on_the_other_device_names_it(self, tmp_path):
        said = []
        # One of them is the allocation there.
        for number in range(2, 8):
            done = run(
                "--benchmark_filter=^host_blocking/.*/dir:p2p/.*/queue:idle/bytes:65536$",
                "--copybench_budget_ms=1",
                DEVICES="2",
                FAULT=f"fail:cudaMalloc:{number}:cudaErrorMemoryAllocation",
            )
            said += [line for line in our_lines(done.stderr) if line != BANNER]
        (line,) = [line for line in said if "has no room for" in line]
        assert ": device 1, the peer of device 0, has no room for " in line

    def test_no_other_case_touches_another_device(self, tmp_path):
        """Pinned memory costs more where there are several contexts."""
        report = tmp_path / "report.json"
        done = run(
            "--benchmark_filter=^host_blocking/api:memcpy_async/dir:(p2p|d2d)/.*/bytes:65536$",
            "--copybench_budget_ms=1",
            DEVICES="2",
            REPORT=str(report),
        )
        assert done.returncode == 0, done.stderr
        calls = read(report)["calls"]
        assert calls["cudaMemcpyAsync"] > 0
        assert "cudaDeviceEnablePeerAccess" not in calls

    def test_lazily_loaded_kernels_take_longer(self, tmp_path):
        rows = self.measure(tmp_path / "out.json", "^lazy_loading/.*/op:first_launch$")
        assert [row["label"] for row in rows.values()] == ["async"] * 2
        assert rows["lazy_loading/loading:lazy/op:first_launch"]["p50_ns"] >= self.LOADING_NS

    def test_used_up_kernels_are_those_of_a_new_process(self, tmp_path):
        out = tmp_path / "out.json"
        done = run(
            "--benchmark_filter=^lazy_loading/loading:lazy/op:first_launch$",
            "--benchmark_repetitions=8",
            "--copybench_budget_ms=1",
            f"--benchmark_out={out}",
        )
        assert done.returncode == 0, done.stderr
        (times,) = by_case(read(out), "p50_ns").values()
        assert len(times) == 8
        assert min(times) >= self.LOADING_NS
