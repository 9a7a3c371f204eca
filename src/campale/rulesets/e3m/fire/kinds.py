"""The four kinds of fire, and the number of shots of a weapon in each."""

from __future__ import annotations

from typing import Literal, NamedTuple

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import VEHICLES, Line
from campale.rulesets.e3m.command.orders import (
    FIRE,
    HALT,
    MARCH,
    RETREAT,
    has_opportunity_fire,
    is_forced,
    is_routed,
    order_of,
)
from campale.rulesets.e3m.command.units import (
    ADVANCED,
    DEFENDED,
    GAVE_GROUND,
    GOT_OUT,
    PREPARED,
    STOOD,
    carrier_of,
    has_moved,
    is_aboard,
    members,
)
from campale.rulesets.e3m.options import Options

RAPID_RANGE = 12.0
TEMPLATE_REACH = 8.0

USED, OVERRUN_WITH, SPENT = "used-mounts", "overrun-mounts", "spent-mounts"
"""Notes of a vehicle: mounts used in preparatory fire, in overruns, and in overruns before the current one."""


class Kind(NamedTuple):
    """A kind of fire. ``heavy``: which heavy weapons of a squad take part; ``snipes``: one model may snipe."""

    name: str
    rule: str
    reduced: bool
    heavy: Literal["all", "unmoved", "none"]
    snipes: bool = False


PREPARATORY = Kind("preparatory", "fire/preparatory", False, "all", snipes=True)
OPPORTUNITY = Kind("opportunity", "fire/opportunity", False, "all")
DEFENSIVE = Kind("defensive", "fire/defensive", True, "unmoved")
ADVANCING = Kind("advancing", "fire/advancing", True, "none")
AT_OVERRUN = Kind("overrun-defence", "vehicles/overrun-defensive-fire", True, "unmoved")
AT_PASSING = Kind("path-assault", "vehicles/path-assault-resolution", True, "unmoved")
OVERRUNNING = Kind("overrun-fire", "vehicles/overrun-fire", True, "all")
KINDS = {  # fire/kinds
    kind.name: kind for kind in (PREPARATORY, OPPORTUNITY, DEFENSIVE, ADVANCING, AT_OVERRUN, AT_PASSING, OVERRUNNING)
}


# ---------------------------------------------------------------- who may fire


@rule("fire/preparatory", "orders/fire", "fire/one-of-each")
def may_prepare(unit: Unit) -> bool:
    return order_of(unit) == FIRE and not is_forced(unit) and not unit.marks(PREPARED) and can_shoot_out(unit)


@rule("base-vehicle/open-topped", "vehicles/passengers")
def can_shoot_out(unit: Unit) -> bool:
    """Whether a unit can shoot from where it is. A unit aboard needs an open-topped vehicle."""
    carrier = carrier_of(unit)
    return bool(members(unit)) and (carrier is None or carrier.profile.is_open_topped)


@rule("fire/advancing", "orders/halt-advancing-fire", "vehicles/disembarked-limits", "fire/one-of-each")
def may_advance(unit: Unit) -> bool:
    """Whether a unit may use advancing fire: on Assault, on unforced Halt, or after disembarking in this turn."""
    if unit.marks(ADVANCED) or is_forced(unit) or not can_shoot_out(unit) or is_routed(unit):
        return False
    order = order_of(unit)
    return order in ("assault", HALT) or (bool(unit.marks(GOT_OUT)) and order not in (MARCH, "retreat"))


@rule("fire/defensive", "fire/defensive-who", "orders/march", "assault/give-ground-price", "fire/one-of-each")
def may_defend(unit: Unit) -> bool:
    """Whether a unit may use defensive fire: it was declared on and stands.

    It may not have given ground or defended already, nor be aboard, on March, routed or on forced Halt.
    """
    if not unit.marks(STOOD) or unit.marks(DEFENDED) or unit.marks(GAVE_GROUND) or is_aboard(unit):
        return False
    return can_fire_close(unit)


@rule("fire/defensive-who", "vehicles/overrun-defensive-fire", "orders/retreat-voluntary")
def can_fire_close(unit: Unit) -> bool:
    """Whether the unit could use defensive fire at all: not on March, Retreat or forced Halt.

    A Retreat that is still hidden bars it too: to fire would show it, and the unit would be routed.
    """
    return bool(members(unit)) and order_of(unit) not in (MARCH, RETREAT) and not is_forced(unit)


@rule("fire/opportunity", "fire/opportunity-once", "vehicles/disembarked-limits")
def may_watch(unit: Unit) -> bool:
    return has_opportunity_fire(unit) and not is_forced(unit) and not unit.marks(GOT_OUT) and can_shoot_out(unit)


# ---------------------------------------------------------------- with which weapons


@rule("fire/advancing-heavy", "fire/defensive-heavy", "base-weapons/heavy", "base-units/great-creatures")
def may_use(model: Model, line: Line, kind: Kind) -> bool:
    """Whether the model may fire this weapon in this kind of fire, whatever the target."""
    if line.fire != "heavy" or model.profile.has_armour:
        return True
    if kind.heavy == "none":
        return False
    return not has_changed_place(model)


@rule("vehicles/overrun-who", "vehicles/overrun-fire")
def notes_mounts(model: Model) -> bool:
    """Whether it is noted which weapons a model uses: only for vehicles that may overrun."""
    is_light = model.profile.kind == "light" and model.position.options.light_overrun
    return bool(model.profile.has_armour or is_light)


@rule("vehicles/overrun-fire")
def barred_mounts(model: Model, kind: Kind) -> set[int]:
    """The weapons that may not be used again in this turn.

    In an overrun, those used in preparatory fire or in another overrun; in advancing fire, those used in an overrun.
    """
    if kind is OVERRUNNING:
        return {*model.note(USED, ()), *model.note(SPENT, ())}
    return set(model.note(OVERRUN_WITH, ())) if kind is ADVANCING and model.profile.kind in VEHICLES else set()


@rule("base-weapons/moved-models", "base-vehicle/open-topped")
def has_changed_place(model: Model) -> bool:
    """Whether the model, or its carrier, has moved. For vehicles and great creatures this never counts."""
    if model.profile.kind in ("great", "light", "small", "large"):
        return False
    carrier = model.aboard_of
    return has_moved(model) or (carrier is not None and has_moved(carrier))


@rule("base-weapons/rapid-fire", "base-weapons/pistol", "base-weapons/assault", "fire/full-strength")
def shots_at(line: Line, far: float) -> int:
    """The shots of a model that has not moved, at a point this far away. A rolled number counts as one roll."""
    if line.fire == "rapid":
        return 2 if far <= RAPID_RANGE + 0.001 else 1
    return line.shots


@rule("base-weapons/moved-models", "base-units/bikes")
def shots_having_moved(line: Line, far: float) -> int:
    """The shots at full strength after a move: rapid fire and pistols once within 12 inches, heavy weapons none."""
    if line.fire in ("rapid", "pistol"):
        return int(far <= RAPID_RANGE + 0.001)
    return 0 if line.fire == "heavy" else line.shots


@rule("fire/full-strength", "fire/reduced-strength")
def shots_of(model: Model, line: Line, far: float, kind: Kind) -> int:
    """The shots of one model before any halving."""
    return shots_having_moved(line, far) if fires_as_moved(model, kind) else shots_at(line, far)


@rule("base-weapons/moved-models", "fire/reduced-strength")
def fires_as_moved(model: Model, kind: Kind) -> bool:
    """Whether the limits for models that have moved apply. At reduced strength they do only by option."""
    return (not kind.reduced or model.position.options.reduced_as_moved) and has_changed_place(model)


@rule("fire/reduced-strength", "base-general/rounding")
def reduced(shots: int, kind: Kind, options: Options) -> int:
    """Half the shots of a weapon profile, rounded up. By option only models that have moved lose shots."""
    return -(-shots // 2) if kind.reduced and not options.reduced_as_moved else shots


@rule("base-weapons/template", "base-profile/weapons")
def reach(line: Line) -> float:
    return TEMPLATE_REACH if line.range is None else line.range


@rule("base-weapons/moved-models")
def reach_of(model: Model, line: Line, kind: Kind) -> float:
    """The range at which the model may fire: after a move, at most 12 inches with rapid fire and pistols."""
    is_short = line.fire in ("rapid", "pistol") and fires_as_moved(model, kind)
    return min(RAPID_RANGE, reach(line)) if is_short else reach(line)
