# SPDX-License-Identifier: Apache-2.0
"""As much of Numba as tools/peers.py calls."""

import os

__version__ = os.environ.get("FAKE_VERSION", "0.62.1")
