"""What opens a battle: ids that nobody guesses, tokens of seats, codes to join by. Only their hashes are kept."""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass

from campale.server.fair import new_seed

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH, CODE_LENGTH, TOKEN_BYTES = 16, 20, 32
LONGEST_TOKEN = 200


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class Keys:
    """Where whatever must not be guessed comes from, and the time. Tests put others in their place."""

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
