"""Charges and combats of a query: two units in contact, or one charging from some distance."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from campale.mechanics.queries import counting
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Query, Volley, all_pieces
from campale.referee.position import Position, Unit
from campale.referee.refusal import first_refusal
from campale.referee.ruleset import Ruleset
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.assault_phase import melee
from campale.rulesets.e55.assault_phase.charge import RESTRICTIONS
from campale.rulesets.e55.assault_phase.combat import combats
from campale.rulesets.e55.assault_phase.fighting import fights, is_hulls
from campale.rulesets.e55.assault_phase.melee import Fight, touches_hulls
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import CHARGED, CHARGED_WHOM, COMBAT, members
from campale.rulesets.e55.odds.fire_odds import Varied, by_proposal
from campale.rulesets.e55.odds.melee_odds import CHARGE, charge_forecast, charged, combat_forecast
from campale.rulesets.e55.queries.layout import begin, set_out
from campale.rulesets.e55.queries.profiles import FIELDS
from campale.rulesets.e55.vehicles.damage import structure_left

MELEE = "melee"
UNITS = (ATTACKER, TARGET)
RULES = {
    **dict.fromkeys(("losses", "losses-back"), "1.1/casualty"),
    **dict.fromkeys(("structure", "structure-back"), "7.1/structure-points"),
}

Profiles = Sequence[Profile]
Opening = Callable[[Position], Coroutine[Any, Any, Fight | None]]
"""What is played before any blows; None: there are no blows."""


def charge(ruleset: Ruleset, attackers: Profiles, targets: Profiles, distance: float, varied: Varied | None) -> Query:
    position = set_out(ruleset, attackers, targets, distance)
    begin(position, "charges")
    position.forget()
    refusal = first_refusal(RESTRICTIONS, position, (CHARGE, *UNITS))
    if refusal is not None:
        raise FIELDS.fault("attacker", "no-charge", rule=refusal.rule)
    return query(position, CHARGE, charge_odds, comes_home, varied)


def combat(ruleset: Ruleset, attackers: Profiles, targets: Profiles, has_charged: bool, varied: Varied | None) -> Query:
    """Return a query for a round of combat between two units already in contact."""
    position = set_out(ruleset, attackers, targets, 0.0)
    attacker, target = (Unit(position, row) for row in UNITS)
    if not is_hulls(target):
        attacker.mark(COMBAT, 1)
        target.mark(COMBAT, 1)
    begin(position, "melee")
    if has_charged:
        attacker.mark(CHARGED, 1)
        attacker.jot(CHARGED_WHOM, (TARGET,))
    position.forget()
    if not any(map(fights, members(attacker))):
        raise FIELDS.fault("attacker", "no-fight", rule="7.7/vehicles-not-engaged")
    if is_hulls(target) and not touches_hulls(attacker):
        raise FIELDS.fault("target", "no-fight-at", rule="7.13/flyer-assault")
    return query(position, MELEE, combat_odds, chooses, varied)


def query(
    position: Position,
    kind: str,
    odds: Callable[[Varied | None, Position], Forecast],
    opening: Opening,
    varied: Varied | None,
) -> Query:
    one_piece = partial(piece, opening)
    title = FIELDS.title(f"kind.{kind}")
    volley = Volley((title,), partial(odds, varied), partial(all_pieces, one_piece), piece=one_piece)
    policy = by_proposal if varied is None else varied(by_proposal)
    return Query(position, (volley,), policy, counted(position), len(members(Unit(position, TARGET))), RULES)


# ---------------------------------------------------------------- odds and play


def charge_odds(varied: Varied | None, position: Position) -> Forecast:
    return charge_forecast(position, ATTACKER, TARGET, varied)


def combat_odds(varied: Varied | None, position: Position) -> Forecast:
    fighter = members(Unit(position, ATTACKER))[0].row
    return combat_forecast(position, fighter, TARGET, fighting(position), varied)


def fighting(position: Position) -> tuple[int, ...]:
    """Return the units that strike; vehicles that are not walkers do not strike back."""
    return (ATTACKER,) if is_hulls(Unit(position, TARGET)) else UNITS


async def piece(opening: Opening, position: Position, now: Fight | None) -> tuple[Position, Fight | None]:
    """Play what comes before the first blows, then the steps of the round."""
    if now is None:
        return position, await opening(position)
    left = await melee.strike_step(position, now)
    return position, left if left is not None and left.stage == melee.STRIKE else None


async def comes_home(position: Position) -> Fight | None:
    """Play the charge and the pile-ins; if it succeeds, return the chosen strikes."""
    since = len(position.losses)
    return await chooses(position, since) if await charged(position, ATTACKER, TARGET) else None


async def chooses(position: Position, since: int | None = None) -> Fight | None:
    """Return the chosen strikes, after tests of fear."""
    since = len(position.losses) if since is None else since
    at_hulls = is_hulls(Unit(position, TARGET))
    units = (ATTACKER,) if at_hulls else combats(position)[0]
    if not at_hulls:
        await melee.fear_tests(position, units)
    now = await melee.choose_attacks(position, Fight(units, at_hulls, melee.CHOOSE, since))
    return now if now is not None and now.stage == melee.STRIKE else None


# ---------------------------------------------------------------- the results counted


def counted(position: Position) -> dict[str, counting.Counter]:
    own, foes = (counting.rows_of(position, side) for side in (0, 1))
    found = {"losses": counting.lost(foes)}
    if not is_hulls(Unit(position, TARGET)):
        found["losses-back"] = counting.lost(own)
    for kind, rows in (("structure", foes), ("structure-back", own)):
        hulls = [row for row in rows if is_vehicle(position.model(row))]
        if hulls:
            found[kind] = counting.taken_from(position, counting.left_of(hulls, structure_left))
    return found
