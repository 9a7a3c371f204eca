"""Special Combat Actions as data: which bases use them, on which targets, with what effect (close-combat/special-*)."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from campale.referee.position import Model
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.basics.measuring import gap, strikes_rear, within
from campale.rulesets.wzr.close_combat.engaged import engaged

SMALL, MEDIUM, LARGE = 1, 2, 3


class Special(NamedTuple):
    """A Special Combat Action. ``size``: of the bases that use it. ``prey``: the largest base that it is used on.

    ``from_behind``: the attacker is in the target's Rear. ``held_by_friends``: a friend fights the same opponent, and
    the attacker touches it. ``effect``: a hit, or what a success does instead. ``strikes_all``: every enemy in reach.
    """

    name: str
    size: int
    prey: int = LARGE
    from_behind: bool = False
    held_by_friends: bool = False
    effect: Literal["hit", "hold", "throw"] = "hit"
    critical: int = 1
    halved: bool = False
    strikes_all: bool = False
    inches: float = 0.0
    rules: tuple[str, ...] = ()


BACKSTAB = Special("backstab", SMALL, MEDIUM, from_behind=True, halved=True)
HOLD_SMALL = Special("hold-small", SMALL, MEDIUM, from_behind=True, held_by_friends=True, effect="hold")
HOLD_MEDIUM = Special("hold-medium", MEDIUM, LARGE, from_behind=True, held_by_friends=True, effect="hold")
BRUTAL_ATTACK = Special("brutal-attack", MEDIUM, rules=("brutal-attack",))
CLEAVE = Special("cleave", MEDIUM, strikes_all=True)
THROW = Special("throw", MEDIUM, SMALL, effect="throw", inches=4.0)
CRUSH = Special("crush", LARGE, MEDIUM, critical=3, rules=("crush",))
HURL = Special("hurl", LARGE, MEDIUM, effect="throw", inches=6.0)

SPECIALS: dict[str, Special] = {
    one.name: one for one in (BACKSTAB, HOLD_SMALL, BRUTAL_ATTACK, CLEAVE, THROW, HOLD_MEDIUM, CRUSH, HURL)
}
"""All Special Combat Actions except Trample and Thunder Charge, which are runs."""


# ---------------------------------------------------------------- who may use which action, and on whom


@rule("close-combat/special-by-base", "close-combat/special-general")
def of_another_base(special: Special, model: Model) -> Fault | None:
    """Refuses models on another base size, and vehicles."""
    fits = model.profile.size == special.size and not model.profile.is_vehicle
    return None if fits else Fault(model=model.row)


@rule(
    "close-combat/backstab",
    "close-combat/hold-small",
    "close-combat/hold-medium",
    "close-combat/throw-test",
    "close-combat/crush",
    "close-combat/hurl-test",
)
def may_use_on(special: Special, model: Model, target: Model) -> bool:
    """Whether the action can be used on an enemy in the Front and in reach. A vehicle counts as large."""
    if target.profile.size > special.prey or (special.from_behind and not strikes_rear(model, target)):
        return False
    return not special.held_by_friends or is_fought_by_friends(model, target)


@rule("close-combat/hold-small", "close-combat/hold-medium")
def is_fought_by_friends(model: Model, target: Model) -> bool:
    """Whether the attacker touches the target and another friend is engaged with it."""
    if not within(gap(model, target), 0.0):
        return False
    friends = (one for one in model.position.on_table(model.side) if one.row != model.row)
    return any(engaged(one, target) for one in friends)


def misfit(fault: Fault, by: str) -> Fault:
    """A fault that names its rule."""
    return msgspec.structs.replace(fault, rule=by)
