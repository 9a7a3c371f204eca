"""From the ledger to the code and the tests, and back."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import campale.rulesets
from campale.referee.ledgers import trace
from campale.referee.ledgers.ledger import ITALIAN, italian_texts
from campale.referee.ruleset import load_ruleset

BOOKS = Path(campale.rulesets.__file__).parent
CITED = re.compile(r"[a-z0-9.-]+/[a-z0-9-]+")
THOUSANDS = re.compile(r"(?<=\d)[,.\u00a0 ](?=\d{3}(?!\d))")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def test_what_is_cited_is_in_the_ledger(name: str) -> None:
    assert trace.gaps(load_ruleset(name)).unknown == ()


def test_every_entry_is_in_code_and_in_a_test(name: str) -> None:
    """Where the ruleset says that it is complete."""
    ruleset = load_ruleset(name)
    if ruleset.is_complete:
        found = trace.gaps(ruleset)
        assert found.uncoded == ()
        assert found.untested == ()


def test_every_entry_is_told_in_italian_too(name: str) -> None:
    """Of the books that are shipped: its text, and its ruling where it has one."""
    ruleset = load_ruleset(name)
    entries = ruleset.ledger.entries.values()
    if ruleset.is_complete and ruleset.folder.parent == BOOKS and not ruleset.folder.name.startswith("_"):
        assert [one.id for one in entries if not one.text_it or bool(one.ruling) is not bool(one.ruling_it)] == []
    known = italian_texts(ruleset.folder / ITALIAN)
    assert set(known) <= set(ruleset.ledger.entries)
    assert {name for told in known.values() for name in told} <= {"text_it", "ruling_it"}


def numbers(text: str | None) -> list[str]:
    """The numbers of a text, without those of the rules it names."""
    plain = THOUSANDS.sub("", CITED.sub("", text or ""))
    return sorted(found.replace(",", ".") for found in NUMBER.findall(plain))


def test_numbers_are_read_in_both_languages() -> None:
    assert numbers("1,250 points and 1.5″, see 10.3/zone") == numbers("1 250 punti e 1,5″") == ["1.5", "1250"]


def test_every_entry_has_the_same_numbers_in_italian(name: str) -> None:
    for one in load_ruleset(name).ledger.entries.values():
        assert not one.text_it or numbers(one.text_it) == numbers(one.text), one.id
        assert not one.ruling_it or numbers(one.ruling_it) == numbers(one.ruling), one.id


def test_the_table_of_contents_is_up_to_date(name: str) -> None:
    ruleset = load_ruleset(name)
    if ruleset.is_complete:
        written = trace.coverage_path(ruleset).read_text(encoding="utf-8")
        assert written == trace.coverage(ruleset), (
            f"run: python -m campale.referee.ledgers.trace {trace.package_of(ruleset)}"
        )


def test_a_citation_says_where_it_stands() -> None:
    (citation,) = trace.citations(load_ruleset("_template"))["fire/half-range"]
    assert (citation.module, citation.function) == ("fire", "beyond_half_range")
    lines = citation.path.read_text(encoding="utf-8").splitlines()
    assert "fire/half-range" in lines[citation.lines[0] - 1]
    assert "profile.range / 2" in lines[citation.lines[1] - 1]


def test_tests_are_found_by_what_they_cover() -> None:
    found = trace.tests_of(load_ruleset("_template"))
    assert "test_battle.py::test_beyond_half_range_it_is_one_harder" in found["fire/half-range"]


def test_the_tests_of_every_ruleset_are_at_hand(name: str) -> None:
    assert trace.tests_folder(load_ruleset(name)) is not None


SOURCE = """
x = 1  # fire/range
y = 2  # fire/range, move/bases
z = 3  # what fire/range says
# fire/range
s = "# fire/range"
"""


def test_only_a_trailing_comment_of_nothing_but_ids_cites(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(SOURCE, encoding="utf-8")
    assert list(trace.cited_lines(path)) == [(2, ["fire/range"]), (3, ["fire/range", "move/bases"])]


TESTS = """
import pytest
from pytest import mark
covers = mark.covers
pytestmark = [mark.covers("a/all")]

@pytest.mark.covers("a/one", "a/two")
def test_one(): ...

@covers("b/class")
class TestTwo:
    @mark.covers("b/two")
    def test_two(self): ...

def helper(): ...
"""


def test_markers_are_read_however_they_are_imported() -> None:
    assert dict(trace.covered_in(ast.parse(TESTS))) == {
        "test_one": ("a/all", "a/one", "a/two"),
        "TestTwo::test_two": ("a/all", "b/class", "b/two"),
    }


@pytest.mark.parametrize("rules", ["rules: [a/one, a/two]\n", "rules:\n  - a/one\n  - a/two\n", "rules: a/one a/two\n"])
def test_scenario_files_cover_what_their_rules_say(tmp_path: Path, rules: str) -> None:
    (tmp_path / "one.yaml").write_text(f"title: x\n{rules}play: [b/no]\n", encoding="utf-8")
    assert list(trace.by_scenarios(tmp_path)) == [("a/one", "one.yaml"), ("a/two", "one.yaml")]


def test_a_scenario_of_the_rulesets_own_folder_is_a_test_and_no_code(tmp_path: Path) -> None:
    drill = load_ruleset("drill")
    (tmp_path / trace.SCENARIOS).mkdir()
    (tmp_path / trace.SCENARIOS / "one.yaml").write_text("rules: [hand/smoke]\n", encoding="utf-8")
    moved = drill.replacing(folder=tmp_path)
    assert trace.tests_of(moved) == {"hand/smoke": ["one.yaml"]}
    assert list(trace.by_data(moved)) == []


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    entry = "  - {id: %s, title: {en: A, it: A}, kind: %s, text: A}\n"
    rows = [("a/flavour", "flavour"), ("a/example", "example"), ("hand/smoke", "mechanic"), ("a/new", "mechanic")]
    ledger = "ruleset: drill\ntitle: {en: A, it: A}\nrules:\n" + "".join(entry % row for row in rows)
    (tmp_path / "rules.yaml").write_text(ledger, encoding="utf-8")
    found = trace.gaps(load_ruleset("drill").replacing(folder=tmp_path))
    assert "hand/draw" in found.unknown
    assert found.uncoded == ("a/new",)
    assert found.untested == ("a/example", "hand/smoke", "a/new")
