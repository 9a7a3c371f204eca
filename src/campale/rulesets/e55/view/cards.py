"""A model's card, and the distances anybody may measure between models."""

from __future__ import annotations

from campale.mechanics.display import at_least
from campale.referee.position import Model, Position, Token
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line, Profile, Rule, Weapon
from campale.rulesets.e55.battle.missions import NEAR, OBJECTIVE
from campale.rulesets.e55.definitions.characteristics import value
from campale.rulesets.e55.definitions.measuring import distance, exact
from campale.rulesets.e55.definitions.units import STRUCTURE_LOST, wounds_left

LIVING = ("ws", "bs", "s", "t", "i", "a", "ld")
WALKING = ("ws", "bs", "s", "i", "a")


@rule("1.3/characteristics", "7.1/armour-values", "7.1/structure-points", "7.1/bs-and-speed", "7.16/walker-profile")
def card(model: Model) -> dict[str, Plain]:
    """Return the current statline, in the order of the book, and what the model carries."""
    profile = model.profile
    shown: dict[str, Plain] = {"type": profile.type, "subtypes": list(profile.subtypes)}
    if profile.type == "vehicle":
        walks = {name: value(model, name) for name in WALKING} if profile.is_a("walker") else {"bs": value(model, "bs")}
        shown |= walks | {"front": profile.front, "side": profile.side, "rear": profile.rear}
        shown |= {"structure": max(0, profile.structure - model.marks(STRUCTURE_LOST)), "speed": profile.speed}
    else:
        shown |= {name: value(model, name) for name in LIVING[:4]} | {"w": wounds_left(model)}
        shown |= {name: value(model, name) for name in LIVING[4:]}
    return shown | saves(profile) | carried(profile)


def health(model: Model) -> tuple[int, int] | None:
    """Return (wounds left, all wounds), or structure points for a vehicle; None for a vehicle without them."""
    profile = model.profile
    if profile.type == "vehicle":
        left = max(0, profile.structure - model.marks(STRUCTURE_LOST))
        return (left, profile.structure) if profile.structure else None
    return max(0, wounds_left(model)), int(profile.w or 0)


def counts_within(position: Position, token: Token) -> float:
    """Return how near an objective a model must be to hold it, in inches."""
    return NEAR if token.kind == OBJECTIVE else 0.0


def saves(profile: Profile) -> dict[str, Plain]:
    names = ("armour_save", "cover_save", "invulnerable_save")
    return {name: at_least(found) for name in names if (found := getattr(profile, name)) is not None}


def carried(profile: Profile) -> dict[str, Plain]:
    """Return the other entries of a profile, without empty ones."""
    found: dict[str, Plain] = {
        "x": profile.x,
        "flyer_speed": profile.flyer_speed,
        "riders": profile.riders if profile.riders > 1 else 0,
        "psyker": profile.psyker,
        "capacity": profile.capacity,
        "rules": [in_words(one) for one in profile.rules],
        "keywords": list(profile.keywords),
        "powers": [one.id for one in profile.powers],
        "weapons": [f"{one.id}: {'; '.join(in_short(line) for line in lines_of(one))}" for one in profile.weapons],
        "equipment": list(profile.equipment),
        "points": profile.points,
    }
    return {name: one for name, one in found.items() if one}


def in_words(one: Rule) -> str:
    more = one.of or (str(one.value) if one.value else "")
    return f"{one.name} {more}".strip()


def lines_of(weapon: Weapon) -> tuple[Line, ...]:
    return weapon.lines if weapon.awake is None else (*weapon.lines, weapon.awake)


@rule("9/weapon-profile")
def in_short(line: Line) -> str:
    """Return range, strength, AP and rules, as in a table of weapons."""
    reach = f'{line.range:g}"' if line.reach == "ranged" else line.reach
    strength = f"S x{line.strength}" if line.of_user else f"S{line.strength}"
    ap = "AP-" if line.ap is None else f"AP{line.ap}"
    return " ".join((reach, strength, ap, *(in_words(one) for one in line.rules)))


@rule("1.1/measure-nearest-points")
def measured(one: Model, other: Model) -> dict[str, Plain]:
    """Return the distance as rules use it, rounded down, and the exact one, in inches."""
    return {"distance": distance(one, other), "exact": exact(one, other), "rise": round(abs(one.z - other.z), 4)}
