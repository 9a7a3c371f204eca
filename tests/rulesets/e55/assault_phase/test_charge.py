"""Chapter 3.3.1: who may charge whom, how far, several targets at once, success and failure."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.assault_phase import charge, combat
from campale.rulesets.e55.assault_phase.charge import charge_distance, charge_phase, former_passengers, targets_of
from campale.rulesets.e55.assault_phase.rear import is_from_behind
from campale.rulesets.e55.turn.acting import menu, refusal_of
from campale.rulesets.e55.turn.sequence import phases_of_a_turn
from campale.table.terrain import Ground
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

ALONE = -1


def facing_off(*more: Squad, gap: float = 4.0, charger: Any = "veteran", count: int = 1, **given: Any) -> Position:
    """One unit of side 0 at (30, 20), and a veteran of side 1 that it faces, a gap (edge to edge) north of it."""
    own = given.pop("own", {})
    enemy = squad("veteran", 1, 1, (30, 21 + gap))
    return table(squad(charger, count, 0, (30, 20), faces=1, **own), enemy, *more, phase="charges", **given)


def charged(
    position: Position, dice: str = "", answers: tuple[Any, ...] = (), target: int = 1, accepting: bool = True
) -> Played:
    return play(charge.charge(position, ("charge", 0, target)), dice, answers, position, accepting)


def why_not(position: Position, target: int = 1, row: int = 0) -> str:
    refusal = refusal_of(position, ("charge", row, target))
    return "" if refusal is None else refusal.rule


# ---------------------------------------------------------------- 3.3/subphases


@pytest.mark.covers("3.3/subphases")
def test_the_assault_is_the_charges_then_the_melee() -> None:
    names = list(phases_of_a_turn())
    assert names.index("after-shooting") < names.index("charges") < names.index("defence") < names.index("melee")


# ---------------------------------------------------------------- 3.3.1/who-can-charge


@pytest.mark.covers("3.3.1/who-can-charge", "3.1.4/facing-restricts")
def test_the_unit_faced_is_the_only_one_open_to_a_charge() -> None:
    position = facing_off(squad("veteran", 1, 1, (33, 25)))
    assert targets_of(unit(position, 0)) == [1]
    assert why_not(position) == ""
    assert [key for key in menu(position, "charges") if key[0] == "charge"] == [("charge", 0, 1)]


@pytest.mark.covers("3.3.1/who-can-charge", "3.1.4/facing-restricts")
def test_who_faces_nobody_charges_nobody() -> None:
    position = table(squad("veteran", at=(30, 20)), squad("veteran", 1, 1, (30, 25)), phase="charges")
    assert why_not(position, ALONE) == "3.3.1/who-can-charge"


@pytest.mark.covers(
    "3.3.1/who-can-charge", "4.2/broken-cannot-act", "3.3.1/charge-fails", "3.2.4/ground-restrictions", "8/fleet"
)
@pytest.mark.parametrize(
    ("mark", "rule"),
    [
        ("ran", "3.3.1/who-can-charge"),
        ("combat", "3.3.1/who-can-charge"),
        ("charged", "3.3.1/who-can-charge"),
        ("broken", "4.2/broken-cannot-act"),
        ("to-ground", "3.2.4/ground-restrictions"),
        ("no-charge", "3.3.1/charge-fails"),
        ("shot", ""),
        ("moved", ""),
    ],
)
def test_what_keeps_a_unit_from_charging(mark: str, rule: str) -> None:
    position = facing_off()
    unit(position, 0).mark(mark, 1)
    assert why_not(position) == rule


@pytest.mark.covers("8/fleet", "3.1.3/run-restrictions", "3.3.1/who-can-charge")
@pytest.mark.parametrize(("swift", "rule"), [(2, ""), (1, "3.3.1/who-can-charge")])
def test_a_fleet_unit_charges_after_running_when_all_of_it_is_fleet(swift: int, rule: str) -> None:
    fleet, slow = profile("veteran", adds=("fleet",)), profile("veteran")
    position = facing_off(charger=[fleet, fleet if swift == 2 else slow], own={"ran": 1})
    assert why_not(position) == rule


@pytest.mark.covers("3.3.1/who-can-charge", "3.3.1/engaged")
def test_an_enemy_locked_in_combat_may_be_charged() -> None:
    position = facing_off(squad("veteran", 1, 0, (30, 26), combat=1))
    unit(position, 1).mark("combat", 1)
    assert why_not(position) == ""
    charged(position)
    assert combat.combats(position) == [(0, 1, 2)]


@pytest.mark.covers("3.3.1/who-can-charge", "3.2.4/ground-ends")
def test_each_charge_is_moved_before_the_next_is_declared_and_units_get_up_first() -> None:
    position = facing_off(own={"to_ground": 1})
    played = play(charge_phase(position), "", [("charge", 0, 1)], position, accepting=True)
    assert played.prompts == ["charges", "charge-move"]
    assert played.value
    assert combat.combats(position) == [(0, 1)]
    assert not play(charge_phase(position), "", [], position).value


@pytest.mark.covers("7.7/vehicles-no-charge")
def test_vehicles_do_not_charge() -> None:
    position = facing_off(charger="tank")
    assert why_not(position) == "7.7/vehicles-no-charge"


@pytest.mark.covers("7.13/flyer-assault")
@pytest.mark.parametrize(
    ("kind", "aloft", "rule"),
    [("veteran", 0, "7.13/flyer-assault"), ("jump-trooper", 0, "7.13/flyer-assault"), ("jump-trooper", 1, "")],
)
def test_only_those_in_the_air_assault_a_flyer(kind: str, aloft: int, rule: str) -> None:
    position = table(
        squad(kind, at=(30, 20), faces=1, aloft=aloft), squad("flyer", 1, 1, (30, 25), aloft=1), phase="charges"
    )
    assert why_not(position) == rule


# ---------------------------------------------------------------- 7.16/walker-charge


@pytest.mark.covers("7.16/walker-charge")
def test_a_walker_charges_whom_it_has_in_its_front_arc() -> None:
    ahead, aside = squad("veteran", 1, 1, (30, 26)), squad("veteran", 1, 1, (36, 20))
    position = table(squad("walker", at=(30, 20)), ahead, aside, phase="charges")
    assert targets_of(unit(position, 0)) == [1, 2]
    assert why_not(position, 1) == ""
    assert why_not(position, 2) == "7.16/walker-charge"
    charged(position)
    assert combat.combats(position) == [(0, 1)]


@pytest.mark.covers("7.16/walker-charge")
def test_a_walker_that_cannot_move_does_not_charge() -> None:
    position = table(squad("walker", at=(30, 20)), squad("veteran", 1, 1, (30, 26)), phase="charges")
    model(position, 0).mark("immobilised", 1)
    assert why_not(position, 1) == "7.16/walker-charge"


# ---------------------------------------------------------------- 7.10/assault-passengers


@pytest.mark.covers("7.10/assault-passengers")
def test_the_former_passengers_may_be_charged_besides_the_unit_faced() -> None:
    position = facing_off(squad("veteran", 1, 1, (33, 24)), squad("veteran", 1, 1, (27, 24)))
    assert targets_of(unit(position, 0)) == [1]
    unit(position, 0).jot("destroyed", (2,))
    assert targets_of(unit(position, 0)) == [1, 2]
    assert former_passengers(unit(position, 0)) == [2]
    assert why_not(position, 2) == ""
    unit(position, 0).mark("ran", 1)
    assert why_not(position, 2) == "3.3.1/who-can-charge"


# ---------------------------------------------------------------- 3.3.1/charge-distance


@pytest.mark.covers("3.3.1/charge-distance", "3.1/slowest-model", "6.3/beast-charge")
@pytest.mark.parametrize(
    ("kinds", "inches"),
    [
        (["veteran"], 6),
        (["biker"], 6),
        (["jetbiker"], 6),
        (["walker"], 6),
        (["hound"], 12),
        (["hound", "veteran"], 6),
    ],
)
def test_how_far_a_unit_charges(kinds: list[str], inches: int) -> None:
    position = table(squad([profile(kind) for kind in kinds], at=(30, 20)))
    assert charge_distance(unit(position, 0)) == inches


@pytest.mark.covers("3.3.1/charge-distance", "3.3.1/charge-succeeds", "3.3.1/charge-fails")
@pytest.mark.parametrize(("gap", "reaches"), [(6.0, True), (6.1, False), (6.5, False)])
def test_contact_must_really_be_reached(gap: float, reaches: bool) -> None:
    position = facing_off(gap=gap)
    played = charged(position)
    assert (combat.combats(position) == [(0, 1)]) is reaches
    assert bool(unit(position, 0).marks("charged")) is reaches
    assert bool(unit(position, 0).marks("no-charge")) is not reaches
    assert ("charge-move" in played.prompts) is reaches


@pytest.mark.covers("3.3.1/charge-distance", "1.1/measure-height")
@pytest.mark.parametrize(("y", "reaches"), [(24.0, True), (24.2, False)])
def test_a_climb_is_part_of_the_charge(y: float, reaches: bool) -> None:
    ruin = block(30, y, 6, 4, height=6.0, floors=(3.0,))
    up = squad("veteran", 1, 1, (30, y), z=3.0)
    position = table(squad("veteran", at=(30, 20), faces=1), up, pieces=[ruin], phase="charges")
    charged(position)
    assert (combat.combats(position) == [(0, 1)]) is reaches
    assert model(position, 0).z == (3.0 if reaches else 0.0)


@pytest.mark.covers("3.3.1/charge-near-target", "3.1/enemy-one-inch")
def test_a_charger_comes_near_its_target_and_to_nobody_else() -> None:
    position = facing_off(squad("veteran", 1, 1, (31.8, 25)))
    question = question_after(charge.charge(position, ("charge", 0, 1)), "", [-1])
    assert question.refusal([[[[29.6, 24.0834]], None]]) is None
    assert refused(question, [[[[30.8, 24.4]], None]]) == "3.1/enemy-one-inch"


# ---------------------------------------------------------------- 3.3.1/charge-fails, charge-succeeds


@pytest.mark.covers("3.3.1/charge-fails")
def test_nobody_moves_in_a_failed_charge_and_no_other_is_declared() -> None:
    position = facing_off(gap=7.0, count=3)
    before = [one.at for one in position.models]
    played = charged(position)
    assert "charge-fails" in played.kinds
    assert [one.at for one in position.models] == before
    assert why_not(position) == "3.3.1/charge-fails"
    assert not unit(position, 0).marks("charged")
    assert not unit(position, 0).marks("moved")


@pytest.mark.covers("3.3.1/charge-succeeds")
def test_one_model_that_reaches_is_enough_and_all_move() -> None:
    own = squad("veteran", 3, 0, [(30, 20), (30, 17), (30, 14)], faces=1)
    position = table(own, squad("veteran", 1, 1, (30, 27)), phase="charges")
    charged(position)
    assert combat.combats(position) == [(0, 1)]
    assert all(one.y > before for one, before in zip(position.models, (20, 17, 14), strict=False))
    assert unit(position, 0).marks("moved")


@pytest.mark.covers("3.3.1/charge-succeeds", "3.3.1/charge-path")
def test_a_wall_makes_the_way_longer_than_the_charge() -> None:
    position = facing_off(gap=4.0, pieces=[wall(30, 22.5, 12)])
    charged(position)
    assert combat.combats(position) == []
    assert unit(position, 0).marks("no-charge")


@pytest.mark.covers("3.3.1/charge-fails", "3.1.2/difficult")
@pytest.mark.parametrize(("die", "reaches"), [("1", True), ("2", False)])
def test_difficult_ground_shortens_the_charge_before_it_is_judged(die: str, reaches: bool) -> None:
    position = facing_off(gap=5.0, pieces=[wood(30, 23, 8, 2)])
    played = charged(position, die)
    assert played.rolls == ["difficult-terrain"]
    assert bool(combat.combats(position)) is reaches
    assert bool(unit(position, 0).marks("charged-rough")) is reaches


@pytest.mark.covers("3.3.1/charge-fails", "3.1.2/difficult")
def test_ground_beside_the_shortest_way_costs_nothing() -> None:
    position = facing_off(gap=5.0, pieces=[wood(36, 23, 4, 4)])
    assert charged(position).rolls == []
    assert not unit(position, 0).marks("charged-rough")


@pytest.mark.covers("3.3.1/charge-fails", "3.1.2/dangerous")
@pytest.mark.parametrize(("gap", "rolls"), [(5.0, ["dangerous-terrain"]), (7.0, [])])
def test_a_failed_charge_is_not_endangered(gap: float, rolls: list[str]) -> None:
    position = facing_off(gap=gap, pieces=[block(30, 23, 6, 2, "clear", "dangerous")])
    assert charged(position, "1" if rolls else "").rolls == rolls


@pytest.mark.covers("3.3.1/charge-fails", "6.2/bike-assault-terrain", "3.3.2/difficult-charge")
def test_difficult_ground_is_dangerous_to_bikes_and_does_not_slow_them() -> None:
    position = facing_off(gap=5.0, charger="biker", pieces=[wood(30, 23, 8, 2)])
    assert charged(position, "1").rolls == ["dangerous-terrain"]
    assert combat.combats(position) == [(0, 1)]
    assert not unit(position, 0).marks("charged-rough")


# ---------------------------------------------------------------- 3.3.1/multi-charge


def two_targets(second: float = 4.0, first: float = 4.0) -> Position:
    """Two veterans abreast, and before each of them a unit of one, at a gap."""
    own = squad("veteran", 2, 0, [(30, 20), (34, 20)], faces=1)
    one, other = squad("veteran", 1, 1, (30, 21 + first)), squad("veteran", 1, 1, (34, 21 + second))
    return table(own, one, other, phase="charges")


@pytest.mark.covers("3.3.1/multi-charge", "3.3.1/multi-charge-used-models")
def test_two_units_are_charged_together() -> None:
    position = two_targets()
    played = charged(position, answers=(2,))
    assert played.prompts == ["charge-also", "charge-move"]
    assert combat.combats(position) == [(0, 1, 2)]
    assert unit(position, 0).note("charged-whom") == (1, 2)


@pytest.mark.covers("3.3.1/multi-charge")
def test_a_unit_that_is_not_named_is_not_charged() -> None:
    position = two_targets()
    charged(position, answers=(-1,))
    assert combat.combats(position) == [(0, 1)]


@pytest.mark.covers("3.3.1/multi-charge", "3.3.1/multi-charge-too-far")
@pytest.mark.parametrize(("second", "fought"), [(5.9, [(0, 1, 2)]), (6.0, [(0, 1)])])
def test_a_named_unit_must_be_nearer_than_the_charge_goes(second: float, fought: list[tuple[int, ...]]) -> None:
    position = two_targets(second)
    position.model(1).move_to(34.0, 20.0)
    own = charge.multiple(unit(position, 0), [1, 2], 6.0)
    assert own is not None
    assert sorted(own.targets) == [row for row in fought[0] if row]


@pytest.mark.covers("3.3.1/multi-charge-too-far", "3.3.1/multi-charge")
def test_who_turns_out_to_be_too_far_is_left_out_and_the_inch_is_kept_from_it() -> None:
    position = two_targets(5.5, first=3.0)
    position.change_ground(Ground(72.0, 48.0, (wood(30, 22, 3, 1),)))
    played = charged(position, "2", answers=(2, PROPOSAL))
    assert played.rolls == ["difficult-terrain"]
    assert "charge-too-far" in played.kinds
    assert combat.combats(position) == [(0, 1)]
    assert unit(position, 0).note("charged-whom") == (1,)
    assert model(position, 3).y - model(position, 1).y - 1.0 >= 0.999


@pytest.mark.covers("3.3.1/multi-charge", "3.3.1/charge-fails")
def test_the_whole_charge_fails_when_the_unit_aimed_at_is_too_far() -> None:
    position = two_targets(3.0, first=6.0)
    charged(position, answers=(2,))
    assert combat.combats(position) == []
    assert unit(position, 0).marks("no-charge")


@pytest.mark.covers("3.3.1/multi-charge-used-models")
def test_a_model_already_sent_does_not_count_for_the_next_unit() -> None:
    own = squad("veteran", 2, 0, [(30, 20), (30, 17)], faces=1)
    enemies = squad("veteran", 1, 1, (29, 25)), squad("veteran", 1, 1, (31.2, 25))
    position = table(own, *enemies, phase="charges")
    charged(position, answers=(2,))
    assert combat.combats(position) == [(0, 1)]


@pytest.mark.covers("3.3.1/multi-charge")
def test_the_named_contacts_come_first_and_bind() -> None:
    position = two_targets()
    question = question_after(charge.charge(position, ("charge", 0, 1)), "", [2])
    assert question.about["models"] == [0, 1]
    assert refused(question, [[[[30, 24]], None], [[[33, 21]], None]]) == "3.3.1/multi-charge"


@pytest.mark.covers("3.3.1/multi-charge", "7.13/flyer-assault")
def test_a_unit_that_may_not_be_charged_may_not_be_named_either() -> None:
    position = facing_off(squad("jump-trooper", 1, 1, (33, 24), aloft=1))
    assert charged(position).prompts == ["charge-move"]


# ---------------------------------------------------------------- 3.3.2/rear-charge-definition


def from_behind(degrees_to: tuple[float, float], **given: Any) -> Position:
    """A charger at (30, 20), its target at (30, 25), and a friend of the charger where the target looks."""
    friend = squad("veteran", 1, 0, degrees_to)
    target = squad("veteran", 1, 1, (30, 25), notes={"faced-then": 2})
    return table(squad("veteran", at=(30, 20), faces=1), target, friend, phase="charges", **given)


@pytest.mark.covers("3.3.2/rear-charge-definition")
@pytest.mark.parametrize(
    ("friend", "behind"), [((30, 35), True), ((40, 25), False), ((40, 25.1), True), ((40, 24.9), False)]
)
def test_more_than_ninety_degrees_is_behind(friend: tuple[float, float], behind: bool) -> None:
    position = from_behind(friend)
    assert is_from_behind(unit(position, 0), unit(position, 1)) is behind
    charged(position)
    assert (unit(position, 1).note("rear-charged-by") == (0,)) is behind


@pytest.mark.covers("3.3.2/rear-charge-definition")
def test_it_goes_by_where_everybody_stood_when_the_turn_began() -> None:
    position = from_behind((30, 35))
    model(position, 0).move_to(30, 29)
    assert is_from_behind(unit(position, 0), unit(position, 1))
    del position.snapshots["turn"][0]
    assert not is_from_behind(unit(position, 0), unit(position, 1))


@pytest.mark.covers("3.3.2/rear-charge-definition")
def test_who_faces_nothing_cannot_be_taken_from_behind() -> None:
    position = from_behind((30, 35))
    unit(position, 1).jot("faced-then", None)
    assert not is_from_behind(unit(position, 0), unit(position, 1))


@pytest.mark.covers("3.3.2/rear-charge-definition")
def test_a_vehicle_is_not_taken_from_behind() -> None:
    walker = squad("walker", 1, 1, (30, 25), notes={"faced-then": 2})
    position = table(squad("veteran", at=(30, 20), faces=1), walker, squad("veteran", 1, 0, (30, 35)))
    assert not is_from_behind(unit(position, 0), unit(position, 1))


@pytest.mark.covers("3.3.2/rear-charge-definition")
def test_a_later_charge_from_the_front_is_not_from_behind() -> None:
    position = from_behind((40, 20))
    unit(position, 1).jot("rear-charged-by", (0,))
    charged(position)
    assert unit(position, 1).note("rear-charged-by") is None


# ---------------------------------------------------------------- 3.3.1/engaged, 7.7


@pytest.mark.covers("7.7/vehicles-not-engaged", "3.3.1/engaged")
def test_a_charge_against_a_vehicle_engages_nobody() -> None:
    position = table(squad("veteran", at=(30, 20), faces=1), squad("tank", 1, 1, (30, 26)), phase="charges")
    charged(position)
    assert combat.combats(position) == []
    assert unit(position, 0).marks("charged")
    assert combat.is_touching(unit(position, 0), unit(position, 1))


@pytest.mark.covers("7.16/walker-melee", "7.7/vehicles-not-engaged")
def test_a_walker_is_engaged_like_infantry() -> None:
    position = table(squad("veteran", at=(30, 20), faces=1), squad("walker", 1, 1, (30, 26)), phase="charges")
    charged(position)
    assert combat.combats(position) == [(0, 1)]


@pytest.mark.covers("3.3.1/engaged")
def test_units_that_are_charged_together_with_a_third_make_one_combat() -> None:
    own, other = squad("veteran", at=(30, 20), faces=1), squad("veteran", 1, 0, (30, 26), combat=2)
    position = table(own, squad("veteran", 1, 1, (30, 25), combat=2), other, phase="charges")
    charged(position)
    assert combat.combats(position) == [(0, 1, 2)]


@pytest.mark.covers("7.13/flyer-distance", "7.13/flyer-assault", "3.3.1/multi-charge")
def test_a_flyer_is_no_farther_for_a_charge_of_several_units() -> None:
    own = squad("jump-trooper", 2, 0, [(30, 20), (34, 20)], faces=1, aloft=1)
    one, other = squad("jump-trooper", 1, 1, (30, 24), aloft=1), squad("flyer", 1, 1, (34, 26), facing=0.0)
    position = table(own, one, other, phase="charges")
    rush = charge.multiple(unit(position, 0), [1, 2], 6.0)
    assert rush is not None
    assert sorted(rush.targets) == [1, 2]


@pytest.mark.covers("7.16/walker-charge", "7.9/arcs")
@pytest.mark.parametrize(("x", "barred"), [(33.9, ""), (34.2, "7.16/walker-charge")])
def test_a_model_is_in_the_front_arc_when_its_nearest_point_is(x: float, barred: str) -> None:
    """At (34, 24) the middle of its base lies on the line; beyond it only the far part of the base is in front."""
    position = table(squad("walker", 1, 0, (30, 20)), squad("veteran", 1, 1, (x, 24)), phase="charges")
    assert why_not(position, 1) == barred
