"""Modifiers of characteristics and of rolls, in their order (modifiers/*)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from campale.dice.needs import Part
from campale.referee.rule import rule

Kind = Literal["set", "divide", "multiply", "add", "subtract", "improve", "worsen"]
ORDER: tuple[Kind, ...] = ("set", "divide", "multiply", "add", "subtract")
PLUS = ("ws", "bs", "sv", "ld", "inv", "fnp")
"""Characteristics printed with a plus: lower is better."""


class Change(NamedTuple):
    """A change of a characteristic by a rule. ``zero``: it may change a Damage to 0."""

    rule: str
    kind: Kind
    value: int
    zero: bool = False


@rule(
    "modifiers/improve-ws-bs-sv-ld",
    "modifiers/worsen-ws-bs-sv-ld",
    "modifiers/improve-ap",
    "modifiers/worsen-ap",
    "modifiers/improve-others",
)
def plain(change: Change, name: str) -> Change:
    """The change as add or subtract: improving subtracts where lower is better (AP is negative), otherwise adds."""
    if change.kind not in ("improve", "worsen"):
        return change
    adds = (change.kind == "improve") != (name in PLUS or name == "ap")
    return change._replace(kind="add" if adds else "subtract")


@rule(
    "modifiers/definition",
    "modifiers/cumulative",
    "modifiers/replace-first",
    "modifiers/order",
    "modifiers/round-up",
    "modifiers/damage-zero",
)
def modified(name: str, printed: int, changes: Sequence[Change]) -> int:
    """A characteristic after all modifiers: set, divide, multiply, add, subtract, round up once, keep in bounds.

    A change of Damage to 0 comes before all others.
    """
    if not changes:
        return printed
    live = sorted((plain(one, name) for one in changes), key=lambda one: (not one.zero, ORDER.index(one.kind)))
    value, base = Fraction(printed), printed
    for one in live:
        value = applied(value, one)
        base = one.value if one.kind == "set" else base
    low, high = bounds(name, any(one.zero for one in live))
    return int(max(min(low, base), min(max(high, base), math.ceil(value))))


def applied(value: Fraction, change: Change) -> Fraction:
    by = Fraction(change.value)
    acts: dict[str, Callable[[], Fraction]] = {
        "set": lambda: by,
        "divide": lambda: value / by,
        "multiply": lambda: value * by,
        "add": lambda: value + by,
        "subtract": lambda: value - by,
    }
    return acts[change.kind]()


@rule(
    "modifiers/floor-s-t-a-d",
    "modifiers/floor-ap-oc",
    "modifiers/floor-move-range",
    "modifiers/cap-leadership",
    "modifiers/improve-ws-bs-sv-ld",
)
def bounds(name: str, zero: bool = False) -> tuple[float, float]:
    """The bounds that modifiers respect; a printed value beyond them stands."""
    low, high = {
        "ap": (-math.inf, 0),
        "oc": (0, math.inf),
        "ws": (2, math.inf),
        "bs": (2, math.inf),
        "sv": (-math.inf, math.inf),
        "ld": (5, 8),
    }.get(name, (1, math.inf))
    return (0, high) if zero and name == "d" else (low, high)


# ---------------------------------------------------------------- rolls


@rule("modifiers/roll-cap", "modifiers/roll-after-rerolls")
def capped(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The modifiers of a hit or wound roll, with their sum capped between -1 and +1."""
    return (*parts, Part("modifiers/roll-cap", 1, "cap")) if parts else ()
