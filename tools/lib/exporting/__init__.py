# SPDX-License-Identifier: Apache-2.0
"""tools/export: a run in the formats of services that keep benchmarks over time."""
