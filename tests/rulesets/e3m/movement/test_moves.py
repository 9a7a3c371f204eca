"""Chapters "base-move", "orders" (marches, retreats), "fire" (opportunity) and "base-morale"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from campale.mechanics.bases import touch
from campale.mechanics.moves.asking import suggested
from campale.mechanics.moves.unit_moves import UnitMove, as_paths, refusal_of
from campale.referee.journal import Journal
from campale.referee.position import Position
from campale.rulesets.e3m.battle.scenery import PRESETS, WRECK, scenery_piece
from campale.rulesets.e3m.command.orders import order_of
from campale.rulesets.e3m.command.units import is_coherent
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.morale.morale import leadership, morale_need, must_test, passes
from campale.rulesets.e3m.movement import ground
from campale.rulesets.e3m.movement.group_moves import groups_to_move, may_act_in_movement, risked
from campale.rulesets.e3m.movement.moves import (
    assault_distance,
    brave_danger,
    is_endangered,
    movement_of,
    normal_allowance,
    normal_distance,
    rough_allowance,
)
from campale.rulesets.e3m.movement.routes import Route, begin_route, come_together, packed, places_at, stand_at
from campale.rulesets.e3m.vehicles.driving import movement_of as driving_movement
from campale.rulesets.e3m.vehicles.passengers import held_models
from campale.table.measure import overlaps
from campale.table.paths import Path, plan_length
from campale.table.terrain import Ground, Piece, rectangle
from tests.rulesets.e3m.kit import finish, left, model, piece, play, squad, table, unit

covers = pytest.mark.covers


def refused(
    position: Position, steps: dict[int, tuple[float, float]], row: int = 0, gait: str = "open", limit: float = 6.0
) -> str:
    """The rule that refuses a move in which some models go so far east and north, the others staying."""
    models = unit(position, row).models
    answer = [[[[m.x + steps[m.row][0], m.y + steps[m.row][1]]] if m.row in steps else [], None] for m in models]
    refusal = refusal_of(
        UnitMove(unit(position, row), as_paths(models, answer), movement_of(unit(position, row), gait, limit))
    )
    return "" if refusal is None else refusal.rule


@covers(
    "base-move/normal-infantry", "base-move/assault-distance", "base-units/jump-packs", "base-units/cavalry-and-beasts"
)
@covers("base-units/great-creatures", "vehicles/walkers-move", "base-units/bikes")
@pytest.mark.parametrize(
    ("kind", "normal", "assault"),
    [
        ("scout", 6, 6),
        ("leaper", 12, 6),
        ("lancer", 6, 12),
        ("runner", 6, 12),
        ("crusher", 6, 6),
        ("strider", 6, 6),
        ("biker", 6, 6),
    ],
)
def test_how_far_they_go(kind: str, normal: float, assault: float) -> None:
    one = unit(table(squad(kind, 1)), 0)
    assert normal_distance(one, "over") == normal
    assert assault_distance(one) == assault


@covers("base-move/difficult-terrain", "orders/march")
def test_difficult_ground_is_two_dice_the_higher_and_a_march_three_times_as_far() -> None:
    one = unit(table(squad("scout", 2)), 0)
    assert play(rough_allowance(one), "2 5").value == 5
    assert play(normal_allowance(one, "rough", "march"), "2 5").value == 15
    assert play(normal_allowance(one, "open", "march")).value == 18


@covers("base-move/normal-infantry", "base-general/coherency", "base-move/impassable", "base-move/through-models")
def test_what_forbids_a_move() -> None:
    position = table(
        squad("scout", at=[(20, 10), (21.5, 10)]),
        squad("brawler", 1, side=1, at=(20, 16)),
        squad("scout", 1, at=(26, 10)),
        pieces=[piece("building", 20, 3), piece("wood", 10, 12)],
    )
    assert refused(position, {0: (0, 4.0), 1: (0, 4.0)}) == "base-move/one-inch"
    assert refused(position, {0: (0, 3.9), 1: (0, 3.9)}) == ""
    assert refused(position, {0: (6.1, 1), 1: (6.1, 1)}) == "base-move/normal-infantry"
    assert refused(position, {1: (3.0, 0)}) == "base-general/coherency"
    assert refused(position, {1: (1.4, 0)}) == ""
    assert refused(position, {0: (0, -5), 1: (0, -5)}) == "base-move/impassable"
    assert refused(position, {0: (4.5, 0), 1: (4.5, 0)}) == "base-move/through-models"
    assert refused(position, {0: (5.9, 1.05), 1: (5.9, 1.05)}) == ""
    assert refused(position, {0: (-5.5, 0), 1: (-5.5, 0)}) == "base-move/difficult-terrain"
    assert refused(position, {0: (-5.5, 0), 1: (-5.5, 0)}, gait="rough") == ""


@covers("base-move/impassable", "base-move/through-models")
def test_nobody_leaves_the_table_or_ends_on_his_own() -> None:
    position = table(squad("scout", at=[(20, 1), (21.5, 1)]))
    assert refused(position, {0: (0, -0.4), 1: (0, -0.4)}) == ""
    assert refused(position, {0: (0, -0.6), 1: (0, -0.6)}) == "base-move/impassable"
    assert refused(position, {0: (0.4, 0)}) == ""
    assert refused(position, {0: (1.0, 0)}) == "base-move/through-models"


DIFFICULT = ["wood", "ruin", "rubble", "craters", "marsh"]


@covers("base-move/impassable", "base-move/dangerous-terrain", "base-move/difficult-terrain", "terrain/classes")
@covers("terrain/obstacles", "base-vehicle/wrecks", "vehicles/wheeled-obstacles")
@pytest.mark.parametrize(
    ("pieces", "names"),
    [
        (ground.impassable, ["building"]),
        (ground.slowing, [*DIFFICULT, "hedge", "wall"]),
        (ground.difficult_areas, DIFFICULT),
        (ground.obstacles, [*DIFFICULT, "hedge", "wall"]),
        (ground.barred_to_vehicles, ["building", "wreck"]),
        (ground.barred_to_wheels, [*DIFFICULT, "hedge", "wall", "building", "wreck"]),
    ],
)
def test_what_pieces_do_to_whoever_moves(pieces: Callable[[Ground], Ground], names: list[str]) -> None:
    every = tuple(scenery_piece(kind, (10.0, 10.0), 0.0, kind) for kind in PRESETS)
    wreck = Piece("wreck", "wreck", rectangle(30.0, 30.0, 3.0, 5.0), 2.0, tags=(WRECK,))
    assert [piece.name for piece in pieces(Ground(72.0, 48.0, (*every, wreck))).pieces] == names


@covers("base-move/one-inch", "base-units/jump-packs")
def test_jump_troops_pass_over_anything_and_keep_an_inch_where_they_land() -> None:
    position = table(
        squad("leaper", at=[(20, 10), (21.5, 10)]),
        squad("brawler", 1, side=1, at=(20.75, 14)),
        pieces=[piece("building", 20.75, 17.6, size=(4, 2))],
    )
    assert refused(position, {0: (0, 12), 1: (0, 12)}, gait="over", limit=12.0) == ""
    assert refused(position, {0: (0, 5), 1: (0, 5)}, gait="over", limit=12.0) == "base-move/one-inch"
    assert refused(position, {0: (0, 12), 1: (0, 12)}, limit=12.0) == "base-move/one-inch"


@covers("base-general/coherency")
def test_a_unit_that_is_apart_comes_together_if_it_can() -> None:
    position = table(squad("scout", at=[(20, 10), (26, 10)]))
    assert refused(position, {}) == "base-general/coherency"
    assert refused(position, {1: (-3.0, 0)}) == ""
    far = table(squad("scout", at=[(20, 10), (50, 10)]))
    assert refused(far, {}) == ""


@covers("fire/opportunity-aftermath", "base-general/coherency")
@pytest.mark.parametrize(("apart", "is_moved"), [(2.9, False), (3.4, True)])
def test_whoever_is_stopped_out_of_coherency_takes_a_short_step(apart: float, is_moved: bool) -> None:
    position = table(squad("scout", at=[(20, 10), (20 + apart, 10)]))
    come_together(unit(position, 0))
    assert is_coherent(unit(position, 0))
    assert ([m.x for m in position.models] != [20, 20 + apart]) is is_moved


@covers("fire/opportunity-aftermath", "fire/opportunity-infantry-path", "base-move/through-models")
@pytest.mark.parametrize("stopped_at", [0.25, 0.5])
def test_whoever_stops_where_ways_cross_stands_on_free_ground(stopped_at: float) -> None:
    """Half-way the two would be on one spot: whether they stay where fire stops them or go on to it, they are not."""
    position = table(squad("scout", at=[(20, 10), (21.5, 10)]), squad("brawler", 1, side=1, at=(60, 40)))
    ways = Path(((20, 10), (21.5, 16))), Path(((21.5, 10), (20, 16)))
    route = Route(0, "normal", "open", tuple(packed(row, way) for row, way in enumerate(ways)))
    whole = plan_length(ways[0])
    stand_at(position, route, stopped_at)
    position.declare("doing", (route._replace(done=stopped_at * whole, was_stopped=1).frame,))
    finish(position, "", [0.5 * whole])
    one, other = (model(position, row) for row in (0, 1))
    assert not overlaps(one.solid, other.solid)
    assert one.y == pytest.approx(13.0, abs=1.0)
    assert refused(position, {}) == ""


@covers("assault/maximum-contact")
def test_those_who_close_up_are_put_in_contact() -> None:
    position = table(
        squad("scout", at=[(20, 10), (18.5, 8)], order="assault"),
        squad("brawler", 1, side=1, at=(20, 11)),
        phase="assault",
    )
    position.declare("doing", (("close-up", 0, 1),))
    finish(position, "", accepting=True)
    assert model(position, 0).at == (20, 10)
    assert touch(model(position, 1), model(position, 2))


@covers("base-move/dangerous-terrain")
@pytest.mark.parametrize(("die", "lost"), [("1", 1), ("2", 0)])
def test_cavalry_that_enters_difficult_ground_dies_on_a_one(die: str, lost: int) -> None:
    position = table(squad("lancer", 1, at=(20, 10)), pieces=[piece("wood", 20, 18)])
    path = Path(((20, 10), (20, 15)))
    assert is_endangered(model(position, 0), path, "open")
    assert not is_endangered(model(position, 0), Path(((20, 10), (20, 13.6))), "open")
    play(brave_danger(unit(position, 0), [model(position, 0)]), die)
    assert left(position, 0) == 1 - lost


@covers("base-move/dangerous-terrain", "base-units/bikes")
def test_jump_troops_have_their_save_and_jetbikes_risk_the_ends_of_their_move() -> None:
    position = table(
        squad("leaper", 1, at=(20, 10)),
        squad("jetbike", 1, at=(40, 10)),
        pieces=[piece("wood", 20, 18), piece("wood", 40, 18)],
    )
    assert is_endangered(model(position, 0), Path(((20, 10), (20, 18))), "over")
    assert not is_endangered(model(position, 0), Path(((20, 10), (20, 30))), "over")
    assert is_endangered(model(position, 1), Path(((40, 10), (40, 18)), 0.0), "drive")
    assert not is_endangered(model(position, 1), Path(((40, 10), (40, 30)), 0.0), "drive")
    play(brave_danger(unit(position, 0), [model(position, 0)]), "1 | 3")
    assert left(position, 0) == 1


@covers("orders/fire-heavy-weapons-stay", "turn/eligible-elements", "hierarchy/movement-by-group")
def test_the_crews_of_a_unit_that_fired_stay_and_its_group_moves() -> None:
    position = table(
        squad("line-warden", 3, special=["beam-cannon"], marks={"prepared": 1}, group=1),
        squad("scout", 2, at=(20, 10), order="ready", group=2),
    )
    assert [m.row for m in held_models(unit(position, 0))] == [2]
    assert groups_to_move(position, [1, 2]) == [1]
    unit(position, 0).mark("prepared", 0)
    assert held_models(unit(position, 0)) == []
    unit(position, 0).mark("done-moving", 1)
    assert not may_act_in_movement(unit(position, 0))


@covers("sequence/step-4-movement", "orders/reveal", "fire/opportunity-infantry-path")
def test_a_group_moves_unit_by_unit_and_shows_its_orders() -> None:
    position = table(
        squad("scout", at=[(20, 10), (21.25, 10)], group=1, order=None),
        squad("scout", at=[(30, 10), (31.25, 10)], group=1, order="fire"),
        phase="movement",
    )
    position.declare("secret-0", ((0, "assault"),))
    position.declare("doing", (("move-group", 0, 1),))
    answers: list[Any] = [0, [[[[20, 14]], None], [[[21.25, 14]], None]], "finished"]
    played = finish(position, answers=answers)
    assert played.prompts == ["move-unit", "move", "move-unit"]
    assert model(position, 0).at == (20, 14)
    assert order_of(unit(position, 0)) == "assault"
    assert unit(position, 0).marks("moved") == 1


# ---------------------------------------------------------------- opportunity fire on the way


def crossing(watchers: str = "ready") -> Position:
    """Scouts who cross in front of wardens."""
    return table(
        squad("scout", at=[(20, 20), (20, 21.25)], group=1, order="march"),
        squad("line-warden", 2, side=1, at=(30, 34), order=watchers),
        phase="movement",
    )


def route_of(position: Position) -> None:
    begin_route(
        unit(position, 0), "march", "open", {0: Path(((20, 20), (38, 20))), 1: Path(((20, 21.25), (38, 21.25)))}
    )


@pytest.mark.parametrize(("x", "is_told"), [(20.0, False), (21.0, True)])
def test_a_route_that_leads_nowhere_is_not_announced(x: float, is_told: bool) -> None:
    position = crossing()
    position.journal = Journal()
    begin_route(unit(position, 0), "retreat", "retreat", {0: Path(((20, 20), (x, 20)))})
    assert any(event.kind == "route" for event in position.journal.events) is is_told


@covers("fire/opportunity", "fire/opportunity-windows", "fire/opportunity-aftermath", "fire/opportunity-infantry-path")
def test_a_ready_unit_stops_a_route_where_it_likes_and_the_mover_goes_on() -> None:
    position = crossing()
    unit(position, 0).mark("tested", 1)
    route_of(position)
    played = finish(position, "3 3 | 4 2 | 2", [[1, 9.0], ["area", [29, 20.6, 2]], None])
    assert played.prompts == ["opportunity", "fire.opportunity", "go-on"]
    assert left(position, 0) == 1
    assert model(position, 1).at == (38, 21.25)
    assert unit(position, 1).marks("watched") == 1


@covers("fire/opportunity-windows", "orders/reveal")
def test_the_window_opens_by_what_both_know_and_not_by_hidden_orders() -> None:
    for order, asked in (("ready", True), ("fire", True)):
        position = crossing()
        unit(position, 1).jot("order", None)
        position.declare("secret-1", ((1, order),))
        route_of(position)
        played = finish(position, answers=[["nobody"]])
        assert (played.prompts == ["opportunity"]) is asked
    position = crossing("fire")
    route_of(position)
    assert finish(position).prompts == []


@covers("fire/opportunity-aftermath", "orders/forced-halt-limits")
def test_a_mover_forced_to_halt_stays_where_it_was_caught() -> None:
    position = crossing()
    route_of(position)
    played = finish(position, "3 3 | 4 2 | 2 | 1 1", [[1, 9.0], ["area", [29, 20.6, 2]]])
    assert played.rolls[-1] == "quarter-loss"
    assert model(position, 1).x == 29
    assert order_of(unit(position, 0)) == "halt"


@covers("fire/opportunity-infantry-path", "hierarchy/unit-leader")
def test_the_others_stand_at_the_same_fraction_of_their_straight_way() -> None:
    position = table(squad("scout", at=[(20, 20), (20, 21.25)]))
    route = Route(
        0,
        "normal",
        "open",
        (packed(0, Path(((20, 20), (24, 20), (24, 24)))), packed(1, Path(((20, 21.25), (26, 21.25))))),
    )
    found = {row: at for row, at, _ in places_at(position, route, 0.5)}
    assert found == {0: (24, 20), 1: (23, 21.25)}


# ---------------------------------------------------------------- morale, retreat


@covers("base-morale/test", "base-morale/modifiers", "base-general/half-strength")
def test_leadership_is_the_highest_and_one_lower_below_half_strength_and_outnumbered() -> None:
    position = table(squad("levy", 4), squad("lieutenant", 1, at=(36, 12)))
    assert leadership(unit(position, 0)) == 7
    position.join(model(position, 4), unit(position, 0))
    assert leadership(unit(position, 0)) == 8
    assert morale_need(unit(position, 0)).modifier == 0
    for row in (0, 1, 2):
        lose_model(model(position, row), "fire")
    assert play(passes(unit(position, 0), "quarter-loss"), "4 4").value is False
    assert play(passes(unit(position, 0), "quarter-loss"), "4 3").value is True
    assert play(passes(unit(position, 0), "melee-lost", outnumbered=True), "4 3").value is False
    assert play(passes(unit(position, 0), "quarter-loss"), "1 1").value is True


@covers("base-morale/fearless")
def test_the_fearless_and_vehicles_pass_without_a_roll() -> None:
    position = table(squad("scout", 2, is_fearless=True), squad("carrier", at=(20, 10)))
    assert play(passes(unit(position, 0), "quarter-loss")).value is True
    assert play(passes(unit(position, 1), "quarter-loss")).value is True


@covers("fire/quarter-loss-test", "sequence/morale-after-losses")
@pytest.mark.parametrize(
    ("count", "lost", "tests"), [(8, 2, True), (8, 1, False), (9, 2, False), (2, 1, True), (1, 0, False)]
)
def test_a_quarter_of_the_strength_at_the_start_of_the_step_calls_for_a_test(
    count: int, lost: int, tests: bool
) -> None:
    position = table(squad("scout", count))
    for row in range(lost):
        lose_model(model(position, row), "fire")
    assert must_test(unit(position, 0)) is tests
    unit(position, 0).mark("tested", 1)
    assert not must_test(unit(position, 0))


@covers(
    "fire/quarter-loss-test",
    "orders/forced-halt",
    "base-morale/failure",
    "orders/retreat-timing",
    "sequence/morale-after-losses",
)
@pytest.mark.parametrize(("dice", "order", "y"), [("3 3", "halt", 20.0), ("6 6", "retreat", 0.51)])
def test_passed_it_is_a_forced_halt_failed_a_retreat_at_once(dice: str, order: str, y: float) -> None:
    position = table(squad("scout", 4, at=(20, 20)), squad("brawler", 2, side=1, at=(20, 40), order="fire"))
    lose_model(model(position, 3), "fire")
    position.declare("doing", (("tests", (), 0),))
    finish(position, dice)
    assert order_of(unit(position, 0)) == order
    assert abs(model(position, 0).y - y) < 0.6


@covers("orders/retreat-move", "orders/retreat-stop")
def test_a_retreat_ends_at_the_first_point_out_of_sight() -> None:
    position = table(
        squad("scout", 1, at=(20, 20), order="retreat"),
        squad("brawler", 1, side=1, at=(20, 40)),
        pieces=[piece("building", 20, 16, size=(3, 1))],
    )
    position.declare("doing", (("retreat", 0),))
    finish(position)
    assert 12.0 < model(position, 0).y < 16.0
    hidden = table(
        squad("scout", 1, at=(20, 20), order="retreat"),
        squad("brawler", 1, side=1, at=(20, 40)),
        pieces=[piece("building", 20, 30)],
    )
    hidden.declare("doing", (("retreat", 0),))
    finish(hidden)
    assert model(hidden, 0).at == (20, 20)


@covers("orders/retreat-stop", "orders/retreat-terrain")
def test_without_a_hidden_point_it_goes_into_the_broken_piece_nearest_to_its_zone() -> None:
    position = table(
        squad("scout", 1, at=(20, 20), order="retreat"),
        squad("brawler", 1, side=1, at=(20, 40)),
        pieces=[piece("crops", 50, 6)],
    )
    position.declare("doing", (("retreat", 0),))
    finish(position)
    assert model(position, 0).at == (50, 6)


@covers("orders/retreat-leaves-table")
def test_a_routed_unit_seen_at_its_own_edge_leaves_the_table_in_step_4() -> None:
    for phase, there in (("movement", 0), ("advancing", 1)):
        position = table(
            squad("scout", 1, at=(20, 0.5), order="retreat"), squad("brawler", 1, side=1, at=(20, 40)), phase=phase
        )
        position.declare("doing", (("retreat", 0),))
        finish(position)
        assert left(position, 0) == there


@covers(
    "vehicles/wheeled-obstacles",
    "vehicles/flying-obstacles",
    "vehicles/tracked-obstacles",
    "vehicles/unlimited-move",
    "vehicles/route-limits",
)
@pytest.mark.parametrize(
    ("kind", "over", "refusal"),
    [
        ("clan-buggy", "hedge", "vehicles/route-limits"),
        ("carrier", "hedge", ""),
        ("skimmer", "hedge", ""),
        ("skimmer", "building", ""),
        ("carrier", "building", "vehicles/route-limits"),
    ],
)
def test_what_vehicles_may_drive_over(kind: str, over: str, refusal: str) -> None:
    position = table(squad(kind, at=(20, 8)), pieces=[piece(over, 20, 20)])
    one = unit(position, 0)
    move = UnitMove(one, as_paths(one.models, [[[[20, 40]], None]]), driving_movement(one))
    found = refusal_of(move)
    assert ("" if found is None else found.rule) == refusal


# ---------------------------------------------------------------- suggestions


def suggestions(*goals: tuple[float, float]) -> list[Any]:
    """Where the suggested moves of one scout behind a building end, six inches at the most."""
    position = table(squad("scout", 1, at=(36, 10)), pieces=[piece("building", 36, 14)])
    movement = movement_of(unit(position, 0), "open", 6.0)
    found = suggested(unit(position, 0), unit(position, 0).models, movement, goals)
    return [tuple(path[0][-1]) if (path := answer[0])[0] else (36.0, 10.0) for answer in found]


def test_a_move_goes_round_what_is_in_its_way_where_that_brings_it_nearer() -> None:
    end = suggestions((29.0, 15.0))[0]
    assert math.dist(end, (29.0, 15.0)) < math.dist((36.0, 10.0), (29.0, 15.0)) - 4.0


def test_goals_that_cannot_be_come_near_to_come_last() -> None:
    behind, aside = (36.0, 30.0), (30.0, 10.0)
    ends = suggestions(behind, aside)
    assert ends[0] == pytest.approx(aside, abs=0.05)
    assert suggestions(aside, behind)[0] == pytest.approx(aside, abs=0.05)


@covers("base-move/dangerous-terrain")
@pytest.mark.parametrize(
    ("name", "gait", "ends", "risks"),
    [
        ("leaper", "over", [(30, 30), (30, 20)], [(1, (30, 30))]),
        ("leaper", "over", [(30, 30), (31.5, 30)], [(2, (30, 30))]),
        ("leaper", "over", [(20, 20), (22, 20)], []),
        ("leaper", "rough", [(30, 30), (31.5, 30)], []),
        ("line-warden", "rough", [(30, 30), (31.5, 30)], []),
    ],
)
def test_before_a_move_its_owner_is_told_who_will_stand_on_dangerous_ground(
    name: str, gait: str, ends: list[tuple[float, float]], risks: list[Any]
) -> None:
    position = table(squad(name, at=[(20, 10), (22, 10)]), pieces=[piece("wood", 30, 30)])
    one = unit(position, 0)
    told = risked(one, gait, as_paths(one.models, [[[list(end)], None] for end in ends]))
    assert [(found.values["count"], found.at) for found in told] == risks
