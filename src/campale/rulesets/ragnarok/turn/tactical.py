"""The tactical phase: choose a model, declare, ask for reactions, carry out; again, until the player ends it."""

from __future__ import annotations

from typing import Any

from campale.referee.ask import fill_in
from campale.referee.position import Model, Position
from campale.referee.question import Choose, Number, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.physical import tire
from campale.rulesets.ragnarok.battle.missions import check_commanders, check_victory
from campale.rulesets.ragnarok.close_combat.charge import settle_charges
from campale.rulesets.ragnarok.morale.psychology import doubled
from campale.rulesets.ragnarok.moving.movement import path_of
from campale.rulesets.ragnarok.turn.actions import cost
from campale.rulesets.ragnarok.turn.commander import hand_out, may_receive, replace_commander
from campale.rulesets.ragnarok.turn.control_area import find_hidden
from campale.rulesets.ragnarok.turn.declaring import (
    Action,
    Declaration,
    come_out_of_hiding,
    pay,
    points_left,
    too_dear,
)
from campale.rulesets.ragnarok.turn.reactions import carry_out_first, carry_out_last, declared_reactions
from campale.table.paths import Path

ABILITY, END, HAND_OUT = "ability", "end", "hand-out"
LIKELY_ACTIONS = (
    "move",
    "move",
    "fire",
    "fire",
    "charge",
    "charge",
    "ability",
    "suppressive-fire",
    "hide",
    "alert",
    "recover",
)
"""What a bot tries first; an action named twice is tried twice as often."""


def list_of_actions(position: Position) -> dict[str, Action]:
    actions: dict[str, Action] = position.ruleset.book.actions
    return actions


# ---------------------------------------------------------------- tactical/sequence


@rule("tactical/sequence")
async def tactical_phase(position: Position) -> bool:
    """Make one choice of the active player; return False when it ends the phase."""
    side = int(position.now["side"])
    filled = await fill_in(side, "act", lambda given: fields(position, side, given), idle=[END])
    if filled[0] == END:
        position.write("phase-ended", side=side)
        return False
    if filled[0] == HAND_OUT:
        hand_out(position.model(filled[1]), filled[2])
    else:
        await act(declaration(position.model(filled[0]), filled[1], filled[2:]))
    return True


def fields(position: Position, side: int, filled: list[Any]) -> Question | None:
    """Ask for the model, its action and the action's details; or for the end of the phase, or points to hand out."""
    if not filled:
        candidates = [m.row for m in position.on_table(side)]
        keys = [*candidates, HAND_OUT, END]
        return Choose(
            side, "model", keys, "model", lambda key: cannot_choose(position, side, key), likely=[*candidates, HAND_OUT]
        )
    if filled[0] == END:
        return None
    if filled[0] == HAND_OUT:
        return hand_out_fields(position, side, filled[1:])
    model = position.model(filled[0])
    if len(filled) == 1:
        names = list(list_of_actions(position))
        about: dict[str, Plain] = {"model": model.row, "prices": prices(model)}
        return Choose(side, "action", names, "action", lambda name: cannot_do(model, name), about, LIKELY_ACTIONS)
    return list_of_actions(position)[filled[1]].fields(model, filled[2:])


@rule("tactical/points-spent", "suppression/effect")
def prices(model: Model) -> list[Plain]:
    """The points that each action would cost a model: ``[name, points]``; abilities have costs of their own."""
    return [
        [name, doubled(model, cost(model, name, []))] for name in list_of_actions(model.position) if name != ABILITY
    ]


@rule("tactical/who-can-act")
def cannot_choose(position: Position, side: int, key: Any) -> Fault | Refusal | None:
    """Return why a model cannot be chosen to act: there is no action that it could declare."""
    if key == END:
        return None
    if key == HAND_OUT:
        is_possible = position.holds(side, "bonus") > 0 and any(may_receive(m) is None for m in position.on_table(side))
        return None if is_possible else Fault(rule="commander/charisma-bonus")
    model = position.model(key)
    reasons = []
    for name in list_of_actions(position):
        reason = cannot_do(model, name)
        if reason is None:
            return None
        reasons.append(reason)
    return reasons[0]


@rule("tactical/who-can-act", "tactical/charisma-limit")
def cannot_do(model: Model, name: str) -> Fault | Refusal | None:
    """Return why a model cannot declare an action now."""
    action = list_of_actions(model.position)[name]
    refusal = action.refusal(model)
    if refusal is not None:
        return refusal
    dear = first_refusal((too_dear,), model, cost(model, name, [])) if name != ABILITY else None
    if dear is not None:
        return dear
    return action.nothing_to_do(model)


def hand_out_fields(position: Position, side: int, filled: list[Any]) -> Question | None:
    if not filled:
        rows = [m.row for m in position.on_table(side)]
        return Choose(
            side, "hand-out-to", rows, "model", lambda row: first_refusal((may_receive,), position.model(row))
        )
    if len(filled) > 1:
        return None
    left, model = position.holds(side, "bonus"), position.model(filled[0])
    about: dict[str, Plain] = {"model": model.row, "own": points_left(model), "left": left}
    return Number(side, "hand-out", 1, left, about)


# ---------------------------------------------------------------- the declaration


@rule("tactical/points-spent", "aim/bonus", "concentrate/bonus")
def declaration(model: Model, name: str, details: list[Any]) -> Declaration:
    """Declare an action, with the benefit of the same model's last action; its hiding ends here."""
    position = model.position
    is_aimed = position.declared.get("aimed") == model.row and name in ("fire", "suppressive-fire")
    is_concentrated = position.declared.get("concentrated") == model.row and name == ABILITY
    position.declare("aimed", None)
    position.declare("concentrated", None)
    from_hiding = bool(model.marks("hidden"))
    pay(model, cost(model, name, details))
    model.mark("acted", 1, quietly=True)
    position.write("action", model=model.row, action=name, details=plainly(details))
    come_out_of_hiding(model)
    return Declaration(model, name, details, from_hiding, is_aimed, is_concentrated)


def plainly(details: list[Any]) -> list[Any]:
    return [list(one) if isinstance(one, tuple) else one for one in details]


@rule("move/declared-path", "control-area/free-reaction")
def declared_path(act: Declaration) -> Path:
    """Return the actor's path, which decides who may react; without a move, it is the actor's place."""
    if act.action in ("move", "charge"):
        return path_of(act.model, act.details[1])
    return Path((act.model.at,))


# ---------------------------------------------------------------- tactical/resolution-order


@rule("tactical/resolution-order", "tactical/sequence")
async def act(declared: Declaration) -> None:
    """Run an action in its eight steps.

    1 declared and paid; 2 reactions; 3 Go Prone; 4 the action; 5 the other reactions; 6 engagement; 7 fatigue; 8 the
    rest.
    """
    position = declared.model.position
    reactions = await declared_reactions(declared, declared_path(declared))
    declared = declared._replace(reactors=tuple((reaction.model, reaction.action) for reaction in reactions))
    await carry_out_first(reactions)
    await list_of_actions(position)[declared.action].carry_out(declared)
    if check_commanders(position):
        return
    await carry_out_last(reactions)
    settle_charges(position)
    tire(declared.model, declared.action)
    for reaction in reactions:
        tire(reaction.model, reaction.action)
    await settle(position)


@rule("tactical/resolution-order", "commander/replacement", "control-area/reveals-hidden")
async def settle(position: Position) -> None:
    """Reveal models hidden in an area in effect again; then check victory; then replace commanders."""
    find_hidden(position)
    check_victory(position)
    if position.result is None:
        await replace_commanders(position)


async def replace_commanders(position: Position) -> None:
    for side in (0, 1):
        await replace_commander(position, side)
