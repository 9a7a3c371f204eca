"""Chapter 3.3.1: the order of the chargers and the obligations of each, judged both ways."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.mechanics.moves.contact_ways import gap_at
from campale.referee.position import Position
from campale.rulesets.e55.assault_phase.contact import Progress, Rush, free_enemies, shortest_way, touched
from campale.rulesets.e55.assault_phase.obligations import (
    ANY,
    FREE,
    NEAR,
    STAYS,
    nearest_by_way,
    planned,
    rush_question,
)
from campale.rulesets.e55.movement_phase.ways import length_of
from campale.table.shapes import Point
from tests.rulesets.e55.kit import Squad, block, model, profile, refused, squad, table, unit, wall

STAY: Any = [[], None]
CONTACT = "3.3.1/charge-contact"


def to(*points: Point) -> Any:
    return [[list(point) for point in points], None]


def men(*places: Point, kind: str = "veteran", **more: Any) -> Squad:
    return squad(kind, len(places), 0, list(places), **more)


def foes(*places: Point, kind: str = "veteran", **more: Any) -> Squad:
    return squad(kind, len(places), 1, list(places), **more)


def rush(position: Position, limit: float = 6.0, targets: tuple[int, ...] = (1,)) -> Rush:
    return Rush(unit(position, 0), targets, limit)


def judged(position: Position, *ways: Any, limit: float = 6.0, targets: tuple[int, ...] = (1,)) -> str:
    return refused(rush_question(rush(position, limit, targets), "charge-move"), list(ways))


def duties(position: Position, limit: float = 6.0) -> list[tuple[str, int]]:
    return [(one.kind, one.enemy) for one in planned(rush(position, limit))]


# ---------------------------------------------------------------- 3.3.1/charge-order


@pytest.mark.covers("3.3.1/charge-order")
def test_the_nearest_goes_first() -> None:
    position = table(men((30, 16), (30, 20), (30, 18)), foes((30, 24)))
    question = rush_question(rush(position), "charge-move")
    assert question.about["models"] == [1, 2, 0]


@pytest.mark.covers("3.3.1/charge-order", "3.1/no-pass-through")
def test_who_goes_first_takes_the_place() -> None:
    position = table(men((30, 20), (30, 18.5)), foes((30, 24)))
    assert judged(position, to((30, 23)), to((30, 23))) == "3.1/no-pass-through"
    assert judged(position, to((30, 23)), to((30.9166, 23.6))) == ""


# ---------------------------------------------------------------- 3.3.1/charge-contact: (a)


@pytest.mark.covers("3.3.1/charge-contact")
def test_a_charger_goes_to_the_nearest_free_enemy() -> None:
    position = table(men((30, 20)), foes((30, 25), (33, 25)))
    assert duties(position) == [(FREE, 1)]
    assert judged(position, to((30, 24))) == ""
    assert judged(position, to((33, 24))) == CONTACT
    assert judged(position, to((30, 23))) == CONTACT
    assert judged(position, STAY) == CONTACT


@pytest.mark.covers("3.3.1/charge-contact")
def test_the_refusal_shows_the_better_move() -> None:
    position = table(men((30, 20)), foes((30, 25), (33, 25)))
    refusal = rush_question(rush(position), "charge-move").refusal([to((33, 24))])
    assert refusal is not None
    assert (refusal.where, refusal.model) == ((30.0, 24.0), 1)


@pytest.mark.covers("3.3.1/charge-contact")
def test_the_second_charger_goes_to_an_enemy_that_is_still_free() -> None:
    position = table(men((30, 20), (32, 20)), foes((30, 25), (36, 25)))
    assert duties(position) == [(FREE, 2), (FREE, 3)]
    assert judged(position, to((30, 24)), to((31, 25))) == CONTACT
    assert judged(position, to((30, 24)), to((35.2, 24.4))) == ""


@pytest.mark.covers("3.3.1/charge-contact")
def test_an_enemy_that_a_friend_of_another_unit_touches_is_not_free() -> None:
    position = table(men((30, 20)), foes((30, 25), (33, 25)), squad("veteran", 1, 0, (30, 26)))
    found = free_enemies(Progress(rush(position)), model(position, 0))
    assert [enemy.row for enemy in found] == [2]
    assert judged(position, to((30, 24))) == CONTACT
    assert judged(position, to((33, 24))) == ""


@pytest.mark.covers("3.3.1/charge-contact")
def test_where_the_nearest_free_enemy_cannot_be_reached_the_next_is_tried() -> None:
    position = table(men((30, 20)), foes((30, 24), (33, 24)), pieces=[wall(30, 23.4, 1.8, 3.6)])
    assert duties(position, 6.0)[0] == (FREE, 2)


# ---------------------------------------------------------------- (b)


@pytest.mark.covers("3.3.1/charge-contact")
def test_where_none_is_free_any_enemy_in_reach_must_be_engaged() -> None:
    position = table(men((30, 20), (32, 20)), foes((30, 25)))
    assert duties(position) == [(FREE, 2), (ANY, 2)]
    assert judged(position, to((30, 24)), STAY) == CONTACT
    assert judged(position, to((30, 24)), to((31, 25))) == ""
    assert judged(position, to((30, 24)), to((30.98, 24.8))) == ""


@pytest.mark.covers("3.3.1/charge-contact")
def test_who_is_engaged_by_whom_is_then_the_players_choice() -> None:
    friend, other = squad("veteran", 1, 0, (29, 26)), squad("veteran", 1, 0, (31, 26))
    position = table(men((30, 20)), foes((29, 25), (31, 25)), friend, other)
    assert judged(position, to((29, 24))) == ""
    assert judged(position, to((31, 24))) == ""


# ---------------------------------------------------------------- (c), 3.3.1/charge-path


@pytest.mark.covers("3.3.1/charge-contact", "3.3.1/charge-path")
@pytest.mark.parametrize(("inches", "rule"), [(6.0, ""), (5.8, ""), (5.5, CONTACT), (2.0, CONTACT)])
def test_who_reaches_nobody_comes_as_near_as_possible(inches: float, rule: str) -> None:
    position = table(men((30, 20), (33, 16)), foes((30, 25)))
    kinds = [kind for kind, _ in duties(position)]
    assert kinds == [FREE, NEAR]
    share = inches / 90**0.5
    assert judged(position, to((30, 24)), to((33 - 3 * share, 16 + 9 * share))) == rule
    assert judged(position, to((30, 24)), STAY) == CONTACT


@pytest.mark.covers("3.3.1/charge-path")
def test_the_nearest_is_the_one_with_the_shortest_real_way() -> None:
    position = table(men((30, 20)), foes((30, 25), (20, 23)), pieces=[wall(30, 22.5, 16)])
    enemy, way = nearest_by_way(rush(position), model(position, 0))
    assert enemy is not None
    assert enemy.row == 2
    assert way is not None
    assert 9.0 < length_of(way) < 10.5
    assert judged(position, to((30, 21.4))) == CONTACT
    assert judged(position, to((24.2, 21.45))) == ""


@pytest.mark.covers("3.3.1/charge-path")
def test_a_real_way_goes_round_other_units() -> None:
    screen = squad("veteran", 3, 0, [(29, 22.5), (30, 22.5), (31, 22.5)])
    position = table(men((30, 20)), foes((30, 25)), screen)
    way = shortest_way(rush(position), model(position, 0), (30.0, 20.0, 0.0), model(position, 1))
    assert way is not None
    assert length_of(way) > 4.5


@pytest.mark.covers("3.3.1/charge-path", "3.1/no-pass-through")
def test_models_of_the_charging_unit_do_not_bar_each_other() -> None:
    position = table(men((30, 21), (30, 20)), foes((30, 24), (30, 27), (30, 29)))
    way = shortest_way(rush(position), model(position, 1), (30.0, 20.0, 0.0), model(position, 2))
    assert way is not None
    assert length_of(way) == pytest.approx(3.0, abs=0.01)


# ---------------------------------------------------------------- coherency


@pytest.mark.covers("3.3.1/charge-contact", "3.1.1/coherency")
def test_of_several_places_of_contact_one_in_coherency_must_be_taken() -> None:
    position = table(men((28, 20), (31, 20)), squad("tank", 1, 1, (30, 26), facing=90.0))
    first = to((28, 23.9997))
    assert judged(position, first, to((30.5, 23.9997))) == ""
    assert judged(position, first, to((32.2, 23.9997))) == "3.1.1/coherency"


@pytest.mark.covers("3.3.1/charge-contact", "3.1.1/coherency")
def test_an_obligation_that_only_a_straying_model_can_meet_is_met() -> None:
    position = table(men((30, 20), (32, 20)), foes((30, 25), (36, 25)))
    assert [one.is_together for one in planned(rush(position))] == [True, False]


@pytest.mark.covers("3.1.1/coherency", "8/independent-character")
def test_coherency_does_not_bind_a_character() -> None:
    tank = squad("tank", 1, 1, (30, 26), facing=90.0)
    position = table(squad([profile("veteran"), profile("captain")], 2, 0, [(28, 20), (31, 20)]), tank)
    assert judged(position, to((28, 23.9997)), to((32.2, 23.9997))) == ""


# ---------------------------------------------------------------- who stays, hulls, levels


@pytest.mark.covers("3.3.1/defender-pile-in", "3.3.2/pile-in")
def test_models_already_in_contact_stay() -> None:
    position = table(men((30, 24), (30, 20)), foes((30, 25), (33, 25)))
    assert duties(position)[0] == (STAYS, 2)
    assert judged(position, to((29, 24)), to((33, 24))) in ("3.3.1/defender-pile-in", "3.3.2/pile-in")
    assert judged(position, STAY, to((33, 24))) == ""


@pytest.mark.covers("7.16/walker-rotates")
@pytest.mark.parametrize(("mark", "value"), [("immobilised", 1), ("stuck-in", 3)])
def test_a_walker_that_cannot_turn_does_not(mark: str, value: int) -> None:
    position = table(men((30, 23.25), kind="walker"), foes((30, 25)))
    assert judged(position, [[], 90.0]) == ""
    model(position, 0).mark(mark, value)
    assert judged(position, [[], 90.0]) == "7.16/walker-rotates"
    assert judged(position, STAY) == ""


@pytest.mark.covers("3.3.1/charge-contact", "7/hull-measure")
@pytest.mark.parametrize("facing", [0.0, 30.0, 75.0])
def test_a_hull_is_touched_at_its_outline(facing: float) -> None:
    position = table(men((30, 20), (28, 20), (32, 20), (34, 20)), squad("tank", 1, 1, (31, 26), facing=facing))
    found = planned(rush(position))
    assert [one.kind for one in found] == [FREE, ANY, ANY, ANY]
    own = rush(position)
    for one, mover in zip(found, own.models, strict=True):
        x, y, *_ = one.path.points[-1]
        assert [enemy.row for enemy in touched(own, mover, (x, y, 0.0))] == [4]


@pytest.mark.covers("3.3.1/charge-contact", "1.1/measure-height")
def test_contact_is_on_one_level() -> None:
    position = table(men((30, 20)), foes((30, 24), z=3.0), pieces=[block(30, 24, 6, 4, height=6.0, floors=(3.0,))])
    assert gap_at(0.5, (30.0, 23.0, 0.0), model(position, 1).solid) == 3.0
    assert judged(position, to((30.0, 23.0))) == CONTACT
    assert judged(position, [[[30.0, 23.0], [30.0, 23.0, 3.0]], None]) == ""


# ---------------------------------------------------------------- the proposal


CROWDS: list[tuple[int, int, Point]] = [(10, 5, (31, 26)), (10, 10, (28, 25)), (5, 10, (33, 24.5)), (12, 3, (27, 27))]


@pytest.mark.covers("3.3.1/charge-contact", "3.3.1/charge-order")
@pytest.mark.parametrize(("own", "others", "at"), CROWDS)
def test_what_is_proposed_stands_its_own_judgement(own: int, others: int, at: Point) -> None:
    position = table(squad("veteran", own, 0, (28, 19), spacing=1.5), squad("militia", others, 1, at, spacing=1.6))
    question = rush_question(rush(position), "charge-move")
    (proposal,) = question.suggestions()
    assert question.refusal(proposal) is None
    assert question.refusal(question.sample(Random(1))) is None
    turned = [[points, 1.0 if points else facing] for points, facing in proposal]
    assert question.refusal(turned) is None


@pytest.mark.covers("3.3.1/charge-contact")
def test_hounds_go_round_a_wall() -> None:
    position = table(men((30, 20), kind="hound"), foes((30, 25)), pieces=[wall(30, 22.5, 6)])
    assert duties(position, 12.0) == [(FREE, 1)]
    question = rush_question(rush(position, 12.0), "charge-move")
    assert refused(question, [to((30, 24))]) == "3.1.2/impassable"
