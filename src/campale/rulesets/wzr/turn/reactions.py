"""What models on Sentry do during an enemy activation (actions/sentry-reaction)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from campale.mechanics.frames import Frame, push
from campale.mechanics.script_form import fields_of
from campale.referee.ask import fill_in, order
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import is_near_enough
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import in_front
from campale.rulesets.wzr.basics.sight import sights
from campale.rulesets.wzr.shooting.declaring import declaration, usable
from campale.rulesets.wzr.shooting.plan import REACTION, SHOOT
from campale.rulesets.wzr.shooting.shoot import shot_frames
from campale.rulesets.wzr.squads.squads import members
from campale.rulesets.wzr.squads.states import can_react, settle
from campale.rulesets.wzr.turn.menu import list_of_actions

REACT, REACTED = "react", "reacted"
NOTHING = "nothing"
DEEDS = (SHOOT, "combat", "walk", "dive")
"""What a model on Sentry may do with its one AP, by the names of the menu."""
ARRIVAL = "arrival"


# ---------------------------------------------------------------- who may react


@rule("actions/sentry-reaction", "core/stunned", "morale/pinned-effects", "morale/routed-effects")
def watchers(position: Position, actors: Sequence[Model]) -> list[Model]:
    """The models on Sentry, of the side that is not acting, that see one of the models that acted."""
    there = [m for m in actors if m.is_on_table]
    if not there:
        return []
    able = [m for m in position.marked(marks.SENTRY) if m.side != there[0].side and can_react(m)]
    if not able:
        return []
    return [m for m in able if sees_any(m, there)]


@rule("core/line-of-sight", "core/front-rear")
def sees_any(model: Model, others: Sequence[Model]) -> bool:
    """Whether one of the others is in the model's Front, near enough to be seen, and in its line of sight."""
    ahead = [m for m in others if in_front(model, m) and is_near_enough(model, m)]
    return bool(ahead) and bool(sights(model.position, [model], ahead).any())


@rule("actions/sentry-reaction")
async def reactions(position: Position, row: int, action: str) -> None:
    """After an enemy's action, or when it declares a Charge: one form for all Sentries that see it."""
    await offer(position, [position.model(row)], action)


@rule("actions/sentry-reaction", "abilities/rapid-deployment-success")
async def arrival_seen(position: Position, row: int) -> None:
    """One form for a whole squad that has arrived."""
    await offer(position, members(Unit(position, row)), ARRIVAL)


@rule("actions/sentry-reaction", "actions/sentry", "core/simultaneous")
async def offer(position: Position, actors: Sequence[Model], action: str) -> None:
    """Ask what each Sentry does; engaged ones have left Sentry. Their owner chooses the order."""
    settle(position)
    able = watchers(position, actors)
    if not able:
        return
    side, seen = able[0].side, actors[0].row
    chosen = await fill_in(
        side,
        "reactions",
        partial(reaction_of, able, [m.row for m in actors]),
        idle=[NOTHING] * len(able),
        actor=seen,
        action=action,
    )
    deeds = {m.row: str(deed) for m, deed in zip(able, chosen, strict=True) if deed != NOTHING}
    ordered = await order(side, "reaction-order", list(deeds), actor=seen)
    rows = tuple(m.row for m in actors)
    push(position, *((REACT, int(row), deeds[int(row)], rows) for row in ordered))


def reaction_of(able: Sequence[Model], actors: Sequence[int], filled: Sequence[Any]) -> Question | None:
    """Ask each model in turn: nothing, or one of its possible reactions."""
    if len(filled) >= len(able):
        return None
    model = able[len(filled)]
    about: dict[str, Plain] = {"model": model.row}
    return Choose(model.side, "reaction", [NOTHING, *possible(model, actors)], "action", about=about)


@rule("actions/sentry-reaction")
def possible(model: Model, seen: Sequence[int]) -> list[str]:
    """The reactions that the model can make now to the actors it sees."""
    return [name for name in DEEDS if is_able(model, name, seen)]


def is_able(model: Model, deed: str, seen: Sequence[int]) -> bool:
    if deed == SHOOT:
        return bool(targets(model, seen))
    action = list_of_actions()[deed]
    return first_refusal(action.restrictions, model) is None and action.is_possible(model)


@rule("actions/sentry-reaction")
def targets(model: Model, seen: Sequence[int]) -> list[int]:
    """The actors that the model has seen and can shoot at. A shot must be at one of them."""
    return [row for row in seen if usable(model, REACTION, row)]


def details_of(model: Model, deed: str, seen: Sequence[int], filled: Sequence[Any]) -> Question | None:
    """Ask for the details of a reaction; for a shot with several possible targets, first which one."""
    if deed != SHOOT:
        return list_of_actions()[deed].fields(model, filled)
    rows = targets(model, seen)
    if len(rows) == 1:
        return fields_of(partial(declaration, model, REACTION, rows[0]))(list(filled))
    if not filled:
        return Choose(model.side, "react-at", rows, "model", about={"model": model.row})
    return fields_of(partial(declaration, model, REACTION, int(filled[0])))(list(filled[1:]))


def frames_of(model: Model, deed: str, seen: Sequence[int], details: Sequence[Any]) -> tuple[Frame, ...]:
    if deed != SHOOT:
        return list_of_actions()[deed].frames(model, details)
    rows = targets(model, seen)
    target, *rest = (rows[0], *details) if len(rows) == 1 else details
    return shot_frames(partial(declaration, model, REACTION, int(target)), rest)


# ---------------------------------------------------------------- the reaction


@rule("actions/sentry-reaction")
async def react(position: Position, row: int, deed: str, actors: Sequence[int]) -> None:
    """Carry out the reaction and remove the token. A model that no longer sees any actor wastes its reaction."""
    model = position.model(row)
    if not model.marks(marks.SENTRY):
        return
    model.mark(marks.SENTRY, 0)
    there = [position.model(one) for one in actors if position.model(one).is_on_table]
    seen = [m for m in there if can_react(model) and sees_any(model, [m])]
    rows = [m.row for m in seen]
    if not rows or not is_able(model, deed, rows):
        return
    details = await fill_in(model.side, f"react.{deed}", partial(details_of, model, deed, rows), model=row)
    position.write("reaction", model=row, action=deed)
    push(position, *frames_of(model, deed, rows, details), (REACTED, row))


@rule("actions/sentry-reaction")
async def reacted(position: Position, row: int) -> None:
    """Clear what the reaction has marked and what counts only for an activation."""
    model = position.model(row)
    model.jot(marks.MOVED, None)
    model.jot(marks.USED, None)
    for name in (marks.AIMED, marks.APPROACHED):
        model.mark(name, 0, quietly=True)
    model.mark(marks.BONUS, 0, quietly=True)
