"""A declared ranged attack as plain values that frames can hold."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from campale.mechanics.frames import Frame
from campale.referee.position import Model, Position
from campale.rulesets.wzr.armoury.weapons import Gun, gun_of, rof_of
from campale.rulesets.wzr.shooting.cover import NO_PIECE

NOBODY = -1
SHOOT, RAPID, REACTION = "shoot", "rapid-fire", "reaction"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One ranged attack by a model (``shooter`` is its row) with a gun (``gun`` is its key).

    ``targets``: the target of each test to hit, the primary first; or ``piece``, the name of a piece of terrain; or
    ``at``, the point that a grenade is thrown at or a wedge is laid towards. ``reclaimed``: the piece of cover that is
    ignored. ``extra``: what is added to RoF; ``burned``: the Resource cards for it. ``aimed``: the first test has Aim.
    ``location``: part of a vehicle, chosen by Aim. ``trigger``: the model that a reaction shoots at. ``left_out``:
    Stealthy models that were not made out; ``made_out``: those that were. ``identified``: the test for another primary
    target has passed; ``bound``: it has failed. ``held``: its dice wait for those of other weapons.
    """

    shooter: int
    gun: str
    action: str = SHOOT
    targets: tuple[int, ...] = ()
    piece: str = ""
    at: tuple[float, ...] = ()
    reclaimed: str = NO_PIECE
    extra: int = 0
    burned: int = 0
    aimed: bool = False
    location: str = ""
    trigger: int = NOBODY
    left_out: tuple[int, ...] = ()
    made_out: tuple[int, ...] = ()
    identified: bool = False
    bound: bool = False
    held: bool = False

    @property
    def primary(self) -> int:
        return self.targets[0] if self.targets else NOBODY

    def but(self, **changes: object) -> Plan:
        return msgspec.structs.replace(self, **changes)


def frame(kind: str, plan: Plan) -> Frame:
    return kind, *msgspec.structs.astuple(plan)


def plan_of(values: Sequence[object]) -> Plan:
    """The plan that ``frame`` wrote."""
    return Plan(**dict(zip(Plan.__struct_fields__, values, strict=True)))  # type: ignore[arg-type]


def shooter_of(position: Position, plan: Plan) -> Model:
    return position.model(plan.shooter)


def gun_used(position: Position, plan: Plan) -> Gun:
    return gun_of(position.model(plan.shooter), plan.gun)


def tests_of(position: Position, plan: Plan) -> int:
    """The number of tests to hit (for a shotgun: against each model)."""
    return rof_of(gun_used(position, plan), plan.extra)
