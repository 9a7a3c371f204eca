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
from campale.referee.telling.words import words
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
            assert f'<td class="number">{value} <small>[{low}; {high}]</small></td>' in page
    assert escape(known.say("lab.two-intervals")) in page
    assert known.say("lab.won-chart") in page


def test_what_it_could_have_noticed_is_told_of_every_answer(played: Path) -> None:
    """Of variant 0 always; of a change, unless it is seen."""
    page, told = report(played), "Eight out of ten such experiments would notice"
    changes = [one.change for one in findings(played).variants[1:]]
    assert page.count(told) == 1 + sum(change in (OPEN, EVEN) for change in changes)


@pytest.mark.parametrize("language", ["en", "it"])
def test_labels_stand_in_the_answer_in_tables_and_in_charts(
    tmp_path: Path, raid: object, write: Write, language: str
) -> None:
    short = [{"label": "Long night", "value": False}, {"label": "Short night", "value": True}]
    play(tmp_path / "out", plan_of(write(vary={"options.short": short})))
    page = report(tmp_path / "out", language)
    assert "options.short" not in page
    for row in ("Long night", "Short night"):
        assert f'<th scope="row">{row}</th>' in page
        assert re.search(f"<text [^>]*>{row}</text>", page)
    change = findings(tmp_path / "out").variants[1]
    key = {OPEN: "cannot-tell", EVEN: "no-matter"}.get(change.change, "gains")
    said = words(language, HERE / "words").say(f"lab.{key}", label="Short night", base="Long night", difference="@")
    assert escape(said.split("@")[0]) in page


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_mirror_match_is_said_to_be_no_aa_test(tmp_path: Path, write: Write, played: Path, language: str) -> None:
    """Both seats of a seed are the same battle: each pair comes to one half."""
    told = escape(words(language, HERE / "words").say("lab.mirror"))
    mirror = write(REAL, second=dict(REAL["first"]), battles=4)
    play(tmp_path / "mirror", plan_of(mirror))
    assert findings(tmp_path / "mirror").variants[0].pairs == [0.5, 0.5]
    assert told in report(tmp_path / "mirror", language)
    assert told not in report(played, language)


def test_the_answer_tells_the_difference_of_points(tmp_path: Path, write: Write) -> None:
    more = [{"label": "Three", "value": 3}, {"label": "Five", "value": 5}]
    play(tmp_path / "out", plan_of(write(REAL, vary={"first.force.models[raider].count": more})))
    told = report(tmp_path / "out")
    assert told.count("Both armies cost 200 points.") == 1
    assert told.count(escape("First's army costs 228 points, second's 200: 28 more.")) == 1
    assert told.count(escape("This makes first's army 28 points dearer.")) == 1
    play(tmp_path / "back", plan_of(write(REAL, vary={"second.force.models[steam_rifleman].count": [4, 3]})))
    told = report(tmp_path / "back")
    assert escape("This makes second's army ") in told
    assert "points cheaper." in told


def test_worth_found_with_a_player_at_random_is_warned_of(tmp_path: Path, write: Write) -> None:
    warning = escape(words("en", HERE / "words").say("lab.worth-random"))
    play(tmp_path / "random", plan_of(write(REAL)))
    assert warning in report(tmp_path / "random")
    keen = {name: {**REAL[name], "player": "greedy"} for name in ("first", "second")}
    play(tmp_path / "greedy", plan_of(write(REAL, **keen)))
    assert warning not in report(tmp_path / "greedy")
    half = keen | {"second": REAL["second"]}
    play(tmp_path / "half", plan_of(write(REAL, **half)))
    assert warning in report(tmp_path / "half")


def test_names_that_end_otherwise_stay_apart_in_charts() -> None:
    long = "first.force.units[rifles].models[captain].equipment" * 2
    one, other = (charts.short(long + end) for end in ("=1", "=2"))
    assert one != other
    assert max(len(line) for line in one.split("\n")) <= charts.LONGEST
    assert len(one.split("\n")) == 2
    assert charts.short("Three raiders") == "Three raiders"


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
