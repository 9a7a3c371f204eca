"""What can be asked of charges and of combats: two units in contact, or one that charges from so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from campale.referee.inquiries import Field, Pick, Posed, Volley, all_pieces, trouble_of
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.refusal import first_refusal
from campale.referee.ruleset import Ruleset
from campale.rulesets.e55 import melee
from campale.rulesets.e55.arsenal import HERE
from campale.rulesets.e55.charge import RESTRICTIONS
from campale.rulesets.e55.combat import combats
from campale.rulesets.e55.damage import structure_left
from campale.rulesets.e55.fighting import fights, is_hulls
from campale.rulesets.e55.figures import said
from campale.rulesets.e55.melee import Fight, touches_hulls
from campale.rulesets.e55.melee_odds import charge_forecast, charged, combat_forecast
from campale.rulesets.e55.profile import Profile
from campale.rulesets.e55.staging import STAGE
from campale.rulesets.e55.standing_off import ATTACKER, TARGET, set_out
from campale.rulesets.e55.types import is_vehicle
from campale.rulesets.e55.units import CHARGED, CHARGED_WHOM, COMBAT, members
from campale.rulesets.e55.volley_odds import Varied, by_proposal

CHARGE, MELEE = "charge", "melee"
UNITS = (ATTACKER, TARGET)
FAR = 24.0
POINTS = "7.1/structure-points"
RULES = {
    "losses": "1.1/casualty",
    "losses-back": "1.1/casualty",
    **dict.fromkeys(("structure", "structure-back"), POINTS),
}


def distance_fields(kind: str) -> Any:
    """From how far it charges; of a combat whether it has charged into it."""
    if kind == CHARGE:
        title = said("distance")
        return (
            yield Field("distance", title, "number", "table", 6, (), "3.3.1/charge-distance", (1.0, FAR), 1.0, "inch")
        )
    picks = (Pick("charged", said("attacker-states.charged")),)
    title = said("attacker-states")
    states = yield Field("attacker-states", title, "several", "attacker", [], picks, "3.3.2/attack-count")
    return states


def posed(
    ruleset: Ruleset, attackers: Sequence[Profile], targets: Sequence[Profile], how: Any, varied: Varied | None
) -> Posed:
    """``how``: a distance to charge from, or the states of who fights already."""
    is_charge = isinstance(how, int | float)
    position = set_out(ruleset, attackers, targets, float(how) if is_charge else 0.0)
    position.now.update(phase="charges" if is_charge else "melee")
    if not is_charge and not is_hulls(Unit(position, TARGET)):
        for row in UNITS:
            Unit(position, row).mark(COMBAT, 1)
    facings = position.facing[:]
    STAGE.prepare(position)
    position.facing = facings
    if how == ["charged"]:
        Unit(position, ATTACKER).mark(CHARGED, 1)
        Unit(position, ATTACKER).jot(CHARGED_WHOM, (TARGET,))
    position.forget()
    refusal = first_refusal(RESTRICTIONS, position, (CHARGE, *UNITS)) if is_charge else None
    if refusal is not None:
        raise trouble_of("attacker", HERE, "no-charge", rule=refusal.rule)
    if not is_charge:
        check_fight(position)
    title = said(f"kind.{CHARGE if is_charge else MELEE}")
    one_piece = partial(piece, is_charge)
    volley = Volley((title,), partial(told, is_charge, varied), partial(all_pieces, one_piece), piece=one_piece)
    policy = by_proposal if varied is None else varied(by_proposal)
    return Posed(position, (volley,), policy, counted(position), len(targets), RULES)


def check_fight(position: Position) -> None:
    """Somebody fights, and at somebody that can be struck hand to hand."""
    unit, target = (Unit(position, row) for row in UNITS)
    if not any(map(fights, members(unit))):
        raise trouble_of("attacker", HERE, "no-fight", rule="7.7/vehicles-not-engaged")
    if is_hulls(target) and not touches_hulls(unit):
        raise trouble_of("target", HERE, "no-fight-at", rule="7.13/flyer-assault")


def told(is_charge: bool, varied: Varied | None, position: Position) -> Forecast:
    if is_charge:
        return charge_forecast(position, ATTACKER, TARGET, varied)
    units = (ATTACKER,) if is_hulls(Unit(position, TARGET)) else UNITS
    return combat_forecast(position, members(Unit(position, ATTACKER))[0].row, TARGET, units, varied)


async def piece(is_charge: bool, position: Position, now: Fight | None) -> tuple[Position, Fight | None]:
    """The charge and the pile-ins, if it comes home, and what all mean to strike; then the steps of the round."""
    if now is None:
        return position, await opened(is_charge, position)
    left = await melee.strike_step(position, now)
    return position, left if left is not None and left.stage == melee.STRIKE else None


async def opened(is_charge: bool, position: Position) -> Fight | None:
    since = len(position.losses)
    if is_charge and not await charged(ATTACKER, TARGET, position):
        return None
    at_hulls = is_hulls(Unit(position, TARGET))
    units = (ATTACKER,) if at_hulls else combats(position)[0]
    if not at_hulls:
        await melee.fear_tests(position, units)
    now = await melee.choose_attacks(position, Fight(units, at_hulls, melee.CHOOSE, since))
    return now if now is not None and now.stage == melee.STRIKE else None


def counted(position: Position) -> dict[str, Callable[[Position], int]]:
    rows = [[row for row, side in enumerate(position.side_of) if side == own] for own in (1, 0)]
    found: dict[str, Callable[[Position], int]] = {"losses": partial(lost, rows[0])}
    if not is_hulls(Unit(position, TARGET)):
        found["losses-back"] = partial(lost, rows[1])
    for kind, own in zip(("structure", "structure-back"), rows, strict=True):
        hulls = [row for row in own if is_vehicle(position.model(row))]
        if hulls:
            found[kind] = partial(structure_lost, hulls, points_of(position, hulls))
    return found


def points_of(position: Position, hulls: Sequence[int]) -> int:
    return sum(structure_left(one) for one in map(position.model, hulls) if one.is_on_table)


def structure_lost(hulls: Sequence[int], before: int, position: Position) -> int:
    return before - points_of(position, hulls)


def lost(rows: Sequence[int], position: Position) -> int:
    return sum(not position.model(row).is_on_table for row in rows)
