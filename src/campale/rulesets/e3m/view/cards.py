"""What a model's card shows, and what can be measured."""

from __future__ import annotations

from campale.mechanics.display import at_least
from campale.referee.looks import Changed
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.attacks import attacks_added, attacks_in_contact, is_held_fast
from campale.rulesets.e3m.command.groups import command_radius
from campale.rulesets.e3m.command.units import COMMANDER, LEADS, distance, is_below_half, members
from campale.rulesets.e3m.fire.kinds import reach
from campale.rulesets.e3m.morale.morale import leadership, morale_need
from campale.rulesets.e3m.movement.sight import sees
from campale.rulesets.e3m.vehicles.damage import face_towards


@rule("base-profile/characteristics", "base-profile/vehicles")
def card(model: Model) -> dict[str, Plain]:
    """The statline in the book's order, as it is now, and the model's equipment."""
    p, now = model.profile, present(model)
    found: dict[str, Plain] = {"kind": p.kind}
    if p.has_armour:
        found |= {"armour": [p.front, p.side, p.rear], "bs": p.bs, "gear": p.gear}
        if p.is_walker:
            found |= {"ws": p.ws, "s": p.s, "i": p.i, "a": now["a"]}
    else:
        toughness = p.t if p.bare_t == p.t else f"{p.bare_t}({p.t})"
        found |= {"ws": p.ws, "bs": p.bs, "s": p.s, "t": toughness, "w": p.w, "i": p.i, "a": now["a"], "ld": now["ld"]}
        found |= {"save": at_least(p.save), "invulnerable": at_least(p.invulnerable)}
    found |= {"points": p.points, "weapons": [weapon.id for weapon in p.weapons], "equipment": list(p.equipment)}
    if p.capacity:
        found["capacity"] = p.capacity
    flags = {"open-topped": p.is_open_topped, "fearless": p.is_fearless, "heavy": p.is_heavy}
    found["keywords"] = [name for name, has in flags.items() if has]
    return found


def present(model: Model) -> dict[str, int]:
    """The characteristics that may change, as they are now."""
    p, is_tested = model.profile, bool(members(model.unit)) and not model.profile.has_armour
    return {"a": attacks_in_contact(model), "ld": morale_need(model.unit).number if is_tested else p.ld}


@rule("base-melee/attacks", "base-morale/test", "base-morale/modifiers")
def changes(model: Model) -> dict[str, Changed]:
    """The characteristics that differ from those of the profile, and the rules that changed them."""
    p, now, unit = model.profile, present(model), model.unit
    added = dict.fromkeys(by for _, by in attacks_added(model))
    of_unit = (leadership(unit) != p.ld, "base-morale/test"), (is_below_half(unit), "base-morale/modifiers")
    rules = {
        "a": ("base-vehicle/walkers",) if is_held_fast(model) else tuple(added),
        "ld": tuple(by for counts, by in of_unit if counts),
    }
    printed = {"a": p.a, "ld": p.ld}
    return {name: Changed(was, rules[name]) for name, was in printed.items() if now[name] != was}


@rule("base-general/within", "hierarchy/in-command", "fire/area-centre")
def measured(one: Model, other: Model) -> dict[str, Plain]:
    """Everything that may be measured between two models, which is allowed at any time."""
    found: dict[str, Plain] = {"distance": distance(one, other), "sees": sees(one, other)}
    if one.marks(LEADS) or one.marks(COMMANDER):
        found["command_radius"] = command_radius(one)
    if other.profile.has_armour:
        found["face"] = face_towards(other, one.at)
    ranges = {weapon.id: [reach(line) for line in weapon.lines] for weapon in one.profile.weapons if weapon.lines}
    return found | {id: far[0] for id, far in ranges.items()}
