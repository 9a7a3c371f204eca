"""The kinds of question whose answers lie on the table: place, move, along, aim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from random import Random
from typing import Any

from campale.referee.asking import MOST_SUGGESTIONS, WRONG_SHAPE, Question, Refuses, are_numbers
from campale.referee.looks import Foretold
from campale.referee.refusal import Fault, Plain, Refusal
from campale.table.shapes import Point


class Spatial(Question):
    """A question whose answers lie on the table; functions of the asking rule judge, sample and suggest them.

    ``shown`` describes the constraints as plain data (allowance, regions, distances) for screens and players.
    ``seeks`` gives answers that may bring the middle of the models to or near a point, the best first.
    ``foretells`` gives the costs of a lawful answer: ground that slows, tests.
    """

    __slots__ = ("_refuses", "_samples", "_suggests", "foretells", "seeks", "shown")

    def __init__(
        self,
        side: int,
        prompt: str,
        refuses: Refuses,
        samples: Callable[[Random], Plain],
        suggests: Callable[[], Iterable[Plain]] | None = None,
        shown: dict[str, Plain] | None = None,
        about: dict[str, Plain] | None = None,
        seeks: Callable[[Point], Iterable[Plain]] | None = None,
        foretells: Callable[[Any], Sequence[Foretold]] | None = None,
    ) -> None:
        super().__init__(side, prompt, about)
        self.seeks, self.foretells = seeks, foretells
        self._refuses = refuses
        self._samples = samples
        self._suggests = suggests
        self.shown = shown or {}

    def extent(self) -> dict[str, Plain]:
        return {"shown": self.shown}

    def foretold(self, answer: Plain) -> list[Foretold]:
        """The costs of a lawful answer, as far as the asking rule tells them."""
        return list(self.foretells(self.understood(answer))) if self.foretells is not None else []

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        return self._refuses(self.understood(answer))

    def sample(self, rng: Random) -> Plain:
        return self._samples(rng)

    def suggestions(self) -> list[Plain]:
        return self.proposals(MOST_SUGGESTIONS)

    def proposals(self, most: int) -> list[Plain]:
        return list(islice(self._suggests(), most)) if self._suggests is not None else []


class Place(Spatial):
    """Places for models: [x, y, facing] for each, in the order of ``about["models"]``.

    If ``shown["levels"]`` names heights, one of them may follow.
    """

    kind = "place"
    __slots__ = ()

    def misshapen(self, answer: Plain) -> Fault | None:
        fits = isinstance(answer, list | tuple) and len(answer) == len(self.about.get("models", ()))
        lengths = (3, 4) if self.shown.get("levels") else (3,)
        return None if fits and all(are_numbers(one, *lengths) for one in answer) else WRONG_SHAPE

    def understood(self, answer: Plain) -> Any:
        return [tuple(float(n) for n in one) for one in answer]


class Move(Spatial):
    """The way of a model: [points after the start, facing at the end or null], a point being [x, y]."""

    kind = "move"
    __slots__ = ()

    def misshapen(self, answer: Plain) -> Fault | None:
        if not (isinstance(answer, list | tuple) and len(answer) == 2 and isinstance(answer[0], list | tuple)):
            return WRONG_SHAPE
        points, facing = answer
        faces = facing is None or are_numbers([facing])
        return None if faces and len(points) <= 64 and all(are_numbers(p, 2, 3) for p in points) else WRONG_SHAPE

    def understood(self, answer: Plain) -> Any:
        points, facing = answer
        return tuple(tuple(float(n) for n in p) for p in points), None if facing is None else float(facing)


class MoveUnit(Spatial):
    """The ways of several models at once: one answer of a Move for each of ``about["models"]``, in their order."""

    kind = "move"
    __slots__ = ()

    def misshapen(self, answer: Plain) -> Fault | None:
        if not (isinstance(answer, list | tuple) and len(answer) == len(self.about.get("models", ()))):
            return WRONG_SHAPE
        return next(filter(None, (Move.misshapen(self, one) for one in answer)), None)  # type: ignore[arg-type]

    def understood(self, answer: Plain) -> Any:
        return [Move.understood(self, one) for one in answer]  # type: ignore[arg-type]


class Along(Spatial):
    """A point of an announced route, as the length walked up to it, or null to let it pass."""

    kind = "along"
    __slots__ = ()

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if answer is None or are_numbers([answer]) else WRONG_SHAPE

    def understood(self, answer: Plain) -> Any:
        return None if answer is None else float(answer)


class Aim(Spatial):
    """A point [x, y], or a point and a direction [x, y, degrees], for an area or a template."""

    kind = "aim"
    __slots__ = ()

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if are_numbers(answer, 2, 3) else WRONG_SHAPE

    def understood(self, answer: Plain) -> Any:
        return tuple(float(n) for n in answer)
