"""A running battle for an environment: who is asked what, and what each side has gained so far."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from campale.learn.actions import MOST_ACTIONS, Asked
from campale.learn.observing import Observer, Vector
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.view import seen_position

SIDES = (0, 1)
MOST_ANSWERS = 20_000
"""The number of answers after which a battle is broken off: nobody has lost it."""

CANNOT = (LookupError, TypeError, ValueError, AttributeError, AssertionError, ArithmeticError)
"""The exceptions that an appraisal may raise on a position without its secrets."""

Observation = dict[str, np.ndarray]


class Course:
    """One battle. ``sides`` answer by action numbers; ``asked`` holds those that must act, and their open questions."""

    def __init__(
        self, ruleset: Ruleset, setup: Setup, seed: str, sides: Sequence[int] = SIDES, most: int = MOST_ANSWERS
    ) -> None:
        self.game = Game(ruleset, setup, seed, journal=False, marks="none" if len(sides) == len(SIDES) else "last")
        self.sides, self.most = sides, most
        self.asked: dict[int, Asked] = {}
        self.worth = [0.0, 0.0]
        self.go_on()

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def is_broken_off(self) -> bool:
        return not self.is_over and len(self.game.line) >= self.most

    @property
    def side(self) -> int | None:
        """The side that must act next."""
        return next(iter(self.asked), None)

    def act(self, side: int, action: int) -> None:
        """Take an action of a side that is asked. Raises ValueError if there is no such action."""
        if side not in self.asked:
            raise ValueError(f"side {side} is not asked anything now")
        self.asked[side].take(action)
        self.go_on()

    def go_on(self) -> None:
        """Give the complete answers, and continue to the next choice of an agent."""
        while not (self.is_over or self.is_broken_off):
            open_now = [side for side in self.game.asked if side in self.sides]
            self.asked = {
                side: self.asked.get(side) or Asked(self.game.pending[side]) for side in open_now if side is not None
            }
            complete = next((side for side, one in self.asked.items() if one.is_complete), None)
            if complete is None:
                return
            self.give(complete, self.asked.pop(complete).answer)
        self.asked = {}

    def answered(self, side: int, answer: Plain) -> None:
        """Tell the course that a side not acting by numbers has answered."""
        self.give(side, answer)
        self.go_on()

    def give(self, side: int, answer: Plain) -> None:
        refusal = self.game.answer(side, answer)
        if refusal is not None:
            raise RuntimeError(f"seed {self.game.seed!r}: an answer was refused: {refusal}")

    # ------------------------------------------------------------------ what is seen and won

    def observation(self, side: int) -> Observation:
        """``observation``: what the side sees; ``action_mask``: 1 for every action that it may take now."""
        asked = self.asked.get(side)
        mask = np.zeros(MOST_ACTIONS, np.int8)
        if asked is not None:
            mask[: len(asked.actions)] = 1
        seen: Vector = Observer(seen_position(self.game, side), side).vector(asked)
        return {"observation": seen, "action_mask": mask}

    def told(self, side: int, language: str) -> list[str]:
        """The actions of a side in words, by number."""
        asked = self.asked.get(side)
        if asked is None:
            return []
        teller = Teller.of(self.game, language)
        return [teller.answer(asked.question, action) for action in asked.actions]

    def outcome(self, side: int) -> float:
        """1 for a battle won, -1 for one lost, 0 for any other, or while it runs."""
        result = self.game.result if self.is_over else None
        if result is None or result.winner is None:
            return 0.0
        return 1.0 if result.winner == side else -1.0

    def gained(self, side: int) -> float:
        """The gain of the side since the last call, by its book's appraisal, as a share of the points of both forces.
        At the end all gains are subtracted again, so that only the outcome counts in the sum.
        """
        before = self.worth[side]
        self.worth[side] = 0.0 if self.is_over or self.is_broken_off else appraised(self.game, side)
        return self.worth[side] - before


def appraised(game: Game, side: int) -> float:
    """The appraisal of a side from what it can know, as a share of all points, between -1 and 1."""
    seen = seen_position(game, side)
    worth = appraisal(seen, side)
    if worth is None:
        worth = appraisal(game.ruleset.imagine(seen, side, Random(0)), side)
    whole = sum(float(getattr(profile, "points", 0.0) or 0.0) for profile in seen.profiles)
    return max(-1.0, min(1.0, (worth or 0.0) / whole)) if whole else 0.0


def appraisal(position: Position, side: int) -> float | None:
    try:
        return position.ruleset.appraise(position, side)
    except CANNOT:
        return None


def drawn(setups: Sequence[Setup], rng: np.random.Generator) -> tuple[Setup, str]:
    """One of the set-ups, and a seed for the dice."""
    return setups[int(rng.integers(len(setups)))], f"learn/{int(rng.integers(2**62))}"


def of_book(ruleset: str | Ruleset, setups: Sequence[Setup]) -> tuple[Ruleset, tuple[Setup, ...]]:
    """A book with battles of it: those given, or else those that it has ready. Raises ValueError without any."""
    book = load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    ready = tuple(setups) or (book.starters() if book.starters is not None else ())
    if not ready:
        raise ValueError(f"{book.name} has no battles ready: give set-ups")
    return book, ready
