"""Hits and wounds as values: what they keep of the weapon, and who made them (2/hit-profile, 2.2/wound-inherits)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Cause = Literal["fire", "melee", "explosion", "passengers", "dangerous", "breakthrough", "power"]

Covers = Mapping[tuple[int, ...], int | None]
"""The cover that models have against units that fire at them: the save, or None (see ``cover_against``).

(unit, model): the firing unit's row and the row of the model that is hit. (unit, model, -1): against a hit that is
aimed at that one model. (unit, model, firing model): where it depends on the very model that fires, as for vehicles.
"""

NO_COVER: Covers = {}


class Hit(msgspec.Struct, frozen=True):
    """A hit. ``rules`` are those of its weapon that matter after it has hit ("rending", "crushing-grip").

    ``target`` is the row of the one model at which it is aimed, -1 for the unit as a whole. ``by_unit`` and
    ``by_model`` are rows, -1 for nobody. ``dice``: how many are added to its strength against armour. ``face``: the
    side of a vehicle that it strikes, where that is known already.
    """

    strength: int
    ap: int | None
    cause: Cause = "fire"
    rules: tuple[str, ...] = ()
    by_unit: int = -1
    by_model: int = -1
    target: int = -1
    grants_cover: bool = False
    is_ranged: bool = False
    dice: int = 1
    face: str = ""


class Wound(msgspec.Struct, frozen=True):
    """A wound on its way: what it keeps of its hit. No ``strength``: it causes no instant death.

    ``cannot_be_saved``: no saving throw of any kind. ``target``: the one model it is on, -1 while the owner has not
    given it out.
    """

    strength: int | None = None
    ap: int | None = None
    cause: Cause = "fire"
    rules: tuple[str, ...] = ()
    by_unit: int = -1
    by_model: int = -1
    target: int = -1
    grants_cover: bool = False
    cannot_be_saved: bool = False


def cover_against(covers: Covers, by_unit: int, by_model: int, model: int, is_aimed: bool = False) -> int | None:
    """The cover save of a model (row) against a hit of a firing model and unit (rows); None: it has none."""
    if (by_unit, model, by_model) in covers:
        return covers[by_unit, model, by_model]
    if is_aimed and (by_unit, model, -1) in covers:
        return covers[by_unit, model, -1]
    return covers.get((by_unit, model))
