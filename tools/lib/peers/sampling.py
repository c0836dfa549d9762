# SPDX-License-Identifier: Apache-2.0
"""Takes the samples of the cases of one framework that have one size."""

from time import perf_counter_ns, process_time_ns
from typing import NamedTuple

import numpy

from peers.arrays import Pattern
from peers.case import ELEMENT_BYTES
from peers.clock import no_garbage_collection

# A repetition has at least, and at most, so many samples, whatever its budget.
LEAST_SAMPLES = 3
MOST_SAMPLES = 1000


class Sample(NamedTuple):
    """Durations in ns. `cpu` is that of all threads of the process, from entering the call until the data is there."""

    blocked: int
    completion: int
    residual: int
    cpu: int


class Sampler:
    def __init__(self, peer, size, seed):
        self._peer = peer
        self._elements = size // ELEMENT_BYTES
        self._pattern = Pattern(self._elements, seed)
        self._scratch = numpy.zeros(self._elements)
        self._kept = {}

    def _once(self, key, make):
        """What the cases of a size share is made when the first of them needs it."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _source(self, case, window):
        array, peer = self._pattern.array, self._peer
        if case.family == "to_host":
            return peer.device_window(self._once("device", lambda: peer.device_source(array)), array, window)
        return self._once(("host", case.mem), lambda: peer.host_source(array, case.mem))[window]

    def _destination(self, case):
        if case.alloc != "none":
            return None
        if case.family == "to_device":
            return self._once("to_device", lambda: self._peer.device_destination(self._elements))
        return self._once(
            ("to_host", case.mem), lambda: self._peer.host_destination(self._elements, case.mem)
        )

    def sample(self, case):
        """Calls once, and looks at every byte afterwards; raises WrongDataError, and whatever the framework does."""
        peer, call = self._peer, case.call
        window = self._pattern.next_window()
        source, destination = self._source(case, window), self._destination(case)
        peer.wait(source)
        if case.before:
            case.before(peer)

        cpu_begin = process_time_ns()
        begin = perf_counter_ns()
        result = call(peer, source, destination)
        returned = perf_counter_ns()
        peer.wait(result)
        usable = perf_counter_ns()
        cpu_end = process_time_ns()

        to_device = case.family == "to_device"
        found = peer.download(result, self._scratch) if to_device else peer.to_numpy(result)
        self._pattern.require(window, found)
        return Sample(returned - begin, usable - begin, usable - returned, cpu_end - cpu_begin)

    def warm_up(self, case, budget_ns):
        """The number of samples that a repetition of this wall-clock time has room for, checks included."""
        with no_garbage_collection():
            self.sample(case)
            begin = perf_counter_ns()
            self.sample(case)
            cost = perf_counter_ns() - begin
        return min(max(budget_ns // cost, LEAST_SAMPLES), MOST_SAMPLES)

    def repetition(self, case, count):
        with no_garbage_collection():
            return [self.sample(case) for _ in range(count)]
