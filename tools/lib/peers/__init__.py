# SPDX-License-Identifier: Apache-2.0
"""tools/peers.py: what Python's frameworks take to put an array on the GPU, and to fetch it back."""
