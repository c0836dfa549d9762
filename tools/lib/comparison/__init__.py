# SPDX-License-Identifier: Apache-2.0
"""tools/compare: whether a run is slower than another, by more than two that are alike would differ."""
