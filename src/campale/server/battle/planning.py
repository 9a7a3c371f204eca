"""What the planner finds for models that a player has dragged, as it is told to the page."""

from __future__ import annotations

from campale.referee.asking import unplain
from campale.referee.question import Question
from campale.screen.chaining import inner
from campale.screen.farther import Farther, planned_farther
from campale.screen.forecasting import of_path
from campale.screen.forming import Formation, read_formation
from campale.screen.moving import planned
from campale.screen.scene import Eyes
from campale.screen.sheet import Astray, at_path, foretold_at, next_field, refusal_shown
from campale.screen.telling import summary
from campale.server.battle.live import Failure
from campale.server.sockets.hearing import plain_path
from campale.server.sockets.wire import Plan, Planned, Refused, Tells


def plan_told(question: Question, message: Plan, seen: Eyes) -> Tells:
    """The nearest that the rules allow to what is wished. Raises Failure."""
    path = plain_path(message.path)
    try:
        found = plan_for(question, message, path, seen)
        path = path if found.path is None else found.path
        field = at_path(question, path)
        assert field is not None
        plan = found.plan
        told = "" if plan.answer is None else summary(field, plan.answer, seen.position, seen.teller)
        refusal = None if plan.refusal is None else refusal_shown(plan.refusal, seen.teller)
        odds = None if refusal else of_path(seen, *inner(question, path), plan.answer)
        due = [] if refusal else foretold_at(question, path, plan.answer, seen.teller)
        sheet = None if found.path is None else next_field(question, path, seen.teller, seen.position)
    except Astray as astray:
        return Refused(message.n, refusal_shown(astray.refusal, seen.teller))
    instead = None if found.path is None else found.path[-1][-1]
    return Planned(message.n, plan.answer, told, refusal, odds, due, instead, sheet)


def plan_for(question: Question, message: Plan, path: list[list[object]], seen: Eyes) -> Farther:
    """Raises Astray, or Failure if the path or the wish is about nothing that can be planned."""
    field, formation = at_path(question, path), formation_of(message)
    if field is None or unplain([message.wish, message.kept]) is not None:
        raise Failure("plan.nothing")
    if formation is not None:
        return Farther(planned(field, seen.position, message.wish, message.kept, formation))
    return planned_farther(question, path, seen.position, seen.teller, message.wish, message.kept)


def formation_of(message: Plan) -> Formation | None:
    formation = None if message.formation is None else read_formation(message.formation, message.spacing)
    if message.formation is not None and formation is None:
        raise Failure("plan.nothing")
    return formation
