"""Abilities that do something at a moment: who may use them, how often, and what they do (q/when, e/persisting-*)."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from msgspec.structs import replace

from campale.referee.looks import Changed
from campale.referee.position import GONE, RESERVE, Position
from campale.referee.refusal import first_refusal
from campale.rulesets.w10.abilities.effects import added_to
from campale.rulesets.w10.abilities.moments import PASS, raise_moment, use_all, uses_at
from campale.rulesets.w10.armies.datasheets import sheets_named
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.attack.attack import attack_of, line_of
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.attached import separate_all
from campale.rulesets.w10.basics.characteristics import leadership, objective_control, toughness
from campale.rulesets.w10.basics.markers import check_control
from campale.rulesets.w10.basics.persisting import COMMAND, ON_UNIT, PHASE, end_at, lend
from campale.rulesets.w10.basics.units import is_engaged, members
from campale.rulesets.w10.battle.deployment import deploy, is_late, redeploy
from campale.rulesets.w10.fight.alone import fight_alone
from campale.rulesets.w10.fight.declaring import Blow, blows_as_shots
from campale.rulesets.w10.fight.fight import fight_next
from campale.rulesets.w10.fight.on_death import fight_on_death
from campale.rulesets.w10.movement.moves import move_of
from campale.rulesets.w10.movement.phase import move_a_unit
from campale.rulesets.w10.movement.reserves import areas_of, arrive, is_oversize
from campale.rulesets.w10.movement.returning import cannot_join, find_room, to_return
from campale.rulesets.w10.shooting.phase import shoot_with_a_unit
from campale.rulesets.w10.turn.sequence import end_of_phase
from campale.rulesets.w10.view.cards import card, changes
from campale.rulesets.w10.windows.windows import options_of, use
from tests.rulesets.w10.kit import (
    APART,
    PROPOSAL,
    Played,
    Squad,
    blade,
    gun,
    handfuls,
    left,
    model,
    play,
    question_after,
    shots,
    squad,
    table,
    unit,
    wounds,
)

covers = pytest.mark.covers
DRILL = sheets_named("drill")
PARADE = DRILL.detachments["parade"]
ARMY = {**DRILL.army_rules, **PARADE.rules, **PARADE.stratagems}
TOUCHING = 10 + 64 / 50.8
KILLS: dict[str, Any] = {"abilities": ("torrent",), "s": 16, "ap": -6}


def at(position: Position, moment: str, dice: str = "", answers: Any = (), side: int = 0, **about: Any) -> Played:
    return play(use_all(position, side, moment, about), dice, answers, position)


def offered(position: Position, moment: str, side: int = 0, **about: Any) -> list[Any]:
    return [one.key for one in uses_at(position, side, moment, about)]


def replace_squad(squad: Squad, profiles: list[Profile]) -> Squad:
    """The same squad of other models, side by side."""
    x, y = squad.places[0]
    return dataclasses.replace(squad, profiles=profiles, places=[(x + APART * k, y) for k in range(len(profiles))])


def fallen(position: Position, *rows: int) -> Position:
    for row in rows:
        position.remove(model(position, row), "shooting")
    return position


# ---------------------------------------------------------------- army rule, Detachment


@covers("e/persisting-effect", "l/your-unit", "f/model-phase")
def test_the_quarry_is_marked_until_the_next_own_command_phase() -> None:
    position = table(squad("gunners", 1, rules=ARMY), squad("line-squad", 1, 1, at=(30, 20)), phase="command")
    at(position, "command-starts")
    (one, *_) = shots(position, 0, 1)
    assert attack_of(one, line_of(position, one)).again == ("hit-any",)
    end_at(position, COMMAND, 1)
    assert shots(position, 0, 1)[0].again == ("hit-any",)
    end_at(position, COMMAND, 0)
    assert shots(position, 0, 1)[0].again == ()


@covers("e/persisting-effect", "command-phase/command-step")
@pytest.mark.parametrize(("way", "more", "ld"), [("0", 1, 7), ("1", 0, 6)])
def test_the_war_song_gives_one_of_two_once_a_round(way: str, more: int, ld: int) -> None:
    position = table(squad("gunners", 1, rules=ARMY), squad("line-squad", 1, 1, at=(30, 20)), phase="command")
    song = ("war-song", -1, -1)
    at(position, "command", answers=[song, way])
    told = [one.values["ability"]["en"] for one in position.journal.events if one.kind == "ability-of-army"]  # type: ignore[union-attr]
    assert told == ["War Song", ("Marching song", "Song of courage")[int(way)]]
    assert (added_to(unit(position, 0), "advance"), leadership(unit(position, 0))) == (more, ld)
    assert song not in offered(position, "command")
    position.now["round"] += 1
    assert song in offered(position, "command")


@covers("datasheet/aura")
@pytest.mark.parametrize(("keywords", "oc"), [(("warlord",), 2), ((), 1)])
def test_the_hymn_is_an_aura_of_the_warlord(keywords: tuple[str, ...], oc: int) -> None:
    leader = squad("marshal", rules=ARMY, keywords=("infantry", *keywords))
    position = table(leader, squad("gunners", 1, at=(34, 10), rules=ARMY))
    assert objective_control(model(position, 1)) == oc


@covers("out-of-phase/definition", "s/shoot-again-eligible", "h/resolved-attacks")
@pytest.mark.parametrize(("active", "is_offered"), [(1, True), (0, False)])
def test_answering_fire_is_for_the_opponents_shooting_phase(active: int, is_offered: bool) -> None:
    position = table(squad("gunners", 1, rules=ARMY), squad("line-squad", 1, 1, at=(30, 20)), side=active)
    about: dict[str, Any] = {"units": (0,), "attack": "shooting", "attacker": 1, "lost": ()}
    assert bool(offered(position, "attacked", **about)) is is_offered
    assert not offered(position, "attacked", **{**about, "attack": "melee"})
    if is_offered:
        at(position, "attacked", "1", [("answering-fire", -1, 0)], **about)
        assert not offered(position, "attacked", **about)


@covers("core-abilities/leader-split", "s/just-after", "h/resolved-attacks")
def test_a_leader_whose_bodyguard_has_fallen_answers_as_a_target_too() -> None:
    position = table(
        squad("line-squad", 1, rules=ARMY),
        squad("marshal", at=(32, 10), leads=0),
        squad("line-squad", 1, 1, at=(30, 16), weapons=(gun(a="1", d="9", **KILLS),)),
        side=1,
    )
    play(resolve(unit(position, 2), shots(position, 2, 0)), "6 | 1 | 1 1 | 1 1", [("answering-fire", -1, 1)], position)
    assert model(position, 1).unit == unit(position, 1)


@covers("stratagems/categories", "e/stratagem-labels", "duplicate-abilities/core-ability")
def test_second_wind_lasts_until_the_phase_ends() -> None:
    position = table(squad("veterans", 1, rules=ARMY), squad("line-squad", 1, 1, at=(30, TOUCHING)), phase="fight")
    position.gain(0, "cp", 1)
    assert options_of(position, 0, "chosen-to-fight", {"fighting": 0}) == [("second-wind", 0)]
    play(use(position, 0, "second-wind", 0, {"fighting": 0}), position=position)
    number = next(k for k, one in enumerate(model(position, 0).profile.weapons) if one.is_melee)
    blow = blows_as_shots(unit(position, 0), Blow(model(position, 0), number, 0, 1))
    assert attack_of(blow, line_of(position, blow)).line.number("sustained-hits") == 1
    end_of_phase(position, "fight")
    assert not blows_as_shots(unit(position, 0), Blow(model(position, 0), number, 0, 1)).granted


@covers("c/with-ability-x", "n/not-selected")
@pytest.mark.parametrize(
    ("name", "marks", "is_offered"), [("idol", {}, True), ("idol", {"shot": 1}, False), ("gunners", {}, False)]
)
def test_powder_store_is_for_units_with_deadly_demise(name: str, marks: Any, is_offered: bool) -> None:
    rules = {**DRILL.units[name].rules, **ARMY}
    position = table(squad(name, marks=marks, rules=rules), squad("line-squad", 1, 1, at=(30, 20)))
    position.gain(0, "cp", 1)
    assert (("powder-store", 0) in options_of(position, 0, "shooting-menu", {})) is is_offered


# ---------------------------------------------------------------- Marshal, Mystic


@covers("command-phase/cp-limit", "i/affected-by-stratagem", "within/model-unit-within")
@pytest.mark.parametrize(("face", "x", "cp"), [("5", 40, 1), ("4", 40, 0), ("", 46, 0)])
def test_shrewd_gains_a_point_after_a_stratagem_nearby(face: str, x: float, cp: int) -> None:
    position = table(squad("marshal"), squad("gunners", 1, at=(x, 10)))
    at(position, "stratagem-used", face, among=(1,))
    assert position.holds(0, "cp") == cp
    if cp:
        at(position, "stratagem-used", among=(1,))
        assert position.holds(0, "cp") == 1


@covers("r/regain-wounds")
@pytest.mark.parametrize(("lost", "dice", "left_over"), [(5, "6", 2), (1, "6", 0)])
def test_the_field_smith_heals_each_vehicle_once_a_turn(lost: int, dice: str, left_over: int) -> None:
    position = table(squad("mystic"), squad("walker", at=(33, 10), models={"wounds": lost}))
    smith = ("field-smith", 0, 1)
    assert offered(position, "movement-ends") == [smith]
    at(position, "movement-ends", dice, [smith])
    assert wounds(position, 1) == left_over
    assert offered(position, "movement-ends") == []


@covers("d/d66", "r/no-stated-effect")
@pytest.mark.parametrize(
    ("dice", "move", "t", "told"),
    [
        ("2 6", 6, 3, ("Clouded sight", 1)),
        ("3 1", 1, 3, ("Heavy feet", 1)),
        ("4 6", 6, 4, ("Good omen", None)),
    ],
)
def test_omens_are_read_from_a_d66(dice: str, move: int, t: int, told: tuple[str, int | None]) -> None:
    position = table(squad("mystic"), squad("line-squad", 1, 1, at=(30, 20)), phase="command")
    at(position, "command-starts", dice)
    assert (move_of(unit(position, 1)), toughness(unit(position, 0))) == (move, t)
    events = [one.values for one in position.journal.events if one.kind in ("ability", "ability-on")]  # type: ignore[union-attr]
    assert (events[-1]["ability"]["en"], events[-1].get("target")) == told


@covers("r/no-stated-effect", "d/d66")
@pytest.mark.parametrize("dice", ["5 1", "6 6"])
def test_omens_beyond_the_table_do_nothing(dice: str) -> None:
    position = table(squad("mystic"), squad("line-squad", 1, 1, at=(30, 20)), phase="command")
    at(position, "command-starts", dice)
    assert position.effects == []


@covers("modifiers/floor-move-range", "modifiers/cap-leadership")
def test_heavy_feet_leave_an_inch_and_a_leadership_of_eight() -> None:
    position = table(squad("mystic"), squad("line-squad", 1, 1, at=(30, 20), ld=7, m=5), phase="command")
    at(position, "command-starts", "3 6")
    assert (move_of(unit(position, 1)), leadership(unit(position, 1))) == (1, 8)
    shown, rules = card(model(position, 1)), ("modifiers/unit-characteristic",)
    assert (shown["m"], shown["ld"]) == (1, "8+")
    assert changes(model(position, 1)) == {"m": Changed(5, rules), "ld": Changed("7+", rules)}


@covers("s/discard-dice", "s/discard-doubles", "r/highest-die", "r/lowest-die", "d/double", "t/triple")
@pytest.mark.parametrize(
    ("dice", "shocked", "lost"),
    [("1 3 3 4 6 | 1 1", 1, 0), ("1 2 3 4 6", 0, 0), ("1 1 3 4 6", 0, 0), ("2 3 3 3 6 | 6 6 | 1", 0, 1)],
)
def test_knots_ask_for_a_double_or_a_triple_in_what_is_left(dice: str, shocked: int, lost: int) -> None:
    position = table(squad("mystic"), squad("line-squad", 1, 1, at=(30, 18)), phase="command")
    at(position, "command", dice, [("knots", 0, 1)])
    assert (unit(position, 1).marks("shocked"), wounds(position, 1)) == (shocked, lost)
    assert offered(position, "command") == []


@covers("t/battle-shock-extra")
def test_a_shocked_unit_takes_the_test_and_stays_shocked() -> None:
    position = table(squad("mystic"), squad("line-squad", 1, 1, at=(30, 18), marks={"shocked": 1}), phase="command")
    at(position, "command", "1 3 3 4 6 | 6 6", [("knots", 0, 1)])
    assert unit(position, 1).marks("shocked") == 1


# ---------------------------------------------------------------- Veterans


@covers("r/return-models", "r/return-limit", "a/add-models-coherency")
@pytest.mark.parametrize(("dead", "dice", "alive"), [(3, "3", 4), (1, "6", 5), (0, "", 5)])
def test_rise_returns_models_up_to_starting_strength(dead: int, dice: str, alive: int) -> None:
    position = fallen(table(squad("veterans", 5), phase="command"), *range(4, 4 - dead, -1))
    at(position, "command-starts", dice, [PROPOSAL, PROPOSAL] if dead else [])
    assert left(position, 0) == alive


@covers("r/return-models")
@pytest.mark.parametrize(("many", "prompts"), [(0, []), (1, ["return"]), (2, ["return"])])
def test_of_up_to_so_many_the_owner_says_how_many_return(many: int, prompts: list[str]) -> None:
    position = fallen(table(squad("veterans", 5), phase="command"), 3, 4)
    played = at(position, "command-starts", "4", [many, *[PROPOSAL for _ in prompts]])
    assert played.prompts == ["how-many-return", *prompts]
    assert left(position, 0) == 3 + many


@covers("r/return-models")
@pytest.mark.parametrize(("dice", "first", "back"), [("1", [3, 4], [3]), ("1", [4, 3], [4]), ("3", None, [3, 4])])
def test_the_owner_says_which_of_several_return(dice: str, first: list[int] | None, back: list[int]) -> None:
    plain = squad("veterans", 4)
    bearer = replace(plain.profiles[0], rules={}, id="bearer")
    position = table(replace_squad(plain, [*plain.profiles, bearer]), phase="command")
    fallen(position, 3, 4)
    played = at(position, "command-starts", dice, [PROPOSAL, *([first] if first else []), PROPOSAL])
    assert played.prompts == ["how-many-return", *(["who-returns"] if first else []), "return"]
    assert [row for row in (3, 4) if model(position, row).is_on_table] == back


@covers("r/return-same-phase", "r/return-models")
def test_a_model_that_returns_has_all_its_wounds_and_was_never_attacked() -> None:
    position = table(squad("veterans", 5, models={"attacked": 1}), phase="command")
    model(position, 4).mark("wounds", 2)
    at(fallen(position, 4), "command-starts", "1", [PROPOSAL, PROPOSAL])
    assert (wounds(position, 4), model(position, 4).marks("attacked")) == (0, 0)


@covers("a/add-models-engagement", "a/add-models-no-room")
def test_nobody_returns_where_there_is_no_room() -> None:
    position = fallen(table(squad("veterans", 2), phase="command"), 0, 1)
    assert [m.row for m in to_return(unit(position, 0))] == [0, 1]
    assert offered(position, "command-starts") == []
    dead = [model(position, row) for row in (0, 1)]
    assert find_room(unit(position, 0), dead) == []
    beside = fallen(table(squad("veterans", 3), phase="command"), 1, 2)
    assert [m.row for m in find_room(unit(beside, 0), [model(beside, row) for row in (1, 2)])] == [1, 2]


@covers("a/add-models-engagement", "a/add-models-coherency", "core-concepts/unit-coherency")
@pytest.mark.parametrize(
    ("alive", "spot", "rule"),
    [
        ((30, 10), (30.0, 11.6), None),
        ((30, 10), (30.0, 11.9), "a/add-models-engagement"),
        ((30, 12), (31.4, 12.2), None),
        ((30, 10), (30.0, 6.8), None),
        ((30, 10), (30.0, 6.7), "a/add-models-coherency"),
    ],
)
def test_who_returns_is_beside_his_unit_and_engaged_only_with_its_enemies(
    alive: tuple[float, float], spot: tuple[float, float], rule: str | None
) -> None:
    own = squad("line-squad", at=[alive, (10.0, 10.0)])
    position = fallen(table(own, squad("line-squad", 1, 1, at=(30, 14)), phase="command"), 1)
    refusal = first_refusal((cannot_join,), unit(position, 0), [model(position, 1)], [model(position, 0)], [(*spot, 0)])
    assert (None if refusal is None else refusal.rule) == rule


@covers("r/return-models", "s/just-after")
@pytest.mark.parametrize(("phase", "is_offered"), [("shooting", True), ("charge", False)])
def test_close_ranks_returns_who_was_destroyed_in_this_phase(phase: str, is_offered: bool) -> None:
    position = fallen(table(squad("veterans", 5), phase="shooting"), 4)
    position.now["phase"] = phase
    about: dict[str, Any] = {"units": (0,), "lost": (0,), "attack": "shooting", "attacker": 1}
    assert (("close-ranks", 0, -1) in offered(position, "attacked", **about)) is is_offered
    assert offered(position, "attacked", **{**about, "lost": ()}) == []


@covers("r/end-of-command", "c/control-objective", "objectives/end-of-phase-check")
def test_a_planted_marker_is_kept_until_the_enemy_controls_it() -> None:
    position = table(squad("veterans", 1), squad("line-squad", 1, 1, at=(50, 40)), markers=[(30, 12)], phase="command")
    check_control(position)
    at(position, "command-ends")
    fallen(position, 0)
    check_control(position)
    assert position.tokens[0].side == 0
    model(position, 1).move_to(30.0, 13.0)
    check_control(position)
    assert position.tokens[0].side == 1
    fallen(position, 1)
    check_control(position)
    assert position.tokens[0].side == -1


@covers("s/just-after", "h/resolved-attacks")
@pytest.mark.parametrize(("save", "answers", "alive"), [("1", [("close-ranks", 1, -1), PROPOSAL], 3), ("6", [], 3)])
def test_those_who_lost_a_model_close_ranks_just_after_the_attacks(save: str, answers: Any, alive: int) -> None:
    shooter = squad("line-squad", 1, weapons=(gun(a="1", d="2", abilities=("torrent",), s=16, ap=0),))
    position = table(shooter, squad("veterans", 3, 1, at=(30, 20)))
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), f"2 | {save}", [PROPOSAL, *answers], position)
    assert played.prompts == ["who-takes", *(["ability", "return"] if answers else [])]
    assert left(position, 1) == alive


@covers("c/fight-on-death", "c/fight-on-death-timing", "c/fight-on-death-wounds", "c/fight-on-death-end")
@pytest.mark.parametrize(("dice", "lost"), [("4 | 3 3 | 4 4 | 2 2", 2), ("3", 0)])
def test_last_blow_is_struck_before_the_dead_are_removed(dice: str, lost: int) -> None:
    axe = blade(a="1", d="2", **KILLS)
    enemy = squad("line-squad", 1, 1, at=(30, TOUCHING), w=9, sv=7, weapons=(axe,))
    position = table(squad("veterans", 1), enemy, phase="fight", side=1)
    attacks = [blows_as_shots(unit(position, 1), Blow(model(position, 1), 0, 0, 0))]
    play(resolve(unit(position, 1), attacks), f"2 | 1 | {dice}", position=position)
    assert wounds(position, 1) == lost
    assert model(position, 0).where == GONE


@covers("c/fight-on-death-timing", "core-abilities/deadly-demise")
def test_nothing_harms_those_who_fight_on_death() -> None:
    walker = squad("walker", 1, 1, at=(30, 10 + (32 + 90) / 50.8), w=1, sv=7, weapons=(blade(a="1", d="2", **KILLS),))
    killer = squad("veterans", 1, weapons=(blade(a="1", **KILLS),))
    position = table(killer, walker, squad("captain", at=(36, 10), w=9), phase="fight", side=1)
    attacks = [blows_as_shots(unit(position, 1), Blow(model(position, 1), 0, 0, 0))]
    play(resolve(unit(position, 1), attacks), "2 | 1 | 4 | 3 | 1 | 6 | 1", position=position)
    assert [model(position, row).where == GONE for row in (0, 1)] == [True, True]
    assert wounds(position, 2) == 1


@covers("c/fight-on-death", "n/not-selected")
def test_whose_unit_has_fought_fights_no_more() -> None:
    axe = blade(a="1", d="2", **KILLS)
    enemy = squad("line-squad", 1, 1, at=(30, TOUCHING), weapons=(axe,))
    position = table(squad("veterans", 1, marks={"fought": 1}), enemy, phase="fight", side=1)
    attacks = [blows_as_shots(unit(position, 1), Blow(model(position, 1), 0, 0, 0))]
    play(resolve(unit(position, 1), attacks), "2 | 1", position=position)
    assert model(position, 0).where == GONE


@covers("c/fight-on-death", "c/fight-on-death-timing")
@pytest.mark.parametrize(("x", "is_free"), [(30.0, False), (31.1, False), (31.27, True)])
def test_the_dead_do_not_pile_in_onto_each_other(x: float, is_free: bool) -> None:
    enemy = squad("beast", 1, 1, at=(30, TOUCHING + 5), weapons=())
    position = table(squad("veterans", 2, at=[(29, 13.2), (31, 13.2)]), enemy, phase="fight", side=1)
    dead = [model(position, 0), model(position, 1)]
    for one in dead:
        position.remove(one, "melee", fallen=True)
    touch = (80 + 32) / 50.8
    question = question_after(fight_on_death(dead), answers=[[[[[30, model(position, 2).y - touch]], None]]])
    y = model(position, 2).y - math.sqrt(touch**2 - (x - 30) ** 2)
    assert (question.refusal([[[[x, y]], None]]) is None) == is_free


@covers("fight-single-model/pile-in")
def test_while_one_fights_alone_the_others_stay() -> None:
    enemy = squad("line-squad", 1, 1, at=(31, 12), weapons=())
    position = table(squad("veterans", 2, at=[(30, 10), (32, 10)]), enemy, phase="fight")
    question = question_after(fight_alone(model(position, 0)))
    found = question.refusal([[[], None], [[[31.8, 10.1]], None]])
    assert found is not None
    assert (found.rule, found.model) == ("m/pile-in-move", 1)


@covers("fight-single-model/pile-in", "fight-single-model/attacks", "fight-single-model/consolidate")
def test_the_last_word_is_one_models() -> None:
    rules = DRILL.units["veterans"].champion
    assert rules is not None
    sergeant = squad("veterans", 1, rules=rules.rules, weapons=(blade(a="1"),))
    rest = squad("veterans", 1, at=(31.4, 10), leads=0, rules={}, weapons=(blade(a="1"),))
    enemy = squad("line-squad", 1, 1, at=(30, TOUCHING), w=9, sv=7, weapons=())
    position = table(sergeant, enemy, rest, phase="fight")
    last = ("last-word", 0, -1)
    played = play(fight_next(unit(position, 0)), "1 1 | 6 | 6 | 1", [PROPOSAL, last], position)
    assert len(handfuls(played, "to-hit")) == 2
    assert not offered(position, "has-fought", units=(0,))


# ---------------------------------------------------------------- Gunners


@covers("s/shoot-again-what", "s/shoot-again-order", "s/shoot-again-eligible")
@pytest.mark.parametrize("marks", [{}, {"fell-back": 1}])
def test_a_second_volley_uses_the_same_weapons(marks: dict[str, int]) -> None:
    position = table(squad("gunners", 1, marks=marks), squad("line-squad", 1, 1, at=(30, 20)))
    about: dict[str, Any] = {"units": (0,), "used": ((0, 0),)}
    volley = ("second-volley", 0, -1)
    assert (volley in offered(position, "has-shot", **about)) is not bool(marks)
    if not marks:
        assert volley not in offered(position, "has-shot", **{**about, "used": ()})


@covers("h/has-shot", "movement-phase/normal-move")
@pytest.mark.parametrize(("y", "is_offered"), [(20.0, True), (TOUCHING, False)])
def test_leap_back_is_for_who_is_not_engaged(y: float, is_offered: bool) -> None:
    position = table(squad("gunners", 1), squad("line-squad", 1, 1, at=(30, y)))
    leap = ("leap-back", 0, -1)
    about: dict[str, Any] = {"units": (0,), "used": ()}
    assert (leap in offered(position, "has-shot", **about)) is is_offered
    if is_offered:
        at(position, "has-shot", answers=[leap, [[[[30, 4]], None]]], **about)
        assert model(position, 0).at == (30.0, 4.0)
        assert unit(position, 0).marks("no-charge") == 1


@covers("s/shoot-on-death", "s/shoot-on-death-timing", "s/shoot-on-death-moved", "s/shoot-on-death-out-of-phase")
@pytest.mark.parametrize(("dice", "answers", "lost"), [("4 | 5 | 4 | 2", [[1]], 2), ("3", [], 0)])
def test_a_parting_shot(dice: str, answers: Any, lost: int) -> None:
    mine = squad(
        "gunners",
        1,
        weapons=(gun(skill=4, d="2", ap=-6),),
        rules={"parting-shot": DRILL.units["gunners"].rules["parting-shot"]},
    )
    enemy = squad("line-squad", 1, 1, at=(30, 20), w=9, weapons=(gun(d="2", **KILLS),))
    position = table(mine, enemy, side=1)
    script = f"2 | 1 | {dice}" if not lost else "2 | 1 | 4 | 5 | 4 | 1"
    play(resolve(unit(position, 1), shots(position, 1, 0)), script, answers, position)
    assert wounds(position, 1) == lost
    assert model(position, 0).where == GONE


@covers("replaced/definition", "replaced/reserves-rules", "replaced/any-unit-in-movement")
def test_relief_is_a_new_unit_at_full_strength() -> None:
    gunners = squad("gunners", 3, at=(30, 20), models={"wounds": 1}, marks={"shocked": 1, "picked": 1})
    position = table(gunners, squad("line-squad", 1, 1, at=(30, 40)), phase="movement")
    relief = ("relief", 0, -1)
    play(move_a_unit(position, 0), answers=[relief, PROPOSAL], position=position)
    new = members(unit(position, 2))
    assert (len(new), sum(wounds(position, m.row) for m in new), left(position, 0)) == (3, 0, 0)
    assert (unit(position, 2).marks("shocked"), unit(position, 2).marks("moved")) == (0, 1)
    assert all(m.y <= 6.0 for m in new)
    assert position.losses == []
    assert not [key for key in offered(position, "movement") if key[0] == "relief"]


# ---------------------------------------------------------------- Riders, Wardens


@covers("i/as-close-as-possible", "i/as-close-already", "m/closest")
@pytest.mark.parametrize(("dice", "touches"), [("6", True), ("2", False)])
def test_a_surge_goes_for_the_closest_enemy(dice: str, touches: bool) -> None:
    position = table(
        squad("riders", 1), squad("line-squad", 1, 1, at=(30, 17)), squad("idol", 1, 1, at=(50, 30)), side=1
    )
    about: dict[str, Any] = {"units": (0,), "lost": (0,), "attack": "shooting", "attacker": 1}
    at(position, "attacked", dice, [("surge", 0, -1), PROPOSAL], **about)
    assert is_engaged(unit(position, 0)) is touches
    assert model(position, 0).y > 11.5


@covers("repositioned/definition", "repositioned/normal-move", "repositioned/any-unit-in-movement")
def test_step_aside_sets_the_unit_up_again() -> None:
    wardens = squad("wardens", 2, at=[(30, 10), (32, 10)], marks={"picked": 1, "advanced": 1}, models={"wounds": 1})
    position = table(wardens, squad("line-squad", 1, 1, at=(30, 40)), phase="movement")
    play(move_a_unit(position, 0), answers=[("step-aside", 0, -1), PROPOSAL], position=position)
    assert (unit(position, 0).marks("moved"), unit(position, 0).marks("advanced")) == (1, 1)
    assert [wounds(position, row) for row in (0, 1)] == [1, 1]
    assert model(position, 0).at != (30.0, 10.0)


@covers(
    "repositioned/definition",
    "repositioned/reserves-rules",
    "repositioned/battle-shock",
    "repositioned/persisting",
    "repositioned/no-healing",
)
@pytest.mark.parametrize(("count", "dice", "shocked"), [(1, "1 1", 1), (1, "6 6", 0), (3, "", 0)])
def test_who_vanished_is_tested_when_it_is_back(count: int, dice: str, shocked: int) -> None:
    wardens = squad("wardens", 3, at=[(30, 10), (32, 10), (34, 10)])
    position = table(wardens, squad("line-squad", 1, 1, at=(30, 40)), side=1, turn=4, first=0)
    fallen(position, *range(count, 3))
    at(position, "enemy-turn-ends", answers=[("vanish", 0, -1)])
    assert {m.where for m in position.models if m.side == 0} <= {RESERVE, GONE}
    position.now.update(turn=5, round=3, side=0, phase="reinforcements")
    play(arrive(unit(position, 0)), dice, ["south", PROPOSAL], position)
    assert unit(position, 0).marks("shocked") == shocked


# ---------------------------------------------------------------- Enhancements


def second_breath() -> dict[str, Any]:
    return {"second-breath": PARADE.enhancements["second-breath"].ability}


@covers("r/return-leader", "r/return-models")
@pytest.mark.parametrize(("dice", "is_back"), [("2", True), ("1", False)])
def test_second_breath_is_drawn_once(dice: str, is_back: bool) -> None:
    position = fallen(table(squad("mystic", rules=second_breath()), squad("line-squad", 1, 1, at=(30, 20))), 0)
    play(raise_moment(position, "phase-ends"), dice, position=position)
    assert model(position, 0).is_on_table is is_back
    if is_back:
        assert wounds(position, 0) == 1
        fallen(position, 0)
        play(raise_moment(position, "phase-ends"), position=position)
        assert not model(position, 0).is_on_table


@covers("r/return-leader", "core-abilities/leader")
def test_a_leader_returns_to_the_unit_that_it_was_with() -> None:
    position = table(squad("veterans", 2, rules={}), squad("mystic", at=(33.2, 10), leads=0, rules=second_breath()))
    fallen(position, 2)
    separate_all(position)
    play(raise_moment(position, "phase-ends"), "6", [PROPOSAL], position)
    assert model(position, 2).unit.row == 0
    fallen(position, 0, 1)
    separate_all(position)
    assert model(position, 2).unit.row == 1


# ---------------------------------------------------------------- effects that last


@covers("e/persisting-attached", "core-abilities/leader-split")
def test_what_was_given_to_an_attached_unit_stays_with_both() -> None:
    rules = DRILL.units["mystic"].rules
    position = table(squad("veterans", 1, rules={}), squad("mystic", at=(32, 10), leads=0, rules=rules))
    lend(position, "good-omen", 1, PHASE, ON_UNIT, 0)
    assert toughness(unit(position, 0)) == 5
    fallen(position, 0)
    separate_all(position)
    assert toughness(unit(position, 1)) == 4
    end_at(position, PHASE)
    assert toughness(unit(position, 1)) == 3


@covers("e/persisting-transport")
def test_a_clock_goes_on_aboard() -> None:
    position = table(squad("mystic"), squad("carrier", at=(34, 10)))
    lend(position, "good-omen", 0, PHASE, ON_UNIT, 0)
    position.take_off(model(position, 0), aboard_of=model(position, 1))
    end_at(position, PHASE)
    assert position.effects == []


# ---------------------------------------------------------------- before the battle


@covers("r/redeploy", "r/redeploy-order")
def test_two_units_are_redeployed_and_no_more() -> None:
    squads = squad("marshal", at=(30, 5)), squad("gunners", 2, at=(10, 5)), squad("line-squad", 1, 1, at=(30, 40))
    position = table(*squads, phase="redeploy", attacker=0)
    key = ("shifted-lines", 0, -1)
    for _ in range(2):
        play(redeploy(position), answers=[key, 1, PROPOSAL], position=position)
    played = play(redeploy(position), position=position)
    assert played.value is False


@covers("r/redeploy")
def test_who_passes_redeploys_no_more() -> None:
    position = table(squad("marshal", at=(30, 5)), squad("line-squad", 1, 1, at=(30, 40)), phase="redeploy", attacker=1)
    play(redeploy(position), answers=[PASS], position=position)
    assert play(redeploy(position), position=position).value is False


@covers("deployment/set-up-after")
def test_the_great_engine_is_set_up_after_all_others() -> None:
    position = table(
        squad("great-engine", where="reserve"),
        squad("gunners", 1, where="reserve"),
        squad("great-engine", side=1, where="reserve"),
        phase="deployment",
        deploys=0,
        attacker=0,
    )
    assert [is_late(unit(position, row)) for row in (0, 1, 2)] == [True, False, True]
    play(deploy(position), answers=[PROPOSAL], position=position)
    assert left(position, 1) == 1
    play(deploy(position), "2 5", [PROPOSAL], position)
    assert left(position, 2) == 1


@covers("s/deploy-oversize", "s/deploy-oversize-turn")
def test_who_is_too_large_for_the_strip_touches_its_own_edge() -> None:
    position = table(
        squad("great-engine", where="reserve"), squad("line-squad", 1, 1, at=(30, 40)), phase="reinforcements", round=3
    )
    engine = unit(position, 0)
    engine.jot("reserves", "strategic")
    assert is_oversize([model(position, 0)], 6.0)
    assert list(areas_of(engine)) == ["south"]
    play(arrive(engine), answers=[PROPOSAL], position=position)
    assert model(position, 0).y == pytest.approx(170 / 50.8, abs=0.01)
    assert (engine.marks("shot"), engine.marks("no-charge")) == (1, 1)
    play(shoot_with_a_unit(position, 0), position=position)
