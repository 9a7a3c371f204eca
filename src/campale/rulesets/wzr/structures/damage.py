"""Damage to terrain pieces and intact structures, and their end (structures/attack-damage, structures/destructible)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.mechanics.frames import Frame, stack
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.basics.dice import d20, needed, raises
from campale.rulesets.wzr.battle.terrain import LIGHT
from campale.rulesets.wzr.structures.pieces import (
    PIECES,
    av_of,
    full_ps,
    is_intact,
    is_too_weak,
    ps_lost,
    ps_of,
    row_of,
)
from campale.rulesets.wzr.wounds.hits import Hit
from campale.table.terrain import Ground, Piece

RUBBLE = "rubble"
COLLAPSE, RUIN_LAID = "collapse", "ruin"
BROUGHT_DOWN = "brought-down"


@rule("core/damage-effect", "structures/attack-damage", "structures/avv-minimum")
async def damage_piece(position: Position, hit: Hit) -> None:
    """One Damage Effect on a piece: the other player tests its AV, and a failure costs PS."""
    piece = standing(position, hit.piece)
    if piece is None or is_too_weak(hit.avv):
        return
    side = 0 if hit.by < 0 else 1 - position.side_of[hit.by]
    rolled = await d20(side, "av-test", needed_of(piece, hit.avv), piece=piece.name)
    if not rolled.successes:
        lose_ps(position, piece, hit.costs)
        if hit.by >= 0 and is_intact(piece) and not ps_of(position, piece):
            by = {**brought_down(position), piece.name: position.side_of[hit.by]}
            position.declare(BROUGHT_DOWN, tuple(sorted(by.items())))


@rule("structures/collapse", "morale/rout-trigger")
def brought_down(position: Position) -> dict[str, int]:
    """The structures at 0 PS that have yet to collapse, with the side whose attack caused it."""
    return {str(name): int(side) for name, side in position.declared.get(BROUGHT_DOWN, ())}


def standing(position: Position, name: str) -> Piece | None:
    """The piece with this name, if it can still be damaged."""
    if not position.ground.has(name):
        return None
    piece = position.ground.piece(name)
    return piece if row_of(piece) is not None and ps_of(position, piece) else None


@rule("armour/av-test")
def needed_of(piece: Piece, avv: int) -> Need:
    return needed(av_of(piece), (raises("armour/av-test", -avv),))


@rule("structures/attack-damage", "core/critical")
def lose_ps(position: Position, piece: Piece, points: int) -> None:
    lost = dict(position.declared.get(PIECES, ()))
    lost[piece.name] = min(full_ps(piece), ps_lost(position, piece.name) + points)
    position.declare(PIECES, tuple(sorted(lost.items())))
    position.write("piece-damaged", piece=piece.name, left=ps_of(position, piece))
    if not ps_of(position, piece) and not is_intact(piece):
        become_rubble(position, piece)


@rule("structures/terrain-destroyed")
def become_rubble(position: Position, piece: Piece) -> None:
    """Replace the piece by light terrain with the same outline."""
    rubble = Piece(piece.name, RUBBLE, piece.outline, 0.0, piece.z, (), (LIGHT,))
    position.change_ground(replaced(position.ground, piece, rubble), piece=piece.name)


def replaced(ground: Ground, piece: Piece, by: Piece) -> Ground:
    """The ground with ``by`` instead of a piece, and without that piece's doors and windows."""
    kept = [one for one in ground.pieces if one is piece or not belongs_to(one, piece)]
    return Ground(ground.width, ground.depth, tuple(by if one is piece else one for one in kept))


@rule("structures/access-points")
def belongs_to(one: Piece, piece: Piece) -> bool:
    """Whether a door or window belongs to a structure: its name begins with the structure's."""
    return one.name.startswith(f"{piece.name}:")


@rule("core/removal", "structures/collapse")
def collapses_due(position: Position) -> tuple[Frame, ...]:
    """The frames of structures that an attack has brought down, without those already collapsing."""
    falling = {frame[1] for frame in stack(position) if frame[0] in (COLLAPSE, RUIN_LAID)}
    intact = (piece for piece in position.ground.pieces if is_intact(piece) and piece.name not in falling)
    return tuple((COLLAPSE, piece.name) for piece in intact if row_of(piece) and not ps_of(position, piece))
