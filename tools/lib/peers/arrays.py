# SPDX-License-Identifier: Apache-2.0
"""The bytes that are copied, and whether they came through."""

import ctypes

import numpy

from peers.case import ELEMENT_BYTES

# A window that moves by a page is aligned as the one before, and differs from it everywhere.
STEP = 4096 // ELEMENT_BYTES
WINDOWS = 1024

_memcmp = ctypes.CDLL(None).memcmp
_memcmp.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class WrongDataError(Exception):
    """What arrived is not what was sent."""


class Pattern:
    """A source that looks different each time it is used, without being written anew.

    It is a window into a longer array. So neither what an earlier copy has left in memory that is handed out again,
    nor a source read too late or too early, passes for the right data.
    """

    def __init__(self, elements, seed):
        self.elements = elements
        self.array = numpy.random.default_rng(seed).random(elements + WINDOWS * STEP)
        self._used = 0

    def next_window(self):
        begin = self._used % WINDOWS * STEP
        self._used += 1
        return slice(begin, begin + self.elements)

    def require(self, window, found):
        """Raises WrongDataError unless `found` holds the same bytes as this window."""
        expected = self.array[window]
        if found.dtype != expected.dtype or found.shape != expected.shape or not found.flags.c_contiguous:
            raise WrongDataError(
                f"the destination has the type {found.dtype} and the shape {found.shape},"
                f" expected {expected.dtype} and {expected.shape}"
            )
        if _memcmp(found.ctypes.data, expected.ctypes.data, expected.nbytes) == 0:
            return
        wrong = numpy.flatnonzero(found.view(numpy.uint8) != expected.view(numpy.uint8))
        raise WrongDataError(f"the destination: {wrong.size} wrong bytes, the first at byte {wrong[0]}")
