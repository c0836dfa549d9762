# SPDX-License-Identifier: Apache-2.0
"""CuPy, on the default stream, which is CUDA's legacy one."""

from peers.case import Case
from peers.peer import LeftOutError, Peer


def asarray(peer, source, _):
    return peer.cupy.asarray(source)


def set_from(peer, source, destination):
    destination.set(source)
    return destination


def get_into(peer, source, destination):
    return source.get(out=destination)


class CupyPeer(Peer):
    name = "cupy"
    least = (12, 0)
    # The names say which stream is meant.
    environment = {"CUPY_CUDA_PER_THREAD_DEFAULT_STREAM": "0"}  # noqa: RUF012
    allocation = (
        "pools of device memory and of pinned memory, through which asarray stages; numpy.empty for get"
    )
    cases = (
        Case("to_device", "cupy_asarray", asarray),
        Case("to_device", "cupy_asarray", asarray, mem="pinned"),
        Case("to_device", "cupy_set", set_from, alloc="none"),
        Case("to_device", "cupy_set", set_from, mem="pinned", alloc="none"),
        Case("to_host", "cupy_get", lambda peer, source, _: source.get()),
        Case("to_host", "cupy_get", get_into, alloc="none"),
        Case("to_host", "cupy_get", get_into, mem="pinned", alloc="none"),
    )

    def __init__(self):
        import cupy

        self.cupy = cupy
        self.require_version(cupy.__version__)
        if not cupy.cuda.is_available():
            raise LeftOutError(f"cupy {cupy.__version__} finds no GPU")
        import cupyx

        self.empty_pinned = cupyx.empty_pinned

    def facts(self):
        return {"cupy_cuda_version": str(self.cupy.cuda.runtime.runtimeGetVersion())}

    def gpu_name(self):
        return self.cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()

    def free_device_bytes(self):
        return self.cupy.cuda.Device().mem_info[0]

    def host_source(self, array, mem):
        if mem == "pageable":
            return array
        pinned = self.empty_pinned(array.shape)
        pinned[:] = array
        return pinned

    def device_source(self, array):
        return self.cupy.asarray(array)

    def host_destination(self, elements, mem):
        if mem == "pageable":
            return super().host_destination(elements, mem)
        destination = self.empty_pinned(elements)
        destination[:] = 0
        return destination

    def device_destination(self, elements):
        return self.cupy.zeros(elements)

    def wait(self, result):
        self.cupy.cuda.runtime.deviceSynchronize()

    def download(self, result, scratch):
        return result.get(out=scratch)

    def release(self):
        self.cupy.get_default_memory_pool().free_all_blocks()
        self.cupy.get_default_pinned_memory_pool().free_all_blocks()
