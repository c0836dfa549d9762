# SPDX-License-Identifier: Apache-2.0
"""results/: where a run is filed, and the index of those that are."""

import gzip
import re
from pathlib import Path

from output_file import OutputFile

from results import NO_RESULT, ToolError
from runs.alike import date, read_folder
from runs.reading import bad, is_folder, read_bytes

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results"
INDEX = "index.tsv"
COLUMNS = ["date", "file", "sha256", "profile", "cases", "repetitions", "failing", "gpu", "driver", "cuda", "commit",
           "dirty", "flags"]  # fmt: skip
# A quick run has megabytes of numbers that nobody reads as text; a few rows can be looked at as they are.
COMPRESSED_FROM = 200_000
DAY = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})")
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


def slug(name):
    """As tools/bench names the folder of a GPU."""
    return re.sub(r"-+", "-", re.sub(r"[^a-z0-9]", "-", name.lower())).strip("-")


def machine_folder(run, results=RESULTS):
    """Where runs of such a GPU are; None for a simulated run, and for one that does not know its GPU."""
    name = slug(run.fact("gpu_name") or "")
    return None if run.simulated or not name else Path(results) / name


def place(run, results, name=None):
    """The file that this run is to become."""
    when = DAY.match(date(run))
    folder = Path(results) / "simulated" if run.simulated else machine_folder(run, results)
    missing = [what for what, known in (("GPU", folder), ("day", when)) if not known]
    if missing:
        raise bad(run.path, f"does not say of which {' and of which '.join(missing)} it is")
    stem = name or f"{slug(run.fact('profile') or 'run')}-{''.join(when.groups()[1:])}"
    if not FILE_NAME.fullmatch(stem):
        raise ToolError(NO_RESULT, f"--name: {ascii(stem)[:60]} is no name for a file")
    return folder / when[1] / f"{stem}{'.simulated' if run.simulated else ''}.json"


def make_folders(folder, results):
    """Those of the GPU and of the day. Where `results` is not there, its name is more likely wrong than new."""
    require_folder(results)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(NO_RESULT, f"{folder}: {error.strerror}") from error


def require_folder(results):
    if not is_folder(results):
        raise ToolError(NO_RESULT, f"--results={results}: there is no such folder")


def file_run(run, results, name=None):
    """Copies the run to its place, compressed where it is large. Returns the file; never writes over another."""
    content = read_bytes(run.path)
    path = place(run, results, name)
    if len(content) >= COMPRESSED_FROM:
        path = path.with_name(path.name + ".gz")
        # The same bytes each time: no name and no time of the file in it.
        content = gzip.compress(content, 9, mtime=0)
    if path.exists():
        raise ToolError(NO_RESULT, f"{path}: is there already, with another content; --name files it beside")
    make_folders(path.parent, results)
    OutputFile(path, NO_RESULT).write(content)
    return path


def cell(value):
    return "".join(character if character.isprintable() else " " for character in str(value)) or "-"


def flags_of(run):
    """All of the command but the program and where its output went."""
    words = (run.fact("command_line") or "").split()[1:]
    return " ".join(word for word in words if not word.startswith("--benchmark_out"))


def line(run, results):
    failing = sum(bool(case.errors) for case in run.cases.values())
    cuda = run.fact("cuda_runtime_version")
    file = Path(run.path).relative_to(results).as_posix()
    facts = [run.fact(key) or "unknown" for key in ("gpu_name", "driver_version")]
    return [
        date(run), file, run.sha256, run.fact("profile"), len(run.cases), run.repetitions(), failing, *facts,
        cuda or "unknown", run.fact("git_commit") or "unknown", run.fact("git_dirty") or "unknown", flags_of(run),
    ]  # fmt: skip


def index_text(results):
    """Of all runs that are measurements, in order of time. Where content is there twice, the first name counts."""
    runs = [run for run in read_folder(results) if not run.simulated]
    lines = sorted((line(run, results) for run in runs), key=lambda cells: (cells[0], cells[1]))
    return "\n".join("\t".join(cell(value) for value in cells) for cells in [COLUMNS, *lines]) + "\n"


def write_index(results):
    require_folder(results)
    path = Path(results) / INDEX
    OutputFile(path, NO_RESULT).write(index_text(results))
    return path
