"""Chapter "fire": one model fires at another."""

from __future__ import annotations

import msgspec

from campale.dice.needs import Need, Part
from campale.referee.ask import choose, roll
from campale.referee.position import Model
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule, rules_of
from campale.table.measure import gap, overlaps_outline, wholly_inside_outline
from campale.table.shapes import TOLERANCE, rounded

from .orders import is_holding
from .profile import wounds_left


class Shot(msgspec.Struct, frozen=True):
    """Who fires at whom, and how far that is; ``supposed``: how far it would be, if one of them stood elsewhere."""

    shooter: Model
    target: Model
    supposed: float | None = None

    @property
    def distance(self) -> float:
        return distance(self.shooter, self.target) if self.supposed is None else self.supposed


def distance(shooter: Model, target: Model) -> float:
    return rounded(gap(shooter.solid, target.solid))


@rule("fire/sequence")
async def fire(shooter: Model) -> Model | None:
    """The model that was fired at, if any."""
    position = shooter.position
    enemies: list[Plain] = [m.row for m in position.on_table(1 - shooter.side)]
    row = await choose(
        shooter.side,
        "fire",
        [*enemies, None],
        of="model",
        forbids=lambda key: None if key is None else cannot_be_target(Shot(shooter, position.model(key))),
        shooter=shooter.row,
    )
    if row is None:
        return None
    await shoot(Shot(shooter, position.model(row)))
    return position.model(row)


@rule("fire/range")
def out_of_range(shot: Shot) -> Fault | None:
    limit: float = shot.shooter.profile.range
    if shot.distance <= limit + TOLERANCE:
        return None
    return Fault(where=shot.target.at, measured=shot.distance, limit=limit, model=shot.target.row)


TARGET_RESTRICTIONS = (out_of_range,)


def cannot_be_target(shot: Shot) -> Refusal | None:
    return first_refusal(TARGET_RESTRICTIONS, shot)


@rule("fire/sequence")
async def shoot(shot: Shot) -> None:
    """Roll the shots; every hit takes a wound."""
    shooter = shot.shooter
    rolled = await roll(shooter.side, "to-hit", shooter.profile.shots, needed=to_hit(shot), shooter=shooter.row)
    for _ in range(min(rolled.successes, wounds_left(shot.target))):
        wound(shot)


@rule("fire/half-range")
def beyond_half_range(shot: Shot) -> int:
    return -1 if shot.distance > shot.shooter.profile.range / 2 + TOLERANCE else 0


@rule("fire/wood")
def in_the_wood(shot: Shot) -> int:
    target = shot.target
    is_in = overlaps_outline if target.position.options.wood == "any" else wholly_inside_outline
    return -1 if any(is_in(target.solid, wood.outline) for wood in target.position.pieces_tagged("wood")) else 0


@rule("fire/holding")
def steady(shot: Shot) -> int:
    return 1 if is_holding(shot.shooter.position, shot.shooter.side) else 0


TO_HIT_MODIFIERS = (beyond_half_range, in_the_wood, steady)


@rule("profile/fields")
def to_hit(shot: Shot) -> Need:
    """The skill and its modifiers."""
    parts = tuple(Part(rules_of(one)[0], one(shot)) for one in TO_HIT_MODIFIERS if one(shot))
    return Need(shot.shooter.profile.skill, parts)


@rule("fire/wounds")
def wound(shot: Shot) -> None:
    """Take a wound off the target, and the target away with its last."""
    shot.target.add("wounds-lost", 1)
    if wounds_left(shot.target) == 0:
        shot.target.position.remove(shot.target, "fire", by=shot.shooter.row)
