# SPDX-License-Identifier: Apache-2.0
"""The knee finders find the knees that the simulated machine was given."""

import json
import os
import subprocess

import pytest

SUITE = os.environ["COPYBENCH_SIM"]
KIB = 1024
FAST = {"LINK_BYTES_PER_S": "1e10", "STAGING_BYTES_PER_S": "1e10"}


def run(tmp_path, case, **model):
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("BENCHMARK_", "COPYBENCH_SIM_"))
    }
    out = tmp_path / "knee.json"
    done = subprocess.run(
        [SUITE, f"--benchmark_filter=^{case}$", "--copybench_budget_ms=1", f"--benchmark_out={out}"],
        capture_output=True,
        timeout=120,
        env=kept | {f"COPYBENCH_SIM_{key}": f"{value}" for key, value in (FAST | model).items()},
    )
    (row,) = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
    return done, row


def measure(tmp_path, case, **model):
    done, row = run(tmp_path, case, **model)
    assert done.returncode == 0, done.stderr
    return row


@pytest.mark.parametrize("depth", [8, 300])
@pytest.mark.parametrize("operation", ["copy_h2d", "copy_d2h", "kernel"])
def test_queue_depth_is_the_models(tmp_path, operation, depth):
    row = measure(tmp_path, f"queue_depth/op:{operation}/streams:1/connections:default", QUEUE_DEPTH=depth)
    # The gate has the first place.
    assert row["knee_operations"] == row["knee_operations_low"] == row["knee_operations_high"] == depth - 1
    assert row["label"] == "waits_for_queue"


def test_each_stream_has_its_own_queue(tmp_path):
    row = measure(tmp_path, "queue_depth/op:kernel/streams:2/connections:default", QUEUE_DEPTH=50)
    # In turns: the gated stream is full first, when the other one has got as many.
    assert row["knee_operations"] == 2 * 49


def test_a_queue_without_an_end_has_no_knee(tmp_path):
    row = measure(tmp_path, "queue_depth/op:event_record/streams:1/connections:default", QUEUE_DEPTH=50)
    assert row["label"] == "no_knee"


@pytest.mark.parametrize("pool", [64 * KIB, 300 * KIB, 2048 * KIB, 5000 * KIB])
def test_staging_pool_is_the_models(tmp_path, pool):
    row = measure(tmp_path, "staging_pool/mem:pageable/before:nothing/before_bytes:0", POOL_BYTES=pool)
    assert row["knee_bytes_low"] <= pool < row["knee_bytes_high"]
    assert row["knee_bytes_high"] - row["knee_bytes_low"] <= 0.02 * pool
    assert row["label"] == "waits_for_queue"


def test_a_pool_below_the_least_size_is_not_made_larger(tmp_path):
    row = measure(
        tmp_path,
        "staging_pool/mem:pageable/before:nothing/before_bytes:0",
        POOL_BYTES=2 * KIB,
        PIECE_BYTES=2 * KIB,
    )
    assert row["label"] == "waits_for_queue"
    assert row["knee_bytes"] == row["knee_bytes_low"] == 0
    assert row["knee_bytes_high"] == 4 * KIB
    # That of the call that waited for the gate.
    assert row["real_time"] > 5e6


@pytest.mark.parametrize("stream", ["same_stream", "other_stream"])
def test_a_copy_in_front_takes_its_part_of_the_pool(tmp_path, stream):
    row = measure(
        tmp_path, f"staging_pool/mem:pageable/before:{stream}/before_bytes:262144", POOL_BYTES=2048 * KIB
    )
    assert row["knee_bytes_low"] <= 2048 * KIB - 262144 < row["knee_bytes_high"]


def test_a_copy_in_front_that_waits_by_itself_is_named(tmp_path):
    done, row = run(
        tmp_path, "staging_pool/mem:pageable/before:same_stream/before_bytes:262144", POOL_BYTES=64 * KIB
    )
    assert done.returncode != 0
    assert "before_bytes: the copy of 262144 bytes in front" in row["error_message"]
