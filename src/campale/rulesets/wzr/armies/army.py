"""What the book demands of a force; ``armies`` lists every reason why it is not allowed (army/*)."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.armies.declared import Armies
from campale.mechanics.armies.faults import Breach, Restriction, out_of_bounds
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.telling.spoken import Spoken
from campale.rulesets.wzr.armies.forces import FORCES, Force, SquadSpec
from campale.rulesets.wzr.armies.lists import BROTHERHOOD, DARK_LEGION, HERE, LISTS, VEHICLES, army_list
from campale.rulesets.wzr.cards.building import DECK_RESTRICTIONS
from campale.rulesets.wzr.options import Options

CAP = 500
PER = 500
"""Every further full ``PER`` points add slots."""
LARGE_GAME = 1000
TROOPS = (2, 6)


@rule("army/points")
def over_the_cap(force: Force, cap: int) -> Iterator[Breach]:
    if force.cost > cap:
        yield Breach(None, force.cost, cap)


@rule("army/faction", "abilities/alliance-agent", "abilities/doomtrooper-pair")
def of_another_faction(force: Force, cap: int) -> Iterator[Breach]:
    """Agents serve all but the Dark Legion; Doomtroopers also the Brotherhood; vehicles everybody."""
    army = force.army.id
    for one in force.units:
        hired = (is_agent(one) and army != DARK_LEGION) or (is_pair(one) and army == BROTHERHOOD)
        if list_of(one) not in (army, VEHICLES) and not hired:
            yield Breach(one, 1, 0)


def list_of(one: SquadSpec) -> str:
    """The name of the army list that contains this kind of squad."""
    return next(name for name in LISTS.names() if one.row.unit in army_list(name).units)


@rule("abilities/alliance-agent")
def is_agent(one: SquadSpec) -> bool:
    return "alliance-agent" in one.first.numbers


@rule("army/warlord")
def not_one_warlord(force: Force, cap: int) -> Iterator[Breach]:
    found = sum(one.kind.slot == "warlord" for one in force.units)
    if found != 1:
        yield Breach(None, found, 1)


# ---------------------------------------------------------------- slots


@rule("army/slots", "abilities/specialist-choice", "abilities/doomtrooper-pair")
def slots_of(one: SquadSpec) -> tuple[str, ...]:
    """The slots that a squad takes: a Doomtrooper pair two, a Specialist Support, or none after joining a squad."""
    if one.kind.slot == "specialist":
        return () if one.joins is not None else ("support",)
    return ("lord", "support") if is_pair(one) else (one.kind.slot,)


@rule("abilities/doomtrooper-pair")
def is_pair(one: SquadSpec) -> bool:
    return "doomtrooper" in one.first.numbers


@rule("army/slots")
def most_of(slot: str, cap: int) -> int:
    """How many slots of a kind there are, by the points agreed."""
    more = max(0, cap - CAP) // PER
    return {"lord": 1 + more, "troops": TROOPS[1], "support": 2 + 2 * more}[slot]


def taken(force: Force, slot: str) -> int:
    return sum(slots_of(one).count(slot) for one in force.units)


@rule("army/slots")
def too_few_troops(force: Force, cap: int) -> Iterator[Breach]:
    if taken(force, "troops") < TROOPS[0]:
        yield Breach(None, taken(force, "troops"), TROOPS[0])


@rule("army/slots")
def too_many_troops(force: Force, cap: int) -> Iterator[Breach]:
    yield from too_many(force, "troops", cap)


@rule("army/slots")
def too_many_lords(force: Force, cap: int) -> Iterator[Breach]:
    yield from too_many(force, "lord", cap)


@rule("army/slots")
def too_much_support(force: Force, cap: int) -> Iterator[Breach]:
    yield from too_many(force, "support", cap)


def too_many(force: Force, slot: str, cap: int) -> Iterator[Breach]:
    if taken(force, slot) > most_of(slot, cap):
        yield Breach(None, taken(force, slot), most_of(slot, cap))


# ---------------------------------------------------------------- squads


@rule("squads/composition")
def size_not_allowed(force: Force, cap: int) -> Iterator[Breach]:
    for one in force.units:
        yield from out_of_bounds(one, one.row.size or one.kind.size[0], one.kind.size)


@rule("army/points", "starter-forces/riflemen", "starter-forces/exercise-one")
def too_many_weapons(force: Force, cap: int) -> Iterator[Breach]:
    """Each swap is limited to one model, or to one for every ``per`` models."""
    for one in force.units:
        for name, count in one.row.weapons.items():
            per = one.kind.swaps[name].per
            most = len(one.profiles) // per if per else 1
            if count > most:
                yield Breach(one, count, most)


@rule("abilities/psychic")
def too_many_powers(force: Force, cap: int) -> Iterator[Breach]:
    for one in force.units:
        most = one.first.numbers.get("psychic", 0)
        if len(one.row.powers) > most:
            yield Breach(one, len(one.row.powers), most)


@rule("abilities/psychic")
def power_of_another_list(force: Force, cap: int) -> Iterator[Breach]:
    for one in force.units:
        for power in one.first.powers:
            if power.id not in force.army.powers:
                yield Breach(one, 1, 0, power.title.in_both)


@rule("abilities/specialist-choice")
def cannot_join(force: Force, cap: int) -> Iterator[Breach]:
    """Only a Specialist joins a squad, and only a squad of troopers that is not a Specialist."""
    for one in force.units:
        if one.joins is None:
            continue
        other = force.units[one.joins]
        if one.kind.slot != "specialist" or other.kind.slot == "specialist" or other.first.is_vehicle:
            yield Breach(one, 1, 0)


@rule("abilities/unique")
def not_unique(force: Force, cap: int) -> Iterator[Breach]:
    for k, one in enumerate(force.units):
        before = sum(other.row.unit == one.row.unit for other in force.units[:k])
        if "unique" in one.first.numbers and before == 1:
            yield Breach(one, 2, 1)


@rule("abilities/doomtrooper-pair")
def second_pair(force: Force, cap: int) -> Iterator[Breach]:
    """An army may have one Doomtrooper pair."""
    pairs = [one for one in force.units if is_pair(one)]
    if len(pairs) > 1:
        yield Breach(pairs[1], len(pairs), 1)


@rule("abilities/doomtrooper-pair")
def pair_in_the_dark_legion(force: Force, cap: int) -> Iterator[Breach]:
    """The Dark Legion fields no pair; pairs fight for the Brotherhood and for their own Megacorporation."""
    for one in force.units:
        if is_pair(one) and force.army.id == DARK_LEGION:
            yield Breach(one, 1, 0)


RESTRICTIONS: tuple[Restriction, ...] = (
    over_the_cap,
    of_another_faction,
    not_one_warlord,
    too_few_troops,
    too_many_troops,
    too_many_lords,
    too_much_support,
    size_not_allowed,
    too_many_weapons,
    too_many_powers,
    power_of_another_list,
    cannot_join,
    not_unique,
    second_pair,
    pair_in_the_dark_legion,
)

WITH_DECKS = Armies(HERE, FORCES, (*RESTRICTIONS, *DECK_RESTRICTIONS), "army/points", CAP)
WITHOUT_DECKS = Armies(HERE, FORCES, RESTRICTIONS, "army/points", CAP)


@rule("setup/modes")
def armies(options: Options) -> Armies[Force]:
    """The checks of armies; the basic game asks for no deck."""
    return WITH_DECKS if options.advanced else WITHOUT_DECKS


@rule("setup/modes")
def check_force(plain: dict[str, Plain], agreed: dict[str, Plain]) -> list[Spoken | str]:
    """What the book does not allow in a force. ``agreed`` holds "points" and "advanced"."""
    is_basic = str(agreed.get("advanced", "")).casefold() in ("false", "no", "0")
    return armies(Options(advanced=not is_basic)).check(plain, agreed)
