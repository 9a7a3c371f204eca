"""The restrictions on a force: ``ARMIES`` lists every reason why one may not be fielded."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from campale.mechanics.armies.declared import Armies
from campale.mechanics.armies.faults import ArmyFault, Breach, Restriction
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.telling.spoken import Spoken
from campale.rulesets.ragnarok.armies.arsenal import HERE, equipment, weapons
from campale.rulesets.ragnarok.armies.forces import FORCES, Force, Trooper
from campale.rulesets.ragnarok.armies.profile import Equipment, Weapon

CAP = 200  # army/points-cap
ADDITIONS_ALLOWED = 2
WEIGHT_OPTION = "opt-weight/limit"


@rule("army/points-cap")
def over_the_cap(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    if force.cost > cap:
        yield Breach(None, force.cost, cap)


@rule("army/single-list")
def from_another_list(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    yield from (Breach(one, 1, 0) for one in force.units if one.profile.faction != force.army_list)


@rule("army/options")
def too_many_additions(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    for one in force.units:
        if len(one.additions) > ADDITIONS_ALLOWED:
            yield Breach(one, len(one.additions), ADDITIONS_ALLOWED)


@rule("army/options")
def second_shield(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    for one in force.units:
        shields = sum(item.shield_save is not None for item in one.profile.equipment)
        if shields > 1:
            yield Breach(one, shields, 1)


@rule("army/options")
def not_for_sale(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    """An addition costs nothing. Such things belong to every model already, and are not additions."""
    for one in force.units:
        yield from (Breach(one, 0, 1, item.title) for item in bought(one) if not item.cost)


def bought(one: Trooper) -> tuple[Weapon | Equipment, ...]:
    return tuple(weapons().get(id) or equipment()[id] for id in one.additions)


@rule("commander/choice")
def not_one_commander(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    if len(force.commanders) != 1:
        yield Breach(None, len(force.commanders), 1)


@rule("commander/choice")
def commander_outside_hq(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    yield from (Breach(one, 0, 1) for one in force.commanders if not one.profile.is_hq)


@rule("opt-weight/limit")
def too_heavily_laden(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    for one in force.units if WEIGHT_OPTION in options else ():
        if one.profile.weight_carried > one.profile.constitution:
            yield Breach(one, one.profile.weight_carried, one.profile.constitution)


@rule("special/expert")
def expert_field_missing(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    yield from (Breach(one, 0, 1) for one in force.units if one.profile.expert == "choice")


@rule("special/expert")
def expert_field_unfit(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    """A field of expertise is chosen where the profile does not leave it open."""
    for one in force.units:
        if one.expert and one.expert != one.profile.expert:
            yield Breach(one, 1, 0)


@rule("special/psionic-mage", "army/options")
def reserved_to_others(force: Force, cap: int, options: Collection[str]) -> Iterator[Breach]:
    for one in force.units:
        for item in one.profile.equipment:
            if item.reserved_for and not any(one.profile.has(special) for special in item.reserved_for):
                yield Breach(one, 0, 1, item.title)


ARMY_RESTRICTIONS: tuple[Restriction, ...] = (
    over_the_cap,
    from_another_list,
    too_many_additions,
    second_shield,
    not_for_sale,
    not_one_commander,
    commander_outside_hq,
    too_heavily_laden,
    expert_field_missing,
    expert_field_unfit,
    reserved_to_others,
)


ARMIES = Armies(HERE, FORCES, ARMY_RESTRICTIONS, "army/points-cap", CAP)


def faults(force: Force, cap: int | None = None, options: Collection[str] = ()) -> tuple[ArmyFault, ...]:
    """Return every reason why the force may not be fielded; ``options``: the optional rules in use, by id."""
    return ARMIES.faults(force, cap, options)


@rule("army/points-cap", "army/single-list", "army/options", "opt-weight/limit")
def check_force(plain: dict[str, Plain], agreed: dict[str, Plain]) -> list[Spoken | str]:
    """Return what the book does not allow in a force; ``agreed`` holds "points" and "weight"."""
    optional = (WEIGHT_OPTION,) if str(agreed.get("weight", "")).casefold() in ("true", "yes", "1") else ()
    return ARMIES.check(plain, agreed, optional)
