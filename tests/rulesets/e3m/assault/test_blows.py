"""Chapter "base-melee", blow by blow: who strikes whom, how many saves are rolled, who has won."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.script_form import EACH
from campale.referee.position import Position
from campale.rulesets.e3m.assault.melee import attacking_side, fight_of, fight_out
from campale.rulesets.e3m.assault.moves import ATTACKER, CHARGED_IN
from campale.rulesets.e3m.assault.result import winner_of
from tests.rulesets.e3m.kit import Played, left, model, play, squad, table, unit

covers = pytest.mark.covers

CHARGE = {ATTACKER: 1, CHARGED_IN: 1}


def fought(position: Position, dice: str, answers: tuple[Any, ...] = ()) -> Played:
    return play(fight_out(position, tuple(range(len(position.unit_side)))), dice, answers, position)


@covers("base-melee/who-fights", "base-melee/casualties")
def test_who_was_in_contact_strikes_though_the_enemy_touched_has_fallen_since() -> None:
    """The duellist kills the brawler whom the warden touches; the warden strikes at the one behind it."""
    position = table(
        squad("duellist", 1, at=[(19.4, 10.2)], marks=CHARGE),
        squad("line-warden", 1, at=[(20.6, 10.2)], marks=CHARGE),
        squad("brawler", at=[(20, 11), (20, 12.5)], side=1),
    )
    played = fought(position, "6 1 1 | 6 | 6 1 | 6 | 1", ())
    assert played.rolls == ["melee-hit", "melee-wound", "melee-hit", "melee-wound", "melee-save"]
    assert left(position, 2) == 0


@covers("base-melee/who-fights", "base-melee/initiative-order")
def test_who_has_fallen_strikes_no_more() -> None:
    position = table(squad("duellist", 1, at=[(20, 10)], marks=CHARGE), squad("brawler", 1, at=[(20, 11)], side=1))
    assert fought(position, "6 1 1 | 6").rolls == ["melee-hit", "melee-wound"]


@covers("base-melee/wound-and-save", "base-melee/casualties", "base-melee/result")
@pytest.mark.parametrize(("saves", "inflicted"), [("4 4 4", 0), ("4 3 4", 1), ("3 3 3", 1)])
def test_every_wound_on_a_lone_model_is_saved_by_itself(saves: str, inflicted: int) -> None:
    """Three wounds on one warden: three saves; a second unsaved wound is lost."""
    position = table(squad("brawler", 1, at=[(20, 10)], marks=CHARGE), squad("line-warden", 1, at=[(20, 11)], side=1))
    played = fought(position, "1 | 6 6 6 1 | 6 6 6 | " + saves)
    assert played.value[1] == (inflicted, 0)
    assert left(position, 1) == 1 - inflicted


@covers("base-shoot/instant-death", "base-melee/casualties", "base-melee/result")
def test_a_blow_twice_as_strong_as_the_toughness_takes_a_model_a_wound() -> None:
    """A clan chief's claw, Strength 10 against captains of Toughness 4 with two wounds each: two unsaved, two dead."""
    position = table(
        squad("clan-chief", 1, at=[(20, 10)], marks=CHARGE),
        squad("brood-captain", at=[(19.4, 10.8), (20.6, 10.8), (20, 12.3)], side=1, models={"special": 0}),
    )
    played = fought(position, "1 1 1 1 | 6 6 1 1 1 | 6 6")
    assert played.value[1] == (4, 0)
    assert left(position, 1) == 1


@covers("base-melee/casualties")
@pytest.mark.parametrize("chosen", [("unit", 1), EACH])
def test_each_model_strikes_at_a_unit_that_it_touches_as_its_owner_says(chosen: Any) -> None:
    """Two scouts between two mobs, each touching both: all at the first, or each for itself."""
    position = table(
        squad("scout", at=[(20, 10), (23, 10)], marks=CHARGE),
        squad("brawler", at=[(19.4, 10.8), (23.6, 10.8)], side=1),
        squad("scrapper", at=[(20.6, 10.8), (22.4, 10.8)], side=1),
    )
    answer = [chosen] if chosen != EACH else [EACH, ("unit", 2), ("unit", 1)]
    groups = "1 1 1 1 1 1" if chosen != EACH else "1 1 1 | 1 1 1"
    played = fought(position, f"{groups} | 1 1 1 1 1 1 | 1 1 1 1", (answer,))
    struck = [q.about["foe"] for q in played.questions if q.prompt == "melee-hit" and q.side == 0]
    assert struck == ([1] if chosen != EACH else [2, 1])


@covers("base-vehicle/assaulting-vehicles", "base-general/dice-order")
def test_against_a_vehicle_all_hit_first_and_then_hit_by_hit() -> None:
    position = table(
        squad("scout", at=[(20, 10), (23, 10)], marks=CHARGE),
        squad("clan-wagon", 1, at=[(21.5, 14.5)], side=1, facing=0.0),
    )
    played = fought(position, "2 2 2 2 2 2 | 1 | 1 | 1 | 1 | 1 | 1")
    assert played.rolls == ["melee-hit", *["penetration"] * 6]


@covers("base-weapons/grenades")
def test_of_some_with_grenades_the_owner_says_who_throws() -> None:
    position = table(
        squad("shock-trooper", at=[(20, 10), (21.5, 10)], marks=CHARGE, equipment=["krak-grenades"]),
        squad("clan-buggy", 1, at=[(20.75, 12.5)], side=1),
    )
    played = fought(position, "2 | 2 2 | 1 | 1 | 1", ([EACH, "grenade", "strike"],))
    assert [q.about.get("strength") for q in played.questions if q.prompt == "penetration"] == [6, 3, 3]


@covers("assault/wiped-out", "base-melee/result")
def test_a_side_is_wiped_out_when_all_its_models_are_gone_not_only_those_engaged() -> None:
    position = table(
        squad("brawler", at=[(20, 10), (20, 7.9), (20, 5.8)], marks=CHARGE), squad("scout", 1, at=[(20, 11)], side=1)
    )
    fight = fight_of(position, (0, 1))
    assert [m.row for m in fight.models(0)] == [0, 1]
    for row in (0, 1):
        position.remove(model(position, row), "melee")
    assert winner_of(fight, (3, 2)) == 0
    position.remove(model(position, 2), "melee")
    assert winner_of(fight, (3, 2)) == 1


@covers("assault/several-units", "assault/mutual")
def test_the_attacker_is_who_made_contact_first() -> None:
    position = table(
        squad("scout", 1, at=[(20, 10)], marks={ATTACKER: 2}),
        squad("brawler", 1, at=[(20, 11)], side=1, marks={ATTACKER: 1}),
    )
    assert attacking_side(position, (0, 1)) == 1
    unit(position, 0).mark(ATTACKER, 1)
    unit(position, 1).mark(ATTACKER, 2)
    assert attacking_side(position, (0, 1)) == 0
