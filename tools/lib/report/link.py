# SPDX-License-Identifier: Apache-2.0
"""What the link could do: by its width and generation, and by the fastest pinned copy."""

import dataclasses
import re

from report.cases import good, select

# Transfers a second and lane, and the part of them that the line code leaves; 1 bit each. Before the headers of packets.
_GENERATIONS = {
    "1": (2.5e9, 8 / 10),
    "2": (5e9, 8 / 10),
    "3": (8e9, 128 / 130),
    "4": (16e9, 128 / 130),
    "5": (32e9, 128 / 130),
    "6": (64e9, 1),
}


@dataclasses.dataclass
class Link:
    name: str
    # Of one direction.
    bytes_per_second: float


def nominal(model):
    """None where the context does not tell. At rest a link may be slower, so it is the best generation that counts."""
    generation = model.fact("pcie_generation_max") or ""
    width = model.fact("pcie_width_now") or ""
    if generation not in _GENERATIONS or not re.fullmatch("[0-9]{1,2}", width) or int(width) == 0:
        return None
    rate, code = _GENERATIONS[generation]
    return Link(f"PCIe {generation}.0 x{width}", rate * code * int(width) / 8)


def rate(case):
    """Bytes over the median completion: where the time is the completion, of that; else as the row says."""
    if case.axes.get("metric") == "completion" and case.bytes and case.median > 0:
        return case.bytes / case.median * 1e9
    return case.counter("bytes_per_second")


def pinned_cases(model, direction):
    family = "to_device" if direction == "h2d" else "to_host"
    return [
        *select(model.cases, "host_blocking", api="memcpy_async", dir=direction, mem="pinned", queue="idle"),
        *select(model.cases, family, strategy="driver_pinned", alloc="none", metric="completion"),
        *select(model.cases, "bare_loop", dir=direction, metric="completion"),
    ]


def measured(model, direction):
    """The case of the fastest pinned copy; None without one."""
    cases = [case for case in good(pinned_cases(model, direction)) if case.bytes and rate(case)]
    return max(cases, key=rate, default=None)
