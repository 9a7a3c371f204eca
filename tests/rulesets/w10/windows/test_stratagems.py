"""The core Stratagems, on both sides of what allows them (stratagems/*, s/just-after, out-of-phase/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.charge.charging import charge_at
from campale.rulesets.w10.charge.ramming import ram
from campale.rulesets.w10.command.phase import battle_shock_test
from campale.rulesets.w10.fight.fight import begin_fighting, fight_with_a_unit, to_fight
from campale.rulesets.w10.movement.moves import normal_move
from campale.rulesets.w10.movement.phase import move_a_unit
from campale.rulesets.w10.shooting.phase import shoot, shoot_with_a_unit
from campale.rulesets.w10.turn.sequence import end_of_phase
from campale.rulesets.w10.windows.windows import PASS, open_window, options_of
from tests.rulesets.w10.kit import PROPOSAL, blade, gun, guns, left, model, play, shots, squad, table, unit, wounds

covers = pytest.mark.covers
TOUCHING = 10 + (40 + 32) / 50.8
NEVER_SAVED: dict[str, Any] = {"sv": 7, "invulnerable": None, "feel_no_pain": None}


def with_points(position: Position, mine: int = 0, theirs: int = 0) -> Position:
    for side, points in enumerate((mine, theirs)):
        position.gain(side, "cp", points)
    return position


def offered(position: Position, side: int, window: str, **about: Any) -> list[Any]:
    return options_of(position, side, window, about)


# ---------------------------------------------------------------- price, once a phase, battle-shock


@covers("stratagems/use", "modifiers/stratagem-cost-floor", "e/stratagem-labels", "stratagems/categories")
@pytest.mark.parametrize(("points", "is_offered"), [(0, False), (1, True)])
def test_who_cannot_pay_is_not_asked(points: int, is_offered: bool) -> None:
    position = with_points(table(squad("line-squad", 5), squad("line-squad", 5, 1, at=(30, 18))), points)
    assert bool(offered(position, 0, "shooting-menu")) is is_offered


@covers("stratagems/use")
def test_one_is_used_once_in_a_phase_by_each_side() -> None:
    position = with_points(
        table(squad("line-squad", 5), squad("line-squad", 5, at=(30, 13)), squad("line-squad", 5, 1, at=(30, 18))), 5
    )
    play(shoot_with_a_unit(position, 0), "1 1 1 1 1 1", [("grenade", 0)], position)
    assert position.holds(0, "cp") == 4
    assert offered(position, 0, "shooting-menu") == []
    end_of_phase(position, "shooting")
    assert offered(position, 0, "shooting-menu")


@covers("i/cannot-be-affected", "command-phase/battle-shocked-effects", "i/affected-by-stratagem")
def test_a_battle_shocked_unit_is_no_target_of_its_own_side() -> None:
    squads = squad("line-squad", 5, marks={"shocked": 1}), squad("line-squad", 5, 1, at=(30, 16))
    assert offered(with_points(table(*squads), 5), 0, "shooting-menu") == []


@covers("s/just-after", "core-concepts/sequencing", "t/your-stratagems", "s/opponents-stratagems")
def test_a_window_ends_when_both_sides_pass_and_the_active_one_is_first() -> None:
    position = with_points(table(squad("seer"), squad("line-squad", 5, 1, at=(30, 20)), side=0), 5, 5)
    played = play(open_window(position, "targets-chosen", targeted=1), answers=[PASS], position=position)
    assert [question.side for question in played.questions] == [1]
    assert position.holds(1, "cp") == 5


# ---------------------------------------------------------------- one by one


@covers("stratagems/grenade", "attack/mortal-wounds", "destroyed/by")
def test_a_grenade_deals_a_mortal_wound_for_each_four_or_more() -> None:
    position = with_points(table(squad("line-squad", 5), squad("line-squad", 5, 1, at=(30, 18))), 1)
    play(shoot_with_a_unit(position, 0), "3 3 3 4 5 6", [("grenade", 0), PROPOSAL], position)
    assert left(position, 1) == 4
    assert position.holds(0, "cp") == 0


@covers("stratagems/grenade")
@pytest.mark.parametrize(
    ("far", "marks", "is_offered"), [(9.57, {}, True), (9.58, {}, False), (9.57, {"shot": 1}, False)]
)
def test_it_is_thrown_up_to_eight_inches_by_who_has_not_shot(far: float, marks: Any, is_offered: bool) -> None:
    position = with_points(table(squad("captain", marks=marks), squad("seer", 1, 1, at=(30, 10 + far))), 1)
    assert bool(offered(position, 0, "shooting-menu")) is is_offered


@covers("stratagems/insane-bravery", "t/battle-shock-test")
@pytest.mark.parametrize(("side", "answers", "shocked"), [(0, [("insane-bravery", 0)], 0), (0, [PASS], 1), (1, [], 1)])
def test_insane_bravery_turns_a_failed_test_in_ones_own_turn(side: int, answers: list[Any], shocked: int) -> None:
    position = with_points(table(squad("line-squad", 5), side=side, phase="command"), 1)
    play(battle_shock_test(unit(position, 0)), "1 1", answers, position)
    assert unit(position, 0).marks("shocked") == shocked


@covers("stratagems/fire-overwatch", "c/critical-hit-overwatch", "out-of-phase/definition", "out-of-phase/limits")
def test_overwatch_hits_on_sixes_whatever_the_skill() -> None:
    rifle = gun(ap=-6, skill=2)
    squads = squad("line-squad", 3, weapons=(rifle,)), squad("line-squad", 5, 1, at=(30, 25), **NEVER_SAVED)
    position = with_points(table(*squads, side=1, phase="movement"), 1)
    answers = [("fire-overwatch", 0), PROPOSAL, PROPOSAL]
    play(normal_move(unit(position, 1)), "6 5 6 | 6 6 | 1 1", answers, position)
    assert left(position, 1) == 4
    assert position.holds(0, "cp") == 0


@covers("stratagems/fire-overwatch", "core-concepts/engagement-range", "out-of-phase/limits")
@pytest.mark.parametrize(("far", "is_offered"), [(25.2, True), (25.4, False)])
def test_it_reaches_24_inches(far: float, is_offered: bool) -> None:
    position = with_points(
        table(
            squad("line-squad", weapons=(gun(range=48.0),)),
            squad("line-squad", 1, 1, at=(30, 10 + far)),
            side=1,
            phase="charge",
        ),
        1,
    )
    assert bool(offered(position, 0, "enemy-moves", mover=1)) is is_offered
    assert offered(position, 1, "enemy-moves", mover=1) == []


@covers("stratagems/fire-overwatch", "attack/big-guns-penalty", "b/locked-in-combat")
def test_an_engaged_vehicle_does_not_overwatch() -> None:
    squads = squad("walker"), squad("line-squad", 1, 1, at=(30, 12.8)), squad("line-squad", 1, 1, at=(30, 18))
    position = with_points(table(*squads, side=1, phase="movement"), 1)
    assert offered(position, 0, "enemy-moves", mover=2) == []


@covers("stratagems/fire-overwatch")
def test_it_is_used_once_a_turn() -> None:
    position = with_points(table(squad("seer"), squad("line-squad", 5, 1, at=(30, 20)), side=1, phase="movement"), 9)
    position.declare("turn-used", ((0, "fire-overwatch"),))
    assert offered(position, 0, "enemy-moves", mover=1) == []
    end_of_phase(position, "reinforcements")
    assert offered(position, 0, "enemy-moves", mover=1) == []


@covers("stratagems/go-to-ground", "b/cover-without-terrain", "attack/invulnerable-save", "o/or-better")
@pytest.mark.parametrize(("use", "number"), [(True, 6), (False, 7)])
def test_who_goes_to_ground_saves_on_six(use: bool, number: int) -> None:
    shooter = squad("line-squad", weapons=(gun(ap=-4),))
    position = with_points(table(shooter, squad("line-squad", 1, 1, at=(30, 20), sv=6)), 0, 1)
    declared = [(one, 1) for one in guns(position, 0)]
    answers = [("go-to-ground", 1)] if use else [PASS]
    played = play(shoot(unit(position, 0), declared), "3 4 6", answers, position)
    (saved,) = [question for question in played.questions if question.prompt == "save"]
    needed = saved.needed  # type: ignore[attr-defined]
    assert needed.is_met_by(6) is (number == 6)
    assert not needed.is_met_by(5)
    end_of_phase(position, "shooting")
    assert not unit(position, 1).marks("gone-to-ground")


@covers("stratagems/smokescreen", "core-abilities/stealth", "duplicate-abilities/no-stacking")
@pytest.mark.parametrize(("abilities", "use", "hits"), [((), False, 1), ((), True, 0), (("stealth",), True, 0)])
def test_smoke_makes_a_unit_one_harder_to_hit_and_stealth_no_more(abilities: Any, use: bool, hits: int) -> None:
    shooter = squad("line-squad", weapons=(gun(),))
    target = squad("scout-team", 1, 1, at=(30, 20), abilities=abilities, keywords=("smoke",))
    position = with_points(table(shooter, target), 0, 1)
    declared = [(one, 1) for one in guns(position, 0)]
    dice = "3 3 6" if hits else "3"
    play(shoot(unit(position, 0), declared), dice, [("smokescreen", 1) if use else PASS], position)
    found = shots(position, 0, 1)[0].parts
    assert sum(part.value for part in found) == (-1 if use or abilities else 0)


@covers("stratagems/heroic-intervention", "charge-phase/bonus", "charging/has-charged")
def test_an_intervening_unit_charges_and_has_no_bonus() -> None:
    squads = (
        squad("beast"),
        squad("seer", 1, 1, at=(30, 15), weapons=()),
        squad("captain", 1, 1, at=(35, 12), weapons=()),
    )
    position = with_points(table(*squads, phase="charge"), 0, 2)
    answers = [PROPOSAL, ("heroic-intervention", 2), PROPOSAL]
    play(charge_at(unit(position, 0), (1,)), "3 3 | 2 4", answers, position)
    assert unit(position, 2).marks("charged")
    begin_fighting(position)
    assert to_fight(position, 1) == []
    assert to_fight(position, 0) == [0]


@covers("stratagems/heroic-intervention")
def test_of_vehicles_only_walkers_intervene() -> None:
    car = squad("carrier", 1, 1, at=(36, 12))
    position = with_points(table(squad("beast"), squad("seer", 1, 1, at=(30, 13)), car), 0, 2)
    assert offered(position, 1, "charge-ends", charger=0) == []
    walking = table(squad("beast"), squad("seer", 1, 1, at=(30, 13)), squad("walker", 1, 1, at=(36, 12)))
    assert offered(with_points(walking, 0, 2), 1, "charge-ends", charger=0) == [("heroic-intervention", 2)]


@covers("stratagems/tank-shock", "mortal-wounds/one-at-a-time")
@pytest.mark.parametrize(("toughness", "dice"), [(3, "5 5 5 5 1 1"), (4, "5 5 5 5")])
def test_a_tank_rams_with_its_strength_and_two_more_where_that_is_greater(toughness: int, dice: str) -> None:
    hull = squad("carrier", weapons=(blade(s=4),))
    position = table(hull, squad("line-squad", 5, 1, at=[(28 + k * 1.3, 13.2) for k in range(5)], t=toughness, w=1))
    play(ram(unit(position, 0)), dice, [PROPOSAL], position)
    assert left(position, 1) == 1


@covers("stratagems/counter-offensive", "fight-phase/steps", "n/not-selected")
def test_a_counter_offensive_is_the_next_to_fight() -> None:
    squads = (
        *(squad("seer", at=(30, 10), marks={"charged": 1}), squad("seer", at=(40, 10), marks={"charged": 1})),
        *(squad("line-squad", 1, 1, at=(30, TOUCHING)), squad("line-squad", 1, 1, at=(40, TOUCHING))),
    )
    position = with_points(table(*squads, phase="fight", side=0), 0, 2)
    begin_fighting(position)
    play(fight_with_a_unit(position, 0), "1 1", [0, ("counter-offensive", 3)], position)
    assert unit(position, 3).marks("next")
    played = play(fight_with_a_unit(position, 0), "1 1", position=position)
    assert unit(position, 3).marks("fought")
    assert "fighting-unit" not in played.prompts


@covers("stratagems/epic-challenge", "weapon-abilities/precision", "u/precision-several-characters")
def test_a_challenge_gives_precision() -> None:
    squads = (
        squad("captain", at=(30, 10), weapons=(blade(a="1", s=9, ap=-6, d="9"),)),
        squad("line-squad", 1, 1, at=(30, TOUCHING)),
    )
    leader = squad("lieutenant", 1, 1, at=(31.6, TOUCHING), leads=1)
    position = with_points(table(*squads, leader, phase="fight"), 1)
    begin_fighting(position)
    position.now["step"] = 2
    answers = [("epic-challenge", 0), 2]
    play(fight_with_a_unit(position, 1), "3 3 2", answers, position)
    assert left(position, 1) == 1
    assert not position.model(2).is_on_table


@covers("stratagems/rapid-ingress", "strategic-reserves/arrive")
@pytest.mark.parametrize(("battle_round", "is_offered"), [(1, False), (2, True)])
def test_rapid_ingress_waits_for_the_round_in_which_a_unit_may_arrive(battle_round: int, is_offered: bool) -> None:
    waiting = squad("line-squad", 5, 1, where="reserve")
    position = with_points(
        table(squad("seer"), waiting, squad("seer", 1, 1, at=(5, 40)), turn=2 * battle_round, round=battle_round), 0, 1
    )
    unit(position, 1).jot("reserves", "strategic")
    assert bool(offered(position, 1, "movement-ends")) is is_offered
    assert offered(position, 0, "movement-ends") == []


# ---------------------------------------------------------------- Command Re-roll


@covers("stratagems/command-reroll")
@pytest.mark.parametrize(("ap", "is_asked"), [(-3, True), (-4, False)])
def test_a_save_that_no_face_can_meet_is_not_offered_again(ap: int, is_asked: bool) -> None:
    target = squad("line-squad", 2, 1, at=(30, 20), sv=3)
    position = with_points(table(squad("line-squad", weapons=(gun(ap=ap),)), target), 0, 1)
    answers = [PROPOSAL, "no"] if is_asked else [PROPOSAL]
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), "6 | 6 | 2", answers, position)
    assert ("reroll-save" in played.prompts) is is_asked


@covers("stratagems/command-reroll", "re-rolls/once", "i/affected-command-reroll")
def test_one_failed_die_is_rolled_again() -> None:
    shooter = squad("line-squad", weapons=(gun(a="2", ap=-6),))
    position = with_points(table(shooter, squad("line-squad", 2, 1, at=(30, 20), **NEVER_SAVED, w=1)), 1)
    answers = ["again", PROPOSAL]
    play(resolve(unit(position, 0), shots(position, 0, 1)), "2 2 | 3 | 4 | 2", answers, position)
    assert left(position, 1) == 1
    assert position.holds(0, "cp") == 0


@covers(
    "stratagems/command-reroll",
    "c/critical-hit",
    "f/critical-wound",
    "re-rolls/once",
    "weapon-abilities/sustained-hits",
    "weapon-abilities/lethal-hits",
)
@pytest.mark.parametrize(
    ("abilities", "dice", "answers", "prompts"),
    [
        ((), "3 6 | 5 5 | 1 1", [], []),
        (("lethal-hits",), "3 6 | 6 | 1 1", ["again"], ["reroll-plain-to-hit"]),
        (("lethal-hits",), "3 6 | 5 | 1 1", ["no"], ["reroll-plain-to-hit"]),
        (("sustained-hits 1",), "3 6 | 6 | 5 5 5 5 | 1 1 1 1", ["again"], ["reroll-plain-to-hit"]),
        (("lethal-hits",), "6 6 | 1 1", [], []),
        (("lethal-hits",), "2 4 | 6 | 5 | 1 1", ["again"], ["reroll-to-hit"]),
        (("devastating-wounds",), "3 6 | 5 6 | 6", ["again"], ["reroll-plain-to-wound"]),
        (("devastating-wounds",), "3 6 | 6 6", [], []),
        (("devastating-wounds", "twin-linked"), "3 6 | 4 6 | 5 | 1", ["not-critical"], ["re-roll-wounds"]),
    ],
)
def test_a_success_is_rolled_again_only_where_a_critical_is_worth_more(
    abilities: tuple[str, ...], dice: str, answers: list[str], prompts: list[str]
) -> None:
    shooter = squad("line-squad", weapons=(gun(a="2", skill=3, s=4, ap=-6, abilities=abilities),))
    target = squad("line-squad", 5, 1, at=(30, 20), **NEVER_SAVED, t=4, w=1)
    position = with_points(table(shooter, target), 1)
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), dice, answers, position, accepting=True)
    assert [prompt for prompt in played.prompts if prompt.startswith("re")] == prompts


@covers("stratagems/command-reroll", "i/cannot-be-affected")
@pytest.mark.parametrize(("marks", "points"), [({"shocked": 1}, 1), ({}, 0)])
def test_no_die_of_a_battle_shocked_unit_is_nor_without_points(marks: dict[str, int], points: int) -> None:
    shooter = squad("line-squad", weapons=(gun(),), marks=marks)
    position = with_points(table(shooter, squad("line-squad", 1, 1, at=(30, 20))), points)
    assert play(resolve(unit(position, 0), shots(position, 0, 1)), "2", position=position).prompts == []


@covers("stratagems/command-reroll", "movement-phase/advance")
@pytest.mark.parametrize(("answer", "dice", "y"), [("again", "1 | 5", 21.0), ("no", "1", 17.0)])
def test_the_die_of_an_advance_is_rolled_again(answer: str, dice: str, y: float) -> None:
    position = with_points(table(squad("line-squad", at=(30, 10)), phase="movement"), 1)
    answers = [0, "advance", answer, [[[[30, y]], None]]]
    play(move_a_unit(position, 0), dice, answers, position)
    assert (model(position, 0).at, position.holds(0, "cp")) == ((30.0, y), int(answer == "no"))


@covers("stratagems/command-reroll", "re-rolls/all-dice")
def test_a_charge_is_rolled_again_with_both_dice() -> None:
    position = with_points(table(squad("beast"), squad("seer", 1, 1, at=(30, 20)), phase="charge"), 1)
    play(charge_at(unit(position, 0), (1,)), "1 1 | 6 6", ["again", PROPOSAL], position)
    assert unit(position, 0).marks("charged")
    assert wounds(position, 1) == 0
