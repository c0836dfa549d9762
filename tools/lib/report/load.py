# SPDX-License-Identifier: Apache-2.0
"""The files of a report: what they hold, and whether they may stand in one."""

import dataclasses
import hashlib

from runs.file import run_of
from runs.reading import parse, read_file, unpacked

from report.cases import collect_cases
from report.text import clean
from results import NO_RESULT, USAGE, ToolError


@dataclasses.dataclass
class Source:
    """One raw file."""

    name: str
    sha256: str
    # Of the JSON, which is the same where the file is not compressed.
    json_sha256: str
    context: dict
    rows: list
    simulated: bool


@dataclasses.dataclass
class Run:
    """Files that are looked at as one: parts with different cases, or processes with the same ones."""

    sources: list[Source]
    cases: list

    @property
    def simulated(self):
        return any(source.simulated for source in self.sources)


def _read_source(path, name):
    """Raises ToolError for whatever tools/compare would not take for a whole result either."""
    content = read_file(path, USAGE)
    document = unpacked(path, content)
    checksums = [hashlib.sha256(data).hexdigest() for data in (content, document)]
    document = parse(path, document)
    run = run_of(path, document, checksums[1])
    return Source(name, *checksums, run.context, document["benchmarks"], run.simulated)


def _short_names(paths):
    """The name of each file, with as many folders as it takes to tell them apart."""
    names = [path.name for path in paths]
    return [clean(path.name if names.count(path.name) == 1 else "/".join(path.parts[-2:])) for path in paths]


def _make_run(paths, names):
    sources = [_read_source(path, names[path]) for path in paths]
    cases = collect_cases((path, source.rows) for path, source in zip(paths, sources, strict=True))
    if not cases:
        raise ToolError(NO_RESULT, f"{paths[0]}: no rows of single repetitions")
    return Run(sources, cases)


def _case_names(source):
    return {row.get("run_name", row["name"]) for row in source.rows}


def _last_is_base(paths, names):
    """RUN... [BASE]: parts of a run have no case in common, a run and its base do."""
    if len(paths) < 2:
        return False
    sources = [_read_source(path, names[path]) for path in paths]
    others = set().union(*(_case_names(source) for source in sources[:-1]))
    return bool(others & _case_names(sources[-1]))


def load(options, say):
    """(run, base or None, peers or None)."""
    everything = [*options.runs, *options.base, *options.peers]
    names = dict(zip(everything, _short_names(everything), strict=True))
    if len(names) < len(everything):
        raise ToolError(USAGE, "a file was given twice")
    if not options.base and not options.pool and _last_is_base(options.runs, names):
        options.base = [options.runs.pop()]
        say(
            f"{options.base[0]} is taken for BASE, as it has cases of the other; --pool makes it a part of the run"
        )
    run, base, peers = (
        _make_run(paths, names) if paths else None for paths in (options.runs, options.base, options.peers)
    )
    for other in (base, peers):
        if other and other.simulated != run.simulated:
            raise ToolError(USAGE, "simulated and measured results: they do not belong in one report")
    for part in (run, base):
        if part and len({source.simulated for source in part.sources}) > 1:
            raise ToolError(USAGE, "simulated and measured results: they do not belong in one report")
    return run, base, peers
