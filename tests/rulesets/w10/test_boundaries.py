"""Where two rules meet: what ends and what goes on, who is asked, what is left (chapter by chapter)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Part
from campale.referee.position import ABOARD, RESERVE, Position
from campale.referee.question import Choose
from campale.referee.telling.teller import Teller
from campale.rulesets.w10.abilities.moments import use_all, uses_at
from campale.rulesets.w10.attack.allocation import pickable
from campale.rulesets.w10.attack.attack import attacks_of, hits_of
from campale.rulesets.w10.attack.damage import mortal_wounds
from campale.rulesets.w10.attack.resolve import hazards, resolve
from campale.rulesets.w10.attack.saves import by_rule
from campale.rulesets.w10.basics.attached import is_attached, separate_all
from campale.rulesets.w10.basics.sight import sees, sees_fully
from campale.rulesets.w10.basics.units import starting_strength
from campale.rulesets.w10.battle.formations import cost_of
from campale.rulesets.w10.charge.charging import charge_at, charge_movement
from campale.rulesets.w10.charge.ramming import ram
from campale.rulesets.w10.command.phase import begin_command
from campale.rulesets.w10.fight.alone import could_fight
from campale.rulesets.w10.fight.declaring import Blow, blows_as_shots
from campale.rulesets.w10.fight.pile_in import closest_marker, melee_movement
from campale.rulesets.w10.movement.aircraft import fly, leave
from campale.rulesets.w10.movement.moves import movement_of, normal_move
from campale.rulesets.w10.movement.phase import to_move
from campale.rulesets.w10.movement.reserves import areas_of, may_arrive, misplaced, reinforcements, stay_put
from campale.rulesets.w10.movement.returning import lost_in_phase
from campale.rulesets.w10.movement.transports import board, cannot_stand
from campale.rulesets.w10.movement.wrecks import roll_for_survivors
from campale.rulesets.w10.shooting.again import can_shoot_back
from campale.rulesets.w10.shooting.phase import shoot_with_a_unit
from campale.rulesets.w10.shooting.targets import critical_of
from campale.rulesets.w10.turn.sequence import step
from campale.rulesets.w10.windows.windows import options_of
from tests.rulesets.w10.kit import (
    PROPOSAL,
    attack,
    blade,
    first_question,
    gun,
    handfuls,
    left,
    model,
    piece,
    play,
    shots,
    squad,
    table,
    unit,
    why,
    wounds,
)

covers = pytest.mark.covers


def rich(position: Position, mine: int = 5, theirs: int = 0) -> Position:
    for side, points in enumerate((mine, theirs)):
        position.gain(side, "cp", points)
    return position


# ---------------------------------------------------------------- Command phase


@covers("command-phase/recover", "t/battle-shock-duration", "repositioned/persisting")
def test_units_aboard_and_in_reserves_recover_too() -> None:
    shocked = {"shocked": 1}
    position = table(
        squad("carrier", at=(30, 10)),
        squad("line-squad", 5, marks=shocked, at=(20, 10)),
        squad("seer", marks=shocked, where="reserve"),
        squad("seer", 1, 1, marks=shocked, where="reserve"),
    )
    board([model(position, row) for row in range(1, 6)], model(position, 0))
    begin_command(position, 0)
    assert model(position, 1).where == ABOARD
    assert [unit(position, row).marks("shocked") for row in (1, 2, 3)] == [0, 0, 1]


@covers("command-phase/gain-cp")
def test_the_points_are_gained_before_anything_else() -> None:
    position = table(squad("mystic"), squad("line-squad", 5, 1, at=(30, 20)), phase="command", begun=0)
    assert first_question(step(position)).prompt == "ability"
    assert position.holds(0, "cp") == position.holds(1, "cp") == 1


# ---------------------------------------------------------------- Stratagems


@covers("stratagems/command-reroll", "shooting-phase/number-of-attacks")
@pytest.mark.parametrize(
    ("points", "dice", "answers", "count"),
    [(1, "2 | 5", ["again"], 5), (1, "2", ["no"], 2), (0, "2", [], 2), (1, "6", [], 6)],
)
def test_a_number_of_attacks_may_be_rolled_again(points: int, dice: str, answers: list[str], count: int) -> None:
    mortar = gun("mortar", a="D6")
    position = rich(table(squad("line-squad", weapons=(mortar,)), squad("line-squad", 5, 1, at=(30, 20))), points)
    played = play(attacks_of(position, shots(position, 0, 1)), dice, answers, position)
    assert len(played.value) == count
    assert position.holds(0, "cp") == points - (answers == ["again"])


@covers("shooting-phase/sequence", "stratagems/grenade")
def test_a_grenade_is_thrown_after_the_last_unit_has_shot_too() -> None:
    advanced = squad("line-squad", 5, at=(30, 12), marks={"advanced": 1})
    position = rich(table(advanced, squad("seer", at=(20, 10)), squad("line-squad", 5, 1, at=(30, 18))))
    position.of_units.set(1, "shot", 1)
    assert options_of(position, 0, "shooting-menu", {}) == [("grenade", 0)]
    position.of_units.set(1, "shot", 0)
    more = play(shoot_with_a_unit(position, 0), "", [1, ["hold"]], position)
    assert more.value is True


@covers("stratagems/fire-overwatch", "charge-phase/charge-roll")
@pytest.mark.parametrize(("dice", "asked"), [("1 2", 0), ("4 4", 1)])
def test_no_charge_move_begins_where_the_roll_is_too_short(dice: str, asked: int) -> None:
    position = rich(table(squad("seer", at=(30, 10)), squad("line-squad", 5, 1, at=(30, 18)), phase="charge"), 0, 1)
    answers = ["pass", PROPOSAL] if asked else []
    played = play(charge_at(unit(position, 0), (1,)), dice, answers, position)
    assert ("enemy-moves" in played.prompts) is bool(asked)


@covers("stratagems/tank-shock", "modifiers/improve-others", "c/against-characteristic")
@pytest.mark.parametrize(("enemy", "count"), [("idol", 13), ("beast", 14)])
def test_tank_shock_counts_the_strength_after_its_modifiers(enemy: str, count: int) -> None:
    """The Idol makes melee weapons of enemies near it weaker by 1."""
    position = table(squad("walker", at=(30, 10)), squad(enemy, 1, 1, at=(30, 14.2)), phase="charge")
    played = play(ram(unit(position, 0)), "1 " * count, position=position)
    assert handfuls(played, "tank-shock")[0].count == count


@covers("stratagems/rapid-ingress", "aircraft/leave")
@pytest.mark.parametrize(("turn", "may"), [(3, False), (4, False), (5, True)])
def test_aircraft_that_left_come_back_in_a_turn_of_their_own(turn: int, may: bool) -> None:
    position = table(squad("flyer", at=(30, 30)), squad("line-squad", 1, 1, at=(5, 40)), turn=3, phase="movement")
    leave(unit(position, 0))
    position.now.update(turn=turn, round=(turn + 1) // 2, side=(turn + 1) % 2)
    assert may_arrive(unit(position, 0)) is may


@covers("out-of-phase/limits", "s/shoot-again-eligible")
@pytest.mark.parametrize(("at", "may"), [((30, 12.6), False), ((30, 20), True)])
def test_big_guns_do_not_shoot_back_while_engaged(at: Any, may: bool) -> None:
    position = table(squad("walker", 1, 1, at=(30, 10)), squad("line-squad", at=at), squad("seer", at=(40, 10)))
    assert can_shoot_back(unit(position, 0), 2) is may


@covers("s/deploy-oversize-turn", "out-of-phase/limits")
@pytest.mark.parametrize("is_oversize", [False, True])
def test_who_was_too_large_for_the_strip_fires_no_overwatch_in_that_turn(is_oversize: bool) -> None:
    engine = squad("great-engine", 1, 1, at=(30, 20), weapons=(gun(),))
    position = rich(table(squad("line-squad", 5), engine, phase="charge", side=0), 0, 2)
    if is_oversize:
        stay_put(unit(position, 1))
    found = options_of(position, 1, "enemy-moves", {"mover": 0})
    assert found == ([] if is_oversize else [("fire-overwatch", 1)])


# ---------------------------------------------------------------- attached units


def led(**changes: Any) -> Position:
    """Veterans with a Mystic, whose ability protects the unit from mortal wounds, and a Marshal; a lone shooter."""
    return table(
        squad("veterans", 2, 1, at=(30, 20)),
        squad("mystic", 1, 1, at=(33, 20), leads=0),
        squad("seer", at=(30, 8), **changes),
    )


@covers("f/while-leading-ends", "core-abilities/leader-split")
def test_rules_of_a_leader_whom_attacks_destroy_hold_until_they_are_resolved() -> None:
    """The Mystic dies by a precise attack; of the mortal wounds that come after, Feel No Pain still saves the unit."""
    sniper = gun("sniper", a="1", s=8, ap=-6, d="9", abilities=("precision",))
    bolt = gun("bolt", a="1", s=4, d="2", abilities=("devastating-wounds", "torrent"))
    position = led(weapons=(sniper, bolt))
    assert model(position, 2).profile.title["en"] == "Mystic"
    dice = "6 6 1 | 6 | 1 1"
    played = play(resolve(unit(position, 2), shots(position, 2, 0)), dice, position=position, accepting=True)
    assert "feel-no-pain" in played.rolls
    assert left(position, 0) == 1
    later = play(mortal_wounds(unit(position, 0), 1, -1, "mortal-wounds"), position=position, accepting=True)
    assert "feel-no-pain" not in later.rolls


@covers("core-abilities/leader-split", "core-abilities/leader")
@pytest.mark.parametrize("where", [ABOARD, RESERVE])
def test_a_unit_off_the_table_stays_attached_whatever_is_resolved_elsewhere(where: int) -> None:
    position = table(
        squad("carrier", at=(30, 10)),
        squad("line-squad", 2, at=(20, 10)),
        squad("captain", at=(24, 10), leads=1),
        squad("line-squad", 1, 1, at=(50, 40)),
    )
    passengers = [model(position, row) for row in (1, 2, 3)]
    for one in passengers:
        position.take_off(one, where, aboard_of=model(position, 0) if where == ABOARD else None)
    separate_all(position)
    assert is_attached(unit(position, 1))
    assert starting_strength(unit(position, 1)) == 3
    for row in (1, 2):
        position.remove(model(position, row), "no-room")
    separate_all(position)
    assert model(position, 3).unit == unit(position, 2)


@covers("e/persisting-attached", "stratagems/go-to-ground")
def test_a_leader_left_alone_keeps_what_a_stratagem_gave_the_unit() -> None:
    position = led()
    unit(position, 0).mark("gone-to-ground", 1)
    for row in (0, 1):
        position.remove(model(position, row), "shooting")
    separate_all(position)
    assert by_rule(model(position, 1)) == "stratagems/go-to-ground"


@covers("weapon-abilities/precision", "u/precision-several-characters")
def test_precision_picks_between_two_leaders_when_their_bodyguard_has_fallen_in_the_same_attacks() -> None:
    position = table(
        squad("line-squad", 1, 1, at=(30, 20)),
        squad("captain", 1, 1, at=(33, 20), leads=0),
        squad("lieutenant", 1, 1, at=(36, 20), leads=0),
        squad("seer", at=(30, 10)),
    )
    position.remove(model(position, 0), "shooting")
    line = gun("rifle", abilities=("precision",)).lines[0]
    assert pickable(unit(position, 0), attack(line, by=3, target=0)) == [1, 2]
    separate_all(position)
    assert pickable(unit(position, 1), attack(line, by=3, target=1)) == []


def screened(phase: str) -> Position:
    """A Captain with one frail bodyguard model, within sight of a gun that never misses on a 6."""
    killer = gun("killer", a="1", s=20, ap=-6, d="9")
    position = table(
        squad("line-squad", 1, at=(30, 10)),
        squad("captain", at=(32, 10), leads=0),
        squad("seer", 1, 1, at=(30, 16), weapons=(killer,)),
        phase=phase,
        side=0,
    )
    return rich(position, 0, 1)


@covers("core-abilities/leader-split", "stratagems/fire-overwatch", "charge-phase/charge-move")
def test_a_leader_whose_bodyguard_falls_as_the_charge_begins_charges_on_alone() -> None:
    position = screened("charge")
    played = play(
        charge_at(unit(position, 0), (2,)),
        "6 5 | 6 | 6 | 1",
        [("fire-overwatch", 2), PROPOSAL],
        position,
        accepting=True,
    )
    assert "charge-move" in played.prompts
    assert model(position, 1).unit == unit(position, 1)
    assert [unit(position, row).marks("charged") for row in (0, 1)] == [0, 1]


@covers("core-abilities/leader-split", "stratagems/fire-overwatch", "movement-phase/normal-move")
def test_a_leader_whose_bodyguard_falls_as_the_move_begins_moves_on_alone() -> None:
    position = screened("movement")
    answers = [("fire-overwatch", 2), [[[[32, 5]], None]]]
    play(normal_move(unit(position, 0)), "6 | 6 | 1", answers, position)
    assert model(position, 1).at == (32, 5)
    assert unit(position, 1).marks("moved")


# ---------------------------------------------------------------- attacks


@covers("weapon-abilities/hazardous")
def test_a_weapon_whose_attacks_are_split_is_tested_once() -> None:
    axe = blade("axe", a="4", abilities=("hazardous",))
    position = table(
        squad("line-squad", 1, weapons=(axe,), at=(30, 10)),
        squad("line-squad", 1, 1, at=(31.5, 10)),
        squad("line-squad", 1, 1, at=(28.5, 10)),
        phase="fight",
    )
    attacker = unit(position, 0)
    struck = [blows_as_shots(attacker, Blow(model(position, 0), 0, 0, row, 2)) for row in (1, 2)]
    played = play(hazards(attacker, struck), "2", position=position)
    assert handfuls(played, "hazardous")[0].count == 1


@covers("re-rolls/before-modifiers")
@pytest.mark.parametrize(("faces", "again"), [("3", False), ("2", True)])
def test_a_roll_has_failed_by_its_unmodified_result(faces: str, again: bool) -> None:
    """Skill 3+ and -1: a 3 misses, and is no failed roll."""
    position = table(squad("line-squad"), squad("line-squad", 5, 1, at=(30, 20)))
    one = attack(gun().lines[0], parts=(Part("modifiers/cumulative", -1),), again=("hit-failed",))
    played = play(hits_of(position, [one]), faces + (" 6" if again else ""), position=position)
    assert len(played.value) == int(again)


@covers("core-abilities/hover", "keywords/has", "weapon-abilities/anti")
def test_who_hovers_is_no_aircraft_for_weapons_either() -> None:
    line = gun(abilities=("anti-aircraft 4+",)).lines[0]
    position = table(squad("flyer", 1, 1, at=(30, 20)), squad("flyer", 1, 1, at=(30, 30), marks={"hovers": 1}))
    assert critical_of(line, unit(position, 0)) == 4
    assert critical_of(line, unit(position, 1)) == 6


# ---------------------------------------------------------------- AIRCRAFT


@covers("aircraft/leave", "aircraft/move")
@pytest.mark.parametrize(("end", "leaves"), [((30, 42.8), False), ((30, 42.9), True), ((30, 44.5), True)])
def test_a_flight_whose_base_crosses_an_edge_ends_in_strategic_reserves(end: Any, leaves: bool) -> None:
    """Its base is 60 mm across: 1.18 inches from its middle to its rim."""
    position = table(squad("flyer", at=(30, 20)), squad("line-squad", 1, 1, at=(5, 40)), phase="movement")
    play(fly(unit(position, 0)), "", [[[list(end)], 0.0]], position)
    assert (model(position, 0).where == RESERVE) is leaves
    assert unit(position, 0).note("reserves") == ("strategic" if leaves else None)


@covers("aircraft/others-move", "charge-phase/charge-roll")
def test_chargers_pass_under_enemy_aircraft_and_do_not_end_engaged_with_it() -> None:
    position = table(
        squad("line-squad", 1, at=(30, 10)),
        squad("flyer", 1, 1, at=(30, 13)),
        squad("line-squad", 1, 1, at=(30, 18)),
        phase="charge",
    )
    movement = charge_movement(unit(position, 0), (2,), 9.0)
    assert why(position, 0, movement, {0: (30, 16.7)}) is None
    near = table(
        squad("line-squad", 1, at=(30, 10)),
        squad("flyer", 1, 1, at=(30, 15)),
        squad("line-squad", 1, 1, at=(30, 18)),
        phase="charge",
    )
    assert why(near, 0, charge_movement(unit(near, 0), (2,), 9.0), {0: (30, 16.7)}) == "charge-phase/charge-roll"


@covers("aircraft/others-move", "m/pile-in-move")
@pytest.mark.parametrize(("name", "may"), [("line-squad", False), ("jump-squad", True)])
def test_only_who_can_fly_piles_in_to_within_engagement_range_of_aircraft(name: str, may: bool) -> None:
    position = table(
        squad(name, 1, at=(30, 10)),
        squad("flyer", 1, 1, at=(32.3, 12.5)),
        squad("line-squad", 1, 1, at=(30, 12.2)),
        phase="fight",
    )
    assert (why(position, 0, melee_movement(unit(position, 0)), {0: (30.3, 10.97)}) is None) is may


@covers("movement-phase/moving-models", "aircraft/others-move")
@pytest.mark.parametrize(("side", "passes"), [(0, False), (1, True)])
def test_vehicles_pass_under_enemy_aircraft_not_under_their_own(side: int, passes: bool) -> None:
    position = table(squad("walker", at=(30, 10)), squad("flyer", 1, side, at=(30, 14)), phase="movement")
    movement = movement_of(unit(position, 0), 10.0)
    assert (why(position, 0, movement, {0: (30, 19.9)}) is None) is passes


# ---------------------------------------------------------------- TRANSPORTS


@covers("transports/destroyed-aftermath")
def test_survivors_of_a_wreck_have_moved() -> None:
    position = table(squad("line-squad", 2), phase="movement")
    assert to_move(position, 0)
    play(roll_for_survivors(unit(position, 0), 1), "2 2", position=position)
    assert to_move(position, 0) == []


@covers("transports/destroyed", "transports/disembark-reserves")
@pytest.mark.parametrize(("is_wrecked", "may"), [(False, False), (True, True)])
def test_the_nine_inches_bind_who_leaves_an_arrival_not_who_leaves_its_wreck(is_wrecked: bool, may: bool) -> None:
    position = table(
        squad("carrier", at=(30, 10), marks={"arrived": 1}),
        squad("seer", at=(20, 10)),
        squad("line-squad", 1, 1, at=(30, 22)),
        phase="movement",
    )
    board([model(position, 1)], model(position, 0))
    if is_wrecked:
        position.remove(model(position, 0), "shooting")
    carrier, seer = model(position, 0), model(position, 1)
    assert (cannot_stand(carrier, [seer], [(30, 13.4, 0)], 3.0) is None) is may


@covers("strategic-reserves/place", "transports/capacity")
def test_leaders_of_passengers_count_among_the_points_in_strategic_reserves() -> None:
    position = table(squad("carrier"), squad("line-squad", 5, at=(20, 20)), squad("captain", at=(40, 20)))
    points = [unit(position, row).marks("points") for row in range(3)]
    assert cost_of(position, unit(position, 0), [(2, 1), (1, 0)]) == sum(points)
    assert cost_of(position, unit(position, 1), [(2, 1), (1, 0)]) == points[1] + points[2]


@covers("repositioned/any-unit-in-movement", "movement-phase/reinforcements-step")
@pytest.mark.parametrize("has_arrived", [True, False])
def test_a_unit_that_has_just_arrived_may_be_set_up_again(has_arrived: bool) -> None:
    """Abilities of the Movement phase stand among the arrivals; they alone open the step only for who has arrived."""
    waiting = squad("wardens", 1, at=(20, 10), marks={"arrived": int(has_arrived)})
    position = table(waiting, squad("line-squad", 1, 1, at=(50, 40)), phase="reinforcements")
    answers = [("step-aside", 0, -1), [[20, 20, 0]]] if has_arrived else []
    played = play(reinforcements(position, 0), "", answers, position)
    assert played.value is False
    assert model(position, 0).at == ((20, 20) if has_arrived else (20, 10))


@covers("u/reserves-abilities", "u/embarked", "r/redeploy")
@pytest.mark.parametrize(("where", "may"), [(RESERVE, True), (ABOARD, False)])
def test_who_is_in_reserves_uses_abilities_without_distances_who_is_aboard_none(where: int, may: bool) -> None:
    position = table(squad("marshal"), squad("carrier", at=(30, 20)), squad("seer", 1, 1, at=(50, 40)))
    marshal = model(position, 0)
    position.take_off(marshal, where, aboard_of=model(position, 1) if where == ABOARD else None)
    assert bool(uses_at(position, 0, "redeploy", {})) is may
    assert uses_at(position, 0, "stratagem-used", {"among": (1,)}) == []


@covers("r/regain-wounds")
def test_each_field_smith_mends_one_vehicle_and_each_vehicle_is_mended_once() -> None:
    hurt = {"wounds": 6}
    walkers = squad("walker", at=(33, 10), models=hurt), squad("walker", at=(26, 10), models=hurt)
    one = table(squad("mystic"), *walkers, phase="movement")
    play(use_all(one, 0, "movement-ends", {}), "1", [("field-smith", 0, 1)], one)
    assert [wounds(one, row) for row in (1, 2)] == [5, 6]
    two = table(squad("mystic"), squad("mystic", at=(33, 14)), walkers[0], phase="movement")
    play(use_all(two, 0, "movement-ends", {}), "1", [("field-smith", 0, 2)], two)
    assert wounds(two, 2) == 5


@covers("strategic-reserves/set-up-round-2", "core-abilities/deep-strike", "rule-priority/reinforcements")
@pytest.mark.parametrize(
    ("turn", "reserves", "place", "rule"),
    [
        (3, "strategic", (3, 20), None),
        (3, "strategic", (6, 20), "strategic-reserves/set-up-round-2"),
        (5, "strategic", (6, 20), "strategic-reserves/set-up-round-3"),
        (3, "strategic", (1, 30), "strategic-reserves/set-up-round-2"),
        (3, "deep-strike", (3, 28), "core-abilities/deep-strike"),
        (3, "deep-strike", (30, 20), "rule-priority/reinforcements"),
        (3, "deep-strike", (40, 20), "objectives/marker"),
    ],
)
def test_a_place_is_refused_by_the_rule_of_the_arrival(turn: int, reserves: str, place: Any, rule: str | None) -> None:
    position = table(
        squad("jump-squad", 1, where="reserve"),
        squad("line-squad", 1, 1, at=(3, 37)),
        squad("idol", 1, 1, at=(30, 34)),
        markers=[(40, 20)],
        turn=turn,
        phase="reinforcements",
    )
    unit(position, 0).jot("reserves", reserves)
    zone = areas_of(unit(position, 0))["west" if reserves == "strategic" else "deep-strike"]
    found = misplaced([model(position, 0)], zone, [(*place, 0.0)])
    assert (None if found is None else found.rule) == rule


@covers("r/return-leader", "r/return-models")
@pytest.mark.parametrize(("phase", "is_lost"), [("movement", True), ("reinforcements", True), ("shooting", False)])
def test_both_steps_of_the_movement_phase_are_one_phase(phase: str, is_lost: bool) -> None:
    """Whoever falls while units move returns at the end of the phase, after the Reinforcements."""
    position = table(squad("mystic"), squad("line-squad", 1, 1, at=(40, 20)), phase="movement")
    mystic = model(position, 0)
    position.remove(mystic, "shooting")
    position.now["phase"] = phase
    assert (lost_in_phase(position, [mystic]) == [mystic]) is is_lost


# ---------------------------------------------------------------- the Fight phase


@covers("fight-single-model/pile-in", "fight-single-model/attacks")
@pytest.mark.parametrize(("near", "may"), [(12.2, True), (12.6, False)])
def test_a_model_that_fights_alone_need_not_be_engaged_itself(near: float, may: bool) -> None:
    """Its unit is, and it may pile in."""
    position = table(
        squad("veterans", 2, at=[(30, 10), (28, 10)]), squad("line-squad", 1, 1, at=(30, near)), phase="fight"
    )
    assert could_fight(model(position, 1)) is may


@covers("visibility/fully-visible-model", "terrain/woods")
@pytest.mark.parametrize(("at", "fully"), [((30, 21), False), ((30, 24.2), True)])
def test_who_is_wholly_within_woods_is_fully_visible_to_nobody(at: Any, fully: bool) -> None:
    """Nor to those in the same woods; they see out as usual."""
    trees = piece("woods", 30, 20, (8, 6))
    position = table(squad("line-squad", 1, at=(30, 18)), squad("line-squad", 1, 1, at=at), pieces=[trees])
    assert sees_fully(model(position, 0), model(position, 1)) is fully


@covers("core-concepts/line-of-sight", "t/draw-line")
@pytest.mark.parametrize(
    ("x", "facing", "seen"), [(22.0, 0.0, True), (20.85, 0.0, False), (22.0, 90.0, True), (21.5, 90.0, False)]
)
def test_a_hull_hides_what_is_behind_its_outline_and_no_more(x: float, facing: float, seen: bool) -> None:
    """3 inches wide and 4.5 long; whoever looks and is looked at has a base of 32 mm."""
    one, other = squad("line-squad", 1, at=(x, 10)), squad("line-squad", 1, 1, at=(x, 30))
    position = table(one, squad("carrier", at=(20, 20)), other)
    position.turn(model(position, 1), facing)
    assert sees(model(position, 0), model(position, 2)) is seen


# ---------------------------------------------------------------- the closest


@covers("m/closest", "m/consolidation-move")
def test_the_owner_says_which_of_two_markers_equally_close_is_meant() -> None:
    position = table(squad("line-squad", 1, at=(30, 10)), markers=[(25, 10), (35, 10), (30, 20)], phase="fight")
    assert play(closest_marker(unit(position, 0)), "", [1], position).value.x == 35
    question = Choose(0, "closest-marker", [0, 1], of="objective", about={"unit": 0})
    assert Teller(position.ruleset, "it").option(question, 1) == "segnalino obiettivo 2"
    nearer = table(squad("line-squad", 1, at=(29, 10)), markers=[(25, 10), (35, 10)], phase="fight")
    assert play(closest_marker(unit(nearer, 0)), position=nearer).value.x == 25
