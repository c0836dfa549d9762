# SPDX-License-Identifier: Apache-2.0
"""What has come of a framework."""

from dataclasses import dataclass, field

from peers.rows import failed_rows


@dataclass
class Outcome:
    rows: list = field(default_factory=list)
    facts: dict = field(default_factory=dict)
    skipped: list = field(default_factory=list)  # (names, reason)
    left_out: str = ""  # the reason, or nothing
    failed: str = ""
    begun: tuple = ()  # (names, repetition) while one is under way
    ended: bool = False

    def take(self, kind, content):
        if kind == "begin":
            self.begun = tuple(content)
        elif kind == "rows":
            self.begun = ()
            self.rows += content
        elif kind == "facts":
            self.facts = content
        elif kind == "skipped":
            self.skipped.append(content)
        elif kind in ("left_out", "failed"):
            setattr(self, kind, content)
        elif kind == "end":
            self.ended = True

    def fail(self, problem):
        """The process has come to its end too early: so has the case that it was at."""
        self.failed = problem
        if self.begun:
            names, repetition = self.begun
            self.failed += f" in {names[0]}"
            self.rows += failed_rows(names, repetition, problem)
