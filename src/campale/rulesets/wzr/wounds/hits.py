"""A hit: a Wound Effect on a model, or a Damage Effect on a vehicle or a piece (core/wound-effect).

Whatever hits, with or without a test, makes ``Hit`` values and pushes their ``hit_frames``. The odds play the same hits
through ``STAGES`` of ``wounds.resolving``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from campale.mechanics.frames import Frame, push
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import Damage

Save = Literal["armour", "wp"]
NOBODY = -1
HITS, REMOVALS = "hits", "removals"
MOST_CRITICAL = 4


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One hit on a model (``target`` is its row) or on the ``piece`` of terrain with that name, as plain values.

    ``st``, ``avv``, ``type``: of the hit itself, with all modifiers. ``by``: the attacker's row, or -1. ``power_shot``:
    no Armour, AV or Heal roll. ``critical``: how many wounds or PS it costs. ``ranged``: it comes from a ranged attack
    (also by template, burst or power), so it may be handed over and counts for pinning. ``save`` "wp": a psychic
    attack; WP replaces Armour. ``halved``: A is halved. ``flame``: it comes from a flamethrower. ``heals``: Heal may
    follow. ``cause``: the word for its origin ("shooting", "melee", "fall" ...), written with the loss; ``rules``:
    special rules of the weapon ("ichor", "nauseating", "brutal-attack" ...), for what a removal sets off. ``location``:
    the vehicle's location if the rule names it, else it is rolled; ``rear``: it strikes the vehicle's rear. ``linked``:
    a failed AV test is rolled again.
    """

    target: int = NOBODY
    piece: str = ""
    st: int = 10
    avv: int = 0
    type: Damage = "piercing"
    by: int = NOBODY
    power_shot: bool = False
    critical: int = 1
    ranged: bool = False
    save: Save = "armour"
    halved: bool = False
    flame: bool = False
    heals: bool = True
    cause: str = "shooting"
    rules: tuple[str, ...] = ()
    location: str = ""
    rear: bool = False
    linked: bool = False
    moved_on: bool = False
    """It has been handed over once, and may not be again."""
    side: int = NOBODY
    """The side whose attack set off the explosion or collapse that this hit comes from."""
    primary: bool = False
    """It strikes the primary target of its attack, so that it is resolved before the others."""

    @property
    @rule("core/critical")
    def costs(self) -> int:
        """The wounds or PS it costs: the highest X of its sources, at most 4."""
        return min(MOST_CRITICAL, max(1, self.critical))


def plain(hit: Hit) -> Frame:
    """The hit as a tuple of plain values that frames can hold."""
    return tuple(msgspec.structs.astuple(hit))


def hit_of(values: Frame) -> Hit:
    """The hit that ``plain`` wrote."""
    return Hit(**dict(zip(Hit.__struct_fields__, values, strict=True)))


@rule("core/automatic-hit")
def automatic(target: int, st: int, cause: str, type: Damage = "piercing", avv: int = 0, by: int = NOBODY) -> Hit:
    """A hit without a test. It is never a Power Shot, and has AVV 0 and Piercing unless the rule says otherwise."""
    return Hit(target=target, st=st, avv=avv, type=type, by=by, cause=cause)


@rule("core/removal", "armour/resolve-order")
def hit_frames(*attacks: Iterable[Hit]) -> tuple[Frame, ...]:
    """The frames that resolve the hits of each attack, one after another, then whatever all the removals set off."""
    return (*((HITS, *(plain(hit) for hit in hits)) for hits in attacks), (REMOVALS,))


def push_hits(position: Position, hits: Iterable[Hit]) -> None:
    push(position, *hit_frames(hits))
