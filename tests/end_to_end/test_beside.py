# SPDX-License-Identifier: Apache-2.0
"""Calls beside others are judged and kept by what the call did, however long it takes by itself."""

import json

from test_knees import measure

# At 2 us a call.
TEN_MS = "slow:cudaEventRecord:5000"
FAR_LONGER_THAN_THE_COPY = "slow:cudaEventRecord:50000"


def test_a_call_that_is_merely_long_does_not_wait_for_the_gate(tmp_path):
    row = measure(tmp_path, "beside/op:event_record/beside:gate", FAULT=TEN_MS)
    assert row["label"] == "async"
    assert row["most_hold_ns"] >= 15e6


def test_a_call_that_is_not_long_has_the_least_hold(tmp_path):
    row = measure(tmp_path, "beside/op:event_record/beside:gate")
    assert row["most_hold_ns"] == 3e6


def test_a_call_that_outlasts_the_copy_beside_it_is_a_sample(tmp_path):
    report = tmp_path / "report.json"
    row = measure(
        tmp_path, "beside/op:event_record/beside:staging_copy", FAULT=FAR_LONGER_THAN_THE_COPY, REPORT=report
    )
    # On a busy machine a copy may take as long as that now and then.
    assert row["beside_fraction"] < 1
    # One for each sample and those of the warm-up, and none taken anew.
    records = json.loads(report.read_text(encoding="utf-8"))["calls"]["cudaEventRecord"]
    assert records < 2 * row["samples"]
