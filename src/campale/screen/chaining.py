"""Consecutive questions asked as one form: whom to move, and then which way.

A follow-up question belongs to the same decision as long as the player learns nothing in between: no die was rolled,
nobody else had a question, nothing was revealed, nothing on the table has changed. Such questions are the fields of a
chain. The rules do not know about chains: every field is answered separately, in turn, and goes into the record as an
ordinary answer. A player could not learn more by answering and undoing.

The prompts that a chain may begin with are those that a ruleset names in its words under ``chained``. A chain ends with
the step of the rules in which it began, and continues beyond it only to the prompts under ``chained-on``. A spatial
question (a move, a place) begins no chain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from campale.dice.sources import ByHand
from campale.referee.game import Game, RefereeError
from campale.referee.lawful import NoAnswer
from campale.referee.marches import MARCH, March, Step
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.spatial import Spatial
from campale.referee.telling.teller import Teller
from campale.screen.orders import Orders, standing_answer
from campale.screen.proposing import proposed
from campale.screen.scene import Eyes

CHAINED, CHAINED_ON = "chained", "chained-on"
LONGEST = 100
"""The most questions in a chain."""

Sees = Callable[[Game], Eyes]
"""The view of the side with the question."""


class Chain(Form):
    """A question with those that follow from its answer. ``given`` are the orders that answer some of them."""

    __slots__ = ("_games", "_goes_on", "_orders", "_sees", "march")

    def __init__(self, game: Game, first: Question, orders: Orders, sees: Sees) -> None:
        assert first.side is not None
        super().__init__(first.side, first.prompt, self.following, first.about)
        self.rules = first.rules
        self._orders, self._sees = orders, sees
        start = game.clone(dice=ByHand())
        self._goes_on = listed(CHAINED_ON, sees(start).teller)
        self._games: list[tuple[list[Plain], Game]] = [([], start)]
        self.march = march_of(start, first)

    def following(self, filled: list[Plain]) -> Question | None:
        """The question after these answers, if it belongs to the chain."""
        if len(filled) >= LONGEST:
            return None
        if self.march is not None and filled[:1] == [MARCH]:
            return self.of_march(self.march, filled)
        game = self.after_all(filled)
        if self.march is not None and not filled and game is not None:
            return with_march(game.question_for(self.asked))
        return None if game is None else game.question_for(self.asked)

    def of_march(self, march: March, filled: list[Plain]) -> Question | None:
        """The fields of a march: the ways, and what the models do afterwards."""
        if len(filled) == 1:
            return march.question
        return march.after(filled[1]) if len(filled) == 2 else None

    def marching(self, answer: Sequence[Plain]) -> list[Step]:
        """The steps of the march that an allowed answer begins."""
        assert self.march is not None
        return list(self.march.steps(answer[1], answer[2] if len(answer) > 2 else None))

    @property
    def asked(self) -> int:
        assert self.side is not None
        return self.side

    def after_all(self, filled: list[Plain]) -> Game | None:
        """The battle after these answers; None if the chain has ended."""
        while self._games and self._games[-1][0] != filled[: len(self._games[-1][0])]:
            self._games.pop()
        while len(self._games) <= len(filled):
            known, before = self._games[-1]
            after = self.one_more(before, filled[len(known)])
            if after is None:
                return None
            self._games.append((filled[: len(known) + 1], after))
        return self._games[-1][1]

    def one_more(self, before: Game, answer: Plain) -> Game | None:
        """The battle after one more answer, and after answers by orders."""
        game = before.clone(dice=ByHand())
        given: tuple[Plain] | None = (answer,)
        while given is not None:
            if not is_taken(game, self.asked, given[0]) or not self.is_the_same(before, game):
                return None
            given = self.by_order(game)
        return game

    def by_order(self, game: Game) -> tuple[Plain] | None:
        question, seen = game.question_for(self.asked), self._sees(game)
        return None if question is None else standing_answer(question, self._orders, seen.position, seen.teller)

    def is_the_same(self, before: Game, game: Game) -> bool:
        """Whether only this side has the next question, and has learned nothing."""
        question = game.question_for(self.asked)
        if game.is_over or question is None or question.is_chance or game.asked != (self.asked,):
            return False
        if question.prompt not in self._goes_on and game.marks[-1].at != before.marks[-1].at:
            return False
        return on_the_table(before.position) == on_the_table(game.position)

    # ---------------------------------------------------------------- proposals

    def suggestions(self) -> list[Plain]:
        return self.proposals(1)

    def proposals(self, most: int) -> list[Plain]:
        """The proposal for every field, one after another."""
        try:
            return [list(self.proposed_answers())][:most]
        except NoAnswer:
            return []

    def proposed_answers(self) -> Iterator[Plain]:
        filled: list[Any] = []
        while (field := self.after(filled)) is not None:
            game = self.after_all(filled)
            assert game is not None
            seen = self._sees(game)
            answer = proposed(field, seen.teller, seen.position)
            yield answer
            filled.append(field.understood(answer))


def march_of(game: Game, question: Question) -> March | None:
    """The march that may begin with a choice, if the book knows one."""
    finds = game.ruleset.march
    return None if finds is None else finds(game.position, question)


def with_march(question: Question | None) -> Question | None:
    """A choice with the march as an option after the models; what it proposed before, it still proposes."""
    if not isinstance(question, Choose):
        return question

    def forbids(key: Plain) -> Fault | Refusal | None:
        return None if key == MARCH else question.why_not(key)

    likely = question.named_most() or question.proposals(1)
    keys = sorted([MARCH, *question.candidates], key=lambda key: not isinstance(key, int))
    found = Choose(question.side, question.prompt, keys, question.of, forbids, question.about, likely)
    found.rules = question.rules
    return found


def is_taken(game: Game, side: int, answer: Plain) -> bool:
    """Whether an answer is accepted; an error in a rule is reported when it is played, not while looking ahead."""
    try:
        return game.answer(side, answer) is None
    except RefereeError:
        return False


def on_the_table(position: Position) -> tuple[Any, ...]:
    """Everything that a viewer could see change, and the number of revelations."""
    places = position.x, position.y, position.z, position.facing, position.where
    return position.revealed, *(list(column) for column in places)


def listed(key: str, teller: Teller) -> list[str]:
    return teller.words.messages.get(key, "").split()


def chained(game: Game, question: Question, orders: Orders, sees: Sees) -> Question:
    """The question, as the first of a chain if it begins one."""
    side = question.side
    if side is None or question.is_chance or game.asked != (side,) or not game.marks:
        return question
    teller = sees(game).teller
    if isinstance(question, Spatial) or question.prompt not in (*listed(CHAINED, teller), *listed(CHAINED_ON, teller)):
        return question
    return Chain(game, question, orders, sees)


def inner(question: Question, path: Sequence[Sequence[Plain]]) -> tuple[Question, Sequence[Sequence[Plain]]]:
    """The question of the rules that a path leads into, and the path from there on; the rules know no chains."""
    if not isinstance(question, Chain) or not path:
        return question, path
    field = question.field(path[0])
    return (question, path) if field is None else (field, path[1:])


def answered(game: Game, side: int, question: Question | None, answer: Plain) -> Refusal | None:
    """Answer a side's question; the answers of a chain are given one after another, with answers by orders in
    between."""
    if not isinstance(question, Chain):
        return game.answer(side, answer)
    refusal = question.refusal(answer)
    if refusal is None:
        give_all(game, question, answer)
    return refusal


def give_all(game: Game, chain: Chain, answers: Sequence[Plain]) -> None:
    """Give the answers of a chain that has accepted them. Answers by orders to later questions are not part of it."""
    for place, answer in enumerate(answers):
        if game.answer(chain.asked, answer) is not None:
            return
        while place < len(answers) - 1 and (given := chain.by_order(game)) is not None:
            if game.answer(chain.asked, given[0]) is not None:
                return
