# SPDX-License-Identifier: Apache-2.0
"""Every tool of Python that reads results, with a command of each that ends well, for tests of what they have in common."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec

import pytest
from made_runs import FIRST, QUIET, SOURCE, result, rows, scaled, write

LIB = SOURCE / "tools" / "lib"
# What the shell starts, in place of the script that looks for a Python.
STARTED = {"compare": ["compare_runs.py"], "history": ["history_of.py"], "report": ["-m", "report"]}
PINNED = "host_blocking/api:memcpy_async/dir:h2d/mem:pinned/stream:nonblocking/queue:idle/bytes:268435456"
CUPTI = {"blocked_p50_ns": 1000, "cupti_p50_ns": 1000, "cupti_samples": 20, "samples": 20}


@dataclass(frozen=True)
class Tool:
    name: str
    words: str
    bad_usage: int = 3
    # The status for a file that is not there, and for an output that cannot be written to.
    unusable: int = 3
    drawing: bool = False

    def command(self):
        words = self.words.split()
        if self.name in STARTED:
            first, *rest = STARTED[self.name]
            start = [first, *rest] if first == "-m" else [LIB / first]
        else:
            start = [SOURCE / "tools" / self.name]
        return [sys.executable, *map(str, start), *words]

    def can_run(self):
        return not self.drawing or all(find_spec(name) for name in ("matplotlib", "jinja2", "ruptures"))


COMPARE = Tool("compare", "base.json new.json --no-compare-py --no-noise")
POWER = Tool("compare", "power base.json new.json")
FILTERS = Tool("compare", "filters slices.json mem:pageable mem:pinned --no-compare-py")
EXPORT = Tool("export", "base.json --format bencher")
HISTORY = Tool("history", f"{FIRST} --results base.json --out history.svg", drawing=True)
RECORD = Tool("record", "base.json --results results")
REPORT = Tool("report", "base.json --out made", 2, 2, drawing=True)
CUPTI_AGREEMENT = Tool("cupti_agreement", "cupti.json", 2, 2)
NVBANDWIDTH = Tool("nvbandwidth_compare", "nvbandwidth.json pinned.json", 2, 2)
PEERS = Tool("peers.py", "--list", 2, 2)
TOOLS = (COMPARE, POWER, FILTERS, EXPORT, HISTORY, RECORD, REPORT, CUPTI_AGREEMENT, NVBANDWIDTH, PEERS)


def marked(tool, *more):
    """A parameter, or several, of a test that needs what the tool draws with."""
    lacks = pytest.mark.skipif(not tool.can_run(), reason="no matplotlib")
    return pytest.param(tool, *more, marks=lacks)


def name_of(tool):
    return f"{tool.name}-{tool.words.split()[0]}"


def inputs(folder):
    """The files that the commands name, in `folder`."""
    write(folder / "base.json", result({FIRST: QUIET}))
    write(folder / "new.json", result({FIRST: scaled(QUIET, 1.0001)}))
    names = [f"copy/mem:{memory}/bytes:4" for memory in ("pageable", "pinned")]
    write(folder / "slices.json", result(dict.fromkeys(names, QUIET)))
    write(folder / "cupti.json", result([rows(FIRST, [1000], **CUPTI)]))
    write(folder / "pinned.json", result([rows(PINNED, [5e6], bytes_per_second=5e10)]))
    tests = [{"name": "host_to_device_memcpy_ce", "bandwidth_matrix": [["55"]]}]
    write(folder / "nvbandwidth.json", json.dumps({"nvbandwidth": {"testcases": tests}}))
    (folder / "results").mkdir()


def run(tool, folder, *more, streams="", command=None, **environment):
    """`streams`: what a shell makes of the standard streams, `>&-` for example."""
    line = shlex.join([*(command or tool.command()), *map(str, more)])
    return subprocess.run(
        ["bash", "-c", f"{line} {streams}"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": str(LIB), "PYTHONDONTWRITEBYTECODE": "1"} | environment,
    )


def one_line(done, tool, status):
    """The tool ended with one line on standard error, and nothing else."""
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert done.stderr.startswith(f"tools/{tool.name}: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.strip().isprintable()
