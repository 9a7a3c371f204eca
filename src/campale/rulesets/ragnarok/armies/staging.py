"""Scenario files of this book: profiles with additions and changes, scenery by kind, a battle well under way."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, get_args

import msgspec

from campale.referee.position import RESERVE, Model, Position
from campale.referee.reading import meant
from campale.referee.ruleset import Stage
from campale.rulesets.ragnarok.armies.arsenal import WeaponRow, equipment, keyword, weapon_from, weapons
from campale.rulesets.ragnarok.armies.forces import trooper
from campale.rulesets.ragnarok.armies.profile import Ability, ExpertField, Profile, SpecialRule, Weapon
from campale.rulesets.ragnarok.basics.measuring import ALLOWANCE
from campale.rulesets.ragnarok.battle.battlefield import impassable_pieces, size
from campale.rulesets.ragnarok.battle.missions import MISSIONS, TURNS
from campale.rulesets.ragnarok.battle.preparation import stages
from campale.rulesets.ragnarok.battle.scenery import scenery_piece
from campale.rulesets.ragnarok.shooting.weapon_rules import ammunition_of
from campale.table.measure import overlaps_outline
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Piece

EDGES = ("south", "north")

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
    """A profile of the army lists, what is added to it, further special rules ("flyer 24"), and changed fields."""

    profile: str
    adds: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    expert: ExpertField = ""
    changes: dict[str, Any] = {}


class Scenery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of the scenery table by kind, centre and turn."""

    kind: str
    at: tuple[float, float]
    name: str = ""
    turn: float = 0.0


NOTHING: Mapping[str, dict[str, Any]] = {}


def described_weapon(id_: str, plain: dict[str, Any]) -> Weapon:
    """A weapon that a file describes itself."""
    usual = {"title": {"en": id_, "it": id_}, "weight": 0.0, "source": "scenario"}
    return weapon_from(id_, msgspec.convert({**usual, **plain}, WeaponRow))


def profile(plain: dict[str, Any], described: Mapping[str, dict[str, Any]] = NOTHING) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
    own = [described_weapon(one, described[one]) for one in wanted.adds if one in described]
    wanted = msgspec.structs.replace(wanted, adds=tuple(one for one in wanted.adds if one not in described))
    known = {*weapons(), *equipment()}
    for thing in wanted.adds:
        if thing not in known:
            raise ValueError(f"there is no weapon or equipment '{thing}'. {meant(thing, known)}")
    armed = trooper(wanted.profile, wanted.adds).profile
    fields = msgspec.to_builtins(armed)
    unknown = sorted(set(wanted.changes) - set(fields))
    if unknown:
        raise ValueError(f"a profile has no {', '.join(unknown)}. {meant(unknown[0], fields)}")
    rules = [msgspec.to_builtins(keyword(text, get_args(SpecialRule), "rules")) for text in wanted.rules]
    changed = {**fields, "special_rules": [*fields["special_rules"], *rules], **wanted.changes}
    changed["weapons"] = [*changed["weapons"], *map(msgspec.to_builtins, own)]
    changed["abilities"] = [*changed["abilities"], *wanted.abilities]
    if wanted.expert:
        changed["expert"] = wanted.expert
    return msgspec.convert(changed, Profile)


def piece(plain: dict[str, Any]) -> Piece:
    wanted = msgspec.convert(plain, Scenery)
    return scenery_piece(wanted.kind, wanted.at, wanted.turn, wanted.name)


def prepare(position: Position) -> None:
    """Player 1 at the south edge in its tactical phase, everybody with full charisma, unless told otherwise."""
    phase = position.now.setdefault("phase", "tactical")
    turn = 0 if phase in stages() else 3
    usual = {"side": 0, "first": 0, "turn": turn, "turns": TURNS, "mission": "extermination", "scenery": "lot"}
    for name, value in usual.items():
        if (name, phase) != ("mission", "mission"):
            position.now.setdefault(name, value)
    position.now.setdefault("round", (int(position.now["turn"]) + 1) // 2)
    check_moment(position)
    for side in (0, 1):
        prepare_side(position, side)
    for model in position.models:
        model.mark("charisma", model.profile.charisma, quietly=True)
        position.facing[model.row] = 180.0 if model.side else 0.0
    check_places(position)
    check_explored(position)


def prepare_side(position: Position, side: int) -> None:
    """Its edge, its strength, its commander (the first of the HQ, else the first model), its ammunition."""
    force = [model for model in position.models if model.side == side]
    if not position.hand(side, "edge"):
        position.hold(side, "edge", (EDGES[side],))
    if not position.holds(side, "strength"):
        position.of_sides.set(side, "strength", len(force))
    if force and not any(model.marks("commander") for model in force):
        next((model for model in force if model.profile.is_hq), force[0]).mark("commander", 1)
    if position.options.ammunition and not position.holds(side, "ammunition"):
        leader = next((model for model in force if model.marks("commander")), None)
        position.of_sides.set(side, "ammunition", ammunition_of(force, leader))


def check_moment(position: Position) -> None:
    """Raises ValueError for a phase, mission, side or turn that there is not."""
    phases = tuple(position.ruleset.book.phases)
    for name, known in (("phase", phases), ("mission", MISSIONS), ("side", (0, 1)), ("first", (0, 1))):
        value = position.now.get(name, known[0])
        if isinstance(value, bool) or value not in known:
            raise ValueError(f"{name} cannot be {value!r}, only one of {', '.join(map(str, known))}")
    least = 0 if position.now["phase"] in stages() else 1
    for name in ("turn", "round", "turns"):
        value = position.now[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= 1000:
            raise ValueError(f"{name} cannot be {value!r}, only a whole number from {least} on")


def check_places(position: Position) -> None:
    """Raises ValueError for two bases that lie on each other."""
    for one, other in combinations(position.on_table(), 2):
        dx, dy = one.x - other.x, one.y - other.y
        least: float = one.profile.base_radius + other.profile.base_radius - ALLOWANCE
        if dx * dx + dy * dy < least * least:
            raise ValueError(
                f"{one.name} and {other.name} stand on each other; their bases need {least:g} between them"
            )

    for model in position.on_table():
        stands_in = next((piece for piece in impassable_pieces(position.ground) if is_in(model, piece)), None)
        if stands_in is not None:
            raise ValueError(f"{model.name} stands in {stands_in.name}, which is impassable")


def is_in(model: Model, piece: Piece) -> bool:
    return overlaps_outline(Solid(Circle(model.profile.base_radius), *model.at), piece.outline)


def check_explored(position: Position) -> None:
    """Raises ValueError for an explored piece that is not there, or one that no side has explored."""
    pieces = [piece.name for piece in position.ground.pieces]
    explored = position.declared.get("explored", ())
    if not all(isinstance(one, tuple) and len(one) == 2 and one[1] in (0, 1) for one in explored):
        raise ValueError("explored is a list of pieces with sides: [[wood-1, {side: 1}], ...]")
    for name, _ in explored:
        if name not in pieces:
            raise ValueError(f"no piece '{name}' was explored: there is none of that name. {meant(str(name), pieces)}")


def in_reserve(position: Position, side: int) -> list[str]:
    return [model.unit.name for model in position.models if model.side == side and model.where == RESERVE]


STAGE = Stage(profile, piece, prepare, size(), WORDS, (), None, in_reserve)
