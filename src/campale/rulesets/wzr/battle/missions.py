"""Missions, objectives and victory (missions/*, turn/end-of-game)."""

from __future__ import annotations

from campale.mechanics.missions import POINTS as SCORED
from campale.mechanics.missions import ahead, finish_by_score
from campale.referee.position import RESERVE, TABLE, Model, Position, Result, Token, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import half
from campale.rulesets.wzr.battle.zones import zone_of
from campale.rulesets.wzr.squads.squads import is_pinned, is_routed, is_stunned
from campale.table.measure import extent, gap_to_point
from campale.table.room import Area
from campale.table.shapes import TOLERANCE, Point

ANNIHILATION, STRONGPOINTS, BREAKTHROUGH = "annihilation", "strongpoints", "breakthrough"
MISSIONS = (ANNIHILATION, STRONGPOINTS, BREAKTHROUGH)
BY_FACE = {face: ANNIHILATION if face <= 7 else STRONGPOINTS if face <= 14 else BREAKTHROUGH for face in range(1, 21)}
WARLORD_POINTS = 50
WARLORD_BREAKTHROUGH, PASSED, DESTROYED = 2, 3, 1
OBJECTIVE, NEAR = "objective", 3.0
MARKER = 0.6
"""Radius of a marker, which is as wide as a small base."""
FROM_TURN = 2
VEHICLE_COUNTS = 3


# ---------------------------------------------------------------- the rest of a squad


def bought(position: Position, side: int) -> list[Unit]:
    """The squads of a side as bought. A Specialist who has joined another squad counts as its own squad here."""
    return [Unit(position, row) for row, owner in enumerate(position.unit_side) if owner == side]


def left_of(unit: Unit) -> list[Model]:
    """The models bought with a squad that are on the table or still to come."""
    return [m for m in unit.bought if m.where in (TABLE, RESERVE)]


@rule("squads/composition")
def is_at_half(unit: Unit) -> bool:
    """Whether a squad that started with two or more models is at half that number or fewer."""
    start = unit.marks(marks.START)
    return start > 1 and 2 * len(left_of(unit)) <= start


def is_destroyed(unit: Unit) -> bool:
    """Whether no model of the squad is left: removed, or fled from the table."""
    return not left_of(unit)


@rule("missions/annihilation", "missions/breakthrough")
def warlord_is_gone(position: Position, side: int) -> bool:
    """Whether a side's Warlord is gone."""
    return any(unit.note(marks.SLOT) == "warlord" and is_destroyed(unit) for unit in bought(position, side))


# ---------------------------------------------------------------- missions/annihilation


@rule("missions/annihilation")
def annihilation(position: Position, side: int) -> int:
    """The cost of every destroyed enemy squad, half the cost of those at half strength, and 50 for the Warlord."""
    enemy = 1 - side
    found = sum(worth_of_harm(unit) for unit in bought(position, enemy))
    return found + (WARLORD_POINTS if warlord_is_gone(position, enemy) else 0)


@rule("missions/annihilation", "core/rounding")
def worth_of_harm(unit: Unit) -> int:
    points = int(unit.marks(marks.POINTS))
    if is_destroyed(unit):
        return points
    return half(points) if is_at_half(unit) else 0


# ---------------------------------------------------------------- missions/strongpoints, missions/objectives


@rule("missions/strongpoints")
def marker_places(position: Position) -> tuple[Point, ...]:
    """The quarter points of the table's middle line."""
    width, depth = position.ground.width, position.ground.depth
    return tuple((width * k / 4.0, depth / 2.0) for k in (1, 2, 3))


@rule("missions/objectives")
def lay_markers(position: Position) -> None:
    for x, y in marker_places(position):
        position.lay(Token(OBJECTIVE, x, y))


@rule("missions/objectives")
def counts_for(model: Model) -> int:
    """What a model counts for near a marker: 0 if routed, pinned or stunned; a vehicle counts as three."""
    if is_routed(model.unit) or is_pinned(model) or is_stunned(model):
        return 0
    return VEHICLE_COUNTS if model.profile.is_vehicle else 1


@rule("missions/objectives")
def holder(position: Position, at: Point) -> int | None:
    """The side with more models within 3 inches of a marker, or None."""
    near = [0, 0]
    for model in position.on_table():
        if is_near(model, at):
            near[model.side] += counts_for(model)
    return None if near[0] == near[1] else int(near[1] > near[0])


def is_near(model: Model, at: Point) -> bool:
    """Whether the model is within 3 inches of the marker."""
    return gap_to_point(model.solid, *at) <= NEAR + MARKER + TOLERANCE


@rule("missions/strongpoints")
def score_turn(position: Position) -> None:
    """From turn 2 on, a side scores a point for each marker it controls."""
    if position.now.get("mission") != STRONGPOINTS or int(position.now["turn"]) < FROM_TURN:
        return
    owners = [holder(position, (token.x, token.y)) for token in position.tokens if token.kind == OBJECTIVE]
    for side in (0, 1):
        position.gain(side, SCORED, owners.count(side))


# ---------------------------------------------------------------- missions/breakthrough


@rule("missions/breakthrough")
def breakthrough(position: Position, side: int) -> int:
    """3 for each squad that has got through, 1 for each enemy squad destroyed, 2 for the Warlord.

    A Specialist who has joined a squad does not count as a squad.
    """
    zone = zone_of(position, 1 - side)
    through = sum(has_passed(unit, zone) for unit in bought(position, side) if not has_joined(unit))
    gone = sum(is_destroyed(unit) for unit in bought(position, 1 - side) if not has_joined(unit))
    warlord = WARLORD_BREAKTHROUGH if warlord_is_gone(position, 1 - side) else 0
    return PASSED * through + DESTROYED * gone + warlord


@rule("missions/breakthrough", "abilities/specialist-attached")
def has_joined(unit: Unit) -> bool:
    """Whether the squad was bought as a Specialist who has joined another squad."""
    return any(m.marks(marks.SPECIALIST) for m in unit.bought if m.unit != unit)


@rule("missions/breakthrough", "squads/composition")
def has_passed(unit: Unit, zone: Area) -> bool:
    """Whether the squad is not routed and at least half its starting number is wholly within the zone."""
    through = [m for m in left_of(unit) if m.is_on_table and is_within(m, zone)]
    return bool(through) and not is_routed(through[0].unit) and 2 * len(through) >= unit.marks(marks.START)


def is_within(model: Model, zone: Area) -> bool:
    west, south, east, north = extent(model.solid)
    return min(west - zone[0], south - zone[1], zone[2] - east, zone[3] - north) >= -TOLERANCE


# ---------------------------------------------------------------- missions/victory


def score(position: Position) -> tuple[int, int]:
    """The points of each side, by the mission."""
    mission = position.now.get("mission")
    if mission == STRONGPOINTS:
        return position.holds(0, SCORED), position.holds(1, SCORED)
    count = annihilation if mission == ANNIHILATION else breakthrough
    return count(position, 0), count(position, 1)


@rule("missions/victory", "abilities/rapid-deployment-reserve")
def finish(position: Position) -> None:
    """After the last turn the side with more points wins. Squads still in reserve count as destroyed."""
    for model in [m for m in position.models if m.where == RESERVE]:
        position.remove(model, "never-came")
    finish_by_score(position, f"missions/{position.now['mission']}", score(position))


@rule("missions/victory", "turn/end-of-game")
def end_if_wiped_out(position: Position) -> None:
    """End the game early: a side with no model on the table or in reserve loses. If neither has any, points decide."""
    if position.result is not None:
        return
    left = [any(m.side == side and m.where in (TABLE, RESERVE) for m in position.models) for side in (0, 1)]
    if all(left):
        return
    winner = ahead(score(position)) if left[0] == left[1] else int(left[1])
    position.finish(Result(winner, "missions/victory", {"score": list(score(position))}))
