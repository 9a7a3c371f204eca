"""What weapons set off where they eliminate a model (armoury/transfuser-*)."""

from __future__ import annotations

import msgspec

from campale.mechanics.frames import Procedure
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.shooting.templates import SIZES, tell, touched
from campale.rulesets.wzr.wounds.hits import automatic, push_hits
from campale.table.measure import is_behind
from campale.table.shapes import Circle, Solid
from campale.table.templates import Pose

ICHOR = "ichor"
ICHOR_ST = 8
NAUSEATING = "nauseating"


@rule("armoury/transfuser-ichor")
async def ichor(position: Position, row: int, by: int) -> None:
    """An SE template where the Transfuser eliminated a model. A model that falls to this template makes no other."""
    fallen = position.model(row)
    struck = touched(position, SIZES["SE"], fallen.at, fallen.z)
    tell(position, "SE", Pose(*fallen.at), struck)
    centre = Solid(Circle(0.0), *fallen.at, fallen.z)
    hits = [
        msgspec.structs.replace(
            automatic(m.row, ICHOR_ST, "shooting", "explosive", by=by),
            ranged=True,
            rules=nausea_of(position, by),
            rear=is_behind(m.solid, centre),
        )
        for m in struck
    ]
    push_hits(position, hits)


@rule("armoury/transfuser-nauseating")
def nausea_of(position: Position, by: int) -> tuple[str, ...]:
    """Losses to Ichor count for the test like losses to the weapon."""
    weapons = position.profiles[by].weapons if by >= 0 else ()
    return (NAUSEATING,) if any(ICHOR in one.rules and NAUSEATING in one.rules for one in weapons) else ()


PROCEDURES: dict[str, Procedure] = {ICHOR: ichor}
