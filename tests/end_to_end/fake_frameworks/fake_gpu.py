# SPDX-License-Identifier: Apache-2.0
"""A device made of host memory, for the stand-ins of the frameworks beside this.

What goes wrong is in FAKE_FAULT, as KIND:CALL:N: from the N-th call of a function on (1 is the first), it is of no effect
(lost), leaves one byte wrong (corrupt), returns another type (narrow), takes long (slow), raises, hangs, aborts the process,
or ends it in silence (exit). One that hangs makes the file hung in the folder FAKE_MARK.
"""

import collections
import os
import sys
import time
from pathlib import Path

import numpy

PRESENT = os.environ.get("FAKE_GPU", "1") == "1"
FREE_BYTES = int(os.environ.get("FAKE_FREE_BYTES", 1 << 40))
NAME = "A fake GPU"
SLOW_S = 0.02

_calls = collections.Counter()


def fault(call):
    """The kind of what is to go wrong with this call of `call`, or nothing."""
    kind, name, first = (os.environ.get("FAKE_FAULT") or "none:none:0").split(":")
    if name != call:
        return ""
    _calls[call] += 1
    if _calls[call] < int(first):
        return ""
    if kind == "raise":
        raise RuntimeError(f"{call} was told\nto fail")
    if kind == "slow":
        time.sleep(SLOW_S)
    if kind == "hang":
        Path(os.environ.get("FAKE_MARK", "."), "hung").touch()
        time.sleep(3600)
    if kind == "abort":
        print("last words", file=sys.stderr, flush=True)
        os.abort()
    if kind == "exit":
        os._exit(0)
    return kind


def copy(call, source, destination=None):
    """The bytes of `source` in `destination`, or in an array of their own."""
    kind = fault(call)
    if destination is None:
        destination = numpy.full_like(source, 0.25)
    if kind == "lost":
        return destination
    destination[:] = source
    if kind == "corrupt":
        destination.view(numpy.uint8)[-3] ^= 1
    if kind == "narrow":
        return destination.astype(numpy.float32)
    return destination
