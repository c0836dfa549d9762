# SPDX-License-Identifier: Apache-2.0
"""A framework as the others see it: its cases, and what they are run with."""

import re
from importlib import import_module

from peers.case import Case

# Module and class of each; imported only when it is the framework's turn, or its cases are listed.
PEERS = {"numba": "NumbaPeer", "torch": "TorchPeer", "cupy": "CupyPeer", "jax": "JaxPeer"}


class LeftOutError(Exception):
    """The framework cannot be measured here, for the reason given, and that is no failure."""


class Peer:
    """A subclass imports its framework in __init__, and leaves itself out there by raising LeftOutError."""

    name = ""
    cases: tuple[Case, ...] = ()
    least = (0, 0)  # the oldest version that has all that is called here
    environment: dict[str, str] = {}  # noqa: RUF012  of the process, before it imports anything
    allocation = ""  # how alloc:framework comes by its memory
    host_copies = 8  # how many arrays of one size there can be at once
    device_copies = 4

    def require_version(self, version):
        self.version = version
        found = re.match(r"(\d+)\.(\d+)", version)
        if found and (int(found[1]), int(found[2])) < self.least:
            raise LeftOutError(
                f"{self.name} {version} is too old: {'.'.join(map(str, self.least))} or newer is needed"
            )

    def facts(self):
        """What a reader of the figures has to know, beside the versions of the packages."""
        return {}

    def packages(self):
        """The versions by name."""
        return {self.name: self.version}

    def gpu_name(self):
        raise NotImplementedError

    def free_device_bytes(self):
        """None where the framework does not tell."""
        return None

    def why_not(self, case):
        """The reason why this version of the framework lacks a case."""
        return None

    def host_source(self, array, mem):
        """The same elements in this kind of memory, as an array of the framework that can be sliced."""
        raise NotImplementedError

    def device_source(self, array):
        raise NotImplementedError

    def device_window(self, source, array, window):
        """The part of `source`, which device_source(array) has made, that a to_host case is to fetch."""
        return source[window]

    def host_destination(self, elements, mem):
        """Touched, as an array that was used before."""
        import numpy

        return numpy.full(elements, 0.5)

    def device_destination(self, elements):
        raise NotImplementedError

    def wait(self, result):
        """Returns once `result`, or all that the device has to do, is there."""
        raise NotImplementedError

    def download(self, result, scratch):
        """A result on the device as a NumPy array, by way of `scratch` where the framework can."""
        raise NotImplementedError

    def to_numpy(self, result):
        """A result on the host, without copying it."""
        return result

    def release(self):
        """Gives back what the framework keeps for later."""


def peer_class(name):
    return getattr(import_module(f"peers.{name}_peer"), PEERS[name])
