# SPDX-License-Identifier: Apache-2.0
"""One wrong byte in one copy: which copies a case makes, which of them it must look at, and whether it did."""

import random
import re
from dataclasses import dataclass, field

from suite import FEW, FULL, MODEL, QUICK, SLOWNESS, TINY, Outcome, at_once, list_cases, run

WARM_UP_SAMPLES = 2
KIB, MIB = 1 << 10, 1 << 20
CAPACITY = 32 << 20  # of dependent_copy
LARGEST = 64 << 20
POSITIONS = ("first", "last", "middle", "random")
# Which function of the runtime it is. What moves no bytes is not here.
CALLS = {
    "memcpy": "cudaMemcpy",
    "memcpy_async": "cudaMemcpyAsync",
    "memcpy_2d": "cudaMemcpy2D",
    "memcpy_2d_async": "cudaMemcpy2DAsync",
    "memcpy_3d_async": "cudaMemcpy3DAsync",
    "memcpy_to_symbol_async": "cudaMemcpyToSymbolAsync",
    "memcpy_batch_stream": "cudaMemcpyBatchAsync",
    "memcpy_batch_during_call": "cudaMemcpyBatchAsync",
    "memcpy_batch_any": "cudaMemcpyBatchAsync",
    "graph_launch": "cudaGraphLaunch",
    "loop": "cudaMemcpyAsync",
    "batch": "cudaMemcpyBatchAsync",
    "pack": "cudaMemcpyAsync",
    "mapped_gather": "cudaLaunchKernel",
    "memset": "cudaMemset",
    "memset_async": "cudaMemsetAsync",
}
SAYS_SO = (
    "copied data: ",
    "copied rows: ",
    "copied arrays: ",
    "set memory: ",
    "had not arrived",
    "had not been set",
    "scaled values are wrong",
    "and should be",
    "the size on the host is not the one",
    "elements where there is room for",
    "asks for more elements than the capacity",
)

# What only the full profile has: of each family the cases that copy and do not wait for each other.
FULL_ALONE = (
    *FULL,
    "--copybench_axis=bytes:4096",
    *FEW,
    "--benchmark_filter=^(queue_depth/op:copy_.*/connections:default|staging_pool/mem:pageable/before:nothing/"
    "|lazy_loading/.*/op:pinned_copy_beside|beside/op:(copy_.*|launch)/beside:staging_copy"
    "|small_arrays/(way:mapped_gather/dir:h2d|way:(loop|batch|pack)/dir:d2h)/|both_directions/.*/gpus:1/)",
)
# One of each.
FEW_OF_FULL = (
    *FULL,
    "--copybench_axis=bytes:4096",
    *FEW,
    "--benchmark_filter=^(queue_depth/op:copy_h2d/streams:2/connections:default|staging_pool/mem:pageable/before:nothing/"
    "|lazy_loading/loading:lazy/op:pinned_copy_beside|beside/op:copy_pinned_h2d/beside:staging_copy"
    "|small_arrays/(way:mapped_gather/dir:h2d|way:(batch|pack)/dir:d2h/mem:pinned)/"
    "|both_directions/pair:both/gpus:1/mem:pinned/threads:2/)",
)
# A queue and a pool so small that looking for their limits takes few copies.
DEPTH = 8
SMALL_QUEUE = {"COPYBENCH_SIM_QUEUE_DEPTH": str(DEPTH)}
SMALL_POOL = {
    "COPYBENCH_SIM_POOL_BYTES": "16384",
    "COPYBENCH_SIM_PIECE_BYTES": "4096",
    "COPYBENCH_SIM_LINK_LATENCY_US": "20",
}
# The smallest copy of that search; and there are at least so many, however it goes.
PROBE = 4096
FEWEST_PROBES = 3
# Of a run in which the scheduler may have been in the way.
ATTEMPTS = 3
# Long enough for a call to be made meanwhile.
SLOW_STAGING = {"COPYBENCH_SIM_STAGING_BYTES_PER_S": "2e9"}
# Where a kernel takes the place of a copy, or stands in front of what takes no time.
SLOW_LAUNCH = {"COPYBENCH_SIM_LAUNCH_LATENCY_US": MODEL["COPYBENCH_SIM_LINK_LATENCY_US"]}
# Their data are the marks of kernels.
WITHOUT_COPIES = {"callback_latency", "harness_floor", "pinning", "wake_up"}


def chunks_of(strategy, size):
    """Bytes of the copies by which a strategy moves an array."""
    done, chunks = 0, []
    while done < size:
        left = size - done
        if strategy == "staged_double_buffered":
            chunk = 4 * MIB
        elif strategy == "staged_parallel":
            # They double from 256 KiB to 8 MiB and halve again.
            pieces = min(done, left // 2) // (256 * KIB)
            chunk = min(max(pieces, 1) * 256 * KIB, 8 * MIB)
        else:
            chunk = size
        chunks.append(min(chunk, left))
        done += chunks[-1]
    return tuple(chunks)


@dataclass(frozen=True)
class Copies:
    """What a case copies."""

    # Bytes of the copies of one sample.
    of_sample: tuple[int, ...]
    # Copies by which the device's side is looked at afterwards, those of no bytes too.
    of_verification: int = 0
    # Copies that measure how long to hold the gate, before the first sample; nobody looks at their bytes.
    before: int = 0
    api: str = "cudaMemcpyAsync"
    # So many copies at the end of a sample are looked at, if not all: the others are overwritten by them.
    last: int | None = None
    # Copies of which no more than so many bytes are looked at: a later one overwrites them.
    in_part: dict[int, int] = field(default_factory=dict)

    @property
    def at_start(self) -> int:
        """Copies that wake the link."""
        return 1 if self.api == "cudaMemcpyAsync" else 0


@dataclass(frozen=True)
class Case:
    name: str

    @property
    def values(self) -> dict[str, str]:
        return dict(part.split(":") for part in self.name.split("/")[1:])

    @property
    def family(self) -> str:
        return self.name.split("/")[0]

    @property
    def is_bare(self) -> bool:
        return self.family in ("bare_loop", "enqueue_threads")

    @property
    def is_of_full(self) -> bool:
        families = ("queue_depth", "staging_pool", "lazy_loading", "small_arrays", "both_directions")
        return self.family in families or self.stages_beside

    @property
    def stages_beside(self) -> bool:
        return self.values.get("beside") == "staging_copy"

    @property
    def may_retry(self) -> bool:
        """Whether it looks again, by further copies, where the scheduler was in the way."""
        return self.family in ("queue_depth", "lazy_loading") or self.stages_beside

    @property
    def is_search(self) -> bool:
        """Each copy covers the ones before it, and how many there are is never sure."""
        return self.family == "staging_pool"

    @property
    def copies_by_kernel(self) -> bool:
        """Among kernels that copy nothing, which nobody counts: all copies are corrupted, not one."""
        return self.values.get("strategy") == "device_copy_kernel"

    @property
    def is_short(self) -> bool:
        """Without a copy over the link: were its kernels fast, how many samples fit into a batch would be a matter of chance."""
        values = self.values
        return (
            values.get("way") == "mapped_gather"
            or values.get("strategy") == "graph_switch"
            or (self.family == "memory_call" and values["queue"] != "idle")
        )

    @property
    def has_own_process(self) -> bool:
        """Which writes no report."""
        return self.family == "lazy_loading"

    @property
    def model(self) -> dict[str, str]:
        """A sample of hundreds of copies is slow enough as it is."""
        if self.family == "queue_depth":
            return MODEL | SMALL_QUEUE
        if self.family == "staging_pool":
            return MODEL | SMALL_POOL
        if self.stages_beside:
            return MODEL | SLOW_STAGING
        if self.is_short:
            return MODEL | SLOW_LAUNCH
        return MODEL | ({"COPYBENCH_SIM_LINK_LATENCY_US": "1"} if self.is_bare else {})

    def copies(self) -> Copies:
        values = self.values
        size = int(values.get("bytes", 0))
        elements = int(values.get("elements", 0))
        to_device = values.get("dir") != "d2h"
        match self.family:
            case "bare_loop":
                rounds = min(max((1500 << 20) // size, 5), 500)
                return Copies((size,) * rounds, 2 if to_device else 0, last=1)
            case "host_blocking":
                api = CALLS[values["api"]]
                before = 0 if values["queue"] == "idle" else 3
                return Copies((size,), 2 if to_device and api == "cudaMemcpyAsync" else 0, before, api)
            case "memory_call":
                # Not a copy, but bytes that somebody has to look at all the same.
                return Copies((size,), before=0 if values["queue"] == "idle" else 3, api=CALLS[values["api"]])
            case "to_device":
                parts = chunks_of(values["strategy"], size)
                return Copies(parts, 2 if values["alloc"] == "none" else 0)
            case "to_host":
                return Copies(chunks_of(values["strategy"], size))
            case "to_device_queued":
                return Copies((size,), 2)
            case "scenario_to_device":
                return Copies(
                    (size,), api="cudaMemcpy" if values["stream"] == "legacy" else "cudaMemcpyAsync"
                )
            case "scenario_copy_scale_copy":
                return Copies((4 * elements, 4 * elements), 1)
            case "dependent_copy" | "scenario_ping_pong" if self.copies_by_kernel:
                return Copies(
                    (8 * (elements if self.family == "dependent_copy" else 3),), api="cudaLaunchKernel"
                )
            case "dependent_copy" if values["strategy"] == "graph_switch":
                return Copies((8 * elements,), api="cudaGraphLaunch")
            case "dependent_copy":
                data = self.data_copies([elements], [elements // 2], CAPACITY // 8)
                return Copies((*self.size_copy, *data))
            case "scenario_ping_pong":
                data = self.data_copies([5, 3, 4], [2, 7, 5], elements)
                parts = tuple(part for size in data for part in (*self.size_copy, size)) or (4,) * 3
                # The program uses the first sixteen elements before the next copy may come.
                first = len(self.size_copy)
                return Copies(parts, 1, in_part={first: 16 * 8, 2 * first + 1: 16 * 8} if data else {})
            case "beside":
                copies = values["op"].startswith("copy_")
                beside = {"blocked_copy": (1 << 20,), "staging_copy": (32 << 20,)}.get(values["beside"], ())
                on_device = (copies and values["op"] != "copy_pinned_d2h") + self.stages_beside
                before = 3 * copies if values["beside"] in ("gate", "blocked_copy") else 0
                return Copies(beside + (4096,) * copies, 2 * on_device, before)
            case "queue_depth":
                streams = int(values["streams"])
                size = 65536 if values["op"] == "copy_pageable_h2d_64kib" else 64
                # The first stream is full first: it has the gate as well.
                count = DEPTH * streams - (streams - 1)
                return Copies((size,) * count, 2 * (values["op"] != "copy_d2h"), last=1)
            case "staging_pool":
                return Copies((PROBE,), 2)
            case "lazy_loading":
                return Copies((4096,), 2)
            case "lifetime":
                if values["api"] == "memcpy":
                    return Copies((size,), api="cudaMemcpy")
                return Copies((size,), 1)
            case "pin_break_even":
                # Each has a destination of its own.
                return Copies((size, size), 4 if to_device else 0)
            case "enqueue_threads":
                return Copies((4096,) * 200, 2, last=1)
            case "small_arrays":
                count = int(values["count"])
                api = CALLS[values["way"]]
                parts = {"loop": (size,) * count, "pack": (size * count,)}.get(values["way"], (size,))
                return Copies(parts, 2 if to_device and api == "cudaMemcpyAsync" else 0, api=api)
            case "both_directions":
                if values["pair"] != "both":
                    return Copies((size,), 2 if values["pair"] == "h2d_alone" else 0)
                # Each alone, and then both at once.
                return Copies((size,) * 4, 2, last=2)
        raise ValueError(self.name)

    @property
    def size_copy(self) -> tuple[int, ...]:
        """Of one chain: none where the size is known, or written by a kernel."""
        strategy = self.values["strategy"]
        return () if strategy == "known_size" or strategy.startswith("mapped_size") else (4,)

    def data_copies(self, elements: list[int], old: list[int], capacity: int) -> list[int]:
        delivered = {
            "stale_arguments": old,
            "callback_illegal": [],
            "copy_capacity": [capacity] * len(elements),
        }.get(self.values["strategy"], elements)
        return [8 * count for count in delivered]


@dataclass(frozen=True)
class Corruption:
    case: Case
    policy: str
    # Counted from the first sample of the warm-up; for a batch, 0 is the warm-up and 1 the measured one.
    sample: int
    copy: int
    position: str
    byte: int
    nth: int
    # Not that call alone, but all from it on.
    onwards: bool = False

    def __str__(self) -> str:
        return (
            f"{self.case.name}, verify={self.policy}: byte {self.byte} ({self.position}) of copy {self.copy} "
            f"of sample {self.sample}, call {self.nth}{'+' if self.onwards else ''}"
        )


def arguments(case: Case, policy: str) -> list[str]:
    axes = [f"--copybench_axis={key}:{case.values[key]}" for key in case.values if case.values[key].isdigit()]
    profile = FULL if case.is_of_full else QUICK
    return [*profile, *axes, f"--benchmark_filter=^{case.name}$", f"--copybench_verify={policy}"]


def inject(corruption: Corruption) -> Outcome:
    case = corruption.case
    fault = (
        f"corrupt:{case.copies().api}:{corruption.nth}{'+' if corruption.onwards else ''}:{corruption.byte}"
    )
    for _ in range(ATTEMPTS if case.may_retry else 1):
        outcome = run(
            arguments(case, corruption.policy), fault, limit=60 * SLOWNESS, watchdog=20, model=case.model
        )
        if is_caught(outcome):
            break
    return outcome


def samples_of(case: Case, policy: str) -> int:
    """Of a batch, as a clean run has them. Requires that the case makes the copies that it is known to make."""
    copies = case.copies()
    for _ in range(ATTEMPTS if case.may_retry else 1):
        outcome = run(arguments(case, policy), limit=60 * SLOWNESS, watchdog=20, model=case.model)
        assert outcome.status == 0, outcome.stderr
        (row,) = outcome.rows
        samples = int(row["samples"])
        verifications = WARM_UP_SAMPLES + samples if policy == "sample" else 2
        expected = (
            copies.at_start
            + 2 * copies.before
            + (WARM_UP_SAMPLES + samples) * len(copies.of_sample)
            + verifications * copies.of_verification
        )
        is_uncounted = case.has_own_process or case.is_search or case.copies_by_kernel
        if is_uncounted or outcome.report["calls"][copies.api] == expected:
            return samples
    raise AssertionError(f"{case.name} makes other copies than it used to")


def call_number(case: Case, policy: str, samples: int, sample: int, copy: int) -> int:
    copies = case.copies()
    number = copies.at_start + copies.before + copy + 1
    if policy == "sample":
        number += sample * (len(copies.of_sample) + copies.of_verification)
        return number + (copies.before if sample >= WARM_UP_SAMPLES else 0)
    number += (WARM_UP_SAMPLES - 1) * len(copies.of_sample)
    if sample == 0:
        return number
    return number + copies.of_verification + copies.before + samples * len(copies.of_sample)


def corruptions(case: Case, rng: random.Random, one: bool) -> list[Corruption]:
    """With both policies, of each copy of a sample; or but one of them all."""
    # In a process of its own a case may copy again unseen; it verifies each of those copies, and only with
    # verify=sample is every one of them the same number of calls behind the last.
    policies = ("sample",) if case.has_own_process else ("sample", "batch")
    found = []
    for policy in [rng.choice(policies)] if one else policies:
        samples = samples_of(case, policy)
        sizes = case.copies().of_sample
        candidates = range(len(sizes) - (case.copies().last or len(sizes)), len(sizes))
        if not sizes:
            continue
        choices = [(copy, position) for copy in candidates for position in POSITIONS]
        for copy, position in [rng.choice(choices)] if one else choices:
            size = min(sizes[copy], case.copies().in_part.get(copy, sizes[copy]))
            byte = {"first": 0, "last": size - 1, "middle": size // 2, "random": rng.randrange(size)}[
                position
            ]
            last = samples + WARM_UP_SAMPLES - 1
            sample = rng.choice([0, WARM_UP_SAMPLES, last]) if policy == "sample" else rng.choice([0, 1])
            if case.is_search:
                # Before the first verification, which copies as well.
                nth = 2 + rng.randrange(FEWEST_PROBES * (1 if policy == "sample" else WARM_UP_SAMPLES))
            elif case.copies_by_kernel:
                nth = 1
            else:
                nth = call_number(case, policy, samples, sample, copy)
            onwards = case.is_search or case.copies_by_kernel
            found.append(Corruption(case, policy, sample, copy, position, byte, nth, onwards))
    return found


def is_caught(outcome: Outcome) -> bool:
    if outcome.status != 1 or len(outcome.error_rows) != 1:
        return False
    message = outcome.error_rows[0]["error_message"]
    return any(words in message for words in SAYS_SO)


def cases_of(arguments: tuple[str, ...]) -> list[Case]:
    """One for each way of copying: the metric does not change it, and the floor copies nothing."""
    ways = {}
    for name in list_cases(arguments):
        case = Case(name)
        moves = case.family not in WITHOUT_COPIES and case.values.get("api", "memcpy") in CALLS
        if moves and int(case.values.get("bytes", 0)) <= LARGEST:
            ways.setdefault(re.sub("/metric:[a-z_]+", "", name), case)
    return list(ways.values())


def tiny_cases() -> list[Case]:
    return cases_of(TINY) + cases_of(FEW_OF_FULL)


def all_cases() -> list[Case]:
    return cases_of((*QUICK, *FEW)) + cases_of(FULL_ALONE)


def sweep(cases: list[Case], seed: int, one: bool) -> list[tuple[Corruption, Outcome]]:
    def prepare(case: Case) -> list[Corruption]:
        return corruptions(case, random.Random(f"{seed} {case.name}"), one)

    chosen = [corruption for found in at_once(prepare, cases) for corruption in found]
    return list(zip(chosen, at_once(inject, chosen), strict=True))
