"""What one stage of an attack passes on to the next: plain values, equal where nothing distinguishes them."""

from __future__ import annotations

import msgspec

from campale.dice.needs import Part
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.basics.modifiers import Change

Named = tuple[str, Part | Change]
"""A modifier, with the name of the roll or characteristic that it changes."""


class Shots(msgspec.Struct, frozen=True, tag=True):
    """A model's declaration for one weapon, and what was true when the target was selected (b/target-condition).

    ``row``: the attacker. ``weapon`` and ``line``: the numbers of its weapon and of the profile. ``target``: the row of
    the target unit. ``near``: within half range. ``extra``: additional attacks against a large target. ``parts``:
    modifiers of the hit rolls. ``covered``: the target has cover whatever the terrain. ``toughness``: Toughness of the
    target. ``snap``: only sixes hit. ``lender``: the row of the passenger that owns the weapon (-1: none). ``count``:
    the number of the weapon's attacks used here (-1: all).

    Effects of abilities: ``wounding`` modifies the wound rolls, ``again`` names the dice that may be re-rolled,
    ``critical_hit`` is the lowest face that is a critical hit, ``changes`` are changes to characteristics by name,
    ``granted`` are weapon abilities given. ``succeeds``: the unmodified face from which attacks always wound (7: none),
    and the face below which they never do. ``ignores``: the rolls and characteristics whose modifiers may be ignored;
    ``left_out``: the modifiers that are ignored.
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
    """A hit; ``wounds``: it wounds by itself."""

    attack: Attack
    wounds: bool = False


class Wound(msgspec.Struct, frozen=True, tag=True):
    """A wound scored. ``mortal``: it becomes mortal wounds. ``extra``: number of mortal wounds besides those of the
    attack. ``is_unsaved``: its saving throw has already failed.

    ``picked``: the row of the CHARACTER picked by PRECISION, -1 for the normal sequence, None if the attacker has not
    been asked yet.
    """

    attack: Attack
    mortal: bool = False
    is_unsaved: bool = False
    picked: int | None = None
    extra: int = 0


def changes_to(attack: Attack | Shots, name: str) -> tuple[Change, ...]:
    """The changes by abilities to one characteristic of an attack."""
    return tuple(change for of, change in attack.changes if of == name)
