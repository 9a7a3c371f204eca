"""Every rule by which Edition 3.m refuses a move or a place says in a sentence what is wrong."""

from __future__ import annotations

import pytest

from campale.referee.refusal import Refusal
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller

BOOK = load_ruleset("e3m")
REFUSING = (
    *("assault/assault-move", "assault/attacker-occupies", "assault/give-ground-move", "assault/maximum-contact"),
    *("base-melee/casualties", "base-move/one-inch", "base-weapons/template"),
    *("fire/defensive", "fire/opportunity-target", "setup/table"),
    *("vehicles/disembark", "vehicles/flying-obstacles", "vehicles/overrun-passed", "vehicles/overrun-who"),
)


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("rule", REFUSING)
def test_a_refusal_is_a_sentence_and_not_the_title_of_its_rule(rule: str, language: str) -> None:
    teller = Teller(BOOK, language)
    told = teller.refusal(Refusal(rule)).removesuffix(teller.cited(rule)).rstrip()
    assert told.endswith(".")
    assert told != teller.rule(rule)


@pytest.mark.covers("vehicles/overrun-who")
def test_what_may_not_be_overrun_is_named_with_its_place() -> None:
    teller = Teller(BOOK, "en", ["Brawler 11"])
    told = teller.refusal(Refusal("vehicles/overrun-who", where=(44.55, 21.99), model=0))
    assert "go round. (Brawler 11, at (44.55; 21.99))" in told
