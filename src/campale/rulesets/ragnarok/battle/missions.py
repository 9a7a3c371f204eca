"""The six missions: their setup, their scores, and the winner."""

from __future__ import annotations

from campale.mechanics.missions import finish_by_score, wiped_out
from campale.referee.position import RESERVE, Model, Position, Token
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import could_be_within, distance_to_point, within
from campale.rulesets.ragnarok.basics.physical import is_able, is_out_of_action
from campale.rulesets.ragnarok.battle.battlefield import gap_to
from campale.rulesets.ragnarok.battle.explored import explored
from campale.rulesets.ragnarok.turn.commander import commander
from campale.table.outlines import box, centre_of, nearest_in
from campale.table.shapes import Point
from campale.table.terrain import Ground

MISSIONS = ("extermination", "patrol", "objectives", "bases", "assassination")
FREE_CHOICE = "free-choice"
TURNS = 12
HOLDING = 6.0


@rule("missions/roll")
def mission_of(die: int) -> str:
    return (*MISSIONS, FREE_CHOICE)[die - 1]


@rule("missions/holding-models")
def counts_for_ground(model: Model) -> bool:
    """Return whether a model is on the table and not out of action; prone, pinned and suppressed models count."""
    return is_able(model)


# ---------------------------------------------------------------- missions/extermination


@rule("missions/extermination")
def felled(position: Position, side: int) -> int:
    """Return the models that a side has lost: removed for any cause, or out of action now; summoned ones too."""
    removed = sum(position.side_of[loss.model] == side for loss in position.losses)
    return removed + sum(is_out_of_action(m) for m in position.on_table(side))


@rule("missions/extermination")
def extermination(position: Position) -> tuple[int, int]:
    return felled(position, 1), felled(position, 0)


# ---------------------------------------------------------------- missions/patrol-victory


@rule("missions/patrol-victory")
def patrol(position: Position) -> tuple[int, int]:
    owners = list(explored(position).values())
    return owners.count(0), owners.count(1)


# ---------------------------------------------------------------- missions/objectives-hold


@rule("missions/objectives-hold", "missions/holding-models")
def objectives(position: Position) -> tuple[int, int]:
    holders = [holder_of_point(position, (t.x, t.y)) for t in position.tokens if t.kind == "objective"]
    return holders.count(0), holders.count(1)


def holder_of_point(position: Position, point: Point) -> int | None:
    """Return the only side with a model within 6 cm, None if there is none or there are two."""
    about = [m for m in position.on_table() if could_be_within(m, point, HOLDING)]
    near = {m.side for m in about if counts_for_ground(m) and within(distance_to_point(m, point), HOLDING)}
    return next(iter(near)) if len(near) == 1 else None


# ---------------------------------------------------------------- missions/bases-victory


@rule("missions/bases-victory", "missions/holding-models")
def bases(position: Position) -> tuple[int, int]:
    """Return 1 for a side that has taken the enemy base: a model of its own within 6 cm of it, and no enemy model."""
    return int(has_taken_base(position, 0)), int(has_taken_base(position, 1))


def base_of(position: Position, side: int) -> str:
    return str(position.hand(side, "base")[0])


def has_taken_base(position: Position, side: int) -> bool:
    piece = position.ground.piece(base_of(position, 1 - side))
    around = box(piece.outline)
    about = [m for m in position.on_table() if could_be_within(m, nearest_in(around, m.at), HOLDING)]
    near = {m.side for m in about if counts_for_ground(m) and within(gap_to(m, piece), HOLDING)}
    return near == {side}


# ---------------------------------------------------------------- missions/assassination


@rule("missions/assassination")
def assassination(position: Position) -> tuple[int, int]:
    """Return 1 for a side that has felled the enemy commander."""
    return int(commander_fell(position, 1)), int(commander_fell(position, 0))


@rule("missions/assassination")
def commander_fell(position: Position, side: int) -> bool:
    leader = commander(position, side)
    return leader is None or not (is_able(leader) or leader.where == RESERVE)


SCORES = {
    "extermination": extermination,
    "patrol": patrol,
    "objectives": objectives,
    "bases": bases,
    "assassination": assassination,
}


# ---------------------------------------------------------------- the end


@rule("missions/collapse")
def is_wiped_out(position: Position, side: int) -> bool:
    """Return whether a side has no able model on the table, and none in reserve."""
    return not any(m.side == side and (is_able(m) or is_in_reserve(m)) for m in position.models)


def is_in_reserve(model: Model) -> bool:
    return model.where == RESERVE and not model.marks("never-came")


def mission_name(position: Position) -> str:
    return str(position.now["mission"])


def score(position: Position) -> tuple[int, int]:
    result: tuple[int, int] = SCORES[mission_name(position)](position)
    return result


@rule("missions/length-and-draw")
def judge(position: Position, why: str) -> None:
    """End the battle by the mission's current score."""
    finish_by_score(position, why, score(position))


@rule("missions/assassination")
def check_commanders(position: Position) -> bool:
    """Return whether the battle is over, perhaps just now because a commander fell; if both fell at once, a draw."""
    if position.result is None and mission_name(position) == "assassination" and any(assassination(position)):
        judge(position, "missions/assassination")
    return position.result is not None


@rule("missions/collapse")
def check_victory(position: Position) -> None:
    """End the battle at once if a commander was felled in an assassination, or a force is wiped out."""
    if check_commanders(position):
        return
    result = wiped_out(lambda side: not is_wiped_out(position, side), "missions/collapse")
    if result is None:
        return
    if result.winner is None:
        judge(position, "missions/collapse")
    else:
        position.finish(result)


# ---------------------------------------------------------------- goals for a bot


def places_wanted(position: Position, side: int) -> list[Point]:
    """Return the places that the mission draws a side to."""
    name = position.now.get("mission")
    if name == "objectives":
        return [(t.x, t.y) for t in position.tokens if t.kind == "objective"]
    if name == "patrol":
        owners = explored(position)
        return [at for piece, at in position.ground.kept(middles).items() if owners.get(piece) != side]
    if name == "bases" and position.hand(1 - side, "base"):
        return [position.ground.kept(middles)[base_of(position, 1 - side)]]
    leader = commander(position, 1 - side) if name == "assassination" else None
    return [leader.at] if leader is not None and leader.is_on_table else []


def middles(ground: Ground) -> dict[str, Point]:
    """Return the middle of every piece."""
    return {piece.name: centre_of(piece.outline) for piece in ground.pieces}


def objective(point: Point) -> Token:
    return Token("objective", point[0], point[1])
