"""The questions put to chance: a roll of dice, a direction, a draw. Their answers come from a source of dice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

import msgspec

from campale.dice.needs import Need
from campale.dice.stages import Peeked, Unplaced
from campale.referee.question import NOT_OFFERED, WRONG_SHAPE, Question, are_numbers, keyed
from campale.referee.refusal import Fault, Plain

Faces = tuple[tuple[int, ...], ...]


class Rolled(msgspec.Struct, frozen=True):
    """Faces in the order rolled, and the number needed on each. ``again`` are the dice already re-rolled.

    ``things``: what each die is for, die by die, if the roll was made for things. Otherwise no rule may read a die by
    its place: for many dice, exact odds only know how many show each face.
    """

    faces: tuple[int, ...]
    needed: Need | None = None
    again: tuple[int, ...] = ()
    things: tuple[Any, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.faces)

    @property
    def hits(self) -> tuple[bool, ...]:
        """For each die, whether it met the need; without a need every die does."""
        return met(self)

    @property
    def successes(self) -> int:
        return sum(met(self))

    @property
    def ascending(self) -> tuple[int, ...]:
        """The faces, lowest first, for rules that do not ask which die shows which."""
        return tuple(sorted(self.faces))

    @property
    def hitting(self) -> list[Any]:
        """The things whose dice met the need, in order."""
        return [thing for thing, is_hit in zip(self.things, self.hits, strict=True) if is_hit]

    @property
    def count(self) -> int:
        return len(lying(self))

    def with_face(self, index: int, face: int) -> Rolled:
        """The same dice with one of them replaced."""
        return Rolled((*self.faces[:index], face, *self.faces[index + 1 :]), self.needed, self.again, self.things)

    def with_again(self, places: tuple[int, ...], anew: Rolled) -> Rolled:
        """The same dice with those at some places rolled again."""
        faces = list(lying(self))
        for place, face in zip(places, lying(anew), strict=True):
            faces[place] = face
        again = tuple(sorted({*self.again, *places}))
        mine = (tuple(faces), self.needed, again, self.things)
        enumerated = [rolled for rolled in (self, anew) if isinstance(rolled, Enumerated)]
        if not enumerated:
            return Rolled(*mine)
        return Enumerated(
            *mine,
            asked=tuple(one for rolled in enumerated for one in rolled.asked),
            unplaced=next((rolled.unplaced for rolled in enumerated if rolled.unplaced), ""),
        )


BY_PLACE = frozenset({"faces", "hits"})
BY_FACE = frozenset({"faces", "total", "ascending"})


class Enumerated(Rolled, frozen=True):
    """A roll in the enumeration of exact odds, in which like dice are sorted by face.

    ``asked``: the rolls whose faces only stand for success and failure; reading a face raises Peeked. ``unplaced``: the
    roll that does not say what each die is for; reading it by place raises Unplaced.
    """

    asked: tuple[tuple[str, int, int], ...] = ()
    unplaced: str = ""

    def __getattribute__(self, name: str) -> Any:
        if name in BY_FACE and object.__getattribute__(self, "asked"):
            raise Peeked(object.__getattribute__(self, "asked"))
        if name in BY_PLACE and (unplaced := object.__getattribute__(self, "unplaced")):
            raise Unplaced(unplaced, name)
        if name == "ascending":
            return tuple(sorted(lying(self)))
        return sum(lying(self)) if name == "total" else object.__getattribute__(self, name)


def lying(rolled: Rolled) -> tuple[int, ...]:
    """The faces, for code that does not ask which die shows which, or only counts successes."""
    faces: tuple[int, ...] = object.__getattribute__(rolled, "faces")
    return faces


def face_of(rolled: Rolled, place: int) -> int:
    """The face of one die, for code that treats every die by its face alone, whichever die it is."""
    if isinstance(rolled, Enumerated) and rolled.asked:
        raise Peeked(rolled.asked)
    return lying(rolled)[place]


def met(rolled: Rolled) -> tuple[bool, ...]:
    """For each die, whether it met the need, for code that treats every die alike (see ``face_of``)."""
    faces = lying(rolled)
    return (True,) * len(faces) if rolled.needed is None else rolled.needed.are_met_by(faces)


class Chance(Question):
    """A question to chance; ``side`` is the owner of the dice."""

    is_chance = True
    __slots__ = ()


class Roll(Chance):
    """A handful of like dice. The answer is the list of faces.

    ``things``: what each die is for, die by die; without them no rule may read a die by its place.
    """

    kind = "roll"
    __slots__ = ("count", "needed", "sides", "tells", "things")

    def __init__(
        self,
        side: int | None,
        why: str,
        count: int = 1,
        sides: int = 6,
        needed: Need | None = None,
        tells: Faces = (),
        about: dict[str, Plain] | None = None,
        things: tuple[Any, ...] = (),
    ) -> None:
        super().__init__(side, why, about)
        self.count = count
        self.things = things
        self.sides = sides
        self.needed = needed
        self.tells = tells

    def extent(self) -> dict[str, Plain]:
        needed = None if self.needed is None else msgspec.to_builtins(self.needed)
        return {"count": self.count, "sides": self.sides, "needed": needed}

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if are_numbers(answer, self.count) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | None:
        wrong = [one for one in answer if not (isinstance(one, int) and 1 <= one <= self.sides)]
        return Fault(measured=wrong[0], limit=self.sides, word="answer.beyond") if wrong else None

    def sample(self, rng: Random) -> Plain:
        return [rng.randint(1, self.sides) for _ in range(self.count)]

    def understood(self, answer: Plain) -> Any:
        return Rolled(tuple(answer), self.needed, (), self.things)

    def enumerated(self, answer: Plain, counts_only: bool, is_placed: bool) -> Rolled:
        """What the rule receives in the enumeration of odds (see ``Enumerated``)."""
        asked = ((self.prompt, self.count, self.sides),) if counts_only else ()
        unplaced = "" if is_placed else self.prompt
        return Enumerated(tuple(answer), self.needed, (), self.things, asked, unplaced)


class Direction(Chance):
    """An angle in whole steps of ``step`` degrees, clockwise from +y, below 360.

    ``tells()``, for exact odds: for every step in turn, what the rule makes of it; steps with equal results are merged.
    """

    kind = "direction"
    __slots__ = ("step", "tells")

    def __init__(
        self,
        side: int | None,
        why: str,
        step: float = 1.0,
        about: dict[str, Plain] | None = None,
        tells: Callable[[], Sequence[Hashable]] | None = None,
    ) -> None:
        super().__init__(side, why, about)
        self.step = step
        self.tells = tells

    def extent(self) -> dict[str, Plain]:
        return {"step": self.step}

    @property
    def steps(self) -> int:
        return round(360.0 / self.step)

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if are_numbers([answer]) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | None:
        whole = round(answer / self.step)
        fits = 0 <= whole < self.steps and abs(whole * self.step - answer) < 1e-6
        return None if fits else Fault(measured=float(answer), limit=360.0, word="answer.beyond")

    def sample(self, rng: Random) -> Plain:
        return rng.randrange(self.steps) * self.step


class Draw(Chance):
    """Some of the pool at random, without replacement. The answer is the list of their indices in the pool."""

    kind = "draw"
    __slots__ = ("count", "pool")

    def __init__(
        self,
        side: int | None,
        why: str,
        pool: Sequence[Plain],
        count: int = 1,
        about: dict[str, Plain] | None = None,
    ) -> None:
        super().__init__(side, why, about)
        self.pool = [keyed(one) for one in pool]
        self.count = count

    def extent(self) -> dict[str, Plain]:
        return {"count": self.count, "of": len(self.pool)}

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if are_numbers(answer, self.count) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | None:
        inside = all(isinstance(one, int) and 0 <= one < len(self.pool) for one in answer)
        return None if inside and len(set(answer)) == len(answer) else NOT_OFFERED

    def sample(self, rng: Random) -> Plain:
        return rng.sample(range(len(self.pool)), self.count)

    def understood(self, answer: Plain) -> Any:
        return [self.pool[one] for one in answer]
