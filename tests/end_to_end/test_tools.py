# SPDX-License-Identifier: Apache-2.0
"""The shell tools: what they say and return, with the programs they call replaced by stand-ins."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from studies import NAMES, STUDIES

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
    "mktemp",
    "mv",
    "readlink",
    "realpath",
    "rm",
    "rmdir",
    "sed",
    "sleep",
    "sort",
    "stat",
    "tail",
    "tr",
    "xargs",
]
CMAKE = """#!/bin/bash
[[ $1 == --version ]] && echo "cmake version 3.25.1"
[[ $1 == --version ]] || echo "$*" >> cmake.log
[[ $1 != --build ]] || { mkdir -p build/release/benchmarks; cp copybench "build/release/benchmarks/${!#}"; }
"""
GPU = """#!/bin/bash
[[ $1 == -L ]] && echo "GPU 0: NVIDIA H200 (MIG) (UUID: GPU-0)" || echo "NVIDIA H200 (MIG)"
"""
NO_GPU = '#!/bin/bash\necho "No devices were found"\nexit 6\n'
NVCC = '#!/bin/bash\necho "Cuda compilation tools, release {}, V{}.1"\n'
BANNER = "tools/bench: SIMULATED: no figure of this run is a measurement"


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
    stand_in(tree, "nvcc", NVCC.format("13.0", "13.0"))
    stand_in(tree, "nvidia-smi", GPU)
    config = tree.parent / "prefix" / "lib" / "cmake" / "benchmark" / "benchmarkConfig.cmake"
    config.parent.mkdir(parents=True)
    config.touch()
    (tree / "copybench").write_text(copybench, encoding="utf-8")
    (tree / "copybench").chmod(0o755)


def without_nvcc(tree):
    """Neither on PATH nor in the folder of the toolkit."""
    (tree.parent / "bin" / "nvcc").unlink(missing_ok=True)
    script = tree / "tools" / "lib" / "cuda.sh"
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace("/usr/local/", "/no/such/"), encoding="utf-8")


def with_venv(tree, *installed, pip="exit 0"):
    """A virtual environment in which these lists are installed; its pip is a script that can use $site."""
    venv = tree.parent / "venv"
    (venv / "bin").mkdir(parents=True)
    for name in installed:
        shutil.copy(SOURCE / "tools" / f"requirements-{name}.txt", venv)
    python = venv / "bin" / "python"
    python.write_text(f"#!/bin/bash\nsite={venv}/lib/python3.11/site-packages\n{pip}\n", encoding="utf-8")
    python.chmod(0o755)
    return str(venv)


def configured_with(tree):
    lines = (tree / "cmake.log").read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("--preset"))


@pytest.mark.parametrize("command", ["bench", "test", "lint", "compare_py", "compare", "history"])
def test_help_is_the_usage_and_nothing_else(tree, command):
    result = run(tree, command, "--help")
    assert result.returncode == 0
    assert result.stdout.startswith(f"Usage: tools/{command}")
    assert "SPDX" not in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("command", ["bench", "test", "lint", "compare_py", "compare", "history", "report"])
def test_help_that_cannot_be_written_ends_all_the_same(tree, command):
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [tree / "tools" / command, "--help"],
            env=environment(tree),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=30,
            check=False,
        )
    assert result.returncode != 0
    assert len(result.stderr.splitlines()) < 10


@pytest.mark.parametrize(
    ("command", "script"), [("compare", "compare_runs.py"), ("history", "history_of.py")]
)
class TestToolsWithAPythonOfTheirOwn:
    def test_they_are_given_all_arguments(self, tree, command, script):
        venv = with_venv(tree, command, pip='printf "%s\\n" "${@#"${PWD}"}"')
        result = run(tree, command, "a b", "--out", "*", COPYBENCH_VENV=venv)
        assert (result.returncode, result.stderr) == (0, "")
        first, *rest = result.stdout.splitlines()
        assert first.endswith(f"/tools/lib/{script}")
        assert rest == ["a b", "--out", "*"]

    def test_what_is_missing_is_installed_and_said(self, tree, command, script):
        venv = with_venv(tree, pip="[[ $* == *pip* ]] || echo started")
        result = run(tree, command, "a", COPYBENCH_VENV=venv)
        assert (result.returncode, result.stdout) == (0, "started\n")
        assert f"installing with: {venv}/bin/pip install -r tools/requirements-{command}.txt" in result.stderr

    def test_what_cannot_be_installed_is_no_verdict(self, tree, command, script):
        result = run(tree, command, "a", COPYBENCH_VENV=with_venv(tree, pip="exit 1"))
        assert (result.returncode, result.stdout) == (3, "")
        assert f"could not install tools/requirements-{command}.txt" in result.stderr


@pytest.mark.parametrize(
    ("command", "arguments", "named"),
    [
        ("bench", ["--fast"], '"--fast"'),
        ("bench", ["--profile", "slow"], "--profile=slow"),
        ("bench", ["--profile"], "--profile"),
        ("bench", ["--study", "nothing"], "--study=nothing"),
        ("bench", ["--study", "#"], "--study=#"),
        ("bench", ["--study=# study"], "--study=# study"),
        ("bench", ["--study="], "--study"),
        ("bench", ["--study=chains", "--profile=full"], "--study=chains"),
        ("bench", ["--repetitions=0"], "--repetitions=0"),
        ("bench", ["--repetitions=nine"], "--repetitions=nine"),
        ("bench", ["--runs=0"], "--runs=0"),
        ("bench", ["--runs=1000"], "--runs=1000"),
        ("bench", ["--runs=-1"], "--runs=-1"),
        ("bench", ["--runs="], "--runs"),
        ("bench", ["--runs=2", "--", "--benchmark_out=x.json"], "--benchmark_out=x.json"),
        ("bench", ["--runs=2", "--out=nowhere/x.simulated.json"], "--out=nowhere/x-1.simulated.json"),
        ("bench", ["--out=nowhere/x.simulated.json"], "--out=nowhere/x.simulated.json"),
        ("bench", ["--simulate=yes"], "--simulate=yes"),
        ("bench", ["--simulate", "--out=x.json"], "--out=x.json"),
        ("test", ["--fast"], '"--fast"'),
        ("test", ["--preset=fast"], "--preset=fast"),
        ("lint", ["--fast"], '"--fast"'),
        ("bench", ["--profile="], "--profile"),
        ("bench", ["--repetitions="], "--repetitions"),
        ("bench", ["--out="], "--out"),
        ("bench", ["--out", ""], "--out"),
        ("test", ["--preset="], "--preset"),
        ("test", ["--only="], "--only"),
        ("test", ["--only=lint"], "--only=lint"),
        ("lint", ["--build-dir="], "--build-dir"),
        ("lint", ["spelling"], '"spelling"'),
        ("lint", ["format launches"], '"format launches"'),
        ("lint", ["forma*"], '"forma*"'),
        ("lint", [""], '""'),
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
    stand_in(tree, "nvcc", NVCC.format("12.2", "12.2"))
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
    assert f"tools/compare OTHER.json {written}" in result.stderr


def test_bench_takes_profile_repetitions_and_file(tree, tmp_path):
    with_build_tools(tree, WRITES_ITS_ARGUMENTS)
    out = tmp_path / "with space.json"
    result = run(tree, "bench", "--profile", "full", "--repetitions=3", "--out", str(out))
    assert result.returncode == 1, result.stderr
    arguments = out.read_text(encoding="utf-8").splitlines()
    assert "--copybench_profile=full" in arguments
    assert "--benchmark_repetitions=3" in arguments


@pytest.mark.parametrize(("name", "repetitions", "pattern", "_what"), STUDIES, ids=NAMES)
def test_bench_runs_a_study(tree, name, repetitions, pattern, _what):
    with_build_tools(tree, WRITES_ITS_ARGUMENTS)
    result = run(tree, "bench", "--study", name, "--", "--benchmark_dry_run")
    assert result.returncode == 1, result.stderr
    (written,) = tree.glob(f"results/*/*/{name}-??????.json")
    assert written.read_text(encoding="utf-8").splitlines() == [
        "--copybench_profile=full",
        "--copybench_progress",
        f"--benchmark_repetitions={repetitions}",
        "--benchmark_enable_random_interleaving=true",
        f"--benchmark_out={written}",
        f"--benchmark_filter={pattern}",
        "--benchmark_dry_run",
    ]


def test_bench_takes_other_repetitions_of_a_study(tree, tmp_path):
    with_build_tools(tree, WRITES_ITS_ARGUMENTS)
    out = tmp_path / "chains.json"
    run(tree, "bench", "--study=chains", "--repetitions=2", "--out", str(out))
    assert "--benchmark_repetitions=2" in out.read_text(encoding="utf-8").splitlines()


def test_bench_lists_its_studies(tree):
    result = run(tree, "bench", "--list-studies")
    assert result.returncode == 0, result.stderr
    assert [line.split()[0] for line in result.stdout.splitlines()] == NAMES


def test_bench_that_wrote_nothing_leaves_no_folders(tree):
    with_build_tools(tree, "#!/bin/bash\nexit 3\n")
    result = run(tree, "bench")
    assert result.returncode == 3
    assert list((tree / "results").iterdir()) == []
    assert "wrote" not in result.stderr


PUBLISHES = """#!/bin/bash
for argument; do
  [[ $argument != --benchmark_out=* ]] || out=${argument#*=}
done
echo new > "$out.new" && mv -- "$out.new" "$out"
"""


def test_bench_says_that_it_replaced_a_file(tree, tmp_path):
    with_build_tools(tree, PUBLISHES)
    out = tmp_path / "out.json"
    out.write_text("old", encoding="utf-8")
    result = run(tree, "bench", "--out", str(out))
    assert result.returncode == 0, result.stderr
    assert f"wrote {out}" in result.stderr


def test_bench_follows_a_link_to_what_was_replaced(tree, tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    with_build_tools(tree, f"#!/bin/bash\necho new > {target}.new && mv {target}.new {target}\n")
    result = run(tree, "bench", "--out", str(link))
    assert result.returncode == 0, result.stderr
    assert f"wrote {link}" in result.stderr


@pytest.mark.parametrize("status", [0, 2, 3])
def test_bench_does_not_take_an_older_file_for_its_own(tree, tmp_path, status):
    with_build_tools(tree, f"#!/bin/bash\nexit {status}\n")
    out = tmp_path / "out.json"
    out.write_text("old", encoding="utf-8")
    result = run(tree, "bench", "--out", str(out))
    assert result.returncode == status
    assert "wrote" not in result.stderr
    assert out.read_text(encoding="utf-8") == "old"


def test_bench_does_not_say_that_it_wrote_a_device(tree):
    with_build_tools(tree, "#!/bin/bash\n")
    result = run(tree, "bench", "--out=/dev/null")
    assert result.returncode == 0, result.stderr
    assert "wrote" not in result.stderr


def test_bench_takes_a_file_whose_name_begins_with_a_dash(tree, tmp_path, monkeypatch):
    with_build_tools(tree, PUBLISHES)
    monkeypatch.chdir(tmp_path)
    result = run(tree, "bench", "--out=-x.json")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "-x.json").read_text(encoding="utf-8") == "new\n"
    assert "wrote ./-x.json" in result.stderr


@pytest.mark.parametrize(
    ("out", "names"),
    [
        ("a.json", ["a-1.json", "a-2.json"]),
        ("a.b.simulated.json", ["a.b-1.simulated.json", "a.b-2.simulated.json"]),
        ("simulated", ["simulated-1", "simulated-2"]),
        ("-x.json", ["-x-1.json", "-x-2.json"]),
        ("a\n.json", ["a\n-1.json", "a\n-2.json"]),
    ],
)
def test_bench_makes_several_runs_in_files_of_their_own(tree, tmp_path, monkeypatch, out, names):
    with_build_tools(tree, PUBLISHES)
    folder = tmp_path / "runs"
    folder.mkdir()
    monkeypatch.chdir(folder)
    result = run(tree, "bench", "--runs=2", f"--out={out}")
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in folder.iterdir()) == names


def test_bench_names_several_runs_by_itself(tree):
    with_build_tools(tree, PUBLISHES)
    result = run(tree, "bench", "--simulate", "--runs", "12")
    assert result.returncode == 0, result.stderr
    found = [re.fullmatch(r".*/quick-\d{6}-(\d+)\.simulated\.json", name) for name in simulated_files(tree)]
    assert sorted(int(name.group(1)) for name in found) == list(range(1, 13))


# By run: what copybench ends with. One whose cases failed is a result, and the next one follows.
@pytest.mark.parametrize(
    ("statuses", "made", "status"),
    [("0 1 0", 3, 1), ("1 0 0", 3, 1), ("0 2 0", 2, 2), ("3 0 0", 1, 3), ("0 130 0", 2, 130)],
)
def test_bench_ends_with_the_worst_of_its_runs(tree, tmp_path, statuses, made, status):
    ends = f'statuses=(x {statuses})\nrun=${{out%.json}}\nexit "${{statuses[${{run##*-}}]}}"\n'
    with_build_tools(tree, PUBLISHES + ends)
    result = run(tree, "bench", "--runs=3", f"--out={tmp_path / 'a.json'}")
    assert result.returncode == status, result.stderr
    assert len(list(tmp_path.glob("a-*.json"))) == made


def refused_before_the_build(result, named):
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1, result.stderr
    assert named in result.stderr


# Nobody makes files in /proc, not even root.
@pytest.mark.parametrize(
    "out", ["folder", "folder/", "missing/", "/proc/x.json", "-missing/x.json", "x" * 300]
)
def test_out_that_cannot_be_written_is_refused_before_the_build(tree, tmp_path, monkeypatch, out):
    with_build_tools(tree, "#!/bin/bash\n")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    refused_before_the_build(run(tree, "bench", f"--out={out}"), f"--out={out}: ")
    assert not (tree / "build").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to any file")
@pytest.mark.parametrize("name", ["folder/x.json", "file.json"])
def test_out_without_permission_is_refused_before_the_build(tree, tmp_path, name):
    with_build_tools(tree, "#!/bin/bash\n")
    (tmp_path / "folder").mkdir(mode=0o555)
    (tmp_path / "file.json").touch(mode=0o444)
    refused_before_the_build(run(tree, "bench", f"--out={tmp_path / name}"), f"--out={tmp_path / name}: ")


@pytest.mark.parametrize("kind", ["file", "read-only"])
def test_results_that_cannot_be_written_are_refused_before_the_build(tree, kind):
    with_build_tools(tree, "#!/bin/bash\n")
    if kind == "file":
        (tree / "results").touch()
    else:
        (tree / "results").symlink_to("/proc")
    refused_before_the_build(run(tree, "bench"), f"{tree}/results/nvidia-h200-mig")


def test_bench_that_could_not_build_leaves_no_folders(tree):
    with_build_tools(tree, "#!/bin/bash\n")
    stand_in(tree, "cmake", CMAKE + "[[ $1 != --build ]]\n")
    result = run(tree, "bench")
    assert result.returncode == 2
    assert "the build failed" in result.stderr
    assert list((tree / "results").iterdir()) == []


def handles_signals(started):
    """A suite that says which signal came, goes on for a moment, and ends with the status that follows."""
    traps = "".join(
        f"trap 'sleep 0.2; echo ended by {name}; exit {128 + signal.Signals['SIG' + name]}' {name}\n"
        for name in ("INT", "QUIT", "TERM", "HUP")
    )
    return f"#!/bin/bash\n{traps}: > {started}\nfor ((i = 0; i < 300; i++)); do sleep 0.05; done\n"


def wait_for(path):
    deadline = time.monotonic() + 30
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert path.exists()


@pytest.mark.parametrize("name", ["TERM", "HUP"])
def test_bench_hands_on_a_signal_and_the_status_that_follows(tree, tmp_path, name):
    started = tmp_path / "started"
    with_build_tools(tree, handles_signals(started))
    process = subprocess.Popen(
        [tree / "tools" / "bench"],
        env=environment(tree),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(started)
    process.send_signal(signal.Signals["SIG" + name])
    output, _ = process.communicate(timeout=30)
    assert output == f"ended by {name}\n"
    assert process.returncode == 128 + signal.Signals["SIG" + name]


def read_all(terminal):
    output = b""
    while True:
        assert select.select([terminal], [], [], 30)[0], f"no end, after: {output.decode()}"
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # What Linux gives once the other side is closed.
            return output.decode()
        if not chunk:
            return output.decode()
        output += chunk


# Not a handler in the suite: a program that sets none ends as well.
@pytest.mark.parametrize("handles", [True, False])
@pytest.mark.parametrize(("key", "name"), [(b"\x03", "INT"), (b"\x1c", "QUIT")])
def test_a_key_that_sends_a_signal_ends_the_suite_and_the_tool(tree, tmp_path, key, name, handles):
    started = tmp_path / "started"
    plain = f"#!/bin/bash\nulimit -c 0\n: > {started}\nexec sleep 20\n"
    with_build_tools(tree, handles_signals(started) if handles else plain)
    child, terminal = pty.fork()
    if child == 0:
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        os.execve(tree / "tools" / "bench", ["bench"], environment(tree))
    wait_for(started)
    time.sleep(0.1)
    os.write(terminal, key)
    try:
        output = read_all(terminal)
    except BaseException:
        os.killpg(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
        os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.Signals["SIG" + name], output
    assert (f"ended by {name}" in output) == handles
    assert list((tree / "results").iterdir()) == []


def test_bench_returns_the_status_of_a_suite_that_a_signal_does_not_end(tree, tmp_path):
    started = tmp_path / "started"
    with_build_tools(
        tree,
        f"#!/bin/bash\ntrap ended=1 TERM\n: > {started}\nwhile [[ -z $ended ]]; do sleep 0.05; done\nexit 1\n",
    )
    process = subprocess.Popen([tree / "tools" / "bench"], env=environment(tree), stderr=subprocess.DEVNULL)
    wait_for(started)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 1


@pytest.mark.parametrize("command", ["bench", "test", "lint", "compare_py"])
@pytest.mark.parametrize("through", ["cdpath", "link"])
def test_tool_finds_its_own_folder(tree, tmp_path, monkeypatch, command, through):
    (tmp_path / "elsewhere" / "tools").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tree / "tools" / command)
    monkeypatch.chdir(tree)
    path = f"tools/{command}" if through == "cdpath" else tmp_path / "link"
    result = subprocess.run(
        [path, "--help"],
        env=environment(tree, CDPATH=f"{tmp_path / 'elsewhere'}:."),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"Usage: tools/{command}")
    assert result.stderr == ""


def test_bench_through_a_link_writes_below_the_results_of_the_project(tree, tmp_path):
    with_build_tools(tree, PUBLISHES)
    (tmp_path / "link").symlink_to(tree / "tools" / "bench")
    result = subprocess.run(
        [tmp_path / "link"], env=environment(tree, CDPATH="."), capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert len(list(tree.glob("results/*/*/*.json"))) == 1


@pytest.mark.parametrize("program", ["cmake", "nvcc"])
def test_program_that_cannot_say_its_version_is_named_in_one_line(tree, program):
    with_build_tools(tree, "#!/bin/bash\n")
    stand_in(tree, program, "#!/bin/bash\necho broken >&2\nexit 1\n")
    result = run(tree, "bench")
    refused_before_the_build(result, f"{tree.parent / 'bin' / program} --version fails")


def test_old_cmake_is_refused(tree):
    with_build_tools(tree, "#!/bin/bash\n")
    stand_in(tree, "cmake", '#!/bin/bash\necho "cmake version 3.22.1"\n')
    refused_before_the_build(run(tree, "bench"), "cmake is 3.22.1; 3.25 or newer is needed")


def with_linters(tree):
    """A repository around the tools, and linters that print each of their arguments in a line."""
    bin_folder = tree.parent / "venv" / "bin"
    bin_folder.mkdir(parents=True)
    shutil.copy(SOURCE / "tools" / "requirements-lint.txt", bin_folder.parent)
    for name in ("clang-format", "clang-tidy", "ruff", "shellcheck"):
        (bin_folder / name).write_text("#!/bin/bash\nprintf '<%s>\\n' \"$@\"\n", encoding="utf-8")
        (bin_folder / name).chmod(0o755)
    (bin_folder / "python").symlink_to(sys.executable)
    (tree.parent / "bin" / "git").symlink_to(shutil.which("git"))
    (tree.parent / "bin" / "nproc").symlink_to(shutil.which("nproc"))
    subprocess.run([shutil.which("git"), "init", "--quiet", tree], check=True)
    return str(bin_folder.parent)


STRANGE_NAMES = ["two words", " outer ", "it's", 'a "quote"', "back\\slash", "ümlaut", "tab\t", "-dash"]


@pytest.mark.parametrize("stem", STRANGE_NAMES)
def test_lint_hands_on_every_path_whole(tree, stem):
    venv = with_linters(tree)
    given = f"./{stem}" if stem.startswith("-") else stem
    for name in (f"{stem}.cpp", f"{stem}.py"):
        (tree / name).touch()
    (tree / "tools" / stem).write_text("#!/usr/bin/env bash\n", encoding="utf-8")
    result = run(tree, "lint", "format", "launches", "cuda_names", "shell", "python", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert f"<{given}.cpp>" in lines
    assert f"<{given}.py>" in lines
    assert f"<tools/{stem}>" in lines


@pytest.mark.parametrize("stem", STRANGE_NAMES)
def test_lint_finds_what_is_wrong_in_every_path(tree, stem):
    venv = with_linters(tree)
    (tree / f"{stem}.cpp").write_text('check(cudaFree(p), "cudaMalloc");\nf<<<1, 1>>>();\n', encoding="utf-8")
    result = run(tree, "lint", "launches", "cuda_names", COPYBENCH_VENV=venv)
    assert result.returncode == 1, result.stderr
    assert f"{stem}.cpp:2:f<<<" in result.stdout
    assert f"{stem}.cpp:1: check(cudaFree(...))" in result.stdout


def test_lint_allows_launches_in_the_files_of_kernels(tree):
    venv = with_linters(tree)
    (tree / "common" / "kernels").mkdir(parents=True)
    for name in ("kernels/gates.cu", "chain_kernels.cu"):
        (tree / "common" / name).write_text("f<<<1, 1>>>();\n", encoding="utf-8")
    result = run(tree, "lint", "launches", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stdout
    for name in ("common/my_kernels.cu", "common/kernels/gates.hpp"):
        (tree / name).write_text("f<<<1, 1>>>();\n", encoding="utf-8")
        result = run(tree, "lint", "launches", COPYBENCH_VENV=venv)
        assert result.returncode == 1
        assert f"{name}:1:" in result.stdout
        (tree / name).unlink()


def test_clang_tidy_gets_a_path_with_a_space(tree):
    venv = with_linters(tree)
    with_build_tools(tree, "#!/bin/bash\n")
    build = tree / "a build"
    build.mkdir()
    (build / "build.ninja").touch()
    source = f"{tree}/two words.cpp"
    (build / "compile_commands.json").write_text(f'  "file": "{source}",\n', encoding="utf-8")
    result = run(tree, "lint", "--build-dir", str(build), "clang_tidy", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    assert f"<{source}>" in result.stdout.splitlines()


CLANG_TIDY = Path(sys.executable).with_name("clang-tidy")
with_clang_tidy = pytest.mark.skipif(
    not CLANG_TIDY.exists(), reason="tools/requirements-lint.txt is not installed"
)


def with_sources(tree, sources):
    """A build that compiles these sources, text by name, and the virtual environment of the linters."""
    venv = with_linters(tree)
    with_build_tools(tree, "#!/bin/bash\n")
    shutil.copy(SOURCE / ".clang-tidy", tree)
    build = tree / "build"
    build.mkdir()
    (build / "build.ninja").touch()
    commands = []
    for name, text in sources.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        command = f"c++ -I{tree} -std=c++20 -o {path.stem}.o -c {path}"
        commands.append({"directory": str(build), "command": command, "file": str(path)})
    commands = [command for command in commands if command["file"].endswith(".cpp")]
    (build / "compile_commands.json").write_text(json.dumps(commands, indent=2), encoding="utf-8")
    return build, venv


def groups_of(tree, build):
    lists = (build / "lint" / "groups").glob("**/*.sources")
    return sorted(
        [str(Path(line).relative_to(tree)) for line in path.read_text().splitlines()] for path in lists
    )


UNNAMED = "namespace {{\n{}\n}}  // namespace\n"


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        (UNNAMED.format("int one() { return 1; }"), UNNAMED.format("int two() { return 2; }"), True),
        (
            UNNAMED.format("int one() { return 1; }"),
            UNNAMED.format("bool one(int x) { return x > 1; }"),
            False,
        ),
        (
            UNNAMED.format("[[noreturn]] void refuse(int x);"),
            UNNAMED.format("constexpr int refuse = 1;"),
            False,
        ),
        (
            UNNAMED.format("class One final : public Two {"),
            UNNAMED.format("class Three : public Two {"),
            True,
        ),
        (UNNAMED.format("using One = int;"), UNNAMED.format("struct One {"), False),
        (UNNAMED.format("using One = int;"), '#include "one.hpp"\nint f(One one);\n', False),
        ("TEST(One, Works) {}\n", "TEST(One, Fails) {}\n", True),
        ("TEST_F(One, Works) {}\n", "TEST_F(One, Works) {}\n", False),
    ],
)
def test_sources_are_read_as_one_when_they_share_no_name_of_their_own(tree, first, second, together):
    build, venv = with_sources(tree, {"common/a.cpp": first, "common/b.cpp": second})
    result = run(tree, "lint", "--build-dir", str(build), "--grouped", "clang_tidy", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    names = ["common/a.cpp", "common/b.cpp"]
    assert groups_of(tree, build) == ([names] if together else [[name] for name in names])


def test_sources_with_rules_of_their_own_are_read_apart(tree):
    build, venv = with_sources(tree, dict.fromkeys(["a.cpp", "tests/unit/b.cpp", "tests/c.cpp"], ""))
    (tree / "tests" / ".clang-tidy").write_text("InheritParentConfig: true\n", encoding="utf-8")
    result = run(tree, "lint", "--build-dir", str(build), "--grouped", "clang_tidy", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    assert groups_of(tree, build) == [["a.cpp"], ["tests/c.cpp", "tests/unit/b.cpp"]]
    (configuration,) = (build / "lint" / "groups").glob("*/.clang-tidy")
    assert configuration.resolve() == tree / "tests" / ".clang-tidy"


# Clean by .clang-tidy, and of all kinds.
CLEAN = {
    "common/a.hpp": "#pragma once\nint a(int value);\n",
    "common/a.cpp": '#include "common/a.hpp"\n\nint a(int value) { return value; }\n',
    "common/b.cpp": '#include "common/a.hpp"\n\nint b(int value) { return a(value); }\n',
    "benchmarks/c.cpp": '#include "common/a.hpp"\n\nint c(int value) { return a(value); }\n',
}


def run_clang_tidy(tree, sources, *arguments):
    build, venv = with_sources(tree, sources)
    (Path(venv) / "bin" / "clang-tidy").unlink()
    (Path(venv) / "bin" / "clang-tidy").symlink_to(CLANG_TIDY)
    return build, run(tree, "lint", "--build-dir", str(build), *arguments, "clang_tidy", COPYBENCH_VENV=venv)


@with_clang_tidy
@pytest.mark.parametrize("arguments", [[], ["--grouped"]])
@pytest.mark.parametrize(
    ("seeded", "line", "check"),
    [
        *((name, "typedef int Old;", "modernize-use-using") for name in CLEAN),
        ("common/b.cpp", "namespace x = std;", "misc-unused-alias-decls"),
        ("benchmarks/c.cpp", "namespace x = std;", "misc-unused-alias-decls"),
    ],
)
def test_clang_tidy_finds_what_is_wrong_in_every_kind_of_source(tree, arguments, seeded, line, check):
    sources = {
        name: text + f"namespace std {{}}\n{line}\n" * (name == seeded) for name, text in CLEAN.items()
    }
    _, result = run_clang_tidy(tree, sources, *arguments)
    assert result.returncode == 1, result.stdout + result.stderr
    place = f"{tree / seeded}:{sources[seeded].count(chr(10))}:"
    assert any(found.startswith(place) and check in found for found in result.stdout.splitlines()), (
        result.stdout
    )


@with_clang_tidy
@pytest.mark.parametrize("arguments", [[], ["--grouped"]])
def test_clang_tidy_finds_nothing_in_clean_sources(tree, arguments):
    _, result = run_clang_tidy(tree, CLEAN, *arguments)
    assert result.returncode == 0, result.stdout + result.stderr


@with_clang_tidy
def test_sources_that_do_not_go_together_after_all_are_no_finding(tree):
    text = "#define OWN(name) int name##_of_mine = 0\nnamespace {{\nOWN(x);\n}}\nint {}() {{ return x_of_mine++; }}\n"
    text = text.replace("#define", "// NOLINTNEXTLINE\n#define")
    sources = {f"common/{name}.cpp": text.format(name) for name in ("a", "b")}
    build, result = run_clang_tidy(tree, sources, "--grouped")
    assert groups_of(tree, build) == [["common/a.cpp", "common/b.cpp"]]
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("header", ["/b/cmake_pch.hxx", '\\"/a b/cmake_pch.hxx\\"'])
def test_clang_tidy_reads_no_precompiled_header(tree, header):
    """Or a file that includes too little would be found by whoever builds without."""
    venv = with_linters(tree)
    with_build_tools(tree, "#!/bin/bash\n")
    build = tree / "build"
    build.mkdir()
    (build / "build.ninja").touch()
    command = '  "command": "c++ -O3{} -o x.o -c x.cpp",\n'
    file = f'  "file": "{tree}/x.cpp",\n'
    text = command.format(f" -Winvalid-pch -include {header}") + file
    (build / "compile_commands.json").write_text(text, encoding="utf-8")
    result = run(tree, "lint", "--build-dir", str(build), "clang_tidy", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    kept = (build / "lint" / "compile_commands.json").read_text(encoding="utf-8")
    assert kept == command.format("") + file


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('#include "common/x.hpp"\n\n#include <map>\n', ""),
        ('#include <map>\n#include "common/x.hpp"\n', "common/x.cpp: does not include common/x.hpp first"),
        ("", "common/x.cpp: does not include common/x.hpp first"),
        (None, "common/x.hpp: compiled nowhere on its own"),
    ],
)
def test_every_header_is_compiled_on_its_own(tree, text, found):
    venv = with_linters(tree)
    with_build_tools(tree, "#!/bin/bash\n")
    (tree / "build").mkdir()
    (tree / "build" / "build.ninja").touch()
    (tree / "common").mkdir()
    (tree / "common" / "x.hpp").touch()
    (tree / "common" / "listed.hpp").touch()
    (tree / "common" / "CMakeLists.txt").write_text("      listed.hpp\n", encoding="utf-8")
    if text is not None:
        (tree / "common" / "x.cpp").write_text(text, encoding="utf-8")
    result = run(tree, "lint", "--build-dir", str(tree / "build"), "headers", COPYBENCH_VENV=venv)
    assert result.returncode == (1 if found else 0), result.stderr
    assert found in result.stdout
    assert bool(found) == bool(result.stdout.strip())


SPEAKS = PUBLISHES + 'echo "ran ${0##*/}" >&2\n'


def simulated_files(tree):
    return [str(path.relative_to(tree)) for path in tree.glob("results/simulated/*/*")]


@pytest.mark.parametrize("asked", [True, False])
def test_bench_simulates_when_asked_and_where_there_is_no_gpu(tree, asked):
    with_build_tools(tree, SPEAKS)
    if not asked:
        stand_in(tree, "nvidia-smi", NO_GPU)
    result = run(tree, "bench", *(["--simulate"] if asked else []))
    assert result.returncode == 0, result.stderr
    (written,) = simulated_files(tree)
    assert re.fullmatch(r"results/simulated/\d{4}-\d\d-\d\d/quick-\d{6}\.simulated\.json", written)
    lines = result.stderr.splitlines()
    assert lines.count(BANNER) == 2
    assert lines[lines.index(BANNER) + 1] == "ran copybench_sim"
    assert lines[-1] == BANNER
    reason = "as --simulate asks" if asked else "as nvidia-smi lists no GPU"
    assert f"tools/bench: running the simulator, {reason}" in lines


def test_bench_with_a_gpu_says_nothing_of_a_simulation(tree):
    with_build_tools(tree, SPEAKS)
    result = run(tree, "bench")
    assert result.returncode == 0, result.stderr
    assert "ran copybench\n" in result.stderr
    assert "simulat" not in result.stderr.lower()


def test_bench_where_there_is_nvcc_but_no_gpu_builds_the_simulated_suite_alone(tree):
    with_build_tools(tree, SPEAKS)
    stand_in(tree, "nvidia-smi", NO_GPU)
    assert run(tree, "bench").returncode == 0
    assert "-DCOPYBENCH_CUDA=ON" in configured_with(tree)
    assert "--target copybench_sim\n" in (tree / "cmake.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["x.json", "simulated/x.json", "simulate.json"])
def test_simulated_file_of_an_ordinary_name_is_refused(tree, tmp_path, name):
    with_build_tools(tree, SPEAKS)
    (tmp_path / "simulated").mkdir()
    out = tmp_path / name
    refused_before_the_build(run(tree, "bench", "--simulate", f"--out={out}"), f"--out={out}: ")
    stand_in(tree, "nvidia-smi", NO_GPU)
    refused_before_the_build(run(tree, "bench", "--out", str(out)), f"--out={out}: ")
    assert not out.exists()


def test_simulated_file_is_not_written_through_a_link_to_an_ordinary_name(tree, tmp_path):
    with_build_tools(tree, SPEAKS)
    out = tmp_path / "x.simulated.json"
    out.symlink_to(tmp_path / "x.json")
    refused_before_the_build(run(tree, "bench", "--simulate", f"--out={out}"), f"--out={out}: ")
    assert not (tmp_path / "x.json").exists()


def test_simulated_file_cannot_be_named_past_the_tool(tree, tmp_path):
    with_build_tools(tree, SPEAKS)
    argument = f"--benchmark_out={tmp_path}/x.json"
    refused_before_the_build(run(tree, "bench", "--simulate", "--", argument), f"{argument}: ")


def test_simulated_file_may_lie_anywhere(tree, tmp_path):
    with_build_tools(tree, SPEAKS)
    out = tmp_path / "my.simulated.json"
    result = run(tree, "bench", "--simulate", "--out", str(out))
    assert result.returncode == 0, result.stderr
    assert f"wrote {out}" in result.stderr
    assert simulated_files(tree) == []


def test_bench_stops_where_there_is_a_gpu_that_cannot_be_used(tree):
    with_build_tools(tree, "#!/bin/bash\necho 'copybench: the driver is too old' >&2\nexit 3\n")
    result = run(tree, "bench")
    assert result.returncode == 3
    assert "there is a GPU (NVIDIA H200 (MIG))" in result.stderr.splitlines()[-1]
    assert "--simulate" in result.stderr.splitlines()[-1]
    assert BANNER not in result.stderr
    assert "copybench_sim" not in (tree / "cmake.log").read_text(encoding="utf-8")


def test_bench_does_not_simulate_for_want_of_nvcc_where_there_is_a_gpu(tree):
    with_build_tools(tree, SPEAKS)
    without_nvcc(tree)
    result = run(tree, "bench")
    refused_before_the_build(result, "no nvcc")
    assert "--simulate" in result.stderr
    assert not (tree / "cmake.log").exists()


INSTALLS_HEADERS = """[[ $* == *requirements-cuda-headers.txt ]] || exit 1
mkdir -p $site/nvidia/cu13/include && : > $site/nvidia/cu13/include/cuda_runtime_api.h"""


def test_headers_are_installed_where_there_is_no_toolkit(tree):
    with_build_tools(tree, SPEAKS)
    without_nvcc(tree)
    stand_in(tree, "nvidia-smi", NO_GPU)
    venv = with_venv(tree, pip=INSTALLS_HEADERS)
    result = run(tree, "bench", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    assert "no nvcc on PATH or in" in result.stderr
    assert "installing with: " in result.stderr
    assert "tools/requirements-cuda-headers.txt" in result.stderr
    folder = f"{venv}/lib/python3.11/site-packages/nvidia/cu13/include"
    assert f"-DCOPYBENCH_CUDA=OFF -DCOPYBENCH_CUDA_INCLUDE_DIR={folder}" in configured_with(tree)
    assert BANNER in result.stderr
    again = run(tree, "bench", COPYBENCH_VENV=venv)
    assert again.returncode == 0, again.stderr
    assert "installing" not in again.stderr


def test_headers_that_cannot_be_installed_are_named(tree):
    with_build_tools(tree, SPEAKS)
    without_nvcc(tree)
    result = run(tree, "bench", "--simulate", COPYBENCH_VENV=with_venv(tree, pip="exit 1"))
    assert result.returncode == 2
    assert "could not install tools/requirements-cuda-headers.txt" in result.stderr
    assert "COPYBENCH_CUDA_INCLUDE_DIR" in result.stderr.splitlines()[-1]
    assert not (tree / "cmake.log").exists()


def test_headers_of_the_environment_need_no_installation(tree):
    with_build_tools(tree, SPEAKS)
    without_nvcc(tree)
    result = run(tree, "bench", "--simulate", COPYBENCH_CUDA_INCLUDE_DIR="/opt/headers")
    assert result.returncode == 0, result.stderr
    assert "-DCOPYBENCH_CUDA=OFF -DCOPYBENCH_CUDA_INCLUDE_DIR=/opt/headers" in configured_with(tree)


@pytest.mark.parametrize("nvcc", [NVCC.format("12.2", "12.2"), "#!/bin/bash\nexit 1\n"])
@pytest.mark.parametrize("named", [True, False])
def test_nvcc_that_will_not_do_is_passed_over_unless_it_is_named(tree, nvcc, named):
    with_build_tools(tree, SPEAKS)
    stand_in(tree, "nvcc", nvcc)
    path = str(tree.parent / "bin" / "nvcc")
    extra = {"COPYBENCH_CUDA_INCLUDE_DIR": "/opt/headers"} | ({"CUDACXX": path} if named else {})
    result = run(tree, "bench", "--simulate", **extra)
    assert path in result.stderr
    if named:
        refused_before_the_build(result, path)
    else:
        assert result.returncode == 0, result.stderr
        assert "-DCOPYBENCH_CUDA=OFF" in configured_with(tree)


def with_ctest(tree):
    """All that tools/test wants; what ctest is called with comes on stdout."""
    with_build_tools(tree, "")
    stand_in(tree, "ctest", '#!/bin/bash\nprintf "<%s>" "$@"; echo\n')
    config = tree.parent / "prefix" / "lib" / "cmake" / "GTest" / "GTestConfig.cmake"
    config.parent.mkdir(parents=True)
    config.touch()
    return with_venv(tree, "test", "lint", "cuda-headers")


@pytest.mark.parametrize(
    ("preset", "gpu", "with_cuda"),
    [
        ("release", True, True),
        ("release", False, True),
        ("debug", False, True),
        ("asan", True, True),
        ("asan", False, False),
        ("tsan", True, False),
        ("tsan", False, False),
    ],
)
def test_presets_build_what_they_can_run(tree, preset, gpu, with_cuda):
    venv = with_ctest(tree)
    if not gpu:
        stand_in(tree, "nvidia-smi", NO_GPU)
    # The headers of the toolkit beside this nvcc are taken rather than installed.
    toolkit = tree.parent / "include"
    toolkit.mkdir()
    (toolkit / "cuda_runtime_api.h").touch()
    result = run(tree, "test", "--preset", preset, COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    expected = "=ON" if with_cuda else f"=OFF -DCOPYBENCH_CUDA_INCLUDE_DIR={toolkit} "
    assert f"--preset {preset} -DCOPYBENCH_BUILD_TESTS=ON -DCOPYBENCH_CUDA{expected}" in configured_with(tree)
    calls = result.stdout.splitlines()
    assert f"<--test-dir><build/{preset}>" in calls[0]
    assert "<-LE><^(gpu)$>" in calls[0]
    assert len(calls) == (2 if gpu and with_cuda else 1)
    assert all("<-L><^gpu$>" in call for call in calls[1:])


@pytest.mark.parametrize("gpu", [True, False])
def test_tests_do_without_nvcc(tree, gpu):
    venv = with_ctest(tree)
    without_nvcc(tree)
    if not gpu:
        stand_in(tree, "nvidia-smi", NO_GPU)
    headers = Path(venv) / "lib" / "python3.12" / "site-packages" / "nvidia" / "cu13" / "include"
    headers.mkdir(parents=True)
    (headers / "cuda_runtime_api.h").touch()
    result = run(tree, "test", "--no-lint", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    assert f"-DCOPYBENCH_CUDA=OFF -DCOPYBENCH_CUDA_INCLUDE_DIR={headers}" in configured_with(tree)
    assert result.stdout.splitlines() == [
        "<--test-dir><build/release><--output-on-failure><--no-tests=error><-j><2><-LE><^(gpu|lint)$>"
    ]
    assert ("were not built, for want of nvcc" in result.stderr) == gpu


def test_only_some_labels_build_what_they_need_and_no_python(tree):
    venv = with_ctest(tree)
    (Path(venv) / "requirements-test.txt").unlink()
    result = run(tree, "test", "--only", "unit", "--only=simulated", "--", "-R", "x", COPYBENCH_VENV=venv)
    assert result.returncode == 0, result.stderr
    built = (tree / "cmake.log").read_text(encoding="utf-8").splitlines()[-1]
    assert built.endswith("--target copybench_only_unit copybench_only_simulated")
    assert "installing" not in result.stderr
    assert result.stdout.splitlines() == [
        "<--test-dir><build/release><--output-on-failure><--no-tests=error><-j><2>"
        "<-L><^(unit|simulated)$><-R><x>"
    ]


def with_compare(tree, *documents):
    """Files of these names, and a compare.py that says that it ran. None stands for text that is no JSON."""
    venv = tree.parent / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    shutil.copy(SOURCE / "tools" / "requirements-compare.txt", venv)
    compare = tree.parent / "compare.py"
    compare.write_text("print('compared')\n", encoding="utf-8")
    paths = []
    for number, document in enumerate(documents):
        path = tree.parent / f"{number}.json"
        path.write_text("no JSON" if document is None else json.dumps(document), encoding="utf-8")
        paths.append(str(path))
    return paths, {"COMPARE_PY": str(compare), "COPYBENCH_VENV": str(venv)}


SIMULATED = {"context": {"simulated": "true"}}
MEASURED = {"context": {"gpu_name": "NVIDIA H200"}}


@pytest.mark.parametrize("pair", [(SIMULATED, MEASURED), (MEASURED, SIMULATED)])
@pytest.mark.parametrize("mode", [["benchmarks"], ["-a", "benchmarks"], ["benchmarksfiltered"]])
def test_simulated_is_not_compared_with_measured(tree, pair, mode):
    paths, extra = with_compare(tree, *pair)
    result = run(tree, "compare_py", *mode, *paths, **extra)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    simulated, measured = paths if pair[0] is SIMULATED else reversed(paths)
    assert f"{simulated} is simulated and {measured} is not" in result.stderr


def test_two_simulated_files_are_compared_and_called_so(tree):
    paths, extra = with_compare(tree, SIMULATED, SIMULATED)
    result = run(tree, "compare_py", "benchmarks", *paths, **extra)
    assert (result.returncode, result.stdout) == (0, "compared\n")
    assert result.stderr == "tools/compare_py: both are simulated: no figure here is a measurement\n"


def test_one_simulated_file_is_called_so(tree):
    paths, extra = with_compare(tree, SIMULATED)
    result = run(tree, "compare_py", "filters", *paths, "a", "b", **extra)
    assert (result.returncode, result.stdout) == (0, "compared\n")
    assert result.stderr == f"tools/compare_py: {paths[0]} is simulated: no figure here is a measurement\n"


@pytest.mark.parametrize(
    "other", [MEASURED, {"context": {"simulated": "false"}}, {}, [], [SIMULATED], 1, {"context": 1}, None]
)
def test_what_is_not_simulated_is_left_to_compare_py(tree, other):
    paths, extra = with_compare(tree, MEASURED, other)
    result = run(tree, "compare_py", "benchmarks", *paths, **extra)
    assert (result.returncode, result.stdout, result.stderr) == (0, "compared\n", "")


@pytest.mark.parametrize("simulates", [True, False])
def test_program_that_simulates_is_known_by_what_it_holds(tree, simulates):
    (path,), extra = with_compare(tree, MEASURED)
    program = tree.parent / "program"
    program.write_bytes(b"\x7fELF" + (b"COPYBENCH_SIM_FAULT" if simulates else b""))
    result = run(tree, "compare_py", "benchmarks", path, str(program), **extra)
    assert result.returncode == (2 if simulates else 0)
    assert (f"{program} is simulated and {path} is not" in result.stderr) == simulates


def test_file_without_its_context_is_known_by_its_rows(tree):
    row = {"name": "a", "real_time": 1.0, "simulated": 1.0}
    paths, extra = with_compare(tree, {"context": {}, "benchmarks": [row]}, MEASURED)
    assert run(tree, "compare_py", "benchmarks", *paths, **extra).returncode == 2


def test_simulated_results_are_not_committed():
    assert "/results/simulated/" in (SOURCE / ".gitignore").read_text(encoding="utf-8").splitlines()


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


@pytest.mark.parametrize("path", ["/no/such/compare.py", "/proc"])
def test_compare_py_names_what_is_no_file(tree, path):
    result = run(tree, "compare_py", "benchmarks", "a.json", "b.json", COMPARE_PY=path)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert f"COMPARE_PY={path}: " in result.stderr


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
