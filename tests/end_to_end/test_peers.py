# SPDX-License-Identifier: Apache-2.0
"""tools/peers.py, with stand-ins for the frameworks and for the GPU."""

import collections
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parents[1]
TOOL = SOURCE / "tools" / "peers.py"
FAKES = TESTS / "fake_frameworks"
PACKAGES = {"numba": ["numba"], "torch": ["torch"], "cupy": ["cupy", "cupyx"], "jax": ["jax"]}
QUICK = ["--bytes", "4096", "--repetitions", "2", "--budget-ms", "1", "--timeout-s", "30"]
SLOW_NS = 20_000_000
CPU = "to_host/strategy:torch_cpu/mem:pageable/alloc:framework/stream:legacy/metric:{}/bytes:4096"


@pytest.fixture
def installed(tmp_path):
    """Makes these frameworks importable, and returns the folder they are in."""

    def install(*names):
        folder = tmp_path / "site"
        folder.mkdir(exist_ok=True)
        shutil.copy(FAKES / "fake_gpu.py", folder)
        for name in names:
            for package in PACKAGES[name]:
                shutil.copytree(FAKES / package, folder / package, dirs_exist_ok=True)
        return folder

    return install


def environment(folder, **fake):
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("FAKE_", "CUDA_", "NUMPY_"))
    }
    return kept | {"PYTHONPATH": str(folder)} | {f"FAKE_{key}": str(value) for key, value in fake.items()}


def run(folder, *arguments, **fake):
    return subprocess.run(
        [sys.executable, TOOL, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env=environment(folder, **fake),
    )


def measure(folder, *arguments, status=0, **fake):
    """The result, which has to be a valid one, and what was said."""
    out = folder.parent / "peers.json"
    done = run(folder, *QUICK, "--out", out, *arguments, **fake)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    document = json.loads(out.read_text(encoding="utf-8"))
    validate(document)
    return document, done.stderr


def validate(document):
    schema = json.loads((TESTS / "peers.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    faults = jsonschema.Draft202012Validator(schema).iter_errors(document)
    assert [f"{fault.json_path}: {fault.message[:300]}" for fault in faults] == []


def wait_for(path):
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def errors(document):
    return {row["name"]: row["error_message"] for row in document["benchmarks"] if "error_occurred" in row}


def list_cases(*arguments):
    done = subprocess.run([TOOL, "--list", *arguments], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


class TestRows:
    @pytest.fixture(scope="class")
    def result(self, tmp_path_factory):
        folder = tmp_path_factory.mktemp("frameworks") / "site"
        shutil.copytree(FAKES, folder)
        return measure(folder, "--bytes", "4096,1MiB", "--repetitions=3")

    def test_every_case_that_is_listed_has_its_repetitions(self, result):
        repetitions = collections.defaultdict(list)
        for row in result[0]["benchmarks"]:
            assert row["run_name"] == row["name"]
            repetitions[row["name"]].append(row["repetition_index"])
            assert row["repetitions"] == 3
        assert sorted(repetitions) == sorted(list_cases("--bytes=4096,1048576"))
        assert all(indices == [0, 1, 2] for indices in repetitions.values())

    def test_what_the_issue_names_is_there(self, result):
        strategies = {
            re.search("strategy:([a-z_]+)/mem:([a-z]+)", row["name"]).groups()
            for row in result[0]["benchmarks"]
        }
        assert strategies >= {
            ("numba_to_device", "pageable"),
            ("numba_copy_to_host", "pageable"),
            ("torch_to", "pageable"),
            ("torch_to_non_blocking", "pageable"),
            ("torch_pin_memory_to", "pageable"),
            ("torch_to_non_blocking", "pinned"),
            ("torch_cpu", "pageable"),
            ("cupy_asarray", "pageable"),
            ("cupy_set", "pageable"),
            ("cupy_get", "pageable"),
            ("jax_device_put", "pageable"),
            ("jax_asarray", "pageable"),
        }

    def test_both_metrics_are_of_the_same_calls(self, result):
        pairs = collections.defaultdict(dict)
        for row in result[0]["benchmarks"]:
            metric = re.search("metric:([a-z]+)", row["name"])[1]
            pairs[row["name"].replace(metric, ""), row["repetition_index"]][metric] = row
        assert pairs
        for pair in pairs.values():
            blocked, completion = pair["blocked"], pair["completion"]
            assert blocked["real_time"] == blocked["p50_ns"] == completion["blocked_p50_ns"]
            assert completion["real_time"] == completion["p50_ns"] == blocked["completion_p50_ns"]
            assert blocked["real_time"] <= completion["real_time"] <= completion["max_ns"]
            assert blocked["samples"] == completion["samples"]

    @pytest.mark.parametrize(
        ("framework", "call"),
        [(name, f"{name}.synchronize") for name in ("numba", "torch", "cupy")] + [("jax", "jax.device_put")],
    )
    def test_waiting_is_part_of_the_completion_alone(self, installed, framework, call):
        document, _ = measure(installed(framework), f"--frameworks={framework}", FAULT=f"slow:{call}:1")
        rows = [row for row in document["benchmarks"] if row["name"].startswith("to_device")]
        assert rows
        for row in rows:
            assert row["residual_p50_ns"] >= SLOW_NS
            assert row["completion_p50_ns"] >= row["blocked_p50_ns"] + 0.9 * SLOW_NS

    def test_the_rate_is_that_of_the_completion(self, result):
        for row in result[0]["benchmarks"]:
            size = int(row["name"].rsplit(":")[-1])
            assert row["bytes_per_second"] == pytest.approx(size / row["completion_p50_ns"] * 1e9)

    def test_the_rows_of_one_case_are_one_family(self, result):
        names = collections.defaultdict(set)
        for row in result[0]["benchmarks"]:
            names[row["family_index"]].add(row["name"])
        assert sorted(names) == list(range(len(names)))
        assert all(len(each) == 1 for each in names.values())

    def test_the_context_says_what_was_measured(self, result):
        context = result[0]["context"]
        assert context["gpu_name"] == "A fake GPU"
        assert context["torch_version"] == "2.9.0+fake"
        assert context["torch_threads"] == "7"
        assert {"numba_version", "cupy_version", "jax_version", "jax_allocation"} <= context.keys()
        assert context["frameworks_left_out"] == context["frameworks_failed"] == context["skipped"] == "none"
        assert context["command_line"].startswith("tools/peers.py --bytes 4096 ")
        assert int(context["clock_cost_ns"]) < 1_000_000
        # What is not simulated does not say so, as in a result of copybench.
        assert "simulated" not in context

    def test_the_other_tools_read_it(self, result):
        sys.path.insert(0, str(TOOL.parent / "lib"))
        try:
            from runs.reading import read_result

            from results import good_rows
        finally:
            del sys.path[0]
        out = Path(result[0]["context"]["command_line"].split("--out ")[1].split()[0])
        _, rows, simulated = read_result(out)
        assert not simulated
        assert len(good_rows(rows)) == len(result[0]["benchmarks"])

    def test_compare_py_puts_them_beside_ours(self, installed, tmp_path):
        """Where the destination is there before, the strategy is all that differs."""
        folder = installed("numba")
        measure(folder, "--frameworks=numba", "--bytes=65536,1MiB")
        ours = SOURCE / "results" / "nvidia-h200" / "2026-11-30-b" / "full-others.json"
        filters = ["strategy:driver_pageable_sync/", "strategy:numba_to_device/"]
        compare, peers = SOURCE / "tools" / "compare_py", folder.parent / "peers.json"
        dump = tmp_path / "comparison.json"
        done = subprocess.run(
            [compare, "--no-utest", "-d", dump, "benchmarksfiltered", ours, filters[0], peers, filters[1]],
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode == 2 and "compare.py" in done.stderr and os.environ.get("CI") != "true":
            pytest.skip(done.stderr.strip())
        assert done.returncode == 0, done.stderr
        names = [
            case["name"] for case in json.loads(dump.read_text(encoding="utf-8")) if case["measurements"]
        ]
        assert {name.split("]")[1] for name in names if "]" in name} == {
            f"mem:pageable/alloc:none/stream:legacy/metric:{metric}/bytes:{size}"
            for metric in ("blocked", "completion")
            for size in (65536, 1 << 20)
        }

    def test_the_table_has_the_medians(self, installed):
        folder = installed("jax")
        out = folder / "x.json"
        done = run(folder, *QUICK, "--out", out, "--frameworks", "jax")
        lines = [line.split() for line in done.stdout.splitlines()]
        assert [line[0] for line in lines] == [
            "case",
            "to_device/strategy:jax_device_put/mem:pageable/alloc:framework/stream:framework/bytes:4096",
            "to_host/strategy:jax_asarray/mem:pageable/alloc:framework/stream:framework/bytes:4096",
        ]
        rows = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
        of_case = [
            row["real_time"] for row in rows if "device_put" in row["name"] and "completion" in row["name"]
        ]
        assert lines[1][2] == f"{statistics.median(of_case):.0f}"

    def test_percentiles_are_left_out_where_too_few_samples_support_them(self):
        code = (
            f"import sys; sys.path.insert(0, {str(TOOL.parent / 'lib')!r})\n"
            "from peers.rows import percentile\n"
            "print([percentile(list(range(1, n + 1)), p) for n, p in [(3, 90), (9, 90), (10, 90), (100, 90), (100, 99), (101, 99)]])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert done.stdout.strip() == "[None, None, 9, 90, 99, 100]", done.stderr


class TestWrongData:
    @pytest.mark.parametrize(
        ("kind", "framework", "call", "family"),
        [
            ("corrupt", "numba", "numba.to_device", "numba_"),
            ("corrupt", "numba", "numba.copy_to_host", "numba_"),
            ("corrupt", "torch", "torch.to", "to_device/strategy:torch_to/"),
            ("corrupt", "torch", "torch.pin_memory", "torch_"),
            ("corrupt", "torch", "torch.cpu", "to_host/strategy:torch_cpu/"),
            ("corrupt", "torch", "torch.copy_", "torch_"),
            ("corrupt", "cupy", "cupy.asarray", "cupy_"),
            ("corrupt", "cupy", "cupy.set", "to_device/strategy:cupy_set/"),
            ("corrupt", "cupy", "cupy.get", "cupy_"),
            ("corrupt", "jax", "jax.device_put", "jax_"),
            ("corrupt", "jax", "jax.asarray", "jax_"),
            ("lost", "numba", "numba.copy_to_host", "numba_"),
            ("lost", "torch", "torch.copy_", "torch_"),
            ("lost", "cupy", "cupy.set", "to_device/strategy:cupy_set/"),
            ("lost", "jax", "jax.device_put", "jax_"),
        ],
    )
    def test_it_is_an_error_and_no_figure(self, installed, kind, framework, call, family):
        document, said = measure(
            installed(framework), "--frameworks", framework, status=1, FAULT=f"{kind}:{call}:8"
        )
        found = errors(document)
        assert found
        assert all(family in name for name in found)
        # All that differs from the source is counted; only one byte was made wrong.
        wrong = (
            r"1 wrong bytes, the first at byte 4093"
            if kind == "corrupt"
            else r"\d+ wrong bytes, the first at byte \d"
        )
        assert all(re.fullmatch(f"the destination: {wrong}", message) for message in found.values())
        assert all(f"{name}: {message}" in said for name, message in found.items())
        # The eighth call is at most that of the second repetition: two warm up, and each repetition has at least three.
        # Those before were right, and one failure is enough.
        rows = [row for row in document["benchmarks"] if row["name"] in found]
        assert all("p50_ns" not in row or row["repetition_index"] == 0 for row in rows)

    def test_another_type_is_wrong(self, installed):
        document, _ = measure(installed("torch"), "--frameworks=torch", status=1, FAULT="narrow:torch.cpu:1")
        assert all("float32" in message for message in errors(document).values())
        assert len(errors(document)) == 2


class TestFrameworks:
    def test_what_is_missing_is_left_out(self, installed):
        document, said = measure(installed("torch", "jax"))
        assert "left out numba: numba is not installed\n" in said
        assert "left out cupy: cupy is not installed\n" in said
        assert (
            document["context"]["frameworks_left_out"]
            == "numba: numba is not installed; cupy: cupy is not installed"
        )
        assert {re.search("strategy:([a-z]+)", row["name"])[1] for row in document["benchmarks"]} == {
            "torch",
            "jax",
        }

    def test_a_part_that_is_missing_is_left_out(self, installed):
        folder = installed("numba", "torch")
        (folder / "numba" / "cuda.py").unlink()
        document, said = measure(folder, "--frameworks=numba,torch")
        assert "left out numba: " in said
        assert len({row["name"] for row in document["benchmarks"]}) == len(
            list_cases("--bytes=4096", "--frameworks=torch")
        )

    @pytest.mark.parametrize(
        ("framework", "version"),
        [("numba", "0.50.1"), ("torch", "1.13.1+cu117"), ("cupy", "11.6.0"), ("jax", "0.3.25")],
    )
    def test_what_is_too_old_is_left_out(self, installed, framework, version):
        done = run(installed(framework), *QUICK, f"--frameworks={framework}", VERSION=version)
        assert done.returncode == 3
        assert re.search(
            rf"left out {framework}: {framework} {re.escape(version)} is too old: [\d.]+ or newer is needed\n",
            done.stderr,
        )

    @pytest.mark.parametrize("framework", PACKAGES)
    def test_without_a_gpu_it_is_left_out(self, installed, framework, tmp_path):
        done = run(
            installed(framework), *QUICK, f"--frameworks={framework}", "--out", tmp_path / "x.json", GPU="0"
        )
        assert done.returncode == 3
        assert re.search(rf"left out {framework}: {framework} \S+.* finds no GPU", done.stderr)
        # What is measured, why not, and what comes of it.
        assert done.stderr.count("\n") == 3
        assert done.stdout == ""
        assert not (tmp_path / "x.json").exists()

    def test_torch_without_cuda_is_left_out(self, installed):
        done = run(installed("torch"), *QUICK, "--frameworks=torch", CUDA="")
        assert (done.returncode, done.stderr.count("\n")) == (3, 3)

    def test_none_installed(self, installed):
        done = run(installed(), *QUICK)
        assert done.returncode == 3
        assert (
            done.stderr.splitlines()[-1]
            == "tools/peers.py: no framework is installed that finds a GPU; nothing was measured"
        )

    def test_a_case_that_raises_is_an_error_row(self, installed):
        document, said = measure(installed("torch", "jax"), status=1, FAULT="raise:torch.cpu:1")
        message = "RuntimeError: torch.cpu was told to fail"
        assert errors(document) == {CPU.format(metric): message for metric in ("blocked", "completion")}
        assert said.count("told to fail") == 2
        assert sum("error_occurred" in row for row in document["benchmarks"]) == 4
        assert any("jax" in row["name"] for row in document["benchmarks"])

    def test_one_that_cannot_be_imported_has_failed(self, installed):
        folder = installed("torch", "jax")
        (folder / "torch" / "__init__.py").write_text(
            "raise OSError('libcudart:\\n no such file')", encoding="utf-8"
        )
        document, said = measure(folder, status=1)
        assert "tools/peers.py: torch: OSError: libcudart: no such file\n" in said
        assert document["context"]["frameworks_failed"] == "torch: OSError: libcudart: no such file"
        assert {row["name"] for row in document["benchmarks"]} == set(
            list_cases("--bytes=4096", "--frameworks=jax")
        )

    def test_one_that_hangs_is_ended(self, installed):
        folder = installed("torch", "jax")
        document, said = measure(folder, "--timeout-s=10", status=1, FAULT="hang:torch.cpu:1")
        assert f"tools/peers.py: torch: made no progress for 10 s in {CPU.format('blocked')}\n" in said
        assert errors(document) == {
            CPU.format(metric): "made no progress for 10 s" for metric in ("blocked", "completion")
        }
        assert any("jax" in row["name"] for row in document["benchmarks"])

    def test_one_that_hangs_at_its_start_is_ended(self, installed):
        folder = installed("torch", "jax")
        (folder / "torch" / "__init__.py").write_text("import time\ntime.sleep(3600)", encoding="utf-8")
        document, said = measure(folder, "--timeout-s=10", status=1)
        assert "tools/peers.py: torch: made no progress for 10 s\n" in said
        assert errors(document) == {}

    @pytest.mark.parametrize(
        ("kind", "problem"),
        [("abort", "ended by signal 6 (Aborted): last words"), ("exit", "ended with status 0")],
    )
    def test_one_that_crashes_keeps_its_rows(self, installed, kind, problem):
        # The calls before are those of the first repetition: 2 to warm up and at least 3.
        document, said = measure(installed("torch", "jax"), status=1, FAULT=f"{kind}:torch.empty_cache:5")
        assert problem in said
        rows = [row for row in document["benchmarks"] if "error_occurred" not in row]
        assert any("torch" in row["name"] for row in rows)
        assert any("jax" in row["name"] for row in rows)
        assert set(errors(document).values()) == {problem}

    def test_what_a_version_lacks_is_left_out(self, installed):
        document, said = measure(installed("torch"), "--frameworks=torch", CACHE="0")
        assert "torch_first_pin_memory_to" in document["context"]["skipped"]
        assert "cannot be made to forget its pinned memory" in said
        assert not any("torch_first" in row["name"] for row in document["benchmarks"])


class TestSizes:
    def test_what_the_gpu_has_no_room_for_is_left_out(self, installed):
        document, said = measure(
            installed("torch"), "--frameworks=torch", "--bytes=4096,16MiB", FREE_BYTES=20 << 20
        )
        assert re.search(
            r"left out to_device\S+bytes:16777216 and \d+ more: 67108864 bytes are needed on the GPU, 20971520 are free\n",
            said,
        )
        assert {row["name"].rsplit(":")[-1] for row in document["benchmarks"]} == {"4096"}
        assert "bytes:16777216: 67108864 bytes are needed" in document["context"]["skipped"]

    def test_what_the_host_has_no_room_for_is_left_out(self, installed):
        document, said = measure(installed("cupy"), "--frameworks=cupy", "--bytes=8,512GiB")
        assert "are needed on the host" in said
        assert {row["name"].rsplit(":")[-1] for row in document["benchmarks"]} == {"8"}

    def test_no_room_for_any(self, installed, tmp_path):
        done = run(installed("jax"), "--frameworks=jax", "--bytes=512GiB", "--out", tmp_path / "x.json")
        assert done.returncode == 2
        assert "no array of these sizes fits" in done.stderr
        assert not (tmp_path / "x.json").exists()

    def test_limits_of_control_groups_count(self, tmp_path):
        group = tmp_path / "sys/fs/cgroup/outer/inner"
        group.mkdir(parents=True)
        (tmp_path / "proc/self").mkdir(parents=True)
        (tmp_path / "proc/meminfo").write_text("MemTotal: 9 kB\nMemAvailable:   5 kB\n", encoding="utf-8")
        (tmp_path / "proc/self/cgroup").write_text("0::/outer/inner\n", encoding="utf-8")
        code = (
            f"import sys; sys.path.insert(0, {str(TOOL.parent / 'lib')!r})\n"
            "from pathlib import Path; from peers.memory import available_host_bytes\n"
            f"print(available_host_bytes(Path({str(tmp_path)!r})))"
        )

        def available():
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
            return done.stdout.strip() or done.stderr

        assert available() == "5120"
        (group / "memory.max").write_text("max\n", encoding="utf-8")
        (group / "memory.current").write_text("700\n", encoding="utf-8")
        assert available() == "5120"
        (group.parent / "memory.max").write_text("1000\n", encoding="utf-8")
        (group.parent / "memory.current").write_text("900\n", encoding="utf-8")
        assert available() == "100"
        (group.parent / "memory.stat").write_text("anon 1\ninactive_file 300\n", encoding="utf-8")
        assert available() == "400"


class TestArguments:
    def test_help_is_the_usage(self):
        done = subprocess.run([TOOL, "--help"], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Usage: tools/peers.py ")

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (["--fast"], 'unknown argument "--fast"'),
            (["x.json"], 'unknown argument "x.json"'),
            (["--list=3"], "unknown argument"),
            (["--out"], "--out needs a value"),
            (["--out="], "--out needs a value"),
            (["--bytes=7"], "--bytes=7: "),
            (["--bytes=0"], "--bytes=0: "),
            (["--bytes=8,x"], '"x" is no number of bytes'),
            (["--bytes=1MB"], "--bytes=1MB: "),
            (["--bytes=99999999GiB"], "--bytes="),
            (["--frameworks=torch,tensorflow"], '"tensorflow" is none of numba, torch, cupy, jax'),
            (["--repetitions=0"], "expected a whole number from 1 to 9999"),
            (["--repetitions", "1e3"], "expected a whole number"),
            (["--budget-ms=-1"], "--budget-ms=-1: "),
            (["--timeout-s=x"], "--timeout-s=x: "),
        ],
    )
    def test_bad_usage(self, arguments, problem):
        done = subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("tools/peers.py: ")
        assert problem in done.stderr
        assert done.stderr.count("\n") == 1

    def test_the_list_is_of_what_was_asked_for(self):
        names = list_cases("--frameworks=jax", "--bytes=1KiB,8")
        assert len(names) == 8
        assert all("strategy:jax_" in name and name.endswith((":1024", ":8")) for name in names)
        everything = list_cases()
        assert len(set(everything)) == len(everything)


class TestOutput:
    def test_it_is_found_out_before_anything_is_measured(self, installed, tmp_path):
        (tmp_path / "folder").mkdir()
        bad = {
            "folder": "is a directory",
            "nowhere/x.json": "there is no directory",
            "fake/../folder": "is a directory",
        }
        for path, problem in bad.items():
            done = run(installed("jax"), *QUICK, "--out", tmp_path / path)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(f"tools/peers.py: --out={tmp_path / path}: {problem}")
            assert done.stderr.count("\n") == 1

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_a_folder_that_is_not_writable(self, installed, tmp_path):
        (tmp_path / "folder").mkdir(mode=0o500)
        done = run(installed("jax"), *QUICK, "--out", tmp_path / "folder" / "x.json")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)

    def test_a_file_is_replaced_and_keeps_its_mode(self, installed, tmp_path):
        target, link = tmp_path / "old.json", tmp_path / "link.json"
        target.write_text("old", encoding="utf-8")
        target.chmod(0o640)
        link.symlink_to("old.json")
        done = run(installed("jax"), *QUICK, "--frameworks=jax", "--out", link)
        assert done.returncode == 0, done.stderr
        assert link.is_symlink()
        assert target.stat().st_mode & 0o777 == 0o640
        validate(json.loads(target.read_text(encoding="utf-8")))
        assert {path.name for path in tmp_path.iterdir()} == {"old.json", "link.json", "site"}

    def test_a_full_disk_is_said(self, installed):
        done = run(installed("jax"), *QUICK, "--frameworks=jax", "--out=/dev/full")
        assert done.returncode == 2
        assert "--out=/dev/full: No space left on device; nothing was written" in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
    def test_a_signal_leaves_what_was_measured(self, installed, tmp_path, number, status):
        out = tmp_path / "x.json"
        folder = installed("jax", "torch")
        process = subprocess.Popen(
            [sys.executable, TOOL, *QUICK, "--frameworks=jax,torch", "--out", out],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment(folder, FAULT="hang:torch.to:1", MARK=tmp_path),
        )
        with process:
            wait_for(tmp_path / "hung")
            process.send_signal(number)
            assert process.wait(30) == status
        document = json.loads(out.read_text(encoding="utf-8"))
        validate(document)
        assert document["context"]["ended_early"] == number.name
        assert {row["name"] for row in document["benchmarks"]} >= set(
            list_cases("--bytes=4096", "--frameworks=jax")
        )

    def test_it_takes_its_frameworks_along(self, installed, tmp_path):
        """However it ends, no process is left behind."""
        folder = installed("torch")
        process = subprocess.Popen(
            [sys.executable, TOOL, *QUICK, "--frameworks=torch"],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment(folder, FAULT="hang:torch.to:1", MARK=tmp_path),
        )

        def left():
            mark = f"FAKE_MARK={tmp_path}".encode()
            found = []
            for path in Path("/proc").glob("[0-9]*/environ"):
                try:
                    if mark in path.read_bytes().split(b"\0"):
                        found.append(path.parent.name)
                except OSError:
                    pass
            return found

        wait_for(tmp_path / "hung")
        assert len(left()) == 2
        process.kill()
        process.wait()
        deadline = time.monotonic() + 20
        while left() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert left() == []


class TestGpuFacts:
    def facts(self, tmp_path, answer):
        (tmp_path / "nvidia-smi").write_text(f'#!/bin/sh\nprintf "{answer}"\n', encoding="utf-8")
        (tmp_path / "nvidia-smi").chmod(0o755)
        code = (
            f"import sys; sys.path.insert(0, {str(TOOL.parent / 'lib')!r})\n"
            "import json; from peers.gpu import ask_nvidia_smi\n"
            "print(json.dumps(ask_nvidia_smi('unknown')))"
        )
        env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=env
        )
        return json.loads(done.stdout)

    ONE = "GPU-1, 580.1, 96.0, 9.0, Enabled, [N/A], Disabled, 5, 5, 16, 16, 1980, 1980\\n"

    def test_they_have_the_names_of_our_context(self, tmp_path):
        facts = self.facts(tmp_path, self.ONE)
        assert facts["gpu_uuid"] == "GPU-1"
        assert (facts["gpu_ecc"], facts["gpu_mig_mode"], facts["gpu_persistence_mode"]) == (
            "on",
            "unknown",
            "off",
        )
        assert (facts["pcie_generation_max"], facts["pcie_width_now"]) == ("5", "16")

    @pytest.mark.parametrize("answer", ["", "nonsense\\n", ONE + ONE])
    def test_what_cannot_be_told_is_unknown(self, tmp_path, answer):
        assert set(self.facts(tmp_path, answer).values()) == {"unknown"}
