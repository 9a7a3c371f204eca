"""More cases where two rules meet, as players dispute them: each on both sides of what decides it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from campale.mechanics.units import riders_of
from campale.referee.position import ABOARD, Position
from campale.referee.question import Choose, Form
from campale.rulesets.w10.armies.datasheets import sheets_named
from campale.rulesets.w10.attack.allocation import may_take
from campale.rulesets.w10.attack.attack import attack_of, line_of
from campale.rulesets.w10.attack.demise import explode_all
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.attack.saves import cover_part
from campale.rulesets.w10.basics.sight import sees
from campale.rulesets.w10.battle.deployment import deploy
from campale.rulesets.w10.fight.declaring import reach_of
from campale.rulesets.w10.fight.on_death import raise_up
from campale.rulesets.w10.movement.phase import move_a_unit, to_move
from campale.rulesets.w10.movement.repositioned import set_up_again
from campale.rulesets.w10.movement.transports import board, cannot_stand, disembark, to_leave_arrivals
from campale.rulesets.w10.shooting.declaring import declare as declare_shots
from campale.rulesets.w10.shooting.declaring import declare_at
from campale.rulesets.w10.shooting.eligible import guns_of
from campale.rulesets.w10.shooting.targets import shots_of
from campale.rulesets.w10.windows.windows import options_of
from campale.table.terrain import Ground
from tests.rulesets.w10.abilities.test_moments import at
from tests.rulesets.w10.kit import (
    PROPOSAL,
    ability,
    gun,
    handfuls,
    model,
    piece,
    play,
    question_after,
    shots,
    squad,
    table,
    unit,
)

covers = pytest.mark.covers
FOOT = 32 / 25.4
STEP_ASIDE = sheets_named("drill").units["wardens"].rules["step-aside"]


@covers("stratagems/fire-overwatch", "out-of-phase/definition")
@pytest.mark.parametrize(
    ("phase", "may"),
    [("command", 0), ("movement", 1), ("reinforcements", 1), ("shooting", 0), ("charge", 1), ("fight", 0)],
)
def test_overwatch_is_for_the_movement_and_the_charge_phase(phase: str, may: int) -> None:
    position = table(squad("line-squad", 1), squad("line-squad", 1, 1, at=(30, 20)), phase=phase)
    position.gain(1, "cp", 1)
    assert len(options_of(position, 1, "enemy-moves", {"mover": 0})) == may


@covers("stratagems/fire-overwatch", "movement-phase/normal-move", "transports/embark")
@pytest.mark.parametrize(("points", "asked"), [(1, 2), (0, 0)])
def test_a_normal_move_by_an_ability_is_watched_too(points: int, asked: int) -> None:
    rules = ability(moment="movement", once="turn", optional=True, inches=6, do=[{"act": "move"}])
    position = table(squad("line-squad", 1, rules=rules), squad("line-squad", 1, 1, at=(30, 24)), phase="movement")
    position.gain(1, "cp", points)
    answers: list[Any] = [("it", 0, -1), *["pass"] * (asked // 2), [[[[30, 14]], None]], *["pass"] * (asked // 2)]
    played = at(position, "movement", answers=answers)
    assert played.prompts.count("enemy-moves") == asked


@covers("stratagems/fire-overwatch", "transports/destroyed", "s/set-up")
@pytest.mark.parametrize(("phase", "asked"), [("movement", ["enemy-moves"]), ("shooting", [])])
def test_passengers_of_a_wreck_have_just_been_set_up(phase: str, asked: list[str]) -> None:
    position = table(
        squad("carrier", at=(30, 15)), squad("line-squad", 1), squad("line-squad", 1, 1, at=(30, 36)), phase=phase
    )
    board([model(position, 1)], model(position, 0))
    position.gain(1, "cp", 1)
    destroy(model(position, 0), "desperate-escape", -1)
    played = play(explode_all(position), "1 | 2", [PROPOSAL, *["pass" for _ in asked]], position)
    assert played.prompts == ["disembark", *asked]


# ---------------------------------------------------------------- TRANSPORTS that are set up again, or replaced


def carried_off(act: str, **marks: int) -> Position:
    """A Carrier that is set up again or replaced, with a squad aboard; enemies at the far edge."""
    rules = ability(moment="movement", once="battle", optional=True, do=[{"act": act}])
    carrier = squad("carrier", at=(30, 6), rules=rules, abilities=(), marks=marks)
    foes = squad("line-squad", 1, 1, at=(30, 40))
    position = table(carrier, squad("line-squad", 2, at=(10, 5)), foes, phase="movement")
    board([model(position, row) for row in (1, 2)], model(position, 0))
    return position


@covers("replaced/definition", "transports/capacity", "u/embarked", "core-abilities/hover")
@pytest.mark.parametrize("hovers", [0, 1])
def test_passengers_of_a_transport_that_is_replaced_stay_aboard(hovers: int) -> None:
    position = carried_off("replace", hovers=hovers)
    play(move_a_unit(position, 0), answers=[("it", 0, -1), PROPOSAL], position=position)
    new = model(position, 4)
    assert [m.row for m in riders_of(new)] == [1, 2]
    assert (new.unit.marks("hovers"), new.is_on_table) == (hovers, True)


@covers("repositioned/reserves-rules", "replaced/reserves-rules", "transports/disembark-reserves")
@pytest.mark.parametrize(("act", "carrier"), [("set-up-again", 0), ("replace", 4)])
@pytest.mark.parametrize(("foe", "rule"), [(17, "transports/disembark-reserves"), (18.5, None)])
def test_who_gets_out_of_it_keeps_nine_inches_off_and_does_not_charge(
    act: str, carrier: int, foe: float, rule: str | None
) -> None:
    position = carried_off(act)
    spot = [[[30.0, 3.0, 0.0]]]
    play(move_a_unit(position, 0), answers=[("it", 0, -1), *spot], position=position)
    model(position, 3).move_to(30.0, foe)
    ends = [(29.3, 7.2, 0.0), (30.7, 7.2, 0.0)]
    found = cannot_stand(model(position, carrier), [model(position, row) for row in (1, 2)], ends, 3.0)
    assert (found and found.rule) == rule
    if rule is None:
        play(disembark(unit(position, 1)), answers=[ends], position=position)
        assert unit(position, 1).marks("no-charge")


@covers("transports/disembark", "transports/disembark-forbidden", "transports/disembark-reserves")
@pytest.mark.parametrize(("fact", "row"), [("advanced", 0), ("fell-back", 0), ("embarked", 1), ("shot", 1)])
def test_a_transport_set_up_again_lets_nobody_out_whom_it_could_not_before(fact: str, row: int) -> None:
    position = carried_off("set-up-again")
    unit(position, row).mark(fact, 1)
    play(move_a_unit(position, 0), answers=[("it", 0, -1), PROPOSAL], position=position)
    found = [one.row for one in to_leave_arrivals(position, 0)]
    assert found == ([1] if fact == "shot" else [])


@covers("repositioned/normal-move", "movement-phase/steps")
@pytest.mark.parametrize(("phase", "left"), [("command", [0]), ("movement", [])])
def test_who_is_set_up_again_in_the_command_phase_may_move_afterwards(phase: str, left: list[int]) -> None:
    position = carried_off("set-up-again")
    position.now["phase"] = phase
    play(set_up_again(unit(position, 0)), answers=[PROPOSAL], position=position)
    assert [one.row for one in to_move(position, 0)] == left


@covers("deployment/deploy", "transports/capacity", "s/set-up-impossible")
@pytest.mark.parametrize(("hull", "lost"), [((11.0, 11.0), [0, 1]), ((4.5, 3.0), [])])
def test_passengers_of_a_transport_without_room_are_lost_with_it(hull: tuple[float, float], lost: list[int]) -> None:
    carrier, rider = squad("carrier", where="reserve", hull=hull), squad("line-squad", 1, where="reserve")
    position = table(carrier, rider, squad("line-squad", 1, 1), phase="deployment", deploys=0)
    board([model(position, 1)], model(position, 0))
    play(deploy(position), answers=[] if lost else [PROPOSAL], position=position)
    assert [one.model for one in position.losses] == lost
    assert (model(position, 1).where == ABOARD) is not bool(lost)


# ---------------------------------------------------------------- models that act on their death are of their unit


def dead_behind(friend: tuple[float, float], foe: tuple[float, float], is_own: bool, base: int = 32) -> Position:
    """The first model has been destroyed and acts; the one beside it is of its unit, or of another."""
    mine = squad("gunners", 1 + is_own, at=[(30.0, 10.0), friend][: 1 + is_own])
    if is_own:
        mine.profiles[1] = replace(mine.profiles[1], base=base)
    others = () if is_own else (squad("gunners", 1, at=friend, base=base),)
    position = table(mine, squad("line-squad", 1, 1, at=foe), *others, side=1)
    position.remove(model(position, 0), "shooting", fallen=True)
    raise_up([model(position, 0)])
    return position


@covers("core-concepts/line-of-sight", "s/shoot-on-death")
@pytest.mark.parametrize("is_own", [True, False])
def test_who_shoots_on_its_death_sees_through_its_unit(is_own: bool) -> None:
    position = dead_behind((30.0, 14.0), (30.0, 20.0), is_own, base=120)
    foe = next(m for m in position.on_table(1))
    assert sees(model(position, 0), foe) is is_own


@covers("fight-phase/which-models", "c/fight-on-death")
@pytest.mark.parametrize("is_own", [True, False])
def test_who_fights_on_its_death_strikes_past_a_model_of_its_unit(is_own: bool) -> None:
    position = dead_behind((30.0, 10.0 + FOOT), (30.0, 10.0 + 2 * FOOT), is_own)
    assert bool(reach_of(model(position, 0).unit)) is is_own


@covers("terrain/not-fully-visible", "s/shoot-on-death")
@pytest.mark.parametrize("is_own", [True, False])
def test_who_of_its_unit_does_not_fully_see_the_target_gives_it_cover(is_own: bool) -> None:
    """A wall of debris stands between the target and the living model alone."""
    position = dead_behind((40.0, 10.0), (30.0, 20.0), is_own)
    position.ground = Ground(60.0, 44.0, (piece("debris", 36.0, 14.0, (4.0, 0.5)),))
    (one, *_) = [shots_of(gun, unit(position, 1)) for gun in guns_of(model(position, 0).unit)]
    target = next(m for m in position.on_table(1))
    assert bool(cover_part(target, attack_of(one, line_of(position, one)))) is is_own


# ---------------------------------------------------------------- single cases


@covers("c/treated-as-roll", "c/critical-hit", "weapon-abilities/lethal-hits")
@pytest.mark.parametrize(("abilities", "asked"), [(("lethal-hits",), True), ((), False)])
def test_a_plain_hit_is_treated_as_a_six_where_a_critical_is_worth_more(
    abilities: tuple[str, ...], asked: bool
) -> None:
    rules = ability(once="turn", do=[{"treat": ["hit", 6]}])
    mine = squad("line-squad", 1, weapons=(gun(abilities=abilities),), rules=rules)
    position = table(mine, squad("line-squad", 1, 1, at=(30, 20), w=9, sv=7))
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), "4 | 1", ["treat"] * asked, position)
    assert ("treat-hit" in played.prompts) is asked
    assert bool(handfuls(played, "to-wound")) is not asked


@covers("transports/disembark-before", "r/remain-stationary", "weapon-abilities/heavy")
@pytest.mark.parametrize(("marks", "fact"), [({"got-out": 1}, "moved"), ({}, "stationary")])
def test_who_cannot_move_and_has_got_out_has_not_remained_stationary(marks: dict[str, int], fact: str) -> None:
    position = table(
        squad("gun-team", 1, m=None, marks=marks), squad("line-squad", 1, 1, at=(30, 30)), phase="movement"
    )
    play(move_a_unit(position, 0), answers=[0], position=position)
    assert [name for name in ("moved", "stationary") if unit(position, 0).marks(name)] == [fact]


@covers("core-abilities/leader-protected", "attack/allocate")
@pytest.mark.parametrize(("keywords", "rows"), [(("infantry", "character"), [0]), (("infantry",), [0, 1, 2])])
def test_of_the_unit_of_a_leader_only_characters_are_spared(keywords: tuple[str, ...], rows: list[int]) -> None:
    staff = squad("lieutenant", 2, at=[(32, 10), (34, 10)], leads=0, keywords=keywords)
    position = table(squad("line-squad", 1), staff, squad("line-squad", 1, 1, at=(30, 30)))
    assert [m.row for m in may_take(unit(position, 0))] == rows
    position.remove(model(position, 0), "shooting")
    assert [m.row for m in may_take(unit(position, 0))] == [1, 2]


@covers("core-abilities/leader-split", "weapon-abilities/hazardous", "s/just-after")
@pytest.mark.parametrize(("hazard", "at_whom"), [("1", 2), ("2", 0)])
def test_a_leader_left_by_its_guard_is_answered_in_its_place(hazard: str, at_whom: int) -> None:
    rules = ability(who="army", moment="attacked", optional=True, once="phase", do=[{"act": "shoot-back"}])
    guard = squad("line-squad", 1, weapons=(gun(abilities=("hazardous",)),))
    captain = squad("captain", at=(32, 10), leads=0, weapons=())
    position = table(guard, squad("line-squad", 1, 1, at=(30, 20), w=9, weapons=(gun(),), rules=rules), captain)
    dice = f"1 | {hazard} | 1"
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), dice, [("it", -1, 1)], position)
    (event,) = [one for one in played.events if one.kind == "shoots"]
    assert event.values["targets"] == [at_whom]


@covers("movement-phase/steps", "repositioned/any-unit-in-movement")
@pytest.mark.parametrize(("rules", "more"), [({"step-aside": STEP_ASIDE}, True), ({}, False)])
def test_who_is_free_to_step_aside_only_after_the_last_move_may_still_do_so(rules: Any, more: bool) -> None:
    wardens = squad("wardens", 1, rules=rules)
    position = table(wardens, squad("line-squad", 1, 1, at=(30, 12)), phase="movement")
    played = play(move_a_unit(position, 0), answers=[0, "fall-back", [[[[30, 5]], None]]], position=position)
    assert played.value is more


@covers("shooting-phase/select-targets", "weapon-abilities/one-shot", "weapon-abilities/hazardous")
@pytest.mark.parametrize(("ability_", "may"), [("one-shot", True), ("hazardous", True), ("heavy", False)])
def test_a_weapon_that_costs_its_owner_may_be_held_back(ability_: str, may: bool) -> None:
    weapons = gun("rifle"), gun("dear", abilities=(ability_,))
    position = table(squad("line-squad", 1, weapons=weapons), squad("line-squad", 1, 1, at=(30, 20)))
    form = question_after(declare_shots(unit(position, 0)))
    assert isinstance(form, Form)
    asked = form.after([])
    assert isinstance(asked, Choose)
    assert asked.options() == [1, *(["split"] if may else []), "hold"]
    if may:
        found = play(declare_shots(unit(position, 0)), answers=[["split", 1, "hold"]], position=position).value
        assert [one.carried.id for one, _ in found] == ["rifle"]


@covers("stratagems/fire-overwatch", "shooting-phase/select-targets", "weapon-abilities/one-shot")
@pytest.mark.parametrize(("answer", "ids"), [(1, ["rifle", "dear", "dear"]), ("hold", ["rifle"]), ("each", None)])
def test_in_overwatch_too(answer: Any, ids: list[str] | None) -> None:
    weapons = gun("rifle"), gun("dear", abilities=("one-shot",)), gun("dear", abilities=("one-shot",))
    position = table(squad("line-squad", 1, weapons=weapons), squad("line-squad", 1, 1, at=(30, 20)))
    answers = [answer] if ids else [answer, 1, "hold"]
    found = play(declare_at(unit(position, 0), 1), answers=[answers], position=position).value
    assert [one.carried.id for one in found] == (ids or ["rifle", "dear"])
