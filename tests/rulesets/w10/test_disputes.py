"""Cases where two rules meet, as players dispute them: each on both sides of what decides it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from campale.referee.position import GONE, Position
from campale.rulesets.w10.abilities.index import Carried, usable
from campale.rulesets.w10.abilities.moments import uses_at
from campale.rulesets.w10.abilities.uses import is_left, use_up
from campale.rulesets.w10.armies.datasheets import sheets_named
from campale.rulesets.w10.attack.attack import attack_of, hits_of, line_of, wound_need
from campale.rulesets.w10.attack.demise import see_to_fallen
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.attack.saves import save_need
from campale.rulesets.w10.basics.attached import is_attached, separate_all
from campale.rulesets.w10.basics.characteristics import objective_control
from campale.rulesets.w10.basics.persisting import COMMAND, ON_UNIT, lend
from campale.rulesets.w10.basics.units import members, starting_strength
from campale.rulesets.w10.battle.pre_battle import scouts
from campale.rulesets.w10.charge.charging import charge_at, charge_on, is_barred
from campale.rulesets.w10.charge.ramming import ram
from campale.rulesets.w10.fight.alone import fight_alone
from campale.rulesets.w10.fight.declaring import Blow, blows_as_shots, declare
from campale.rulesets.w10.fight.on_death import fight_on_death, raise_up, shoot_on_death
from campale.rulesets.w10.fight.pile_in import consolidate
from campale.rulesets.w10.movement.moves import normal_move
from campale.rulesets.w10.movement.phase import move_a_unit
from campale.rulesets.w10.movement.transports import disembark
from campale.rulesets.w10.odds.forecasts import forecasts
from campale.rulesets.w10.shooting.again import shoot_again
from campale.rulesets.w10.shooting.declaring import declare as declare_shots
from campale.rulesets.w10.shooting.eligible import guns_of, lent_guns
from campale.rulesets.w10.shooting.phase import shoot
from campale.rulesets.w10.shooting.targets import shots_of, targets_of
from campale.rulesets.w10.windows.stratagems import throw
from tests.rulesets.w10.abilities.test_moments import at
from tests.rulesets.w10.kit import (
    PROPOSAL,
    ability,
    blade,
    gun,
    guns,
    handfuls,
    left,
    model,
    piece,
    play,
    shots,
    squad,
    table,
    unit,
    wounds,
)

covers = pytest.mark.covers
FOOT = 32 / 25.4
TOUCHING = 10 + FOOT
HURTS = [{"suffers": "1"}]
PARTING = sheets_named("drill").units["gunners"].rules["parting-shot"]


def blow(position: Position, row: int, target: int) -> Any:
    (one,) = (blows_as_shots(unit(position, 0), Blow(model(position, row), 0, 0, target)),)
    return attack_of(one, line_of(position, one))


@covers("rule-priority/attacker", "weapon-abilities/anti")
@pytest.mark.parametrize(("abilities", "on"), [(("anti-infantry 3+",), 3), ((), 4)])
def test_anti_goes_before_who_can_be_wounded_only_by_might(abilities: Any, on: int) -> None:
    mine = squad("line-squad", weapons=(blade(s=10, abilities=abilities),))
    position = table(mine, squad("wardens", 1, 1, at=(30, TOUCHING + 0.2)), phase="fight")
    need = wound_need(blow(position, 0, 1))
    assert [need.is_met_by(face) for face in (1, on - 1, on)] == [False, False, True]


@covers("weapon-abilities/extra-attacks", "fight-phase/select-targets")
def test_extra_attacks_are_split_as_printed() -> None:
    foot, rules = blade("foot", a="2", abilities=("extra-attacks",)), ability(do=[{"modify": ["a", "worsen", 1]}])
    position = table(
        squad("line-squad", 1, at=(30, 10), weapons=(foot,), rules=rules),
        squad("line-squad", 1, 1, at=(28.6, 10)),
        squad("line-squad", 1, 1, at=(31.4, 10)),
        phase="fight",
    )
    found = play(declare(unit(position, 0)), answers=[["split", 1]], position=position).value
    assert [(one.target, one.count) for one in found] == [(1, 1), (2, 1)]


@covers("transports/disembark-reserves", "u/reserves-normal-move")
@pytest.mark.parametrize(("marks", "barred"), [({"moved": 1}, 0), ({"moved": 1, "arrived": 1}, 1)])
def test_a_ramp_is_for_a_normal_move_and_not_for_an_arrival(marks: dict[str, int], barred: int) -> None:
    engine, passenger = squad("great-engine", at=(30, 10), marks=marks), squad("veterans", 1, at=(50, 10))
    position = table(engine, passenger, phase="movement")
    position.take_off(model(position, 1), aboard_of=model(position, 0))
    play(disembark(unit(position, 1)), answers=[PROPOSAL], position=position)
    assert unit(position, 1).marks("no-charge") == barred


@covers("s/shoot-again-order", "stratagems/go-to-ground", "s/just-after")
def test_the_targets_of_a_second_volley_may_go_to_ground() -> None:
    position = table(squad("gunners", 1, rules={}, weapons=(gun(),)), squad("line-squad", 1, 1, at=(30, 20)))
    position.gain(1, "cp", 1)
    played = play(shoot_again(unit(position, 0), {(0, 0)}), "1", [[1], ("go-to-ground", 1)], position)
    assert played.prompts == ["shooting", "targets-chosen"]


@covers("transports/embark", "movement-phase/normal-move")
@pytest.mark.parametrize(("phase", "marks", "asked"), [("shooting", {}, True), ("shooting", {"got-out": 1}, True)])
def test_after_a_leap_back_a_unit_may_get_in(phase: str, marks: Any, asked: bool) -> None:
    mine = squad("gunners", 1, marks=marks)
    position = table(mine, squad("line-squad", 1, 1, at=(30, 30)), squad("carrier", at=(30, 3)), phase=phase)
    about: dict[str, Any] = {"units": (0,), "used": ()}
    played = at(position, "has-shot", answers=[("leap-back", 0, -1), [[[[30, 7]], None]], *([2] * asked)], **about)
    assert ("embark" in played.prompts) is asked


@covers("fight-single-model/consolidate", "m/consolidation-move")
def test_who_fights_alone_may_consolidate_to_a_marker() -> None:
    enemy = squad("line-squad", 1, 1, at=(30, TOUCHING), sv=7, w=1, weapons=())
    axe = blade(a="1", abilities=("torrent",), s=16, ap=-6, d="6")
    position = table(squad("veterans", 1, rules={}, weapons=(axe,)), enemy, phase="fight", markers=[(35, 10)])
    played = play(fight_alone(model(position, 0)), "2 | 1", [PROPOSAL], position)
    assert played.prompts == ["consolidate"]


@covers("c/fight-on-death", "weapon-abilities/lance", "i/cannot-be-affected", "e/persisting-effect")
@pytest.mark.parametrize(
    ("marks", "is_cursed", "dice", "prompts"),
    [
        ({}, False, "3 | 3", ["reroll-to-wound"]),
        ({"charged": 1}, False, "3 | 3 | 6", []),
        ({"shocked": 1}, False, "3 | 3", []),
        ({}, True, "3", ["reroll-to-hit"]),
    ],
)
def test_on_death_a_model_fights_as_one_of_its_unit(marks: Any, is_cursed: bool, dice: str, prompts: list[str]) -> None:
    curse = ability(lent=True, do=[{"modify": ["ws", "worsen", 1]}])
    enemy = squad("line-squad", 1, 1, at=(30, TOUCHING), weapons=(), rules=curse)
    mine = squad("line-squad", 1, weapons=(blade(a="1", abilities=("lance",)),), marks=marks)
    position = table(mine, enemy, phase="fight", side=1)
    position.gain(0, "cp", 1)
    if is_cursed:
        lend(position, "it", 1, COMMAND, ON_UNIT, 0)
    position.remove(model(position, 0), "melee", fallen=True)
    before = len(position.effects)
    played = play(fight_on_death([model(position, 0)]), dice, ["no" for _ in prompts], position)
    assert played.prompts == prompts
    assert len(position.effects) == before


@covers("fight-phase/select-weapon")
def test_each_model_chooses_its_own_melee_weapon() -> None:
    weapons = (blade("axe"), blade("pick"))
    position = table(
        squad("line-squad", 2, at=[(29.3, 10), (30.7, 10)], weapons=weapons),
        squad("line-squad", 1, 1, at=(30, TOUCHING - 0.2)),
        phase="fight",
    )
    found = play(declare(unit(position, 0)), answers=[["each", (0, 0), (1, 0)]], position=position).value
    assert [(one.row, one.weapon) for one in found] == [(0, 0), (1, 1)]


@covers("m/consolidation-move", "core-concepts/unit-coherency")
def test_a_scattered_unit_may_consolidate_into_coherency() -> None:
    mine, enemy = squad("line-squad", 2, at=[(30, 10), (34, 10)]), squad("line-squad", 1, 1, at=(55, 40))
    position = table(mine, enemy, phase="fight", markers=[(37, 12)])
    played = play(consolidate(unit(position, 0)), "", [PROPOSAL], position)
    assert played.prompts == ["consolidate"]


@covers("core-abilities/scouts")
def test_a_transport_scouts_by_its_own_ability() -> None:
    position = table(squad("carrier", abilities=("scouts 6",)), squad("line-squad", 1, at=(50, 10)))
    position.take_off(model(position, 1), aboard_of=model(position, 0))
    assert scouts(unit(position, 0)) == 6.0


@covers("re-rolls/specific-results", "p/bearer")
def test_who_may_re_roll_does_not_do_it_for_the_others() -> None:
    rules = ability(who="bearer", do=[{"reroll": ["hit", "failed"]}])
    mine = squad("line-squad", 1, weapons=(gun(),), rules=rules)
    captain = squad("captain", at=(31.5, 10), weapons=(gun(),), leads=0)
    position = table(mine, squad("line-squad", 1, 1, at=(30, 20)), captain)
    attacks = [attack_of(one, line_of(position, one)) for one in shots(position, 0, 1)]
    played = play(hits_of(position, attacks), "1 | 1 | 1", position=position)
    assert [one.count for one in handfuls(played, "to-hit")] == [1, 1]


@covers("datasheet/aura")
@pytest.mark.parametrize(("x", "oc"), [(38.8, 3), (39.0, 2)])
def test_an_aura_is_measured_from_its_owner(x: float, oc: int) -> None:
    gives = ability(who="aura", aura={"inches": 6}, do=[{"modify": ["oc", "add", 1]}])
    captain = squad("captain", at=(31.5, 10), rules=gives, leads=0)
    position = table(squad("line-squad", 1, at=(33, 10)), squad("line-squad", 1, at=(x, 10)), captain)
    assert objective_control(model(position, 1)) == oc


@covers("stratagems/tank-shock", "core-concepts/sequencing", "stratagems/heroic-intervention")
def test_a_vehicle_rams_before_the_enemy_intervenes() -> None:
    walker = squad("walker", at=(30, 10), marks={"ramming": 1}, weapons=(blade(s=6),))
    position = table(
        walker, squad("line-squad", 1, 1, at=(30, 16)), squad("captain", 1, 1, at=(34, 16)), phase="charge"
    )
    position.gain(1, "cp", 2)
    played = play(charge_on(unit(position, 0), (1,), 6.0), "1 1 1 1 1 1 1 1", [PROPOSAL, "pass", "pass"], position)
    asked = [question.prompt for question in played.questions]
    assert asked == ["charge-move", "tank-shock", "enemy-moves", "charge-ends"]


@covers("stratagems/tank-shock")
def test_without_a_melee_weapon_nobody_rams() -> None:
    walker = squad("walker", at=(30, 10), weapons=())
    position = table(walker, squad("line-squad", 1, 1, at=(30, 10 + (32 + 90) / 50.8)), phase="charge")
    assert play(ram(unit(position, 0)), position=position).rolls == []


@covers("datasheet/aura", "duplicate-abilities/no-stacking")
@pytest.mark.parametrize(("side", "whom", "oc"), [(0, "enemy", 2), (1, "friendly", 1)])
def test_abilities_of_two_armies_with_one_id_are_two(side: int, whom: str, oc: int) -> None:
    aura = ability(who="aura", aura={"inches": 6, "side": whom}, do=[{"modify": ["oc", "subtract", 1]}])
    mine = squad("line-squad", 1, 1, rules=ability(do=[{"modify": ["oc", "add", 1]}]))
    position = table(squad("captain", 1, side, at=(33, 10), rules=aura), mine)
    assert objective_control(model(position, 1)) == oc


@covers("i/the-phase")
@pytest.mark.parametrize(("side", "is_free"), [(0, False), (1, True)])
def test_each_unit_is_counted_for_each_army(side: int, is_free: bool) -> None:
    once = ability(moment="movement-ends", once="turn", each=True, pick={"side": "enemy", "inches": 6}, do=HURTS)
    position = table(squad("captain", 1, 0, rules=once), squad("captain", 1, side, at=(33, 10), rules=once))
    first, second = (Carried("it", once["it"], row) for row in (0, 1))
    use_up(position, first, on=1)
    assert is_left(position, second, on=1) is is_free


@covers("replaced/definition", "core-abilities/leader", "f/while-leading")
@pytest.mark.parametrize(("leads", "count"), [(0, 4), (None, 3)])
def test_a_leader_is_relieved_with_its_unit(leads: int | None, count: int) -> None:
    captain = squad("captain", at=(34.5, 20), leads=leads, models={"wounds": 1})
    position = table(
        squad("gunners", 3, at=(30, 20)), squad("line-squad", 1, 1, at=(30, 40)), captain, phase="movement"
    )
    position.remove(model(position, 2), "shooting")
    play(move_a_unit(position, 0), answers=[("relief", 0, -1), PROPOSAL], position=position)
    new = unit(position, 3)
    assert (len(members(new)), starting_strength(new), is_attached(new)) == (count, count, leads == 0)
    assert [m.marks("wounds") for m in members(new)] == [0] * count
    assert model(position, 4).is_on_table is (leads is None)
    assert not [use for use in uses_at(position, 0, "movement", {}) if use.one.name == "relief"]


@covers("c/fight-on-death-timing", "b/target-of-attack", "fight-phase/select-targets")
@pytest.mark.parametrize("is_dead", [True, False])
def test_nobody_attacks_those_who_act_on_their_death(is_dead: bool) -> None:
    enemy = squad("line-squad", 2, 1, at=[(30, TOUCHING), (31.5, TOUCHING)])
    position = table(squad("gunners", 1), enemy, phase="fight", side=1)
    if is_dead:
        position.remove(model(position, 0), "melee", fallen=True)
        raise_up([model(position, 0)])
    found = play(declare(unit(position, 1)), position=position).value
    assert bool(found) is not is_dead


@covers("c/fight-on-death-timing", "shooting-phase/select-targets")
@pytest.mark.parametrize("is_dead", [True, False])
def test_nobody_shoots_at_those_who_act_on_their_death(is_dead: bool) -> None:
    position = table(squad("gunners", 1), squad("line-squad", 1, 1, at=(30, 20)), side=1)
    if is_dead:
        position.remove(model(position, 0), "shooting", fallen=True)
        raise_up([model(position, 0)])
    assert bool(targets_of(position, 1, guns_of(unit(position, 1)))) is not is_dead


@covers("c/fight-on-death", "s/shoot-on-death")
def test_two_that_shoot_on_their_death_shoot_once_each() -> None:
    """The first kills an enemy, whose own last shot kills the second, while the first still stands."""
    sure = gun(abilities=("torrent",), s=16, ap=-6, d="6")
    gunners: dict[str, Any] = {"rules": {"parting-shot": PARTING}, "weapons": (sure,), "w": 1}
    mine = squad("gunners", 2, at=[(20, 10), (40, 10)], **gunners)
    position = table(mine, squad("gunners", 2, 1, at=[(28, 20), (32, 20)], **gunners), side=1)
    position.remove(model(position, 0), "shooting", fallen=True)
    answers, dice = [[1], [2, 3], [0], [1]], "2 | 1 | 4 | 2 | 1 | 4 | 2 | 1 | 1"
    played = play(shoot_on_death([model(position, 0)]), dice, answers, position)
    assert [one.count for one in handfuls(played, "to-wound")] == [1, 1, 1]


@covers("s/shoot-on-death-out-of-phase", "core-abilities/firing-deck")
@pytest.mark.parametrize("is_dead", [True, False])
def test_on_its_death_a_transport_lends_no_weapons(is_dead: bool) -> None:
    position = table(squad("carrier", at=(30, 10)), squad("line-squad", 1, at=(50, 10)))
    position.take_off(model(position, 1), aboard_of=model(position, 0))
    own = unit(position, 0)
    if is_dead:
        position.remove(model(position, 0), "shooting", fallen=True)
        own = raise_up([model(position, 0)])
    assert bool(lent_guns(own)) is not is_dead


@covers("weapon-abilities/hazardous", "c/fight-on-death-timing")
@pytest.mark.parametrize("is_dead", [True, False])
def test_who_is_already_dead_takes_no_hazardous_test(is_dead: bool) -> None:
    mine = squad("gunners", 1, rules={}, weapons=(gun(abilities=("hazardous",)),))
    position = table(mine, squad("line-squad", 1, 1, at=(30, 20)), side=1)
    if is_dead:
        position.remove(model(position, 0), "shooting", fallen=True)
        played = play(shoot_on_death([model(position, 0)]), "1", [[1]], position)
    else:
        played = play(resolve(unit(position, 0), shots(position, 0, 1)), "1 | 2", position=position)
    assert bool(handfuls(played, "hazardous")) is not is_dead


@covers("s/just-after", "c/fight-on-death-end", "training/drill-roster")
@pytest.mark.parametrize(
    ("phase", "count", "is_asked"), [("shooting", 1, False), ("shooting", 2, True), ("movement", 2, False)]
)
def test_a_last_shot_is_answered_at_the_living_of_its_unit(phase: str, count: int, is_asked: bool) -> None:
    back = sheets_named("drill").detachments["parade"].rules["answering-fire"]
    mine = squad("gunners", count, weapons=(gun(),), rules={})
    enemy = squad("line-squad", 1, 1, at=(30, 20), weapons=(gun(),), rules={"answering-fire": back})
    position = table(mine, enemy, phase=phase)
    position.remove(model(position, 0), "shooting", fallen=True)
    played = play(shoot_on_death([model(position, 0)]), "1", [[1], *(["pass"] * is_asked)], position)
    assert played.prompts == ["shooting", *(["ability"] * is_asked)]


@covers("c/fight-on-death", "f/while-leading")
@pytest.mark.parametrize(("leads", "dice"), [(0, "1 | 2"), (None, "1")])
def test_who_fights_on_its_death_is_still_led(leads: int | None, dice: str) -> None:
    enemy = squad("line-squad", 1, 1, at=(30, TOUCHING), weapons=())
    mine = squad("line-squad", 2, at=[(30, 10), (28, 8)], weapons=(blade(a="1"),))
    lieutenant = squad("lieutenant", at=(26, 7), leads=leads)
    position = table(mine, enemy, lieutenant, phase="fight", side=1)
    position.remove(model(position, 0), "melee", fallen=True)
    play(fight_on_death([model(position, 0)]), dice, position=position)


@covers("f/while-leading", "r/return-models")
@pytest.mark.parametrize(("leads", "count"), [(0, 3), (None, 2)])
def test_a_leader_brings_back_models_of_the_unit_that_it_leads(leads: int | None, count: int) -> None:
    rules = ability(who="led", moment="command-starts", do=[{"returns": "1"}])
    captain = squad("captain", at=(34.5, 10), leads=leads, rules=rules)
    position = table(squad("line-squad", 3), captain, squad("line-squad", 1, 1, at=(30, 40)), phase="command")
    position.remove(model(position, 2), "shooting")
    at(position, "command-starts", answers=[PROPOSAL] * (leads == 0))
    assert left(position, 0) == count + (leads == 0)


@covers("f/while-leading", "c/fight-on-death", "modifiers/damage-zero")
@pytest.mark.parametrize(("leads", "many"), [(0, 1), (None, 0)])
def test_what_a_leader_gives_to_its_unit_is_given_to_each_model(leads: int | None, many: int) -> None:
    rules = ability(who="led", moment="falls", do=[{"act": "fight-on-death"}])
    position = table(squad("line-squad", 2), squad("captain", at=(33.2, 10), leads=leads, rules=rules))
    assert [len(usable(model(position, row), "falls")) for row in (0, 2)] == [many, many]


@covers("r/regain-wounds", "p/bearer")
@pytest.mark.parametrize(("who", "lost"), [("bearer", [2, 0]), ("unit", [1, 1])])
def test_who_heals_itself_does_not_heal_its_unit(who: str, lost: list[int]) -> None:
    rules = ability(who=who, moment="movement-ends", do=[{"heals": "1"}])
    hurt = squad("line-squad", 1, w=5, models={"wounds": 2})
    captain = squad("captain", at=(32, 10), leads=0, rules=rules, models={"wounds": 1})
    position = table(hurt, captain, squad("line-squad", 1, 1, at=(30, 40)), phase="reinforcements")
    at(position, "movement-ends")
    assert [wounds(position, row) for row in (0, 1)] == lost


@covers("attack/allocate", "stratagems/grenade", "stratagems/tank-shock")
@pytest.mark.parametrize(("name", "dice"), [("line-squad", "4 1 1 1 1 1"), ("walker", "5 1")])
def test_who_takes_losses_is_chosen_anew_after_a_stratagem(name: str, dice: str) -> None:
    y = TOUCHING + 1.2 if name == "walker" else 15
    by = squad(name, at=(30, 10), weapons=(blade(s=2),))
    position = table(by, squad("line-squad", 2, 1, at=[(29.3, y), (30.7, y)]))
    played = play(ram(unit(position, 0)) if name == "walker" else throw(position, 0, 0, {}), dice, [[1, 2]], position)
    assert played.prompts == ["who-takes"]
    assert "queue" not in position.declared


@covers("c/fight-on-death", "s/shoot-on-death-timing", "stratagems/grenade")
@pytest.mark.parametrize(("cause", "dice", "prompts"), [("", " | 1", ["shooting"]), ("melee", "", [])])
def test_who_dies_of_a_grenade_acts_at_once(cause: str, dice: str, prompts: list[str]) -> None:
    rules = ability(who="bearer", moment="falls", do=[{"act": "shoot-on-death"}], **{"if": {"attack": cause}})
    enemy = squad("line-squad", 1, 1, at=(30, 15), w=1, rules=rules, weapons=(gun(),))
    position = table(squad("line-squad", 1), enemy)
    answers = [[0]] if prompts else []
    played = play(throw(position, 0, 0, {}), f"4 1 1 1 1 1{' | 1' if prompts else ''}{dice}", answers, position)
    assert played.prompts == prompts
    assert model(position, 1).where == GONE


@covers("core-abilities/leader-split", "h/has-shot")
@pytest.mark.parametrize("left_over", [True, False])
def test_a_leader_whose_last_guard_dies_of_its_gun_has_shot(left_over: bool) -> None:
    rules = ability(moment="has-shot", optional=True, inches=6, do=[{"act": "move"}])
    guard = squad("line-squad", 1, weapons=(gun(abilities=("hazardous",)),))
    captain = squad("captain", at=(32, 10), leads=0, weapons=(), rules=rules)
    position = table(guard, squad("line-squad", 1, 1, at=(30, 20), w=9), captain)
    declared = [(one, 1) for one in guns(position, 0)]
    played = play(shoot(unit(position, 0), declared), f"1 | {2 if left_over else 1}", ["pass"], position)
    assert is_attached(unit(position, 0)) is left_over
    assert played.prompts == ["ability"]


@covers("m/move-while-engaged", "stratagems/fire-overwatch", "s/just-after")
@pytest.mark.parametrize(("die", "is_held"), [("6", True), ("1", False)])
def test_who_surged_into_the_enemy_does_not_move_on(die: str, is_held: bool) -> None:
    foes = squad("line-squad", 1, 1, at=(30, 16), weapons=(gun(abilities=("torrent",)),))
    position = table(squad("riders", 2, at=[(30, 10), (30, 7)], w=1, sv=7), foes, phase="movement")
    position.gain(1, "cp", 1)
    answers: list[Any] = [("fire-overwatch", 1), [1, 0], ("surge", 0, -1), PROPOSAL]
    answers += [] if is_held else [PROPOSAL]
    played = play(normal_move(unit(position, 0)), f"6 | 1 | {die}", answers, position)
    assert ("normal-move" in played.prompts) is not is_held
    assert unit(position, 0).marks("moved") == 1


@covers("m/move-while-engaged", "charge-phase/charge-move")
@pytest.mark.parametrize(("y", "moves"), [(TOUCHING + 0.5, False), (TOUCHING + 3, True)])
def test_an_engaged_unit_makes_no_charge_move(y: float, moves: bool) -> None:
    position = table(squad("line-squad", 1), squad("line-squad", 1, 1, at=(30, y)), phase="charge")
    played = play(charge_on(unit(position, 0), (1,), 6.0), answers=[PROPOSAL] * moves, position=position)
    assert played.prompts == ["charge-move"] * moves


@covers("s/set-up-impossible", "r/return-leader")
@pytest.mark.parametrize(("cause", "is_back"), [("no-room", False), ("shooting", True)])
def test_who_was_lost_for_want_of_room_does_not_come_back(cause: str, is_back: bool) -> None:
    rules = ability(who="bearer", moment="phase-ends", once="battle", do=[{"comes_back": 3}])
    position = table(squad("captain", rules=rules), squad("line-squad", 1, 1, at=(30, 40)))
    position.remove(model(position, 0), cause)
    at(position, "phase-ends")
    assert model(position, 0).is_on_table is is_back


@covers("re-rolls/any-of-several", "c/critical-hit-overwatch")
@pytest.mark.parametrize(("snap", "dice"), [(True, "5 | 6"), (False, "5")])
def test_in_overwatch_a_five_is_re_rolled_though_it_would_be_critical(snap: bool, dice: str) -> None:
    rules = ability(do=[{"reroll": ["hit", "any"]}, {"critical": ["hit", 5]}])
    mine = squad("line-squad", 1, weapons=(gun(abilities=("sustained-hits 1",)),), rules=rules)
    position = table(mine, squad("line-squad", 1, 1, at=(30, 20)))
    one = shots_of(guns(position, 0)[0], unit(position, 1), snap)
    played = play(hits_of(position, [attack_of(one, line_of(position, one))]), dice, ["not-critical"], position)
    assert len(played.value) == 2


@covers("r/return-leader", "a/add-models-no-room")
@pytest.mark.parametrize(("foes", "is_led"), [(1, True), (8, False)])
def test_a_leader_without_room_beside_its_unit_does_not_return(foes: int, is_led: bool) -> None:
    rules = ability(who="bearer", moment="phase-ends", once="battle", do=[{"comes_back": 3}])
    ring = [(30 + 2.36 * math.cos(k * math.pi / 4), 20 + 2.36 * math.sin(k * math.pi / 4)) for k in range(foes)]
    captain = squad("captain", at=(50, 20), leads=0, rules=rules)
    position = table(squad("line-squad", 1, at=(30, 20)), captain, squad("line-squad", foes, 1, at=ring))
    position.remove(model(position, 1), "shooting")
    separate_all(position)
    at(position, "phase-ends", answers=[PROPOSAL] * is_led)
    assert is_attached(unit(position, 0)) is model(position, 1).is_on_table is is_led


@covers("b/target-no-longer-eligible", "stratagems/fire-overwatch", "weapon-abilities/hazardous")
@pytest.mark.parametrize("die", [1, 2])
def test_a_target_that_its_own_gun_destroys_is_charged_no_longer(die: int) -> None:
    one = squad("line-squad", 1, 1, at=(30, 14), weapons=())
    other = squad("gunners", 1, 1, at=(36, 14), rules={}, weapons=(gun(abilities=("hazardous",)),))
    position = table(squad("line-squad", 1), one, other, phase="charge")
    position.gain(1, "cp", 1)
    answers: list[Any] = [("fire-overwatch", 2), PROPOSAL]
    play(charge_at(unit(position, 0), (1, 2)), f"3 2 | 1 | {die}", answers, position)
    assert unit(position, 0).marks("charged") == (die == 1)


@covers("datasheet/wargear-ability", "attack/fast-dice", "b/cover-without-terrain")
@pytest.mark.parametrize(("bearers", "dice", "alive"), [(1, "4 4 | 3 | 4", 0), (2, "4 4 | 3 4", 1)])
def test_saves_after_the_banner_is_lost_are_made_without_it(bearers: int, dice: str, alive: int) -> None:
    """A Save of 4+ against AP -1: with cover a 4 saves, without the Banner it fails."""
    enemy = squad("gunners", 2, 1, at=[(29.3, 20), (30.7, 20)], w=1, sv=4, rules={})
    banner = ability(of="wargear", do=[{"grant": "cover"}])
    enemy.profiles[:bearers] = [replace(one, rules=banner) for one in enemy.profiles[:bearers]]
    mine = squad("line-squad", 2, weapons=(gun(ap=-1, abilities=("torrent",)),))
    position = table(mine, enemy)
    play(resolve(unit(position, 0), shots(position, 0, 1)), dice, [[2, 3]], position)
    assert left(position, 1) == alive


@covers("transports/embark", "m/move-while-engaged")
@pytest.mark.parametrize(("die", "embarks"), [("6", False), ("1", True)])
def test_only_who_has_moved_gets_in(die: str, embarks: bool) -> None:
    foes = squad("line-squad", 1, 1, at=(30, 16), weapons=(gun(abilities=("torrent",)),))
    mine = squad("riders", 2, at=[(30, 10), (30, 7)], w=1, sv=7, keywords=("infantry",))
    position = table(mine, foes, squad("carrier", at=(26, 11)), phase="movement")
    position.gain(1, "cp", 1)
    answers: list[Any] = [0, "normal", ("fire-overwatch", 1), [1, 0], ("surge", 0, -1), PROPOSAL]
    answers += [[[[], None]], "no"] if embarks else []
    played = play(move_a_unit(position, 0), f"6 | 1 | {die}", answers, position)
    assert ("embark" in played.prompts) is embarks


@covers("r/return-leader", "core-abilities/leader-split", "movement-phase/advance")
@pytest.mark.parametrize("advanced", [0, 1])
def test_a_leader_that_returns_alone_has_advanced_with_its_unit(advanced: int) -> None:
    rules = ability(who="bearer", moment="phase-ends", once="battle", do=[{"comes_back": 3}])
    captain = squad("captain", at=(32, 10), leads=0, rules=rules)
    foes = squad("line-squad", 1, 1, at=(32, 18))
    position = table(squad("line-squad", 1, marks={"advanced": advanced}), captain, foes)
    for row in (0, 1):
        position.remove(model(position, row), "shooting")
    separate_all(position)
    at(position, "phase-ends")
    assert is_barred(unit(position, 1)) is bool(advanced)


@covers("weapon-abilities/pistol-or-others", "datasheet/several-profiles")
@pytest.mark.parametrize(("y", "weapons"), [(18, ("rifle",)), (28, ("pistol",))])
def test_odds_count_no_pistol_with_another_gun(y: float, weapons: tuple[str, ...]) -> None:
    both = (gun("rifle", range=12.0), gun("pistol", range=24.0, abilities=("pistol",)))
    position = table(squad("line-squad", 1, weapons=both), squad("line-squad", 1, 1, at=(30, y)))
    (found,) = forecasts(position, 0, 1)
    assert found.of == weapons


@covers("fight-phase/which-models", "terrain/barricades-melee")
@pytest.mark.parametrize(("gap", "told"), [(1.9, True), (2.1, False)])
def test_odds_are_told_across_a_barricade(gap: float, told: bool) -> None:
    mine, foe = squad("line-squad", 1), squad("line-squad", 1, 1, at=(30, TOUCHING + gap))
    position = table(mine, foe, pieces=[piece("barricade", 30, 11.6, (6, 0.5))], phase="fight")
    assert [one.ways for one in forecasts(position, 0, 1)] == [("shooting",), *([("melee",)] * told)]


@covers("weapon-abilities/pistol-or-others", "keywords/models-only")
@pytest.mark.parametrize(("keywords", "count"), [(("infantry",), 1), (("vehicle",), 2)])
def test_a_walker_among_infantry_shoots_its_pistol_too_but_not_for_them(keywords: Any, count: int) -> None:
    both = (gun("rifle"), gun("pistol", abilities=("pistol",)))
    mine = squad("line-squad", 1, weapons=both, keywords=keywords)
    engine = squad("captain", at=(32, 10), leads=0, weapons=(), keywords=("character", "vehicle"))
    position = table(mine, squad("line-squad", 1, 1, at=(30, 18)), engine)
    answers = [[1]] if count == 2 else [["others", 1]]
    found = play(declare_shots(unit(position, 0)), answers=answers, position=position).value
    assert len(found) == count


@covers("c/fight-on-death", "s/shoot-on-death")
@pytest.mark.parametrize(("once", "many"), [("battle", 1), ("", 2)])
def test_last_deeds_are_counted(once: str, many: int) -> None:
    rules = ability(moment="falls", once=once, do=[{"act": "shoot-on-death"}])
    mine = squad("line-squad", 2, w=1, sv=7, rules=rules, weapons=(gun(),))
    enemy = squad("line-squad", 2, 1, at=(30, 20), weapons=(gun(abilities=("torrent",)),))
    position = table(mine, enemy, side=1)
    dice = f"6 6 | 1 1 |{' 1' * many} |{' 1' * many}"
    played = play(resolve(unit(position, 1), shots(position, 1, 0)), dice, [[0, 1], [1]], position)
    assert sum(one.count for one in handfuls(played, "to-hit")) == many
    assert left(position, 0) == 0


@covers("attack/invulnerable-save", "attack/saving-throw-cap")
@pytest.mark.parametrize(
    ("do", "face"),
    [
        ([], 4),
        ([["save", "subtract", 1]], 5),
        ([["armour", "subtract", 1]], 4),
        ([["save", "add", 1], ["save", "add", 1]], 3),
    ],
)
def test_an_invulnerable_save_is_modified_by_all_but_ap(do: Any, face: int) -> None:
    rules = ability(attacks="allocated", do=[{"roll": one} for one in do]) if do else {}
    foe = squad("line-squad", 1, 1, at=(30, 20), sv=7, invulnerable=4, rules=rules)
    position = table(squad("line-squad", 1, weapons=(gun(ap=-3),)), foe)
    (one,) = shots(position, 0, 1)
    need = save_need(model(position, 1), attack_of(one, line_of(position, one)))
    assert need.are_met_by([face - 1, face]) == (False, True)


@covers("c/fight-on-death", "s/shoot-on-death", "core-abilities/deadly-demise")
@pytest.mark.parametrize("abilities", [(), ("deadly-demise 1",)])
def test_who_explodes_acts_once_before_it(abilities: tuple[str, ...]) -> None:
    plain: dict[str, Any] = {"rules": ability(moment="falls", do=[{"act": "shoot-on-death"}]), "weapons": (gun(),)}
    mine = [squad("line-squad", 1, at=(x, 10), abilities=abilities, **plain) for x in (20, 40)]
    position = table(*mine, squad("line-squad", 1, 1, at=(30, 30)), side=1)
    for row in (0, 1):
        position.remove(model(position, row), "shooting", fallen=True)
    position.declare("fell", (0, 1))
    played = play(see_to_fallen(position), "1 | 1 | 1 | 1" + " | 1 | 1" * len(abilities), [[2], [2]], position)
    assert [one.count for one in handfuls(played, "to-hit")] == [1, 1]
