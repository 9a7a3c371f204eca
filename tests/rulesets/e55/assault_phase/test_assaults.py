"""Movement, charges and melee where chapters meet: characters who join, leave and outlive units, units left alone."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.assault_phase import charge, combat, fighting, melee
from campale.rulesets.e55.assault_phase.contact import Rush
from campale.rulesets.e55.assault_phase.obligations import in_turn, planned, rush_question
from campale.rulesets.e55.definitions.units import bar_from_charge
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.hits.casualties import lose
from campale.rulesets.e55.leadership_and_morale import morale
from campale.rulesets.e55.movement_phase import movement, rough
from campale.rulesets.e55.shooting_phase import shooting
from campale.rulesets.e55.turn.turns import end_turn
from campale.rulesets.e55.unit_types import characters
from campale.table.shapes import Point
from tests.rulesets.e55.kit import (
    PROPOSAL,
    Played,
    Squad,
    block,
    model,
    play,
    profile,
    question_after,
    refused,
    squad,
    table,
    unit,
    wood,
)


def men(*places: Point, side: int = 0, kind: Any = "veteran", **more: Any) -> Squad:
    return squad(kind, len(places), side, list(places), **{"combat": 1, **more})


def fought(position: Position, dice: str = "", *answers: Any, accepting: bool = True) -> Played:
    async def whole() -> None:
        while await melee.melee_phase(position):
            pass

    return play(whole(), dice, answers, position, accepting)


@pytest.mark.covers("3.3.2/attack-count", "1.1/unit-ceases")
def test_blows_at_a_unit_that_ceased_fall_on_the_character_who_outlives_it() -> None:
    quick = profile("veteran", i=5)
    position = table(
        men((30, 24), kind=quick, faces=1),
        men((30, 25), side=1, kind="militia", faces=0),
        men((31, 25), side=1, kind=profile("captain", i=2)),
        men((31, 24), kind="veteran"),
        phase="melee",
    )
    position.join(model(position, 2), unit(position, 1))
    position.join(model(position, 3), unit(position, 0))
    # the quick one kills the militia; the other strikes at what was its unit: the captain
    played = fought(position, "3 | 3 | 1 | 1 | 1 1 1 | 1 1", [1])
    assert played.rolls[:4] == ["to-hit", "to-wound", "save", "to-hit"]


@pytest.mark.covers("3.3.2/melee-sequence", "1.1/unit-ceases")
@pytest.mark.parametrize(("outlived", "fights"), [(0, False), (None, True)])
def test_characters_who_outlived_their_units_do_not_fight_again_in_the_sub_phase(
    outlived: int | None, fights: bool
) -> None:
    captains = [men((30, 24 + side), side=side, kind="captain", notes={"outlived": outlived}) for side in (0, 1)]
    gone = squad("veteran", 1, 0, (30, 20))
    position = table(gone, *captains, phase="melee")
    lose(model(position, 0), "melee")
    position.declare(melee.FOUGHT, (0,))
    play(melee.melee_phase(position), "", (), position, True)
    assert (position.declared.get(melee.FIGHT) is not None) == fights


@pytest.mark.covers("3.3.2/rear-charge-effect")
def test_a_charge_from_behind_of_an_earlier_turn_is_over() -> None:
    position = table(men((30, 24), charged=1), men((30, 25), side=1, notes={"rear-charged-by": (0,)}), phase="end")
    play(end_turn(position), "", [], position)
    unit(position, 0).mark("charged", 1)
    from campale.rulesets.e55.assault_phase.rear import came_from_behind

    assert not came_from_behind(unit(position, 1), unit(position, 0))


@pytest.mark.covers("3.3.2/rear-charge-effect", "1.1/unit-ceases")
@pytest.mark.parametrize(("by", "struck"), [((0,), {}), ((), {2: [1]})])
def test_a_character_who_outlives_a_unit_that_came_from_behind_is_not_struck_either(
    by: tuple[int, ...], struck: dict[int, list[int]]
) -> None:
    charger = men((31, 24), charged=1)
    captain = men((30, 24), kind="captain")
    position = table(charger, captain, men((30, 25), side=1, notes={"rear-charged-by": by}), phase="melee")
    position.join(model(position, 1), unit(position, 0))
    lose(model(position, 0), "dangerous")
    play(casualties.settle(position), "", (), position, True)
    found = fighting.targets(unit(position, 2), [1, 2])
    assert found == struck


@pytest.mark.covers("3.3.2/combat-count", "6.1.1/clip-wings-engaged")
def test_who_has_dropped_out_is_not_counted() -> None:
    position = table(men((30, 24)), men((30, 25), side=1), men((31, 24), (32, 24), combat=0))
    assert combat.total(position, (0, 1, 2), 0, 0) == 1


@pytest.mark.covers("8/move-through-cover")
def test_who_stays_in_contact_counts_for_the_rule_of_the_unit() -> None:
    mover = profile("veteran", adds=("move-through-cover",))
    position = table(
        squad([profile("veteran"), mover], 2, 0, [(30, 24), (30, 20)], combat=1),
        men((30, 25), side=1),
        pieces=[wood(30, 20, 4, 2)],
        phase="melee",
    )
    from campale.rulesets.e55.assault_phase.obligations import towards_contact

    paths = towards_contact(unit(position, 0), [1], 6.0)
    assert rough.eased(unit(position, 0), paths) == 0


@pytest.mark.covers("3.3.2/consolidation", "7.6/stunned")
def test_a_stunned_walker_does_not_consolidate() -> None:
    position = table(squad("walker", 1, 0, (30, 24), combat=1), men((30, 40), side=1, combat=0), phase="charges")
    model(position, 0).mark("stuck-in", 3)
    played = play(combat.settle(position), "", [], position)
    assert played.rolls == []


@pytest.mark.covers("3.3.1/engaged")
def test_a_combat_that_falls_apart_in_the_pile_ins_is_two() -> None:
    position = table(
        men((20, 24), faces=1),
        men((20, 25), side=1, faces=0),
        men((40, 24), faces=3),
        men((40, 25), side=1, faces=2),
        phase="melee",
    )
    fight = melee.Fight((0, 1, 2, 3), False, "leave", 0)
    play(melee.end_fight(position, fight), "", [], position)
    assert combat.combats(position) == [(0, 1), (2, 3)]


@pytest.mark.covers("3.1.4/facing-target-removed")
def test_who_faced_a_character_that_joins_a_unit_faces_another() -> None:
    position = table(
        squad("veteran", 2, 0, [(30, 10), (32, 10)]),
        squad("captain", 1, 0, (34, 10)),
        squad("veteran", 1, 1, (30, 40), faces=1),
        phase="movement",
        side=0,
    )

    async def whole() -> None:
        while await movement.movement_phase(position):
            pass

    play(whole(), "", [("done",)], position, accepting=True)
    assert model(position, 2).unit.row == 0
    assert unit(position, 2).marks("faces") == 1


@pytest.mark.covers("3.3.2/rear-charge-definition")
def test_the_unit_faced_is_where_it_stood_though_it_has_joined_another() -> None:
    from campale.rulesets.e55.assault_phase.rear import is_from_behind
    from campale.rulesets.e55.turn.start_of_turn import take_snapshot

    position = table(
        squad("veteran", 1, 0, (30, 10)),
        squad("captain", 1, 0, (30, 40)),
        squad("veteran", 1, 1, (30, 20), faces=1),
        phase="start",
        side=0,
    )
    play(take_snapshot(position), "", [], position)
    assert is_from_behind(unit(position, 0), unit(position, 2))
    position.join(model(position, 1), unit(position, 0))
    assert is_from_behind(unit(position, 0), unit(position, 2))


@pytest.mark.covers("9.1.1/heavy", "9.1.1/rapid-fire", "10.5/deep-strike", "7.10/disembark-limits")
@pytest.mark.parametrize("rule", ["9.1.1/heavy", "9.1.1/rapid-fire", "10.5/deep-strike", "7.10/disembark-limits"])
def test_a_refused_charge_says_what_keeps_the_unit_from_it(rule: str) -> None:
    position = table(squad("veteran", at=(30, 20), faces=1), squad("veteran", 1, 1, (30, 25), faces=0), phase="charges")
    bar_from_charge(unit(position, 0), rule)
    fault = charge.barred_this_turn(position, ("charge", 0, 1))
    assert fault is not None
    assert fault.rule == rule


@pytest.mark.covers("9.1.1/heavy", "9.1.1/rapid-fire")
@pytest.mark.parametrize(("weapon", "rule"), [("machine-gun", "9.1.1/heavy"), ("rifle", "9.1.1/rapid-fire")])
def test_what_was_fired_is_what_keeps_from_charging(weapon: str, rule: str) -> None:
    position = table(
        squad("veteran", 1, 0, (30, 20), weapon, faces=1), squad("veteran", 1, 1, (30, 25), faces=0), phase="shooting"
    )
    play(shooting.declaration_phase(position), "", [("shoot", 0)], position, accepting=True)
    assert unit(position, 0).note("barred-by") == rule


@pytest.mark.covers("3.3.2/loser-morale", "3.3.1/engaged")
def test_who_has_no_enemy_left_takes_no_test_whatever_the_totals() -> None:
    own = men(*((27.0 + k, 24.0) for k in range(6)))
    position = table(own, men((27, 25), side=1), men((60, 40), side=1, combat=0), phase="melee")
    for row in range(1, 6):
        lose(model(position, row), "melee", 1)
    lose(model(position, 6), "melee", 0)
    played = play(melee.settle_result(position, melee.Fight((0, 1), False, "result", 0)), "", [], position)
    assert played.events[-1].values["totals"] == [-4, -1]
    assert played.rolls == []
    assert played.value.stage == "pile-in"


@pytest.mark.covers("3.1.2/dangerous", "8/independent-character")
def test_a_character_who_went_his_own_way_takes_no_die_for_the_way_of_his_unit() -> None:
    mines = block(31, 22, 10, 1, "clear", "dangerous", "open")
    position = table(
        squad("veteran", 2, 0, [(30, 20), (32, 20)]), squad("captain", 1, 0, (34, 20)), pieces=[mines], phase="movement"
    )
    position.join(model(position, 2), unit(position, 0))
    model(position, 2).mark("apart", 1)
    play(movement.move(position, ("move", 0)), "1 1", [[[[[30, 24]], None], [[[32, 24]], None]]], position)


@pytest.mark.covers("3.1.1/restore-coherency", "3.3.2/consolidation")
@pytest.mark.parametrize(("phase", "rule"), [("melee", ""), ("movement", "3.1.1/restore-coherency")])
def test_a_scattered_unit_need_not_consolidate(phase: str, rule: str) -> None:
    position = table(men((30, 20), (40, 20)), men((60, 40), side=1, combat=0), phase=phase)
    question = question_after(combat.consolidate(unit(position, 0)), "3")
    assert refused(question, [[[], None], [[], None]]) == rule
    assert refused(question, [[[[28, 20]], None], [[], None]]) == "3.1.1/restore-coherency"


@pytest.mark.covers("3.3.2/no-contact", "3.3.2/disengaged")
def test_who_regains_no_contact_is_no_target_of_the_round() -> None:
    far = men((20, 36), side=1)
    position = table(men((30, 24)), men((30, 27), side=1), far, phase="melee")
    played = fought(position, "1 1")
    assert next(e.values["units"] for e in played.events if e.kind == "combat-result") == (0, 1)


@pytest.mark.covers("3.3.1/charge-contact")
def test_behind_a_crowd_everybody_still_comes_as_near_as_he_can() -> None:
    riders = squad("biker", 6, 0, (30, 18), spacing=1.6, columns=3, faces=1)
    position = table(riders, squad("veteran", 1, 1, (29, 24.5)), phase="charges")
    rush = Rush(unit(position, 0), [1], 6.0)
    assert all(duty.rest < 2.0 for duty in planned(rush))
    answer = [*in_turn(rush).proposal()]
    last = [model.row for model in rush.models].index(2)
    answer[last] = [[], None]
    assert refused(rush_question(rush, "charge-move"), answer) == "3.3.1/charge-contact"


@pytest.mark.covers("3.3.2/consolidation", "3.3.1/engaged")
def test_who_loses_his_last_enemy_outside_the_melee_is_free_before_the_next_phase() -> None:
    position = table(men((30, 24)), men((30, 25), side=1), men((60, 40), side=1, combat=0), phase="after-movement")
    lose(model(position, 1), "explosion")
    played = play(morale.tests_for_casualties(position), "4", [PROPOSAL], position)
    assert played.rolls == ["consolidation"]
    assert not unit(position, 0).marks("combat")


@pytest.mark.covers("8/independent-character")
@pytest.mark.parametrize(("x", "joins"), [(36.9, True), (37.1, False)])
def test_a_character_joins_through_another_who_joins(x: float, joins: bool) -> None:
    position = table(
        squad("captain", 1, 0, (x, 10)),
        squad("captain", 1, 0, (34, 10)),
        squad("veteran", 2, 0, [(30, 10), (31.5, 10)]),
        phase="movement",
    )
    play(characters.settle(position, 0), "", [], position)
    assert model(position, 1).unit.row == 2
    assert (model(position, 0).unit.row == 2) is joins


@pytest.mark.covers("3.1/heavy-fire", "3.3.2/difficult-charge")
@pytest.mark.parametrize(("by", "dice", "y", "rough"), [((1,), "2", 22.9998, 1), ((2,), "", 22.9998, 0)])
def test_a_charge_into_heavy_fire_is_slowed_and_costs_the_initiative(
    by: tuple[int, ...], dice: str, y: float, rough: int
) -> None:
    position = table(
        squad("veteran", 1, 0, (30, 20), faces=1, notes={"heavy-fire-by": by}),
        squad("veteran", 1, 1, (30, 24)),
        squad("veteran", 1, 1, (30, 4)),
        phase="charges",
    )
    play(charge.charge(position, ("charge", 0, 1)), dice, [PROPOSAL], position)
    assert round(model(position, 0).y, 4) == y
    assert unit(position, 0).marks("charged-rough") == rough


@pytest.mark.covers("3.1/heavy-fire", "3.3.1/charge-fails")
def test_heavy_fire_may_make_a_charge_fail() -> None:
    position = table(
        squad("veteran", 1, 0, (30, 20), faces=1, notes={"heavy-fire-by": (1,)}),
        squad("veteran", 1, 1, (30, 25.5)),
        phase="charges",
    )
    play(charge.charge(position, ("charge", 0, 1)), "3", [], position)
    assert unit(position, 0).marks("no-charge")
