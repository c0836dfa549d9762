# SPDX-License-Identifier: Apache-2.0
"""Writing the report: each file whole or not at all."""

import os
import tempfile
from pathlib import Path

from results import USAGE, ToolError


def _write(path, content):
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise


def _umask():
    # It can be read only by being set.
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def make_folder(folder):
    """Says before all the work that it would be for nothing."""
    try:
        (folder / "figures").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(USAGE, f"--out={folder}: {error.strerror}") from error


def write_report(folder, files):
    """`files`: {relative path: content}."""
    try:
        for name, content in files.items():
            _write(folder / name, content)
    except OSError as error:
        raise ToolError(USAGE, f"--out={folder}: {error.strerror}") from error
