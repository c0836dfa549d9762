# SPDX-License-Identifier: Apache-2.0
"""tools/report: a result of copybench as one HTML file, and as Markdown with figures."""
