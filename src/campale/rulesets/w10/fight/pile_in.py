"""Pile-in and consolidation moves (m/pile-in-move, m/consolidation-*)."""

from __future__ import annotations

from campale.mechanics.moves.asking import suggested
from campale.mechanics.moves.barring import no_pieces
from campale.mechanics.moves.contact import ContactSearch, in_contact
from campale.mechanics.moves.move_paths import Barred, shown
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, is_lawful, moves_the_fixed, staying
from campale.referee.ask import ask
from campale.referee.position import Model, Token, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.w10.basics.coherency import is_coherent
from campale.rulesets.w10.basics.markers import marker_solid, markers
from campale.rulesets.w10.basics.sight import solids
from campale.rulesets.w10.basics.units import ENGAGEMENT, is_aircraft, members, within
from campale.rulesets.w10.charge.charging import closing_question
from campale.rulesets.w10.movement.moves import barred_for, blocks, go, moving
from campale.table.measure import gap

FAR = 3.0


def passing(model: Model, other: Model) -> float | None:
    return 0.0 if other.side != model.side or blocks(model, other) else None


def standing_by(model: Model, other: Model) -> float | None:
    return 0.0


def on_the_way(model: Model) -> Barred:
    return barred_for(model, "piling-in", passing, no_pieces)


def at_the_end(model: Model) -> Barred:
    return barred_for(model, "piled-in", standing_by, solids)


@rule("m/pile-in-move", "m/closest", "aircraft/closest")
def closest_enemy(model: Model) -> Model:
    """The enemy model closest to one; who cannot FLY ignores AIRCRAFT, where there are others."""
    enemies = model.position.on_table(1 - model.side)
    grounded = [m for m in enemies if not is_aircraft(m.unit)]
    seen = enemies if model.profile.has("fly") or not grounded else grounded
    return min(seen, key=lambda m: gap(model.solid, m.solid))


@rule("m/pile-in-move", "m/consolidation-toward-enemy")
def touching(unit: Unit) -> frozenset[int]:
    """The rows of the models that touch an enemy: they stay put."""
    enemies = unit.position.on_table(1 - unit.side)
    return frozenset(m.row for m in members(unit) if in_contact(m.solid, enemies))


@rule("m/pile-in-move")
def no_closer_to_enemy(move: UnitMove) -> Fault | None:
    """Every model that moves ends closer to its closest enemy model."""
    for model in move.moving:
        enemy = closest_enemy(model)
        if gap(move.standing(model), enemy.solid) >= gap(model.solid, enemy.solid):
            return Fault(shown(move.end(model)), model=model.row, rule="m/pile-in-move")
    return None


@rule("m/pile-in-move", "fight-phase/pile-in-impossible")
def not_engaged(move: UnitMove) -> Fault | None:
    """The unit ends engaged."""
    enemies = [m.solid for m in move.unit.position.on_table(1 - move.unit.side)]
    ends = [move.standing(m) for m in move.models]
    if any(within(gap(one, enemy), ENGAGEMENT) for one in ends for enemy in enemies):
        return None
    return Fault(limit=ENGAGEMENT, model=move.models[0].row)


@rule("m/pile-in-move", "a/pile-in-without-moving")
def in_contact_stays(move: UnitMove) -> Fault | None:
    return moves_the_fixed(move)


def melee_movement(unit: Unit) -> Movement:
    restrictions = (in_contact_stays, no_closer_to_enemy, not_engaged)
    return moving(unit, FAR, on_the_way, at_the_end, *restrictions, may_fly=False)._replace(fixed=touching(unit))


# ---------------------------------------------------------------- piling in, consolidating


@rule("fight-phase/fight-sequence", "m/pile-in-move", "fight-phase/pile-in-impossible")
async def pile_in(unit: Unit) -> None:
    """Up to 3 inches each towards the enemy; nobody moves, if the unit cannot end engaged and together."""
    await close_in(unit, "pile-in", "m/pile-in-move")


@rule("fight-phase/fight-sequence", "m/consolidation-move", "m/consolidation-toward-enemy")
async def consolidate(unit: Unit) -> None:
    """Towards the enemy, if the unit can end engaged; else towards the closest marker."""
    if members(unit) and not await close_in(unit, "consolidate", "m/consolidation-toward-enemy"):
        await move_to_marker(unit)


@rule("aircraft/charge-fight")
async def close_in(unit: Unit, prompt: str, duty: str) -> bool:
    """Ask for the move, if one to the enemy is possible; whether the unit is or could be engaged.

    AIRCRAFT neither pile in nor consolidate.
    """
    models, enemies = members(unit), unit.position.on_table(1 - unit.side)
    if is_aircraft(unit):
        return True
    near = [m for m in enemies if any(gap(one.solid, m.solid) <= FAR + ENGAGEMENT + 0.01 for one in models)]
    if not near:
        return False
    movement = melee_movement(unit)
    if len(movement.fixed) == len(models):
        return True
    search = ContactSearch(unit, models, near, movement)
    answers = lawful_moves(search)
    if not answers:
        return False
    if answers != [staying(models)]:
        witness, *others = answers
        go(unit, as_paths(models, await ask(closing_question(search, witness, prompt, duty, *others))), prompt)
    return True


def lawful_moves(search: ContactSearch) -> list[Plain]:
    """The move with most contacts, others towards the nearest enemies, and staying: those that are lawful."""
    unit, models, movement = search.unit, search.models, search.movement
    found: list[Plain] = []
    best = search.best()
    goals = [closest_enemy(models[0]).at]
    for answer in (best, *suggested(unit, models, movement, goals), staying(models)):
        if answer is not None and answer not in found and is_lawful(unit, models, movement, answer):
            found.append(answer)
    return found


# ---------------------------------------------------------------- towards a marker


@rule("m/consolidation-move")
async def move_to_marker(unit: Unit) -> None:
    """Who cannot end engaged ends in range of the closest marker, if it can; else nobody moves."""
    models = members(unit)
    tokens = markers(unit.position)
    if not tokens or not is_coherent(models):
        return
    token = min(tokens, key=lambda one: min(gap(m.solid, marker_solid(one)) for m in models))
    movement = marker_movement(unit, token)
    answer = next(suggested(unit, models, movement, [(token.x, token.y)]), None)
    if answer is not None and answer != staying(models):
        search = ContactSearch(unit, models, (), movement)
        question = closing_question(search, answer, "consolidate", "m/consolidation-move", staying(models))
        go(unit, as_paths(models, await ask(question)), "consolidate")


def marker_movement(unit: Unit, token: Token) -> Movement:
    def out_of_range(move: UnitMove) -> Fault | None:
        return ends_out_of_range(move, token)

    def no_closer(move: UnitMove) -> Fault | None:
        return no_closer_to_marker(move, token)

    return moving(unit, FAR, on_the_way, at_the_end, out_of_range, no_closer, may_fly=False)


@rule("m/consolidation-move", "s/objective-range")
def ends_out_of_range(move: UnitMove, token: Token) -> Fault | None:
    marker = marker_solid(token)
    if any(within(gap(move.standing(m), marker), FAR) for m in move.models):
        return None
    return Fault(limit=FAR, model=move.models[0].row, rule="m/consolidation-move")


@rule("m/consolidation-move")
def no_closer_to_marker(move: UnitMove, token: Token) -> Fault | None:
    marker = marker_solid(token)
    for model in move.moving:
        if gap(move.standing(model), marker) >= gap(model.solid, marker):
            return Fault(shown(move.end(model)), model=model.row, rule="m/consolidation-move")
    return None
