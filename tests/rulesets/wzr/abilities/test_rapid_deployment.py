"""Squads that come out of reserve by Rapid Deployment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from campale.mechanics.frames import push, run_all, stack
from campale.referee.position import RESERVE, Position
from campale.rulesets.wzr.abilities.rapid_deployment import drawn_back, reserves
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.squads.leadership import squad_need
from campale.rulesets.wzr.squads.morale import must_test_pinning
from campale.rulesets.wzr.turn.activation import begin_squad
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.rulesets.wzr.turn.sequence import PROCEDURES, activate, may_come
from tests.rulesets.wzr.kit import Played, finish, piece, play, question_after, squad, table, unit, vehicle

covers = pytest.mark.covers

AT = [24.0, 20.0]
ENEMY = squad(side=1, at=(44, 44))
AHEAD = [20, 2]
"""Two dice that carry a point an inch straight ahead."""


def waiting(models: int = 3, *others: Any, pieces: Iterable[Any] = (), **changes: Any) -> Position:
    """A squad of side 0 in reserve, with LD 14; an enemy far off."""
    held = squad(models, abilities=("rapid-deployment",), at=(4, 4), marks={marks.HELD_BACK: 1}, **changes)
    position = table(held, ENEMY, *others, pieces=pieces)
    for model in unit(position, 0).models:
        position.take_off(model, RESERVE)
    return position


def comes(position: Position, dice: str, answers: Iterable[Any] = (), at: Any = AT, accepting: bool = True) -> Played:
    """Its arrival, with the frames of the activation that follow."""
    push(position, ("arrival", 0), ("next-model", 0), ("squad-ends", 0))
    before_acting = [at, *answers, *(["enough"] if accepting else ())]
    return finish(position, dice, before_acting)


def placed(position: Position, *spots: tuple[float, float]) -> list[Any]:
    """The answers that set the others down, each after its order where they differ."""
    rows = [m.row for m in position.models if position.unit_of[m.row] == 0][1:]
    answers: list[Any] = []
    for k, spot in enumerate(spots):
        left = rows[k:]
        answers += [left] if len({position.model(row).profile for row in left}) > 1 else []
        answers.append([[*spot, 0.0]])
    return answers


def there(position: Position) -> list[int]:
    return [m.row for m in unit(position, 0).models if m.is_on_table]


# ---------------------------------------------------------------- reserve


@covers("abilities/rapid-deployment-reserve")
def test_a_squad_in_reserve_may_be_activated_but_need_not() -> None:
    position = waiting()
    assert reserves(position, 0) == [0]
    assert may_come(position, 0) == [0]
    question = question_after(activate(position))
    assert question.refusal("no-more") is None
    play(activate(position), answers=["no-more"])
    assert may_come(position, 0) == []
    position.now["turn"] = 2
    assert may_come(position, 0) == [0]


@covers("abilities/rapid-deployment-reserve", "turn/activation-order")
def test_who_has_a_squad_on_the_table_left_cannot_decline() -> None:
    position = waiting(3, squad(at=(10, 4)))
    question = question_after(activate(position))
    assert question.refusal(0) is None
    assert question.refusal(2) is None
    assert question.refusal("no-more") is not None


@covers("cards/burn-draw", "turn/activation-order")
@pytest.mark.parametrize("last", [-1, 1])
def test_declining_is_no_activation(last: int) -> None:
    position = waiting()
    position.now.update(last=last, first=0)
    play(activate(position), answers=["no-more"])
    assert (position.now["last"], position.now["window"]) == (last, True)
    play(activate(position), position=position)
    window = stack(position)[-1]
    assert (window[0], *window[3:]) == ("strategy", False, "first" if last < 0 else "between")


@covers("morale/pinning-trigger")
@pytest.mark.parametrize(("lost", "tests"), [(1, False), (2, True)])
def test_of_a_squad_that_arrives_those_in_reserve_count_as_had(lost: int, tests: bool) -> None:
    position = waiting(5)
    begin_squad(position, unit(position, 0))
    for k, model in enumerate(unit(position, 0).models):
        model.move_to(10.0 + 1.5 * k, 10.0)
    unit(position, 0).jot(marks.LOST, (lost, lost))
    assert must_test_pinning(unit(position, 0)) is tests


@covers("abilities/inspiration", "abilities/rapid-deployment-test")
def test_nobody_inspires_a_squad_in_reserve() -> None:
    near = squad(at=(2, 2), abilities=("inspiration",))
    position = waiting(1, near)
    leader = position.model(0)
    assert squad_need(leader, "rapid-deployment").number == 14
    leader.move_to(4.0, 4.0)
    assert squad_need(leader, "rapid-deployment").number == 15


# ---------------------------------------------------------------- the point


@covers("abilities/rapid-deployment-test", "movement/terrain-types")
@pytest.mark.parametrize(
    ("at", "rule"),
    [
        ([24, 20], ""),
        ([0.6, 20], ""),
        ([0.59, 20], "abilities/rapid-deployment-test"),
        ([30.0, 20.0], "abilities/rapid-deployment-test"),
        ([29.39, 20.0], ""),
        ([44.0, 42.79], ""),
        ([44.0, 42.81], "abilities/rapid-deployment-test"),
    ],
)
def test_the_point_is_free_open_ground_as_wide_as_the_commanders_base(at: list[float], rule: str) -> None:
    position = waiting(1, pieces=[piece((30, 18), tags=("light",))])
    push(position, ("arrival", 0))
    refusal = question_after(run_all(position, PROCEDURES)).refusal(at)
    assert ("" if refusal is None else refusal.rule) == rule


@covers("abilities/rapid-deployment-test", "core/bases")
@pytest.mark.parametrize(("x", "rule"), [(2.92, ""), (2.91, "abilities/rapid-deployment-test")])
def test_the_disc_of_a_hull_reaches_to_its_corners_and_lies_on_the_table(x: float, rule: str) -> None:
    position = waiting(1, vehicle=vehicle("tank"), hull=(3.0, 5.0))
    push(position, ("arrival", 0))
    refusal = question_after(run_all(position, PROCEDURES)).refusal([x, 20.0])
    assert ("" if refusal is None else refusal.rule) == rule


@covers("abilities/rapid-deployment-test")
def test_the_point_lies_in_no_enemys_reach() -> None:
    position = waiting(1, squad(side=1, at=(24, 30), base="medium"))
    push(position, ("arrival", 0))
    question = question_after(run_all(position, PROCEDURES))
    assert question.refusal([24, 27.61]) is not None
    assert question.refusal([24, 27.59]) is None


# ---------------------------------------------------------------- the test


@covers("abilities/rapid-deployment-test", "abilities/rapid-deployment-success", "abilities/rapid-deployment-cost")
def test_passed_on_half_the_ld_the_commander_stands_on_the_point_and_the_others_within_three_inches() -> None:
    position = waiting()
    played = comes(position, "7", placed(position, (24, 24.2), (20, 20)))
    assert played.rolls == ["rapid-deployment"]
    assert [position.model(row).at for row in (0, 1, 2)] == [(24.0, 20.0), (24.0, 24.2), (20.0, 20.0)]
    assert not unit(position, 0).marks(marks.HELD_BACK)


@covers("abilities/rapid-deployment-success")
def test_no_farther_than_three_inches() -> None:
    position = waiting(2)
    with pytest.raises(AssertionError, match="rapid-deployment-success"):
        comes(position, "7", placed(position, (24, 24.21)))


@covers("abilities/rapid-deployment-success", "movement/impassable")
def test_a_member_without_room_is_out_of_the_game() -> None:
    """Rock all round the arrival point."""
    sides = (((18, 14), (12, 5.3)), ((18, 20.7), (12, 6)), ((18, 19.3), (5.3, 1.4)), ((24.7, 19.3), (5.3, 1.4)))
    rocks = [piece(at, size, ("impassable",), name=str(k)) for k, (at, size) in enumerate(sides)]
    position = waiting(2, pieces=rocks)
    comes(position, "7")
    assert there(position) == [0]


@covers("abilities/rapid-deployment-cost", "movement/distance-cap", "turn/action-once")
@pytest.mark.parametrize(("die", "left"), [(7, 1), (1, 2)])
def test_arriving_costs_an_ap_and_the_walk_of_the_turn(die: int, left: int) -> None:
    position = waiting(1)
    push(position, ("arrival", 0), ("model-begins", 0))
    finish(position, str(die), [AT])
    model = position.model(0)
    assert model.marks(marks.AP) == left
    assert model.note(marks.MOVED) == 5.0
    refusal = cannot_take(model, "walk")
    assert refusal is not None
    assert refusal.rule == "turn/action-once"


@covers("abilities/rapid-deployment-naturals")
def test_a_natural_twenty_loses_the_squad() -> None:
    position = waiting()
    comes(position, "20", accepting=False)
    assert there(position) == []
    assert reserves(position, 0) == []
    assert not [m for m in unit(position, 0).models if m.where == RESERVE]


# ---------------------------------------------------------------- deviation


@covers("abilities/rapid-deployment-deviation", "templates/deviation")
@pytest.mark.parametrize(("face", "far", "at"), [(20, 7, (24.0, 24.0)), (5, 20, (34.0, 20.0)), (10, 1, (24.0, 19.0))])
def test_failed_it_deviates_from_the_way_to_the_enemys_edge(face: int, far: int, at: tuple[float, float]) -> None:
    position = waiting(1)
    comes(position, f"8 {face} {far}")
    assert position.model(0).at == at


@covers("abilities/rapid-deployment-deviation", "abilities/rapid-deployment-terrain")
@pytest.mark.parametrize(("dice", "wounds"), [("12", 0), ("13 12", 0), ("13 13", 1)])
def test_a_deviated_point_may_lie_on_rough_ground_which_calls_for_a_con_test(dice: str, wounds: int) -> None:
    position = waiting(1, pieces=[piece((22, 21), tags=("heavy",))], w=2)
    comes(position, f"8 20 4 | {dice}")
    assert position.model(0).at == (24.0, 22.0)
    assert position.model(0).marks(marks.WOUNDS) == wounds


@covers("abilities/rapid-deployment-double-hit")
@pytest.mark.parametrize(("die", "hits"), [(15, 1), (16, 2), (19, 2)])
def test_two_hits_with_sixteen_and_more_on_the_deployment_test(die: int, hits: int) -> None:
    position = waiting(1, pieces=[piece((22, 21), tags=("heavy",))], w=3)
    comes(position, f"{die} 20 4 | 13 |" + " 13" * hits)
    assert position.model(0).marks(marks.WOUNDS) == hits


@covers("abilities/rapid-deployment-terrain", "vehicles/terrain-front")
def test_a_vehicle_has_no_con_and_is_struck_on_its_front() -> None:
    position = waiting(1, pieces=[piece((22, 21), tags=("heavy",))], vehicle=vehicle("bike"), base="medium")
    played = comes(position, "8 20 4 | 1 13 13")
    assert played.rolls[-2:] == ["av-test", "av-test"]


@covers("abilities/rapid-deployment-cost", "vehicles/movement-one")
@pytest.mark.parametrize("name", ["tactical", "attack-move", "charge"])
def test_the_arrival_of_a_vehicle_is_its_one_movement_of_the_turn(name: str) -> None:
    position = waiting(1, vehicle=vehicle("bike"), base="medium")
    push(position, ("arrival", 0), ("model-begins", 0))
    finish(position, "7", [AT])
    model = position.model(0)
    assert model.marks(marks.AP) == 2
    refusal = cannot_take(model, name)
    assert refusal is not None
    assert refusal.rule in ("vehicles/movement-one", "turn/action-once")


@covers("abilities/rapid-deployment-emergency", "abilities/rapid-deployment-cost", "vehicles/jetbike-minimum")
def test_a_jetbike_that_has_only_just_arrived_has_moved_its_m() -> None:
    position = blocked(1, vehicle=vehicle("jetbike"), base="medium")
    assert comes(position, "8 20 8 6", accepting=False).rolls[-1] == "mishap"


# ---------------------------------------------------------------- mishaps


def blocked(models: int = 2, **changes: Any) -> Position:
    """A deviation of four inches straight ahead ends on rock, whose edge is 2.4 inches off."""
    return waiting(models, pieces=[piece((20, 23), (8, 4), ("impassable",))], **changes)


@covers("abilities/rapid-deployment-mishap", "abilities/rapid-deployment-delay")
def test_delayed_it_returns_to_the_reserve_and_has_had_its_activation() -> None:
    position = blocked()
    comes(position, "8 20 8 | 5", accepting=False)
    assert there(position) == []
    assert reserves(position, 0) == []
    unit(position, 0).mark(marks.ACTIVATED, 0)
    assert reserves(position, 0) == [0]


@covers("abilities/rapid-deployment-mishap", "abilities/rapid-deployment-emergency")
def test_an_emergency_shortens_the_deviation_and_ends_the_activation() -> None:
    position = blocked()
    comes(position, "8 20 8 | 10", placed(position, (24, 19)), accepting=False)
    assert position.model(0).at == (24.0, 22.4)
    assert unit(position, 0).marks(marks.ACTIVATED)
    assert [m.marks(marks.STUN) for m in unit(position, 0).models] == [0, 0]


@covers("abilities/rapid-deployment-critical")
def test_a_critical_deployment_stuns_them() -> None:
    position = blocked()
    comes(position, "8 20 8 | 15", placed(position, (24, 19)), accepting=False)
    assert [m.marks(marks.STUN) for m in unit(position, 0).models] == [1, 1]


@covers("abilities/rapid-deployment-dangerous")
def test_a_dangerous_deployment_strikes_them() -> None:
    position = blocked(w=2)
    comes(position, "8 20 8 | 16 | 13 12", placed(position, (24, 19)), accepting=False)
    assert [m.marks(marks.WOUNDS) for m in unit(position, 0).models] == [1, 0]


@covers("abilities/rapid-deployment-double-hit")
def test_by_option_the_double_hit_comes_with_the_die_of_the_mishap() -> None:
    for option, hits in ((False, 1), (True, 2)):
        rough = piece((22, 21.8), (4, 1.2), ("light",), name="scrub")
        held = squad(1, w=5, marks={marks.HELD_BACK: 1})
        rock = piece((20, 23), (8, 4), ("impassable",))
        position = table(held, ENEMY, pieces=[rock, rough], options={"double_hit_by_mishap": option})
        position.take_off(position.model(0), RESERVE)
        comes(position, "8 20 8 | 16 | 1 | 13 |" + " 13" * hits, accepting=False)
        assert position.model(0).marks(marks.WOUNDS) == hits


@covers("abilities/rapid-deployment-mishap", "abilities/rapid-deployment-emergency")
def test_the_point_is_drawn_back_in_tenths_past_models_and_reaches() -> None:
    position = waiting(1, squad(at=(24, 36)), squad(side=1, at=(10, 36), base="medium"))
    leader = position.model(0)
    assert drawn_back(leader, (24, 21), (24, 36)) == (24.0, 34.8)
    assert drawn_back(leader, (10, 21), (10, 36)) == (10.0, 33.5)


# ---------------------------------------------------------------- Sentries


@covers("actions/sentry-reaction")
def test_sentries_react_once_to_a_squad_that_has_arrived() -> None:
    position = waiting(2, squad(side=1, at=(24, 34), models={marks.SENTRY: 1}))
    played = comes(position, "7", [*placed(position, (24, 24)), ["nothing"]])
    assert played.prompts.count("reactions") == 1
