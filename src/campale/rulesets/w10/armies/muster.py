"""The requirements on a roster: ``faults`` lists every reason why it may not be fielded (muster/*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from campale.mechanics.armies.declared import Armies
from campale.mechanics.armies.faults import ArmyFault, Breach, Restriction
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.telling.spoken import Spoken
from campale.rulesets.w10.armies.datasheets import HERE, OptionRow
from campale.rulesets.w10.armies.forces import FORCES, Roster, UnitSpec, is_in_force, size_of

INCURSION, STRIKE_FORCE, ONSLAUGHT = 1000, 2000, 3000
MOST_OF_A_SHEET, MOST_OF_BATTLELINE = 3, 6
MOST_ENHANCEMENTS = 3


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
    """At most three units of a datasheet, six if it is BATTLELINE or a DEDICATED TRANSPORT."""
    for name, count in Counter(sheet_name(one) for one in roster.units).items():
        first = next(one for one in roster.units if sheet_name(one) == name)
        many = first.profiles[0].has("battleline") or first.profiles[0].has("dedicated-transport")
        most = MOST_OF_BATTLELINE if many else MOST_OF_A_SHEET
        if count > most:
            yield Breach(first, count, most)


def sheet_name(unit: UnitSpec) -> str:
    """The name by which the book counts datasheets."""
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
    """A unit may only have a number of models printed on its datasheet."""
    for one in roster.units:
        count = size_of(one.row, one.sheet)
        if count not in one.sheet.sizes:
            nearest = min(one.sheet.sizes, key=lambda size: (abs(size - count), size))
            yield Breach(one, count, nearest)


@rule("datasheet/wargear-options")
def too_many_options(roster: Roster, cap: int) -> Iterator[Breach]:
    """Only as many models as the datasheet says may take an optional weapon."""
    for one in roster.units:
        for name, count in one.row.weapons.items():
            most = size_of(one.row, one.sheet) // one.sheet.options[name].per
            if count > most:
                yield Breach(one, count, most, one.sheet.options[name].weapon.title.in_both)


@rule("datasheet/wargear-options")
def more_options_than_models(roster: Roster, cap: int) -> Iterator[Breach]:
    """A model has one weapon in place of each of its own, so a unit cannot take more of them than it has models."""
    for one in roster.units:
        size = size_of(one.row, one.sheet)
        if most := max((count for count in replaced(one).values() if count > size), default=0):
            yield Breach(one, most, size)


def replaced(unit: UnitSpec) -> Counter[str]:
    """How many copies of each weapon of the datasheet a unit has replaced."""
    found = Counter[str]()
    for name, count in unit.row.weapons.items():
        found[unit.sheet.options[name].replaces] += count
    return found


@rule("t/wargear-all-models")
def not_all_models(roster: Roster, cap: int) -> Iterator[Breach]:
    """An option for all models must be taken by all that still have the weapon it replaces, or by none."""
    for one in roster.units:
        gone = replaced(one)
        for name, count in one.row.weapons.items():
            size = size_of(one.row, one.sheet) - gone[one.sheet.options[name].replaces] + count
            if not is_shared_out(one.sheet.options[name], count, size):
                yield Breach(one, count, size, one.sheet.options[name].weapon.title.in_both)


@rule("t/wargear-all-models", "u/wargear-any-number")
def is_shared_out(option: OptionRow, count: int, size: int) -> bool:
    """True unless an option for all models is taken by only some of them."""
    return not option.all or count == size


@rule("muster/enhancements")
def too_many_enhancements(roster: Roster, cap: int) -> Iterator[Breach]:
    found = [one for one in roster.units if one.row.enhancement]
    if len(found) > MOST_ENHANCEMENTS:
        yield Breach(None, len(found), MOST_ENHANCEMENTS)


@rule("muster/enhancements")
def enhancement_twice(roster: Roster, cap: int) -> Iterator[Breach]:
    for name, count in Counter(one.row.enhancement for one in roster.units if one.row.enhancement).items():
        if count > 1:
            yield Breach(next(one for one in roster.units if one.row.enhancement == name), count, 1)


@rule("muster/enhancements")
def enhancement_without_rank(roster: Roster, cap: int) -> Iterator[Breach]:
    """Only CHARACTERS may have an Enhancement, and never an EPIC HERO."""
    for one in roster.units:
        if one.row.enhancement and (not one.sheet.is_character or one.profiles[0].has("epic-hero")):
            yield Breach(one)


@rule("keywords/detachment", "muster/enhancements")
def enhancement_out_of_force(roster: Roster, cap: int) -> Iterator[Breach]:
    """Enhancements of a Detachment that is not in force may not be taken."""
    if not is_in_force(roster):
        yield from (Breach(one) for one in roster.units if one.row.enhancement)


@rule("d/warlord-must", "d/warlord-cannot")
def warlord_words(unit: UnitSpec) -> set[str]:
    """The ``warlord`` words in a unit's rules: must, cannot, both or none."""
    effects = (effect for one in unit.profiles[0].rules.values() for effect in one.do)
    return {effect.warlord for effect in effects if effect.warlord is not None}


@rule("d/warlord-cannot")
def warlord_that_cannot(roster: Roster, cap: int) -> Iterator[Breach]:
    """A model that cannot be the WARLORD may not be, even if another rule says that it must."""
    yield from (Breach(one) for one in roster.units if one.row.warlord and "cannot" in warlord_words(one))


@rule("d/warlord-must", "d/warlord-cannot")
def warlord_passed_over(roster: Roster, cap: int) -> Iterator[Breach]:
    """If some models must be the WARLORD, it must be one of them; the owner chooses."""
    must = [one for one in roster.units if warlord_words(one) == {"must"}]
    if must and not any(one.row.warlord for one in must):
        yield Breach(must[0])


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
    more_options_than_models,
    not_all_models,
    too_many_enhancements,
    enhancement_twice,
    enhancement_without_rank,
    enhancement_out_of_force,
    warlord_that_cannot,
    warlord_passed_over,
)


ARMIES = Armies(HERE, FORCES, RESTRICTIONS, "muster/battle-size")


@rule("muster/sequence")
def faults(roster: Roster, cap: int | None = None) -> tuple[ArmyFault, ...]:
    """Every reason why the roster may not be fielded, in the book's order; empty if it is legal."""
    return ARMIES.faults(roster, cap)


@rule("muster/sequence")
def check_force(plain: dict[str, Plain], agreed: dict[str, Plain]) -> list[Spoken | str]:
    """The faults of a roster under the agreed points."""
    return ARMIES.check(plain, agreed)
