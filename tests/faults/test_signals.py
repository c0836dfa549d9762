# SPDX-License-Identifier: Apache-2.0
"""SIGINT and SIGTERM at random moments of a run. COPYBENCH_FAULTS=all tries many more."""

import random
import signal

import pytest
from interruption import interrupt
from suite import ALL


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_at_any_moment(number):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    outcomes, complaints = interrupt(number, 100 if ALL else 12, seed)
    assert complaints == []
    assert any(outcome.status is None for outcome in outcomes)
