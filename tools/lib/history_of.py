# SPDX-License-Identifier: Apache-2.0
"""What tools/history starts once there is a Python with ruptures and matplotlib."""

import sys

sys.dont_write_bytecode = True

from history.tool import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
