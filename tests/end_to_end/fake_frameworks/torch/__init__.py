# SPDX-License-Identifier: Apache-2.0
"""As much of torch as tools/peers.py calls."""

import os
from types import SimpleNamespace

import fake_gpu
import numpy

__version__ = os.environ.get("FAKE_VERSION", "2.9.0+fake")
version = SimpleNamespace(cuda=os.environ.get("FAKE_CUDA", "13.0") or None)
float64 = numpy.float64
_C = SimpleNamespace()
if os.environ.get("FAKE_CACHE", "1") == "1":
    _C._host_emptyCache = lambda: fake_gpu.fault("torch.empty_cache")


class Tensor:
    def __init__(self, data, place="cpu"):
        self._data, self._place = data, place

    def __getitem__(self, window):
        return Tensor(self._data[window], self._place)

    def pin_memory(self):
        return Tensor(fake_gpu.copy("torch.pin_memory", self._data))

    def to(self, place, non_blocking=False):
        return Tensor(
            fake_gpu.copy("torch.to_non_blocking" if non_blocking else "torch.to", self._data), place
        )

    def cpu(self):
        return Tensor(fake_gpu.copy("torch.cpu", self._data))

    def copy_(self, source, non_blocking=False):
        fake_gpu.copy("torch.copy_", source._data, self._data)
        return self

    def numpy(self):
        return self._data


def from_numpy(array):
    return Tensor(array)


def zeros(elements, dtype, device="cpu", pin_memory=False):
    return Tensor(numpy.zeros(elements, dtype), device)


def get_num_threads():
    return 7


cuda = SimpleNamespace(
    is_available=lambda: fake_gpu.PRESENT,
    get_device_name=lambda: fake_gpu.NAME,
    mem_get_info=lambda: (fake_gpu.FREE_BYTES, 1 << 40),
    synchronize=lambda: fake_gpu.fault("torch.synchronize"),
    empty_cache=lambda: None,
)
