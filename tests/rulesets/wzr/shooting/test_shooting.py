"""Ranged attacks from the form to the hits (shooting/*, actions/shoot, actions/rapid-fire, actions/aim)."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest

from campale.mechanics.frames import push, run_top, stack
from campale.mechanics.script_form import run
from campale.referee.position import Position
from campale.referee.question import Choose
from campale.rulesets.wzr.armoury.weapons import gun_of, guns_of, range_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.shooting.declaring import aiming, declaration, usable
from campale.rulesets.wzr.shooting.plan import RAPID, REACTION, SHOOT, Plan
from campale.rulesets.wzr.shooting.shoot import PROCEDURES, frames
from campale.rulesets.wzr.shooting.targets import legal_targets, why_not
from campale.rulesets.wzr.turn.actions import excluded
from campale.rulesets.wzr.turn.menu import list_of_actions
from tests.rulesets.wzr.guns import attacks, gun, is_lost, needs, offered, plan, power, prompt, shoot
from tests.rulesets.wzr.kit import finish, piece, play, squad, table, vehicle

covers = pytest.mark.covers

RIFLE = gun()
TRIPLE = gun("hmg", rof=3)


def duel(
    *enemies: tuple[float, float], weapon: Any = RIFLE, pieces: Any = (), options: Any = None, **changes: Any
) -> Position:
    """A shooter at (24, 10) who looks north, and enemies; the shooter's squad-mate stands far off."""
    own = squad(at=[(24.0, 10.0)], weapons=(weapon,), **changes)
    return table(own, squad(side=1, at=list(enemies)), pieces=pieces, options=options)


def legal(position: Position, key: str = "rifle") -> list[int]:
    return [m.row for m in legal_targets(gun_of(position.model(0), key))]


# ---------------------------------------------------------------- shooting/legal-target


@covers("shooting/legal-target")
@pytest.mark.parametrize(("y", "is_legal"), [(35.2, True), (35.21, False)])
def test_range_is_measured_from_base_to_base(y: float, is_legal: bool) -> None:
    assert legal(duel((24.0, y))) == ([1] if is_legal else [])


@covers("shooting/legal-target", "core/front-rear")
@pytest.mark.parametrize(("y", "is_legal"), [(9.4, True), (9.39, False)])
def test_a_target_is_in_the_front(y: float, is_legal: bool) -> None:
    assert legal(duel((28.0, y))) == ([1] if is_legal else [])


@covers("abilities/machine-gunner", "vehicles/turrets", "vehicles/shoot-measuring")
def test_machine_gunners_and_turrets_fire_all_round() -> None:
    assert legal(duel((24.0, 5.0))) == []
    assert legal(duel((24.0, 5.0), abilities=("machine-gunner",))) == [1]
    tank = vehicle("tank")
    assert legal(duel((24.0, 5.0), vehicle=tank)) == []
    assert legal(duel((24.0, 5.0), vehicle=msgspec.structs.replace(tank, turret=("rifle",)))) == [1]


@covers("shooting/legal-target", "core/friendly-fire")
def test_nobody_shoots_into_a_melee_nor_at_a_friend() -> None:
    friend = squad(at=[(24.0, 18.8)])
    apart = table(squad(at=[(24.0, 10.0)], weapons=(RIFLE,)), squad(side=1, at=[(25.0, 20.1)]), friend)
    assert legal(apart) == [1]
    touching = table(squad(at=[(24.0, 10.0)], weapons=(RIFLE,)), squad(side=1, at=[(24.0, 20.0)]), friend)
    assert legal(touching) == []
    refusal = why_not(gun_of(touching.model(0), "rifle"), touching.model(1))
    assert refusal is not None
    assert refusal.rule == "shooting/legal-target"


@covers("shooting/legal-target", "core/line-of-sight", "shooting/three-covers")
def test_a_target_is_seen_and_not_behind_three_pieces() -> None:
    assert legal(duel((24.0, 20.0), pieces=[piece((20.0, 14.0), (8.0, 1.0), ("solid",), 3.0)])) == []
    areas = [piece((22.0, 12.0 + 2 * k), (4.0, 1.0), ("light",), name=f"area {k}") for k in range(3)]
    assert legal(duel((24.0, 20.0), pieces=areas[:2])) == [1]
    assert legal(duel((24.0, 20.0), pieces=areas)) == []


@covers("shooting/legal-target", "shooting/target-priority", "shooting/target-identified", "actions/sentry-reaction")
@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ({}, {3: ("shooting/legal-target", "out-of-range"), 4: ("shooting/legal-target", "not-in-front")}),
        ({"bound": True}, {2: ("shooting/target-priority", "")}),
        ({"left_out": (1,)}, {1: ("shooting/target-identified", "")}),
        ({"trigger": 1}, {2: ("actions/sentry-reaction", "")}),
    ],
)
def test_enemies_that_cannot_be_shot_at_are_shown_with_the_reason(changes: Any, reasons: Any) -> None:
    position = duel((24.0, 20.0), (26.0, 24.0), (24.0, 40.0), (24.0, 3.0))
    form = aiming(gun_of(position.model(0), "rifle"), Plan(shooter=0, gun="rifle", **changes))
    targets = next(form)
    assert isinstance(targets, Choose)
    found = {key: targets.refusal(key) for key in targets.candidates}
    assert {row: (one.rule, one.word) for row, one in found.items() if one is not None}.items() >= reasons.items()


@covers("actions/shoot", "turn/action-once", "psychic/one-ranged-attack", "actions/rapid-fire")
def test_one_ranged_attack_in_an_activation() -> None:
    position = duel((24.0, 20.0))
    model, shots = position.model(0), [list_of_actions()[name] for name in (SHOOT, RAPID)]
    assert [excluded(action, model) for action in shots] == [None, None]
    for done in (SHOOT, RAPID):
        model.jot(marks.DONE, (done,))
        assert None not in [excluded(action, model) for action in shots]


# ---------------------------------------------------------------- shooting/sequence


@covers("shooting/sequence", "actions/shoot", "core/wound-effect")
@pytest.mark.parametrize(("dice", "lost"), [("12 13", True), ("12 12", False), ("13", False)])
def test_a_shot_hits_on_rs_and_wounds_past_armour(dice: str, lost: bool) -> None:
    position = duel((24.0, 20.0))
    played = shoot(position, "rifle", 1, dice=dice)
    assert is_lost(position, 1) is lost
    assert played.rolls == ["to-hit", "armour"][: len(dice.split())]
    assert played.cites("shooting/sequence")


@covers("shooting/sequence", "core/power-shot", "core/natural-results")
@pytest.mark.parametrize(("dice", "lost"), [("1", True), ("2 1", False)])
def test_a_natural_one_is_a_power_shot(dice: str, lost: bool) -> None:
    position = duel((24.0, 20.0), rs=0)
    if lost:
        shoot(position, "rifle", 1, dice=dice)
        assert is_lost(position, 1)
    else:
        position = duel((24.0, 20.0), rs=2)
        shoot(position, "rifle", 1, dice=dice)
        assert not is_lost(position, 1)


@covers("core/natural-results")
def test_a_natural_twenty_misses_whatever_the_value() -> None:
    position = duel((24.0, 20.0), rs=25)
    shoot(position, "rifle", 1, dice="20")
    assert not is_lost(position, 1)


@covers("shooting/sequence", "shooting/rof-allocation")
def test_all_tests_are_rolled_together_the_primary_targets_hits_come_first() -> None:
    position = duel((24.0, 20.0), (25.5, 20.0), weapon=TRIPLE)
    played = shoot(position, "hmg", 1, 2, dice="1 13 1")
    assert played.rolls == ["to-hit"]
    assert next(q for q in played.questions if q.prompt == "to-hit").about == {"shooter": 0, "targets": [1, 2]}
    assert is_lost(position, 1)
    assert not is_lost(position, 2)


# ---------------------------------------------------------------- shooting/target-priority


@covers("shooting/target-priority")
def test_the_nearest_comes_first_and_of_equally_near_ones_the_shooter_chooses() -> None:
    assert offered(duel((24.0, 20.0), (24.0, 16.0), (30.0, 20.0)), "rifle")[0] == 2
    position = duel((20.0, 20.0), (28.0, 20.0))
    assert offered(position, "rifle") == [1, 2]
    played = shoot(position, "rifle", 2, dice="13")
    assert played.rolls == ["to-hit"]


@covers("shooting/target-identified", "squads/model-ld", "shooting/target-priority")
@pytest.mark.parametrize(("die", "hit"), [("14", True), ("15", False)])
def test_another_primary_target_takes_an_ld_test(die: str, hit: bool) -> None:
    position = duel((24.0, 20.0), (30.0, 20.0))
    if hit:
        played = shoot(position, "rifle", 2, dice=f"{die} 1")
        assert is_lost(position, 2)
        assert played.rolls == ["target-identified", "to-hit"]
    else:
        played = shoot(position, "rifle", 2, dice=f"{die} 1", answers=[[1]])
        assert played.prompts[-1] == "shot-again"
        assert is_lost(position, 1)
        assert not is_lost(position, 2)


@covers("shooting/target-identified")
def test_who_fails_must_shoot_at_the_nearest() -> None:
    position = duel((20.0, 20.0), (28.0, 20.0), (24.0, 30.0))
    push(position, *frames(SHOOT, position.model(0), ["rifle", 3]))
    played = finish(position, "20 13", answers=[[2]])
    asked = next(q for q in played.questions if q.prompt == "shot-again")
    assert asked.field([]).options() == [1, 2]  # type: ignore[attr-defined]


@covers("abilities/scanner", "abilities/target-sense")
@pytest.mark.parametrize("ability", ["scanner", "target-sense"])
def test_scanner_and_target_sense_need_no_die(ability: str) -> None:
    position = duel((24.0, 20.0), (30.0, 20.0), abilities=(ability,))
    assert shoot(position, "rifle", 2, dice="13").rolls == ["to-hit"]


@covers("vehicles/avv5-target-sense", "vehicles/target-vehicle")
@pytest.mark.parametrize(("avv", "rolls"), [(4, ["target-identified", "to-hit"]), (5, ["to-hit"])])
def test_with_avv_5_priority_is_set_aside_at_vehicles(avv: int, rolls: list[str]) -> None:
    tube = gun("tube", avv=avv)
    position = table(
        squad(at=[(24.0, 10.0)], weapons=(tube,)),
        squad(side=1, at=[(24.0, 20.0)]),
        squad(side=1, at=[(30.0, 20.0)], vehicle=vehicle()),
    )
    dice = "14 20" if len(rolls) == 2 else "20"
    assert shoot(position, "tube", 2, dice=dice).rolls == rolls


@covers("vehicles/avv5-target-sense")
@pytest.mark.parametrize(
    ("is_vehicle", "for_all", "free"), [(False, False, False), (False, True, True), (True, False, True)]
)
def test_avv_5_at_men_is_for_vehicles_own_weapons_unless_agreed(is_vehicle: bool, for_all: bool, free: bool) -> None:
    own = {"vehicle": vehicle()} if is_vehicle else {}
    position = duel((24.0, 20.0), (30.0, 20.0), weapon=gun("tube", avv=5), options={"avv5_for_all": for_all}, **own)
    dice = "20" if free else "14 20"
    assert shoot(position, "tube", 2, dice=dice).rolls[-1] == "to-hit"


@covers("shooting/target-identified", "vehicles/shoot-failed-ld")
def test_a_vehicles_weapon_that_fails_has_no_shots_this_turn() -> None:
    position = duel((24.0, 20.0), (30.0, 20.0), vehicle=vehicle())
    played = shoot(position, "rifle", 2, dice="15")
    assert "no-shots" in played.kinds
    assert usable(position.model(0), SHOOT) == []


@covers("shooting/target-priority", "shooting/reclaim-cover")
def test_who_is_nearest_depends_on_what_is_reclaimed() -> None:
    areas = [piece((22.0, 11.0 + 2 * k), (3.0, 1.0), ("light",), name=f"area {k}") for k in range(3)]
    position = duel((24.0, 18.0), (30.0, 22.0), pieces=areas)
    assert offered(position, "rifle") == ["area 0", "none"]
    assert offered(position, "rifle", "area 0") == [1, 2]
    assert offered(position, "rifle", "none") == [2]


# ---------------------------------------------------------------- shooting/rof-allocation


@covers("shooting/rof-allocation", "vehicles/target-vehicle-rof")
@pytest.mark.parametrize(("x", "near"), [(28.2, True), (28.21, False)])
def test_secondary_targets_are_within_3_inches_of_the_primary(x: float, near: bool) -> None:
    position = duel((24.0, 20.0), (x, 20.0), weapon=gun("smg", rof=2))
    assert plan(position, "smg", 1, *([2] if near else [])).targets == ((1, 2) if near else (1, 1))


@covers("shooting/rof-allocation")
def test_no_more_than_one_attack_on_each_secondary_target() -> None:
    position = duel((24.0, 20.0), (25.5, 20.0), weapon=TRIPLE)
    assert offered(position, "hmg", 1) == [1, 2]
    assert plan(position, "hmg", 1, 2).targets == (1, 2, 1)
    assert offered(position, "hmg", 1, 1) == [1, 2]


@covers("shooting/rof-allocation")
def test_secondary_targets_are_legal_ones() -> None:
    position = duel((24.0, 20.0), (25.5, 20.0), weapon=gun("smg", rof=2))
    friend = squad(at=[(26.7, 20.0)])
    engaged = table(
        squad(at=[(24.0, 10.0)], weapons=(gun("smg", rof=2),)), squad(side=1, at=[(24.0, 20.0), (25.5, 20.0)]), friend
    )
    assert plan(position, "smg", 1, 2).targets == (1, 2)
    assert plan(engaged, "smg", 1).targets == (1, 1)


# ---------------------------------------------------------------- shooting/modifiers


@covers("shooting/modifiers", "shooting/cover-cumulative", "abilities/camouflage", "abilities/bulky")
@pytest.mark.parametrize(
    ("abilities", "target", "covered", "value"),
    [
        ((), (), False, 12),
        ((), (), True, 10),
        ((), ("camouflage 2",), True, 8),
        ((), ("camouflage 2",), False, 12),
        ((), ("bulky",), False, 16),
        ((), ("bulky", "camouflage 3"), True, 11),
    ],
)
def test_the_value_that_is_tested(abilities: Any, target: Any, covered: bool, value: int) -> None:
    pieces = [piece((22.0, 14.0), tags=("light",))] if covered else []
    own = squad(at=[(24.0, 10.0)], weapons=(RIFLE,), abilities=abilities)
    assert needs(table(own, squad(side=1, at=[(24.0, 20.0)], abilities=target), pieces=pieces), "rifle", 1) == [value]


@covers("vehicles/bulky")
@pytest.mark.parametrize(("kind", "value"), [("walker", 16), ("tank", 16), ("bike", 12), ("jetbike", 12)])
def test_vehicles_but_bikes_are_bulky(kind: str, value: int) -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(RIFLE,))
    assert needs(table(own, squad(side=1, at=[(24.0, 20.0)], vehicle=vehicle(kind))), "rifle", 1) == [value]


@covers("actions/aim", "abilities/marksman", "shooting/modifiers")
@pytest.mark.parametrize(("abilities", "first"), [((), 14), (("marksman",), 16)])
def test_aim_is_for_the_first_test(abilities: tuple[str, ...], first: int) -> None:
    position = duel((24.0, 20.0), weapon=TRIPLE, abilities=abilities)
    assert needs(position, "hmg", 1) == [12, 12, 12]
    position.model(0).mark(marks.AIMED, 1)
    assert needs(position, "hmg", 1) == [first, 12, 12]
    assert [one.hit.st for one in attacks(position, "hmg", 1)] == [12, 10, 10]


@covers("actions/aim")
def test_aim_is_used_up_by_the_shot_and_lost_by_moving() -> None:
    position = duel((24.0, 20.0))
    push(position, ("aim", 0))
    finish(position)
    assert position.model(0).marks(marks.AIMED) == 1
    shoot(position, "rifle", 1, dice="14 1")
    assert position.model(0).marks(marks.AIMED) == 0
    push(position, ("aim", 0), ("walk", 0, ((24.0, 11.0),), None))
    finish(position)
    assert position.model(0).marks(marks.AIMED) == 0


@covers("actions/aim", "vehicles/target-vehicle-hit")
@pytest.mark.parametrize("aimed", [True, False])
def test_whoever_has_aimed_chooses_the_location_of_his_first_attack(aimed: bool) -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(gun("smg", rof=2, avv=5),))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], vehicle=vehicle(av=5, ps=3)))
    position.model(0).mark(marks.AIMED, int(aimed))
    if not aimed:
        shoot(position, "smg", 1, dice="2 2 | 12 20 12 20")
        return
    assert prompt(position, "smg", 1) == "location"
    shoot(position, "smg", 1, "drive", dice="2 | 2 | 20 | 12 20")
    assert [position.model(1).marks(f"ps-lost-{name}") for name in ("drive", "weapons")] == [1, 1]


@covers("shooting/long-range-option")
@pytest.mark.parametrize(("agreed", "y", "value"), [(False, 23.21, 12), (True, 23.2, 12), (True, 23.21, 10)])
def test_long_range_only_where_it_was_agreed_on(agreed: bool, y: float, value: int) -> None:
    assert needs(duel((24.0, y), options={"long_range": agreed}), "rifle", 1) == [value]


@covers("abilities/berserk-modifiers", "shooting/modifiers")
def test_a_berserker_shoots_worse() -> None:
    position = duel((24.0, 20.0), abilities=("berserk",))
    position.model(0).mark(marks.BERSERK, 1)
    assert needs(position, "rifle", 1) == [10]


# ---------------------------------------------------------------- actions/rapid-fire, cards/burn-rof


@covers("actions/rapid-fire")
def test_rapid_fire_adds_an_attack() -> None:
    position = duel((24.0, 20.0))
    assert plan(position, "rifle", 1, action=RAPID).targets == (1, 1)


@covers("actions/rapid-fire")
@pytest.mark.parametrize(
    "weapon", [gun("tube", area="SE"), gun("grenade", "grenade", by_strength=True, area="SE"), gun("lance", "burst")]
)
def test_no_rapid_fire_with_templates_grenades_and_bursts(weapon: Any) -> None:
    position = duel((24.0, 18.0), weapon=weapon)
    assert usable(position.model(0), RAPID) == []
    assert len(usable(position.model(0), SHOOT)) == 1


@covers("actions/rapid-fire")
def test_no_rapid_fire_with_powers() -> None:
    position = table(squad(at=[(24.0, 10.0)], powers=(power(),)), squad(side=1, at=[(24.0, 18.0)]))
    assert usable(position.model(0), RAPID) == []
    assert len(usable(position.model(0), SHOOT)) == 1


@covers("cards/burn-rof", "actions/rapid-fire")
def test_a_resource_card_adds_to_rof_once_a_turn() -> None:
    position = duel((24.0, 20.0))
    position.gain(0, marks.RESOURCES, 2)
    assert offered(position, "rifle") == ["keep", "burn"]
    shoot(position, "rifle", "burn", 1, dice="13 13")
    assert position.holds(0, marks.BURNED) == 1
    assert offered(position, "rifle") == [1]
    assert plan(position, "rifle", 1, action=RAPID).extra == 1


@covers("cards/burn-rof", "setup/modes")
def test_without_ready_cards_nothing_is_asked() -> None:
    position = duel((24.0, 20.0))
    assert prompt(position, "rifle") == "primary"
    position.gain(0, marks.RESOURCES, 1)
    basic = duel((24.0, 20.0), options={"advanced": False})
    basic.gain(0, marks.RESOURCES, 1)
    assert prompt(position, "rifle") == "burn-rof"
    assert prompt(basic, "rifle") == "burn-rof"


# ---------------------------------------------------------------- abilities/stealthy


@covers("abilities/stealthy")
@pytest.mark.parametrize(("y", "rolls"), [(23.2, ["to-hit"]), (23.21, ["make-out", "to-hit"])])
def test_a_stealthy_target_is_made_out_from_beyond_12_inches(y: float, rolls: list[str]) -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(RIFLE,))
    position = table(own, squad(side=1, at=[(24.0, y)], abilities=("stealthy",)))
    dice = "13" if len(rolls) == 1 else "12 13"
    assert shoot(position, "rifle", 1, dice=dice).rolls == rolls


@covers("abilities/stealthy", "shooting/target-priority")
def test_who_is_not_made_out_is_left_out_of_priority() -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(RIFLE,))
    other = squad(side=1, at=[(24.0, 28.0)])
    position = table(own, squad(side=1, at=[(26.0, 24.0)], abilities=("stealthy",)), other)
    played = shoot(position, "rifle", 1, dice="13 | 1", answers=[[2]])
    assert played.rolls == ["make-out", "to-hit"]
    assert is_lost(position, 2)


@covers("abilities/stealthy")
def test_without_another_target_the_attack_is_lost() -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(RIFLE,))
    position = table(own, squad(side=1, at=[(24.0, 24.0)], abilities=("stealthy",)))
    assert shoot(position, "rifle", 1, dice="13").rolls == ["make-out"]


@covers("abilities/stealthy")
def test_a_secondary_target_is_made_out_too_and_its_attack_goes_elsewhere() -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(gun("smg", rof=2),))
    enemies = squad(side=1, at=[(24.0, 24.0), (25.5, 24.0), (22.5, 24.0)], of=[{}, {"abilities": ("stealthy",)}])
    position = table(own, enemies)
    played = shoot(position, "smg", 1, 2, dice="13 | 13 1", answers=[[3]])
    assert played.rolls == ["make-out", "to-hit"]
    assert is_lost(position, 3)


@covers("abilities/stealthy")
def test_a_power_makes_out_by_wp() -> None:
    own = squad(at=[(24.0, 10.0)], powers=(power(),), wp=15, rs=5)
    position = table(own, squad(side=1, at=[(24.0, 24.0)], abilities=("stealthy",)))
    assert shoot(position, "blast", 1, dice="15 16").rolls == ["make-out", "to-hit"]


# ---------------------------------------------------------------- reactions


@covers("actions/sentry-reaction")
def test_a_reaction_is_aimed_at_the_trigger_alone() -> None:
    position = duel((24.0, 20.0), (24.0, 16.0), weapon=TRIPLE)
    script = partial(declaration, position.model(0), REACTION, 1)
    found = run(script, ["hmg", 1])[1]
    assert found is not None
    assert found.targets == (1, 1, 1)
    push(position, ("shot", *msgspec.structs.astuple(found)))
    assert finish(position, "13 13 13").rolls == ["to-hit"]


@covers("actions/sentry-reaction", "shooting/legal-target")
def test_nobody_reacts_to_whoever_is_gone() -> None:
    position = duel((24.0, 20.0), (24.0, 16.0))
    assert [one.key for one in usable(position.model(0), REACTION, 1)] == ["rifle"]
    position.remove(position.model(1), "shooting")
    assert usable(position.model(0), REACTION, 1) == []


# ---------------------------------------------------------------- at every boundary


@covers("shooting/sequence")
def test_a_battle_is_rebuilt_from_bytes_between_the_stages() -> None:
    position = duel((24.0, 20.0), (30.0, 20.0), weapon=TRIPLE)
    push(position, *frames(SHOOT, position.model(0), ["hmg", 2]))
    for dice in ("", "14", "", "13 13 13"):
        position = Position.from_bytes(position.ruleset, position.to_bytes())
        play(run_top(position, PROCEDURES), dice, position=position)
    assert [frame[0] for frame in stack(position)] == ["removals", "hits"]


@covers("core/weapon-profile", "starter-cards/scope")
def test_what_reaches_no_farther_than_contact_is_no_gun() -> None:
    sticky = gun("sticky", "grenade", range=None, avv=6)
    position = table(squad(weapons=(sticky, RIFLE, gun("twin", more=(gun(range=8.0).fires[0],)))))
    assert [one.key for one in guns_of(position.model(0))] == ["rifle", "twin", "twin/2"]
    assert [range_of(one) for one in guns_of(position.model(0))] == [24.0, 24.0, 8.0]
