# SPDX-License-Identifier: Apache-2.0
"""The simulator keeps the contracts that an H200 was seen to keep, and docs/contracts.md says so."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
TABLE = SOURCE / "tests" / "contract" / "contract_table.py"
SIMULATOR = os.environ["COPYBENCH_CONTRACT_TESTS_SIM"]

specification = importlib.util.spec_from_file_location("contract_table", TABLE)
contract_table = importlib.util.module_from_spec(specification)
specification.loader.exec_module(contract_table)


def h200_reports():
    """The newest first: the folders are named after the day."""
    reports = sorted(SOURCE.glob("results/nvidia-h200/*/contracts.json"), reverse=True)
    assert reports, "no folder of results/nvidia-h200 has a contracts.json"
    return reports


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    assert SIMULATOR, "COPYBENCH_CONTRACT_TESTS_SIM names no program"
    report = tmp_path_factory.mktemp("contracts") / "simulator.json"
    # As many devices as the machine of the H200 had.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COPYBENCH_SIM_")}
    done = subprocess.run(
        [SIMULATOR, f"--gtest_output=json:{report}", "--gtest_brief=1"],
        capture_output=True,
        text=True,
        timeout=240,
        env=environment | {"COPYBENCH_SIM_DEVICES": "2"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return report


def write_table(*reports, output):
    return subprocess.run(
        [sys.executable, TABLE, f"--output={output}", *reports], capture_output=True, text=True, timeout=60
    )


class TestSimulator:
    def test_every_contract_has_both_texts(self, simulated):
        # Reading the report requires them.
        for name, contract in contract_table.read_report(simulated).items():
            assert contract.documented, name
            assert contract.observed, name

    def test_does_what_the_h200_did(self, simulated):
        ours = contract_table.read_report(simulated)
        theirs = contract_table.read_reports(h200_reports())
        # Toolkits before 12.8 have no batch copies.
        assert all("BatchCopies" in suite for suite, _ in theirs.keys() - ours.keys())
        assert {name: contract.observed for name, contract in ours.items()} == {
            name: theirs[name].observed for name in ours
        }

    def test_the_documentation_is_up_to_date(self, simulated, tmp_path):
        if contract_table.read_report(simulated).keys() != contract_table.read_reports(h200_reports()).keys():
            pytest.skip("this toolkit has no batch copies")
        output = tmp_path / "contracts.md"
        done = write_table(*h200_reports(), simulated, output=output)
        assert done.returncode == 0, done.stderr
        assert (SOURCE / "docs" / "contracts.md").read_text() == output.read_text()


def report_of(tmp_path, name, **test):
    path = tmp_path / name
    entry = {"name": "OneTwo/H2dAsync", "result": "COMPLETED"} | test
    path.write_text(json.dumps({"testsuites": [{"name": "In/SomeTopic", "testsuite": [entry]}]}))
    return path


class TestTable:
    def test_has_a_line_for_each_contract(self, tmp_path):
        real = report_of(tmp_path, "real.json", documented="row 7: may | wait", observed="waited")
        other = report_of(tmp_path, "other.json", documented="row 7: may | wait", observed="returned")
        output = tmp_path / "new" / "contracts.md"
        assert write_table(real, other, output=output).returncode == 0
        text = output.read_text()
        assert "the simulator does what the H200 did in 0." in text
        assert "| Some topic | one two: h2d async | row 7: may \\| wait | waited | returned | no |\n" in text
        assert "| 7 | Runtime API, API synchronization behavior, Memcpy, Synchronous 1 |\n" in text
        assert write_table(real, real, output=output).returncode == 0
        assert "the simulator does what the H200 did in 1." in output.read_text()

    def test_names_what_contradicts_the_documentation(self):
        kept = contract_table.Contract("row 1: returns", "returned")
        broken = contract_table.Contract("row 1: returns", "waited", contradicted=True)
        real = {("A", "B"): kept, ("A", "C"): broken}
        table = contract_table.make_table(real, real)
        assert "\n2 contracts. The H200 contradicts the documentation in 1 of them;" in table
        assert "| A | c | row 1: returns | waited (**contradicts**) | waited | yes |\n" in table
        assert "| A | b | row 1: returns | returned | returned | yes |\n" in table

    def test_takes_what_one_report_skipped_from_the_next(self, tmp_path):
        skipped = report_of(tmp_path, "new.json", documented="d", observed="skipped: one device")
        older = report_of(tmp_path, "old.json", documented="d", observed="arrived")
        for reports, observed in [
            ([skipped, older], "arrived"),
            ([older, skipped], "arrived"),
            ([skipped, skipped, older], "arrived"),
            ([skipped], "skipped: one device"),
        ]:
            [contract] = contract_table.read_reports(reports).values()
            assert contract.observed == observed

    def test_says_where_a_contract_was_not_run(self):
        contract = contract_table.Contract("not documented", "waited")
        table = contract_table.make_table({("A", "B"): contract}, {("A", "C"): contract})
        assert "| A | b | not documented | waited | not run | no |\n" in table
        assert "| A | c | not documented | not run | waited | no |\n" in table

    @pytest.mark.parametrize(
        ("test", "problem"),
        [
            ({"documented": "x"}, 'has no text "observed"'),
            ({"observed": "x"}, 'has no text "documented"'),
            ({"documented": "x", "observed": "x", "failures": [{}]}, "OneTwo/H2dAsync failed"),
        ],
    )
    def test_refuses_a_report_that_is_not_whole(self, tmp_path, test, problem):
        bad = report_of(tmp_path, "bad.json", **test)
        done = write_table(bad, bad, output=tmp_path / "out.md")
        assert done.returncode == 1
        assert done.stderr.startswith(f"contract_table.py: {bad}: ")
        assert problem in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "out.md").exists()

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", "{}", '{"testsuites": [1]}', '{"testsuites": []}', "\xff"]
    )
    def test_refuses_a_file_that_is_no_report(self, tmp_path, text):
        bad = tmp_path / "bad.json"
        bad.write_bytes(text.encode("latin-1"))
        done = write_table(bad, bad, output=tmp_path / "out.md")
        assert done.returncode == 1
        assert done.stderr.startswith(f"contract_table.py: {bad}: ")
        assert len(done.stderr.splitlines()) == 1

    def test_refuses_a_file_that_is_not_there(self, tmp_path):
        done = write_table(tmp_path / "a", tmp_path / "b", output=tmp_path / "out.md")
        assert done.returncode == 1
        assert str(tmp_path / "a") in done.stderr
