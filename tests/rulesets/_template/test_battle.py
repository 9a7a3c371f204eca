"""Chapters "turn", "move", "fire", "reaction" and "victory"."""

from __future__ import annotations

import pytest

from campale.referee.position import GONE, Model, Position
from campale.rulesets._template import RULESET, fire, move, reaction, sequence, victory
from campale.rulesets._template.fire import Shot
from tests.conformance.bench import carried_out, events, laid_out, model


@pytest.fixture
def position() -> Position:
    return on_the_table(laid_out(RULESET))


def on_the_table(position: Position) -> Position:
    """The first side along y = 2, the second along y = 22."""
    for one in position.models:
        one.move_to(3.0 + 5.0 * (one.row % 4), 2.0 if one.side == 0 else 22.0)
    return position


def duel(position: Position, y: float) -> Shot:
    """A rifleman of ours, and an enemy at so much on the way up: clear of the wood."""
    shooter, target = model(position, "rifleman"), model(position, "rifleman", 1)
    shooter.move_to(2.0, 2.0)
    target.move_to(2.0, y)
    return Shot(shooter, target)


@pytest.mark.covers("turn/sequence")
def test_the_sequence_begins_with_deployment_and_goes_on_to_orders() -> None:
    position = laid_out(RULESET)
    for side in (0, 1):
        count = len([m for m in position.models if m.side == side])
        places = [[3.0 * (k + 1), 2.0 if side == 0 else 22.0, 0.0] for k in range(count)]
        assert carried_out(sequence.step(position), [places]).value is True
    assert position.now["phase"] == "orders"
    assert position.now["turn"] == 1


@pytest.mark.covers("turn/initiative")
@pytest.mark.parametrize(("dice", "side"), [([4, 3], 0), ([4, 4], 1), ([3, 4], 1)])
def test_the_higher_roll_begins_and_a_tie_is_the_second_sides(position: Position, dice: list[float], side: int) -> None:
    carried_out(sequence.roll_initiative(position), dice=dice)
    assert position.now["side"] == side


@pytest.mark.covers("turn/alternation")
def test_the_sides_activate_turn_about(position: Position) -> None:
    position.now.update(phase="activations", turn=1, side=0)
    run = carried_out(sequence.activate(position), [1, [[], None]])
    assert run.prompts == ["activate", "move"]
    assert position.now["side"] == 1
    assert [m.row for m in sequence.ready(position, 0)] == [0, 2, 3]


@pytest.mark.covers("turn/alternation")
def test_who_has_nobody_left_is_passed_over(position: Position) -> None:
    position.now.update(phase="activations", turn=1, side=0)
    for one in position.on_table(0):
        one.mark("acted", 1)
    assert sequence.whose_turn(position) == 1
    for one in position.on_table(1)[1:]:
        one.mark("acted", 1)
    assert not carried_out(sequence.activate(position), [[[], None]]).value


@pytest.mark.covers("move/allowance")
@pytest.mark.parametrize(
    ("order", "far", "is_refused"), [(None, 6.0, 0), (None, 6.01, 1), ("hold", 3.0, 0), ("hold", 3.01, 1)]
)
def test_a_model_goes_as_far_as_its_movement(
    position: Position, order: str | None, far: float, is_refused: int
) -> None:
    position.declare("order-0", order)
    rifleman = model(position, "rifleman")
    refusal = move.unlawful(rifleman, [[[rifleman.x, rifleman.y + far]], None])
    assert (None if refusal is None else refusal.rule) == ("move/allowance" if is_refused else None)


@pytest.mark.covers("move/allowance", "move/bases")
def test_a_model_goes_its_way_or_stays(position: Position) -> None:
    rifleman = model(position, "rifleman")
    carried_out(move.move(rifleman), [[[[9.0, 4.0], [8.0, 5.0]], 90.0]])
    assert (*rifleman.at, rifleman.facing) == (8.0, 5.0, 90.0)
    assert events(position, "move")[-1]["path"] == [[9.0, 4.0], [8.0, 5.0]]
    carried_out(move.move(rifleman), [[[], None]])
    assert rifleman.at == (8.0, 5.0)


@pytest.mark.covers("move/bases")
@pytest.mark.parametrize(("far", "is_refused"), [(4.0, False), (4.1, True)])
def test_a_model_comes_up_to_another_and_not_through_it(position: Position, far: float, is_refused: bool) -> None:
    rifleman = model(position, "rifleman")
    refusal = move.unlawful(rifleman, [[[rifleman.x + far, rifleman.y]], None])
    assert (None if refusal is None else refusal.rule) == ("move/bases" if is_refused else None)


@pytest.mark.covers("move/bases")
@pytest.mark.parametrize(("y", "is_refused"), [(0.5, False), (0.4, True)])
def test_a_model_stays_on_the_table(position: Position, y: float, is_refused: bool) -> None:
    rifleman = model(position, "rifleman")
    refusal = move.unlawful(rifleman, [[[rifleman.x, y]], None])
    assert (None if refusal is None else refusal.rule) == ("move/bases" if is_refused else None)


@pytest.mark.covers("fire/sequence", "fire/wounds")
def test_a_model_fires_at_one_enemy_and_a_hit_takes_it_away(position: Position) -> None:
    shot = duel(position, 8.0)
    run = carried_out(fire.fire(shot.shooter), [shot.target.row], dice=[4])
    assert run.value.row == shot.target.row
    assert shot.target.where == GONE
    assert position.losses[-1].by == shot.shooter.row


@pytest.mark.covers("fire/sequence")
def test_a_model_may_hold_its_fire_and_a_three_misses(position: Position) -> None:
    shot = duel(position, 8.0)
    assert carried_out(fire.fire(shot.shooter), [None]).value is None
    carried_out(fire.fire(shot.shooter), [shot.target.row], dice=[3])
    assert shot.target.is_on_table


@pytest.mark.covers("fire/range")
@pytest.mark.parametrize(("y", "rule"), [(15.0, None), (15.01, "fire/range")])
def test_a_target_is_within_range_from_edge_to_edge(position: Position, y: float, rule: str | None) -> None:
    refusal = fire.cannot_be_target(duel(position, y))
    assert (None if refusal is None else refusal.rule) == rule


@pytest.mark.covers("fire/half-range", "profile/fields")
@pytest.mark.parametrize(("y", "needed"), [(9.0, 4), (9.01, 5)])
def test_beyond_half_range_it_is_one_harder(position: Position, y: float, needed: int) -> None:
    assert lowest_hit(duel(position, y)) == needed


def lowest_hit(shot: Shot) -> int:
    return next(face for face in range(1, 7) if fire.to_hit(shot).is_met_by(face))


@pytest.mark.covers("fire/wood")
@pytest.mark.parametrize(
    ("reading", "x", "needed"), [("any", 8.52, 5), ("any", 8.5, 4), ("whole", 9.5, 5), ("whole", 9.48, 4)]
)
def test_in_the_wood_it_is_one_harder(reading: str, x: float, needed: int) -> None:
    position = on_the_table(laid_out(RULESET, wood=reading))
    shot = duel(position, 8.0)
    shot.shooter.move_to(x - 6.0, 12.0)
    shot.target.move_to(x, 12.0)
    assert lowest_hit(shot) == needed


@pytest.mark.covers("fire/holding")
@pytest.mark.parametrize(("order", "needed"), [("hold", 3), ("advance", 4)])
def test_who_holds_hits_more_easily(position: Position, order: str, needed: int) -> None:
    position.declare("order-0", order)
    assert lowest_hit(duel(position, 8.0)) == needed


@pytest.mark.covers("fire/example", "fire/half-range", "fire/wood", "fire/holding")
def test_the_example_of_the_book(position: Position) -> None:
    position.declare("order-0", "hold")
    shot = duel(position, 8.0)
    shot.shooter.move_to(12.0, 3.0)
    shot.target.move_to(12.0, 11.0)
    assert [(part.rule, part.value) for part in fire.to_hit(shot).parts] == [
        ("fire/half-range", -1),
        ("fire/wood", -1),
        ("fire/holding", 1),
    ]
    assert lowest_hit(shot) == 5


@pytest.mark.covers("fire/wounds")
def test_a_model_with_wounds_left_stays(position: Position) -> None:
    shot = Shot(model(position, "rifleman", 1), model(position, "captain"))
    for wounds, is_standing in ((1, True), (2, True), (3, False)):
        fire.wound(shot)
        assert shot.target.marks("wounds-lost") == wounds
        assert shot.target.is_on_table == is_standing


def shot_at(position: Position) -> tuple[Model, Model]:
    shot = duel(position, 8.0)
    return shot.target, shot.shooter


@pytest.mark.covers("reaction/return-fire")
def test_who_was_fired_at_may_fire_back_once(position: Position) -> None:
    target, shooter = shot_at(position)
    carried_out(reaction.return_fire(target, shooter), ["no"])
    run = carried_out(reaction.return_fire(target, shooter), ["yes"], dice=[4])
    assert run.questions[0].side == target.side
    assert shooter.where == GONE
    assert carried_out(reaction.return_fire(target, shooter)).questions == []


@pytest.mark.covers("reaction/return-fire")
def test_the_dead_and_the_far_do_not_fire_back(position: Position) -> None:
    target, shooter = shot_at(position)
    assert reaction.may_return_fire(target, shooter)
    target.move_to(2.0, 15.01)
    assert not reaction.may_return_fire(target, shooter)
    target.move_to(2.0, 8.0)
    position.remove(target, "test")
    assert not reaction.may_return_fire(target, shooter)


@pytest.mark.covers("victory/last-standing")
def test_who_has_nobody_left_has_lost(position: Position) -> None:
    position.now["turn"] = 1
    assert victory.last_standing(position) is None
    for one in position.on_table(1):
        position.remove(one, "test")
    victory.judge(position)
    assert position.result is not None
    assert (position.result.winner, position.result.rule) == (0, "victory/last-standing")


@pytest.mark.covers("victory/turns")
@pytest.mark.parametrize(("turn", "is_over"), [(5, False), (6, True)])
def test_after_six_turns_more_models_win(position: Position, turn: int, is_over: bool) -> None:
    position.now["turn"] = turn
    victory.judge(position)
    assert (position.result is not None) == is_over
    if position.result is not None:
        assert (position.result.winner, position.result.counts) == (0, {"0": 4, "1": 3})


@pytest.mark.covers("victory/turns")
def test_as_many_models_are_a_draw(position: Position) -> None:
    position.remove(position.on_table(0)[0], "test")
    position.now["turn"] = 6
    result = victory.after_the_turns(position)
    assert result is not None
    assert result.winner is None
