"""Pile-in and consolidation moves (m/pile-in-move, m/consolidation-*)."""

from __future__ import annotations

from typing import NamedTuple

from campale.mechanics.moves.asking import suggested
from campale.mechanics.moves.barring import MORE_THAN, nothing
from campale.mechanics.moves.contact import in_contact
from campale.mechanics.moves.move_paths import Barred, shown
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, is_lawful, moves_the_fixed, staying
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Token, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import characteristic
from campale.rulesets.w10.basics.levels import solids
from campale.rulesets.w10.basics.markers import is_body_in_range, marker_solid, markers
from campale.rulesets.w10.basics.units import (
    ENGAGEMENT,
    are_engaged,
    between,
    flies,
    is_aircraft,
    is_of_aircraft,
    members,
)
from campale.rulesets.w10.charge.contact import Duty, contact_question, mended
from campale.rulesets.w10.charge.hulls import MeleeSearch
from campale.rulesets.w10.movement.moves import Cites, barred_for, blocks_on_foot, citing, go, moving
from campale.table.measure import gap
from campale.table.shapes import TOLERANCE

FAR = 3.0
AIRCRAFT_NEAR = "aircraft/others-move"
"""The rule that keeps models off AIRCRAFT."""


@rule("m/pile-in-modified", "m/consolidation-modified")
def reach_of(unit: Unit, move: str) -> float:
    """How far in inches each model of a unit may pile in or consolidate."""
    return float(characteristic(unit, move, int(FAR)))


@rule("aircraft/others-move", "movement-phase/moving-models")
def passing(model: Model, other: Model) -> float | None:
    """Enemies block the way, except AIRCRAFT, which models may pass under."""
    if other.side != model.side:
        return None if is_of_aircraft(other) else 0.0
    return 0.0 if blocks_on_foot(model, other) else None


@rule("aircraft/others-move", "aircraft/charge-fight")
def standing_by(model: Model, other: Model) -> float | None:
    """A unit that cannot FLY does not end within engagement range of enemy AIRCRAFT."""
    keeps_off = other.side != model.side and is_of_aircraft(other) and not flies(model.unit)
    return ENGAGEMENT + MORE_THAN if keeps_off else 0.0


def on_the_way(model: Model, z: float | None = None) -> Barred:
    return barred_for(model, "piling-in", passing, nothing, z)


def at_the_end(model: Model, z: float | None = None) -> Barred:
    return barred_for(model, "piled-in", standing_by, solids, z)


@rule("m/pile-in-move", "m/closest", "aircraft/closest")
def closest_enemies(model: Model) -> list[Model]:
    """The enemy models closest to a model; its owner chooses among several that are equally close.

    A model that cannot FLY ignores AIRCRAFT while there are other enemies. Kept until something moves.
    """
    kept, key = model.position.layout, ("closest", model.row)
    if key not in kept:
        enemies = model.position.on_table(1 - model.side)
        grounded = [m for m in enemies if not is_of_aircraft(m)]
        seen = enemies if model.profile.has("fly") or not grounded else grounded
        gaps = [between(model.solid, m.solid) for m in seen]
        kept[key] = [m.row for m, far in zip(seen, gaps, strict=True) if far <= min(gaps) + TOLERANCE]
    return [model.position.model(row) for row in kept[key]]


@rule("m/pile-in-move", "m/consolidation-toward-enemy", "c/base-contact")
def touching(unit: Unit) -> frozenset[int]:
    """The rows of the models in contact with an enemy: they stay put."""
    enemies = unit.position.on_table(1 - unit.side)
    return frozenset(m.row for m in members(unit) if in_contact(m.solid, enemies))


@rule("m/pile-in-move")
def no_closer_to_enemy(move: UnitMove) -> Fault | None:
    """Every model that moves must end closer to its closest enemy model."""
    for model in move.moving:
        there, here = move.standing(model), model.solid
        if all(between(there, enemy.solid) >= between(here, enemy.solid) for enemy in closest_enemies(model)):
            return Fault(shown(move.end(model)), model=model.row)
    return None


@rule("m/pile-in-move", "fight-phase/pile-in-impossible")
def not_engaged(move: UnitMove) -> Fault | None:
    """The unit must end engaged."""
    enemies = [m.solid for m in move.unit.position.on_table(1 - move.unit.side)]
    ends = [move.standing(m) for m in move.models]
    if any(are_engaged(one, enemy) for one in ends for enemy in enemies):
        return None
    return Fault(limit=ENGAGEMENT, model=move.models[0].row)


@rule("m/pile-in-move", "a/pile-in-without-moving", "fight-single-model/pile-in")
def stays_put(move: UnitMove) -> Fault | None:
    """A model in contact with an enemy does not move; where one model fights alone, neither do the others."""
    return moves_the_fixed(move)


class Bound(NamedTuple):
    """The rules that bind a move in melee: how far models go, towards which enemies, and how the unit ends."""

    far: str
    toward: str
    ends: str


PILING = Bound("m/pile-in-move", "m/pile-in-move", "m/pile-in-move")
CONSOLIDATING = Bound("m/consolidation-move", "m/consolidation-toward-enemy", "m/consolidation-move")


def melee_movement(unit: Unit, far: float = FAR, bound: Bound = PILING) -> Movement:
    towards = (citing(stays_put, bound.toward), citing(no_closer_to_enemy, bound.toward))
    return moving(
        unit,
        far,
        on_the_way,
        at_the_end,
        *towards,
        citing(not_engaged, bound.ends),
        may_fly=False,
        cites=Cites(bound.far, AIRCRAFT_NEAR),
    )._replace(fixed=touching(unit))


# ---------------------------------------------------------------- piling in, consolidating


@rule("m/pile-in-move", "fight-phase/fight-sequence", "fight-phase/pile-in-impossible")
async def pile_in(unit: Unit) -> None:
    """Each model moves up to 3 inches (or as abilities say) towards the enemy.

    No model moves if the unit cannot end engaged and in coherency.
    """
    await close_in(unit, "pile-in", "m/pile-in-move", near=False)


@rule(
    "m/consolidation-move", "fight-phase/fight-sequence", "m/consolidation-toward-enemy", "c/consolidate-without-moving"
)
async def consolidate(unit: Unit, only: Model | None = None) -> None:
    """Move towards the enemy if the unit can end engaged, otherwise towards the closest marker.

    ``only``: the one model that moves.
    """
    if members(unit) and not await close_in(unit, "consolidate", "m/consolidation-toward-enemy", near=True, only=only):
        await move_to_marker(unit, only)


@rule("aircraft/charge-fight")
def stays_aloft(unit: Unit) -> bool:
    """AIRCRAFT neither pile in nor consolidate."""
    return is_aircraft(unit)


async def close_in(unit: Unit, prompt: str, id: str, near: bool, only: Model | None = None) -> bool:
    """Ask for the move, if one towards the enemy is possible; return whether the unit is or could be engaged.

    ``near``: a model that cannot touch its closest enemy must end as near to it as it can.
    ``only``: the one model that moves.
    """
    models, enemies = members(unit), unit.position.on_table(1 - unit.side)
    if stays_aloft(unit):
        return True
    far = reach_of(unit, prompt)
    reached = [m for m in enemies if any(gap(one.solid, m.solid) <= far + ENGAGEMENT + 0.01 for one in models)]
    if not reached:
        return False
    movement = melee_movement(unit, far, CONSOLIDATING if near else PILING)
    if only is not None:
        movement = movement._replace(fixed=frozenset({*movement.fixed, *(m.row for m in models if m.row != only.row)}))
    if len(movement.fixed) == len(models):
        return True
    duty = Duty(MeleeSearch(unit, models, reached, movement, closest_enemies), id, near)
    answers = lawful_moves(duty)
    if not answers:
        return False
    if answers != [staying(models)]:
        answer = await ask(contact_question(duty, prompt, *answers))
        go(unit, as_paths(models, answer, movement.reads), prompt)
    return True


def lawful_moves(duty: Duty) -> list[Plain]:
    """Lawful moves: the one with most contacts, others towards the nearest enemy, and staying; the first is mended."""
    search = duty.search
    unit, models, movement = search.unit, search.models, search.movement
    found: list[Plain] = []
    best = search.best()
    goals = [closest_enemies(models[0])[0].at]
    for answer in (best, *suggested(unit, models, movement, goals), staying(models)):
        if answer is not None and answer not in found and is_lawful(unit, models, movement, answer):
            found.append(answer if found else mended(duty, answer))
    return found


# ---------------------------------------------------------------- towards a marker


@rule("m/consolidation-move")
async def move_to_marker(unit: Unit, only: Model | None = None) -> None:
    """A unit that cannot end engaged ends coherent in range of the closest marker; if it cannot, no model moves."""
    models = members(unit)
    if not markers(unit.position):
        return
    token = await closest_marker(unit)
    movement = marker_movement(unit, token)
    if only is not None:
        movement = movement._replace(fixed=frozenset(m.row for m in models if m.row != only.row))
    answer = next(suggested(unit, models, movement, [(token.x, token.y)]), None)
    if answer is not None and answer != staying(models):
        duty = Duty(MeleeSearch(unit, models, (), movement), "m/consolidation-move")
        question = contact_question(duty, "consolidate", answer, staying(models))
        go(unit, as_paths(models, await ask(question), movement.reads), "consolidate")


@rule("m/consolidation-move", "m/closest")
async def closest_marker(unit: Unit) -> Token:
    """The marker closest to the unit before it moves; its owner chooses among several equally close."""
    tokens = markers(unit.position)
    gaps = [min(between(m.solid, marker_solid(one)) for m in members(unit)) for one in tokens]
    closest = [place for place, far in enumerate(gaps) if far <= min(gaps) + TOLERANCE]
    place: int = await choose(unit.side, "closest-marker", closest, of="objective", unit=unit.row)
    return tokens[place]


def marker_movement(unit: Unit, token: Token) -> Movement:
    def out_of_range(move: UnitMove) -> Fault | None:
        return ends_out_of_range(move, token)

    def no_closer(move: UnitMove) -> Fault | None:
        return no_closer_to_marker(move, token)

    far, cites = reach_of(unit, "consolidate"), Cites("m/consolidation-move", AIRCRAFT_NEAR)
    stays = citing(stays_put, "m/consolidation-move")
    return moving(unit, far, on_the_way, at_the_end, stays, out_of_range, no_closer, may_fly=False, cites=cites)


@rule("m/consolidation-move", "s/objective-range")
def ends_out_of_range(move: UnitMove, token: Token) -> Fault | None:
    if any(is_body_in_range(move.standing(m), token) for m in move.models):
        return None
    return Fault(limit=FAR, model=move.models[0].row, rule="m/consolidation-move")


@rule("m/consolidation-move")
def no_closer_to_marker(move: UnitMove, token: Token) -> Fault | None:
    marker = marker_solid(token)
    for model in move.moving:
        if between(move.standing(model), marker) >= between(model.solid, marker):
            return Fault(shown(move.end(model)), model=model.row, rule="m/consolidation-move")
    return None
