# SPDX-License-Identifier: Apache-2.0
"""Where the figures come from: files, checksums, commands, and the machine."""

import json

from report import text
from report.document import Section, Table

_EXECUTABLE = "copybench"
# Of one file, not of the machine.
_OF_THE_FILE = ("date", "command_line", "executable", "load_avg", "skipped", "verdict_table", "break_even_table", "ended_early",
                "memory_available_kib")  # fmt: skip
_GROUPS = {
    "GPU and link": ("gpu_", "pcie_", "numa_", "async_engine", "compute_mode", "multiprocessor", "mps_", "confidential"),
    "Driver and CUDA": ("driver_", "cuda_", "env_", "kernel_module"),
    "Host": ("cpu", "num_cpus", "mhz", "caches", "cgroup", "clocksource", "huge_page", "iommu", "kernel", "machine", "memory_total", "memlock",
             "os", "page_size", "thread_numa", "transparent", "virtual", "container", "host_name", "library"),
    "Build and measurement": ("build_", "git_", "google_", "batch_", "profile", "verify", "measuring", "clock_cost", "json_", "simulat", "cupti"),
}  # fmt: skip


def _shown(value):
    if isinstance(value, str):
        return text.clean(value)
    try:
        return text.clean(json.dumps(value, ensure_ascii=False, sort_keys=True))
    except (RecursionError, ValueError):
        return "unknown"


def _group(key):
    for title, starts in _GROUPS.items():
        if key.startswith(starts):
            return title
    return "Other facts"


def fingerprint(model):
    """Tables by group; a fact on which the files do not agree has a line for each of its values."""
    sources = model.run.sources
    groups = {title: [] for title in [*_GROUPS, "Other facts"]}
    for key in sorted({key for source in sources for key in source.context} - set(_OF_THE_FILE)):
        values = {}
        for source in sources:
            values.setdefault(_shown(source.context.get(key, "unknown")), []).append(source.name)
        for value, names in values.items():
            where = "" if len(values) == 1 else f" ({text.words(names)})"
            groups[_group(key)].append([text.clean(key, 80), value + where])
    return [
        Table(f"Fingerprint: {title}", ["fact", "value"], rows, texts=2)
        for title, rows in groups.items()
        if rows
    ]


# These are of the moment.
_CHANGES = (
    *_OF_THE_FILE,
    "host_name",
    "clock_cost_ns",
    "gpu_clock_sm_now_mhz",
    "gpu_clock_memory_now_mhz",
    "mhz_per_cpu",
)


def _differing(run):
    keys = sorted({key for source in run.sources for key in source.context} - set(_CHANGES))
    return [
        text.clean(key, 80)
        for key in keys
        if len({_shown(source.context.get(key, "unknown")) for source in run.sources}) > 1
    ]


def _files(model):
    roles = [("run", model.run), ("base", model.base), ("peers", model.peers)]
    rows = []
    for role, run in roles:
        for source in run.sources if run else []:
            context = source.context
            commit = text.clean(context.get("git_commit", "unknown"))[:12]
            dirty = {"true": ", with changes", "false": ""}.get(
                str(context.get("git_dirty")), ", state unknown"
            )
            rows.append(
                [
                    source.name,
                    role,
                    text.clean(context.get("date", "unknown")).replace("T", " ").replace("+00:00", " UTC"),
                    text.clean(context.get("profile", "-")),
                    commit + dirty,
                    f"{len(source.rows):,}",
                    source.sha256,
                ]
            )
    return Table("Raw files", ["file", "of", "date", "profile", "commit", "rows", "sha256"], rows, texts=7)


def reproduce(model):
    """Command lines, as the files hold them."""
    lines = []
    for run in filter(None, (model.run, model.base, model.peers)):
        for source in run.sources:
            command = source.context.get("command_line")
            if isinstance(command, str):
                lines.append([source.name, text.clean(command, 2000)])
    return Table("How each file was made", ["file", "command"], lines, texts=2, code=1) if lines else None


def checksums(model):
    return [
        f"{source.sha256}  {source.name}"
        for run in filter(None, (model.run, model.base, model.peers))
        for source in run.sources
    ]


def build(model):
    section = Section("provenance", "Where the figures come from")
    section.text.append(
        "Raw files are never edited. Their checksums are below, in the form that sha256sum --check reads."
    )
    differing = _differing(model.run)
    if differing:
        section.text.append(
            f"The files of the run were not made alike; they differ in {text.words(differing)}."
        )
    section.tables.append(_files(model))
    commands = reproduce(model)
    section.tables += [commands] if commands else []
    section.details += fingerprint(model)
    return section, []
