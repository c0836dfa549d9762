#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/peers.py [--out FILE.json] [OPTION...]

Times how Python's frameworks put an array on the GPU, and how they fetch it back: numba, torch, cupy and jax,
those of them that the Python which runs this has installed. What each case takes is printed, and written to FILE
as rows of Google Benchmark, which compare.py and the other tools read beside those of copybench.

  --out FILE           write the rows to FILE, whole or not at all
  --bytes N,...        sizes of the arrays of float64, 16MiB for example; by default
                       65536,1MiB,16MiB,256MiB,800000000
  --frameworks F,...   only these
  --repetitions N      rows of each case, 5 by default; the cases take turns
  --budget-ms N        wall-clock time of a repetition, its checks included, 100 by default; at least 3 samples
  --timeout-s N        a framework that makes no progress for so long is ended, 120 by default
  --list               print the names of the cases, and measure nothing

The names are those of copybench's cases with a strategy of the framework's own:

  to_device/strategy:torch_to/mem:pageable/alloc:framework/stream:legacy/metric:completion/bytes:16777216

strategy is the framework and its call. alloc:framework means that the call makes its own destination, from the
framework's own allocator (which the context describes); with alloc:none the destination is there before.
stream:legacy is CUDA's default stream, stream:framework one of the framework's own. So a case with alloc:none
differs from copybench's in nothing but its strategy, and where two slices differ in more tokens, one pattern
takes them all:

  tools/compare_py benchmarksfiltered copybench.json 'strategy:driver_pageable_sync/' peers.json 'strategy:numba_to_device/'
  tools/compare_py filters peers.json 'torch_to/mem:pageable' 'torch_pin_memory_to/mem:pageable'

metric:blocked is the call alone, metric:completion the call and the synchronise after it, of the same calls.
Every sample is checked: all its bytes are compared with the source, outside of what is timed. The clock is
time.perf_counter_ns; what reading it costs is in the context, and nothing is taken off. cpu_time is the processor
time of all threads of the process, from the call to the end of the synchronise. Sources are NumPy's arrays, for
which NumPy asks for huge pages. Each framework has a process of its own, and device 0 of CUDA_VISIBLE_DEVICES.

Exit status: 0 measured, whatever was left out with a reason; 1 a case or a framework failed; 2 usage, or FILE
cannot be written; 3 no framework is installed that finds a GPU; 130 and 143 interrupted.
"""

import sys
from pathlib import Path

# What is imported lies in the source tree, or in a folder that only root may write to.
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))

from peers.tool import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(__doc__, sys.argv[1:]))
