"""A squad moved by one answer: every model goes by its own lawful answer, in an order in which all of them can."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.marches import March
from campale.referee.position import Position
from campale.referee.question import Choose, Form
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.turn.activation import begin_squad
from campale.rulesets.wzr.turn.march import march
from campale.rulesets.wzr.turn.menu import menu_fields
from tests.rulesets.wzr.worlds import finish, squad, table, unit

covers = pytest.mark.covers

PLACES = [(20.0, 20.0), (22.0, 20.0), (20.0, 18.0), (22.0, 18.0)]
ENEMY = squad("undead", side=1, at=(24, 46))


def standing(places: Any = PLACES, enemy: Any = ENEMY) -> Position:
    return table(squad("riflemen", at=places), enemy, options={"advanced": False})


def which(position: Position, rows: list[int]) -> Choose:
    return Choose(0, "next-model", [*rows, "enough"], "model", about={"unit": 0})


def marching(position: Position) -> March:
    found = march(position, which(position, list(range(len(PLACES)))))
    assert found is not None
    return found


def by(position: Position, dx: float, dy: float) -> list[Any]:
    return [[[[m.x + dx, m.y + dy]], None] for m in position.units[0].models[: len(PLACES)]]


def taken(found: March, ways: Any, then: str = "ask") -> list[tuple[str, int, Any]]:
    steps = found.steps(ways, then)
    return [(step.prompt, step.row, step.answer) for step in steps if not callable(step.answer)]


@covers("turn/squad-activation", "actions/walk", "actions/run")
def test_a_squad_walks_as_far_as_a_walk_goes_and_runs_beyond_it() -> None:
    position = standing()
    found = marching(position)
    assert [answer[0] for prompt, _, answer in taken(found, by(position, 0, 5)) if prompt == "act"] == ["walk"] * 4
    assert found.question.foretold(by(position, 0, 5)) == []
    assert [answer[0] for prompt, _, answer in taken(found, by(position, 0, 5.1)) if prompt == "act"] == ["run"] * 4
    assert [one.values for one in found.question.foretold(by(position, 0, 5.1))] == [{"count": 4, "ap": 2}]
    assert found.question.refusal(by(position, 0, 10)) is None
    refusal = found.question.refusal(by(position, 0, 10.1))
    assert refusal is not None
    assert refusal.rule == "actions/run"


@covers("turn/squad-activation", "squads/coherency")
def test_the_commander_goes_first_where_he_can_and_those_in_front_before_those_behind() -> None:
    position = standing()
    ahead = [row for prompt, _, row in taken(marching(position), by(position, 0, 9)) if prompt == "next-model"]
    assert ahead == [0, 1, 2, 3]
    back = [row for prompt, _, row in taken(marching(position), by(position, 0, -2)) if prompt == "next-model"]
    assert back == [2, 0, 3, 1]


@covers("squads/coherency", "squads/out-of-coherency")
def test_nobody_who_marches_is_left_out_of_coherency() -> None:
    position = standing()
    ways = by(position, 0, 0)
    ways[0] = [[[20.0, 11.0]], None]
    ways[1] = [[[22.0, 25.0]], None]
    refusal = marching(position).question.refusal(ways)
    assert refusal is not None
    assert (refusal.rule, refusal.model) == ("squads/out-of-coherency", 1)
    ways[1] = [[[22.0, 15.0]], None]
    assert marching(position).question.refusal(ways) is None


@covers("turn/squad-activation")
def test_it_takes_two_who_may_walk_off_and_somebody_has_to_go() -> None:
    position = standing()
    assert march(position, which(position, [0])) is None
    assert march(position, which(position, [0, 1])) is not None
    stays: list[Any] = [[[], None]] * 4
    assert marching(position).question.refusal(stays) is not None


@covers("close-combat/engaged-ap")
def test_whoever_is_engaged_does_not_march() -> None:
    position = standing(enemy=squad("undead", side=1, at=(20.0, 21.2)))
    rows = marching(position).question.about["models"]
    assert 0 not in rows
    assert 3 in rows


@covers("turn/squad-activation", "actions/sentry")
def test_the_steps_are_answers_that_the_rules_accept() -> None:
    position = standing()
    begin_squad(position, unit(position, 0))
    found = marching(position)
    ways = by(position, 0, 4)
    assert found.after(ways) is not None
    assert found.after(by(position, 0, 6)) is None
    assert found.lasts(position)
    finish(position, answers=[answer for _, _, answer in taken(found, ways, "pass")])
    assert [model.y for model in position.units[0].models[:4]] == [24.0, 24.0, 22.0, 22.0]
    position.now["activation"] = int(position.now["activation"]) + 1
    assert not found.lasts(position)


@covers("actions/shoot", "shooting/target-priority")
def test_the_shot_afterwards_is_at_the_nearest_model_and_never_a_grenade() -> None:
    position = standing(enemy=squad("undead", side=1, at=[(20, 30), (21, 34)]))
    found = marching(position)
    (shot,) = [step.answer for step in found.steps(by(position, 0, 1), "shoot") if callable(step.answer)][:1]
    menu = form_of(position)
    assert menu.refusal(shot(menu)) is None
    assert (shot(menu)[0], shot(menu)[-1]) == ("shoot", 4)
    away = standing(enemy=squad("undead", side=1, at=(20, 4)))
    (shot,) = [step.answer for step in marching(away).steps(by(away, 0, 1), "shoot") if callable(step.answer)][:1]
    assert shot(form_of(away)) is None


def form_of(position: Position) -> Form:
    """The menu of the first model."""
    model = position.model(0)
    model.mark(marks.AP, 1)
    return Form(0, "act", lambda filled: menu_fields(model, filled), {"model": 0, "left": 1})
