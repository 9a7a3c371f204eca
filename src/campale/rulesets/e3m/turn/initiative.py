"""Initiative by phase: chits drawn from a pool, one for each of the four phases of a turn."""

from __future__ import annotations

from campale.referee.ask import draw
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.referee.rule import rule

USUAL = (0, 0, 1, 1)
POOL, LEFT = "chit-pool", "chits"


@rule("initiative/chits", "initiative/extra-chits", "initiative/element-chits")
def pool(position: Position) -> tuple[Plain, ...]:
    """Two chits for each army, or those set by a list or scenario: a side, or a side and a unit's row."""
    found: tuple[Plain, ...] = position.declared.get(POOL, USUAL)
    return found


@rule("initiative/chits")
def shuffle_chits(position: Position) -> None:
    """Put all chits back at the start of a turn."""
    position.declare(LEFT, pool(position))


@rule("initiative/one-draw-per-phase", "turn/initiative-by-phase", "initiative/third-draw-scope")
async def draw_chit(position: Position) -> None:
    """Draw a chit without putting it back: its army has the initiative, and its element opens if it can."""
    left = list(position.declared[LEFT])
    chit = (await draw(None, "chit", left))[0]
    left.remove(chit)
    position.declare(LEFT, tuple(left))
    side, opener = chit if isinstance(chit, tuple) else (chit, -1)
    position.now.update(first=int(side), opens=int(opener))
    position.write("initiative", side=int(side), left=len(left))
