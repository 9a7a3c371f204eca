"""The benefit of cover (terrain/*)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.w10.basics.levels import with_kind
from campale.rulesets.w10.basics.sight import (
    BY_AREA,
    BY_BARRICADE,
    BY_DEBRIS,
    BY_HILL,
    barricades,
    hide_a_part,
    ruins,
    veils,
    wholly_within,
    woods,
)
from campale.rulesets.w10.battle.layouts import CRATERS
from campale.table.measure import bounding_radius, gap_to_outline
from campale.table.shapes import TOLERANCE
from campale.table.terrain import Ground

NEAR_BARRICADE = 3.0
THICK = 3
"""A Save of this value or better does not benefit from cover against AP 0."""


def craters(ground: Ground) -> Ground:
    return with_kind(ground, CRATERS)


@rule("terrain/benefit-of-cover", "b/cover-condition")
def cover_of(model: Model, attackers: Sequence[Model]) -> str | None:
    """The rule that gives a model cover; one attacker that does not fully see it is enough. None without cover."""
    inside = cover_inside(model)
    if inside is not None or not attackers:
        return inside
    found = int(np.bitwise_or.reduce(veils(model.position, attackers, [model])[:, 0]))
    if found & BY_AREA:
        return "terrain/not-fully-visible"
    if found & BY_BARRICADE and is_behind_barricade(model, attackers):
        return "terrain/barricades"
    if found & BY_HILL:
        return "terrain/hills"
    return "terrain/debris" if found & BY_DEBRIS else None


@rule("terrain/ruins-cover", "terrain/woods", "terrain/craters", "i/wholly-on-crater")
def cover_inside(model: Model) -> str | None:
    """The rule that gives cover to a model wholly within ruins or woods, or to INFANTRY wholly on craters."""
    if wholly_within(model, ruins).any():
        return "terrain/ruins-cover"
    if wholly_within(model, woods).any():
        return "terrain/woods"
    if model.profile.has("infantry") and wholly_within(model, craters).any():
        return "terrain/craters"
    return None


@rule("terrain/barricades")
def is_behind_barricade(model: Model, attackers: Sequence[Model]) -> bool:
    """True for INFANTRY wholly within 3 inches of a barricade that hides a part of it from an attacker."""
    if not model.profile.has("infantry"):
        return False
    wide = 2.0 * bounding_radius(model.profile.shape)
    pieces = model.position.ground.kept(barricades).pieces
    close = [one for one in pieces if gap_to_outline(model.solid, one.outline) + wide <= NEAR_BARRICADE + TOLERANCE]
    if not close or len(close) == len(pieces):
        return bool(close)
    return any(hide_a_part(close, one, model) for one in attackers)


@rule("terrain/benefit-of-cover")
def helps(save: int, ap: int) -> bool:
    """False for a Save of 3+ or better against AP 0, which does not benefit from cover."""
    return not (save <= THICK and ap == 0)
