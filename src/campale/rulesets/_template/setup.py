"""Chapter "setup": the table, the forces, deployment, and what the players agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campale.mechanics import units
from campale.mechanics.armies.alike import AlikeForce, AlikeForces
from campale.mechanics.armies.faults import Breach
from campale.mechanics.moves import barring, coherency
from campale.mechanics.setup import drawing_up, edges
from campale.referee.position import Model, Position, Token
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup, Switch
from campale.table.room import Area
from campale.table.shapes import Point, Solid
from campale.table.terrain import Ground, Piece, rectangle

from .profile import FOLDER, LINK, PROFILES

SIZE, STRIP, MOST_POINTS = 24.0, 4.0, 12
WELL = (SIZE / 2, SIZE / 2)


@dataclass(frozen=True)
class Options:
    """The readings in force. ``wood``: how much of a base must be in the wood."""

    wood: str = "any"


SWITCHES = (Switch("wood", "fire/wood", {"en": "In the wood", "it": "Nel bosco"}, ("any", "whole"), "any"),)


@rule("setup/table")
def ground() -> Ground:
    """A wood in the middle of the table."""
    return Ground(SIZE, SIZE, (wood("wood", WELL),))


def wood(name: str, at: Point) -> Piece:
    return Piece(name, "wood", rectangle(*at, 6.0, 4.0), height=3.0, tags=("wood",))


@rule("setup/force")
def too_many_points(force: AlikeForce) -> Iterator[Breach]:
    points = sum(PROFILES[kind].points for kind in force.kinds())
    if points > MOST_POINTS:
        yield Breach(None, points, MOST_POINTS)


FORCES = AlikeForces(FOLDER, PROFILES, (too_many_points,))


def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """The first position: both forces off the table. Raises SetupError for a force that the book does not allow."""
    position = Position(ruleset, ground())
    FORCES.enlist(position, setup)
    position.lay(Token("well", *WELL))
    position.now.update(phase="deployment", turn=0, side=0)
    return position


def starters() -> tuple[Setup, ...]:
    """Battles that can be begun at once."""
    patrol, picket = FORCES.plain("patrol"), FORCES.plain("picket")
    return (Setup(FOLDER.name, forces=(patrol, picket)), Setup(FOLDER.name, {"wood": "whole"}, (picket, picket)))


@rule("setup/deployment")
async def deploy(position: Position) -> bool:
    """The next unit, those of the first side before those of the second. Whether more are left."""
    unit, *others = units.waiting(position, 0) + units.waiting(position, 1)
    area = edges.strip(position.ground, edges.edge_of(position, unit.side), STRIP)
    drawing = drawing_up.in_area(units.in_reserve(unit), area, barring.base_field, (misplaced, apart))
    await drawing_up.draw_up(unit, drawing, "no-room")
    return bool(others)


@rule("setup/deployment")
def misplaced(models: Sequence[Model], solids: Sequence[Solid], area: Area) -> Fault | None:
    """Outside of its strip, or on another base."""
    return drawing_up.outside(area, models, solids) or drawing_up.on_another(barring.base_field, models, solids)


@rule("move/coherency")
def apart(models: Sequence[Model], solids: Sequence[Solid], area: Area) -> Fault | None:
    return coherency.beyond_link(models, solids, LINK)
