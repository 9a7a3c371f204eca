"""Only War: scoring and victory (only-war/*)."""

from __future__ import annotations

from campale.referee.position import ABOARD, RESERVE, TABLE, Model, Position, Result
from campale.referee.rule import rule
from campale.rulesets.w10.basics.markers import controlled

VP = "vp"
MISSIONS = ("only-war", "only-war-cards")
"""The mission as it is printed; and with the Secondary Mission cards of the second training roster."""
ROUNDS = 5
FIRST_SCORED = 2
MOST_SCORED = 3


@rule("only-war/score")
def score(position: Position, side: int) -> None:
    """At the end of the Command phase, from the second round on: 1VP for each marker, 3 at most."""
    if int(position.now["round"]) >= FIRST_SCORED:
        won = min(MOST_SCORED, controlled(position, side))
        position.gain(side, VP, won)


def scores(position: Position) -> list[int]:
    return [position.holds(side, VP) for side in (0, 1)]


@rule("only-war/end", "only-war/victor", "u/reserves-destroyed")
def end_if_destroyed(position: Position) -> None:
    """When all models of an army are destroyed the other side wins; a draw, if both are."""
    left = [any(m.side == side and m.where in (TABLE, RESERVE, ABOARD) for m in position.models) for side in (0, 1)]
    if position.result is None and not all(left):
        winner = None if not any(left) else int(left[1])
        position.finish(Result(winner, "only-war/end", {"score": scores(position)}))


@rule("u/reserves-unit")
def is_in_reserves(model: Model) -> bool:
    """Off the table, or aboard of a TRANSPORT that is."""
    carrier = model.aboard_of
    return model.where == RESERVE or (carrier is not None and carrier.where == RESERVE)


@rule("only-war/end", "only-war/victor", "u/reserves-destroyed")
def end_after_rounds(position: Position) -> None:
    """Whoever never arrived counts as destroyed; then whoever has more VP wins."""
    for model in [m for m in position.models if is_in_reserves(m)]:
        position.remove(model, "never-arrived")
    end_if_destroyed(position)
    if position.result is not None:
        return
    mine, theirs = scores(position)
    winner = None if mine == theirs else int(theirs > mine)
    position.finish(Result(winner, "only-war/victor", {"score": [mine, theirs]}))
