"""Models that must end in contact, or as near as they can: what a move owes, and moves that owe nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from campale.mechanics.moves import unit_moves
from campale.mechanics.moves.contact import ContactSearch
from campale.mechanics.moves.move_paths import answer_of, end_of, shown
from campale.mechanics.moves.unit_moves import Answer, UnitMove, as_paths, is_lawful, on_the_grain
from campale.referee.position import Model
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.w10.basics.coherency import LINK
from campale.rulesets.w10.basics.levels import heights_of
from campale.rulesets.w10.basics.units import between
from campale.rulesets.w10.charge.hulls import straight_at
from campale.table import planner
from campale.table.measure import bounding_radius
from campale.table.paths import Path, fraction, plan_length
from campale.table.shapes import TOLERANCE, Circle, Solid, heading

SLACK = 0.1
"""A model must move nearer only if it can gain at least this many inches."""
SHARES = (1.0, 0.75, 0.5, 0.25)
ROUNDS = 8
"""The maximum number of improvement rounds: what one model owes depends on where the others end."""
FEW = 8
"""How many places of a model are tried against all restrictions of the whole unit."""


class Duty(NamedTuple):
    """What the models of a move owe under the rule ``id``: contact with the enemies that the search wants.

    ``near``: or, failing contact, nearness.
    """

    search: ContactSearch
    id: str
    near: bool = False

    def move(self, answer: Answer) -> UnitMove:
        search = self.search
        return UnitMove(search.unit, as_paths(search.models, answer, search.movement.reads), search.movement)


# ---------------------------------------------------------------- what a model could do better


@rule("charge-phase/charge-move", "m/pile-in-move", "m/consolidation-toward-enemy")
def falls_short(duty: Duty, answer: Answer) -> Fault | None:
    """The fault of the first moving model that could end in contact, or nearer, with the others where they end."""
    move = duty.move(answer)
    for model in move.moving:
        if bettered(duty, move, answer, model) is not None:
            return Fault(shown(move.end(model)), model=model.row, rule=duty.id)
    return None


def bettered(duty: Duty, move: UnitMove, answer: Answer, model: Model) -> list[Plain] | None:
    """The same move with one model brought into contact or nearer; None if that is impossible."""
    if model.row in duty.search.movement.fixed or duty.search.touches(move, model):
        return None
    n = duty.search.models.index(model)
    nearby = nearer(duty.search, move, model) if duty.near else ()
    for way in chain(in_contact(duty.search, move, model), nearby):
        found = [*answer[:n], way, *answer[n + 1 :]]
        if is_lawful(duty.search.unit, duty.search.models, duty.search.movement, found):
            return found
    return None


def in_contact(search: ContactSearch, move: UnitMove, model: Model) -> Iterator[Plain]:
    """Ways of a model into contact, clear of where the others of its unit end."""
    places = search.near.get(model.row, [])
    if not places:
        return
    discs = ends_of_others(move, model)
    at = np.array(places, np.float64)
    off = np.hypot(at[:, None, 0] - discs[:, 0], at[:, None, 1] - discs[:, 1]) - discs[:, 2]
    elsewhere = np.abs(at[:, None, 2] - discs[:, 3]) > TOLERANCE
    clear = ((off >= bounding_radius(model.solid.shape)) | elsewhere).all(axis=1)
    ways = (search.reachable(model, places[k]) for k in clear.nonzero()[0].tolist())
    for tried, way in enumerate(way for way in ways if way is not None):
        if tried >= FEW:
            return
        yield answer_of(way)


def nearer(search: ContactSearch, move: UnitMove, model: Model) -> Iterator[Plain]:
    """Ways of a model nearer to the enemies it wants: the nearest point possible, then shorter shares of that way."""
    wanted = [enemy.solid for enemy in search.wanted(model)]

    def off(there: Solid) -> float:
        return min((between(there, enemy) for enemy in wanted), default=0.0)

    left = off(move.standing(model))
    for whole in ways_towards(search, move, model):
        for share in SHARES:
            way = search.movement.reads(model, on_the_grain(model, fraction(whole, share)).points[1:], None)
            if plan_length(way) > 0.0 and off(search.standing_at(model, end_of(way))) <= left - SLACK:
                yield answer_of(way)


def ways_towards(search: ContactSearch, move: UnitMove, model: Model) -> Iterator[Path]:
    """Ways towards the enemies that a model wants, clear of where the others of its unit end; a hull goes straight."""
    size, limit = bounding_radius(model.solid.shape), search.movement.limit or 0.0
    if not isinstance(model.solid.shape, Circle):
        for enemy in search.wanted(model):
            dx, dy = heading(straight_at(model, enemy))
            yield Path((model.at, (model.x + limit * dx, model.y + limit * dy)), model.facing)
        return
    others = ends_of_others(move, model)
    crowd = others[np.abs(others[:, 3] - model.z) <= TOLERANCE, :3]
    crowd[:, 2] += size
    going = planner.with_discs(search.movement.at_the_end(model).field.plans, crowd)
    for enemy in search.wanted(model):
        yield planner.nearest(going, model.at, enemy.at, limit)


def ends_of_others(move: UnitMove, model: Model) -> Any:
    """The x, y, radius and height of the other models of the unit where they end, as an array of shape (n, 4)."""
    others = [(*move.end(m), bounding_radius(m.solid.shape), move.standing(m).z) for m in move.models if m is not model]
    return np.array(others, np.float64).reshape(-1, 4)


# ---------------------------------------------------------------- moves that owe nothing


def mended(duty: Duty, answer: Answer) -> Plain:
    """A lawful move improved model by model, stayers too, until no model owes more (at most ``ROUNDS`` rounds)."""
    found = list(answer)
    for _ in range(ROUNDS):
        before = found
        for model in duty.search.models:
            found = bettered(duty, duty.move(found), found, model) or found
        if found is before:
            break
    return found


def contact_question(duty: Duty, prompt: str, *proposed: Plain, may_stay: bool = False) -> MoveUnit:
    """Ask for a move whose models owe what the duty says; every proposal is lawful, and the first owes nothing.

    ``may_stay``: all models may stay where they are, lawful or not.
    """
    search = duty.search
    unit, models, movement = search.unit, search.models, search.movement
    first = proposed[0]

    def refuses(answer: Answer) -> Refusal | Fault | None:
        move = duty.move(answer)
        if may_stay and not move.moving:
            return None
        return unit_moves.refusal_of(move) or (None if answer == first else falls_short(duty, answer))

    def suggests() -> Iterator[Plain]:
        return (one for one in proposed if refuses(one) is None)

    def samples(rng: Any) -> Plain:
        return first

    about: dict[str, Plain] = {"unit": unit.row, "models": [m.row for m in models]}
    touching = sum(search.touches(duty.move(first), m) for m in models)
    limits: dict[str, Plain] = {"allowance": movement.limit, "contacts": touching, "coherency": LINK}
    limits["levels"] = heights_of(unit.position)
    return MoveUnit(unit.side, prompt, refuses, samples, suggests, limits, about)
