"""Modifiers of characteristics and rolls, and the characteristics of units (modifiers/*, c/unit-*, l/best)."""

from __future__ import annotations

import pytest

from campale.dice.needs import Need, Part
from campale.rulesets.w10.armies.amounts import amount
from campale.rulesets.w10.attack.attack import hit_need, wound_need
from campale.rulesets.w10.basics.characteristics import leadership, objective_control, toughness
from campale.rulesets.w10.basics.dice import leadership_test, read, rolled
from campale.rulesets.w10.basics.modifiers import Change, Kind, capped, modified
from tests.rulesets.w10.kit import attack, gun, model, play, squad, table, unit

covers = pytest.mark.covers


def after(name: str, printed: int, *changes: tuple[Kind, int]) -> int:
    return modified(name, printed, [Change("modifiers/definition", kind, value) for kind, value in changes])


@covers("modifiers/example-1", "modifiers/order", "modifiers/cumulative", "modifiers/definition")
def test_an_attack_is_doubled_before_one_is_added() -> None:
    assert after("a", 3, ("add", 1), ("multiply", 2)) == 7


@covers("modifiers/example-2a", "modifiers/order")
def test_objective_control_is_halved_before_one_is_added() -> None:
    assert after("oc", 2, ("add", 1), ("divide", 2)) == 2


@covers("modifiers/example-2b", "modifiers/replace-first")
def test_what_replaces_a_characteristic_comes_before_all_the_rest() -> None:
    assert after("oc", 2, ("divide", 2), ("add", 1), ("set", 0)) == 1


@covers("modifiers/order")
def test_subtraction_comes_last_and_within_a_kind_the_order_is_the_same() -> None:
    assert after("s", 8, ("subtract", 1), ("divide", 2), ("add", 2)) == 5
    assert after("s", 5, ("multiply", 3), ("divide", 2)) == after("s", 5, ("divide", 2), ("multiply", 3)) == 8


@covers("modifiers/round-up")
def test_a_fraction_is_rounded_up_once_at_the_end() -> None:
    assert after("s", 5, ("divide", 2)) == 3
    assert after("s", 5, ("divide", 2), ("multiply", 2)) == 5
    assert after("s", 5, ("divide", 2), ("subtract", 1)) == 2


@covers("modifiers/floor-s-t-a-d", "modifiers/floor-move-range")
@pytest.mark.parametrize("name", ["s", "t", "a", "d", "m", "range"])
def test_no_modifier_takes_these_below_one(name: str) -> None:
    assert after(name, 2, ("subtract", 1)) == 1
    assert after(name, 2, ("subtract", 2)) == 1


@covers("modifiers/damage-zero")
def test_a_damage_of_zero_comes_before_every_other_modifier() -> None:
    zero = Change("modifiers/damage-zero", "set", 0, zero=True)
    assert modified("d", 3, [zero]) == 0
    assert modified("d", 3, [Change("weapon-abilities/melta", "add", 2), zero]) == 2
    assert modified("d", 3, [Change("modifiers/order", "subtract", 1), zero]) == 0
    assert modified("d", 3, [Change("modifiers/replace-first", "set", 3), zero]) == 3
    assert after("d", 3, ("set", 0)) == 0


@covers("modifiers/cap-leadership")
def test_leadership_stays_between_five_and_eight() -> None:
    assert after("ld", 6, ("improve", 1)) == 5
    assert after("ld", 6, ("improve", 2)) == 5
    assert after("ld", 7, ("worsen", 1)) == 8
    assert after("ld", 7, ("worsen", 2)) == 8
    assert after("ld", 4, ("improve", 1)) == 4
    assert after("ld", 9, ("worsen", 1)) == 9


@covers("modifiers/improve-ws-bs-sv-ld", "modifiers/worsen-ws-bs-sv-ld")
@pytest.mark.parametrize("name", ["ws", "bs", "sv"])
def test_what_is_printed_with_a_plus_is_improved_by_subtracting(name: str) -> None:
    assert after(name, 3, ("improve", 1)) == 2
    assert after(name, 3, ("worsen", 1)) == 4


@covers("modifiers/improve-ws-bs-sv-ld")
def test_skills_never_become_one_plus_but_a_save_may() -> None:
    assert after("ws", 2, ("improve", 1)) == 2
    assert after("bs", 2, ("improve", 1)) == 2
    assert after("sv", 2, ("improve", 1)) == 1


@covers("modifiers/improve-ap", "modifiers/worsen-ap", "modifiers/floor-ap-oc")
def test_armour_penetration_goes_down_when_it_improves_and_never_above_zero() -> None:
    assert after("ap", -1, ("improve", 1)) == -2
    assert after("ap", 0, ("improve", 1)) == -1
    assert after("ap", -1, ("worsen", 1)) == 0
    assert after("ap", 0, ("worsen", 1)) == 0
    assert after("ap", -1, ("worsen", 2), ("improve", 1)) == 0


@covers("modifiers/floor-ap-oc", "modifiers/improve-others")
def test_other_characteristics_are_improved_by_adding() -> None:
    assert after("s", 4, ("improve", 1)) == 5
    assert after("s", 4, ("worsen", 1)) == 3
    assert after("oc", 1, ("worsen", 2)) == 0


# ---------------------------------------------------------------- rolls


@covers("modifiers/roll-cap", "modifiers/roll-after-rerolls", "attack/hit-roll")
def test_the_modifiers_of_a_hit_roll_are_summed_and_then_held_within_one() -> None:
    line = gun().lines[0]
    minus, plus = Part("core-abilities/stealth", -1), Part("weapon-abilities/heavy", 1)
    needs = {2: (minus, minus, plus), 1: (), 3: (plus, plus)}
    met = {k: hit_need(attack(line, parts=parts)) for k, parts in needs.items()}
    assert [need.modifier for need in met.values() if need is not None] == [-1, 0, 1]
    assert capped(()) == ()


@covers("modifiers/roll-cap", "attack/wound-roll")
def test_a_wound_roll_is_held_within_one_too() -> None:
    need = wound_need(attack(gun(abilities=("lance",)).lines[0], charged=True))
    held = Need(need.base, (*need.parts, Part("weapon-abilities/lance", 1)))
    assert (need.modifier, held.modifier) == (1, 1)


# ---------------------------------------------------------------- dice


@covers("core-concepts/d3")
def test_a_three_sided_die_is_half_a_six_sided_one_rounded_up() -> None:
    assert [read(face, 3) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [read(face, 6) for face in (1, 6)] == [1, 6]


@covers("core-concepts/dice", "datasheet/random-characteristics")
@pytest.mark.parametrize(
    ("written", "dice", "result"), [("D6+1", "4", 5), ("2D6", "4 5", 9), ("2D3", "1 6", 4), ("3", "", 3)]
)
def test_amounts_are_rolled_with_what_is_printed_after_them(written: str, dice: str, result: int) -> None:
    assert play(rolled(0, "attacks", amount(written)), dice).value == result


@covers("core-concepts/dice")
@pytest.mark.parametrize("written", ["D4", "", "-1", "D6+", "100D6", "D6-1"])
def test_what_is_no_number_and_no_roll_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="neither a number nor a roll"):
        amount(written)


# ---------------------------------------------------------------- units


@covers("c/unit-leadership", "l/best")
def test_a_unit_has_the_best_leadership_among_its_models() -> None:
    position = table(squad("line-squad", 3, ld=8), squad("captain", at=(30, 12), ld=6, leads=0))
    assert leadership(unit(position, 0)) == 6
    position.remove(model(position, 3), "melee")
    assert leadership(unit(position, 0)) == 8


@covers("t/leadership-test", "c/unit-leadership")
@pytest.mark.parametrize(("dice", "passed"), [("3 3", True), ("2 3", False)])
def test_a_leadership_test_is_passed_with_the_leadership_or_more(dice: str, passed: bool) -> None:
    position = table(squad("line-squad", 3, ld=6))
    assert play(leadership_test(unit(position, 0), "battle-shock"), dice, position=position).value is passed


@covers("c/unit-toughness-attached", "core-abilities/leader")
def test_an_attached_unit_has_the_toughness_of_its_bodyguard_while_it_lasts() -> None:
    position = table(squad("line-squad", 2, t=4), squad("captain", at=(30, 12), t=6, leads=0))
    assert toughness(unit(position, 0)) == 4
    for row in (0, 1):
        position.remove(model(position, row), "melee")
    assert toughness(unit(position, 0)) == 6


@covers("c/unit-toughness-mixed")
def test_another_unit_has_the_highest_toughness_of_its_models() -> None:
    mixed = squad("line-squad", 3)
    mixed.profiles[1] = squad("line-squad", t=5).profiles[0]
    assert toughness(unit(table(mixed), 0)) == 5


@covers("command-phase/battle-shocked-effects", "modifiers/unit-characteristic")
def test_the_models_of_a_battle_shocked_unit_have_no_objective_control() -> None:
    position = table(squad("line-squad", 2), squad("line-squad", 2, at=(30, 14), marks={"shocked": 1}))
    assert [objective_control(m) for m in position.models] == [2, 2, 0, 0]


@covers("weapon-abilities/sustained-hits", "core-abilities/deadly-demise")
@pytest.mark.parametrize("ability", ["sustained-hits D3", "rapid-fire x", "melta 2 3", "scouts 6+1", "blast 100"])
def test_an_ability_with_an_x_that_cannot_be_read_is_refused(ability: str) -> None:
    with pytest.raises(ValueError, match="is a number"):
        gun(abilities=(ability,))
    with pytest.raises(ValueError, match="is a number"):
        squad("line-squad", abilities=(ability,))


@covers("core-abilities/deadly-demise", "weapon-abilities/anti")
def test_numbers_and_the_rolls_of_deadly_demise_are_read() -> None:
    assert gun(abilities=("anti-vehicle 4+", "blast", "rapid-fire 2")).lines[0].numbers == {
        "anti-vehicle": 4,
        "blast": 0,
        "rapid-fire": 2,
    }
    assert squad("line-squad", abilities=("deadly-demise D3+1", "scouts 6")).profiles[0].numbers["scouts"] == 6
