"""The faults of a force, row by row.

A restriction is a function, marked with its rule, that yields a ``Breach`` for everything that breaks it. Its sentence
stands in the words of the book under ``army.<name of the function>``, in every language; the sentence may name {who},
{what}, {measured} and {limit}.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from campale.referee.refusal import Plain
from campale.referee.rule import rules_of
from campale.referee.telling.spoken import Spoken, spoken
from campale.referee.telling.words import LANGUAGES, words

WORDS = Path(__file__).parent / "words"
MOST_DIGITS = 9

Titled = Mapping[str, str]
"""A title by its language."""


class Member(Protocol):
    """A member of a force, by its name in the sentence."""

    @property
    def title(self) -> dict[str, str]: ...


class Breach(NamedTuple):
    """How a force breaks a rule: who breaks it (None: the force as a whole), and by how much.

    ``what`` is anything else that the sentence names.
    """

    who: Member | None
    measured: float = 0
    limit: float = 0
    what: Titled | None = None


def out_of_bounds(who: Member, count: int, bounds: tuple[int, int]) -> Iterator[Breach]:
    """A breach for a count below the first of two bounds, or above the second."""
    least, most = bounds
    if not least <= count <= most:
        yield Breach(who, count, most if count > most else least)


class ArmyFault(msgspec.Struct, frozen=True):
    """A rule that a force breaks: who (in English; empty: the whole force), by how much, and why in each language."""

    rule: str
    who: str
    measured: float
    limit: float
    text: dict[str, str]

    @property
    def spoken(self) -> Spoken:
        """The sentence with the rule behind it."""
        return Spoken(*(f"{self.text[tongue]} [{self.rule}]" for tongue in LANGUAGES))


Restriction = Callable[..., Iterable[Breach]]
"""``restriction(force, *terms)``; the terms are those that the players have agreed on."""


def faults_of(folder: Path, restrictions: Sequence[Restriction], *about: Any) -> tuple[ArmyFault, ...]:
    """Every fault of a force, in the order of the restrictions. ``folder``: where the book has its words."""
    return tuple(fault(folder, one, breach) for one in restrictions for breach in one(*about))


def fault(folder: Path, restriction: Restriction, breach: Breach) -> ArmyFault:
    """The row of a breach: its rule is the first that the restriction is marked with."""
    key = f"army.{name_of(restriction)}"
    text = {tongue: sentence(folder, tongue, key, breach) for tongue in LANGUAGES}
    who = breach.who.title["en"] if breach.who is not None else ""
    return ArmyFault(rules_of(restriction)[0], who, breach.measured, breach.limit, text)


def name_of(restriction: Restriction) -> str:
    return restriction.__name__.replace("_", "-")


def sentence(folder: Path, tongue: str, key: str, breach: Breach) -> str:
    called = words(tongue, WORDS).say("the-force") if breach.who is None else breach.who.title[tongue]
    what = "" if breach.what is None else breach.what[tongue]
    own = words(tongue, folder / "words")
    return own.say(key, who=called, what=what, measured=breach.measured, limit=breach.limit)


def points_agreed(agreed: Mapping[str, Plain], by: str) -> int | None:
    """The points that a force may cost; None if nothing is agreed. Raises ValueError with a sentence.

    ``by``: the rule by which points are agreed on.
    """
    points = agreed.get("points")
    if points is None:
        return None
    written = str(points).strip()
    if not written.isdecimal() or len(written) > MOST_DIGITS:
        raise ValueError(spoken(WORDS, "no-points", points=repr(points)[:60], rule=by))
    return int(written)
