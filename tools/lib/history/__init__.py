# SPDX-License-Identifier: Apache-2.0
"""tools/history: a case over the runs that were recorded."""

import quiet_matplotlib  # noqa: F401
