"""The effect of weapon rules on shots (3.2.2, 3.2.3, 9.1.1): number, range, strength, and rules of the hits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from campale.dice.needs import Need, Part
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line
from campale.rulesets.e55.definitions.characteristics import limited, value
from campale.rulesets.e55.definitions.dice import needed
from campale.rulesets.e55.definitions.measuring import beyond, within
from campale.rulesets.e55.definitions.units import INCHES, MOVED, members
from campale.rulesets.e55.unit_types import special
from campale.rulesets.e55.vehicles import transports, vehicles

CLOSE, LONG = 12, 36
HIGHEST_BS, BEST_TO_HIT = 5, 2
LASER_STEP = 12
THERMAL_STRENGTH = 2
RAPID_SHOTS = 2


# ---------------------------------------------------------------- moved or not


@rule("3.1/moved-flag", "7.10/fire-points")
def has_moved(model: Model) -> bool:
    """Return whether a model counts as having moved, with its unit or with the vehicle it fires from."""
    carrier = model.aboard_of
    if carrier is not None and (carrier.marks(INCHES) > 0 or transports.changed_place(carrier)):
        return True
    return model.unit.marks(MOVED) > 0


def is_on_the_move(model: Model) -> bool:
    return has_moved(model) and not vehicles.counts_as_stationary(model)


# ---------------------------------------------------------------- how many shots, and who may fire them


@rule("3.2.2/attack-count", "9.1.1/assault", "9.1.1/heavy", "9.1.1/pistol")
def attacks(line: Line) -> int:
    """Return the attacks that a weapon profile states, 1 if it states none."""
    return line.value("assault") or line.value("heavy") or 1


@rule("9.1.1/rapid-fire", "3.2/profile-choice")
def ways_to_fire(line: Line) -> tuple[int, ...]:
    """Return the numbers of attacks the firing player may choose from: one or two for rapid fire."""
    return (RAPID_SHOTS, 1) if line.has("rapid-fire") else (attacks(line),)


@rule("9.1.1/heavy")
def heavy_on_the_move(model: Model, line: Line, shots: int) -> Fault | None:
    return Fault(where=model.at, model=model.row) if line.has("heavy") and is_on_the_move(model) else None


@rule("9.1.1/rapid-fire")
def single_shot_on_the_move(model: Model, line: Line, shots: int) -> Fault | None:
    """Refuse a moving model the single shot of rapid fire: it fires two shots within half range, or none."""
    if line.has("rapid-fire") and shots < RAPID_SHOTS and is_on_the_move(model):
        return Fault(where=model.at, model=model.row)
    return None


RESTRICTIONS = (heavy_on_the_move, single_shot_on_the_move)


@rule("9.1.1/heavy", "9.1.1/rapid-fire")
def rules_out_charging(line: Line) -> bool:
    return line.has("heavy") or line.has("rapid-fire")


# ---------------------------------------------------------------- range and strength


@rule("9.1.1/rapid-fire")
def reach_of(line: Line, shots: int) -> float:
    """Return the range of the shots in inches: two shots of rapid fire reach half as far."""
    return line.range / 2.0 if line.has("rapid-fire") and shots >= RAPID_SHOTS else line.range


TEMPLATE_REACH = 7
"""A template is 8 inches long and distances are rounded down: it does not touch a model 8 inches away."""


@rule("3.2.1/range")
def reaches(line: Line, shots: int, distance: int) -> bool:
    return within(distance, reach_of(line, shots))


@rule("9.1.1/laser")
def lost_to_distance(line: Line, distance: int) -> int:
    """Return the strength lost: one point for every 12 inches or part of 12."""
    return math.ceil(distance / LASER_STEP) if line.has("laser") else 0


@rule("9.1.1/thermal")
def gained_by_nearness(line: Line, distance: int) -> int:
    return THERMAL_STRENGTH if line.has("thermal") and within(distance, line.range / 2.0) else 0


def strength_at(line: Line, distance: int) -> int:
    return limited(line.strength - lost_to_distance(line, distance) + gained_by_nearness(line, distance))


# ---------------------------------------------------------------- to hit


@rule("3.2.3/close-bonus", "9.1.1/pistol")
def close_bonus(line: Line, distance: int) -> int:
    return 1 if within(distance, CLOSE) and not line.has("pistol") else 0


@rule("3.2.3/long-penalty", "9.1.1/precision")
def long_penalty(line: Line, distance: int) -> int:
    return -1 if beyond(distance, LONG) and not line.has("precision") else 0


BS_MODIFIERS = (("3.2.3/close-bonus", close_bonus), ("3.2.3/long-penalty", long_penalty))


def parts_at(line: Line, distance: int) -> tuple[Part, ...]:
    """Return the ballistic skill modifiers for the distance, each with its rule."""
    found = ((name, modifier(line, distance)) for name, modifier in BS_MODIFIERS)
    return tuple(Part(name, by) for name, by in found if by)


def skill_at(model: Model, line: Line, distance: int) -> int:
    """Return ballistic skill after its modifiers."""
    return limited(value(model, "bs") + sum(int(part.value) for part in parts_at(line, distance)))


@rule("3.2.2/to-hit")
def to_hit(bs: int, parts: Sequence[Part] = ()) -> Need:
    """Return the need to hit: 7 minus ballistic skill; with skill 0 only a natural 6 hits."""
    if bs + sum(part.value for part in parts) > HIGHEST_BS:
        return needed(BEST_TO_HIT)
    return needed(7 - bs, parts)


@rule("3.2.2/high-bs")
def second_with_skill(bs: int) -> Need | None:
    """Return the need of the re-roll for a modified ballistic skill of 6 or more: as if the skill were lowered by 5."""
    return needed(7 - (bs - HIGHEST_BS)) if bs > HIGHEST_BS else None


@rule("9.1.1/twin-linked")
def is_rerolled_by_weapon(line: Line) -> bool:
    return line.has("twin-linked")


@rule("8/favoured-enemy")
def is_favoured_enemy(model: Model, target: Unit) -> bool:
    """Return whether the target is a unit of the keyword that the model's rule names."""
    words = special.named_by(model, "favoured-enemy")
    return bool(words) and any(word in other.profile.keywords for other in members(target) for word in words)


@rule("1.1/re-roll-once")
def second_chance(model: Model, target: Unit, line: Line | None, bs: int, first: Need) -> Need | None:
    """Return what a failed die needs when rolled again. If several rules allow a re-roll, the best is used, once."""
    if (line is not None and is_rerolled_by_weapon(line)) or is_favoured_enemy(model, target):
        return first
    return second_with_skill(bs)


# ---------------------------------------------------------------- rules of a hit


@rule("9.1.1/rending", "9.1.1/precision")
def tears(line: Line) -> bool:
    return line.has("rending") or line.has("precision")


@rule("3.2.2/ranged-grants-cover", "9.1/template", "9.1.1/precision")
def lets_cover_help(line: Line) -> bool:
    return line.reach == "ranged" and not line.has("precision")


@rule("3.2.2/hit-inherits")
def rules_of_hit(line: Line) -> tuple[str, ...]:
    """Return the rules of a weapon that matter after it has hit."""
    return ("rending",) if tears(line) else ()


@rule("9.1.1/area-size", "9.1.1/area")
def marker_of(line: Line) -> float | None:
    """Return the radius of a weapon profile's marker in inches, None for one that rolls to hit."""
    if line.has("large-area"):
        return 2.5
    return 1.5 if line.has("area") else None
