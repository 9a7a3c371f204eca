"""How much each term of an appraisal tells of who wins: weights fitted to the results of battles played by bots.

Run as ``python -m benchmarks.weights BOOK [--battles N] [--players A B] [--processes P] [--rows FILE]``. In battles
between two bots the terms of ``Ruleset.terms`` are noted at some boundaries, together with who won in the end. For the
first, second and last third of the battles a logistic fit tells how the chance to win grows with each term. A weight is
what a point of the term is worth beside a point left to the side in the same third: 1 where the appraisal weighs it
rightly, 0 where it says nothing about the result, above 1 where it counts for too little. ``rate``: the growth of the
log odds for 100 points left. Errors come from drawing whole battles again and again.

Battles are appended to the file as soon as they are over, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.arena import Row, append, known, setups, state
from campale.players import player_named
from campale.players.player import Player
from campale.referee.game import Game
from campale.referee.records.record import Mark
from campale.referee.ruleset import load_ruleset
from campale.simulate.battle import battle, outcome
from campale.simulate.duel import mission_of
from campale.simulate.many import Pairing, pairings

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LOOKED_AT = 0.15
"""The share of the boundaries at which the terms are noted."""
RESULTS = {"0": 1.0, "1": 0.0}
"""The result for side 0, by the outcome; any other is a half."""
PARTS = ("first third", "second third", "last third")
UNIT = "left"
"""The term by which the others are measured: what is left to a side, in points of the army lists."""
SCALE = 100.0
"""Terms are fitted in hundreds of points."""
RIDGE = 1.0
"""What keeps the rates near 0 where there is little to learn from, in samples."""
STEPS, DRAWN = 30, 60
"""Newton's steps of a fit, and how often battles are drawn for the errors."""


class Sample(NamedTuple):
    """The terms for the first side at a boundary, its result in the end (1, 1/2, 0), and the battle it is of."""

    terms: Mapping[str, float]
    result: float
    battle: int


def watched(pairing: Pairing) -> tuple[float, list[dict[str, float]]]:
    """Play a battle. Returns the result of side 0 and its terms at some boundaries."""
    book, rng = load_ruleset(pairing.ruleset), Random(f"{pairing.seed}/looked at")
    assert book.terms is not None
    order = pairing.players[::-1] if pairing.swapped else pairing.players
    players: dict[int, Player] = {side: player_named(name, f"{pairing.seed}/{side}") for side, name in enumerate(order)}
    terms, found, seen = book.terms, list[dict[str, float]](), list[Mark]()

    def look(game: Game) -> None:
        is_new = bool(seen) and game.marks[-1] is not seen[0]
        seen[:] = game.marks[-1:]
        if is_new and not game.is_over and rng.random() < LOOKED_AT:
            found.append(dict(terms(game.position, 0)))

    game = battle(book, pairing.setup, players, pairing.seed, journal=False, marks="last", each=look)
    return RESULTS.get(outcome(game), 0.5), found


def numbered(job: tuple[int, Pairing]) -> tuple[int, Pairing, float, list[dict[str, float]]]:
    return *job, *watched(job[1])


def play(book: str, players: tuple[str, str], battles: int, file: Path, processes: int) -> list[Row]:
    """The rows of so many battles, those in the file included."""
    ruleset = load_ruleset(book)
    made_by = state(ruleset)
    found = known(file, book, made_by, players)
    wanted = enumerate(pairings(ruleset, setups(ruleset), players, battles, seed="weights"))
    jobs = [(number, pairing) for number, pairing in wanted if number not in found]
    with ProcessPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(numbered, job) for job in jobs]):
            number, pairing, result, samples = done.result()
            found[number] = {
                "book": book,
                "state": made_by,
                "players": list(players),
                "number": number,
                "mission": mission_of(pairing.setup),
                "result": result,
                "samples": [{name: round(value, 3) for name, value in one.items()} for one in samples],
            }
            append(file, found[number])
            print(f"{len(found)} of {battles} battles", file=sys.stderr)
    return [row for number, row in sorted(found.items()) if number < battles]


def parted(rows: Sequence[Row]) -> list[list[Sample]]:
    """The samples by the third of their battle."""
    found: list[list[Sample]] = [[] for _ in PARTS]
    for place, row in enumerate(rows):
        for number, terms in enumerate(row["samples"]):
            part = len(PARTS) * number // len(row["samples"])
            found[part].append(Sample(terms, row["result"], place))
    return found


def matrix(samples: Sequence[Sample], names: Sequence[str]) -> Floats:
    return np.array([[one.terms.get(name, 0.0) / SCALE for name in names] for one in samples])


def rates(terms: Floats, results: Floats, weights: Floats) -> Floats:
    """The growth of the log odds to win with each term: a logistic fit through nought, by Newton's method."""
    found = np.zeros(terms.shape[1])
    ridge = RIDGE * np.eye(len(found))
    for _ in range(STEPS):
        chances = 1.0 / (1.0 + np.exp(-np.clip(terms @ found, -30.0, 30.0)))
        slope = terms.T @ (weights * (results - chances)) - RIDGE * found
        curve = (terms * (weights * chances * (1.0 - chances))[:, None]).T @ terms + ridge
        step = np.linalg.solve(curve, slope)
        found += step
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(found)


class Weighed(NamedTuple):
    """How much the terms tell: the log odds for a hundred points of ``UNIT``, the weights beside it with their errors,
    and the mean surprise at the results in bits, with the weights of now and with the fitted ones (1: a guess).
    """

    rate: float
    weights: dict[str, tuple[float, float]]
    as_now: float
    as_fitted: float


def weighed(samples: Sequence[Sample]) -> Weighed:
    names = list({name: None for one in samples for name in one.terms})
    terms, results = matrix(samples, names), np.array([one.result for one in samples])
    ones, total = np.ones(len(samples)), terms.sum(axis=1, keepdims=True)
    found = rates(terms, results, ones)
    errors = spread(terms, results, np.array([one.battle for one in samples]))
    unit = float(found[names.index(UNIT)])
    return Weighed(
        unit,
        {
            name: (float(one) / unit, float(error) / abs(unit))
            for name, one, error in zip(names, found, errors, strict=True)
        },
        surprise(total, results, rates(total, results, ones)),
        surprise(terms, results, found),
    )


def surprise(terms: Floats, results: Floats, found: Floats) -> float:
    """The mean surprise at the results in bits; 1 is that of a guess."""
    chances = np.clip(1.0 / (1.0 + np.exp(-np.clip(terms @ found, -30.0, 30.0))), 1e-9, 1.0 - 1e-9)
    return float(-(results * np.log2(chances) + (1.0 - results) * np.log2(1.0 - chances)).mean())


def told(samples: Sequence[Sample]) -> Iterator[str]:
    """The table of one part."""
    found = weighed(samples)
    yield (
        f"{len(samples)} samples; surprise {found.as_now:.3f} as weighed now, {found.as_fitted:.3f} as fitted; "
        f"rate {found.rate:.2f}"
    )
    for name, (weight, error) in found.weights.items():
        size = sum(abs(one.terms.get(name, 0.0)) for one in samples) / len(samples)
        yield f"  {name:16} weight {weight:6.2f} +- {error:.2f}   mean size {size:6.1f}"


def spread(terms: Floats, results: Floats, battles: Ints) -> Floats:
    """The standard errors of the rates, by drawing battles with replacement."""
    rng = np.random.default_rng(1)
    found = np.empty((DRAWN, terms.shape[1]))
    for n in range(DRAWN):
        often = np.bincount(rng.integers(0, battles.max() + 1, battles.max() + 1), minlength=battles.max() + 1)
        found[n] = rates(terms, results, often[battles].astype(np.float64))
    return np.asarray(found.std(axis=0))


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("book")
    parser.add_argument("--battles", type=int, default=200)
    parser.add_argument("--players", nargs=2, default=("script", "script"))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rows", type=Path, default=Path("weights.jsonl"))
    asked = parser.parse_args(words)
    rows = play(asked.book, tuple(asked.players), asked.battles, asked.rows, asked.processes)
    for mission in ["", *sorted({row["mission"] for row in rows})]:
        some = [row for row in rows if mission in ("", row["mission"])]
        print(f"\n{mission or 'all missions'}, {len(some)} battles")
        for part, samples in zip(PARTS, parted(some), strict=True):
            print(f"{part}:", "\n".join(told(samples)))


if __name__ == "__main__":
    main(sys.argv[1:])
