"""What stands on the table, and how the battle begins."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from campale.referee.position import ABOARD, FALLEN, TABLE, Model, Position, Unit
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup, Switch
from campale.table.measure import gap
from campale.table.shapes import Circle, Hull, Solid, rounded
from campale.table.terrain import Ground, Piece, rectangle

FOLDER = Path(__file__).parent
SIZE = 24.0
HULL = Hull(((-1.0, -1.5), (1.0, -1.5), (1.0, 1.5), (-1.0, 1.5)))


class Profile(msgspec.Struct, frozen=True):
    kind: str
    wounds: int
    move: float
    quickness: int = 1
    is_hull: bool = False


GUNNER = Profile("gunner", 2, 5.0)
LEADER = Profile("leader", 2, 6.0)
SCOUT = Profile("scout", 1, 7.0, quickness=2)
CARRIER = Profile("carrier", 4, 8.0, is_hull=True)


@dataclass(frozen=True)
class Options:
    """``dead_strike``: whether those who fall in the melee still strike."""

    dead_strike: bool = True


SWITCHES = (
    Switch(
        "dead_strike",
        "melee/dead-strike",
        {"en": "The dead strike", "it": "Colpiscono anche i morti"},
        (True, False),
        True,
    ),
)


def starters() -> tuple[Setup, ...]:
    return Setup("drill"), Setup("drill", {"dead_strike": False})


@rule("setup/sides")
def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    tower = Piece("tower", "tower", rectangle(12.0, 12.0, 4.0, 4.0), height=6.0, tags=("tower",))
    position = Position(ruleset, Ground(SIZE, SIZE, (tower,)))
    for side in (0, 1):
        muster(position, side)
    position.now.update(stage="shuffle", turn=1, side=0)
    return position


def muster(position: Position, side: int) -> None:
    """Rows of a side: squad, its leader, the carrier, the scouts; the leader's own unit is empty."""
    squad, _, vehicle, scouts = (position.add_unit(n, side) for n in ("squad", "leader", "carrier", "scouts"))
    y, facing = (4.0, 0.0) if side == 0 else (SIZE - 4.0, 180.0)
    for k, profile in enumerate((GUNNER, GUNNER, GUNNER, LEADER)):
        position.add_model(profile.kind, profile, side, squad).move_to(4.0 + 2.0 * k, y, facing=facing)
    carrier = position.add_model("carrier", CARRIER, side, vehicle)
    carrier.move_to(16.0, y, facing=facing)
    for _ in range(2):
        position.take_off(position.add_model("scout", SCOUT, side, scouts), aboard_of=carrier)


def solid(model: Model) -> Solid:
    shape = HULL if model.profile.is_hull else Circle(0.5)
    return Solid(shape, model.x, model.y, model.z, model.facing, 2.0)


def wounds_left(model: Model) -> int:
    wounds: int = model.profile.wounds - model.marks("wounds-lost")
    return wounds


def distance(one: Model, other: Model) -> float:
    return rounded(gap(one.solid, other.solid))


def between(unit: Unit, other: Unit) -> float:
    """The distance between the nearest models of two units that have some."""
    return min(distance(a, b) for a in standing(unit) for b in standing(other))


def standing(unit: Unit) -> list[Model]:
    """The models of a unit that stand, the fallen among them."""
    models = unit.position.models
    return [m for m in models if m.where in (TABLE, FALLEN) and unit.position.unit_of[m.row] == unit.row]


def units_of(position: Position, side: int) -> list[Unit]:
    """The units of a side that have models on the table."""
    return [unit for unit in position.units if unit.side == side and unit.models]


def aboard(carrier: Model) -> list[Model]:
    return [m for m in carrier.position.models if m.where == ABOARD and m.aboard_of is carrier]
