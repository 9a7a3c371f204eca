"""The order of the battle: the set-up in stages, then player turns of five phases, until it is decided."""

from __future__ import annotations

from campale.mechanics.phases import Phase, begin_player_turn, run_phase
from campale.mechanics.setup.edges import facing_inward, inset, whole_table
from campale.referee.ask import order
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import needed_on_one, one_die
from campale.rulesets.ragnarok.battle import preparation
from campale.rulesets.ragnarok.battle.missions import check_commanders, check_victory, is_in_reserve, judge
from campale.rulesets.ragnarok.battle.preparation import (
    ARRIVING,
    INFILTRATING,
    wants_to_infiltrate,
    zone,
)
from campale.rulesets.ragnarok.close_combat.melee import melee_phase
from campale.rulesets.ragnarok.morale.psychology import (
    command_test,
    must_test_command,
    must_test_pinning,
    must_test_suppression,
    pinning_test,
    suppression_test,
)
from campale.rulesets.ragnarok.moving.placing import set_down
from campale.rulesets.ragnarok.turn.commander import renew_bonus
from campale.rulesets.ragnarok.turn.tactical import replace_commanders, settle, tactical_phase


async def step(position: Position) -> bool:
    """Run one activation of the current phase; when the phase is over, the next one begins."""
    return await run_phase(position, position.ruleset.book.phases, begin)


def begin(position: Position, following: str | None) -> None:
    """Begin the following phase; after the last phase, the other player's turn."""
    phase = following or "command"
    position.now["phase"] = phase
    if phase == "command":
        begin_turn(position)
    position.write("phase", phase=phase)


@rule("turn/phases", "tactical/charisma-renewal", "turn/time-units")
def begin_turn(position: Position) -> None:
    """Begin the other player's turn: both sides regain their charisma, the active side its commander's bonus."""
    side = begin_player_turn(position)
    for model in position.models:
        model.mark("charisma", model.profile.charisma, quietly=True)
    renew_bonus(position, side)


# ---------------------------------------------------------------- command-phase/*


@rule("command-phase/steps")
async def command_phase(position: Position) -> bool:
    """Take the command test if needed, then bring in reserves; no special rule asks for other tests."""
    side = int(position.now["side"])
    if must_test_command(position, side):
        await command_test(position, side)
    if position.result is None and position.options.reserves:
        await bring_in_reserves(position, side)
    return False


@rule("opt-reserves/entry")
async def bring_in_reserves(position: Position, side: int) -> None:
    """Roll for each model in reserve; it arrives on 4+."""
    for model in [m for m in position.models if m.side == side and is_in_reserve(m)]:
        if (await one_die(position, side, "reserve", needed_on_one(4), model=model.row)).passed:
            await arrive(model)


@rule("opt-reserves/entry", "special/infiltrator")
async def arrive(model: Model) -> None:
    """Place a model anywhere in its own zone, 1 cm from enemies; an Infiltrator where its own rule allows."""
    position = model.position
    radius = model.profile.base_radius
    facing = facing_inward(position, model.side)
    came = False
    if await wants_to_infiltrate(model):
        came = await set_down(model, "arrive", inset(whole_table(position.ground), radius), INFILTRATING, facing)
    if not came:
        await set_down(model, "arrive", inset(zone(position, model.side), radius), ARRIVING, facing)
    model.mark("held-back", 0)


# ---------------------------------------------------------------- melee-phase/*, control-phase/*


async def melees_and_after(position: Position) -> bool:
    more = await melee_phase(position)
    if more:
        await settle(position)
    return more


@rule("control-phase/tests", "pinning/when", "suppression/when")
async def control_phase(position: Position) -> bool:
    """Take all pinning tests, then all suppression tests, each in the active player's order."""
    side = int(position.now["side"])
    for model in await in_order(position, side, [m for m in position.models if must_test_pinning(m)], "pinning-order"):
        await pinning_test(model)
    wounded = [m for m in position.models if must_test_suppression(m)]
    for model in await in_order(position, side, wounded, "suppression-order"):
        await suppression_test(model)
        await after_test(model)
        if position.result is not None:
            return False
    check_victory(position)
    return False


@rule("missions/assassination", "commander/replacement")
async def after_test(model: Model) -> None:
    """End an assassination at once if the commander fled; else name another commander before the next test."""
    if model.marks("commander") and not model.is_on_table and not check_commanders(model.position):
        await replace_commanders(model.position)


async def in_order(position: Position, side: int, models: list[Model], prompt: str) -> list[Model]:
    return [position.model(row) for row in await order(side, prompt, [model.row for model in models])]


# ---------------------------------------------------------------- end-phase/*


@rule("end-phase/cleanup", "end-phase/kept", "prone/duration")
async def end_phase(position: Position) -> bool:
    """Clear what lasts until now; then begin the other player's turn, or end the battle."""
    for model in position.models:
        tidy(model)
    position.end_effects("turn")
    for name in ("aimed", "concentrated", "onsets", "charging"):
        position.declare(name, None)
    side = int(position.now["side"])
    position.gain(side, "bonus", -position.holds(side, "bonus"))
    await end_of_mission(position)
    return False


UNTIL_END = (
    "handed",
    "acted",
    "moved",
    "salvoed",
    "guarded",
    "barred-ability",
    "shaken",
    "wounded",
    "charged",
    "from-hiding",
    "charge-d3",
    "shot-in-charge",
)


@rule("end-phase/cleanup", "prone/duration", "special/bodyguard")
def tidy(model: Model) -> None:
    """Clear this turn's records; a prone model whose time has come stands up."""
    for name in model.marked():
        if name in UNTIL_END or name.startswith("used-"):
            model.mark(name, 0, quietly=True)
    if 0 < model.marks("prone") <= int(model.position.now["turn"]):
        model.mark("prone", 0)


@rule("missions/length-and-draw", "opt-time/extra-turns")
async def end_of_mission(position: Position) -> None:
    """End the battle after each side's twelfth turn, unless the die of the extra time gives one more."""
    turn, turns = int(position.now["turn"]), int(position.now["turns"])
    if turn < 2 * turns:
        return
    if position.options.extra_time and await plays_on(position):
        position.now["turns"] = turns + 1
        return
    judge(position, "missions/length-and-draw")


@rule("opt-time/extra-turns")
async def plays_on(position: Position) -> bool:
    """Roll one D6 for both players: on 4+ each of them has one more turn."""
    return (await one_die(position, int(position.now["side"]), "extra-time", needed_on_one(4))).passed


# ---------------------------------------------------------------- the phases


@rule("turn/phases", "setup/order")
def phases() -> dict[str, Phase]:
    """Every stage of the set-up and every phase of a turn, in order."""
    before = (
        preparation.choose_mission,
        preparation.lay_scenery,
        preparation.lay_objectives,
        preparation.exploration_roll,
        preparation.choose_side,
        preparation.choose_bases,
        preparation.choose_reserves,
        preparation.deployment_roll,
        preparation.deploy,
        preparation.deploy_infiltrators,
        preparation.wards,
        preparation.initiative,
    )
    return {
        **dict(zip(preparation.stages(), before, strict=True)),
        "command": command_phase,
        "tactical": tactical_phase,
        "melee": melees_and_after,
        "control": control_phase,
        "end": end_phase,
    }
