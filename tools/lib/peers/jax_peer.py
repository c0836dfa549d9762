# SPDX-License-Identifier: Apache-2.0
"""JAX, which copies in streams of its own."""

from peers.case import Case
from peers.peer import LeftOutError, Peer


class JaxPeer(Peer):
    name = "jax"
    least = (0, 4)
    environment = {  # noqa: RUF012
        # Else it takes three quarters of the device's memory at its start.
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
        # Else it turns float64 into float32 on the way.
        "JAX_ENABLE_X64": "1",
    }
    allocation = (
        "a caching allocator of device memory, growing as needed; XLA's host memory for numpy.asarray"
    )
    cases = (
        Case(
            "to_device",
            "jax_device_put",
            lambda peer, source, _: peer.jax.device_put(source),
            stream="framework",
        ),
        Case("to_host", "jax_asarray", lambda peer, source, _: peer.asarray(source), stream="framework"),
    )

    def __init__(self):
        import jax
        import numpy

        self.jax, self.asarray = jax, numpy.asarray
        self.require_version(jax.__version__)
        try:
            self.device = jax.devices("gpu")[0]
        except RuntimeError as error:
            raise LeftOutError(f"jax {jax.__version__} finds no GPU: {error}") from error
        if jax.devices()[0] != self.device:
            raise LeftOutError(
                f"jax {jax.__version__} is set to another device than the GPU: {jax.devices()[0]}"
            )

    def gpu_name(self):
        return self.device.device_kind

    def free_device_bytes(self):
        stats = self.device.memory_stats() or {}
        if "bytes_limit" not in stats:
            return None
        return stats["bytes_limit"] - stats.get("bytes_in_use", 0)

    def host_source(self, array, mem):
        return array

    def device_source(self, array):
        return None

    def device_window(self, source, array, window):
        # An array of JAX remembers what it was as a NumPy array, so that the second time costs nothing.
        return self.jax.device_put(array[window]).block_until_ready()

    def wait(self, result):
        # What is lazy is an array of JAX; one of NumPy is there.
        if hasattr(result, "block_until_ready"):
            result.block_until_ready()

    def download(self, result, scratch):
        return self.asarray(result)
