"""What one stage of an attack leaves to the next: plain values, equal where nothing tells them apart."""

from __future__ import annotations

import msgspec

from campale.dice.needs import Part
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.basics.modifiers import Change

Named = tuple[str, Part | Change]
"""A modifier, and of which roll or characteristic it is."""


class Shots(msgspec.Struct, frozen=True, tag=True):
    """What a model declared with one weapon, and what was true when the target was selected (b/target-condition).

    ``row``: the attacker. ``weapon`` and ``line``: the numbers of its weapon and of the profile. ``target``: the row of
    the unit. ``near``: within half range. ``extra``: attacks for a large target. ``parts``: what changes the rolls to
    hit. ``covered``: whether it has cover whatever the terrain. ``toughness``: that of the target. ``snap``: only
    sixes hit. ``lender``: the row of the passenger whose weapon it is (-1: nobody's). What abilities do: ``wounding``
    changes the rolls to wound, ``again`` names the dice that may be re-rolled, ``critical_hit`` is the face from which
    hits are critical, ``changes`` those of characteristics by name, ``granted`` the weapon abilities given.
    ``succeeds``: from which unmodified face on they wound (7: none) and below which they never do. ``count``: so many
    of its attacks (-1: all). ``ignores``: the rolls and characteristics of which modifiers may be ignored;
    ``left_out``: those that are.
    """

    row: int
    weapon: int
    line: int
    target: int
    near: bool = False
    extra: int = 0
    parts: tuple[Part, ...] = ()
    covered: bool = False
    toughness: int = 4
    critical: int = 6
    charged: bool = False
    snap: bool = False
    lender: int = -1
    count: int = -1
    wounding: tuple[Part, ...] = ()
    again: tuple[str, ...] = ()
    critical_hit: int = 6
    changes: tuple[tuple[str, Change], ...] = ()
    granted: tuple[str, ...] = ()
    succeeds: tuple[int, int] = (7, 1)
    ignores: tuple[str, ...] = ()
    left_out: tuple[Named, ...] = ()


class Attack(msgspec.Struct, frozen=True, tag=True):
    """One attack of a weapon profile."""

    line: Line
    target: int
    near: bool
    parts: tuple[Part, ...]
    covered: bool
    toughness: int
    critical: int
    charged: bool
    by: int
    snap: bool = False
    wounding: tuple[Part, ...] = ()
    again: tuple[str, ...] = ()
    critical_hit: int = 6
    changes: tuple[tuple[str, Change], ...] = ()
    succeeds: tuple[int, int] = (7, 1)


class Hit(msgspec.Struct, frozen=True, tag=True):
    """``wounds``: it wounds by itself."""

    attack: Attack
    wounds: bool = False


class Wound(msgspec.Struct, frozen=True, tag=True):
    """``mortal``: it becomes mortal wounds. ``extra``: it is so many mortal wounds besides those of the attack.
    ``is_unsaved``: its saving throw has failed already.

    ``picked``: the row of the CHARACTER that PRECISION has picked out, -1 for the normal sequence, None if nobody has
    been asked yet.
    """

    attack: Attack
    mortal: bool = False
    is_unsaved: bool = False
    picked: int | None = None
    extra: int = 0


def changes_to(attack: Attack | Shots, name: str) -> tuple[Change, ...]:
    """What abilities do to a characteristic of an attack."""
    return tuple(change for of, change in attack.changes if of == name)
