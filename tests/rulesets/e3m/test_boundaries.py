"""Cases at the boundary of a rule: command, losses that count, passengers, jump troops, retreats."""

from __future__ import annotations

from itertools import combinations

import pytest

from campale.mechanics.bases import touch
from campale.referee.position import Position
from campale.rulesets.e3m.assault.declaring import declared, give_ground
from campale.rulesets.e3m.assault.moves import assault_allowance, assault_move
from campale.rulesets.e3m.battle.missions import attrition
from campale.rulesets.e3m.command.groups import is_in_command
from campale.rulesets.e3m.command.orders import show
from campale.rulesets.e3m.command.units import AT_STEP, GOT_OUT, LEADS, MOVED, has_moved, note_gone
from campale.rulesets.e3m.fire.wounds import ON_ROUGH_GROUND, lose_model
from campale.rulesets.e3m.morale.morale import morale_need, must_test
from campale.rulesets.e3m.movement.group_moves import acting_with, groups_to_move
from campale.rulesets.e3m.movement.moves import choose_gait
from campale.rulesets.e3m.movement.routes import Route, packed
from campale.rulesets.e3m.turn.sequence import end_turn
from campale.rulesets.e3m.vehicles.damage import speed
from campale.rulesets.e3m.vehicles.driving import drive
from campale.rulesets.e3m.vehicles.passengers import has_just_overrun
from campale.rulesets.e3m.vehicles.path_assault import path_assault
from campale.rulesets.e3m.vehicles.stops import stops
from campale.table.measure import extent, gap, overlaps
from campale.table.outlines import contains
from campale.table.paths import Path
from tests.rulesets.e3m.kit import PROPOSAL, finish, model, piece, play, question_after, squad, table, unit

covers = pytest.mark.covers


# ---------------------------------------------------------------- command


@covers("hierarchy/independent-models")
def test_an_independent_model_listed_in_a_group_needs_no_leader_either() -> None:
    position = table(
        squad("scout", 1, at=(10, 10), group=1, models={LEADS: 1}),
        squad("lieutenant", 1, at=(60, 40), group=1),
        squad("scout", 1, at=(60, 20), group=1),
    )
    assert [is_in_command(unit(position, row)) for row in (1, 2)] == [True, False]
    position.join(model(position, 1), unit(position, 2))
    assert not is_in_command(unit(position, 2))


# ---------------------------------------------------------------- losses that count


@covers("fire/quarter-loss-test", "orders/forced-halt", "assault/melee-losses-no-quarter-test")
@pytest.mark.parametrize(
    ("cause", "counts"),
    [(one, True) for one in ("fire", "overrun", "wreck")]
    + [(one, False) for one in ("melee", "trapped", ON_ROUGH_GROUND)],
)
@pytest.mark.parametrize("option", [False, True])
def test_losses_by_fire_and_overruns_count_for_a_quarter(cause: str, counts: bool, option: bool) -> None:
    """By option every loss of the step does."""
    position = table(squad("brawler", 4), options={"halt_any_losses": option})
    unit(position, 0).mark(AT_STEP, 4)
    lose_model(model(position, 3), cause)
    assert must_test(unit(position, 0)) is (counts or option)


@covers("base-weapons/moved-models", "base-weapons/heavy", "fire/defensive-heavy")
def test_who_stays_behind_while_others_of_the_unit_move_has_not_moved() -> None:
    """Also when the one that moved is gone; a unit that is only marked as moved has moved whole."""
    position = table(squad("line-warden", 3))
    unit(position, 0).mark(MOVED, 1)
    assert [has_moved(model(position, row)) for row in range(3)] == [True, True, True]
    note_gone(model(position, 1), 2.0)
    assert [has_moved(model(position, row)) for row in range(3)] == [False, True, False]
    lose_model(model(position, 1), "fire")
    assert [has_moved(model(position, row)) for row in (0, 2)] == [False, False]
    unit(position, 0).mark(GOT_OUT, 1)
    assert has_moved(model(position, 0))


@covers("assault/melee-losses-no-quarter-test", "fire/quarter-loss-test")
@pytest.mark.parametrize(("by_fire", "tests"), [(1, False), (2, True)])
def test_losses_in_melee_change_neither_the_losses_nor_the_number_they_are_compared_with(
    by_fire: int, tests: bool
) -> None:
    """Of eight at the start of the step four fall in melee; two of eight by fire are a quarter, one is not."""
    position = table(squad("brawler", 8))
    for row in range(4):
        lose_model(model(position, row), "melee")
    for row in range(4, 4 + by_fire):
        lose_model(model(position, row), "fire")
    assert unit(position, 0).marks(AT_STEP) == 8
    assert must_test(unit(position, 0)) is tests


@covers("victory/attrition")
def test_a_commander_who_has_joined_a_unit_is_not_counted_as_lost() -> None:
    position = table(
        squad("scout", 1), squad("clan-chief", 1, side=1, at=(10, 40)), squad("brawler", 4, side=1, at=(50, 40))
    )
    position.join(model(position, 1), unit(position, 2))
    assert attrition(position, 0) == 0
    unit(position, 2).jot("order", "retreat")
    assert attrition(position, 0) == 50 + 4 * 11
    lose_model(model(position, 1), "fire")
    unit(position, 2).jot("order", "fire")
    assert attrition(position, 0) == 50


# ---------------------------------------------------------------- passengers and vehicles


def carried(moved: int) -> Position:
    """A carrier of group 1, on Fire, with scouts of group 2 aboard."""
    return table(
        squad("carrier", at=(36, 20), order="halt", group=1, marks={"moved": moved}),
        squad("scout", 2, aboard=0, order="assault", group=2),
        squad("brawler", 1, side=1, at=(36, 44)),
    )


@covers("vehicles/disembark", "turn/eligible-elements")
@pytest.mark.parametrize(("moved", "groups"), [(0, [1, 2]), (1, [1])])
def test_passengers_of_another_group_get_out_with_their_vehicle_or_before_it_has_moved(
    moved: int, groups: list[int]
) -> None:
    position = carried(moved)
    assert groups_to_move(position, [1, 2]) == groups
    assert [one.row for one in acting_with(position, 1)] == [0, 1]
    assert [one.row for one in acting_with(position, 2)] == ([1] if not moved else [])


@covers("vehicles/no-overrun-and-disembark", "sequence/end-of-turn")
@pytest.mark.parametrize(("gone", "just"), [(10.0, True), (10.1, False)])
def test_after_an_overrun_it_goes_on_more_than_six_inches_before_anybody_gets_out(gone: float, just: bool) -> None:
    position = table(squad("carrier", at=(36, 20)), squad("brawler", 1, side=1, at=(36, 44)), mission="centre")
    model(position, 0).jot("gone", gone)
    model(position, 0).jot("overran-at", 4.0)
    assert has_just_overrun(model(position, 0)) is just
    end_turn(position)
    assert not has_just_overrun(model(position, 0))


@covers("vehicles/moved-status")
def test_a_vehicle_that_stays_where_it_is_keeps_the_speed_of_its_last_move() -> None:
    position = table(squad("skimmer", at=(36, 20)), squad("brawler", 1, side=1, at=(36, 44)))
    model(position, 0).mark("fast", 1)
    play(drive(unit(position, 0), lambda _: ()), answers=[[[[], None]]])
    assert speed(model(position, 0)) == "fast"
    play(drive(unit(position, 0), lambda _: ()), answers=[[[[[36, 22]], None]]])
    assert model(position, 0).marks("fast") == 0


# ---------------------------------------------------------------- jump troops


@covers("base-units/jump-packs", "base-move/dangerous-terrain", "base-move/difficult-terrain")
def test_jump_troops_on_foot_are_slowed_like_infantry() -> None:
    position = table(squad("leaper", 2, at=(20, 10)), pieces=[piece("wood", 20, 16)])
    assert question_after(choose_gait(unit(position, 0), 6.0, 6.0)).candidates == ["over", "open", "rough"]  # type: ignore[attr-defined]
    assert play(assault_allowance(unit(position, 0)), "2 5", ["rough"]).value == ("rough", 5.0)
    assert play(assault_allowance(unit(position, 0)), answers=["over"]).value == ("over", 6.0)


@covers("base-units/jump-packs", "base-move/through-models", "assault/maximum-contact")
def test_jump_troops_assault_over_what_lies_between() -> None:
    """A building bars the way on foot; by jump pack both come into contact."""
    position = table(
        squad("leaper", at=[(20, 10), (21.25, 10)], order="assault"),
        squad("brawler", at=[(20, 15), (21.25, 15)], side=1),
        pieces=[piece("building", 20, 12.5, size=(20, 1))],
    )
    position.declare("assaults", ((0, (1,)),))
    play(assault_move(position, 0), answers=[PROPOSAL])
    finish(position, accepting=True)
    assert all(any(touch(model(position, row), model(position, foe)) for foe in (2, 3)) for row in (0, 1))


# ---------------------------------------------------------------- giving ground and retreats


@covers("assault/give-ground-move")
def test_who_finds_no_place_to_give_ground_to_must_stand_after_all() -> None:
    position = table(
        squad("scout", 1, at=(20, 10), order="assault"),
        squad("brawler", 1, side=1, at=(20, 15)),
        squad("brawler", 1, side=1, at=(26, 47.5)),
    )
    position.declare("assaults", ((0, (1,)),))
    model(position, 1).move_to(20, 47.4, placed=True)
    model(position, 2).move_to(26, 14, placed=True)
    play(give_ground(position, 2, 0))
    assert declared(position) == ((0, (1, 2)),)
    assert (unit(position, 2).marks("stood"), unit(position, 2).marks("gave-ground")) == (1, 0)


@covers("orders/retreat-stop")
def test_the_whole_unit_hides_in_the_broken_piece_nearest_to_its_zone() -> None:
    """Of two fields the one that reaches nearer to the zone, though its middle lies farther off; all stand in it."""
    near, far = piece("crops", 50, 22, size=(8, 16)), piece("crops", 10, 17, size=(6, 4))
    position = table(
        squad("scout", 5, at=(20, 25), order="retreat"), squad("brawler", 1, side=1, at=(30, 40)), pieces=[near, far]
    )
    position.declare("doing", (("retreat", 0),))
    finish(position)
    assert all(contains(near.outline, *model(position, row).at) for row in range(5))


@covers("orders/retreat-stop", "vehicles/light-profile")
def test_bikes_that_retreat_stay_on_the_table_apart_from_each_other() -> None:
    position = table(
        squad("road-rider", at=[(20, 30), (21.5, 30), (20, 33), (21.5, 33)], side=1, order="retreat"),
        squad("line-warden", 1, at=(20, 10)),
    )
    position.declare("doing", (("retreat", 0),))
    finish(position)
    riders = [model(position, row) for row in range(4)]
    assert all(v >= 0.0 for m in riders for v in extent(m.solid)[:2])
    assert all(extent(m.solid)[2] <= 72.0 and extent(m.solid)[3] <= 48.0 for m in riders)
    assert all(gap(one.solid, other.solid) > 0.0 for one, other in combinations(riders, 2))


@covers("base-morale/modifiers", "base-morale/test")
def test_the_leadership_that_is_asked_for_is_the_lowered_one() -> None:
    position = table(squad("levy", 4))
    assert morale_need(unit(position, 0), outnumbered=True).number == 6


@covers("vehicles/path-assault")
@pytest.mark.parametrize(("beside", "apart"), [(1.8, 0.0), (2.7, 0.2)])
def test_a_vehicle_that_flies_over_a_unit_is_assaulted_where_the_bases_touch(beside: float, apart: float) -> None:
    """One that passes beside the unit is assaulted where it is nearest."""
    men = squad("shock-trooper", side=1, at=(20 + beside, 25))
    position = table(squad("skimmer", at=(20, 10), order="march"), men, phase="movement")
    way = [(model(position, 0), Path(((20, 10), (20, 40)), 0.0))]
    (stop,) = stops(position, unit(position, 0), way)
    assert stop.kind == "path-assault"
    vehicle, man = model(position, 0), model(position, 1)
    vehicle.move_to(20, 10 + stop.length, facing=0.0)
    assert not overlaps(vehicle.solid, man.solid)
    assert gap(vehicle.solid, man.solid) == pytest.approx(apart, abs=0.01)


@covers("vehicles/path-assault", "orders/reveal", "orders/march")
@pytest.mark.parametrize(("order", "parts"), [("march", ["out"]), ("ready", ["out", "strike"])])
def test_a_passing_vehicle_is_stopped_by_what_both_sides_know(order: str, parts: list[str]) -> None:
    """A hidden March has one answer, and is asked like every hidden order; one that is shown is not asked."""
    position = table(
        squad("clan-buggy", at=(20, 10), order="fire"),
        squad("shock-trooper", 2, side=1, at=(26, 25), order=None),
        phase="movement",
    )
    position.declare("secret-1", ((1, order),))
    way = [(model(position, 0), Path(((20, 10), (20, 25)), 0.0))]
    assert [stop.kind for stop in stops(position, unit(position, 0), way)] == ["path-assault"]
    route = Route(0, "drive", "drive", (packed(0, way[0][1]),), 15.0)
    asked = question_after(path_assault(position, 0, 1, *route))
    assert asked.about["open"] is False
    assert asked.after([]).candidates[:2] == parts  # type: ignore[attr-defined]
    show(position, [unit(position, 1)])
    assert len(stops(position, unit(position, 0), way)) == (0 if order == "march" else 1)
