"""Access to a battle: ids that nobody can guess, tokens of seats, codes to join by. Only their hashes are stored."""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass

from campale.server.battle.fair import new_seed

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH, CODE_LENGTH, TOKEN_BYTES = 16, 20, 32
LONGEST_TOKEN = 200


def hashed(token: str) -> str:
    """The stored form of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class Keys:
    """The source of everything that must not be guessed, and of the time. Tests replace it."""

    def battle(self) -> str:
        return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))

    def code(self) -> str:
        return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))

    def token(self) -> str:
        return secrets.token_urlsafe(TOKEN_BYTES)

    def seed(self) -> str:
        return new_seed()

    def now(self) -> float:
        return time.time()
