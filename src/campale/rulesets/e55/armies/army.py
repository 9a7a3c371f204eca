"""The restrictions on a force: ``ARMIES`` lists every reason why one may not be fielded."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.armies.declared import Armies
from campale.mechanics.armies.faults import Breach, Restriction
from campale.referee.rule import rule
from campale.rulesets.e55.armies.army_lists import UnitRow
from campale.rulesets.e55.armies.arsenal import HERE
from campale.rulesets.e55.armies.forces import FORCES, BoughtRow, Force, UnitSpec, armed
from campale.rulesets.e55.vehicles.transports import boards


@rule("10/armies")
def over_the_points(force: Force, cap: int) -> Iterator[Breach]:
    """The force costs more than the cap. Points are the players' agreement, not a rule of the book."""
    if force.cost > cap:
        yield Breach(None, force.cost, cap)


def bought(force: Force) -> list[tuple[BoughtRow, UnitSpec]]:
    return list(zip(force.bought, force.units, strict=True))


def sized(force: Force) -> Iterator[tuple[UnitSpec, UnitRow, int]]:
    """Yield each unit with its kind, and the number of models it is bought with."""
    for row, unit in bought(force):
        kind = force.known.units[row.unit]
        yield unit, kind, row.size or kind.least


@rule("10/armies")
def too_large(force: Force, cap: int) -> Iterator[Breach]:
    yield from (Breach(unit, size, kind.most) for unit, kind, size in sized(force) if size > kind.most)


@rule("10/armies")
def too_small(force: Force, cap: int) -> Iterator[Breach]:
    yield from (Breach(unit, size, kind.least) for unit, kind, size in sized(force) if size < kind.least)


@rule("10/armies")
def too_many_of_an_option(force: Force, cap: int) -> Iterator[Breach]:
    for row, unit in bought(force):
        options = force.known.units[row.unit].options
        for name, count in row.options.items():
            limit = options[name].limit(len(unit.profiles))
            if count > limit:
                yield Breach(unit, count, limit, options[name].title.in_both)


@rule("10/armies")
def nobody_for_an_option(force: Force, cap: int) -> Iterator[Breach]:
    """An option was bought more often than models of the unit were left to take it."""
    for row, unit in bought(force):
        options = force.known.units[row.unit].options
        for name, lacking in armed(row, force.known)[1].items():
            count = row.options[name]
            yield Breach(unit, count, count - lacking, options[name].title.in_both)


@rule("7.10/capacity")
def not_a_transport(force: Force, cap: int) -> Iterator[Breach]:
    for unit in force.units:
        carrier = None if unit.aboard is None else force.units[unit.aboard].profiles
        if carrier is not None and (len(carrier) != 1 or not carrier[0].capacity):
            yield Breach(unit, 0, 1)


def passengers_of(force: Force) -> dict[int, list[UnitSpec]]:
    """Return the units that start aboard, by the number of their transport, with characters that start with them."""
    found: dict[int, list[UnitSpec]] = {}
    for unit in force.units:
        ride = force.ride_of(unit)
        if ride is not None:
            found.setdefault(ride, []).append(unit)
    return found


@rule("7.10/capacity")
def overfull(force: Force, cap: int) -> Iterator[Breach]:
    for number, units in passengers_of(force).items():
        carrier = force.units[number]
        room, count = carrier.profiles[0].capacity, sum(len(one.profiles) for one in units)
        if room and count > room:
            yield Breach(carrier, count, room)


@rule("7.10/capacity")
def unfit_to_board(force: Force, cap: int) -> Iterator[Breach]:
    for number, units in passengers_of(force).items():
        carrier = force.units[number].profiles[0]
        for unit in units if carrier.capacity else ():
            unfit = [one for one in unit.profiles if not boards(carrier, one)]
            if unfit:
                yield Breach(unit, len(unfit), 0)


@rule("8/independent-character")
def unfit_to_join(force: Force, cap: int) -> Iterator[Breach]:
    """A unit starts with another, but it is not of characters, or the other is of characters or vehicles alone."""
    for unit in force.units:
        if unit.bought_with is not None and not may_start_with(unit, force.units[unit.bought_with]):
            yield Breach(unit, 0, 1)


@rule("1.1/unit-ceases")
def characters_together(force: Force, cap: int) -> Iterator[Breach]:
    """A unit of several models has only independent characters, who never form a common unit."""
    for unit in force.units:
        if len(unit.profiles) > 1 and is_of_characters(unit):
            yield Breach(unit, len(unit.profiles), 1)


def may_start_with(unit: UnitSpec, other: UnitSpec) -> bool:
    has_vehicles_alone = all(one.type == "vehicle" for one in other.profiles)
    return is_of_characters(unit) and not is_of_characters(other) and not has_vehicles_alone


def is_of_characters(unit: UnitSpec) -> bool:
    return all(one.printed("independent-character") for one in unit.profiles)


RESTRICTIONS: tuple[Restriction, ...] = (
    over_the_points,
    too_large,
    too_small,
    too_many_of_an_option,
    nobody_for_an_option,
    not_a_transport,
    overfull,
    unfit_to_board,
    unfit_to_join,
    characters_together,
)

ARMIES = Armies(HERE, FORCES, RESTRICTIONS, "10/armies")
