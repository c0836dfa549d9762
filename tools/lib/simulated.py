# SPDX-License-Identifier: Apache-2.0
"""Looks for simulated results among the arguments of compare.py, and refuses to have them compared with others."""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from results import say  # noqa: E402


def is_simulated(path: Path) -> bool | None:
    """None where the file is neither a result nor a program that gives one, as compare.py takes both."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
            if start == b"\x7fELF":
                # A name of the simulator's own, whatever the program is called.
                return b"COPYBENCH_SIM_FAULT" in file.read()
        result = json.loads(path.read_text(encoding="utf-8"))
        rows = result.get("benchmarks", [])
        return result["context"].get("simulated") == "true" or any("simulated" in row for row in rows)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def main(tool: str, arguments: list[str]) -> int:
    # A pipe can be read only once, and that is for compare.py to do.
    found = {argument: is_simulated(Path(argument)) for argument in arguments if Path(argument).is_file()}
    simulated = [path for path, value in found.items() if value]
    measured = [path for path, value in found.items() if value is False]
    if simulated and measured:
        say(tool, f"{simulated[0]} is simulated and {measured[0]} is not: no comparison")
        return 2
    if simulated:
        subject = "both are" if len(simulated) > 1 else f"{simulated[0]} is"
        say(tool, f"{subject} simulated: no figure here is a measurement")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
