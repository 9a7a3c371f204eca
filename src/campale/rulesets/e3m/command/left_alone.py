"""A special model whose unit is gone: it stands in the unit's place until the turn is over."""

from __future__ import annotations

from campale.mechanics.frames import DOING, stack
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import hidden_orders, order_of, secret
from campale.rulesets.e3m.command.units import (
    ACTED,
    AT_STEP,
    GROUP,
    LEADERLESS,
    MOVED,
    NOT_COUNTED,
    ORDER,
    POINTS,
    START,
    UNIT_LEADER,
    has_moved,
)

OF_ITS_OWN = (ACTED, AT_STEP, GROUP, LEADERLESS, MOVED, NOT_COUNTED, POINTS, START)
"""The marks of a unit that are not handed on."""
BY_GROUP = ("movement", "declarations", "assault")
"""The steps in which groups act."""


@rule("base-characters/attached")
def stand_alone(model: Model, unit: Unit) -> None:
    """The model is independent at once. It keeps the unit's order, what it did this turn, and its place in assaults."""
    own, position = model.bought_with, model.position
    moved, acted = int(has_moved(model)), has_acted(own, unit)
    position.join(model, own)
    model.mark(UNIT_LEADER, 1)
    keep_order(own, unit)
    for name in list(position.of_units.columns):
        if name not in OF_ITS_OWN:
            own.mark(name, unit.marks(name))
    for name, value in ((AT_STEP, 1), (MOVED, moved), (ACTED, acted)):
        own.mark(name, value)
    take_place(position, own, unit)


@rule("hierarchy/independent-models", "turn/no-passing")
def has_acted(own: Unit, unit: Unit) -> int:
    """Whether it has acted in this step: in steps by group, with its own group if it is in one."""
    position, group = own.position, own.marks(GROUP)
    if not group or position.now.get("phase") not in BY_GROUP:
        return int(unit.marks(ACTED))
    mates = (one for one in position.units if one.marks(GROUP) == group and one.row != own.row)
    return int(any(one.marks(ACTED) for one in mates))


@rule("orders/reveal")
def keep_order(own: Unit, unit: Unit) -> None:
    """The unit's order, hidden if it is."""
    hidden = hidden_orders(own.position, own.side)
    if unit.row not in hidden:
        own.jot(ORDER, order_of(unit))
        return
    hidden[own.row] = hidden[unit.row]
    own.position.declare(secret(own.side), tuple(sorted(hidden.items())))


@rule("assault/declaration", "fire/opportunity-aftermath", "assault/attacker-loses")
def take_place(position: Position, own: Unit, unit: Unit) -> None:
    """In declared assaults and on the way that the unit was going; and it knows where its assault began."""

    def now(row: int) -> int:
        return own.row if row == unit.row else row

    declared = position.declared.get("assaults")
    if declared:
        position.declare("assaults", tuple((now(row), tuple(map(now, targets))) for row, targets in declared))
    if stack(position):
        frames = stack(position)
        going = (frame[0] == "route" and frame[1] == unit.row for frame in frames)
        again = ((one[0], own.row, *one[2:]) if goes else one for one, goes in zip(frames, going, strict=True))
        position.declare(DOING, tuple(again))
    before = position.snapshots.get(f"assault-{unit.row}")
    if before is not None:
        position.snapshots[f"assault-{own.row}"] = before
