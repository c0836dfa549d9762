# SPDX-License-Identifier: Apache-2.0
"""Two machines that are not the same, held against each other: what is slower per byte, and what per call.

No verdict: of two machines one is the faster. So each figure is shown beside what its machine can do at all, the rate of
its pinned copies and the time of its shortest copy: what falls behind although these do not is worth a look.
"""

import re
from dataclasses import dataclass

from comparison.judge import FASTER, SLOWER, judge
from comparison.show import RATES, count, percent, quantity, table

# From here on the bytes decide how long a copy takes, and up to there the call does.
LARGE, SMALL = 1 << 20, 64 << 10
LEAST = 0.10
MOST_LINES = 20
PINNED = "host_blocking/api:memcpy_async/dir:{}/mem:pinned/stream:nonblocking/queue:idle/bytes:{}"
CALLS = re.compile("^(host_blocking|to_device|to_host)/")
DIRECTIONS = {
    "to_device": "h2d",
    "scenario_to_device": "h2d",
    "to_device_queued": "h2d",
    "staged_parallel": "h2d",
    "to_host": "d2h",
}


@dataclass
class Hint:
    name: str
    judged: object
    # How much slower it is than the other machine, 1 for as fast, and the same of what the machine can do at all.
    times: float
    machine: float | None

    def beside(self):
        return None if self.machine is None else self.times / self.machine


def size_of(name):
    found = re.search(r"/bytes:(\d{1,18})(/|$)", name)
    return int(found[1]) if found else None


def direction_of(name):
    found = re.search(r"/dir:(\w+)/", name)
    return found[1] if found else DIRECTIONS.get(name.split("/")[0])


def link(side, direction):
    """The rate of the largest pinned copy; None where the run has none."""
    rates = side.figures("bytes_per_second")
    sizes = [size for size in (1 << 28, 1 << 24) if PINNED.format(direction, size) in rates]
    return rates[PINNED.format(direction, sizes[0])].median if sizes else None


def shortest(side, direction):
    found = side.figures("real_time").get(PINNED.format(direction, 4))
    return found.median if found else None


def per_byte(base, new, settings):
    judged = judge(base.figures("bytes_per_second"), new.figures("bytes_per_second"), {}, settings, "higher")
    for name, found in judged.items():
        if (size_of(name) or 0) >= LARGE:
            old, now = (link(side, direction_of(name)) for side in (base, new))
            yield Hint(name, found, found.base.median / found.new.median, old / now if old and now else None)


def per_call(base, new, settings):
    judged = judge(base.figures("real_time"), new.figures("real_time"), {}, settings)
    for name, found in judged.items():
        size = size_of(name)
        # Behind a gate the time holds the gate.
        if size is not None and size <= SMALL and CALLS.match(name) and "/queue:busy" not in name:
            old, now = (shortest(side, direction_of(name) or "h2d") for side in (base, new))
            yield Hint(name, found, found.new.median / found.base.median, now / old if old and now else None)


def part(title, units, hints, markdown):
    hints = list(hints)
    slower = sorted(
        (hint for hint in hints if hint.judged.verdict == SLOWER),
        key=lambda hint: -(hint.beside() or hint.times),
    )
    faster = sum(hint.judged.verdict == FASTER for hint in hints)
    text = (
        f"{title}: {len(slower)} of {len(hints)} cases are slower, {faster} faster, by more than {LEAST:.0%}"
    )
    if not slower:
        return text
    cells = [
        [
            hint.name,
            quantity(hint.judged.base.median, units),
            quantity(hint.judged.new.median, units),
            f"{hint.times:.2f}",
            "-" if hint.machine is None else f"{hint.machine:.2f}",
            "-" if hint.beside() is None else f"{hint.beside():.2f}",
        ]
        for hint in slower[:MOST_LINES]
    ]
    columns = ["case", "baseline", "yours", "times slower", "its machine", "beside that"]
    more = f"\n\nand {len(slower) - MOST_LINES} more" if len(slower) > MOST_LINES else ""
    return text + "\n\n" + table(columns, cells, markdown) + more


def machine(base, new):
    """What a machine can do at all, of both."""
    lines = []
    for direction in ("h2d", "d2h"):
        rates = [link(side, direction) for side in (base, new)]
        if all(rates):
            texts = [quantity(rate, RATES) for rate in rates]
            lines.append(
                f"  pinned {direction}: {texts[0]}, yours {texts[1]} ({percent(rates[1] / rates[0] - 1)})"
            )
        calls = [shortest(side, direction) for side in (base, new)]
        if all(calls):
            texts = [quantity(call) for call in calls]
            lines.append(
                f"  shortest {direction} call: {texts[0]}, yours {texts[1]} ({percent(calls[1] / calls[0] - 1)})"
            )
    return "What the machines can do at all:\n" + "\n".join(lines) if lines else ""


def hints(base, new, settings, verdicts, markdown):
    parts = [
        "Not the same machine: no verdict, and no exit status but 0.",
        machine(base, new),
        part("Per byte (copies of 1 MiB and more)", RATES, per_byte(base, new, settings), markdown),
        part(
            "Per call (copies of 64 KiB and less)",
            ((1e3, "us"), (1, "ns")),
            per_call(base, new, settings),
            markdown,
        ),
        "times slower: yours against the baseline. its machine: the same of the pinned copy, or of the shortest call."
        "\nbeside that: the one over the other. Far above 1, the machine is not the reason.",
    ]
    differing = [case for case in verdicts if case.label[0] != case.label[1] and all(case.label)]
    if differing:
        cells = [[case.name, *case.label] for case in differing]
        parts.insert(
            -1, "What the calls wait for differs:\n\n" + table(["case", "baseline", "yours"], cells, markdown)
        )
    missing = count([case for case in verdicts if case.verdict in ("failing", "missing", "new")])
    parts.append(f"{len(verdicts)} cases" + (f", {missing}" if missing else ""))
    return "\n\n".join(text for text in parts if text)
