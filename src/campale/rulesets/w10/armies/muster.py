"""What the book asks of a roster: ``faults`` lists every reason why one may not be fielded (muster/*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from campale.mechanics.armies.checking import messages_about
from campale.mechanics.armies.faults import ArmyFault, Breach, Restriction, faults_of
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.spoken import Spoken
from campale.rulesets.w10.armies.datasheets import HERE
from campale.rulesets.w10.armies.forces import FORCES, Roster, UnitSpec, size_of

INCURSION, STRIKE_FORCE, ONSLAUGHT = 1000, 2000, 3000
MOST_OF_A_SHEET, MOST_OF_BATTLELINE = 3, 6


@rule("muster/battle-size", "t/points-total")
def over_the_points(roster: Roster, cap: int) -> Iterator[Breach]:
    if roster.cost > cap:
        yield Breach(None, roster.cost, cap)


@rule("muster/faction-detachment", "muster/select-units")
def of_another_faction(roster: Roster, cap: int) -> Iterator[Breach]:
    for one in roster.units:
        if not one.profiles[0].has(roster.faction):
            yield Breach(one)


@rule("muster/select-units")
def too_many_of_a_sheet(roster: Roster, cap: int) -> Iterator[Breach]:
    """Three units of a datasheet, six of one that is BATTLELINE or a DEDICATED TRANSPORT."""
    for name, count in Counter(sheet_name(one) for one in roster.units).items():
        first = next(one for one in roster.units if sheet_name(one) == name)
        many = first.profiles[0].has("battleline") or first.profiles[0].has("dedicated-transport")
        most = MOST_OF_BATTLELINE if many else MOST_OF_A_SHEET
        if count > most:
            yield Breach(first, count, most)


def sheet_name(unit: UnitSpec) -> str:
    """The book counts datasheets by their names."""
    return unit.sheet.title.en


@rule("muster/select-units")
def epic_hero_twice(roster: Roster, cap: int) -> Iterator[Breach]:
    for name, count in Counter(sheet_name(one) for one in roster.units).items():
        first = next(one for one in roster.units if sheet_name(one) == name)
        if count > 1 and first.profiles[0].has("epic-hero"):
            yield Breach(first, count, 1)


@rule("muster/select-units")
def without_character(roster: Roster, cap: int) -> Iterator[Breach]:
    if not any(one.sheet.is_character for one in roster.units):
        yield Breach(None, 0, 1)


@rule("muster/select-warlord")
def not_one_warlord(roster: Roster, cap: int) -> Iterator[Breach]:
    found = sum(one.row.warlord for one in roster.units)
    if found != 1:
        yield Breach(None, found, 1)


@rule("muster/select-warlord")
def warlord_without_rank(roster: Roster, cap: int) -> Iterator[Breach]:
    yield from (Breach(one) for one in roster.units if one.row.warlord and not one.sheet.is_character)


@rule("core-concepts/unit", "f/starting-strength")
def size_not_allowed(roster: Roster, cap: int) -> Iterator[Breach]:
    """Only the numbers of models that the datasheet prints."""
    for one in roster.units:
        count = size_of(one.row, one.sheet)
        if count not in one.sheet.sizes:
            nearest = min(one.sheet.sizes, key=lambda size: (abs(size - count), size))
            yield Breach(one, count, nearest)


@rule("datasheet/wargear-options")
def too_many_options(roster: Roster, cap: int) -> Iterator[Breach]:
    """As many models as the datasheet says may take an optional weapon."""
    for one in roster.units:
        for name, count in one.row.weapons.items():
            most = size_of(one.row, one.sheet) // one.sheet.options[name].per
            if count > most:
                yield Breach(one, count, most, one.sheet.options[name].weapon.title.in_both)


RESTRICTIONS: tuple[Restriction, ...] = (
    over_the_points,
    of_another_faction,
    too_many_of_a_sheet,
    epic_hero_twice,
    without_character,
    not_one_warlord,
    warlord_without_rank,
    size_not_allowed,
    too_many_options,
)


@rule("muster/sequence")
def faults(roster: Roster, cap: int | None = None) -> tuple[ArmyFault, ...]:
    """Every reason why the roster may not be fielded, in the book's order; none: it is legal."""
    return faults_of(HERE, RESTRICTIONS, roster, roster.points if cap is None else cap)


@rule("muster/sequence")
def check_force(plain: dict[str, Plain], agreed: dict[str, Plain]) -> list[Spoken | str]:
    """What the book does not allow in a roster, under the points agreed on."""
    return messages_about(FORCES, plain, agreed, "muster/battle-size", faults)
