"""Transports, wrecks and the Firing Deck (transports/*, core-abilities/firing-deck)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.units import riders_of
from campale.referee.position import ABOARD, Position, Unit
from campale.rulesets.w10.attack.demise import explode_all
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.charge.charging import is_barred
from campale.rulesets.w10.movement.phase import move_a_unit, options_of, to_move
from campale.rulesets.w10.movement.reserves import arrive, reinforcements
from campale.rulesets.w10.movement.transports import (
    board,
    cannot_stand,
    carriers_for,
    disembark,
    has_room,
    to_disembark,
    to_leave_arrivals,
)
from campale.rulesets.w10.shooting.eligible import lent_guns
from campale.rulesets.w10.shooting.phase import shoot_with_a_unit
from tests.rulesets.w10.kit import PROPOSAL, left, model, play, question_after, squad, table, unit

covers = pytest.mark.covers

FOOT = 32 / 25.4


def loaded(count: int = 5, name: str = "line-squad", **now: Any) -> Position:
    """A Carrier with a squad aboard, an enemy far away."""
    position = table(
        squad("carrier", at=(30, 15)),
        squad(name, count, at=(20, 5)),
        squad("line-squad", 1, 1, at=(30, 40)),
        **{"phase": "movement", **now},
    )
    board([m for m in position.models if m.unit.row == 1], model(position, 0))
    return position


@covers("transports/capacity")
@pytest.mark.parametrize(("name", "count", "fits"), [("line-squad", 12, True), ("line-squad", 13, False)])
def test_a_carrier_takes_twelve_infantry_models(name: str, count: int, fits: bool) -> None:
    position = table(squad("carrier", at=(30, 20)), squad(name, count, at=(5, 5)), squad("walker", at=(50, 5)))
    models = [m for m in position.models if m.unit.row == 1]
    assert has_room(model(position, 0), models) is fits
    assert not has_room(model(position, 0), [m for m in position.models if m.unit.row == 2])


@covers("transports/embark")
@pytest.mark.parametrize(("y", "marks", "found"), [(12.0, {}, [0]), (8.5, {}, []), (12.0, {"got-out": 1}, [])])
def test_all_models_must_be_within_three_inches_and_not_have_got_out(
    y: float, marks: dict[str, int], found: list[int]
) -> None:
    position = table(squad("carrier", at=(30, 15)), squad("line-squad", 2, at=(29, y), marks=marks), phase="movement")
    assert carriers_for(unit(position, 1)) == found


@covers("transports/embark", "u/embarked", "movement-phase/steps")
def test_after_its_move_a_unit_gets_in_and_is_no_longer_on_the_table() -> None:
    position = table(squad("carrier", at=(30, 15)), squad("line-squad", 1, at=(30, 10)), phase="movement")
    play(move_a_unit(position, 0), answers=[1, "normal", [[[[30, 11.5]], None]], 0], position=position)
    assert riders_of(model(position, 0)) == [model(position, 1)]
    assert left(position, 1) == 0
    assert to_disembark(position, 0) == []


@covers("transports/disembark", "transports/disembark-before", "r/remain-stationary")
def test_who_gets_out_first_moves_freely_but_does_not_stay() -> None:
    position = loaded()
    assert to_disembark(position, 0) == [unit(position, 1)]
    play(disembark(unit(position, 1)), answers=[PROPOSAL], position=position)
    assert left(position, 1) == 5
    assert options_of(unit(position, 1)) == ["normal", "advance"]
    assert not is_barred(unit(position, 1))


@covers("transports/disembark-after")
def test_after_the_transport_has_moved_it_neither_moves_nor_charges() -> None:
    position = loaded()
    unit(position, 0).mark("moved", 1)
    play(disembark(unit(position, 1)), answers=[PROPOSAL], position=position)
    assert unit(position, 1).marks("picked")
    assert is_barred(unit(position, 1))


@covers("transports/disembark-forbidden")
@pytest.mark.parametrize("fact", ["advanced", "fell-back"])
def test_nobody_gets_out_of_one_that_advanced_or_fell_back(fact: str) -> None:
    position = loaded()
    unit(position, 0).mark(fact, 1)
    assert to_disembark(position, 0) == []


@covers("transports/disembark", "f/disembark-large")
@pytest.mark.parametrize(("y", "allowed"), [(10.6, True), (9.5, False)])
def test_each_model_is_set_up_wholly_within_three_inches(y: float, allowed: bool) -> None:
    position = loaded(1)
    carrier, rider = model(position, 0), model(position, 1)
    assert (cannot_stand(carrier, [rider], [(30.0, y, 0.0)], 3.0) is None) is allowed


@covers("transports/disembark", "f/disembark-large")
@pytest.mark.parametrize(
    ("name", "y", "told"),
    [
        ("line-squad", 10.38, None),
        ("line-squad", 10.0, (3.38, 3.0, "")),
        ("line-squad", 15.0, (None, None, "")),
        ("idol", 9.79, None),
        ("idol", 9.5, (1.28, 1.0, "f/disembark-large")),
    ],
)
def test_the_farthest_part_of_a_base_is_measured_and_the_closest_of_one_that_is_too_large(
    name: str, y: float, told: tuple[float | None, float | None, str] | None
) -> None:
    position = loaded(1, name)
    rider = model(position, 1)
    found = cannot_stand(model(position, 0), [rider], [(30.0, y, 0.0)], 3.0)
    assert (found and (found.measured, found.limit, found.rule)) == told


@covers("transports/disembark", "core-concepts/engagement-forbidden")
def test_nobody_is_set_up_engaged() -> None:
    position = loaded(1)
    model(position, 2).move_to(30.0, 9.0)
    found = cannot_stand(model(position, 0), [model(position, 1)], [(30.0, 10.7, 0.0)], 3.0)
    assert found is not None


@covers("transports/destroyed", "transports/destroyed-aftermath", "core-abilities/deadly-demise")
def test_passengers_of_a_wreck_get_out_after_the_explosion_and_are_shocked() -> None:
    position = loaded(3)
    destroy(model(position, 0), "shooting", 4)
    play(explode_all(position), "6 | 1 2 3", [PROPOSAL, PROPOSAL], position)
    found = unit(position, 1)
    assert left(position, 1) == 3
    assert sum(m.marks("wounds") for m in position.models) == 1
    assert found.marks("shocked")
    assert found.marks("moved")
    assert is_barred(found)


@covers("transports/emergency", "s/set-up-impossible")
def test_without_room_they_get_out_farther_away_and_are_hurt_more() -> None:
    position = loaded(1)
    round_about = [(26.5 + 1.75 * k, y) for k in range(5) for y in (10.75, 19.25)]
    beside = [(x, 12.5 + 1.75 * k) for k in range(4) for x in (26.5, 33.5)]
    for place in (*round_about, *beside):
        position.add_model("wall", model(position, 2).profile, 1, Unit(position, 2)).move_to(*place)
    destroy(model(position, 0), "shooting", 2)
    played = play(explode_all(position), "1 | 3", [PROPOSAL], position, accepting=True)
    assert played.rolls == ["deadly-demise", "wreck"]
    assert model(position, 1).marks("wounds") == 1


@covers("core-abilities/firing-deck", "u/embarked")
def test_two_passengers_lend_their_weapons() -> None:
    position = loaded(5, phase="shooting")
    model(position, 6).move_to(30.0, 30.0)
    assert len(lent_guns(unit(position, 0))) == 5
    answers = [0, [(1, 0, 0), (2, 0, 0), 2], PROPOSAL]
    played = play(shoot_with_a_unit(position, 0), "1 1 1 | 1 1", answers, position, accepting=True)
    assert played.rolls.count("to-hit") == 2
    assert all(m.where == ABOARD for m in position.models if m.unit.row == 1)


# ---------------------------------------------------------------- transports/disembark-reserves


def arriving(enemy: float) -> Position:
    """A Carrier in Strategic Reserves with a squad aboard, an enemy so far north of the edge that it arrives at."""
    position = table(
        squad("carrier", at=(30, 15), where="reserve"),
        squad("line-squad", 5, at=(20, 5)),
        squad("line-squad", 1, 1, at=(30, enemy)),
        phase="reinforcements",
        turn=5,
        round=3,
    )
    board([m for m in position.models if m.unit.row == 1], model(position, 0))
    unit(position, 0).jot("reserves", "strategic")
    return position


@covers("transports/disembark-reserves")
def test_passengers_of_a_carrier_that_arrives_may_get_out_and_then_do_not_charge() -> None:
    position = arriving(40.0)
    play(reinforcements(position, 0), "", [0, "south", [[30, 2.3, 0]]], position)
    getting_out = [[27.5 + 1.3 * k, 5.2, 0] for k in range(5)]
    played = play(reinforcements(position, 0), "", [("disembark", 1), getting_out], position)
    assert played.cites("transports/disembark-reserves")
    assert all(m.is_on_table for m in position.models)
    assert unit(position, 1).marks("moved")
    assert is_barred(unit(position, 1))
    assert to_move(position, 0) == []
    assert play(reinforcements(position, 0), position=position).prompts == []


@covers("transports/disembark-reserves")
@pytest.mark.parametrize(
    ("enemy", "rule"), [(5.2 + FOOT + 9.01, None), (5.2 + FOOT + 9.0, "transports/disembark-reserves")]
)
def test_they_keep_more_than_nine_inches_from_every_enemy(enemy: float, rule: str | None) -> None:
    position = arriving(enemy)
    model(position, 0).move_to(30, 2.3, facing=0.0)
    unit(position, 0).mark("arrived", 1)
    there = [[30.0 - 2.6 + 1.3 * k, 5.2, 0] for k in range(5)]
    question = question_after(disembark(unit(position, 1)))
    found = question.refusal(there)
    assert (None if found is None else found.rule) == rule


@covers("transports/disembark-reserves")
def test_a_carrier_that_arrives_in_the_other_turn_lets_nobody_out() -> None:
    position = arriving(40.0)
    play(arrive(unit(position, 0)), "", ["south", [[30, 2.3, 0]]], position)
    assert to_leave_arrivals(position, 0) == []
    unit(position, 0).mark("arrived", 1)
    assert to_leave_arrivals(position, 0) == [unit(position, 1)]
