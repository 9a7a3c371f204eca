"""What a model is."""

from __future__ import annotations

from pathlib import Path

import msgspec

from campale.mechanics.armies.rows import rows_from
from campale.mechanics.display import fields_of, health
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.table.shapes import Circle

FOLDER = Path(__file__).parent
LINK = 2.0
"""How far from another of its unit a model may be."""


class Profile(msgspec.Struct, frozen=True):
    """A row of ``profiles.yaml``. Lengths are inches."""

    move: float
    skill: int
    shots: int
    range: float
    wounds: int
    points: int
    rules: tuple[str, ...] = ()
    shape: Circle = Circle(0.5)
    height: float = 1.5


PROFILES = rows_from(FOLDER / "profiles.yaml", Profile)


@rule("profile/fields")
def card(model: Model) -> dict[str, Plain]:
    """The profile as a player reads it, in the order of the card."""
    return {**fields_of(model.profile, "move", "skill", "shots", "range", "points"), "wounds": health(model)[0]}
