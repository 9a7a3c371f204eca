"""Transports: who fits in, getting in and out, firing from inside, leaving a wreck and an explosion."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.position import ABOARD, GONE, TABLE, Position
from campale.rulesets.e55.assault_phase import charge
from campale.rulesets.e55.battle.deployment import go_aboard
from campale.rulesets.e55.definitions import sight
from campale.rulesets.e55.definitions.footprints import fire_points, half_sizes
from campale.rulesets.e55.definitions.units import (
    ALOFT,
    APART,
    ARRIVED,
    BARRED_FROM_CHARGE,
    BROKEN,
    COMBAT,
    DESTROYED,
    DISEMBARKED,
    DONE,
    EMBARKED,
    FACES,
    GROUND,
    MOVED,
    aboard,
    members,
    units_on_table,
)
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.movement_phase import facing
from campale.rulesets.e55.shooting_phase import targets
from campale.rulesets.e55.turn.acting import refusal_of
from campale.rulesets.e55.vehicles import damage, transports, vehicles
from campale.rulesets.e55.vehicles.damage import Damage
from campale.rulesets.e55.weapons.weapon_rules import has_moved
from campale.table.terrain import Piece
from tests.rulesets.e55.kit import (
    PROPOSAL,
    Played,
    Squad,
    block,
    model,
    play,
    profile,
    question_after,
    refused,
    squad,
    table,
    unit,
    wall,
    wood,
)

CARRIER, SQUAD, ENEMY = 0, 1, 2
"""The units of a ride: a carrier (model 0), a squad (models from 1 on), an enemy."""
OPEN = profile("carrier", subtypes=("transport", "open-topped"))


def ride(
    carrier: Any = "carrier", carried: Squad | None = None, *more: Squad, pieces: tuple[Piece, ...] = (), **given: Any
) -> Position:
    """A carrier at (30, 20) that points north and five veterans beside it, an enemy far away."""
    men = carried or squad("veteran", 5, at=(26, 12), spacing=1.5)
    now = {"phase": "movement", **given}
    return table(squad(carrier, at=(30, 20)), men, squad("militia", side=1, at=(60, 40)), *more, pieces=pieces, **now)


def loaded(carrier: Any = "carrier", count: int = 5, *more: Squad, **given: Any) -> Position:
    """The same with the veterans inside."""
    battle = ride(carrier, squad("veteran", count, at=(26, 12), spacing=1.5), *more, **given)
    put_in(battle, SQUAD)
    return battle


def put_in(battle: Position, number: int, carrier: int = 0) -> None:
    for m in members(unit(battle, number)):
        battle.take_off(m, aboard_of=model(battle, carrier))


def why_not(battle: Position, *key: Any) -> str:
    refusal = refusal_of(battle, key)
    return "" if refusal is None else refusal.rule


def embark(battle: Position, number: int = SQUAD, answers: Any = ()) -> Played:
    return play(transports.embark(battle, ("embark", number, 0)), "", answers, battle)


def disembark(battle: Position, answer: Any = PROPOSAL, dice: str = "") -> Played:
    return play(transports.disembark(battle, ("disembark", SQUAD, 0)), dice, [answer], battle)


def place(battle: Position, x: float, y: float) -> str:
    """The rule that refuses a single model its place on getting out."""
    question = question_after(transports.disembark(battle, ("disembark", SQUAD, 0)))
    return refused(question, [[x, y, 0.0]])


# ---------------------------------------------------------------- 7.10/capacity


@pytest.mark.covers("7.10/capacity")
def test_a_transport_carries_so_many_models_and_no_more() -> None:
    small = profile("carrier", capacity=5)
    assert why_not(ride(small), "embark", SQUAD, 0) == ""
    assert why_not(ride(profile("carrier", capacity=4)), "embark", SQUAD, 0) == "7.10/capacity"


@pytest.mark.covers("7.10/capacity")
def test_several_units_share_a_transport() -> None:
    battle = loaded("carrier", 5, squad("veteran", 5, at=(26, 12), spacing=1.5), squad("veteran", 6, at=(26, 22)))
    assert why_not(battle, "embark", 3, 0) == ""
    assert why_not(battle, "embark", 4, 0) == "7.10/capacity"
    embark(battle, 3)
    assert [u.row for u in transports.units_inside(model(battle, 0))] == [SQUAD, 3]
    assert len(transports.passengers(model(battle, 0))) == 10
    assert transports.room_left(model(battle, 0)) == 0


@pytest.mark.covers("7.10/capacity")
def test_infantry_gets_in_where_nothing_else_is_said() -> None:
    for kind in ("biker", "hound", "great-beast"):
        assert why_not(ride(carried=squad(kind, at=(27, 20))), "embark", SQUAD, 0) == "7.10/capacity"
    kennel = profile("carrier", carries=("beast",))
    assert why_not(ride(kennel, squad("hound", at=(27, 20))), "embark", SQUAD, 0) == ""
    assert why_not(ride(kennel), "embark", SQUAD, 0) == "7.10/capacity"


@pytest.mark.covers("7.10/capacity")
def test_flying_infantry_boards_only_if_its_description_says_so() -> None:
    jumpers = squad("jump-trooper", at=(27, 20))
    boarding = squad(profile("jump-trooper", boards_as="infantry"), at=(27, 20))
    assert why_not(ride(carried=jumpers), "embark", SQUAD, 0) == "7.10/capacity"
    assert why_not(ride(carried=boarding), "embark", SQUAD, 0) == ""
    assert why_not(ride(profile("carrier", carries=("flying-infantry",)), jumpers), "embark", SQUAD, 0) == ""


def test_who_walks_is_put_aboard_under_no_rule_about_flying() -> None:
    battle = ride()
    go_aboard(members(unit(battle, SQUAD)), model(battle, 0))
    assert battle.journal is not None
    assert [one.rules for one in battle.journal.events if one.kind == "take-off"] == [()] * 5


# ---------------------------------------------------------------- 7.10/embark


@pytest.mark.covers("7.10/embark")
def test_all_models_are_within_eight_inches_of_a_hatch() -> None:
    """The rear hatch is at (30, 17.5); a distance below 9 is measured as 8."""
    near, far = squad("veteran", at=(30, 8.1)), squad("veteran", at=(30, 8.0))
    assert why_not(ride(carried=near), "embark", SQUAD, 0) == ""
    assert why_not(ride(carried=far), "embark", SQUAD, 0) == "7.10/embark"
    one_far = squad("veteran", 2, at=[(30, 10), (30, 8.0)])
    assert why_not(ride(carried=one_far), "embark", SQUAD, 0) == "7.10/embark"


@pytest.mark.covers("7.10/embark")
def test_there_is_no_hatch_in_front() -> None:
    before = squad("veteran", at=(30, 30.2))
    assert why_not(ride(carried=before), "embark", SQUAD, 0) == "7.10/embark"
    hatch = profile("carrier", hatches=((0.0, 2.5, 0.0),))
    assert why_not(ride(hatch, before), "embark", SQUAD, 0) == ""


@pytest.mark.covers("7.10/embark")
def test_a_unit_that_has_moved_does_not_embark_and_the_vehicle_may_have() -> None:
    battle = ride()
    play(vehicles.drive(battle, ("drive", 0, 0, 1)), "", [[[[[[30, 19]], None]]]])
    assert why_not(battle, "embark", SQUAD, 0) == ""
    for name in (DONE, MOVED, DISEMBARKED):
        battle = ride()
        unit(battle, SQUAD).mark(name, 1)
        assert why_not(battle, "embark", SQUAD, 0) == "7.10/embark"


@pytest.mark.covers("7.10/embark", "3.1/cannot-move", "4.2/broken-cannot-act")
def test_a_unit_that_cannot_move_cannot_embark() -> None:
    reasons = {COMBAT: "3.1/cannot-move", GROUND: "3.1/cannot-move", BROKEN: "4.2/broken-cannot-act"}
    for name, reason in reasons.items():
        battle = ride()
        unit(battle, SQUAD).mark(name, 1)
        assert why_not(battle, "embark", SQUAD, 0) == reason


@pytest.mark.covers("7.10/embark")
def test_the_models_leave_the_table_and_have_moved() -> None:
    battle = ride()
    embark(battle)
    assert members(unit(battle, SQUAD)) == []
    assert [(m.where, m.aboard_of.row) for m in aboard(unit(battle, SQUAD)) if m.aboard_of] == [(ABOARD, 0)] * 5
    assert [unit(battle, SQUAD).marks(name) for name in (EMBARKED, MOVED, DONE)] == [1, 1, 1]


@pytest.mark.covers("7.10/embark", "3.1.4/facing-target-removed")
def test_who_faced_the_unit_faces_another() -> None:
    battle = ride("carrier", None, squad("militia", at=(40, 12)))
    unit(battle, ENEMY).mark(FACES, SQUAD + 1)
    played = embark(battle, answers=[3])
    assert played.prompts == ["face"]
    assert unit(battle, ENEMY).marks(FACES) == 4


@pytest.mark.covers("7.13/flyer-distance")
def test_nobody_boards_or_leaves_what_flies() -> None:
    flying = profile("carrier", subtypes=("transport", "flyer"))
    assert why_not(ride(flying), "embark", SQUAD, 0) == "7.13/flyer-distance"
    assert why_not(loaded(flying), "disembark", SQUAD, 0) == "7.13/flyer-distance"
    landed = profile("carrier", subtypes=("transport", "aircraft"))
    assert why_not(ride(landed), "embark", SQUAD, 0) == ""
    assert why_not(loaded(landed), "disembark", SQUAD, 0) == ""


# ---------------------------------------------------------------- 7.10/embarked-facing, 7.10/no-target-inside


@pytest.mark.covers("7.10/embarked-facing")
def test_a_unit_inside_takes_a_facing() -> None:
    battle = loaded("carrier", 5, squad("militia", side=1, at=(50, 30)))
    play(facing.facing_phase(battle), "", [[3]], battle)
    assert unit(battle, SQUAD).marks(FACES) == 4


@pytest.mark.covers("7.10/no-target-inside")
def test_who_is_inside_is_no_target() -> None:
    battle = loaded()
    assert [u.row for u in units_on_table(battle, 0)] == [CARRIER]
    assert facing.enemies_of(unit(battle, ENEMY)) == [CARRIER]
    assert [u.row for u in targets.targets_of_weapons(battle, 1)] == [CARRIER]
    battle = ride()
    assert facing.enemies_of(unit(battle, ENEMY)) == [CARRIER, SQUAD]


# ---------------------------------------------------------------- 7.10/disembark


@pytest.mark.covers("7.10/disembark")
def test_a_unit_gets_out_unless_it_embarked_in_this_turn() -> None:
    battle = loaded()
    assert why_not(battle, "disembark", SQUAD, 0) == ""
    unit(battle, SQUAD).mark(EMBARKED, 1)
    assert why_not(battle, "disembark", SQUAD, 0) == "7.10/disembark"


@pytest.mark.covers("7.10/disembark")
def test_each_model_is_placed_within_six_inches_of_a_hatch() -> None:
    """The left hatch is at (28.5, 20): a gap below 7 is measured as 6."""
    battle = loaded(count=1)
    assert place(battle, 21.1, 20) == ""
    assert place(battle, 21.0, 20) == "7.10/disembark"
    assert place(battle, 30, 27.3) == ""
    assert place(battle, 30, 27.5) == "7.10/disembark"


@pytest.mark.covers("7.10/disembark", "3.1/enemy-one-inch", "3.1.2/impassable")
def test_the_places_are_legal() -> None:
    battle = loaded(
        "carrier", 1, squad("militia", side=1, at=(25, 20)), squad("militia", at=(35, 20)), pieces=(wall(30, 14),)
    )
    assert place(battle, 27, 20) == ""
    assert place(battle, 26.9, 20) == "3.1/enemy-one-inch"
    assert place(battle, 34.5, 20) == "1.1/model-is-its-base"
    assert place(battle, 30, 21) == "1.1/model-is-its-base"
    assert place(battle, 30, 14) == "3.1.2/impassable"


@pytest.mark.covers("7.10/disembark", "3.1.1/coherency")
def test_the_unit_gets_out_together() -> None:
    battle = loaded(count=2)
    question = question_after(transports.disembark(battle, ("disembark", SQUAD, 0)))
    assert refused(question, [[27, 20, 0], [33, 20, 0]]) == "3.1.1/coherency"
    assert refused(question, [[27, 20, 0], [26, 20, 0]]) == ""
    assert refused(question, [[27, 20, 0], [26.5, 20, 0]]) == "1.1/model-is-its-base"


@pytest.mark.covers("7.10/disembark")
def test_what_is_proposed_and_drawn_is_legal() -> None:
    battle = loaded("carrier", 10, pieces=(wall(26, 18, 1, 8),))
    question = question_after(transports.disembark(battle, ("disembark", SQUAD, 0)))
    assert question.suggestions()
    for answer in [*question.suggestions(), *(question.sample(Random(seed)) for seed in range(10))]:
        assert question.refusal(answer) is None


@pytest.mark.covers("7.10/disembark")
def test_all_of_them_or_none() -> None:
    """Walled in on all sides but for a gap, six inches off, in which four models find room."""
    pen = (wall(22, 20, 12, 30), wall(38, 20, 12, 30), wall(30, 10.6, 4, 10), wall(30, 28, 4, 10))
    assert why_not(loaded("carrier", 1, pieces=pen), "disembark", SQUAD, 0) == ""
    assert why_not(loaded("carrier", 10, pieces=pen), "disembark", SQUAD, 0) == "7.10/disembark"


@pytest.mark.covers("7.10/disembark")
def test_difficult_ground_costs_nothing_and_dangerous_ground_is_tested() -> None:
    assert disembark(loaded(pieces=(wood(30, 20, 40, 30),))).rolls == []
    mined = block(30, 20, 40, 30, "clear", "dangerous", height=0)
    played = disembark(loaded(pieces=(mined,)), dice="1 1 1 1 1")
    assert played.rolls == ["dangerous-terrain"]


@pytest.mark.covers("7.10/disembark-limits")
def test_who_got_out_has_moved_and_does_not_assault() -> None:
    battle = loaded()
    disembark(battle)
    out = unit(battle, SQUAD)
    assert [out.marks(name) for name in (DISEMBARKED, MOVED, DONE, BARRED_FROM_CHARGE)] == [1, 1, 1, 1]
    for act in ("move", "run"):
        assert why_not(battle, act, SQUAD) != ""
    assert why_not(battle, "embark", SQUAD, 0) == "7.10/embark"


# ---------------------------------------------------------------- 7.12


@pytest.mark.covers("7.12/open-topped-points")
def test_the_whole_hull_of_an_open_topped_vehicle_is_hatch() -> None:
    before = squad("veteran", at=(30, 31.9))
    assert why_not(ride(OPEN, before), "embark", SQUAD, 0) == ""
    assert why_not(ride("carrier", before), "embark", SQUAD, 0) == "7.10/embark"
    assert why_not(ride(OPEN, squad("veteran", at=(30, 32.1))), "embark", SQUAD, 0) == "7.10/embark"
    assert place(loaded(OPEN, 1), 30, 29.9) == ""
    assert place(loaded("carrier", 1), 30, 29.9) == "7.10/disembark"


@pytest.mark.covers("7.12/open-topped-assault", "7.10/disembark-limits")
def test_getting_out_of_an_open_topped_vehicle_does_not_prevent_an_assault() -> None:
    battle = loaded(OPEN)
    disembark(battle)
    out = unit(battle, SQUAD)
    assert [out.marks(name) for name in (DISEMBARKED, MOVED, DONE, BARRED_FROM_CHARGE)] == [1, 1, 1, 0]


@pytest.mark.covers("7.12/open-topped-points")
def test_everybody_fires_from_the_point_of_the_rim_nearest_to_the_target() -> None:
    battle = loaded(OPEN, 3, squad("militia", side=1, at=(40, 20)))
    unit(battle, SQUAD).mark(FACES, 4)
    points = fire_points(model(battle, 0))
    assert len(points) == 3
    assert {(round(x, 1), round(y, 1), z) for x, y, z in points} == {(31.5, 20.0, 2.5)}
    assert targets.free_points(unit(battle, SQUAD)) == [0, 1, 2]
    assert all(targets.points_that_see(unit(battle, SQUAD), unit(battle, 3)).values())


@pytest.mark.covers("7.12/open-topped-damage")
def test_damage_to_an_open_topped_vehicle_is_worse() -> None:
    hit = Damage(False, 5)
    assert sum(int(part(model(loaded(OPEN), 0), hit).value) for part in damage.DAMAGE_MODIFIERS) == 1
    assert sum(int(part(model(loaded(), 0), hit).value) for part in damage.DAMAGE_MODIFIERS) == 0


# ---------------------------------------------------------------- 7.10/fire-points


POINTED = profile("carrier", fire_points=((1.5, 0.0, 2.0), (1.5, 1.0, 2.0)))


@pytest.mark.covers("7.10/fire-points")
def test_each_fire_point_lets_one_model_shoot() -> None:
    battle = loaded(POINTED, 5, squad("militia", side=1, at=(40, 20)))
    unit(battle, SQUAD).mark(FACES, 4)
    assert targets.free_points(unit(battle, SQUAD)) == [0, 1]
    assert list(sight.eyes_of(model(battle, 1))) == [(1, (31.5, 20.0, 2.0)), (1, (31.5, 21.0, 2.0))]
    assert targets.free_points(unit(loaded(), SQUAD)) == []


@pytest.mark.covers("7.10/fire-points")
def test_who_fires_out_has_moved_when_the_vehicle_has() -> None:
    battle = loaded(POINTED)
    assert not has_moved(model(battle, 1))
    play(vehicles.drive(battle, ("drive", 0, 0, 1)), "", [[[[[[30, 20.5]], None]]]])
    assert has_moved(model(battle, 1))
    turned = loaded(POINTED)
    play(vehicles.drive(turned, ("drive", 0, 0, 1)), "", [[[[[], 45]]]])
    assert not has_moved(model(turned, 1))


@pytest.mark.covers("7.10/fire-point-sight")
def test_the_transport_hides_what_is_behind_it() -> None:
    battle = loaded(POINTED, 5, squad("militia", side=1, at=(40, 20)), squad("militia", side=1, at=(20, 20)))
    assert any(targets.points_that_see(unit(battle, SQUAD), unit(battle, 3)).values())
    assert not any(targets.points_that_see(unit(battle, SQUAD), unit(battle, 4)).values())
    assert fire_points(model(battle, 0))


# ---------------------------------------------------------------- 7.10: wrecks and explosions


def wrecked(battle: Position, answers: Any = (PROPOSAL,), by: int = ENEMY, **given: Any) -> Played:
    return play(damage.wreck(model(battle, 0), Damage(False, by_unit=by)), "", answers, battle, **given)


def exploded(battle: Position, dice: str, answers: Any = (PROPOSAL,), by: int = ENEMY) -> Played:
    return play(damage.explodes(model(battle, 0), Damage(False, by_unit=by)), dice, answers, battle)


@pytest.mark.covers("7.10/wreck-passengers")
def test_the_passengers_of_a_wreck_get_out_unhurt() -> None:
    battle = loaded(phase="volleys", side=1)
    played = wrecked(battle)
    assert played.prompts == ["leave-wreck"]
    out = unit(battle, SQUAD)
    assert len(members(out)) == 5
    assert played.rolls == []
    assert (out.marks(GROUND), out.marks(MOVED), out.marks(FACES)) == (0, 0, ENEMY + 1)
    assert played.questions[0].side == 0


@pytest.mark.covers("7.10/wreck-passengers")
def test_they_are_placed_within_six_inches_of_a_hatch_of_the_wreck() -> None:
    battle = loaded(count=1, phase="volleys", side=1)
    question = question_after(damage.wreck(model(battle, 0), Damage(False, by_unit=ENEMY)))
    assert refused(question, [[21.1, 20, 0]]) == ""
    assert refused(question, [[21.0, 20, 0]]) == "7.10/disembark"
    assert refused(question, [[30, 20, 0]]) == ""


@pytest.mark.covers("7.10/wreck-passengers", "7.10/disembark-limits")
def test_in_their_own_turn_they_have_moved() -> None:
    battle = loaded()
    wrecked(battle)
    out = unit(battle, SQUAD)
    assert [out.marks(name) for name in (DISEMBARKED, MOVED, DONE, BARRED_FROM_CHARGE)] == [1, 1, 1, 1]


@pytest.mark.covers("7.10/cannot-be-placed")
def test_who_finds_no_place_is_a_casualty() -> None:
    pen = (wall(22, 20, 12, 30), wall(38, 20, 12, 30), wall(30, 9.5, 4, 16), wall(30, 30.5, 4, 16))
    battle = loaded("carrier", 25, pieces=pen, phase="volleys", side=1)
    wrecked(battle)
    where = [m.where for m in battle.models[1:26]]
    assert where.count(TABLE) + where.count(GONE) == 25
    assert 0 < where.count(GONE) < 25
    assert {loss.cause for loss in battle.losses if loss.model > 0} == {"no-place"}


@pytest.mark.covers("7.10/disembark", "7.10/cannot-be-placed")
@pytest.mark.parametrize(("deep", "word"), [(2.8, ""), (2.02, ""), (1.9, "no-room")])
def test_two_get_out_through_a_gap_that_is_hardly_larger_than_their_bases(deep: float, word: str) -> None:
    """Walls close about the hull, but for a gap 1.2 inches wide beside it."""
    wide, long = half_sizes(profile("carrier"))
    west, east, south, north = 30 - wide - 0.01, 30 + wide + 0.01, 20 - long - 0.01, 20 + long + 0.01
    walls = [
        block(west - 10, 20, 20, 60, "impassable", name="west"),
        block(east + 1.2 + 10, 20, 20, 60, "impassable", name="east"),
        block(30 + 0.6, south - 10, east - west + 1.2, 20, "impassable", name="south"),
        block(30 + 0.6, north + 10, east - west + 1.2, 20, "impassable", name="north"),
        block(east + 0.6, (south + 18.37) / 2, 1.2, 18.37 - south, "impassable", name="beside"),
        block(east + 0.6, (north + 18.37 + deep) / 2, 1.2, north - 18.37 - deep, "impassable", name="beside it too"),
    ]
    battle = loaded(count=2, pieces=walls)
    refusal = refusal_of(battle, ("disembark", SQUAD, 0))
    assert (refusal.word if refusal is not None else "") == word
    if not word:
        disembark(battle)
        assert [m.where for m in battle.models[1:3]] == [TABLE, TABLE]


@pytest.mark.covers("7.10/explosion-passengers", "7.10/explosion-ground")
def test_the_passengers_of_an_explosion_are_hit_and_lie_on_the_ground() -> None:
    battle = loaded(phase="volleys", side=1)
    played = exploded(battle, "1 | 4 4 4 1 1 | 3 3 1")
    assert "leave-explosion" in played.prompts
    out = unit(battle, SQUAD)
    assert len(members(out)) == 4
    assert out.marks(GROUND) == 1
    assert played.cites("7.10/explosion-passengers")


MINED = block(30, 20, 40, 30, "clear", "dangerous", height=0)


@pytest.mark.covers("7.10/wreck-passengers", "7.10/disembark", "3.1.2/dangerous")
@pytest.mark.parametrize(
    ("pieces", "dice", "rolls"), [((MINED,), "6 1 1 1 1 | 1", 2), ((wood(30, 20, 40, 30),), "", 0)]
)
def test_out_of_a_wreck_onto_dangerous_ground_they_are_tested(pieces: tuple[Piece, ...], dice: str, rolls: int) -> None:
    battle = loaded(phase="volleys", side=1, pieces=pieces)
    battle.remember("turn")
    played = play(damage.wreck(model(battle, 0), Damage(False, by_unit=ENEMY)), dice, (PROPOSAL,), battle, True)
    assert len(played.rolls) == rolls
    assert len(members(unit(battle, SQUAD))) == 5 - rolls // 2


@pytest.mark.covers("7.10/explosion-passengers", "3.1.2/dangerous")
def test_out_of_an_explosion_they_are_tested_for_the_ground_before_they_are_hit() -> None:
    battle = loaded(count=2, phase="volleys", side=1, pieces=(MINED,))
    played = exploded(battle, "1 | 6 1 | 1 | 1", (PROPOSAL, PROPOSAL))
    assert played.rolls[-3:] == ["dangerous-terrain", "save", "to-wound"]
    assert len(members(unit(battle, SQUAD))) == 1


@pytest.mark.covers("7.10/explosion-passengers")
def test_every_one_of_them_takes_a_hit_of_strength_four() -> None:
    battle = ride()
    hits = transports.hits_of_explosion(unit(battle, SQUAD))
    assert [(hit.strength, hit.ap, hit.target) for hit in hits] == [(4, None, row) for row in range(1, 6)]


@pytest.mark.covers("7.10/explosion-passengers")
def test_they_are_placed_on_its_ground_or_up_to_three_inches_from_it() -> None:
    battle = loaded(count=1, phase="volleys", side=1)
    question = question_after(damage.explodes(model(battle, 0), Damage(False, by_unit=ENEMY)), "1")
    assert refused(question, [[30, 20, 0]]) == ""
    assert refused(question, [[30, 26.9, 0]]) == ""
    assert refused(question, [[30, 27.0, 0]]) == "7.10/explosion-passengers"


@pytest.mark.covers("7.10/assault-passengers")
def test_who_destroyed_a_transport_by_fire_may_assault_those_who_were_in_it() -> None:
    for boom in (wrecked, lambda one: exploded(one, "1 | 1 1 1 1 1")):
        battle = loaded(phase="volleys", side=1)
        boom(battle)
        assert unit(battle, ENEMY).note(DESTROYED) == (SQUAD,)
        assert charge.former_passengers(unit(battle, ENEMY)) == [SQUAD]
        vehicles.begin_movement(battle)
        assert unit(battle, ENEMY).note(DESTROYED) is None


@pytest.mark.covers("7.10/assault-passengers")
def test_not_who_destroyed_it_in_melee_nor_an_empty_one() -> None:
    battle = loaded(phase="melee", side=1)
    wrecked(battle)
    assert unit(battle, ENEMY).note(DESTROYED) is None
    empty = ride(phase="volleys", side=1)
    wrecked(empty, ())
    assert unit(empty, ENEMY).note(DESTROYED) is None


@pytest.mark.covers("7.10/assault-passengers")
def test_who_destroyed_a_transport_of_its_own_side_assaults_nobody() -> None:
    battle = loaded("carrier", 5, squad("veteran", at=(10, 10)), phase="volleys")
    play(damage.wreck(model(battle, 0), Damage(True, cause="fire", by_unit=3)), "", [PROPOSAL], battle)
    assert members(unit(battle, SQUAD))
    assert charge.former_passengers(unit(battle, 3)) == []


# ---------------------------------------------------------------- interplay


@pytest.mark.covers("7.10/embark", "8/independent-character")
def test_a_character_that_has_moved_away_does_not_get_in_with_its_unit() -> None:
    battle = ride("carrier", squad("veteran", 5, at=(26, 12), spacing=1.5), squad("captain", at=(10, 12)))
    captain = model(battle, 7)
    battle.join(captain, unit(battle, SQUAD))
    assert why_not(battle, "embark", SQUAD, 0) == "7.10/embark"
    captain.mark(APART, 1)
    unit(battle, 3).mark(MOVED, 1)
    assert why_not(battle, "embark", SQUAD, 0) == ""
    embark(battle)
    assert (captain.where, captain.unit.row, unit(battle, 3).marks(MOVED)) == (TABLE, 3, 1)
    assert len(aboard(unit(battle, SQUAD))) == 5


@pytest.mark.covers("7.10/embark", "3.1/move-allowance", "8/independent-character")
@pytest.mark.parametrize(("is_apart", "bar"), [(1, "3.1/move-allowance"), (0, "")])
def test_a_character_left_behind_by_those_who_get_in_has_had_his_move(is_apart: int, bar: str) -> None:
    battle = ride("carrier", squad("veteran", 5, at=(26, 12), spacing=1.5), squad("captain", at=(10, 12)))
    captain = model(battle, 7)
    if is_apart:
        battle.join(captain, unit(battle, SQUAD))
        captain.mark(APART, 1)
    embark(battle)
    refusal = refusal_of(battle, ("move", 3))
    assert (getattr(refusal, "rule", ""), captain.unit.row) == (bar, 3)


@pytest.mark.covers("7.10/assault-passengers", "1.1/unit-ceases")
@pytest.mark.parametrize(("dice", "who"), [("1 1 1 1 1", [SQUAD]), ("6 6 6 6 6 | 1 1 1 1 1", [3])])
def test_a_character_who_outlives_those_he_rode_with_may_be_assaulted_in_their_place(dice: str, who: Any) -> None:
    captain = squad(profile("captain", w=3, t=8), at=(30, 40))
    battle = loaded("carrier", 5, captain, phase="volleys", side=1)
    battle.take_off(model(battle, 7), aboard_of=model(battle, 0))
    battle.join(model(battle, 7), unit(battle, SQUAD))
    weak = Damage(True, cause="fire", by_unit=ENEMY)

    async def whole() -> None:
        await damage.explodes(model(battle, 0), weak)
        await casualties.settle(battle)

    play(whole(), "1 | " + dice, (), battle, accepting=True)
    assert charge.former_passengers(unit(battle, ENEMY)) == who


@pytest.mark.covers("10.5/reserve-entry", "7.10/disembark")
@pytest.mark.parametrize(("stays", "arrived", "bar"), [(0, 1, ""), (1, 1, "10.5/reserve-entry"), (1, 0, "")])
def test_who_has_just_arrived_inside_a_transport_stays_aboard_by_option_only(
    stays: int, arrived: int, bar: str
) -> None:
    battle = loaded(options={"arrivals_stay_aboard": bool(stays)})
    unit(battle, SQUAD).mark(ARRIVED, arrived)
    assert why_not(battle, "disembark", SQUAD, 0) == bar


@pytest.mark.covers("6.4/flying-infantry-mode")
def test_who_starts_inside_a_transport_flies_before_its_first_choice() -> None:
    battle = ride("carrier", squad("jump-trooper", 2, at=(26, 12)))
    go_aboard(members(unit(battle, SQUAD)), model(battle, 0))
    assert unit(battle, SQUAD).marks(ALOFT) == 1
    battle = ride()
    go_aboard(members(unit(battle, SQUAD)), model(battle, 0))
    assert unit(battle, SQUAD).marks(ALOFT) == 0
