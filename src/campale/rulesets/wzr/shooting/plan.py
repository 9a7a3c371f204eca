"""A ranged attack as it is declared: plain values, which frames hold."""

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
    """One ranged attack of the model of a row with the gun of a key.

    ``targets``: at whom each test to hit is made, the primary target first; or ``piece``, the name of a piece of
    terrain; or ``at``, the point at which a grenade is thrown, or towards which a wedge is laid. ``reclaimed``: the
    piece of cover that is ignored. ``extra``: what was added to RoF; ``burned``: the Resource cards for it. ``aimed``:
    the first test is. ``location``: of a vehicle, chosen by Aim. ``trigger``: whom a reaction shoots at.
    ``left_out``: Stealthy models that were not made out; ``made_out``: those that were. ``identified``: the test for
    another primary target is passed; ``bound``: it is failed. ``held``: its dice wait for those of other weapons.
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
    """The plan that ``frame`` wrote down."""
    return Plan(**dict(zip(Plan.__struct_fields__, values, strict=True)))  # type: ignore[arg-type]


def shooter_of(position: Position, plan: Plan) -> Model:
    return position.model(plan.shooter)


def gun_used(position: Position, plan: Plan) -> Gun:
    return gun_of(position.model(plan.shooter), plan.gun)


def tests_of(position: Position, plan: Plan) -> int:
    """How many tests to hit it makes (of a shotgun: against each model)."""
    return rof_of(gun_used(position, plan), plan.extra)
