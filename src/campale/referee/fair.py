"""Dice that nobody can choose: from a server seed committed by its hash, and one seed from each player.

The server publishes the hash of its seed before it knows any of the players'; each player does the same, and reveals
the seed only when all hashes are known. At the end the server's seed is revealed, and anybody can check everything.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

import msgspec

PERSON = b"campale-dice-1"
LONGEST_SEED = 256


class Fair(msgspec.Struct, frozen=True):
    """The sources of a battle's dice; the seeds of the players in the order of the sides ("": none).

    ``seals`` are their hashes, published before any seed was revealed (older battles have none).
    """

    commitment: str
    server_seed: str
    seat_seeds: tuple[str, ...]
    seals: tuple[str, ...] = ()

    @property
    def is_bound(self) -> bool:
        """Whether the server's seed is the one whose hash was published."""
        return self.commitment == commitment(self.server_seed)

    @property
    def is_sealed(self) -> bool:
        """Whether every player's seed matches the hash published first."""
        if not self.seals:
            return True
        if len(self.seals) != len(self.seat_seeds):
            return False
        sealed = tuple(commitment(seed) if seed else "" for seed in self.seat_seeds)
        return sealed == self.seals

    def gives(self, seed: str) -> bool:
        """Whether a battle's seed comes from these."""
        return seed == game_seed(self.server_seed, self.seat_seeds)


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(32)


def commitment(server_seed: str) -> str:
    return hashlib.sha256(server_seed.encode()).hexdigest()


def game_seed(server_seed: str, seat_seeds: Sequence[str]) -> str:
    """The seed of a battle. Every part is preceded by its length, so no two lists of parts give the same text."""
    digest = hashlib.blake2b(digest_size=32, person=PERSON)
    for part in (server_seed, *seat_seeds):
        raw = part.encode()
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()
