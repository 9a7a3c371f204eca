"""A declared volley, and the shots of one weapon profile."""

from __future__ import annotations

from typing import NamedTuple

from campale.referee.position import Model, Position, Unit
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.fire.area import Area, Arm
from campale.rulesets.e3m.fire.kinds import Kind

HOLD = "hold"
VEHICLE, UNIT = "vehicle", "unit"


class Volley(NamedTuple):
    """A declared volley.

    ``arms`` fire into the ``area`` or at the one ``target``; ``apart``: heavy weapons that fire at a vehicle;
    ``sniper``: with his victim's row; ``order``: the weapon profiles in order; ``before``: shots of weapon profiles
    that other models of the unit have counted before, for the halving.
    """

    unit: Unit
    kind: Kind
    arms: tuple[Arm, ...] = ()
    area: Area | None = None
    target: tuple[str, int] | None = None
    apart: tuple[tuple[Arm, int], ...] = ()
    sniper: tuple[Arm, int] | None = None
    order: tuple[tuple[str, int], ...] = ()
    stays: bool = False
    before: tuple[tuple[tuple[str, int], int], ...] = ()

    @property
    def firing(self) -> list[Model]:
        return [arm.model for arm in self.arms]

    def on(self, position: Position) -> Volley:
        """The same volley on another copy of the position."""
        return self._replace(
            unit=Unit(position, self.unit.row),
            arms=tuple(arm.on(position) for arm in self.arms),
            apart=tuple((arm.on(position), row) for arm, row in self.apart),
            sniper=None if self.sniper is None else (self.sniper[0].on(position), self.sniper[1]),
        )


class Pool(NamedTuple):
    """The shots of one weapon profile: weapon id, line, and the shooter's row for each die."""

    weapon: str
    line: Line
    rows: tuple[int, ...]
