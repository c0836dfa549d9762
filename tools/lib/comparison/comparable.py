# SPDX-License-Identifier: Apache-2.0
"""Whether two runs may be compared, before any figure: what differs in their machines and in how they were measured."""

from dataclasses import dataclass

from runs.alike import selection

from results import is_text

# By the word that --allow takes. What stands here moves figures by more than most changes of code do.
SERIOUS = {
    "gpu": ("gpu_name", "gpu_ecc", "gpu_mig_mode", "confidential_computing"),
    "link": ("pcie_generation_max", "pcie_width_max", "pcie_width_now"),
    "cpu": ("cpu_model", "cpu_count"),
    "driver": ("driver_version",),
    "cuda": ("cuda_runtime_version", "cuda_driver_version"),
    "environment": ("env_cuda_launch_blocking", "env_cuda_module_loading", "env_cuda_device_max_connections",
                    "env_cuda_scale_launch_queues", "env_ld_preload"),
    "profile": ("profile", "batch_budget_ms", "verify", "measuring_cpu"),
    "build": ("build_type", "build_flags"),
    "cupti": ("cupti",),
    "model": ("simulator_model",),
}  # fmt: skip
# Those of them that are the machine's, and not of how it was measured.
MACHINE = ("gpu", "link", "cpu", "driver", "cuda", "environment")
ENDED, CASES, SIMULATED = "ended", "cases", "simulated"
ALLOWABLE = (*SERIOUS, ENDED, CASES)
# What differs between any two runs, or follows from something else that stands here.
ANY = {
    "date", "executable", "command_line", "clock_cost_ns", "memory_available_kib", "skipped", "simulated", "ended_early",
    "gpu_clock_sm_now_mhz", "gpu_clock_memory_now_mhz", "nvtx",
}  # fmt: skip
NAMED = {fact for facts in SERIOUS.values() for fact in facts}
LONGEST = 80


@dataclass(frozen=True)
class Difference:
    kind: str
    fact: str
    base: str
    new: str
    refuses: bool

    def sentence(self):
        return f"{self.fact}: {self.base} -> {self.new}"


def printable(text):
    """Nothing that moves a cursor or starts a line."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
    return "".join(character if character.isprintable() else "?" for character in short)


def of_facts(base, new):
    for kind, facts in SERIOUS.items():
        for fact in facts:
            old, now = base.fact(fact), new.fact(fact)
            if old != now:
                # A fact that one of the two does not hold may be the same.
                serious = (old is not None and now is not None) or kind == "cupti"
                yield kind, fact, old, now, serious
    for fact in sorted(base.context.keys() | new.context.keys()):
        if fact not in NAMED and fact not in ANY and fact.isidentifier():
            old, now = base.context.get(fact), new.context.get(fact)
            if is_text(old) and is_text(now) and old != now:
                yield "said", fact, old, now, False


def differences(base, new, allowed=()):
    """base, new: the sides. Those that refuse a comparison come first."""
    first, second = base.runs[0], new.runs[0]
    found = []
    if first.simulated != second.simulated:
        found.append(Difference(SIMULATED, "simulated", word(first.simulated), word(second.simulated), True))
    for kind, fact, old, now, serious in of_facts(first, second):
        refuses = serious and kind not in allowed
        found.append(
            Difference(kind, fact, printable(old or "unknown"), printable(now or "unknown"), refuses)
        )
    for side in (base, new):
        for run in side.runs:
            if early := run.context.get("ended_early"):
                texts = ["whole", printable(str(early))]
                old, now = texts if side is new else reversed(texts)
                found.append(
                    Difference(ENDED, f"end of {printable(run.path)}", old, now, ENDED not in allowed)
                )
    found.extend(of_cases(base, new, allowed))
    return sorted(found, key=lambda difference: not difference.refuses)


def of_cases(base, new, allowed):
    missing = set(base.names) - set(new.names)
    more = set(new.names) - set(base.names)
    if not missing and not more:
        return
    # Who asked for some of the cases knows that the others are not there.
    chosen = selection(base.runs[0]) != selection(new.runs[0])
    skipped = base.runs[0].fact("skipped") != new.runs[0].fact("skipped")
    why = ", as their flags ask" if chosen else ", of which the run says what it skipped" if skipped else ""
    refuses = bool(missing) and not why and CASES not in allowed
    text = f"{len(new.names)}, {len(missing)} missing and {len(more)} new{why}"
    yield Difference(CASES, "cases", str(len(base.names)), text, refuses)


def word(simulated):
    return "true" if simulated else "false"
