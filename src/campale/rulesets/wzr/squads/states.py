"""The states Pinned, Stun, Routed and Sentry, and what ends them (morale/pinned-effects, core/stunned)."""

from __future__ import annotations

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, forbids
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.squads.squads import is_pinned, is_routed, is_stunned, members


@rule("morale/pinned-effects")
def pin(model: Model) -> None:
    """Pin the model, unless it is engaged or its squad is routed. It leaves Sentry."""
    if not is_engaged(model) and not is_routed(model.unit):
        model.mark(marks.PINNED, 1)
        model.mark(marks.SENTRY, 0)


@rule("core/stunned", "abilities/relentless", "actions/sentry")
def stun(model: Model, tokens: int = 1) -> None:
    """Give Stun tokens. A Relentless model receives none."""
    if not forbids("stun", About(model)):
        model.add(marks.STUN, tokens)
        model.mark(marks.SENTRY, 0)


@rule("morale/rout-test", "morale/routed-effects")
def become_routed(unit: Unit) -> None:
    """The squad is Routed. Its models leave Sentry and are no longer Pinned."""
    unit.mark(marks.ROUTED, 1)
    for model in members(unit):
        model.mark(marks.PINNED, 0)
        model.mark(marks.SENTRY, 0)


@rule("core/stunned", "morale/pinned-effects", "morale/routed-effects")
def can_react(model: Model) -> bool:
    """Whether the model may counter-charge or act on Sentry."""
    return model.is_on_table and not (is_stunned(model) or is_pinned(model) or is_routed(model.unit))


@rule("morale/pinned-effects", "actions/sentry")
def settle(position: Position) -> None:
    """Engaged models are no longer Pinned or on Sentry."""
    marked = {row for name in (marks.PINNED, marks.SENTRY) for row in position.of_models.rows_with(name)}
    for model in map(position.model, sorted(marked)):
        if model.is_on_table and is_engaged(model):
            model.mark(marks.PINNED, 0)
            model.mark(marks.SENTRY, 0)
