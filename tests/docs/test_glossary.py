"""The glossary: the same table in both languages, and what it says is never said stands in no words file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from tools.readme import ROOT

from campale.referee.telling.words import LANGUAGES, PLACEHOLDER

MARKER = re.compile(r"\.at-first$|\.acts$|^standing-orders|^fields\.|^alias\.|^each\.|^chained|^ask\.typed\.")
"""Keys whose words are read by the page and not by players, or are what is typed."""
NUMBERS = "count|hits|shots|models|units|dice|measured|pairs|battles|answers|minutes|seconds"
COUNTED = re.compile(rf"\{{({NUMBERS})\}} ([a-z]+s)\b")
"""A number and a plural: one of them would read badly."""
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", re.DOTALL)
ABOUT_CODE = (
    "glossary.md",
    "adding-a-ruleset.md",
    "aggiungere-un-regolamento.md",
    "architecture.md",
    "architettura.md",
)
OTHERWISE_MEANT = ("la forza", "a sorte", "models lost")
"""Phrases that the guides need in another sense: strength, what is drawn, a count of losses."""
STRENGTH_AND_SAVE = ("la forza", "una forza", "la salvezza")
IN_LEDGERS = (*STRENGTH_AND_SAVE, "un dado a", "dadi a", "dice with", "modelli persi", "models lost")
"""Phrases that the rules need in another sense: characteristics, dice of six faces, models that are counted."""
PLURAL = re.compile(r"\{(\w+)\|([^|{}]*)\|([^|{}]*)\}")


class Term(NamedTuple):
    what: str
    english: str
    italian: str
    never_english: list[str]
    never_italian: list[str]

    def never(self, language: str) -> list[str]:
        return self.never_english if language == "en" else self.never_italian


def terms(language: str) -> list[Term]:
    lines = (ROOT / "docs" / language / "glossary.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    assert all(len(row) == 5 for row in rows)
    phrases = [[[one.strip() for one in cell.split(",") if one.strip()] for cell in row[3:]] for row in rows[1:]]
    return [Term(row[0], row[1], row[2], *never) for row, never in zip(rows[1:], phrases, strict=True)]


def folders() -> list[Path]:
    found = [path.parent for path in (ROOT / "src").rglob("words/**/en.json")]
    return [*sorted((ROOT / "web" / "src").rglob("words")), *sorted(found)]


def messages(folder: Path, language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / f"{language}.json").read_text("utf-8"))
    return {key: text for key, text in found.items() if not MARKER.search(key)}


def named(folder: Path) -> str:
    return str(folder.relative_to(ROOT))


def says(phrase: str) -> re.Pattern[str]:
    """A phrase as whole words, whatever stands about it."""
    return re.compile(rf"(?<![\w']){re.escape(phrase)}(?!\w)", re.IGNORECASE)


def test_both_languages_have_the_same_table() -> None:
    first, second = (terms(language) for language in LANGUAGES)
    assert [one[1:] for one in first] == [one[1:] for one in second]
    assert len(first) > 20
    assert len({one.english for one in first}) == len(first)


def test_a_phrase_is_found_as_whole_words() -> None:
    assert says("by lot").search("Placed By lot.")
    assert not says("libro").search("calibro")
    assert not says("mend").search("amendment")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", folders(), ids=named)
def test_what_is_never_said_stands_nowhere(folder: Path, language: str) -> None:
    never = [phrase for term in terms(language) for phrase in term.never(language)]
    said = [
        (key, phrase)
        for key, text in messages(folder, language).items()
        for phrase in never
        if says(phrase).search(PLACEHOLDER.sub("·", text))
    ]
    assert said == []


def guides(language: str) -> list[Path]:
    return [path for path in sorted((ROOT / "docs" / language).glob("*.md")) if path.name not in ABOUT_CODE]


@pytest.mark.parametrize("path", [*guides("en"), *guides("it")], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_guides_keep_to_it(path: Path) -> None:
    never = [one for term in terms(path.parent.name) for one in term.never(path.parent.name)]
    text = CODE.sub("·", path.read_text("utf-8"))
    assert [one for one in never if one not in OTHERWISE_MEANT and says(one).search(text)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "src/campale/rulesets").glob("*/rules*.yaml")), ids=named)
def test_the_texts_of_the_rules_keep_to_it(path: Path) -> None:
    language = "it" if path.name == "rules.it.yaml" else "en"
    text = " ".join(path.read_text("utf-8").split())
    never = [one for term in terms(language) for one in term.never(language)]
    assert [one for one in never if one not in IN_LEDGERS and says(one).search(text)] == []


@pytest.mark.parametrize("folder", folders(), ids=named)
def test_one_of_something_is_told_in_the_singular(folder: Path) -> None:
    english = messages(folder, "en")
    unworded = [
        (key, found[0])
        for key, text in english.items()
        if f"{key}.one" not in english
        for found in COUNTED.finditer(text)
        if f"{{{found[1]}|" not in text
    ]
    assert unworded == []


@pytest.mark.parametrize("folder", folders(), ids=named)
def test_plural_forms_are_whole_and_their_numbers_are_told(folder: Path) -> None:
    """Where English has a form for one, Italian has one too, or puts the number where it does not matter."""
    languages = [messages(folder, language) for language in LANGUAGES]
    for texts in languages:
        for key, text in texts.items():
            assert "|" not in PLURAL.sub("", text).replace(" | ", ""), key
            for name, one, many in PLURAL.findall(text):
                assert one.strip(), (key, name)
                assert many.strip(), (key, name)
                assert one != many, (key, name)
    for key in languages[0]:
        placed = [set(PLACEHOLDER.findall(texts[key])) for texts in languages]
        assert placed[0] == placed[1], key
    ones = [{key for key in texts if key.endswith(".one")} for texts in languages]
    assert ones[0] == ones[1]
