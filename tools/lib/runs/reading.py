# SPDX-License-Identifier: Apache-2.0
"""The JSON in a file, plain or compressed, read with nothing taken for granted."""

import gzip
import io
import json
import lzma
import stat
import zlib
from pathlib import Path

from results import NO_RESULT, USAGE, ToolError, is_text

# A full run with a hundred repetitions has half of that. What is compressed may claim to be any size.
MOST_BYTES = 256 << 20
SUFFIXES = (".json", ".json.gz", ".json.xz")
# By the first bytes, which say more than a name.
PACKED = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open}


def bad(path, why):
    return ToolError(NO_RESULT, f"{path}: {why}")


def is_folder(path):
    """Also of a name that is none, of which what comes to read it says more."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def too_large(path):
    return bad(path, f"more than {MOST_BYTES >> 20} MiB of JSON")


def read_file(path, unreadable=NO_RESULT):
    """The file as it is. `unreadable`: the status where there is none."""
    try:
        state = Path(path).stat()
        if not stat.S_ISREG(state.st_mode):
            raise ToolError(unreadable, f"{path}: no regular file")
        if state.st_size > MOST_BYTES:
            raise too_large(path)
        return Path(path).read_bytes()
    except OSError as error:
        raise ToolError(unreadable, f"{path}: {error.strerror}") from error


def unpacked(path, content):
    """The JSON that was read from `path`, at most MOST_BYTES of it."""
    unpack = next((unpack for start, unpack in PACKED.items() if content.startswith(start)), None)
    try:
        if unpack:
            with unpack(io.BytesIO(content)) as stream:
                content = stream.read(MOST_BYTES + 1)
    except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
        raise bad(path, f"damaged or cut short: {error}") from error
    if len(content) > MOST_BYTES:
        raise too_large(path)
    if not content.strip():
        raise bad(path, "empty")
    return content


def read_bytes(path, unreadable=NO_RESULT):
    return unpacked(path, read_file(path, unreadable))


def once(pairs):
    """Of two values by one name, readers of JSON take whichever they like."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(
            f"{next(key for key in keys if keys.count(key) > 1)!r:.60} stands twice in one object"
        )
    return found


def parse(path, content):
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=once)
    except ValueError as error:
        # What it quotes of the file may hold anything.
        raise bad(path, f"no JSON: {ascii(str(error))[1:-1][:200]}") from error
    except RecursionError as error:
        raise bad(path, "nested too deeply") from error


def read_json(path):
    """For tools that end with USAGE where there is no such file."""
    return parse(path, read_bytes(path, USAGE))


def read_result(path):
    """A result of copybench: its context, its rows, and whether it is simulated."""
    document = read_json(path)
    try:
        context, rows = document["context"], document["benchmarks"]
        simulated = context.get("simulated") == "true"
        if not all(is_text(row["name"]) and is_text(row.get("run_name", "")) for row in rows):
            raise TypeError
    except (TypeError, KeyError, AttributeError) as error:
        raise bad(path, "no result of copybench") from error
    return context, rows, simulated
