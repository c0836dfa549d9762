# SPDX-License-Identifier: Apache-2.0
"""One file for each section of the report: what it says, shows and lists, all of it from the rows."""
