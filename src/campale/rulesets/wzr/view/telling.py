"""How the battle stands, for the words on the page."""

from __future__ import annotations

from campale.mechanics.display import Standing, length_line, mission_lines, place_line, score_line
from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import OBJECTIVE, holder, score
from campale.rulesets.wzr.turn.sequence import TURNS


def standing(position: Position) -> list[Standing]:
    """The score, the ready Resource cards, the length of the battle, the holders of objectives, the mission."""
    turn, mission = int(position.now.get("turn", 0)), mission_lines(position)
    scored = [score_line(score(position))] if turn and mission else []
    ready = [position.holds(side, marks.RESOURCES) - position.holds(side, marks.BURNED) for side in (0, 1)]
    cards: list[Standing] = [("resources", {"left": list(ready)})] if turn else []
    length = [length_line(turn, TURNS)] if turn else []
    places = [token for token in position.tokens if token.kind == OBJECTIVE] if turn else []
    held = [place_line("objective", n, holder(position, (t.x, t.y))) for n, t in enumerate(places, 1)]
    return [*scored, *cards, *length, *held, *mission]
