"""The report: one page that needs nothing else, in both languages, and safe against whatever names a file brings."""

from __future__ import annotations

import os
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from campale.cli import app
from campale.lab import charts
from campale.lab.errors import LabError
from campale.lab.findings import EVEN, OPEN, findings
from campale.lab.plan import Plan
from campale.lab.planning import plan_of
from campale.lab.report import HERE, report
from campale.referee.words import words
from campale.simulate.intervals import Interval
from tests.lab.conftest import REAL, Write, play


class Reader(HTMLParser):
    """What is in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") or name.startswith("on"):
                assert value is not None
                assert value.startswith("#"), (tag, name, value)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture
def played(tmp_path: Path, toy: Plan) -> Path:
    play(tmp_path / "out", toy)
    return tmp_path / "out"


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_page_that_needs_nothing_else(played: Path, language: str) -> None:
    page = report(played, language)
    read = Reader(page)
    assert not {"script", "link", "iframe", "img"} & set(read.tags)
    assert read.tags.count("svg") >= 2
    assert "lab." not in " ".join(read.text)
    assert "{" not in re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)
    known = words(language, HERE / "words")
    assert all(known.say(f"lab.{key}") in page for key in ("answer", "scores", "differences", "methods"))


@pytest.mark.parametrize("language", ["en", "it"])
def test_both_intervals_stand_side_by_side_and_are_told_apart(played: Path, language: str) -> None:
    page, known = report(played, language), words(language, HERE / "words")
    for one in findings(played).variants:
        for found in (one.score, one.won):
            value, low, high = map(known.percent, found)
            assert f'<td class="number">{value} [{low}; {high}]</td>' in page
    assert escape(known.say("lab.two-intervals")) in page
    assert known.say("lab.won-chart") in page


def test_what_it_could_have_noticed_is_told_of_every_answer(played: Path) -> None:
    """Of variant 0 always; of a change, unless it is seen."""
    page, told = report(played), "Of ten such experiments eight would notice"
    changes = [one.change for one in findings(played).variants[1:]]
    assert page.count(told) == 1 + sum(change in (OPEN, EVEN) for change in changes)


def test_the_same_results_give_the_same_page(played: Path) -> None:
    assert report(played) == report(played)


def test_italian_numbers_have_a_comma(played: Path) -> None:
    assert re.search(r"\d,\d %|\d,\d%", report(played, "it"))
    assert not re.search(r"\d\.\d%", report(played, "it"))


@pytest.mark.parametrize("language", ["en", "it"])
def test_units_of_a_real_book_are_told(tmp_path: Path, write: Write, language: str) -> None:
    play(tmp_path / "out", plan_of(write(REAL)))
    page = report(tmp_path / "out", language)
    known = words(language, HERE / "words")
    assert all(escape(known.say(f"lab.{key}")) in page for key in ("units", "worth-note", "alive-chart", "remarkable"))
    assert "Pathfinder" in page
    assert "campale lab replay out --battle " in page
    assert "200 – 200" in page


@pytest.mark.usefixtures("raid")
def test_names_from_files_stay_text(tmp_path: Path, write: Write) -> None:
    hostile = '<script>alert("1")</script> $\\frac{1}{0}$'
    plan = plan_of(write(title=hostile, vary={"options.short": [False, True]}))
    play(tmp_path / "out", plan)
    page = report(tmp_path / "out")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    drawn = charts.intervals("title", [(hostile, Interval(0.5, 0.4, 0.6))], 0.5)
    assert "<script" not in drawn
    assert "frac" in drawn


def test_an_experiment_that_is_not_at_its_end_says_so(tmp_path: Path, toy: Plan, played: Path) -> None:
    from campale.lab.keeping import Folder, Kept

    warning = words("en", HERE / "words").say("lab.unfinished")
    assert warning not in report(played)
    folder = Folder(played, Kept(toy))
    folder.write_tables(range(4), is_complete=False)
    folder.close()
    assert warning in report(played)


def test_a_run_that_was_killed_is_reported_as_far_as_it_came(played: Path) -> None:
    journal = played / "rows.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    for table in ("battles.parquet", "units.parquet"):
        (played / table).unlink()
    journal.write_bytes(b"".join(lines[:5]) + lines[5][:9])
    page = report(played)
    assert words("en", HERE / "words").say("lab.unfinished") in page
    assert pq.read_metadata(played / "battles.parquet").num_rows == 5
    whole = (played / "battles.parquet").stat().st_mtime_ns
    assert report(played) == page
    assert (played / "battles.parquet").stat().st_mtime_ns == whole


def test_who_is_at_work_is_left_alone(played: Path, toy: Plan) -> None:
    from campale.lab.keeping import Folder, Kept

    folder = Folder(played, Kept(toy))
    try:
        os.utime(played / "rows.jsonl", (2e9, 2e9))
        assert report(played)
        (played / "battles.parquet").unlink()
        with pytest.raises(LabError, match="at-work"):
            report(played)
    finally:
        folder.close()


def test_the_command_writes_the_page(played: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["lab", "report", str(played)])
    assert done.exit_code == 0, done.output
    assert (played / "report.html").read_text("utf-8") == report(played)


def test_the_command_says_what_is_no_folder_of_results(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["lab", "report", str(tmp_path)])
    assert done.exit_code != 0
    assert "no results" in done.output
    assert "Traceback" not in done.output
