"""Floors of ruins and tops of hills: who may stand there, ways up and down, distances with height, sight, charges.

The ruins lie about (30, 20), 10 by 8 inches, with floors of 5 by 8 in their west half at 4 and 8 inches. The hill lies
about (30, 20), 10 by 8 inches and 3 high.
"""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.move_paths import end_of
from campale.mechanics.setup.drawing_up import deploy_question, standing
from campale.referee.position import Position, Token
from campale.rulesets.w10.attack.saves import ap_parts
from campale.rulesets.w10.basics.coherency import is_coherent
from campale.rulesets.w10.basics.cover import cover_of
from campale.rulesets.w10.basics.levels import (
    goes_upstairs,
    is_at_ground_level,
    level_at,
    may_rest,
    path_meant,
    spots_meant,
)
from campale.rulesets.w10.basics.markers import is_in_range
from campale.rulesets.w10.basics.sight import sees
from campale.rulesets.w10.basics.units import distance, is_engaged, members, units_within
from campale.rulesets.w10.battle.deployment import deploy_unit, drawing_up
from campale.rulesets.w10.battle.deployment import misplaced as misdeployed
from campale.rulesets.w10.battle.layouts import LaidFloor, feature, layout_named, piece_from
from campale.rulesets.w10.charge.charging import charge_at, charge_movement, duty_of, found_charge
from campale.rulesets.w10.fight.pile_in import melee_movement
from campale.rulesets.w10.movement.falling_back import crosses_an_enemy, falling_back
from campale.rulesets.w10.movement.lengths import length_in_the_air, length_of, length_on_foot
from campale.rulesets.w10.movement.moves import (
    at_the_end,
    movement_of,
    on_the_way,
)
from campale.rulesets.w10.movement.reserves import areas_of, misplaced
from campale.rulesets.w10.movement.reserves import field_of as field_of_arrival
from campale.rulesets.w10.movement.transports import cannot_stand, places_upstairs
from campale.rulesets.w10.shooting.targets import plunging
from campale.table import fields
from campale.table.measure import overlaps_outline
from campale.table.shapes import Solid
from campale.table.terrain import Floor, Piece
from tests.rulesets.w10.kit import PROPOSAL, Squad, attack, guns, model, piece, play, shots, squad, table, unit, why

covers = pytest.mark.covers

UPPER = (LaidFloor(4.0, (-2.5, 0.0), (5.0, 8.0)), LaidFloor(8.0, (-2.5, 0.0), (5.0, 8.0)))
RUINS = feature("ruins", (30.0, 20.0), 0.0, "ruins", (10.0, 8.0), None, UPPER)
HILL = feature("hills", (30.0, 20.0), 0.0, "hill", (10.0, 8.0))
LOW_HILL = feature("hills", (30.0, 20.0), 0.0, "hill", (10.0, 8.0), 2.0)
FOOT = 32 / 25.4


def on(ground: Piece, *squads: Squad, up: dict[int, tuple[float, float, float]] | None = None, **more: Any) -> Position:
    """A table with one feature; ``up``: where some models stand, by row."""
    position = table(*squads, pieces=[ground], **more)
    for row, (x, y, z) in (up or {}).items():
        position.move_to(model(position, row), x, y, z)
    return position


def body(position: Position, row: int, x: float, y: float, z: float) -> Solid:
    profile = model(position, row).profile
    return Solid(profile.shape, x, y, z, 0.0, profile.height)


def normal(position: Position, ways: dict[int, Any], row: int = 0, limit: float = 6.0) -> str | None:
    return why(position, row, movement_of(unit(position, row), limit), ways)


# ---------------------------------------------------------------- who may stand where


@covers("terrain/ruins-movement")
@pytest.mark.parametrize(
    ("name", "goes"), [("line-squad", True), ("jump-squad", True), ("flyer", True), ("walker", False)]
)
def test_infantry_beasts_and_flyers_end_on_floors(name: str, goes: bool) -> None:
    position = on(RUINS, squad(name, at=(30, 5)))
    assert goes_upstairs(model(position, 0).profile) is goes
    assert may_rest(model(position, 0), body(position, 0, 27.5, 20, 4)) is goes
    assert may_rest(model(position, 0), body(position, 0, 27.5, 20, 0))


@covers("terrain/ruins-movement")
@pytest.mark.parametrize(("x", "z", "found"), [(29.37, 4, True), (29.38, 4, False), (27.5, 6, False), (27.5, 8, True)])
def test_no_base_overhangs_a_floor(x: float, z: float, found: bool) -> None:
    position = on(RUINS, squad("line-squad", at=(30, 5)))
    assert may_rest(model(position, 0), body(position, 0, x, 20, z)) is found


@covers("terrain/hills")
@pytest.mark.parametrize(
    ("x", "found"), [(34.3, None), (34.5, "terrain/hills"), (35.3, "movement-phase/terrain"), (35.7, None)]
)
def test_everybody_may_end_on_a_hill_that_the_base_does_not_overhang(x: float, found: str | None) -> None:
    position = on(HILL, squad("line-squad", at=(39, 20)))
    assert normal(position, {0: (x, 20)}, limit=9.0) == found
    assert level_at(position, 34, 20) == 3.0
    assert level_at(position, 36, 20) == 0.0


@covers("terrain/ruins-movement", "terrain/barricades")
def test_nobody_ends_with_the_head_in_a_floor() -> None:
    """Four inches under the floor, less the floor itself: a walker of 3.5 fits, one of 4 does not."""
    position = on(RUINS, squad("walker", at=(10, 10)), squad("walker", at=(50, 10), height=4.0))
    assert fields.is_free(at_the_end(model(position, 0)).field, 27.5, 20)
    assert not fields.is_free(at_the_end(model(position, 1)).field, 27.5, 20)
    assert fields.is_free(at_the_end(model(position, 1)).field, 33, 20)


@covers("terrain/ruins-movement")
def test_only_infantry_and_beasts_pass_through_floors() -> None:
    """A tall walker goes round; tall infantry would pass."""
    position = on(RUINS, squad("walker", at=(27.5, 10), height=4.0), squad("line-squad", at=(40, 10), height=4.0))
    across = {0: (27.5, 30)}
    assert normal(position, across, limit=30.0) == "movement-phase/terrain"
    assert fields.is_free(on_the_way(model(position, 1)).field, 27.5, 20)


# ---------------------------------------------------------------- ways up and down


@covers("terrain/ruins-movement", "movement-phase/terrain")
@pytest.mark.parametrize(("far", "found"), [(2.0, None), (2.1, "movement-phase/normal-move")])
def test_going_up_costs_the_vertical_distance(far: float, found: str | None) -> None:
    """Two inches across, four up."""
    position = on(RUINS, squad("line-squad", at=(27.5, 15)))
    assert normal(position, {0: (27.5, 15 + far, 4)}) == found


@covers("terrain/ruins-movement", "movement-phase/measuring-moves")
def test_a_floor_is_walked_along_and_left_to_get_to_another() -> None:
    position = on(RUINS, squad("line-squad", at=(30, 5)), up={0: (27.5, 18, 4)})
    one = model(position, 0)
    assert length_of(one, path_meant(one, [(27.5, 22)])) == pytest.approx(4.0)
    assert length_of(one, path_meant(one, [(27.5, 22, 8)])) == pytest.approx(8.0)
    assert length_of(one, path_meant(one, [(33.5, 18)])) == pytest.approx(10.0)
    assert end_of(path_meant(one, [(33.5, 18)])) == (33.5, 18, 0)
    assert end_of(path_meant(one, [(27.5, 18, 0)])) == (27.5, 18, 0)


@covers("terrain/hills", "movement-phase/terrain", "charge-phase/terrain")
def test_a_hill_of_more_than_two_inches_is_climbed_and_a_lower_one_is_not() -> None:
    for hill, more in ((HILL, 3.0), (LOW_HILL, 0.0)):
        position = on(hill, squad("line-squad", at=(30, 14)))
        one = model(position, 0)
        assert length_of(one, path_meant(one, [(30, 19)])) == pytest.approx(5.0 + more)
        assert length_of(one, path_meant(one, [(30, 26)])) == pytest.approx(12.0 + 2.0 * more)
        assert end_of(path_meant(one, [(30, 19)]))[2] == (3.0 if more else 2.0)


@covers("charge-phase/terrain", "movement-phase/terrain")
def test_three_and_a_half_inches_and_a_hill_of_three_take_a_seven() -> None:
    """The target stands more than an inch back from the edge."""
    own = 4.5 + FOOT
    hill = feature("hills", (30.0, 20.0), 0.0, "hill", (10.0, 8.0), 3.0)
    position = on(hill, squad("line-squad", at=(30, 19 - own)), squad("line-squad", 1, 1, (30, 19)))
    enough, short = (found_charge(duty_of(unit(position, 0), [1], far), [1]) for far in (7.0, 6.0))
    assert enough is not None
    assert short is None


@covers("v/fly-terrain", "flying/land-on-terrain", "flying/air-path")
def test_who_flies_slants_up_to_a_ledge() -> None:
    """Three inches across and four up are five."""
    position = on(RUINS, squad("jump-squad", 2, at=[(27.5, 14), (26, 14)]), up=None)
    one = model(position, 0)
    up = path_meant(one, [(27.5, 17, 4)], air=True)
    assert length_in_the_air(one, up) == pytest.approx(5.0)
    assert length_on_foot(one, path_meant(one, [(27.5, 17, 4)])) == pytest.approx(7.0)
    assert normal(position, {0: (27.5, 17, 4)}, limit=5.0) == "core-concepts/unit-coherency"
    assert normal(position, {0: (27.5, 17, 4), 1: (26, 17, 4)}, limit=5.0) is None


@covers("flying/over-terrain", "fight-phase/fight-sequence")
def test_a_pile_in_is_no_move_through_the_air() -> None:
    position = on(RUINS, squad("jump-squad", at=(27.5, 14)), squad("line-squad", 1, 1, (27.5, 15.8)), phase="fight")
    movement = melee_movement(unit(position, 0))
    assert not movement.flies
    assert movement.reads(model(position, 0), [(27.5, 17, 4)], None).points[1] == (27.5, 17.0, 0.0)
    assert why(position, 0, movement, {0: (27.5, 17, 4)}) == "m/pile-in-move"


@covers("terrain/ruins-movement", "movement-phase/terrain")
@pytest.mark.parametrize("end", [(27.5, 17, 3), (33, 17, 4)])
def test_nobody_ends_in_the_air(end: tuple[float, float, float]) -> None:
    position = on(RUINS, squad("line-squad", at=(30, 14)))
    assert normal(position, {0: end}, limit=20.0) == "terrain/ruins-movement"


@covers("movement-phase/desperate-escape", "movement-phase/fall-back")
def test_nobody_is_crossed_who_stands_on_another_floor() -> None:
    own, foe = squad("line-squad", at=(27.5, 18)), squad("line-squad", 1, 1, (27.5, 20))
    position = on(RUINS, own, foe, up={1: (27.5, 20, 4)}, phase="movement")
    one = model(position, 0)
    movement = falling_back(unit(position, 0))
    assert not crosses_an_enemy(one, movement.reads(one, [(27.5, 23)], None))
    position.move_to(model(position, 1), 27.5, 20, 0)
    assert crosses_an_enemy(one, movement.reads(one, [(27.5, 23)], None))


# ---------------------------------------------------------------- distances


@covers("core-concepts/measuring", "d/figure-2", "d/horizontal-vertical")
def test_three_inches_across_and_four_up_are_five() -> None:
    position = on(RUINS, squad("line-squad", at=(33, 20)), squad("line-squad", 1, 1, (20, 5)))
    position.move_to(model(position, 1), 33 - FOOT - 3, 20, 4)
    assert distance(model(position, 0), model(position, 1)) == pytest.approx(5.0, abs=1e-4)
    assert units_within(unit(position, 0), 5.0, 1)
    assert not units_within(unit(position, 0), 4.99, 1)


@covers("core-concepts/engagement-range", "d/horizontal-vertical", "b/locked-in-combat")
@pytest.mark.parametrize(("x", "z", "engaged"), [(27.5, 4, True), (26.51, 4, True), (26.4, 4, False), (27.5, 8, False)])
def test_engagement_range_reaches_an_inch_across_and_five_up(x: float, z: float, engaged: bool) -> None:
    position = on(RUINS, squad("line-squad", at=(28.77, 20)), squad("line-squad", 1, 1, (20, 5)), up={1: (x, 20, z)})
    assert is_engaged(unit(position, 0)) is engaged


@covers("core-concepts/unit-coherency", "d/horizontal-vertical")
@pytest.mark.parametrize(("z", "together"), [(4.0, True), (8.0, False)])
def test_coherency_reaches_five_inches_up(z: float, together: bool) -> None:
    position = on(RUINS, squad("line-squad", 2, at=[(27, 20), (28.5, 20)]), up={1: (28.5, 20, z)})
    assert is_coherent(members(unit(position, 0))) is together


@covers("s/objective-range", "d/horizontal-vertical")
@pytest.mark.parametrize(("z", "found"), [(0.0, True), (4.0, True), (8.0, False)])
def test_a_marker_is_in_range_up_to_five_inches_up(z: float, found: bool) -> None:
    position = on(RUINS, squad("line-squad", at=(27.5, 20)), up={0: (27.5, 20, z)})
    assert is_in_range(model(position, 0), Token("objective", 27.5, 17)) is found


@covers("d/figure-3", "movement-phase/reinforcements-distance", "core-abilities/deep-strike")
@pytest.mark.parametrize(("x", "free"), [(27.5 + FOOT + 8.5, False), (27.5 + FOOT + 9.1, True)])
def test_nine_inches_of_reinforcements_are_measured_in_plan(x: float, free: bool) -> None:
    position = on(RUINS, squad("line-squad", at=(50, 5)), squad("line-squad", 1, 1, (5, 5)), up={1: (27.5, 20, 8)})
    assert fields.is_free(field_of_arrival(model(position, 0)), x, 20) is free


# ---------------------------------------------------------------- set-up


@covers("terrain/ruins-movement", "terrain/hills", "deployment/deploy", "s/set-up")
@pytest.mark.parametrize(
    ("name", "spot", "found"),
    [
        ("line-squad", [28.0, 5.0, 0.0, 4.0], None),
        ("line-squad", [29.5, 5.0, 0.0, 4.0], "terrain/ruins-movement"),
        ("line-squad", [28.0, 5.0, 0.0, 2.0], "terrain/ruins-movement"),
        ("walker", [28.0, 5.0, 0.0, 4.0], "terrain/ruins-movement"),
        ("walker", [28.0, 5.0, 0.0], None),
    ],
)
def test_a_unit_is_deployed_on_a_floor(name: str, spot: list[float], found: str | None) -> None:
    ruins = feature("ruins", (30.0, 5.0), 0.0, "ruins", (10.0, 8.0), None, UPPER)
    position = on(ruins, squad(name, where="reserve"), phase="deployment")
    refused = misdeployed([model(position, 0)], [tuple(spot)])
    assert (None if refused is None else refused.rule) == found
    if found is None:
        play(deploy_unit(unit(position, 0)), "", [[spot]], position)
        assert model(position, 0).z == (spot[3] if len(spot) > 3 else 0.0)


@covers("terrain/ruins-movement", "terrain/hills", "core-abilities/deep-strike")
@pytest.mark.parametrize(
    ("spot", "found"),
    [
        ((28.0, 20.0, 0.0, 4.0), None),
        ((29.5, 20.0, 0.0, 4.0), "terrain/ruins-movement"),
        ((28.0, 20.0, 0.0, 2.0), "terrain/ruins-movement"),
    ],
)
def test_who_arrives_stands_on_a_floor_and_not_in_the_air(spot: tuple[float, ...], found: str | None) -> None:
    position = on(RUINS, squad("jump-squad", where="reserve"), phase="reinforcements")
    unit(position, 0).jot("reserves", "deep-strike")
    (zone,) = areas_of(unit(position, 0)).values()
    refused = misplaced([model(position, 0)], zone, [spot])
    assert (None if refused is None else refused.rule) == found


@covers("terrain/hills", "s/set-up")
def test_who_is_put_down_on_a_hill_stands_on_its_top() -> None:
    position = on(HILL, squad("line-squad", at=(30, 5)))
    assert spots_meant(position, [(30, 20, 0.0), (10, 10, 0.0), (27, 20, 0.0, 3.0)])[0][3] == 3.0
    position.move_to(model(position, 0), 30, 20)
    assert model(position, 0).z == 3.0
    assert not is_at_ground_level(model(position, 0))


@covers("transports/disembark", "terrain/ruins-movement")
def test_a_unit_gets_out_on_a_floor_within_three_inches() -> None:
    """Wholly within, through the air."""
    tall = feature("ruins", (30.0, 20.0), 0.0, "ruins", (10.0, 8.0), None, (LaidFloor(2.2),))
    for ground, some in ((tall, True), (RUINS, False)):
        position = on(ground, squad("carrier", at=(23.2, 20)), squad("line-squad", 1, at=(50, 5), where="reserve"))
        found = list(places_upstairs(model(position, 0), [model(position, 1)], 3.0))
        assert bool(found) is some
        for there in found:
            assert there[0][3] == 2.2
            assert cannot_stand(model(position, 0), [model(position, 1)], there, 3.0) is None


# ---------------------------------------------------------------- sight, cover, Plunging Fire


@covers("core-concepts/line-of-sight", "terrain/ruins-visibility-test")
def test_a_floor_blocks_lines_through_it() -> None:
    """Whoever is under the middle of a floor is hidden from above, and whoever is beside it is not."""
    wide = feature(
        "ruins", (30.0, 20.0), 0.0, "ruins", (20.0, 16.0), None, (LaidFloor(4.0, (-4.0, 0.0), (12.0, 16.0)),)
    )
    for x, seen in ((26.0, False), (36.0, True)):
        position = on(wide, squad("line-squad", at=(30, 5)), squad("line-squad", 1, 1, (x, 20)), up={0: (31.2, 20, 4)})
        assert sees(model(position, 0), model(position, 1)) is seen
        assert sees(model(position, 1), model(position, 0)) is seen


@covers("terrain/hills", "terrain/not-fully-visible", "core-concepts/line-of-sight")
def test_a_hill_hides_and_gives_cover() -> None:
    """Behind three inches nobody of 1.6 is seen; behind one and a half he has cover; from the top he has none."""
    low = feature("hills", (30.0, 20.0), 0.0, "hill", (10.0, 8.0), 1.5)
    for hill, seen in ((HILL, False), (low, True)):
        position = on(hill, squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 30)))
        assert sees(model(position, 0), model(position, 1)) is seen
    assert cover_of(model(position, 1), [model(position, 0)]) == "terrain/hills"
    position.move_to(model(position, 1), 30, 23, 1.5)
    position.move_to(model(position, 0), 30, 17, 1.5)
    assert cover_of(model(position, 1), [model(position, 0)]) is None


@covers("terrain/ruins-plunging-fire", "l/ground-level", "modifiers/improve-ap")
@pytest.mark.parametrize(("z", "target", "improved"), [(8, 0, True), (4, 0, False), (8, 4, False)])
def test_plunging_fire_from_six_inches_at_those_on_the_ground(z: float, target: float, improved: bool) -> None:
    position = on(RUINS, squad("line-squad", at=(30, 5)), squad("line-squad", 2, 1, [(29, 40), (31, 40)]))
    position.move_to(model(position, 0), 27.5, 20, z)
    position.move_to(model(position, 1), 28, 17, target)
    assert bool(plunging(model(position, 0), unit(position, 1))) is improved
    (shot,) = shots(position, 0, 1)
    assert any(change.rule == "terrain/ruins-plunging-fire" for _, change in shot.changes) is improved
    assert len(guns(position, 0)) == 1
    parts = ap_parts(attack(guns(position, 0)[0].profile, changes=shot.changes, by=0), model(position, 1))
    assert [(p.rule, p.value) for p in parts] == [
        ("attack/saving-throw", -1),
        *([("terrain/ruins-plunging-fire", -1)] if improved else []),
    ]


# ---------------------------------------------------------------- charges


@covers("charge-phase/charge-move", "charge-phase/terrain", "terrain/ruins-movement")
def test_a_charge_goes_up_into_contact() -> None:
    """Some two inches across and eight up; with nine only to the floor between, engaged, and with four nowhere."""
    own, foe = squad("line-squad", at=(27.5, 16.7)), squad("line-squad", 1, 1, (27.5, 5))
    position = on(RUINS, own, foe, up={1: (27.5, 20, 8)}, phase="charge")
    play(charge_at(unit(position, 0), [1]), "6 5", [PROPOSAL], position)
    assert model(position, 0).z == 8.0
    assert distance(model(position, 0), model(position, 1)) == pytest.approx(0.0, abs=0.001)
    for dice, z in (("4 5", 4.0), ("2 2", 0.0)):
        position.move_to(model(position, 0), 27.5, 16.7, 0)
        play(charge_at(unit(position, 0), [1]), dice, [PROPOSAL], position)
        assert model(position, 0).z == z


@covers("core-concepts/engagement-range", "charge-phase/charge-roll")
def test_who_cannot_go_up_charges_from_below() -> None:
    """A walker is engaged four inches under its target, and not eight."""
    for z, found in ((4.0, True), (8.0, False)):
        position = on(RUINS, squad("walker", at=(27.5, 11)), squad("line-squad", 1, 1, (50, 40)), up={1: (27.5, 17, z)})
        answer = found_charge(duty_of(unit(position, 0), [1], 6.0), [1])
        assert (answer is not None) is found
        assert why(position, 0, charge_movement(unit(position, 0), [1], 6.0), {0: (27.5, 14.5)}) == (
            None if found else "charge-phase/charge-roll"
        )


# ---------------------------------------------------------------- layouts


@covers("only-war/terrain", "terrain/ruins-plunging-fire")
def test_the_ruins_of_only_war_have_the_floors_of_the_ledger() -> None:
    ruins = {piece.name: piece for piece in layout_named("only-war") if piece.kind == "ruins"}
    assert [floors_of(one) for one in ruins.values()] == [
        [(28, 19, 32, 25, 4), (28, 19, 32, 25, 8)],
        [(8, 12, 16, 15, 4)],
        [(44, 29, 52, 32, 4)],
    ]


def floors_of(ruin: Piece) -> list[tuple[float, ...]]:
    return [(*corner(floor, min), *corner(floor, max), floor.z) for floor in ruin.floors]


def corner(floor: Floor, of: Any) -> tuple[float, float]:
    return of(x for x, _ in floor.outline), of(y for _, y in floor.outline)


@covers("terrain/hills")
def test_files_lay_floors_and_hills_of_any_height() -> None:
    ruins = piece_from({"kind": "ruins", "at": [30, 20], "floors": [{"z": 4, "size": [4, 4]}]})
    assert (ruins.height, [floor.z for floor in ruins.floors]) == (4.0, [4.0])
    hill = piece_from({"kind": "hills", "at": [30, 20], "height": 1.5})
    assert (hill.top, [floor.z for floor in hill.floors]) == (1.5, [1.5])
    assert piece("craters", 5, 5).floors == ()


@pytest.mark.parametrize(("name", "shuns"), [("training/carrier", True), ("training/line-squad", False)])
def test_ruins_are_proposed_last_to_whoever_has_to_climb_out_of_them(name: str, shuns: bool) -> None:
    def first(*pieces: Piece) -> list[Solid]:
        position = table(squad(name, 1, at=(50, 30)), squad("training/captain", 1, 1, at=(5, 40)), pieces=pieces)
        models = unit(position, 0).models
        question = deploy_question(drawing_up(unit(position, 0), models), "deploy", {})
        return standing(models, question.suggestions()[0], 2.0)

    usual = first()
    ruins = piece("ruins", usual[0].x, usual[0].y, (6.0, 6.0))
    assert any(overlaps_outline(one, ruins.outline) for one in first(ruins)) is not shuns
