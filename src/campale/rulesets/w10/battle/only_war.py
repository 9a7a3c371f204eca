"""Only War: scoring and victory (only-war/*)."""

from __future__ import annotations

from campale.mechanics.missions import finish_by_score, wiped_out
from campale.referee.position import ABOARD, RESERVE, TABLE, Model, Position
from campale.referee.rule import rule
from campale.rulesets.w10.basics.markers import controlled

VP = "vp"
MISSIONS = ("only-war", "only-war-cards")
"""The mission as printed, and the same with the Secondary Mission cards of the second training roster."""
ROUNDS = 5
FIRST_SCORED = 2
MOST_SCORED = 3


@rule("only-war/score")
def score(position: Position, side: int) -> None:
    """At the end of the Command phase, from round 2 on, score 1VP for each marker held, 3 at most."""
    if int(position.now["round"]) >= FIRST_SCORED:
        won = min(MOST_SCORED, controlled(position, side))
        position.gain(side, VP, won)


def scores(position: Position) -> list[int]:
    return [position.holds(side, VP) for side in (0, 1)]


@rule("only-war/end", "only-war/victor", "u/reserves-destroyed")
def end_if_destroyed(position: Position) -> None:
    """End the battle once all models of an army are destroyed: the other side wins; if both are, it is a draw."""
    there = zip(position.side_of, position.where, strict=True)
    left = {side for side, where in there if where in (TABLE, RESERVE, ABOARD)}
    result = wiped_out(lambda side: side in left, "only-war/end", scores(position))
    if position.result is None and result is not None:
        position.finish(result)


@rule("u/reserves-unit")
def is_in_reserves(model: Model) -> bool:
    """True for a model in Reserves, or aboard a TRANSPORT in Reserves."""
    carrier = model.aboard_of
    return model.where == RESERVE or (carrier is not None and carrier.where == RESERVE)


@rule("only-war/end", "only-war/victor", "u/reserves-destroyed")
def end_after_rounds(position: Position) -> None:
    """End the battle: units that never arrived count as destroyed, then the side with more VP wins."""
    for model in [m for m in position.models if is_in_reserves(m)]:
        position.remove(model, "never-arrived")
    end_if_destroyed(position)
    if position.result is not None:
        return
    finish_by_score(position, "only-war/victor", scores(position))
