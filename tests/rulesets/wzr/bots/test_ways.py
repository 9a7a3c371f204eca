"""What a bot of WZR tries with a model: where it might go, what comes to nothing, what the mission makes of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from campale.referee.position import Position
from campale.referee.question import Choose, Form
from campale.referee.ruleset import WASTE
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import (
    ANNIHILATION,
    BREAKTHROUGH,
    STRONGPOINTS,
    is_within,
    lay_markers,
)
from campale.rulesets.wzr.battle.zones import zone_of
from campale.rulesets.wzr.bots.acting import Acting
from campale.rulesets.wzr.bots.acts import vain, which_act, which_action, which_reaction
from campale.rulesets.wzr.bots.appraisal import appraise
from campale.rulesets.wzr.bots.offhand import offhand
from campale.rulesets.wzr.bots.prospects import NO_SHOT, covers, fighter, fighters
from campale.rulesets.wzr.bots.pulls import ahead_alone, markers_for, passing, towards_enemies
from campale.rulesets.wzr.bots.stakes import may_do_more, of_harm
from campale.rulesets.wzr.bots.ways import answers
from campale.rulesets.wzr.movement.moves import RUN, way_question
from campale.rulesets.wzr.squads.coherency import is_coherent
from campale.rulesets.wzr.turn.menu import menu_fields
from tests.rulesets.wzr.guns import gun, power
from tests.rulesets.wzr.kit import piece, squad, table, vehicle
from tests.rulesets.wzr.melee import blade

RIFLE = gun(range=24.0)
GRENADE = gun("grenade", "grenade", range=None, by_strength=True, area="SE")


def menu(position: Position, row: int = 0, left: int = 2) -> Form:
    """The form that asks a model for its action."""
    model = position.model(row)
    model.mark(marks.AP, left)
    about = {"model": row, "left": left}
    return Form(model.side, "act", lambda filled: menu_fields(model, filled), about, ["pass"])


def advice(position: Position, row: int = 0, left: int = 2) -> list[tuple[Any, float]]:
    """What is advised, the best first."""
    form = menu(position, row, left)
    return sorted(which_act(position, form, form.about), key=lambda one: -one[1])


def worth_of(position: Position, name: str, left: int = 2) -> float:
    return max(worth for answer, worth in advice(position, 0, left) if answer[0] == name)


def ends(position: Position, name: str, row: int = 0) -> list[tuple[float, float]]:
    """Where the ways that are tried lead to."""
    form = menu(position, row)
    tried = answers(Acting(position, row, 2), form, [name])
    return [(answer[1][0][-1][0], answer[1][0][-1][1]) for answer in tried]


# ---------------------------------------------------------------- ways


def test_every_answer_that_is_tried_is_lawful() -> None:
    position = table(
        squad(3, at=(20.0, 10.0), weapons=(RIFLE,)), squad(3, side=1, at=(20.0, 22.0)), mission=BREAKTHROUGH
    )
    form = menu(position)
    tried = list(answers(Acting(position, 0, 2), form, form.field([]).options()))  # type: ignore[union-attr, arg-type]
    assert {"walk", "run", "shoot", "aim", "sentry", "pass"} <= {str(answer[0]) for answer in tried}
    assert [form.refusal(answer) for answer in tried] == [None] * len(tried)


def test_in_breakthrough_it_makes_for_the_zone_past_an_enemy_who_stands_elsewhere() -> None:
    """The only enemy is far to the side."""
    position = table(squad(at=(40.0, 20.0)), squad(side=1, at=(4.0, 22.0)), mission=BREAKTHROUGH)
    assert any(x == pytest.approx(40.0) and y == pytest.approx(30.0) for x, y in ends(position, "run"))
    assert advice(position)[0][0][0] == "run"


def test_a_way_that_is_sought_goes_round_what_lies_before_a_far_goal() -> None:
    """A wall across its way that ends to its right: straight on it would stop before the wall."""
    wall = piece((8.0, 20.0), (14.0, 2.0), ("impassable",), 4.0)
    position = table(squad(at=(18.0, 18.0)), squad(side=1, at=(4.0, 46.0)), pieces=[wall])
    seeks = way_question(position.model(0), "run", RUN).seeks
    assert seeks is not None
    way: Any = next(iter(seeks((18.0, 40.0))))
    assert way[0][-1][1] > 19.5
    assert len(way[0]) > 1


def test_ways_stay_near_the_commander_and_lead_somewhere() -> None:
    position = table(
        squad(2, at=[(20.0, 10.0), (20.0, 16.0)], ld=14), squad(side=1, at=(20.0, 40.0)), mission=BREAKTHROUGH
    )
    follower = position.model(1)
    found = ends(position, "run", row=1)
    assert found
    assert all(is_coherent(follower, end) and math.dist(end, follower.at) >= 0.5 for end in found)


def test_a_vehicle_tries_ways_ahead_of_it_alone() -> None:
    tank = squad(at=(24.0, 10.0), vehicle=vehicle("tank"), hull=(3.0, 4.0), m=8)
    position = table(tank, squad(side=1, at=(24.0, 40.0)), mission=BREAKTHROUGH)
    found = ends(position, "tactical")
    assert found
    assert all(y > 10.0 for _, y in found)


def test_the_commander_goes_first() -> None:
    position = table(squad(3, at=(20.0, 10.0)), squad(side=1, at=(20.0, 40.0)))
    asked = [Choose(0, "next-model", [*rows, "enough"], of="model", about={"unit": 0}) for rows in ([2, 1, 0], [2, 1])]
    assert [offhand(position, one) for one in asked] == [(0,), (2,)]


@pytest.mark.parametrize(
    ("at", "friend", "is_costly"),
    [(20.0, 10.0, True), (11.9, 10.0, False), (20.0, 19.0, False), (38.5, 10.0, False)],
    ids=["ahead", "two inches ahead", "beside", "at grips"],
)
def test_a_lone_trooper_does_not_walk_ahead_of_his_army(at: float, friend: float, is_costly: bool) -> None:
    enemy = squad(side=1, at=(20.0, 40.0))
    position = table(squad(at=(20.0, at)), squad(2, at=(22.0, friend)), enemy)
    ours, theirs = fighters(position)
    lone, *friends = ours
    assert (ahead_alone(lone, friends, theirs) < 0.0) is is_costly
    assert ahead_alone(friends[0], [lone], theirs) == 0.0, "two are not alone"
    assert ahead_alone(lone, [], theirs) == 0.0


# ---------------------------------------------------------------- what comes to nothing


@pytest.mark.parametrize(("far", "left", "in_vain"), [(12.0, 2, False), (12.0, 1, True), (30.0, 2, True)])
def test_to_aim_comes_to_nothing_without_a_shot_after_it(far: float, left: int, in_vain: bool) -> None:
    position = table(squad(at=(20.0, 4.0), weapons=(RIFLE,)), squad(side=1, at=(20.0, 4.0 + far)))
    assert (worth_of(position, "aim", left) == WASTE) is in_vain
    names = menu(position, 0, left).field([])
    assert names is not None
    told = dict(which_action(position, names, {"model": 0, "left": left}))
    assert ("aim" in told) is in_vain


def test_to_watch_comes_to_nothing_once_no_enemy_is_to_act() -> None:
    position = table(squad(at=(20.0, 10.0), weapons=(RIFLE,)), squad(side=1, at=(20.0, 22.0)))
    assert worth_of(position, "sentry") > WASTE
    position.model(1).unit.mark(marks.ACTIVATED, 1)
    assert worth_of(position, "sentry") == WASTE


@pytest.mark.parametrize(("far", "in_vain"), [(6.5, False), (7.5, True)])
def test_terrain_is_not_fought_for_its_own_sake_and_no_screen_proposes_it(far: float, in_vain: bool) -> None:
    """A model before a row of crates, an enemy this far behind it; the two bases are an inch wide together."""
    hedge = piece((16.0, 11.6), (8.0, 0.5), ("solid", "linear", "row-crates"), 1.5, (), "hedge", "wall")
    position = table(
        squad(at=(20.0, 11.0), facing=0.0, blades=(blade(avv=3),)), squad(side=1, at=(20.0, 11.0 - far)), pieces=[hedge]
    )
    field = menu(position, 0, 2).field([])
    assert isinstance(field, Choose)
    assert "combat" in (field.options() or ())
    assert vain(position, field, "combat") is in_vain
    assert not vain(position, field, "walk")
    told = dict(which_action(position, field, {"model": 0, "left": 2}))
    assert ("combat" in told) is in_vain


@pytest.mark.parametrize(("far", "in_vain"), [(25.0, False), (25.5, True)])
def test_no_screen_proposes_a_grenade_at_the_ground(far: float, in_vain: bool) -> None:
    """A grenade may always be thrown at the ground. The rifle reaches 24 inches; half of each base comes on top."""
    position = table(squad(at=(20.0, 4.0), weapons=(RIFLE, GRENADE)), squad(side=1, at=(20.0, 4.0 + far)))
    field = menu(position, 0, 1).field([])
    assert isinstance(field, Choose)
    assert "shoot" in (field.options() or ())
    assert field.refusal("shoot") is None
    assert vain(position, field, "shoot") is in_vain


def test_no_screen_proposes_to_burn_a_resource_for_another_ap() -> None:
    position = table(squad(at=(20.0, 4.0)), squad(side=1, at=(20.0, 40.0)))
    position.gain(0, marks.RESOURCES, 3)
    field = menu(position, 0, 1).field([])
    assert isinstance(field, Choose)
    assert field.refusal("third-ap") is None
    assert vain(position, field, "third-ap")


@pytest.mark.parametrize(("y", "in_vain"), [(12.7, False), (12.5, True)])
def test_a_dive_is_for_those_who_are_not_beside_cover_yet(y: float, in_vain: bool) -> None:
    """The cover ends at y = 11; the base is 30 mm wide."""
    bush = piece((16.0, 9.0), (8.0, 2.0), ("light",), name="bush")
    position = table(squad(at=(20.0, y)), squad(side=1, at=(20.0, 40.0)), pieces=[bush])
    field = menu(position, 0, 2).field([])
    assert isinstance(field, Choose)
    assert field.refusal("dive") is None
    assert vain(position, field, "dive") is in_vain
    reaction = Choose(0, "reaction", ["nothing", "dive"], "action", about={"model": 0})
    assert dict(which_reaction(position, reaction, reaction.about)) == ({"dive": WASTE} if in_vain else {})


@pytest.mark.parametrize(("kind", "helped"), [("hindrance", {2}), ("blessing", {0, 1})])
def test_a_power_is_for_the_side_that_it_is_meant_for(kind: str, helped: set[int]) -> None:
    one = power("spell", kind, "armour-minus-6")
    position = table(squad(2, at=(20.0, 10.0), powers=(one,)), squad(side=1, at=(20.0, 16.0)))
    told = {answer[2]: worth for answer, worth in advice(position) if answer[0] == "cast"}
    assert {row for row, worth in told.items() if worth > WASTE} == helped


def test_nobody_shoots_his_own_for_nothing() -> None:
    position = table(squad(2, at=(20.0, 10.0)), squad(side=1, at=(20.0, 40.0)))
    acting = Acting(position, 0, 1)
    assert acting.worth(["execution", 1]) < acting.worth(["pass"])


# ---------------------------------------------------------------- the mission, and the turns to come


@pytest.mark.parametrize("turn", [1, 6])
def test_harm_counts_less_towards_the_end_but_in_annihilation(turn: int) -> None:
    position = table(squad(), squad(side=1, at=(20.0, 30.0)), turn=turn, mission=STRONGPOINTS)
    assert (of_harm(position) < 1.0) is (turn == 6)
    position.now["mission"] = ANNIHILATION
    assert of_harm(position) == 1.0


def test_nobody_does_more_once_all_have_acted_in_the_last_turn() -> None:
    position = table(squad(), squad(side=1, at=(20.0, 30.0)), turn=6)
    assert may_do_more(position, 1)
    position.model(1).unit.mark(marks.ACTIVATED, 1)
    assert not may_do_more(position, 1)
    position.now["turn"] = 5
    assert may_do_more(position, 1)


def test_in_the_last_turn_it_crosses_the_line_rather_than_shoot() -> None:
    """An inch before the enemy's zone, an enemy in range."""
    own = squad(at=(40.0, 34.5), weapons=(RIFLE,), base="small")
    position = table(own, squad(3, side=1, at=(30.0, 44.0)), turn=6, mission=BREAKTHROUGH)
    answer = advice(position, left=1)[0][0]
    assert answer[0] == "walk"
    end = position.supposing({0: tuple(answer[1][0][-1])})
    assert is_within(end.model(0), zone_of(position, 1))
    position.now["mission"] = ANNIHILATION
    assert advice(position, left=1)[0][0][0] == "shoot"


def test_a_place_promises_more_for_breakthrough_the_likelier_it_leads_there_in_time() -> None:
    position = table(squad(at=(20.0, 20.0)), squad(side=1, at=(20.0, 40.0)), mission=BREAKTHROUGH)
    one = fighter(position.model(0))
    position.now["turn"] = 2
    in_time = passing(position, one)
    position.now["turn"] = 6
    assert passing(position, one) < in_time
    there = one._replace(y=zone_of(position, 1)[1] + one.radius)
    assert passing(position, there) > passing(position, there._replace(y=there.y - one.radius)) > passing(position, one)


def test_whoever_tips_the_balance_is_wanted_at_a_marker_most() -> None:
    position = table(squad(3, at=[(4.0, 4.0), (12.0, 24.0), (13.5, 24.0)]), squad(side=1, at=(36.0, 24.0)))
    position.now["mission"] = STRONGPOINTS
    lay_markers(position)
    held, free, theirs = (one.worth for one in markers_for(position, 0))
    assert held < free == theirs
    position.now["mission"] = ANNIHILATION
    assert markers_for(position, 0) == []


def test_a_warlord_is_worth_what_the_mission_says_beside_his_points() -> None:
    position = table(squad(), squad(side=1, at=(20.0, 30.0)), mission=BREAKTHROUGH)
    plain = fighter(position.model(0)).worth
    position.model(0).unit.jot(marks.SLOT, "warlord")
    assert fighter(position.model(0)).worth > plain
    position.now["mission"] = STRONGPOINTS
    assert fighter(position.model(0)).worth == plain


def test_a_force_that_is_through_stands_better_late_than_one_that_has_shot() -> None:
    def at(y: float, wounds: int) -> float:
        position = table(squad(at=(40.0, y)), squad(side=1, at=(4.0, 4.0), w=3), turn=6, mission=BREAKTHROUGH)
        position.model(1).mark(marks.WOUNDS, wounds)
        return appraise(position, 0)

    assert at(40.0, 0) > at(30.0, 2)


# ---------------------------------------------------------------- what keeps a force from standing about


def test_whoever_can_hurt_nobody_goes_on_until_he_can() -> None:
    """Within the range of his rifle already, but a building hides the enemy: nearer is better all the same."""
    house = piece((16.0, 18.0), (8.0, 4.0), ("intact",), 4.0)
    position = table(
        squad(at=(20.0, 10.0), weapons=(RIFLE,)), squad(side=1, at=(20.0, 28.0)), pieces=[house], mission=ANNIHILATION
    )
    one, enemies = fighter(position.model(0)), [fighter(position.model(1))]
    assert towards_enemies(one._replace(y=14.0), enemies) > towards_enemies(one, enemies)
    assert advice(position)[0][0][0] in ("walk", "run")


def test_through_a_building_nobody_is_shot_at_and_whoever_is_in_one_shows_at_its_windows() -> None:
    house = piece((16.0, 18.0), (8.0, 8.0), ("intact",), 4.0)
    position = table(squad(at=(20.0, 10.0)), squad(2, side=1, at=[(20.0, 22.0), (20.0, 32.0)]), pieces=[house])
    at = np.array([model.at for model in position.models])
    one, inside, behind = covers(position.ground, at, at)
    assert one[1] == inside[0] == 2
    assert one[2] == behind[0] == NO_SHOT


def test_the_last_of_a_squad_are_worth_more_than_the_first() -> None:
    position = table(squad(2, at=(20.0, 10.0)), squad(4, side=1, at=(20.0, 22.0)), mission=ANNIHILATION)
    whole = fighters(position)[1][0].worth
    for row in (4, 5):
        position.remove(position.model(row), "shooting", 0)
    ours, theirs = fighters(position)
    assert theirs[0].worth > whole
    assert ours[0].worth == whole


def test_a_warlord_stays_back_where_others_go_in_if_the_mission_counts_him() -> None:
    """Fire from all sides awaits whoever comes nearer."""
    guns = squad(6, side=1, at=(16.0, 40.0), weapons=(gun(range=20.0, rof=2, st=14),))
    position = table(squad(at=(20.0, 10.0), weapons=(gun(range=10.0),), a=8), guns, mission=ANNIHILATION)

    def gained() -> float:
        acting = Acting(position, 0, 2)
        return acting.place(acting.at((20.0, 22.0)), 0) - acting.place(acting.at((20.0, 12.0)), 0)

    assert gained() > 0.0
    position.model(0).unit.jot(marks.SLOT, "warlord")
    assert gained() < 0.0
    position.now["mission"] = STRONGPOINTS
    assert gained() > 0.0


@pytest.mark.parametrize(("walked", "in_vain"), [(7.0, False), (9.0, True)])
def test_a_walk_of_an_inch_that_gains_next_to_nothing_is_not_proposed(walked: float, in_vain: bool) -> None:
    """In range of the enemy already; a model may go 10 inches in all."""
    position = table(squad(at=(20.0, 10.0), weapons=(RIFLE,)), squad(side=1, at=(20.0, 28.0)))
    position.model(0).jot(marks.MOVED, walked)
    position.model(0).mark(marks.AP, 2)
    field = menu(position, 0, 2).field([])
    assert isinstance(field, Choose)
    assert vain(position, field, "walk") is in_vain
