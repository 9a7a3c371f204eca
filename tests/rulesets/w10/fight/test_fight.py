"""The Fight phase: steps, turns, pile-in, strikes, consolidation (fight-phase/*, m/pile-in-move, m/consolidation-*)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from campale.mechanics.moves.contact import in_contact
from campale.referee.position import Position
from campale.rulesets.w10.basics.units import is_engaged, members
from campale.rulesets.w10.fight.declaring import declare, reach_of, weapons_of
from campale.rulesets.w10.fight.fight import begin_fighting, fight, fight_with_a_unit, is_eligible, to_fight
from campale.rulesets.w10.fight.on_death import fight_on_death
from campale.rulesets.w10.fight.pile_in import consolidate, marker_movement, melee_movement, passing, pile_in
from tests.rulesets.w10.kit import (
    PROPOSAL,
    ability,
    blade,
    first_question,
    left,
    model,
    piece,
    play,
    question_after,
    squad,
    table,
    unit,
    why,
)

covers = pytest.mark.covers

FOOT = 32 / 25.4
KNIFE = blade("knife", a="1", s=4)


def row(count: int, side: int, x: float, y: float, **fields: Any) -> Any:
    return squad("line-squad", count, side, [(x + 1.3 * k, y) for k in range(count)], weapons=(KNIFE,), **fields)


def duel(far: float = 0.0, **fields: Any) -> Position:
    return table(row(1, 0, 30, 20, **fields), row(1, 1, 30, 20 + FOOT + far), phase="fight")


# ---------------------------------------------------------------- the steps


def melees() -> Position:
    """Four melees: plain, with a charger, with Fights First on the other side, and nobody engaged."""
    return table(
        *(row(1, 0, x, 20, marks={"charged": 1} if x == 20 else {}) for x in (10, 20, 30, 40)),
        *(row(1, 1, x, 20 + FOOT, abilities=("fights-first",) if x == 30 else ()) for x in (10, 20, 30)),
        row(1, 1, 50, 40),
        phase="fight",
    )


@covers("fight-phase/steps", "fight-phase/eligible", "core-abilities/fights-first", "charge-phase/bonus")
def test_chargers_and_those_with_fights_first_come_in_the_first_step() -> None:
    position = melees()
    begin_fighting(position)
    assert (to_fight(position, 0), to_fight(position, 1)) == ([1], [6])
    position.now["step"] = 2
    assert (to_fight(position, 0), to_fight(position, 1)) == ([0, 1, 2], [4, 5, 6])


@covers("fight-phase/steps", "fight-phase/eligible")
@pytest.mark.parametrize(
    ("step", "row", "rule"),
    [
        (1, 4, None),
        (1, 5, "fight-phase/steps"),
        (1, 7, "fight-phase/eligible"),
        (2, 5, None),
        (2, 7, "fight-phase/eligible"),
    ],
)
def test_who_may_not_fight_now_is_shown_with_the_rule(step: int, row: int, rule: str | None) -> None:
    position = melees()
    begin_fighting(position)
    unit(position, 4).mark("first", 1)
    position.now["step"] = step
    refusal = first_question(fight_with_a_unit(position, 0)).refusal(row)
    assert (refusal and refusal.rule) == rule


@covers("fight-phase/eligible")
@pytest.mark.parametrize(("far", "marks", "can"), [(1.0, {}, True), (1.01, {}, False), (1.01, {"charged": 1}, True)])
def test_who_is_engaged_or_charged_fights(far: float, marks: dict[str, int], can: bool) -> None:
    assert is_eligible(unit(duel(far, marks=marks), 0)) is can


@covers("core-abilities/fights-first", "core-abilities/leader")
def test_fights_first_needs_every_model() -> None:
    position = table(
        row(1, 0, 30, 20, abilities=("fights-first",)), squad("captain", at=(28, 20), leads=0), row(1, 1, 30, 20 + FOOT)
    )
    begin_fighting(position)
    assert to_fight(position, 0) == []


@covers("fight-phase/steps", "fight-phase/no-pass", "fight-phase/end")
def test_the_opponent_of_the_active_side_begins_each_step_and_the_sides_take_turns() -> None:
    position = melees()
    begin_fighting(position)
    while play(fight_with_a_unit(position, 0), miss(position), [], position, accepting=True).value:
        pass
    assert position.journal is not None
    assert [one.values["unit"] for one in position.journal.events if one.kind == "fights"] == [6, 1, 4, 0, 5, 2]


def miss(position: Position) -> str:
    """A die that misses, if anybody will strike."""
    return "1" if to_fight(position, 0) or to_fight(position, 1) else ""


@covers("fight-phase/no-pass")
def test_nobody_passes_and_each_unit_fights_once() -> None:
    position = duel()
    begin_fighting(position)
    position.now["step"] = 2
    play(fight_with_a_unit(position, 0), "1", [], position, accepting=True)
    assert (to_fight(position, 1), to_fight(position, 0)) == ([], [0])


@covers("fight-phase/no-pass")
def test_when_one_side_has_nobody_left_the_other_goes_on() -> None:
    position = table(row(1, 0, 30, 20), row(1, 0, 30, 20 + 2 * FOOT), row(1, 1, 30, 20 + FOOT), phase="fight")
    begin_fighting(position)
    position.now.update(step=2)
    for expected in (2, 0, 1):
        question = question_after(fight_with_a_unit(position, 0)) if expected == 0 else None
        assert question is None or question.options() == [0, 1]
        answers = [0] if expected == 0 else []
        play(fight_with_a_unit(position, 0), "1", answers, position, accepting=True)
    assert all(unit(position, k).marks("fought") for k in (0, 1, 2))


@covers("fight-phase/newly-eligible", "core-abilities/fights-first")
def test_who_becomes_eligible_during_the_phase_fights_in_the_second_step() -> None:
    position = table(row(1, 0, 30, 20, abilities=("fights-first",)), row(1, 1, 30, 25), phase="fight")
    begin_fighting(position)
    model(position, 1).move_to(30, 20 + FOOT, facing=0.0)
    assert to_fight(position, 0) == []
    position.now["step"] = 2
    assert to_fight(position, 0) == [0]


# ---------------------------------------------------------------- who strikes at whom


@covers("fight-phase/which-models", "fight-phase/select-targets", "core-concepts/engagement-range")
@pytest.mark.parametrize(("far", "fights"), [(1.0, True), (1.01, False)])
def test_models_within_an_inch_strike(far: float, fights: bool) -> None:
    assert reach_of(unit(duel(far), 0)) == ({0: [1]} if fights else {})


@covers("fight-phase/which-models", "fight-phase/select-targets")
def test_who_stands_behind_a_model_in_contact_strikes_over_it() -> None:
    behind = squad("line-squad", 3, at=[(30, 20), (30, 20 - FOOT), (30, 20 - 2 * FOOT)])
    touching = table(behind, row(1, 1, 30, 20 + FOOT))
    assert reach_of(unit(touching, 0)) == {0: [1], 1: [1]}
    near = table(behind, row(1, 1, 30, 20 + FOOT + 0.5))
    assert reach_of(unit(near, 0)) == {0: [1]}
    apart = squad("line-squad", 2, at=[(30, 20), (30, 20 - FOOT - 0.05)])
    assert reach_of(unit(table(apart, row(1, 1, 30, 20 + FOOT)), 0)) == {0: [1]}


@covers("fight-phase/select-weapon", "weapon-abilities/extra-attacks", "datasheet/several-profiles")
def test_one_weapon_is_chosen_and_extra_attacks_come_in_addition() -> None:
    weapons = (blade("claw"), blade("fist"), blade("foot", abilities=("extra-attacks",)))
    position = table(squad("line-squad", at=(30, 20), weapons=weapons), row(1, 1, 30, 20 + FOOT))
    assert weapons_of(model(position, 0)) == ([(0, 0), (1, 0)], [(2, 0)])
    found = play(declare(unit(position, 0)), "", [[(1, 0)]], position).value
    assert [one.weapon for one in found] == [1, 2]


@covers("fight-phase/select-targets")
def test_of_two_enemies_one_is_named() -> None:
    position = table(row(1, 0, 30, 20), row(1, 1, 30, 20 + FOOT), row(1, 1, 30, 20 - FOOT))
    found = play(declare(unit(position, 0)), "", [[2]], position).value
    assert [one.target for one in found] == [2]


@covers("fight-phase/make-attacks", "fight-phase/fight-sequence", "attack/hit-roll", "c/fight")
def test_a_unit_strikes_with_its_skill_and_wounds_like_by_shooting() -> None:
    position = duel()
    played = play(fight(unit(position, 0)), "3 4 2", [], position)
    assert played.rolls == ["to-hit", "to-wound", "save"]
    assert model(position, 1).marks("wounds") == 1


@covers("fight-phase/fight-sequence", "fight-phase/select-targets")
def test_who_reaches_nobody_makes_no_attacks() -> None:
    position = duel(9.0, marks={"charged": 1})
    assert play(fight(unit(position, 0)), "", [], position).rolls == []


# ---------------------------------------------------------------- piling in


def piling(position: Position, ways: dict[int, Any]) -> str | None:
    return why(position, 0, melee_movement(unit(position, 0)), ways)


@covers("m/pile-in-move", "m/closest", "movement-phase/measuring-moves")
def test_models_pile_in_up_to_three_inches_towards_their_closest_enemy() -> None:
    enemy = 20 + FOOT + 3.5
    position = table(
        squad("line-squad", 3, at=[(30, 20), (31.5, 20), (33, 20)], weapons=(KNIFE,)),
        row(1, 1, 30, enemy),
        row(1, 1, 36, 17.5),
    )
    assert piling(position, {0: (30, 23), 1: (31.5, 22)}) is None
    assert piling(position, {0: (30, 23.1), 1: (31.5, 22)}) == "m/pile-in-move"
    assert piling(position, {0: (30, 22.6), 1: (31.5, 19.9)}) == "m/pile-in-move"
    assert piling(position, {0: (30, 22.6), 1: (31.5, 20.1)}) is None


@covers("movement-phase/moving-models", "aircraft/others-move", "m/pile-in-move")
@pytest.mark.parametrize(
    ("kind", "side", "fields", "gap"),
    [
        ("line-squad", 1, {}, 0.0),
        ("line-squad", 1, {"keywords": ("vehicle", "aircraft")}, None),
        ("line-squad", 0, {}, None),
        ("carrier", 0, {}, 0.0),
    ],
)
def test_who_piles_in_passes_no_enemy_but_aircraft_and_a_vehicle_no_vehicle(
    kind: str, side: int, fields: dict[str, Any], gap: float | None
) -> None:
    mover = squad("walker" if kind == "carrier" else "line-squad")
    position = table(mover, squad(kind, 1, side, (30.0, 20.0), **fields))
    assert passing(model(position, 0), model(position, 1)) == gap


@covers("m/pile-in-move", "fight-phase/pile-in-impossible")
def test_the_unit_ends_engaged() -> None:
    position = duel(3.9)
    assert piling(position, {0: (30, 22)}) == "m/pile-in-move"
    assert piling(position, {0: (30, 22.9)}) is None


@covers("m/pile-in-move", "a/pile-in-without-moving")
def test_who_touches_an_enemy_stays_put() -> None:
    position = table(row(2, 0, 30, 20), row(1, 1, 30, 20 + FOOT))
    movement = melee_movement(unit(position, 0))
    assert movement.fixed == {0}
    assert piling(position, {0: (30, 19.95)}) == "m/pile-in-move"


@covers("a/pile-in-without-moving", "fight-phase/fight-sequence")
def test_where_all_touch_an_enemy_nobody_is_asked_and_the_unit_has_piled_in() -> None:
    position = table(row(2, 0, 30, 20), row(2, 1, 30, 20 + FOOT))
    assert play(pile_in(unit(position, 0)), "", [], position).prompts == []
    assert not unit(position, 0).marks("moved")


@covers("m/pile-in-move", "a/pile-in-without-moving")
def test_nor_does_it_slide_round_the_enemy_though_that_were_a_hair_nearer() -> None:
    position = duel(0.0009)
    aside = (FOOT + 0.0003) * math.sin(math.radians(30)), (FOOT + 0.0003) * math.cos(math.radians(30))
    end = 30 + aside[0], 20 + FOOT + 0.0009 - aside[1]
    assert piling(position, {0: [(30.6, 19.9), end]}) == "m/pile-in-move"


@covers("m/pile-in-move")
def test_who_can_touch_an_enemy_must() -> None:
    position = duel(0.9)
    played = play(pile_in(unit(position, 0)), "", [PROPOSAL], position)
    assert in_contact(model(position, 0).solid, members(unit(position, 1)))
    assert played.prompts == ["pile-in"]
    assert played.moves == [("pile-in", "m/pile-in-move")]
    position = duel(0.9)
    question = question_after(pile_in(unit(position, 0)))
    found = question.refusal([[[[30, 20.5]], None]])
    assert found is not None
    assert found.rule == "m/pile-in-move"
    assert question.refusal([[[], None]]) is None


@covers("fight-phase/pile-in-impossible")
@pytest.mark.parametrize("far", [4.1, 12.0])
def test_who_cannot_end_engaged_does_not_pile_in(far: float) -> None:
    position = duel(far, marks={"charged": 1})
    assert play(pile_in(unit(position, 0)), "", [], position).prompts == []
    assert model(position, 0).at == (30, 20)


@covers("fight-phase/pile-in-impossible", "core-concepts/coherency-failed-move")
def test_a_unit_that_cannot_end_together_does_not_pile_in() -> None:
    position = table(squad("line-squad", 2, at=[(30, 20), (45, 20)]), row(1, 1, 30, 20 + FOOT + 0.9), phase="fight")
    play(pile_in(unit(position, 0)), "", [], position, accepting=True)
    assert [m.at for m in members(unit(position, 0))] == [(30, 20), (45, 20)]


# ---------------------------------------------------------------- consolidating


@covers("m/consolidation-move", "m/consolidation-toward-enemy", "fight-phase/fight-sequence")
def test_a_unit_consolidates_to_an_enemy_if_it_can_end_engaged_though_a_marker_is_nearer() -> None:
    position = table(row(1, 0, 30, 20), row(1, 1, 30, 20 + FOOT + 3.9), phase="fight", markers=[(30, 16)])
    played = play(consolidate(unit(position, 0)), "", [PROPOSAL], position)
    assert is_engaged(unit(position, 0))
    assert played.prompts == ["consolidate"]
    assert played.moves == [("consolidate", "m/consolidation-move")]


@covers("m/consolidation-move", "s/objective-range")
@pytest.mark.parametrize(("far", "goes"), [(5.9, True), (6.1, False)])
def test_or_to_the_closest_marker_if_it_can_end_in_range(far: float, goes: bool) -> None:
    reach = FOOT / 2 + 20 / 25.4
    position = table(row(1, 0, 30, 20), row(1, 1, 30, 40), phase="fight", markers=[(30, 20 + reach + far), (30, 4)])
    played = play(consolidate(unit(position, 0)), "", [PROPOSAL] if goes else [], position)
    assert (model(position, 0).at != (30, 20)) is goes
    assert played.prompts == (["consolidate"] if goes else [])


@covers("m/consolidation-move")
def test_who_moves_to_a_marker_ends_closer_to_it() -> None:
    position = table(row(2, 0, 30, 20), row(1, 1, 30, 40), markers=[(30, 24)])
    movement = marker_movement(unit(position, 0), position.tokens[0])
    assert why(position, 0, movement, {0: (30, 22)}) is None
    assert why(position, 0, movement, {0: (30, 22), 1: (31.3, 19.5)}) == "m/consolidation-move"
    far = table(row(1, 0, 30, 16.5), row(1, 1, 30, 40), markers=[(30, 24)])
    assert why(far, 0, marker_movement(unit(far, 0), far.tokens[0]), {0: (30, 17)}) == "m/consolidation-move"


@covers("m/consolidation-move", "fight-phase/fight-sequence")
def test_after_its_enemy_is_dead_a_unit_consolidates_all_the_same() -> None:
    position = table(
        row(1, 0, 30, 20), row(1, 1, 30, 20 + FOOT, w=1, sv=7), row(1, 1, 30, 20 + 2 * FOOT + 2), phase="fight"
    )
    play(fight(unit(position, 0)), "3 4 1", [], position, accepting=True)
    assert left(position, 1) == 0
    assert is_engaged(unit(position, 0))


# ---------------------------------------------------------------- across a barricade


def over_the_wall(far: float, x: float = 30.0) -> Position:
    """Two models so far apart, with a barricade between them where ``x`` is 30."""
    return table(row(1, 0, x, 20), row(1, 1, x, 20 + FOOT + far), phase="fight", pieces=[piece("barricade", 30, 21.2)])


@covers("terrain/barricades-melee", "fight-phase/eligible", "fight-phase/which-models")
@pytest.mark.parametrize(("far", "x", "fights"), [(2.0, 30, True), (2.01, 30, False), (2.0, 40, False)])
def test_models_strike_across_a_barricade_within_two_inches(far: float, x: float, fights: bool) -> None:
    position = over_the_wall(far, x)
    assert is_eligible(unit(position, 0)) is fights
    assert reach_of(unit(position, 0)) == ({0: [1]} if fights else {})
    assert not is_engaged(unit(position, 0))


@covers("c/fight-on-death", "m/pile-in-modified")
@pytest.mark.parametrize(("leads", "is_struck"), [(0, True), (None, False)])
def test_who_fights_on_its_death_piles_in_as_far_as_its_unit(leads: int | None, is_struck: bool) -> None:
    rules = ability(who="led", do=[{"modify": ["pile-in", "add", 3]}])
    mine = squad("line-squad", 2, at=[(30, 10), (28, 8)], weapons=(blade(a="1"),))
    enemy = squad("line-squad", 1, 1, at=(30, 16), weapons=())
    position = table(mine, enemy, squad("lieutenant", at=(26, 7), leads=leads, rules=rules), phase="fight", side=1)
    position.remove(model(position, 0), "melee", fallen=True)
    played = play(fight_on_death([model(position, 0)]), "1" if is_struck else "", [PROPOSAL] * is_struck, position)
    assert ("pile-in" in played.prompts) is is_struck
