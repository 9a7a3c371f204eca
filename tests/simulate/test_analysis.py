"""A battle analysed: what was planted is found, what was best costs nothing, and nothing secret is used."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

import pytest

from campale.players import ScriptPlayer
from campale.players.judging import NOTHING
from campale.referee.game import CHANCE_KINDS, Entry, Game, RefereeError
from campale.referee.refusal import Plain
from campale.referee.ruleset import load_ruleset
from campale.referee.seat import Seat
from campale.simulate.analysis import (
    GLANCING,
    Analysis,
    Decision,
    Kept,
    analysed,
    decisions,
    glanced,
    looked_at,
    spread,
)
from campale.simulate.trials import Standing

TOY, SECRET = "_template", "e55"
LINES, LUCKS = 6, 6


@lru_cache(maxsize=4)
def planted(book: str, prompt: str, answer: str, seed: str) -> tuple[Game, int]:
    """A battle of scripted players to the end of the turn in which side 0 is made to give a bad answer, and where."""
    ruleset = load_ruleset(book)
    assert ruleset.starters is not None
    bad: Plain = {"nobody": None, "done": ["done"]}[answer]
    game, place = Game(ruleset, ruleset.starters()[0], seed), -1
    players = [ScriptPlayer(f"{seed}/{side}") for side in (0, 1)]
    turn: Plain = None
    while place < 0 or game.ruleset.turn(game.position) == turn:
        side = game.asked[0]
        assert side is not None
        question, given = game.pending[side], players[side].answer(Seat(game, side))
        if place < 0 and side == 0 and question.prompt == prompt and given != bad and question.refusal(bad) is None:
            place, given, turn = len(game.line), bad, game.ruleset.turn(game.position)
        assert game.answer(side, given) is None
    return game, place


def holds(decision: Decision, place: int) -> bool:
    return decision.entries <= place < decision.entries + len(decision.answers)


@pytest.mark.parametrize(
    ("book", "prompt", "answer", "seed"), [(TOY, "fire", "nobody", "5"), (SECRET, "shooting", "done", "1")]
)
def test_a_bad_decision_is_found_as_the_costliest(book: str, prompt: str, answer: str, seed: str) -> None:
    """Not to fire, and in Edizione 5.5 not to fire with anybody."""
    game, place = planted(book, prompt, answer, seed)
    every = decisions(Kept.of(game), 0)[-6:]
    assert any(holds(one, place) for one in every)
    analysis = Analysis(every, "1", LINES, LUCKS)
    while (piece := analysis.next(0.0, 60.0)) is not None:
        analysis.take(piece.done())
    worst = analysis.costliest()[0]
    assert holds(worst.decision, place)
    assert worst.cost.loss > worst.cost.doubt
    assert worst.cost.ends.taken > 0.0
    assert analysis.is_whole


def test_what_is_best_costs_nothing() -> None:
    """The very line that is better than the one played, put in its place."""
    game, place = planted(TOY, "fire", "nobody", "5")
    decision = next(one for one in decisions(Kept.of(game), 0) if holds(one, place))
    found = looked_at(glanced(decision, "1"), "1", LINES, LUCKS)
    assert found.loss > 0.0
    best = decision._replace(answers=tuple(Entry(step.kind, 0, step.answer) for step in found.better))
    again = looked_at(glanced(best, "1"), "1", LINES, LUCKS)
    assert (again.better, again.loss) == ((), 0.0)


def test_the_same_seed_gives_the_same_analysis_however_it_is_cut() -> None:
    game, _ = planted(TOY, "fire", "nobody", "5")
    kept = Kept.of(game)
    whole = analysed(kept, 0, "1", LINES, LUCKS)
    pieces = Analysis(decisions(kept, 0), "1", LINES, LUCKS)
    while (piece := pieces.next(0.0, 0.0)) is not None:
        found = piece.done()
        assert len(found) == 1
        pieces.take(found)
    assert pieces.costliest() == whole.costliest()
    assert pieces.counts == whole.counts
    other = analysed(kept, 0, "2", LINES, LUCKS)
    assert [one.cost.loss for one in other.costliest()] != [one.cost.loss for one in whole.costliest()]


def test_worlds_that_differ_in_what_the_side_could_not_know_are_judged_alike() -> None:
    """The reserves and the roster of the other side, in a battle of Edizione 5.5."""
    game, place = planted(SECRET, "shooting", "done", "1")
    decision = next(one for one in decisions(Kept.of(game), 0) if holds(one, place))
    then = decision.standing.game()
    other = then.imagined_by(0, Random("elsewhere"))
    assert [other.position.hand(1, name) for name in ("reserves", "roster")] != [
        then.position.hand(1, name) for name in ("reserves", "roster")
    ]
    elsewhere = decision._replace(standing=Standing.of(other, None, Random(1)))
    assert glanced(elsewhere, "1")[1:] == glanced(decision, "1")[1:]


# ---------------------------------------------------------------- which decisions there are


def test_a_decision_ends_with_a_die_an_answer_of_the_other_side_or_its_activation() -> None:
    game, _ = planted(TOY, "fire", "nobody", "5")
    found = decisions(Kept.of(game), 0)
    marks = {mark.at for mark in game.marks}
    assert any(len(one.answers) > 1 for one in found)
    for one in found:
        until = one.entries + len(one.answers)
        assert list(one.answers) == game.line[one.entries : until]
        assert all(entry.side == 0 and entry.kind not in CHANCE_KINDS for entry in one.answers)
        before, after = one.entries - 1, until
        for place in (before, after):
            is_own = 0 <= place < len(game.line) and game.line[place].side == 0
            is_apart = game.line[place].kind in CHANCE_KINDS if is_own else True
            assert is_apart or {before: one.entries, after: until}[place] in marks


@pytest.mark.parametrize("side", [0, 1])
def test_a_decision_is_judged_where_its_question_was_asked(side: int) -> None:
    """Orders are written by both sides together: neither knows of the other's."""
    game, _ = planted(TOY, "fire", "nobody", "5")
    found = decisions(Kept.of(game), side)
    assert game.joints
    assert any(one.answers[0] in (game.line[place] for place in game.joints) for one in found) or side == 0
    for one in found:
        question = one.standing.game().question_for(side)
        assert question is not None
        assert question.kind == one.answers[0].kind
        assert question.refusal(one.answers[0].answer) is None


def test_before_the_first_turn_nothing_is_judged() -> None:
    game, _ = planted(TOY, "fire", "nobody", "5")
    first = next(mark.at for mark in game.marks if game.ruleset.turn(mark.position))
    assert game.line[0].side is not None
    assert 0 < first <= min(one.entries for one in decisions(Kept.of(game), 0))


def test_dice_of_which_the_side_knows_nothing_are_not_counted() -> None:
    game, _ = planted(TOY, "fire", "nobody", "5")
    usual = decisions(Kept.of(game), 0)
    hidden: Any = {0: 1, 1: 0, 2: None, len(game.line): 1}
    seen = decisions(Kept.of(game)._replace(unseen=hidden), 0)
    assert [one.at for one in usual] == [one.entries for one in usual]
    assert [one.at for one in seen] == [one.entries - 2 for one in seen]


def test_a_decision_of_which_nothing_can_be_imagined_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = planted(TOY, "fire", "nobody", "5")
    glances = [glanced(one, "1") for one in decisions(Kept.of(game), 0)]
    found = max(glances, key=lambda one: one.gain)
    assert found.gain > 0.0

    def nothing(*_: object) -> Game:
        raise RefereeError("nothing fits")

    monkeypatch.setattr(Game, "imagined_by", nothing)
    assert glanced(found.decision, "1") == (found.decision, (), (), 0.0)
    assert looked_at(found, "1") == NOTHING


# ---------------------------------------------------------------- time


def test_where_time_is_over_what_came_is_told() -> None:
    game, _ = planted(TOY, "fire", "nobody", "5")
    analysis = Analysis(decisions(Kept.of(game), 0), "1", LINES, LUCKS)
    assert analysis.next(1.0, 0.0) is None
    assert not analysis.is_whole
    piece = analysis.next(0.0, 0.0)
    assert piece is not None
    analysis.take(piece.done())
    analysis.next(GLANCING, 0.0)
    assert analysis.closer is not None
    assert (analysis.counts[0], analysis.is_whole) == (1, False)


def test_the_first_few_lie_all_over_the_battle() -> None:
    game, _ = planted(TOY, "fire", "nobody", "5")
    one = decisions(Kept.of(game), 0)[0]
    every = [one._replace(at=number) for number in range(100)]
    order = [each.at for each in spread(every)]
    assert sorted(order) == list(range(100))
    assert max(order[:7]) - min(order[:7]) > 80
