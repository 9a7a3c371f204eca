"""Pile-ins: of charged units (3.3.1), after a result and in combats without contact (3.3.2)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.coherency import first_overlap
from campale.referee.position import Position
from campale.rulesets.e55.assault_phase import combat, melee, pile_in
from campale.rulesets.e55.assault_phase.melee import Fight, enemies_of_fight, has_contact, next_pile_in
from campale.rulesets.e55.assault_phase.pile_in import charged_units, defence_phase, has_to_move
from campale.table.shapes import Point
from tests.rulesets.e55.kit import (
    PROPOSAL,
    Played,
    Squad,
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

ENOUGH = -1


def men(*places: Point, side: int = 0, kind: str = "veteran", **more: Any) -> Squad:
    return squad(kind, len(places), side, list(places), **{"combat": 1, **more})


def defended(*more: Squad, **given: Any) -> Position:
    """A charger in contact with the first of a charged unit's three models, 4 inches apart from each other."""
    charger = men((30, 24), charged=1, notes={"charged-whom": (1,)})
    return table(charger, men((30, 25), (33, 27), (36, 27), side=1), *more, phase="defence", **given)


def in_a_fight(position: Position, waiting: tuple[int, ...], *answers: Any, dice: str = "", **how: Any) -> Played:
    units = tuple(one.row for one in position.units)
    fight = Fight(units, False, "pile-in", 0, (), waiting)
    return play(next_pile_in(position, fight), dice, answers, position, **how)


# ---------------------------------------------------------------- 3.3.1/defender-pile-in


@pytest.mark.covers("3.3.1/defender-pile-in")
def test_a_charged_unit_may_pile_in() -> None:
    position = defended()
    played = play(defence_phase(position), "", [1, PROPOSAL], position)
    assert played.prompts == ["pile-in-next", "pile-in"]
    assert played.value
    assert model(position, 1).at == (30, 25)
    assert combat.is_touching(unit(position, 1), unit(position, 0))
    assert all(one.y < 27 for one in unit(position, 1).models)
    assert not play(defence_phase(position), "", [], position).value


@pytest.mark.covers("3.3.1/defender-pile-in")
def test_a_charged_unit_may_stay() -> None:
    position = defended()
    played = play(defence_phase(position), "", [ENOUGH], position)
    assert played.prompts == ["pile-in-next"]
    assert model(position, 2).at == (33, 27)
    assert position.declared.get("piled-in") is None


@pytest.mark.covers("3.3.1/defender-pile-in")
def test_who_piles_in_has_the_obligations_of_a_charger() -> None:
    question = question_after(defence_phase(defended()), "", [1])
    assert question.prompt == "pile-in"
    assert question.about["models"] == [1, 2, 3]
    assert refused(question, [[[], None], [[], None], [[], None]]) == "3.3.1/charge-contact"


@pytest.mark.covers("3.3.1/defender-pile-in")
def test_only_units_that_were_charged_in_this_turn_may() -> None:
    position = defended(men((30, 23), side=1))
    assert [one.row for one in charged_units(position)] == [1]
    unit(position, 0).mark("charged", 0)
    assert charged_units(position) == []


@pytest.mark.covers("3.3.1/defender-pile-in")
def test_several_charged_units_go_in_the_order_of_their_owner() -> None:
    position = defended(men((29, 24), (27, 26), side=1))
    unit(position, 0).jot("charged-whom", (1, 2))
    assert play(defence_phase(position), "", [2, PROPOSAL], position).value
    question = question_after(defence_phase(position))
    assert question.options() == [1, ENOUGH]


@pytest.mark.covers("3.3.1/defender-pile-in")
def test_a_unit_all_in_contact_has_nothing_to_move() -> None:
    position = table(
        men((30, 24), charged=1, notes={"charged-whom": (1,)}), men((30, 25), (29, 24), side=1), phase="defence"
    )
    assert not has_to_move(unit(position, 1), [0])
    assert play(defence_phase(position), "", [], position).prompts == []


@pytest.mark.covers("3.3.1/defender-pile-in", "3.1.2/difficult", "6.3/beast-charge")
@pytest.mark.parametrize("kind", ["veteran", "hound"])
def test_a_pile_in_is_of_six_inches_less_what_the_ground_takes(kind: str) -> None:
    charger = men((30, 24), charged=1, notes={"charged-whom": (1,)})
    other = squad([profile("veteran"), profile(kind)], 2, 1, [(30, 25), (36, 29)], combat=1)
    position = table(charger, other, pieces=[wood(35, 28, 1, 1)], phase="defence")
    question: Any = question_after(defence_phase(position), "2", [1])
    assert question.shown["allowance"] == 4.0
    free: Any = question_after(defence_phase(defended()), "", [1])
    assert free.shown["allowance"] == 6.0


@pytest.mark.covers("3.3.1/defender-pile-in", "3.3.2/rear-charge-effect")
def test_a_unit_taken_from_behind_may_pile_in_too() -> None:
    position = defended()
    unit(position, 1).jot("rear-charged-by", (0,))
    assert [one.row for one in charged_units(position)] == [1]


# ---------------------------------------------------------------- 7.16/walker-rotates


@pytest.mark.covers("7.16/walker-rotates")
def test_a_walker_in_contact_may_turn_in_its_pile_in() -> None:
    charger = men((30, 24), charged=1, notes={"charged-whom": (1,)})
    position = table(charger, men((30, 25.75), side=1, kind="walker"), phase="defence")
    play(defence_phase(position), "", [1, [[[], 90.0]]], position)
    assert model(position, 1).facing == 90.0


@pytest.mark.covers("7.16/walker-rotates")
@pytest.mark.parametrize(("mark", "value"), [("immobilised", 1), ("stuck-in", 3)])
def test_a_walker_that_cannot_turn_is_not_asked(mark: str, value: int) -> None:
    charger = men((30, 24), charged=1, notes={"charged-whom": (1,)})
    position = table(charger, men((30, 25.75), side=1, kind="walker"), phase="defence")
    model(position, 1).mark(mark, value)
    assert play(defence_phase(position), "", [], position).prompts == []


# ---------------------------------------------------------------- 3.3.2/pile-in


@pytest.mark.covers("3.3.2/pile-in")
def test_after_the_result_a_unit_must_pile_in() -> None:
    position = table(men((30, 24), (30, 21)), men((30, 25), (33, 27), side=1), phase="melee")
    question = question_after(pile_in.pile_in(unit(position, 0), [1]))
    assert question.prompt == "pile-in"
    assert refused(question, [[[], None], [[], None]]) == "3.3.1/charge-contact"
    play(pile_in.pile_in(unit(position, 0), [1]), "", [PROPOSAL], position)
    assert combat.is_touching(unit(position, 0), unit(position, 1))
    assert model(position, 0).at == (30, 24)
    assert model(position, 1).y > 21


@pytest.mark.covers("3.3.2/pile-in", "3.1/enemy-one-inch")
def test_only_enemies_of_the_same_combat_may_be_touched() -> None:
    outsider = squad("veteran", 1, 1, (30, 22.6))
    position = table(men((30, 24), (31, 20)), men((30, 25), side=1), outsider, phase="melee")
    fight = Fight((0, 1), False, "pile-in", 0)
    assert enemies_of_fight(fight, unit(position, 0)) == [1]
    question = question_after(pile_in.pile_in(unit(position, 0), [1]))
    assert refused(question, [[[], None], [[[30.8, 22]], None]]) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.3.2/pile-in", "3.1.2/difficult")
def test_difficult_ground_slows_a_pile_in() -> None:
    position = table(men((30, 24), (30, 19)), men((30, 25), side=1), pieces=[wood(30, 21.5, 3, 1)], phase="melee")
    played = play(pile_in.pile_in(unit(position, 0), [1]), "3", [PROPOSAL], position)
    assert played.rolls == ["difficult-terrain"]
    assert model(position, 1).y == pytest.approx(22.0, abs=0.05)


@pytest.mark.covers("3.3.2/pile-in", "3.3.2/disengaged", "3.3.1/engaged")
def test_a_unit_that_fled_is_no_longer_of_the_combat() -> None:
    position = table(men((30, 24)), men((30, 26), side=1, combat=0, broken=1), men((32, 24), side=1))
    fight = Fight((0, 1, 2), False, "pile-in", 0)
    assert enemies_of_fight(fight, unit(position, 0)) == [2]


# ---------------------------------------------------------------- 3.3.2/pile-in-order


@pytest.mark.covers("3.3.2/pile-in-order")
def test_the_active_player_piles_in_first_in_the_order_he_likes() -> None:
    position = table(
        men((30, 20), (30, 17)), men((34, 20), (34, 17)), men((30, 23), (34, 23), side=1), phase="melee", side=0
    )
    played = in_a_fight(position, (0, 1, 2), 1, PROPOSAL)
    assert played.prompts == ["pile-in-next", "pile-in"]
    assert played.value == (0, 2)
    assert in_a_fight(position, (0, 2), PROPOSAL).value == (2,)
    assert in_a_fight(position, (2,)).value is None


@pytest.mark.covers("3.3.2/pile-in-order")
def test_in_the_other_players_turn_it_is_the_other_way_round() -> None:
    position = table(men((30, 20)), men((30, 23), side=1), phase="melee", side=1)
    played = in_a_fight(position, (0, 1), PROPOSAL)
    assert played.questions[0].side == 1
    assert played.value == (0,)


# ---------------------------------------------------------------- 3.3.2/disengaged


@pytest.mark.covers("3.3.2/disengaged")
def test_who_cannot_regain_contact_drops_out() -> None:
    position = table(men((30, 15)), men((30, 25), side=1), phase="melee")
    played = in_a_fight(position, (0, 1), PROPOSAL)
    assert "disengaged" in played.kinds
    assert not unit(position, 0).marks("combat")
    assert unit(position, 1).marks("combat")


@pytest.mark.covers("3.3.2/disengaged")
def test_who_regains_contact_stays_in_the_combat() -> None:
    position = table(men((30, 20)), men((30, 25), side=1), phase="melee")
    played = in_a_fight(position, (0, 1), PROPOSAL)
    assert "disengaged" not in played.kinds
    assert combat.combats(position) == [(0, 1)]


@pytest.mark.covers("3.3.2/disengaged")
def test_who_dropped_out_is_engaged_again_when_an_enemy_piles_into_it() -> None:
    position = table(men((30, 13)), men((30, 25), side=1), phase="melee")
    in_a_fight(position, (0, 1), PROPOSAL)
    assert not unit(position, 0).marks("combat")
    in_a_fight(position, (1,), PROPOSAL)
    assert combat.combats(position) == [(0, 1)]


@pytest.mark.covers("3.3.2/disengaged", "3.3.2/consolidation")
def test_who_touches_nobody_when_all_have_piled_in_is_free_and_consolidates() -> None:
    position = table(men((30, 10)), men((30, 30), side=1), phase="melee")
    fight = Fight((0, 1), False, "leave", 0)
    played = play(melee.end_fight(position, fight), "", [], position, accepting=True)
    assert played.value is None
    assert combat.combats(position) == []


# ---------------------------------------------------------------- 3.3.2/no-contact


@pytest.mark.covers("3.3.2/no-contact")
@pytest.mark.parametrize(("y", "touching"), [(25.0, True), (25.2, False)])
def test_whether_a_combat_has_contact(y: float, touching: bool) -> None:
    position = table(men((30, 24)), men((30, y), side=1), phase="melee")
    assert has_contact(position, (0, 1)) is touching


@pytest.mark.covers("3.3.2/no-contact")
def test_a_combat_without_contact_begins_with_pile_ins() -> None:
    position = table(men((30, 20)), men((30, 24), side=1), phase="melee")
    play(melee.melee_phase(position), "", [], position)
    assert position.declared["fight"][2] == "regain"
    played = play(melee.melee_phase(position), "", [PROPOSAL], position)
    assert played.prompts == ["pile-in"]
    assert combat.is_touching(unit(position, 0), unit(position, 1))
    while position.declared["fight"][2] == "regain":
        play(melee.melee_phase(position), "", [], position)
    assert position.declared["fight"][2] == "choose"


@pytest.mark.covers("3.3.2/no-contact", "3.3.2/disengaged")
def test_a_combat_that_cannot_regain_contact_is_over() -> None:
    position = table(men((30, 10)), men((30, 30), side=1), phase="melee")

    async def whole() -> None:
        while await melee.melee_phase(position):
            pass

    played = play(whole(), "", [], position, accepting=True)
    assert played.prompts == ["pile-in", "pile-in"]
    assert combat.combats(position) == []


# ---------------------------------------------------------------- when it is judged that no enemy is left


@pytest.mark.covers("3.3.2/consolidation", "3.3.2/disengaged")
@pytest.mark.parametrize(("gap", "again"), [(10.0, True), (13.0, False)])
def test_enemies_who_may_still_pile_in_are_not_gone(gap: float, again: bool) -> None:
    """Nobody consolidates when one drops out whom the others reach, or fail to reach, with their own pile-in."""
    position = table(
        squad("veteran", 1, 0, (30, 20), combat=1),
        squad("veteran", 2, 1, [(30, 21), (30, 21 + gap)], combat=1),
        phase="melee",
    )
    position.remove(model(position, 1), "melee")
    fight = melee.Fight((0, 1), False, melee.PILE, 0, waiting=(0, 1))

    async def rest() -> None:
        left: Any = fight
        while left is not None:
            left = await melee.STAGES[left.stage](position, left)

    played = play(rest(), position=position, accepting=True)
    assert played.prompts == ["pile-in", "pile-in"]
    assert [one.marks("combat") > 0 for one in position.units] == [again, again]


# ---------------------------------------------------------------- 7.7/vehicles-not-engaged


def beside_a_tank() -> Position:
    """A tank between two of its unit, who are charged by two veterans, one of them close to the hull."""
    charger = men((30, 24), (33, 21.9), charged=1, notes={"charged-whom": (1,)})
    charged = squad([profile("militia"), profile("tank"), profile("militia")], 3, 1, [(30, 25), (33, 25.5), (36, 25.5)])
    charged.marks["combat"] = 1
    return table(charger, charged, phase="defence")


@pytest.mark.covers("3.3.1/defender-pile-in", "3.1/no-pass-through", "7.7/vehicles-not-engaged", "1.2/mixed-units")
def test_who_piles_in_beside_a_tank_of_his_unit_does_not_end_on_it_and_the_tank_stays() -> None:
    position = beside_a_tank()
    question = question_after(pile_in.pile_in(unit(position, 1), [0]))
    rows: Any = question.about["models"]
    assert sorted(rows) == [2, 3, 4]

    def going(goal: list[float], tank: list[Any]) -> str:
        ways = {2: [[], None], 3: tank, 4: [[goal], None]}
        return refused(question, [ways[row] for row in rows])

    assert going([33.6402, 22.6682], [[], None]) == "3.1/no-pass-through"
    assert going([34.0, 21.9], [[], None]) == ""
    assert going([34.0, 21.9], [[[33, 24.5]], None]) != ""
    assert going([34.0, 21.9], [[], 20.0]) != ""
    play(pile_in.pile_in(unit(position, 1), [0]), "", [PROPOSAL], position)
    assert first_overlap(unit(position, 1).models) is None
    assert combat.is_touching(unit(position, 1), unit(position, 0))
    assert model(position, 3).at == (33, 25.5)
