"""AIRCRAFT, on both sides of what binds them (aircraft/*, m/minimum-move, core-abilities/hover)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import RESERVE
from campale.rulesets.w10.basics.sight import sees
from campale.rulesets.w10.battle.formations import declare_formations
from campale.rulesets.w10.charge.charging import is_barred, may_be_charged
from campale.rulesets.w10.fight.declaring import reach_of
from campale.rulesets.w10.fight.pile_in import closest_enemies, consolidate
from campale.rulesets.w10.movement.aircraft import fly, leave, must_fly, refusal_of
from campale.rulesets.w10.movement.moves import movement_of, own_move
from campale.rulesets.w10.movement.phase import options_of
from campale.rulesets.w10.movement.reserves import may_arrive
from tests.rulesets.w10.kit import PROPOSAL, model, piece, play, squad, table, unit, why

covers = pytest.mark.covers
ENEMY = squad("line-squad", 1, 1, at=(5, 40))


@covers("aircraft/move", "m/minimum-move", "aircraft/leave", "movement-phase/moving-models")
@pytest.mark.parametrize(
    ("end", "facing", "rule"),
    [
        ((30, 25.0), 0.0, None),
        ((30, 24.9), 0.0, "m/minimum-move"),
        ((30.2, 25.5), 0.0, "aircraft/move"),
        ((30, 25.0), 90.0, None),
        ((30, 25.0), 271.0, None),
        ((30, 25.0), 92.0, "aircraft/move"),
        ((30, 43.9), 0.0, None),
    ],
)
def test_it_goes_straight_at_least_twenty_inches_and_turns_up_to_ninety_degrees(
    end: Any, facing: float, rule: str | None
) -> None:
    position = table(squad("flyer", at=(30, 5)), ENEMY, phase="movement")
    found = refusal_of(model(position, 0), [[list(end)], facing])
    assert (None if found is None else found.rule) == rule


@covers("aircraft/move", "core-concepts/engagement-forbidden")
def test_it_may_not_end_engaged_or_on_a_model() -> None:
    position = table(squad("flyer", at=(30, 5)), squad("line-squad", 1, 1, at=(30, 27.5)), phase="movement")
    assert refusal_of(model(position, 0), [[[30, 25.5]], 0.0]) is not None
    assert refusal_of(model(position, 0), [[[30, 31.0]], 0.0]) is None


@covers("aircraft/move", "movement-phase/options")
def test_it_must_fly_and_does_nothing_else() -> None:
    position = table(squad("flyer", at=(30, 5)), squad("seer", at=(10, 5)), ENEMY, phase="movement")
    assert options_of(unit(position, 0)) == ["fly"]
    assert must_fly(position, 0)
    play(fly(unit(position, 0)), answers=[PROPOSAL], position=position)
    assert not must_fly(position, 0)
    assert model(position, 0).y >= 25.0


@covers("aircraft/leave", "u/reserves-unit", "strategic-reserves/arrive")
def test_without_room_it_leaves_and_comes_back_from_the_next_turn_on() -> None:
    position = table(squad("flyer", at=(30, 30)), squad("seer", at=(10, 5)), ENEMY, phase="movement")
    play(fly(unit(position, 0)), position=position)
    assert model(position, 0).where == RESERVE
    assert not may_arrive(unit(position, 0))
    position.now["turn"] = 5
    assert may_arrive(unit(position, 0))


@covers("aircraft/others-move")
def test_who_is_engaged_with_aircraft_alone_may_move_and_pass_under_it() -> None:
    position = table(squad("line-squad", 1), squad("flyer", 1, 1, at=(30, 12.2)), phase="movement")
    assert options_of(unit(position, 0)) == ["normal", "advance", "stay", "fall-back"]
    movement = movement_of(unit(position, 0), 6.0)
    assert why(position, 0, movement, {0: (30, 16.0)}) is None
    assert why(position, 0, movement, {0: (30, 14.5)}) is not None


@covers("aircraft/charge-fight")
def test_aircraft_do_not_charge_and_only_who_can_fly_charges_them() -> None:
    position = table(
        squad("flyer", at=(30, 10)), squad("jump-squad", 1, 1, at=(30, 18)), squad("seer", 1, 1, at=(20, 18))
    )
    assert is_barred(unit(position, 0))
    assert may_be_charged(unit(position, 1), unit(position, 0))
    assert not may_be_charged(unit(position, 2), unit(position, 0))


@covers("aircraft/charge-fight")
@pytest.mark.parametrize(("name", "strikes"), [("jump-squad", True), ("line-squad", False)])
def test_they_fight_only_who_can_fly_and_are_fought_only_by_them(name: str, strikes: bool) -> None:
    position = table(squad("flyer", at=(30, 10)), squad(name, 1, 1, at=(30, 12.0)))
    assert bool(reach_of(unit(position, 0))) is strikes
    assert bool(reach_of(unit(position, 1))) is strikes


@covers("aircraft/closest")
@pytest.mark.parametrize(("name", "row"), [("line-squad", 2), ("jump-squad", 1)])
def test_who_cannot_fly_ignores_them_in_looking_for_the_closest(name: str, row: int) -> None:
    position = table(squad(name), squad("flyer", 1, 1, at=(30, 13)), squad("line-squad", 1, 1, at=(30, 16)))
    assert [m.row for m in closest_enemies(model(position, 0))] == [row]


@covers("terrain/ruins-visibility", "terrain/woods")
def test_they_are_seen_over_ruins() -> None:
    wall = piece("ruins", 30, 20, (20, 4))
    position = table(
        squad("line-squad"), squad("flyer", 1, 1, at=(30, 30)), squad("seer", 1, 1, at=(33, 30)), pieces=[wall]
    )
    assert sees(model(position, 0), model(position, 1))
    assert not sees(model(position, 0), model(position, 2))


@covers("core-abilities/hover", "aircraft/deploy", "mission/formations", "modifiers/unmodifiable")
@pytest.mark.parametrize(("how", "reserved"), [("flies", "strategic"), ("hover", None)])
def test_in_hover_mode_it_is_no_aircraft_and_begins_on_the_table(how: str, reserved: str | None) -> None:
    squads = (
        squad("flyer", where="reserve"),
        squad("line-squad", 1, where="reserve"),
        squad("line-squad", 1, 1, where="reserve"),
    )
    position = table(*squads, phase="formations", turn=0, round=0, size=1000)
    answers = [{0: [how, "none"], 1: ["none"]}]
    play(declare_formations(position), answers=answers, position=position)
    assert unit(position, 0).note("reserves") == reserved
    assert own_move(model(position, 0)) == 20
    model(position, 0).move_to(30.0, 10.0)
    assert options_of(unit(position, 0)) == (["fly"] if reserved else ["normal", "advance", "stay"])


@covers("aircraft/leave")
def test_it_may_be_taken_off() -> None:
    position = table(squad("flyer", at=(30, 5)), ENEMY)
    leave(unit(position, 0))
    assert unit(position, 0).note("reserves") == "strategic"


@covers("aircraft/charge-fight")
def test_aircraft_do_not_consolidate_though_a_marker_is_near() -> None:
    for keywords, moves in ((("vehicle", "aircraft", "fly"), False), (("vehicle", "fly"), True)):
        position = table(
            squad("flyer", at=(30, 20), keywords=keywords),
            squad("line-squad", 1, 1, (10, 40)),
            phase="fight",
            markers=[(30, 25)],
        )
        play(consolidate(unit(position, 0)), "", [], position, accepting=True)
        assert (model(position, 0).at != (30, 20)) is moves
