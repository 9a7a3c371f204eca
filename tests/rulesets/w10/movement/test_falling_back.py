"""Falling back and Desperate Escape tests (movement-phase/fall-back*, movement-phase/desperate-escape)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.unit_moves import UnitMove, as_paths, is_lawful
from campale.referee.position import Position
from campale.rulesets.w10.basics.units import is_engaged, members
from campale.rulesets.w10.movement import falling_back as module
from campale.rulesets.w10.movement.falling_back import (
    can_fall_back,
    crosses_untested,
    endangered,
    fall_back,
    falling_back,
    ways_back,
)
from tests.rulesets.w10.kit import left, model, play, question_after, squad, table, unit, why, wounds

covers = pytest.mark.covers

FOOT = 32 / 25.4
TOUCH = FOOT + 0.5


def back(position: Position, ways: dict[int, Any]) -> str | None:
    return why(position, 0, falling_back(unit(position, 0)), ways)


def takers(position: Position, *ways: Any) -> list[int]:
    models = members(unit(position, 0))
    return endangered(unit(position, 0), as_paths(models, [[way, None] for way in ways]))


def ringed(**shooter: Any) -> Position:
    """A model with an enemy before it and a row of enemies behind it."""
    row = [(30 + TOUCH * k, 10 - TOUCH) for k in (-1.0, 0, 1.0)]
    return table(squad("line-squad", at=(30, 10), **shooter), squad("line-squad", side=1, at=[(30, 10 + TOUCH), *row]))


@covers("movement-phase/fall-back")
def test_a_unit_may_pass_by_enemies_but_not_end_by_them() -> None:
    position = table(
        squad("line-squad", at=(30, 10)), squad("line-squad", 2, 1, [(30, 10 + TOUCH), (30 + FOOT + 0.5, 7)])
    )
    assert back(position, {0: (30, 4.1)}) is None
    assert back(position, {0: (30, 7)}) == "movement-phase/fall-back"
    assert back(position, {0: (30, 3.9)}) == "movement-phase/fall-back"


@covers("movement-phase/fall-back")
def test_nobody_of_the_unit_stays_engaged() -> None:
    position = table(squad("line-squad", 2, at=(30, 10)), squad("line-squad", 1, 1, (30, 10 + TOUCH)))
    assert back(position, {1: (31.5, 9)}) == "movement-phase/fall-back"
    assert back(position, {}) == "movement-phase/fall-back"
    assert back(position, {0: (30, 8), 1: (31.5, 8)}) is None


@covers("movement-phase/fall-back")
def test_whoever_has_no_way_out_does_not_fall_back() -> None:
    assert can_fall_back(unit(ringed(), 0))
    assert not can_fall_back(unit(ringed(m=1), 0))


@covers("movement-phase/fall-back-over", "movement-phase/desperate-escape")
def test_who_goes_over_enemies_takes_a_test_unless_it_flies_or_is_titanic() -> None:
    over, beside = [(30, 4.1)], [(24.5, 10)]
    assert takers(ringed(), over) == [0]
    assert takers(ringed(), beside) == []
    assert takers(ringed(keywords=("infantry", "fly")), over) == []
    assert takers(ringed(keywords=("vehicle", "titanic")), over) == []


@covers("movement-phase/desperate-escape", "command-phase/battle-shocked-effects")
def test_of_a_battle_shocked_unit_everybody_takes_one() -> None:
    position = ringed(marks={"shocked": 1}, keywords=("infantry", "fly"))
    assert takers(position, [(24.5, 10)]) == [0]


@covers("movement-phase/desperate-escape", "movement-phase/fall-back")
@pytest.mark.parametrize(("dice", "count"), [("3", 1), ("2", 0)])
def test_a_one_or_a_two_costs_a_model(dice: str, count: int) -> None:
    position = ringed()
    play(fall_back(unit(position, 0)), dice, [[[[[30, 4.1]], None]]], position)
    assert left(position, 0) == count
    assert unit(position, 0).marks("fell-back")
    assert [one.cause for one in position.losses] == ["desperate-escape"] * (1 - count)


@covers("movement-phase/desperate-escape")
def test_the_owner_names_the_dead_and_the_survivors_go_as_they_like_untested_not_over_enemies() -> None:
    position = table(squad("line-squad", 2, at=(30, 10)), squad("line-squad", 1, 1, (30, 10 - TOUCH)))
    over = [[[[30, 4.5]], None], [[[31.5, 5]], None]]
    first = [model(position, 0), model(position, 1)]
    rows = endangered(unit(position, 0), as_paths(first, over))
    answers = [over, 1, [[[[30, 14]], None]]]
    assert rows == [0]
    played = play(fall_back(unit(position, 0)), "1", answers, position)
    assert played.prompts == ["fall-back", "left-behind", "fall-back"]
    assert model(position, 0).at == (30, 14)
    assert not is_engaged(unit(position, 0))


@covers("movement-phase/desperate-escape")
def test_who_took_no_test_may_not_cross_an_enemy_afterwards() -> None:
    position = ringed()
    paths = as_paths([model(position, 0)], [[[(30, 4.1)], None]])
    move = UnitMove(unit(position, 0), paths, falling_back(unit(position, 0)))
    assert crosses_untested(move, [0]) is None
    assert crosses_untested(move, []) is not None


@covers("movement-phase/desperate-escape", "core-abilities/deadly-demise")
def test_a_vehicle_lost_so_explodes_at_once() -> None:
    position = table(
        squad("walker", at=(30, 10), marks={"shocked": 1}),
        squad("line-squad", 1, 1, (30, 10 + 90 / 50.8 + FOOT / 2 + 0.5), w=9),
    )
    play(fall_back(unit(position, 0)), "1 | 6 | 3", [[[[[30, 4]], None]]], position)
    assert left(position, 0) == 0
    assert wounds(position, 1) == 2


@covers("movement-phase/fall-back", "movement-phase/moving-models")
def test_large_models_do_not_fall_back_over_large_friends() -> None:
    enemy = squad("line-squad", 1, 1, (30, 10 + 90 / 50.8 + FOOT / 2 + 0.5))
    position = table(squad("walker", at=(30, 10)), enemy, squad("beast", at=(30, 6)))
    assert back(position, {0: (30, 2)}) == "movement-phase/moving-models"
    assert back(position, {0: (24, 7)}) is None


# ---------------------------------------------------------------- ways that are hard to find


@covers("movement-phase/fall-back")
@pytest.mark.parametrize(("way", "fell_back"), [([[30, 4.1]], 1), ([], 0)])
def test_a_way_that_was_not_found_may_be_shown_or_the_unit_stays(
    monkeypatch: pytest.MonkeyPatch, way: Any, fell_back: int
) -> None:
    monkeypatch.setattr(module, "ways_back", lambda unit, movement: iter(()))
    position = ringed(keywords=("infantry", "fly"))
    question = question_after(fall_back(unit(position, 0)))
    assert question.refusal([[[[30, 9]], None]]) is not None
    played = play(fall_back(unit(position, 0)), "", [[[way, None]]], position)
    assert played.prompts == ["fall-back-not-found"]
    assert unit(position, 0).marks("fell-back") == fell_back
    assert unit(position, 0).marks("stationary") == 1 - fell_back


@covers("movement-phase/fall-back")
def test_a_narrow_way_between_enemies_is_found() -> None:
    enemies = [(33.91, 15.21), (32.1, 14.19), (31.36, 15.4), (35.46, 14), (34.3, 12.88), (24.3, 11.61), (26.84, 11.14)]
    enemies += [(25.48, 13.17), (22.93, 11.79), (28.9, 12.63), (27.92, 14.8), (27.07, 15.95), (24.88, 14.92)]
    position = table(squad("line-squad", 2, at=[(30, 14), (28.97, 15.71)], m=3), squad("line-squad", 13, 1, enemies))
    movement = falling_back(unit(position, 0))
    assert can_fall_back(unit(position, 0))
    assert all(
        is_lawful(unit(position, 0), members(unit(position, 0)), movement, answer)
        for answer in ways_back(unit(position, 0), movement)
    )
    assert next(ways_back(unit(position, 0), movement), None) is not None
