# SPDX-License-Identifier: Apache-2.0
"""Writing the report: each file whole or not at all."""

from output_file import OutputFile

from results import USAGE, ToolError


def make_folder(folder):
    """Says before all the work that it would be for nothing."""
    try:
        (folder / "figures").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(USAGE, f"--out={folder}: {error.strerror}") from error


def write_report(folder, files):
    """`files`: {relative path: content}."""
    for name, content in files.items():
        OutputFile(folder / name, USAGE, "--out").write(content)
