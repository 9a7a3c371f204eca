"""Objective markers: their places, their range, their control (objectives/*)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from campale.mechanics.bases import about_point
from campale.mechanics.units import NOBODY
from campale.referee.position import Model, Position, Token
from campale.referee.rule import rule
from campale.rulesets.w10.basics.characteristics import objective_control
from campale.rulesets.w10.basics.units import VERTICAL, members, units_of, within
from campale.table.measure import gap, overlaps
from campale.table.shapes import TOLERANCE, Circle, Solid

OBJECTIVE = "objective"
RADIUS = 20.0 / 25.4
REACH = 3.0


def markers(position: Position) -> list[Token]:
    return [token for token in position.tokens if token.kind == OBJECTIVE]


@rule("objectives/marker")
def marker_solid(token: Token) -> Solid:
    """The body of a marker, 40 millimetres across."""
    return Solid(Circle(RADIUS), token.x, token.y, token.z)


@rule("objectives/marker", "movement-phase/moving-models")
def rule_of_base(position: Position, bodies: Sequence[Solid]) -> str:
    """The rule that bars bodies from overlapping a base: that of a marker, or of a model."""
    on_marker = any(overlaps(one, marker_solid(token)) for one in bodies for token in markers(position))
    return "objectives/marker" if on_marker else "movement-phase/moving-models"


@rule("s/objective-range")
def is_in_range(model: Model, token: Token) -> bool:
    return is_body_in_range(model.solid, token)


@rule("s/objective-range", "d/horizontal-vertical")
def is_body_in_range(body: Solid, token: Token) -> bool:
    """True within 3 inches of the edge of the marker in plan, and within 5 inches up or down."""
    return abs(body.z - token.z) <= VERTICAL + TOLERANCE and within(gap(body, marker_solid(token)), REACH)


@rule("l/level-of-control")
def level(position: Position, token: Token, side: int) -> int:
    """The total OC of a side's models in range."""
    models = [m for unit in units_of(position, side) for m in members(unit)]
    near = about_point(position, models, (token.x, token.y), RADIUS + REACH)
    return sum(objective_control(m) for m in near if is_in_range(m, token))


@rule("objectives/end-of-phase-check", "c/control-objective", "c/contested", "objectives/start")
def check_control(position: Position) -> None:
    """Settle control at the end of a phase: the higher level controls a marker, equal levels contest it."""
    for index, token in enumerate(position.tokens):
        if token.kind != OBJECTIVE:
            continue
        mine, theirs = level(position, token, 0), level(position, token, 1)
        holder = planted(token, NOBODY if mine == theirs else int(theirs > mine))
        if holder != token.side:
            flag = token.value if token.value == holder else None
            position.replace_token(index, msgspec.structs.replace(token, side=holder, value=flag))


@rule("r/end-of-command", "c/control-objective")
def planted(token: Token, holder: int) -> int:
    """The holder of a marker; one that a side has made its own stays so until the other side controls it."""
    return int(token.value) if isinstance(token.value, int) and holder == NOBODY else holder


@rule("c/controlled")
def controlled(position: Position, side: int) -> int:
    """The number of markers that a side controls."""
    return sum(token.side == side for token in markers(position))
