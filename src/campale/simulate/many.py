"""Many battles: over seeds and missions, with the sides swapped, on any number of processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from campale.players import player_named
from campale.referee.game import Game
from campale.referee.ruleset import EXTRA_PACKAGES, Ruleset, Setup, load_ruleset
from campale.simulate.battle import MOST_ANSWERS, battle, outcome


class Pairing(NamedTuple):
    """One battle to play, with everything that another process needs. ``swapped``: the first player has side 1."""

    ruleset: str
    setup: Setup
    players: tuple[str, str]
    seed: str
    swapped: bool = False
    most: int = MOST_ANSWERS


class Played(NamedTuple):
    """The result of a pairing. ``score`` is the first player's: 1 won, 1/2 drawn or stalled, 0 lost.

    ``lead``: the points that the first player has left at the end, less those of the second; None for books that count
    none.
    """

    pairing: Pairing
    outcome: str
    score: float
    answers: int
    turn: object
    seconds: float
    lead: float | None = None


def pairings(
    ruleset: Ruleset,
    setups: Sequence[Setup],
    players: tuple[str, str],
    battles: int,
    seed: str = "1",
    swapping: bool = True,
) -> Iterator[Pairing]:
    """The given number of pairings: set-ups in turn, each seed played from both sides before the next."""
    for number in range(battles):
        pair, swapped = divmod(number, 2) if swapping else (number, 0)
        setup = setups[pair % len(setups)]
        yield Pairing(ruleset.name, setup, players, f"{seed}/{pair}", bool(swapped))


def play(pairing: Pairing) -> Played:
    """Play one pairing, without journal, and with marks only if a player thinks on imagined games."""
    order = pairing.players[::-1] if pairing.swapped else pairing.players
    players = {side: player_named(name, f"{pairing.seed}/{side}") for side, name in enumerate(order)}
    start = time.perf_counter()
    game = battle(
        load_ruleset(pairing.ruleset),
        pairing.setup,
        players,
        pairing.seed,
        journal=False,
        marks="none" if set(order) == {"random"} else "last",
        most=pairing.most,
    )
    seconds = time.perf_counter() - start
    came = outcome(game)
    score = {"stalled": 0.5, "draw": 0.5, str(int(pairing.swapped)): 1.0}.get(came, 0.0)
    turn = game.ruleset.turn(game.position)
    return Played(pairing, came, score, len(game.line), turn, seconds, lead_of(game, int(pairing.swapped)))


def lead_of(game: Game, side: int) -> float | None:
    """The points that a side has left, less those of the other; None for books that count none."""
    if game.ruleset.tally is None:
        return None
    counted = game.ruleset.tally(game.position, game.setup)
    return counted.points_left(side) - counted.points_left(1 - side)


def many(
    wanted: Iterable[Pairing],
    processes: int = 1,
    each: Callable[[Played], None] | None = None,
) -> list[Played]:
    """Play them all, in order; ``each`` is called with every battle when it ends."""
    found: list[Played] = []
    for played in played_by(list(wanted), processes):
        found.append(played)
        if each is not None:
            each(played)
    return found


def played_by(wanted: list[Pairing], processes: int) -> Iterator[Played]:
    if processes <= 1:
        yield from map(play, wanted)
        return
    with ProcessPoolExecutor(processes, initializer=also_look_in, initargs=(tuple(EXTRA_PACKAGES),)) as pool:
        yield from pool.map(play, wanted, chunksize=max(1, min(8, len(wanted) // (processes * 4))))


def also_look_in(packages: tuple[str, ...]) -> None:
    """Let another process find the rulesets that this one knows of."""
    EXTRA_PACKAGES.extend(package for package in packages if package not in EXTRA_PACKAGES)
