"""How often abilities have been used: in a phase, a turn, a round, or the battle."""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.rulesets.w10.abilities.index import Carried

# Reminders are marks and never on the table: nothing has to make room for a model.
USES = "uses"  # i/token, i/token-moved
"""Uses so far, each an entry (owner, name of the ability, unit, time)."""
ANYBODY = -1


def whole_phase(phase: Plain) -> Plain:
    """The phase that a step belongs to: Reinforcements are the end of the Movement phase."""
    return "movement" if phase == "reinforcements" else phase


def time_of(position: Position, once: str) -> tuple[Plain, ...]:
    """The current phase, turn or round as a key; the battle is always the same."""
    now = position.now
    times: dict[str, tuple[Plain, ...]] = {
        "phase": (now.get("turn"), whole_phase(now.get("phase"))),
        "turn": (now.get("turn"),),
        "round": (now.get("round"),),
    }
    return times.get(once, ())


def whose(position: Position, one: Carried) -> int:
    """The row of the bearer's unit, or a number below 0 for its side.

    The side owns an army's ability, and one for which each target unit is counted separately: the user does not matter.
    """
    is_shared = one.ability.who == "army" or one.ability.each
    return -2 - position.side_of[one.row] if is_shared else position.bought_with[one.row]


def entry(position: Position, one: Carried, on: int) -> tuple[Plain, ...]:
    """The entry of a use; it names the target unit where each is counted separately."""
    place = on if one.ability.each else ANYBODY
    return (whose(position, one), one.name, place, *time_of(position, one.ability.once))


def is_left(position: Position, one: Carried, on: int = ANYBODY) -> bool:
    """True if an ability may still be used, or used on a unit where each unit is counted separately."""
    if not one.ability.once:
        return True
    used: tuple[Plain, ...] = position.declared.get(USES, ())
    return used.count(entry(position, one, on)) < one.ability.uses


def use_up(position: Position, one: Carried, on: int = ANYBODY) -> None:
    if one.ability.once:
        position.declare(USES, (*position.declared.get(USES, ()), entry(position, one, on)))
