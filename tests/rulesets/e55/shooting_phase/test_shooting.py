"""Who may shoot, at whom, with what; going to ground (3.2, 3.2.4, 6.1, 6.2, 7.9, 7.10)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Form
from campale.rulesets.e55.armies.profile import Line, Mount, Power, Weapon
from campale.rulesets.e55.shooting_phase import shooting
from campale.rulesets.e55.shooting_phase.declaring import HOLD, SPLIT, fields_of
from campale.rulesets.e55.shooting_phase.fire import Shot, declared
from campale.rulesets.e55.shooting_phase.shooting import declaration_phase, get_up, go_to_ground
from campale.rulesets.e55.shooting_phase.targets import is_in_arc
from campale.rulesets.e55.turn import acting
from campale.rulesets.e55.turn.acting import DONE_KEY, refusal_of
from tests.rulesets.e55.kit import (
    PROPOSAL,
    WEAPONS,
    Played,
    Squad,
    block,
    first_question,
    model,
    play,
    profile,
    put,
    refused,
    rules,
    squad,
    table,
    unit,
    wall,
    wood,
)

SHOOT = ("shoot", 0)


def rifles(count: int = 2, *carried: Any, **more: Any) -> Squad:
    return squad("veteran", count, 0, (20, 10), *(carried or ("rifle",)), faces=more.pop("faces", 1), **more)


def against(shooters: Squad, *others: Squad, pieces: Any = (), **now: Any) -> Position:
    """Unit 0 and ten militia 12 inches away, and other units."""
    return table(shooters, squad("militia", 10, 1, (20, 24)), *others, pieces=pieces, **now)


def why_not(battle: Position, key: tuple[Any, ...] = SHOOT) -> str:
    refusal = refusal_of(battle, key)
    return "" if refusal is None else refusal.rule


def declare(battle: Position, *fields: Any, key: tuple[Any, ...] = SHOOT) -> Played:
    return play(declaration_phase(battle), answers=[key, list(fields)], position=battle)


def form(battle: Position, number: int = 0) -> Form:
    return Form(0, "shots", fields_of(unit(battle, number)))


def why_no_field(battle: Position, *fields: Any, number: int = 0) -> str:
    refusal = form(battle, number).refusal(list(fields))
    return "" if refusal is None else refusal.rule or refusal.word


# ---------------------------------------------------------------- 3.2/who-can-shoot


@pytest.mark.covers("3.2/who-can-shoot")
def test_a_unit_may_shoot_unless_it_is_in_close_combat() -> None:
    assert why_not(against(rifles())) == ""
    assert why_not(against(rifles(combat=1))) == "3.2/who-can-shoot"


@pytest.mark.covers("3.1.3/run-restrictions", "3.2.4/ground-restrictions", "4.2/broken-cannot-act")
@pytest.mark.parametrize(
    ("state", "rule"),
    [
        ("ran", "3.1.3/run-restrictions"),
        ("to_ground", "3.2.4/ground-restrictions"),
        ("broken", "4.2/broken-cannot-act"),
        ("shot", "3.2/declare-first"),
        ("moved", ""),
    ],
)
def test_what_else_forbids_a_unit_to_shoot(state: str, rule: str) -> None:
    assert why_not(against(rifles(2, "carbine", **{state: 1}))) == rule


@pytest.mark.covers("3.2/model-unable")
def test_a_unit_without_anything_to_fire_cannot_shoot() -> None:
    assert why_not(against(rifles(2, "blade"))) == "3.2/model-unable"
    assert why_not(against(rifles(2, "machine-gun", moved=1))) == "9.1.1/heavy"
    assert why_not(against(rifles(2, "machine-gun"))) == ""


@pytest.mark.covers("3.2/model-unable")
def test_a_model_that_cannot_fire_does_not_keep_its_unit_from_it_and_counts_as_having_shot() -> None:
    gunner, rifleman = profile("veteran", "machine-gun"), profile("veteran", "carbine")
    battle = against(squad([rifleman, gunner], 1, 0, (20, 10), faces=1, moved=1))
    declare(battle, ("fire", 0, 0, 2))
    assert [shot.model for shot in declared(battle)] == [0]
    assert unit(battle, 0).marks("shot") == 1
    assert unit(battle, 0).marks("no-charge") == 0


# ---------------------------------------------------------------- 3.2/legal-target


@pytest.mark.covers("3.2/legal-target", "3.1.4/facing-restricts")
def test_only_the_unit_that_is_faced_is_shot_at() -> None:
    battle = against(rifles(), squad("militia", 1, 1, (24, 16)))
    declare(battle, ("fire", 0, 0, 1))
    assert {shot.target for shot in declared(battle)} == {1}
    assert why_not(against(rifles(faces=None))) == "3.2/legal-target"


@pytest.mark.covers("3.2/legal-target")
def test_never_at_a_unit_in_close_combat() -> None:
    locked = table(rifles(), squad("militia", 10, 1, (20, 24), combat=1))
    assert why_not(locked) == "3.2/legal-target"


@pytest.mark.covers("3.2/legal-target", "1.1/los-majority")
def test_only_at_a_unit_that_is_seen() -> None:
    assert why_not(against(rifles(1), pieces=[wall(22, 18, 30)])) == "1.1/los-majority"
    assert why_not(against(rifles(1), pieces=[wood(22, 18, 30, 4)])) == ""


# ---------------------------------------------------------------- 3.2/one-weapon, 3.2/profile-choice


@pytest.mark.covers("3.2/one-weapon")
def test_a_model_fires_one_weapon() -> None:
    battle = against(rifles(1, "carbine", "sidearm"))
    assert why_no_field(battle, ("fire", 1, 0, 1)) == ""
    assert form(battle).after([("fire", 1, 0, 1)]) is None
    declare(battle, ("fire", 1, 0, 1))
    assert declared(battle) == [Shot(0, 0, 1, 0, 1, 1)]


@pytest.mark.covers("3.2/one-weapon", "3.2.1/range")
def test_a_group_is_proposed_to_fire_when_any_of_it_reaches() -> None:
    def proposal(*places: Any) -> Any:
        made, other = profile("veteran", "carbine"), profile("sergeant", "sidearm")
        battle = against(squad([made] * len(places) + [other], 1, 0, [*places, (30, 10)], faces=1))
        question = fields_of(unit(battle, 0))([])
        assert question is not None
        return question.suggestions()[0]

    assert proposal((20, 2), (20, 10)) == ("fire", 0, 0, 2)
    assert proposal((20, 2), (20, 4)) == HOLD


@pytest.mark.covers("3.2.1/range")
def test_a_group_is_told_how_far_the_nearest_of_it_has_to_shoot() -> None:
    battle = against(squad(profile("veteran", "carbine"), 2, 0, [(20, 2), (20, 10)], faces=1))
    question = fields_of(unit(battle, 0))([])
    assert question is not None
    assert question.about["distance"] == 13


@pytest.mark.covers("3.2/profile-choice")
def test_a_weapon_whose_first_profile_is_for_melee_is_fired_with_its_other() -> None:
    lines = (Line("melee", 0.0, 1, True, None), Line("ranged", 24, 4, False, 5))
    battle = against(rifles(1, Weapon("spear", {}, lines)))
    assert why_no_field(battle, ("fire", 0, 1, 1)) == ""
    assert why_not(against(rifles(1, Weapon("spear", {}, lines[:1])))) == "3.2/model-unable"


@pytest.mark.covers("6.2/bike-weapons")
def test_a_bike_fires_as_many_as_it_has_riders() -> None:
    one, two = profile("biker", "carbine", "sidearm"), profile("biker", "carbine", "sidearm", riders=2)
    assert form(against(squad(one, 1, 0, (20, 10), faces=1))).after([("fire", 0, 0, 2)]) is None
    battle = against(squad(two, 1, 0, (20, 10), faces=1))
    assert why_no_field(battle, ("fire", 0, 0, 2), ("fire", 0, 0, 2)) == "answer.not-offered"
    declare(battle, ("fire", 0, 0, 2), ("fire", 1, 0, 1))
    assert [shot.weapon for shot in declared(battle)] == [0, 1]


@pytest.mark.covers("3.2/profile-choice", "9.1.1/rapid-fire")
def test_the_profile_and_the_shots_of_rapid_fire_are_chosen_as_the_weapon_is_declared() -> None:
    lines = (Line("ranged", 24, 4, False, 5), Line("ranged", 12, 8, False, 3, rules("assault 1")))
    battle = against(squad(profile("veteran", Weapon("combi", {}, lines)), 1, 0, (20, 10), faces=1))
    declare(battle, ("fire", 0, 1, 1))
    assert declared(battle)[0].line == 1
    rapid = against(rifles(1))
    declare(rapid, ("fire", 0, 0, 2))
    assert declared(rapid)[0].attacks == 2


@pytest.mark.covers("3.2/declare-first", "3.2/model-unable")
def test_identical_models_declare_together_or_one_by_one_and_somebody_fires() -> None:
    battle = against(rifles(3))
    assert why_no_field(battle, HOLD) == "3.2/model-unable"
    assert why_no_field(battle, SPLIT, HOLD, HOLD, HOLD) == "3.2/model-unable"
    declare(battle, SPLIT, ("fire", 0, 0, 2), HOLD, ("fire", 0, 0, 1))
    assert [(shot.model, shot.attacks) for shot in declared(battle)] == [(0, 2), (2, 1)]


@pytest.mark.covers("3.2/declare-first", "3.2/sequence")
def test_all_is_declared_before_anything_is_resolved() -> None:
    battle = against(rifles(), squad("veteran", 1, 0, (40, 10), "rifle", faces=1))
    battle.units[2].mark("faces", 2)
    declare(battle, ("fire", 0, 0, 1))
    play(declaration_phase(battle), answers=[("shoot", 2), [("fire", 0, 0, 1)]], position=battle)
    assert [shot.unit for shot in declared(battle)] == [0, 0, 2]
    assert not [event for event in battle.journal.events if event.kind == "volley"]  # type: ignore[union-attr]
    assert play(declaration_phase(battle)).value is False


def test_the_proposal_is_to_fire_the_most_promising_weapon() -> None:
    battle = against(rifles(2, "sidearm", "carbine"))
    play(declaration_phase(battle), answers=[SHOOT, PROPOSAL], position=battle)
    assert [shot.weapon for shot in declared(battle)] == [1, 1]


# ---------------------------------------------------------------- 3.2.4


def to_ground(battle: Position, *answers: Any) -> list[int]:
    for answer in answers:
        play(go_to_ground(battle), answers=[answer], position=battle)
    return [one.row for one in battle.units if one.marks("to-ground")]


@pytest.mark.covers("3.2.4/go-to-ground")
def test_the_opponent_sends_any_number_of_his_units_to_ground() -> None:
    battle = against(rifles(), squad("militia", 1, 1, (40, 30)))
    assert first_question(go_to_ground(battle)).side == 1
    assert to_ground(battle, ("to-ground", 1), ("to-ground", 2)) == [1, 2]
    none = against(rifles(), squad("militia", 1, 1, (40, 30)))
    assert to_ground(none, DONE_KEY) == []


@pytest.mark.covers("3.2.4/go-to-ground", "4.2/broken-restrictions")
def test_not_the_broken_the_engaged_or_vehicles() -> None:
    battle = against(
        rifles(),
        squad("militia", 1, 1, (40, 30), broken=1),
        squad("militia", 1, 1, (50, 30), combat=1),
        squad("tank", 1, 1, (60, 30)),
        squad("militia", 1, 1, (44, 30), to_ground=1),
    )
    question = first_question(go_to_ground(battle))
    found = [refused(question, ("to-ground", row)) for row in (1, 2, 3, 4, 5)]
    barred = "3.2.4/go-to-ground"
    assert found == ["", "4.2/broken-restrictions", barred, barred, barred]


@pytest.mark.covers("3.2.4/ground-ends")
def test_a_unit_gets_up_as_its_own_sides_assault_phase_begins() -> None:
    battle = table(squad("veteran", 1, 0, to_ground=1), squad("militia", 1, 1, (40, 30), to_ground=1))
    get_up(battle, 1)
    assert [one.marks("to-ground") for one in battle.units] == [1, 0]


# ---------------------------------------------------------------- 6.1: monsters


def beast(*carried: Any, **more: Any) -> Squad:
    return squad(profile("great-beast", *carried), 1, 0, (20, 10), faces=1, **more)


@pytest.mark.covers("6.1/mc-all-weapons")
def test_a_monster_fires_all_that_it_carries() -> None:
    battle = against(beast("carbine", "machine-gun", "claw"))
    declare(battle, ("fire", 0, 0, 2), ("fire", 1, 0, 3))
    assert [(shot.weapon, shot.attacks) for shot in declared(battle)] == [(0, 2), (1, 3)]
    moved = against(beast("carbine", "machine-gun", moved=1))
    declare(moved, ("fire", 0, 0, 2))
    assert [shot.weapon for shot in declared(moved)] == [0]


@pytest.mark.covers("6.1/mc-muzzle")
def test_its_owner_picks_the_muzzle_at_which_it_looks_among_the_weapons_it_fires() -> None:
    left = Mount(WEAPONS["carbine"], muzzle=(-8.0, 0.0, 2.0))
    right = Mount(WEAPONS["carbine"], muzzle=(8.0, 0.0, 2.0))
    battle = against(beast(left, right))
    question = form(battle).after([])
    assert question is not None
    assert question.options() == [0, 1]
    assert why_no_field(battle, 1, ("fire", 0, 0, 2), HOLD) == "3.2/model-unable"
    declare(battle, 1, HOLD, ("fire", 1, 0, 2))
    assert declared(battle) == [Shot(0, 0, 1, 0, 2, 1, 1)]
    blind = against(beast(left, right), pieces=[block(12, 12, 2, 1, "solid", height=9), wall(24, 18, 30)])
    assert why_not(blind) == "1.1/los-majority"


@pytest.mark.covers("6.1/mc-muzzle", "1.1/los-none")
def test_a_muzzle_from_which_nothing_is_seen_is_not_for_a_monster_alone() -> None:
    left = Mount(WEAPONS["carbine"], muzzle=(-8.0, 0.0, 2.0))
    right = Mount(WEAPONS["carbine"], muzzle=(8.0, 0.0, 2.0))
    battle = against(beast(left, right), pieces=[block(12, 12, 6, 1, "solid", height=9)])
    assert why_no_field(battle, 0, ("fire", 0, 0, 2), HOLD) == "1.1/los-none"
    assert why_no_field(battle, 1, HOLD, ("fire", 1, 0, 2)) == ""


@pytest.mark.covers("6.1/mc-muzzle", "1.1/los-majority", "9.1.1/heavy")
@pytest.mark.parametrize(("moved", "reason"), [(0, ""), (1, "1.1/los-majority")])
def test_the_muzzle_of_a_gun_that_cannot_be_fired_sees_nothing(moved: int, reason: str) -> None:
    guns = Mount(WEAPONS["carbine"], muzzle=(-8.0, 0.0, 2.0)), Mount(WEAPONS["machine-gun"], muzzle=(8.0, 0.0, 2.0))
    battle = against(beast(*guns, moved=moved), pieces=[block(12, 12, 6, 1, "solid", height=9)])
    assert why_not(battle) == reason


# ---------------------------------------------------------------- 7.9: vehicles


def tank(*carried: Any, **more: Any) -> Position:
    return table(
        squad(profile("tank", *carried), 1, 0, (20, 10), **more),
        squad("militia", 2, 1, (20, 30)),
        squad("militia", 2, 1, (40, 10)),
        squad("militia", 2, 1, (20, 40), combat=1),
    )


@pytest.mark.covers("7.9/independent-weapons", "1.2/mixed-units", "7.16/walker-weapons")
def test_a_vehicle_in_a_unit_of_others_fires_all_its_weapons_for_itself() -> None:
    walker = profile("walker", "machine-gun", Mount(WEAPONS["carbine"], is_turret=True))
    foes = squad("militia", 2, 1, (20, 24)), squad("militia", 2, 1, (26, 22))
    battle = table(squad([walker, profile("veteran", "carbine")], 1, 0, [(20, 10), (23, 10)], faces=1), *foes)
    declare(battle, ("fire", 0, 0, 2), ("at", 1, 0, 3), ("at", 2, 0, 2))
    assert [(one.model, one.weapon, one.target) for one in declared(battle)] == [(1, 0, 1), (0, 0, 1), (0, 1, 2)]
    assert why_no_field(battle, HOLD, HOLD, HOLD) == "3.2/model-unable"
    unit(battle, 1).mark("combat", 1)
    assert why_not(battle) == "3.2/declare-first"
    unit(battle, 0).mark("shot", 0)
    assert why_no_field(battle, HOLD, ("at", 2, 0, 2)) == ""
    unit(battle, 2).mark("combat", 1)
    assert why_not(battle) == "3.2/legal-target"


@pytest.mark.covers("7.9/independent-weapons")
def test_each_weapon_of_a_vehicle_takes_its_own_target_and_needs_no_facing() -> None:
    turret = Mount(WEAPONS["carbine"], is_turret=True)
    battle = tank("machine-gun", turret)
    declare(battle, ("at", 1, 0, 3), ("at", 2, 0, 2))
    assert [(shot.weapon, shot.target) for shot in declared(battle)] == [(0, 1), (1, 2)]


@pytest.mark.covers("7.9/independent-weapons", "3.2/legal-target")
def test_no_weapon_of_a_vehicle_fires_at_a_unit_in_close_combat_or_unseen() -> None:
    battle = tank("machine-gun")
    assert why_no_field(battle, ("at", 3, 0, 3)) == "3.2/legal-target"
    hidden = tank("machine-gun")
    put(hidden, squad("militia", 1, 1, (20, 46)))
    hidden.change_ground(hidden.ground.with_piece(wall(20, 44, 20)))
    assert why_no_field(hidden, ("at", 4, 0, 3)) == "1.1/los-none"


@pytest.mark.covers("7.9/arcs")
def test_a_weapon_fires_into_its_arcs_only() -> None:
    battle = tank("machine-gun")
    assert why_no_field(battle, ("at", 1, 0, 3)) == ""
    assert why_no_field(battle, ("at", 2, 0, 3)) == "7.9/arcs"


@pytest.mark.covers("7.9/arcs")
def test_arcs_are_cut_by_the_corners_and_a_walkers_are_quarters() -> None:
    def in_front(kind: str, x: float) -> bool:
        battle = table(squad(profile(kind, "machine-gun"), 1, 0, (20, 10)), squad("militia", 1, 1, (x, 20)))
        return is_in_arc(model(battle, 0), model(battle, 0).profile.mounts[0], unit(battle, 1))

    assert (in_front("tank", 25.9), in_front("tank", 26.1)) == (True, False)
    assert (in_front("walker", 29.9), in_front("walker", 30.1)) == (True, False)
    rear = table(
        squad(profile("tank", Mount(WEAPONS["rifle"], ("rear",))), 1, 0, (20, 20)), squad("militia", 1, 1, (20, 10))
    )
    assert is_in_arc(model(rear, 0), model(rear, 0).profile.mounts[0], unit(rear, 1))


@pytest.mark.covers("7.9/weapons-by-speed", "7.9/weapons-count-stationary")
@pytest.mark.parametrize(("speed", "many"), [(0, 2), (1, 1)])
def test_speed_says_how_many_weapons_fire_heavy_ones_too(speed: int, many: int) -> None:
    battle = tank("machine-gun", "mortar", moved=1)
    model(battle, 0).mark("speed", speed)
    declare(battle, *[("at", 1, 0, shots) for shots in (3, 1)][:many])
    assert len(declared(battle)) == many


@pytest.mark.covers("7.9/weapons-by-speed", "7.6/shaken", "7.6/stunned")
def test_at_cruising_speed_or_shaken_a_vehicle_does_not_shoot() -> None:
    fast, stunned = tank("machine-gun"), tank("machine-gun")
    model(fast, 0).mark("speed", 2)
    assert why_not(fast) == "7.9/weapons-by-speed"
    model(stunned, 0).mark("silenced-in", 3)
    assert why_not(stunned) == "7.6/shaken"
    model(stunned, 0).mark("stuck-in", 3)
    assert why_not(stunned) == "7.6/stunned"
    model(stunned, 0).mark("silenced-in", 1)
    assert why_not(stunned) == ""


@pytest.mark.covers("7.9/independent-weapons")
def test_a_vehicle_none_of_whose_weapons_has_a_target_does_not_shoot() -> None:
    def why(*others: Squad, pieces: Any = ()) -> str:
        tank = squad(profile("tank", "machine-gun"), 1, 0, (20, 30))
        return why_not(table(tank, squad("militia", 2, 1, (20, 10)), *others, pieces=pieces))

    assert why() == "7.9/arcs"
    ahead = squad("militia", 2, 1, (20, 40))
    assert why(ahead) == ""
    assert why(ahead, pieces=[wall(20, 34, 30)]) == "7.9/independent-weapons"


@pytest.mark.covers("7.6/weapon-destroyed")
def test_a_weapon_that_is_destroyed_is_not_fired() -> None:
    battle = tank("machine-gun", "mortar")
    model(battle, 0).jot("destroyed", (0,))
    declare(battle, ("at", 1, 0, 1))
    assert [shot.weapon for shot in declared(battle)] == [1]


@pytest.mark.covers("7.9/independent-weapons")
def test_in_a_squadron_each_vehicle_declares_and_the_shaken_one_does_not() -> None:
    battle = table(squad("tank", 2, 0, (20, 10), "machine-gun", spacing=6), squad("militia", 2, 1, (22, 30)))
    model(battle, 0).mark("silenced-in", 3)
    declare(battle, ("at", 1, 0, 3))
    assert [shot.model for shot in declared(battle)] == [1]


# ---------------------------------------------------------------- 7.10: fire points


def carrier(points: Any, *aboard: Any, **more: Any) -> Position:
    """A carrier at (20, 10) with a unit inside it, and militia 14 inches before it."""
    battle = table(
        squad(profile("carrier", fire_points=points), 1, 0, (20, 10)),
        squad("militia", 3, 1, (18, 24)),
        squad(list(aboard), 1, 0, None, **more),
    )
    for row in range(4, 4 + len(aboard)):
        get_in(battle, row)
    battle.units[2].mark("faces", 2)
    return battle


def get_in(battle: Position, row: int) -> None:
    from campale.referee.position import ABOARD

    battle.where[row], battle.aboard_of[row] = ABOARD, 0
    battle.cache = {}


FRONT, ROOF, BACK = (0.0, 2.5, 1.5), (0.0, 0.0, 2.5), (0.0, -2.5, 1.5)
ABOARD_KEY = ("shoot", 2)


@pytest.mark.covers("7.10/fire-points")
def test_each_fire_point_lets_one_model_shoot() -> None:
    rifleman = profile("veteran", "rifle")
    battle = carrier([FRONT, ROOF], rifleman, rifleman, rifleman)
    declare(battle, ("from", 4, 0, 0, 1), ("from", 5, 0, 0, 2), key=ABOARD_KEY)
    assert [(shot.model, shot.point) for shot in declared(battle)] == [(4, 0), (5, 1)]
    assert why_not(carrier([], rifleman), ABOARD_KEY) == "7.10/fire-points"


@pytest.mark.covers("7.10/fire-points", "3.1/moved-flag")
def test_models_aboard_have_moved_when_their_vehicle_has() -> None:
    gunner = profile("veteran", "machine-gun")
    assert why_not(carrier([FRONT], gunner), ABOARD_KEY) == ""
    moved = carrier([FRONT], gunner)
    model(moved, 0).mark("inches", 6)
    assert why_not(moved, ABOARD_KEY) == "9.1.1/heavy"


@pytest.mark.covers("7.10/fire-point-sight")
def test_the_transport_itself_can_hide_the_target() -> None:
    rifleman = profile("veteran", "rifle")
    assert why_not(carrier([BACK], rifleman), ABOARD_KEY) == "7.10/fire-point-sight"
    assert why_not(carrier([FRONT], rifleman), ABOARD_KEY) == ""


@pytest.mark.covers("7.10/fire-points")
def test_sight_is_judged_by_the_models_at_the_fire_points_alone() -> None:
    rifleman = profile("veteran", "rifle")
    battle = carrier([BACK, FRONT, BACK], rifleman, rifleman, rifleman)
    declare(battle, ("from", 4, 0, 0, 1), ("from", 5, 0, 0, 1), key=ABOARD_KEY)
    assert [shot.point for shot in declared(battle)] == [1, 0]


@pytest.mark.covers("7.10/no-target-inside")
def test_who_is_inside_is_no_target() -> None:
    battle = tank("machine-gun")
    for row in (1, 2):
        get_in(battle, row)
    assert why_no_field(battle, ("at", 1, 0, 3)) != ""
    assert why_no_field(tank("machine-gun"), ("at", 1, 0, 3)) == ""


# ---------------------------------------------------------------- 5/shooting-power


@pytest.mark.covers("5/shooting-power")
def test_a_shooting_power_is_declared_instead_of_a_weapon_and_paid_for() -> None:
    bolt = Power("bolt", {}, 2, "shooting", shooting=Line("ranged", 18, 6, False, 3, rules("assault 3")))
    psyker = profile("veteran", "rifle", psyker=2, powers=(bolt,))
    battle = against(squad(psyker, 1, 0, (20, 10), faces=1))
    assert why_no_field(battle, ("fire", 100, 0, 3)) != ""
    model(battle, 0).mark("warp", 2)
    declare(battle, ("fire", 100, 0, 3))
    assert declared(battle) == [Shot(0, 0, 100, 0, 3, 1)]
    assert model(battle, 0).marks("warp") == 0


def test_fire_that_reaches_nobody_is_allowed_but_neither_proposed_nor_often_drawn() -> None:
    def table_with(at: float) -> Position:
        return table(squad("veteran", 1, 0, (20, 10), "rifle", faces=1), squad("militia", 1, 1, (20, at)))

    near, far = table_with(35.9), table_with(36.1)
    assert shooting.odds_of_fire(near, ("shoot", 0)) == acting.USUAL
    assert shooting.odds_of_fire(far, ("shoot", 0)) == acting.SELDOM
    for position, proposed in ((near, ("shoot", 0)), (far, acting.DONE_KEY)):
        question = first_question(acting.act_in_phase(position, "shooting"))
        assert question.options() == [acting.DONE_KEY, ("shoot", 0)]
        assert question.suggestions()[0] == proposed


def test_templates_and_powers_reach_too_and_blades_do_not() -> None:
    battle = table(squad("veteran", 1, 0, (20, 10), "flamethrower"), squad("veteran", 1, 0, (30, 10), "blade"))
    assert shooting.longest_reach(battle.models[0]) == 7.0
    assert shooting.longest_reach(battle.models[1]) == 0.0
