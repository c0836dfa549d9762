# SPDX-License-Identifier: Apache-2.0
"""A call of the CUDA runtime fails, hangs, or takes the device with it. COPYBENCH_FAULTS=all tries many more."""

import pytest
from suite import ALL, SLOWNESS
from sweep import COMPLETE, QUICKLY, sweep

# What sanitizers look for is on the ways out of a failure.
SANITIZED = {"fail": 1, "lose": 1, "trap": 2}
MOST = COMPLETE if ALL else SANITIZED if SLOWNESS > 1 else QUICKLY


@pytest.mark.parametrize("kind", MOST)
def test_every_fault_is_taken_as_it_must_be(kind):
    results, complaints = sweep(kind, MOST[kind])
    assert results
    assert complaints == []
