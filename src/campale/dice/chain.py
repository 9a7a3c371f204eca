"""Exact runs of consecutive stages: the positions that they may leave, with their chances.

A stage is a rule's own coroutine, ``stage(position, *values)``; its result and its values must be hashable. It is
enumerated exactly, once for each position and values, whatever led there; the chances of consecutive stages are added
in float64, because fractions would grow long over many stages. Attacks of many like things are counted in
``campale.dice.bags``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from campale.dice.odds import Policy, TooMany, exact, itself, of_stage

Stage = Callable[..., Any]
Calls = tuple[tuple[Any, ...], ...]
"""Stages with their additional values: (stage, value, …)."""
Key = Any
Leaving = dict[tuple[Key, Any], float]
"""The keys of the possible positions afterwards, each with the stage's result and its chance."""
S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)


class Adding(NamedTuple):
    """How to chain stages that each add something.

    ``seen(so_far)`` is the part that the next stage may look at, passed as its last value; ``joined(so_far, given)`` is
    the total after it.
    """

    seen: Callable[[Any], Any]
    joined: Callable[[Any, Any], Any]


class Chain:
    """Stages from one position.

    ``decided``: the prompts that the policy answered on the way. ``key(position)`` contains everything of a position
    that matters later; one position per key is kept. Without it no stage changes the position. ``alike`` gives the same
    value for all equivalent values. ``most``: the number of branches before TooMany is raised.
    """

    def __init__(
        self,
        position: Any,
        policy: Policy | None,
        most: int | None = None,
        key: Callable[[Any], Key] | None = None,
        alike: Callable[[Any], Any] = itself,
    ) -> None:
        self.policy, self.most, self.key, self.alike = policy, most, key, alike
        self.decided: dict[str, None] = {}
        self.positions: dict[Key, Any] = {}
        self.kept: dict[Any, Leaving] = {}
        self.runs = 0
        self.begun = self.key_of(position)

    def key_of(self, position: Any) -> Key:
        key = None if self.key is None else self.key(position)
        self.positions.setdefault(key, position)
        return key

    def position(self, key: Key) -> Any:
        return self.positions[key]

    def after(self, key: Key, stage: Stage, *values: Any) -> Leaving:
        """The positions after a stage, with its results."""
        name = key, stage, values
        if name not in self.kept:
            found = self.unchanged(key, stage, values) if self.key is None else self.changed(key, stage, values)
            merged: Leaving = {}
            for (after, given), chance in found.items():
                same = after, self.alike(given)
                merged[same] = merged.get(same, 0.0) + chance
            self.kept[name] = merged
        return self.kept[name]

    def changed(self, key: Key, stage: Stage, values: tuple[Any, ...]) -> Leaving:
        def left(position: Any, given: Any) -> tuple[Key, Any]:
            self.runs += 1
            return self.key_of(position), given

        found = exact(self.position(key), lambda copy: stage(copy, *values), self.policy, left, self.runs_left())
        self.decided.update(dict.fromkeys(found.decided))
        return {leaving: float(chance) for leaving, chance in found.outcomes.items()}

    def unchanged(self, key: Key, stage: Stage, values: tuple[Any, ...]) -> Leaving:
        """The results of a stage without copies of the position."""
        found, runs = of_stage(None, lambda _: stage(self.position(key), *values), self.policy, self.runs_left())
        self.runs += runs
        self.decided.update(dict.fromkeys(found.decided))
        return {(key, given): float(chance) for given, chance in found.outcomes.items()}

    def runs_left(self) -> int | None:
        left = None if self.most is None else self.most - self.runs
        if left is not None and left <= 0:
            raise TooMany(f"more than {self.most} branches")
        return left

    def then(self, before: Leaving, stage: Stage) -> Leaving:
        """The results of a stage for each of the values before it."""
        return then(before, lambda key, value: self.after(key, stage, value))

    def folded(self, key: Key, begun: Any, calls: Calls, how: Adding) -> Leaving:
        """The stages one after another; results for the first ones are kept."""
        if not calls:
            return {(key, begun): 1.0}
        name = "folded", key, begun, calls
        if name not in self.kept:
            self.kept[name] = then(self.folded(key, begun, calls[:-1], how), partial(self.one_more, calls[-1], how))
        return self.kept[name]

    def one_more(self, call: tuple[Any, ...], how: Adding, key: Key, so_far: Any) -> Leaving:
        found: Leaving = {}
        for (after, given), chance in self.after(key, *call, how.seen(so_far)).items():
            both = after, self.alike(how.joined(so_far, given))
            found[both] = found.get(both, 0.0) + chance
        return found


# ---------------------------------------------------------------- consecutive stages


def then(before: Leaving, becomes: Callable[[Key, Any], Leaving]) -> Leaving:
    found: Leaving = {}
    for (key, value), chance in before.items():
        for after, share in becomes(key, value).items():
            found[after] = found.get(after, 0.0) + chance * share
    return found


def weighed(several: Sequence[tuple[dict[S, float], float]]) -> dict[S, float]:
    """A mixture of several cases, each with its chance."""
    if len(several) == 1 and several[0][1] == 1.0:
        return several[0][0]
    found: dict[S, float] = {}
    for one, chance in several:
        for after, share in one.items():
            found[after] = found.get(after, 0.0) + chance * share
    return found


def orders_of(things: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """The different orders of some dice, which are all equally likely."""
    found = []
    for first in dict.fromkeys(things):
        place = things.index(first)
        found += [(first, *rest) for rest in orders_of(things[:place] + things[place + 1 :])]
    return found or [()]


def until_over(begun: S, step: Callable[[S], tuple[Mapping[S, float], Mapping[E, float]]], most: int) -> dict[E, float]:
    """The ends of a process that may go on for ever: ``step(state)`` gives the possible next states, and the ends.

    More than ``most`` states besides the first raise TooMany.
    """
    steps: dict[S, tuple[Mapping[S, float], Mapping[E, float]]] = {}
    waiting = [begun]
    while waiting:
        state = waiting.pop()
        if state not in steps:
            if len(steps) > most:
                raise TooMany(f"more than {most} states")
            steps[state] = step(state)
            waiting += steps[state][0]
    found: dict[E, float] = {}
    for (_, ends), visits in zip(steps.values(), visits_of(list(steps), steps), strict=True):
        for end, chance in ends.items():
            found[end] = found.get(end, 0.0) + chance * visits
    return found


def visits_of(states: list[S], steps: Mapping[S, tuple[Mapping[S, float], Any]]) -> list[float]:
    """How often each of the states is visited, starting from the first."""
    place = {state: n for n, state in enumerate(states)}
    again = np.zeros((len(states), len(states)))
    for state in states:
        for after, chance in steps[state][0].items():
            again[place[state], place[after]] += chance
    start = np.eye(len(states))[0]
    return [float(one) for one in np.linalg.solve(np.eye(len(states)) - again.T, start)]
