# SPDX-License-Identifier: Apache-2.0
"""Writes files that hold many sources each, so that clang-tidy reads the headers of all of them once.

Sources stand together that are compiled alike, have the same .clang-tidy, and share no name of which each has its own.
Their text is copied, not included: some checks look at nothing but the main file. Prints the paths of these files; beside
each stands a list of its sources, which tools/lint reads one by one when there is a finding in the file.

Usage: tidy_groups.py ROOT COMPILE_COMMANDS FOLDER
"""

import json
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

MOST = 32
# A file's own names, by the layout that clang-format gives. One that is missed makes the group fail to compile, and so
# costs time, nothing else.
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:class|struct|enum class|concept|using) (\w+)\b(?!:)", re.MULTILINE)
OTHER = re.compile(
    r"^(?:\[\[\w+\]\] )?(?!class |struct |enum |using )(?:\w[^\n(={;\[]*[ &*>])?(?![A-Z_]+\()(\w+) ?[(={;\[]",
    re.MULTILINE,
)
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+, \w+)\)", re.MULTILINE)
# What a file may mean by a name that another one has of its own: a type out of a header.
MENTIONED = re.compile(r"\b[A-Z]\w+")


@dataclass
class Source:
    path: Path
    text: str
    own: set[str] = field(init=False)
    mentioned: set[str] = field(init=False)

    def __post_init__(self) -> None:
        unnamed = "".join(UNNAMED.findall(self.text))
        self.own = {*TYPE.findall(unnamed), *OTHER.findall(unnamed), *TEST.findall(self.text)}
        self.mentioned = self.own | set(MENTIONED.findall(self.text))

    def clashes_with(self, other: "Source") -> bool:
        return bool(self.own & other.mentioned or other.own & self.mentioned)


def configuration_of(path: Path, root: Path) -> Path:
    """Seen from the root, the folder whose .clang-tidy holds for the path."""
    folder = path.parent.relative_to(root)
    return next(
        (parent for parent in (folder, *folder.parents) if (root / parent / ".clang-tidy").exists()), Path()
    )


def flags_of(command: str) -> list[str]:
    words = shlex.split(command)
    for option in ("-o", "-c"):
        position = words.index(option)
        del words[position : position + 2]
    return words


def grouped(sources: list[Source]) -> list[list[Source]]:
    groups: list[list[Source]] = []
    for source in sources:
        for group in groups:
            if len(group) < MOST and not any(map(source.clashes_with, group)):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def joined(group: list[Source]) -> str:
    """Their text. What an earlier source includes is no second time in this one, unless it is there twice by itself."""
    lines: list[str] = []
    earlier: set[str] = set()
    for source in group:
        included: set[str] = set()
        for line in source.text.splitlines():
            if not line.startswith("#include") or line in included or line not in earlier:
                lines.append(line)
            if line.startswith("#include"):
                included.add(line)
        earlier |= included
    return "\n".join(lines) + "\n"


def link_configurations(root: Path, folder: Path, configuration: Path) -> None:
    for place in {Path(), configuration}:
        (folder / place).mkdir(parents=True, exist_ok=True)
        link = folder / place / ".clang-tidy"
        if not link.is_symlink():
            link.symlink_to(root / place / ".clang-tidy")


def main(root: Path, database: Path, folder: Path) -> None:
    commands = {
        Path(entry["file"]): flags_of(entry["command"])
        for entry in json.loads(database.read_text(encoding="utf-8"))
        if entry["file"].endswith(".cpp") and Path(entry["file"]).is_relative_to(root)
    }
    # Where one looks for headers, all may look: that need not keep them apart.
    places = sorted({word for flags in commands.values() for word in flags if word.startswith("-I")})
    alike: dict[tuple[Path, frozenset[str]], list[Source]] = {}
    for path, flags in sorted(commands.items()):
        kind = configuration_of(path, root), frozenset(flags).difference(places)
        alike.setdefault(kind, []).append(Source(path, path.read_text(encoding="utf-8")))

    shutil.rmtree(folder, ignore_errors=True)
    entries: list[dict] = []
    for (configuration, _), sources in alike.items():
        flags = [word for word in commands[sources[0].path] if word not in places]
        link_configurations(root, folder, configuration)
        for group in grouped(sources):
            path = folder / configuration / f"group_{len(entries)}.cpp"
            path.write_text(joined(group), encoding="utf-8")
            path.with_suffix(".sources").write_text(
                "".join(f"{source.path}\n" for source in group), encoding="utf-8"
            )
            arguments = [*flags, *places, "-c", str(path)]
            entries.append({"directory": str(folder), "file": str(path), "arguments": arguments})
            print(path)
    (folder / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:]))
