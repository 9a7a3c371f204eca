"""The turn: initiative, activation of the squads in alternation, control (turn/*).

Whatever takes several questions is a frame on the position's stack (``campale.mechanics.frames``). Each call of
``step`` does one thing of what is in progress, or goes on with the phase.
"""

from __future__ import annotations

from campale.mechanics.alternation import next_side
from campale.mechanics.frames import Procedure, is_busy, push, run_top, stack
from campale.mechanics.phases import run_phase
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.rapid_deployment import PROCEDURES as ARRIVALS
from campale.rulesets.wzr.abilities.rapid_deployment import SEEN, reserves
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import roll_off
from campale.rulesets.wzr.battle.missions import end_if_wiped_out, finish, score_turn
from campale.rulesets.wzr.battle.setup import STAGES
from campale.rulesets.wzr.cards.decks import is_advanced
from campale.rulesets.wzr.cards.in_play import clear_the_turn
from campale.rulesets.wzr.cards.procedures import CARDS
from campale.rulesets.wzr.cards.resources import turn_up
from campale.rulesets.wzr.cards.windows import push_strategy
from campale.rulesets.wzr.close_combat import procedures as close_combat
from campale.rulesets.wzr.movement.procedures import PROCEDURES as MOVEMENT
from campale.rulesets.wzr.psychic.powers import PROCEDURES as PSYCHIC
from campale.rulesets.wzr.shooting.shoot import PROCEDURES as SHOOTING
from campale.rulesets.wzr.squads.procedures import PROCEDURES as MORALE
from campale.rulesets.wzr.structures.procedures import PROCEDURES as STRUCTURES
from campale.rulesets.wzr.turn import activation, reactions, sentry, spying
from campale.rulesets.wzr.turn.spying import announced, to_activate
from campale.rulesets.wzr.vehicles.procedures import PROCEDURES as VEHICLES
from campale.rulesets.wzr.wounds.procedures import PROCEDURES as WOUNDS

TURNS = 6
NO_MORE = "no-more"
"""The answer by which a side's reserves stay out in this turn."""
INITIATIVE, ACTIVATION, CONTROL = "initiative", "activation", "control"
PHASES = (INITIATIVE, ACTIVATION, CONTROL)


@rule("turn/sequence")
async def step(position: Position) -> bool:
    """Do the next thing in progress, or go on to the next squad, phase or turn."""
    if not await run_top(position, PROCEDURES):
        if position.now["phase"] in STAGES:
            await run_phase(position, STAGES, begin_stage)
        else:
            await BY_PHASE[str(position.now["phase"])](position)
    return position.result is None


def begin_stage(position: Position, following: str | None) -> None:
    if following is None:
        begin_turn(position, 1)
        if is_advanced(position):
            push(position, ("mulligan",))
    else:
        position.now["phase"] = following


@rule("turn/sequence")
def begin_turn(position: Position, turn: int) -> None:
    position.now.update(turn=turn, round=turn, phase=INITIATIVE, last=-1, activation=0)
    position.write("turn", round=turn)


@rule("turn/initiative")
async def initiative(position: Position) -> None:
    """Roll off; the winner has the initiative and decides which side activates first."""
    winner = await roll_off("initiative")
    position.write("initiative", side=winner)
    first = await choose(winner, "first", [0, 1], of="side")
    position.write("opens", side=int(first))
    position.now.update(phase=ACTIVATION, initiative=winner, first=int(first), last=-1, window=True)
    position.write("phase", phase=ACTIVATION)


@rule("turn/activation-order", "abilities/rapid-deployment-reserve")
def may_come(position: Position, side: int) -> list[int]:
    """The squads that a side may activate: those on the table and, unless declined in this turn, the reserves."""
    declined = position.now.get(f"no-more-{side}") == position.now["turn"]
    return [*to_activate(position, side), *(() if declined else reserves(position, side))]


@rule("turn/activation-order", "cards/strategy", "abilities/espionage", "abilities/rapid-deployment-reserve")
async def activate(position: Position) -> None:
    """The sides activate squads in turn without skipping. A card window opens before each one and after the last."""
    last = int(position.now["last"])
    side = next_side(int(position.now["first"]), None if last < 0 else last, lambda one: may_come(position, one))
    if position.now.pop("window", None):
        changes = side is not None and last >= 0 and side != last
        push_strategy(position, changes, "last" if side is None else "first" if last < 0 else "between")
        return
    if side is None:
        position.now["phase"] = CONTROL
        position.write("phase", phase=CONTROL)
        return
    bound = announced(position, side)
    able = may_come(position, side) if bound is None else [bound]
    none_left: list[Plain] = [] if to_activate(position, side) else [NO_MORE]
    row = await choose(side, "activate", [*able, *none_left], of="unit", always=bound is None)
    if row == NO_MORE:
        position.now.update({f"no-more-{side}": int(position.now["turn"]), "window": True})
        return
    if position.declared.get(marks.ANNOUNCED, (None,))[0] == side:
        position.declare(marks.ANNOUNCED, None)
    activation.begin_squad(position, Unit(position, int(row)))


@rule("turn/control-phase", "core/durations")
async def control(position: Position) -> None:
    """Effects of the turn end, cards are discarded, Sentries stand down, points are scored; then players draw cards."""
    clear_the_turn(position)
    position.end_effects(marks.TURN)
    for model in position.models:
        for name in marks.MODEL_MARKS_OF_TURN:
            model.mark(name, 0)
        for note in marks.MODEL_NOTES_OF_TURN:
            model.jot(note, None)
    for unit in position.units:
        unit.mark(marks.ACTIVATED, 0)
        for note in marks.UNIT_NOTES_OF_TURN:
            unit.jot(note, None)
    for side in (0, 1):
        position.gain(side, marks.SPIED, -position.holds(side, marks.SPIED))
    score_turn(position)
    first = int(position.now["initiative"])
    draws = (("control-draw", first), ("control-draw", 1 - first)) if is_advanced(position) else ()
    push(position, *draws, ("next-turn",))


@rule("turn/control-phase", "turn/end-of-game", "setup/resources", "cards/deck-empty")
async def next_turn(position: Position) -> None:
    """Turn burned Resources up again and begin the next turn, unless the game is over: early, or after turn 6."""
    turn_up(position)
    turn = int(position.now["turn"])
    if turn >= TURNS:
        finish(position)
    else:
        end_if_wiped_out(position)
    if position.result is None:
        begin_turn(position, turn + 1)


BY_PHASE = {INITIATIVE: initiative, ACTIVATION: activate, CONTROL: control}

PROCEDURES: dict[str, Procedure] = {
    **WOUNDS,
    **MORALE,
    **MOVEMENT,
    **CARDS,
    **ARRIVALS,
    "next-turn": next_turn,
    "tactics": activation.tactics,
    "next-model": activation.next_model,
    "squad-ends": activation.squad_ends,
    "model-begins": activation.model_begins,
    "model": activation.model_acts,
    "model-ends": activation.model_ends,
    "reactions": reactions.reactions,
    SEEN: reactions.arrival_seen,
    reactions.REACT: reactions.react,
    reactions.REACTED: reactions.reacted,
    sentry.SENTRY: sentry.sentry,
    spying.SPY: spying.spy,
    "rest": activation.rest,
    "third-ap": activation.third_ap,
    **close_combat.PROCEDURES,
    **SHOOTING,
    **PSYCHIC,
    **VEHICLES,
    **STRUCTURES,
}


BETWEEN_MODELS = ("tactics", "tactic", "next-model", "strategy")


def is_amid(position: Position) -> bool:
    """Whether something begun is still going on. A model's actions belong together, a squad's models do not."""
    return is_busy(position) and stack(position)[-1][0] not in BETWEEN_MODELS
