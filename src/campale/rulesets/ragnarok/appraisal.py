"""How well a side stands, for bots: points left, the mission's score, and how near it is to what it wants."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.rulesets.ragnarok.declaring import points_left
from campale.rulesets.ragnarok.missions import felled, is_in_reserve, places_wanted, score
from campale.rulesets.ragnarok.physical import is_able, is_out_of_action
from campale.table.shapes import Point

WORTH_OF_A_POINT = {"extermination": 6.0, "patrol": 12.0, "objectives": 18.0, "bases": 60.0, "assassination": 200.0}
WORTH_OF_NEARNESS = {"extermination": 0.05, "patrol": 0.1, "objectives": 0.15, "bases": 0.4, "assassination": 0.2}
WORTH_OF_A_CHARISMA_POINT = 0.02
WON = 10_000.0


def appraise(position: Position, side: int) -> float:
    """Higher is better for the side; a battle won is worth more than any position."""
    if position.result is not None:
        winner = position.result.winner
        return 0.0 if winner is None else (WON if winner == side else -WON)
    mission = str(position.now.get("mission", "extermination"))
    worth = force_worth(position, side) - force_worth(position, 1 - side)
    if position.now.get("turn"):
        worth += lead(position, side, mission) + eagerness(position, side) - eagerness(position, 1 - side)
        worth += WORTH_OF_A_CHARISMA_POINT * unspent(position, side)
    return worth


def lead(position: Position, side: int, mission: str) -> float:
    scores = score(position)
    return WORTH_OF_A_POINT[mission] * (scores[side] - scores[1 - side])


def force_worth(position: Position, side: int) -> float:
    losses = felled(position, side)
    return sum(worth_of(m) for m in position.models if m.side == side) - 4.0 * losses


def worth_of(model: Model) -> float:
    """Its points, less for wounds, markers, and lying down."""
    if is_in_reserve(model):
        return float(model.profile.points)
    if not model.is_on_table:
        return 0.0
    if is_out_of_action(model):
        return 0.1 * float(model.profile.points)
    health = 1.0 - 0.35 * model.marks("wounds") / model.profile.wounds
    burden = 0.02 * (model.marks("morale") + 2 * model.marks("fatigue")) + 0.1 * bool(model.marks("suppressed"))
    shelter = 0.03 * bool(model.marks("alert")) + 0.05 * bool(model.marks("hidden")) - 0.08 * bool(model.marks("prone"))
    return float(model.profile.points * (health - burden + shelter))


def eagerness(position: Position, side: int) -> float:
    """A little for every model that is near to what the mission wants, or to the enemy."""
    wanted = places_wanted(position, side) or [m.at for m in position.on_table(1 - side) if is_able(m)]
    worth = WORTH_OF_NEARNESS[str(position.now["mission"])]
    return (
        sum(worth * nearness(model, wanted) for model in position.on_table(side) if is_able(model)) if wanted else 0.0
    )


def nearness(model: Model, wanted: list[Point]) -> float:
    here_x, here_y = model.at
    nearest = min([(x - here_x) ** 2 + (y - here_y) ** 2 for x, y in wanted])
    return -float(nearest**0.5)


def unspent(position: Position, side: int) -> int:
    """The points that its models may still spend in this phase; they are lost when it ends."""
    if position.now["phase"] != "tactical" or position.now["side"] != side:
        return 0
    return sum(points_left(model) for model in position.on_table(side) if is_able(model))
