"""The four kinds of fire, and how many shots a weapon has in each."""

from __future__ import annotations

from typing import Literal, NamedTuple

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.command.orders import FIRE, HALT, MARCH, has_opportunity_fire, is_forced, is_routed, order_of
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


class Kind(NamedTuple):
    """``heavy``: which of a squad's heavy weapons take part; ``snipes``: whether one model may shoot as a sniper."""

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


# ---------------------------------------------------------------- who may


@rule("fire/preparatory", "orders/fire", "fire/one-of-each")
def may_prepare(unit: Unit) -> bool:
    return order_of(unit) == FIRE and not is_forced(unit) and not unit.marks(PREPARED) and can_shoot_out(unit)


@rule("base-vehicle/open-topped", "vehicles/passengers")
def can_shoot_out(unit: Unit) -> bool:
    """Whoever is aboard can only from an open-topped vehicle."""
    carrier = carrier_of(unit)
    return bool(members(unit)) and (carrier is None or carrier.profile.is_open_topped)


@rule("fire/advancing", "orders/halt-advancing-fire", "vehicles/disembarked-limits", "fire/one-of-each")
def may_advance(unit: Unit) -> bool:
    """On Assault, on a Halt that was not forced, or having got out of a vehicle this turn."""
    if unit.marks(ADVANCED) or is_forced(unit) or not can_shoot_out(unit) or is_routed(unit):
        return False
    order = order_of(unit)
    return order in ("assault", HALT) or (bool(unit.marks(GOT_OUT)) and order not in (MARCH, "retreat"))


@rule("fire/defensive", "fire/defensive-who", "orders/march", "assault/give-ground-price", "fire/one-of-each")
def may_defend(unit: Unit) -> bool:
    """Whoever was declared on and stands; not on March, routed, forced to Halt, or having given ground."""
    if not unit.marks(STOOD) or unit.marks(DEFENDED) or unit.marks(GAVE_GROUND) or is_aboard(unit):
        return False
    return can_fire_close(unit)


@rule("fire/defensive-who", "vehicles/overrun-defensive-fire")
def can_fire_close(unit: Unit) -> bool:
    """Whether a unit could use defensive fire at all."""
    return bool(members(unit)) and order_of(unit) != MARCH and not is_routed(unit) and not is_forced(unit)


@rule("fire/opportunity", "fire/opportunity-once", "vehicles/disembarked-limits")
def may_watch(unit: Unit) -> bool:
    return has_opportunity_fire(unit) and not is_forced(unit) and not unit.marks(GOT_OUT) and can_shoot_out(unit)


# ---------------------------------------------------------------- with what


@rule("fire/advancing-heavy", "fire/defensive-heavy", "base-weapons/heavy", "base-units/great-creatures")
def may_use(model: Model, line: Line, kind: Kind) -> bool:
    """Whether a model may fire a weapon in this kind of fire, wherever the target is."""
    if line.fire != "heavy" or model.profile.has_armour:
        return True
    if kind.heavy == "none":
        return False
    return not has_changed_place(model)


@rule("base-weapons/moved-models", "base-vehicle/open-topped")
def has_changed_place(model: Model) -> bool:
    """Of a model on foot, it having moved, or the vehicle that it fires from; great creatures do not mind."""
    if model.profile.kind in ("great", "light", "small", "large"):
        return False
    carrier = model.aboard_of
    return has_moved(model if carrier is None else carrier)


@rule("base-weapons/rapid-fire", "base-weapons/pistol", "base-weapons/assault", "fire/full-strength")
def shots_at(line: Line, far: float) -> int:
    """Of a model that has not moved, at a target point so far away; what is rolled for counts as one roll."""
    if line.fire == "rapid":
        return 2 if far <= RAPID_RANGE + 0.001 else 1
    return line.shots


@rule("base-weapons/moved-models", "base-units/bikes")
def shots_having_moved(line: Line, far: float) -> int:
    """At full strength after having moved: rapid fire and pistols once, within 12 inches; no heavy weapon."""
    if line.fire in ("rapid", "pistol"):
        return int(far <= RAPID_RANGE + 0.001)
    return 0 if line.fire == "heavy" else line.shots


@rule("fire/full-strength", "fire/reduced-strength")
def shots_of(model: Model, line: Line, far: float, kind: Kind) -> int:
    """The shots of one model before any halving."""
    as_moved = not kind.reduced or model.position.options.reduced_as_moved
    if as_moved and has_changed_place(model):
        return shots_having_moved(line, far)
    return shots_at(line, far)


@rule("fire/reduced-strength", "base-general/rounding")
def reduced(shots: int, kind: Kind, options: Options) -> int:
    """Half of the shots of a weapon profile, rounded up. By option none are lost but those of who has moved."""
    return -(-shots // 2) if kind.reduced and not options.reduced_as_moved else shots


@rule("base-weapons/template", "base-profile/weapons")
def reach(line: Line) -> float:
    return TEMPLATE_REACH if line.range is None else line.range
