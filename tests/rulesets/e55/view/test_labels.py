"""How wounds and hits are named to whoever gives them out."""

from __future__ import annotations

from typing import Any

from campale.referee.refusal import Refusal
from campale.referee.telling.teller import Teller
from campale.rulesets.e55 import RULESET
from campale.rulesets.e55.armies.profile import Line, Mount, Weapon
from campale.rulesets.e55.hits.attacks import Hit, Wound
from campale.rulesets.e55.view import labels
from tests.rulesets.e55.kit import model, profile, squad, table

RIFLE = Weapon("rifle", {"en": "Rifle", "it": "Fucile"}, (Line("ranged", 24.0, 4, ap=5),))
HEAVY = Weapon("heavy", {"en": "Heavy rifle", "it": "Fucile pesante"}, (Line("ranged", 24.0, 6, ap=5),))
TWIN = Weapon("twin", {"en": "Twin rifle", "it": "Fucile binato"}, (Line("ranged", 24.0, 4, ap=5),))


def position_with(*weapons: Weapon) -> Any:
    """A squad of two, and a foe (unit 1, row 2) that carries the weapons."""
    armed = profile("militia", mounts=tuple(Mount(weapon) for weapon in weapons))
    return table(squad([profile("militia"), profile("sergeant", armour_save=3)]), squad([armed], at=(20, 44)))


def told(item: Any, position: Any, language: str) -> str:
    names, units = ["a", "b", "c"], ["Ours", "Foes"]
    return Teller(RULESET, language, names, units, (), position.profiles, position.unit_of).item(item)


def test_a_wound_is_named_by_its_weapon_its_unit_its_numbers_and_the_save_that_is_left() -> None:
    position = position_with(RIFLE)
    wound = Wound(4, 5, by_unit=1, by_model=2)
    item = labels.of_wound(wound, [model(position, 0)], {})
    assert told(item, position, "en").startswith("Rifle of Foes · S 4 · AP 5 · ")
    assert told(item, position, "it").startswith("Fucile di Foes · F 4 · VP 5 · ")


def test_of_several_weapons_the_one_as_strong_is_named_and_none_where_two_are() -> None:
    wound = Wound(4, 5, by_unit=1, by_model=2)
    assert labels.source(position_with(RIFLE, HEAVY), wound)["weapon"] == "rifle"
    assert labels.source(position_with(RIFLE, TWIN), wound) == {"by": 1}
    assert labels.source(position_with(HEAVY), wound)["weapon"] == "heavy"


def test_what_no_weapon_did_is_named_by_its_cause() -> None:
    position = position_with()
    item = labels.of_wound(Wound(cause="dangerous"), [model(position, 1)], {})
    assert told(item, position, "en") == "dangerous terrain · save 3+"
    assert labels.of_hit(position, Hit(5, None, "explosion")) == {"cause": "explosion", "strength": 5}


def test_the_saves_that_are_left_are_those_of_all_who_may_take_it() -> None:
    position = position_with()
    bare, clad = model(position, 0), model(position, 1)
    assert labels.saves_left(Wound(4, 2), [clad], {}) == {"save": 5}
    assert labels.saves_left(Wound(4, cannot_be_saved=True), [clad], {}) == {"unsaved": True}
    both = labels.saves_left(Wound(4, None), [bare, clad], {})
    assert both in ({"some": 3}, {"best": 3, "worst": bare.profile.armour_save})


def test_a_turn_that_is_refused_is_told_in_degrees_and_a_way_in_inches() -> None:
    position = position_with()
    told_by = Teller(RULESET, "en", ["a", "b", "c"], ["Ours", "Foes"], (), position.profiles, position.unit_of)
    turned = Refusal("7.2/turn-only-so", (1.0, 2.0), 70.0, 45.0, 0, "turned-too-far")
    assert "at most 45°, not 70°. (a, at" in told_by.refusal(turned)
    driven = Refusal("7.2/combat-speed", (1.0, 2.0), 27.2, 6.0, 0, "beyond-speed")
    assert "at most 6″, not 27.2″. (a, at" in told_by.refusal(driven)
