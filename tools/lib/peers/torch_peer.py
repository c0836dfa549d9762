# SPDX-License-Identifier: Apache-2.0
"""PyTorch, on the default stream, which is CUDA's legacy one."""

from peers.case import Case
from peers.peer import LeftOutError, Peer


def pin_memory_to(peer, source, _):
    return source.pin_memory().to("cuda", non_blocking=True)


def to_non_blocking(peer, source, _):
    return source.to("cuda", non_blocking=True)


def to_pinned_host(peer, source, _):
    return source.to("cpu", non_blocking=True)


def copy_non_blocking(peer, source, destination):
    return destination.copy_(source, non_blocking=True)


def pin_memory_copy(peer, source, destination):
    return destination.copy_(source.pin_memory(), non_blocking=True)


class TorchPeer(Peer):
    name = "torch"
    least = (2, 0)
    allocation = "caching allocators, of device memory and of pinned memory; malloc for pageable memory"
    host_copies = 12  # pinned memory is handed out in powers of two
    # pin_memory() finds the memory of the call before in a cache: it pins for the first array of a size alone,
    # which is what the case named `first` shows.
    cases = (
        Case("to_device", "torch_to", lambda peer, source, _: source.to("cuda")),
        Case("to_device", "torch_to_non_blocking", to_non_blocking),
        Case("to_device", "torch_pin_memory_to", pin_memory_to),
        Case("to_device", "torch_first_pin_memory_to", pin_memory_to, before=lambda p: p.forget_pinned()),
        Case("to_device", "torch_to_non_blocking", to_non_blocking, mem="pinned"),
        Case("to_device", "torch_copy", lambda _, source, target: target.copy_(source), alloc="none"),
        Case("to_device", "torch_pin_memory_copy", pin_memory_copy, alloc="none"),
        Case("to_device", "torch_copy_non_blocking", copy_non_blocking, mem="pinned", alloc="none"),
        Case("to_host", "torch_cpu", lambda peer, source, _: source.cpu()),
        # Its result is in pinned memory, without having been asked for.
        Case("to_host", "torch_to_non_blocking", to_pinned_host, mem="pinned"),
        Case("to_host", "torch_copy", lambda _, source, target: target.copy_(source), alloc="none"),
        Case("to_host", "torch_copy_non_blocking", copy_non_blocking, mem="pinned", alloc="none"),
    )

    def __init__(self):
        import torch

        self.torch = torch
        self.forget_pinned = getattr(torch._C, "_host_emptyCache", None)
        self.require_version(torch.__version__)
        if torch.version.cuda is None or not torch.cuda.is_available():
            raise LeftOutError(f"torch {self.version}, of CUDA {torch.version.cuda}, finds no GPU")

    def facts(self):
        return {
            "torch_cuda_version": self.torch.version.cuda,
            "torch_threads": f"{self.torch.get_num_threads()}",
        }

    def gpu_name(self):
        return self.torch.cuda.get_device_name()

    def free_device_bytes(self):
        return self.torch.cuda.mem_get_info()[0]

    def why_not(self, case):
        if case.before and not self.forget_pinned:
            return f"torch {self.version} cannot be made to forget its pinned memory"

    def host_source(self, array, mem):
        tensor = self.torch.from_numpy(array)
        return tensor.pin_memory() if mem == "pinned" else tensor

    def device_source(self, array):
        return self.torch.from_numpy(array).to("cuda")

    def host_destination(self, elements, mem):
        return self.torch.zeros(elements, dtype=self.torch.float64, pin_memory=mem == "pinned")

    def device_destination(self, elements):
        return self.torch.zeros(elements, dtype=self.torch.float64, device="cuda")

    def wait(self, result):
        self.torch.cuda.synchronize()

    def download(self, result, scratch):
        return self.torch.from_numpy(scratch).copy_(result).numpy()

    def to_numpy(self, result):
        return result.numpy()

    def release(self):
        self.torch.cuda.empty_cache()
