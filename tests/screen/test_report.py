"""The report of a battle: all its chapters, in both languages, for every book."""

from __future__ import annotations

import re
from random import Random

import pytest

from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.screen.report import plain, report
from campale.screen.scene import Eyes, eyes


def ended(name: str) -> Game:
    ruleset = load_ruleset(name)
    assert ruleset.starters is not None
    game, rng = Game(ruleset, ruleset.starters()[0], "report", marks="last"), Random("report")
    while not game.is_over:
        side = game.asked[0]
        game.answer(side, game.pending[side].sample(rng))
    return game


def told_by(game: Game, language: str) -> tuple[Eyes, list[Event]]:
    seen = (event.as_seen_by(None) for event in game.journal)
    return eyes(game, None, language), [event for event in seen if event is not None]


@pytest.mark.parametrize("name", ruleset_names())
def test_a_report_has_all_its_chapters_in_both_languages(name: str) -> None:
    game = ended(name)
    for language, chapters in (
        ("en", ["The set-up", "The armies", "The battle", "The end", "Losses", "The dice"]),
        ("it", ["La preparazione", "Le armate", "La battaglia", "La fine", "Perdite", "I dadi"]),
    ):
        told = report(*told_by(game, language), [("Mission | x", "Hold *it*", "")])
        assert re.findall(r"^## (.*)$", told, re.M) == chapters
        assert "- Mission \\| x: Hold \\*it\\*" in told
        assert len(re.findall(r"^\| ", told, re.M)) > 1
        assert len([line for line in told.splitlines() if line.startswith("- ")]) > 8


def test_a_model_bought_alone_has_its_name_in_the_language_of_the_report() -> None:
    game = ended("ragnarok")
    for language in ("en", "it"):
        seen, events = told_by(game, language)
        told = report(seen, events, []).partition("## ")[2].partition("### ")[2].partition("\n## ")[0]
        alone = [line.removeprefix("- ") for line in told.splitlines() if line.startswith("- ")]
        assert sorted(alone) == sorted(plain(seen.teller.model(row)) for row in range(len(game.position.models)))


@pytest.mark.parametrize("name", ruleset_names())
def test_every_loss_is_told(name: str) -> None:
    game = ended(name)
    told = report(*told_by(game, "en")).partition("## Losses")[2].partition("## The dice")[0]
    assert told.count("\n- ") == len(game.position.losses)


@pytest.mark.parametrize("name", ruleset_names())
@pytest.mark.parametrize("language", ["en", "it"])
def test_who_caused_a_loss_is_who_the_journal_says(name: str, language: str) -> None:
    game = ended(name)
    seen, events = told_by(game, language)
    heading = {"en": "## Losses", "it": "## Perdite"}[language]
    lines = report(seen, events, []).partition(heading)[2].partition("\n## ")[0].split("\n- ")[1:]
    removed = [event.values["by"] for event in game.journal if event.kind == "remove"]
    for line, by in zip(lines, removed, strict=True):
        assert ("(" in line.rpartition(":")[2]) is (by >= 0)
        assert by < 0 or line.strip().endswith(f"({plain(seen.teller.value('by', by))})")


@pytest.mark.parametrize("name", ruleset_names())
def test_the_words_read_an_author_as_the_ruleset_counts_it(name: str) -> None:
    seen, _ = told_by(ended(name), "en")
    assert "by" in seen.teller.fields[seen.position.ruleset.authors]


def test_a_text_cannot_format_itself() -> None:
    assert plain("<b>*x*</b>\n# no") == "\\<b\\>\\*x\\*\\</b\\> \\# no"
