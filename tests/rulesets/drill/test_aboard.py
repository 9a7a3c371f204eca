"""Those aboard, and the leader who comes and goes."""

from __future__ import annotations

import pytest

from campale.conformance.bench import carried_out, laid_out, model, unit
from campale.referee.position import ABOARD, GONE, Position
from tests.conformance.drill import RULESET, aboard
from tests.conformance.drill.fire import wound


@pytest.fixture
def position() -> Position:
    return laid_out(RULESET)


@pytest.mark.covers("setup/sides")
def test_each_side_has_a_squad_with_a_leader_and_scouts_in_a_carrier(position: Position) -> None:
    for side in (0, 1):
        assert [m.name for m in unit(position, "squad", side).models] == ["gunner"] * 3 + ["leader"]
        scouts = [model(position, "scout", side, number) for number in (0, 1)]
        assert all(one.where == ABOARD and one.aboard_of is model(position, "carrier", side) for one in scouts)
    assert position.ground.has("tower")


@pytest.mark.covers("carrier/disembark")
def test_those_aboard_get_out_where_they_want(position: Position) -> None:
    places = [[18.0, 4.0, 0.0], [18.0, 5.5, 0.0]]
    run = carried_out(aboard.may_disembark(model(position, "carrier")), ["yes", places])
    assert run.prompts == ["disembark", "disembark-where"]
    assert [m.at for m in unit(position, "scouts").models] == [(18.0, 4.0), (18.0, 5.5)]
    assert carried_out(aboard.may_disembark(model(position, "carrier"))).questions == []


@pytest.mark.covers("carrier/disembark")
def test_those_aboard_may_stay(position: Position) -> None:
    carried_out(aboard.may_disembark(model(position, "carrier")), ["no"])
    assert unit(position, "scouts").models == []


@pytest.mark.covers("carrier/disembark")
@pytest.mark.parametrize(
    ("first", "second", "is_refused"),
    [
        ((19.5, 4.0), (13.0, 4.0), False),
        ((19.51, 4.0), (13.0, 4.0), True),
        ((17.4, 4.0), (13.0, 4.0), True),
        ((18.0, 4.0), (18.9, 4.0), True),
        ((18.0, 4.0), (19.0, 4.0), False),
        ((16.0, 0.4), (13.0, 4.0), True),
    ],
)
def test_one_gets_out_within_two_inches_upon_nobody(
    position: Position, first: tuple[float, float], second: tuple[float, float], is_refused: bool
) -> None:
    if first == (16.0, 0.4):
        model(position, "carrier").move_to(16.0, 3.0)
    scouts = [model(position, "scout", 0, number) for number in (0, 1)]
    fault = aboard.cannot_get_out(model(position, "carrier"), scouts, [(*first, 0.0), (*second, 0.0)])
    assert (fault is not None) == is_refused


@pytest.mark.covers("carrier/disembark", "terrain/tower")
def test_nobody_gets_out_upon_the_tower(position: Position) -> None:
    carrier = model(position, "carrier")
    carrier.move_to(8.5, 12.0)
    scouts = [model(position, "scout", 0, number) for number in (0, 1)]
    assert aboard.cannot_get_out(carrier, scouts, [(10.0, 12.0, 0.0), (8.5, 14.5, 0.0)]) is not None


@pytest.mark.covers("carrier/disembark")
def test_nobody_is_asked_to_get_out_where_there_is_no_room(position: Position) -> None:
    carrier = model(position, "carrier")
    gunner = model(position, "gunner")
    for dx in range(-4, 5):
        for dy in range(-4, 5):
            if abs(dx) > 1 or abs(dy) > 1:
                more = position.add_model("gunner", gunner.profile, 1, gunner.unit)
                more.move_to(carrier.x + dx, carrier.y + dy)
    assert carried_out(aboard.may_disembark(carrier)).questions == []


@pytest.mark.covers("carrier/wreck")
def test_those_aboard_are_lost_with_their_carrier_and_nobody_else(position: Position) -> None:
    carrier = model(position, "carrier")
    for _ in range(3):
        wound(carrier, "test")
    assert model(position, "scout").where == ABOARD
    wound(carrier, "test")
    assert [model(position, "scout", 0, n).where for n in (0, 1)] == [GONE, GONE]
    assert [loss.cause for loss in position.losses] == ["test", "wreck", "wreck"]
    assert model(position, "scout", 1).where == ABOARD


@pytest.mark.covers("leader/leave")
def test_a_leader_leaves_its_squad_and_has_acted(position: Position) -> None:
    squad, alone, leader = unit(position, "squad"), unit(position, "leader"), model(position, "leader")
    carried_out(aboard.may_leave(squad), ["no"])
    assert leader.unit == squad
    carried_out(aboard.may_leave(squad), ["yes"])
    assert leader.unit == alone
    assert leader.bought_with == squad
    assert alone.marks("has-acted") == 1
    assert carried_out(aboard.may_leave(squad)).questions == []
    assert carried_out(aboard.may_leave(alone)).questions == []


@pytest.mark.covers("leader/join")
@pytest.mark.parametrize(("x", "questions"), [(11.0, ["leader-joins"]), (11.01, [])])
def test_a_leader_within_two_inches_of_its_squad_joins_it(position: Position, x: float, questions: list[str]) -> None:
    squad, alone, leader = unit(position, "squad"), unit(position, "leader"), model(position, "leader")
    position.join(leader, alone)
    leader.move_to(x, 4.0)
    run = carried_out(aboard.may_join(alone), ["yes"] * len(questions))
    assert run.prompts == questions
    assert leader.unit == (squad if questions else alone)


@pytest.mark.covers("leader/join")
def test_a_leader_may_stay_by_itself(position: Position) -> None:
    alone, leader = unit(position, "leader"), model(position, "leader")
    assert carried_out(aboard.may_join(unit(position, "squad"))).questions == []
    position.join(leader, alone)
    carried_out(aboard.may_join(alone), ["no"])
    assert leader.unit == alone
