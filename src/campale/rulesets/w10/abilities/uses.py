"""How often abilities have been used: once in a phase, a turn, a round, or the battle."""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.rulesets.w10.abilities.index import Carried

# Reminders are marks and never on the table: nothing has to make room for a model.
USES = "uses"  # i/token, i/token-moved
"""What has been used: (whose, the name of the ability, on whom, the time) each."""
ANYBODY = -1


def whole_phase(phase: Plain) -> Plain:
    """The phase to which a step belongs: Reinforcements are the end of the Movement phase."""
    return "movement" if phase == "reinforcements" else phase


def time_of(position: Position, once: str) -> tuple[Plain, ...]:
    """The phase, turn or round under way; the battle is always the same."""
    now = position.now
    times: dict[str, tuple[Plain, ...]] = {
        "phase": (now.get("turn"), whole_phase(now.get("phase"))),
        "turn": (now.get("turn"),),
        "round": (now.get("round"),),
    }
    return times.get(once, ())


def whose(position: Position, one: Carried) -> int:
    """The unit of the bearer; of what belongs to an army, its side (below 0)."""
    return -2 - position.side_of[one.row] if one.ability.who == "army" else position.bought_with[one.row]


def entry(position: Position, one: Carried, on: int) -> tuple[Plain, ...]:
    """Who has used it, or on whom: where each unit is counted apart it does not matter who uses it."""
    owner, place = (ANYBODY, on) if one.ability.each else (whose(position, one), ANYBODY)
    return (owner, one.name, place, *time_of(position, one.ability.once))


def is_left(position: Position, one: Carried, on: int = ANYBODY) -> bool:
    """Whether an ability may be used (again), or on a unit, where each is counted apart."""
    if not one.ability.once:
        return True
    used: tuple[Plain, ...] = position.declared.get(USES, ())
    return used.count(entry(position, one, on)) < one.ability.uses


def use_up(position: Position, one: Carried, on: int = ANYBODY) -> None:
    if one.ability.once:
        position.declare(USES, (*position.declared.get(USES, ()), entry(position, one, on)))
