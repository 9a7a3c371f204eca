"""What models on Sentry do during an enemy activation (actions/sentry-reaction)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from campale.mechanics.frames import push
from campale.referee.ask import fill_in, order
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.sight import sights
from campale.rulesets.wzr.squads.squads import members
from campale.rulesets.wzr.squads.states import can_react
from campale.rulesets.wzr.turn.actions import Action
from campale.rulesets.wzr.turn.menu import list_of_actions

REACT, REACTED = "react", "reacted"
NOTHING = "nothing"
DEEDS = ("shoot", "combat", "walk", "dive")
"""What a model on Sentry may do with its one AP, as the menu calls it."""
ARRIVAL = "arrival"


# ---------------------------------------------------------------- who may react


@rule("actions/sentry-reaction", "core/stunned", "morale/pinned-effects", "morale/routed-effects")
def watchers(position: Position, actors: Sequence[Model]) -> list[Model]:
    """The models on Sentry, of the side that is not acting, that see one of those who have acted."""
    there = [m for m in actors if m.is_on_table]
    if not there:
        return []
    able = [m for m in position.on_table(1 - there[0].side) if m.marks(marks.SENTRY) and can_react(m)]
    if not able:
        return []
    seen = sights(position, able, there)
    return [m for m, sees in zip(able, seen, strict=True) if sees.any()]


@rule("actions/sentry-reaction")
async def reactions(position: Position, row: int, action: str) -> None:
    """After an enemy's action, or as it declares a Charge: one form for all who see it."""
    await offer(position, [position.model(row)], action)


@rule("actions/sentry-reaction", "abilities/rapid-deployment-success")
async def arrival_seen(position: Position, row: int) -> None:
    """Once for a whole squad that has arrived."""
    await offer(position, members(Unit(position, row)), ARRIVAL)


@rule("actions/sentry-reaction", "core/simultaneous")
async def offer(position: Position, actors: Sequence[Model], action: str) -> None:
    """What each of those on Sentry does; several act in the order of their owner."""
    able = watchers(position, actors)
    if not able:
        return
    side, seen = able[0].side, actors[0].row
    chosen = await fill_in(
        side, "reactions", partial(reaction_of, able), idle=[NOTHING] * len(able), actor=seen, action=action
    )
    deeds = {m.row: str(deed) for m, deed in zip(able, chosen, strict=True) if deed != NOTHING}
    ordered = await order(side, "reaction-order", list(deeds), actor=seen)
    rows = tuple(m.row for m in actors)
    push(position, *((REACT, int(row), deeds[int(row)], rows) for row in ordered))


def reaction_of(able: Sequence[Model], filled: Sequence[Any]) -> Question | None:
    """For one model after another: nothing, or one of its deeds."""
    if len(filled) >= len(able):
        return None
    model = able[len(filled)]
    about: dict[str, Plain] = {"model": model.row}
    return Choose(model.side, "reaction", [NOTHING, *possible(model)], "action", about=about)


@rule("actions/sentry-reaction")
def possible(model: Model) -> list[str]:
    """The deeds that it can do now."""
    actions = list_of_actions()
    return [name for name in DEEDS if name in actions and is_able(model, actions[name])]


def is_able(model: Model, action: Action) -> bool:
    fits = action.vehicle if model.profile.is_vehicle else action.trooper
    return fits and first_refusal(action.restrictions, model) is None and action.is_possible(model)


# ---------------------------------------------------------------- the reaction


@rule("actions/sentry-reaction")
async def react(position: Position, row: int, deed: str, actors: Sequence[int]) -> None:
    """The token goes; whoever no longer sees one of those who acted has spent it for nothing."""
    model = position.model(row)
    if not model.marks(marks.SENTRY):
        return
    model.mark(marks.SENTRY, 0)
    there = [position.model(one) for one in actors if position.model(one).is_on_table]
    seen = [m for m in there if can_react(model) and bool(sights(position, [model], [m]).any())]
    position.declare(marks.REACTING, (row, tuple(m.row for m in seen)))
    action = list_of_actions()[deed]
    if not seen or not is_able(model, action):
        position.declare(marks.REACTING, None)
        return
    details = await fill_in(model.side, f"react.{deed}", partial(action.fields, model), model=row)
    position.write("reaction", model=row, action=deed)
    push(position, *action.frames(model, details), (REACTED, row))


@rule("actions/sentry-reaction")
async def reacted(position: Position, row: int) -> None:
    """What counts for an activation does not go on."""
    model = position.model(row)
    position.declare(marks.REACTING, None)
    model.jot(marks.MOVED, None)
    model.mark(marks.AIMED, 0, quietly=True)
    model.mark(marks.BONUS, 0, quietly=True)
