"""What the dialogue costs: copies of a position, clones in mid-activation, taking back, exact odds.

``python -m benchmarks.dialogue`` prints the figures. Times are the best of several runs, in microseconds.
"""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from campale.dice.needs import Need
from campale.dice.odds import exact
from campale.referee.ask import choose, number, roll, through
from campale.referee.game import Game
from campale.referee.position import Effect, Loss, Position, Token
from campale.referee.ruleset import INCH, Ruleset, Setup
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Ground, Piece, rectangle

MODELS = 40
PIECES = 16
COUNTS = ("wounds", "moved", "fired", "stunned", "hidden", "points")


class Profile(msgspec.Struct, frozen=True):
    """A profile of the size that books have."""

    name: str
    move: float = 6.0
    skill: int = 4
    strength: int = 4
    wounds: int = 2
    weapons: tuple[str, ...] = ("rifle", "pistol")


def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """Forty models in ten units among sixteen pieces, in the midst of a battle."""
    pieces = [Piece(f"piece {n}", "wall", rectangle(5 + 9 * (n % 4), 5 + 9 * (n // 4), 4, 2)) for n in range(PIECES)]
    position = Position(ruleset, Ground(72.0, 48.0, tuple(pieces)))
    for number_of_unit in range(10):
        unit = position.add_unit(f"unit {number_of_unit}", number_of_unit % 2)
        for place in range(MODELS // 10):
            model = position.add_model(f"{unit.name}/{place}", Profile(f"soldier {place}"), unit.side, unit)
            position.move_to(model, 2.0 * number_of_unit + 3, 2.0 * place + 3, facing=90.0)
            for count in COUNTS:
                position.mark(model, count, 1 + place)
    for row in range(8):
        position.begin(Effect("bench/effect", row, until="turn"))
        position.losses.append(Loss(row, "fire", 9 - row, (1, "fire")))
        position.lay(Token("crater", 3.0 * row, 9.0))
    position.remember("start")
    position.hold(0, "deck", range(20))
    position.now.update(turn=1, phase="fire", side=0)
    return position


async def step(position: Position) -> bool:
    """An activation of many answers: each costs a verb."""
    for count in range(40):
        model = position.model(await choose(count % 2, "who", range(MODELS), of="model"))
        model.mark("chosen", model.marks("chosen") + await number(count % 2, "how many", 1, 6))
    return True


def solid(model: Any) -> Solid:
    return Solid(Circle(0.5), model.x, model.y, model.z, model.facing, 2.0)


RULESET = Ruleset(
    name="bench",
    title={"en": "Bench"},
    unit=INCH,
    folder=Path(__file__).parent,
    set_out=set_out,
    step=step,
    solid=solid,
    turn=lambda position: position.now["turn"],
    appraise=lambda position, side: 0.0,
    profile_type=Profile,
)


class Plainly(NamedTuple):
    """What changes in a position, for copy.deepcopy: without the ruleset, the ground and the profiles."""

    columns: tuple[Any, ...]

    @classmethod
    def of(cls, position: Position) -> Plainly:
        shared = {"ruleset", "ground", "profiles", "journal", "cache", "_handles"}
        return cls(tuple(getattr(position, name) for name in Position.__slots__ if name not in shared))


def best(function: Callable[[], Any], times: int, rounds: int = 7) -> float:
    """Microseconds a call, the best of several rounds."""
    found = []
    gc.disable()
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(times):
            function()
        found.append((perf_counter() - start) / times * 1e6)
    gc.enable()
    return min(found)


def in_mid_activation(answers: int) -> Game:
    """A battle with so many answers since its mark."""
    game = Game(RULESET, Setup("bench"), "bench", journal=False)
    rng = Random(1)
    for _ in range(answers):
        question = game.question
        assert question is not None
        assert game.answer(game.asked[0], question.sample(rng)) is None
    return game


async def hit(shots: int) -> int:
    return (await roll(0, "hit", shots, needed=Need(3))).successes


async def save(hits: int) -> int:
    return hits - (await roll(1, "save", hits, needed=Need(5))).successes


async def suffer(wounds: int) -> int:
    return wounds


def run() -> dict[str, float]:
    """The figures, in microseconds (and one factor)."""
    game = in_mid_activation(0)
    position = game.position
    data, rng = position.to_bytes(), Random(1)
    copied = best(position.copy, 500)
    deep = best(lambda: copy.deepcopy(Plainly.of(position)), 10)
    few, many = in_mid_activation(4), in_mid_activation(64)
    clone_few, clone_many = best(few.clone, 100), best(many.clone, 20)
    taken_back = in_mid_activation(5)

    def back_and_forth() -> None:
        side = taken_back.line[-1].side
        assert side is not None
        assert taken_back.undo(side) is None
        assert taken_back.answer(side, 1) is None

    return {
        "copy of 40 models": copied,
        "copy.deepcopy of the same state": deep,
        "deepcopy / copy": deep / copied,
        "position to bytes": best(position.to_bytes, 100),
        "position from bytes": best(lambda: Position.from_bytes(RULESET, data), 20),
        "clone at the mark": best(game.clone, 200),
        "clone, each answer since the mark": (clone_many - clone_few) / 60,
        "imagined battle at the mark": best(lambda: game.imagined_by(0, rng), 200),
        "undo and answer again, 5 answers in": best(back_and_forth, 50),
        "odds of 10 shots, hit and save": best(lambda: exact(position, lambda p: through((hit, save, suffer), 10)), 5),
        "odds of 30 shots, hit and save": best(lambda: exact(position, lambda p: through((hit, save, suffer), 30)), 1),
    }


if __name__ == "__main__":
    for name, figure in run().items():
        print(f"{name:45} {figure:10.1f}")
