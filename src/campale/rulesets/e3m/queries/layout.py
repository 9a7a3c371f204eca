"""The two units of a query, on an empty table.

Targets other than vehicles stand in one or two ranks around the middle of the table, and their attackers on a circle
around it, all equally far away. A vehicle is attacked from the chosen distance to its nearest side. In a melee the two
units are in contact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from campale.mechanics.answers import NONE
from campale.mechanics.queries.layout import FACINGS, MIDDLE, SIZE, Body, opposing, prepared
from campale.referee.position import RESERVE, Position
from campale.referee.ruleset import Ruleset
from campale.rulesets.e3m.armies.lists import is_special
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.armies.staging import STAGE
from campale.rulesets.e3m.battle.scenery import scenery_piece
from campale.rulesets.e3m.command.units import COMMANDER, ORDER, SPECIAL
from campale.table.measure import bounding_radius
from campale.table.shapes import Hull, Point
from campale.table.terrain import Ground, Piece

IN_A_RANK = 5
"""More targets than this stand in two ranks."""
CLEAR = 1.0
"""The least gap in inches between attackers and the targets they fire at."""


class Scene(NamedTuple):
    """Attackers, targets and their distance; the gap between targets, the face a vehicle shows, the cover.

    Lengths are in inches.
    """

    attackers: Sequence[Profile]
    targets: Sequence[Profile]
    distance: float = 0.0
    apart: float = 0.5
    face: str = "front"
    cover: str = NONE
    is_melee: bool = False


def set_out(ruleset: Ruleset, scene: Scene) -> Position:
    """The position: unit 0 of side 0 faces unit 1 of side 1, in the usual state of a battle."""
    position = Position(ruleset, Ground(SIZE, SIZE, tuple(pieces_of(scene))))
    for side, (name, profiles) in enumerate((("Attacker", scene.attackers), ("Target", scene.targets))):
        unit = position.add_unit(name, side)
        unit.jot(ORDER, "fire")
        for number, profile in enumerate(profiles, 1):
            model = position.add_model(f"{name} {number}", profile, side, unit, RESERVE)
            model.mark(SPECIAL, int(is_special(profile)), quietly=True)
            model.mark(COMMANDER, int(profile.role == "commander"), quietly=True)
    draw_up(position, scene)
    prepared(position, STAGE)
    return position


def draw_up(position: Position, scene: Scene) -> None:
    if scene.is_melee or scene.targets[0].has_armour:
        bodies = [body(one) for one in scene.attackers], [body(one, scene.face) for one in scene.targets]
        places, firing = opposing(*bodies, scene.distance, MIDDLE)
    else:
        places = ranks(scene)
        firing = about_the_middle(scene)
    rows = iter(range(len(position.names)))
    for x, y, turned in firing:
        position.model(next(rows)).move_to(x, y, facing=-turned % 360.0)
    for place in places:
        position.model(next(rows)).move_to(*place, facing=FACINGS[scene.face])


def body(profile: Profile, face: str = "front") -> Body:
    """The room that a model takes when it shows this face to the other side."""
    shape = profile.shape
    if not isinstance(shape, Hull):
        return Body(2.0 * bounding_radius(shape), 2.0 * bounding_radius(shape))
    wide, deep = (2.0 * max(point[axis] for point in shape.corners) for axis in (0, 1))
    return Body(deep, wide, True) if face == "side" else Body(wide, deep, True)


# ---------------------------------------------------------------- targets fired at


def ranks(scene: Scene) -> list[Point]:
    """Places in one or two ranks around the middle of the table, with the chosen gaps."""
    bodies = [body(one) for one in scene.targets]
    columns = len(bodies) if len(bodies) <= IN_A_RANK else -(-len(bodies) // 2)
    wide, deep = (max(one[axis] for one in bodies) + scene.apart for axis in (0, 1))
    rows = -(-len(bodies) // columns)
    left, front = MIDDLE - wide * (columns - 1) / 2.0, MIDDLE - deep * (rows - 1) / 2.0
    return [(left + wide * (k % columns), front + deep * (k // columns)) for k in range(len(bodies))]


def half_depth(scene: Scene) -> float:
    """How far the ranks reach from their middle towards the attackers."""
    return MIDDLE - min(y for _, y in ranks(scene)) + max(body(one).deep for one in scene.targets) / 2.0


def nearest(scene: Scene) -> int:
    """The least distance of an attacker from the middle of the targets, in whole inches."""
    return 1 if scene.targets[0].has_armour else math.ceil(half_depth(scene) + CLEAR)


def about_the_middle(scene: Scene) -> list[tuple[float, float, float]]:
    """The attackers at the chosen distance from the middle, none so far round that it stands among the targets."""
    bodies = [body(one) for one in scene.attackers]
    half = bodies[0].deep / 2.0
    ahead = (half_depth(scene) + CLEAR + half) / (scene.distance + half)
    widest = min(80.0, math.degrees(math.acos(min(1.0, ahead))))
    return opposing(bodies, [Body(0.0, 0.0)], scene.distance, MIDDLE, widest=widest).attackers


# ---------------------------------------------------------------- cover


def pieces_of(scene: Scene) -> list[Piece]:
    """A piece that contains all targets, and no attacker unless it is in contact."""
    if scene.cover == NONE:
        return []
    if scene.is_melee or scene.targets[0].has_armour:
        return [scenery_piece(scene.cover, (MIDDLE, MIDDLE + 9.99), 0.0, "cover", (72.0, 20.0))]
    wide = 2.0 * max(abs(x - MIDDLE) for x, _ in ranks(scene)) + CLEAR
    return [scenery_piece(scene.cover, (MIDDLE, MIDDLE), 0.0, "cover", (wide, 2.0 * half_depth(scene)))]
