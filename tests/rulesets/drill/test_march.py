"""Orders, routes, and fire upon those who are on their way."""

from __future__ import annotations

from typing import Any

import pytest

from campale.conformance.bench import carried_out, events, laid_out, model, unit
from campale.mechanics.frames import push, run_all
from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from tests.conformance.drill import RULESET, hand, march, orders
from tests.conformance.drill.fire import shoot_at_mover


@pytest.fixture
def position() -> Position:
    return laid_out(RULESET)


def ordered(position: Position, side: int, **orders_of: str) -> None:
    rows = tuple((unit(position, name, side).row, order) for name, order in orders_of.items())
    position.declare(f"orders-{side}", rows)


def why_not(model: Model, *points: tuple[float, float]) -> str | None:
    refusal = march.refusal_of(model, [[list(p) for p in points], None])
    return None if refusal is None else refusal.rule


@pytest.mark.covers("orders/secret", "orders/reveal")
def test_orders_lie_hidden_until_they_are_turned_up(position: Position) -> None:
    answer = {0: ["march", "stand"], 1: ["stand", "stand"]}
    run = carried_out(orders.write_orders(position), [answer])
    assert run.prompts == ["orders", "orders"]
    squad, carrier = unit(position, "squad"), unit(position, "carrier")
    assert position.declared["secret-0"] == ((squad.row, "march"), (carrier.row, "stand"))
    assert orders.order_of(squad) == "stand"
    assert events(position, "orders-revealed") == []
    orders.reveal_orders(position)
    assert "secret-0" not in position.declared
    assert (orders.order_of(squad), orders.order_of(carrier)) == ("march", "stand")
    assert [event["side"] for event in events(position, "orders-revealed")] == [0, 1]
    assert position.revealed == 2


@pytest.mark.covers("march/allowance")
@pytest.mark.parametrize(("y", "rule"), [(9.0, None), (9.01, "march/allowance")])
def test_a_model_goes_as_far_as_its_movement(position: Position, y: float, rule: str | None) -> None:
    ordered(position, 0, squad="march")
    assert why_not(model(position, "gunner"), (4.0, y)) == rule


@pytest.mark.covers("march/allowance")
def test_a_unit_that_stands_does_not_move(position: Position) -> None:
    ordered(position, 0, squad="stand")
    assert why_not(model(position, "gunner"), (4.0, 4.1)) == "march/allowance"
    assert why_not(model(position, "gunner")) is None


@pytest.mark.covers("march/bases")
@pytest.mark.parametrize(("x", "rule"), [(5.0, None), (5.1, "march/bases")])
def test_a_model_comes_up_to_another_and_not_through_it(position: Position, x: float, rule: str | None) -> None:
    ordered(position, 0, squad="march")
    assert why_not(model(position, "gunner"), (x, 4.0)) == rule


@pytest.mark.covers("march/bases")
@pytest.mark.parametrize(("y", "rule"), [(0.5, None), (0.4, "march/bases")])
def test_a_model_stays_on_the_table(position: Position, y: float, rule: str | None) -> None:
    ordered(position, 0, squad="march")
    assert why_not(model(position, "gunner"), (4.0, y)) == rule


@pytest.mark.covers("terrain/tower", "terrain/collapse")
def test_nobody_goes_through_a_tower_until_it_falls(position: Position) -> None:
    ordered(position, 0, squad="march")
    gunner = model(position, "gunner")
    gunner.move_to(9.0, 12.0)
    assert why_not(gunner, (9.5, 12.0)) is None
    assert why_not(gunner, (9.6, 12.0)) == "terrain/tower"
    hand.collapse(position, (12.0, 12.0))
    assert why_not(gunner, (9.6, 12.0)) is None


def facing_squads(position: Position) -> Model:
    """A gunner of ours ordered to march, 14 inches from a squad that stands."""
    ordered(position, 0, squad="march")
    ordered(position, 1, squad="stand", carrier="march")
    gunner = model(position, "gunner")
    gunner.move_to(4.0, 5.0)
    for other in unit(position, "squad").models[1:]:
        position.remove(other, "test")
    return gunner


@pytest.mark.covers("march/opportunity")
def test_who_marches_or_has_fired_watches_nobody(position: Position) -> None:
    gunner = facing_squads(position)
    squad = unit(position, "squad", 1)
    assert [one.row for one in march.watchers(gunner)] == [squad.row]
    squad.mark("has-watched", 1)
    assert march.watchers(gunner) == []


def stops(position: Position, gunner: Model, answers: list[Plain], dice: list[float]) -> Any:
    push(position, ("march", gunner.row))
    return carried_out(run_all(position, march.PROCEDURES), answers, dice, position)


@pytest.mark.covers("march/opportunity")
def test_a_mover_is_stopped_lives_and_goes_on(position: Position) -> None:
    gunner = facing_squads(position)
    run = stops(position, gunner, [[[[4.0, 10.0]], None], 3.0], [4, 3, 3, 3])
    assert run.prompts == ["march", "opportunity"]
    moves = [(event["x"], event["y"]) for event in events(position, "move")][-2:]
    assert moves == [(4.0, 8.0), (4.0, 10.0)]
    assert gunner.marks("wounds-lost") == 1
    assert gunner.at == (4.0, 10.0)
    assert unit(position, "squad", 1).marks("has-watched") == 1


@pytest.mark.covers("march/opportunity")
def test_a_mover_that_dies_lies_where_it_was_stopped(position: Position) -> None:
    gunner = facing_squads(position)
    stops(position, gunner, [[[[4.0, 10.0]], None], 3.0], [4, 4, 4, 4])
    assert not gunner.is_on_table
    assert gunner.at == (4.0, 8.0)
    assert position.losses[-1].cause == "opportunity"


@pytest.mark.covers("march/opportunity")
def test_a_watcher_may_let_the_mover_pass(position: Position) -> None:
    gunner = facing_squads(position)
    stops(position, gunner, [[[[4.0, 10.0]], None], None], [])
    assert gunner.at == (4.0, 10.0)
    assert not unit(position, "squad", 1).marks("has-watched")


@pytest.mark.covers("march/opportunity")
def test_the_watcher_is_asked_though_nobody_comes_in_range(position: Position) -> None:
    gunner = facing_squads(position)
    assert stops(position, gunner, [[[[4.0, 5.5]], None], None], []).prompts == ["march", "opportunity"]


@pytest.mark.covers("march/opportunity")
@pytest.mark.parametrize(("stop", "is_refused"), [(1.99, True), (2.0, False), (5.0, False), (5.1, True)])
def test_a_point_is_on_the_route_and_within_twelve_inches(position: Position, stop: float, is_refused: bool) -> None:
    gunner = facing_squads(position)
    route = march.route(gunner, [[[4.0, 10.0]], None])
    fault = march.not_from_there(unit(position, "squad", 1), gunner, route, 0.0, stop)
    assert (fault is not None) == is_refused


@pytest.mark.covers("march/opportunity")
def test_a_second_watcher_stops_no_mover_behind_the_first_stop(position: Position) -> None:
    gunner = facing_squads(position)
    route = march.route(gunner, [[[4.0, 10.0]], None])
    squad = unit(position, "squad", 1)
    assert march.not_from_there(squad, gunner, route, 4.0, 3.9) is not None
    assert march.not_from_there(squad, gunner, route, 4.0, 4.0) is None


@pytest.mark.covers("march/opportunity", "hand/smoke")
def test_smoke_helps_against_opportunity_fire(position: Position) -> None:
    gunner = facing_squads(position)
    carried_out(hand.smoke(position, 0), [unit(position, "squad").row])
    carried_out(shoot_at_mover(unit(position, "squad", 1), gunner), dice=[4, 4, 4, 5])
    assert gunner.marks("wounds-lost") == 1
