# SPDX-License-Identifier: Apache-2.0
"""The studies of tools/bench: name, repetitions, filter, and what each shows."""

from made_runs import SOURCE

HEADING, *LINES = (SOURCE / "tools" / "studies.tsv").read_text(encoding="utf-8").splitlines()
STUDIES = [line.split("\t") for line in LINES]
NAMES = [study[0] for study in STUDIES]
