# SPDX-License-Identifier: Apache-2.0
"""What tools/compare starts once there is a Python with numpy and scipy."""

import sys

sys.dont_write_bytecode = True

from comparison.tool import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
