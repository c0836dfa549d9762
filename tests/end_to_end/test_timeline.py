# SPDX-License-Identifier: Apache-2.0
"""--copybench_timeline: what is drawn of a sample, on the simulator and with a stand-in for whoever records."""

import fcntl
import json
import os
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import jsonschema
import pytest
from simulated import BANNER, our_lines, run

FAKE_SUITE = os.environ["COPYBENCH_FAKE_SUITE"]
SVG = "{http://www.w3.org/2000/svg}"
# The Trace Event Format, in so far as it is written: complete events, names, and arrows in pairs.
COMMON = {"name": {"type": "string"}, "pid": {"type": "integer"}, "tid": {"type": "integer"}}
TIME = {"type": "number", "minimum": 0}
EVENTS = {
    "X": {
        "cat": {"enum": ["call", "kernel", "copy", "fill", "host_function"]},
        "ts": TIME,
        "dur": TIME,
        "args": {"type": "object"},
    },
    "M": {"args": {"type": "object", "minProperties": 1, "maxProperties": 1}},
    "s": {"cat": {"type": "string"}, "id": {"type": "integer"}, "ts": TIME},
    "f": {"cat": {"type": "string"}, "id": {"type": "integer"}, "ts": TIME, "bp": {"const": "e"}},
}
SCHEMA = {
    "type": "object",
    "required": ["traceEvents", "displayTimeUnit", "otherData"],
    "additionalProperties": False,
    "properties": {
        "displayTimeUnit": {"const": "ns"},
        "otherData": {
            "type": "object",
            "required": ["case", "span_us"],
            "properties": {"span_us": TIME, "simulated": {"const": "true"}},
        },
        "traceEvents": {
            "type": "array",
            "items": {
                "oneOf": [
                    {
                        "additionalProperties": False,
                        "required": ["ph", *COMMON, *fields],
                        "properties": {"ph": {"const": phase}, **COMMON, **fields},
                    }
                    for phase, fields in EVENTS.items()
                ]
            },
        },
    },
}


class Trace:
    """The JSON of a timeline, by lane."""

    def __init__(self, path):
        self.document = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.validate(self.document, SCHEMA)
        events = self.document["traceEvents"]
        self.names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
        self.lanes = {name: [] for name in self.names.values()}
        for event in events:
            if event["ph"] == "X":
                self.lanes[self.names[event["pid"], event["tid"]]].append(event)
        self.arrows = {phase: {e["id"]: e for e in events if e["ph"] == phase} for phase in "sf"}
        span = self.document["otherData"]["span_us"]
        assert all(e["ts"] + e["dur"] <= span + 0.002 for e in self.all())

    def all(self):
        return [event for lane in self.lanes.values() for event in lane]

    def calling(self):
        return self.lanes["calling thread"]

    def of_call(self, call):
        """What a call enqueued."""
        correlation = call["args"]["correlation"]
        return [e for e in self.all() if e["cat"] != "call" and e["args"].get("correlation") == correlation]


def end(event):
    return event["ts"] + event["dur"]


def read_picture(path):
    """All that is not a standalone picture fails here, or where it is looked at."""
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert "prefers-color-scheme: dark" in text
    assert all(word not in text for word in ("href", "@import", "<script", "url(http"))
    width, height = (float(root.get(key)) for key in ("width", "height"))
    for element in root.iter(f"{SVG}rect"):
        if element.get("x") is not None:
            x, y, w, h = (float(element.get(key)) for key in ("x", "y", "width", "height"))
            assert x >= 0 and y >= 0 and w > 0 and h > 0
            assert x + w <= width + 1 and y + h <= height
    return root


def texts(root, tag="text"):
    return [element.text for element in root.iter(f"{SVG}{tag}")]


def boxes(root, style):
    return [e for e in root.iter(f"{SVG}rect") if e.get("class") == style and e.get("y") is not None]


class TestPingPong:
    def draw(self, tmp_path, strategy, **model):
        case = f"scenario_ping_pong/strategy:{strategy}/metric:total/elements:262144"
        stem = tmp_path / strategy
        done = run(
            f"--benchmark_filter=^{case}$",
            "--copybench_budget_ms=1",
            f"--copybench_timeline={stem}",
            **model,
        )
        assert done.returncode == 0, done.stderr
        assert set(our_lines(done.stderr)) == {BANNER}
        return case, Trace(stem.with_suffix(".json")), read_picture(stem.with_suffix(".svg"))

    def launches(self, trace):
        calls = [call for call in trace.calling() if call["name"] == "cudaLaunchKernel"]
        for call in calls:
            (kernel,) = trace.of_call(call)
            assert (kernel["name"], kernel["cat"]) == ("grow", "kernel")
            assert kernel["ts"] >= call["ts"]
        assert len(calls) == 3
        return calls

    def size_copies(self, trace):
        copies = [e for e in trace.all() if e["cat"] == "copy" and e["args"]["bytes"] == 4]
        assert len(copies) == 3
        return sorted(copies, key=lambda copy: copy["ts"])

    def between(self, trace, first, second):
        return [call for call in trace.calling() if first["ts"] < call["ts"] < second["ts"]]

    def test_stream_sync_stalls_the_second_launch(self, tmp_path):
        case, trace, picture = self.draw(tmp_path, "stream_sync")
        first, second, _ = self.launches(trace)
        assert second["ts"] >= end(self.size_copies(trace)[0])
        (stall,) = [call for call in self.between(trace, first, second) if "Synchronize" in call["name"]]
        assert (stall["name"], stall["args"]["waits"]) == ("cudaStreamSynchronize", True)
        assert trace.document["otherData"]["case"] == case
        assert [name for name in trace.lanes if "worker" in name] == []
        # One bar for each call that waits, and as many kernels and copies as there were.
        waiting = sum(1 for call in trace.calling() if call["args"].get("waits"))
        for style, count in (("waits", waiting), ("kernel", 3), ("copy", 6)):
            # And one in the legend.
            assert len(boxes(picture, style)) == count + 1

    def test_host_func_worker_does_not(self, tmp_path):
        # The scheduler may keep a thread from launching for as long as a copy takes.
        for _ in range(3):
            _, trace, _ = self.draw(tmp_path, "host_func_worker", LINK_LATENCY_US="20000")
            first, second, _ = self.launches(trace)
            # Whatever the scheduler does: nothing between the two launches waits for the device.
            between = {call["name"] for call in self.between(trace, first, second)}
            assert not any("Synchronize" in name for name in between)
            if second["ts"] < end(self.size_copies(trace)[0]):
                break
        else:
            pytest.fail("the second launch came after the copy of the size each time")
        # The second copies are the worker's, each behind the host function that woke it.
        (worker,) = [lane for name, lane in trace.lanes.items() if name == "worker thread 1"]
        copies = [call for call in worker if call["name"] == "cudaMemcpyAsync"]
        assert len(copies) == 3
        functions = [e for e in trace.all() if e["cat"] == "host_function"]
        assert len(functions) == 3
        for call, function in zip(copies, sorted(functions, key=lambda e: e["ts"]), strict=True):
            assert call["ts"] >= function["ts"]
            (copy,) = trace.of_call(call)
            assert copy["args"]["bytes"] > 4

    def test_lanes_and_marks(self, tmp_path):
        case, trace, picture = self.draw(tmp_path, "copy_capacity")
        # Two compute streams and one for copies; setting up the sample is no part of it.
        assert list(trace.lanes) == [
            "calling thread",
            "stream 1: kernels",
            "stream 2: kernels",
            "stream 3: copies",
        ]
        assert set(trace.processes.values()) == {
            "host (SIMULATED, not a measurement)",
            "device (SIMULATED, not a measurement)",
        }
        assert trace.document["otherData"]["simulated"] == "true"
        # Each kernel and each copy has an arrow from its call.
        assert set(trace.arrows["s"]) == set(trace.arrows["f"])
        assert len(trace.arrows["s"]) == 9
        for number, start in trace.arrows["s"].items():
            assert start["ts"] <= trace.arrows["f"][number]["ts"]
        words = texts(picture)
        assert {case, "SIMULATED", "SIMULATED: not a measurement", *trace.lanes} <= set(words)
        assert {"1", "2", "3", "µs since the beginning of the sample"} <= set(words)


class TestAnyCase:
    @pytest.mark.parametrize(
        "case",
        [
            "host_blocking/api:memcpy_async/dir:h2d/mem:pageable/stream:nonblocking/queue:busy/bytes:1048576",
            "callback_latency/waiter:event_poll/cores:idle/wait_us:200",
            "harness_floor/operation:nothing/queue:idle",
        ],
    )
    def test_is_drawn(self, tmp_path, case):
        done = run(
            f"--benchmark_filter=^{case}$",
            "--copybench_budget_ms=1",
            "--copybench_verify=sample",
            f"--copybench_timeline={tmp_path / 'one'}",
        )
        assert done.returncode == 0, done.stderr
        trace = Trace(tmp_path / "one.json")
        assert trace.document["otherData"]["case"] == case
        picture = read_picture(tmp_path / "one.svg")
        # Thousands of polls are not thousands of boxes.
        assert len(list(picture.iter(f"{SVG}rect"))) < 1000
        # What is checked after each sample is not in it: it would launch kernels and copy back.
        assert [e["name"] for e in trace.all() if "pattern" in e["name"]] == []

    def test_a_call_that_is_refused_in_a_callback_shows_on_cudas_thread(self, tmp_path):
        done = run(
            "--benchmark_filter=^scenario_ping_pong/strategy:callback_illegal/metric:total/",
            "--copybench_budget_ms=1",
            f"--copybench_timeline={tmp_path / 'refused'}",
        )
        assert done.returncode == 0, done.stderr
        lanes = Trace(tmp_path / "refused.json").lanes
        refused = [call["name"] for call in lanes["worker thread 1"]]
        assert refused.count("cudaMemcpyAsync") == 3


def run_fake(*arguments, **extra):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("BENCHMARK_")}
    return subprocess.run(
        [FAKE_SUITE, *arguments], capture_output=True, text=True, timeout=60, env=kept | extra
    )


class TestWhatWasRecorded:
    CASE = "--benchmark_filter=behaviour:ok/samples:10$"

    def draw(self, tmp_path, name="out", **extra):
        done = run_fake(
            self.CASE, f"--copybench_timeline={tmp_path / name}", COPYBENCH_FAKE_TIMELINE="1", **extra
        )
        assert done.returncode == 0, done.stderr
        return Trace(tmp_path / "out.json"), read_picture(tmp_path / "out.svg")

    def test_times_count_from_the_sample_and_end_with_it(self, tmp_path):
        trace, _ = self.draw(tmp_path)
        assert trace.document["otherData"] == {"case": "fake/behaviour:ok/samples:10", "span_us": 1000}
        seen = {name: [(e["name"], e["ts"], e["dur"]) for e in lane] for name, lane in trace.lanes.items()}
        assert seen == {
            "calling thread": [("cudaLaunchKernel", 100, 10), ("cudaStreamSynchronize", 200, 750)],
            "worker thread 1": [("cudaMemcpyAsync", 120, 10)],
            "stream 1: kernels": [("scale<\"a\" & 'b'> ?", 150, 750)],
            "stream 2: kernels, copies": [("copy to host", 300, 200), ("over the end", 990, 10)],
        }
        assert trace.processes == {1: "host", 2: "device"}
        assert set(trace.arrows["s"]) == set(trace.arrows["f"]) == {1, 4}

    def test_markup_in_names_is_text(self, tmp_path):
        _, picture = self.draw(tmp_path)
        hints = texts(picture, "title")
        assert "scale<\"a\" & 'b'> ?: from 150 µs, 750 µs long" in hints
        assert "copy to host: from 300 µs, 200 µs long, 4096 bytes" in hints
        assert "1 scale<\"a\" & 'b'> ?" in texts(picture)
        assert any("those that wait take 750 µs" in text for text in texts(picture))

    def test_nothing_measured_is_called_simulated(self, tmp_path):
        trace, _ = self.draw(tmp_path)
        assert "simulated" not in trace.document["otherData"]
        for name in ("out.svg", "out.json"):
            assert "SIMULATED" not in (tmp_path / name).read_text(encoding="utf-8")

    @pytest.mark.parametrize("name", ["out.svg", "out.json"])
    def test_an_ending_is_left_off(self, tmp_path, name):
        self.draw(tmp_path, name)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "out.svg"]


class TestRefusals:
    """One line that names the flag, before anything is measured, and no file."""

    CASE = TestWhatWasRecorded.CASE

    def refused(self, tmp_path, *arguments, status=2, **extra):
        done = run_fake(*arguments, **({"COPYBENCH_FAKE_TIMELINE": "1"} | extra))
        assert (done.returncode, done.stdout) == (status, "")
        (line,) = done.stderr.splitlines()
        assert line.startswith("copybench: --copybench_timeline")
        assert list(tmp_path.iterdir()) == []
        return line

    def test_more_than_one_case(self, tmp_path):
        line = self.refused(
            tmp_path, "--benchmark_filter=behaviour:ok", f"--copybench_timeline={tmp_path / 'x'}"
        )
        assert "4 cases match" in line

    def test_a_case_in_a_process_of_its_own(self, tmp_path):
        case = "--benchmark_filter=^fake_process/stage:never/act:nothing$"
        line = self.refused(tmp_path, case, f"--copybench_timeline={tmp_path / 'x'}")
        assert "fake_process/stage:never/act:nothing is measured in a process of its own" in line

    def test_a_place_that_cannot_be_written_to(self, tmp_path):
        line = self.refused(tmp_path, self.CASE, f"--copybench_timeline={tmp_path / 'no' / 'x'}")
        assert f"x.svg: there is no directory {tmp_path / 'no'}" in line

    @pytest.mark.parametrize("file", ["", "=", "=.svg", "=/tmp/", "=/tmp/.json", "=.", "=/tmp/.."])
    def test_no_name(self, tmp_path, file):
        line = self.refused(tmp_path, self.CASE, f"--copybench_timeline{file}")
        assert line.endswith("expected the name of a file")

    @pytest.mark.parametrize("rows", ["x.json", "x.svg"])
    def test_the_file_of_the_rows(self, tmp_path, rows):
        line = self.refused(
            tmp_path,
            self.CASE,
            f"--copybench_timeline={tmp_path / 'x'}",
            f"--benchmark_out={tmp_path}/./{rows}",
        )
        assert line.endswith(f"{rows} is the file of --benchmark_out")

    @pytest.mark.parametrize("link", ["x.json", "x.svg"])
    def test_two_names_of_one_file(self, tmp_path, link):
        (tmp_path / link).symlink_to({"x.json": "x.svg", "x.svg": "x.json"}[link])
        done = run_fake(self.CASE, f"--copybench_timeline={tmp_path / 'x'}", COPYBENCH_FAKE_TIMELINE="1")
        assert (done.returncode, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert line.endswith("x.json are the same file")
        assert [path.name for path in tmp_path.iterdir()] == [link]

    def test_beside_the_other_user_of_cupti(self, tmp_path):
        self.refused(
            tmp_path,
            self.CASE,
            f"--copybench_timeline={tmp_path / 'x'}",
            "--copybench_cupti",
            COPYBENCH_FAKE_CUPTI="whole",
        )

    def test_a_program_that_was_built_without(self, tmp_path):
        kept = {key: value for key, value in os.environ.items() if key != "COPYBENCH_FAKE_TIMELINE"}
        done = subprocess.run(
            [FAKE_SUITE, self.CASE, f"--copybench_timeline={tmp_path / 'x'}"],
            capture_output=True,
            text=True,
            timeout=60,
            env=kept,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "copybench: --copybench_timeline: this program was built without CUPTI, see -DCOPYBENCH_CUPTI=ON\n"
        )
        assert list(tmp_path.iterdir()) == []

    def test_listing_draws_nothing(self, tmp_path):
        done = run_fake("--benchmark_list_tests", f"--copybench_timeline={tmp_path / 'x'}")
        assert done.returncode == 0
        assert list(tmp_path.iterdir()) == []


def test_a_reader_of_the_picture_that_does_not_read_holds_up_neither_the_result_nor_a_signal(tmp_path):
    picture, out = tmp_path / "x.svg", tmp_path / "out.json"
    os.mkfifo(picture)
    reader = os.open(picture, os.O_RDONLY | os.O_NONBLOCK)
    # Less than a picture has.
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)
    process = subprocess.Popen(
        [FAKE_SUITE, TestRefusals.CASE, f"--copybench_timeline={tmp_path / 'x'}", f"--benchmark_out={out}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"COPYBENCH_FAKE_TIMELINE": "1"},
    )
    try:
        deadline = time.monotonic() + 60
        while not out.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(json.loads(out.read_text(encoding="utf-8"))["benchmarks"]) == 1
        assert process.poll() is None
        process.terminate()
        assert process.wait(timeout=60) != 0
    finally:
        process.kill()
        process.wait()
        os.close(reader)


class TestNothingToDraw:
    def lines(self, tmp_path, case, **extra):
        done = run_fake(
            f"--benchmark_filter={case}",
            f"--copybench_timeline={tmp_path / 'x'}",
            **({"COPYBENCH_FAKE_TIMELINE": "1"} | extra),
        )
        assert done.returncode == 1
        assert list(tmp_path.iterdir()) == []
        assert done.stderr.splitlines()[-1].startswith("copybench: --copybench_timeline=")
        return done.stderr

    def test_a_case_that_fails(self, tmp_path):
        assert "1 wrong bytes" in self.lines(tmp_path, "behaviour:wrong_first/")

    def test_a_case_that_this_machine_cannot_run(self, tmp_path):
        assert "not run: " in self.lines(tmp_path, "fake_large/mem:device/bytes:1099511627776$")

    def test_records_that_are_not_to_be_had(self, tmp_path):
        said = self.lines(
            tmp_path, TestWhatWasRecorded.CASE.split("=", 1)[1], COPYBENCH_FAKE_TIMELINE="refused"
        )
        assert "CUPTI_ERROR_UNKNOWN" in said
