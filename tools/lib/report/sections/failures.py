# SPDX-License-Identifier: Apache-2.0
"""What failed, and what was not measured."""

from report import text
from report.document import Finding, Section, Table


def _failed(model):
    return [
        [
            case.name,
            f"{len(case.errors)} of {len(case.errors) + len(case.times)}",
            " | ".join(dict.fromkeys(case.errors)),
        ]
        for case in model.cases
        if case.errors
    ]


def _skipped(model):
    rows = []
    for source in [*model.run.sources, *(model.peers.sources if model.peers else [])]:
        skipped = source.context.get("skipped", "none")
        if isinstance(skipped, str) and skipped not in ("none", ""):
            for entry in skipped.split("; "):
                name, _, reason = entry.partition(": ")
                rows.append([text.clean(name), text.clean(reason), source.name])
    return rows


def _ended_early(model):
    return [
        f"{source.name} ended early ({text.clean(source.context['ended_early'])}): rows are missing."
        for source in model.run.sources
        if "ended_early" in source.context
    ]


def build(model):
    failed, skipped, ended = _failed(model), _skipped(model), _ended_early(model)
    section = Section("failures", "What failed, and what was left out", [*ended])
    if failed:
        section.tables.append(
            Table("Cases with failed rows", ["case", "rows failed", "why"], failed, texts=3, code=0)
        )
    else:
        section.text.append("No row failed: the bytes of every one were right.")
    if skipped:
        section.details.append(
            Table("Cases that this machine cannot run", ["case", "why", "file"], skipped, texts=3, code=0)
        )
    elif not skipped:
        section.text.append("The files name no case that the machine could not run.")
    findings = [Finding("Ended early", one, "failures") for one in ended]
    if failed:
        findings.append(
            Finding(
                "Failed",
                f"{text.count(len(failed), 'case')} of {len(model.cases):,} with rows that failed.",
                "failures",
            )
        )
    return section, findings
