"""Allocated hits: each one is rolled separately, and each model suffers its own.

The stages are those of play, run from a single hit. The effect of several hits on a model is computed by the rule once
for all models of its class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from campale.dice.counts import Chances, chances_of, times, together
from campale.dice.odds import exact
from campale.dice.stages import Stage
from campale.referee.position import Position
from campale.rulesets.e3m.command.units import WOUNDS
from campale.rulesets.e3m.fire.plan import Volley
from campale.rulesets.e3m.fire.volley import Dealt, Hit, casualties, stages_of
from campale.rulesets.e3m.odds.alike import Alike

Hits = tuple[Hit, ...]
Suffering = tuple[int, ...]
"""The numbers of what each model suffers (see ``Wounding.numbered``), in order."""
Run = Callable[[Any, Stage], Mapping[Any, float]]
"""Runs a stage of the volley on a value."""


class Wounding:
    """The effect of hits, by the classes of the models that take them."""

    def __init__(self, volley: Volley, alike: Alike, run: Run) -> None:
        self.volley, self.alike, self.run = volley, alike, run
        _, _, self.wound, self.save, self.lose = stages_of(volley)
        self.singles: dict[Hashable, tuple[float, float]] = {}
        self.fates: dict[tuple[Hashable, Hits], dict[Hits, float]] = {}
        self.sames: dict[Hashable, Hits] = {}
        self.groups: dict[Hashable, dict[Suffering, float]] = {}
        self.numbers: dict[tuple[Hashable, Hits], int] = {}

    # ------------------------------------------------------------ one hit

    def chances(self, kind: Hashable, hit: Hit) -> tuple[float, float]:
        """The chances that one hit wounds, and that it wounds and is not saved."""
        if (kind, hit) not in self.singles:
            alone = Dealt(((self.alike.classes[kind][0], hit),))
            wounds = through_it(self.run(alone, self.wound))
            self.singles[kind, hit] = wounds, wounds and wounds * through_it(self.run(alone, self.save))
        return self.singles[kind, hit]

    def counted(self, dealt: Dealt, stage: int) -> Chances:
        """The chances of how many hits wound (stage 0) or are not saved (stage 1)."""
        alike = Counter((self.alike.class_of(row), hit) for row, hit in dealt.hits)
        ones = ((self.chances(*one)[stage], many) for one, many in alike.items())
        return together(times(chances_of({0: 1.0 - chance, 1: chance}), many) for chance, many in ones)

    # ------------------------------------------------------------ one model

    def fate(self, kind: Hashable, hits: Hits) -> dict[Hits, float]:
        """What a model of a class suffers from these hits, with chances."""
        if not hits:
            return {(): 1.0}
        if (kind, hits) not in self.fates:
            last = self.chances(kind, hits[-1])[1]
            found: dict[Hits, float] = {}
            for before, chance in self.fate(kind, hits[:-1]).items():
                after = self.same(kind, (*before, hits[-1]))
                found[before] = found.get(before, 0.0) + chance * (1.0 - last)
                found[after] = found.get(after, 0.0) + chance * last
            self.fates[kind, hits] = {one: chance for one, chance in found.items() if chance}
        return self.fates[kind, hits]

    def same(self, kind: Hashable, suffered: Hits) -> Hits:
        """The first hits found that have the same effect on a model of the class."""
        row = self.alike.classes[kind][0]
        found = exact(self.volley.unit.position, partial(suffer_all, row, suffered, self.volley), outcome=state_of)
        (state,) = found.outcomes
        return self.sames.setdefault((kind, state), suffered)

    # ------------------------------------------------------------ all of them

    def suffering(self, dealt: Dealt) -> dict[Suffering, float]:
        """What the models suffer, with chances."""
        taken: dict[int, list[Hit]] = {}
        for row, hit in dealt.hits:
            taken.setdefault(row, []).append(hit)
        alike = Counter((self.alike.class_of(row), tuple(hits)) for row, hits in taken.items())
        found: dict[Suffering, float] = {(): 1.0}
        for (kind, hits), many in alike.items():
            found = joined(found, self.several(kind, hits, many))
        return found

    def several(self, kind: Hashable, hits: Hits, many: int) -> dict[Suffering, float]:
        """What ``many`` models of a class suffer that take the same hits, with chances."""
        if not many:
            return {(): 1.0}
        key = kind, hits, many
        if key not in self.groups:
            one = {self.numbered(kind, suffered): chance for suffered, chance in self.fate(kind, hits).items()}
            self.groups[key] = joined(self.several(kind, hits, many - 1), one)
        return self.groups[key]

    def numbered(self, kind: Hashable, suffered: Hits) -> Suffering:
        return (self.numbers.setdefault((kind, suffered), len(self.numbers)),) if suffered else ()

    def dealt(self, suffering: Suffering) -> Dealt:
        """The same as hits on the first models of each class."""
        known = list(self.numbers)
        waiting = {kind: iter(rows) for kind, rows in self.alike.classes.items()}
        who = [(next(waiting[kind]), hits) for kind, hits in (known[number] for number in suffering)]
        return Dealt(tuple((row, hit) for row, hits in who for hit in hits))


def through_it(given: Mapping[Dealt, float]) -> float:
    """The chance that a hit gets through a stage."""
    return sum(chance for one, chance in given.items() if one.hits)


def joined(one: Mapping[Suffering, float], other: Mapping[Suffering, float]) -> dict[Suffering, float]:
    found: dict[Suffering, float] = {}
    for some, chance in one.items():
        for more, share in other.items():
            both = tuple(sorted((*some, *more)))
            found[both] = found.get(both, 0.0) + chance * share
    return found


async def suffer_all(row: int, hits: Sequence[Hit], volley: Volley, copy: Position) -> tuple[int, tuple[int, ...]]:
    """Let one model suffer hits. Returns its row, and the units pinned by it."""
    *_, lose = stages_of(volley.on(copy))
    hurt = await lose(Dealt(tuple((row, hit) for hit in hits)))
    return row, casualties(copy, hurt, volley.unit)


def state_of(copy: Position, given: tuple[int, tuple[int, ...]]) -> Hashable:
    row, pinned = given
    model = copy.model(row)
    return model.is_on_table, model.marks(WOUNDS), pinned
