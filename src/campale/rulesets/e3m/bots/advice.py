"""What answers are worth to a bot that plays nothing through: orders, targets, opportunity fire, assaults.

This is a judgement, not a rule, and it uses only what the asked side may know: it ignores the other side's hidden
orders. Questions without an adviser here are answered by the order of their options and by their proposals.
"""

from __future__ import annotations

import math
from typing import Any

from campale.mechanics.bases import Floats
from campale.mechanics.judgement.advice import About, Advice, by_prompt
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.ruleset import WASTE, Advised
from campale.rulesets.e3m.bots import firing
from campale.rulesets.e3m.bots.counsel import order_worths
from campale.rulesets.e3m.bots.destinations import worth_outside
from campale.rulesets.e3m.bots.forecast import damage_of
from campale.rulesets.e3m.bots.leading import leads_others
from campale.rulesets.e3m.bots.prospects import FAR, View, melee_values, value, view_of
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.vehicles.damage import armour_of, face_towards

NOBODY, NONE_LEFT, HOLD, AREA, SNIPE = "nobody", "none", "hold", "area", "snipe"
WORTHWHILE = 0.5
"""A Ready unit fires rather than waits for at least this share of the best that it could do."""
UNLIKE = frozenset({"lance", "melta", "sniper"})
"""Weapons that pierce armour by rules of their own."""
SURE = 0.5
"""The least points that fire or a charge has to promise."""


def looked_at(position: Position, question: Question) -> tuple[View, int, list[Any]]:
    """The view of the side that is asked, the side, and the options."""
    assert isinstance(question, Choose)
    assert question.side is not None
    return view_of(position, question.side), question.side, question.candidates


def places_of(view: View, side: int) -> dict[int, int]:
    """The indices of a side's squads by the rows of their units."""
    return {one.unit.row: k for k, one in enumerate(view.squads[side])}


def fire_values(view: View, side: int, row: int) -> Floats:
    """The worth of a unit's fire at full strength at each enemy squad that it sees."""
    k, threats = places_of(view, side)[row], view.threats[side]
    found: Floats = value(threats.full[k], *view.worths[1 - side]) * threats.sees[k]
    return found


# ---------------------------------------------------------------- orders


def which_order(position: Position, question: Question, about: About) -> Advice:
    assert question.side is not None
    return list(order_worths(position, question.side).get(int(about["unit"]), {}).items())


# ---------------------------------------------------------------- moves


def who_moves(position: Position, question: Question, about: About) -> Advice:
    """The leader first, so that the others can stay near him; then the unit farthest forward."""
    view, side, candidates = looked_at(position, question)
    places, gaps = places_of(view, side), view.gaps(side).min(axis=1, initial=FAR)
    able = [row for row in candidates if row in places]
    return [(row, float(leads_others(Unit(position, row))) - float(gaps[places[row]]) / FAR) for row in able]


def whether_to_get_out(position: Position, question: Question, about: About) -> Advice:
    """Whether troops find something to do outside their vehicle."""
    assert question.side is not None
    return [("no", SURE), ("yes", worth_outside(Unit(position, int(about["unit"]))))]


# ---------------------------------------------------------------- fire


def at_whom(position: Position, question: Question, about: About) -> Advice:
    """The enemy that the unit may hurt most: a unit, a vehicle, or models in the best area."""
    view, side, candidates = looked_at(position, question)
    row = int(about["unit"])
    if row not in places_of(view, side):
        return ()
    worths, squads = fire_values(view, side, row), view.squads[1 - side]
    by_row = {one.unit.row: float(worth) for one, worth in zip(squads, worths, strict=True)}
    on_foot = [by_row[one.unit.row] for one in squads if not is_hull(one.kinds[0][0])]
    found: list[Advised] = [(HOLD, 0.0), (SNIPE, SURE / 2.0), (AREA, SURE + max(on_foot, default=0.0))]
    for key in candidates:
        if isinstance(key, tuple):
            hull = position.model(key[1]) if key[0] == "vehicle" else None
            worth = by_row.get(key[1] if hull is None else hull.unit.row, 0.0)
            is_vain = hull is not None and not can_hurt(Unit(position, row), hull)
            found.append((key, WASTE if is_vain else SURE + worth))
    return found


def can_hurt(unit: Unit, vehicle: Model) -> bool:
    """Whether a weapon of the unit can do damage to the side of the vehicle that is nearest to it."""
    models = members(unit)
    nearest = min(models, key=lambda one: math.dist(one.at, vehicle.at))
    armour = armour_of(vehicle, face_towards(vehicle, nearest.at))
    lines = {line for model in models for mount in model.profile.mounts for line in mount.weapon.lines}
    return any(damage_of(line.strength, armour, line) > 0.0 or not UNLIKE.isdisjoint(line.specials) for line in lines)


def who_fires_first(position: Position, question: Question, about: About) -> Advice:
    """The unit that may do most harm fires first, before it suffers any."""
    view, side, candidates = looked_at(position, question)
    able = [row for row in candidates if row in places_of(view, side)]
    return [(row, float(fire_values(view, side, row).max(initial=0.0))) for row in able]


def is_hull(model: Model) -> bool:
    return bool(model.profile.has_armour)


def who_watches(position: Position, question: Question, about: About) -> Advice:
    """A Ready unit fires at a passing one, if that is not much less than the best that it could do."""
    view, side, candidates = looked_at(position, question)
    ours, theirs = places_of(view, side), places_of(view, 1 - side)
    mover = theirs.get(int(about["unit"]))
    found: list[Advised] = [(NOBODY, 0.0)]
    for row in candidates:
        if row in ours and mover is not None:
            worths = value(view.threats[side].full[ours[row]], *view.worths[1 - side])
            found.append((row, float(worths[mover] - WORTHWHILE * worths.max()) if worths[mover] > SURE else -1.0))
    return found


def who_fires_at_the_end(position: Position, question: Question, about: About) -> Advice:
    """Any unit with an enemy in sight fires, because there is nothing to wait for."""
    view, side, candidates = looked_at(position, question)
    able = [row for row in candidates if row in places_of(view, side)]
    return [(NOBODY, SURE), *((row, float(fire_values(view, side, row).max(initial=0.0))) for row in able)]


# ---------------------------------------------------------------- assaults


def whom_to_assault(position: Position, question: Question, about: About) -> Advice:
    view, side, _ = looked_at(position, question)
    k = places_of(view, side).get(int(about["unit"]))
    if k is None:
        return ()
    worths = melee_values(view, side)[k].tolist()
    rows = [one.unit.row for one in view.squads[1 - side]]
    return [(NONE_LEFT, SURE), *zip(rows, worths, strict=True)]


def who_declares(position: Position, question: Question, about: About) -> Advice:
    """The unit that may gain most by an assault. A unit without anything to gain does not show its order."""
    view, side, candidates = looked_at(position, question)
    gains, places = melee_values(view, side).max(axis=1, initial=0.0), places_of(view, side)
    able = [row for row in candidates if row in places]
    return [(NONE_LEFT, SURE), *((row, float(gains[places[row]])) for row in able)]


advise = by_prompt(
    {
        "order": which_order,
        "move-unit": who_moves,
        "assault-unit": who_moves,
        "get-out": whether_to_get_out,
        "preparatory-element": who_fires_first,
        "defensive-element": who_fires_first,
        "advancing-element": who_fires_first,
        "fire-at": at_whom,
        "fire-area": firing.which_area,
        "weapon-line": firing.which_line,
        "vehicle-weapons": firing.which_weapons,
        "heavy-at": firing.area_or_vehicle,
        "snipe": firing.whom_to_snipe,
        "marker-on": firing.where_to_mark,
        "who-watches": who_watches,
        "step-end-fire": who_fires_at_the_end,
        "declare-unit": who_declares,
        "assault-target": whom_to_assault,
    }
)
