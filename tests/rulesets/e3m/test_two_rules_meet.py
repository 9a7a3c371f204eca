"""Cases in which two rules meet: marches, crews, transports, snipers, leaders that fall on the way."""

from __future__ import annotations

import math
from typing import Any

import pytest

from campale.mechanics.frames import stack
from campale.mechanics.moves.unit_moves import UnitMove, as_paths, refusal_of
from campale.referee.position import Position
from campale.rulesets.e3m.assault.declaring import declared, may_give_ground
from campale.rulesets.e3m.assault.result import left_to_fight
from campale.rulesets.e3m.command.halt import force_to_halt, halt_save, is_invisible
from campale.rulesets.e3m.command.orders import is_shown, order_of
from campale.rulesets.e3m.command.units import PREPARED
from campale.rulesets.e3m.fire.declaring import targets_of
from campale.rulesets.e3m.fire.kinds import ADVANCING, PREPARATORY, has_changed_place
from campale.rulesets.e3m.fire.volley import fire
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.morale.morale import passes
from campale.rulesets.e3m.morale.retreat import retreat
from campale.rulesets.e3m.movement.group_moves import may_act_in_movement, move_unit
from campale.rulesets.e3m.movement.moves import goals_for
from campale.rulesets.e3m.movement.routes import Route, begin_route, cannot_fire_at, leading_path, places_at
from campale.rulesets.e3m.movement.sight import NONE
from campale.rulesets.e3m.turn.sequence import moving
from campale.rulesets.e3m.vehicles import driving
from campale.rulesets.e3m.vehicles.damage import speed
from campale.rulesets.e3m.vehicles.passengers import may_embark, stand_by
from campale.rulesets.e3m.vehicles.stops import contact_with
from campale.table.paths import Path, plan_length
from tests.rulesets.e3m.kit import PROPOSAL, finish, left, model, piece, play, squad, table, unit

covers = pytest.mark.covers


# ---------------------------------------------------------------- routes


@covers("orders/march", "base-move/normal-infantry")
@pytest.mark.parametrize(("order", "cited"), [("march", "orders/march"), ("assault", "base-move/normal-infantry")])
def test_a_route_is_announced_under_the_rule_of_its_move(order: str, cited: str) -> None:
    position = table(squad("scout", at=(36, 10), order=order), phase="movement")
    played = play(move_unit(position, 0, goals_for), answers=[[[[[36, 14]], None]]], position=position)
    route = next(event for event in played.events if event.kind == "route")
    assert route.rules[-1] == cited
    assert next(one for one in played.questions if one.prompt == "move").rules[-1] == cited


def crossing(leader_to: tuple[float, float], other_to: tuple[float, float], bend: tuple[float, float]) -> Position:
    """Two scouts who cross in front of wardens that are Ready; the first leads them."""
    position = table(
        squad("scout", at=[(20, 20), (20, 21.25)], order="assault", marks={"tested": 1}),
        squad("line-warden", 2, side=1, at=(30, 34), order="ready"),
        phase="movement",
    )
    paths = {0: Path(((20, 20), leader_to)), 1: Path(((20, 21.25), bend, other_to))}
    begin_route(unit(position, 0), "normal", "open", paths)
    return position


@covers("hierarchy/unit-leader", "fire/opportunity-aftermath", "fire/opportunity-infantry-path")
@pytest.mark.parametrize("goes_on", [True, False])
def test_a_unit_goes_on_along_its_route_when_its_leader_falls_on_the_way(goes_on: bool) -> None:
    """The scout who is left goes 3 inches in all; at half of the leader's 6 he has gone the half of his own way."""
    position = crossing((26, 20), (23, 21.25), (21, 21.25))
    finish(position, "3 3 | 4 2 | 2", [[1, 3.0], ["area", [22.25, 20.625, 2]], None if goes_on else 3.0])
    assert not model(position, 0).is_on_table
    assert model(position, 1).at == ((23, 21.25) if goes_on else (21.5, 21.25))


@covers("hierarchy/unit-leader", "fire/opportunity-aftermath")
@pytest.mark.parametrize(("length", "may"), [(2.9, False), (3.0, True)])
def test_nobody_stops_a_unit_before_the_point_where_its_leader_fell(length: float, may: bool) -> None:
    position = crossing((26, 20), (32, 21.25), (21, 21.25))
    frame = next(frame for frame in stack(position) if frame[0] == "route")
    route = Route(*frame[1:])._replace(done=3.0)
    lose_model(model(position, 0), "fire")
    assert places_at(position, route, 0.5) == [(1, (26, 21.25), None)]
    assert (cannot_fire_at(position, route, 6.0, 1, length) is None) is may
    assert plan_length(leading_path(position, route)) == 6.0


# ---------------------------------------------------------------- transports


def at_the_carrier(fired: int) -> Position:
    return table(
        squad("carrier", at=(36, 20)),
        squad("line-warden", 3, at=(34, 13.5), special=["missile-launcher"], marks={PREPARED: fired}),
        squad("brawler", side=1, at=(36, 44)),
        phase="movement",
    )


@covers("vehicles/embark", "orders/fire-heavy-weapons-stay")
@pytest.mark.parametrize(("fired", "prompts"), [(1, []), (0, ["embark"])])
def test_who_has_fired_with_heavy_weapons_does_not_get_into_a_vehicle(fired: int, prompts: list[str]) -> None:
    position = at_the_carrier(fired)
    assert play(may_embark(unit(position, 1)), accepting=True).prompts == prompts


@covers("vehicles/embark", "assault/give-ground-move")
@pytest.mark.parametrize("embarks", [True, False])
def test_a_vehicle_that_has_taken_troops_in_does_not_give_ground(embarks: bool) -> None:
    position = table(
        squad("carrier", at=(36, 20)),
        squad("scout", 2, at=(34, 13.5)),
        squad("scout", 2, at=(40, 25)),
        squad("brawler", 2, side=1, at=(38, 29), order="assault"),
        phase="movement",
    )
    play(may_embark(unit(position, 1)), answers=[0 if embarks else None])
    position.declare("assaults", ((3, (0, 2)),))
    assert may_give_ground(unit(position, 0), unit(position, 3)) is not embarks


@covers("orders/retreat-leaves-table", "vehicles/passengers")
@pytest.mark.parametrize(("y", "left_over"), [(4.0, 0), (12.0, 3)])
def test_troops_leave_the_table_with_the_vehicle_that_carries_them(y: float, left_over: int) -> None:
    position = table(
        squad("carrier", at=(36, y), order="retreat"),
        squad("scout", 3, aboard=0),
        squad("brawler", side=1, at=(36, 30)),
        phase="movement",
    )
    play(retreat(position, 0))
    assert left(position, 1) == left_over


@covers("base-vehicle/passenger-casualties", "base-characters/attached")
@pytest.mark.parametrize("full", [True, False])
def test_a_hero_whose_squad_finds_no_room_beside_the_wreck_stands_alone(full: bool) -> None:
    walls = [piece("building", 36, 30, size=(30, 18))] if full else []
    position = table(
        squad("carrier", at=(36, 30), facing=90),
        squad("captain", at=(50, 10)),
        squad("scout", 2, aboard=0),
        pieces=walls,
    )
    position.join(model(position, 1), unit(position, 2))
    stand_by(model(position, 0), [model(position, 2), model(position, 3)])
    assert left(position, 2) == (0 if full else 3)
    assert (model(position, 1).unit == unit(position, 1)) is full


@covers("vehicles/path-assault-resolution", "fire/eligible-shooters")
@pytest.mark.parametrize(
    ("weapon", "answer", "strength"),
    [
        ("missile-launcher", ["shoot", [0, 0]], 4),
        ("missile-launcher", ["shoot", [0, 1]], 8),
        ("heavy-machine-gun", ["shoot"], 5),
    ],
)
def test_whoever_is_passed_chooses_how_its_weapon_fires(weapon: str, answer: list[object], strength: int) -> None:
    position = table(
        squad("clan-buggy", at=(20, 10), order="march"),
        squad("line-warden", 1, side=1, at=(26, 25), special=[weapon]),
        phase="movement",
    )
    begin_route(unit(position, 0), "drive", "drive", {0: Path(((20, 10), (20, 40)))})
    dice = "1 1 | 3 1 | 1" if weapon == "heavy-machine-gun" else "1 1 | 3 | 1"
    played = finish(position, dice, [PROPOSAL, answer])
    assert [one.about["strength"] for one in played.questions if one.prompt == "penetration"] == [strength]


# ---------------------------------------------------------------- morale


@covers("base-morale/fearless", "hierarchy/attach-detach")
@pytest.mark.parametrize(("hero", "men", "rolls"), [(True, False, ["quarter-loss"]), (False, True, [])])
def test_a_hero_neither_lends_nor_takes_fearlessness(hero: bool, men: bool, rolls: list[str]) -> None:
    position = table(squad("scout", 2, is_fearless=men), squad("captain", at=(36, 12), is_fearless=hero))
    position.join(model(position, 2), unit(position, 0))
    assert play(passes(unit(position, 0), "quarter-loss"), "6 6" if rolls else "").rolls == rolls


# ---------------------------------------------------------------- snipers


@covers("fire/sniper-resolution", "base-weapons/special")
@pytest.mark.parametrize(
    ("kind", "weapons", "dice", "rolls"),
    [
        ("biker", [], "2 3 1", ["sniper", "twin-linked", "to-wound"]),
        ("biker", [], "2 2", ["sniper", "twin-linked"]),
        ("line-warden", [], "2", ["sniper"]),
        ("line-warden", ["plasma-gun"] * 2, "1 2", ["sniper", "save"]),
        ("line-warden", ["plasma-gun"] * 2, "2", ["sniper"]),
    ],
)
def test_a_sniper_has_the_special_rules_of_his_weapon(
    kind: str, weapons: list[str], dice: str, rolls: list[str]
) -> None:
    places = [(30.0 + 3 * k, 6.0) for k in range(2)]
    position = table(squad(kind, at=places, special=weapons), squad("line-warden", side=1, at=(36, 40)))
    played = play(fire(unit(position, 0), PREPARATORY), dice, [["snipe", 2]], position)
    assert played.rolls == rolls
    assert left(position, 0) == 2 - rolls.count("save")


@covers("fire/sniper-resolution", "base-profile/weapons")
@pytest.mark.parametrize(("count", "snipes"), [(3, True), (2, False)])
def test_the_last_rifle_of_a_squad_left_with_its_heavy_weapons_may_snipe(count: int, snipes: bool) -> None:
    """Its standard weapon is never the heavy one, even if most models left carry that."""
    heavy = squad("line-warden", count, at=(36, 2), special=["missile-launcher"] * 2)
    position = table(heavy, squad("brawler", 2, side=1, at=(36, 46)))
    assert ("snipe" in targets_of(unit(position, 0), PREPARATORY, ())) is snipes


# ---------------------------------------------------------------- halts


@covers("orders/hidden-lost", "orders/forced-halt-limits", "orders/halt-invisible", "orders/halt-save")
@pytest.mark.parametrize(("order", "hidden"), [("fire", True), ("halt", False)])
def test_only_who_fires_while_halted_gives_himself_away(order: str, hidden: bool) -> None:
    """A unit that has fired and is then forced to Halt in a wood is invisible there like any other."""
    position = table(
        squad("scrapper", 2, at=(36, 28), order=order),
        squad("line-warden", 2, side=1, at=(36, 12), order="assault"),
        pieces=[piece("wood", 36, 30)],
    )
    kind, answers = (PREPARATORY, ["area", "nobody"]) if hidden else (ADVANCING, ["area"])
    play(fire(unit(position, 0), kind), "1 1" if hidden else "1", [[*answers, [36.6, 12, 2]]])
    force_to_halt(unit(position, 0))
    assert is_invisible(model(position, 0), 5) is hidden
    assert halt_save(model(position, 0), 5) == (NONE if hidden else 5)
    assert (targets_of(unit(position, 1), ADVANCING, ()) == ["hold"]) is hidden


@covers("base-weapons/moved-models", "base-vehicle/open-topped", "vehicles/embark")
@pytest.mark.parametrize(("moved", "has_moved"), [(0, False), (1, True)])
def test_who_moved_before_getting_into_a_vehicle_has_moved(moved: int, has_moved: bool) -> None:
    position = table(squad("long-skiff", at=(36, 20)), squad("deckhand", 3, aboard=0, marks={"moved": moved}))
    assert has_changed_place(model(position, 1)) is has_moved


# ---------------------------------------------------------------- heroes whose unit has fallen


def led_levy(group: int = 0, own: int = 0, marks: dict[str, int] | None = None, **now: Any) -> Position:
    """A levy man with a lieutenant attached, a squad of the lieutenant's own group, and brawlers."""
    position = table(
        squad("levy", 1, at=(20, 20), order="assault", group=group, marks=marks),
        squad("lieutenant", 1, at=(21.2, 20), order=None, group=own),
        squad("levy", 2, at=(50, 6), order="assault", group=own),
        squad("brawler", 2, side=1, at=(20, 26), order="assault"),
        **now,
    )
    position.join(model(position, 1), unit(position, 0))
    return position


@covers("base-characters/attached", "turn/no-passing", "hierarchy/movement-by-group")
@pytest.mark.parametrize(("done", "moves"), [(1, False), (0, True)])
def test_a_hero_whose_unit_has_moved_does_not_move_again(done: int, moves: bool) -> None:
    position = led_levy(group=1, own=1, marks={"done-moving": done}, phase="movement")
    lose_model(model(position, 0), "fire")
    assert may_act_in_movement(unit(position, 1)) is moves


@covers("base-characters/attached", "hierarchy/independent-models", "turn/eligible-elements")
@pytest.mark.parametrize(("phase", "spent"), [("movement", False), ("advancing", True)])
def test_a_hero_left_alone_does_not_use_up_the_go_of_his_own_group(phase: str, spent: bool) -> None:
    position = led_levy(group=1, own=3, marks={"acted": 1, "done-moving": 1}, phase=phase)
    lose_model(model(position, 0), "fire")
    assert bool(unit(position, 1).marks("acted")) is spent
    assert (3 in moving(position, 0)) is not spent


@covers("base-characters/attached", "orders/reveal")
@pytest.mark.parametrize("shown", [True, False])
def test_a_hero_left_alone_keeps_his_unit_s_order_hidden(shown: bool) -> None:
    position = led_levy()
    if not shown:
        unit(position, 0).jot("order", None)
        position.declare("secret-0", ((0, "ready"),))
    lose_model(model(position, 0), "fire")
    assert order_of(unit(position, 1)) == ("assault" if shown else "ready")
    assert is_shown(unit(position, 1)) is shown


@covers("base-characters/attached", "assault/declaration", "assault/defensive-fire-effects")
def test_a_hero_left_alone_carries_on_the_assaults_of_his_unit() -> None:
    position = led_levy(phase="defensive")
    position.declare("assaults", ((0, (3,)), (3, (0,))))
    lose_model(model(position, 0), "fire")
    assert declared(position) == ((1, (3,)), (3, (1,)))


@covers("base-characters/attached", "fire/opportunity-aftermath")
def test_a_hero_left_alone_goes_on_along_the_way_of_his_unit() -> None:
    position = table(
        squad("levy", 1, at=(20, 20), order="assault"),
        squad("lieutenant", 1, at=(20, 21.25), order=None),
        squad("line-warden", 2, side=1, at=(30, 34), order="ready"),
        phase="movement",
    )
    position.join(model(position, 1), unit(position, 0))
    unit(position, 0).mark("tested", 1)
    begin_route(
        unit(position, 0), "normal", "open", {0: Path(((20, 20), (26, 20))), 1: Path(((20, 21.25), (26, 21.25)))}
    )
    finish(position, "3 3 | 4 2", [[2, 3.0], ["area", [23, 20.6, 2]], [0, 1], None])
    assert not model(position, 0).is_on_table
    assert model(position, 1).at == (26, 21.25)


@covers("base-characters/attached", "assault/several-units", "assault/one-turn", "assault/attacker-loses")
@covers("base-melee/charge-bonus")
@pytest.mark.parametrize(("test", "order"), [("3 3", "assault"), ("6 6", "retreat")])
def test_a_hero_left_alone_in_a_melee_suffers_its_result(test: str, order: str) -> None:
    """He strikes with the bonus of his unit's charge, goes back to where the assault began, and tests."""
    position = table(
        squad("levy", 1, at=(20, 20), order="assault", marks={"assaulted": 1, "charged-in": 1, "attacker": 1}),
        squad("lieutenant", 1, at=(21.25, 20), order=None),
        squad("boarder", 2, side=1, at=(20, 26)),
        phase="melees",
        first=0,
    )
    position.join(model(position, 1), unit(position, 0))
    position.remember("assault-0")
    for row in (0, 1):
        model(position, row).move_to(20.0 + 1.25 * row, 25.0)
    position.declare("doing", (("melee", (0, 2)),))
    played = finish(position, f"3 4 1 | 1 | 1 1 1 1 | {test}", accepting=True)
    assert played.rolls[-1] == "melee-lost"
    assert order_of(unit(position, 1)) == order
    assert (model(position, 1).at == (21.25, 20)) is (order == "assault")
    assert left_to_fight(position) == []


# ---------------------------------------------------------------- vehicles with the enemy in contact


def beset(order: str, *at: tuple[float, float], kind: str = "gun-tank") -> Position:
    """A tank that faces north, with brawlers in contact."""
    tank = squad(kind, at=(36, 24), order=order, facing=0)
    return table(tank, squad("brawler", side=1, at=at), phase="movement", first=0)


AHEAD, BESIDE, BEHIND = (36.0, 28.5), (33.5, 24.0), (36.0, 19.5)


@covers("vehicles/overrun-contact", "base-vehicle/melee-no-result")
@pytest.mark.parametrize(
    ("man", "goal", "is_overrun"),
    [
        (AHEAD, (36, 40), True),
        (AHEAD, (36, 8), False),
        (BEHIND, (36, 40), False),
        (BEHIND, (36, 8), True),
        (BESIDE, (36, 40), False),
        (BESIDE, (60, 24), False),
        (BESIDE, (10, 24), True),
    ],
)
def test_a_tank_overruns_who_touches_it_only_if_it_goes_over_them(
    man: tuple[float, float], goal: tuple[float, float], is_overrun: bool
) -> None:
    position = beset("assault", man)
    one = unit(position, 0)
    paths = as_paths(one.models, [[[list(goal)], None]])
    assert (contact_with(one, [(m, paths[m.row]) for m in one.models], unit(position, 1)) == 0.0) is is_overrun


@covers("base-vehicle/melee-no-result", "vehicles/route-limits")
@pytest.mark.parametrize(("goal", "may"), [((36, 8), True), ((60, 24), True), ((36, 40), False)])
def test_who_touches_a_tank_on_march_does_not_hold_it(goal: tuple[float, float], may: bool) -> None:
    """It may turn and drive off, but not over them."""
    position = beset("march", AHEAD)
    one = unit(position, 0)
    refusal = refusal_of(UnitMove(one, as_paths(one.models, [[[list(goal)], None]]), driving.movement_of(one)))
    assert (refusal is None) is may
    assert refusal is None or refusal.rule == "vehicles/route-limits"


@covers("orders/retreat-terrain", "orders/retreat-move", "base-vehicle/melee-no-result")
@pytest.mark.parametrize("kind", ["gun-tank", "clan-buggy", "biker"])
@pytest.mark.parametrize("near", [0.0, 0.5, 1.05])
@pytest.mark.parametrize("ahead", [True, False])
def test_a_vehicle_with_the_enemy_in_contact_can_retreat(kind: str, near: float, ahead: bool) -> None:
    half = {"gun-tank": 4.0, "clan-buggy": 2.0, "biker": 1.0}[kind]
    away = half + 0.5 + near
    position = beset("retreat", (36, 24 + (away if ahead else -away)), kind=kind)
    play(retreat(position, 0))
    finish(position, accepting=True)
    assert model(position, 0).is_on_table
    assert model(position, 0).y < 10


@covers("orders/retreat-terrain")
def test_a_tank_ringed_by_enemies_cannot_retreat() -> None:
    ring = [(36 + 5.6 * math.cos(k * math.pi / 8), 24 + 5.6 * math.sin(k * math.pi / 8)) for k in range(16)]
    position = beset("retreat", *ring)
    play(retreat(position, 0))
    assert not model(position, 0).is_on_table


@covers("vehicles/moved-status")
@pytest.mark.parametrize(("gone", "now", "then"), [(6.0005, "slow", 0), (6.1, "fast", 1)])
def test_a_vehicle_that_was_slow_in_this_turn_is_not_fast_in_the_next(gone: float, now: str, then: int) -> None:
    position = table(squad("carrier"))
    model(position, 0).jot("gone", gone)
    assert speed(model(position, 0)) == now
    driving.note_speed(model(position, 0))
    assert model(position, 0).marks("fast") == then
