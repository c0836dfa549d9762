# SPDX-License-Identifier: Apache-2.0
"""A call of the CUDA runtime fails, hangs, or takes the device with it. COPYBENCH_FAULTS=all tries many more."""

import pytest
from suite import ALL, QUICK, SLOWNESS, run
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
