"""Attacker and Defender, objective markers, the first turn (mission/*, only-war/markers)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.dice import roll_off
from campale.mechanics.setup.edges import USUAL, edge_of, inset, strip, take_edges, whole_table
from campale.mechanics.setup.laying import from_the_middle, grid, place_question
from campale.referee.ask import ask, choose
from campale.referee.position import Position, Token
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.w10.basics.levels import level_at
from campale.rulesets.w10.basics.markers import OBJECTIVE, markers
from campale.rulesets.w10.basics.units import within
from campale.rulesets.w10.battle.secondary import deal_cards
from campale.table.room import Area

MARKERS = 4
FROM_EDGE, FROM_MARKER = 6.0, 9.0
STEP = 2.0
ZONE = 10.0


@rule("mission/attacker", "only-war/deployment-zones", "core-concepts/roll-off")
async def choose_attacker(position: Position) -> bool:
    """The winner of a roll-off is the Attacker and chooses an edge."""
    attacker = await roll_off("attacker")
    edge = await choose(attacker, "edge", USUAL, of="edge")
    take_edges(position, attacker, edge)
    position.now.update(attacker=attacker, deploys=attacker)
    position.write("attacker", side=attacker, edge=edge)
    return False


@rule("only-war/deployment-zones", "t/no-mans-land")
def zone_of(position: Position, side: int) -> Area:
    """The deployment zone: a strip along the side's own long edge, with 24 inches of No Man's Land between both."""
    return strip(position.ground, edge_of(position, side), ZONE)


@rule("only-war/markers", "objectives/start")
async def place_markers(position: Position) -> bool:
    """Place one of four markers; the winner of a roll-off begins, then sides alternate. Return whether more follow."""
    if "lays" not in position.now:
        position.now["lays"] = await roll_off("markers")
    side = int(position.now["lays"])
    question = place_question(
        side,
        "marker",
        lambda: open_places(position),
        lambda at: misplaced(position, at),
        lambda: from_the_middle(open_places(position)),
        from_edges=FROM_EDGE,
        from_others=FROM_MARKER,
    )
    x, y = (await ask(question))[:2]
    position.lay(Token(OBJECTIVE, x, y, level_at(position, x, y)))
    position.now["lays"] = 1 - side
    return len(markers(position)) < MARKERS


def open_places(position: Position) -> list[Plain]:
    area = inset(whole_table(position.ground), FROM_EDGE)
    places: list[Plain] = [[x, y] for x, y, _ in grid(area, STEP, (0.0,)) if misplaced(position, (x, y)) is None]
    return places


@rule("only-war/markers")
def misplaced(position: Position, at: Sequence[float]) -> Fault | None:
    """A marker may not lie within 6 inches of an edge or 9 inches of another marker."""
    x, y = at[0], at[1]
    ground = position.ground
    edge = min(x, y, ground.width - x, ground.depth - y)
    if within(edge, FROM_EDGE):
        return Fault((x, y), round(edge, 2), FROM_EDGE)
    near = min(((x - one.x) ** 2 + (y - one.y) ** 2 for one in markers(position)), default=1e9) ** 0.5
    return Fault((x, y), round(near, 2), FROM_MARKER) if within(near, FROM_MARKER) else None


@rule("only-war/first-turn", "battle-round/rounds")
async def choose_first(position: Position) -> bool:
    """The winner of another roll-off takes the first turn in every round."""
    position.now["first"] = await roll_off("first-turn")
    position.write("first-turn", side=position.now["first"])
    await deal_cards(position)
    return False
