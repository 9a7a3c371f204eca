"""Rolling to wound (2.1): from hits to wounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec.structs import replace

from campale.dice.needs import Need
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.characteristics import limited, most_frequent
from campale.rulesets.e55.definitions.dice import needed, pool_for
from campale.rulesets.e55.definitions.types import is_bike, living
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits.attacks import Hit, Wound

STRONGER = ((2, 2), (1, 3), (0, 4), (-1, 5), (-3, 6))
"""The least excess of strength over toughness, and the number then needed."""

HOPELESS = 4
RENDING = {5: 4, 6: 2}


@rule("6.2/bike-toughness", "6.2.1/jetbike-inherits")
def bonus_of_bike(model: Model, is_ranged: bool) -> int:
    return 1 if is_ranged and is_bike(model) else 0


def toughness_of(model: Model, is_ranged: bool) -> int:
    """Return the toughness of one model against an attack."""
    return limited(characteristics.value(model, "t") + bonus_of_bike(model, is_ranged))


@rule("2.1/wound-toughness")
def toughness_of_unit(unit: Unit, is_ranged: bool) -> int:
    """Return the toughness of the unit as a whole, not of the model that will take the wound."""
    return most_frequent([toughness_of(model, is_ranged) for model in living(unit)])


@rule("2/target-kinds")
def aimed_at(hit: Hit, unit: Unit) -> Model | None:
    """Return the one model that a hit is aimed at, None if it is aimed at the unit."""
    return next((model for model in members(unit) if model.row == hit.target), None) if hit.target >= 0 else None


def toughness_against(hit: Hit, unit: Unit) -> int:
    model = aimed_at(hit, unit)
    return toughness_of_unit(unit, hit.is_ranged) if model is None else toughness_of(model, hit.is_ranged)


@rule("2.1/cannot-wound")
def cannot_wound(strength: int, toughness: int) -> bool:
    return toughness - strength >= HOPELESS


@rule("2.1/wound-table", "1.1/auto-success-failure")
def needed_to_wound(strength: int, toughness: int) -> Need | None:
    """Return what a die must show, None if no die is rolled."""
    if cannot_wound(strength, toughness):
        return None
    return needed(next(number for least, number in STRONGER if strength - toughness >= least))


@rule("9.1.1/rending")
def rending(hit: Hit, face: int) -> int | None:
    """Return the AP that a wounding die gives; an AP that is already better stays."""
    given = RENDING.get(face) if "rending" in hit.rules else None
    if given is None or (hit.ap is not None and hit.ap <= given):
        return hit.ap
    return given


WHEN_WOUNDED = (rending,)


@rule("2.1/timing-wounded")
def ap_when_wounded(hit: Hit, face: int) -> int | None:
    """Return the AP after the effects of the to-wound die, before any save."""
    for special in WHEN_WOUNDED:
        hit = replace(hit, ap=special(hit, face))
    return hit.ap


@rule("2.2/wound-inherits", "2/hit-profile")
def wound_of(hit: Hit, ap: int | None) -> Wound:
    return Wound(
        limited(hit.strength), ap, hit.cause, hit.rules, hit.by_unit, hit.by_model, hit.target, hit.grants_cover
    )


def roller(unit: Unit, hit: Hit) -> int:
    """Return the side that rolls for a hit: the side that dealt it, else the opponent of the unit hit."""
    return unit.position.unit_side[hit.by_unit] if hit.by_unit >= 0 else 1 - unit.side


@rule("2.1/mixed-hits", "1.1/dice-stream")
def alike(unit: Unit, hits: Sequence[Hit]) -> list[tuple[int, list[Hit]]]:
    """Group the hits, in the order scored, into runs of one unit's like hits against one toughness."""
    signs = {(hit.target, hit.is_ranged): hit for hit in hits}
    against = {sign: toughness_against(hit, unit) for sign, hit in signs.items()}
    runs = groupby(hits, key=lambda hit: (against[hit.target, hit.is_ranged], replace(hit, by_model=-1)))
    return [(toughness, list(run)) for (toughness, _), run in runs]


async def wounds_of(unit: Unit, hits: Sequence[Hit]) -> tuple[Wound, ...]:
    """Return the wounds that hits on a unit cause, in the order of the hits."""
    wounds: list[Wound] = []
    there = [hit for hit in hits if members(unit) and (hit.target < 0 or aimed_at(hit, unit) is not None)]
    for toughness, run in alike(unit, there):
        wounds += await wounds_of_run(unit, run, toughness)
    return tuple(wounds)


async def wounds_of_run(unit: Unit, run: Sequence[Hit], toughness: int) -> list[Wound]:
    hit = run[0]
    need = needed_to_wound(limited(hit.strength), toughness)
    if need is None:
        unit.position.write("cannot-wound", unit=unit.row, strength=hit.strength, toughness=toughness, hits=len(run))
        return []
    tears = "rending" in hit.rules
    by = {"by": hit.by_unit} if hit.by_unit >= 0 else {}
    apart = tuple(RENDING) if tears else ()
    rolled = await pool_for(roller(unit, hit), "to-wound", run, need, apart, target=unit.row, **by)
    if not tears:
        return [wound_of(one, one.ap) for one in rolled.hitting]
    dice = zip(run, rolled.faces, rolled.hits, strict=True)
    return [wound_of(one, ap_when_wounded(one, face)) for one, face, met in dice if met]
