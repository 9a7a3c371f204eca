from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Need, Part, divided, halved, tens_and_units


def needs(base: int, *parts: tuple[str, float], **how: object) -> Need:
    return Need(base, tuple(Part("a/rule", value, kind) for kind, value in parts), **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(("face", "meets"), [(3, False), (4, True), (6, True)])
def test_a_die_must_reach_the_number(face: int, meets: bool) -> None:
    assert Need(4).is_met_by(face) is meets


@pytest.mark.parametrize(("face", "meets"), [(3, True), (4, True), (5, False)])
def test_a_die_may_have_to_stay_at_or_under_it(face: int, meets: bool) -> None:
    assert Need(4, at_most=True).is_met_by(face) is meets


def test_what_is_added_changes_the_roll_and_not_the_number() -> None:
    need = needs(4, ("add", -1), ("add", 2))
    assert (need.modifier, need.number) == (1, 4)
    assert need.are_met_by((2, 3)) == (False, True)


def test_a_cap_holds_the_sum_both_ways() -> None:
    assert needs(4, ("add", 3), ("cap", 1)).modifier == 1
    assert needs(4, ("add", -3), ("cap", 1)).modifier == -1
    assert needs(4, ("add", 3), ("add", -3), ("cap", 1)).modifier == 0


def test_the_kinds_act_in_the_order_of_the_book() -> None:
    parts = (("set", 5.0), ("divide", 2.0), ("multiply", 3.0))
    assert needs(2, *parts).number == 8
    assert needs(2, *parts, order=("multiply", "divide", "set")).number == 5
    assert needs(2, ("multiply", 0.5), ("divide", 3.0)).number == 1


def test_fractions_are_taken_as_written_and_rounded_up() -> None:
    assert needs(10, ("multiply", 0.1)).number == 1
    assert needs(3, ("divide", 2.0)).number == 2


def test_natural_faces_that_always_or_never_do_outweigh_modifiers() -> None:
    need = needs(4, ("add", 9), always=(6,), never=(1,))
    assert need.are_met_by((1, 2)) == (False, True)
    need = needs(4, ("add", -9), always=(6,), never=(1,))
    assert need.are_met_by((5, 6)) == (False, True)
    assert not Need(1, always=(1,), never=(1,)).is_met_by(1)


def test_a_part_is_added_to_a_new_need() -> None:
    need = Need(4)
    assert need.with_part("a/rule", 1).parts == (Part("a/rule", 1),)
    assert need.parts == ()


def test_dice_that_are_read_otherwise() -> None:
    assert [halved(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [halved(face) for face in (1, 2, 19, 20)] == [1, 1, 10, 10]
    assert [divided(face, 4) for face in (1, 4, 5, 20)] == [1, 1, 2, 5]
    assert tens_and_units(4, 2) == 42


@pytest.mark.parametrize(
    ("need", "face", "written"),
    [
        (Need(4), 4, "4+"),
        (Need(4, (Part("a/rule", -1),)), 5, "5+"),
        (Need(4, (Part("a/rule", 1),)), 3, "3+"),
        (Need(6, (Part("a/rule", -1),), always=(6,), never=(1,)), 6, "6+"),
        (Need(6, (Part("a/rule", -1),)), 7, "7+"),
        (Need(2, (Part("a/rule", 1),), never=(1,)), 2, "2+"),
        (Need(12, (Part("a/rule", -2, "raise"),), always=(1,), never=(20,), at_most=True), 10, "≤10"),
        (Need(12, (Part("a/rule", 2),), at_most=True), 10, "≤10"),
        (Need(19, (Part("a/rule", 2, "raise"),), always=(1,), never=(20,), at_most=True), 19, "≤19"),
        (Need(2, (Part("a/rule", -4, "raise"),), always=(1,), never=(20,), at_most=True), 1, "≤1"),
        (Need(3, always=(6,), never=(1,), at_most=True), 3, "≤3"),
    ],
)
def test_the_face_needed_is_the_number_after_all_that_changes_it(need: Need, face: int, written: str) -> None:
    assert need.face == face
    assert need.written(need.face) == written


@pytest.mark.parametrize("at_most", [False, True])
@pytest.mark.parametrize("value", [-3, 0, 3])
@pytest.mark.parametrize("base", [2, 4, 6])
def test_the_face_needed_succeeds_and_the_next_worse_one_does_not(base: int, value: int, at_most: bool) -> None:
    ends: dict[str, Any] = {"always": (1,), "never": (6,)} if at_most else {"always": (6,), "never": (1,)}
    need = Need(base, (Part("a/rule", value),), at_most=at_most, **ends)
    assert need.is_met_by(need.face)
    assert not need.is_met_by(need.face + (1 if at_most else -1))
