"""A hit: the Wound Effect that it has on a model, or the Damage Effect on a vehicle or a piece (core/wound-effect).

Whatever hits, by a test or without one, makes ``Hit`` values and pushes ``hit_frames`` of them; odds play the same hits
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
    """One hit on the model of a row, or on the ``piece`` of terrain of a name; plain values alone.

    ``st``, ``avv``, ``type``: of the hit itself, with all that modifies them. ``by``: the row of who struck, -1 if
    nobody did. ``power_shot``: neither Armour nor AV nor Heal. ``critical``: how many wounds or PS it costs.
    ``ranged``: it comes of a ranged attack, by template, burst or power also: it may be handed over, and counts for
    pinning. ``save`` "wp": a psychic attack, WP stands in for Armour. ``halved``: A is halved. ``flame``: it is of a
    flamethrower. ``heals``: Heal may follow. ``cause``: the word for what it comes of ("shooting", "melee", "fall"
    ...), under which the loss is written; ``rules``: what is special about the weapon ("ichor", "nauseating",
    "brutal-attack" ...), for what a removal sets off. ``location``: of a vehicle, where the rule names it, else it is
    rolled; ``rear``: it strikes the rear of it. ``linked``: a failed AV test is rolled again.
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
    """It was handed over once, and is not again."""
    side: int = NOBODY
    """The side whose attack has set off the explosion or collapse of which it comes."""

    @property
    @rule("core/critical")
    def costs(self) -> int:
        """Wounds or PS that it takes: the highest X of its sources, never above 4."""
        return min(MOST_CRITICAL, max(1, self.critical))


def plain(hit: Hit) -> Frame:
    """A hit as a tuple of plain values, as frames hold it."""
    return tuple(msgspec.structs.astuple(hit))


def hit_of(values: Frame) -> Hit:
    """The hit that ``plain`` wrote down."""
    return Hit(**dict(zip(Hit.__struct_fields__, values, strict=True)))


@rule("core/automatic-hit")
def automatic(target: int, st: int, cause: str, type: Damage = "piercing", avv: int = 0, by: int = NOBODY) -> Hit:
    """A hit without a test: never a Power Shot; AVV 0 and Piercing where the rule gives none."""
    return Hit(target=target, st=st, avv=avv, type=type, by=by, cause=cause)


@rule("core/removal", "armour/resolve-order")
def hit_frames(hits: Iterable[Hit]) -> tuple[Frame, ...]:
    """One hit after another; then, after all of them, what the removals set off."""
    return ((HITS, *(plain(hit) for hit in hits)), (REMOVALS,))


def push_hits(position: Position, hits: Iterable[Hit]) -> None:
    push(position, *hit_frames(hits))
