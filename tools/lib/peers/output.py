# SPDX-License-Identifier: Apache-2.0
"""The file of a result: written whole or not at all."""

import json
import os
import stat
import tempfile
from pathlib import Path

from results import USAGE, ToolError


class Output:
    def __init__(self, path):
        """Raises ToolError, before anything is measured, where `path` cannot be written to."""
        self._path = path
        # What a link points to is replaced, not the link.
        self._target = Path(os.path.realpath(path))
        try:
            self._status = self._target.stat()
        except FileNotFoundError:
            self._status = None
        except OSError as error:
            raise self._refused(error.strerror) from error
        if self._status is None or stat.S_ISREG(self._status.st_mode):
            self._require_file()
        elif stat.S_ISDIR(self._status.st_mode):
            raise self._refused("is a directory")
        elif not os.access(self._target, os.W_OK):
            raise self._refused("cannot be written to")

    def _refused(self, problem):
        return ToolError(USAGE, f"--out={self._path}: {problem}")

    def _require_file(self):
        if self._status and any(os.path.samestat(self._status, os.fstat(stream)) for stream in (1, 2)):
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

    def write(self, document):
        text = json.dumps(document, indent=1, allow_nan=False) + "\n"
        try:
            if self._status and not stat.S_ISREG(self._status.st_mode):
                self._target.write_text(text, encoding="utf-8")
            else:
                self._replace(text)
        except OSError as error:
            raise self._refused(f"{error.strerror}; nothing was written") from error

    def _replace(self, text):
        descriptor, temporary = tempfile.mkstemp(prefix=f"{self._target.name}.", dir=self._target.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
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
