"""Declare Battle Formations: Leaders and Reserves, noted in secret by both sides (mission/formations)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.mechanics.script_form import form_of, run
from campale.mechanics.units import riders_of
from campale.referee.ask import together
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.by_hand import tell_by_hand
from campale.rulesets.w10.basics.attached import attach, may_attach
from campale.rulesets.w10.basics.units import HOVERS, POINTS, RESERVES
from campale.rulesets.w10.movement.reserves import DEEP_STRIKE, STRATEGIC
from campale.rulesets.w10.movement.transports import board, have_room

ALONE, TABLE, NONE_LEFT, HOVER, FLIES = "alone", "table", "none", "hover", "flies"
SHARE = 4
"""A quarter of the size of the battle may begin in Strategic Reserves."""


class Formation(NamedTuple):
    """The notes of a side.

    They name AIRCRAFT in Hover mode, Leaders with the units they join, units with the TRANSPORTS they begin aboard, and
    units in Reserves with their way of arriving.
    """

    hovering: tuple[int, ...]
    led: tuple[tuple[int, int], ...]
    aboard: tuple[tuple[int, int], ...]
    reserves: tuple[tuple[int, str], ...]


@rule("mission/formations")
async def declare_formations(position: Position) -> bool:
    """Both sides note their formations at the same time; then all is revealed."""
    scripts = {side: partial(formation, position, side) for side in (0, 1)}
    forms = {side: form_of(side, "formations", script) for side, script in scripts.items()}
    asked: dict[int, Question] = {side: form for side, form in forms.items() if form.after([]) is not None}
    filled = await together(asked)
    for side in (0, 1):
        noted = run(scripts[side], filled.get(side, []))[1]
        if noted is not None:
            carry_out(position, side, noted)
    tell_by_hand(position)
    return False


@rule("mission/formations", "core-abilities/leader", "core-abilities/deep-strike", "strategic-reserves/place")
def formation(position: Position, side: int) -> Generator[Question, Any, Formation]:
    """Ask for Hover mode, Leaders and passengers, then for Reserves: Deep Strike, and Strategic Reserves."""
    hovering = yield from choose_hover(position, side)
    led = yield from choose_leaders(position, side)
    alone = [unit for unit in position.units if unit.side == side and unit.row not in dict(led)]
    flying = [unit.row for unit in alone if flies_on(unit) and unit.row not in hovering]
    aboard = yield from choose_passengers(position, side, alone, led, flying)
    own = [unit for unit in alone if unit.row not in dict(aboard) and unit.row not in flying]
    reserves: list[tuple[int, str]] = [(row, STRATEGIC) for row in flying]
    for unit in own:
        if all_deep_strike(position, unit, led):
            where = yield Choose(side, "begins", (TABLE, DEEP_STRIKE), "reserve", about={"unit": unit.row})
            reserves += [(unit.row, DEEP_STRIKE)] if where == DEEP_STRIKE else []
    gone = [row for row, _ in reserves]
    left = points_left(position, led, [row for row, to in aboard if to in flying])
    reserves += yield from choose_strategic(position, side, own, [*led, *aboard], gone, left)
    return Formation(tuple(hovering), tuple(led), tuple(aboard), tuple(reserves))


@rule("core-abilities/hover", "aircraft/deploy")
def choose_hover(position: Position, side: int) -> Generator[Question, Any, list[int]]:
    """Choose, before anything else, the AIRCRAFT in Hover mode; the others start in Reserves."""
    found = []
    for unit in position.units:
        model = model_of(unit)
        if unit.side == side and flies_on(unit) and model is not None and model.profile.can("hover"):
            how = yield Choose(side, "hover", (FLIES, HOVER), "hover", about={"unit": unit.row})
            found += [unit.row] if how == HOVER else []
    return found


def flies_on(unit: Unit) -> bool:
    model = model_of(unit)
    return model is not None and bool(model.profile.has("aircraft"))


@rule("core-abilities/leader", "u/two-characters-max")
def choose_leaders(position: Position, side: int) -> Generator[Question, Any, list[tuple[int, int]]]:
    """Let each Leader join a unit that its datasheet names, or stand alone."""
    led: list[tuple[int, int]] = []
    for unit in position.units:
        leader = model_of(unit)
        if unit.side != side or leader is None or not leader.profile.leads:
            continue
        options: list[Plain] = [one.row for one in position.units if can_join(position, leader, one, led)]
        if options:
            about: dict[str, Plain] = {"unit": unit.row}
            to = yield Choose(side, "leads", [*options, ALONE], "leads", about=about, odds={ALONE: 0.5})
            led += [] if to == ALONE else [(unit.row, int(to))]
    return led


def model_of(unit: Unit) -> Model | None:
    return next(iter(unit.bought), None)


def can_join(position: Position, leader: Model, to: Unit, led: list[tuple[int, int]]) -> bool:
    already = [model_of(Unit(position, row)) for row, joined in led if joined == to.row]
    return to.side == leader.side and may_attach(leader, to, [one for one in already if one is not None])


@rule("mission/formations", "transports/capacity", "aircraft/deploy")
def choose_passengers(
    position: Position, side: int, own: list[Unit], led: list[tuple[int, int]], flying: list[int]
) -> Generator[Question, Any, list[tuple[int, int]]]:
    """Choose the units that begin aboard a TRANSPORT, each with its Leaders, while there is room.

    Those aboard AIRCRAFT (``flying``) are placed in Reserves themselves.
    """
    aboard: list[tuple[int, int]] = []

    def may_board(row: int, carrier: Unit) -> bool:
        flown = [*(one for one, to in aboard if to in flying), row]
        is_allowed = carrier.row not in flying or points_left(position, led, flown) >= 0
        return is_allowed and fits(position, Unit(position, row), carrier, led, aboard)

    for carrier in (unit for unit in own if capacity_of(unit)):
        while able := [unit.row for unit in own if may_board(unit.row, carrier)]:
            about: dict[str, Plain] = {"unit": carrier.row}
            odds = {NONE_LEFT: 0.3}
            row = yield Choose(side, "begins-aboard", [*able, NONE_LEFT], "unit", about=about, odds=odds)
            if row == NONE_LEFT:
                break
            aboard.append((int(row), carrier.row))
    return aboard


@rule("transports/capacity")
def capacity_of(unit: Unit) -> int:
    model = model_of(unit)
    return 0 if model is None else int(model.profile.capacity)


@rule("transports/capacity")
def fits(
    position: Position, unit: Unit, carrier: Unit, led: list[tuple[int, int]], aboard: list[tuple[int, int]]
) -> bool:
    """True if a unit and its Leaders fit into the remaining room."""
    sheet = model_of(carrier)
    if sheet is None or unit.row == carrier.row or unit.row in dict(aboard):
        return False
    models = of_units(position, (unit.row, *(row for row, to in led if to == unit.row)))
    inside = [row for row, to in aboard if to == carrier.row]
    taken = of_units(position, (*inside, *(row for row, to in led if to in inside)))
    return have_room(sheet.profile, [*taken, *models])


def of_units(position: Position, rows: Sequence[int]) -> list[Model]:
    return [m for m in position.models if position.bought_with[m.row] in rows]


@rule("core-abilities/deep-strike")
def all_deep_strike(position: Position, unit: Unit, led: list[tuple[int, int]]) -> bool:
    """True if every model of a unit, including its Leaders, has Deep Strike."""
    rows = {unit.row, *(row for row, to in led if to == unit.row)}
    return all(m.profile.can("deep-strike") for m in position.models if m.bought_with.row in rows)


@rule("strategic-reserves/place", "aircraft/deploy")
def points_left(position: Position, led: list[tuple[int, int]], flown: Sequence[int]) -> int:
    """The points that may still go into Strategic Reserves: a quarter of the battle size, less those aboard AIRCRAFT.

    Units that could Deep Strike are in Reserves by that rule, and do not count.
    """
    units = [Unit(position, row) for row in flown]
    counted = [unit for unit in units if not all_deep_strike(position, unit, led)]
    return int(position.now["size"]) // SHARE - sum(cost_of(position, unit, led) for unit in counted)


@rule("strategic-reserves/place")
def choose_strategic(
    position: Position, side: int, own: list[Unit], led: list[tuple[int, int]], gone: list[int], left: int
) -> Generator[Question, Any, list[tuple[int, str]]]:
    """Choose units one by one while their points fit into what is left of the quarter; no FORTIFICATIONS."""
    found: list[tuple[int, str]] = []
    while True:
        away = {*gone, *(row for row, _ in found)}
        staying = [unit for unit in own if unit.row not in away and not is_fortification(unit)]
        able = [unit.row for unit in staying if cost_of(position, unit, led) <= left]
        if not able:
            return found
        row = yield Choose(side, "strategic-reserves", [NONE_LEFT, *able], "unit", odds={NONE_LEFT: 4.0 * len(able)})
        if row == NONE_LEFT:
            return found
        found.append((int(row), STRATEGIC))
        left -= cost_of(position, Unit(position, int(row)), led)


@rule("strategic-reserves/place")
def is_fortification(unit: Unit) -> bool:
    return any(m.profile.has("fortification") for m in unit.bought)


def cost_of(position: Position, unit: Unit, led: list[tuple[int, int]]) -> int:
    """The points of a unit with all units that join it or begin aboard it, and their Leaders."""
    rows = [unit.row]
    for one in rows:
        rows += [row for row, to in led if to == one]
    return sum(Unit(position, row).marks(POINTS) for row in rows)


@rule("mission/formations", "u/reserves-unit")
def carry_out(position: Position, side: int, noted: Formation) -> None:
    """Carry out the notes: Leaders join, passengers board, and units in Reserves are known from now on."""
    for row in noted.hovering:
        Unit(position, row).mark(HOVERS, 1)
    for leader, to in noted.led:
        attach(Unit(position, leader), Unit(position, to))
    for row, carrier in noted.aboard:
        vehicle = model_of(Unit(position, carrier))
        assert vehicle is not None
        board([m for m in position.models if m.unit.row == row], vehicle)
    for row, how in noted.reserves:
        Unit(position, row).jot(RESERVES, how)
    remove_empty(position, side)
    position.write(
        "formations", side=side, led=[to for _, to in noted.led], reserves=[row for row, _ in noted.reserves]
    )


@rule("muster/dedicated-transport")
def remove_empty(position: Position, side: int) -> None:
    """Remove each DEDICATED TRANSPORT that begins empty: it cannot be deployed, and counts as destroyed."""
    for model in position.models:
        if model.side == side and model.profile.has("dedicated-transport") and not riders_of(model):
            position.remove(model, "empty-transport")
