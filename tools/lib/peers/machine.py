# SPDX-License-Identifier: Apache-2.0
"""What the machine and the checkout say of themselves, by the names that copybench's context has for it."""

import datetime
import os
import platform
import re
import resource
import subprocess
from pathlib import Path

UNKNOWN = "unknown"


def _field(path, name, separator=":"):
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError:
        return UNKNOWN
    found = re.search(rf"^{re.escape(name)}\s*{separator}\s*(.+?)(?: kB)?$", text, re.MULTILINE)
    return found[1].strip('"') if found else UNKNOWN


def _selected(setting):
    try:
        text = Path(f"/sys/kernel/mm/transparent_hugepage/{setting}").read_text(encoding="utf-8")
    except OSError:
        return UNKNOWN
    return (re.findall(r"\[(\w+)\]", text) or [UNKNOWN])[0]


def _git(*arguments):
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _memlock_limit():
    limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    return "unlimited" if limit == resource.RLIM_INFINITY else str(limit)


def _commit():
    # An installed tool may lie in somebody else's repository.
    if _git("ls-files", "--error-unmatch", Path(__file__).name) is None:
        return {"git_commit": UNKNOWN, "git_dirty": UNKNOWN}
    changes = _git("status", "--porcelain", "--untracked-files=no")
    return {
        "git_commit": _git("rev-parse", "HEAD") or UNKNOWN,
        "git_dirty": UNKNOWN if changes is None else str(bool(changes)).lower(),
    }


def machine_facts():
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "date": now.isoformat(timespec="seconds"),
        "host_name": platform.node() or UNKNOWN,
        "executable": "tools/peers.py",
        "num_cpus": os.cpu_count() or 1,
        "load_avg": list(os.getloadavg()),
        "json_schema_version": 1,
        "python_version": platform.python_version(),
        "cpu_model": _field("/proc/cpuinfo", "model name"),
        "cpus_allowed_count": str(len(os.sched_getaffinity(0))),
        "kernel": platform.release() or UNKNOWN,
        "os": _field("/etc/os-release", "PRETTY_NAME", "="),
        "memory_total_kib": _field("/proc/meminfo", "MemTotal"),
        "memory_available_kib": _field("/proc/meminfo", "MemAvailable"),
        "page_size_bytes": str(resource.getpagesize()),
        "transparent_huge_pages": _selected("enabled"),
        "transparent_huge_pages_defrag": _selected("defrag"),
        "memlock_limit_bytes": _memlock_limit(),
        "env_cuda_visible_devices": os.environ.get("CUDA_VISIBLE_DEVICES") or "unset",
        # NumPy asks for huge pages for arrays of 4 MiB and more, unless told not to.
        "env_numpy_madvise_hugepage": os.environ.get("NUMPY_MADVISE_HUGEPAGE") or "unset",
    } | _commit()
