"""What is shown of a model, and what anybody may measure."""

from __future__ import annotations

import pytest

from campale.rulesets.e55.armies.arsenal import arsenal
from campale.rulesets.e55.view import cards
from tests.rulesets.e55.kit import squad, table


@pytest.mark.covers("1.3/characteristics", "7.1/armour-values", "7.1/structure-points", "7.1/bs-and-speed")
def test_the_card_shows_a_model_as_it_is_now() -> None:
    battle = table(squad("captain", 1, 0, (30, 20), "sidearm"), squad("tank", 1, 1, (30, 30)))
    captain, tank = battle.models
    captain.mark("wounds-lost", 1)
    tank.mark("structure-lost", 1)
    shown = cards.card(captain)
    assert [shown[name] for name in ("ws", "bs", "s", "t", "w", "i", "a", "ld")] == [5, 5, 4, 4, 2, 5, 3, 9]
    assert (shown["armour_save"], shown["invulnerable_save"]) == ("3+", "5+")
    assert shown["rules"] == ["independent-character"]
    assert "cover_save" not in shown
    assert "capacity" not in shown
    told = cards.card(tank)
    assert [told[name] for name in ("bs", "front", "side", "rear", "structure", "speed")] == [4, 13, 11, 10, 2, 12]
    assert "ws" not in told


@pytest.mark.covers("7.16/walker-profile")
def test_the_card_of_a_walker_shows_how_it_fights() -> None:
    battle = table(squad("walker", 1, 0, (30, 20)))
    shown = cards.card(battle.models[0])
    assert [shown[name] for name in ("ws", "bs", "s", "i", "a", "front")] == [4, 4, 6, 4, 2, 12]


@pytest.mark.covers("9/weapon-profile")
def test_a_weapon_in_short() -> None:
    battle = table(squad("veteran", 1, 0, (30, 20), "rifle", "fist", "flamethrower"))
    assert cards.card(battle.models[0])["weapons"] == [
        'rifle: 24" S4 AP5 rapid-fire',
        "fist: melee S x2 AP2 slow",
        "flamethrower: template S4 AP5 assault 1",
    ]
    staff = arsenal().weapons["seer-staff"]
    assert [cards.in_short(line) for line in cards.lines_of(staff)] == ["melee S x1 AP-", "melee S x2 AP3"]


@pytest.mark.covers("1.1/measure-nearest-points")
def test_anybody_may_measure_from_one_model_to_another() -> None:
    battle = table(squad("veteran", 1, 0, (30, 20)), squad("veteran", 1, 1, (30, 24.75)))
    one, other = battle.models
    assert cards.measured(one, other) == {"distance": 3, "exact": 3.75, "rise": 0.0}
