# SPDX-License-Identifier: Apache-2.0
"""A case: one call of one framework. Naming it takes nothing installed."""

from collections.abc import Callable
from dataclasses import dataclass

METRICS = ("blocked", "completion")
ELEMENT_BYTES = 8  # float64


@dataclass(frozen=True)
class Case:
    """`call` is all that is timed. It takes the peer, the source, and the destination (None with alloc:framework)."""

    family: str
    strategy: str
    call: Callable
    mem: str = "pageable"
    alloc: str = "framework"
    stream: str = "legacy"
    before: Callable | None = None  # takes the peer; ahead of every sample, not timed

    def name(self, metric, size):
        return (
            f"{self.family}/strategy:{self.strategy}/mem:{self.mem}/alloc:{self.alloc}"
            f"/stream:{self.stream}/metric:{metric}/bytes:{size}"
        )

    def names(self, size):
        return [self.name(metric, size) for metric in METRICS]
