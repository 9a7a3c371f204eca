"""The questions that rules ask, of sides and of chance.

A question is lazy: what may be answered is computed when somebody wants to know. Its description and its answers are
plain data (ids and numbers); two questions are equal when their descriptions are. Every question can refuse, sample,
and suggest; those whose answers are finite can list them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, ClassVar

from campale.referee.refusal import Fault, Plain, Refusal, refused

Refuses = Callable[[Plain], Fault | Refusal | None]

MOST_SUGGESTIONS = 12
DEEPEST_ANSWER = 8
LONGEST_ANSWER = 20_000

NOT_FINITE = Fault(word="answer.not-finite")
TOO_LARGE = Fault(word="answer.too-large")
WRONG_SHAPE = Fault(word="answer.wrong-shape")
NOT_OFFERED = Fault(word="answer.not-offered")


class Question:
    """Asked of ``side`` (None: of chance alone). ``prompt`` is a key of the ruleset's words, ``about`` plain data."""

    kind: ClassVar[str] = ""
    is_chance: ClassVar[bool] = False
    __slots__ = ("about", "prompt", "rules", "side")

    def __init__(self, side: int | None, prompt: str, about: dict[str, Plain] | None = None) -> None:
        self.side = side
        self.prompt = prompt
        self.about = about or {}
        self.rules: tuple[str, ...] = ()

    def description(self) -> dict[str, Plain]:
        """What is asked, as plain data, without the answers that would do."""
        return {
            "kind": self.kind,
            "side": self.side,
            "prompt": self.prompt,
            "about": self.about,
            **self.extent(),
        }

    def extent(self) -> dict[str, Plain]:
        """What the kind of question adds to the description."""
        return {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self.description() == other.description()

    __hash__ = None  # type: ignore[assignment]

    def refusal(self, answer: Plain) -> Refusal | None:
        """Why the answer is not allowed, or None. Nothing changes."""
        fault = unplain(answer) or self.misshapen(answer) or self.forbidden(answer)
        return self.citing(fault) if fault is not None else None

    def citing(self, fault: Fault | Refusal) -> Refusal:
        if isinstance(fault, Refusal) and fault.rule:
            return fault
        plain = Fault(fault.where, fault.measured, fault.limit, fault.model, fault.word, fault.rule)
        return refused(plain, self.rules[-1] if self.rules else "")

    def misshapen(self, answer: Plain) -> Fault | None:
        return None

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        return None

    def options(self) -> list[Plain] | None:
        """All answers, where they are finite and few enough to list; else None."""
        return None

    def sample(self, rng: Random) -> Plain:
        raise NotImplementedError(f"{type(self).__name__} does not sample")

    def suggestions(self) -> list[Plain]:
        """A handful of sensible answers."""
        return list(islice(self.options() or [], MOST_SUGGESTIONS))

    def understood(self, answer: Plain) -> Any:
        """What the rule that asked receives."""
        return answer


def unplain(answer: Plain, depth: int = 0) -> Fault | None:
    """A fault if the answer is not plain, holds NaN or infinity, or is absurdly deep or long."""
    if answer is None or isinstance(answer, bool | str):
        return TOO_LARGE if isinstance(answer, str) and len(answer) > LONGEST_ANSWER else None
    if isinstance(answer, int):
        return None if -(2**53) <= answer <= 2**53 else NOT_FINITE
    if isinstance(answer, float):
        return None if math.isfinite(answer) else NOT_FINITE
    if not isinstance(answer, list | tuple | dict):
        return WRONG_SHAPE
    if depth >= DEEPEST_ANSWER or len(answer) > LONGEST_ANSWER:
        return TOO_LARGE
    inside: Iterable[Plain] = answer
    if isinstance(answer, dict):
        inside = (part for pair in answer.items() for part in pair)
    return next(filter(None, (unplain(one, depth + 1) for one in inside)), None)


def keyed(answer: Plain) -> Plain:
    """Lists as tuples, so that an answer read from a file equals the key that was offered."""
    return tuple(keyed(one) for one in answer) if isinstance(answer, list | tuple) else answer


class Choose(Question):
    """One of several keys. ``of`` says what the keys are (model, unit, weapon, piece, side, word, number)."""

    kind = "choose"
    __slots__ = ("_candidates", "_forbids", "_keys", "of")

    def __init__(
        self,
        side: int | None,
        prompt: str,
        candidates: Sequence[Plain] | Callable[[], Sequence[Plain]],
        of: str = "word",
        forbids: Callable[[Any], Fault | Refusal | None] | None = None,
        about: dict[str, Plain] | None = None,
    ) -> None:
        super().__init__(side, prompt, about)
        self.of = of
        self._candidates = candidates
        self._forbids = forbids
        self._keys: list[Plain] | None = None

    def extent(self) -> dict[str, Plain]:
        return {"of": self.of}

    @property
    def candidates(self) -> list[Plain]:
        """What the choice is among, the forbidden ones included."""
        return list(self._candidates() if callable(self._candidates) else self._candidates)

    def why_not(self, key: Plain) -> Fault | Refusal | None:
        return self._forbids(key) if self._forbids is not None else None

    def options(self) -> list[Plain]:
        if self._keys is None:
            self._keys = [key for key in self.candidates if self.why_not(key) is None]
        return self._keys

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        if keyed(answer) not in self.candidates:
            return NOT_OFFERED
        return self.why_not(keyed(answer))

    def sample(self, rng: Random) -> Plain:
        if self._keys is not None:
            return rng.choice(self._keys)
        candidates = self.candidates
        rng.shuffle(candidates)
        return next(key for key in candidates if self.why_not(key) is None)

    def understood(self, answer: Plain) -> Any:
        return keyed(answer)


class Order(Question):
    """All the items, in an order."""

    kind = "order"
    __slots__ = ("items", "of")

    def __init__(
        self,
        side: int,
        prompt: str,
        items: Sequence[Plain],
        of: str = "model",
        about: dict[str, Plain] | None = None,
    ) -> None:
        super().__init__(side, prompt, about)
        self.items = list(items)
        self.of = of

    def extent(self) -> dict[str, Plain]:
        return {"items": self.items, "of": self.of}

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if isinstance(answer, list | tuple) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | None:
        left = [keyed(one) for one in self.items]
        for one in answer:
            if keyed(one) not in left:
                return NOT_OFFERED
            left.remove(keyed(one))
        return NOT_OFFERED if left else None

    def sample(self, rng: Random) -> Plain:
        return rng.sample(self.items, len(self.items))

    def suggestions(self) -> list[Plain]:
        return [list(self.items), list(reversed(self.items))]

    def understood(self, answer: Plain) -> Any:
        return [keyed(one) for one in answer]


class Number(Question):
    """A whole number from ``low`` to ``high``, both included."""

    kind = "number"
    __slots__ = ("_suggested", "high", "low")

    def __init__(
        self,
        side: int,
        prompt: str,
        low: int,
        high: int,
        about: dict[str, Plain] | None = None,
        suggested: Sequence[int] = (),
    ) -> None:
        super().__init__(side, prompt, about)
        self.low = low
        self.high = high
        self._suggested = tuple(suggested)

    def extent(self) -> dict[str, Plain]:
        return {"low": self.low, "high": self.high}

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if isinstance(answer, int) and not isinstance(answer, bool) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | None:
        if self.low <= answer <= self.high:
            return None
        return Fault(measured=answer, limit=self.high if answer > self.high else self.low)

    def options(self) -> list[Plain] | None:
        return list(range(self.low, self.high + 1)) if self.high - self.low < 100 else None

    def sample(self, rng: Random) -> Plain:
        return rng.randint(self.low, self.high)

    def suggestions(self) -> list[Plain]:
        return list(self._suggested) or sorted({self.low, (self.low + self.high) // 2, self.high})


Fields = Callable[[list[Any]], Question | None]


class Form(Question):
    """Several answers given at once: each field is a question that may hang on the fields before it.

    ``fields(filled)`` gives the next field, the earlier ones being filled with what their questions understood, or
    None when the form is complete. The answer is the list of the fields' answers.
    """

    kind = "form"
    __slots__ = ("_fields",)

    def __init__(self, side: int, prompt: str, fields: Fields, about: dict[str, Plain] | None = None) -> None:
        super().__init__(side, prompt, about)
        self._fields = fields

    def field(self, answers: Sequence[Plain]) -> Question | None:
        """The field after these answers, or None when they complete the form."""
        question = None
        filled: list[Any] = []
        for answer in (*answers, None):
            question = self._fields(filled)
            if question is None or len(filled) == len(answers):
                break
            filled.append(question.understood(answer))
        if question is not None:
            question.rules = self.rules
        return question

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if isinstance(answer, list | tuple) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        filled: list[Any] = []
        for one in answer:
            question = self._fields(filled)
            if question is None:
                return WRONG_SHAPE
            question.rules = self.rules
            refusal = question.refusal(one)
            if refusal is not None:
                return refusal
            filled.append(question.understood(one))
        return None if self._fields(filled) is None else WRONG_SHAPE

    def sample(self, rng: Random) -> Plain:
        answers: list[Plain] = []
        filled: list[Any] = []
        while (question := self._fields(filled)) is not None:
            answers.append(question.sample(rng))
            filled.append(question.understood(answers[-1]))
        return answers

    def suggestions(self) -> list[Plain]:
        return list(islice(self.filled_in(), MOST_SUGGESTIONS * 4))

    def filled_in(self, answers: tuple[Plain, ...] = ()) -> Iterator[list[Plain]]:
        """Complete answers made of the suggestions of every field."""
        question = self.field(answers)
        if question is None:
            yield list(answers)
            return
        for one in question.suggestions():
            yield from self.filled_in((*answers, one))

    def understood(self, answer: Plain) -> Any:
        filled: list[Any] = []
        for one in answer:
            question = self._fields(filled)
            if question is None:
                break
            filled.append(question.understood(one))
        return filled


class Spatial(Question):
    """A question whose answers lie on the table: judged, sampled and suggested by functions of the rule that asks.

    ``shown`` describes the constraints as plain data (allowance, regions, distances) for screens and players.
    """

    __slots__ = ("_refuses", "_samples", "_suggests", "shown")

    def __init__(
        self,
        side: int,
        prompt: str,
        refuses: Refuses,
        samples: Callable[[Random], Plain],
        suggests: Callable[[], Iterable[Plain]] | None = None,
        shown: dict[str, Plain] | None = None,
        about: dict[str, Plain] | None = None,
    ) -> None:
        super().__init__(side, prompt, about)
        self._refuses = refuses
        self._samples = samples
        self._suggests = suggests
        self.shown = shown or {}

    def extent(self) -> dict[str, Plain]:
        return {"shown": self.shown}

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        return self._refuses(self.understood(answer))

    def sample(self, rng: Random) -> Plain:
        return self._samples(rng)

    def suggestions(self) -> list[Plain]:
        return list(islice(self._suggests(), MOST_SUGGESTIONS)) if self._suggests is not None else []


def are_numbers(answer: Plain, *lengths: int) -> bool:
    return (
        isinstance(answer, list | tuple)
        and (not lengths or len(answer) in lengths)
        and all(isinstance(one, int | float) and not isinstance(one, bool) for one in answer)
    )


class Place(Spatial):
    """Where models are set down: for each of them, in the order of ``about["models"]``, [x, y, facing]."""

    kind = "place"
    __slots__ = ()

    def misshapen(self, answer: Plain) -> Fault | None:
        fits = isinstance(answer, list | tuple) and len(answer) == len(self.about.get("models", ()))
        return None if fits and all(are_numbers(one, 3) for one in answer) else WRONG_SHAPE

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


class Aim(Spatial):
    """A point [x, y], or a point and a direction [x, y, degrees], for an area or a template."""

    kind = "aim"
    __slots__ = ()

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if are_numbers(answer, 2, 3) else WRONG_SHAPE

    def understood(self, answer: Plain) -> Any:
        return tuple(float(n) for n in answer)


class Allot(Question):
    """Who takes each of several things (wounds, hits, points): one holder a thing, in the order of ``items``.

    ``fits(allotment)`` judges a whole allotment; ``proposal()`` gives one that is legal.
    """

    kind = "allot"
    __slots__ = ("_fits", "_proposal", "holders", "items")

    def __init__(
        self,
        side: int,
        prompt: str,
        items: Sequence[Plain],
        holders: Sequence[int],
        fits: Callable[[list[int]], Fault | Refusal | None],
        proposal: Callable[[Random | None], list[int]],
        about: dict[str, Plain] | None = None,
    ) -> None:
        super().__init__(side, prompt, about)
        self.items = list(items)
        self.holders = list(holders)
        self._fits = fits
        self._proposal = proposal

    def extent(self) -> dict[str, Plain]:
        return {"items": self.items, "holders": self.holders}

    def misshapen(self, answer: Plain) -> Fault | None:
        fits = isinstance(answer, list | tuple) and len(answer) == len(self.items)
        return None if fits and all(one in self.holders for one in answer) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        return self._fits(list(answer))

    def sample(self, rng: Random) -> Plain:
        return self._proposal(rng)

    def suggestions(self) -> list[Plain]:
        return [self._proposal(None)]


class Together:
    """One question to each of several sides, answered in any order, kept apart and released together."""

    __slots__ = ("questions",)

    def __init__(self, questions: dict[int, Question]) -> None:
        self.questions = questions
