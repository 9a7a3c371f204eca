"""Optional rules: reserves, and the extra time."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.rulesets.ragnarok.battle.missions import score
from campale.rulesets.ragnarok.battle.preparation import choose_reserves, deploy
from campale.rulesets.ragnarok.morale.psychology import losses
from campale.rulesets.ragnarok.turn.sequence import begin_turn, bring_in_reserves, command_phase, end_of_mission
from campale.rulesets.ragnarok.turn.tactical import cannot_choose
from tests.rulesets.ragnarok.kit import Figure, a, first_question, piece, play, question_after, table

ON = {"reserves": True}


def force(count: int, side: int = 0) -> list[Figure]:
    """A commander and as many raiders as make up the count, all off the table."""
    captain = a("crucible_captain", side, None, commander=1)
    return [captain, *(a("raider", side, None) for _ in range(count - 1))]


# ---------------------------------------------------------------- opt-reserves/choice


@pytest.mark.covers("opt-reserves/choice")
@pytest.mark.parametrize(("count", "half"), [(9, 5), (8, 4), (3, 2), (2, 1)])
def test_up_to_half_of_the_models_rounded_up_may_be_kept_in_reserve(count: int, half: int) -> None:
    position = table(*force(count), *force(2, 1), options=ON, phase="reserves")
    question = first_question(choose_reserves(position))
    rows = list(range(1, count))
    assert question.refusal(rows[:half]) is None
    assert question.refusal([*rows[:half], "done"]) is not None
    assert question.refusal(rows[: half + 1]) is not None or half + 1 > len(rows)
    play(choose_reserves(position), answers=[rows[:half], ["done"]])
    assert [model.row for model in position.models if model.marks("held-back")] == rows[:half]


@pytest.mark.covers("opt-reserves/choice")
def test_the_commander_is_not_kept_in_reserve_and_nobody_twice() -> None:
    position = table(*force(6), *force(2, 1), options=ON, phase="reserves")
    question = first_question(choose_reserves(position))
    assert question.side == 0
    assert question.refusal([0, "done"]) is not None
    assert question.refusal([1, 1, "done"]) is not None
    assert question.refusal([1, "done"]) is None
    assert question.refusal(["done"]) is None
    other = question_after(choose_reserves(position), "", [["done"]])
    assert (other.side, other.refusal([7, "done"][:1])) == (1, None)


@pytest.mark.covers("opt-reserves/choice")
def test_without_the_option_nobody_is_kept_in_reserve() -> None:
    position = table(*force(4), *force(4, 1), phase="reserves")
    assert play(choose_reserves(position)).questions == []


@pytest.mark.covers("opt-reserves/choice")
def test_reserves_are_not_deployed_but_count_in_the_strength() -> None:
    position = table(*force(2), options=ON, phase="deployment", **{"first-to-deploy": 0})  # type: ignore[arg-type]
    position.model(1).mark("held-back", 1)
    assert play(deploy(position), answers=[[[60, 10, 0]]]).value is True
    assert play(deploy(position)).value is False
    assert (position.model(1).is_on_table, position.holds(0, "strength"), losses(position, 0)) == (False, 2, 0)


# ---------------------------------------------------------------- opt-reserves/entry


def waiting(*others: Figure, profile: str = "raider", turn: int = 1) -> Position:
    captain = a("crucible_captain", 0, (10, 10), commander=1)
    return table(captain, a(profile, 0, None), *others, options=ON, phase="command", turn=turn)


@pytest.mark.covers("opt-reserves/entry")
@pytest.mark.parametrize(("die", "enters"), [(1, False), (3, False), (4, True), (6, True)])
def test_a_model_in_reserve_enters_on_a_four_from_the_first_own_turn_on(die: int, enters: bool) -> None:
    position = waiting()
    played = play(command_phase(position), dice=str(die), answers=[[[60, 10, 0]]] * enters)
    assert played.rolls == ["reserve"]
    assert position.model(1).is_on_table is enters


@pytest.mark.covers("opt-reserves/entry")
def test_one_die_is_rolled_for_each_model_and_none_for_the_enemy() -> None:
    position = waiting(a("raider", 0, None), a("raider", 1, None))
    played = play(bring_in_reserves(position, 0), dice="2 | 4", answers=[[[60, 10, 0]]])
    assert [question.about["model"] for question in played.questions if question.is_chance] == [1, 2]
    assert [model.is_on_table for model in position.models] == [True, False, True, False]


@pytest.mark.covers("opt-reserves/entry")
def test_who_has_not_come_rolls_again_in_the_next_own_turn() -> None:
    position = waiting()
    play(command_phase(position), dice="3")
    play(command_phase(position), dice="4", answers=[[[60, 10, 0]]])
    assert play(command_phase(position)).questions == []


@pytest.mark.covers("opt-reserves/entry")
def test_no_reserves_are_rolled_for_without_the_option() -> None:
    position = table(a("raider", 0, None), phase="command")
    assert play(command_phase(position)).questions == []


@pytest.mark.covers("opt-reserves/entry")
@pytest.mark.parametrize(
    ("at", "is_legal"),
    [((60, 18.75), True), ((60, 18.76), False), ((93.5, 10), True), ((93.51, 10), False), ((30, 10), False)],
)
def test_it_is_placed_anywhere_in_its_zone_one_centimetre_from_enemies(at: tuple[float, float], is_legal: bool) -> None:
    """The 30 cm of deployment are not asked for: an enemy stands at (97, 10), a boulder at (30, 10)."""
    position = waiting(a("raider", 1, (97, 10)))
    position.ground = position.ground.with_piece(piece("boulder", 30, 10))
    question = question_after(bring_in_reserves(position, 0), "4")
    assert (question.refusal([[*at, 0]]) is None) is is_legal


@pytest.mark.covers("opt-reserves/entry")
def test_it_may_act_in_the_turn_in_which_it_enters() -> None:
    position = waiting(turn=0)
    position.now["first"] = 0
    begin_turn(position)
    play(command_phase(position), dice="5", answers=[[[60, 10, 90]]])
    assert cannot_choose(position, 0, 1) is None
    assert (position.model(1).facing, position.model(1).marks("charisma")) == (90.0, 3)


@pytest.mark.covers("opt-reserves/entry", "special/infiltrator", "deployment/special")
@pytest.mark.parametrize(
    ("way", "at", "is_legal"),
    [
        ("yes", (60, 67.51), True),
        ("yes", (60, 67.5), False),
        ("yes", (60, 10), False),
        ("no", (60, 10), True),
        ("no", (60, 67.51), False),
    ],
)
def test_an_infiltrator_enters_by_its_own_rule_or_by_the_zone_as_it_likes(
    way: str, at: tuple[float, float], is_legal: bool
) -> None:
    position = waiting(a("raider", 1, (60, 35)), profile="frost_hunter")
    question = question_after(bring_in_reserves(position, 0), "4", [way])
    assert (question.refusal([[*at, 0]]) is None) is is_legal


@pytest.mark.covers("opt-reserves/entry")
def test_models_that_never_arrive_are_no_losses() -> None:
    position = waiting(a("raider", 1, (60, 60)), turn=24)
    play(end_of_mission(position))
    assert (score(position), losses(position, 0)) == ((0, 0), 0)


# ---------------------------------------------------------------- opt-time/extra-turns


def late(turn: int, turns: int = 12, extra: bool = True, side: int = 1) -> Position:
    figures = a("raider"), a("raider", 1, (60, 90))
    return table(*figures, options={"extra_time": extra}, phase="end", turn=turn, turns=turns, side=side)


@pytest.mark.covers("opt-time/extra-turns", "missions/length-and-draw")
@pytest.mark.parametrize(("die", "plays_on"), [(1, False), (3, False), (4, True), (6, True)])
def test_after_the_twelfth_turn_of_both_a_four_gives_one_more_to_each(die: int, plays_on: bool) -> None:
    position = late(24)
    played = play(end_of_mission(position), dice=str(die))
    assert played.rolls == ["extra-time"]
    assert (position.result is None) is plays_on
    assert position.now["turns"] == 12 + plays_on


@pytest.mark.covers("opt-time/extra-turns")
@pytest.mark.parametrize(("turn", "turns"), [(22, 12), (23, 12), (25, 13)])
def test_it_is_rolled_once_for_both_after_the_turn_of_the_second_player(turn: int, turns: int) -> None:
    position = late(turn, turns)
    assert play(end_of_mission(position)).questions == []
    assert position.result is None


@pytest.mark.covers("opt-time/extra-turns")
def test_the_same_roll_follows_every_extra_turn_and_the_first_failure_ends_the_battle() -> None:
    position = late(24)
    for turn, die in ((24, "4"), (26, "6"), (28, "3")):
        assert position.result is None
        position.now["turn"] = turn
        play(end_of_mission(position), dice=die)
    assert position.result is not None
    assert position.now["turns"] == 14


@pytest.mark.covers("opt-time/extra-turns")
def test_without_the_option_no_die_is_rolled() -> None:
    position = late(24, extra=False)
    assert play(end_of_mission(position)).questions == []
    assert position.result is not None
