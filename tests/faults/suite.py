# SPDX-License-Identifier: Apache-2.0
"""Runs copybench_sim with a fault in it, and says what came of it."""

import functools
import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

SUITE = os.environ["COPYBENCH_SIM"]
# Sanitizers make it several times slower.
SLOWNESS = 5 if os.environ.get("COPYBENCH_SANITIZE") else 1
# Each run keeps about two processors busy.
PROCESSES = max(2, (os.cpu_count() or 2) // 2)
ALL = os.environ.get("COPYBENCH_FAULTS") == "all"

# A copy takes longer than the budget of a batch: every case takes its least number of samples, and a fault that
# befalls the n-th call befalls the same one in every run.
MODEL = {
    "COPYBENCH_SIM_LINK_LATENCY_US": "1100",
    "COPYBENCH_SIM_LINK_BYTES_PER_S": "1e11",
    "COPYBENCH_SIM_STAGING_BYTES_PER_S": "1e11",
}
FULL = ("--copybench_profile=full", "--copybench_budget_ms=1", "--copybench_cpu=any")
QUICK = ("--copybench_profile=quick", *FULL[1:])
# Of each family, of each kind of memory and of each strategy at least one case; and nothing that takes long.
FEW = ("--copybench_axis=count:3",)
IN_SMALL = (
    "--copybench_axis=bytes:4096",
    "--copybench_axis=elements:16",
    "--copybench_axis=kernels:2",
    *FEW,
)
TINY = (*QUICK, *IN_SMALL)
# And each function of the runtime that the suite calls.
SHORT = (
    *FULL,
    *IN_SMALL,
    "--benchmark_filter=^(host_blocking/api:memcpy_async/(dir:h2d/mem:(pageable|managed)|dir:d2h/mem:registered)"
    "/stream:nonblocking/queue:idle|host_blocking/api:memcpy_async/dir:d2h/mem:pageable/stream:nonblocking/queue:busy/"
    "|host_blocking/api:(memcpy|memcpy_2d|memcpy_2d_async|memcpy_3d_async|memcpy_to_symbol_async|memcpy_batch_any"
    "|graph_launch)/dir:h2d/mem:pageable/.*queue:busy/|memory_call/api:(memset/mem:pinned|prefetch_async)/.*queue:busy/"
    "|to_device/.*(alloc:none|driver_pageable/.*alloc:malloc/stream:nonblocking)/.*:blocked"
    "|to_device_queued.*legacy.*:blocked"
    "|dependent_copy/strategy:(host_func_worker|mapped_size_shared)/.*:end_to_end|scenario_copy.*:blocked"
    "|scenario_to.*:to_device/|scenario_ping_pong/strategy:(stale_arguments|callback_illegal|stream_sync"
    "|host_func_worker|copy_capacity|speculative_top_up)/.*:total)",
)


def unique_keys(pairs):
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError(f"a key twice among {[key for key, _ in pairs]}")
    return document


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def parse(text):
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=unique_keys)


@dataclass(frozen=True)
class Outcome:
    # None: it did not end, and was sent a signal.
    status: int | None
    stderr: str
    # What is in the file of --benchmark_out, which may be no JSON.
    text: str | None = field(repr=False)
    # Of COPYBENCH_SIM_REPORT, which a normal end alone writes.
    report: dict | None = field(repr=False)
    seconds: float
    # The exit status after the signal, if one was sent.
    after_signal: int | None = None

    @functools.cached_property
    def document(self):
        return None if self.text is None else parse(self.text)

    @property
    def rows(self) -> list[dict]:
        return self.document["benchmarks"] if self.document else []

    @property
    def error_rows(self) -> list[dict]:
        return [row for row in self.rows if row.get("error_occurred")]

    @property
    def messages(self) -> list[str]:
        lines = [line for line in self.stderr.splitlines() if line.startswith("copybench: ")]
        return [line.removeprefix("copybench: ") for line in lines if "SIMULATED" not in line]


def environment(fault, model):
    ours = ("BENCHMARK_", "COPYBENCH_SIM_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    return kept | model | ({"COPYBENCH_SIM_FAULT": fault} if fault else {})


def run(
    arguments: Sequence[str],
    fault: str = "",
    limit: float = 60,
    watchdog: float = 10,
    then: signal.Signals = signal.SIGTERM,
    model=MODEL,
) -> Outcome:
    """Lets it run for `limit` seconds; then it gets the signal `then`."""
    with tempfile.TemporaryDirectory() as folder:
        out, report, stderr = (Path(folder) / name for name in ("out.json", "report.json", "stderr"))
        command = [
            SUITE,
            *arguments,
            f"--copybench_watchdog={watchdog * SLOWNESS}",
            f"--benchmark_out={out}",
        ]
        begin = time.monotonic()
        with stderr.open("wb") as file:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=file,
                env=environment(fault, model) | {"COPYBENCH_SIM_REPORT": str(report)},
            )
        status = after_signal = None
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            process.send_signal(then)
            try:
                after_signal = process.wait(timeout=20 * SLOWNESS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        seconds = time.monotonic() - begin
        return Outcome(
            status,
            stderr.read_text(errors="replace"),
            out.read_text() if out.exists() else None,
            parse(report.read_text()) if report.exists() else None,
            seconds,
            after_signal,
        )


def list_cases(arguments: Sequence[str]) -> list[str]:
    done = subprocess.run(
        [SUITE, *arguments, "--benchmark_list_tests"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env=environment("", MODEL),
    )
    return done.stdout.splitlines()


def at_once(function, items: Sequence):
    """function(item) for each item, in the order of the items."""
    with ThreadPoolExecutor(PROCESSES) as pool:
        return list(pool.map(function, items))


@functools.cache
def clean_run(arguments: tuple[str, ...]) -> Outcome:
    """The run in which nothing goes wrong."""
    outcome = run(arguments, limit=120 * SLOWNESS)
    assert outcome.status == 0, outcome.stderr
    assert outcome.messages == []
    assert [row["name"] for row in outcome.rows] == list_cases(arguments)
    assert set(outcome.report["live"].values()) == {0}
    return outcome
