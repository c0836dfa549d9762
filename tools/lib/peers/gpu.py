# SPDX-License-Identifier: Apache-2.0
"""What the driver says of the GPU that is measured, by the names that copybench's context has for it."""

import ctypes
import subprocess

# nvidia-smi's name of each fact.
QUERY = {
    "gpu_uuid": "uuid",
    "driver_version": "driver_version",
    "gpu_vbios_version": "vbios_version",
    "gpu_compute_capability": "compute_cap",
    "gpu_ecc": "ecc.mode.current",
    "gpu_mig_mode": "mig.mode.current",
    "gpu_persistence_mode": "persistence_mode",
    "pcie_generation_now": "pcie.link.gen.current",
    "pcie_generation_max": "pcie.link.gen.max",
    "pcie_width_now": "pcie.link.width.current",
    "pcie_width_max": "pcie.link.width.max",
    "gpu_clock_sm_now_mhz": "clocks.sm",
    "gpu_clock_sm_max_mhz": "clocks.max.sm",
}
SWITCHES = {"Enabled": "on", "Disabled": "off"}
UNKNOWN = "unknown"


def ask_driver():
    """The address of device 0, as CUDA_VISIBLE_DEVICES lets this process see it, and the version of CUDA."""
    facts = {"gpu_ordinal": "0", "gpu_pci_bus_id": UNKNOWN, "cuda_driver_version": UNKNOWN}
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
        device, version, address = ctypes.c_int(), ctypes.c_int(), ctypes.create_string_buffer(32)
        if cuda.cuInit(0) == 0 and cuda.cuDeviceGet(ctypes.byref(device), 0) == 0:
            if cuda.cuDeviceGetPCIBusId(address, len(address), device) == 0:
                facts["gpu_pci_bus_id"] = address.value.decode()
            if cuda.cuDriverGetVersion(ctypes.byref(version)) == 0:
                facts["cuda_driver_version"] = f"{version.value // 1000}.{version.value % 1000 // 10}"
    except (OSError, AttributeError):
        pass
    return facts


def ask_nvidia_smi(address):
    unknown = dict.fromkeys(QUERY, UNKNOWN)
    chosen = [] if address == UNKNOWN else ["-i", address]
    command = [
        "nvidia-smi",
        *chosen,
        f"--query-gpu={','.join(QUERY.values())}",
        "--format=csv,noheader,nounits",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError, ValueError):
        return unknown
    lines = done.stdout.splitlines()
    values = [SWITCHES.get(value.strip(), value.strip()) for value in lines[0].split(",")] if lines else []
    # Of several GPUs it cannot be told which, unless by the address.
    if len(lines) != 1 or len(values) != len(QUERY):
        return unknown
    return {
        key: UNKNOWN if not value or value.startswith("[") else value
        for key, value in zip(QUERY, values, strict=True)
    }


def gpu_facts():
    facts = ask_driver()
    return facts | ask_nvidia_smi(facts["gpu_pci_bus_id"])
