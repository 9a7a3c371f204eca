"""Stages played one after another, in float64: each is run once from each value from which it is ever begun.

What ``campale.dice.odds`` does with exact fractions is done here for rows of many like stages (wound after wound, hit
after hit), where fractions would grow long. Each stage itself is enumerated exactly, by its own coroutine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from campale.dice.odds import Policy, TooMany, exact, of_stage
from campale.dice.stages import Stage

Values = dict[Any, float]
"""Values, and the chance of each."""


class Chain:
    """Stages that leave the position alone. ``decided``: the prompts that were answered by the policy on the way.

    ``alike`` gives of values that come to the same always the same one.
    """

    def __init__(
        self, policy: Policy | None = None, most: int | None = None, alike: Callable[[Any], Any] | None = None
    ) -> None:
        self.policy = policy
        self.most = most
        self.alike = alike
        self.runs = 0
        self.decided: dict[str, None] = {}
        self.kept: dict[Any, Values] = {}

    def step(self, value: Any, stage: Stage) -> Values:
        """What a stage gives from a value. A stage that comes again is the same ``partial`` of the same."""
        key = value, (stage.func, stage.args) if isinstance(stage, partial) else stage
        if key not in self.kept:
            self.kept[key] = self.run(value, stage)
        return self.kept[key]

    def run(self, value: Any, stage: Stage) -> Values:
        left = None if self.most is None else self.most - self.runs
        if left is not None and left <= 0:
            raise TooMany(f"more than {self.most} branches")
        found, runs = of_stage(value, stage, self.policy, left)
        self.runs += runs
        self.decided.update(dict.fromkeys(found.decided))
        return merged({one: float(chance) for one, chance in found.outcomes.items()}, self.alike)

    def after(self, values: Mapping[Any, float], stage: Stage) -> Values:
        """What a stage makes of values."""
        found: Values = {}
        for value, chance in values.items():
            for given, share in self.step(value, stage).items():
                found[given] = found.get(given, 0.0) + chance * share
        return found


def merged(values: Values, alike: Callable[[Any], Any] | None) -> Values:
    if alike is None:
        return values
    found: Values = {}
    for value, chance in values.items():
        same = alike(value)
        found[same] = found.get(same, 0.0) + chance
    return found


Key = Any
Leaving = dict[tuple[Key, Any], float]
"""The keys of the positions that something may leave behind, with what it gives, and the chance of each."""


class Worlds:
    """Rules that change the position, played one after another: positions of one key are the same for what comes next.

    ``key(position)`` is all that may still tell one position from another; of each key one position is kept. What is
    played is known again by its ``name``. ``most``: how often all rules together may be run before it gives up.
    """

    def __init__(self, key: Callable[[Any], Key], policy: Policy | None = None, most: int | None = None) -> None:
        self.key = key
        self.policy = policy
        self.most = most
        self.decided: dict[str, None] = {}
        self.positions: dict[Key, Any] = {}
        self.kept: dict[Any, Leaving] = {}
        self.runs = 0

    def begin(self, position: Any) -> Key:
        key = self.key(position)
        self.positions.setdefault(key, position)
        return key

    def after(self, key: Key, name: Any, call: Callable[[Any], Any]) -> Leaving:
        """What the rule's own coroutine, made anew on every copy by ``call(copy)``, leaves behind, and gives."""
        if (key, name) not in self.kept:
            self.kept[key, name] = self.played(key, call)
        return self.kept[key, name]

    def played(self, key: Key, call: Callable[[Any], Any]) -> Leaving:
        def left(position: Any, given: Any) -> tuple[Key, Any]:
            self.runs += 1
            return self.begin(position), given

        rest = None if self.most is None else self.most - self.runs
        if rest is not None and rest <= 0:
            raise TooMany(f"more than {self.most} branches")
        found = exact(self.positions[key], call, self.policy, left, rest)
        self.decided.update(dict.fromkeys(found.decided))
        return {leaving: float(chance) for leaving, chance in found.outcomes.items()}
