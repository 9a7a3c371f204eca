"""Patrol: the pieces of scenery that a side has explored."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.table.paths import Path
from campale.table.shapes import Circle
from campale.table.sweeps import crossings


def is_patrol(position: Position) -> bool:
    return position.now.get("mission") == "patrol"


@rule("missions/patrol-explore", "missions/holding-models")
def explore_along(model: Model, path: Path) -> None:
    """Explore, for the model's side, the pieces that a move over the ground passes through."""
    if not is_patrol(model.position) or not is_able(model):
        return
    ground, radius = model.position.ground, model.profile.base_radius
    passed = [ground.pieces[found.other].name for found in crossings(path, Circle(radius), ground)]
    for name in dict.fromkeys(passed):
        take_over(model, name)


@rule("missions/patrol-explore")
def explore_where_it_lands(model: Model) -> None:
    """Explore the pieces where a flight ends, and no others."""
    explore_along(model, Path((model.at,)))


@rule("missions/patrol-explore")
def take_over(model: Model, piece: str) -> None:
    """Give a piece's marker to the last side that passed through it."""
    owners = explored(model.position)
    if owners.get(piece) != model.side:
        owners[piece] = model.side
        model.position.declare("explored", tuple(sorted(owners.items())))
        model.position.write("explored", model=model.row, piece=piece, side=model.side)


def explored(position: Position) -> dict[str, int]:
    """Return for each explored piece the side that explored it last."""
    return dict(position.declared.get("explored", ()))
