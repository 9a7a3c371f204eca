"""The odds of what hits on a unit of living models come to: wounds, unsaved wounds, models lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from functools import partial, reduce
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from campale.dice import counts
from campale.dice.counts import NONE, Chances, chances_of
from campale.dice.odds import TooMany
from campale.referee.position import Model, Position, Unit
from campale.rulesets.e55.definitions.characteristics import value
from campale.rulesets.e55.definitions.types import living
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import allocation, resolving, saves, wounding
from campale.rulesets.e55.hits.attacks import Hit, Wound
from campale.rulesets.e55.hits.resolving import Suffered
from campale.rulesets.e55.hits.saves import Borne, Lot
from campale.rulesets.e55.odds.volley_odds import (
    RAREST,
    Attacks,
    Fire,
    Hits,
    and_then,
    by_number,
    in_floats,
    mixed,
    numbers_of,
    struck_of,
)

MOST_WAYS = 400
"""Of how many numbers of wounds, kind by kind, the allotment is gone through."""

MOST_TOGETHER = 12_000
"""Of how many numbers of wounds, for each group of models that markers may hit, the losses are gone through."""

Wounds = tuple[Wound, ...]
Array = np.ndarray[Any, Any]
Event = tuple[tuple[float, Borne | None], ...]
"""What may befall one model: the chance of each wound, or of none."""


class Wounding(NamedTuple):
    """Attacks that are alike: how many, and what one of them does: the chance of each kind of wounds."""

    many: int
    wounds: dict[Wounds, float]


class Lost(NamedTuple):
    """The unsaved wounds; and the chances of so many models lost, with an axis for each kind of model."""

    unsaved: Chances
    models: Array

    @property
    def numbers(self) -> Chances:
        return summed(self.models)


def summed(models: Array) -> Chances:
    """The chances of a sum, from those of its parts (an axis each)."""
    found = np.zeros(sum(size - 1 for size in models.shape) + 1)
    np.add.at(found, np.indices(models.shape).sum(axis=0), models)
    return found


# ---------------------------------------------------------------- wounds


def wounds_counted(fire: Fire, attacks: Sequence[Attacks]) -> Chances:
    """How many wounds there are, given out by their owner or aimed at single models."""
    each = []
    for one in attacks:
        wounds = ((chance, wounds_of_few(fire, hits)) for hits, chance in one.hits.items())
        each.append(counts.times(mixed(wounds), one.many))
    return counts.together(each)


def wounds_of_few(fire: Fire, hits: Hits) -> Chances:
    return counts.together(chances_of(by_number(wounds_by(fire, hit))) for hit in hits)


def wounds_by(fire: Fire, hit: Hit) -> dict[Wounds, float]:
    """The chance of the wounds of one hit: none, or of which kind."""
    key = "wounds", replace(hit, by_model=-1)
    if key not in fire.chain.kept:
        fire.chain.kept[key] = wounds_by_toughness(fire, hit)
    return fire.chain.kept[key]


def wounds_by_toughness(fire: Fire, hit: Hit) -> dict[Wounds, float]:
    """What a hit on a unit wounds hangs on nothing but the hit and the unit's toughness."""
    is_common = hit.target < 0 and bool(members(fire.target))
    toughness = wounding.toughness_against(hit, fire.target) if is_common else 0
    key = "wounds", fire.row, replace(hit, by_model=-1), toughness
    if not is_common or key not in fire.common:
        found = fire.odds(lambda position: wounding.wounds_of(Unit(position, fire.row), (hit,)))
        fire.common[key] = in_floats(found.of(without_firer))
    known: dict[Wounds, float] = fire.common[key]
    return known


def without_firer(wounds: Wounds) -> Wounds:
    return tuple(replace(one, by_model=-1) for one in wounds)


def wounding_of(fire: Fire, attacks: Attacks) -> Wounding:
    """What one attack does whose hits are the unit's: the wounds of each outcome of its die."""

    def becomes(hits: Hits) -> dict[Wounds, float]:
        return wounds_by(fire, hits[0]) if hits else {(): 1.0}

    return Wounding(attacks.many, and_then(attacks.hits, becomes))


# ---------------------------------------------------------------- saves and losses


def losses_of(fire: Fire, attacks: Sequence[Attacks]) -> Lost:
    """The unsaved wounds, and the models lost."""
    wounding = [wounding_of(fire, one) for one in attacks if not is_aimed(one)]
    struck = struck_of([one for one in attacks if is_aimed(one)])
    kinds = list(dict.fromkeys(one for attack in wounding for wounds in attack.wounds for one in wounds))
    if set(struck) == {()} and save_as_one(fire, kinds):
        return losses_of_one_group(fire, wounding)
    numbers = numbers_of(kinds, wounding)
    if len(numbers) > MOST_WAYS or len(numbers) * len(struck) > MOST_TOGETHER:
        raise TooMany("too many numbers of wounds")
    return Losing(fire).of(kinds, numbers, struck)


def is_aimed(attacks: Attacks) -> bool:
    """Whether the hits are on single models: those of a marker or template."""
    return any(hit.target >= 0 for hits in attacks.hits for hit in hits)


def save_as_one(fire: Fire, kinds: Sequence[Wound]) -> bool:
    """Whether it is all one who gets which wound, and each is saved whatever becomes of the others."""
    models = living(fire.target)
    is_one_group = len(allocation.groups_of(fire.target)) == 1 and len(models) > 1
    return is_one_group and allocation.makes_no_difference(models, list(kinds), fire.covers)


def losses_of_one_group(fire: Fire, attacks: Sequence[Wounding]) -> Lost:
    key = "lost", tuple((one.many, tuple(one.wounds.items())) for one in attacks)
    if key not in fire.found:
        fire.found[key] = lost_of_one_group(fire, attacks)
    found: Lost = fire.found[key]
    return found


def lost_of_one_group(fire: Fire, attacks: Sequence[Wounding]) -> Lost:
    each = []
    for attack in attacks:
        one: dict[int, float] = {}
        for wounds, chance in attack.wounds.items():
            for number, share in unsaved_of_few(fire, wounds).items():
                one[number] = one.get(number, 0.0) + chance * share
        each.append(counts.times(chances_of(one), attack.many))
    unsaved = counts.together(each)
    lot = next((lots_of(fire, wounds)[0] for attack in attacks for wounds in attack.wounds if wounds), None)
    if lot is None:
        return Lost(unsaved, unsaved)
    several = [(number, p) for number, p in enumerate(unsaved) if p > RAREST]
    return Lost(unsaved, mixed((p, certainly(len(fallen(fire, lot, number)))) for number, p in several))


def certainly(number: int) -> Chances:
    return chances_of({number: 1.0})


def unsaved_of_few(fire: Fire, wounds: Wounds) -> dict[int, float]:
    """Of the wounds of one attack, how many are not saved."""

    found = {0: 1.0}
    for lot in lots_of(fire, wounds) if wounds else ():
        found = by_number(and_then(found, partial(with_unsaved, unsaved_of_lot(fire, lot))), int)
    return found


def with_unsaved(more: Mapping[int, float], number: int) -> dict[int, float]:
    return {number + one: chance for one, chance in more.items()}


def unsaved_of_lot(fire: Fire, lot: Lot) -> dict[int, float]:
    """How many wounds of a lot are not saved hangs on nothing but the wounds, and what may avert each."""
    side = fire.target.side
    key = "unsaved", side, tuple((one.wound, one.save, one.pain) for one in lot.borne)
    if key not in fire.common:
        fire.common[key] = in_floats(fire.odds(lambda _: saves.unsaved_of(side, lot.borne)).of(len))
    found: dict[int, float] = fire.common[key]
    return found


def lots_of(fire: Fire, wounds: Wounds) -> tuple[Lot, ...]:
    """The lots of some wounds: nothing is rolled for them."""
    key = "lots", wounds
    if key not in fire.chain.kept:
        found = fire.odds(lambda position: resolving.lots_of(Unit(position, fire.row), wounds, fire.covers))
        fire.chain.kept[key] = {tuple(next(iter(found.outcomes))): 1.0}
    lots: tuple[Lot, ...] = next(iter(fire.chain.kept[key]))
    return lots


def fallen(fire: Fire, lot: Lot, number: int) -> tuple[int, ...]:
    """The rows of the models that so many unsaved wounds cost a group."""
    key = "fallen", lot.rows, min(number, len(lot.rows))
    if number == 0:
        return ()
    if key not in fire.chain.kept:
        unsaved = (lot.borne[0],) * key[2]
        found = fire.odds(
            lambda position: resolving.lose_of_group(Unit(position, fire.row), lot, unsaved), partial(gone, lot.rows)
        )
        fire.chain.kept[key] = {next(iter(found.outcomes)): 1.0}
    rows: tuple[int, ...] = next(iter(fire.chain.kept[key]))
    return rows


def gone(rows: Sequence[int], position: Position, _: Any) -> tuple[int, ...]:
    return tuple(row for row in rows if not position.model(row).is_on_table)


# ---------------------------------------------------------------- group by group


class Losing:
    """What the wounds given out, and the hits aimed at single models, cost a unit: group after group."""

    def __init__(self, fire: Fire) -> None:
        self.fire = fire
        self.groups = [tuple(model.row for model in group) for group in allocation.groups_of(fire.target)]
        self.classes = classes_of(fire.target)
        self.events: dict[Hit, Event] = {}
        self.kept: dict[Any, tuple[Chances, Chances]] = {}

    def of(
        self, kinds: Sequence[Wound], numbers: Mapping[tuple[int, ...], float], struck: Mapping[Hits, float]
    ) -> Lost:
        """All numbers of wounds (of some kinds), with all that may be struck."""
        aims = [(chance, self.events_by_row(hits)) for hits, chance in struck.items()]
        unsaved: list[tuple[float, Chances]] = []
        models = np.zeros([len(rows) + 1 for rows in self.classes])
        for number, chance in numbers.items():
            wounds = tuple(kind for kind, count in zip(kinds, number, strict=True) for _ in range(count))
            lots = {lot.rows: lot for lot in lots_of(self.fire, wounds)} if wounds else {}
            for share, events in aims:
                parts = [self.part(rows, lots.get(rows), events) for rows in self.groups]
                unsaved.append((chance * share, counts.together(part for part, _ in parts)))
                models += chance * share * self.joint([lost for _, lost in parts])
        return Lost(mixed(unsaved), models)

    def joint(self, lost: Sequence[Chances]) -> Array:
        """The chances of so many models lost, with an axis for each kind of model."""
        axes = []
        for rows in self.classes:
            of_class = [one for group, one in zip(self.groups, lost, strict=True) if group[0] in rows]
            found = counts.together(of_class)
            axes.append(np.pad(found, (0, len(rows) + 1 - len(found))))
        return reduce(np.multiply.outer, axes)

    def events_by_row(self, hits: Hits) -> dict[int, tuple[Event, ...]]:
        """Of every model that is hit (by row), what each hit may do to it."""
        return {row: tuple(map(self.event, several)) for row, several in groupby(hits, key=lambda hit: hit.target)}

    def event(self, hit: Hit) -> Event:
        if hit not in self.events:
            found: list[tuple[float, Borne | None]] = []
            for wounds, chance in wounds_by(self.fire, hit).items():
                lots = lots_of(self.fire, wounds) if wounds else ()
                found.append((chance, lots[0].borne[0] if lots else None))
            self.events[hit] = tuple(found)
        return self.events[hit]

    def part(
        self, rows: tuple[int, ...], lot: Lot | None, aimed: Mapping[int, tuple[Event, ...]]
    ) -> tuple[Chances, Chances]:
        """The unsaved wounds and the losses of one group."""
        events = tuple((row, aimed[row]) for row in rows if row in aimed)
        if lot is None and not events:
            return NONE, NONE
        if len(rows) == 1:
            own = tuple(((1.0, borne),) for borne in lot.borne) if lot is not None else ()
            return self.of_model(rows[0], (*own, *(event for _, several in events for event in several)))
        alike = Counter(tuple(as_of(rows[0], several)) for _, several in events)
        key = rows, lot, events if lot is not None else frozenset(alike.items())
        if key not in self.kept:
            self.kept[key] = self.of_group(lot, events)
        return self.kept[key]

    def of_group(self, lot: Lot | None, events: Sequence[tuple[int, Any]]) -> tuple[Chances, Chances]:
        """The wounds of the group first; then those of its models that are left are dealt with one by one."""
        each_unsaved, each_lost = [], []
        for number, chance in enumerate(NONE if lot is None else self.of_many(lot)):
            if chance <= 0:
                continue
            out = fallen(self.fire, lot, number) if lot is not None else ()
            left = [self.of_model(row, several) for row, several in events if row not in out]
            each_unsaved.append((chance, counts.together([certainly(number), *(one for one, _ in left)])))
            each_lost.append((chance, counts.together([certainly(len(out)), *(one for _, one in left)])))
        return mixed(each_unsaved), mixed(each_lost)

    def of_many(self, lot: Lot) -> Chances:
        """The unsaved wounds of a group: each is saved whatever becomes of the others."""
        each = Counter(replace(one, row=lot.rows[0]) for one in lot.borne)
        return counts.together(counts.times(self.of_borne(one), many) for one, many in each.items())

    def of_borne(self, borne: Borne) -> Chances:
        key = "borne", borne
        if key not in self.kept:
            side = self.fire.target.side
            found = self.fire.odds(lambda _: saves.unsaved_of(side, (borne,)))
            self.kept[key] = chances_of(found.of(len).outcomes), NONE
        return self.kept[key][0]

    def of_model(self, row: int, events: Sequence[Event]) -> tuple[Chances, Chances]:
        """Wound after wound, until the model is dead: its unsaved wounds, and whether they cost the model."""
        twin = self.twin(row)
        runs = tuple((event, len(list(several))) for event, several in groupby(as_of(twin, events)))
        key = "model", twin, runs
        if key not in self.kept:
            found = self.suffered(self.fire.position.models[twin], runs)
            self.fire.decided.update(self.fire.chain.decided)
            unsaved = chances_of(by_number(found, lambda one: len(one.unsaved)))
            self.kept[key] = unsaved, mixed((chance, self.lost(twin, one.unsaved)) for one, chance in found.items())
        return self.kept[key]

    def twin(self, row: int) -> int:
        """The first of the models to which the same would happen."""
        own = allocation.sameness(self.fire.position.models[row])
        return next(
            other
            for rows in self.classes
            if row in rows
            for other in rows
            if allocation.sameness(self.fire.position.models[other]) == own
        )

    def suffered(self, model: Model, runs: tuple[tuple[Event, int], ...]) -> dict[Any, float]:
        """How many wounds a model has left after some events, and those that it has not saved."""
        if not runs:
            return {Suffered(value(model, "w")): 1.0}
        key = "suffered", model.row, runs
        kept = self.fire.chain.kept
        if key not in kept:
            event, many = runs[-1]
            before = (*runs[:-1], (event, many - 1)) if many > 1 else runs[:-1]
            kept[key] = self.one_event(model, event, self.suffered(model, before))
        return kept[key]

    def one_event(self, model: Model, event: Event, before: dict[Any, float]) -> dict[Any, float]:
        found: dict[Any, float] = {}
        for chance, borne in event:
            after = before if borne is None else self.fire.chain.after(before, one_more(model, borne))
            for so_far, share in after.items():
                found[so_far] = found.get(so_far, 0.0) + chance * share
        return found

    def lost(self, row: int, unsaved: tuple[Borne, ...]) -> Chances:
        """Whether wounds that are not saved cost the model."""
        key = "lost", row, unsaved
        if key not in self.kept:
            lot = Lot((row,), unsaved)

            def suffers(position: Position) -> Coroutine[Any, Any, None]:
                return resolving.suffer(Unit(position, self.fire.row), lot, unsaved)

            found = self.fire.odds(suffers, partial(gone, lot.rows)).of(len)
            self.kept[key] = chances_of(found.outcomes), NONE
        return self.kept[key][0]


def one_more(model: Model, borne: Borne) -> partial[Any]:
    return partial(resolving.and_one_more, model, borne)


def as_of(row: int, events: Iterable[Event]) -> list[Event]:
    """The same events, of a model that is alike."""
    return [tuple((p, None if b is None else of_row(row, b)) for p, b in event) for event in events]


def of_row(row: int, borne: Borne) -> Borne:
    wound = borne.wound if borne.wound.target < 0 else replace(borne.wound, target=row)
    return borne if (borne.row, borne.wound.target) == (row, wound.target) else replace(borne, row=row, wound=wound)


def classes_of(unit: Unit) -> list[tuple[int, ...]]:
    """The models of a unit (rows), those of one profile together."""
    found: dict[Any, list[int]] = {}
    for model in members(unit):
        found.setdefault(model.profile, []).append(model.row)
    return [tuple(rows) for rows in found.values()]
