"""How well the appraisal at the end of an activation tells what comes of it later.

Run as ``python -m benchmarks.foresight BOOK [--battles N] [--ahead N] [--seed S]``. In battles of the scripted player
some decisions are made in two ways on imagined games: as advised, and by an answer that is advised less. Both are
played on as advised, with the same luck. What the other answer gains is appraised twice: at the end of its activation,
where a thinking player looks, and so many activations later. The slope of the later gain on the early one is 1 where
the early one can be trusted, and 0 where it says nothing: a search with such an appraisal finds nothing. Gains are by
the appraisal's own measure, in both places.

Where the book tells what its appraisal is the sum of (``Ruleset.terms``) it is told too how much of each term comes
true: the slopes of the later gain on all of them together. A term whose slope is 0.3 counts for about three times too
much, one whose slope is below 0 leads astray.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.arena import setups
from campale.players.greedy import GreedyPlayer, Step
from campale.players.script import ScriptPlayer
from campale.referee.game import Game
from campale.referee.lawful import only_answer
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import load_ruleset
from campale.referee.seat import Seat

Floats = NDArray[np.float64]

LOOKED_AT, LUCKS = 0.08, 3
"""Which share of the decisions is made in two ways, and with how many lucks."""
AHEAD, LONGEST = 20, 300
"""How many activations later it is appraised again; after so many answers at the latest."""
DRAWN, RIDGE = 200, 100.0
"""How often choices are drawn for the standard errors of the slopes of terms; what keeps these near 0."""
UTMOST = 300.0
"""Gains count for no more: a battle won or lost on one side would outweigh all others."""


class Gain(NamedTuple):
    """What the other answer gains beside the advised one: at the end of the activation, and later.

    ``terms``: what the early gain is the sum of, if the book tells. ``choice``: gains of one differ by their luck.
    """

    prompt: str
    early: float
    late: float
    terms: Mapping[str, float]
    choice: str


class Standing(NamedTuple):
    """How a side stands at the end of an activation, what that is the sum of, and how it stands later."""

    early: float
    terms: Mapping[str, float]
    late: float


class Foresight(GreedyPlayer):
    """Plays its lines on for some activations, and notes how it stands before and after."""

    def __init__(self, seed: str, ahead: int) -> None:
        super().__init__(seed)
        self.ahead, self.early, self.side = ahead, 0.0, 0
        self.terms: Mapping[str, float] = {}

    def look_ahead(self, game: Game, turn: Plain) -> None:
        self.early, terms = self.worth(game, self.side), game.ruleset.terms
        self.terms = terms(game.position, self.side) if terms and not game.is_over else {}
        mark, passed = game.marks[-1], 0
        for _ in range(LONGEST):
            if game.is_over or not game.asked or passed >= self.ahead:
                return
            side = game.asked[0]
            self.give(game, side, self.advised(game, game.pending[side]))
            if game.marks[-1] is not mark:
                mark, passed = game.marks[-1], passed + 1

    def stands(self, seed: str, luck: int, seat: Seat, steps: tuple[Step, ...]) -> Standing:
        self.side = seat.side
        line = self.with_luck(seed, luck, seat, steps, self.advised)
        return Standing(self.early, self.terms, line.worth)


def gains(player: Foresight, seat: Seat, question: Question, seed: str) -> Iterator[Gain]:
    """Of one other answer, with each luck."""
    other = player.another(question, seat)
    if question.refusal(other) is not None or other == player.script.best(question, seat, {}):
        return
    for luck in range(LUCKS):
        usual = player.stands(seed, luck, seat, ())
        varied = player.stands(seed, luck, seat, (Step(question.kind, question.prompt, other),))
        early, late = capped(varied.early - usual.early), capped(varied.late - usual.late)
        if not math.isnan(late):
            yield Gain(question.prompt, early, late, differences(varied.terms, usual.terms), seed)


def capped(gain: float) -> float:
    return max(-UTMOST, min(UTMOST, gain))


def differences(ones: Mapping[str, float], others: Mapping[str, float]) -> Mapping[str, float]:
    """Term by term; none, where one of both lines has won or lost."""
    if not ones or not others:
        return {}
    return {name: ones.get(name, 0.0) - others.get(name, 0.0) for name in {**ones, **others}}


def looked_at(
    book: str, battles: int, ahead: int, seed: str, share: float = LOOKED_AT, most: float = math.inf
) -> Iterator[Gain]:
    """The gains of such a share of the decisions of battles between scripted players, of so many at the most."""
    ruleset, rng = load_ruleset(book), Random(seed)
    ready = setups(ruleset)
    for number in range(battles):
        game = Game(ruleset, ready[number % len(ready)], f"{seed}/{number}", journal=False, marks="last")
        player = Foresight(f"{seed}/{number}", ahead)
        scripts = [ScriptPlayer(f"{seed}/{number}/{side}") for side in (0, 1)]
        seats = [Seat(game, side) for side in (0, 1)]
        while not game.is_over and most > 0:
            side = game.asked[0]
            question, seat = game.pending[side], seats[side or 0]
            is_free = side is not None and only_answer(question) is None and seat.offhand(question) is None
            if is_free and not question.is_chance and rng.random() < share:
                found = list(gains(player, seat, question, f"{number}/{len(game.record)}"))
                most -= bool(found)
                yield from found
            game.answer(side, scripts[side or 0].answer(seat))


def slope(found: Sequence[Gain]) -> tuple[float, float]:
    """Of the later gains on the early ones, through nought, with its standard error; zeros where all early ones are."""
    square = sum(one.early**2 for one in found)
    if not square:
        return 0.0, 0.0
    steep = sum(one.early * one.late for one in found) / square
    rest = sum((one.late - steep * one.early) ** 2 for one in found) / max(1, len(found) - 1)
    return steep, math.sqrt(rest / square)


def come_true(found: Sequence[Gain]) -> Iterator[tuple[str, float, float]]:
    """How much of each term comes true, with its standard error: by least squares, choices drawn again and again."""
    some = [one for one in found if one.terms]
    names = list({name: None for one in some for name in one.terms})
    if not names:
        return
    early = np.array([[one.terms.get(name, 0.0) for name in names] for one in some])
    late = np.array([one.late for one in some])
    _, choices = np.unique([one.choice for one in some], return_inverse=True)
    rng, slopes = np.random.default_rng(1), []
    for _ in range(DRAWN):
        weights = np.sqrt(
            np.bincount(rng.integers(0, choices.max() + 1, choices.max() + 1), minlength=choices.max() + 1)
        )
        slopes.append(slopes_of(early * weights[choices, None], late * weights[choices]))
    for name, mean, error in zip(names, slopes_of(early, late), np.std(slopes, axis=0), strict=True):
        yield name, float(mean), float(error)


def slopes_of(early: Floats, late: Floats) -> Floats:
    """Drawn towards 0 where there is little to learn from."""
    return np.asarray(np.linalg.solve(early.T @ early + RIDGE * np.eye(early.shape[1]), early.T @ late))


def told(name: str, found: Sequence[Gain]) -> str:
    count = len(found)
    early, late = sum(one.early for one in found) / count, sum(one.late for one in found) / count
    steep, error = slope(found)
    return f"{name:24} {count:5}  early {early:7.1f}  late {late:7.1f}  slope {steep:5.2f} +- {error:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("book")
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--ahead", type=int, default=AHEAD)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    found = list(looked_at(given.book, given.battles, given.ahead, given.seed))
    by_prompt: dict[str, list[Gain]] = defaultdict(list)
    for one in found:
        by_prompt[one.prompt].append(one)
    if found:
        print(told("all", found))
        for name, steep, error in come_true(found):
            print(f"  of {name:20}       comes true {steep:5.2f} +- {error:.2f}")
    for prompt, some in sorted(by_prompt.items(), key=lambda one: -len(one[1])):
        print(told(prompt, some))


if __name__ == "__main__":
    main()
