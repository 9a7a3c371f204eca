"""Chapters "fire", "base-shoot", "base-weapons" and "terrain": sight, cover, areas, shots, hits, wounds, saves."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from campale.dice.odds import first_suggestion
from campale.mechanics.script_form import as_answered
from campale.referee.position import Model, Position
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.fire.area import Aimed, Arm, area_refusal, arms_of, good_areas, hit_in, into, locked
from campale.rulesets.e3m.fire.declaring import (
    can_fire,
    declaration,
    fire_form,
    nearest_vehicle,
    standard_weapon,
    targets_of,
)
from campale.rulesets.e3m.fire.kinds import (
    ADVANCING,
    DEFENSIVE,
    OPPORTUNITY,
    OVERRUN_WITH,
    PREPARATORY,
    Kind,
    barred_mounts,
    may_advance,
    may_defend,
    may_prepare,
    may_use,
    may_watch,
    reduced,
    shots_of,
)
from campale.rulesets.e3m.fire.markers import HITS_OF_SCATTER, strength_on
from campale.rulesets.e3m.fire.plan import Volley
from campale.rulesets.e3m.fire.vehicle_fire import is_hidden
from campale.rulesets.e3m.fire.volley import fire, hit_need, need_to_wound, out_of_turn, proposed, save_of
from campale.rulesets.e3m.fire.wounds import armour_save, best_save, kills_outright, wound_need
from campale.rulesets.e3m.movement.sight import NONE, is_in_cover, save_against, sees
from campale.rulesets.e3m.movement.sight import covers as cover_saves
from campale.rulesets.e3m.options import Options
from campale.table.templates import Pose
from tests.rulesets.e3m.kit import PROPOSAL, finish, left, model, piece, play, squad, table, unit

covers = pytest.mark.covers


def arms(position: Position, row: int = 0, kind: Any = PREPARATORY) -> list[Arm]:
    return [arms_of(m, kind)[0] for m in unit(position, row).models if arms_of(m, kind)]


def arm(one: Model, kind: Any = PREPARATORY) -> Arm:
    return arms_of(one, kind)[0]


# ---------------------------------------------------------------- terrain


@covers("terrain/sight", "base-general/line-of-sight", "terrain/classes", "setup/terrain-pieces")
@pytest.mark.parametrize(
    ("kind", "at", "target", "seen"),
    [
        ("building", (36, 20), (36, 30), False),
        ("hill", (36, 20), (36, 30), False),
        ("hill", (36, 20), (36, 20), True),
        ("wood", (36, 20), (36, 30), False),
        ("wood", (36, 20), (36, 22), True),
        ("wood", (36, 20), (36, 23), False),
        ("hedge", (36, 20), (36, 30), True),
        ("crops", (36, 20), (36, 30), True),
        ("rubble", (36, 20), (36, 30), True),
    ],
)
def test_what_blocks_a_line_of_sight(
    kind: str, at: tuple[float, float], target: tuple[float, float], seen: bool
) -> None:
    position = table(squad("scout", 1, at=(36, 5)), squad("brawler", 1, side=1, at=target), pieces=[piece(kind, *at)])
    assert sees(model(position, 0), model(position, 1)) is seen


@covers("terrain/sight")
def test_from_a_hill_one_sees_over_woods_and_vehicles_and_is_seen() -> None:
    position = table(
        squad("scout", 1, at=(36, 5)),
        squad("brawler", 1, side=1, at=(36, 40)),
        squad("carrier", at=(36, 15)),
        pieces=[piece("hill", 36, 5), piece("wood", 36, 28)],
    )
    assert sees(model(position, 0), model(position, 1))
    assert sees(model(position, 1), model(position, 0))


@covers("fire/arc-infantry")
@pytest.mark.parametrize("at", [(36, 10), (26, 20), (46, 20), (36, 30)])
def test_men_see_all_around(at: tuple[float, float]) -> None:
    position = table(squad("scout", 1, at=(36, 20)), squad("brawler", 1, side=1, at=at))
    assert can_fire(unit(position, 0), PREPARATORY)


@covers("base-general/line-of-sight", "fire/vehicle-sight")
def test_vehicles_block_and_are_seen_at_any_point_of_their_base() -> None:
    position = table(
        squad("scout", 1, at=(36, 5)),
        squad("brawler", 1, side=1, at=(36, 30)),
        squad("carrier", at=(36, 15)),
        squad("clan-wagon", side=1, at=(44, 30)),
    )
    assert not sees(model(position, 0), model(position, 1))
    assert sees(model(position, 0), model(position, 3))


@covers("terrain/in-cover", "terrain/cover-saves", "base-shoot/cover-save")
@pytest.mark.parametrize(
    ("kind", "behind", "save"),
    [("ruin", 0.0, 4), ("wall", 2.7, 4), ("wall", 2.8, NONE), ("wood", -2.0, 5), ("hedge", 1.0, 6), ("rubble", 4.4, 4)],
)
def test_cover_is_near_the_target(kind: str, behind: float, save: int) -> None:
    """``behind``: how far the centre of the target is beyond the middle of the piece."""
    position = table(
        squad("scout", 1, at=(36, 5)), squad("brawler", 1, side=1, at=(36, 25 + behind)), pieces=[piece(kind, 36, 25)]
    )
    assert cover_saves(position, [model(position, 0)], [model(position, 1)])[0, 0] == save


@covers("terrain/in-cover")
def test_the_crest_of_the_hill_it_stands_on_covers_a_target_near_it() -> None:
    position = table(
        squad("scout", 1, at=(36, 5)),
        squad("brawler", side=1, at=[(36, 18.4), (36, 20)]),
        pieces=[piece("hill", 36, 20)],
    )
    found = cover_saves(position, [model(position, 0)], [model(position, 1), model(position, 2)])
    assert found[0].tolist() == [5, NONE]


@covers("terrain/in-cover")
@pytest.mark.parametrize(("saves", "save"), [([4, 4, NONE], 4), ([4, NONE], NONE), ([4, 6, NONE], 6), ([], NONE)])
def test_cover_counts_against_more_than_half_of_those_who_see(saves: list[int], save: int) -> None:
    assert save_against(saves) == save


@covers("terrain/in-cover")
@pytest.mark.parametrize(("y", "covered"), [(26.7, True), (27.0, False), (23.4, False)])
def test_without_a_shooter_cover_is_inside_or_close_behind(y: float, covered: bool) -> None:
    position = table(
        squad("scout", 1, at=(36, 5)), squad("brawler", 1, side=1, at=(36, y)), pieces=[piece("wall", 36, 25)]
    )
    assert is_in_cover(model(position, 1)) is covered


# ---------------------------------------------------------------- base-shoot


@covers("base-shoot/to-hit")
@pytest.mark.parametrize(("bs", "number"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (8, 2)])
def test_to_hit_is_seven_less_the_skill(bs: int, number: int) -> None:
    position = table(squad("scout", 1, bs=bs))
    need = hit_need(model(position, 0), arm(model(position, 0)).line)
    assert need.number == number
    assert not need.is_met_by(1)


@covers("base-shoot/to-wound")
@pytest.mark.parametrize(
    ("strength", "toughness", "number"),
    [(6, 4, 2), (8, 4, 2), (5, 4, 3), (4, 4, 4), (3, 4, 5), (2, 4, 6), (1, 4, 6), (4, 8, None)],
)
def test_the_wound_chart(strength: int, toughness: int, number: int | None) -> None:
    need = wound_need(strength, toughness)
    assert (None if need is None else need.number) == number


@covers("base-shoot/armour-save")
@pytest.mark.parametrize(
    ("save", "ap", "left"), [(5, 5, NONE), (6, 5, NONE), (4, 5, 4), (3, None, 3), (3, 3, NONE), (None, None, NONE)]
)
def test_ap_cancels_a_save_or_leaves_it_whole(save: int | None, ap: int | None, left: int) -> None:
    assert armour_save(save, ap) == left


@covers("base-shoot/best-save", "base-shoot/invulnerable")
def test_one_save_the_best_that_is_open() -> None:
    assert best_save(NONE, 4, None, 5) == 4
    assert best_save(None, None) == NONE
    position = table(squad("bulwark", 1, side=1, at=(36, 20)), squad("scout", 1, at=(36, 5), special=["plasma-gun"]))
    shooter = arm(model(position, 1))
    volley = Volley(unit(position, 1), PREPARATORY, (shooter,))
    assert save_of(volley, model(position, 0), shooter.line) == 5


@covers("base-shoot/instant-death", "base-profile/characteristics")
@pytest.mark.parametrize(("strength", "outright"), [(7, False), (8, True)])
def test_twice_the_bare_toughness_kills_outright(strength: int, outright: bool) -> None:
    position = table(squad("biker", 3))
    assert (model(position, 0).profile.t, model(position, 0).profile.bare_t) == (5, 4)
    assert kills_outright(strength, model(position, 0)) is outright


# ---------------------------------------------------------------- shots


@covers("base-weapons/rapid-fire", "base-weapons/moved-models", "fire/full-strength")
@covers("base-weapons/assault", "base-weapons/pistol")
@pytest.mark.parametrize(
    ("weapon", "far", "moved", "shots"),
    [
        ("battle-rifle", 12.0, 0, 2),
        ("battle-rifle", 12.1, 0, 1),
        ("battle-rifle", 12.0, 1, 1),
        ("battle-rifle", 12.1, 1, 0),
        ("battle-pistol", 6.0, 0, 2),
        ("battle-pistol", 6.0, 1, 1),
        ("storm-rifle", 20.0, 1, 2),
        ("heavy-machine-gun", 20.0, 0, 3),
        ("heavy-machine-gun", 20.0, 1, 0),
    ],
)
def test_shots_at_full_strength(weapon: str, far: float, moved: int, shots: int) -> None:
    position = table(squad("line-warden", 1, special=[weapon], marks={"moved": moved}))
    one = model(position, 0)
    line = one.profile.mounts[0].weapon.lines[0]
    assert shots_of(one, line, far, OPPORTUNITY) == shots


@covers("base-units/great-creatures", "base-units/bikes")
def test_great_creatures_and_bikes_fire_as_if_they_had_not_moved() -> None:
    position = table(squad("biker", 1, marks={"moved": 1}), squad("crusher", 1, at=(10, 10), marks={"moved": 1}))
    rifle = model(position, 0).profile.mounts[0].weapon.lines[0]
    assert shots_of(model(position, 0), rifle, 10.0, OPPORTUNITY) == 2
    heavy = table(squad("line-warden", 1, special=["heavy-machine-gun"], kind="great", marks={"moved": 1}))
    line = model(heavy, 0).profile.mounts[0].weapon.lines[0]
    assert may_use(model(heavy, 0), line, OPPORTUNITY)
    assert not may_use(model(heavy, 0), line, ADVANCING)


@covers("fire/reduced-strength", "base-general/rounding")
@pytest.mark.parametrize(("shots", "rolled"), [(1, 1), (2, 1), (3, 2), (18, 9)])
def test_reduced_strength_halves_the_shots_of_a_profile_rounded_up(shots: int, rolled: int) -> None:
    assert reduced(shots, ADVANCING, Options()) == rolled
    assert reduced(shots, PREPARATORY, Options()) == shots


@covers("fire/reduced-strength")
@pytest.mark.parametrize(("moved", "shots"), [(1, 1), (0, 2)])
def test_by_option_only_those_who_have_moved_lose_shots(moved: int, shots: int) -> None:
    position = table(squad("line-warden", 1, marks={"moved": moved}), options={"reduced_as_moved": True})
    line = model(position, 0).profile.mounts[0].weapon.lines[0]
    assert shots_of(model(position, 0), line, 10.0, ADVANCING) == shots
    assert reduced(4, ADVANCING, position.options) == 4


@covers("base-weapons/heavy", "fire/advancing-heavy", "fire/defensive-heavy")
@pytest.mark.parametrize(
    ("kind", "moved", "may"),
    [
        (PREPARATORY, 0, True),
        (ADVANCING, 0, False),
        (DEFENSIVE, 0, True),
        (DEFENSIVE, 1, False),
        (OPPORTUNITY, 1, False),
    ],
)
def test_when_heavy_weapons_take_part(kind: Any, moved: int, may: bool) -> None:
    position = table(squad("line-warden", 1, special=["beam-cannon"], marks={"moved": moved}))
    line = model(position, 0).profile.mounts[0].weapon.lines[0]
    assert may_use(model(position, 0), line, kind) is may


# ---------------------------------------------------------------- who may fire


@covers("fire/preparatory", "orders/fire", "fire/one-of-each", "sequence/step-3-preparatory-fire")
def test_preparatory_fire_is_for_the_fire_order_once() -> None:
    position = table(squad("line-warden", 2), squad("line-warden", 2, at=(20, 10), order="ready"))
    assert [may_prepare(unit(position, row)) for row in (0, 1)] == [True, False]
    unit(position, 0).mark("prepared", 1)
    assert not may_prepare(unit(position, 0))


@covers("fire/advancing", "orders/halt-advancing-fire", "vehicles/disembarked-limits", "sequence/step-6-advancing-fire")
@pytest.mark.parametrize(
    ("order", "marks", "may"),
    [
        ("assault", {}, True),
        ("fire", {}, False),
        ("halt", {}, True),
        ("halt", {"forced": 1}, False),
        ("fire", {"got-out": 1}, True),
        ("march", {"got-out": 1}, False),
        ("assault", {"advanced": 1}, False),
    ],
)
def test_who_makes_advancing_fire(order: str, marks: dict[str, int], may: bool) -> None:
    assert may_advance(unit(table(squad("line-warden", 2, order=order, marks=marks)), 0)) is may


@covers("fire/defensive", "fire/defensive-who", "assault/give-ground-price", "orders/march")
@pytest.mark.parametrize(
    ("order", "marks", "may"),
    [
        ("fire", {"stood": 1}, True),
        ("fire", {}, False),
        ("march", {"stood": 1}, False),
        ("retreat", {"stood": 1}, False),
        ("halt", {"stood": 1, "forced": 1}, False),
        ("halt", {"stood": 1}, True),
        ("fire", {"stood": 1, "gave-ground": 1}, False),
        ("fire", {"stood": 1, "defended": 1}, False),
    ],
)
def test_who_makes_defensive_fire(order: str, marks: dict[str, int], may: bool) -> None:
    assert may_defend(unit(table(squad("line-warden", 2, order=order, marks=marks)), 0)) is may


@covers("fire/opportunity", "fire/opportunity-once", "orders/ready", "vehicles/passengers")
@pytest.mark.parametrize(
    ("order", "marks", "may"),
    [("ready", {}, True), ("fire", {}, False), ("ready", {"watched": 1}, False), ("ready", {"got-out": 1}, False)],
)
def test_opportunity_fire_is_for_ready_units_once(order: str, marks: dict[str, int], may: bool) -> None:
    assert may_watch(unit(table(squad("line-warden", 2, order=order, marks=marks)), 0)) is may


@covers("base-vehicle/open-topped", "vehicles/passengers")
def test_only_from_an_open_topped_vehicle_may_passengers_fire() -> None:
    position = table(
        squad("carrier", at=(20, 10)),
        squad("line-warden", 2, aboard=0),
        squad("clan-wagon", at=(40, 10)),
        squad("line-warden", 2, aboard=3),
        squad("brawler", 2, side=1, at=(40, 25)),
    )
    assert [may_prepare(unit(position, row)) for row in (1, 3)] == [False, True]
    assert can_fire(unit(position, 3), PREPARATORY)


# ---------------------------------------------------------------- the area


@covers("fire/area-centre", "fire/area-diameter", "fire/area-hittable", "fire/eligible-shooters")
def test_an_area_has_a_centre_in_sight_and_range_and_a_diameter_up_to_the_number_of_shooters() -> None:
    position = table(squad("line-warden", 3, at=(36, 10)), squad("brawler", at=[(36, 30), (38, 30), (36, 36)], side=1))
    own = tuple(arms(position))

    def refused(x: float, y: float, diameter: float) -> str:
        refusal = area_refusal(Aimed(position, own, (x, y, diameter), ()))
        return "" if refusal is None else refusal.rule

    assert refused(37, 30, 3.0) == ""
    assert refused(37, 30, 3.1) == "fire/area-diameter"
    assert refused(37, 30, 0.9) == "fire/area-diameter"
    assert refused(37, 40, 2.0) == "fire/area-centre"
    assert refused(30, 25, 2.0) == "fire/area-hittable"
    assert [m.row for m in hit_in(position, own, (37.0, 30.0, 2.0))] == [3, 4]
    assert [m.row for m in hit_in(position, own, (37.0, 30.0, 1.9))] == []


@covers("fire/area-centre", "base-general/within")
def test_who_does_not_see_the_centre_or_is_out_of_range_does_not_fire() -> None:
    position = table(
        squad("line-warden", at=[(36, 10), (38, 10), (36, 3)]),
        squad("brawler", 1, side=1, at=(36, 34)),
        pieces=[piece("building", 42, 16)],
    )
    assert [one.model.row for one in into(position, arms(position), (36.0, 34.0))] == [0, 1]
    assert [one.model.row for one in into(position, arms(position), (44.0, 22.0))] == []


@covers("fire/opportunity-target", "fire/defensive")
def test_fire_drawn_by_a_unit_must_reach_a_model_of_it() -> None:
    position = table(
        squad("line-warden", 3), squad("brawler", 2, side=1, at=(36, 25)), squad("brawler", 2, side=1, at=(20, 25))
    )
    own = tuple(arms(position))
    assert area_refusal(Aimed(position, own, (36.0, 25.0, 1.0), (1,))) is None
    refusal = area_refusal(Aimed(position, own, (20.0, 25.0, 1.0), (1,)))
    assert refusal is not None
    assert refusal.rule == "fire/opportunity-target"
    assert all(area[0] > 30 for area in good_areas(position, own, (1,)))


@covers("fire/area-vehicles", "fire/area-friends", "vehicles/light-profile", "base-characters/independent-fire")
def test_who_can_be_hit_in_an_area() -> None:
    position = table(
        squad("line-warden", 6, at=(30, 10)),
        squad("clan-buggy", side=1, at=(36, 28)),
        squad("road-rider", at=[(33, 24)], side=1),
        squad("clan-chief", 1, side=1, at=(35, 24)),
        squad("scout", at=[(39, 24)]),
        squad("brawler", at=[(38, 24)], side=1),
    )
    rows = [m.row for m in hit_in(position, arms(position), (36.0, 25.0, 6.0))]
    assert rows == [7, 8]
    assert locked(position) == frozenset({9, 10})


@covers("orders/halt-invisible", "fire/area-hittable")
def test_a_halted_unit_in_cover_cannot_be_chosen_as_a_target() -> None:
    wood = [piece("wood", 36, 25)]
    for order, seen in (("halt", False), ("fire", True)):
        position = table(squad("line-warden", 3), squad("brawler", 2, side=1, at=(36, 23), order=order), pieces=wood)
        assert can_fire(unit(position, 0), PREPARATORY) is seen


@covers("fire/heavy-weapon-target", "fire/area-vehicles")
def test_a_heavy_weapon_may_shoot_at_the_nearest_vehicle_alone() -> None:
    position = table(
        squad("line-warden", 2, special=["beam-cannon"]),
        squad("clan-buggy", side=1, at=(36, 30)),
        squad("clan-wagon", side=1, at=(20, 40)),
    )
    found = nearest_vehicle(arm(model(position, 1)))
    assert found is not None
    assert found.row == 2
    assert ("vehicle", 2) in targets_of(unit(position, 0), PREPARATORY, ())


# ---------------------------------------------------------------- a volley, die by die


@covers(
    "fire/procedure",
    "fire/hits-counted-by-shooter",
    "fire/wound-and-save",
    "base-shoot/wounds",
    "hierarchy/fire-by-unit",
)
@covers("fire/casualties-then-morale", "base-general/dice-order")
def test_a_volley_from_shots_to_losses() -> None:
    position = table(squad("line-warden", 3), squad("scout", 3, side=1, at=(36, 30)))
    played = play(
        fire(unit(position, 0), PREPARATORY),
        "3 2 6 | 4 4 | 3 4",
        [["area", "nobody", [37.25, 30, 3]], [3, 4]],
        position,
    )
    assert played.prompts == ["fire.preparatory", "lay-down"]
    assert left(position, 1) == 2
    assert not model(position, 3).is_on_table
    assert unit(position, 0).marks("prepared") == 1
    assert played.cites("base-shoot/to-hit")
    assert position.declared["doing"] == (("tests", (), 1),)


@covers("fire/hit-allocation", "fire/surplus-hits", "fire/mixed-weapons")
@pytest.mark.parametrize(
    ("given", "marked", "fault"),
    [
        ([1, 2], [], False),
        ([1, 1], [], True),
        ([1, 2, 3, 3, 3], [], False),
        ([1, 2, 2], [], True),
        ([2, 3, 1, 1], [], False),
        ([1], [1], True),
        ([2, 3, 3], [1], False),
    ],
)
def test_nobody_is_hit_twice_before_everybody_is_hit(given: list[int], marked: list[int], fault: bool) -> None:
    assert (out_of_turn(given, [1, 2, 3], marked) is not None) is fault


@covers("fire/surplus-hits")
def test_the_surplus_is_proposed_for_the_cheapest() -> None:
    position = table(squad("bulwark", 1, at=(36, 20)), squad("levy", 2, at=(40, 20)))
    holders = [model(position, row) for row in (0, 1, 2)]
    assert proposed(6, holders, [], None) == [1, 2, 0, 1, 1, 1]


def asked_of_weapons(kind: Kind, targets: int, *special: str) -> bool:
    """Whether six wardens beyond half range, some with other weapons, are asked in which order their hits count."""
    places = [(38 + 1.1 * (n % 3), 32 + 1.1 * (n // 3)) for n in range(targets)]
    position = table(squad("line-warden", 6, special=list(special)), squad("brawler", side=1, at=places))
    prompts: list[str] = []

    def policy(question: Any) -> Any:
        prompts.append(question.prompt)
        return {"fire-area": [39.1, 32.5, 6]}.get(question.prompt, first_suggestion(question))

    as_answered(partial(declaration, unit(position, 0), kind, ()), policy)
    assert "fire-area" in prompts
    return "profile-order" in prompts


@covers("fire/mixed-weapons", "fire/surplus-hits")
@pytest.mark.parametrize(("targets", "is_asked"), [(1, False), (5, True), (6, False)])
def test_the_order_of_weapons_is_asked_where_several_models_may_take_more_hits_than_one(
    targets: int, is_asked: bool
) -> None:
    assert asked_of_weapons(PREPARATORY, targets, "beam-cannon") is is_asked


@covers("fire/mixed-weapons", "fire/reduced-strength")
@pytest.mark.parametrize(("targets", "is_asked"), [(3, True), (4, False)])
def test_at_reduced_strength_fewer_hits_are_to_be_heaped(targets: int, is_asked: bool) -> None:
    """Five rifles fire three shots, the plasma gun one."""
    assert asked_of_weapons(ADVANCING, targets, "plasma-gun") is is_asked


@covers("fire/sniper", "fire/sniper-resolution", "base-profile/weapons")
def test_a_sniper_names_his_victim_at_any_distance_and_rolls_one_die() -> None:
    position = table(squad("line-warden", 1, at=(36, 2)), squad("brawler", 2, side=1, at=(36, 46)))
    assert standard_weapon(unit(position, 0)) == "battle-rifle"
    assert targets_of(unit(position, 0), PREPARATORY, ()) == ["snipe", "hold"]
    near = table(squad("line-warden", 2, at=(36, 25)), squad("brawler", 2, side=1, at=(36, 46)))
    play(
        fire(unit(near, 0), PREPARATORY),
        "6 | 6 | 3 | 4",
        [["area", 3, [36, 46, 1]]],
        near,
    )
    assert left(near, 1) == 0


@covers("base-weapons/special")
def test_twin_linked_lance_sniper_rifles_and_weapons_that_roll_for_shots() -> None:
    position = table(squad("deckhand", 1, special=["scatter-beamer"]), squad("brawler", 1, side=1, at=(36, 30)))
    play(fire(unit(position, 0), PREPARATORY), "2 | 6 4 | 2 3", [["area", [36, 30, 1]]], position)
    assert left(position, 1) == 0
    sniper = table(squad("deckhand", 1, special=["sniper-rifle"]))
    line = model(sniper, 0).profile.mounts[0].weapon.lines[0]
    assert hit_need(model(sniper, 0), line).number == 2
    need = need_to_wound(model(table(squad("crusher", 1)), 0), line)
    assert need is not None
    assert need.number == 4


@covers("base-weapons/special")
def test_plasma_overheats_on_a_one() -> None:
    position = table(squad("deckhand", 1, special=["plasma-gun"]), squad("brawler", 1, side=1, at=(36, 30)))
    play(fire(unit(position, 0), PREPARATORY), "1 | 4", [["area", "nobody", [36, 30, 1]]], position)
    assert left(position, 0) == 0


@covers("base-weapons/blast", "base-weapons/blast-cover", "fire/marker-weapons-in-area")
def test_a_blast_hits_those_wholly_under_it_and_the_others_on_a_four() -> None:
    position = table(
        squad("brood-captain", 1, at=(36, 20)), squad("brawler", at=[(36, 30), (37.1, 30), (39.5, 30)], side=1)
    )
    played = play(fire(unit(position, 0), PREPARATORY), "4 | 4 | 2 2", [["area", [36, 30, 1]]], position)
    assert "partly-under" in played.rolls
    assert left(position, 1) == 1


@covers("base-weapons/template", "base-shoot/cover-save")
def test_a_template_needs_no_roll_to_hit_and_denies_cover() -> None:
    position = table(
        squad("line-warden", 1, special=["flamethrower"], at=(36, 20)),
        squad("brawler", at=[(36, 24)], side=1),
        pieces=[piece("ruin", 36, 24)],
    )
    played = play(fire(unit(position, 0), PREPARATORY), "4", [["area", [36, 24, 1]], PROPOSAL], position)
    assert "to-hit" not in played.rolls
    assert left(position, 1) == 0


@covers("base-weapons/ordnance", "base-general/dice")
@pytest.mark.parametrize(("die", "more"), [("2", ""), ("3", "90 4")])
def test_ordnance_scatters_by_a_die_and_strikes_friend_and_foe(die: str, more: str) -> None:
    assert HITS_OF_SCATTER == 2
    position = table(squad("siege-tank", at=(36, 8)), squad("brawler", at=[(36, 40)], side=1))
    answers = [[("unit", 1), ("one", [0])]]
    dice = f"{die} {more}" if more else f"{die} 3"
    play(fire(unit(position, 0), PREPARATORY), dice, answers, position)
    assert left(position, 1) == (1 if more else 0)


@covers("base-weapons/pinning", "fire/quarter-loss-test")
def test_losses_to_ordnance_pin() -> None:
    position = table(squad("siege-tank", at=(36, 8)), squad("brawler", 10, side=1, at=(30, 44)))
    unit(position, 1).mark("at-step", 10)
    position.declare("doing", (("tests", (1,), 1),))
    finish(position, "6 6")
    assert unit(position, 1).marks("forced") == 1


@covers("fire/vehicle-target", "fire/vehicle-weapons", "fire/preparatory-vehicles", "fire/arc-vehicle")
def test_a_tank_fires_all_its_weapons_and_stays_or_one_and_may_move() -> None:
    position = table(squad("gun-tank", at=(36, 10)), squad("brawler", 3, side=1, at=(36, 30)))
    form = fire_form(unit(position, 0), PREPARATORY)
    assert form.field([("unit", 1)]).options() == [("one", (0,))]  # type: ignore[union-attr]
    play(fire(unit(position, 0), PREPARATORY), "4 4 | 4 1", [[("unit", 1), ("one", [0])], [1, 2]], position)
    assert unit(position, 0).marks("stationary") == 0
    flank = table(squad("gun-tank", at=(36, 10)), squad("brawler", 3, side=1, at=(60, 12)))
    question = fire_form(unit(flank, 0), PREPARATORY).field([("unit", 1)])
    assert question is not None
    assert question.options() == [("all", (0, 2)), ("one", (0,)), ("one", (2,))]
    play(fire(unit(flank, 0), PREPARATORY), "1 1 1 1 1", [[("unit", 1), ("all", [0, 2])]], flank)
    assert unit(flank, 0).marks("stationary") == 1


@covers("fire/vehicle-weapons")
def test_a_vehicle_that_has_moved_fires_one_weapon() -> None:
    position = table(
        squad("gun-tank", at=(36, 10), order="assault", marks={"moved": 1}), squad("brawler", 3, side=1, at=(60, 12))
    )
    form = fire_form(unit(position, 0), ADVANCING)
    assert form.field([("unit", 1)]).options() == [("one", (0,)), ("one", (2,))]  # type: ignore[union-attr]


@covers("base-weapons/blast-cover", "base-general/rounding")
@pytest.mark.parametrize(("y", "strength"), [(20.0, 5), (24.4, 3)])
def test_a_marker_beside_a_vehicle_strikes_at_half_strength_rounded_up(y: float, strength: int) -> None:
    position = table(squad("gun-tank", at=(20, 20)))
    line = Line(range=24.0, strength=5, ap=4, fire="heavy")
    assert strength_on(line, Pose(20.0, y), model(position, 0)) == strength


@covers("vehicles/overrun-fire")
def test_what_was_used_in_an_overrun_is_not_used_in_advancing_fire() -> None:
    position = table(squad("gun-tank", at=(20, 20)))
    tank = model(position, 0)
    tank.jot(OVERRUN_WITH, (1,))
    assert barred_mounts(tank, ADVANCING) == {1}
    assert barred_mounts(tank, PREPARATORY) == set()


@covers("orders/halt-invisible")
@pytest.mark.parametrize(
    ("order", "kind", "hidden"), [("halt", "wood", True), ("halt", "hill", False), ("fire", "wood", False)]
)
def test_a_vehicle_does_not_see_whoever_lies_down_in_cover(order: str, kind: str, hidden: bool) -> None:
    place = (20, 30) if kind == "wood" else (60, 30)
    position = table(
        squad("gun-tank", at=(20, 20)),
        squad("brawler", 1, side=1, at=(20, 30), order=order),
        pieces=[piece(kind, *place)],
    )
    assert is_hidden(model(position, 0), model(position, 1)) is hidden
