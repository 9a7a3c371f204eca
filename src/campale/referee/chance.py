"""The questions put to chance: a roll of dice, a direction, a draw. Their answers come from a source of dice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

import msgspec

from campale.dice.needs import Need
from campale.dice.stages import Peeked
from campale.referee.question import NOT_OFFERED, WRONG_SHAPE, Question, are_numbers, keyed
from campale.referee.refusal import Fault, Plain

Faces = tuple[tuple[int, ...], ...]


class Rolled(msgspec.Struct, frozen=True):
    """Faces as they lie, in the order rolled, and what was needed of each. ``again`` are the dice already re-rolled."""

    faces: tuple[int, ...]
    needed: Need | None = None
    again: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.faces)

    @property
    def hits(self) -> tuple[bool, ...]:
        """Die by die, whether it met the need; without a need every die does."""
        faces = lying(self)
        return (True,) * len(faces) if self.needed is None else self.needed.are_met_by(faces)

    @property
    def successes(self) -> int:
        return sum(self.hits)

    @property
    def count(self) -> int:
        return len(lying(self))

    def with_face(self, index: int, face: int) -> Rolled:
        """The same dice with one of them replaced."""
        return Rolled((*self.faces[:index], face, *self.faces[index + 1 :]), self.needed, self.again)

    def with_again(self, places: tuple[int, ...], anew: Rolled) -> Rolled:
        """The same dice with those at some places rolled again."""
        faces = list(lying(self))
        for place, face in zip(places, lying(anew), strict=True):
            faces[place] = face
        again = tuple(sorted({*self.again, *places}))
        asked = tuple(one for rolled in (self, anew) if isinstance(rolled, Counted) for one in rolled.asked)
        return Counted(tuple(faces), self.needed, again, asked) if asked else Rolled(tuple(faces), self.needed, again)


class Counted(Rolled, frozen=True):
    """A roll in the enumeration of exact odds: its faces stand for success and failure, and are not to be looked at."""

    asked: tuple[tuple[str, int, int], ...] = ()

    def __getattribute__(self, name: str) -> Any:
        if name in {"faces", "total"}:
            raise Peeked(object.__getattribute__(self, "asked"))
        return object.__getattribute__(self, name)


def lying(rolled: Rolled) -> tuple[int, ...]:
    """The faces, for those who only count successes."""
    faces: tuple[int, ...] = object.__getattribute__(rolled, "faces")
    return faces


class Chance(Question):
    """Asked of chance; ``side`` says whose dice they are."""

    is_chance = True
    __slots__ = ()


class Roll(Chance):
    """A handful of like dice. The answer is the list of faces."""

    kind = "roll"
    __slots__ = ("count", "needed", "sides", "tells")

    def __init__(
        self,
        side: int | None,
        why: str,
        count: int = 1,
        sides: int = 6,
        needed: Need | None = None,
        tells: Faces = (),
        about: dict[str, Plain] | None = None,
    ) -> None:
        super().__init__(side, why, about)
        self.count = count
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
        return Rolled(tuple(answer), self.needed)

    def counted(self, answer: Plain) -> Rolled:
        """What the rule receives in the enumeration of odds, where faces stand for success and failure."""
        return Counted(tuple(answer), self.needed, (), ((self.prompt, self.count, self.sides),))


class Direction(Chance):
    """An angle in whole steps of ``step`` degrees, clockwise from +y, below 360.

    ``tells()``, for exact odds: of every step in turn what the rule makes of it; steps that are equal in it are one.
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
    """Some of the pool at random, without putting back. The answer is the list of their places in the pool."""

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
