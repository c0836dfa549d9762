# SPDX-License-Identifier: Apache-2.0
"""What the documents point to is there."""

import gzip
import json
import re
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(path for folder in ("", "docs", "results") for path in (SOURCE / folder).glob("*.md"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_links_lead_somewhere(document):
    # In a program that is something else.
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", text)
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert missing == []


def test_every_result_is_described_and_every_description_has_its_result():
    sections = re.split(r"\n## ", (SOURCE / "results" / "README.md").read_text(encoding="utf-8"))[1:]
    assert sections
    for section in sections:
        folder = SOURCE / "results" / section.split("\n", 1)[0]
        described = set(re.findall(r"`([\w-]+\.(?:json(?:\.[gx]z)?|svg|txt))`", section))
        known = subprocess.run(
            ["git", "-C", SOURCE, "ls-files", "--", folder], capture_output=True, text=True, check=False
        ).stdout.split()
        names = {Path(name).name for name in known} or {path.name for path in folder.iterdir()}
        assert described == names, folder


def test_findings_name_cases_that_were_measured():
    """Each filter of a finding matches rows of the H200's results."""
    text = (SOURCE / "docs" / "findings.md").read_text(encoding="utf-8")
    files = list((SOURCE / "results" / "nvidia-h200").rglob("*.json*"))
    contents = [
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in files
    ]
    names = {row["name"] for content in contents for row in json.loads(content).get("benchmarks", [])}
    families = {name.split("/")[0] for name in names}
    filters = [
        quoted
        for quoted in re.findall(r"`([^`]+)`", text)
        if quoted.split("/")[0].split(":")[0] in families and re.fullmatch(r"\S+", quoted)
    ]
    assert len(filters) > 10
    assert [quoted for quoted in filters if not any(re.search(quoted, name) for name in names)] == []


def test_the_example_of_the_readme_is_the_program_that_is_built():
    program = (SOURCE / "examples" / "dependent_copy.cpp").read_text(encoding="utf-8")
    assert len(program.splitlines()) < 60
    licence, code = program.split("\n", 1)
    assert licence.startswith("// SPDX")
    assert f"```cpp\n{code}```" in (SOURCE / "README.md").read_text(encoding="utf-8")
