"""The battle round: turns and phases, and what happens at the end of each (battle-round/*, mission/sequence)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from campale.mechanics.phases import Phase, begin_player_turn, run_phase
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import raise_moment, use_all
from campale.rulesets.w10.attack.allocation import forget_attacked
from campale.rulesets.w10.basics.coherency import remove_stragglers
from campale.rulesets.w10.basics.markers import check_control
from campale.rulesets.w10.basics.persisting import COMMAND, PHASE, TURN, end_at
from campale.rulesets.w10.basics.units import EPIC, PHASE_FACTS, TURN_FACTS
from campale.rulesets.w10.battle.deployment import deploy, redeploy
from campale.rulesets.w10.battle.formations import declare_formations
from campale.rulesets.w10.battle.mission import choose_attacker, choose_first, place_markers
from campale.rulesets.w10.battle.only_war import ROUNDS, end_after_rounds, end_if_destroyed, score
from campale.rulesets.w10.battle.pre_battle import scout
from campale.rulesets.w10.battle.secondary import score_card
from campale.rulesets.w10.charge.charging import begin_charging
from campale.rulesets.w10.charge.phase import charge_with_a_unit
from campale.rulesets.w10.command.phase import battle_shock_step, begin_command
from campale.rulesets.w10.fight.fight import begin_fighting, fight_with_a_unit
from campale.rulesets.w10.movement.phase import move_a_unit, note_stationary
from campale.rulesets.w10.movement.reserves import reinforcements
from campale.rulesets.w10.shooting.phase import shoot_with_a_unit
from campale.rulesets.w10.windows import windows
from campale.rulesets.w10.windows.windows import open_window

Act = Callable[[Position, int], Awaitable[bool]]

BEFORE: dict[str, Phase] = {
    "attacker": choose_attacker,
    "markers": place_markers,
    "formations": declare_formations,
    "deployment": deploy,
    "redeploy": redeploy,
    "first-turn": choose_first,
    "scouts": scout,
}
"""The steps before the first turn, in the order of mission/sequence and of the mission."""

ACTS: dict[str, Act] = {
    "command": battle_shock_step,
    "movement": move_a_unit,
    "reinforcements": reinforcements,
    "shooting": shoot_with_a_unit,
    "charge": charge_with_a_unit,
    "fight": fight_with_a_unit,
}
"""The phases of a turn and their steps; each call lets one unit act and returns whether more may."""

STEPS = ("movement",)
"""Steps after which the phase goes on."""


@rule("battle-round/rounds", "battle-round/phases", "mission/sequence")
async def step(position: Position) -> bool:
    """Let one unit act, or begin the next phase or turn; return whether the battle goes on."""
    if position.now["phase"] in BEFORE:
        return await run_phase(position, BEFORE, begin_battle)
    if position.now["phase"] == "end":
        await end_turn(position)
    else:
        await run_phase(position, PHASES, begin_phase)
        end_if_destroyed(position)
    return position.result is None


def begin_battle(position: Position, following: str | None) -> None:
    if following is None:
        position.now.update(phase="turn", turn=0)
        position.now["phase"] = "command"
        position.now["begun"] = 0
        begin_player_turn(position)
    else:
        position.now["phase"] = following


def begin_phase(position: Position, following: str | None) -> None:
    """End the current phase and begin the next."""
    end_of_phase(position, str(position.now["phase"]))
    position.now.update(phase=following or "end", begun=0)


def phase(name: str) -> Phase:
    """A phase of the active side: its start, then unit by unit."""

    async def act(position: Position) -> bool:
        side = int(position.now["side"])
        if not position.now["begun"]:
            position.now["begun"] = 1
            position.write("phase", phase=name)
            await begin(position, name, side)
        more: bool = await ACTS[name](position, side)
        if not more:
            await close(position, name)
        return more

    return act


PHASES: dict[str, Phase] = {name: phase(name) for name in ACTS}


@rule("command-phase/command-step", "charge-phase/eligible", "fight-phase/steps", "i/start-of", "f/unit-phase")
async def begin(position: Position, name: str, side: int) -> None:
    """Do what happens at the start of a phase."""
    if name == "command":
        begin_command(position, side)
        end_at(position, COMMAND, side)
        await use_all(position, side, "command-starts", {})
        await use_all(position, side, "command", {})
    elif name == "charge":
        begin_charging(position, side)
    elif name == "fight":
        begin_fighting(position)


async def close(position: Position, name: str) -> None:
    """Offer what players may use at the end of a phase."""
    side = int(position.now["side"])
    if name == "reinforcements":
        await use_all(position, side, "movement-ends", {})
        await open_window(position, "movement-ends")
    if name == "command":
        await use_all(position, side, "command-ends", {})
        await open_window(position, "command-ends")
    if name not in STEPS:
        await raise_moment(position, "phase-ends")


@rule("f/end-of-phase", "objectives/end-of-phase-check", "only-war/score", "r/end-of-command")
def end_of_phase(position: Position, name: str) -> None:
    """End a phase; control of the markers is settled before scoring."""
    if name == "movement":
        note_stationary(position, int(position.now["side"]))
    if name in STEPS:
        return
    forget_attacked(position)
    end_at(position, PHASE)
    forget_stratagems(position)
    check_control(position)
    if name == "command":
        score(position, int(position.now["side"]))


@rule("stratagems/use", "stratagems/go-to-ground", "stratagems/smokescreen", "stratagems/epic-challenge")
def forget_stratagems(position: Position) -> None:
    """Clear what lasts until the end of a phase."""
    windows.end_of_phase(position)
    for unit in position.units:
        for fact in PHASE_FACTS:
            unit.mark(fact, 0)
    for model in position.models:
        model.mark(EPIC, 0)


@rule("battle-round/phases", "core-concepts/coherency-end-of-turn", "only-war/end")
async def end_turn(position: Position) -> None:
    """End a turn: units out of coherency lose models, then the next turn begins.

    After the fifth round the battle is over.
    """
    await use_all(position, 1 - int(position.now["side"]), "enemy-turn-ends", {})
    await remove_stragglers(position, int(position.now["side"]))
    end_at(position, TURN)
    score_card(position, int(position.now["side"]))
    windows.end_of_turn(position)
    for unit in position.units:
        for fact in TURN_FACTS:
            unit.mark(fact, 0)
    end_if_destroyed(position)
    if position.result is not None:
        return
    if int(position.now["turn"]) >= 2 * ROUNDS:
        end_after_rounds(position)
        return
    begin_player_turn(position)
    position.now.update(phase="command", begun=0)
