# SPDX-License-Identifier: Apache-2.0
"""Runs the process of one framework, and keeps what it reports whatever becomes of it."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from peers.peer import peer_class

# What is imported lies behind everything that Python finds by itself: nothing here hides a package.
START = "import sys; sys.path = [p for p in sys.path if p] + [sys.argv[1]]; from peers.worker import main; main(*sys.argv[2:])"
LIBRARY = Path(__file__).resolve().parents[1]
# A process that has reported everything may take so long to end.
ENDING_S = 10


def read_reports(pipe, timeout_s, outcome):
    """Until the last one, or until the pipe closes; raises TimeoutError when none comes for so long."""
    buffered = b""
    while not outcome.ended:
        if not select.select([pipe], [], [], timeout_s)[0]:
            raise TimeoutError
        data = os.read(pipe, 1 << 16)
        if not data:
            return
        *lines, buffered = (buffered + data).split(b"\n")
        for line in lines:
            outcome.take(*json.loads(line))


def last_words(errors):
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").split("\n")
    spoken = [" ".join("".join(filter(str.isprintable, line)).split()) for line in lines]
    spoken = [line for line in spoken if line]
    return f": {spoken[-1][:200]}" if spoken else ""


def why_it_ended(process, errors):
    status = process.wait(ENDING_S)
    if status < 0:
        return f"ended by signal {-status} ({signal.strsignal(-status)}){last_words(errors)}"
    return f"ended with status {status}{last_words(errors)}"


def measure(name, options, outcome):
    """Adds to `outcome` as the reports come in, so that it holds them if this is interrupted."""
    worker_options = {key: getattr(options, key) for key in ("sizes", "repetitions", "budget_ms")}
    reading, writing = os.pipe()
    work = [name, str(os.getpid()), str(writing), json.dumps(worker_options)]
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, reading)
        errors = stack.enter_context(tempfile.TemporaryFile())
        try:
            process = subprocess.Popen(
                [sys.executable, "-B", "-c", START, LIBRARY, *work],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                pass_fds=[writing],
                env=os.environ | peer_class(name).environment,
                # Whatever it has started ends with it.
                start_new_session=True,
            )
        except OSError as error:
            return outcome.fail(f"could not be started: {error.strerror}")
        finally:
            os.close(writing)
        stack.callback(end, process)
        try:
            read_reports(reading, options.timeout_s, outcome)
            if outcome.ended:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(ENDING_S)
            else:
                outcome.fail(why_it_ended(process, errors))
        except TimeoutError:
            outcome.fail(f"made no progress for {options.timeout_s} s")
        except subprocess.TimeoutExpired:
            outcome.fail("closed its pipe and went on")


def end(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
