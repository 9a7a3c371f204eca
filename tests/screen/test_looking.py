"""What is shown of a model: for every book, in both languages, nothing untold and nothing that may not be known."""

from __future__ import annotations

from random import Random

import pytest

from campale.referee.game import Game
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.screen.looking import card, look

LANGUAGES = ("en", "it")


def begun(name: str, answers: int = 120) -> Game:
    ruleset = load_ruleset(name)
    assert ruleset.starters is not None
    game, rng = Game(ruleset, ruleset.starters()[0], "look"), Random("look")
    for _ in range(answers):
        if game.is_over:
            break
        side = game.asked[0]
        game.answer(side, game.pending[side].sample(rng))
    return game


@pytest.mark.parametrize("name", ruleset_names())
def test_a_look_at_every_model_is_told_in_words(name: str) -> None:
    game = begun(name)
    sign = "″" if game.ruleset.unit == "inch" else " cm"
    for language in LANGUAGES:
        for row in range(len(game.position.names)):
            found = look(game, 0, row, language)
            assert found is not None
            assert found.card.title
            titles = [one.title for one in found.card.line] + [c for t in found.card.tables for c in t.columns[1:]]
            assert all(title and "_" not in title and "." not in title for title in titles), titles
            assert all("_" not in cell for table in found.card.tables for row_ in table.rows for cell in row_)
            assert all(one.text.endswith(sign) for one in found.rings)


@pytest.mark.parametrize("name", [name for name in ruleset_names() if load_ruleset(name).sight is not None])
def test_who_is_looked_at_sees_the_other_side_nearest_first(name: str) -> None:
    game = begun(name)
    model = game.position.on_table(0)[0]
    found = look(game, 0, model.row, "en")
    assert found is not None
    assert [one.model for one in found.sightings] != []
    assert all(game.position.side_of[one.model] == 1 for one in found.sightings)
    assert [one.distance for one in found.sightings] == sorted(one.distance for one in found.sightings)
    for one in found.sightings:
        free = sum(ray.is_clear for ray in one.rays)
        assert all(ray.is_clear == (ray.stops is None) for ray in one.rays)
        assert one.sees != "clear" or free > 0
        assert one.rule is not None
        assert all(each.text and each.text in one.text and each.rule is not None for each in one.barred)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name for name in ruleset_names() if load_ruleset(name).sight is not None])
def test_whoever_is_not_seen_is_said_to_be_blocked_or_barred(name: str, language: str) -> None:
    game = begun(name)
    told = 0
    for model in game.position.on_table(0):
        found = look(game, 0, model.row, language)
        assert found is not None
        for one in found.sightings:
            is_stopped = bool(one.blockers) and not any(ray.is_clear for ray in one.rays)
            assert one.sees != "unseen" or one.barred or is_stopped or one.rays[0].stops is not None, one.text
            assert "refusal." not in one.text
            told += bool(one.barred)
    assert told


@pytest.mark.parametrize("name", ruleset_names())
def test_there_is_nothing_to_see_of_a_row_that_is_none(name: str) -> None:
    game = begun(name, 10)
    assert look(game, 0, len(game.position.names), "en") is None
    assert look(game, 0, -1, "en") is None


@pytest.mark.parametrize("name", ruleset_names())
def test_the_card_of_a_model_in_no_battle_is_that_of_its_profile(name: str) -> None:
    game = begun(name, 40)
    model = game.position.on_table(0)[0]
    alone = card(model, "en")
    looked = look(game, 0, model.row, "en")
    assert looked is not None
    assert [one.key for one in alone.line] == [one.key for one in looked.card.line]
    assert alone.tables == looked.card.tables
