# SPDX-License-Identifier: Apache-2.0
"""Runs as they lie in files: reading them, finding those that are alike, recording them."""
