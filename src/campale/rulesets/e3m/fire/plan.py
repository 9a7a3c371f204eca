"""What a volley is, once it is declared; and the shots of one weapon profile."""

from __future__ import annotations

from typing import NamedTuple

from campale.referee.position import Model, Position, Unit
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.fire.area import Area, Arm
from campale.rulesets.e3m.fire.kinds import Kind

HOLD = "hold"
VEHICLE, UNIT = "vehicle", "unit"


class Volley(NamedTuple):
    """What is declared: the arms that fire into the area or at the one target, heavy weapons at a vehicle of their own,
    the sniper with his victim, and the order of the weapon profiles.
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

    @property
    def firing(self) -> list[Model]:
        return [arm.model for arm in self.arms]

    def on(self, position: Position) -> Volley:
        """The same volley on a copy of the position."""
        return self._replace(
            unit=Unit(position, self.unit.row),
            arms=tuple(arm.on(position) for arm in self.arms),
            apart=tuple((arm.on(position), row) for arm, row in self.apart),
            sniper=None if self.sniper is None else (self.sniper[0].on(position), self.sniper[1]),
        )


class Pool(NamedTuple):
    """The shots of one weapon profile: the weapon's id, its line, and who rolls them, die by die."""

    weapon: str
    line: Line
    rows: tuple[int, ...]
