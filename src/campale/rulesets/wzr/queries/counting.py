"""What a query counts at its end, and how the attacker is made ready for its next attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from campale.mechanics.frames import DOING
from campale.mechanics.queries import counting
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.odds.harm import has_many, left_behind, points_left
from campale.rulesets.wzr.wounds.resolving import Harm

RULES = {"losses": "core/removal", "wounds-lost": "core/wound-effect", "own-losses": "core/friendly-fire"}


def counted(position: Position, hurts_own: bool = False) -> Mapping[str, counting.Counter]:
    """The counters of a query: whether the target is lost, and its wounds or structure points lost if it has several.

    ``hurts_own``: the attack may hit the attacker itself, so its loss is counted too.
    """
    own, foes = (counting.rows_of(position, side) for side in (0, 1))
    found = {"losses": counting.lost(foes)}
    if has_many(position.model(TARGET)):
        found["wounds-lost"] = counting.taken_from(position, counting.left_of(foes, points_left))
    return {**found, "own-losses": counting.lost(own)} if hurts_own else found


def is_over(position: Position) -> bool:
    """Whether the attacker or the target is gone."""
    return not all(position.model(row).is_on_table for row in (ATTACKER, TARGET))


def left_by(position: Position, ends: Mapping[Harm | None, float]) -> Iterator[tuple[Position, float]]:
    """The positions that hits may leave behind, each with its chance."""
    for harm, chance in ends.items():
        copy = position.copy() if harm is None else left_behind(position, harm)
        make_ready(copy)
        yield copy, chance


def make_ready(position: Position) -> None:
    """Forget what the attacker did in this turn, to prepare an attack in another turn."""
    for name in (DOING, marks.FALLEN, marks.PINNING_LATER):
        position.declare(name, None)
    model = position.model(ATTACKER)
    for name in (*marks.MODEL_MARKS_OF_ACTIVATION, *marks.MODEL_MARKS_OF_TURN):
        model.mark(name, 0, quietly=True)
    for name in (*marks.MODEL_NOTES_OF_TURN, marks.USED):
        model.jot(name, None)
    for name in marks.UNIT_NOTES_OF_TURN:
        model.unit.jot(name, None)
    for side in (0, 1):
        position.gain(side, marks.BURNED, -position.holds(side, marks.BURNED))
    position.forget()
