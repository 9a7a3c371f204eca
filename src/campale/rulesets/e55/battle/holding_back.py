"""Writing down the reserves (10.5/reserves, 10.5/outflank): what each side keeps back, until when, and its way in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.referee.ask import together
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e55.armies.forces import UnitSpec, encode
from campale.rulesets.e55.armies.profile import Profile, SpecialRule
from campale.rulesets.e55.armies.setting_out import RESERVES, roster, strike_off
from campale.rulesets.e55.turn.turns import MOST_TURNS
from campale.rulesets.e55.vehicles.transports import boards

STAY, WITH = "deploy", "with"
OWN_EDGE, WEST, EAST = "edge", "west", "east"
FIRST_TURN = 2
WAYS = (OWN_EDGE, WEST, EAST)
OUTFLANKING: tuple[SpecialRule, ...] = ("outflank", "infiltrators", "scouts")


class Note(NamedTuple):
    """What is written of units that arrive together. Kept as a plain tuple.

    ``units``: each as a text with the number of the one that it comes with (-1: none). ``is_sure``: no die is rolled
    for them any more.
    """

    units: tuple[tuple[str, int], ...]
    turn: int
    way: str
    is_sure: int = 0


def notes_of(position: Position, side: int) -> list[Note]:
    return [Note(*one) for one in position.hand(side, RESERVES)]


def keep_notes(position: Position, side: int, notes: Sequence[Note]) -> None:
    position.hold(side, RESERVES, tuple(tuple(one) for one in notes))


# ---------------------------------------------------------------- lines that may be written


@rule("10.5/outflank", "8/scouts", "8/infiltrators")
def may_outflank(spec: UnitSpec) -> bool:
    """Return whether all models of a unit have the same one of the rules that allow outflanking."""
    return may_all_outflank(spec.profiles)


def may_all_outflank(profiles: Sequence[Profile]) -> bool:
    return any(all(profile.printed(name) for profile in profiles) for name in OUTFLANKING)


def is_lone_character(spec: UnitSpec) -> bool:
    return len(spec.profiles) == 1 and bool(spec.profiles[0].printed("independent-character"))


def could_carry(carrier: UnitSpec, spec: UnitSpec) -> bool:
    """Return whether a unit is a single transport with room for all models of another."""
    vehicle = carrier.profiles[0]
    fits = len(carrier.profiles) == 1 and len(spec.profiles) <= vehicle.capacity
    return fits and all(boards(vehicle, profile) for profile in spec.profiles)


def could_come_with(spec: UnitSpec, host: UnitSpec) -> bool:
    """Return whether a unit could come with another: a character with a unit on foot, passengers with a transport."""
    if could_carry(host, spec):
        return True
    walks = all(profile.type != "vehicle" for profile in host.profiles)
    return is_lone_character(spec) and walks and not is_lone_character(host)


def order_of(units: dict[int, UnitSpec]) -> list[int]:
    """Return the units' numbers: transports first, then other units, then characters, which may come with them."""

    def rank(number: int) -> int:
        spec = units[number]
        return 0 if spec.profiles[0].capacity else 2 if is_lone_character(spec) else 1

    return sorted(units, key=lambda number: (rank(number), number))


def hosts_of(number: int, units: dict[int, UnitSpec], written: dict[int, Any]) -> list[int]:
    """Return the units already written down as reserves that this one may come with."""
    kept = [host for host, line in written.items() if line != STAY and could_come_with(units[number], units[host])]
    return [host for host in kept if fits_besides(number, carrier_in(host, written), units, written)]


@rule("10.5/outflank")
def cannot_go_round(number: int, units: dict[int, UnitSpec], written: dict[int, Any], line: Any) -> Fault | None:
    """Refuse to write down a character with a unit that goes round, if not all of them may."""
    able = line[0] != WITH or may_go_round_with(number, line[1], units, written)
    return None if able else Fault(rule="10.5/outflank")


def may_go_round_with(number: int, host: int, units: dict[int, UnitSpec], written: dict[int, Any]) -> bool:
    """Return whether a unit, once joined by this one and those written down before, may come the way noted for it.

    Those inside a transport come its way without a rule of their own.
    """
    if written[host][0] == WITH or written[host][1] == OWN_EDGE or could_carry(units[host], units[number]):
        return True
    joined = [n for n, line in written.items() if (line[0], line[1]) == (WITH, host)]
    return may_all_outflank([profile for n in (host, *joined, number) for profile in units[n].profiles])


def carrier_in(host: int, written: dict[int, Any]) -> int:
    """Return the unit that a unit comes with in the end."""
    while written[host][0] == WITH:
        host = written[host][1]
    return host


def fits_besides(number: int, carrier: int, units: dict[int, UnitSpec], written: dict[int, Any]) -> bool:
    """Return whether a transport has room for a unit in addition to those already coming with it."""
    capacity = units[carrier].profiles[0].capacity
    if not capacity:
        return True
    inside = [n for n in written if n != carrier and written[n] != STAY and carrier_in(n, written) == carrier]
    taken = sum(len(units[n].profiles) for n in inside)
    return taken + len(units[number].profiles) <= capacity and could_carry(units[carrier], units[number])


def lines_for(number: int, units: dict[int, UnitSpec], written: dict[int, Any]) -> list[Plain]:
    """Return everything that may be written for a unit; the proposal is to deploy it."""
    ways = WAYS if may_outflank(units[number]) else (OWN_EDGE,)
    alone = [(turn, way) for turn in range(FIRST_TURN, MOST_TURNS + 1) for way in ways]
    return [STAY, *((WITH, host) for host in hosts_of(number, units, written)), *alone]


def form_for(position: Position, side: int) -> Form:
    """Return a form with a line for each unit; a random sample deploys it as often as it keeps it back."""
    units = roster(position, side)
    numbers = order_of(units)

    def fields(filled: list[Any]) -> Question | None:
        if len(filled) == len(numbers):
            return None
        number = numbers[len(filled)]
        written = dict(zip(numbers, filled, strict=False))
        hosts = {str(host): units[host].title for host in units if host != number}
        about = {
            "hosts": hosts,
            "number": number,
            "title": units[number].title,
            "count": len(units[number].profiles),
            "open": False,
        }
        lines = lines_for(number, units, written)
        forbids = partial(cannot_go_round, number, units, written)
        odds = {STAY: len(lines) - 1}
        return Choose(side, "reserve", lines, "reserve", forbids, about=about, likely=(STAY,), odds=odds)

    return Form(side, "reserves", fields, {"open": False}, idle=[STAY] * len(numbers))


# ---------------------------------------------------------------- writing it


@rule("10.5/reserves")
async def write_reserves(position: Position) -> bool:
    """Ask both sides at once and in secret; both are always asked."""
    numbers = {side: order_of(roster(position, side)) for side in (0, 1)}
    written = await together({side: form_for(position, side) for side in (0, 1)})
    for side, lines in sorted(written.items()):
        note_down(position, side, dict(zip(numbers[side], lines, strict=True)))
    return False


def note_down(position: Position, side: int, written: dict[int, Any]) -> None:
    """Write a note for each unit that comes by itself, with those that come with it."""
    units = roster(position, side)
    kept = [number for number, line in written.items() if line != STAY]
    notes = []
    for leader in (number for number in kept if written[number][0] != WITH):
        group = [number for number in kept if carrier_in(number, written) == leader]
        rows = tuple((encode(units[n]), -1 if n == leader else group.index(written[n][1])) for n in group)
        notes.append(Note(rows, *written[leader]))
    keep_notes(position, side, notes)
    strike_off(position, side, tuple(kept))
