"""The common parts of all questions that rules ask, of sides and of chance.

A question is lazy: its answers are computed when somebody asks for them. Its description and its answers are plain data
(ids and numbers); two questions are equal when their descriptions are. Every question can refuse, sample and suggest
answers; a question with finitely many answers can list them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any, ClassVar

import msgspec

from campale.referee.refusal import Fault, Plain, Refusal, refused

Refuses = Callable[[Plain], Fault | Refusal | None]

MOST_SUGGESTIONS = 12
DEEPEST_ANSWER = 8
LONGEST_ANSWER = 20_000
LARGEST_NUMBER = 2**53
NUMBERS, SEVERAL, COLLECTIONS = (int, float), (list, tuple), (list, tuple, dict)

NOT_FINITE = Fault(word="answer.not-finite")
TOO_LARGE = Fault(word="answer.too-large")
WRONG_SHAPE = Fault(word="answer.wrong-shape")
NOT_OFFERED = Fault(word="answer.not-offered")


class Question:
    """Asked of ``side`` (None: of chance alone). ``prompt`` is a key of the ruleset's words, ``about`` plain data."""

    kind: ClassVar[str] = ""
    is_chance: ClassVar[bool] = False
    __slots__ = ("_passed", "about", "prompt", "rules", "side")

    def __init__(self, side: int | None, prompt: str, about: dict[str, Plain] | None = None) -> None:
        self.side = side
        self.prompt = prompt
        self.about = about or {}
        self.rules: tuple[str, ...] = ()
        self._passed = b""

    def description(self) -> dict[str, Plain]:
        """The question as plain data, without its possible answers."""
        return {
            "kind": self.kind,
            "side": self.side,
            "prompt": self.prompt,
            "about": self.about,
            **self.extent(),
        }

    def extent(self) -> dict[str, Plain]:
        """The part of the description that depends on the kind of question."""
        return {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self.description() == other.description()

    __hash__ = None  # type: ignore[assignment]

    def refusal(self, answer: Plain) -> Refusal | None:
        """Why the answer is not allowed, or None. Nothing changes."""
        if self.has_passed(answer):
            return None
        fault = unplain(answer)
        if fault is not None:
            return self.citing(fault)
        refusal = self.refusal_of_plain(answer)
        if refusal is None:
            self._passed = encoded(answer)
        return refusal

    def has_passed(self, answer: Plain) -> bool:
        """Whether this answer was the last one judged and allowed: nothing has changed since."""
        return bool(self._passed) and self._passed == encoded(answer)

    def refusal_of_plain(self, answer: Plain) -> Refusal | None:
        """The same of an answer that is known to be plain."""
        fault = self.misshapen(answer) or self.forbidden(answer)
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
        """All answers, if there are few enough to list; otherwise None."""
        return None

    def sample(self, rng: Random) -> Plain:
        raise NotImplementedError(f"{type(self).__name__} does not sample")

    def suggestions(self) -> list[Plain]:
        """A handful of sensible answers."""
        return list(islice(self.options() or [], MOST_SUGGESTIONS))

    def proposals(self, most: int) -> list[Plain]:
        """The first few suggestions; no more are computed than are wanted."""
        return self.suggestions()[:most]

    def understood(self, answer: Plain) -> Any:
        """The value that the asking rule receives."""
        return answer


def encoded(answer: Plain) -> bytes:
    """The bytes of a plain answer, in which 1 differs from 1.0 and True; empty if no file can hold the answer."""
    try:
        return msgspec.msgpack.encode(answer)
    except (UnicodeEncodeError, TypeError):
        return b""


def unplain(answer: Plain, depth: int = 0) -> Fault | None:
    """A fault if the answer is not plain, holds NaN or infinity, or is absurdly deep or long."""
    if isinstance(answer, NUMBERS):
        return None if -LARGEST_NUMBER <= answer <= LARGEST_NUMBER else NOT_FINITE
    if answer is None or isinstance(answer, str):
        return TOO_LARGE if answer is not None and len(answer) > LONGEST_ANSWER else None
    if not isinstance(answer, COLLECTIONS):
        return WRONG_SHAPE
    if depth >= DEEPEST_ANSWER or len(answer) > LONGEST_ANSWER:
        return TOO_LARGE
    for one in answer if not isinstance(answer, dict) else (part for pair in answer.items() for part in pair):
        fault = unplain(one, depth + 1)
        if fault is not None:
            return fault
    return None


def keyed(answer: Plain) -> Plain:
    """Lists as tuples, so that an answer read from a file equals the key that was offered."""
    if isinstance(answer, tuple) and has_no_lists(answer):
        return tuple(answer)
    return tuple([keyed(one) for one in answer]) if isinstance(answer, SEVERAL) else answer


def has_no_lists(answer: tuple[Plain, ...]) -> bool:
    """Whether a tuple contains no list, however deep: only then can it be hashed."""
    try:
        hash(answer)
    except TypeError:
        return False
    return True


def same(answer: Plain, key: Plain) -> bool:
    """Whether an answer equals a key: True is not 1, and a list equals the tuple of its parts."""
    if isinstance(answer, SEVERAL) and isinstance(key, SEVERAL):
        return len(answer) == len(key) and all(map(same, answer, key))
    return isinstance(answer, bool) == isinstance(key, bool) and bool(answer == key)


def are_numbers(answer: Plain, *lengths: int) -> bool:
    return (
        isinstance(answer, SEVERAL)
        and (not lengths or len(answer) in lengths)
        and all(isinstance(one, NUMBERS) and not isinstance(one, bool) for one in answer)
    )


class Together:
    """One question to each of several sides; the answers may come in any order, and are released together."""

    __slots__ = ("questions",)

    def __init__(self, questions: dict[int, Question]) -> None:
        self.questions = questions
