"""Before the battle: mission, terrain, edges, deployment, infiltrators, Resource cards (setup/*)."""

from __future__ import annotations

from campale.mechanics.phases import Phase
from campale.mechanics.setup.edges import USUAL, take_edges
from campale.referee.ask import choose
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.infiltration import infiltrate
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import d20, roll_off
from campale.rulesets.wzr.battle.deployment import deploy
from campale.rulesets.wzr.battle.laying import lay_scenery
from campale.rulesets.wzr.battle.missions import BY_FACE, STRONGPOINTS, lay_markers
from campale.rulesets.wzr.cards.decks import deal, is_advanced

RESOURCE_COUNT = {"tech": 7, "close-combat": 8, "ranged": 6, "psychic": 8}


@rule("missions/choose")
async def choose_mission(position: Position) -> bool:
    """The mission agreed on, or one rolled with a D20."""
    if "mission" not in position.now:
        position.now["mission"] = BY_FACE[(await d20(0, "mission")).faces[0]]
    position.write("mission", mission=position.now["mission"])
    return False


@rule("setup/sequence", "missions/strongpoints")
async def objectives(position: Position) -> bool:
    if position.now["mission"] == STRONGPOINTS:
        lay_markers(position)
    return False


@rule("setup/pregame-initiative")
async def pregame_initiative(position: Position) -> bool:
    """The winner of the roll takes one of the two edges and decides which side deploys first."""
    winner = await roll_off("pregame")
    edge = await choose(winner, "edge", USUAL, of="edge")
    take_edges(position, winner, edge)
    first = await choose(winner, "deploys-first", [0, 1], of="side")
    position.now.update(pregame=winner, deploys=int(first))
    position.write("edges", side=winner, edge=edge)
    position.write("deploys-first", side=int(first))
    return False


@rule("setup/resources", "setup/no-loss-of-resources", "cards/resource-count", "army/warlord")
async def resources(position: Position) -> bool:
    """Each side gets Resources by its Warlord's type, face up. It keeps them whatever happens to the Warlord."""
    for side in (0, 1):
        types = {m.profile.warlord for m in position.models if m.side == side and m.profile.warlord}
        position.gain(side, marks.RESOURCES, max((RESOURCE_COUNT[one] for one in types), default=0))
    return False


@rule("setup/sequence", "setup/modes", "cards/deck-per-player")
async def first_hands(position: Position) -> bool:
    """Deal five cards to each player, in a game with decks."""
    if is_advanced(position):
        await deal(position)
    return False


STAGES: dict[str, Phase] = {
    "mission": choose_mission,
    "scenery": lay_scenery,
    "objectives": objectives,
    "pregame": pregame_initiative,
    "deployment": deploy,
    "infiltration": infiltrate,
    "resources": resources,
    "hands": first_hands,
}
"""The stages of setting up, in order (setup/sequence)."""
