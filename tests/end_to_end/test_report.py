# SPDX-License-Identifier: Apache-2.0
"""tools/report: what it finds in results made by hand, and what becomes of files that are none."""

import gzip
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import report_files as files
from page import read_page

TOOL = Path(__file__).resolve().parents[2] / "tools" / "report"
LIB = TOOL.with_name("lib")
SVG = "{http://www.w3.org/2000/svg}"
# Of the lists that tools/report installs; tools/test does as well.
needs_drawing = pytest.mark.skipif(
    not all(__import__("importlib.util").util.find_spec(name) for name in ("matplotlib", "jinja2")),
    reason="tools/requirements-report.txt is not installed",
)


# The reader refuses names with markup. What writes the report has to escape them whatever the reader lets through.
ANY_NAME = "import re, runpy, runs.file; runs.file.NAME = re.compile('(?s:.+)'); runpy.run_module('report', run_name='__main__')"


def run(*arguments, seed="0", start=("-m", "report")):
    environment = os.environ | {
        "PYTHONPATH": str(LIB),
        "PYTHONHASHSEED": seed,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [sys.executable, *start, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
    )


def make(folder, *arguments, **how):
    done = run(*arguments, "--out", folder, **how)
    assert (done.returncode, done.stdout) == (0, f"{folder}/report.html\n"), done.stderr
    return folder, done.stderr


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    run_rows = files.blocking_rows() + files.transfer_rows()
    base = [row | {"real_time": row["real_time"] / 2} for row in files.blocking_rows()[:3]]
    run_file = files.write(folder / "run.json", run_rows)
    return {
        "run": run_file,
        "comparison": files.comparison(folder / "comparison.json", run_file),
        "part": files.write(folder / "part.json", files.other_rows(), git_commit="f" * 40),
        "base": files.write(folder / "base.json", base, driver_version="1.1"),
        "peers": files.write(folder / "peers.json", files.peer_rows(), framework_torch="2.9"),
    }


@pytest.fixture(scope="module")
def report(inputs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    arguments = [inputs["run"], inputs["part"], inputs["base"], "--peers", inputs["peers"]]
    arguments += ["--comparison", inputs["comparison"]]
    return make(folder, *arguments)


@pytest.fixture(scope="module")
def page(report):
    return read_page(report[0] / "report.html")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    context = {f"fact {text}": text for text in files.MARKUP}
    context |= {
        "gpu_name": files.MARKUP[0],
        "command_line": files.MARKUP[1],
        "simulated": "true",
        "deep": [[{"a": files.MARKUP[0]}]],
    }
    made = files.hostile_rows() + files.blocking_rows()
    return make(folder, files.write(folder / "<b>&'x.json", made, **context), start=("-c", ANY_NAME))[0]


@needs_drawing
class TestFindings:
    @pytest.fixture(scope="class")
    def findings(self, page):
        listed = next(one for one in page.all("dl") if one.attributes["class"] == "findings")
        return {name.text: said.text for name, said in zip(listed.all("dt"), listed.all("dd"), strict=True)}

    @pytest.mark.parametrize(
        ("subject", "said"),
        [
            (
                "cudaMemcpyAsync, pageable, to the device",
                "Drained stream: returns early up to 64 KiB, waits for the copy from 1 MiB on. "
                "Behind a gate: returns early up to 1 MiB, waits for the queue from 16 MiB on. "
                "On a drained stream the call takes 1 µs (4 B) to 2 ms (16 MiB).",
            ),
            (
                "cudaMemcpyAsync, pageable, to the host",
                "Drained stream: waits for the copy at every size (4 B to 16 MiB). "
                "Behind a gate: waits for the queue at every size (4 B to 16 MiB). "
                "On a drained stream the call takes 6 µs (4 B) to 2 ms (16 MiB).",
            ),
            (
                "cudaMemcpyAsync, pinned, to the device and to the host",
                "Drained stream: returns early at every size (4 B to 16 MiB). "
                "Behind a gate: returns early at every size (4 B to 16 MiB). "
                "On a drained stream the call takes 1 µs (4 B) to 2.5 µs (16 MiB).",
            ),
            (
                "Link, to the device",
                "A pinned copy of 16 MiB reaches 25.2 GB/s, 80 % of the 31.5 GB/s of PCIe 4.0 x16. "
                "Pageable memory gets at most 6.3 GB/s (16 MiB), 25 % of that.",
            ),
            (
                "Ordinary array to the device",
                "The fastest way by size: driver_pageable or staged_parallel (64 KiB); staged_parallel (16 MiB). "
                "16 MiB take 1 ms, 16.8 GB/s.",
            ),
            (
                "Parallel staging, to the device",
                "Best seen: 16.8 GB/s for 16 MiB with 8 threads, 2 chunks of 1 MiB each, 80 % of a pinned copy.",
            ),
            (
                "Pinning, to the device",
                "When it pays. A copy in pinned memory that is allocated for it: 1 MiB never. "
                "Pinning in place: 1 MiB from 4 copies on.",
            ),
            ("Dependent copy, 16 elements", "stream_sync has the data first (15 µs); worker blocks the host least (7 µs)."),
            ("Dependent copy", "Wrong or no data, as is to be shown: stale."),
            ("Queue", "A stream takes 1,021 pinned copies before the next call waits for the queue."),
            ("Staging pool", "Behind a busy queue, with nothing staged before, a pageable copy returns early up to 2 MiB."),
            ("Failed", "1 case of 66 with rows that failed."),
            (
                "Frameworks to the device",
                "16 MiB: torch_to and allocation is the fastest of the frameworks with 2.5 ms; the driver's pageable copy takes 2 ms.",
            ),
            ("Regressions", "tools/compare says: 1 regressed, 1 missing, 1 inconclusive, 1 same."),
            (
                "Beside the base",
                "1 case in common; the median of run / base is 2.000; 1 are slower and 0 faster by more than 5 %; 65 only in the run.",
            ),
        ],
    )  # fmt: skip
    def test_what_the_rows_say(self, findings, subject, said):
        assert findings[subject] == said

    def test_pinning_pays_for_more_than_half_of_the_repetitions(self, page):
        (table,) = [one for one in page.all("table") if "on pinning it pays" in one.text]
        told = [[cell.text for cell in row.all("th", "td")][:4] for row in table.all("tr")][1:]
        assert told == [["h2d", "host_alloc", "1 MiB", "never"], ["h2d", "register", "1 MiB", "4"]]

    def test_verdict_table(self, page):
        table = next(one for one in page.all("table") if "Verdicts of cudaMemcpyAsync" in one.text)
        told = [[cell.text for cell in row.all("th", "td")] for row in table.all("tr")]
        assert told[0] == ["dir", "mem", "drained stream", "behind a gate"]
        assert told[1] == [
            "h2d",
            "pageable",
            "async 0 B to 64 KiBwaits_for_copy 1 MiB to 16 MiB",
            "async 0 B to 1 MiBwaits_for_queue 16 MiB",
        ]
        assert [row[:2] for row in told[1:]] == [
            [d, m] for m in ("pageable", "pinned") for d in ("h2d", "d2h")
        ]

    def test_a_filter_measures_the_cases_of_its_figure(self, page, inputs):
        names = {
            row["name"]
            for key in ("run", "part", "peers")
            for row in json.loads(inputs[key].read_text())["benchmarks"]
        }
        filters = re.findall(r"--benchmark_filter='([^']+)'", page.text)
        assert len(filters) > 10
        assert [one for one in filters if not any(re.search(one, name) for name in names)] == []
        wanted = {name for name in names if "/dir:h2d/" in name and "/queue:busy/" in name}
        assert wanted in [{name for name in names if re.search(one, name)} for one in filters]

    def test_verdicts_of_compare(self, page):
        table = next(one for one in page.all("table") if "Cases that changed" in one.text)
        told = [[cell.text for cell in row.all("th", "td")] for row in table.all("tr")][1:]
        slow = ["a/b:slow", "regressed", "1 µs", "1.2 µs", "+20.0 %", "+15.0 % to +25.0 %", "5 %", "8 %"]
        assert told == [slow, ["a/b:gone", "missing", *["-"] * 6]]

    def test_what_is_missing_is_one_line(self, page):
        missing = [one.text for one in page.all("p") if "for want of rows" in one.text]
        assert missing == ["Not in this report, for want of rows: to_host."]

    def test_the_files_and_how_they_differ(self, page, inputs, report):
        checksums = next(page.all("pre")).text
        done = subprocess.run(
            ["sha256sum", "--check", "--strict", "-"],
            input=checksums,
            cwd=inputs["run"].parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert checksums.count("\n") == 3
        assert "they differ in git_commit." in page.text
        (differences,) = [one for one in page.all("table") if "What differs" in one.text]
        assert [cell.text for cell in differences.all("th", "td")][3:6] == ["driver", "1.1", "1.2"]
        assert "base.json is taken for BASE" in report[1]

    def test_failures_and_skips(self, page):
        assert "the bytes were <b>wrong</b>" in page.text
        assert "2 of 2" in page.text
        skips = next(one for one in page.all("table") if "cannot run" in one.text)
        cells = [cell.text for cell in skips.all("th", "td")]
        assert cells[3:6] == ["host_blocking/api:x/bytes:4", "needs a second GPU", "run.json"]


@needs_drawing
@pytest.mark.parametrize("which", ["report", "hostile"])
class TestPage:
    @pytest.fixture
    def folder(self, which, request):
        made = request.getfixturevalue(which)
        return made[0] if which == "report" else made

    @pytest.fixture
    def root(self, folder):
        return read_page(folder / "report.html")

    def test_loads_and_runs_nothing(self, root):
        for element in root.all():
            assert element.tag not in {
                "script",
                "img",
                "iframe",
                "object",
                "embed",
                "base",
                "form",
                "image",
                "foreignobject",
                "a:script",
            }
            for name, value in element.attributes.items():
                assert not name.startswith("on") and name not in {"src", "srcset", "action", "xlink:href"}
                assert name != "href" or value.startswith("#") or value == "data:,", value
                assert re.findall(r"url\((?!#)", value or "") == []
        for style in root.all("style"):
            assert "url(" not in style.text and "@import" not in style.text
        policy = [one.attributes["content"] for one in root.all("meta") if "http-equiv" in one.attributes]
        assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]

    def test_names_are_unique_and_lead_somewhere(self, root):
        names = [one.attributes["id"] for one in root.all() if "id" in one.attributes]
        assert len(names) == len(set(names))
        led = [one.attributes["href"][1:] for one in root.all("a", "use")]
        led += [name for one in root.all() for name in one.attributes.get("aria-labelledby", "").split()]
        led += [
            name
            for one in root.all()
            for value in one.attributes.values()
            for name in re.findall(r"url\(#([^)]+)\)", value or "")
        ]
        assert set(led) - set(names) == set()

    def test_can_be_read_aloud(self, root):
        levels = [int(one.tag[1]) for one in root.all("h1", "h2", "h3", "h4")]
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
        assert len(list(root.all("figure"))) > 4
        for figure in root.all("figure"):
            (picture,) = figure.all("svg")
            assert picture.attributes["role"] == "img"
            assert next(picture.all("title")).text == next(figure.all("h3")).text
            assert len(next(picture.all("desc")).text) > 40
            assert len(list(figure.all("table"))) == 1
        for table in root.all("table"):
            assert next(table.all("caption")).text.strip()
            heads = list(next(table.all("thead")).all("th"))
            assert all(head.attributes["scope"] == "col" for head in heads)
            for row in next(table.all("tbody")).all("tr"):
                assert len(list(row.all("th", "td"))) == len(heads)

    def test_pictures_are_files_as_well(self, folder, root):
        pictures = {path.stem: ET.parse(path).getroot() for path in (folder / "figures").glob("*.svg")}
        assert set(re.findall(r"\]\(figures/([\w-]+)\.svg\)", (folder / "report.md").read_text())) == set(
            pictures
        )
        assert len(pictures) == len(list(root.all("figure")))
        known = {
            "svg",
            "title",
            "desc",
            "style",
            "defs",
            "g",
            "path",
            "use",
            "text",
            "tspan",
            "clipPath",
            "rect",
        }
        for picture in pictures.values():
            assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= known
            assert picture.find(f"{SVG}title").text and picture.find(f"{SVG}desc").text
            assert "prefers-color-scheme:dark" in picture.find(f"{SVG}style").text

    def test_markdown_tables_have_their_columns(self, folder):
        for name in ("report.md", "cases.md"):
            text = (folder / name).read_text(encoding="utf-8")
            tables = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
            assert tables
            for table in tables:
                widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
                assert len(widths) == 1, table
            shown = re.sub(r"^    .*|</?(?:details|summary|code)>", "", text, flags=re.MULTILINE)
            assert "<" not in shown
            assert "](http" not in text


@needs_drawing
class TestHostile:
    def test_markup_is_shown_as_it_is(self, hostile):
        root = read_page(hostile / "report.html")
        for text in files.MARKUP[:5]:
            assert text in root.text
            assert any(text.replace("/", " ") in one.text for one in root.all("desc")), text
        assert "\x00" not in root.text and "\x1b" not in root.text and "\u202e" not in root.text
        # Names that do not fit lose their middle.
        ends = [text.replace("/", " ")[-4:] for text in files.MARKUP[:5]]
        shown = [one.text for one in root.all("text")]
        assert all(any(text.endswith(end) for text in shown) for end in ends)

    def test_simulated_is_said_everywhere(self, hostile):
        root = read_page(hostile / "report.html")
        assert next(root.all("title")).text.startswith("SIMULATED")
        assert next(root.all("h1")).text.startswith("SIMULATED")
        assert "No figure in this report is a measurement" in next(root.all("header")).text
        captions = [one.text for one in root.all("caption")]
        assert captions and all("SIMULATED" in text for text in captions)
        for path in (hostile / "figures").glob("*.svg"):
            marks = [
                one.text
                for one in ET.parse(path).getroot().iter(f"{SVG}text")
                if one.get("class") == "watermark"
            ]
            assert marks == ["SIMULATED"], path
        for name in ("report.md", "cases.md"):
            lines = (hostile / name).read_text(encoding="utf-8").splitlines()
            assert lines[0].startswith("# SIMULATED")
            rules = [index for index, line in enumerate(lines) if line.startswith("| ---")]
            assert rules
            assert all("SIMULATED" in "".join(lines[index - 3 : index]) for index in rules)


@needs_drawing
def test_the_same_files_make_the_same_report(inputs, report, tmp_path):
    arguments = [inputs["run"], inputs["part"], "--base", inputs["base"], "--peers", inputs["peers"]]
    arguments += ["--comparison", inputs["comparison"]]
    again, _ = make(tmp_path / "again", *arguments, seed="7")
    assert contents(again) == contents(report[0])
    assert len(contents(again)) > 10


class TestBadFiles:
    @pytest.mark.parametrize(
        "content",
        [
            "", "{", "[]", "3", "{}", '{"context": {}, "benchmarks": 3}', '{"context": {}, "benchmarks": []}',
            '{"context": {}, "benchmarks": [{}]}', "[" * 200_000, '{"a":' * 200_000, "\udc80",
            '{"context": {}, "benchmarks": [{"name": "\\ud800"}]}',
            '{"context": {}, "benchmarks": [{"name": "a", "run_type": "aggregate"}]}',
        ],
        ids=lambda content: ascii(content[:40]),
    )  # fmt: skip
    def test_no_result(self, content, tmp_path):
        path = tmp_path / "x.json"
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
        self.refused(run(path), 3)

    @pytest.mark.parametrize(
        "value",
        [None, "7", [1], True, -1, float("nan"), float("inf"), 10**400],
        ids=lambda value: str(value)[:9],
    )
    def test_a_time_that_is_no_number(self, value, tmp_path):
        self.refused(run(files.write(tmp_path / "x.json", files.rows("a/b:c", [value]))), 3)

    @pytest.mark.parametrize("value", [float("nan"), 1e300])
    def test_a_counter_that_is_no_number(self, value, tmp_path):
        made = files.rows("a/b:c", [1], bytes_per_second=value)
        self.refused(run(files.write(tmp_path / "x.json", made)), 3)

    def test_a_truncated_file(self, inputs, tmp_path):
        whole = inputs["run"].read_bytes()
        (tmp_path / "x.json").write_bytes(whole[: len(whole) // 2])
        self.refused(run(tmp_path / "x.json"), 3)

    def test_a_compressed_file_that_is_cut_short(self, inputs, tmp_path):
        whole = gzip.compress(inputs["run"].read_bytes())
        (tmp_path / "x.json.gz").write_bytes(whole[: len(whole) // 2])
        self.refused(run(tmp_path / "x.json.gz"), 3)

    def test_a_huge_file(self, tmp_path):
        path = tmp_path / "x.json"
        with path.open("wb") as file:
            file.truncate(1 << 40)
        self.refused(run(path), 3)

    @pytest.mark.parametrize(
        "arguments",
        [[], ["--fast"], ["-x"], ["--out"], ["x.json", "--peers="], ["missing.json"], ["/"], [""]],
        ids=str,
    )
    def test_usage(self, arguments):
        self.refused(run(*arguments), 2)

    @pytest.mark.parametrize(
        "change",
        [
            {"copybench_compare": 2}, {"new": []}, {"new": [{"sha256": "0"}]}, {"cases": 3}, {"cases": [{}]},
            {"cases": [{"name": "a", "verdict": "<b>"}]},
            {"cases": [{"name": "a", "verdict": "same", "time_ns": {"change": float("nan")}}]},
        ],
        ids=str,
    )  # fmt: skip
    def test_a_comparison_that_is_none(self, change, inputs, tmp_path):
        comparison = json.loads(inputs["comparison"].read_text(encoding="utf-8")) | change
        (tmp_path / "x.json").write_text(json.dumps(comparison), encoding="utf-8")
        self.refused(run(inputs["run"], "--comparison", tmp_path / "x.json"), 3)

    def test_simulated_and_measured_do_not_mix(self, inputs, tmp_path):
        other = files.write(tmp_path / "x.json", files.transfer_rows(), simulated="true")
        self.refused(run(inputs["part"], other), 2)
        self.refused(run(inputs["run"], "--base", other), 2)

    @needs_drawing
    def test_nowhere_to_write(self, inputs):
        self.refused(run(inputs["part"], "--out", "/dev/null/x"), 2)

    @staticmethod
    def refused(done, status):
        assert (done.returncode, done.stdout) == (status, "")
        assert done.stderr.startswith("tools/report: ")
        assert done.stderr.count("\n") == 1
        assert len(done.stderr) < 400


class TestTool:
    """The program that finds a Python for it."""

    def test_help(self):
        done = subprocess.run([TOOL, "--help"], capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Usage: tools/report ")
        assert "SPDX" not in done.stdout

    def test_uses_the_environment_that_has_what_it_needs(self, tmp_path):
        (tmp_path / "venv" / "bin").mkdir(parents=True)
        (tmp_path / "venv" / "bin" / "python").symlink_to(sys.executable)
        shutil.copy(TOOL.with_name("requirements-report.txt"), tmp_path / "venv")
        done = subprocess.run(
            [TOOL, "missing.json"],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            cwd=tmp_path,
            env=os.environ | {"COPYBENCH_VENV": str(tmp_path / "venv")},
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "tools/report: missing.json: No such file or directory\n"


def find_browser():
    names = [
        os.environ.get("COPYBENCH_CHROMIUM") or "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ]
    return next(filter(None, map(shutil.which, names)), None)


@needs_drawing
@pytest.mark.skipif(find_browser() is None, reason="no Chromium here; COPYBENCH_CHROMIUM names one")
class TestBrowser:
    @staticmethod
    def open(path, profile):
        """The page as the browser has it in the end, and what it says on its console."""
        done = subprocess.run(
            [
                find_browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", f"--user-data-dir={profile}",
                "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--v=0", "--dump-dom", path.as_uri(),
            ],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    @pytest.mark.parametrize("which", ["report", "hostile"])
    def test_no_word_on_the_console_and_every_figure_there(self, which, request, tmp_path):
        made = request.getfixturevalue(which)
        path = (made[0] if which == "report" else made) / "report.html"
        shown, console = self.open(path, tmp_path)
        assert console == []
        figures = len(re.findall(r"<figure>", path.read_text(encoding="utf-8")))
        assert len(re.findall(r'<svg [^>]*role="img"', shown)) == figures > 4
        assert shown.rstrip().endswith("</html>")

    def test_what_would_be_loaded_is_said_there(self, report, tmp_path):
        """That the test above would fail."""
        broken = tmp_path / "broken.html"
        broken.write_text(
            (report[0] / "report.html")
            .read_text()
            .replace("</main>", '<img src="http://x.invalid/y.png"></main>')
        )
        _, console = self.open(broken, tmp_path)
        assert len(console) == 1 and "x.invalid" in console[0]


@dataclass
class Moved:
    """What the section of strategies looks at in a case of an array in ordinary memory."""

    bytes: int
    median: float
    axes: dict = field(default_factory=lambda: {"mem": "pageable"})


class TestStrategies:
    @pytest.mark.parametrize(
        ("auto", "said"),
        [
            # 25 / 20 is the worst of these, and the last digit of the others no rounding hides.
            ([10.0, 25.0, 30.0], "auto is at most 25.0 % slower than the fastest way (2 KiB). "),
            ([9.0, 20.0, 30.0], "auto is the fastest at every size. "),
            ([], ""),
        ],
    )
    def test_how_far_auto_is_behind(self, auto, said):
        choice = pytest.importorskip("report.sections.strategy_choice")
        strategies = pytest.importorskip("report.sections.strategies")
        sizes = [1024, 2048, 4096]
        chosen = {
            "driver_pageable": [Moved(*case) for case in zip(sizes, [10.0, 40.0, 50.0], strict=True)],
            "staged_parallel": [Moved(*case) for case in zip(sizes, [20.0, 20.0, 30.0], strict=True)],
        }
        if auto:
            chosen["auto"] = [Moved(*case) for case in zip(sizes, auto, strict=True)]
        assert strategies._auto_said(chosen, choice.best_by_size(chosen)) == said


@dataclass
class Chained:
    """What the section of dependent copies looks at in a case."""

    strategy: str
    metric: str
    elements: int
    median: float
    correct: bool = True

    @property
    def axes(self):
        return {"strategy": self.strategy, "metric": self.metric}

    def axis_number(self, _):
        return self.elements


class TestDependentCopies:
    def test_the_best_is_looked_for_where_all_are_measured_and_is_not_the_bound(self):
        rows = [
            # Of 1 element only one has both figures: it would win by that.
            Chained("copy_capacity", "end_to_end", 1, 600), Chained("copy_capacity", "host_blocked", 1, 5),
            Chained("offloaded", "end_to_end", 1, 9), Chained("known_size", "end_to_end", 1, 4),
            Chained("copy_capacity", "end_to_end", 16, 600), Chained("copy_capacity", "host_blocked", 16, 5),
            Chained("offloaded", "end_to_end", 16, 9), Chained("offloaded", "host_blocked", 16, 1),
            # The bound is no way of doing it.
            Chained("known_size", "end_to_end", 16, 4), Chained("known_size", "host_blocked", 16, 0.5),
        ]  # fmt: skip
        dependent = pytest.importorskip("report.sections.dependent")
        found = [(finding.subject, finding.text) for finding in dependent._findings(rows)]
        assert found == [
            (
                "Dependent copy, 16 elements",
                "offloaded has the data first (9 ns); offloaded blocks the host least (1 ns).",
            )
        ]
