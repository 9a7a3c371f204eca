"""Chapters "turn", "move", "fire", "reaction" and "victory"."""

from __future__ import annotations

import pytest

from campale.conformance.bench import carried_out, events, laid_out
from campale.mechanics.units import members, unmarked
from campale.referee.position import GONE, Model, Position, Result, Unit
from campale.rulesets._template import RULESET, fire, move, setup, turn

CAPTAIN, RIFLES, GUNNER, PICKET = range(4)
"""The rows of the units: two of each side."""


@pytest.fixture
def position() -> Position:
    return on_the_table(laid_out(RULESET))


def on_the_table(position: Position) -> Position:
    """The first side along y = 2, the second along y = 22; all out of each other's range."""
    for one in position.models:
        one.move_to(3.0 + 2.0 * (one.row % 4), 2.0 if one.side == 0 else 22.0)
    return position


def alone(position: Position, row: int, *places: tuple[float, float]) -> Unit:
    """A unit at some places; whoever of it finds none is gone."""
    unit = Unit(position, row)
    for model in unit.models[len(places) :]:
        position.remove(model, "fire")
    for model, place in zip(unit.models, places, strict=True):
        model.move_to(*place)
    return unit


def duel(position: Position, y: float) -> tuple[Unit, Unit]:
    """A rifleman of ours, and an enemy at so much on the way up: clear of the wood."""
    return alone(position, RIFLES, (2.0, 2.0)), alone(position, PICKET, (2.0, y))


# ---------------------------------------------------------------- the turn


@pytest.mark.covers("turn/sequence")
def test_the_sequence_begins_with_deployment_and_goes_on_to_orders() -> None:
    position = laid_out(RULESET)
    for unit in position.units:
        y, facing = (2.0, 0.0) if unit.side == 0 else (22.0, 180.0)
        count = position.unit_of.count(unit.row)
        places = [[4.0 + 10.0 * (unit.row % 2) + 1.5 * k, y, facing] for k in range(count)]
        assert carried_out(turn.step(position), [places]).value is True
    assert position.now["phase"] == "orders"
    assert position.now["turn"] == 1


@pytest.mark.covers("turn/initiative")
@pytest.mark.parametrize(("dice", "side"), [([4, 3], 0), ([3, 4], 1), ([4, 4, 2, 1], 0)])
def test_the_higher_roll_begins_and_a_tie_is_rolled_again(position: Position, dice: list[float], side: int) -> None:
    carried_out(turn.roll_initiative(position), dice=dice)
    assert position.now["side"] == side


@pytest.mark.covers("turn/alternation")
def test_the_sides_activate_turn_about(position: Position) -> None:
    position.now.update(phase="activations", turn=1, side=0)
    run = carried_out(turn.activate(position), [RIFLES, [[[], None]] * 3])
    assert run.prompts == ["activate", "move"]
    assert position.now["side"] == 1
    assert [unit.row for unit in unmarked(position, 0, "acted")] == [CAPTAIN]


@pytest.mark.covers("turn/alternation")
def test_who_has_nobody_left_is_passed_over(position: Position) -> None:
    position.now.update(phase="activations", turn=1, side=0)
    for row in (CAPTAIN, RIFLES, GUNNER):
        Unit(position, row).mark("acted", 1)
    assert carried_out(turn.activate(position), [[[[], None]] * 2]).value
    assert not carried_out(turn.activate(position)).value


# ---------------------------------------------------------------- moves


def refused(unit: Unit, *ways: list[list[float]]) -> str | None:
    """The rule that forbids the ways of the models of a unit."""
    moving = move.move(unit)
    question = moving.send(None)
    refusal = question.refusal([[way, None] for way in ways])
    moving.close()
    return None if refusal is None else str(refusal.rule)


@pytest.mark.covers("move/allowance")
@pytest.mark.parametrize(
    ("order", "far", "rule"),
    [(None, 6.0, None), (None, 6.01, "move/allowance"), ("hold", 3.0, None), ("hold", 3.01, "move/allowance")],
)
def test_a_unit_goes_as_far_as_its_movement(
    position: Position, order: str | None, far: float, rule: str | None
) -> None:
    position.declare("order-0", order)
    captain = alone(position, CAPTAIN, (20.0, 2.0))
    assert refused(captain, [[20.0, 2.0 + far]]) == rule


@pytest.mark.covers("move/allowance")
def test_models_go_their_ways_or_stay(position: Position) -> None:
    rifles = Unit(position, RIFLES)
    ways = [[[], None], [[[7.0, 3.5], [7.5, 3.5]], None], [[], None]]
    carried_out(move.move(rifles), [ways])
    assert [m.at for m in rifles.models] == [(5.0, 2.0), (7.5, 3.5), (9.0, 2.0)]
    assert events(position, "move")[-1]["path"] == [[7.0, 2.0], [7.0, 3.5], [7.5, 3.5]]


@pytest.mark.covers("move/bases")
@pytest.mark.parametrize(("far", "rule"), [(4.0, None), (4.1, "move/bases")])
def test_a_model_comes_up_to_another_unit_and_not_through_it(position: Position, far: float, rule: str | None) -> None:
    captain, _ = alone(position, CAPTAIN, (2.0, 10.0)), alone(position, GUNNER, (7.0, 10.0))
    assert refused(captain, [[2.0 + far, 10.0]]) == rule


@pytest.mark.covers("move/bases")
@pytest.mark.parametrize(("y", "rule"), [(0.5, None), (0.4, "move/bases")])
def test_a_model_stays_on_the_table(position: Position, y: float, rule: str | None) -> None:
    assert refused(alone(position, CAPTAIN, (20.0, 2.0)), [[20.0, y]]) == rule


@pytest.mark.covers("move/bases", "move/coherency")
@pytest.mark.parametrize(("x", "rule"), [(7.0, None), (6.9, "move/bases"), (9.0, None), (9.01, "move/coherency")])
def test_models_of_a_unit_end_beside_each_other(position: Position, x: float, rule: str | None) -> None:
    rifles = alone(position, RIFLES, (4.0, 8.0), (6.0, 8.0), (6.0, 10.0))
    assert refused(rifles, [[4.0, 9.0], [6.0, 9.0]], [[6.0, 8.0]], [[x, 8.0]]) == rule


# ---------------------------------------------------------------- fire


@pytest.mark.covers("fire/sequence", "fire/wounds")
def test_a_unit_fires_at_one_enemy_and_a_hit_takes_a_model_away(position: Position) -> None:
    unit, target = duel(position, 8.0)
    run = carried_out(fire.fire(unit), [target.row], dice=[4])
    assert run.prompts == ["fire"]
    assert not members(target)
    assert position.losses[-1].by == unit.models[0].row


@pytest.mark.covers("fire/sequence")
def test_a_unit_may_hold_its_fire_and_a_three_misses(position: Position) -> None:
    unit, target = duel(position, 8.0)
    carried_out(fire.fire(unit), [None])
    carried_out(fire.volley(unit, target), dice=[3])
    assert members(target)


@pytest.mark.covers("fire/range")
@pytest.mark.parametrize(("y", "rule"), [(15.0, None), (15.01, "fire/range")])
def test_a_target_is_within_range_from_edge_to_edge(position: Position, y: float, rule: str | None) -> None:
    unit, target = duel(position, y)
    assert (fire.out_of_range(unit, target) is None) == (rule is None)
    assert bool(fire.aimed_at(unit, target)) == (rule is None)


@pytest.mark.covers("fire/range", "fire/sequence")
def test_of_a_unit_those_fire_who_have_the_nearest_of_the_target_in_range(position: Position) -> None:
    unit, target = alone(position, RIFLES, (2.0, 2.0), (4.0, 2.0), (4.0, 4.0)), alone(position, PICKET, (2.0, 15.0))
    assert [shooter.at for shooter, _ in fire.aimed_at(unit, target)] == [(2.0, 2.0), (4.0, 4.0)]
    assert carried_out(fire.volley(unit, target), dice=[5, 4]).value == 1


@pytest.mark.covers("fire/half-range", "profile/fields")
@pytest.mark.parametrize(("y", "needed"), [(9.0, 4), (9.01, 5)])
def test_beyond_half_range_it_is_one_harder(position: Position, y: float, needed: int) -> None:
    assert lowest_hit(*duel(position, y)) == needed


def lowest_hit(unit: Unit, target: Unit) -> int:
    need = fire.to_hit(unit.models[0], target.models[0])
    return next(face for face in range(1, 7) if need.is_met_by(face))


@pytest.mark.covers("fire/wood")
@pytest.mark.parametrize(
    ("reading", "x", "needed"), [("any", 8.52, 5), ("any", 8.5, 4), ("whole", 9.5, 5), ("whole", 9.48, 4)]
)
def test_in_the_wood_it_is_one_harder(reading: str, x: float, needed: int) -> None:
    position = on_the_table(laid_out(RULESET, wood=reading))
    unit, target = alone(position, RIFLES, (x - 6.0, 12.0)), alone(position, PICKET, (x, 12.0))
    assert lowest_hit(unit, target) == needed


@pytest.mark.covers("fire/holding")
@pytest.mark.parametrize(("order", "needed"), [("hold", 3), ("advance", 4)])
def test_who_holds_hits_more_easily(position: Position, order: str, needed: int) -> None:
    position.declare("order-0", order)
    assert lowest_hit(*duel(position, 8.0)) == needed


@pytest.mark.covers("fire/example", "fire/half-range", "fire/wood", "fire/holding")
def test_the_example_of_the_book(position: Position) -> None:
    position.declare("order-0", "hold")
    unit, target = alone(position, RIFLES, (12.0, 3.0)), alone(position, PICKET, (12.0, 11.0))
    assert [(part.rule, part.value) for part in fire.to_hit(unit.models[0], target.models[0]).parts] == [
        ("fire/half-range", -1),
        ("fire/wood", -1),
        ("fire/holding", 1),
    ]
    assert lowest_hit(unit, target) == 5


@pytest.mark.covers("fire/wounds")
def test_a_model_with_wounds_left_stays(position: Position) -> None:
    unit, target = Unit(position, PICKET), Unit(position, CAPTAIN)
    (captain,) = target.models
    for wounds, is_standing in ((1, True), (2, True), (3, False)):
        fire.wound(unit, target, 1, "fire")
        assert captain.marks("wounds") == wounds
        assert captain.is_on_table == is_standing


@pytest.mark.covers("fire/wounds")
def test_the_last_of_those_who_are_unhurt_goes_first(position: Position) -> None:
    target = Unit(position, RIFLES)
    fire.wound(Unit(position, PICKET), target, 2, "fire")
    assert [m.row for m in target.models] == [1]


# ---------------------------------------------------------------- the answer


@pytest.mark.covers("reaction/return-fire")
def test_who_was_fired_at_may_fire_back_once(position: Position) -> None:
    unit, at = duel(position, 8.0)
    carried_out(fire.return_fire(at, unit), ["no"])
    run = carried_out(fire.return_fire(at, unit), ["yes"], dice=[4])
    assert run.questions[0].side == at.side
    assert not members(unit)
    assert carried_out(fire.return_fire(at, alone(position, CAPTAIN, (2.0, 4.0)))).questions == []


@pytest.mark.covers("reaction/return-fire")
def test_the_dead_and_the_far_do_not_fire_back(position: Position) -> None:
    unit, at = duel(position, 15.01)
    assert carried_out(fire.return_fire(at, unit)).questions == []
    position.remove(at.models[0], "fire")
    assert carried_out(fire.return_fire(at, unit)).questions == []


# ---------------------------------------------------------------- victory


def at_the_well(position: Position, row: int, far: float) -> Model:
    """A model with the edge of its base so far from the well."""
    model = position.model(row)
    model.move_to(setup.WELL[0] + far + 0.5, setup.WELL[1])
    return model


@pytest.mark.covers("victory/well")
@pytest.mark.parametrize(("ours", "theirs", "points"), [(3.0, 9.0, [1, 0]), (3.01, 9.0, [0, 0]), (9.0, 3.0, [0, 1])])
def test_who_is_alone_at_the_well_scores(position: Position, ours: float, theirs: float, points: list[int]) -> None:
    at_the_well(position, 0, ours)
    position.model(4).move_to(setup.WELL[0] - theirs - 0.5, setup.WELL[1])
    turn.score_the_well(position)
    assert [position.holds(side, "points") for side in (0, 1)] == points
    position.model(5).move_to(12.0, 13.0)
    position.model(1).move_to(12.0, 11.0)
    turn.score_the_well(position)
    assert [position.holds(side, "points") for side in (0, 1)] == points


def ended(position: Position) -> Result | None:
    turn.end_the_battle(position)
    return position.result


@pytest.mark.covers("victory/end")
def test_who_has_nobody_left_has_lost_whatever_the_points(position: Position) -> None:
    position.now["turn"] = 1
    position.gain(1, "points", 3)
    assert ended(position) is None
    for one in position.on_table(1):
        position.remove(one, "fire")
    result = ended(position)
    assert result is not None
    assert (result.winner, result.rule) == (0, "victory/end")


@pytest.mark.covers("victory/end")
@pytest.mark.parametrize(("points", "winner"), [((2, 1), 0), ((1, 2), 1), ((1, 1), None)])
@pytest.mark.parametrize(("now", "is_over"), [(5, False), (6, True)])
def test_after_six_turns_more_points_win(
    position: Position, points: tuple[int, int], winner: int | None, now: int, is_over: bool
) -> None:
    position.now["turn"] = now
    for side, more in enumerate(points):
        position.gain(side, "points", more)
    turn.end_the_battle(position)
    assert (position.result is not None) == is_over
    if position.result is not None:
        assert (position.result.winner, position.result.counts) == (winner, {"score": list(points)})


@pytest.mark.covers("turn/sequence")
def test_the_end_of_a_turn_drops_the_orders_and_what_units_did(position: Position) -> None:
    position.now.update(phase="end", turn=2, side=0)
    position.declare("order-0", "hold")
    Unit(position, CAPTAIN).mark("acted", 1)
    assert carried_out(turn.step(position)).value
    assert position.declared == {}
    assert len(unmarked(position, 0, "acted")) == 2
    assert (position.now["phase"], position.now["turn"]) == ("orders", 3)
    assert not any(m.where == GONE for m in position.models)
