# SPDX-License-Identifier: Apache-2.0
"""One byte of one copy is wrong. COPYBENCH_FAULTS=all tries all places in all cases of the quick profile, and more."""

import random

from corruption import all_cases, is_caught, sweep, tiny_cases
from suite import ALL


def test_every_wrong_byte_is_found():
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    results = sweep(all_cases() if ALL else tiny_cases(), seed, one=not ALL)
    assert len(results) > 40
    assert [str(corruption) for corruption, outcome in results if not is_caught(outcome)] == []
