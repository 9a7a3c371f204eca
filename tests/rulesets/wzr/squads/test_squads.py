"""Morale, coherency, flight, Execution, Sentry, spies."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.referee.position import RESERVE, Position
from campale.rulesets.wzr.abilities.fear import fear_of
from campale.rulesets.wzr.abilities.index import has
from campale.rulesets.wzr.armies.profile import Fire, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.squads.coherency import is_coherent, strays
from campale.rulesets.wzr.squads.flight import way_out
from campale.rulesets.wzr.squads.leadership import ld_of, squad_need
from campale.rulesets.wzr.squads.morale import must_test_pinning, must_test_rout, victims
from campale.rulesets.wzr.squads.squads import commander
from campale.rulesets.wzr.squads.states import settle
from campale.rulesets.wzr.turn.activation import may_act
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.rulesets.wzr.turn.reactions import watchers
from campale.rulesets.wzr.turn.sentry import most_sentries
from campale.rulesets.wzr.turn.sequence import control
from campale.rulesets.wzr.turn.spying import announced
from campale.rulesets.wzr.wounds.armour import heal_of
from campale.rulesets.wzr.wounds.hits import Hit, push_hits
from tests.rulesets.wzr.kit import PROPOSAL, Played, finish, piece, play, put, squad, table, unit, vehicle

covers = pytest.mark.covers

TITLE: Any = {"en": "Rifle", "it": "Fucile"}
RIFLE = Weapon(id="rifle", title=TITLE, kind="automatic", fires=(Fire(range=24, st=12),))


def done(position: Position, *frame: Any, dice: str = "", answers: Any = ()) -> Played:
    push(position, frame)
    return finish(position, dice, answers)


def shot(position: Position, *rows: int, by: int, ranged: bool = True, answers: Any = ()) -> None:
    """These models fall to an enemy."""
    push_hits(position, [Hit(target=row, by=by, ranged=ranged) for row in rows])
    finish(position, "20 " * len(rows), answers)


def pinned(position: Position, row: int = 0) -> int:
    return sum(m.marks(marks.PINNED) for m in unit(position, row).models if m.is_on_table)


ENEMY = squad(side=1, at=(24, 40))


# ---------------------------------------------------------------- LD of squads and of models


@covers("squads/commander", "squads/model-ld")
def test_a_squad_tests_on_its_commanders_ld_a_model_on_its_own() -> None:
    position = table(squad(2, of=({"ld": 15},), ld=11), ENEMY)
    leader = commander(unit(position, 0))
    assert leader is not None
    assert squad_need(leader, "pinning").number == 15
    assert ld_of(position.model(1)) == 11


@covers("squads/commander")
def test_a_model_alone_is_its_own_commander() -> None:
    position = table(squad(1), ENEMY)
    position.model(0).mark(marks.COMMANDER, 0)
    leader = commander(unit(position, 0))
    assert leader is not None
    assert leader.row == 0


@covers("squads/substitute", "abilities/unmoved")
@pytest.mark.parametrize(("abilities", "value"), [((), 12), (("unmoved",), 14)])
def test_a_substitute_is_two_worse_unless_unmoved(abilities: tuple[str, ...], value: int) -> None:
    position = table(squad(3, of=({}, {"abilities": abilities})), ENEMY)
    shot(position, 0, by=3, answers=[1])
    assert squad_need(position.model(1), "rout").number == value
    shot(position, 1, by=3)
    assert squad_need(position.model(2), "rout").number == 12


@covers("abilities/specialist-attached")
def test_the_ld_of_an_attached_specialist_is_the_squads() -> None:
    position = table(squad(2, of=({"ld": 15}, {"ld": 9})), ENEMY)
    assert ld_of(position.model(1)) == 9
    position.model(1).mark(marks.SPECIALIST, 1)
    assert ld_of(position.model(1)) == 15


@covers("abilities/specialist-attached", "squads/substitute")
@pytest.mark.parametrize("advisers", [1, 2])
def test_specialists_who_are_all_that_is_left_are_led_by_one_of_them(advisers: int) -> None:
    position = table(squad(1 + advisers, of=({"ld": 15}, {"ld": 9}, {"ld": 11})[: 1 + advisers]), ENEMY)
    for row in range(1, 1 + advisers):
        position.model(row).mark(marks.SPECIALIST, 1)
    shot(position, 0, by=1 + advisers, answers=[1] if advisers > 1 else ())
    leader = commander(unit(position, 0))
    assert leader is not None
    assert (leader.row, squad_need(leader, "pinning").number) == (1, 7)
    assert done(position, "rout-test", 0, dice="7").rolls == ["rout"]
    assert [ld_of(position.model(row)) for row in range(1, 1 + advisers)] == [9] * advisers


@covers("abilities/specialist-attached", "squads/substitute")
def test_a_specialist_leads_nobody_while_another_is_left() -> None:
    position = table(squad(3), ENEMY)
    position.model(1).mark(marks.SPECIALIST, 1)
    shot(position, 0, by=3)
    assert position.model(2).marks(marks.SUBSTITUTE)


@covers("abilities/inspiration", "abilities/dissent")
def test_inspiration_and_dissent_change_the_ld_of_the_test_once_each() -> None:
    position = table(
        squad(2, at=(24, 10)),
        squad(2, at=(24, 19.2), abilities=("inspiration",)),
        squad(3, side=1, at=(24, 23.2), abilities=("dissent",)),
    )
    assert squad_need(position.model(0), "pinning").number == 13


# ---------------------------------------------------------------- pinning and rout: when


@covers("morale/pinning-trigger", "core/rounding")
@pytest.mark.parametrize(("models", "lost", "tests"), [(5, 1, False), (5, 2, True), (4, 1, True), (9, 2, False)])
def test_a_quarter_lost_to_ranged_attacks_calls_for_a_pinning_test(models: int, lost: int, tests: bool) -> None:
    position = table(squad(models), ENEMY)
    shot(position, *range(1, 1 + lost), by=models)
    assert must_test_pinning(unit(position, 0)) is tests


@covers("morale/pinning-trigger")
def test_melee_counts_for_no_pinning_and_a_squad_of_one_never_tests() -> None:
    position = table(squad(4), ENEMY)
    shot(position, 1, 2, by=4, ranged=False)
    assert not must_test_pinning(unit(position, 0))
    alone = table(squad(1), ENEMY)
    shot(alone, 0, by=1)
    assert not must_test_pinning(unit(alone, 0))


@covers("morale/pinning-trigger")
def test_by_option_any_loss_to_shooting_is_enough() -> None:
    position = table(squad(9), ENEMY, options={"pinning_any_loss": True})
    assert not must_test_pinning(unit(position, 0))
    shot(position, 1, by=9)
    assert must_test_pinning(unit(position, 0))


@covers("morale/rout-trigger", "squads/composition")
@pytest.mark.parametrize(("models", "lost", "tests"), [(5, 2, False), (5, 3, True), (4, 2, True), (4, 1, False)])
def test_half_of_the_starting_number_left_calls_for_a_rout_test(models: int, lost: int, tests: bool) -> None:
    position = table(squad(models), ENEMY)
    shot(position, *range(1, 1 + lost), by=models, ranged=False)
    assert must_test_rout(unit(position, 0)) is tests


@covers("morale/rout-trigger", "squads/composition")
def test_a_specialist_who_joined_is_not_counted_among_those_left() -> None:
    position = table(squad(4), ENEMY)
    position.model(3).mark(marks.SPECIALIST, 1)
    unit(position, 0).mark(marks.START, 3)
    shot(position, 1, by=4)
    assert not must_test_rout(unit(position, 0))
    shot(position, 2, by=4)
    assert must_test_rout(unit(position, 0))


@covers("morale/rout-trigger")
def test_who_lost_nobody_in_this_activation_does_not_test() -> None:
    position = table(squad(4), ENEMY)
    shot(position, 1, 2, by=4)
    unit(position, 0).jot(marks.LOST, None)
    assert not must_test_rout(unit(position, 0))


# ---------------------------------------------------------------- pinning and rout: the tests


@covers("morale/pinning-test", "turn/squad-activation")
@pytest.mark.parametrize(("die", "count"), [(12, 0), (13, 3)])
def test_the_pinning_test_comes_as_the_active_squad_is_deactivated(die: int, count: int) -> None:
    position = table(squad(4), ENEMY)
    shot(position, 0, by=4, answers=[1])
    played = done(position, "squad-ends", 1, dice=str(die))
    assert pinned(position) == count
    assert played.rolls == ["pinning"]
    assert played.cites("morale/pinning-trigger")


@covers("morale/rout-trigger", "morale/rout-test", "morale/routed-effects")
def test_rout_is_tested_first_and_whoever_routs_takes_no_pinning_test() -> None:
    position = table(squad(4, at=(20, 10)), ENEMY)
    position.model(1).mark(marks.SENTRY, 1)
    shot(position, 2, 3, by=4)
    assert done(position, "squad-ends", 1, dice="15").rolls == ["rout"]
    assert unit(position, 0).marks(marks.ROUTED)
    assert position.model(1).marks(marks.SENTRY) == 0
    passed = table(squad(4, at=(20, 10)), ENEMY)
    shot(passed, 2, 3, by=4)
    assert done(passed, "squad-ends", 1, dice="14 15").rolls == ["rout", "pinning"]
    assert pinned(passed) == 2


@covers("core/simultaneous", "morale/rout-trigger")
def test_several_rout_tests_are_taken_in_the_order_of_the_active_side() -> None:
    position = table(squad(2, at=(10, 20)), squad(2, at=(30, 20)), ENEMY)
    shot(position, 1, by=4)
    shot(position, 3, by=4)
    played = done(position, "squad-ends", 2, dice="1 1 1 1", answers=[[1, 0]])
    assert played.questions[0].side == 1
    assert [q.about["unit"] for q in played.questions if q.prompt == "rout"] == [1, 0]


@covers("abilities/implacable", "abilities/unyielding")
def test_the_implacable_take_neither_test_the_unyielding_no_rout_test() -> None:
    for abilities, rolls in ((("implacable",), []), (("unyielding",), ["pinning"])):
        position = table(squad(4, of=({"abilities": abilities},)), ENEMY)
        shot(position, 2, 3, by=4)
        assert done(position, "squad-ends", 1, dice="1" if rolls else "").rolls == rolls


@covers("morale/pinning-test")
def test_a_squad_that_is_pinned_to_a_man_or_routed_tests_no_more() -> None:
    position = table(squad(3, models={marks.PINNED: 1}), ENEMY)
    shot(position, 1, by=3)
    assert done(position, "pinning-tests").rolls == []
    routed = table(squad(3, marks={marks.ROUTED: 1}), ENEMY)
    shot(routed, 1, by=3)
    assert done(routed, "squad-ends", 1).rolls == []


@covers("morale/pinned-effects", "actions/sentry")
def test_the_pinned_leave_sentry_and_are_not_activated() -> None:
    position = table(squad(2), ENEMY)
    position.model(1).mark(marks.SENTRY, 1)
    unit(position, 0).jot(marks.LOST, (1, 1))
    done(position, "pinning-tests", dice="15")
    assert [m.marks(marks.SENTRY) for m in position.models] == [0, 0, 0]
    assert done(position, "next-model", 0).prompts == []


# ---------------------------------------------------------------- unpinning, rallying


@covers("morale/unpin-test", "turn/squad-activation")
@pytest.mark.parametrize(("die", "left", "lost"), [(14, 0, 1), (15, 1, 0)])
def test_a_pinned_model_acts_with_one_ap_less_after_the_test_or_not_at_all(die: int, left: int, lost: int) -> None:
    position = table(squad(2), ENEMY)
    position.model(1).mark(marks.PINNED, 1)
    done(position, "squad-tests", 0, dice=str(die))
    assert [m.marks(marks.PINNED) for m in unit(position, 0).models] == [0, left]
    assert [m.marks(marks.AP_LOST) for m in unit(position, 0).models] == [0, lost]


@covers("morale/unpin-test", "morale/pinned-effects")
@pytest.mark.parametrize(("die", "acts"), [(14, [0, 1]), (15, [0])])
def test_one_not_unpinned_does_not_act_in_this_turn_even_if_a_melee_frees_it(die: int, acts: list[int]) -> None:
    """An enemy thrown beside it engages it, so that it is no longer Pinned; the turn's end lets it act again."""
    position = table(squad(2), ENEMY, squad(1, 1, (44.0, 40.0)))
    position.model(1).mark(marks.PINNED, 1)
    done(position, "squad-tests", 0, dice=str(die))
    thrown = position.models[-1]
    thrown.move_to(position.model(1).x, position.model(1).y + 1.2)
    settle(position)
    assert position.model(1).marks(marks.PINNED) == 0
    assert [m.row for m in unit(position, 0).models if may_act(m)] == acts
    play(control(position), position=position)
    assert all(may_act(m) for m in unit(position, 0).models)


@covers("morale/rally-test")
def test_a_routed_squad_that_rallies_has_one_ap_less() -> None:
    position = table(squad(2, marks={marks.ROUTED: 1}), ENEMY)
    done(position, "squad-tests", 0, dice="14")
    assert not unit(position, 0).marks(marks.ROUTED)
    assert [m.marks(marks.AP_LOST) for m in unit(position, 0).models] == [1, 1]


@covers("morale/rally-test", "morale/flight")
def test_one_that_does_not_flees_again_and_is_deactivated() -> None:
    position = table(squad(2, marks={marks.ROUTED: 1}, at=(20, 30)), ENEMY)
    push(position, ("squad-tests", 0), ("next-model", 0), ("squad-ends", 0))
    finish(position, "15")
    assert unit(position, 0).marks(marks.ROUTED)
    assert unit(position, 0).marks(marks.ACTIVATED)
    assert position.model(0).y == pytest.approx(20.0, abs=0.01)


@covers("abilities/execution-commander", "squads/substitute")
def test_a_commander_may_execute_one_of_his_own_and_the_test_is_passed_at_no_price() -> None:
    position = table(squad(3, marks={marks.ROUTED: 1}, of=({"abilities": ("execution",)},)), ENEMY)
    played = done(position, "squad-tests", 0, answers=[2])
    assert played.rolls == []
    assert not position.model(2).is_on_table
    assert [position.model(row).marks(marks.AP_LOST) for row in (0, 1)] == [0, 0]
    spared = table(squad(3, marks={marks.ROUTED: 1}, of=({"abilities": ("execution",)},)), ENEMY)
    assert done(spared, "squad-tests", 0, dice="1", answers=["nobody"]).rolls == ["rally"]


@covers("abilities/execution-hero")
def test_a_lord_executes_a_friend_within_six_inches_and_its_squad_recovers_at_no_price() -> None:
    lord = squad(slot="lord", abilities=("execution",), at=(20, 10))
    position = table(lord, squad(2, at=((27.2, 10), (27.21, 12)), models={marks.PINNED: 1}), ENEMY)
    assert victims(position.model(0)) == [1]
    done(position, "execution", 0, 1)
    assert commander(unit(position, 1)) is not None
    assert not must_test_rout(unit(position, 1))
    assert done(position, "squad-tests", 1).rolls == []
    assert pinned(position, 1) == 0
    assert position.model(2).marks(marks.AP_LOST) == 0


@covers("abilities/execution-hero", "abilities/execution-commander")
@pytest.mark.parametrize(("executed", "prompts", "rolls"), [(0, ["execution"], ["rally"]), (1, [], [])])
def test_no_commander_is_asked_for_an_execution_where_a_lords_lets_the_squad_pass(
    executed: int, prompts: list[str], rolls: list[str]
) -> None:
    marked = {marks.ROUTED: 1, marks.EXECUTED: executed}
    position = table(squad(3, marks=marked, of=({"abilities": ("execution",)},)), ENEMY)
    answers = ["nobody"] if prompts else []
    played = done(position, "squad-tests", 0, dice="1" if rolls else "", answers=answers)
    assert (played.prompts, played.rolls) == (prompts, rolls)
    assert not unit(position, 0).marks(marks.ROUTED)


# ---------------------------------------------------------------- flight


@covers("morale/flight")
def test_a_routed_model_goes_twice_its_m_towards_its_own_edge() -> None:
    position = table(squad(2, at=(20, 30)), squad(2, side=1, at=(40, 20)))
    assert way_out(position.model(0)).points[-1][1] == pytest.approx(20.0, abs=0.01)
    assert way_out(position.model(2)).points[-1][1] == pytest.approx(30.0, abs=0.01)


@covers("morale/flight")
@pytest.mark.parametrize(("y", "stays"), [(10.61, False), (10.65, True)])
def test_whose_base_reaches_the_edge_is_gone(y: float, stays: bool) -> None:
    position = table(squad(1, at=(20, y)), ENEMY)
    done(position, "flight", 0)
    assert position.model(0).is_on_table is stays


@covers("morale/flight", "close-combat/disengage-forced", "close-combat/disengage-free-strike")
def test_the_engaged_are_struck_before_they_flee_and_nobody_holds_them() -> None:
    """A medium base would take the Grip test of a small one that leaves of its own will."""
    position = table(squad(1, at=(20, 30)), squad(1, side=1, at=(20, 31.9), base="medium"))
    assert done(position, "flight", 0, dice="12").rolls == ["armour"]
    assert position.model(0).y == pytest.approx(20.0, abs=0.01)
    fallen = table(squad(1, at=(20, 30)), squad(1, side=1, at=(20, 31.9), base="medium"))
    done(fallen, "flight", 0, dice="20")
    assert not fallen.model(0).is_on_table


@covers("morale/flight")
def test_a_flight_ends_unengaged_if_it_can() -> None:
    position = table(squad(1, at=(20, 30)), squad(1, side=1, at=(20, 18), base="medium"))
    assert way_out(position.model(0)).points[-1] != pytest.approx((20.0, 20.0), abs=0.01)
    done(position, "flight", 0)
    at = position.model(0).at
    assert ((at[0] - 20) ** 2 + (at[1] - 18) ** 2) ** 0.5 > 2.4


@covers("morale/flight", "movement/obstacles")
@pytest.mark.parametrize(("height", "crossed"), [(1.0, True), (1.5, False)])
def test_a_flight_crosses_low_obstacles_and_goes_round_those_that_are_climbed(height: float, crossed: bool) -> None:
    wall = piece((17, 25), (6, 0.5), ("light", "solid", "linear"), height=height, kind="wall")
    position = table(squad(1, at=(20, 30)), ENEMY, pieces=[wall])
    straight = way_out(position.model(0)).points[-1] == pytest.approx((20.0, 20.0), abs=0.01)
    assert straight is crossed


@covers("morale/flight", "movement/basic")
def test_a_flight_passes_friends_and_ends_on_none() -> None:
    position = table(squad(1, at=(20, 30)), squad(1, at=(20, 25)), squad(1, at=(20, 20)), ENEMY)
    end = way_out(position.model(0)).points[-1]
    assert end[0] == pytest.approx(20.0, abs=0.01)
    assert 21.19 <= end[1] <= 21.31


@covers("morale/flight", "movement/jump")
@pytest.mark.parametrize(("z", "rolls"), [(3.0, []), (4.0, ["landing"])])
def test_who_flees_from_a_roof_jumps_down(z: float, rolls: list[str]) -> None:
    house = piece((18, 26), (6, 6), ("intact", "row-brick"), height=z, floors=[z], kind="brick-building")
    position = table(squad(1, at=(20, 30), z=z), ENEMY, pieces=[house])
    assert done(position, "flight", 0, dice="1" * len(rolls)).rolls == rolls
    assert position.model(0).y == pytest.approx(20.0, abs=0.01)
    assert position.model(0).z == 0.0


@covers("morale/flight", "movement/jump")
def test_a_roof_that_is_too_wide_is_not_left() -> None:
    house = piece((10, 10), (20, 30), ("intact", "row-brick"), height=3.0, floors=[3.0], kind="brick-building")
    position = table(squad(1, at=(20, 30), z=3.0), ENEMY, pieces=[house])
    done(position, "flight", 0)
    assert position.model(0).y == pytest.approx(20.0, abs=0.01)
    assert position.model(0).z == 3.0


# ---------------------------------------------------------------- coherency


@covers("squads/coherency", "abilities/scatter", "core/rounding")
@pytest.mark.parametrize(
    ("ld", "apart", "abilities", "coherent"),
    [(14, 8.2, (), True), (14, 8.21, (), False), (13, 8.2, (), True), (14, 15.2, ("scatter",), True)],
)
def test_a_model_stays_within_half_its_commanders_ld(
    ld: int, apart: float, abilities: tuple[str, ...], coherent: bool
) -> None:
    places = [(10.0, 10.0), (10.0 + apart, 10.0)]
    position = table(squad(2, at=places, of=({"ld": ld}, {"abilities": abilities})), ENEMY)
    assert is_coherent(position.model(1)) is coherent
    assert is_coherent(position.model(0))


@covers("squads/coherency", "squads/out-of-coherency")
def test_a_movement_ends_within_coherency_or_from_outside_nearer_than_it_began() -> None:
    position = table(squad(2, at=[(10.0, 10.0), (20.0, 10.0)]), ENEMY)
    model = position.model(1)
    assert strays(model, (19.0, 10.0)) is None
    assert strays(model, (20.5, 10.0)) is not None
    model.move_to(15.0, 10.0)
    assert strays(model, (18.2, 10.0)) is None
    assert strays(model, (18.3, 10.0)) is not None


@covers("squads/out-of-coherency")
def test_a_model_out_of_coherency_may_only_go_back_or_if_engaged_fight() -> None:
    position = table(squad(2, at=[(10.0, 10.0), (24.0, 10.0)], models={marks.AP: 2}), ENEMY)
    model = position.model(1)
    refused = cannot_take(model, "sentry")
    assert refused is not None
    assert refused.rule == "squads/out-of-coherency"
    assert cannot_take(model, "walk") is None
    assert cannot_take(position.model(0), "sentry") is None
    enemy = put(position, squad(side=1, at=(24, 11.2)))
    assert enemy.row == 2
    assert cannot_take(model, "combat") is None


# ---------------------------------------------------------------- Sentry


@covers("actions/sentry-limit")
@pytest.mark.parametrize(("models", "most"), [(1, 2), (4, 2), (5, 2), (9, 2), (10, 4), (14, 4), (15, 6)])
def test_how_many_of_a_squad_may_be_on_sentry(models: int, most: int) -> None:
    assert most_sentries(unit(table(squad(models), ENEMY), 0)) == most


@covers("actions/sentry", "actions/sentry-limit")
def test_sentry_ends_the_activation_and_is_for_two_of_five() -> None:
    position = table(squad(5, models={marks.AP: 2}), ENEMY)
    for row in (1, 2):
        assert cannot_take(position.model(row), "sentry") is None
        push(position, ("model", row))
        finish(position, answers=[["sentry"]])
        assert (position.model(row).marks(marks.SENTRY), position.model(row).marks(marks.AP)) == (1, 0)
    refused = cannot_take(position.model(3), "sentry")
    assert refused is not None
    assert refused.rule == "actions/sentry-limit"


def guarded(**changes: Any) -> Position:
    """A walker in sight of a Sentry with a rifle, 20 inches off."""
    sentry = squad(side=1, at=(20, 30), weapons=(RIFLE,), models={marks.SENTRY: 1}, **changes)
    return table(squad(at=(20, 10), models={marks.AP: 2}), sentry)


@covers("actions/sentry-reaction")
def test_who_sees_the_actor_may_react_and_the_token_goes() -> None:
    position = guarded()
    done(position, "reactions", 0, "walk", answers=[["walk"], [[[], 0.0]]])
    assert position.model(1).marks(marks.SENTRY) == 0
    assert position.model(1).facing == 0.0


@covers("actions/sentry-reaction")
def test_what_a_reaction_has_marked_is_cleared_when_it_is_over() -> None:
    for answers, dice in (([["walk"], [[[[20.0, 28.0]], 0.0]]], ""), ([["shoot"], PROPOSAL], "20")):
        position = guarded()
        position.model(1).mark(marks.AIMED, 1)
        done(position, "reactions", 0, "walk", dice=dice, answers=answers)
        sentry = position.model(1)
        assert (sentry.note(marks.MOVED), sentry.note(marks.USED), sentry.marks(marks.AIMED)) == (None, None, 0)


@covers("actions/sentry-reaction")
def test_a_sentry_may_let_it_pass_and_keeps_the_token() -> None:
    position = guarded()
    done(position, "reactions", 0, "walk", answers=[["nothing"]])
    assert position.model(1).marks(marks.SENTRY) == 1


@covers("actions/sentry-reaction")
@pytest.mark.parametrize("state", [marks.STUN, marks.PINNED])
def test_who_looks_elsewhere_is_stunned_pinned_or_routed_does_not_react(state: str) -> None:
    position = guarded()
    assert [m.row for m in watchers(position, [position.model(0)])] == [1]
    position.model(1).mark(state, 1)
    assert watchers(position, [position.model(0)]) == []
    turned = guarded(facing=0.0)
    assert watchers(turned, [turned.model(0)]) == []
    routed = guarded(marks={marks.ROUTED: 1})
    assert watchers(routed, [routed.model(0)]) == []


@covers("actions/sentry-reaction")
def test_a_shot_in_reaction_goes_at_whoever_gave_the_occasion_although_another_is_nearer() -> None:
    position = guarded()
    put(position, squad(at=(20, 20)))
    played = done(position, "reactions", 0, "walk", dice="20", answers=[["shoot"], PROPOSAL])
    assert played.rolls == ["to-hit"]
    assert played.questions[-1].about["target"] == 0


@covers("actions/sentry-reaction", "core/simultaneous")
def test_several_react_in_their_owners_order_and_the_later_ones_look_again() -> None:
    position = guarded()
    put(position, squad(side=1, at=(24, 30), weapons=(RIFLE,), models={marks.SENTRY: 1}))
    done(position, "reactions", 0, "walk", dice="2 20", answers=[["shoot", "shoot"], [2, 1], PROPOSAL])
    assert not position.model(0).is_on_table
    assert [position.model(row).marks(marks.SENTRY) for row in (1, 2)] == [0, 0]


@covers("actions/sentry-reaction")
def test_rest_and_the_like_give_no_occasion() -> None:
    position = guarded()
    position.model(0).mark(marks.STUN, 1)
    push(position, ("model", 0))
    assert "reactions" not in finish(position, answers=[["rest"], ["pass"]]).prompts


@covers("actions/sentry", "actions/sentry-reaction")
def test_whoever_is_engaged_has_left_sentry_before_it_could_react() -> None:
    position = table(squad(at=(20, 28.8), models={marks.AP: 2}), squad(side=1, at=(20, 30), models={marks.SENTRY: 1}))
    assert done(position, "reactions", 0, "trample").prompts == []
    assert position.model(1).marks(marks.SENTRY) == 0


@covers("actions/sentry", "cards/burn-third-ap")
def test_after_sentry_no_resource_brings_another_action() -> None:
    for action, prompts in ((["sentry"], ["act"]), (["walk", [[], 0.0]], ["act", "third-ap"])):
        position = table(squad(models={marks.AP: 1}), ENEMY)
        position.gain(0, marks.RESOURCES, 1)
        push(position, ("model", 0))
        assert finish(position, answers=[action, *(["no"] if len(prompts) > 1 else [])]).prompts == prompts


# ---------------------------------------------------------------- Rest, Spy


@covers("actions/rest", "core/stunned", "actions/pass")
def test_a_stunned_model_rests_token_by_token_before_anything_else() -> None:
    position = table(squad(models={marks.AP: 2, marks.STUN: 3}), ENEMY)
    model = position.model(0)
    refused = cannot_take(model, "walk")
    assert refused is not None
    assert refused.rule == "core/stunned"
    push(position, ("model", 0))
    finish(position, answers=[["rest"], ["rest"]])
    assert (model.marks(marks.STUN), model.marks(marks.AP)) == (1, 0)


@covers("morale/flight", "vehicles/location-drive", "close-combat/disengage-free-strike")
@pytest.mark.parametrize(("lost", "y"), [(2, 30.0), (1, 10.0)])
def test_a_vehicle_that_a_free_strike_costs_its_drive_does_not_flee(lost: int, y: float) -> None:
    bike = squad(1, 0, (20, 30), vehicle=vehicle("bike"), base="medium", m=10)
    position = table(bike, squad(1, 1, (20, 31.4)))
    position.model(0).mark("ps-lost-drive", lost - 1)
    done(position, "flight", 0, dice="15 20 20")
    assert position.model(0).y == pytest.approx(y, abs=0.01)


@covers("abilities/espionage")
def test_a_spy_makes_the_other_side_announce_its_next_squad_once_a_turn() -> None:
    position = table(
        squad(2, models={marks.AP: 2}, abilities=("espionage",)), squad(side=1, at=(10, 40)), squad(side=1, at=(30, 40))
    )
    push(position, ("model", 0))
    finish(position, answers=[["spy"], 2, ["pass"]])
    assert announced(position, 1) == 2
    assert announced(position, 0) is None
    refused = cannot_take(position.model(1), "spy")
    assert refused is not None
    assert refused.rule == "abilities/espionage"
    unit(position, 2).mark(marks.ACTIVATED, 1)
    assert announced(position, 1) is None


@covers("abilities/espionage", "abilities/rapid-deployment-reserve")
@pytest.mark.parametrize(("activated", "announces"), [(0, True), (1, False)])
def test_a_squad_in_reserve_may_be_announced_but_none_is_forced_in(activated: int, announces: bool) -> None:
    held = squad(1, 1, (30, 40), marks={marks.HELD_BACK: 1})
    there = squad(1, 1, (10, 40), marks={marks.ACTIVATED: activated})
    position = table(squad(2, abilities=("espionage",)), there, held)
    position.take_off(position.model(3), RESERVE)
    push(position, ("spy", 0))
    finish(position, answers=[2] if announces else [])
    assert announced(position, 1) == (2 if announces else None)
    unit(position, 2).mark(marks.ACTIVATED, 1)
    assert announced(position, 1) is None


@covers("morale/routed-effects", "abilities/medic", "abilities/inspiration")
def test_the_routed_use_no_abilities_and_spread_none() -> None:
    position = table(
        squad(2, at=(20, 10), abilities=("heal 5", "scatter")),
        squad(1, at=(20, 14), abilities=("inspiration", "medic 6")),
        ENEMY,
    )
    hurt = position.model(1)
    assert (heal_of(hurt, Hit(target=1)), squad_need(position.model(0), "rally").number) == (6, 15)
    unit(position, 1).mark(marks.ROUTED, 1)
    assert (heal_of(hurt, Hit(target=1)), squad_need(position.model(0), "rally").number) == (5, 14)
    unit(position, 0).mark(marks.ROUTED, 1)
    assert heal_of(hurt, Hit(target=1)) == 0


@covers("morale/routed-effects", "abilities/fear", "abilities/stealthy")
def test_the_routed_are_neither_feared_nor_hard_to_make_out() -> None:
    position = table(squad(abilities=("fear 3", "stealthy")), ENEMY)
    model = position.model(0)
    assert (fear_of([model]), has(model, "stealthy")) == (3, True)
    unit(position, 0).mark(marks.ROUTED, 1)
    assert (fear_of([model]), has(model, "stealthy")) == (0, False)


@covers("abilities/execution-commander", "morale/routed-effects", "morale/rally-test")
def test_the_commander_of_a_routed_squad_may_execute_for_the_rally_test() -> None:
    position = table(squad(3, abilities=("execution",), marks={marks.ROUTED: 1}), ENEMY)
    played = done(position, "squad-tests", 0, answers=[2])
    assert (played.prompts, played.rolls) == (["execution"], [])
    assert not unit(position, 0).marks(marks.ROUTED)
