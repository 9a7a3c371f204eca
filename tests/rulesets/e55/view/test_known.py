"""What is known of a unit: the powers in force on it, by what they do."""

from __future__ import annotations

import pytest

from campale.referee.position import Effect, Position
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.rulesets.e55.psychic_powers.powers import CAST
from campale.screen.scene import all_marks, units_of
from tests.rulesets.e55.kit import squad, table


def told(position: Position, language: str) -> list[str]:
    units = units_of(position, Teller(load_ruleset("e55"), language, ["Keeper"], ["Keepers"]))
    return [mark.text for mark in units[0].marks]


CHARGES = [(1, "1 warp charge", "1 carica warp"), (2, "warp charges", "cariche warp")]


@pytest.mark.parametrize(("charges", "english", "italian"), CHARGES)
def test_one_warp_charge_left_is_told_as_one(charges: int, english: str, italian: str) -> None:
    position = table(squad("militia"))
    position.mark(position.model(0), "warp", charges)
    for language, said in (("en", english), ("it", italian)):
        teller = Teller(load_ruleset("e55"), language, ["Keeper"], ["Keepers"])
        assert [one.text for one in all_marks(position.of_models, teller, {})[0]] == [said]


IN_FORCE = [
    ("ward", 4, "4+ cover (power)", "copertura 4+ (potere)"),
    ("haste", 3, "3″ more to move (power)", "3″ in più di movimento (potere)"),
    ("dread", 2, "leadership −2 (power)", "disciplina −2 (potere)"),
]


@pytest.mark.covers("5/casting")
@pytest.mark.parametrize(("kind", "value", "english", "italian"), IN_FORCE)
def test_a_power_in_force_is_told_by_what_it_does(kind: str, value: int, english: str, italian: str) -> None:
    position = table(squad("militia"))
    assert told(position, "en") == []
    position.begin(Effect(CAST, 0, 0, "turn-2", [kind, value], "unit"))
    assert told(position, "en") == [english]
    assert told(position, "it") == [italian]
