"""Random battles in search of faults: no dead end, no endless loop, and a record that replays to the same battle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.records.saved import save, verify
from campale.referee.ruleset import Ruleset, Setup
from campale.simulate.battle import MOST_ANSWERS, play_on
from campale.simulate.duel import starters_of


class Failure(NamedTuple):
    """The first battle that went wrong: its seed, what went wrong, and the file of the game up to there."""

    seed: str
    setup: Setup
    why: str
    file: Path | None = None


def fuzz(
    ruleset: Ruleset,
    battles: int,
    seed: str = "1",
    folder: Path | None = None,
    each: Callable[[str], None] | None = None,
    most: int = MOST_ANSWERS,
    first: int = 0,
) -> Failure | None:
    """Play battles over the ruleset's set-ups with options drawn at random, until one fails.

    ``each`` is called with every seed before it is played. The file of the failure is written into ``folder``.
    ``first``: the number of the first battle, to go on with an earlier run.
    """
    setups = starters_of(ruleset)
    for number in islice(count(first), battles):
        name = f"{seed}/{number}"
        if each is not None:
            each(name)
        setup = varied(ruleset, setups, Random(name))
        failure = tried(ruleset, setup, name, folder, most)
        if failure is not None:
            return failure
    return None


def varied(ruleset: Ruleset, setups: Sequence[Setup], rng: Random) -> Setup:
    """One of the set-ups; half of the time with some options at other values."""
    setup = rng.choice(setups)
    if rng.random() < 0.5:
        return setup
    drawn = {switch.name: rng.choice(switch.values) for switch in ruleset.switches if rng.random() < 0.3}
    return msgspec.structs.replace(setup, options={**setup.options, **drawn})


def tried(ruleset: Ruleset, setup: Setup, seed: str, folder: Path | None, most: int) -> Failure | None:
    """Play one battle and verify its record; what went wrong, or None."""
    game: Game | None = None
    try:
        game = Game(ruleset, setup, seed)
        play_on(game, {side: RandomPlayer(f"{seed}/{side}") for side in (0, 1)}, most)
        why = "" if game.is_over else f"stalled: no end after {most} answers"
        report = verify(save(game))
        if not why and not report.identical:
            why = f"does not verify: {report.what} at entry {report.at}: {report.detail}"
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    return Failure(seed, setup, why, written(game, seed, folder)) if why else None


def written(game: Game | None, seed: str, folder: Path | None) -> Path | None:
    """The game up to the failure, as a file."""
    if game is None or folder is None:
        return None
    path = folder / f"fuzz-{game.ruleset.name}-{seed.replace('/', '-')}.json"
    path.write_bytes(save(game))
    return path
