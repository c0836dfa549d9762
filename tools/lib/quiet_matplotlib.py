# SPDX-License-Identifier: Apache-2.0
"""To be imported before matplotlib: it then says nothing of the temporary folder that it makes for its font cache where
there is no home to write to, and of how long it takes to fill it."""

import logging

logging.getLogger("matplotlib").setLevel(logging.ERROR)
