"""Sight: the front, the nine lines, what obscures, and the models in the way."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.ragnarok.basics.sight import (
    all_lines,
    covering,
    covering_enemies,
    covering_friend,
    eye,
    in_field_of_view,
    is_in_rear,
    is_obscured,
    lines_to,
    may_cover,
    seen_by,
    sees,
)
from campale.rulesets.ragnarok.close_combat.charge import Onset
from campale.rulesets.ragnarok.close_combat.melee import Attack, meets_charge_with_long
from campale.rulesets.ragnarok.shooting.fire import (
    REACTION,
    SUPPRESSIVE,
    Shot,
    a_friend_is_in_the_way,
    aiming_of,
    is_in_a_brawl,
    is_out_of_sight,
    obscured,
    past_the_screen,
    shoot,
)
from campale.rulesets.ragnarok.shooting.thrown import named_target, sees_point, targets_of_throw, throw
from campale.rulesets.ragnarok.turn.abilities import spear_of_odin, spear_targets
from campale.rulesets.ragnarok.turn.reactions import seen_along
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from campale.table.outlines import rectangle
from campale.table.paths import Path
from campale.table.terrain import Piece
from tests.rulesets.ragnarok.kit import Figure, a, activate, first_question, piece, play, refused, table, way


def block(x: float, y: float, width: float, depth: float, height: float, sight: str = "solid") -> Piece:
    """A piece of any size, by its centre."""
    outline = rectangle(x, y, width, depth, 0.0)
    return Piece(f"block-{x:g}-{y:g}", "block", outline, height=height, tags=("rough", sight))


def facing(*others: Figure, pieces: Any = (), viewer: str = "steam_rifleman", **now: Any) -> Position:
    """A viewer at (60, 30) and an enemy raider at (60, 50), twenty centimetres ahead."""
    return table(a(viewer, at=(60, 30)), a("raider", 1, at=(60, 50)), *others, pieces=pieces, **now)


# ---------------------------------------------------------------- vision/true-sight


@pytest.mark.covers("vision/true-sight", "vision/geometry")
@pytest.mark.parametrize(
    ("profile", "marks", "height"),
    [("raider", {}, 2.7), ("draugr", {}, 3.15), ("anvil_turret", {}, 3.6), ("raider", {"prone": 4}, 0.9)],
)
def test_the_eye_is_at_nine_tenths_of_the_height(profile: str, marks: dict[str, Any], height: float) -> None:
    model = table(a(profile, at=(60, 30), **marks)).model(0)
    assert eye(model) == pytest.approx((60.0, 30.0, height))


@pytest.mark.covers("vision/true-sight")
def test_the_eye_of_a_model_on_a_hill_is_higher() -> None:
    model = table(a("raider", at=(60, 60)), pieces=[piece("hill", 60, 60)]).model(0)
    assert eye(model) == pytest.approx((60.0, 60.0, 5.7))


@pytest.mark.covers("vision/true-sight", "profile/base-and-height")
@pytest.mark.parametrize(("height", "is_seen"), [(2.69, True), (2.71, False)])
def test_a_standing_model_looks_over_what_is_lower_than_its_eye(height: float, is_seen: bool) -> None:
    """The target is as tall: the line between the two heads is level at 2.7."""
    assert sees(*facing(pieces=[block(60, 40, 20, 2, height)]).models) is is_seen


# ---------------------------------------------------------------- vision/arc, vision/front-rear


@pytest.mark.covers("vision/arc")
@pytest.mark.parametrize(("y", "is_in_view"), [(48.75, True), (48.749, True), (48.74, False), (70.0, True)])
def test_a_target_is_in_the_field_of_view_if_any_part_of_its_base_is_on_the_line(y: float, is_in_view: bool) -> None:
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(80, y)))
    assert in_field_of_view(position.model(0), position.model(1)) is is_in_view
    assert sees(position.model(0), position.model(1)) is is_in_view
    assert seen_by(position.model(0), [position.model(1)]) == [position.model(1)] * is_in_view
    assert seen_along([position.model(0)], position.model(1), Path(((80.0, y),))) == [is_in_view]


@pytest.mark.covers("vision/arc")
@pytest.mark.parametrize(("turn", "is_in_view"), [(0.0, True), (90.0, True), (180.0, False), (270.0, False)])
def test_only_the_half_circle_ahead_is_seen(turn: float, is_in_view: bool) -> None:
    position = table(a("raider", at=(60, 50), facing=turn), a("raider", 1, at=(64, 60)))
    assert sees(position.model(0), position.model(1)) is is_in_view


@pytest.mark.covers("vision/front-rear")
@pytest.mark.parametrize(("y", "is_behind"), [(50.0, False), (49.999, False), (49.99, True), (60.0, False)])
def test_an_enemy_is_in_the_rear_when_its_centre_is_strictly_behind_the_line(y: float, is_behind: bool) -> None:
    model = table(a("raider", at=(60, 50))).model(0)
    assert is_in_rear(model, (70.0, y)) is is_behind


@pytest.mark.covers("vision/front-rear")
@pytest.mark.parametrize(("y", "is_rear"), [(65.0, True), (75.0, False)])
def test_a_charge_comes_from_where_it_was_declared_however_it_curls(y: float, is_rear: bool) -> None:
    """The target looks south from y 70; the charger ends beside it."""
    target = a("raider", 1, at=(60, 70), facing=0, commander=1)
    position = table(a("raider", at=(67, y), facing=270, commander=1), target)
    end = (62.5, 70.0)
    activate(position, [0, "charge", 1, way(end, facing=None)], ["none"], dice="6 6")
    assert [onset[2] for onset in position.declared["onsets"]] == [is_rear]


@pytest.mark.covers("vision/front-rear", "weapon-rules/long")
@pytest.mark.parametrize("in_rear", [True, False])
def test_a_long_weapon_meets_a_charge_on_the_front_only(in_rear: bool) -> None:
    position = table(a("draugr", at=(60, 50)), a("raider", 1, at=(60, 52.75)))
    fighter = position.model(0)
    attack = Attack(fighter, position.model(1), fighter.profile.weapons[0], [Onset(1, 0, in_rear, False)])
    assert meets_charge_with_long(attack) is not in_rear


# ---------------------------------------------------------------- vision/geometry, vision/obscured


@pytest.mark.covers("vision/geometry", "vision/obscured")
def test_in_the_open_all_nine_lines_are_clear() -> None:
    position = facing()
    viewer, target = position.models
    assert lines_to(viewer, target) == (True, True)
    assert all_lines([viewer], [target]) == [[(True, True)]]
    assert sees(viewer, target)
    assert not is_obscured(viewer, target)


@pytest.mark.covers("vision/geometry", "vision/obscured")
@pytest.mark.parametrize(
    ("left", "any_free", "all_clear"), [(58.8, False, False), (60.62, True, False), (61.26, True, True)]
)
def test_one_of_the_three_columns_is_enough_to_see_and_one_hidden_is_enough_to_be_obscured(
    left: float, any_free: bool, all_clear: bool
) -> None:
    """A high wall just before the target, from x ``left`` to the right."""
    wall = block(left + 10, 48, 20, 1, 10)
    position = facing(pieces=[wall])
    assert lines_to(*position.models) == (any_free, all_clear)
    assert sees(*position.models) is any_free
    assert is_obscured(*position.models) is not all_clear


@pytest.mark.covers("vision/geometry", "vision/obscured")
@pytest.mark.parametrize(("height", "seen", "clear"), [(0.45, True, True), (0.47, True, False), (2.75, False, False)])
def test_the_target_is_looked_at_at_three_heights(height: float, seen: bool, clear: bool) -> None:
    """A wall as wide as can be close before a target whose lowest points are at 0.3 and highest at 2.7."""
    position = facing(pieces=[block(60, 48.7, 20, 0.1, height)])
    assert lines_to(*position.models) == (seen, clear)


@pytest.mark.covers("vision/geometry", "profile/base-and-height")
@pytest.mark.parametrize(("marks", "is_seen"), [({}, True), ({"prone": 4}, False), ({"wounds": 1}, False)])
def test_who_lies_behind_a_low_wall_is_not_seen(marks: dict[str, Any], is_seen: bool) -> None:
    position = table(a("raider", at=(60, 30)), a("raider", 1, at=(60, 50), **marks), pieces=[block(60, 48, 20, 1, 1.5)])
    assert sees(*position.models) is is_seen


@pytest.mark.covers("vision/geometry", "hide/state")
def test_a_hidden_model_is_seen_by_nobody() -> None:
    position = facing()
    viewer, target = position.models
    target.mark("hidden", 1)
    assert not sees(viewer, target)
    assert seen_by(viewer, [target]) == []
    assert is_out_of_sight(viewer, target, viewer.profile.weapons[0]) is not None


@pytest.mark.covers("vision/geometry")
def test_models_never_block_sight() -> None:
    crowd = [a("anvil_turret", side, at=(60 + dx, 40)) for side, dx in ((1, 0), (1, -4.1), (0, 4.1))]
    assert sees(*facing(*crowd).models[:2])


@pytest.mark.covers("vision/geometry")
def test_what_is_out_of_sight_is_no_target_of_fire() -> None:
    hidden, seen = facing(pieces=[piece("workshop", 60, 40)]), facing()
    musket = seen.model(0).profile.weapons[0]
    fault = is_out_of_sight(hidden.model(0), hidden.model(1), musket)
    assert fault is not None
    assert fault.where == (60.0, 50.0)
    assert is_out_of_sight(seen.model(0), seen.model(1), musket) is None


@pytest.mark.covers("vision/geometry")
@pytest.mark.parametrize(
    ("point", "is_seen"), [((60, 50), True), ((60, 30), True), ((60, 29.9), False), ((90, 50), False)]
)
def test_a_point_of_the_ground_is_seen_in_front_with_a_free_line(point: tuple[float, float], is_seen: bool) -> None:
    position = facing(pieces=[block(75, 40, 2, 30, 10)])
    assert sees_point(position.model(0), point) is is_seen


@pytest.mark.covers("vision/obscured", "battlefield/opacity")
@pytest.mark.parametrize(("depth", "lines"), [(4.9, (True, False)), (5.2, (False, False))])
def test_a_screen_up_to_five_centimetres_veils_and_a_deeper_one_hides(depth: float, lines: tuple[bool, bool]) -> None:
    position = facing(pieces=[block(60, 40, 30, depth, 10, "screen")])
    assert lines_to(*position.models) == lines


@pytest.mark.covers("vision/obscured", "battlefield/opacity")
@pytest.mark.parametrize(("y", "is_veiled"), [(38.7, False), (38.5, True)])
def test_the_screen_that_a_viewer_is_in_contact_with_does_not_obscure_its_targets(y: float, is_veiled: bool) -> None:
    """A ruin edge at y 40, 4 deep; the base of the viewer reaches to 1.25 before its centre."""
    position = table(a("raider", at=(60, y)), a("raider", 1, at=(60, 60)), pieces=[block(60, 42, 30, 4, 10, "screen")])
    assert is_obscured(*position.models) is is_veiled
    assert is_obscured(position.model(1), position.model(0)) is True


@pytest.mark.covers("vision/obscured", "battlefield/opacity")
def test_two_viewers_whose_eyes_coincide_are_judged_each_by_its_own_base() -> None:
    """Lying at the same place at different times: the wider base touches the ruin, the smaller one does not."""
    ruin = block(60, 42, 30, 4, 0.85, "screen")
    position = table(
        a("raider", at=(60, 38.6), prone=4),
        a("raider", 1, at=(60, 50)),
        a("draugr", at=(20, 20), prone=4),
        pieces=[ruin],
    )
    raider, target, draugr = position.models
    assert is_obscured(raider, target)
    raider.move_to(100, 100, facing=0)
    draugr.move_to(60, 38.6, facing=0)
    assert not is_obscured(draugr, target)


@pytest.mark.covers("vision/obscured", "fire/mod-obscured")
def test_being_obscured_by_scenery_and_by_a_model_counts_once() -> None:
    position = facing(a("raider", 1, at=(60, 40)), pieces=[block(60, 45, 30, 2, 10, "screen")])
    assert obscured(aiming_of(position, Shot(0, 1, 0))).value == -1
    assert obscured(aiming_of(position, Shot(0, 1, 0, is_screened=True))).value == -1
    assert obscured(aiming_of(facing(), Shot(0, 1, 0))).value == 0
    assert obscured(aiming_of(facing(), Shot(0, 1, 0, is_screened=True))).value == -1


# ---------------------------------------------------------------- vision/engaged-targets


def brawl(y: float = 52.5) -> Position:
    """Model 1, the enemy, is in contact with model 2 where ``y`` is 52.5."""
    return table(
        a("raider", at=(60, 30), commander=1, adds=["boiler_pistol"]),
        a("rune_seer", 1, at=(60, 50), commander=1),
        a("raider", at=(60, y)),
    )


@pytest.mark.covers("vision/engaged-targets")
@pytest.mark.parametrize(("y", "is_barred"), [(52.55, True), (52.56, False)])
@pytest.mark.parametrize("action", ["fire", "suppressive-fire"])
def test_an_engaged_model_is_no_target_of_fire(y: float, is_barred: bool, action: str) -> None:
    position = brawl(y)
    weapon = position.model(0).profile.weapons[2]
    assert (is_in_a_brawl(position.model(0), position.model(1), weapon) is not None) is is_barred
    assert (refused(position, 0, action, 2, 1) != "") is is_barred


@pytest.mark.covers("vision/engaged-targets")
@pytest.mark.parametrize(("y", "targets"), [(52.55, []), (52.56, [1])])
def test_an_engaged_model_is_no_target_of_a_throw(y: float, targets: list[int]) -> None:
    position = brawl(y)
    assert [model.row for model in targets_of_throw(position.model(0))] == targets
    assert play(named_target(position, Shot(0, -1, 1))).value == (targets[0] if targets else None)


@pytest.mark.covers("vision/engaged-targets")
def test_an_indirect_weapon_is_not_aimed_into_a_brawl_either() -> None:
    position = brawl()
    mortar = a("raider", adds=["spring_mortar"]).profile.weapons[-1]
    assert is_in_a_brawl(position.model(0), position.model(1), mortar) is not None


@pytest.mark.covers("vision/engaged-targets")
@pytest.mark.parametrize("y", [52.5, 52.6])
def test_reaction_fire_is_lost_at_an_engaged_model_that_acts(y: float) -> None:
    """Reaction fire at a seer that concentrates in a melee."""
    position = table(
        a("rune_seer", at=(60, 50), commander=1),
        a("raider", 1, at=(60, y)),
        a("frost_hunter", 1, at=(80, 50), facing=270, commander=1),
    )
    reactions = ["reaction-fire"] if y == 52.5 else ["none", "reaction-fire"]
    played = activate(position, [0, "concentrate"], reactions, dice="" if y == 52.5 else "1 1")
    assert ("reaction-lost" in played.kinds) is (y == 52.5)


@pytest.mark.covers("vision/engaged-targets", "reaction-fire/against-charge")
def test_the_charger_itself_may_be_shot_by_its_target() -> None:
    position = table(a("raider", at=(60, 40), commander=1), a("frost_hunter", 1, at=(60, 50), commander=1))
    played = activate(position, [0, "charge", 1, way((60, 47.5), facing=None)], ["reaction-fire"], dice="6 6 | 1 1")
    assert played.rolls == ["charge-distance", "to-hit"]


@pytest.mark.covers("vision/engaged-targets", "abilities/spear-of-odin")
def test_an_ability_may_be_aimed_at_an_engaged_model() -> None:
    position = table(a("rune_seer", at=(60, 30)), a("raider", 1, at=(60, 50)), a("raider", at=(60, 52.5)))
    assert [model.row for model in spear_targets(position.model(0))] == [1]


@pytest.mark.covers("vision/engaged-targets", "overlap/redirect")
def test_a_shot_may_be_diverted_onto_an_engaged_model() -> None:
    position = facing(a("raider", 1, at=(60, 40)), a("raider", at=(62.5, 40)))
    played = play(shoot(position, Shot(0, 1, 0)), dice="3 | 4 1 | 1 1")
    assert played.questions[1].about["target"] == 2
    assert position.model(2).marks("wounds") == 1


# ---------------------------------------------------------------- overlap/what-covers


@pytest.mark.covers("overlap/what-covers")
@pytest.mark.parametrize(("x", "covers"), [(61.0, True), (61.87, True), (61.9, False), (58.13, True)])
def test_a_model_covers_when_one_of_the_nine_lines_passes_through_its_cylinder(x: float, covers: bool) -> None:
    """Half way the outermost lines are 0.625 off the middle, and the base reaches 1.25."""
    position = facing(a("raider", 1, at=(x, 40)))
    assert covering(position.model(0), position.model(1)) == [position.model(2)] * covers


@pytest.mark.covers("overlap/what-covers")
@pytest.mark.parametrize("y", [27.0, 53.0])
def test_a_model_behind_the_viewer_or_behind_the_target_does_not_cover(y: float) -> None:
    position = facing(a("raider", 1, at=(60, y)))
    assert covering(position.model(0), position.model(1)) == []


@pytest.mark.covers("overlap/what-covers")
@pytest.mark.parametrize(
    ("marks", "covers"),
    [({}, True), ({"prone": 4}, False), ({"wounds": 1}, False), ({"hidden": 1}, False), ({"alert": 1}, True)],
)
@pytest.mark.parametrize("side", [0, 1])
def test_who_is_prone_fallen_or_hidden_never_covers(marks: dict[str, Any], covers: bool, side: int) -> None:
    position = facing(a("raider", side, at=(60, 40), **marks))
    assert may_cover(position.model(2)) is covers
    assert covering(position.model(0), position.model(1)) == [position.model(2)] * covers


@pytest.mark.covers("overlap/what-covers")
def test_a_model_that_is_no_longer_on_the_table_does_not_cover() -> None:
    position = facing(a("raider", 1, at=(60, 40)), a("raider", 1, at=None))
    position.remove(position.model(2), "flight")
    assert covering(position.model(0), position.model(1)) == []


@pytest.mark.covers("overlap/what-covers")
@pytest.mark.parametrize("marks", [{"prone": 4}, {"wounds": 1}])
def test_lines_down_to_a_target_that_lies_pass_over_nobody_but_through_the_upright(marks: dict[str, Any]) -> None:
    position = table(a("raider", at=(60, 30)), a("raider", 1, at=(60, 50), **marks), a("raider", 1, at=(60, 40)))
    assert covering(position.model(0), position.model(1)) == [position.model(2)]


@pytest.mark.covers("overlap/what-covers")
def test_a_model_at_the_foot_of_a_hill_does_not_cover_one_on_top_from_another_hill() -> None:
    near, far = piece("hill", 60, 25, name="near"), piece("hill", 60, 60, name="far")
    position = table(
        a("raider", at=(60, 31)), a("anvil_turret", 1, at=(60, 55)), a("raider", 1, at=(60, 42)), pieces=[near, far]
    )
    assert [model.z for model in position.models] == [3.0, 3.0, 0.0]
    assert covering(position.model(0), position.model(1)) == []


# ---------------------------------------------------------------- overlap/enemy-covers, overlap/redirect


@pytest.mark.covers("overlap/enemy-covers")
def test_covering_enemies_are_those_of_the_other_side() -> None:
    position = facing(a("raider", 1, at=(60, 45)), a("raider", 0, at=(60, 35)), a("raider", 1, at=(60, 40)))
    assert [model.row for model in covering_enemies(position.model(0), position.model(1))] == [4, 2]


@pytest.mark.covers("overlap/enemy-covers", "overlap/redirect")
@pytest.mark.parametrize(("die", "target", "is_screened"), [(4, 1, True), (3, 3, False), (6, 1, True), (1, 3, False)])
def test_one_die_however_many_are_in_the_way_at_the_target_on_a_four_else_at_the_nearest(
    die: int, target: int, is_screened: bool
) -> None:
    position = facing(a("raider", 1, at=(60, 45)), a("raider", 1, at=(60, 40)))
    played = play(past_the_screen(position.model(0), position.model(1)), dice=str(die), position=position)
    assert (played.value[0].row, played.value[1]) == (target, is_screened)
    assert played.rolls == ["screen"]
    assert ("diverted" in played.kinds) is not is_screened


@pytest.mark.covers("overlap/enemy-covers")
def test_without_an_enemy_in_the_way_no_die_is_rolled() -> None:
    position = facing(a("raider", 1, at=(64, 40)))
    played = play(past_the_screen(position.model(0), position.model(1)))
    assert (played.value[0].row, played.value[1]) == (1, False)


@pytest.mark.covers("overlap/redirect")
def test_the_nearest_in_the_way_is_the_one_whose_base_is_nearest() -> None:
    """The turret's centre is farther off than the raider's, its edge is nearer."""
    position = facing(a("raider", 1, at=(58.6, 40)), a("anvil_turret", 1, at=(62, 40.3)))
    assert [model.row for model in covering(position.model(0), position.model(1))] == [3, 2]


@pytest.mark.covers("overlap/redirect", "measuring/base-edge")
def test_of_two_equally_near_the_one_set_up_first_is_struck() -> None:
    position = facing(a("raider", 1, at=(61.4, 40)), a("raider", 1, at=(58.6, 40)))
    assert [model.row for model in covering(position.model(0), position.model(1))] == [2, 3]


@pytest.mark.covers("overlap/enemy-covers", "fire/mod-obscured")
@pytest.mark.parametrize("kind", ["fire", SUPPRESSIVE, REACTION])
def test_a_shot_past_a_screen_is_at_an_obscured_target(kind: str) -> None:
    position = facing(a("raider", 1, at=(60, 40)))
    played = play(shoot(position, Shot(0, 1, 0, kind)), dice="4 | 1 1")
    assert [question.prompt for question in played.questions] == ["screen", "to-hit"]
    need = played.questions[1].needed  # type: ignore[attr-defined]
    assert sum(part.value for part in need.parts if part.rule == "fire/mod-obscured") == -1


@pytest.mark.covers("overlap/redirect", "fire/mod-close", "fire/mod-obscured")
def test_the_diverted_shot_is_judged_by_the_distance_and_the_cover_of_its_new_target() -> None:
    """The chosen target stands far off behind a screen; the one in the way close by in the open."""
    far = a("raider", 1, at=(60, 60))
    veil = block(60, 55, 30, 2, 10, "screen")
    position = table(a("steam_rifleman", at=(60, 30)), far, a("raider", 1, at=(60, 41.5)), pieces=[veil])
    played = play(shoot(position, Shot(0, 1, 0)), dice="2 | 1 1")
    need = played.questions[1].needed  # type: ignore[attr-defined]
    assert played.questions[1].about["target"] == 2
    assert {part.rule: part.value for part in need.parts} == {"fire/mod-close": 1}


@pytest.mark.covers("overlap/redirect")
def test_no_second_screening_die_is_rolled_for_the_new_target() -> None:
    position = facing(a("raider", 1, at=(60, 45)), a("raider", 1, at=(58.9, 40)))
    assert play(shoot(position, Shot(0, 1, 0)), dice="3 | 1 1").rolls == ["screen", "to-hit"]


@pytest.mark.covers("overlap/redirect", "tactical/reactions-aim")
def test_even_a_reaction_may_strike_a_model_that_did_nothing() -> None:
    position = facing(a("raider", 1, at=(60, 40)))
    play(shoot(position, Shot(0, 1, 0, REACTION)), dice="3 | 5 1 | 1 1")
    assert (position.model(1).marks("wounds"), position.model(2).marks("wounds")) == (0, 1)


@pytest.mark.covers("overlap/enemy-covers")
def test_thrown_and_indirect_weapons_and_charges_know_no_screen() -> None:
    position = facing(a("raider", 1, at=(60, 40)), viewer="raider")
    assert play(throw(position, Shot(0, -1, 1)), dice="1").rolls == ["to-hit"]
    mortar = table(
        a("steam_rifleman", at=(60, 30), adds=["spring_mortar"]),
        a("raider", 1, at=(60, 50)),
        a("raider", 1, at=(60, 40)),
    )
    assert play(shoot(mortar, Shot(0, 1, 2)), dice="1").rolls == ["to-hit"]
    charge = table(
        a("raider", at=(60, 30), commander=1),
        a("raider", 1, at=(60, 40), commander=1, charisma=0),
        a("raider", 1, at=(60.5, 36), prone=0, charisma=0),
    )
    path = way((57, 36), (57.9, 38.65), facing=None)
    answer = first_question(tactical_phase(charge)).refusal([0, "charge", 1, path])
    assert answer is None or answer.rule.startswith(("move/", "charge/"))


@pytest.mark.covers("overlap/enemy-covers", "overlap/redirect")
@pytest.mark.parametrize(("die", "struck"), [(4, 1), (3, 2)])
def test_an_ability_along_a_line_of_sight_rolls_the_screening_die_too(die: int, struck: int) -> None:
    position = table(a("rune_seer", at=(60, 30)), a("raider", 1, at=(60, 50)), a("raider", 1, at=(60, 40)))
    played = play(spear_of_odin(position.model(0), position.model(1)), dice=f"{die} | 1 | 1 1")
    assert played.rolls == ["screen", "spear", "shield-save", "armour-save"]
    assert position.model(struck).marks("wounds") == 1


@pytest.mark.covers("overlap/enemy-covers", "fire/range")
def test_a_shot_out_of_range_rolls_no_screening_die() -> None:
    position = table(a("frost_hunter", at=(60, 30)), a("raider", 1, at=(60, 85)), a("raider", 1, at=(60, 40)))
    assert play(shoot(position, Shot(0, 1, 0)), position=position).kinds == ["out-of-range"]


# ------------------------------------------------ overlap/friend-covers, control-area/allies-transparent


@pytest.mark.covers("overlap/friend-covers", "control-area/allies-transparent")
@pytest.mark.parametrize(("y", "is_barred"), [(38.5, False), (38.52, True)])
def test_a_friend_in_the_way_forbids_a_shot_unless_it_is_in_the_own_area(y: float, is_barred: bool) -> None:
    position = facing(a("raider", 0, at=(60, y)), a("raider", 1, at=(80, 50)))
    viewer, target, friend, _ = position.models
    assert covering_friend(viewer, target) is (friend if is_barred else None)
    assert (a_friend_is_in_the_way(viewer, target, viewer.profile.weapons[0]) is not None) is is_barred
    assert refused(position, 0, "fire", 0, 1, "plain") == ("overlap/friend-covers" if is_barred else "")


@pytest.mark.covers("overlap/friend-covers")
@pytest.mark.parametrize(("x", "is_barred"), [(61.87, True), (61.9, False)])
def test_a_friend_that_covers_the_smallest_part_forbids_the_shot(x: float, is_barred: bool) -> None:
    position = facing(a("raider", 0, at=(x, 40)))
    assert (covering_friend(position.model(0), position.model(1)) is not None) is is_barred


@pytest.mark.covers("control-area/allies-transparent")
def test_a_friend_in_the_own_area_gives_no_cover_and_asks_for_no_die() -> None:
    position = facing(a("raider", 0, at=(60, 36)))
    assert not is_obscured(position.model(0), position.model(1))
    assert play(shoot(position, Shot(0, 1, 0)), dice="1 1").rolls == ["to-hit"]


@pytest.mark.covers("control-area/allies-transparent", "control-area/off-when-engaged")
@pytest.mark.parametrize(("y", "targets"), [(27.5, []), (27.0, [1])])
def test_an_engaged_caster_has_no_area_that_would_make_a_friend_transparent(y: float, targets: list[int]) -> None:
    """The friend stands 4 cm ahead; an enemy is behind the seer, in contact or not."""
    position = table(
        a("rune_seer", at=(60, 30)), a("raider", 1, at=(60, 50)), a("raider", at=(60, 36)), a("raider", 1, at=(60, y))
    )
    assert [model.row for model in spear_targets(position.model(0)) if model.row == 1] == targets


@pytest.mark.covers("overlap/friend-covers")
def test_indirect_and_thrown_weapons_go_over_friends() -> None:
    position = facing(a("raider", 0, at=(60, 42)), viewer="raider")
    viewer, target, _ = position.models
    mortar = a("raider", adds=["spring_mortar"]).profile.weapons[-1]
    assert a_friend_is_in_the_way(viewer, target, mortar) is None
    assert [model.row for model in targets_of_throw(viewer)] == [1]


@pytest.mark.covers("overlap/friend-covers", "tactical/lost-reactions")
@pytest.mark.parametrize(("y", "is_lost"), [(57.5, False), (57.48, True)])
def test_reaction_fire_is_lost_when_a_friend_is_in_the_way_at_its_moment(y: float, is_lost: bool) -> None:
    """The hunter controls 10 cm round its base."""
    position = table(
        a("raider", at=(60, 50), commander=1),
        a("frost_hunter", 1, at=(60, 70), commander=1),
        a("raider", 1, at=(60, y), fatigue=4),
    )
    played = activate(position, [0, "aim"], ["reaction-fire"], dice="" if is_lost else "1 1")
    assert ("reaction-lost" in played.kinds) is is_lost
