"""The odds of hits on vehicles: those not saved, the damages, the structure points, the wrecks; of squadrons too.

Each hit and each damage is run for itself: what it does hangs on none before it, as long as the vehicle is there. What
a vehicle does to others in going, and what becomes of its passengers, is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Generator, Mapping, Sequence
from functools import partial
from types import coroutine
from typing import Any

from msgspec.structs import replace

from campale.dice import counts
from campale.dice.counts import NONE, Chances, chances_of
from campale.dice.odds import TooMany
from campale.referee.looks import Step
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits.attacks import Covers, Hit
from campale.rulesets.e55.odds.volley_odds import (
    Attacks,
    Fire,
    Hits,
    and_then,
    by_number,
    in_floats,
    mixed,
    numbers_of,
    spread,
    step,
    struck_of,
)
from campale.rulesets.e55.odds.wound_odds import MOST_TOGETHER, is_aimed
from campale.rulesets.e55.vehicles import damage, vehicle_hits
from campale.rulesets.e55.vehicles.damage import Damage

EXPLODES = "explosion"

Four = tuple[Chances, Chances, Chances, Chances]
"""Hits not saved, those that glance or penetrate, structure points lost, vehicles lost."""

NOTHING: Four = (NONE, NONE, NONE, NONE)
STAGES = (
    ("unsaved-hits", "7.4/vehicle-save"),
    ("damages", "7.4/penetration"),
    ("structure", "7.1/structure-points"),
    ("losses", "1.1/casualty"),
)


@rule("7.4/vehicle-save", "7.4/penetration", "7.5/damage-roll")
def damages_on(fire: Fire, attacks: Sequence[Attacks]) -> list[Step]:
    """What becomes of the hits, for every number of them; those on a squadron are given out first."""
    free = [one for one in attacks if not is_aimed(one)]
    kinds = list(dict.fromkeys(hit for one in free for hits in one.hits for hit in hits))
    numbers = numbers_of(kinds, [(one.many, one.hits) for one in free])
    struck = struck_of([one for one in attacks if is_aimed(one)])
    if len(numbers) * len(struck) > MOST_TOGETHER:
        raise TooMany("too many numbers of hits")
    hulls = Hulls(fire)
    found: list[tuple[float, Four]] = []
    for number, chance in numbers.items():
        hits = tuple(kind for kind, count in zip(kinds, number, strict=True) for _ in range(count))
        given = hulls.given(hits)
        found += [(chance * share, hulls.all_of(given, aimed)) for aimed, share in struck.items()]
    several = [mixed((chance, four[place]) for chance, four in found) for place in range(4)]
    return [step(kind, cited, chances) for (kind, cited), chances in zip(STAGES, several, strict=True)]


class Hulls:
    """The vehicles of a unit, and what is known of hits on them."""

    def __init__(self, fire: Fire) -> None:
        self.fire = fire
        self.rows = [vehicle.row for vehicle in members(fire.target)]
        self.kept: dict[Any, Any] = {}

    @property
    def position(self) -> Position:
        return self.fire.position

    @rule("7.17/squadron-hits")
    def given(self, hits: Hits) -> dict[int, list[Hit]]:
        """Who of the unit takes which of the hits."""

        async def shared(position: Position) -> tuple[tuple[int, Hit], ...]:
            return tuple(await vehicle_hits.share_out(Unit(position, self.fire.row), hits, self.fire.covers))

        found: dict[int, list[Hit]] = {}
        for row, hit in next(iter(self.fire.odds(shared).outcomes)):
            found.setdefault(row, []).append(hit)
        return found

    def all_of(self, given: Mapping[int, Sequence[Hit]], aimed: Hits) -> Four:
        each = [
            self.of_vehicle(row, (*given.get(row, ()), *(h for h in aimed if h.target == row))) for row in self.rows
        ]
        unsaved, damages, points, lost = (counts.together(several) for several in zip(*each, strict=True))
        return unsaved, damages, points, lost

    def of_vehicle(self, row: int, hits: Sequence[Hit]) -> Four:
        if not hits:
            return NOTHING
        key = row, tuple(sorted(Counter(hits).items(), key=lambda one: (str(one[0]), one[1])))
        if key not in self.kept:
            self.kept[key] = self.of_hits(row, Counter(hits))
        found: Four = self.kept[key]
        return found

    def of_hits(self, row: int, hits: Mapping[Hit, int]) -> Four:
        each = [[counts.times(one, many) for one in self.of_hit(row, hit)] for hit, many in hits.items()]
        unsaved, damages, points = (counts.together(several) for several in zip(*each, strict=True))
        left = damage.structure_left(self.position.models[row])
        lost = spread(points, lambda number: chances_of({min(number, left): 1.0}))
        return unsaved, damages, lost, spread(lost, lambda number: chances_of({int(number >= left): 1.0}))

    def of_hit(self, row: int, hit: Hit) -> tuple[Chances, Chances, Chances]:
        """Of one hit: whether it is saved, whether it does damage, the structure points it costs."""
        key = "hit", row, hit
        if key not in self.kept:
            fire = self.fire
            unsaved = in_floats(fire.odds(partial(saved_by_vehicle, row, (hit,), fire.covers)))
            damages = and_then(unsaved, lambda hits: in_floats(fire.odds(partial(damages_by, row, hits))))
            points = and_then(damages, partial(self.points_of, row))
            self.kept[key] = chances_of(by_number(unsaved)), chances_of(by_number(damages)), chances_of(points)
        found: tuple[Chances, Chances, Chances] = self.kept[key]
        return found

    def points_of(self, row: int, damages: Sequence[Damage]) -> dict[int, float]:
        """The structure points that damages take: all that are left where the vehicle goes with them."""
        key = "points", row, tuple(damages)
        if key not in self.kept:
            left = damage.structure_left(self.position.models[row])
            self.kept[key] = in_floats(self.fire.odds(partial(structure_lost, row, damages, left)))
        found: dict[int, float] = self.kept[key]
        return found


async def saved_by_vehicle(row: int, hits: Sequence[Hit], covers: Covers, position: Position) -> tuple[Hit, ...]:
    vehicle = position.model(row)
    faced = [replace(hit, face=vehicle_hits.face_of(vehicle, hit)) for hit in hits]
    return await vehicle_hits.unsaved_hits(vehicle, faced, covers)


async def damages_by(row: int, hits: Sequence[Hit], position: Position) -> tuple[Damage, ...]:
    return await vehicle_hits.damages_of(position.model(row), hits)


async def structure_lost(row: int, damages: Sequence[Damage], left: int, position: Position) -> int:
    vehicle = position.model(row)
    lost = 0
    for one in damages:
        is_gone = await until_gone(vehicle, damage.damage(vehicle, one))
        lost = left if is_gone else left - damage.structure_left(vehicle)
    return lost


@coroutine
def until_gone(vehicle: Model, inner: Coroutine[Any, Any, None]) -> Generator[Any, Any, bool]:
    """Play what happens to a vehicle until it is sure to go: what it does to others in going is not told."""
    answer = None
    while True:
        try:
            asked = inner.send(answer)
        except StopIteration:
            return not vehicle.is_on_table
        if not vehicle.is_on_table or getattr(asked, "prompt", "") == EXPLODES:
            inner.close()
            return True
        answer = yield asked
