"""What a model is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import yaml

from campale.referee.ledger import Loader
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.table.shapes import Circle, Solid

FOLDER = Path(__file__).parent


class Profile(msgspec.Struct, frozen=True):
    """A row of ``profiles.yaml``. Lengths are inches."""

    move: float
    skill: int
    shots: int
    range: float
    wounds: int
    points: int
    rules: tuple[str, ...] = ()
    radius: float = 0.5
    height: float = 1.5


PROFILES: dict[str, Profile] = msgspec.convert(
    yaml.load((FOLDER / "profiles.yaml").read_text(encoding="utf-8"), Loader=Loader), dict[str, Profile]
)


def solid(model: Model) -> Solid:
    """The upright solid that a model is."""
    profile: Profile = model.profile
    return Solid(Circle(profile.radius), model.x, model.y, model.z, model.facing, profile.height)


@rule("profile/fields")
def card(model: Model) -> dict[str, Plain]:
    """The profile as a player reads it, in the order of the card."""
    profile: Profile = model.profile
    fields = ("move", "skill", "shots", "range", "points")
    return {**{name: getattr(profile, name) for name in fields}, "wounds": wounds_left(model)}


def wounds_left(model: Model) -> int:
    wounds: int = model.profile.wounds - model.marks("wounds-lost")
    return wounds
