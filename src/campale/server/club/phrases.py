"""Pass phrases: only their argon2 hashes are stored, and an unknown name takes as long as a known one."""

from __future__ import annotations

import unicodedata
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from campale.server.battle.draft import LONGEST_NAME, TableError

SHORTEST, LONGEST = 10, 200
"""Characters of a pass phrase."""


class Phrases:
    """Hashes and checks pass phrases: each takes 64 MiB and some time."""

    def __init__(self) -> None:
        self.hasher = PasswordHasher()

    @cached_property
    def nobodys(self) -> str:
        """The hash that is checked for an unknown name."""
        return self.hasher.hash("the phrase of nobody")

    def hash(self, phrase: str) -> str:
        return self.hasher.hash(normal(phrase))

    def fits(self, kept: str | None, phrase: str) -> bool:
        """Whether the phrase is right; without a stored hash it never is, but takes as long."""
        nobodys = self.nobodys
        try:
            self.hasher.verify(nobodys if kept is None else kept, normal(phrase))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None


def normal(phrase: str) -> str:
    """Normalise a phrase: the same bytes from every keyboard."""
    return unicodedata.normalize("NFC", phrase)


def checked(phrase: str, name: str) -> str:
    """A newly chosen phrase, checked. Raises TableError."""
    if not SHORTEST <= len(phrase) <= LONGEST or not is_text(phrase):
        raise TableError("club.phrase-length", 422, least=SHORTEST, most=LONGEST)
    if folded(phrase) == folded(name):
        raise TableError("club.phrase-is-name", 422)
    return phrase


def name_checked(name: str) -> str:
    """A newly chosen name, checked. Raises TableError."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise TableError("club.bad-name", 422, limit=LONGEST_NAME)
    return name


def folded(name: str) -> str:
    """A name in the form for comparison: capitals, spaces and different encodings of the same letters make no
    difference."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()[:400]


def is_text(phrase: str) -> bool:
    """Whether it can be written as UTF-8."""
    return not any(0xD800 <= ord(c) < 0xE000 for c in phrase)
