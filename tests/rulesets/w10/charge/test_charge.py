"""Charges: who, at whom, the roll, the move (charge-phase/*, charging/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.contact import in_contact
from campale.referee.position import Position
from campale.referee.refusal import Refusal
from campale.rulesets.w10.basics.units import is_engaged, members, units_within
from campale.rulesets.w10.charge.charging import (
    begin_charging,
    best_charge,
    charge,
    charge_movement,
    declaration,
    duty_of,
    is_eligible,
    to_charge,
)
from campale.rulesets.w10.charge.contact import contact_question
from campale.rulesets.w10.charge.phase import charge_with_a_unit
from campale.table.terrain import Floor, Piece
from tests.rulesets.w10.kit import PROPOSAL, first_question, model, piece, play, squad, table, unit, why

covers = pytest.mark.covers

FOOT = 32 / 25.4


def facing(far: float, *others: Any, **fields: Any) -> Position:
    """A unit and an enemy so far away, edge to edge."""
    enemy = squad("line-squad", 1, 1, (30, 10 + FOOT + far))
    return table(squad("line-squad", at=(30, 10), **fields), enemy, *others, phase="charge")


def charging(position: Position, targets: list[int], far: float, ways: dict[int, Any]) -> str | None:
    return why(position, 0, charge_movement(unit(position, 0), targets, far), ways)


# ---------------------------------------------------------------- who may charge whom


@covers("charge-phase/eligible", "charge-phase/select-targets", "within/within")
@pytest.mark.parametrize(("far", "can"), [(12.0, True), (12.01, False)])
def test_an_enemy_must_be_within_twelve_inches(far: float, can: bool) -> None:
    assert is_eligible(unit(facing(far), 0)) is can


@covers("charge-phase/eligible", "f/unit-phase")
@pytest.mark.parametrize(("before", "now", "can"), [(12.0, 11.0, True), (12.1, 11.0, False), (12.0, 12.1, False)])
def test_and_it_counts_when_the_phase_begins_and_when_the_charge_is_declared(
    before: float, now: float, can: bool
) -> None:
    position = facing(before)
    begin_charging(position, 0)
    model(position, 1).move_to(30, 10 + FOOT + now, facing=0.0)
    assert is_eligible(unit(position, 0)) is can


@covers("charge-phase/eligible", "movement-phase/advance", "movement-phase/fall-back")
@pytest.mark.parametrize(("mark", "can"), [("moved", True), ("shot", True), ("advanced", False), ("fell-back", False)])
def test_who_advanced_or_fell_back_does_not_charge(mark: str, can: bool) -> None:
    assert is_eligible(unit(facing(6, marks={mark: 1}), 0)) is can


@covers("charge-phase/eligible")
def test_nor_who_is_engaged_nor_aircraft() -> None:
    assert not is_eligible(unit(facing(1.0), 0))
    assert is_eligible(unit(facing(1.01), 0))
    assert not is_eligible(unit(facing(6, keywords=("aircraft",)), 0))


@covers("within/model-unit-within", "charge-phase/eligible", "g/active-player", "g/controlling-player")
def test_one_model_of_a_unit_within_a_distance_is_enough_and_only_enemies_count() -> None:
    position = table(
        squad("line-squad", 2, at=[(30, 10), (30, 12)]),
        squad("line-squad", side=1, at=[(30, 12 + FOOT + 12.0), (30, 40)]),
        squad("line-squad", side=0, at=(33, 10)),
    )
    assert [one.row for one in units_within(unit(position, 0), 12.0, 1)] == [1]
    assert [one.row for one in units_within(unit(position, 0), 11.9, 1)] == []
    assert [one.row for one in units_within(unit(position, 0), 12.0, 0)] == [2]


@covers("charge-phase/select-targets", "aircraft/charge-fight")
@pytest.mark.parametrize(
    ("far", "keywords", "why"),
    [
        (12.0, (), None),
        (12.01, (), "charge-phase/select-targets"),
        (12.0, ("aircraft",), "aircraft/charge-fight"),
    ],
)
def test_whoever_cannot_be_charged_is_shown_with_the_rule(
    far: float, keywords: tuple[str, ...], why: str | None
) -> None:
    other = squad("line-squad", 1, 1, (30 + FOOT + far, 10), keywords=keywords)
    targets = next(declaration(unit(facing(11.0, other), 0)))
    refusal = targets.refusal(2)
    assert (refusal and refusal.rule) == why


@covers("charge-phase/eligible", "movement-phase/advance", "movement-phase/fall-back", "aircraft/charge-fight")
@pytest.mark.parametrize(
    ("at", "fields", "why", "sentence"),
    [
        ((33, 10), {}, None, ""),
        ((33, 10), {"marks": {"advanced": 1}}, "movement-phase/advance", "charge-barred.advanced"),
        ((33, 10), {"marks": {"fell-back": 1}}, "movement-phase/fall-back", "charge-barred.fell-back"),
        ((33, 10), {"marks": {"no-charge": 1}}, "charge-phase/eligible", "charge-barred.this-turn"),
        ((33, 10), {"keywords": ("aircraft",)}, "aircraft/charge-fight", "charge-barred.aircraft"),
        ((33, 10), {"m": None}, "datasheet/model-profile", "charge-barred.no-move"),
        ((30, 15.5), {}, "charge-phase/eligible", "charge-barred.engaged"),
        ((30, 1), {}, "charge-phase/eligible", "charge-barred.out-of-reach"),
        ((33, 10), {"marks": {"declared": 1, "advanced": 1}}, "charge-phase/sequence", "answer.not-offered"),
    ],
)
def test_whoever_may_not_charge_is_shown_with_the_rule(
    at: tuple[float, float], fields: dict[str, Any], why: str | None, sentence: str
) -> None:
    position = facing(6.0, squad("line-squad", at=at, **fields))
    begin_charging(position, 0)
    refusal = first_question(charge_with_a_unit(position, 0)).refusal(2)
    assert (refusal and refusal.rule) == why
    assert refusal is None or refusal.word == sentence


@covers("charge-phase/select-targets", "b/target-of-charge", "charging/declare-charge")
def test_only_enemies_within_twelve_inches_are_offered_seen_or_not() -> None:
    unseen = squad("line-squad", 1, 1, (30, 20))
    position = table(
        squad("line-squad", at=(30, 10)), unseen, squad("line-squad", 1, 1, (30, 40)), pieces=[piece("ruins", 30, 15)]
    )
    assert next(declaration(unit(position, 0))).options() == [1, "nobody"]


@covers("charge-phase/select-targets", "b/target-of-charge")
def test_several_units_may_be_targets() -> None:
    position = facing(4, squad("line-squad", 1, 1, (32, 14 + FOOT)))
    form = declaration(unit(position, 0))
    next(form)
    assert form.send(2).options() == ["none", 1]
    with pytest.raises(StopIteration) as done:
        form.send(1)
    assert done.value.value == (2, 1)


@covers("charge-phase/sequence", "charging/charging-unit")
def test_each_unit_declares_once_even_if_it_fails_or_charges_nobody() -> None:
    position = facing(8)
    play(charge_with_a_unit(position, 0), "3 3", [0, [1]], position)
    assert to_charge(position, 0) == []
    assert not unit(position, 0).marks("charged")
    position = facing(8)
    play(charge_with_a_unit(position, 0), "", [0, ["nobody"]], position)
    assert to_charge(position, 0) == []


# ---------------------------------------------------------------- the roll


@covers("charge-phase/charge-roll", "charging/charge-distance", "charging/has-charged", "charging/been-charged")
@pytest.mark.parametrize(("dice", "charged"), [("3 4", 1), ("3 3", 0)])
def test_the_roll_must_bring_the_unit_within_an_inch(dice: str, charged: int) -> None:
    position = facing(8.0)
    answers = [[1], PROPOSAL] if charged else [[1]]
    played = play(charge(unit(position, 0)), dice, answers, position)
    assert unit(position, 0).marks("charged") == charged
    assert unit(position, 1).marks("was-charged") == charged
    assert is_engaged(unit(position, 0)) is bool(charged)
    assert ("charge-failed" in played.kinds) is not charged


@covers("charge-phase/charge-roll")
def test_the_unit_must_reach_every_target() -> None:
    position = facing(4, squad("line-squad", 1, 1, (38, 14 + FOOT)))
    both = play(charge(unit(position, 0)), "3 3", [[1, 2]], position)
    assert "charge-failed" in both.kinds
    position = facing(4, squad("line-squad", 1, 1, (32, 14 + FOOT)))
    play(charge(unit(position, 0)), "3 3", [[1, 2], PROPOSAL], position)
    assert [unit(position, row).marks("was-charged") for row in (1, 2)] == [1, 1]


@covers("charge-phase/charge-roll", "m/move-over-models", "core-concepts/engagement-forbidden")
def test_it_keeps_off_those_who_are_no_target() -> None:
    position = facing(5, squad("line-squad", 1, 1, (30 + FOOT + 0.9, 13)))
    by_both = (30.3, 14.2)
    assert charging(position, [1, 2], 8, {0: by_both}) is None
    assert charging(position, [1], 8, {0: by_both}) == "charge-phase/charge-roll"
    assert charging(position, [1], 8, {0: (30, 15)}) == "charge-phase/charge-roll"
    assert charging(position, [1], 8, {0: [(28, 12), (29, 15)]}) is None


@covers("charge-phase/charge-roll", "core-concepts/unit-coherency")
def test_it_ends_together() -> None:
    position = table(squad("line-squad", 2, at=(30, 10)), squad("line-squad", 1, 1, (30, 10 + FOOT + 5)))
    assert charging(position, [1], 6, {0: (30, 15)}) == "core-concepts/unit-coherency"
    assert charging(position, [1], 6, {0: (30, 15), 1: (31.5, 13)}) is None


@covers("charge-phase/flying", "v/fly", "m/move-over-models")
def test_who_flies_charges_over_others() -> None:
    wall = squad("line-squad", 5, 1, (27, 13))
    target = squad("line-squad", 1, 1, (30, 18))
    for name, rule in (("jump-squad", None), ("line-squad", "charge-phase/charge-roll")):
        position = table(squad(name, at=(30, 10)), target, wall)
        assert charging(position, [1], 8, {0: (30, 18 - FOOT)}) == rule
    position = table(squad("jump-squad", at=(30, 10)), target, squad("line-squad", 1, 1, (30 + FOOT + 0.9, 18 - FOOT)))
    assert charging(position, [1], 8, {0: (30, 18 - FOOT)}) == "charge-phase/charge-roll"


@covers("charge-phase/terrain")
def test_debris_in_the_way_costs_its_height() -> None:
    target = squad("line-squad", 1, 1, (30, 10 + FOOT + 6))
    position = table(squad("line-squad", at=(30, 10)), target, pieces=[piece("debris", 30, 13.5)])
    end = {0: (30, 16)}
    assert charging(position, [1], 11.9, end) == "charge-phase/charge-roll"
    assert charging(position, [1], 12, end) is None


# ---------------------------------------------------------------- the move


@covers("charge-phase/charge-move")
def test_each_model_that_moves_ends_closer_to_a_target_unit() -> None:
    position = table(
        squad("line-squad", 2, at=[(30, 10), (31.5, 10)]), squad("line-squad", side=1, at=[(30, 14), (38, 14)])
    )
    nearer_to_the_far_one = {0: (30.9, 12.95), 1: (32.2, 10)}
    assert charging(position, [1], 8, nearer_to_the_far_one) == "charge-phase/charge-move"
    assert charging(position, [1], 8, {0: (30.9, 12.95)}) is None
    assert charging(position, [1], 8, {0: (30.9, 12.95), 1: (31.5, 9.9)}) == "charge-phase/charge-move"


def refusal_of_charge(position: Position, far: float, answer: Any) -> Refusal | None:
    duty = duty_of(unit(position, 0), [1], far)
    witness = best_charge(duty, [1])
    assert witness is not None
    return contact_question(duty, "charge-move", witness).refusal(answer)


@covers("charge-phase/charge-move")
def test_who_can_end_in_contact_must() -> None:
    position = facing(6.0)
    assert refusal_of_charge(position, 6.0, [[[[30, 16]], None]]) is None
    found = refusal_of_charge(position, 6.0, [[[[30, 15.5]], None]])
    assert found is not None
    assert found.rule == "charge-phase/charge-move"
    assert refusal_of_charge(position, 5.5, [[[[30, 15.4]], None]]) is None


@covers("charge-phase/charge-move", "charging/charge-move")
def test_the_proposed_charge_brings_as_many_into_contact_as_it_can() -> None:
    position = table(squad("line-squad", 3, at=(28, 10)), squad("line-squad", 3, 1, (28, 16)), phase="charge")
    play(charge(unit(position, 0)), "4 4", [[1], PROPOSAL], position)
    enemies = members(unit(position, 1))
    assert all(in_contact(m.solid, enemies) for m in members(unit(position, 0)))


@covers("charge-phase/bonus")
def test_who_charged_is_marked_for_the_fight() -> None:
    position = facing(3.0)
    play(charge(unit(position, 0)), "3 3", [[1], PROPOSAL], position)
    assert model(position, 0).at != (30, 10)
    assert unit(position, 0).marks("charged")


CORNER = ((1.0, 36.0), (7.0, 36.0), (7.0, 42.0), (1.0, 42.0))
"""Where a ruin with an upper floor stands."""


@covers("charge-phase/charge-roll", "charge-phase/terrain")
@pytest.mark.parametrize(("far", "is_found"), [(10.0, False), (10.5, True)])
def test_a_way_straight_over_terrain_is_as_long_as_its_climbs_make_it(far: float, is_found: bool) -> None:
    """Round the debris it is 10.2 inches; straight over it 9.3, and 6 up and down."""
    mine = squad("line-squad", at=(36.711, 26.278))
    ruin = Piece("ruin", "ruins", CORNER, 4.0, floors=(Floor(CORNER, 4.0),), tags=("ruins",))
    pieces = [piece("debris", 41, 25, (3.0, 3.0)), ruin]
    position = table(mine, squad("line-squad", 1, 1, (49, 19)), pieces=pieces)
    search = duty_of(unit(position, 0), [1], far).search
    assert (search.reachable(model(position, 0), (45.159, 22.442)) is not None) is is_found
