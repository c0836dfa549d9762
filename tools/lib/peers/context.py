# SPDX-License-Identifier: Apache-2.0
"""What the figures have to be read with."""


def joined(outcomes, attribute):
    texts = [f"{name}: {text}" for name, each in outcomes.items() if (text := getattr(each, attribute))]
    return "; ".join(texts) or "none"


def context(options, command_line, machine, outcomes, ended_early):
    facts = machine | {
        "command_line": command_line,
        "batch_budget_ms": str(options.budget_ms),
        "clock": "time.perf_counter_ns",
        "measuring_cpu": "any",
        "verify": "sample",
        "frameworks_left_out": joined(outcomes, "left_out"),
        "frameworks_failed": joined(outcomes, "failed"),
    }
    for outcome in outcomes.values():
        facts |= outcome.facts
    skipped = [
        f"{name}: {reason}" for each in outcomes.values() for names, reason in each.skipped for name in names
    ]
    facts["skipped"] = "; ".join(skipped) or "none"
    if ended_early:
        facts["ended_early"] = ended_early
    return facts
