# SPDX-License-Identifier: Apache-2.0
"""Pictures: SVG whose colours follow the theme of the page, and whose text stays text."""

import quiet_matplotlib  # noqa: F401
