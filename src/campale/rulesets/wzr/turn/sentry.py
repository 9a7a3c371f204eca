"""The Sentry action (actions/sentry, actions/sentry-limit)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.mechanics.frames import Frame
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, granted
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.squads.squads import members

SENTRY = "sentry"
EACH, TWO = 5, 2


# ---------------------------------------------------------------- going on Sentry


@rule("actions/sentry-limit")
def most_sentries(unit: Unit) -> int:
    """Two for every full five models that the squad has now; two also with fewer than five."""
    models = len(members(unit))
    return TWO * (models // EACH) if models >= EACH else TWO


@rule("actions/sentry-limit")
def too_many_sentries(model: Model) -> Fault | None:
    on = sum(m.marks(marks.SENTRY) > 0 for m in members(model.unit))
    most = most_sentries(model.unit)
    return Fault(None, on, most, model.row) if on >= most else None


@rule("actions/sentry", "starter-cards/radio-jamming")
def sentry_is_forbidden(model: Model) -> Fault | None:
    """Refuses Sentry if an effect forbids it, and names the effect's rule."""
    by = granted("forbid", "sentry", About(model))
    return Fault(model=model.row, rule=by) if by else None


def sentry_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    return ((SENTRY, model.row),)


@rule("actions/sentry")
async def sentry(position: Position, row: int) -> None:
    position.model(row).mark(marks.SENTRY, 1)


SENTRY_BARS = (too_many_sentries, sentry_is_forbidden)
