"""What a model carries and how far its weapons reach."""

from __future__ import annotations

from campale.referee.looks import Arm, Reach
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Line, Weapon
from campale.rulesets.e3m.fire.kinds import reach


@rule("base-profile/weapons", "base-weapons/small-arms-table", "base-weapons/heavy-table", "base-weapons/close-combat")
def arms(model: Model) -> list[Arm]:
    """Range, Strength, AP and type of every weapon line, and a separate row for each weapon's close combat."""
    weapons = list(dict.fromkeys(model.profile.weapons))
    return [one for weapon in weapons for one in rows_of(weapon)]


def rows_of(weapon: Weapon) -> list[Arm]:
    found: list[tuple[dict[str, Plain], tuple[str, ...]]] = [(values(line), line.specials) for line in weapon.lines]
    if weapon.melee:
        found.append(({"fire": "melee"}, () if weapon.melee == "plain" else (weapon.melee,)))
    return [Arm("weapons", weapon.id, own, tuple((one, None) for one in specials)) for own, specials in found]


def values(line: Line) -> dict[str, Plain]:
    shots = f"D{line.die}" if line.die else str(line.shots)
    return {
        "range": "template" if line.range is None else line.range,
        "strength": line.strength or None,
        "ap": line.ap,
        "fire": line.fire,
        "shots": shots,
    }


@rule("base-profile/weapons", "base-weapons/template")
def reaches(model: Model) -> list[Reach]:
    """The longest reach of each weapon."""
    found = {weapon.id: max(reach(line) for line in weapon.lines) for weapon in model.profile.weapons if weapon.lines}
    return [Reach("weapon", far, "base-profile/weapons", id_) for id_, far in found.items()]
