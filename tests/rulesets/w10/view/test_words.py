"""What the journal tells of units, formations and cards, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.answers import DONE
from campale.referee.journal import Event
from campale.referee.question import Choose
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import actor, lines
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.w10.basics.units import PHASE_FACTS, TURN_FACTS
from campale.rulesets.w10.battle.secondary import DECK, show
from tests.rulesets.w10.kit import squad, table


def teller(language: str) -> Teller:
    return Teller(load_ruleset("w10"), language, ["A", "B"], ["Guards", "Foes"])


def told(language: str, kind: str, **values: Any) -> str:
    return " ".join(line.text for line in lines([Event(kind, values, ())], teller(language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_unit_has_done_has_words_and_is_told_as_they_say(language: str) -> None:
    words = teller(language).words
    facts = {*TURN_FACTS, *PHASE_FACTS}
    assert [fact for fact in sorted(facts) if not words.has(f"marker.{fact}")] == []
    assert [fact for fact in sorted(facts) if not words.has(f"event.mark.{fact}")] == []


@pytest.mark.parametrize(
    ("reserves", "says"),
    [([], "Rosso ha dichiarato le formazioni. Nessuna unità in Riserva."), ([0], "In Riserva: Guards.")],
)
def test_formations_without_reserves_are_told_as_such(reserves: list[int], says: str) -> None:
    assert told("it", "formations", side=0, led=[], reserves=reserves).endswith(says)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("card", DECK)
def test_whoever_gets_a_card_reads_what_it_asks_for(language: str, card: str) -> None:
    position = table(squad("captain"))
    show(position, 0, card)
    event = position.journal.events[-1]  # type: ignore[union-attr]
    wanted = teller(language).words.say(f"wants.{card}")
    assert wanted in told(language, event.kind, **event.values)


@pytest.mark.parametrize(
    ("language", "models", "says"),
    [
        ("it", [0], "✚ Guards: di nuovo nell'unità: A."),
        ("it", [0, 1], "✚ Guards: di nuovo nell'unità: A, B."),
        ("en", [0], "✚ Guards: back in the unit: A."),
    ],
)
def test_one_model_that_returns_is_not_told_as_several(language: str, models: list[int], says: str) -> None:
    assert told(language, "returned", unit=0, models=models) == says


@pytest.mark.parametrize(
    ("language", "says"), [("en", "Guards, Feel No Pain"), ("it", "Guards, Insensibile al Dolore")]
)
def test_the_name_of_an_ability_keeps_its_capital_in_a_roll(language: str, says: str) -> None:
    assert actor({"unit": 0, "why": "feel-no-pain"}, teller(language)) == says


@pytest.mark.parametrize(
    ("prompt", "says"),
    [("scout-unit", "fine dei movimenti da Esploratori"), ("charging-unit", "fine della fase")],
)
def test_whoever_scouts_no_more_ends_those_moves_and_no_phase(prompt: str, says: str) -> None:
    assert teller("it").option(Choose(0, prompt, [0, DONE], "unit"), DONE) == says
