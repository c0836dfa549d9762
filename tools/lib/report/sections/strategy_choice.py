# SPDX-License-Identifier: Apache-2.0
"""Which cases stand for a strategy, in which colour, and which of them is the fastest."""

from report.cases import by, good, select

# The order of their colours; others follow.
KNOWN = ["driver_pinned", "driver_pageable", "staged_parallel", "auto", "staged_double_buffered", "staged_single",
          "pin_copy", "register_in_place", "driver_pageable_sync", "mapped_kernel", "managed_prefetch"]  # fmt: skip
FAMILIES = {"to_device": "to the device", "to_host": "to the host"}
# Two are told apart from here on: less is what two like-for-like runs differ by.
_SAME = 1.03


def colours(strategies):
    order = [*KNOWN, *sorted(set(strategies) - set(KNOWN))]
    return {name: order.index(name) for name in strategies}


def completions(model, family):
    """{strategy: its cases by size}: of several streams the non-blocking one, with the destination there before."""
    cases = [
        case for case in good(select(model.cases, family, metric="completion", alloc="none")) if case.bytes
    ]
    cases = [case for case in cases if case.median > 0 and "strategy" in case.axes]
    chosen = {}
    for strategy, own in by(cases, "strategy").items():
        streams = by(own, "stream")
        chosen[strategy] = streams.get("nonblocking") or next(iter(streams.values()))
    return chosen


def best_by_size(chosen):
    """{bytes: (strategies as fast as the fastest, the fastest case)}, of arrays in ordinary memory."""
    sizes = {}
    for strategy, cases in chosen.items():
        for case in cases:
            if case.axes.get("mem") == "pageable":
                sizes.setdefault(case.bytes, []).append((case.median, strategy, case))
    best = {}
    for count, entries in sorted(sizes.items()):
        entries.sort(key=lambda entry: entry[:2])
        if len(entries) > 1:
            best[count] = (
                [name for time, name, _ in entries if time <= entries[0][0] * _SAME],
                entries[0][2],
            )
    return best
