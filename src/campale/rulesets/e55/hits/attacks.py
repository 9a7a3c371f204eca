"""Hits and wounds as values: what they keep of the weapon, and who dealt them (2/hit-profile, 2.2/wound-inherits)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Cause = Literal["fire", "melee", "explosion", "passengers", "dangerous", "breakthrough", "power"]

Covers = Mapping[tuple[int, ...], int | None]
"""The cover saves of models against units that fire at them, None for no save (see ``cover_against``).

Keys are rows. (unit, model): the firing unit and the model that is hit. (unit, model, -1): against a hit aimed at that
one model. (unit, model, firing model): where cover depends on the firing model, as for vehicles.
"""

NO_COVER: Covers = {}


class Hit(msgspec.Struct, frozen=True):
    """A hit. ``rules`` are the rules of its weapon that matter after it has hit ("rending", "crushing-grip").

    ``target`` is the row of the one model it is aimed at, -1 for the unit as a whole. ``by_unit`` and ``by_model`` are
    rows, -1 for nobody. ``dice``: how many dice are added to its strength against armour. ``face``: the side of a
    vehicle that it strikes, if already known.
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
    """A wound before saves, with what it keeps of its hit. Without ``strength`` it causes no instant death.

    ``cannot_be_saved``: no saving throw of any kind. ``target``: the one model it is on, -1 until the owner has
    allocated it.
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
    """Return the cover save of a model (row) against a hit from a firing model and unit (rows), None if it has none."""
    if (by_unit, model, by_model) in covers:
        return covers[by_unit, model, by_model]
    if is_aimed and (by_unit, model, -1) in covers:
        return covers[by_unit, model, -1]
    return covers.get((by_unit, model))
