"""The kinds of question: choose, order, number, form, allot; and those whose answers lie on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from random import Random
from typing import Any

from campale.referee.asking import (
    DEEPEST_ANSWER,
    LONGEST_ANSWER,
    MOST_SUGGESTIONS,
    NOT_FINITE,
    NOT_OFFERED,
    SEVERAL,
    TOO_LARGE,
    WRONG_SHAPE,
    Question,
    Refuses,
    Together,
    are_numbers,
    keyed,
    same,
    unplain,
)
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.spatial import Aim, Along, Move, MoveUnit, Place, Spatial

__all__ = [
    "DEEPEST_ANSWER",
    "LONGEST_ANSWER",
    "MOST_SUGGESTIONS",
    "NOT_FINITE",
    "NOT_OFFERED",
    "TOO_LARGE",
    "WRONG_SHAPE",
    "Aim",
    "Allot",
    "Along",
    "Choose",
    "Form",
    "Move",
    "MoveUnit",
    "Number",
    "Order",
    "Place",
    "Question",
    "Refuses",
    "Spatial",
    "Together",
    "are_numbers",
    "keyed",
    "same",
    "unplain",
]


MISSING = object()


def shuffled(keys: Sequence[Plain], rng: Random) -> Iterator[Plain]:
    """All keys in random order, drawn one by one."""
    left = list(keys)
    while left:
        place = rng.randrange(len(left))
        yield left[place]
        left[place] = left[-1]
        left.pop()


def by_odds(keys: Sequence[Plain], odds: Mapping[Plain, float], rng: Random) -> list[Plain]:
    """All keys in random order: each remaining key comes next with a chance in proportion to its odds."""
    drawn = [(rng.random() ** (1.0 / odds.get(key, 1.0)), place) for place, key in enumerate(keys)]
    return [keys[place] for _, place in sorted(drawn, reverse=True)]


class Choose(Question):
    """One of several keys. ``of`` says what the keys are (model, unit, weapon, piece, side, word, number).

    Each key is judged once: nothing changes while the question is open. ``odds``: how much more or less often than the
    others (1) a sample draws some keys; every lawful key can still be drawn. ``closed``: further keys that cannot be
    chosen, each with the reason; computed only when somebody wants to see or choose one.
    """

    kind = "choose"
    __slots__ = ("_all", "_candidates", "_closed", "_forbids", "_judged", "_keys", "_likely", "_odds", "of")

    def __init__(
        self,
        side: int | None,
        prompt: str,
        candidates: Sequence[Plain] | Callable[[], Sequence[Plain]],
        of: str = "word",
        forbids: Callable[[Any], Fault | Refusal | None] | None = None,
        about: dict[str, Plain] | None = None,
        likely: Sequence[Plain] = (),
        odds: Mapping[Plain, float] | None = None,
        closed: Callable[[], Mapping[Plain, Fault | Refusal | None]] | None = None,
    ) -> None:
        super().__init__(side, prompt, about)
        self.of = of
        self._likely = likely
        self._closed: Callable[[], Mapping[Plain, Fault | Refusal | None]] | list[Plain] = closed or []
        self._odds = odds
        self._candidates = candidates
        self._forbids = forbids
        self._all: list[Plain] | None = None
        self._keys: list[Plain] | None = None
        self._judged: dict[Plain, Fault | Refusal | None] = {}

    def extent(self) -> dict[str, Plain]:
        return {"of": self.of}

    @property
    def candidates(self) -> list[Plain]:
        """The keys of the choice, forbidden ones included."""
        return [*self._among(), *self._shut()]

    def _shut(self) -> list[Plain]:
        """The keys that are closed; from then on they are judged."""
        if callable(self._closed):
            among, found = self._among(), self._closed()
            self._closed = [key for key, why in found.items() if why is not None and key not in among]
            self._judged |= {key: found[key] for key in self._closed}
        return self._closed

    def _among(self) -> list[Plain]:
        if self._all is None:
            found = self._candidates() if callable(self._candidates) else self._candidates
            self._all = [keyed(one) if isinstance(one, SEVERAL) else one for one in found]
        return self._all

    def lawful(self) -> Iterator[Plain]:
        """The keys that nothing forbids, judged one by one."""
        return (key for key in self._among() if self.why_not(key) is None)

    def _found(self, answer: Plain) -> Plain:
        """The candidate that an answer means, or MISSING."""
        among, key = self._among(), keyed(answer)
        if self._closed and key not in among:
            among = self._shut()
        try:
            first = among[among.index(key)]
        except ValueError:
            return MISSING
        return first if same(answer, first) else next((one for one in among if same(answer, one)), MISSING)

    def why_not(self, key: Plain) -> Fault | Refusal | None:
        if self._forbids is None:
            return self._judged.get(key)
        if key not in self._judged:
            self._judged[key] = self._forbids(key)
        return self._judged[key]

    def options(self) -> list[Plain]:
        if self._keys is None:
            self._keys = list(self.lawful())
        return list(self._keys)

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        key = self._found(answer)
        return NOT_OFFERED if key is MISSING else self.why_not(key)

    def sample(self, rng: Random) -> Plain:
        """A random key that nothing forbids. Raises ValueError if there is none."""
        for key in self.drawn(rng):
            return key
        raise ValueError(f"'{self.prompt}' leaves nothing to choose")

    def drawn(self, rng: Random) -> Iterator[Plain]:
        """The keys that nothing forbids, in the order in which they are drawn at random; judged one by one."""
        keys = self._among()
        drawn = shuffled(keys, rng) if self._odds is None else by_odds(keys, self._odds, rng)
        return (key for key in drawn if self.why_not(key) is None)

    def leaning(self, rng: Random, without: Sequence[Plain] = ()) -> Plain:
        """A lawful key that the ruleset considers likely to be good (more likely if named more often), else any.

        ``without``: keys that are taken only if there is no other.
        """
        likely = rng.sample(self._likely, len(self._likely))
        keys = chain(likely, self.drawn(rng)) if without else likely
        found = next((key for key in keys if key not in without and self.why_not(key) is None), MISSING)
        return self.sample(rng) if found is MISSING else found

    def named_most(self) -> list[Plain]:
        """The lawful keys that the ruleset considers likely to be good, those named most often first."""
        times = Counter(self._likely)
        return [key for key, _ in times.most_common() if self.why_not(key) is None]

    def likeliest(self, rng: Random, without: Sequence[Plain] = ()) -> Plain:
        """The lawful key with the highest odds (random among equals); without odds a leaning one, or the first.

        ``without``: keys that are taken only if there is no other. Raises ValueError if there is none at all.
        """
        if self._odds is None and self._likely:
            return self.leaning(rng, without)
        keys = self._among()
        if self._odds is not None:
            drawn = [(-self._odds.get(key, 1.0), rng.random(), place) for place, key in enumerate(keys)]
            keys = [keys[place] for _, _, place in sorted(drawn)]
        if without:
            keys = sorted(keys, key=lambda key: key in without)
        for key in keys:
            if self.why_not(key) is None:
                return key
        raise ValueError(f"'{self.prompt}' leaves nothing to choose")

    def understood(self, answer: Plain) -> Any:
        """The key as it was offered."""
        key = self._found(answer)
        return keyed(answer) if key is MISSING else key


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
        self.items = [keyed(one) for one in items]
        self.of = of

    def extent(self) -> dict[str, Plain]:
        return {"items": self.items, "of": self.of}

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if isinstance(answer, list | tuple) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | None:
        return NOT_OFFERED if self.ordered(answer) is None else None

    def ordered(self, answer: Sequence[Plain]) -> list[Plain] | None:
        """The items themselves in the order of the answer; None if the answer does not contain exactly all of them."""
        left, found = list(self.items), []
        for one in answer:
            place = next((n for n, item in enumerate(left) if same(one, item)), None)
            if place is None:
                return None
            found.append(left.pop(place))
        return None if left else found

    def sample(self, rng: Random) -> Plain:
        return rng.sample(self.items, len(self.items))

    def suggestions(self) -> list[Plain]:
        return [list(self.items), list(reversed(self.items))]

    def understood(self, answer: Plain) -> Any:
        return self.ordered(answer)


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
        return Fault(measured=answer, limit=self.high if answer > self.high else self.low, word="answer.beyond")

    def options(self) -> list[Plain] | None:
        return list(range(self.low, self.high + 1)) if self.high - self.low < 100 else None

    def sample(self, rng: Random) -> Plain:
        return rng.randint(self.low, self.high)

    def suggestions(self) -> list[Plain]:
        inside = [one for one in self._suggested if self.low <= one <= self.high]
        return inside or sorted({self.low, (self.low + self.high) // 2, self.high})


Fields = Callable[[list[Any]], Question | None]


def in_turn(several: list[Iterator[Any]]) -> Iterator[Any]:
    """One of each iterator, then another of each, until all are spent."""
    while several:
        left = []
        for one in several:
            for value in islice(one, 1):
                yield value
                left.append(one)
        several = left


class Form(Question):
    """Several answers given at once: each field is a question that may depend on the fields before it.

    ``fields(filled)`` returns the next field, given the values that the earlier fields understood, or None when the
    form is complete. The answer is the list of the fields' answers. ``idle`` is the answer that does
    nothing, if there is one: thinking players compare the others with it. Each field is made once: nothing changes
    while the form is open.
    """

    kind = "form"
    __slots__ = ("_fields", "_last", "_made", "idle")

    def __init__(
        self,
        side: int,
        prompt: str,
        fields: Fields,
        about: dict[str, Plain] | None = None,
        idle: list[Plain] | None = None,
    ) -> None:
        super().__init__(side, prompt, about)
        self._fields = fields
        self._made: dict[tuple[tuple[type, Plain], ...], Question | None] = {}
        self._last: tuple[Plain, list[Any]] | None = None
        self.idle = idle

    def after(self, filled: list[Any]) -> Question | None:
        """The field after these have been filled in, as their questions understood them."""
        known = tuple(zip(map(type, filled), filled, strict=True))
        try:
            if known in self._made:
                question = self._made[known]
            else:
                question = self._made[known] = self._fields(filled[:])
        except TypeError:
            question = self._fields(filled[:])
        if question is not None and not question.rules:
            question.rules = self.rules
        return question

    def field(self, answers: Sequence[Plain]) -> Question | None:
        """The field after these answers, or None when they complete the form."""
        question = None
        filled: list[Any] = []
        for answer in (*answers, None):
            question = self.after(filled)
            if question is None or len(filled) == len(answers):
                break
            filled.append(question.understood(answer))
        return question

    def misshapen(self, answer: Plain) -> Fault | None:
        return None if isinstance(answer, list | tuple) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        filled: list[Any] = []
        for one in answer:
            question = self.after(filled)
            if question is None:
                return WRONG_SHAPE
            refusal = question.refusal_of_plain(one)
            if refusal is not None:
                return refusal
            filled.append(question.understood(one))
        self._last = answer, filled
        return None if self.after(filled) is None else WRONG_SHAPE

    def sample(self, rng: Random) -> Plain:
        answers: list[Plain] = []
        filled: list[Any] = []
        while (question := self.after(filled)) is not None:
            answers.append(question.sample(rng))
            filled.append(question.understood(answers[-1]))
        return answers

    def suggestions(self) -> list[Plain]:
        return list(islice(self.filled_in(), MOST_SUGGESTIONS * 4))

    def filled_in(self, answers: tuple[Plain, ...] = (), filled: tuple[Any, ...] = ()) -> Iterator[list[Plain]]:
        """Complete answers made of the suggestions of every field, each suggestion in turn."""
        question = self.after(list(filled))
        if question is None:
            yield list(answers)
            return
        understood = question.understood
        yield from in_turn(
            [self.filled_in((*answers, one), (*filled, understood(one))) for one in question.suggestions()]
        )

    def understood(self, answer: Plain) -> Any:
        """The values that the fields understood; for the answer judged last they are known already."""
        if self._last is not None and self._last[0] is answer:
            return self._last[1][:]
        filled: list[Any] = []
        for one in answer:
            question = self.after(filled)
            if question is None:
                break
            filled.append(question.understood(one))
        return filled


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
        return None if fits and all(any(same(one, h) for h in self.holders) for one in answer) else WRONG_SHAPE

    def forbidden(self, answer: Plain) -> Fault | Refusal | None:
        return self._fits(self.understood(answer))

    def understood(self, answer: Plain) -> Any:
        """The holders themselves."""
        return [next(h for h in self.holders if same(one, h)) for one in answer]

    def sample(self, rng: Random) -> Plain:
        return self._proposal(rng)

    def suggestions(self) -> list[Plain]:
        return [self._proposal(None)]
