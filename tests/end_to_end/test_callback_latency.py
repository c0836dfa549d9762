# SPDX-License-Identifier: Apache-2.0
"""How late the host hears of the end of a kernel: what is counted from where, and what comes of a failure."""

import os

import pytest
from simulated import read, run, validate

HOST_FUNCTIONS = ["host_function", "worker_sleeping", "worker_spinning"]
OTHERS = ["event_sync_spin", "event_sync_block", "stream_sync"]
# Far longer than whatever else there is in a sample on an idle machine; a sample can only be longer.
LATE_US = 1000


def measure(tmp_path, waiter, cores="idle", status=0, **simulator):
    out = tmp_path / "out.json"
    done = run(
        f"--benchmark_filter=^callback_latency/waiter:{waiter}/cores:{cores}/wait_us:200$",
        "--copybench_budget_ms=1",
        "--copybench_watchdog=20",
        f"--benchmark_out={out}",
        **simulator,
    )
    assert done.returncode == status, done.stderr
    document = read(out)
    validate(document)
    (row,) = document["benchmarks"]
    return row


@pytest.mark.parametrize("waiter", HOST_FUNCTIONS)
def test_a_late_host_function_is_late_for_all_that_it_tells(tmp_path, waiter):
    row = measure(tmp_path, waiter, HOST_FUNCTION_LATENCY_US=str(LATE_US))
    assert row["host_function_entry_p50_ns"] >= LATE_US * 1000
    # No percentile that the samples do not support, and the one that the case is about.
    assert row["samples"] > 100
    assert row["p50_ns"] <= row["p99_ns"] <= row["max_ns"]
    if waiter == "host_function":
        assert row["latency_p50_ns"] == row["host_function_entry_p50_ns"]
    else:
        assert row["latency_p50_ns"] > row["host_function_entry_p50_ns"]
    assert 0 <= row["on_measuring_cpu_fraction"] <= 1


@pytest.mark.parametrize("waiter", OTHERS)
def test_others_have_none(tmp_path, waiter):
    row = measure(tmp_path, waiter)
    assert row["latency_p50_ns"] == row["p50_ns"] > 0
    assert row["p99_ns"] >= row["p50_ns"]
    assert [key for key in row if "host_function" in key or "measuring" in key] == []


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is no other processor")
def test_every_other_processor_is_busy(tmp_path):
    row = measure(tmp_path, "host_function", "busy")
    # The others of the measuring thread's core are left alone.
    assert 1 <= row["busy_threads"] < len(os.sched_getaffinity(0))
    assert "busy_threads" not in measure(tmp_path, "host_function")


@pytest.mark.parametrize("waiter", HOST_FUNCTIONS)
@pytest.mark.parametrize(
    "fault",
    [
        # Nobody will ever tell the worker, which waits already.
        {"FAULT": "fail:cudaLaunchHostFunc:7:cudaErrorUnknown"},
        {"FAULT": "lose:cudaLaunchHostFunc:7:cudaErrorLaunchFailure"},
        # The device is lost while everybody waits.
        {"FAULT": "lose:cudaStreamQuery:1:cudaErrorLaunchFailure", "HOST_FUNCTION_LATENCY_US": "100000"},
    ],
    ids=["fail", "lose", "lose_waiting"],
)
def test_a_failure_reaches_whoever_waits(tmp_path, waiter, fault):
    row = measure(tmp_path, waiter, status=1, **fault)
    assert fault["FAULT"].rsplit(":", 1)[1] in row["error_message"]
