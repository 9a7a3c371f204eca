"""Run in a process of its own: ``python -m campale.conformance.elsewhere PACKAGES RULESET FILE ...``.

The files are battles of the set-ups of the ruleset, in their order.
"""

from __future__ import annotations

import hashlib
import sys
from functools import lru_cache
from pathlib import Path
from random import Random

import msgspec

from campale.conformance.playing import answered, begun, someone_asked
from campale.referee.game import Game
from campale.referee.records.saved import load
from campale.referee.ruleset import EXTRA_PACKAGES


def fingerprint(game: Game) -> str:
    """A hash over the journal, the record and the position."""
    digest = hashlib.blake2b(msgspec.json.encode([game.journal, game.record]), digest_size=16)
    digest.update(game.position.to_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=4)
def fingerprint_of_play(name: str, number: int) -> str:
    """The fingerprint of a random battle; it is the same wherever the battle is played."""
    game, rng = begun(name, number, seed="elsewhere"), Random("elsewhere")
    while not game.is_over:
        question = someone_asked(game, rng)
        answered(game, question, question.sample(rng))
    return fingerprint(game)


def main(packages: str, name: str, *paths: str) -> None:
    EXTRA_PACKAGES.extend(one for one in packages.split(",") if one not in EXTRA_PACKAGES)
    for number, path in enumerate(paths):
        loaded = load(Path(path).read_bytes())
        sys.stdout.write(f"{fingerprint(loaded)} {fingerprint_of_play(name, number)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
