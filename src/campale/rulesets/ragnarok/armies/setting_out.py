"""The first position: both forces off the table, the ground, and the agreements."""

from __future__ import annotations

from itertools import product

from campale.mechanics.armies.force import add_model
from campale.mechanics.display import wounds_left
from campale.mechanics.setup.agreed import (
    BY_LOT,
    BY_PLAYERS,
    mission_agreed,
    pieces_agreed,
    scenery_agreed,
)
from campale.referee.position import Model, Position, Token
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup
from campale.rulesets.ragnarok.armies.army import ARMIES, WEIGHT_OPTION
from campale.rulesets.ragnarok.armies.forces import FORCES, Force
from campale.rulesets.ragnarok.armies.profile import as_shown
from campale.rulesets.ragnarok.basics.measuring import distance, gap
from campale.rulesets.ragnarok.basics.physical import height
from campale.rulesets.ragnarok.basics.sight import is_in_rear
from campale.rulesets.ragnarok.battle.battlefield import size
from campale.rulesets.ragnarok.battle.missions import FREE_CHOICE, HOLDING, MISSIONS, TURNS
from campale.rulesets.ragnarok.battle.scenery import LAYOUTS, layout_named
from campale.rulesets.ragnarok.shooting.weapon_rules import reach
from campale.rulesets.ragnarok.turn.commander import command_radius, psyche
from campale.rulesets.ragnarok.turn.control_area import area_radius
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Ground


@rule("army/points-cap", "setup/order", "options/switches")
def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """Return the first position; points, options and forces are settled.

    Raises SetupError, which names what is wrong.
    """
    agreed, scenery = setup.agreed, scenery_agreed(setup.agreed)
    position = Position(ruleset, ground_of(scenery))
    position.now.update(phase="mission", turns=TURNS, scenery=scenery)
    if mission := mission_agreed(agreed, (*MISSIONS, FREE_CHOICE)):
        position.now["mission"] = mission
    for side, force in ARMIES.fielded(setup, optional_rules(ruleset)):
        enlist(position, side, force)
    return position


def ground_of(scenery: str) -> Ground:
    names = LAYOUTS.names()
    return Ground(
        *size(), pieces_agreed(scenery, (BY_LOT, BY_PLAYERS), names, lambda name: layout_named(name, *size()))
    )


def optional_rules(ruleset: Ruleset) -> tuple[str, ...]:
    return (WEIGHT_OPTION,) if ruleset.options.weight else ()


@rule("commander/choice", "army/single-list")
def enlist(position: Position, side: int, force: Force) -> None:
    """Add every model as a unit of its own, off the table until it is deployed."""
    for trooper in force.units:
        unit = position.add_unit(trooper.title["en"], side)
        model = add_model(unit, trooper.profile, trooper.title)
        model.mark("commander", int(trooper.is_commander), quietly=True)
    position.gain(side, "strength", len(force.units))


def solid(model: Model) -> Solid:
    return Solid(Circle(model.profile.base_radius), model.x, model.y, model.z, model.facing, height(model))


def health(model: Model) -> tuple[int, int]:
    """Return (wounds left, all wounds); a model out of action has none left."""
    return wounds_left(model, int(model.profile.wounds))


def counts_within(position: Position, token: Token) -> float:
    return HOLDING if token.kind == "objective" else 0.0


@rule("profile/characteristics")
def card(model: Model) -> dict[str, Plain]:
    """Return the statline in the book's order, and the model's weapons and equipment."""
    p = model.profile
    return {
        "type": p.type,
        "movement": p.movement,
        "shooting_skill": as_shown(p.shooting_skill),
        "melee_skill": as_shown(p.melee_skill),
        "constitution": p.constitution,
        "senses": p.senses,
        "wounds": p.wounds,
        "attacks": p.attacks,
        "psyche": psyche(model),
        "charisma": p.charisma,
        "armour": as_shown(p.armour_save),
        "points": p.points,
        "special_rules": [one.name for one in p.special_rules],
        "abilities": list(p.abilities),
        "weapons": [weapon.id for weapon in p.weapons],
        "equipment": [item.id for item in p.equipment],
    }


@rule("measuring/premeasure", "vision/front-rear")
def measured(one: Model, other: Model) -> dict[str, Plain]:
    """Return what anybody may measure between two models at any time, and the first one's ranges, in cm."""
    found: dict[str, Plain] = {
        "distance": distance(one, other),
        "gap": gap(one, other),
        "rise": round(abs(one.z - other.z), 4),
        "arc": "rear" if is_in_rear(one, other.at) else "front",
        "control_area": area_radius(one),
    }
    if one.marks("commander"):
        found["command_radius"] = command_radius(one)
    return found | {weapon.id: reach(one, weapon) for weapon in one.profile.ranged_weapons}


def starters() -> tuple[Setup, ...]:
    """Return the battles ready to play.

    The two starter forces come first, then every pair of forces with every mission, the layouts in turn.
    """
    names = FORCES.names()
    leagues = sorted((n for n in names if n.startswith("crucible")), key=lambda n: "starter" not in n)
    hosts = sorted((n for n in names if n.startswith("barrow")), key=lambda n: "starter" not in n)
    layouts = (*LAYOUTS.names(), BY_LOT)
    pairs = sorted(product(leagues, hosts), key=lambda pair: leagues.index(pair[0]) + hosts.index(pair[1]))
    return tuple(
        Setup("ragnarok", {}, (FORCES.plain(one), FORCES.plain(other)), {"mission": mission, "scenery": layouts[k % 4]})
        for k, ((one, other), mission) in enumerate(product(pairs, MISSIONS))
    )
