"""Scenario files of this book: profiles with additions and changes, scenery by kind, a battle in progress."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from campale.mechanics.phases import round_of
from campale.mechanics.setup.agreed import BY_LOT
from campale.mechanics.setup.scenarios import (
    NOTHING,
    Described,
    check_apart,
    check_free_of,
    check_numbers,
    check_words,
    face_each_other,
    take_usual,
    take_usual_edges,
    with_changes,
)
from campale.referee.position import RESERVE, Model, Position
from campale.referee.reading import meant
from campale.referee.ruleset import Stage
from campale.rulesets.ragnarok.armies.arsenal import (
    WeaponRow,
    equipment,
    keyword,
    profiles,
    weapon_from,
    weapons,
)
from campale.rulesets.ragnarok.armies.forces import trooper
from campale.rulesets.ragnarok.armies.profile import Ability, ExpertField, Profile, SpecialRule, Weapon
from campale.rulesets.ragnarok.basics.measuring import ALLOWANCE
from campale.rulesets.ragnarok.battle.battlefield import impassable_pieces, is_in, size
from campale.rulesets.ragnarok.battle.missions import MISSIONS, TURNS
from campale.rulesets.ragnarok.battle.preparation import stages
from campale.rulesets.ragnarok.battle.scenery import scenery_piece
from campale.rulesets.ragnarok.shooting.weapon_rules import ammunition_of
from campale.rulesets.ragnarok.turn.commander import renew_bonus
from campale.table.terrain import Piece

WORDS: dict[str, tuple[str, ...]] = {
    "marks": (
        *("wounds", "morale", "fatigue", "suppressed", "prone", "hidden", "alert", "shield-lost"),
        *("charisma", "handed", "commander", "acted", "moved", "salvoed", "guarded", "barred-ability", "used-"),
        *("shaken", "wounded", "charged", "from-hiding", "charge-d3", "shot-in-charge"),
        *("parries", "parried", "has-struck"),
        *("held-back", "infiltrates", "arrived", "never-came", "summoned"),
    ),
    "notes": ("spent", "jammed", "ward", "name_it"),
    "pools": ("bonus", "strength", "exploration", "ammunition"),
    "holds": ("edge", "base"),
    "now": (
        *("phase", "side", "first", "turn", "round", "turns", "mission", "scenery", "night"),
        *("explorer", "first-to-deploy"),
    ),
    "declared": ("aimed", "concentrated", "charging", "onsets", "explored"),
    "causes": (
        *("shot", "steam", "melee", "lost-melee", "lethal", "spear-of-odin"),
        *("crash", "flight", "table-edge"),
    ),
}


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A profile of the army lists, its additions, further special rules ("flyer 24"), and changed fields."""

    profile: str
    adds: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    expert: ExpertField = ""
    changes: dict[str, Any] = {}


class Scenery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of the scenery table by kind, centre and turn (degrees)."""

    kind: str
    at: tuple[float, float]
    name: str = ""
    turn: float = 0.0


def described_weapon(id_: str, plain: dict[str, Any]) -> Weapon:
    """Return a weapon that a scenario file describes itself."""
    usual = {"title": {"en": id_, "it": id_}, "weight": 0.0, "source": "scenario"}
    return weapon_from(id_, msgspec.convert({**usual, **plain}, WeaponRow))


def profile(plain: dict[str, Any], described: Described = NOTHING) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
    own = [described_weapon(one, described[one]) for one in wanted.adds if one in described]
    wanted = replace(wanted, adds=tuple(one for one in wanted.adds if one not in described))
    known = {*weapons(), *equipment()}
    for thing in wanted.adds:
        if thing not in known:
            raise ValueError(f"there is no weapon or equipment '{thing}'. {meant(thing, known)}")
    armed = trooper(wanted.profile, wanted.adds).profile
    rules = (keyword(text, get_args(SpecialRule), "rules") for text in wanted.rules)
    ready = with_changes(replace(armed, special_rules=(*armed.special_rules, *rules)), wanted.changes)
    return replace(
        ready,
        weapons=(*ready.weapons, *own),
        abilities=(*ready.abilities, *wanted.abilities),
        expert=wanted.expert or ready.expert,
    )


def piece(plain: dict[str, Any]) -> Piece:
    wanted = msgspec.convert(plain, Scenery)
    return scenery_piece(wanted.kind, wanted.at, wanted.turn, wanted.name)


def prepare(position: Position) -> None:
    """Set the usual state: player 1 at the south edge in its tactical phase, everybody with full charisma.

    Whatever the file says takes precedence.
    """
    phase = position.now.setdefault("phase", "tactical")
    turn = 0 if phase in stages() else 3
    usual = {"side": 0, "first": 0, "turn": turn, "turns": TURNS, "scenery": BY_LOT}
    take_usual(position, usual if phase == "mission" else {**usual, "mission": "extermination"})
    position.now.setdefault("round", round_of(int(position.now["turn"])))
    check_moment(position)
    take_usual_edges(position)
    for side in (0, 1):
        prepare_side(position, side)
    for model in position.models:
        model.mark("charisma", model.profile.charisma, quietly=True)
    face_each_other(position)
    check_apart(position, are_too_near)
    check_free_of(position, impassable_pieces(position.ground), is_in)
    check_explored(position)


def prepare_side(position: Position, side: int) -> None:
    """Set a side's strength, its commander (the first of the HQ, else the first model), its bonus and its ammunition.

    The active side has its commander's whole bonus. The ammunition of a battle that has not begun is counted by the
    last step of the set-up. Summoned models count in neither number.
    """
    force = [model for model in position.models if model.side == side]
    began = [model for model in force if not model.marks("summoned")]
    if not position.holds(side, "strength"):
        position.of_sides.set(side, "strength", len(began))
    if force and not any(model.marks("commander") for model in force):
        next((model for model in force if model.profile.is_hq), force[0]).mark("commander", 1)
    has_begun = position.now["phase"] not in stages()
    if has_begun and side == position.now["side"]:
        renew_bonus(position, side)
    if has_begun and position.options.ammunition and not position.holds(side, "ammunition"):
        leader = next((model for model in force if model.marks("commander")), None)
        position.of_sides.set(side, "ammunition", ammunition_of(began, leader))


def check_moment(position: Position) -> None:
    """Raise ValueError for an unknown phase, mission, side or turn."""
    phases = tuple(position.ruleset.book.phases)
    check_words(position, {"phase": phases, "mission": MISSIONS, "side": (0, 1), "first": (0, 1)})
    check_numbers(position, ("turn", "round", "turns"), 0 if position.now["phase"] in stages() else 1)


def are_too_near(one: Model, other: Model) -> bool:
    """Return whether two bases overlap."""
    dx, dy = one.x - other.x, one.y - other.y
    least: float = one.profile.base_radius + other.profile.base_radius - ALLOWANCE
    return dx * dx + dy * dy < least * least


def check_explored(position: Position) -> None:
    """Raise ValueError for an unknown explored piece, or one without the side that explored it."""
    pieces = [piece.name for piece in position.ground.pieces]
    explored = position.declared.get("explored", ())
    if not all(isinstance(one, tuple) and len(one) == 2 and one[1] in (0, 1) for one in explored):
        raise ValueError("explored is a list of pieces with sides: [[wood-1, {side: 1}], ...]")
    for name, _ in explored:
        if name not in pieces:
            raise ValueError(f"no piece '{name}' was explored: there is none of that name. {meant(str(name), pieces)}")


def in_reserve(position: Position, side: int) -> list[str]:
    return [model.unit.name for model in position.models if model.side == side and model.where == RESERVE]


MOMENTS: dict[str, dict[str, Any]] = {name: {"phase": name} for name in ("tactical", "initiative", "command", "melee")}
STAGE = Stage(profile, piece, prepare, size(), WORDS, (), None, in_reserve, profiles, MOMENTS, True)
