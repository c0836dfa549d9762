# SPDX-License-Identifier: Apache-2.0
"""numba.cuda, as numba-cuda or as an older Numba ships it."""

from importlib import metadata

from peers.case import Case
from peers.peer import LeftOutError, Peer


def to_device(peer, source, _):
    return peer.cuda.to_device(source)


def to_device_in_stream(peer, source, _):
    return peer.cuda.to_device(source, stream=peer.stream)


def to_existing(peer, source, destination):
    peer.cuda.to_device(source, to=destination)
    return destination


def copy_in_stream(peer, source, _):
    return source.copy_to_host(stream=peer.stream)


class NumbaPeer(Peer):
    name = "numba"
    least = (0, 56)
    # The names say which stream is meant, and a simulated device is none.
    environment = {"NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM": "0", "NUMBA_ENABLE_CUDASIM": "0"}  # noqa: RUF012
    allocation = "cuMemAlloc for each array, which is freed some arrays later, outside of what is timed"
    device_copies = 16  # it frees once ten arrays are waiting to be freed
    # A stream of Numba's synchronises with the legacy one: cuStreamCreate without flags.
    cases = (
        Case("to_device", "numba_to_device", to_device),
        Case("to_device", "numba_to_device", to_device_in_stream, stream="blocking"),
        Case("to_device", "numba_to_device", to_device_in_stream, mem="pinned", stream="blocking"),
        Case("to_device", "numba_to_device", to_existing, alloc="none"),
        Case("to_host", "numba_copy_to_host", lambda peer, source, _: source.copy_to_host()),
        Case("to_host", "numba_copy_to_host", copy_in_stream, stream="blocking"),
        Case(
            "to_host",
            "numba_copy_to_host",
            lambda _, source, target: source.copy_to_host(target),
            alloc="none",
        ),
    )

    def __init__(self):
        import numba.cuda

        self.cuda = cuda = numba.cuda
        self.require_version(numba.__version__)
        if not cuda.is_available():
            raise LeftOutError(f"numba {self.version} finds no GPU that it can use")
        self.stream = cuda.stream()

    def packages(self):
        try:
            return {"numba": self.version, "numba_cuda": metadata.version("numba-cuda")}
        except metadata.PackageNotFoundError:
            return {"numba": self.version}

    def gpu_name(self):
        name = self.cuda.get_current_device().name
        return name.decode() if isinstance(name, bytes) else name

    def free_device_bytes(self):
        return self.cuda.current_context().get_memory_info()[0]

    def host_source(self, array, mem):
        if mem != "pinned":
            return array
        pinned = self.cuda.pinned_array(array.shape, array.dtype)
        pinned[:] = array
        return pinned

    def device_source(self, array):
        return self.cuda.to_device(array)

    def device_destination(self, elements):
        return self.cuda.device_array(elements, "float64")

    def wait(self, result):
        self.cuda.synchronize()

    def download(self, result, scratch):
        # In the stream of the result, which does not wait.
        result.copy_to_host(scratch)
        self.cuda.synchronize()
        return scratch

    def release(self):
        # Another memory manager than Numba's own may free at once.
        manager = self.cuda.current_context().memory_manager
        if hasattr(manager, "deallocations"):
            manager.deallocations.clear()
