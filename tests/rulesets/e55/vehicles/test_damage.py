"""Chapters 7.3 to 7.8: the face that is hit, penetration, the damage table, wrecks and explosions; squadrons' hits."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Allot, Choose
from campale.rulesets.e55.definitions.units import IMMOBILISED, SILENCED, STRUCTURE_LOST, STUCK
from campale.rulesets.e55.hits import casualties, resolving
from campale.rulesets.e55.hits.attacks import Covers, Hit
from campale.rulesets.e55.vehicles import damage
from campale.rulesets.e55.vehicles.damage import (
    Damage,
    by_ap,
    by_open_top,
    by_penetration,
    caught,
    damage_result,
    is_immobilised,
    is_silenced,
    is_stuck,
    silenced_mounts,
    structure_left,
    working_weapons,
)
from campale.rulesets.e55.vehicles.vehicle_hits import face_hit, penetrates
from tests.rulesets.e55.kit import (
    PROPOSAL,
    Played,
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
)


def tank(kind: str = "tank", *carried: str, near: Any = (36.0, 5.0), **changes: Any) -> Position:
    """A vehicle of side 0 that looks north, and the gunner of side 1 who has hit it."""
    return table(squad(profile(kind, *carried, **changes), at=(36, 24)), squad("veteran", 1, 1, at=near))


def shot(strength: int = 8, ap: int | None = 3, **more: Any) -> Hit:
    return Hit(strength, ap, by_unit=1, by_model=1, is_ranged=True, **more)


def fire(position: Position, hits: list[Hit], dice: str, answers: Any = (), covers: Covers | None = None) -> Played:
    return play(resolving.take_hits(unit(position, 0), hits, covers or {}), dice, answers, position)


def rolled(position: Position, result: int, answers: Any = (), dice: str = "") -> Played:
    """A glancing damage (AP 3) that shows a result from 1 to 6, or a penetrating one with AP 1 for 7 and 8."""
    done = Damage(result > 6, 1 if result > 6 else 3, "fire", 1)
    face = result - 2 if result > 6 else result
    return play(damage.damage(model(position, 0), done), f"{face} {dice}", answers, position)


# ---------------------------------------------------------------- 7.3/face-hit


@pytest.mark.covers("7.3/face-hit")
@pytest.mark.parametrize(
    ("place", "face"),
    [((36, 45), "front"), ((36, 5), "rear"), ((60, 24), "right"), ((10, 24), "left"), ((60, 25), "right")],
)
def test_shots_strike_the_face_that_shows_most(place: tuple[float, float], face: str) -> None:
    position = tank(near=place)
    assert face_hit(model(position, 0), unit(position, 1)) == face


@pytest.mark.covers("7.3/face-hit")
def test_the_model_nearest_to_the_vehicle_decides_for_all() -> None:
    position = table(squad("tank", at=(36, 24)), squad("veteran", 2, 1, at=[(36, 45), (44, 24)]))
    assert face_hit(model(position, 0), unit(position, 1)) == "right"
    position = table(squad("tank", at=(36, 24)), squad("veteran", 2, 1, at=[(36, 32), (55, 24)]))
    assert face_hit(model(position, 0), unit(position, 1)) == "front"
    played = fire(position, [shot(), shot()], "1 1")
    assert played.questions[0].about["armour"] == 13


@pytest.mark.covers("7.3/face-hit")
def test_of_faces_that_show_as_much_the_better_armoured_is_hit() -> None:
    square: dict[str, Any] = {"length": 4.0, "width": 4.0}
    assert face_hit(model(p := tank(near=(44, 32), **square), 0), unit(p, 1)) == "front"
    assert face_hit(model(p := tank(near=(44, 32), front=10, side=12, **square), 0), unit(p, 1)) == "right"


@pytest.mark.covers("7.3/face-hit")
def test_those_who_fire_from_a_transport_see_from_it() -> None:
    carrier = squad("carrier", side=1, at=(36, 44))
    position = table(squad("tank", at=(36, 24)), squad("veteran", side=1, at=None), carrier)
    position.take_off(model(position, 1), aboard_of=model(position, 2))
    assert face_hit(model(position, 0), unit(position, 1)) == "front"


@pytest.mark.covers("7.3/face-hit")
def test_a_walker_has_the_faces_of_the_square_about_it() -> None:
    position = tank("walker", near=(60, 24))
    assert face_hit(model(position, 0), unit(position, 1)) == "right"


# ---------------------------------------------------------------- 7.4 saves and penetration


@pytest.mark.covers("7.4/penetration")
@pytest.mark.parametrize(("total", "found"), [(12, None), (13, False), (14, True)])
def test_less_than_the_armour_does_nothing_as_much_glances_more_penetrates(total: int, found: bool | None) -> None:
    assert penetrates(total, 13) is found


@pytest.mark.covers("7.4/penetration")
def test_strength_and_die_meet_the_armour_of_the_face() -> None:
    assert fire(tank(), [shot(4)], "5").rolls == ["penetration"]
    assert fire(tank(), [shot(4)], "6 1").rolls == ["penetration", "damage"]
    assert fire(tank(near=(36, 45)), [shot(8)], "4").rolls == ["penetration"]


@pytest.mark.covers("1.1/no-auto-penetration", "7.4/penetration")
def test_a_6_does_not_penetrate_by_itself_nor_a_1_fail() -> None:
    assert fire(tank(near=(36, 45)), [shot(6)], "6").rolls == ["penetration"]
    assert fire(tank(), [shot(9)], "1 1").rolls == ["penetration", "damage"]


@pytest.mark.covers("7.4/penetration", "1.1/dice-notation")
def test_two_dice_of_a_monster_are_added() -> None:
    struck = Hit(6, None, "melee", by_unit=1, dice=2, face="front")
    assert fire(tank(), [struck], "3 3").rolls == ["penetration"]
    assert fire(tank(), [struck], "3 4 2").rolls == ["penetration", "damage"]


@pytest.mark.covers("7.4/penetration", "7.3/face-hit")
def test_a_face_that_the_hit_knows_is_the_one() -> None:
    assert fire(tank(near=(36, 45)), [shot(4, face="rear")], "6 1").rolls == ["penetration", "damage"]


@pytest.mark.covers("7.4/vehicle-save", "2.3.2/choose-save")
def test_every_hit_is_saved_before_any_penetration() -> None:
    position = tank(invulnerable_save=5)
    played = fire(position, [shot(), shot()], "5 4 | 1")
    assert played.rolls == ["save", "penetration"]
    assert [q.extent()["count"] for q in played.questions] == [2, 1]
    assert fire(tank(), [shot()], "1").rolls == ["penetration"]


@pytest.mark.covers("7.4/vehicle-save", "2.3.1/cover-granted")
def test_a_vehicle_uses_cover_against_what_grants_it() -> None:
    covers: Covers = {(1, 0, 1): 4}
    assert fire(tank(), [shot(grants_cover=True)], "4", covers=covers).rolls == ["save"]
    assert fire(tank(), [shot()], "1", covers=covers).rolls == ["penetration"]


@pytest.mark.covers("7.4/vehicle-save", "2.3.2/choose-save", "2.3.2/better-than-2")
def test_the_owner_chooses_among_the_saves_of_a_vehicle() -> None:
    position = tank(armour_save=2, invulnerable_save=5)
    played = fire(position, [shot(4, None)], "1 4", ["armour"])
    assert played.rolls == ["save", "second-chance"]
    assert fire(tank(armour_save=2, invulnerable_save=5), [shot(4, None)], "3 1", ["invulnerable"]).rolls == [
        "save",
        "penetration",
    ]


@pytest.mark.covers("1.1/dice-stream", "7.5/damage-roll")
def test_damages_come_one_at_a_time_each_with_its_dice() -> None:
    position = tank()
    played = fire(position, [shot(), shot()], "2 2 | 2 4 | 2 3")
    assert played.rolls == ["penetration", "damage", "shaken", "damage", "shaken"]


@pytest.mark.covers("7.5/damage-roll")
def test_no_more_damage_is_rolled_once_the_vehicle_is_gone() -> None:
    position = tank(structure=1)
    assert fire(position, [shot(), shot()], "2 2 | 4").rolls == ["penetration", "damage"]


# ---------------------------------------------------------------- 7.5 the damage roll


@pytest.mark.covers("7.5/damage-roll")
def test_what_is_added_to_the_damage_roll() -> None:
    vehicle = model(tank(), 0)
    assert [by_penetration(vehicle, Damage(hard)).value for hard in (True, False)] == [1, 0]
    found = [by_ap(vehicle, Damage(False, ap)).value for ap in (0, 1, 2, 6, 7, None)]
    assert found == [1, 1, 0, 0, -1, -1]


@pytest.mark.covers("7.12/open-topped-damage")
def test_an_open_topped_vehicle_adds_one() -> None:
    opened = model(tank(subtypes=("open-topped",)), 0)
    assert by_open_top(opened, Damage(False)).value == 1
    assert by_open_top(model(tank(), 0), Damage(False)).value == 0
    position = tank(subtypes=("open-topped",))
    play(damage.damage(opened, Damage(False, 3, "fire", 1)), "2", position=position)
    assert is_marked(opened, SILENCED, STUCK)


def is_marked(vehicle: Any, *names: str) -> bool:
    return all(vehicle.marks(name) for name in names)


@pytest.mark.covers("7.5/damage-roll")
@pytest.mark.parametrize(("face", "modifier", "result"), [(1, -1, 1), (1, 0, 1), (6, 2, 8), (6, 3, 8), (5, 1, 6)])
def test_the_result_stays_between_1_and_8_after_everything_is_added(face: int, modifier: int, result: int) -> None:
    assert damage_result(face, modifier) == result


@pytest.mark.covers("7.5/damage-roll", "7.5/damage-table")
def test_a_penetrating_hit_with_ap_1_can_make_it_explode_and_a_soft_one_not() -> None:
    position = tank()
    fire(position, [shot(8, 1)], "3 | 6 1")
    assert not model(position, 0).is_on_table
    position = tank()
    fire(position, [shot(8, None)], "2 | 6", [])
    assert structure_left(model(position, 0)) == 2


@pytest.mark.covers("7.5/damage-table")
@pytest.mark.parametrize(("result", "structure"), [(1, 3), (3, 3), (4, 2), (5, 2), (6, 2), (7, 1)])
def test_the_damage_table(result: int, structure: int) -> None:
    position = tank()
    rolled(position, result)
    assert structure_left(model(position, 0)) == structure
    assert model(position, 0).is_on_table


# ---------------------------------------------------------------- 7.6 results


@pytest.mark.covers("7.6/shaken")
@pytest.mark.parametrize(("die", "silent"), [("4", True), ("3", False), ("6", True), ("1", False)])
def test_a_shaken_vehicle_cannot_shoot_on_4_or_more_else_not_move(die: str, silent: bool) -> None:
    position = tank()
    rolled(position, 2, dice=die)
    vehicle = model(position, 0)
    position.now["turn"] = 5
    assert (is_silenced(vehicle), is_stuck(vehicle)) == (silent, not silent)


@pytest.mark.covers("7.6/stunned", "7.6/shaken")
def test_a_stunned_vehicle_loses_its_owners_next_turn_whole() -> None:
    position = tank()
    rolled(position, 3)
    vehicle = model(position, 0)
    for turn, held in ((3, False), (4, False), (5, True), (6, False), (7, False)):
        position.now["turn"] = turn
        assert (is_silenced(vehicle), is_stuck(vehicle)) == (held, held)


@pytest.mark.covers("7.6/stunned")
def test_hit_in_the_enemys_turn_it_loses_the_very_next() -> None:
    position = tank()
    position.now["side"] = 1
    rolled(position, 3)
    assert (model(position, 0).marks(STUCK), model(position, 0).marks(SILENCED)) == (4, 4)


@pytest.mark.covers("7.6/stunned", "7.6/shaken")
def test_what_holds_a_vehicle_in_a_turn_holds_it_to_the_end_of_that_turn() -> None:
    """Stunned again in its own turn, it is held in the next one too."""
    position = tank()
    position.now.update(side=1, turn=2)
    rolled(position, 3)
    position.now.update(side=0, turn=3)
    rolled(position, 3)
    held = []
    for turn in (3, 4, 5, 6):
        position.now["turn"] = turn
        held.append((is_stuck(model(position, 0)), is_silenced(model(position, 0))))
    assert held == [(True, True), (False, False), (True, True), (False, False)]


@pytest.mark.covers("7.6/shaken")
def test_several_shaken_results_add_up() -> None:
    position = tank()
    rolled(position, 2, dice="4")
    rolled(position, 2, dice="3")
    assert is_marked(model(position, 0), SILENCED, STUCK)


@pytest.mark.covers("7.6/weapon-destroyed")
def test_the_enemy_picks_a_working_weapon_and_a_structure_point_goes() -> None:
    position = tank("tank", "beam-gun", "machine-gun", "sidearm")
    done = Damage(False, 3, "fire", 1)
    question = question_after(damage.damage(model(position, 0), done), "5")
    assert isinstance(question, Choose)
    assert (question.side, question.options()) == (1, [0, 1, 2])
    rolled(position, 5, [1])
    assert silenced_mounts(model(position, 0)) == (1,)
    assert working_weapons(model(position, 0)) == [0, 2]
    question = question_after(damage.damage(model(position, 0), done), "5")
    assert question.options() == [0, 2]
    assert structure_left(model(position, 0)) == 2


@pytest.mark.covers("7.6/weapon-destroyed")
def test_without_a_weapon_only_the_structure_point_goes() -> None:
    position = tank()
    assert rolled(position, 5).prompts == []
    assert structure_left(model(position, 0)) == 2


@pytest.mark.covers("7.6/immobilised")
def test_an_immobilised_vehicle_stays_so_and_each_time_loses_a_point() -> None:
    position = tank()
    assert not is_immobilised(model(position, 0))
    rolled(position, 6)
    assert is_immobilised(model(position, 0))
    rolled(position, 6)
    assert (structure_left(model(position, 0)), model(position, 0).marks(IMMOBILISED)) == (1, 1)


@pytest.mark.covers("7.13/flyer-immobilised")
def test_an_immobilised_flyer_is_a_wreck_an_aircraft_only_in_the_air() -> None:
    position = tank("flyer")
    rolled(position, 6)
    assert not model(position, 0).is_on_table
    assert position.ground.has("wreck-0")
    for aloft in (True, False):
        position = tank("aircraft")
        unit(position, 0).mark("aloft", int(aloft))
        rolled(position, 6)
        assert model(position, 0).is_on_table is not aloft


@pytest.mark.covers("7.6/immobilised")
def test_what_is_no_hit_may_immobilise_too() -> None:
    position = tank(structure=1)
    play(damage.immobilise(model(position, 0)), position=position)
    assert not model(position, 0).is_on_table
    assert position.losses[0].cause == "dangerous"
    assert casualties.eliminated_units(position, 0) == [0]


# ---------------------------------------------------------------- 7.6/explodes


def exploding(die: str, dice: str = "", **more: Any) -> Position:
    """A tank explodes with friends 2 and 4 inches from its hull and an enemy 1 inch away."""
    near = squad("militia", 2, at=[(40.0, 24.0), (42.0, 24.0)])
    position = table(squad(profile("tank", **more), at=(36, 24)), squad("veteran", side=1, at=(33, 24)), near)
    hard = Damage(True, 1, "fire", 1)
    play(damage.damage(model(position, 0), hard), f"6 {die} {dice}", position=position, accepting=True)
    return position


@pytest.mark.covers("7.6/explodes")
def test_all_models_within_a_dies_inches_of_the_hull_are_hit_friends_too() -> None:
    position = exploding("1", "4")
    assert [m.is_on_table for m in position.models] == [False, True, True, True]
    near = table(squad("tank", at=(36, 24)), squad("militia", 2, at=[(40.0, 24.0), (42.0, 24.0)]))
    hits = caught(model(near, 0), 2)
    assert [(u.row, [h.target for h in found]) for u, found in hits] == [(1, [1])]
    assert [h.target for _, found in caught(model(near, 0), 4) for h in found] == [1, 2]
    ((_, (one,)),) = hits
    assert (one.strength, one.ap, one.cause, one.grants_cover) == (3, 7, "explosion", False)


@pytest.mark.covers("7.6/explodes", "2/target-kinds")
def test_who_is_caught_is_a_target_by_himself() -> None:
    position = exploding("4", "4 4 | 5 | 4 | 5 | 3")
    assert [m.is_on_table for m in position.models] == [False, True, False, True]


@pytest.mark.covers("7.6/explodes")
def test_an_explosion_leaves_no_wreck() -> None:
    position = exploding("1", "1")
    assert not model(position, 0).is_on_table
    assert position.ground.pieces == ()


@pytest.mark.covers("7.6/explodes", "2/hits-resolved-at-once")
def test_units_that_an_explosion_ends_are_settled_with_the_volley() -> None:
    captain = squad("captain", 1, 1, at=(36, 5))
    position = table(squad("tank", at=(36, 24)), squad("militia", 1, 1, at=(39, 24)), captain)
    position.join(model(position, 2), unit(position, 1))
    play(resolving.take_hits(unit(position, 0), [shot(10, 1)]), "6 6 2 | 6 4", position=position, accepting=True)
    assert model(position, 2).unit == unit(position, 2)


# ---------------------------------------------------------------- 7.1, 7.8


@pytest.mark.covers("7.1/structure-points")
def test_a_profile_that_omits_them_has_3_structure_points() -> None:
    assert structure_left(model(tank(), 0)) == 3
    assert structure_left(model(tank(structure=4), 0)) == 4


@pytest.mark.covers("7.1/structure-points", "7.8/wreck")
def test_structure_points_do_not_go_below_0() -> None:
    position = tank(structure=1)
    rolled(position, 7)
    assert structure_left(model(position, 0)) == 0
    assert model(position, 0).marks(STRUCTURE_LOST) == 1


@pytest.mark.covers("7.8/wreck")
def test_a_wreck_is_a_casualty_and_scenery_of_its_size() -> None:
    position = tank()
    rolled(position, 7)
    assert not position.ground.has("wreck-0")
    rolled(position, 4)
    piece = position.ground.piece("wreck-0")
    assert set(piece.outline) == {(34.5, 21.5), (37.5, 21.5), (37.5, 26.5), (34.5, 26.5)}
    assert (piece.height, piece.tags) == (2.5, ("difficult", "solid", "cover-5", "wreck"))
    assert not model(position, 0).is_on_table
    assert [(loss.model, loss.cause, loss.by) for loss in position.losses] == [(0, "fire", 1)]


@pytest.mark.covers("7.8/wreck")
def test_a_wreck_takes_no_name_that_scenery_has() -> None:
    position = tank(structure=1)
    position.change_ground(position.ground.with_piece(wall(10, 10, name="wreck-0")), piece="wreck-0")
    rolled(position, 4)
    assert [piece.name for piece in position.ground.pieces] == ["wreck-0", "wreck-1"]
    assert position.ground.piece("wreck-1").tags[-1] == "wreck"


@pytest.mark.covers("7.8/wreck")
def test_a_wrecked_flyer_leaves_nothing_where_others_stand() -> None:
    position = table(squad("flyer", at=(36, 24)), squad("veteran", side=1, at=(36, 24)))
    rolled(position, 6)
    assert position.ground.pieces == ()
    assert not model(position, 0).is_on_table


@pytest.mark.covers("7.8/wreck")
def test_a_walker_leaves_a_wreck_where_other_scenery_is() -> None:
    position = table(squad(profile("walker", structure=1)), pieces=[block(36, 24, 8, 8, "difficult")])
    play(damage.damage(model(position, 0), Damage(False, 3)), "4", position=position)
    assert [piece.kind for piece in position.ground.pieces] == ["block", "wreck"]


# ---------------------------------------------------------------- 7.17/squadron-hits


def squadron(count: int = 2, **more: Any) -> Position:
    return table(squad("tank", count, at=(20, 24), spacing=6), squad("veteran", 1, 1, at=(60, 45)), **more)


@pytest.mark.covers("7.17/squadron-hits")
def test_the_owner_gives_hits_to_the_vehicles_of_a_squadron_in_rounds() -> None:
    position = squadron()
    question = question_after(resolving.take_hits(unit(position, 0), [Hit(8, 3, by_unit=1)] * 3))
    assert isinstance(question, Allot)
    assert (question.side, question.prompt, question.holders) == (0, "allot-hits", [0, 1])
    assert refused(question, [0, 0, 1]) == ""
    assert refused(question, [0, 0, 0]) != ""


@pytest.mark.covers("7.17/squadron-hits", "7.4/vehicle-save")
def test_hits_are_given_out_before_saves_and_penetration_vehicle_by_vehicle() -> None:
    position = squadron()
    hits = [Hit(8, 3, by_unit=1), Hit(4, 5, by_unit=1), Hit(8, 3, by_unit=1)]
    played = fire(position, hits, "1 | 1 | 1", [[1, 0, 0]])
    assert [(q.about["model"], q.about["strength"]) for q in played.questions[1:]] == [(0, 4), (0, 8), (1, 8)]


@pytest.mark.covers("7.17/squadron-hits")
def test_the_face_is_found_for_each_vehicle() -> None:
    position = table(squad("tank", 2, at=[(20, 24), (30, 44)]), squad("veteran", 1, 1, at=(20, 46)))
    played = fire(position, [Hit(4, 3, by_unit=1)] * 2, "1 1")
    assert [q.about["armour"] for q in played.questions] == [13, 11]
    assert played.prompts == []


@pytest.mark.covers("7.17/squadron-hits", "2/target-kinds")
def test_hits_that_have_their_vehicle_are_not_given_out() -> None:
    position = squadron()
    struck = Hit(6, None, "melee", by_unit=1, target=1, face="rear")
    played = fire(position, [struck, struck, struck], "1 1 1")
    assert played.prompts == []
    assert played.questions[0].about["model"] == 1


@pytest.mark.covers("7.17/squadron-hits")
def test_the_proposal_for_a_squadron_is_lawful_and_one_vehicle_is_not_asked_for() -> None:
    assert fire(squadron(1), [shot(4), shot(5)], "1 1").prompts == []
    played = fire(squadron(), [Hit(4, 3, by_unit=1), Hit(5, 3, by_unit=1)], "1 1", [PROPOSAL])
    assert played.prompts == ["allot-hits"]
