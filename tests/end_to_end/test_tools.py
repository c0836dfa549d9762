# SPDX-License-Identifier: Apache-2.0
"""The shell tools: what they say and return, with the programs they call replaced by stand-ins."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
ORDINARY = [
    "awk",
    "bash",
    "basename",
    "cat",
    "cmp",
    "cp",
    "cut",
    "date",
    "dirname",
    "env",
    "grep",
    "head",
    "mkdir",
    "realpath",
    "rmdir",
    "sed",
    "sleep",
    "sort",
    "tail",
    "tr",
]
CMAKE = """#!/bin/bash
[[ $1 == --version ]] && echo "cmake version 3.25.1"
[[ $1 != --build ]] || { mkdir -p build/release/benchmarks; cp copybench build/release/benchmarks/; }
"""


@pytest.fixture
def tree(tmp_path):
    """A copy of the tools in a folder of their own, and a PATH of nothing but what they may count on."""
    shutil.copytree(SOURCE / "tools", tmp_path / "tree" / "tools")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ORDINARY:
        (programs / name).symlink_to(shutil.which(name))
    return tmp_path / "tree"


def stand_in(tree, name, script):
    path = tree.parent / "bin" / name
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)


def environment(tree, **extra):
    prefix = tree.parent / "prefix"
    return {"PATH": str(tree.parent / "bin"), "CMAKE_PREFIX_PATH": str(prefix), **extra}


def run(tree, command, *arguments, **extra):
    return subprocess.run(
        [tree / "tools" / command, *arguments],
        env=environment(tree, **extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def with_build_tools(tree, copybench):
    """Stand-ins for all that a build takes; the built program is `copybench`, a script."""
    stand_in(tree, "c++", "#!/bin/bash\n")
    stand_in(tree, "ninja", "#!/bin/bash\n")
    stand_in(tree, "cmake", CMAKE)
    stand_in(tree, "nvcc", '#!/bin/bash\necho "Cuda compilation tools, release 13.0, V13.0.88"\n')
    stand_in(tree, "nvidia-smi", '#!/bin/bash\necho "NVIDIA H200 (MIG)"\n')
    config = tree.parent / "prefix" / "lib" / "cmake" / "benchmark" / "benchmarkConfig.cmake"
    config.parent.mkdir(parents=True)
    config.touch()
    (tree / "copybench").write_text(copybench, encoding="utf-8")
    (tree / "copybench").chmod(0o755)


@pytest.mark.parametrize("command", ["bench", "test", "lint", "compare_py"])
def test_help_is_the_usage_and_nothing_else(tree, command):
    result = run(tree, command, "--help")
    assert result.returncode == 0
    assert result.stdout.startswith(f"Usage: tools/{command}")
    assert "SPDX" not in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("command", "arguments", "named"),
    [
        ("bench", ["--fast"], '"--fast"'),
        ("bench", ["--profile", "slow"], "--profile=slow"),
        ("bench", ["--profile"], "--profile"),
        ("bench", ["--repetitions=0"], "--repetitions=0"),
        ("bench", ["--repetitions=nine"], "--repetitions=nine"),
        ("bench", ["--out=nowhere/x.json"], "--out=nowhere/x.json"),
        ("test", ["--fast"], '"--fast"'),
        ("test", ["--preset=fast"], "--preset=fast"),
        ("lint", ["--fast"], '"--fast"'),
        ("lint", ["spelling"], '"spelling"'),
    ],
)
def test_bad_argument_is_named_in_one_line(tree, command, arguments, named):
    result = run(tree, command, *arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert named in result.stderr


def test_missing_packages_are_named_where_there_is_no_apt(tree):
    result = run(tree, "bench", CXX="no-such-compiler")
    assert result.returncode == 2
    assert re.search(r"missing: g\+\+ cmake ninja-build", result.stderr)


def test_installation_is_announced_before_it_begins(tree):
    stand_in(tree, "apt-get", '#!/bin/bash\necho "apt-get called with $*"; exit 100\n')
    stand_in(tree, "sudo", '#!/bin/bash\n[[ $1 != -n ]] || shift\nexec "$@"\n')
    result = run(tree, "bench", CXX="no-such-compiler")
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    announced = next(i for i, line in enumerate(lines) if "installing with: " in line)
    called = next(i for i, line in enumerate(lines) if "apt-get called with" in line)
    assert announced < called
    assert "apt-get install --no-install-recommends g++ cmake ninja-build" in lines[announced]
    assert "run as root: apt-get install" in lines[-1]


@pytest.mark.skipif(os.geteuid() == 0, reason="root installs without asking")
def test_missing_packages_are_named_where_one_is_neither_root_nor_has_sudo(tree):
    stand_in(tree, "apt-get", "#!/bin/bash\nexit 1\n")
    result = run(tree, "bench", CXX="no-such-compiler")
    assert result.returncode == 2
    assert "as root, run: apt-get install" in result.stderr


@pytest.mark.parametrize("variable", ["CUDA_PATH", "CUDACXX"])
def test_wrong_place_of_cuda_is_named(tree, variable):
    with_build_tools(tree, "#!/bin/bash\n")
    result = run(tree, "bench", **{variable: "/no/such/place"})
    assert result.returncode == 2
    assert f"{variable}=/no/such/place" in result.stderr.splitlines()[-1]


def test_old_cuda_is_refused(tree):
    with_build_tools(tree, "#!/bin/bash\n")
    stand_in(tree, "nvcc", '#!/bin/bash\necho "Cuda compilation tools, release 12.2, V12.2.1"\n')
    result = run(tree, "bench")
    assert result.returncode == 2
    assert "is CUDA 12.2; 12.4 or newer is needed" in result.stderr


WRITES_ITS_ARGUMENTS = """#!/bin/bash
for argument; do
  [[ $argument != --benchmark_out=* ]] || out=${argument#*=}
done
printf '%s\\n' "$@" > "$out"
exit 1
"""


def test_bench_writes_below_results_and_returns_the_status_of_the_suite(tree):
    with_build_tools(tree, WRITES_ITS_ARGUMENTS)
    result = run(tree, "bench", "--", "--benchmark_filter=dir:h2d")
    assert result.returncode == 1, result.stderr
    (written,) = tree.glob("results/*/*/*.json")
    assert re.fullmatch(
        r"results/nvidia-h200-mig/\d{4}-\d\d-\d\d/quick-\d{6}\.json", str(written.relative_to(tree))
    )
    assert written.read_text(encoding="utf-8").splitlines() == [
        "--copybench_profile=quick",
        "--copybench_progress",
        "--benchmark_repetitions=9",
        "--benchmark_enable_random_interleaving=true",
        f"--benchmark_out={written}",
        "--benchmark_filter=dir:h2d",
    ]
    assert f"wrote {written}" in result.stderr
    assert f"tools/compare_py benchmarks OTHER.json {written}" in result.stderr


def test_bench_takes_profile_repetitions_and_file(tree, tmp_path):
    with_build_tools(tree, WRITES_ITS_ARGUMENTS)
    out = tmp_path / "with space.json"
    result = run(tree, "bench", "--profile", "full", "--repetitions=3", "--out", str(out))
    assert result.returncode == 1, result.stderr
    arguments = out.read_text(encoding="utf-8").splitlines()
    assert "--copybench_profile=full" in arguments
    assert "--benchmark_repetitions=3" in arguments


def test_bench_that_wrote_nothing_leaves_no_folders(tree):
    with_build_tools(tree, "#!/bin/bash\nexit 3\n")
    result = run(tree, "bench")
    assert result.returncode == 3
    assert list((tree / "results").iterdir()) == []
    assert "wrote" not in result.stderr


def test_bench_hands_on_a_signal_and_the_status_that_follows(tree, tmp_path):
    started = tmp_path / "started"
    with_build_tools(
        tree,
        f"#!/bin/bash\ntrap 'echo ended; exit 143' TERM\ntouch {started}\nwhile :; do sleep 0.05; done\n",
    )
    stand_in(tree, "touch", '#!/bin/bash\n: > "$1"\n')
    process = subprocess.Popen(
        [tree / "tools" / "bench"],
        env=environment(tree),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=30)
    assert output == "ended\n"
    assert process.returncode == 143


def test_compare_py_passes_its_arguments_to_the_python_of_the_project(tree, tmp_path):
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    shutil.copy(SOURCE / "tools" / "requirements-compare.txt", venv)
    compare = tmp_path / "compare.py"
    compare.write_text("import sys\nprint(sys.argv[1:])\n", encoding="utf-8")
    result = run(
        tree,
        "compare_py",
        "-a",
        "benchmarks",
        "a b.json",
        "c.json",
        COMPARE_PY=str(compare),
        COPYBENCH_VENV=str(venv),
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == "['-a', 'benchmarks', 'a b.json', 'c.json']\n"
    assert result.stderr == ""


def test_compare_py_names_a_missing_file(tree):
    result = run(tree, "compare_py", "benchmarks", "a.json", "b.json", COMPARE_PY="/no/such/compare.py")
    assert result.returncode == 2
    assert "COMPARE_PY=/no/such/compare.py" in result.stderr


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('check(cudaFree(p), "cudaFree");', 0),
        ('check(cudaMemcpy(f(a), b(c, d),\n    n), "cudaMemcpyAsync");', 1),
        ('check(cudaGetLastError(), "fill");', 0),
        ("check(cudaFree(p), api);", 0),
        ('check(code, "cudaFree");', 0),
    ],
)
def test_cuda_names(tree, tmp_path, text, found):
    source = tmp_path / "source.cpp"
    source.write_text(text + "\n", encoding="utf-8")
    result = subprocess.run(
        [sys.executable, tree / "tools" / "lib" / "cuda_names.py", source],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == found
    assert result.stdout.count("\n") == found
