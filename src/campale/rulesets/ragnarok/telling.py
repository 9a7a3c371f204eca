"""How the battle stands, as a screen tells it: the mission, the turns, the score, who holds or has explored what."""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.rulesets.ragnarok.explored import explored
from campale.rulesets.ragnarok.missions import SCORES, holder_of_point, score

Told = tuple[str, dict[str, Plain]]


def standing(position: Position) -> list[Told]:
    """The points are those that there would be if the battle ended now."""
    now = position.now
    mission = now.get("mission")
    told: list[Told] = []
    if "turn" in now and mission in SCORES:
        told.append(("score", {"score": list(score(position))}))
    if "turn" in now:
        told.append(("length", {"round": now.get("round", 0), "turns": now["turns"]}))
    told += held(position) if mission in ("objectives", "patrol") else []
    return told if mission is None else [*told, ("mission", {"mission": mission})]


def held(position: Position) -> list[Told]:
    places = [token for token in position.tokens if token.kind == "objective"]
    points = [("objective", {"x": t.x, "y": t.y, "owner": holder_of_point(position, (t.x, t.y))}) for t in places]
    return [
        *points,
        *(("explored", {"piece": name, "owner": side}) for name, side in sorted(explored(position).items())),
    ]
