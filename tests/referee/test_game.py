from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.dice.sources import ByHand, Scripted, Seeded
from campale.referee.ask import roll
from campale.referee.game import Drift, Entry, Game, RefereeError, effective, grained
from campale.referee.position import Position
from campale.referee.records.saved import load, save, verify
from campale.referee.refusal import Refusal
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import transcript
from tests.referee.playing import act, at_random, begun, journal, looks, play
from tests.referee.toy import ACTIONS, RULESET, SETUP


def refused(refusal: Refusal | None) -> str:
    assert refusal is not None
    return refusal.word


def is_whole(game: Game) -> bool:
    """Whether a file of the game gives the same game."""
    again = load(save(game))
    return verify(save(game)).identical and looks(again) == looks(game) and journal(again) == journal(game)


# ---------------------------------------------------------------------- answering


def test_only_the_side_that_is_asked_may_answer() -> None:
    game = begun()
    assert game.asked == (0,)
    assert refused(game.answer(1, 0)) == "answer.not-asked"
    assert refused(game.answer(None, 0)) == "answer.not-asked"
    assert game.answer(0, 0) is None


@pytest.mark.parametrize("answer", [7, "x", None, [0], float("nan"), 10**20, object()])
def test_a_refused_answer_leaves_the_same_bytes(answer: Any) -> None:
    game = act(begun(), "fire")
    before = looks(game), journal(game), list(game.record)
    assert game.answer(game.asked[0], answer) is not None
    assert (looks(game), journal(game), game.record) == before


def test_answers_are_judged_as_they_will_be_recorded() -> None:
    """6.00104 is within the tolerance of 6 once it stands on the grain of the table; 6.00106 is not."""
    for far, word in ((10.00104, True), (10.00106, False)):
        game = act(begun(), "move")
        assert (game.answer(0, [[[far, 10.0]], None]) is None) is word
        assert is_whole(game)


def test_what_is_recorded_lies_on_the_grain() -> None:
    assert grained((0.1 + 0.2, [1, {"a": 1 / 3}], True, None)) == [0.3, [1, {"a": 0.3333}], True, None]
    assert grained(1e13) == 1e13


def test_a_direction_in_tenths_is_recorded_as_it_can_be_read_again() -> None:
    for seed in range(8):
        assert is_whole(act(begun(str(seed)), "scatter", [1.0, 2.0]))


def test_secret_answers_come_out_together() -> None:
    one, two = act(begun(), "orders"), act(begun(), "orders")
    assert list(one.asked) == [0, 1]
    assert one.answer(1, "charge") is None
    assert list(one.asked) == [0]
    assert one.question_for(1) is None
    assert refused(one.answer(1, "hold")) == "answer.not-asked"
    assert one.position.declared == {}
    assert one.answer(0, "hold") is None
    play(two, "hold", "charge")
    assert one.position.declared == {"order 0": "hold", "order 1": "charge"}
    assert looks(one) == looks(two)
    assert one.record == two.record


def test_dice_that_are_typed_in_are_questions_like_others() -> None:
    game = act(begun(dice=ByHand()), "fire")
    assert game.question is not None
    assert game.question.is_chance
    assert game.answer(0, [1, 2, 3, 7]) is not None
    play(game, [4, 4, 4, 4], [1, 1, 1, 1], 2)
    assert game.position.model(2).where != 0
    assert [event.kind for event in game.journal if event.kind == "roll"] == ["roll", "roll"]
    assert is_whole(game)


def test_scripted_dice_are_used_up() -> None:
    dice = Scripted([4, 4, 1, 1, 2, 6, 6, 1, 3, 5])
    game = play(act(begun(dice=dice), "fire"), 3)
    assert dice.left == [5]
    assert game.position.model(3).marks("wounds") == 1


# ---------------------------------------------------------------------- mistakes in rules


def test_a_mistake_in_a_rule_puts_the_battle_back_and_names_the_seed() -> None:
    game = play(begun("lucky"), 0)
    before = looks(game), journal(game), list(game.record), save(game)
    with pytest.raises(RefereeError, match="seed 'lucky', entry 1 of the record: ZeroDivisionError: a mistake"):
        game.answer(0, "break")
    assert (looks(game), journal(game), game.record, save(game)) == before
    with pytest.raises(RefereeError):
        game.answer(0, "break")
    assert is_whole(play(game, "pass"))


def test_a_script_that_has_run_out_puts_the_battle_back() -> None:
    dice = Scripted([1])
    game = play(begun(dice=dice), 0)
    before = looks(game)
    with pytest.raises(RefereeError, match="run out"):
        game.answer(0, "fire")
    assert looks(game) == before


def test_an_answer_kept_apart_survives_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    game = act(begun(), "orders")
    assert game.answer(1, "hold") is None
    monkeypatch.setattr(Position, "reveal", lambda *of, **values: 1 / 0)
    with pytest.raises(RefereeError):
        game.answer(0, "hold")
    monkeypatch.undo()
    assert game.held == {1: "hold"}
    assert game.asked == (0,)
    assert game.answer(0, "hold") is None


def test_a_mistake_in_judging_changes_nothing() -> None:
    game = act(begun(), "form")
    assert game.question is not None
    monkey: Any = game.question
    monkey._fields = lambda filled: 1 / 0
    with pytest.raises(RefereeError, match="seed '1', entry 2"):
        game.answer(0, ["slow", 1])
    assert len(game.line) == 2


def test_an_interrupted_rule_is_put_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play(begun(), 0)
    before = looks(game)

    def interrupted(*of: Any, **values: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Seeded, "answer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        game.answer(0, "fire")
    assert looks(game) == before


def test_a_rule_that_awaits_no_question_is_told() -> None:
    class Odd:
        def __await__(self) -> Any:
            yield "nothing"

    async def step(position: Position) -> bool:
        await Odd()
        return True

    with pytest.raises(TypeError, match="'nothing', which is no question"):
        Game(RULESET.replacing(step=step), SETUP)


def test_a_sequence_that_asks_nothing_for_ever_is_stopped() -> None:
    async def step(position: Position) -> bool:
        return True

    with pytest.raises(RefereeError, match="runs on"):
        Game(RULESET.replacing(step=step), SETUP, marks="none")


def test_a_battle_of_dice_alone_comes_to_its_end() -> None:
    async def step(position: Position) -> bool:
        position.now["turn"] = int(position.now["turn"]) + 1
        await roll(0, "dice")
        return bool(position.now["turn"] < 4)

    game = Game(RULESET.replacing(step=step), SETUP)
    assert game.is_over
    assert game.question is None
    assert len(game.record) == 3


# ---------------------------------------------------------------------- clones


@pytest.mark.parametrize("seed", range(12))
def test_a_clone_is_the_original_and_plays_on_like_it(seed: int) -> None:
    game = at_random(begun(str(seed)), Random(seed), seed * 5)
    clone = game.clone(journal=True)
    assert looks(clone) == looks(game)
    assert journal(clone) == journal(game)
    assert (clone.line, clone.record) == (game.line, game.record)
    before = looks(game), journal(game)
    at_random(clone, Random(99), 40)
    assert (looks(game), journal(game)) == before
    at_random(game, Random(99), 40)
    assert looks(clone) == looks(game)


def test_a_clone_of_a_clone_and_of_a_battle_that_is_over() -> None:
    game = act(begun(), "fire")
    assert looks(game.clone().clone()) == looks(game)
    game = at_random(begun(), Random(3), 400)
    assert game.is_over
    assert looks(game.clone()) == looks(game)
    game.concede(0)
    game = play(begun(), 0)
    game.concede(1)
    assert looks(game.clone()) == looks(game)
    assert game.imagined_by(0, Random(1)).result == game.result


def test_a_clone_keeps_answers_that_are_held_and_may_have_other_dice() -> None:
    game = act(begun(), "orders")
    game.answer(1, "charge")
    assert game.clone().held == {1: "charge"}
    game = play(begun(), 0)
    clone = game.clone(dice=Scripted([6, 6, 6, 6, 1, 1, 1, 1]))
    play(clone, "fire", 2)
    assert clone.position.model(2).marks("wounds") == 0


def test_a_battle_that_keeps_no_marks_cannot_be_copied_or_taken_back() -> None:
    game = act(begun(marks="none"), "fire")
    with pytest.raises(RefereeError, match="no marks"):
        game.clone()
    with pytest.raises(RefereeError):
        save(game)
    assert refused(game.undo(0)) == "undo.nothing"
    assert refused(game.propose(0, {"undo": 0})) == "proposal.unknown"
    assert refused(game.propose(0, {"correction": [["mark", 0, "wounds", 1]]})) == "proposal.unknown"
    play(game, 2, 2)
    with pytest.raises(RefereeError, match="a mistake"):
        game.answer(1, "break")
    assert game.marks == []


def test_a_battle_that_keeps_its_last_mark_plays_like_one_that_keeps_all() -> None:
    one, two = (at_random(begun(marks=marks), Random(5), 60) for marks in ("all", "last"))
    assert looks(one) == looks(two)
    assert len(two.marks) == 1 < len(one.marks)
    assert verify(save(two)).identical
    assert refused(two.clone().undo(1)) in {"undo.nothing", "undo.not-yours", "undo.die-fell"}


def test_a_copy_for_thinking_is_not_saved() -> None:
    with pytest.raises(RefereeError, match="thinking"):
        save(begun().clone())


# ---------------------------------------------------------------------- taking back


def test_the_last_decision_can_be_taken_back() -> None:
    game = play(begun(), 0)
    before = looks(game), journal(game)
    play(game, "form")
    assert game.undo(0) is None
    assert (looks(game), journal(game)) == before
    assert [entry.kind for entry in game.record] == ["choose", "choose", "undo"]
    assert [entry.kind for entry in game.line] == ["choose"]
    assert is_whole(play(game, "pass"))


def test_taking_back_reaches_across_a_boundary() -> None:
    """The last entry before the boundary is the side's own, and nothing was learned from it."""
    game = play(begun(), 0, "pass")
    assert refused(game.undo(1)) == "undo.not-yours"
    assert game.undo(0) is None
    assert game.undo(0) is None
    assert looks(game) == looks(begun())
    assert refused(game.undo(0)) == "undo.nothing"
    assert is_whole(game)


def test_a_fallen_die_cannot_be_taken_back() -> None:
    game = begun(dice=Scripted([1, 1, 1, 1, 1, 1, 1, 1]))
    play(game, 0, "fire")
    play(game, 2)
    assert game.undo(1) is None
    assert refused(game.undo(1)) == "undo.die-fell"
    assert refused(game.undo(0)) == "undo.die-fell"


def test_what_was_revealed_cannot_be_taken_back_but_what_came_after_can() -> None:
    game = act(begun(), "look", 2)
    assert refused(game.undo(0)) == "undo.revealed"
    play(game, 3)
    assert game.undo(0) is None
    assert refused(game.undo(0)) == "undo.revealed"


def test_an_answer_that_waits_for_the_other_side_is_taken_back_without_a_trace() -> None:
    game = act(begun(), "orders")
    before = looks(game)
    game.answer(0, "hold")
    assert refused(game.undo(1)) == "undo.not-yours"
    assert game.undo(0) is None
    assert looks(game) == before
    assert len(game.record) == 2
    play(game, "charge", "hold")
    assert refused(game.undo(1)) == "undo.revealed"
    assert refused(game.undo(0)) == "undo.revealed"
    assert refused(game.propose(0, {"undo": 3})) == "proposal.unknown"
    assert game.propose(0, {"undo": 2}) is None
    assert game.consent(1) is None
    assert looks(game) == before
    assert is_whole(game)


def test_a_die_that_was_taken_back_is_never_drawn_again() -> None:
    game = begun("again")
    play(game, 0, "fire")
    first = [entry.answer for entry in game.line if entry.kind == "roll"]
    drawn = game.dice.copy()
    assert game.propose(1, {"undo": 1}) is None
    assert game.consent(0) is None
    assert len(game.line) == 1
    assert isinstance(drawn, Seeded)
    assert isinstance(game.dice, Seeded)
    assert game.dice.counter == drawn.counter
    play(game, "fire")
    second = [entry.answer for entry in game.line if entry.kind == "roll"]
    assert first != second
    assert [entry.answer for entry in game.record if entry.kind == "roll"] == first + second
    assert is_whole(game)


def test_taking_back_to_just_before_a_die_rolls_another() -> None:
    game = act(begun(), "fire")
    assert game.propose(0, {"undo": 2}) is None
    assert game.consent(1) is None
    assert game.line[2].kind == "roll"
    assert is_whole(game)


# ---------------------------------------------------------------------- the battle itself


@pytest.mark.parametrize("side", [0, 1])
def test_a_side_concedes_at_any_time(side: int) -> None:
    game = act(begun(), "orders")
    game.answer(0, "hold")
    assert game.concede(side) is None
    assert game.is_over
    assert game.result is not None
    assert (game.result.winner, game.result.rule) == (1 - side, "concede")
    assert game.question is None
    assert game.held == {}
    assert refused(game.concede(side)) == "answer.not-asked"
    assert refused(game.answer(1, "hold")) == "answer.not-asked"
    assert refused(game.propose(0, {"draw": True})) == "proposal.unknown"
    assert refused(game.undo(side)) == "undo.not-yours"
    assert is_whole(game)


def test_nobody_concedes_for_a_side_that_there_is_not() -> None:
    game = begun()
    assert refused(game.concede(7)) == "answer.not-asked"
    assert not game.is_over


def test_a_draw_is_agreed() -> None:
    game = begun()
    assert refused(game.consent(1)) == "proposal.none"
    assert game.propose(0, {"draw": True}) is None
    assert refused(game.consent(0)) == "proposal.none"
    assert game.decline(1) is None
    assert refused(game.decline(1)) == "proposal.none"
    assert game.propose(0, {"draw": True}) is None
    assert game.consent(1) is None
    assert game.result is not None
    assert (game.result.winner, game.result.rule) == (None, "draw-agreed")
    assert [entry.kind for entry in game.record] == ["propose", "decline", "propose", "consent", "draw-agreed"]
    assert is_whole(game)


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"draw": True, "undo": 0},
        {"draw": False},
        {"war": True},
        {"undo": True},
        {"undo": 1.0},
        {"undo": -1},
        {"undo": 99},
        {"correction": []},
        {"correction": "x"},
        {"correction": [["move", 0, 1.0, 1.0, 0.0]]},
        {"correction": [["move", 0, float("nan"), 1.0, 0.0, 0.0]]},
        {"correction": [["move", 0, 1e300, 1.0, 0.0, 0.0]]},
        {"correction": [["move", 0, True, 1.0, 0.0, 0.0]]},
        {"correction": [["move", 99, 1.0, 1.0, 0.0, 0.0]]},
        {"correction": [["move", True, 1.0, 1.0, 0.0, 0.0]]},
        {"correction": [["mark", 0, "wounds", True]]},
        {"correction": [["mark", 0, 1, 1]]},
        {"correction": [["kill", 0, "wounds", 1]]},
        {"correction": [[]]},
    ],
)
def test_what_cannot_be_done_cannot_be_proposed(what: Any) -> None:
    game = play(begun(), 0)
    assert refused(game.propose(0, what)) in {"proposal.unknown", "correction.unreadable"}
    assert game.proposal is None
    assert len(game.record) == 1


def test_a_proposal_that_the_battle_has_overtaken_is_not_carried_out() -> None:
    game = play(begun(), 0)
    game.propose(0, {"undo": 1})
    assert game.undo(0) is None
    assert refused(game.consent(1)) == "proposal.unknown"
    game.propose(0, {"draw": True})
    game.concede(1)
    assert refused(game.consent(1)) == "proposal.none"


def test_a_correction_changes_the_last_boundary_and_the_battle_goes_on_from_it() -> None:
    game = act(begun(), "form")
    changes = [["move", 1, 20.0, 20.00004, 0.0, 90.0], ["mark", 2, "wounds", 1]]
    assert game.propose(1, {"correction": changes}) is None
    assert game.consent(0) is None
    assert game.question is not None
    assert game.question.prompt == "who"
    assert (game.position.model(1).at, game.position.model(2).marks("wounds")) == ((20.0, 20.0), 1)
    assert [entry.kind for entry in game.line] == ["correct"]
    assert [event.kind for event in game.journal] == ["corrected", "move", "mark", "begins"]
    assert game.line[0].side == game.journal[0].values["side"] == 1
    assert all(event.values["corrected"] for event in game.journal[1:3])
    assert is_whole(game)
    act(game, "pass")
    assert is_whole(game)
    assert game.propose(0, {"undo": 0}) is None
    assert game.consent(1) is None
    assert looks(game) == looks(begun())
    assert is_whole(game)


# ---------------------------------------------------------------------- clocks


def test_a_clock_that_ran_out_is_told_with_what_was_answered() -> None:
    game = begun()
    side = game.asked[0]
    assert game.question is not None
    assert side is not None
    answer = game.question.sample(Random(1))
    assert refused(game.lapse(1 - side, "reaction", "passed", answer)) == "answer.not-asked"
    assert refused(game.lapse(side, "sundial", "passed", answer)) == "answer.not-asked"
    assert game.lapse(side, "reaction", "passed", answer) is None
    assert game.lapse(side, "reaction", "passed", answer) is None
    assert [entry.kind for entry in game.line] == ["late"]
    assert game.why_no_undo(side) == "undo.late"
    question = game.question
    assert game.answer(side, answer) is None
    assert is_whole(game)
    teller = Teller.of(game)
    late = f"{teller.side(side)}: the time for a reaction has run out."
    given = f"“{teller.question(question)}”: {teller.answer(question, answer)}."
    assert f"{late} {given}" in transcript(game)
    assert "è scaduto" in transcript(game, "it")


def test_a_clock_that_ran_out_stays_told_when_the_answer_is_taken_back() -> None:
    game = begun()
    side = game.asked[0]
    assert game.question is not None
    assert side is not None
    answer = game.question.sample(Random(1))
    game.lapse(side, "reaction", "passed", answer)
    game.answer(side, answer)
    if game.why_no_undo(side):
        game.propose(side, {"undo": 1})
        game.consent(1 - side)
    else:
        assert game.undo(side) is None
    assert [entry.kind for entry in game.line] == ["late"]
    assert [event.kind for event in game.journal][-1] == "late"
    assert game.clone(journal=True).journal == game.journal
    assert is_whole(game)


def test_what_is_asked_in_secret_is_not_told_when_the_clock_runs_out() -> None:
    game = begun()
    side = game.asked[0]
    assert game.question is not None
    assert side is not None
    game.question.about["open"] = False
    game.lapse(side, "reaction", "passed", 0)
    event = game.journal[-1]
    other = event.as_seen_by(1 - side)
    assert other is not None
    assert other.values == {"side": side, "clock": "reaction", "how": "passed"}
    assert "asked" in event.as_seen_by(side).values  # type: ignore[union-attr]
    assert "the answer is automatic." in transcript(game, side=1 - side)
    assert game.lapse(side, "battle", "lost") is None
    assert game.concede(side) is None
    assert "the time for the battle has run out." in transcript(game)


@pytest.mark.parametrize("told", [None, [], ["reaction", "passed"], ["sundial", "passed", 0], ["battle", "won", None]])
def test_a_record_with_a_lapse_that_cannot_be_read_does_not_fit(told: Any) -> None:
    with pytest.raises(Drift, match="no clock runs out"):
        Game(RULESET, SETUP, "1", replaying=[Entry("late", 0, told)])


def test_a_correction_before_any_answer_does_not_run_the_step_twice() -> None:
    game = begun()
    game.propose(0, {"correction": [["mark", 0, "wounds", 1]]})
    game.consent(1)
    assert [event.kind for event in game.journal] == ["corrected", "mark", "begins"]
    assert is_whole(game)


def test_a_correction_that_breaks_the_rules_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play(begun(), 0, "pass", 2)
    before = looks(game), journal(game), list(game.line), save(game)
    game.propose(0, {"correction": [["mark", 0, "wounds", 1]]})
    broken = [True]

    async def step(position: Position) -> bool:
        if position.model(0).marks("wounds") == 1 and broken:
            raise ZeroDivisionError
        return await RULESET.step(position)

    game.ruleset = game.ruleset.replacing(step=step)
    with pytest.raises(RefereeError, match="ZeroDivisionError"):
        game.consent(1)
    assert (looks(game), journal(game), game.line) == before[:3]
    assert game.record[-1].kind == "propose"
    assert game.proposal is not None
    assert game.decline(1) is None
    assert is_whole(play(game, "pass"))


# ---------------------------------------------------------------------- records


def test_a_record_counts_without_talk_and_what_was_undone() -> None:
    a, b, c = (Entry("choose", 0, n) for n in range(3))
    talk = [Entry("propose", 0, {"draw": True}), Entry("decline", 1)]
    assert effective([a, b, *talk, Entry("undo", None, 1), c]) == [a, c]


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ([Entry("roll", 0, [1])], "request"),
        ([Entry("choose", 1, 0)], "request"),
        ([Entry("choose", 0, 9)], "options"),
        ([Entry("choose", 0, 0), Entry("correct", None, [["mark", 0, "wounds", 1]])], "request"),
        ([Entry("correct", None, [["mark", 99, "wounds", 1]])], "options"),
        ([Entry("concede", None)], "request"),
        ([Entry("concede", 5)], "request"),
        ([Entry("draw-agreed", 0)], "request"),
        ([Entry("concede", 0), Entry("choose", 0, 0)], "request"),
        ([Entry("choose", 0, 0), Entry("choose", 0, "orders"), Entry("choose", 0, "hold")], "request"),
    ],
)
def test_a_record_that_does_not_fit_what_is_asked_is_told(record: list[Entry], what: str) -> None:
    with pytest.raises(Drift) as drift:
        begun(replaying=record, judging=True)
    assert drift.value.what == what
    assert drift.value.at <= len(record)


def test_every_action_of_the_toy_was_taken() -> None:
    taken = {
        entry.answer
        for seed in range(20)
        for entry in at_random(begun(str(seed)), Random(seed), 99).line
        if isinstance(entry.answer, str)
    }
    assert set(ACTIONS) - taken == {"break"}
