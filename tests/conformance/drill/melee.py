"""Chapter "melee": blows in the order of quickness, the dead among those who strike."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.ask import roll
from campale.referee.position import FALLEN, TABLE, Model, Position
from campale.referee.rule import rule
from campale.table.shapes import TOLERANCE
from tests.conformance.drill.fire import NEEDED, wound
from tests.conformance.drill.profile import distance, wounds_left

REACH = 1.0


@rule("melee/blows")
async def fight(position: Position) -> None:
    for striker in strikers(position):
        struck = opponent(striker)
        if struck is None or not may_strike(striker):
            continue
        rolled = await roll(striker.side, "blow", needed=Need(NEEDED), model=striker.row, at=struck.row)
        if rolled.successes and wounds_left(struck) > 0:
            wound(struck, "melee", fallen=True)


@rule("melee/blows")
def strikers(position: Position) -> list[Model]:
    """All who stand, the quick first, otherwise in the order of the roster."""
    return sorted(position.on_table(), key=lambda m: (-m.profile.quickness, m.row))


@rule("melee/blows")
def opponent(model: Model) -> Model | None:
    """The nearest enemy within reach that stands or has fallen in this melee."""
    enemies = [m for m in model.position.models if m.side != model.side and m.where in (TABLE, FALLEN)]
    near = [m for m in enemies if distance(model, m) <= REACH + TOLERANCE]
    return min(near, key=lambda m: (m.where == FALLEN, distance(model, m), m.row), default=None)


@rule("melee/dead-strike")
def may_strike(model: Model) -> bool:
    return model.is_on_table or bool(model.position.options.dead_strike)
