"""The control area: how far it reaches, what it is good for, when there is none."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.journal import Journal
from campale.referee.position import Position
from campale.rulesets.ragnarok.close_combat.charge import Onset
from campale.rulesets.ragnarok.close_combat.melee import Attack, comrades
from campale.rulesets.ragnarok.moving.movement import walk_along
from campale.rulesets.ragnarok.moving.placing import set_down
from campale.rulesets.ragnarok.turn.actions import is_watched
from campale.rulesets.ragnarok.turn.control_area import (
    area_radius,
    by_level,
    controls,
    find_hidden,
    find_hidden_along,
    has_area,
    is_found_here,
    is_in_area,
    sensed_along,
)
from campale.rulesets.ragnarok.turn.reactions import eligible
from campale.rulesets.ragnarok.turn.sequence import melees_and_after
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from campale.table.paths import Path, plan_length
from tests.rulesets.ragnarok.kit import a, activate, piece, play, question_after, refused, table, way

HILL = piece("hill", 60, 60)
"""20 wide, 15 deep: its near edge is at y 52.5."""


def pair(x: float = 60.0, y: float = 60.0, facing: float = 0.0, **marks: Any) -> Position:
    """A raider (SN 3: 6 cm) at (60, 50), and an enemy."""
    return table(a("raider", at=(60, 50), facing=facing, **marks), a("raider", 1, at=(x, y)))


def sensed(position: Position, *points: tuple[float, float]) -> bool:
    """Whether model 0 senses model 1 on a path."""
    found = sensed_along([position.model(0)], position.model(1), Path((position.model(1).at, *points)))
    return found[0]


# ---------------------------------------------------------------- control-area/radius


@pytest.mark.covers("control-area/radius")
@pytest.mark.parametrize(("profile", "radius"), [("raider", 6), ("iron_raven", 12), ("draugr", 4)])
def test_the_area_reaches_twice_the_senses(profile: str, radius: int) -> None:
    assert area_radius(table(a(profile)).model(0)) == radius


@pytest.mark.covers("control-area/radius", "measuring/comparisons")
@pytest.mark.parametrize(("y", "is_in"), [(58.5, True), (58.501, True), (58.51, False)])
def test_an_enemy_exactly_at_its_edge_is_in_the_area(y: float, is_in: bool) -> None:
    position = pair(y=y)
    assert is_in_area(position.model(1), position.model(0)) is is_in
    assert controls(position.model(0), position.model(1)) is is_in


@pytest.mark.covers("control-area/radius")
@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, 270.0])
def test_the_area_lies_all_round_whatever_the_facing(facing: float) -> None:
    position = pair(y=58.5, facing=facing)
    assert controls(position.model(0), position.model(1))


@pytest.mark.covers("control-area/radius", "measuring/three-dimensions")
@pytest.mark.parametrize(("y", "is_in"), [(44.81, True), (44.79, False)])
def test_the_height_of_the_ground_counts_in_the_area(y: float, is_in: bool) -> None:
    """Up 3 cm, 6 cm reach 5.196 cm on the flat."""
    position = table(a("raider", at=(60, y)), a("raider", 1, at=(60, 52.505)), pieces=[HILL])
    assert controls(position.model(0), position.model(1)) is is_in


# ---------------------------------------------------------------- control-area/free-reaction


@pytest.mark.covers("control-area/free-reaction")
@pytest.mark.parametrize(("x", "is_sensed"), [(68.5, True), (68.51, False)])
def test_an_enemy_that_passes_through_the_area_is_sensed_although_it_begins_and_ends_outside(
    x: float, is_sensed: bool
) -> None:
    assert sensed(pair(x=x, y=30), (x, 70)) is is_sensed


@pytest.mark.covers("control-area/free-reaction")
@pytest.mark.parametrize(("y", "is_sensed"), [(58.5, True), (58.51, False)])
def test_an_enemy_that_declares_inside_the_area_is_sensed_where_it_stands(y: float, is_sensed: bool) -> None:
    assert sensed(pair(y=y)) is is_sensed
    assert sensed(pair(y=y), (60, 80)) is is_sensed


@pytest.mark.covers("control-area/free-reaction")
def test_the_declared_path_counts_although_dice_might_stop_the_mover_short() -> None:
    position = pair(y=70)
    slowed = table(a("raider", at=(60, 50)), a("raider", 1, at=(60, 70)), pieces=[piece("bog", 60, 65)])
    assert sensed(position, (60, 58))
    assert sensed(slowed, (60, 58))


@pytest.mark.covers("control-area/free-reaction", "measuring/three-dimensions")
@pytest.mark.parametrize(("y", "is_sensed"), [(45.81, True), (45.79, False)])
def test_on_its_way_over_a_hill_a_mover_is_measured_at_its_height(y: float, is_sensed: bool) -> None:
    """Along the top at y 53.5: 5.196 cm on the flat are 6 in space, for bases of 1.25."""
    position = table(a("raider", at=(60, y)), a("raider", 1, at=(48, 53.5)), pieces=[HILL])
    assert sensed(position, (72, 53.5)) is is_sensed


@pytest.mark.covers("control-area/free-reaction")
@pytest.mark.parametrize("hills", [(), (HILL,), (piece("hill", 20, 100),)])
def test_a_path_that_only_grazes_the_area_is_sensed_whatever_hills_there_are(hills: tuple[Any, ...]) -> None:
    """The nearest point of the path lies between the half centimetres."""
    position = table(a("raider", at=(60, 30)), a("raider", 1, at=(51.13, 38.5)), pieces=hills)
    assert sensed(position, (70, 38.5))
    away = table(a("raider", at=(60, 30)), a("raider", 1, at=(51.13, 38.51)), pieces=hills)
    assert not sensed(away, (70, 38.51))


@pytest.mark.covers("control-area/free-reaction")
def test_a_path_is_cut_where_it_goes_up_and_down() -> None:
    position = table(a("raider", at=(60, 40)), pieces=[HILL])
    path = Path(((60.0, 40.0), (60.0, 50.0), (60.0, 70.0), (60.0, 80.0)))
    parts = by_level(position, path)
    assert [z for _, z in parts] == [0.0, 3.0, 0.0]
    assert [plan_length(part) for part, _ in parts] == pytest.approx([12.5, 15.0, 12.5], abs=0.01)
    assert parts[0][0].points[0] == (60.0, 40.0)
    assert parts[-1][0].points[-1] == (60.0, 80.0)
    assert by_level(position, Path(((60.0, 60.0),))) == [(Path(((60.0, 60.0),)), 3.0)]


@pytest.mark.covers("control-area/free-reaction")
def test_a_free_reaction_costs_nothing_is_open_without_points_and_is_declared_all_the_same() -> None:
    position = table(a("raider", at=(60, 50), commander=1), a("raider", 1, at=(60, 70), charisma=0, commander=1))
    activate(position, [0, "move", "walk", way((60, 61.5))], ["go-prone"])
    reactor = position.model(1)
    assert reactor.marks("charisma") == 0
    assert reactor.marks("used-go-prone") == 1
    assert reactor.marks("prone")


@pytest.mark.covers("control-area/free-reaction")
def test_outside_the_area_the_same_reaction_is_paid_for() -> None:
    position = table(a("raider", at=(60, 50), commander=1), a("raider", 1, at=(60, 70), charisma=3, commander=1))
    activate(position, [0, "move", "walk", way((60, 61.4))], ["go-prone"])
    assert position.model(1).marks("charisma") == 1
    penniless = table(a("raider", at=(60, 50), commander=1), a("raider", 1, at=(60, 70), charisma=1, commander=1))
    assert activate(penniless, [0, "move", "walk", way((60, 61.4))]).prompts == ["act"]


@pytest.mark.covers("control-area/free-reaction", "suppression/effect")
def test_suppression_doubles_nothing_to_nothing() -> None:
    enemy = a("raider", 1, at=(60, 70), charisma=0, suppressed=1, commander=1)
    position = table(a("raider", at=(60, 50), commander=1), enemy)
    activate(position, [0, "move", "walk", way((60, 61.5))], ["go-prone"])
    assert position.model(1).marks("prone")


@pytest.mark.covers("control-area/free-reaction")
def test_a_free_reaction_ends_hiding_and_is_barred_to_the_exhausted() -> None:
    hider = a("raider", 1, at=(60, 58), facing=0, hidden=1, charisma=0, commander=1)
    position = table(a("raider", at=(60, 50), facing=180, commander=1), hider)
    activate(position, [0, "aim"], ["go-prone"])
    assert position.model(1).marks("hidden") == 0
    tired = table(a("raider", at=(60, 50), commander=1), a("raider", 1, at=(60, 58), fatigue=4, commander=1))
    assert activate(tired, [0, "aim"]).prompts == ["act"]


@pytest.mark.covers("control-area/free-reaction")
def test_the_target_of_a_charge_reacts_free() -> None:
    position = table(a("raider", at=(60, 50), commander=1), a("raider", 1, at=(60, 64), charisma=0, commander=1))
    form = question_after(tactical_phase(position), answers=[[0, "charge", 1, way((60, 61.5), facing=None)]])
    assert form.field([]).about == {"model": 1, "free": True, "left": 0, "price": 0}  # type: ignore[attr-defined]


# ---------------------------------------------------------------- control-area/senses


@pytest.mark.covers("control-area/senses")
@pytest.mark.parametrize(("y", "reacts"), [(58.5, True), (58.51, False)])
def test_a_model_reacts_to_what_it_senses_behind_its_back(y: float, reacts: bool) -> None:
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(60, y), facing=0))
    found = eligible(position.model(0), Path((position.model(0).at,)))
    assert [(model.row, free) for model, free in found] == ([(1, True)] if reacts else [])


@pytest.mark.covers("control-area/senses")
def test_a_model_reacts_to_what_it_senses_behind_a_wall() -> None:
    wall = piece("workshop", 60, 80)
    position = table(a("raider", at=(60, 72.7)), a("iron_raven", 1, at=(51.9, 80), facing=180), pieces=[wall])
    mesmerist = table(a("raider", at=(66, 72.7)), a("iron_raven", 1, at=(66, 88.1), facing=180), pieces=[wall])
    assert [free for _, free in eligible(position.model(0), Path((position.model(0).at,)))] == [True]
    assert eligible(mesmerist.model(0), Path((mesmerist.model(0).at,))) == []


@pytest.mark.covers("control-area/senses")
def test_reaction_fire_at_what_is_only_sensed_may_be_declared_and_is_lost() -> None:
    position = table(
        a("raider", at=(60, 50), commander=1), a("frost_hunter", 1, at=(60, 58), facing=0, charisma=0, commander=1)
    )
    played = activate(position, [0, "aim"], ["reaction-fire"])
    assert "reaction-lost" in played.kinds
    assert played.rolls == []


# ---------------------------------------------------------------- control-area/reveals-hidden


def hiding(y: float, **marks: Any) -> Position:
    return table(a("raider", at=(60, 50)), a("raider", 1, at=(60, y), hidden=1, **marks))


@pytest.mark.covers("control-area/reveals-hidden")
@pytest.mark.parametrize(("y", "stays"), [(58.5, 0), (58.51, 1)])
def test_a_hidden_model_in_an_enemy_area_is_found(y: float, stays: int) -> None:
    position = hiding(y)
    find_hidden(position)
    assert position.model(1).marks("hidden") == stays


@pytest.mark.covers("control-area/reveals-hidden")
def test_a_hidden_model_is_not_found_by_its_friends() -> None:
    position = table(a("raider", 1, at=(60, 50)), a("raider", 1, at=(60, 56), hidden=1))
    find_hidden(position)
    assert position.model(1).marks("hidden") == 1


@pytest.mark.covers("control-area/reveals-hidden")
def test_finding_needs_no_line_of_sight() -> None:
    position = table(
        a("iron_raven", at=(51.9, 80), facing=270),
        a("raider", 1, at=(60, 72.7), hidden=1),
        pieces=[piece("workshop", 60, 80)],
    )
    find_hidden(position)
    assert position.model(1).marks("hidden") == 0


@pytest.mark.covers("control-area/reveals-hidden")
@pytest.mark.parametrize(("x", "stays"), [(68.5, 0), (68.51, 1)])
def test_a_mover_finds_what_its_area_passes_over(x: float, stays: int) -> None:
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(x, 55), hidden=1))
    find_hidden_along(position.model(0), Path(((60.0, 40.0), (60.0, 70.0))))
    assert position.model(1).marks("hidden") == stays


@pytest.mark.covers("control-area/reveals-hidden")
def test_walking_by_finds_although_the_walk_ends_far_away() -> None:
    position = table(a("raider", at=(60, 40)), a("raider", 1, at=(68, 48), hidden=1))
    walk_along(position.model(0), Path(((60.0, 40.0), (60.0, 48.0), (50.0, 48.0))))
    assert position.model(1).marks("hidden") == 0


def test_a_walk_is_told_by_its_length_and_the_nearest_enemy_that_is_not_hidden() -> None:
    there = a("raider", 1, at=(60, 70))
    position = table(a("raider", at=(60, 40)), there, a("raider", 1, at=(80, 50), hidden=1))
    position.journal = Journal()
    walk_along(position.model(0), Path(((60.0, 40.0), (60.0, 50.0))))
    told = next(event.values for event in position.journal.events if event.kind == "move")
    apart = 20 - 2 * position.model(0).profile.base_radius
    assert (told["far"], told["near"], told["gap"]) == (10.0, 1, round(apart, 1))
    alone = table(a("raider", at=(60, 40)), a("raider", 1, at=(80, 50), hidden=1))
    alone.journal = Journal()
    walk_along(alone.model(0), Path(((60.0, 40.0), (60.0, 42.0))))
    told = next(event.values for event in alone.journal.events if event.kind == "move")
    assert (told["far"], "near" in told) == (2.0, False)


@pytest.mark.covers("control-area/reveals-hidden", "control-area/off-when-engaged")
def test_a_mover_without_an_area_finds_nobody() -> None:
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(60, 52.5)), a("raider", 1, at=(66, 50), hidden=1))
    find_hidden_along(position.model(0), Path(((60.0, 50.0),)))
    find_hidden(position)
    assert position.model(2).marks("hidden") == 1


@pytest.mark.covers("control-area/reveals-hidden")
@pytest.mark.parametrize(("y", "rule"), [(58.5, "control-area/reveals-hidden"), (58.51, "")])
def test_nobody_hides_inside_an_enemy_area(y: float, rule: str) -> None:
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(60, y)), pieces=[piece("ruin", 60, 48)])
    assert is_found_here(position.model(0)) is bool(rule)
    assert (is_watched(position.model(0)) is not None) is bool(rule)
    assert refused(position, 0, "hide") in (rule, "hide/condition" if rule else "")


@pytest.mark.covers("control-area/reveals-hidden")
def test_a_model_set_down_finds_at_once_who_hides_in_its_area() -> None:
    position = table(a("raider", at=None), a("raider", 1, at=(60, 20), hidden=1))
    assert play(set_down(position.model(0), "arrive", (58, 12, 62, 14), (), 0.0), answers=[[[60, 13, 0]]]).value
    assert position.model(1).marks("hidden") == 0


@pytest.mark.covers("control-area/reveals-hidden", "control-area/off-when-engaged")
def test_an_area_that_comes_back_after_a_melee_finds_at_once() -> None:
    position = table(
        a("raider", at=(60, 50), commander=1),
        a("frost_hunter", 1, at=(60, 52.5), commander=1, wounds=0),
        a("raider", 1, at=(66, 50), hidden=1),
        phase="melee",
    )
    played = play(melees_and_after(position), dice="4 1 | 1", answers=[[0, 1], "no"], position=position)
    assert played.prompts == ["strike-order", "consolidate"]
    assert position.model(2).marks("hidden") == 0


# ---------------------------------------------------------------- control-area/off-when-engaged, off-when-down


@pytest.mark.covers("control-area/off-when-engaged")
@pytest.mark.parametrize(("y", "has"), [(52.55, False), (52.56, True)])
def test_an_engaged_model_has_no_area(y: float, has: bool) -> None:
    position = pair(y=y)
    assert has_area(position.model(0)) is has
    assert controls(position.model(0), position.model(1)) is has
    assert sensed(position) is has


@pytest.mark.covers("control-area/off-when-engaged", "weapon-rules/long")
@pytest.mark.parametrize(("x", "friends"), [(67.0, 1), (67.01, 0)])
def test_the_long_weapon_still_counts_friends_within_the_distance_of_an_engaged_model(x: float, friends: int) -> None:
    position = table(a("draugr", at=(60, 50)), a("raider", 1, at=(60, 52.75)), a("draugr", at=(x, 50)))
    fighter, charger = position.model(0), position.model(1)
    assert not has_area(fighter)
    attack = Attack(fighter, charger, fighter.profile.weapons[0], [Onset(1, 0, False, False)])
    assert comrades(attack) == friends


@pytest.mark.covers("control-area/off-when-down")
def test_a_fallen_model_has_no_area_and_a_prone_one_keeps_its_own() -> None:
    fallen, prone = pair(y=55, wounds=1), pair(y=55, prone=4)
    assert not has_area(fallen.model(0))
    assert not sensed(fallen)
    assert has_area(prone.model(0))
    assert controls(prone.model(0), prone.model(1))


@pytest.mark.covers("control-area/off-when-down", "control-area/reveals-hidden")
@pytest.mark.parametrize(("marks", "stays"), [({"prone": 4}, 0), ({"wounds": 1}, 1)])
def test_a_prone_model_still_finds_and_a_fallen_one_does_not(marks: dict[str, Any], stays: int) -> None:
    position = table(a("raider", at=(60, 50), **marks), a("raider", 1, at=(60, 56), hidden=1))
    find_hidden(position)
    assert position.model(1).marks("hidden") == stays


@pytest.mark.covers("control-area/off-when-down")
def test_a_prone_model_does_not_react_to_what_it_senses() -> None:
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(60, 56), prone=4))
    assert eligible(position.model(0), Path((position.model(0).at,))) == []
