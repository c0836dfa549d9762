# SPDX-License-Identifier: Apache-2.0
"""As much of JAX as tools/peers.py calls. Its arrays are lazy, remember what they were on the host, and are narrow by
default, as those of JAX are."""

import os
from types import SimpleNamespace

import fake_gpu
import numpy

__version__ = os.environ.get("FAKE_VERSION", "0.8.0")
WIDE = os.environ.get("JAX_ENABLE_X64") == "1"

if os.environ.get("XLA_PYTHON_CLIENT_PREALLOCATE") != "false":
    raise MemoryError("three quarters of the device are taken")


class Array:
    def __init__(self, data):
        self._data = data if WIDE else data.astype(numpy.float32)
        self._ready = self._host = None

    def block_until_ready(self):
        if self._ready is None:
            self._ready = fake_gpu.copy("jax.device_put", self._data)
        return self

    def __array__(self, dtype=None, copy=None):
        if self._host is None:
            self._host = fake_gpu.copy("jax.asarray", self.block_until_ready()._ready)
        return self._host


def device_put(array):
    return Array(array)


_device = SimpleNamespace(
    device_kind=fake_gpu.NAME, memory_stats=lambda: {"bytes_limit": fake_gpu.FREE_BYTES, "bytes_in_use": 0}
)


def devices(kind=None):
    if not fake_gpu.PRESENT:
        if kind == "gpu":
            raise RuntimeError(
                "Unknown backend: 'gpu' requested, but no\nplatforms that are instances of gpu are present."
            )
        return [SimpleNamespace(device_kind="cpu")]
    return [_device]
