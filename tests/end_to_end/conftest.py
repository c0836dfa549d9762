# SPDX-License-Identifier: Apache-2.0
"""The packages of the tools can be imported in the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "lib"))
