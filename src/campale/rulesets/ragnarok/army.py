"""What the book asks of a force: ``faults`` lists every reason why one may not be fielded."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from campale.referee.rule import rule
from campale.referee.words import words
from campale.rulesets.ragnarok.arsenal import ArmyList, army_list, equipment, weapons
from campale.rulesets.ragnarok.forces import (
    Force,
    ForceError,
    Trooper,
    available_forces,
    force_from,
    force_named,
    read_force,
    starter_force,
    trooper,
)
from campale.rulesets.ragnarok.profile import Equipment, Weapon

__all__ = [
    "ARMY_RESTRICTIONS",
    "CAP",
    "WEIGHT_OPTION",
    "ArmyFault",
    "ArmyList",
    "Force",
    "ForceError",
    "Trooper",
    "army_list",
    "available_forces",
    "faults",
    "force_from",
    "force_named",
    "read_force",
    "starter_force",
    "trooper",
]

CAP = 200  # army/points-cap
ADDITIONS_ALLOWED = 2
WEIGHT_OPTION = "opt-weight/limit"


class ArmyFault(msgspec.Struct, frozen=True):
    """A rule that the force breaks: who (no name: the whole force), by how much, and why."""

    rule: str
    who: str
    measured: float
    limit: float
    text: dict[str, str]


class Terms(msgspec.Struct, frozen=True):
    """What the players have agreed on before building."""

    cap: int
    options: frozenset[str]


Restriction = Callable[[Force, Terms], tuple[ArmyFault, ...]]


def fault(id: str, who: Trooper | None, measured: float, limit: float, en: str, it: str) -> ArmyFault:
    """The sentences may hold {who}, {measured} and {limit}."""
    called = who.title if who else {"en": "the force", "it": "la forza"}
    text = {
        tongue: said.format(who=called[tongue], measured=read(measured), limit=read(limit))
        for tongue, said, read in (("en", en, words("en").shown), ("it", it, words("it").shown))
    }
    return ArmyFault(id, called["en"] if who else "", measured, limit, text)


@rule("army/points-cap")
def over_the_cap(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    if force.cost <= terms.cap:
        return ()
    return (
        fault(
            "army/points-cap",
            None,
            force.cost,
            terms.cap,
            "The force costs {measured} points and {limit} were agreed. Take something out.",
            "La forza costa {measured} punti e ne sono concordati {limit}. Togli qualcosa.",
        ),
    )


@rule("army/single-list")
def from_another_list(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    return tuple(
        fault(
            "army/single-list",
            one,
            1,
            0,
            "{who} belongs to another army list than the force. Take a model of the force's own list.",
            "{who} appartiene a un'altra lista. Prendi un modello della lista della forza.",
        )
        for one in force.troopers
        if one.profile.faction != force.army_list
    )


@rule("army/options")
def too_many_additions(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    return tuple(
        fault(
            "army/options",
            one,
            len(one.additions),
            ADDITIONS_ALLOWED,
            "{who} has {measured} additions; {limit} at most. Leave some out.",
            "{who} ha {measured} aggiunte; al massimo {limit}. Togline qualcuna.",
        )
        for one in force.troopers
        if len(one.additions) > ADDITIONS_ALLOWED
    )


@rule("army/options")
def second_shield(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    return tuple(
        fault(
            "army/options",
            one,
            shields,
            1,
            "{who} has {measured} shields; a model carries one. Leave the other.",
            "{who} ha {measured} scudi; un modello ne porta uno. Lascia l'altro.",
        )
        for one in force.troopers
        if (shields := sum(item.shield_save is not None for item in one.profile.equipment)) > 1
    )


@rule("army/options")
def not_for_sale(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    """What costs nothing is everybody's already: it is no addition either."""
    return tuple(
        fault(
            "army/options",
            one,
            0,
            1,
            f"{{who}} cannot be given {item.title['en']}: it is not for sale. Leave it out.",
            f"{{who}} non può ricevere {item.title['it']}: non è in vendita. Toglilo.",
        )
        for one in force.troopers
        for item in _bought(one)
        if not item.cost
    )


def _bought(one: Trooper) -> tuple[Weapon | Equipment, ...]:
    return tuple(weapons().get(id) or equipment()[id] for id in one.additions)


@rule("commander/choice")
def not_one_commander(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    if len(force.commanders) == 1:
        return ()
    return (
        fault(
            "commander/choice",
            None,
            len(force.commanders),
            1,
            "The force names {measured} commanders. Mark one model of the HQ section, and only one.",
            "La forza nomina {measured} comandanti. Segna come comandante un modello del QG, e uno solo.",
        ),
    )


@rule("commander/choice")
def commander_outside_hq(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    return tuple(
        fault(
            "commander/choice",
            one,
            0,
            1,
            "{who} is not of the HQ section and cannot command. Name a model that is.",
            "{who} non è della sezione QG e non può comandare. Nomina un modello che lo sia.",
        )
        for one in force.commanders
        if not one.profile.is_hq
    )


@rule("opt-weight/limit")
def too_heavily_laden(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    if WEIGHT_OPTION not in terms.options:
        return ()
    return tuple(
        fault(
            "opt-weight/limit",
            one,
            one.profile.weight_carried,
            one.profile.constitution,
            "{who} carries {measured} and its COS is {limit}. Leave something heavy out.",
            "{who} porta {measured} e la sua COS è {limit}. Togli qualcosa di pesante.",
        )
        for one in force.troopers
        if one.profile.weight_carried > one.profile.constitution
    )


@rule("special/expert")
def expert_field_unfit(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    """A field must be chosen where the profile leaves it open, and only there."""
    return tuple(
        fault(
            "special/expert",
            one,
            int(one.expert != ""),
            int(one.basic.expert == "choice"),
            "{who}: choose a field of expertise where the profile leaves it open, and only there.",
            "{who}: scegli il campo di esperienza dove il profilo lo lascia aperto, e solo lì.",
        )
        for one in force.troopers
        if one.profile.expert == "choice" or (one.expert and one.expert != one.profile.expert)
    )


@rule("special/psionic-mage", "army/options")
def reserved_to_others(force: Force, terms: Terms) -> tuple[ArmyFault, ...]:
    return tuple(
        fault(
            "special/psionic-mage",
            one,
            0,
            1,
            f"{{who}} cannot be given {item.title['en']}: only psionics and mages use it. Leave it out.",
            f"{{who}} non può ricevere {item.title['it']}: è per psionici e maghi. Toglilo.",
        )
        for one in force.troopers
        for item in one.profile.equipment
        if item.reserved_for and not any(one.profile.has(special) for special in item.reserved_for)
    )


ARMY_RESTRICTIONS: tuple[Restriction, ...] = (
    over_the_cap,
    from_another_list,
    too_many_additions,
    second_shield,
    not_for_sale,
    not_one_commander,
    commander_outside_hq,
    too_heavily_laden,
    expert_field_unfit,
    reserved_to_others,
)


def faults(force: Force, cap: int | None = None, options: Collection[str] = ()) -> tuple[ArmyFault, ...]:
    """Every reason why the force may not be fielded, in the book's order; none: it is legal.

    ``cap`` is the agreed total (by default that of the force), ``options`` the optional rules in use, by id.
    """
    terms = Terms(force.points if cap is None else cap, frozenset(options))
    return tuple(fault for restriction in ARMY_RESTRICTIONS for fault in restriction(force, terms))
