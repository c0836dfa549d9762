# SPDX-License-Identifier: Apache-2.0
"""A call of the CUDA runtime fails, hangs, or takes the device with it. COPYBENCH_FAULTS=all tries many more."""

import re

import pytest
from suite import ALL, FULL, QUICK, SLOWNESS, run
from sweep import COMPLETE, QUICKLY, sweep

# What sanitizers look for is on the ways out of a failure.
SANITIZED = {"fail": 1, "lose": 1, "trap": 2}
MOST = COMPLETE if ALL else SANITIZED if SLOWNESS > 1 else QUICKLY


@pytest.mark.parametrize("kind", MOST)
def test_every_fault_is_taken_as_it_must_be(kind):
    results, complaints = sweep(kind, MOST[kind])
    assert results
    assert complaints == []


def test_a_device_that_does_not_answer_after_a_failure_is_noticed():
    """After a failed call the suite asks whether the context is lost, and that call may hang."""
    case = ("--benchmark_filter=^host_blocking.*dir:d2h/mem:pageable.*queue:idle/bytes:65536$",)
    # The first is the end of the start, the second the question.
    faults = "fail:cudaMemcpyAsync:6;hang:cudaFree:2"
    outcome = run((*QUICK, *case), faults, limit=20 * SLOWNESS, watchdog=1)
    assert outcome.status == 1
    assert any("no progress" in message and "host_blocking" in message for message in outcome.messages)
    assert [row["error_occurred"] for row in outcome.rows] == [True]


# A leader and threads that help it; on two processors no more than one of them.
HELPED = {
    "staging_limits/half:host/dir:h2d/store:cached": "2",
    "staging_limits/half:link_beside_host/dir:h2d/store:cached": "1",
    "staging_limits/half:link_beside_host/dir:d2h/store:streamed": "1",
    "staged_parallel/dir:h2d/mem:pageable": "2",
    "staged_parallel/dir:d2h/mem:pageable": "2",
}


@pytest.mark.parametrize("kind", ["fail", "lose"])
@pytest.mark.parametrize(("case", "threads"), HELPED.items())
def test_threads_that_help_end_when_their_leader_fails(kind, case, threads):
    axes = (f"threads:{threads}", "chunk:65536", "chunks:2", "piece:65536", "streams:1", "bytes:2MiB")
    arguments = (
        *FULL,
        f"--benchmark_filter=^{case}/",
        *(f"--copybench_axis={axis}" for axis in axes),
    )
    clean = run(arguments)
    assert clean.status == 0
    assert len(clean.rows) == 1
    calls = clean.report["calls"]["cudaMemcpyAsync"]
    # The first is the start's.
    for n in sorted({2, 3, calls // 4, calls // 2, calls - 1, calls} - {0, 1}):
        outcome = run(arguments, f"{kind}:cudaMemcpyAsync:{n}", limit=30 * SLOWNESS)
        assert outcome.status == 1, f"{n} of {calls}: {outcome.messages}"
        (row,) = outcome.error_rows
        message = row["error_message"]
        assert re.search(r"\b(cuda\w+|launch): cudaError", message), message
