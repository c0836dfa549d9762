# SPDX-License-Identifier: Apache-2.0
"""The report as a whole: which sections there are, the summary, and what was missing."""

import dataclasses

from report import link, text
from report.document import Finding, Section
from report.model import Model
from report.sections import (
    all_cases,
    bandwidth,
    blocking,
    comparison,
    dependent,
    distributions,
    failures,
    knees,
    peers,
    pinning,
    provenance,
    staged_parallel,
    strategies,
    verdicts_of_compare,
)

# What the section needs, in words, for the line that says that it is missing.
_SECTIONS = [
    # Where there is a base, the difference is what is asked for.
    (verdicts_of_compare.build, None),
    (comparison.build, None),
    (blocking.build, "host_blocking"),
    (bandwidth.build, "host_blocking on a drained stream"),
    (strategies.build_to_device, "to_device"),
    (strategies.build_to_host, "to_host"),
    (staged_parallel.build, "staged_parallel"),
    (pinning.build, "pin_break_even and pinning"),
    (dependent.build, "dependent_copy"),
    (knees.build, "queue_depth and staging_pool"),
    (peers.build, None),
    (distributions.build, "host_blocking, or repetitions"),
    (failures.build, None),
    (provenance.build, None),
    (all_cases.build, None),
]


@dataclasses.dataclass
class Tile:
    """A figure of the first line."""

    name: str
    value: str
    note: str


@dataclasses.dataclass
class Report:
    title: str
    subtitle: str
    simulated: bool
    tiles: list[Tile]
    findings: list[Finding]
    sections: list[Section]
    missing: list[str]
    checksums: list[str]


def _tiles(model):
    tiles = []
    ceiling = link.nominal(model)
    for direction, where in blocking.DIRECTIONS.items():
        case = link.measured(model, direction)
        if case:
            share = (
                f", {text.percent(link.rate(case) / ceiling.bytes_per_second)} of {ceiling.name}"
                if ceiling
                else ""
            )
            tiles.append(
                Tile(f"Pinned, {where}", text.rate(link.rate(case)), f"{text.size(case.bytes)}{share}")
            )
    calls = [
        case
        for case in blocking.select(
            model.cases, "host_blocking", api="memcpy_async", stream="nonblocking", queue="idle", dir="h2d"
        )
        if not case.failed and case.bytes
    ]
    for memory in ("pinned", "pageable"):
        own = [case for case in calls if case.axes.get("mem") == memory]
        if own:
            most = max(own, key=lambda case: case.bytes)
            tiles.append(
                Tile(
                    f"Host blocked, {memory}",
                    text.duration(most.median),
                    f"{text.size(most.bytes)} to the device, drained stream",
                )
            )
    if model.simulated:
        tiles = [dataclasses.replace(tile, name=f"SIMULATED: {tile.name}") for tile in tiles]
    return tiles


def _subtitle(model):
    facts = [
        model.fact("gpu_name"),
        (link.nominal(model) or link.Link("", 0)).name,
        model.fact("cpu_model"),
        model.fact("os"),
    ]
    driver, cuda = model.fact("driver_version"), model.fact("cuda_runtime_version")
    facts.insert(2, f"driver {driver}" if driver else None)
    facts.insert(3, f"CUDA {cuda}" if cuda else None)
    return " · ".join(fact for fact in facts if fact)


def _title(model):
    names = [source.name for source in model.run.sources]
    shown = names[0] if len(names) == 1 else f"{names[0]} and {text.count(len(names) - 1, 'more file')}"
    beside = f" beside {model.base.sources[0].name}" if model.base else ""
    return f"{'SIMULATED: ' if model.simulated else ''}copybench: {shown}{beside}"


def build_report(run, base, peers, judged=None):
    model = Model(run, base, peers, judged)
    sections, findings, missing = [], [], []
    for build, needs in _SECTIONS:
        section, found = build(model)
        findings += found
        if section:
            sections.append(section)
        elif needs:
            missing.append(needs)
    return Report(
        _title(model),
        _subtitle(model),
        model.simulated,
        _tiles(model),
        findings,
        sections,
        missing,
        provenance.checksums(model),
    )
