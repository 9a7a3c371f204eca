"""Chapters "fire" and "reaction": a unit fires at another, which may answer."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.mechanics import attacks, bases, forecasts, units, wounds
from campale.referee.ask import confirm
from campale.referee.looks import Forecast
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.table.measure import overlaps_outline, wholly_inside_outline
from campale.table.shapes import TOLERANCE

from .orders import is_holding


@rule("fire/sequence")
async def fire(unit: Unit) -> None:
    """At one enemy unit or at none."""
    target = await units.choose_enemy(unit, "fire", (out_of_range,))
    if target is not None:
        await volley(unit, target)
        await return_fire(target, unit)


@rule("fire/range")
def out_of_range(unit: Unit, target: Unit) -> Fault | None:
    return units.too_far_away(unit, target, units.members(unit)[0].profile.range)


@rule("fire/range")
def aimed_at(unit: Unit, target: Unit) -> list[tuple[Model, Model]]:
    """Each model that has a model of the target in range, with the nearest of them."""
    return units.nearest_pairs(unit, target, lambda model: model.profile.range)


@rule("fire/sequence")
async def volley(unit: Unit, target: Unit) -> int:
    """Every model rolls its shots, and every hit takes a wound. Gives the hits."""
    needs = [to_hit(one, other) for one, other in aimed_at(unit, target) for _ in range(one.profile.shots)]
    hits = await attacks.roll_hits(unit.side, "to-hit", needs, unit=unit.row)
    wound(unit, target, hits, "fire")
    return hits


@rule("profile/fields")
def to_hit(shooter: Model, target: Model) -> Need:
    """The skill and its modifiers."""
    return attacks.modified(shooter.profile.skill, (beyond_half_range, in_the_wood, steady), shooter, target)


@rule("fire/half-range")
def beyond_half_range(shooter: Model, target: Model) -> int:
    return -1 if bases.distance(shooter, target) > shooter.profile.range / 2 + TOLERANCE else 0


@rule("fire/wood")
def in_the_wood(shooter: Model, target: Model) -> int:
    is_in = overlaps_outline if target.position.options.wood == "any" else wholly_inside_outline
    return -1 if any(is_in(target.solid, wood.outline) for wood in target.position.pieces_tagged("wood")) else 0


@rule("fire/holding")
def steady(shooter: Model, target: Model) -> int:
    return 1 if is_holding(shooter.unit) else 0


@rule("fire/wounds")
def wound(unit: Unit, target: Unit, many: int, cause: str) -> None:
    """Off whoever is wounded first, then off the last of its models."""
    wounds.take_wounds(units.members(target), many, cause, by=units.members(unit)[0].row)


@rule("reaction/return-fire")
async def return_fire(unit: Unit, target: Unit) -> None:
    """Once a turn, if anybody is left who has the enemy in range; nobody answers it."""
    able = units.members(unit) and not unit.marks("answered") and aimed_at(unit, target)
    if able and await confirm(unit.side, "return-fire", unit=unit.row, on=target.row):
        unit.mark("answered", 1)
        await volley(unit, target)


def odds(unit: Unit, target: Unit) -> Forecast | None:
    """Hits and losses by a volley; None where nobody has the target in range."""
    return forecasts.of_attack(unit, target, volley, "fire/sequence", "fire/wounds") if aimed_at(unit, target) else None


ODDS = forecasts.AtUnits({"fire": odds})
