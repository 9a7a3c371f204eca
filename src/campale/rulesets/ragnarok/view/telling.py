"""Texts apart from events: the results of exploration points, and how the battle stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campale.mechanics.display import Parts, Standing, length_line, mission_lines, place_line, score_line
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.ragnarok.battle.explored import explored
from campale.rulesets.ragnarok.battle.missions import SCORES, holder_of_point, score


def parts(profiles: Sequence[Any], question: Question, key: Plain) -> Parts | None:
    """Return the cost of an action, or the parts of an offer of exploration points; None for other options."""
    if question.prompt == "action" and isinstance(key, str):
        return price_of(question.about, key)
    if getattr(question, "of", "") != "bend" or isinstance(key, str):
        return None
    about, (place, change) = question.about, key
    told: Parts = {"points": abs(change)}
    if "faces" in about:
        face = about["faces"][place]
        return {"word": "die", "place": place + 1, "face": face, "now": face + change, **told}
    if "own" in about:
        return {"word": "own", "own": about["own"], "now": about["own"] + change, "against": about["against"], **told}
    return {"word": "total", "total": about["total"], "now": max(0, about["total"] + change), **told}


def price_of(about: Mapping[str, Any], name: str) -> Parts | None:
    """Return an action with its cost, as the question tells it; None if it does not."""
    price = next((points for action, points in about.get("prices", ()) if action == name), None)
    return None if price is None else {"word": "costs" if price else "free", "action": name, "price": price}


# ---------------------------------------------------------------- how the battle stands


def standing(position: Position) -> list[Standing]:
    """Return the score, the length of the battle, the holders of objectives, and the mission."""
    now = position.now
    mission, has_begun = now.get("mission"), "turn" in now
    scored = [score_line(score(position))] if has_begun and mission in SCORES else []
    length = [length_line(now.get("round", 0), now["turns"])] if has_begun else []
    places = held(position) if mission in ("objectives", "patrol") else []
    return [*scored, *length, *places, *mission_lines(position)]


def held(position: Position) -> list[Standing]:
    places = [token for token in position.tokens if token.kind == "objective"]
    points = [place_line("objective", n, holder_of_point(position, (t.x, t.y))) for n, t in enumerate(places, 1)]
    found = enumerate(sorted(explored(position).items()), 1)
    return [*points, *(place_line("explored", n, side, piece=name) for n, (name, side) in found)]
