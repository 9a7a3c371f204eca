"""How fast Edizione 5.5 is: random and greedy battles at 750 and 1,500 points, and the parts that must be quick.

Run as ``python -m benchmarks.e55``. Beside whole battles it tells how long it takes to judge the move of a unit that a
question proposes, with nothing remembered, and to resolve the fire that a whole army has declared. Compiling is not
counted: a battle of every starter is played before.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from statistics import median, quantiles
from typing import Any

from benchmarks.battles import SECONDS, Sampler, at_random, thinking, timed
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import MoveUnit
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.simulate import battle, starters_of

POINTS = (750, 1500)
LEAST_SHOTS = 10
"""The fire of fewer models is not counted as that of an army."""


def of_size(book: Ruleset, points: int) -> list[Setup]:
    return [setup for setup in starters_of(book) if setup.agreed.get("points") == points]


class Parts:
    """The times, in milliseconds, of what is measured while battles are played at random."""

    def __init__(self) -> None:
        self.moves: list[float] = []
        self.volleys: list[float] = []
        self._shots, self._spent = 0, 0.0

    def play(self, game: Game, rng: Random) -> None:
        """A battle to its end."""
        while not game.is_over:
            side = game.asked[0]
            assert side is not None
            self.answer(game, side, rng)

    def answer(self, game: Game, side: int, rng: Random) -> None:
        question = game.question_for(side)
        assert question is not None
        answer = question.sample(rng)
        if isinstance(question, MoveUnit):
            game.position.forget()
            self.moves.append(milliseconds(lambda: question.refusal(answer)))
        declared = shots_in(game.position)
        self._shots = max(self._shots, declared)
        spent = milliseconds(lambda: game.answer(side, answer))
        if declared and game.position.now.get("phase") != "shooting":
            self._spent += spent
        if not shots_in(game.position) and self._shots:
            if self._shots >= LEAST_SHOTS:
                self.volleys.append(self._spent)
            self._shots, self._spent = 0, 0.0


def shots_in(position: Position) -> int:
    """How many shots are declared and not yet resolved; one where only hits are left to be."""
    return len(position.declared.get("fire") or ()) or int("struck" in position.declared)


def milliseconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def spread(times: Sequence[float]) -> dict[str, float]:
    """The middle one, what 9 and 99 of 100 are below, and how many there are."""
    cuts = quantiles(times, n=100) if len(times) > 1 else [*times, *times] * 50
    return {"count": len(times), "p50": round(median(times), 2), "p90": round(cuts[89], 2), "p99": round(cuts[98], 2)}


def parts(book: Ruleset, setups: Sequence[Setup], seconds: float) -> dict[str, Any]:
    """Battles at random for so long, at least two."""
    found, count, start = Parts(), 0, time.perf_counter()
    while time.perf_counter() - start < seconds or count < 2:
        game = Game(book, setups[count % len(setups)], f"parts/{count}", journal=False, marks="none")
        found.play(game, Random(count))
        count += 1
    return {
        "move of a unit judged, milliseconds": spread(found.moves),
        "fire of an army resolved, milliseconds": spread(found.volleys),
    }


def run(seconds: float = SECONDS) -> dict[str, Any]:
    """Every figure, by the size of the battles."""
    book = load_ruleset("e55")
    for number, setup in enumerate((*of_size(book, POINTS[0]), *of_size(book, POINTS[1]))):
        battle(book, setup, at_random(number), "warm")
    found: dict[str, Any] = {}
    for points in POINTS:
        setups = of_size(book, points)
        with Sampler() as sampler:
            bare, _ = timed(book, setups, at_random, False, "none", seconds)
        found[f"{points} points"] = {
            "random, simulation mode": {**bare, "share_of_time": sampler.shares()},
            **parts(book, setups, seconds),
            "greedy": thinking(book, setups, seconds),
        }
    return found


if __name__ == "__main__":
    from benchmarks.__main__ import told

    print("\n".join(told(run())))
