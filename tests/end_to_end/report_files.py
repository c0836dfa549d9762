# SPDX-License-Identifier: Apache-2.0
"""Results made by hand for the tests of tools/report; what has to come of them is worked out there, by hand as well."""

import hashlib
import json

CONTEXT = {
    "date": "2026-01-02T03:04:05+00:00",
    "gpu_name": "Test GPU",
    "driver_version": "1.2",
    "pcie_generation_max": "4",
    "pcie_generation_now": "1",
    "pcie_width_now": "16",
    "git_commit": "0123456789abcdef0123456789abcdef01234567",
    "git_dirty": "false",
    "command_line": "copybench --benchmark_out=run.json",
    "profile": "full",
    "skipped": "host_blocking/api:x/bytes:4: needs a second GPU; beside/op:y: too little memory",
}
KIB, MIB = 1024, 1024 * 1024
SIZES = [0, 4, 64 * KIB, MIB, 16 * MIB]
EARLY, COPY, QUEUE = "async", "waits_for_copy", "waits_for_queue"
# (dir, mem, queue): time in ns and verdict, by size.
BLOCKING = {
    ("h2d", "pageable", "idle"): [(50, EARLY), (1000, EARLY), (9000, EARLY), (80_000, COPY), (2e6, COPY)],
    ("h2d", "pageable", "busy"): [(50, EARLY), (1100, EARLY), (9100, EARLY), (81_000, EARLY), (5e6, QUEUE)],
    ("d2h", "pageable", "idle"): [(50, EARLY), (6000, COPY), (15_000, COPY), (90_000, COPY), (2e6, COPY)],
    ("d2h", "pageable", "busy"): [(50, EARLY), (2e6, QUEUE), (2e6, QUEUE), (2e6, QUEUE), (5e6, QUEUE)],
    ("h2d", "pinned", "idle"): [(50, EARLY), (1000, EARLY), (1000, EARLY), (1500, EARLY), (2000, EARLY)],
    ("h2d", "pinned", "busy"): [(50, EARLY), (1100, EARLY), (1100, EARLY), (1600, EARLY), (2100, EARLY)],
    ("d2h", "pinned", "idle"): [(50, EARLY), (1200, EARLY), (1200, EARLY), (1500, EARLY), (2500, EARLY)],
    ("d2h", "pinned", "busy"): [(50, EARLY), (1300, EARLY), (1300, EARLY), (1600, EARLY), (2600, EARLY)],
}


def rows(name, times, label="", **counters):
    """A row for each time; a counter that is a list has one value for each."""
    made = []
    for index, time in enumerate(times):
        own = {key: value[index] if isinstance(value, list) else value for key, value in counters.items()}
        made.append(
            {"name": name, "run_name": name, "run_type": "iteration", "repetitions": len(times), "repetition_index": index,
             "iterations": 1, "real_time": time, "cpu_time": 1.0, "time_unit": "ns", "p50_ns": time,
             "samples": 40.0, **own}
        )  # fmt: skip
        if isinstance(time, float | int) and not isinstance(time, bool):
            made[-1] |= {"p90_ns": 2 * time, "max_ns": 3 * time}
        if label:
            made[-1]["label"] = label
    return made


def blocking_rows():
    made = []
    for (direction, memory, queue), entries in BLOCKING.items():
        for size, (time, label) in zip(SIZES, entries, strict=True):
            name = f"host_blocking/api:memcpy_async/dir:{direction}/mem:{memory}/stream:nonblocking/queue:{queue}/bytes:{size}"
            # 25.2 GB/s is 80 % of the 31.5 of PCIe 4.0 x16, 6.3 is 25 % of that.
            rate = {"pinned": 25.2e9, "pageable": 6.3e9}[memory] if size == 16 * MIB else 1e9
            hold = {"most_hold_ns": 2e6} if queue == "busy" else {}
            made += rows(name, [0.9 * time, time, 1.3 * time], label, bytes_per_second=rate, **hold)
    return made


def transfer_rows():
    made = []
    times = {
        "driver_pageable": {64 * KIB: 10_000, 16 * MIB: 2e6},
        "staged_parallel": {64 * KIB: 10_200, 16 * MIB: 1e6},
        "driver_pinned": {64 * KIB: 8000, 16 * MIB: 800_000},
    }
    for strategy, sizes in times.items():
        memory = "pinned" if strategy == "driver_pinned" else "pageable"
        for size, time in sizes.items():
            name = f"to_device/strategy:{strategy}/mem:{memory}/alloc:none/stream:nonblocking/metric:completion/bytes:{size}"
            made += rows(name, [time] * 3, blocked_p50_ns=time / 2, bytes_per_second=size / time * 1e9)
    return made


def other_rows():
    staged = (
        "staged_parallel/dir:h2d/mem:pageable/threads:{}/chunk:1048576/chunks:2/piece:262144/bytes:16777216"
    )
    made = rows(staged.format(1), [4e6], pinned_completion_p50_ns=800_000, pinned_fraction=0.2)
    made += rows(staged.format(8), [1e6], pinned_completion_p50_ns=800_000, pinned_fraction=0.8)
    for way, copies in {"register": [3, 4, 0], "host_alloc": [0, 0, 2]}.items():
        made += rows(
            f"pin_break_even/dir:h2d/way:{way}/bytes:1048576",
            [1e6] * 3,
            break_even_copies=copies,
            saved_per_copy_ns=-5,
        )
    chain = {"stream_sync": (15_000, 1e6), "worker": (60_000, 7000), "stale": (1000, 3000)}
    for strategy, (end_to_end, blocked) in chain.items():
        for metric, time in (("end_to_end", end_to_end), ("host_blocked", blocked)):
            for elements in (16, 1000):
                name = f"dependent_copy/strategy:{strategy}/metric:{metric}/elements:{elements}"
                made += rows(
                    name,
                    [time],
                    "wrong_data" if strategy == "stale" else "",
                    correct=float(strategy != "stale"),
                )
    made += rows("queue_depth/op:copy_h2d/streams:1/connections:default", [900], QUEUE, knee_operations=1021)
    made += rows(
        "queue_depth/op:host_func/streams:1/connections:default", [900], "no_knee", knee_operations=20_000
    )
    made += rows("staging_pool/mem:pageable/before:nothing/before_bytes:0", [900], QUEUE, knee_bytes=2 * MIB)
    failed = {"error_occurred": True, "error_message": "the bytes were <b>wrong</b>"}
    return made + rows("beside/op:malloc/beside:gate", [0.0, 0.0], **failed)


def peer_rows():
    name = "to_device/strategy:torch_to/mem:pageable/alloc:framework/stream:legacy/metric:completion/bytes:16777216"
    return rows(name, [2.5e6], blocked_p50_ns=2.4e6, bytes_per_second=6.7e9)


def comparison(path, of):
    """As tools/compare writes it, of which tools/report reads these."""
    figures = {"base": {"median": 1000.0}, "new": {"median": 1200.0}, "change": 0.2, "interval": [0.15, 0.25],
               "p": 0.001, "threshold": 0.05, "detectable": 0.08}  # fmt: skip
    unknown = {"base": {"median": 1000.0}, "new": {"median": None}, "change": None, "interval": None}
    cases = [
        {"name": "a/b:same", "verdict": "same", "why": "", "time_ns": figures | {"change": 0.01}},
        {"name": "a/b:slow", "verdict": "regressed", "why": "", "time_ns": figures},
        {"name": "a/b:gone", "verdict": "missing", "why": "only in BASE"},
        {"name": "a/b:odd", "verdict": "inconclusive", "why": "", "time_ns": unknown},
    ]
    new = [{"file": "x", "sha256": hashlib.sha256(of.read_bytes()).hexdigest()}]
    path.write_text(json.dumps({"copybench_compare": 1, "new": new, "cases": cases}), encoding="utf-8")
    return path


MARKUP = [
    "</title><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "</text></svg><style>@import url(http://x.invalid)</style>",
    "{{ 7 * 7 }}{% raw %}",
    "$\\frac{1}{0}$ a|b `c` **d** [e](http://x.invalid)",
    "\u202egnp.x\x00\x1b[31m",
]


def hostile_rows():
    made = []
    for text in MARKUP:
        for size in (4096, MIB):
            made += rows(
                f"to_device/strategy:{text.replace('/', ' ')}/mem:pageable/alloc:none/stream:s/metric:completion/bytes:{size}",
                [1e6 + size],
                text,
            )
        made += rows(f"queue_depth/op:{text.replace('/', ' ')}/streams:1", [900], text, knee_operations=9)
        made += rows(text, [1.0], text)
        made += rows(f"beside/op:{text}", [0.0], error_occurred=True, error_message=text)
    return made


def write(path, made, **context):
    path.write_text(json.dumps({"context": CONTEXT | context, "benchmarks": made}), encoding="utf-8")
    return path
