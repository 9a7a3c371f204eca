"""How many blows a model has in contact (base-melee/attacks): its Attacks with all that is added."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.moves import CHARGED_IN
from campale.rulesets.e3m.command.units import IMMOBILISED
from campale.rulesets.e3m.vehicles.damage import is_stunned


def attacks_in_contact(model: Model) -> int:
    """Attacks with all that is added; a walker that cannot move has only one."""
    if is_held_fast(model):
        return 1
    return int(model.profile.a) + sum(more for more, _ in attacks_added(model))


@rule("base-vehicle/walkers")
def is_held_fast(model: Model) -> bool:
    return bool(model.profile.has_armour and (is_stunned(model) or model.marks(IMMOBILISED)))


@rule("base-melee/charge-bonus", "base-weapons/close-combat")
def attacks_added(model: Model) -> tuple[tuple[int, str], ...]:
    """+1 for two weapons and +1 for having charged, each with its rule."""
    has_charged = bool(model.unit.marks(CHARGED_IN))
    found = (has_two_weapons(model), "base-weapons/close-combat"), (has_charged, "base-melee/charge-bonus")
    return tuple((1, by) for counts, by in found if counts)


@rule("base-weapons/close-combat", "base-weapons/pistol")
def has_two_weapons(model: Model) -> bool:
    """Whether the model has two one-handed weapons, pistols included. Next to a fist only another fist counts."""
    own = [weapon.melee for weapon in model.profile.weapons if weapon.melee]
    fists = sum(kind == "fist" for kind in own)
    return fists > 1 if fists else len(own) > 1
