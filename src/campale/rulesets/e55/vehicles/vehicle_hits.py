"""Hits on vehicles (7.3, 7.4, 7.17): their allotment in a squadron, the face hit, saves, penetration."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from campale.dice.stages import All, AnyStage, Each, Fold, Parts, State
from campale.referee.ask import choose, roll_for
from campale.referee.position import ABOARD, GONE, Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import ARCS, Arc
from campale.rulesets.e55.definitions.characteristics import limited
from campale.rulesets.e55.definitions.dice import sum_of
from campale.rulesets.e55.definitions.footprints import solid
from campale.rulesets.e55.definitions.measuring import exact
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import allocation
from campale.rulesets.e55.hits.attacks import NO_COVER, Covers, Hit, Wound
from campale.rulesets.e55.hits.saves import Borne, Save, another_chance, averted, save_needed, saves_against
from campale.rulesets.e55.vehicles import damage
from campale.rulesets.e55.view import labels
from campale.table.hulls import faces_most_seen
from campale.table.shapes import Point

# ---------------------------------------------------------------- 7.3/face-hit


@rule("7.3/face-hit")
def face_hit(vehicle: Model, firer: Unit | Model | None) -> Arc:
    """Return the face that shows most to the firing unit's nearest model; of equal ones, the best armoured."""
    eye = nearest_of(vehicle, firer)
    seen: tuple[Arc, ...] = ("front",)
    if eye is not None:
        most = faces_most_seen(solid(vehicle), *eye)
        seen = tuple(arc for arc in ARCS if arc in most)
    return max(seen, key=lambda one: damage.armour(vehicle, one))


def nearest_of(vehicle: Model, firer: Unit | Model | None) -> Point | None:
    """Return the centre of the model nearest to the vehicle; a model aboard counts at its carrier's place."""
    if firer is None:
        return None
    models = [firer] if isinstance(firer, Model) else standing_for(firer)
    return min(models, key=lambda model: (exact(vehicle, model), model.row)).at if models else None


def standing_for(unit: Unit) -> list[Model]:
    """Return a unit's models on the table and the carriers of those aboard; for a unit lost since, its lost models."""
    position = unit.position
    rows = [row for row, of in enumerate(position.unit_of) if of == unit.row]
    carriers = [position.models[position.aboard_of[row]] for row in rows if position.where[row] == ABOARD]
    lost = [position.models[row] for row in rows if position.where[row] == GONE]
    return [*members(unit), *dict.fromkeys(carriers)] or lost


def face_of(vehicle: Model, hit: Hit) -> str:
    if hit.face:
        return hit.face
    return face_hit(vehicle, Unit(vehicle.position, hit.by_unit) if hit.by_unit >= 0 else None)


# ---------------------------------------------------------------- hits on a unit of vehicles


class Taken(NamedTuple):
    """The row of a vehicle, and a hit that it takes."""

    row: int
    hit: Hit


Done = Callable[[Position, Any, damage.Damage, int], Awaitable[Any]]
"""Carries out a damage on a vehicle. Arguments: position, nothing, the damage, the row."""


async def damaged(position: Position, _: Any, done: damage.Damage, row: int) -> None:
    """Carry out one damage completely before the next, as long as the vehicle is there."""
    vehicle = position.models[row]
    if vehicle.is_on_table:
        await damage.damage(vehicle, done)


class OnVehicles:
    """The stages of hits on the vehicles of a unit (row), for dice and odds alike: ``stages``.

    Each vehicle takes all of its hits before the next: saves, penetration, then damages one at a time. ``damaged``
    carries out one of them. ``heeds`` tells which hits are allotted among a squadron, if others are to be ignored.
    """

    __slots__ = ("covers", "damaged", "heeds", "row")

    def __init__(
        self,
        row: int,
        covers: Covers = NO_COVER,
        damaged: Done = damaged,
        heeds: Callable[[Hit], bool] | None = None,
    ) -> None:
        self.row, self.covers, self.damaged, self.heeds = row, covers, damaged, heeds

    @property
    def stages(self) -> tuple[AnyStage, ...]:
        return All("shared", self.shared, alone=self.is_alone, heeds=self.heeds), Parts(
            "taken", by, hit_in, self.of_hull
        )

    def of_hull(self, position: Position, row: int) -> tuple[AnyStage, ...]:
        if not position.models[row].is_on_table:
            return ()
        state = State(partial(damage.fate_of, row), damage.suffer_fate)
        return (
            Each("unsaved-hits", self.unsaved, (row,)),
            Each("damages", damages_on, (row,)),
            Fold("structure", None, self.damaged, (row,), state),
        )

    async def shared(self, position: Position, hits: Sequence[Hit]) -> list[Taken]:
        """Allot hits among a squadron, except those aimed at one vehicle; return them vehicle by vehicle."""
        unit = Unit(position, self.row)
        given = await share_out(unit, [hit for hit in hits if hit.target < 0], self.covers)
        aimed = [(hit.target, hit) for hit in hits if hit.target >= 0]
        return [Taken(row, hit) for one in members(unit) for row, hit in (*given, *aimed) if row == one.row]

    def is_alone(self, position: Position, hits: Sequence[Hit]) -> bool:
        return len(members(Unit(position, self.row))) == 1

    async def unsaved(self, position: Position, hits: Sequence[Hit], row: int) -> tuple[Hit, ...]:
        return await unsaved_hits(position.models[row], hits, self.covers)


def by(position: Position, taken: Taken | Hit) -> int:
    return taken.target if isinstance(taken, Hit) else taken.row


def hit_in(position: Position, taken: Taken | Hit) -> tuple[Hit]:
    """Return the hit with the face that it strikes."""
    hit = taken if isinstance(taken, Hit) else taken.hit
    face = face_of(position.models[by(position, taken)], hit)
    return (msgspec.structs.replace(hit, face=face),)


async def damages_on(position: Position, hits: Sequence[Hit], row: int) -> tuple[damage.Damage, ...]:
    return await damages_of(position.models[row], hits)


@rule("7.17/squadron-hits")
async def share_out(unit: Unit, hits: Sequence[Hit], covers: Covers) -> list[tuple[int, Hit]]:
    """Let the owner assign the hits on a squadron to its vehicles, one each before a second."""
    vehicles = members(unit)
    rows = [vehicle.row for vehicle in vehicles]
    if not rows or not hits:
        return []
    if len(rows) == 1 or (len(hits) % len(rows) == 0 and are_alike(vehicles, hits, covers)):
        return list(zip(allocation.in_turn(len(hits), rows), hits, strict=True))
    table = [[danger(vehicle, hit) for vehicle in vehicles] for hit in hits]
    items = [labels.of_hit(unit.position, hit) for hit in hits]
    by = allocation.attackers_of(hits)
    given = await allocation.allot(unit.side, "allot-hits", items, rows, lambda h, v: table[h][v], unit.row, by)
    return list(zip(given, hits, strict=True))


def are_alike(vehicles: Sequence[Model], hits: Sequence[Hit], covers: Covers) -> bool:
    """Return whether it makes no difference which of the hits a vehicle takes."""

    def saves(hit: Hit) -> list[tuple[Save, ...]]:
        return [saves_against(vehicle, saved_as(hit), covers) for vehicle in vehicles]

    same = all(like(hit) == like(hits[0]) for hit in hits)
    return same and all(saves(hit) == saves(hits[0]) for hit in hits)


def like(hit: Hit) -> Hit:
    """Return a hit without the fields that make no difference between hits of one unit."""
    return msgspec.structs.replace(hit, by_model=-1)


def danger(vehicle: Model, hit: Hit) -> float:
    """Return the approximate cost of a hit to a vehicle, for proposals."""
    chance = max(0, min(6, 7 + limited(hit.strength) - damage.armour(vehicle, face_of(vehicle, hit)))) / 6
    return chance * allocation.worth(vehicle) / max(1, damage.structure_left(vehicle))


# ---------------------------------------------------------------- hits on one vehicle


@rule("7.4/vehicle-save")
async def unsaved_hits(vehicle: Model, hits: Sequence[Hit], covers: Covers) -> tuple[Hit, ...]:
    """Roll one save for each hit, all of them before any penetration; return the hits not saved."""
    options = [saves_against(vehicle, saved_as(hit), covers) for hit in hits]
    chosen: dict[tuple[Save, ...], Save] = {}
    for saves in dict.fromkeys(options):
        if saves:
            against = [hit for hit, own in zip(hits, options, strict=True) if own == saves]
            chosen[saves] = await choose_save(vehicle, saves, against)
    borne = [Borne(vehicle.row, saved_as(h), chosen.get(saves)) for h, saves in zip(hits, options, strict=True)]
    apart = [like(hit) for hit in hits]
    saved = await averted(vehicle.side, "save", borne, [save_needed(one) for one in borne], apart)
    again = [None if met else another_chance(one) for met, one in zip(saved, borne, strict=True)]
    second = await averted(vehicle.side, "second-chance", borne, again, apart)
    return tuple(hit for hit, one, two in zip(hits, saved, second, strict=True) if not (one or two))


def saved_as(hit: Hit) -> Wound:
    """Return a hit as a wound for saving throws."""
    by = hit.by_unit, hit.by_model, hit.target, hit.grants_cover
    return Wound(limited(hit.strength), hit.ap, hit.cause, (), *by)


async def choose_save(vehicle: Model, saves: Sequence[Save], against: Sequence[Hit]) -> Save:
    if len({save.value for save in saves}) == 1:
        return saves[0]
    about: dict[str, Plain] = {"models": [vehicle.row], "values": [save.needed for save in saves]}
    about["wounds"] = labels.numbers_told([saved_as(hit) for hit in against])
    kind = await choose(vehicle.side, "choose-save", [save.kind for save in saves], **about)
    return next(save for save in saves if save.kind == kind)


@rule("7.4/penetration", "1.1/no-auto-penetration")
def penetrates(total: int, armour_value: int) -> bool | None:
    """Return True for a penetrating damage (above the armour), False for a glancing one (equal), None for no damage."""
    return None if total < armour_value else total > armour_value


async def damages_of(vehicle: Model, hits: Sequence[Hit]) -> tuple[damage.Damage, ...]:
    """Return the damages of unsaved hits, in the order of the hits."""
    damages: list[damage.Damage] = []
    for _, run in groupby(hits, key=like):
        several = list(run)
        value = damage.armour(vehicle, face_of(vehicle, several[0]))
        for hit, total in zip(several, await totals(vehicle, several, value), strict=True):
            found = penetrates(total, value)
            if found is not None:
                damages.append(damage.Damage(found, hit.ap, hit.cause, hit.by_unit))
    return tuple(damages)


@rule("7.4/penetration", "1.1/dice-stream")
async def totals(vehicle: Model, hits: Sequence[Hit], value: int) -> list[int]:
    """Return strength plus die for each of several like hits; several dice of one hit are added together."""
    side, strength, dice = roller(vehicle, hits[0]), limited(hits[0].strength), hits[0].dice
    about: dict[str, Plain] = {"model": vehicle.row, "strength": strength, "armour": value}
    if dice > 1:
        return [strength + await sum_of(side, "penetration", dice, **about) for _ in hits]
    apart = [[face for face in range(1, 7) if outcome(strength + face, value) == k] for k in range(3)]
    tells = tuple(tuple(faces) for faces in apart if faces)
    rolled = await roll_for(side, "penetration", hits, tells=tells, **about)
    return [strength + face for face in rolled.faces]


def outcome(total: int, value: int) -> int:
    return 0 if total < value else 1 if total == value else 2


def roller(vehicle: Model, hit: Hit) -> int:
    return vehicle.position.unit_side[hit.by_unit] if hit.by_unit >= 0 else 1 - vehicle.side
