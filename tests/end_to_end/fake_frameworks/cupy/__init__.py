# SPDX-License-Identifier: Apache-2.0
"""As much of CuPy as tools/peers.py calls."""

import os
from types import SimpleNamespace

import fake_gpu
import numpy

__version__ = os.environ.get("FAKE_VERSION", "14.0.0")


class ndarray:  # noqa: N801
    def __init__(self, data):
        self._data = data

    def __getitem__(self, window):
        return ndarray(self._data[window])

    def set(self, arr):
        fake_gpu.copy("cupy.set", arr, self._data)

    def get(self, out=None):
        return fake_gpu.copy("cupy.get", self._data, out)


def asarray(array):
    return ndarray(fake_gpu.copy("cupy.asarray", array))


def zeros(elements):
    return ndarray(numpy.zeros(elements))


def get_default_memory_pool():
    return SimpleNamespace(free_all_blocks=lambda: None)


get_default_pinned_memory_pool = get_default_memory_pool
cuda = SimpleNamespace(
    is_available=lambda: fake_gpu.PRESENT,
    Device=lambda: SimpleNamespace(mem_info=(fake_gpu.FREE_BYTES, 1 << 40)),
    runtime=SimpleNamespace(
        runtimeGetVersion=lambda: 13000,
        getDeviceProperties=lambda device: {"name": fake_gpu.NAME.encode()},
        deviceSynchronize=lambda: fake_gpu.fault("cupy.synchronize"),
    ),
)
