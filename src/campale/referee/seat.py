"""The seat of a player: everything that one side may see and do, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain, Refusal
from campale.referee.ruleset import Advised, Ruleset
from campale.referee.view import View, seen_position, view


class Seat:
    """One side of a game. Bots think on imagined games, with new dice and with hidden information drawn anew."""

    __slots__ = ("_game", "side")

    def __init__(self, game: Game, side: int) -> None:
        self._game = game
        self.side = side

    @property
    def ruleset(self) -> Ruleset:
        return self._game.ruleset

    @property
    def question(self) -> Question | None:
        return self._game.question_for(self.side)

    @property
    def is_over(self) -> bool:
        return self._game.is_over

    @property
    def activation(self) -> int:
        """The current activation, as the number of record entries before it."""
        return self._game.marks[-1].at if self._game.marks else 0

    @property
    def is_at_boundary(self) -> bool:
        """Whether nothing has been answered yet in the current activation."""
        return len(self._game.line) == self.activation

    @property
    def is_reacting(self) -> bool:
        """Whether another side's answer began the current activation."""
        first = next((entry for entry in self._game.line[self.activation :] if entry.side is not None), None)
        return first is not None and first.side != self.side

    def position(self) -> Position:
        """A copy of the position without the information hidden from the side."""
        return seen_position(self._game, self.side)

    def view(self) -> View:
        return view(self._game, self.side)

    def advice(self, question: Question, about: Mapping[str, Plain]) -> Sequence[Advised]:
        """The ruleset's advice on the open question, or on a field of it (see ``Ruleset.advise``)."""
        advise = self.ruleset.advise
        return () if advise is None else advise(self._game.position, question, about)

    def offhand(self, question: Question) -> tuple[Plain] | None:
        """The answer that bots give without thinking (see ``Ruleset.offhand``), if there is one and it is legal."""
        tells = self.ruleset.offhand
        given = None if tells is None else tells(self._game.position, question)
        return given if given is not None and question.refusal(given[0]) is None else None

    def imagined(self, rng: Random, luck: tuple[str, int] | None = None) -> Game:
        """A battle that the side may imagine, to think on (see ``Game.imagined_by``)."""
        return self._game.imagined_by(self.side, rng, luck)

    def answer(self, answer: Plain) -> Refusal | None:
        return self._game.answer(self.side, answer)
