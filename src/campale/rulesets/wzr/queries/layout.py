"""The layout of a query: two models facing each other on an empty table, with cover between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from campale.mechanics.queries.layout import ATTACKER, FACINGS, MIDDLE, SIZE, TARGET, prepared
from campale.referee.position import RESERVE, Position
from campale.referee.ruleset import Ruleset
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.armies.staging import STAGE
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.scenery import SCRUB, WOODS, scenery_piece
from campale.table.measure import bounding_radius
from campale.table.shapes import Hull
from campale.table.terrain import Ground, Piece

NEAREST = 2
"""The least distance in inches of a shooting attacker, which can reclaim no cover from there."""
STRIP = 12.0, 0.1
APART = 0.15
"""The gap in inches between two pieces of cover, so that they are not one continuous piece."""


class Scene(NamedTuple):
    """Attacker, target and distance in inches; the side that the target shows, its lost wounds, its pieces of cover."""

    attacker: Profile
    target: Profile
    distance: float = 0.0
    face: str = "front"
    wounds: int = 0
    light: int = 0
    heavy: int = 0


def set_out(ruleset: Ruleset, scene: Scene) -> Position:
    """The position: model 0 of side 0 faces model 1 of side 1."""
    position = Position(ruleset, Ground(SIZE, SIZE, tuple(pieces_of(scene))))
    for side, (name, profile) in enumerate((("Attacker", scene.attacker), ("Target", scene.target))):
        position.add_model(name, profile, side, position.add_unit(name, side), RESERVE)
    near = MIDDLE - scene.distance - half_depth(scene.attacker)
    position.model(ATTACKER).move_to(MIDDLE, near, facing=0.0)
    position.model(TARGET).move_to(MIDDLE, MIDDLE + half_depth(scene.target), facing=FACINGS[scene.face])
    prepared(position, STAGE)
    position.model(TARGET).mark(marks.WOUNDS, scene.wounds)
    position.forget()
    return position


def half_depth(profile: Profile) -> float:
    shape = profile.shape
    return max(y for _, y in shape.corners) if isinstance(shape, Hull) else bounding_radius(shape)


def pieces_of(scene: Scene) -> Iterator[Piece]:
    """Strips of ground right in front of the target, heavy ones nearer to the attacker."""
    for k, kind in enumerate((SCRUB,) * scene.light + (WOODS,) * scene.heavy):
        y = MIDDLE - APART - k * (STRIP[1] + APART)
        yield scenery_piece(kind, (MIDDLE, y), 0.0, f"cover {k + 1}", STRIP)
