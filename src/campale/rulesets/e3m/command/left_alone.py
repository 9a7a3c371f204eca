"""A special model whose unit is gone: it stands in the unit's place until the turn is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.mechanics.frames import DOING, Frame, stack
from campale.referee.position import Model, Unit
from campale.referee.refusal import Plain
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
PLACES = {
    **dict.fromkeys(
        ("route", "move-ended", "arrived", "retreat", "lose", "lost-test", "occupy", "set-back", "give-ground"), 1
    ),
    **dict.fromkeys(("overrun-defence", "overrun-test", "overrun-fire", "overrun-back", "overrun-aside"), 2),
}
"""By the kind of a frame, the place of the unit that others may stand in for."""
PATHS, MET = 4, 7
"""The places of the paths, and of what a vehicle has met, in the frame of a route."""
BY_GROUP = ("movement", "declarations", "assault")
"""The steps in which groups act."""


def stand_alone(models: Sequence[Model], unit: Unit) -> None:
    """The models attached to a unit that is gone are independent at once, and stand in its place."""
    for model in models:
        become_independent(model, unit)
    if models:
        take_place([model.unit for model in models], unit)


@rule("base-characters/attached")
def become_independent(model: Model, unit: Unit) -> None:
    """The model keeps the unit's order and what it did this turn."""
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


@rule("assault/declaration", "fire/opportunity-aftermath", "assault/attacker-loses", "vehicles/overrun")
def take_place(owns: Sequence[Unit], unit: Unit) -> None:
    """In declared assaults, and in what is in progress; and each knows where the unit's assault began."""
    position, rows = unit.position, tuple(own.row for own in owns)

    def now(row: int) -> tuple[int, ...]:
        return rows if row == unit.row else (row,)

    declared = position.declared.get("assaults")
    if declared:
        meant = ((row, tuple(one for target in targets for one in now(target))) for row, targets in declared)
        position.declare("assaults", tuple((one, targets) for row, targets in meant for one in now(row)))
    if stack(position):
        position.declare(DOING, tuple(one for frame in stack(position) for one in frames_now(owns, unit, frame)))
    before = position.snapshots.get(f"assault-{unit.row}")
    if before is not None:
        position.snapshots.update((f"assault-{row}", before) for row in rows)


def frames_now(owns: Sequence[Unit], unit: Unit, frame: Frame) -> list[Frame]:
    """A frame of the unit for each of those who stand in its place; any other frame as it is.

    On a route each goes his own way, and the fallen keep theirs: the leader's tells how far they are.
    """
    at = PLACES.get(str(frame[0]))
    if at is None or frame[at] != unit.row:
        return [overrun_already(owns, unit, frame)]
    found: list[Frame] = [(*frame[:at], own.row, *frame[at + 1 :]) for own in owns]
    if frame[0] != "route":
        return found
    return [(*one[:PATHS], paths_of(own, one[PATHS]), *one[PATHS + 1 :]) for own, one in zip(owns, found, strict=True)]


def paths_of(own: Unit, paths: Any) -> Plain:
    position = own.position
    gone = [one for one in paths if not position.model(one[0]).is_on_table]
    return (*(one for one in paths if position.model(one[0]).unit == own), *gone)


@rule("vehicles/overrun-continue")
def overrun_already(owns: Sequence[Unit], unit: Unit, frame: Frame) -> Frame:
    """The route of a vehicle that has met the unit has met those who stand in its place."""
    if frame[0] != "route":
        return frame
    met: Any = frame[MET]
    kinds = [key.partition(":")[0] for key in met if key.partition(":")[2] == str(unit.row)]
    more = (f"{kind}:{own.row}" for kind in kinds for own in owns)
    return (*frame[:MET], (*met, *more), *frame[MET + 1 :])
