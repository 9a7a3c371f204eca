"""Which models are engaged: able enemies in base contact, once the reactions to the charge are over."""

from __future__ import annotations

from campale.mechanics.contact import groups
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import touch
from campale.rulesets.ragnarok.basics.physical import is_able

CLOSE = 5.0
"""Bases farther apart than this along either axis, in cm, never touch."""


@rule("melee/engaged", "charge/engagement")
def contacts(position: Position) -> list[tuple[int, int]]:
    """Return pairs of able enemies in contact, by row. A model that is still charging is not engaged yet."""
    kept = position.cache.get("contacts")
    if kept is None:
        charging = position.declared.get("charging", ())
        able = [m for m in position.models if is_able(m) and m.row not in charging]
        x, y, side_of = position.x, position.y, position.side_of
        ours, theirs = ([(m, x[m.row], y[m.row]) for m in able if side_of[m.row] == side] for side in (0, 1))
        close = [(a, b) for a, x, y in ours for b, u, v in theirs if abs(x - u) < CLOSE and abs(y - v) < CLOSE]
        kept = [(a.row, b.row) for a, b in close if touch(a, b)]
        position.cache["contacts"] = kept
    pairs: list[tuple[int, int]] = kept
    return pairs


@rule("melee/engaged")
def is_engaged(model: Model) -> bool:
    kept = model.position.cache.get("engaged")
    if kept is None:
        kept = model.position.cache["engaged"] = frozenset(row for pair in contacts(model.position) for row in pair)
    return model.row in kept


@rule("melee/engaged")
def opponents(model: Model) -> list[Model]:
    """Return the able enemies in contact with the model."""
    pairs = [pair for pair in contacts(model.position) if model.row in pair]
    return [model.position.model(b if a == model.row else a) for a, b in pairs]


@rule("melee/groups")
def melees(position: Position) -> list[tuple[int, ...]]:
    """Return the groups of rows that fight together: joined by contact between enemies, directly or through others."""
    return groups(contacts(position))
