"""What is refused says why in a sentence of its own, and cites the rule that forbids just that."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

import pytest

from campale.conformance.playing import asked, begun
from campale.referee.game import Game
from campale.referee.question import Question
from campale.referee.refusal import Refusal
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.words import LANGUAGES, words

Places = list[list[float]]
Wrong = Callable[[Game, Places], Places]


def off_the_table(game: Game, there: Places) -> Places:
    return [[-20.0, *place[1:]] for place in there]


def across_the_table(game: Game, there: Places) -> Places:
    ground = game.position.ground
    return [[ground.width - x, ground.depth - y, *rest] for x, y, *rest in there]


def on_another_model(game: Game, there: Places) -> Places:
    """All of them as they were, but the first on a model of the same side."""
    other = next(model for model in game.position.on_table() if model.side == game.pending[game.asked[0]].side)
    return [[*other.at, *there[0][2:]], *there[1:]]


ZONE = "It must be deployed wholly in your deployment zone."
TRIES: list[tuple[str, Wrong, str, str]] = [
    ("ragnarok", off_the_table, "deployment/zone", "The whole base must be in your own deployment zone."),
    ("ragnarok", across_the_table, "deployment/zone", "The whole base must be in your own deployment zone."),
    ("ragnarok", on_another_model, "deployment/zone", "Another model is in the way."),
    ("e55", off_the_table, "10.1/table", "It would leave the table."),
    ("e55", across_the_table, "10.3/zone", "It is not wholly within your deployment zone."),
    ("e55", on_another_model, "1.1/model-is-its-base", "Two bases would overlap."),
    ("e3m", off_the_table, "setup/deployment", ZONE),
    ("e3m", across_the_table, "setup/deployment", ZONE),
    ("e3m", on_another_model, "base-move/through-models", "A model cannot move through other models, or end on them."),
    ("w10", off_the_table, "deployment/deploy", "The unit must be set up wholly within your deployment zone."),
    ("w10", across_the_table, "deployment/deploy", "The unit must be set up wholly within your deployment zone."),
    (
        "w10",
        on_another_model,
        "movement-phase/moving-models",
        "A model cannot move through enemy models, end on other models or leave the battlefield.",
    ),
    ("wzr", off_the_table, "setup/deployment", ZONE),
    ("wzr", across_the_table, "setup/deployment", ZONE),
    ("wzr", on_another_model, "movement/basic", "A model cannot move through other models, or end on them."),
]


@lru_cache(maxsize=8)
def deploying(book: str) -> tuple[Game, Question, Places]:
    """A battle at the second deployment of the side that begins, with the places that are proposed."""
    game = begun(book, 0, seed="refusals")
    for question in asked(game, Random("refusals")):
        own = [model for model in game.position.on_table() if model.side == question.side]
        if question.prompt == "deploy" and own:
            return game, question, [list(place) for place in question.suggestions()[0]]
    raise AssertionError(f"{book} deploys nobody")


@pytest.mark.parametrize(("book", "wrong", "rule", "sentence"), TRIES)
def test_a_place_is_refused_for_what_is_wrong_with_it(book: str, wrong: Wrong, rule: str, sentence: str) -> None:
    game, question, there = deploying(book)
    assert question.refusal(there) is None
    refusal = question.refusal(wrong(game, there))
    assert refusal is not None
    assert (refusal.rule, said(book, refusal)) == (rule, sentence)


NO_CHARGE = "It may not charge this turn because of the weapon it fired or the way it arrived."
TARGET_FLIES = "The target is flying: only a flying unit can charge it."
SURPLUS = "Every model takes one hit before any takes a second: this one would have 2, at most 1."
SENTENCES: list[tuple[str, Refusal, str]] = [
    ("ragnarok", Refusal("move/no-crossing", word="in-the-way"), "Another model is in the way."),
    ("ragnarok", Refusal("move/no-crossing", word="impassable"), "Impassable terrain is in the way."),
    ("ragnarok", Refusal("move/no-crossing", word="off-the-table"), "It would leave the table."),
    ("ragnarok", Refusal("fire/sequence", word="out-of-sight"), "The target is out of sight."),
    ("ragnarok", Refusal("fire/sequence"), "There is no target in sight."),
    ("e55", Refusal("9.1.1/heavy"), "A heavy weapon cannot fire after a move."),
    ("e55", Refusal("9.1.1/heavy", word="no-charge"), NO_CHARGE),
    ("e55", Refusal("9.1.1/rapid-fire", word="no-charge"), NO_CHARGE),
    ("e55", Refusal("10.5/deep-strike", word="no-charge"), NO_CHARGE),
    ("e55", Refusal("6.4/flying-infantry-charge", word="target-flies"), TARGET_FLIES),
    ("e55", Refusal("6.4/flying-infantry-charge", word="charger-flies"), "A flying unit can charge only flying units."),
    ("e55", Refusal("3.1.2/impassable", word="impassable"), "Impassable terrain is in the way."),
    ("e3m", Refusal("fire/surplus-hits", measured=2, limit=1), SURPLUS),
    ("e3m", Refusal("base-move/normal-infantry", measured=7, limit=6), "The unit cannot move that far."),
    ("e3m", Refusal("orders/march", measured=20, limit=18), "The unit cannot march that far."),
    ("w10", Refusal("objectives/marker"), "No model can end a move on an objective marker."),
    ("w10", Refusal("core-concepts/unit-coherency"), "The unit would be out of coherency."),
    ("wzr", Refusal("turn/action-points", measured=1, limit=2), "Not enough AP: 1 left, 2 needed."),
    ("wzr", Refusal("vehicles/rotation", measured=163, limit=90), "The vehicle turns at most 90°, not 163°."),
    ("wzr", Refusal("cards/burn-cost", measured=1, limit=3), "Not enough Resource cards ready: 1, 3 needed."),
    ("wzr", Refusal("actions/walk", measured=20.1, limit=3), "The model cannot walk that far."),
]


@pytest.mark.parametrize(("book", "refusal", "sentence"), SENTENCES)
def test_a_rule_that_forbids_says_so(book: str, refusal: Refusal, sentence: str) -> None:
    assert said(book, refusal) == sentence
    assert refusal.rule in load_ruleset(book).ledger.entries
    italian = said(book, refusal, "it")
    assert italian not in (sentence, Teller(load_ruleset(book), "it").rule(refusal.rule))


@pytest.mark.parametrize("book", ["ragnarok", "e55", "e3m", "w10", "wzr"])
def test_what_has_a_sentence_is_a_rule_or_a_word(book: str) -> None:
    """No sentence is left of a rule that is there no longer, and both languages have the same."""
    ruleset = load_ruleset(book)
    for language in LANGUAGES:
        keys = words(language, ruleset.folder / "words").messages
        rules = [key.removeprefix("refusal.") for key in keys if key.startswith("refusal.") and "/" in key]
        assert [id for id in rules if id not in ruleset.ledger.entries] == []


def said(book: str, refusal: Refusal, language: str = "en") -> str:
    """The sentence alone, without who, where and the rule."""
    return Teller(load_ruleset(book), language).refusal(refusal).partition(" (")[0].partition(" [")[0]
