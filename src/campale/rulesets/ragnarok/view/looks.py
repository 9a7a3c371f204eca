"""What a model shows to a viewer: its reach, what it sees, and which values have changed."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.display import all_refusals
from campale.referee.looks import CLEAR, PARTLY, UNSEEN, Arm, Changed, Reach, Sight, met_by, rays_of
from campale.referee.position import Model
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import Weapon
from campale.rulesets.ragnarok.basics.measuring import beyond, distance, half
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.basics.sight import NINE_LINES, covering, eye, in_field_of_view, is_obscured, sees
from campale.rulesets.ragnarok.battle import battlefield
from campale.rulesets.ragnarok.shooting.fire import a_friend_is_in_the_way, is_in_a_brawl
from campale.rulesets.ragnarok.shooting.weapon_rules import has_no_range_penalty, reach
from campale.rulesets.ragnarok.turn.commander import command_radius, psyche
from campale.rulesets.ragnarok.turn.control_area import area_radius, has_area
from campale.table.sight import BLOCKED, SOLID, Line, Met, Sampling, look, state_of

FIELD_OF_VIEW = (-90.0, 90.0)


# ---------------------------------------------------------------- its reach


@rule("measuring/premeasure")
def reaches(model: Model) -> list[Reach]:
    """Return the move, the control area in effect, the command radius, and every gun with its half range, in cm."""
    found = [Reach("move", model.profile.movement, "move/allowance")] if is_able(model) else []
    if has_area(model):
        found.append(Reach("control", area_radius(model), "control-area/radius"))
    if model.marks("commander") and is_able(model):
        found.append(Reach("command", command_radius(model), "commander/psi-radius"))
    return found + [one for weapon in model.profile.ranged_weapons for one in reaches_of(model, weapon)]


def reaches_of(model: Model, weapon: Weapon) -> list[Reach]:
    far = reach(model, weapon)
    found = [Reach("weapon", far, "measuring/premeasure", weapon.id, FIELD_OF_VIEW)]
    if not has_no_range_penalty(weapon):
        found.append(Reach("half-range", half(far), "fire/mod-half-range", weapon.id, FIELD_OF_VIEW))
    return found


# ---------------------------------------------------------------- its weapons


@rule("weapon-profile/fields")
def arms(model: Model) -> list[Arm]:
    """Return range, rate and weight of every weapon, in the book's order; the range is this model's current one."""
    return [arm(model, weapon) for weapon in model.profile.weapons]


def arm(model: Model, weapon: Weapon) -> Arm:
    far = reach(model, weapon) if weapon.kind == "ranged" else None
    values: dict[str, Plain] = {"range": far, "rate": weapon.rate or None, "weight": weapon.weight}
    return Arm("weapons", weapon.id, values, tuple((one.name, one.value or None) for one in weapon.rules))


# ---------------------------------------------------------------- its sight


@rule("vision/geometry")
def sight(viewer: Model, target: Model) -> Sight:
    """Return the nine lines from the eye of one model to the body of another, and what they meet."""
    opacity = dict(zip(names_of_pieces(viewer), battlefield.opacity(viewer.position.ground).tolist(), strict=True))
    seen = look(viewer.position.ground, eye(viewer), target.solid, NINE_LINES)

    def hides(line: Line) -> Sequence[Met]:
        is_blocked = state_of(line, opacity, battlefield.VEIL) == BLOCKED
        solid = [met for met in line.pieces if opacity[str(met.what)] == SOLID]
        screens = [met for met in line.pieces if opacity[str(met.what)]]
        return (solid or screens) if is_blocked else ()

    verdict, cited = how_seen(viewer, target)
    away, barred = distance(viewer, target), barring(viewer, target)
    if cited in ("vision/arc", "hide/state"):
        return Sight(verdict, away, cited, rays_of(seen, hides), barred=barred)
    blockers = tuple(str(met.what) for met in met_by(seen, hides))
    bodies = tuple(m.row for m in covering(viewer, target))
    return Sight(verdict, away, cited, rays_of(seen, hides), blockers, bodies, barred)


def sampling(target: Model) -> Sampling:
    """Return where the nine lines to a model end."""
    return NINE_LINES


def names_of_pieces(model: Model) -> list[str]:
    return [piece.name for piece in model.position.ground.pieces]


def how_seen(viewer: Model, target: Model) -> tuple[str, str]:
    """Return the verdict, and the rule that decides it."""
    if not in_field_of_view(viewer, target):
        return UNSEEN, "vision/arc"
    if not sees(viewer, target):
        return UNSEEN, "hide/state" if target.marks("hidden") else "vision/geometry"
    return (PARTLY, "vision/obscured") if is_obscured(viewer, target) else (CLEAR, "vision/geometry")


# ---------------------------------------------------------------- why it cannot be shot at


@rule("vision/arc")
def is_behind(viewer: Model, target: Model) -> Fault | None:
    """The target is outside the viewer's field of view."""
    return None if in_field_of_view(viewer, target) else Fault(target.at, model=target.row)


@rule("hide/state")
def is_hidden(viewer: Model, target: Model) -> Fault | None:
    """The target is hidden, so no line shows it."""
    return Fault(target.at, model=target.row) if target.marks("hidden") else None


@rule("fire/range")
def is_too_far(shooter: Model, target: Model) -> Fault | None:
    """The target is out of range of every gun."""
    longest = max((reach(shooter, weapon) for weapon in shooter.profile.ranged_weapons), default=0.0)
    away = distance(shooter, target)
    return Fault(target.at, away, longest, target.row) if longest and beyond(away, longest) else None


@rule("overlap/friend-covers")
def is_covered_by_a_friend(shooter: Model, target: Model) -> Fault | None:
    """A friend is in the way of every gun."""
    faults = [a_friend_is_in_the_way(shooter, target, weapon) for weapon in shooter.profile.ranged_weapons]
    return faults[0] if faults and all(fault is not None for fault in faults) else None


@rule("vision/engaged-targets")
def is_in_a_melee(shooter: Model, target: Model) -> Fault | None:
    guns = shooter.profile.ranged_weapons
    return is_in_a_brawl(shooter, target, guns[0]) if guns else None


TO_SEE = (is_hidden, is_behind)
TO_SHOOT = (is_too_far, is_in_a_melee, is_covered_by_a_friend)


def barring(viewer: Model, target: Model) -> tuple[Refusal, ...]:
    """Return why a model is unseen though the lines may be free; for a seen model, why no gun can fire at it."""
    unseen = all_refusals(TO_SEE, viewer, target)
    return unseen or (all_refusals(TO_SHOOT, viewer, target) if sees(viewer, target) else ())


# ---------------------------------------------------------------- changed values


@rule("commander/psi-radius")
def changes(model: Model) -> dict[str, Changed]:
    """Return the values of the card that differ from those bought."""
    now, printed = psyche(model), model.profile.psyche
    return {"psyche": Changed(printed, ("commander/psi-radius",))} if now != printed else {}
