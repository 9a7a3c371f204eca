"""How the battle stands, and what options are made of, for the words on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.mechanics.display import Standing, length_line, mission_lines, place_line, score_line
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import OBJECTIVE, holder, score
from campale.rulesets.wzr.cards.catalogue import cards
from campale.rulesets.wzr.turn.menu import list_of_actions
from campale.rulesets.wzr.turn.sequence import TURNS


def standing(position: Position) -> list[Standing]:
    """The score, the ready Resource cards, the length of the battle, the holders of objectives, the mission."""
    turn, mission = int(position.now.get("turn", 0)), mission_lines(position)
    scored = [score_line(score(position))] if turn and mission else []
    ready = [position.holds(side, marks.RESOURCES) - position.holds(side, marks.BURNED) for side in (0, 1)]
    left: list[Standing] = [("resources", {"left": list(ready)})] if turn else []
    length = [length_line(turn, TURNS)] if turn else []
    places = [token for token in position.tokens if token.kind == OBJECTIVE] if turn else []
    held = [place_line("objective", n, holder(position, (t.x, t.y))) for n, t in enumerate(places, 1)]
    return [*scored, *left, *length, *held, *mission]


def parts(profiles: Sequence[Any], question: Question, key: Plain) -> dict[str, Plain] | None:
    """The AP that an action costs, where a model is asked which one it takes; the Resources that a card costs."""
    if question.prompt == "card" and isinstance(key, str) and key in cards():
        return {"word": "costs", "card": key, "cost": cards()[key].cost}
    action = list_of_actions().get(key) if question.prompt == "action" and isinstance(key, str) else None
    if action is None or not action.cost:
        return None
    return {"word": "costs-all" if action.ends else "costs", "action": action.name, "ap": action.cost}
