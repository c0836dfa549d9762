# SPDX-License-Identifier: Apache-2.0
"""As much of numba.cuda as tools/peers.py calls."""

from types import SimpleNamespace

import fake_gpu
import numpy


class DeviceNDArray:
    def __init__(self, data):
        self._data = data

    def __getitem__(self, window):
        return DeviceNDArray(self._data[window])

    def copy_to_host(self, ary=None, stream=0):
        return fake_gpu.copy("numba.copy_to_host", self._data, ary)


def to_device(obj, stream=0, copy=True, to=None):
    if to is None:
        return DeviceNDArray(fake_gpu.copy("numba.to_device", obj))
    fake_gpu.copy("numba.to_device", obj, to._data)
    return to


def device_array(shape, dtype):
    return DeviceNDArray(numpy.zeros(shape, dtype))


def pinned_array(shape, dtype):
    return numpy.zeros(shape, dtype)


def is_available():
    return fake_gpu.PRESENT


def stream():
    return object()


def get_current_device():
    return SimpleNamespace(name=fake_gpu.NAME.encode())


def current_context():
    manager = SimpleNamespace(deallocations=[])
    return SimpleNamespace(get_memory_info=lambda: (fake_gpu.FREE_BYTES, 1 << 40), memory_manager=manager)


def synchronize():
    fake_gpu.fault("numba.synchronize")
