# SPDX-License-Identifier: Apache-2.0
"""What a worker tells its supervisor, line by line."""

import json
import os


class Reports:
    def __init__(self, descriptor):
        # No process of the framework's is to keep the pipe open.
        os.set_inheritable(descriptor, False)
        self._pipe = os.fdopen(descriptor, "w", encoding="utf-8")

    def send(self, kind, content):
        self._pipe.write(json.dumps([kind, content]) + "\n")
        self._pipe.flush()
