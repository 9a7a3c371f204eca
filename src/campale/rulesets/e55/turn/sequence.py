"""Chapter 3 and 10: the order of a game, of a turn and of its phases, as data; each call runs one activation."""

from __future__ import annotations

from campale.mechanics.phases import Phase, run_phase
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import charge, melee, pile_in
from campale.rulesets.e55.battle import missions, preparation
from campale.rulesets.e55.leadership_and_morale import breakthrough, morale
from campale.rulesets.e55.movement_phase import facing, movement
from campale.rulesets.e55.shooting_phase import shooting, volley
from campale.rulesets.e55.shooting_phase.heavy_fire import record_heavy_fire
from campale.rulesets.e55.turn import start_of_turn
from campale.rulesets.e55.turn.turns import begin_turn, count_heads, end_turn
from campale.rulesets.e55.vehicles import vehicles

ANEW = ("start", "to-ground", "charges", "melee")
"""The first steps of the phases, and of the sub-phases of the assault."""


async def step(position: Position) -> bool:
    """Run one activation of the current phase; when the phase is over, the next one begins."""
    return await run_phase(position, position.ruleset.book.phases, begin)


def begin(position: Position, following: str | None) -> None:
    """Begin the following phase; after the last phase, the other player's turn."""
    phase = following or "start"
    position.now["phase"] = phase
    if phase == "start":
        begin_turn(position)
    if phase in ANEW:
        breakthrough.begin_anew(position)
    if phase == "after-movement":
        vehicles.end_movement(position)
    if phase == "to-ground":
        count_heads(position)
    if phase == "after-shooting":
        record_heavy_fire(position)
    position.write("phase", phase=phase)


@rule("10/game-sequence")
def preparations() -> dict[str, Phase]:
    """Return everything that happens before the first turn, in order."""
    return {
        "scenery": preparation.agree_on_scenery,
        "mission": missions.choose_mission,
        "objectives": missions.place_objectives,
        "edges": preparation.choose_edges,
        "reserves": preparation.write_reserves,
        "deployment": preparation.deploy,
        "scouts": preparation.move_scouts,
        "first-facing": facing.face_at_the_start,
    }


@rule("3/phases", "3.2/sequence", "3.3/subphases")
def phases_of_a_turn() -> dict[str, Phase]:
    """Return movement, shooting and assault, with the steps before, between and after them."""
    return {
        "start": start_of_turn.start_phase,
        "movement": movement.movement_phase,
        "after-movement": morale.tests_for_casualties,
        "facing": facing.facing_phase,
        "to-ground": shooting.go_to_ground,
        "shooting": shooting.declaration_phase,
        "volleys": volley.volley_phase,
        "after-shooting": morale.tests_for_casualties,
        "charges": charge.charge_phase,
        "defence": pile_in.defence_phase,
        "melee": melee.melee_phase,
        "end": end_turn,
    }


def phases() -> dict[str, Phase]:
    return {**preparations(), **phases_of_a_turn()}
