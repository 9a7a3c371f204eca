"""What a force must be: ``faults`` lists every reason why one may not be fielded."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.words import words
from campale.rulesets.e55.forces import (
    BoughtRow,
    Force,
    ForceError,
    UnitSpec,
    armed,
    available_forces,
    decode,
    encode,
    force_from,
    force_named,
    force_plain,
)
from campale.rulesets.e55.transports import boards

__all__ = [
    "ArmyFault",
    "Force",
    "ForceError",
    "UnitSpec",
    "available_forces",
    "check_force",
    "decode",
    "encode",
    "faults",
    "force_from",
    "force_named",
    "force_plain",
]


class ArmyFault(msgspec.Struct, frozen=True):
    """What is wrong with a force: which unit (none: the whole force), by how much, and why."""

    rule: str
    who: str
    measured: float
    limit: float
    text: dict[str, str]


Restriction = Callable[[Force], Iterator[ArmyFault]]


def fault(
    id: str, who: UnitSpec | None, measured: float, limit: float, en: str, it: str, what: dict[str, str] | None = None
) -> ArmyFault:
    """The sentences may hold {who}, {what}, {measured} and {limit}."""
    called = who.title if who is not None else {"en": "the force", "it": "la forza"}
    text = {
        tongue: said.format(
            who=called[tongue], what=(what or called)[tongue], measured=read(measured), limit=read(limit)
        )
        for tongue, said, read in (("en", en, words("en").shown), ("it", it, words("it").shown))
    }
    return ArmyFault(id, who.id if who is not None else "", measured, limit, text)


def over_the_points(force: Force, cap: int) -> Iterator[ArmyFault]:
    """Points are the players' agreement, not a rule of the book."""
    if force.cost > cap:
        yield fault(
            "10/armies",
            None,
            force.cost,
            cap,
            "The force costs {measured} points and {limit} were agreed. Take something out.",
            "La forza costa {measured} punti e ne sono concordati {limit}. Togli qualcosa.",
        )


def bought(force: Force) -> list[tuple[BoughtRow, UnitSpec]]:
    return list(zip(force.bought, force.units, strict=True))


@rule("10/armies")
def wrong_size(force: Force) -> Iterator[ArmyFault]:
    for row, unit in bought(force):
        kind = force.known.units[row.unit]
        size = row.size or kind.least
        if size > kind.most:
            yield fault(
                "10/armies",
                unit,
                size,
                kind.most,
                "{who} has {measured} models and {limit} are the most. Take some out.",
                "{who}: {measured} modelli, e al massimo sono {limit}. Toglierne.",
            )
        elif size < kind.least:
            yield fault(
                "10/armies",
                unit,
                size,
                kind.least,
                "{who} has {measured} models and needs {limit} at least. Add some.",
                "{who}: {measured} modelli, e ne servono almeno {limit}. Aggiungine.",
            )


@rule("10/armies")
def too_many_of_an_option(force: Force) -> Iterator[ArmyFault]:
    for row, unit in bought(force):
        options = force.known.units[row.unit].options
        for name, count in row.options.items():
            limit = options[name].limit(len(unit.profiles))
            if count > limit:
                what = options[name].title
                yield fault(
                    "10/armies",
                    unit,
                    count,
                    limit,
                    "{who}: {what} for {measured} models; for {limit} at most. Take less.",
                    "{who}: {what} per {measured} modelli; al massimo per {limit}. Prendine meno.",
                    what.in_both,
                )


@rule("10/armies")
def nobody_for_an_option(force: Force) -> Iterator[ArmyFault]:
    """An option that no model of the unit was left to take."""
    for row, unit in bought(force):
        for name, lacking in armed(row, force.known)[1].items():
            what = force.known.units[row.unit].options[name]
            yield fault(
                "10/armies",
                unit,
                row.options[name],
                row.options[name] - lacking,
                "{who}: {what} for {measured} models, and {limit} can take it. Take less.",
                "{who}: {what} per {measured} modelli, e possono averlo in {limit}. Prendine meno.",
                what.title.in_both,
            )


@rule("7.10/capacity")
def not_a_transport(force: Force) -> Iterator[ArmyFault]:
    for _, unit in bought(force):
        if unit.aboard is not None and len(force.units[unit.aboard].profiles) != 1:
            carrier = 0
        elif unit.aboard is not None:
            carrier = force.units[unit.aboard].profiles[0].capacity
        else:
            continue
        if not carrier:
            yield fault(
                "7.10/capacity",
                unit,
                0,
                1,
                "{who} is to start aboard a unit that is no single transport. Name one that is.",
                "{who} inizierebbe a bordo di un'unità che non è un solo trasporto. Indicane uno.",
            )


def passengers_of(force: Force) -> dict[int, list[UnitSpec]]:
    """The units that start aboard, characters that start with them included, by the number of their transport."""
    found: dict[int, list[UnitSpec]] = {}
    for unit in force.units:
        ride = force.ride_of(unit)
        if ride is not None:
            found.setdefault(ride, []).append(unit)
    return found


@rule("7.10/capacity")
def overfull(force: Force) -> Iterator[ArmyFault]:
    for number, units in passengers_of(force).items():
        carrier = force.units[number]
        room = carrier.profiles[0].capacity
        count = sum(len(one.profiles) for one in units)
        if room and count > room:
            yield fault(
                "7.10/capacity",
                carrier,
                count,
                room,
                "{who} is to carry {measured} models and has room for {limit}. Leave somebody on foot.",
                "{who} dovrebbe portare {measured} modelli e ha posto per {limit}. Lascia qualcuno a piedi.",
            )


@rule("7.10/capacity")
def unfit_to_board(force: Force) -> Iterator[ArmyFault]:
    for number, units in passengers_of(force).items():
        carrier = force.units[number].profiles[0]
        for unit in units:
            unfit = [one for one in unit.profiles if not boards(carrier, one)]
            if unfit and carrier.capacity:
                yield fault(
                    "7.10/capacity",
                    unit,
                    len(unfit),
                    0,
                    "{who}: {measured} of its models are not of a type that its transport carries. Let it go on foot.",
                    "{who}: {measured} suoi modelli non sono di un tipo che il trasporto porta. Falla andare a piedi.",
                )


@rule("8/independent-character")
def unfit_to_join(force: Force) -> Iterator[ArmyFault]:
    """Only characters start with another unit, and with one that is neither of vehicles nor of characters."""
    for _, unit in bought(force):
        if unit.bought_with is None:
            continue
        other = force.units[unit.bought_with]
        alone = all(one.printed("independent-character") for one in unit.profiles)
        fit = not all(one.type == "vehicle" for one in other.profiles)
        if not alone or not fit or all(one.printed("independent-character") for one in other.profiles):
            yield fault(
                "8/independent-character",
                unit,
                0,
                1,
                "{who} cannot start with that unit. Only a character joins another, and no vehicles.",
                "{who} non può iniziare con quell'unità. Solo un personaggio si unisce, e mai a veicoli.",
            )


RESTRICTIONS: tuple[Restriction, ...] = (
    wrong_size,
    too_many_of_an_option,
    nobody_for_an_option,
    not_a_transport,
    overfull,
    unfit_to_board,
    unfit_to_join,
)


@rule("10/armies")
def faults(force: Force, cap: int | None = None) -> tuple[ArmyFault, ...]:
    """Every reason why the force may not be fielded; ``cap``: the agreed total, by default that of the force."""
    found = [*over_the_points(force, force.points if cap is None else cap)]
    for restriction in RESTRICTIONS:
        found += restriction(force)
    return tuple(found)


def check_force(plain: dict[str, Plain], agreed: dict[str, Plain]) -> list[dict[str, str]]:
    """What is wrong with a force, a sentence in each language with its rule; agreed are the "points"."""
    try:
        force = force_from(plain, "force")
    except ForceError as error:
        return list(error.texts)
    cap = agreed.get("points")
    if cap is not None and not (str(cap).strip().isdecimal() and len(str(cap)) <= 9):
        written = repr(cap)[:60]
        text = {"en": f"{written} is no number of points.", "it": f"{written} non è un numero di punti."}
        return [{tongue: f"{said} [10/armies]" for tongue, said in text.items()}]
    found = faults(force, None if cap is None else int(cap))
    return [{tongue: f"{text} [{one.rule}]" for tongue, text in one.text.items()} for one in found]
