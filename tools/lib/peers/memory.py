# SPDX-License-Identifier: Apache-2.0
"""How much memory there is to be had, so that no size ends in an out-of-memory kill."""

from pathlib import Path


def _number(path):
    try:
        return int(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # "max", or no such file


def _fields(path):
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return {words[0].rstrip(":"): int(words[1]) for line in lines if len(words := line.split()) >= 2}


def _available_to_group(folder):
    limit, use = _number(folder / "memory.max"), _number(folder / "memory.current")
    if limit is None or use is None:
        return None
    # The kernel gives the page cache back before it kills anybody.
    return limit - max(0, use - _fields(folder / "memory.stat").get("inactive_file", 0))


def available_host_bytes(root=Path("/")):
    """None where the system does not tell. Limits of control groups count, those further up as well."""
    found = [_fields(root / "proc/meminfo").get("MemAvailable")]
    found = [found[0] * 1024] if found[0] is not None else []
    mount = root / "sys/fs/cgroup"
    try:
        groups = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        groups = []
    for line in groups:
        if line.startswith("0::"):
            group = mount / line[3:].strip("/")
            for folder in [group, *group.parents]:
                available = _available_to_group(folder)
                found += [available] if available is not None else []
                if folder == mount:
                    break
    return min(found, default=None)


def why_too_large(peer, size):
    """The reason why this machine has no room for arrays of this size; None where it has."""
    for where, copies, available in (
        ("the host", peer.host_copies, available_host_bytes()),
        ("the GPU", peer.device_copies, peer.free_device_bytes()),
    ):
        if available is not None and size * copies > available:
            return f"{size * copies} bytes are needed on {where}, {max(available, 0)} are free"
    return None
