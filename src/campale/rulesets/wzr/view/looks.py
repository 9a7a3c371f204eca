"""What a model carries and reaches, and which parts of the table matter now."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.armies.rows import plain_title
from campale.mechanics.frames import stack
from campale.referee.looks import Arm, Command, Reach, Zone
from campale.referee.position import Model, Position, Token
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import Blade, Fire, Power, Weapon
from campale.rulesets.wzr.armoury.weapons import Gun, guns_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import BREAKTHROUGH, MARKER, NEAR, OBJECTIVE
from campale.rulesets.wzr.battle.zones import zone_of
from campale.rulesets.wzr.close_combat.engaged import is_engaged, reach
from campale.rulesets.wzr.shooting.targets import fires_all_round
from campale.rulesets.wzr.squads.coherency import coherency_to
from campale.rulesets.wzr.turn.points import USUAL, left, points_of
from campale.rulesets.wzr.vehicles.locations import locations, ps_left
from campale.rulesets.wzr.view.cards import range_of

FRONT = (-90.0, 90.0)
FULL, EMPTY = "●", "○"


# ---------------------------------------------------------------- equipment


@rule("core/weapon-profile", "core/melee-weapon-profile", "psychic/types")
def arms(model: Model) -> list[Arm]:
    """A vehicle's locations, every way to fire every weapon, the melee weapons, the powers."""
    profile = model.profile
    return [
        *locations_of(model),
        *(one for weapon in profile.weapons for one in ranged(weapon)),
        *(melee(blade) for blade in profile.blades),
        *(psychic(power) for power in profile.powers),
    ]


def ranged(weapon: Weapon) -> Iterator[Arm]:
    rules = tuple((one, None) for one in weapon.rules)
    for fire in weapon.fires:
        values = {**values_of(fire), "class": weapon.kind, "burn": fire.burn or None}
        yield Arm("weapons", weapon.id, values, rules)


def values_of(fire: Fire) -> dict[str, Plain]:
    far: Plain = "by-strength" if fire.by_strength else fire.range
    return {
        "range": "contact" if far is None and not fire.area else far,
        "area": fire.area or None,
        "strength": fire.st,
        "rof": fire.rof,
        "avv": fire.avv,
        "damage": fire.type,
    }


def melee(blade: Blade) -> Arm:
    strength = str(blade.st) if blade.full else f"{blade.st:+d}"
    values: dict[str, Plain] = {"ccwr": blade.ccwr, "strength": strength, "roa": blade.roa}
    return Arm("blades", blade.id, {**values, "avv": blade.avv, "damage": blade.type})


def psychic(power: Power) -> Arm:
    values: dict[str, Plain] = {"range": power.range, "power": power.kind}
    shot = {} if power.fire is None else values_of(power.fire)
    return Arm("powers", power.id, {**shot, **values})


@rule("vehicles/location-table", "vehicles/ps-definition", "vehicles/av-facing")
def locations_of(model: Model) -> Iterator[Arm]:
    """The locations with their faces of the D20, PS left, and AV on Front and Rear."""
    vehicle, low = model.profile.vehicle, 1
    for one in locations(model) if vehicle is not None else ():
        left = ps_left(model, one.name)
        values: dict[str, Plain] = {
            "faces": f"{low}–{one.top}",
            "ps": f"{left} {FULL * left}{EMPTY * (one.ps - left)}",
            "av_front": one.av + vehicle.front,
            "av_rear": one.av + vehicle.rear,
        }
        yield Arm("locations", one.name, values, title=plain_title(one.title))
        low = one.top + 1


# ---------------------------------------------------------------- what it may still do


@rule("turn/action-points", "close-combat/engaged-ap")
def points(model: Model) -> tuple[int, int] | None:
    """The AP left and in all: during the activation, before it, and (0 left) after it."""
    position, vehicle = model.position, model.profile.vehicle
    if position.now.get("phase") != "activation":
        return None
    usual = USUAL if vehicle is None else int(vehicle.pa)
    if model.marks(marks.ACTED) or model.marks(marks.KEPT_DOWN) or model.unit.marks(marks.ACTIVATED):
        return 0, usual
    now = left(model) if is_acting(model) else points_of(model, is_engaged(model))
    return now, max(now, usual)


def is_acting(model: Model) -> bool:
    """Whether the model's activation is under way."""
    frames = {frame[0] for frame in stack(model.position) if frame[1:2] == (model.row,)}
    return "model-ends" in frames and "model-begins" not in frames


@rule("actions/sentry", "core/front-rear")
def watches(model: Model) -> Reach | None:
    """The Front of a model on Sentry, out to its longest range."""
    if not model.marks(marks.SENTRY):
        return None
    far = max((one.reach for one in reaches(model) if one.kind in ("weapon", "melee")), default=0.0)
    return Reach("watch", far, "actions/sentry", "", FRONT)


# ---------------------------------------------------------------- reaches


@rule("actions/walk", "close-combat/ccwr-definition", "core/weapon-profile")
def reaches(model: Model) -> list[Reach]:
    """M, the reach in melee, and the range of each weapon and power, into the Front or all round."""
    profile, guns = model.profile, guns_of(model)
    found = [
        Reach("move", float(profile.m), "actions/walk"),
        Reach("melee", reach(model), "close-combat/ccwr-definition"),
    ]
    for weapon in profile.weapons:
        far = range_of(model, weapon)
        if far:
            gun = next(one for one in guns if one.weapon is weapon)
            found.append(Reach("weapon", far, "core/weapon-profile", weapon.id, arc_of(gun)))
    arcs = {gun.power.id: arc_of(gun) for gun in guns if gun.power is not None}
    found += [Reach("weapon", one.range, "psychic/types", one.id, arcs.get(one.id, FRONT)) for one in profile.powers]
    return [one for one in found if one.reach > 0.0]


@rule("core/front-rear", "abilities/machine-gunner", "vehicles/turrets")
def arc_of(gun: Gun) -> tuple[float, float] | None:
    """The Front; None for a gun that fires all round."""
    return None if fires_all_round(gun) else FRONT


@rule("squads/coherency", "squads/commander")
def commands(model: Model) -> Command | None:
    """The distance from its Commander that a squad keeps within."""
    if not (model.marks(marks.COMMANDER) or model.marks(marks.SUBSTITUTE)):
        return None
    return Command(coherency_to(model, model), "squads/coherency", (model.unit.row,))


# ---------------------------------------------------------------- the table


@rule("missions/objectives")
def counts_within(position: Position, token: Token) -> float:
    """The distance in inches from the centre of a marker within which models count."""
    return NEAR + MARKER if token.kind == OBJECTIVE else 0.0


@rule("setup/deployment", "missions/breakthrough")
def zones(position: Position) -> list[Zone]:
    """The deployment zones, while they matter."""
    if "pregame" not in position.now:
        return []
    begun = int(position.now.get("turn", 0)) > 0
    if begun and position.now.get("mission") != BREAKTHROUGH:
        return []
    return [zone(position, side) for side in (0, 1)]


def zone(position: Position, side: int) -> Zone:
    west, south, east, north = zone_of(position, side)
    corners = ((west, south), (east, south), (east, north), (west, north))
    return Zone("deployment", "setup/deployment", corners, side=side)
