"""A whole battle of any ruleset: it ends, offers what it accepts, and refuses without a trace."""

from __future__ import annotations

import math
from random import Random

import pytest

from campale.conformance.budget import BATTLES, OPTIONS
from campale.conformance.playing import asked, begun, looks, played
from campale.referee.game import Game
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain, Refusal

Battle = tuple[str, int]

NONSENSE: tuple[Plain, ...] = (
    None,
    True,
    -1,
    10**9,
    2**60,
    math.nan,
    "nonsense",
    [],
    [math.inf, 0.0],
    [[10**6, 10**6, 0.0]],
    [[[10.0**6, 10.0**6]], 0.0],
    {"a": 1},
    [[[[[[[[[[1]]]]]]]]]],
)


@pytest.mark.parametrize("seed", range(BATTLES))
def test_random_play_comes_to_an_end(battle: Battle, seed: int) -> None:
    game = begun(*battle, seed=f"end/{seed}")
    questions = sum(1 for _ in asked(game, Random(seed)))
    assert questions > 0
    assert game.result is not None
    assert game.result.rule in game.ruleset.ledger.entries


def test_every_question_and_every_event_cites_the_ledger(battle: Battle) -> None:
    entries = played(*battle).ruleset.ledger.entries
    for _, question, _ in looks(*battle):
        assert question.rules, question.description()
        assert set(question.rules) <= set(entries)
    for event in played(*battle).journal:
        assert set(event.rules) <= set(entries), event


def test_what_is_offered_is_accepted(battle: Battle) -> None:
    for game, question, rng in looks(*battle):
        for answer in offered(question, rng):
            refusal = question.refusal(answer)
            assert refusal is None, f"{question.description()} offers {answer!r} and refuses it: {refusal}"
        again = game.clone()
        assert again.answer(question.side, rng.choice(offered(question, rng))) is None


def offered(question: Question, rng: Random) -> list[Plain]:
    options = question.options()
    assert options is None or options, f"nothing is legal: {question.description()}"
    some = rng.sample(options, min(OPTIONS, len(options))) if options else []
    return [*some, *question.suggestions()[:OPTIONS], *(question.sample(rng) for _ in range(3))]


def test_what_is_refused_leaves_no_trace(battle: Battle) -> None:
    for game, question, _ in looks(*battle):
        before = trace_of(game)
        for answer in wrong(question):
            refusal = game.answer(question.side, answer)
            assert refusal is not None
            assert explains(refusal, game), f"{question.description()} refuses {answer!r} without a reason"
            assert trace_of(game) == before


def wrong(question: Question) -> list[Plain]:
    forbidden: list[Plain] = []
    if isinstance(question, Choose):
        forbidden = [key for key in question.candidates if question.why_not(key) is not None]
    return [answer for answer in (*NONSENSE, *forbidden) if question.refusal(answer) is not None]


def explains(refusal: Refusal, game: Game) -> bool:
    return bool(refusal.word) or refusal.rule in game.ruleset.ledger.entries


def trace_of(game: Game) -> tuple[Plain, ...]:
    return game.position.to_bytes(), len(game.journal), len(game.record), game.asked, dict(game.held)


def test_nobody_answers_a_question_that_is_not_theirs(battle: Battle) -> None:
    for game, question, rng in looks(*battle):
        before = trace_of(game)
        for side in {0, 1, None, 7} - set(game.asked):
            assert game.answer(side, question.sample(rng)) is not None
            assert trace_of(game) == before


def test_an_undone_answer_leaves_the_battle_as_it_was(battle: Battle) -> None:
    for game, question, rng in looks(*battle):
        again = game.clone(journal=True)
        before = again.position.to_bytes(), again.asked, again.pending
        assert again.answer(question.side, question.sample(rng)) is None
        if again.line and question.side is not None and again.undo(question.side) is None:
            assert (again.position.to_bytes(), again.asked, again.pending) == before
