"""Marches at the table: each step is given as the player's own answer when its question comes."""

from __future__ import annotations

from campale.referee.game import Game
from campale.referee.marches import MARCH
from campale.referee.question import Question
from campale.referee.refusal import Plain, Refusal
from campale.screen.chaining import Chain, answered
from campale.screen.marching import Marching


class Marches:
    """The marches of a battle by side, and the places in its line of the answers given for them.

    They are kept in memory alone: a battle read again asks its players one by one.
    """

    def __init__(self) -> None:
        self._under_way: dict[int, Marching] = {}
        self._given: set[int] = set()

    def answered(self, game: Game, side: int, question: Question | None, answer: Plain) -> Refusal | None:
        """Answer a side's question; an answer that begins a march takes its first step."""
        march = question.march if isinstance(question, Chain) else None
        if march is None or not isinstance(question, Chain) or not begins_march(answer):
            return answered(game, side, question, answer)
        refusal = question.refusal(answer)
        if refusal is None:
            self._under_way[side] = Marching(march, question.marching(answer))
            self.followed(game, side)
        return refusal

    def followed(self, game: Game, side: int) -> bool:
        """Take the next step of a side's march, if its question is open."""
        marching, question = self._under_way.get(side), game.question_for(side)
        if marching is None or question is None:
            return False
        if not marching.lasts(game.position):
            self.end(side)
            return False
        found, at = marching.answer(question), len(game.line)
        if found is None or game.answer(side, found[0]) is not None:
            return False
        self._given.add(at)
        return True

    def end(self, side: int) -> None:
        self._under_way.pop(side, None)

    def has_given_last(self, game: Game) -> bool:
        """Whether the last entry of the line is a step of a march."""
        self._given = {at for at in self._given if at < len(game.line)}
        return len(game.line) - 1 in self._given


def begins_march(answer: Plain) -> bool:
    return isinstance(answer, list | tuple) and list(answer[:1]) == [MARCH]
