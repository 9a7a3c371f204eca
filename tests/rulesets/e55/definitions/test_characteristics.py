"""Chapter 1.3: characteristics, their limits, tests on them, and those of a unit; natural 1 and 6."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Part
from campale.referee.position import Effect
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.characteristics import (
    CHANGE,
    at_most,
    fails_unrolled,
    is_missing,
    limited,
    modified,
    unit_value,
    value,
)
from campale.rulesets.e55.definitions.units import LOST, members
from campale.rulesets.e55.hits import casualties
from tests.rulesets.e55.kit import Played, model, play, profile, squad, table, unit


def attempt(kind: str, name: str, dice: str, **changes: Any) -> Played:
    position = table(squad(profile(kind, **changes)))
    return play(characteristics.test(model(position, 0), name, "try"), dice, position=position)


@pytest.mark.covers("1.3/characteristics")
def test_every_characteristic_of_a_model_is_that_of_its_profile() -> None:
    position = table(squad("captain"))
    found = {name: value(model(position, 0), name) for name in ("ws", "bs", "s", "t", "w", "i", "a", "ld")}
    assert found == {"ws": 5, "bs": 5, "s": 4, "t": 4, "w": 3, "i": 5, "a": 3, "ld": 9}


@pytest.mark.covers("1.3/characteristics", "2.3.2/unsaved-wound")
def test_wounds_are_those_that_are_left() -> None:
    position = table(squad("captain"))
    model(position, 0).mark(LOST, 2)
    assert value(model(position, 0), "w") == 1


@pytest.mark.covers("1.3/characteristics", "6.1/fear")
def test_the_frightened_have_weapon_skill_1_and_nothing_else_changed() -> None:
    position = table(squad("veteran", 2, afraid=1))
    assert [value(m, "ws") for m in members(unit(position, 0))] == [1, 1]
    assert value(model(position, 0), "bs") == 4


@pytest.mark.covers("1.3/characteristic-limits")
@pytest.mark.parametrize(("number", "kept"), [(-2, 0), (0, 0), (7, 7), (10, 10), (13, 10)])
def test_values_stay_between_0_and_10(number: int, kept: int) -> None:
    assert limited(number, "t") == kept


@pytest.mark.covers("1.3/characteristic-limits")
def test_leadership_may_exceed_10() -> None:
    assert limited(12, "ld") == 12
    position = table(squad(profile("captain", ld=11)))
    assert value(model(position, 0), "ld") == 11


@pytest.mark.covers("1.3/characteristic-limits", "1.3/characteristics")
def test_an_effect_changes_a_characteristic_within_the_limits() -> None:
    position = table(squad("great-beast"))
    position.begin(Effect(CHANGE, 0, value=("s", 7)))
    position.begin(Effect(CHANGE, 0, value=("ws", -1), on="unit"))
    assert (value(model(position, 0), "s"), value(model(position, 0), "ws")) == (10, 3)


@pytest.mark.covers("1.1/dice-modifier-order")
@pytest.mark.parametrize(
    ("parts", "result"),
    [
        ((Part("a", 1), Part("b", 2, "multiply")), 9),
        ((Part("b", 2, "multiply"), Part("a", 1)), 9),
        ((Part("a", -1), Part("b", 2, "divide")), 1),
        ((Part("a", 2), Part("b", 1, "set")), 3),
    ],
)
def test_what_multiplies_comes_before_what_is_added(parts: tuple[Part, ...], result: int) -> None:
    assert modified(4, parts) == result


@pytest.mark.covers("1.3/characteristic-test")
@pytest.mark.parametrize(("die", "passes"), [("3", True), ("4", True), ("5", False)])
def test_a_test_needs_the_value_or_less(die: str, passes: bool) -> None:
    assert attempt("veteran", "i", die).value is passes


@pytest.mark.covers("1.3/characteristic-test-natural", "1.1/auto-success-failure")
def test_a_6_passes_and_a_1_fails_whatever_the_value() -> None:
    assert attempt("veteran", "i", "6").value is True
    assert attempt("veteran", "i", "1").value is False
    assert [at_most(1).is_met_by(face) for face in range(1, 7)] == [False, False, False, False, False, True]
    assert [at_most(8).is_met_by(face) for face in range(1, 7)] == [False, True, True, True, True, True]


@pytest.mark.covers("1.3/characteristic-zero")
def test_a_0_fails_without_a_die_and_a_1_still_rolls() -> None:
    assert attempt("veteran", "i", "", i=0).value is False
    assert attempt("veteran", "i", "6", i=1).value is True
    assert fails_unrolled(0)
    assert not fails_unrolled(1)


@pytest.mark.covers("7.1/missing-characteristic")
def test_what_a_vehicle_lacks_it_passes_and_a_printed_0_fails() -> None:
    assert attempt("tank", "i", "").value is True
    assert attempt("walker", "i", "", i=0).value is False
    assert attempt("walker", "i", "5", i=4).value is False
    position = table(squad("tank"))
    assert is_missing(model(position, 0), "i")
    assert not is_missing(model(position, 0), "bs")


@pytest.mark.covers("1.3/unit-characteristic")
def test_a_unit_has_the_most_frequent_value() -> None:
    position = table(squad([profile("militia"), profile("veteran"), profile("veteran")]))
    assert unit_value(unit(position, 0), "t") == 4


@pytest.mark.covers("1.3/unit-characteristic")
def test_of_values_as_frequent_a_unit_has_the_lowest() -> None:
    position = table(squad([profile("veteran"), profile("militia")]))
    assert unit_value(unit(position, 0), "t") == 3


@pytest.mark.covers("1.3/unit-characteristic", "1.3/characteristic-test")
def test_a_unit_is_tested_on_its_own_value_now() -> None:
    position = table(squad([profile("militia", i=2), profile("militia", i=2), profile("veteran", i=5)]))
    assert play(characteristics.test(unit(position, 0), "i", "try"), "3").value is False
    casualties.lose(model(position, 0), "fire")
    casualties.lose(model(position, 1), "fire")
    assert play(characteristics.test(unit(position, 0), "i", "try"), "3").value is True


@pytest.mark.covers("1.3/zero-wounds-or-toughness")
@pytest.mark.parametrize(("name", "less", "dies"), [("t", 3, True), ("t", 2, False), ("w", 1, True), ("s", 3, False)])
def test_toughness_or_wounds_brought_to_0_remove_a_model_at_once(name: str, less: int, dies: bool) -> None:
    position = table(squad("militia"))
    casualties.change(model(position, 0), name, -less)
    assert model(position, 0).is_on_table is not dies


@pytest.mark.covers("1.3/zero-wounds-or-toughness")
def test_a_vehicle_has_no_toughness_to_lose() -> None:
    position = table(squad("tank"))
    casualties.remove_the_worn_out(position)
    assert model(position, 0).is_on_table


@pytest.mark.covers("1.3/unit-zero")
def test_a_0_of_the_unit_removes_only_the_models_that_have_it() -> None:
    position = table(squad([profile("militia"), profile("militia"), profile("veteran")]))
    casualties.change(unit(position, 0), "t", -3)
    assert [m.row for m in members(unit(position, 0))] == [2]
