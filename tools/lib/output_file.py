# SPDX-License-Identifier: Apache-2.0
"""A file that a tool writes: whole or not at all."""

import os
import stat
import tempfile
from pathlib import Path

from results import ToolError


class OutputFile:
    def __init__(self, path, status, flag=None):
        """Raises ToolError with `status` where `path`, the value of `flag`, cannot be written to."""
        self._name = f"{flag}={path}" if flag else str(path)
        self._failure = status
        # What a link points to is replaced, not the link.
        self._target = Path(os.path.realpath(path))
        try:
            # A pipe that has no name is found by the path alone, and behind a folder that is not there the target alone.
            self._status = status_of(path) or status_of(self._target)
        except OSError as error:
            raise self._refused(error.strerror) from error
        if self._status is None or stat.S_ISREG(self._status.st_mode):
            self._require_file()
        elif stat.S_ISDIR(self._status.st_mode):
            raise self._refused("is a directory")
        else:
            # A device or a pipe is written to as it is.
            self._target = Path(path)
            if not os.access(path, os.W_OK):
                raise self._refused("cannot be written to")

    def _refused(self, problem):
        return ToolError(self._failure, f"{self._name}: {problem}")

    def _require_file(self):
        if self._status and any(os.path.samestat(self._status, state) for state in open_streams()):
            raise self._refused("is open already, and would be replaced")
        if self._status and not os.access(self._target, os.W_OK):
            raise self._refused("cannot be written to")
        if not self._target.parent.is_dir():
            raise self._refused(f"there is no directory {self._target.parent}")
        try:
            with tempfile.NamedTemporaryFile(dir=self._target.parent):
                pass
        except OSError as error:
            raise self._refused(error.strerror) from error

    def write(self, content):
        """Text, or bytes."""
        content = content.encode("utf-8") if isinstance(content, str) else content
        try:
            if self._status and not stat.S_ISREG(self._status.st_mode):
                self._target.write_bytes(content)
            else:
                self._replace(content)
        except OSError as error:
            raise self._refused(f"{error.strerror}; nothing was written") from error

    def _replace(self, content):
        # A short name of its own: the file's may be as long as names can be.
        descriptor, temporary = tempfile.mkstemp(prefix=".new-", dir=self._target.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fchmod(file.fileno(), self._mode())
                os.fsync(file.fileno())
            Path(temporary).replace(self._target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _mode(self):
        if self._status:
            return stat.S_IMODE(self._status.st_mode)
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def status_of(path):
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def open_streams():
    """What standard output and standard error lead to, where they are open."""
    for stream in (1, 2):
        try:
            yield os.fstat(stream)
        except OSError:
            continue
