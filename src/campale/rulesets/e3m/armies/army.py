"""What the book demands of a force; ``ARMIES`` lists every reason why it is not allowed."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.armies.declared import Armies
from campale.mechanics.armies.faults import Breach, Restriction, out_of_bounds
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.forces import FORCES, Force
from campale.rulesets.e3m.armies.lists import HERE

CAP = 1000
LEAST_GROUPS = 2
PER_HEAVY, PER_TENTH = 5, 10


@rule("setup/forces")
def over_the_cap(force: Force, cap: int) -> Iterator[Breach]:
    if force.cost > cap:
        yield Breach(None, force.cost, cap)


@rule("hierarchy/army-composition")
def not_one_commander(force: Force, cap: int) -> Iterator[Breach]:
    found = sum(one.role == "commander" for one in force.units)
    if found != 1:
        yield Breach(None, found, 1)


@rule("hierarchy/army-composition")
def too_few_groups(force: Force, cap: int) -> Iterator[Breach]:
    if len(force.groups) < LEAST_GROUPS:
        yield Breach(None, len(force.groups), LEAST_GROUPS)


@rule("hierarchy/group-composition")
def group_too_small(force: Force, cap: int) -> Iterator[Breach]:
    """A group has at least two members; the list may demand more."""
    least = force.army.group_size[0]
    yield from (Breach(members[0], len(members), least) for members in force.groups.values() if len(members) < least)


@rule("hierarchy/army-lists")
def group_too_large(force: Force, cap: int) -> Iterator[Breach]:
    most = force.army.group_size[1]
    yield from (Breach(members[0], len(members), most) for members in force.groups.values() if len(members) > most)


@rule("hierarchy/group-leader")
def not_one_leader(force: Force, cap: int) -> Iterator[Breach]:
    for members in force.groups.values():
        leaders = sum(one.row.leads for one in members)
        if leaders != 1:
            yield Breach(members[0], leaders, 1)


@rule("hierarchy/commander-role")
def commander_leads_a_group(force: Force, cap: int) -> Iterator[Breach]:
    yield from (Breach(one, 1, 0) for one in force.units if one.role == "commander" and one.row.leads)


@rule("hierarchy/army-composition")
def outside_a_group(force: Force, cap: int) -> Iterator[Breach]:
    """Only the commander and special models may stay outside groups, except in what a scenario sets up."""
    yield from (Breach(one, 0, 1) for one in force.units if not one.row.group and not one.is_special)


@rule("hierarchy/unit-composition")
def size_not_allowed(force: Force, cap: int) -> Iterator[Breach]:
    for one in force.units:
        yield from out_of_bounds(one, one.row.size or one.kind.size[0], one.kind.size)


@rule("armies/list-format")
def too_many_heavy_weapons(force: Force, cap: int) -> Iterator[Breach]:
    yield from too_many(force, "heavy", PER_HEAVY)


@rule("armies/list-format")
def too_many_for_one_in_ten(force: Force, cap: int) -> Iterator[Breach]:
    yield from too_many(force, "tenth", PER_TENTH)


def too_many(force: Force, which: str, per: int) -> Iterator[Breach]:
    for one in force.units:
        count = sum(many for name, many in one.row.weapons.items() if name in getattr(one.kind, which))
        if count > len(one.profiles) // per:
            yield Breach(one, count, len(one.profiles) // per)


@rule("armies/list-format")
def grenades_not_for_sale(force: Force, cap: int) -> Iterator[Breach]:
    """Only infantry and jump infantry buy grenades, and only in some lists."""
    for one in force.units:
        if one.row.equipment and not (force.army.grenades and one.kind.kind in ("infantry", "jump")):
            yield Breach(one, len(one.row.equipment), 0)


@rule("hierarchy/attach-detach")
def cannot_be_attached(force: Force, cap: int) -> Iterator[Breach]:
    """A special model may begin attached to a unit, but not to a vehicle with armour."""
    for one in force.units:
        if one.joins is None:
            continue
        other = force.units[one.joins]
        if not one.is_special or other.profiles[0].has_armour or other.is_special:
            yield Breach(one, 1, 0)


@rule("base-vehicle/transport")
def does_not_fit_aboard(force: Force, cap: int) -> Iterator[Breach]:
    """A carrier holds one unit on foot with the models attached to it. Heavy troops count double."""
    for k, one in enumerate(force.units):
        if one.aboard is None:
            continue
        riders = [one, *(other for other in force.units if other.joins == k)]
        carrier = force.units[one.aboard].profiles[0]
        alone = sum(other.aboard == one.aboard for other in force.units) == 1
        on_foot = all(other.kind.kind in ("infantry", "jump") for other in riders)
        room = sum(2 if profile.is_heavy else 1 for other in riders for profile in other.profiles)
        if not (alone and on_foot) or room > carrier.capacity:
            yield Breach(one, room, carrier.capacity)


RESTRICTIONS: tuple[Restriction, ...] = (
    over_the_cap,
    not_one_commander,
    too_few_groups,
    group_too_small,
    group_too_large,
    not_one_leader,
    commander_leads_a_group,
    outside_a_group,
    size_not_allowed,
    too_many_heavy_weapons,
    too_many_for_one_in_ten,
    grenades_not_for_sale,
    cannot_be_attached,
    does_not_fit_aboard,
)

ARMIES = Armies(HERE, FORCES, RESTRICTIONS, "setup/forces", CAP)
