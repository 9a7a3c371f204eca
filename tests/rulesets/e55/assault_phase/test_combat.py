"""Combats: who is locked with whom, the result of a round, the losers' morale, consolidation."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.assault_phase import combat, melee
from campale.rulesets.e55.assault_phase.combat import total, worth
from campale.rulesets.e55.assault_phase.melee import Fight, settle_result
from campale.rulesets.e55.definitions.units import IMMOBILISED, STUCK
from campale.rulesets.e55.hits.casualties import lose
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


def row_of(count: int, y: float, side: int = 0, kind: Any = "veteran", **more: Any) -> Squad:
    return men(*((20.0 + k, y) for k in range(count)), side=side, kind=kind, **more)


def result(position: Position, dice: str = "", *answers: Any, since: int = 0, accepting: bool = True) -> Played:
    units = tuple(one.row for one in position.units if one.marks("combat"))
    fight = Fight(units, False, "result", since)
    return play(settle_result(position, fight), dice, answers, position, accepting)


def stage_of(played: Played) -> str:
    return "" if played.value is None else str(played.value.stage)


# ---------------------------------------------------------------- 3.3.1/engaged


@pytest.mark.covers("3.3.1/engaged")
def test_units_in_contact_are_locked_in_one_combat() -> None:
    position = table(men((30, 24), combat=0), men((30, 25), side=1, combat=0), men((32, 25), side=1, combat=0))
    combat.lock(unit(position, 0), [1, 2])
    assert combat.combats(position) == [(0, 1)]
    assert [foe.row for foe in combat.foes(unit(position, 0))] == [1]
    combat.engage(unit(position, 0), unit(position, 2))
    assert combat.combats(position) == [(0, 1, 2)]


@pytest.mark.covers("3.3.1/engaged")
def test_only_those_charged_are_locked() -> None:
    position = table(men((30, 24), combat=0), men((30, 25), side=1, combat=0))
    combat.lock(unit(position, 0), [])
    assert combat.combats(position) == []


@pytest.mark.covers("3.3.1/engaged")
def test_combats_that_meet_become_one() -> None:
    position = table(
        men((30, 24)), men((30, 25), side=1), men((40, 24), combat=2), men((40, 25), side=1, combat=2), men((50, 24))
    )
    unit(position, 4).mark("combat", 0)
    combat.engage(unit(position, 4), unit(position, 3))
    assert combat.combats(position) == [(0, 1), (2, 3, 4)]
    combat.engage(unit(position, 4), unit(position, 1))
    assert combat.combats(position) == [(0, 1, 2, 3, 4)]


@pytest.mark.covers("3.3.1/engaged")
def test_a_new_combat_is_another_one() -> None:
    position = table(men((30, 24)), men((30, 25), side=1), men((40, 24), combat=0), men((40, 25), side=1, combat=0))
    combat.engage(unit(position, 2), unit(position, 3))
    assert combat.combats(position) == [(0, 1), (2, 3)]
    combat.leave(unit(position, 2))
    assert combat.combats(position) == [(0, 1), (3,)]


@pytest.mark.covers("3.3.1/engaged")
def test_a_gap_opened_by_losses_ends_nothing() -> None:
    position = table(men((30, 24), (30, 21)), men((30, 25), side=1))
    lose(model(position, 0), "melee")
    assert combat.combats(position) == [(0, 1)]


# ---------------------------------------------------------------- 3.3.2/combat-count


@pytest.mark.covers("3.3.2/combat-count", "6.1/mc-counts-five", "6.2/bike-count", "7.16/walker-counts-five")
@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (profile("veteran"), 1),
        (profile("captain"), 1),
        (profile("hound"), 1),
        (profile("biker"), 1),
        (profile("biker", riders=2), 2),
        (profile("jetbiker", riders=3), 3),
        (profile("great-beast"), 5),
        (profile("winged-beast"), 5),
        (profile("walker"), 5),
    ],
)
def test_what_a_model_counts_as(made: Any, expected: int) -> None:
    assert worth(model(table(men((30, 24), kind=made)), 0)) == expected


@pytest.mark.covers("6.1/mc-counts-five", "3.3.2/combat-result")
def test_wounds_lost_do_not_lower_what_a_monster_counts_as_and_it_is_subtracted_as_five() -> None:
    position = table(men((30, 24), kind="great-beast"), men((30, 27), side=1))
    model(position, 0).mark("wounds-lost", 3)
    assert total(position, (0, 1), 0, 0) == 5
    lose(model(position, 0), "melee")
    assert total(position, (0, 1), 0, 0) == -5


# ---------------------------------------------------------------- 3.3.2/combat-result


@pytest.mark.covers("3.3.2/combat-result", "3.3.2/combat-count")
def test_a_loss_weighs_twice() -> None:
    position = table(row_of(10, 24), row_of(3, 25, 1))
    for row in range(4):
        lose(model(position, row), "melee")
    assert total(position, (0, 1), 0, 0) == 2
    assert total(position, (0, 1), 1, 0) == 3


@pytest.mark.covers("3.3.2/combat-result", "3.3.2/combat-count")
def test_what_was_lost_before_or_elsewhere_does_not_count() -> None:
    position = table(row_of(4, 24), row_of(3, 25, 1), men((50, 24), (51, 24), combat=2))
    lose(model(position, 0), "fire")
    since = len(position.losses)
    lose(model(position, 7), "melee")
    assert total(position, (0, 1), 0, since) == 3
    assert total(position, (0, 1), 0, 0) == 2


@pytest.mark.covers("3.3.2/combat-result", "3.3.2/combat-count")
def test_all_the_models_of_all_the_units_are_counted_in_contact_or_not() -> None:
    position = table(men((30, 24), (30, 20)), men((31, 24)), men((30, 25), side=1))
    assert [total(position, (0, 1, 2), side, 0) for side in (0, 1)] == [3, 1]


@pytest.mark.covers("3.3.2/combat-result")
def test_the_higher_total_wins() -> None:
    position = table(row_of(4, 24), row_of(3, 25, 1))
    played = result(position, "3 4")
    (event,) = [event for event in played.events if event.kind == "combat-result"]
    assert event.values["totals"] == [4, 3]
    assert [q.side for q in played.questions if q.prompt == "lost-combat"] == [1]


# ---------------------------------------------------------------- 3.3.2/stalemate


@pytest.mark.covers("3.3.2/stalemate")
def test_equal_totals_are_a_stalemate_and_nothing_else_happens() -> None:
    position = table(row_of(3, 24), row_of(2, 25, 1), men((22, 28), side=1))
    unit(position, 2).mark("combat", 1)
    played = result(position)
    assert played.value is None
    assert played.questions == []
    assert combat.combats(position) == [(0, 1, 2)]


@pytest.mark.covers("3.3.2/stalemate", "3.3.2/pile-in")
def test_any_other_result_is_followed_by_pile_ins() -> None:
    assert stage_of(result(table(row_of(3, 24), row_of(2, 25, 1)), "1 1")) == "pile-in"


# ---------------------------------------------------------------- 3.3.2/loser-morale


@pytest.mark.covers("3.3.2/loser-morale", "4.1/trigger-lost-combat")
@pytest.mark.parametrize(("dice", "breaks"), [("3 3", False), ("3 4 | 1 1 ", True)])
def test_the_difference_comes_off_the_losers_leadership(dice: str, breaks: bool) -> None:
    position = table(row_of(4, 24), row_of(2, 25, 1), phase="melee")
    played = result(position, dice, *([-1] if breaks else []))
    assert bool(unit(position, 1).marks("broken")) is breaks
    assert ("break" in played.kinds) is breaks


@pytest.mark.covers("3.3.2/loser-morale")
def test_every_unit_of_the_losers_tests_before_anybody_breaks() -> None:
    position = table(row_of(6, 24), men((20, 25), side=1), men((21, 25), side=1), phase="melee")
    played = result(position, "6 5 | 6 5 | 1 1 | 1 1", 1, -1, -1)
    assert played.rolls == ["lost-combat", "lost-combat", "fall-back", "fall-back"]
    assert [unit(position, row).marks("broken") for row in (0, 1, 2)] == [0, 1, 1]


@pytest.mark.covers("3.3.2/loser-morale")
def test_losers_that_are_no_more_do_not_test() -> None:
    position = table(row_of(2, 24), row_of(1, 25, 1), phase="melee")
    lose(model(position, 2), "melee")
    assert result(position).questions == []


@pytest.mark.covers("7.16/walker-no-morale")
def test_a_walker_does_not_test() -> None:
    position = table(row_of(6, 24), men((21, 25.75), side=1, kind="walker"), phase="melee")
    assert result(position).rolls == []
    mixed = table(row_of(7, 24), men((20, 25), side=1), men((22, 25.75), side=1, kind="walker"), phase="melee")
    assert result(mixed, "1 1").rolls == ["lost-combat"]


# ---------------------------------------------------------------- 7.7/vehicles-not-engaged


def with_a_tank(left: int) -> Position:
    """Three veterans against a militiaman and the tank of his unit, which one of them touches."""
    mixed = men((30, 25), (34.0, 26.5), side=1, kind=[profile("militia"), profile("tank", length=3)])
    position = table(men((30, 24), (33, 24.5), (31, 23)), mixed, phase="melee")
    if not left:
        lose(model(position, 3), "melee")
    return position


@pytest.mark.covers("7.7/vehicles-not-engaged", "1.2/mixed-units", "3.3.2/combat-result")
@pytest.mark.parametrize(("left", "totals", "numbers"), [(1, [3, 2], [1, 1]), (0, [3, -1], [0, 0])])
def test_a_tank_left_of_its_unit_is_in_no_combat(left: int, totals: list[int], numbers: list[int]) -> None:
    position = with_a_tank(left)
    played = result(position, "1 1" if left else "", since=0)
    told = [event.values["totals"] for event in played.events if event.kind == "combat-result"]
    assert told == [totals]
    if not left:
        play(melee.pile_in_all(position, played.value), "4", [PROPOSAL], position)
    assert [unit(position, row).marks("combat") for row in (0, 1)] == numbers


@pytest.mark.covers("7.7/vehicles-not-engaged", "7.7/attacking-vehicles")
@pytest.mark.parametrize(("left", "by"), [(1, [True, True, True]), (0, [False, True, False])])
def test_only_who_touches_a_tank_left_alone_strikes_it(left: int, by: list[bool]) -> None:
    position = with_a_tank(left)
    assert [melee.can_be_struck(unit(position, 1), model(position, row)) for row in range(3)] == by


@pytest.mark.covers("7.7/vehicles-not-engaged", "3.3.2/consolidation")
def test_who_loses_the_last_man_beside_a_tank_outside_the_melee_is_free() -> None:
    position = with_a_tank(0)
    played = play(combat.settle(position), "3", [PROPOSAL], position)
    assert played.rolls == ["consolidation"]
    assert combat.combats(position) == []


# ---------------------------------------------------------------- 3.3.2/consolidation


def alone(**more: Any) -> Position:
    return table(men((30, 24), (30, 22.5), **more), phase="melee")


@pytest.mark.covers("3.3.2/consolidation")
def test_a_combat_without_enemies_ends_in_a_consolidation() -> None:
    position = alone()
    played = play(combat.settle(position), "3", [[[[[33, 24]], None], [[[33, 22.5]], None]]], position)
    assert played.rolls == ["consolidation"]
    assert model(position, 0).at == (33, 24)
    assert combat.combats(position) == []


@pytest.mark.covers("3.3.2/consolidation")
def test_it_is_a_normal_move_of_at_most_the_die() -> None:
    position = alone()
    question = question_after(combat.settle(position), "2")
    assert refused(question, [[[[33, 24]], None], [[[33, 22.5]], None]]) == "1.1/move"
    assert refused(question, [[[[30, 26]], None], [[[30, 20.9]], None]]) == "3.1.1/coherency"
    assert refused(question, [[[], None], [[], None]]) == ""


@pytest.mark.covers("3.3.2/consolidation", "3.1/enemy-one-inch")
def test_it_reaches_no_new_contact() -> None:
    position = table(men((30, 24)), men((33, 24), side=1, combat=0), phase="melee")
    question = question_after(combat.settle(position), "4")
    assert refused(question, [[[[32, 24]], None]]) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.3.2/consolidation", "3.1.2/difficult", "3.1.2/dangerous")
def test_no_ground_hinders_it() -> None:
    pieces = [wood(32, 24, 2, 2), block(32, 22, 2, 2, "clear", "dangerous")]
    position = table(men((30, 24), (30, 22.5)), phase="melee", pieces=pieces)
    played = play(combat.settle(position), "6", [[[[[33, 24]], None], [[[33, 22.5]], None]]], position)
    assert played.rolls == ["consolidation"]
    assert model(position, 0).at == (33, 24)


@pytest.mark.covers("3.3.2/consolidation")
def test_one_die_for_each_unit_the_active_players_first() -> None:
    one, other = men((30, 24), combat=1), men((40, 24), side=1, combat=2)
    position = table(one, men((34, 24), combat=1), other, phase="melee", side=1)
    played = play(combat.settle(position), "1 1 1", [PROPOSAL, 1], position, accepting=True)
    assert [q.about["unit"] for q in played.questions if q.prompt == "consolidation"] == [2, 1, 0]


@pytest.mark.covers("3.3.2/consolidation")
def test_while_an_enemy_is_left_nobody_consolidates() -> None:
    position = table(men((30, 24)), men((30, 28), side=1), phase="melee")
    assert play(combat.settle(position), "", [], position).questions == []
    assert combat.combats(position) == [(0, 1)]


@pytest.mark.covers("3.3.2/consolidation", "6.1.1/clip-wings-engaged")
def test_who_drops_out_consolidates_and_so_do_those_left_without_enemies() -> None:
    position = table(men((30, 24)), men((30, 27), side=1), men((34, 27), side=1), phase="melee")
    combat.leave(unit(position, 1))
    played = play(combat.after_dropping_out(unit(position, 1), (0, 1, 2)), "1", [PROPOSAL], position)
    assert [q.about["unit"] for q in played.questions if q.prompt == "consolidation"] == [1]
    combat.leave(unit(position, 2))
    played = play(combat.after_dropping_out(unit(position, 2), (0, 1, 2)), "1 1", [], position, accepting=True)
    assert [q.about["unit"] for q in played.questions if q.prompt == "consolidation"] == [0, 2]
    assert combat.combats(position) == []


@pytest.mark.covers("3.3.2/consolidation", "4.2/broken-cannot-act")
def test_the_broken_and_the_immobilised_do_not_consolidate() -> None:
    assert play(combat.settle(alone(broken=1))).questions == []
    walker = table(men((30, 24), kind="walker"), phase="melee")
    model(walker, 0).mark("immobilised", 1)
    assert play(combat.settle(walker)).questions == []


@pytest.mark.covers("3.3.2/consolidation", "3.3.2/loser-morale")
def test_the_winners_consolidate_when_all_the_losers_have_broken() -> None:
    position = table(row_of(4, 24), row_of(2, 25, 1, kind="militia"), phase="melee")
    units = Fight((0, 1), False, "result", 0)
    position.declare("fight", units)
    position.declare("fought", (0, 1))

    async def whole() -> None:
        while await melee.melee_phase(position):
            pass

    played = play(whole(), "6 5 | 4 4 | 3", [-1], position, accepting=True)
    assert played.rolls == ["lost-combat", "fall-back", "consolidation"]
    assert combat.combats(position) == []


@pytest.mark.covers("3.3.2/consolidation", "7.6/stunned", "7.6/immobilised")
def test_a_walker_that_cannot_move_does_not_consolidate() -> None:
    for name, value in ((STUCK, 3), (IMMOBILISED, 1)):
        position = table(men((30, 24), (34, 24), kind="walker"), phase="melee")
        model(position, 0).mark(name, value)
        question = question_after(combat.settle(position), "3")
        assert question.about["models"] == [1]
        model(position, 1).mark(name, value)
        assert play(combat.settle(position), "", [], position).rolls == []
        position = table(men((30, 24), kind="walker"), phase="melee")
        model(position, 0).mark(STUCK, 4)
        assert play(combat.settle(position), "3", [PROPOSAL], position).rolls == ["consolidation"]
