"""What bars the models of a unit, kept until something moves: other bases, each with its gap, and pieces."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import NamedTuple

from campale.mechanics.moves.move_paths import Barred
from campale.referee.position import Model
from campale.table import fields
from campale.table.fields import Field
from campale.table.shapes import TOLERANCE, Solid
from campale.table.terrain import Ground

MORE_THAN = 2 * TOLERANCE
"""The margin by which a gap is kept larger if it must be strictly more than a distance."""

KeepsOff = Callable[[Model, Model], float | None]
"""The gap that a model keeps from another; 0: they may touch; None: the other is not in its way."""

Fence = Callable[[Ground], Ground]


def nothing(ground: Ground) -> Ground:
    """A table without pieces in the way."""
    return Ground(ground.width, ground.depth)


def enemies_but(meant: Collection[int], gap: float) -> KeepsOff:
    """Enemies are kept off by a gap, but the units meant (rows) may be touched, as friends may."""

    def keeps_off(model: Model, other: Model) -> float:
        return gap if other.side != model.side and other.unit.row not in meant else 0.0

    return keeps_off


class Marker(NamedTuple):
    """A solid on the table that is no model, with the gap that is kept from it."""

    solid: Solid
    gap: float


def no_pieces(ground: Ground) -> Ground:
    """A table whose pieces bar nobody."""
    return Ground(ground.width, ground.depth)


def touching_all(model: Model, other: Model) -> float | None:
    """Every other model may be touched, but not passed through."""
    return 0.0


def barred_for(
    model: Model,
    key: str,
    keeps_off: KeepsOff,
    fence: Fence = no_pieces,
    alike: Hashable = None,
    markers: Iterable[Marker] = (),
) -> Barred:
    """What bars a model on a table with the pieces of ``fence``; models of its own unit do not.

    ``key`` names the result for keeping it. ``alike`` is everything else about the model that it depends on, besides
    the unit: models of a unit with equal values are barred by the same. ``markers`` come after the models, as rows of
    -1.
    """
    position = model.position
    own = position.unit_of[model.row]
    kept, name = position.layout, ("barred", key, own, alike)
    if name not in kept:
        pairs = [(m, keeps_off(model, m)) for m in position.on_table() if position.unit_of[m.row] != own]
        others = [(m.solid, gap, m.row) for m, gap in pairs if gap is not None]
        others += [(one.solid, one.gap, -1) for one in markers]
        solids, gaps = [one[0] for one in others], [one[1] for one in others]
        field = fields.field(position.ground, model.profile.shape, solids, gaps, position.ground.kept(fence))
        kept[name] = Barred(field, tuple([one[2] for one in others]))
    found: Barred = kept[name]
    return found


def bases(model: Model) -> Barred:
    """The bases of all models but those of its own unit: they may be touched, but not passed through."""
    return barred_for(model, "bases", touching_all, alike=model.profile.shape)


def base_field(model: Model, z: float = 0.0) -> Field:
    """The field of the bases of all models but those of its own unit, in plan, whatever the height."""
    return bases(model).field
