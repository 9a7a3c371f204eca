"""The resolution of hits (2): wounds, their allocation, saves, losses. Vehicles follow chapter 7."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from campale.dice.stages import All, AnyStage, Each, Fold, Parts, play
from campale.referee.ask import fill_in
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.types import is_vehicle, living
from campale.rulesets.e55.definitions.units import GRIPPED, members
from campale.rulesets.e55.hits import allocation, casualties, wound_order
from campale.rulesets.e55.hits.allocation import groups_of, is_instant
from campale.rulesets.e55.hits.attacks import NO_COVER, Cause, Covers, Hit, Wound
from campale.rulesets.e55.hits.casualties import Fate
from campale.rulesets.e55.hits.saves import Borne, Lot, Save, saves_against, unsaved_of
from campale.rulesets.e55.hits.wounding import toughness_against, wounds_of
from campale.rulesets.e55.moments import SUFFERED, at_moment
from campale.rulesets.e55.unit_types.special import pain_ignored_on
from campale.rulesets.e55.vehicles import vehicle_hits
from campale.rulesets.e55.vehicles.vehicle_hits import OnVehicles
from campale.rulesets.e55.view import labels

Target = tuple[Unit, Sequence[Hit]]
Pair = tuple[int, Wound]
"""The row of a model, and a wound on it."""


# ---------------------------------------------------------------- entry points


@rule("2/hits-resolved-at-once")
async def take_hits(target: Unit, hits: Sequence[Hit], covers: Covers = NO_COVER) -> None:
    """Resolve completely all hits that a unit takes at the same moment."""
    await take_all([(target, hits)], covers)


async def take_all(targets: Sequence[Target], covers: Covers = NO_COVER) -> None:
    """Resolve all hits that several units take at the same moment."""
    if not targets:
        return
    await resolve_all(targets, covers)
    await casualties.settle(targets[0][0].position)


async def take_blast(targets: Sequence[Target]) -> None:
    """Resolve the hits of an explosion on the units near it, within the resolution that caused it."""
    await resolve_all(targets, NO_COVER)


async def take_wounds(unit: Unit, wounds: Sequence[Wound], covers: Covers = NO_COVER, settles: bool = True) -> None:
    """Resolve wounds from the allocation on. ``settles`` False: within another resolution, which settles at its end."""
    await play(unit.position, OnLiving(unit.row, covers).wounded, wounds)
    if settles:
        await casualties.settle(unit.position)


# ---------------------------------------------------------------- 2/resolution-sequence


@rule("2/resolution-sequence")
async def resolve_all(targets: Sequence[Target], covers: Covers) -> None:
    """Roll all wounds before removing any model; damage to vehicles comes last."""
    wounded: list[tuple[Unit, tuple[Wound, ...]]] = []
    damaged: list[tuple[Unit, tuple[Hit, ...]]] = []
    for unit, hits in targets:
        on_living, on_vehicles = await parted(unit, tuple(hits), covers)
        if on_living:
            wounded.append((unit, await play(unit.position, OnLiving(unit.row, covers).to_wound, on_living)))
        if on_vehicles:
            damaged.append((unit, on_vehicles))
    for unit, wounds in wounded:
        await play(unit.position, OnLiving(unit.row, covers).wounded, wounds)
    for unit, hits in damaged:
        await play(unit.position, OnVehicles(unit.row, covers).stages, hits)


@rule("7.17/squadron-hits", "1.2/mixed-units")
async def parted(unit: Unit, hits: tuple[Hit, ...], covers: Covers) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """Return the hits that wound and the hits that damage vehicles.

    A unit of both kinds first allots its hits to its models.
    """
    vehicles = [model.row for model in members(unit) if is_vehicle(model)]
    if not vehicles or not living(unit):
        return ((), hits) if vehicles else (hits, ())
    given = await vehicle_hits.share_out(unit, [hit for hit in hits if hit.target < 0], covers)
    aimed = [hit for hit in hits if hit.target >= 0]
    on_living = [hit for row, hit in given if row not in vehicles]
    on_vehicles = [msgspec.structs.replace(hit, target=row) for row, hit in given if row in vehicles]
    return (
        (*on_living, *(hit for hit in aimed if hit.target not in vehicles)),
        (*on_vehicles, *(hit for hit in aimed if hit.target in vehicles)),
    )


# ---------------------------------------------------------------- the stages, for dice and odds alike


class OnLiving:
    """The stages of hits on the living models of a unit (row): ``to_wound``, and then ``wounded``.

    The owner allocates the wounds in lots. Saves and losses of a lot are resolved before the next lot.
    """

    __slots__ = ("covers", "row")

    def __init__(self, row: int, covers: Covers = NO_COVER) -> None:
        self.row, self.covers = row, covers

    @property
    def to_wound(self) -> tuple[AnyStage, ...]:
        return (Each("wounds", self.wounds, known_by=self.toughness),)

    @property
    def wounded(self) -> tuple[AnyStage, ...]:
        return All("lots", self.lots, alone=self.is_one_group), Parts(
            "given", rows_of, wounds_in, self.of_lot, is_of_group
        )

    def of_lot(self, position: Position, rows: tuple[int, ...]) -> tuple[AnyStage, ...]:
        """Return the stages of a lot: identical models as one batch, a single model wound by wound."""
        models = [position.models[row] for row in rows]
        if not any(model.is_on_table for model in models):
            return ()
        if len(rows) > 1:
            save = Each("unsaved", unsaved_of_group, (rows[0],), known_by=saves_of)
            return save, All("losses", lose_of_group, (rows,), fates, most=len(rows))
        begin = Suffered(characteristics.value(models[0], "w"))
        return Fold("unsaved", begin, and_one_more, (rows[0],)), Each("losses", suffer, (rows[0],), fates)

    async def wounds(self, position: Position, hits: Sequence[Hit]) -> tuple[Wound, ...]:
        return await wounds_of(Unit(position, self.row), hits)

    def toughness(self, position: Position, hit: Hit) -> Hashable:
        """Return what the wounds of a hit depend on: the hit, without its model, and the toughness."""
        return msgspec.structs.replace(hit, by_model=-1), toughness_against(hit, Unit(position, self.row))

    async def lots(self, position: Position, wounds: Sequence[Wound]) -> tuple[Lot, ...]:
        return await lots_of(Unit(position, self.row), wounds, self.covers)

    def is_one_group(self, position: Position, wounds: Sequence[Wound]) -> bool:
        """Return whether it makes no difference who takes which wound, and each save is independent of the others."""
        unit = Unit(position, self.row)
        models = living(unit)
        is_one = len(groups_of(unit)) == 1 and len(models) > 1
        return is_one and allocation.makes_no_difference(models, wounds, self.covers)


def rows_of(position: Position, lot: Lot) -> tuple[int, ...]:
    return lot.rows


def is_of_group(rows: tuple[int, ...]) -> bool:
    return len(rows) > 1


def wounds_in(position: Position, lot: Lot) -> tuple[Borne, ...]:
    return lot.borne


def fates(position: Position, rows: Iterable[int]) -> list[Fate]:
    """Return what has become of models."""
    return [casualties.fate_of(position.models[row]) for row in rows]


# ---------------------------------------------------------------- allocation


@rule("2.2/allocation", "2/target-kinds")
async def lots_of(unit: Unit, wounds: Sequence[Wound], covers: Covers) -> tuple[Lot, ...]:
    """Return the allocated wounds, in lots, in the order and with the saves that the owner wants.

    A wound aimed at one model goes to that model: it is not allocated and counts in no round.
    """
    common = [wound for wound in wounds if wound.target < 0]
    aimed = [wound for wound in wounds if wound.target >= 0]
    rows = await allocation.allocate(unit, common, covers)
    given = list(zip(rows, common, strict=False))
    lots = made_into_lots(unit, given, [(wound.target, wound) for wound in aimed], covers)
    return await as_owner_wants(unit, lots, covers)


@rule("2.3.2/identical-models")
def made_into_lots(
    unit: Unit, given: Sequence[tuple[int, Wound]], aimed: Sequence[tuple[int, Wound]], covers: Covers
) -> list[Lot]:
    """Pool the wounds of identical models; wounds aimed at one of them stay out of the pool."""
    lots: list[Lot] = []
    for group in groups_of(unit):
        rows = tuple(model.row for model in group)
        own = [pair for pair in given if pair[0] in rows]
        struck = [pair for pair in aimed if pair[0] in rows]
        if len(group) == 1:
            lots.append(lot_of(unit, rows, [*own, *struck], covers, together=False))
            continue
        lots.append(lot_of(unit, rows, own, covers, together=True))
        lots += [lot_of(unit, (row,), [pair for pair in struck if pair[0] == row], covers, False) for row in rows]
    return [lot for lot in lots if lot.borne]


def lot_of(
    unit: Unit, rows: tuple[int, ...], pairs: Sequence[tuple[int, Wound]], covers: Covers, together: bool
) -> Lot:
    models = unit.position.models
    pain = {row: pain_ignored_on(models[row]) for row in dict.fromkeys(row for row, _ in pairs)}
    best = {pair: next(iter(saves), None) for pair, saves in saves_of_pairs(unit, pairs, covers).items()}
    return Lot(rows, tuple(Borne(row, wound, best[row, wound], pain[row]) for row, wound in pairs), together)


def saves_of_pairs(unit: Unit, pairs: Iterable[tuple[int, Wound]], covers: Covers) -> dict[Pair, tuple[Save, ...]]:
    """Return the saves of models (rows) against wounds, computed once for equal pairs."""
    models = unit.position.models
    return {(row, wound): saves_against(models[row], wound, covers) for row, wound in dict.fromkeys(pairs)}


def saves_in(unit: Unit, lot: Lot, covers: Covers) -> dict[Pair, tuple[Save, ...]]:
    return saves_of_pairs(unit, ((b.row, b.wound) for b in lot.borne), covers)


# ---------------------------------------------------------------- decisions of the owner


@rule("2.3/wound-order", "2.3.2/choose-save")
async def as_owner_wants(unit: Unit, lots: list[Lot], covers: Covers) -> tuple[Lot, ...]:
    """Ask the owner to settle the order of lots, the order of wounds on one model, and the saves, all in one form."""
    first: list[Question] = []
    if wound_order.matters_among(lots):
        lots = wound_order.proposed(lots)
        first = [wound_order.of_lots(unit, lots)]
    orders = [k for k, lot in enumerate(lots) if wound_order.matters_within(unit, lot, lots)]
    chosen = [(k, options) for k, lot in enumerate(lots) for options in choices_of(unit, lot, covers)]
    fields = [*first, *(wound_order.of_wounds(unit, lots[k]) for k in orders)]
    fields += [save_choice(unit, lots[k], options, covers) for k, options in chosen]
    filled = await fill_in(unit.side, "settle-wounds", lambda done: nth(fields, len(done)), unit=unit.row)
    for (k, options), kind in zip(chosen, filled[len(first) + len(orders) :], strict=True):
        lots[k] = with_save(unit, lots[k], options, kind, covers)
        tell_save(unit, options, kind)
    for k, places in zip(orders, filled[len(first) :], strict=False):
        lots[k] = msgspec.structs.replace(lots[k], borne=tuple(lots[k].borne[place] for place in places))
    return tuple(lots[int(k)] for k in filled[0]) if first else tuple(lots)


def nth(fields: Sequence[Question], place: int) -> Question | None:
    return fields[place] if place < len(fields) else None


def choices_of(unit: Unit, lot: Lot, covers: Covers) -> list[tuple[Save, ...]]:
    """Return the distinct sets of saves to choose from whose values differ."""
    options = dict.fromkeys(saves_in(unit, lot, covers).values())
    return [saves for saves in options if len({save.value for save in saves}) > 1]


def save_choice(unit: Unit, lot: Lot, options: tuple[Save, ...], covers: Covers) -> Choose:
    known = saves_in(unit, lot, covers)
    against = [b.wound for b in lot.borne if known[b.row, b.wound] == options]
    about: dict[str, Plain] = {"unit": unit.row, "models": list(lot.rows)}
    about["values"] = [save.needed for save in options]
    about["wounds"] = labels.numbers_told(against)
    return Choose(unit.side, "choose-save", [save.kind for save in options], about=about)


@rule("2.3.2/choose-save")
def tell_save(unit: Unit, options: tuple[Save, ...], kind: str) -> None:
    """Journal that the best of several saves was taken, and which one it replaced."""
    best, other = options[0], options[1]
    if kind == best.kind and best.value < other.value:
        unit.position.write(
            "save-taken",
            unit=unit.row,
            save=best.kind,
            value=best.needed,
            instead=other.kind,
            worse=other.needed,
        )


def with_save(unit: Unit, lot: Lot, options: tuple[Save, ...], kind: str, covers: Covers) -> Lot:
    known = saves_in(unit, lot, covers)
    chosen = next(save for save in options if save.kind == kind)
    borne = [msgspec.structs.replace(b, save=chosen) if known[b.row, b.wound] == options else b for b in lot.borne]
    return msgspec.structs.replace(lot, borne=tuple(borne))


# ---------------------------------------------------------------- saves and losses


class Account(NamedTuple):
    """What a loss is credited to: its cause, and the unit (row) that dealt it."""

    cause: Cause
    by_unit: int


class Suffered(NamedTuple):
    """How many wounds a model has left, and the wounds it has not saved."""

    left: int
    unsaved: tuple[Borne, ...] = ()


def saves_of(position: Position, borne: Borne) -> Hashable:
    """Return what the save of a wound depends on: the wound, and what may avert it."""
    return position.side_of[borne.row], borne.wound, borne.save, borne.pain


async def unsaved_of_group(position: Position, several: Sequence[Borne], row: int) -> list[Account]:
    """Roll the saves of identical models, all of them before any model is removed."""
    unsaved = await unsaved_of(position.side_of[row], several)
    return [Account(one.wound.cause, one.wound.by_unit) for one in unsaved]


@rule("2.3/wound-order", "2.3.2/excess-wounds")
async def and_one_more(position: Position, so_far: Suffered, borne: Borne, row: int) -> Suffered:
    """Resolve each wound completely before the next; wounds left over when the model is dead are lost."""
    if so_far.left <= 0:
        return so_far
    model = position.models[row]
    failed = await unsaved_of(model.side, (borne,))
    is_over = any(is_instant(model, one.wound) for one in failed)
    return Suffered(0 if is_over else so_far.left - len(failed), so_far.unsaved + failed)


@rule("2.3.2/identical-models", "2.3.2/identical-excess")
async def lose_of_group(position: Position, unsaved: Sequence[Account], rows: Sequence[int]) -> list[int]:
    """Remove one model of the group for every failed save, as long as there is one; return their rows."""
    models = position.models
    group = [models[row] for row in rows if models[row].is_on_table]
    fatal = unsaved[: len(group)]
    if not fatal:
        return []
    chosen = await casualties.choose_losses(group[0].unit, group, len(fatal))
    for row, account in zip(chosen, fatal, strict=True):
        casualties.lose(models[row], *account)
    return chosen


@rule("2.3.2/unsaved-wound", "2.3.2/instant-death")
async def suffer(position: Position, suffered: Sequence[Suffered], row: int) -> list[int]:
    """Apply unsaved wounds to one model: each costs one wound, or all of them; return its row if there were any."""
    model, unsaved = position.models[row], [borne for one in suffered for borne in one.unsaved]
    for borne in unsaved:
        wound = borne.wound
        if is_instant(model, wound):
            casualties.lose(model, wound.cause, wound.by_unit)
        else:
            casualties.lose_wound(model, wound.cause, wound.by_unit)
    if model.is_on_table and unsaved:
        await when_suffered(model, unsaved)
    return [row] if unsaved else []


@rule("2.1/timing-suffered")
async def when_suffered(model: Model, unsaved: Sequence[Borne]) -> None:
    """Apply the other effects of unsaved wounds that a model survives."""
    crush(model, unsaved)
    await at_moment(model.position, SUFFERED, model, len(unsaved))


@rule("9.2.1/crushing-grip")
def crush(model: Model, unsaved: Sequence[Borne]) -> None:
    """Mark a gripped model: it makes no attacks the next time it would."""
    if any(b.wound.cause == "melee" and "crushing-grip" in b.wound.rules for b in unsaved):
        model.mark(GRIPPED, 1)
