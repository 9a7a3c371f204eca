"""Scenario files of this book: profiles with additions and changes, scenery by kind, a battle well under way."""

from __future__ import annotations

from itertools import combinations
from typing import Any, get_args

import msgspec

from campale.referee.position import Position
from campale.referee.reading import meant
from campale.referee.ruleset import Stage
from campale.rulesets.ragnarok.arsenal import equipment, keyword, weapons
from campale.rulesets.ragnarok.battlefield import size
from campale.rulesets.ragnarok.forces import trooper
from campale.rulesets.ragnarok.measuring import ALLOWANCE
from campale.rulesets.ragnarok.missions import MISSIONS, TURNS
from campale.rulesets.ragnarok.profile import Ability, ExpertField, Profile, SpecialRule
from campale.rulesets.ragnarok.scenery import scenery_piece
from campale.rulesets.ragnarok.weapon_rules import ammunition_of
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


def profile(plain: dict[str, Any]) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
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
    changed["abilities"] = [*changed["abilities"], *wanted.abilities]
    if wanted.expert:
        changed["expert"] = wanted.expert
    return msgspec.convert(changed, Profile)


def piece(plain: dict[str, Any]) -> Piece:
    wanted = msgspec.convert(plain, Scenery)
    return scenery_piece(wanted.kind, wanted.at, wanted.turn, wanted.name)


def prepare(position: Position) -> None:
    """Player 1 at the south edge in its tactical phase, everybody with full charisma, unless told otherwise."""
    usual = {"phase": "tactical", "side": 0, "first": 0, "turn": 3, "turns": TURNS}
    for name, value in {**usual, "mission": "extermination", "scenery": "lot"}.items():
        position.now.setdefault(name, value)
    position.now.setdefault("round", (int(position.now["turn"]) + 1) // 2)
    check_moment(position)
    for side in (0, 1):
        prepare_side(position, side)
    for model in position.models:
        model.mark("charisma", model.profile.charisma, quietly=True)
        position.facing[model.row] = 180.0 if model.side else 0.0
    check_places(position)


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
        value = position.now[name]
        if isinstance(value, bool) or value not in known:
            raise ValueError(f"{name} cannot be {value!r}, only one of {', '.join(map(str, known))}")
    for name in ("turn", "round", "turns"):
        value = position.now[name]
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 1000:
            raise ValueError(f"{name} cannot be {value!r}, only a whole number from 1 on")


def check_places(position: Position) -> None:
    """Raises ValueError for two bases that lie on each other."""
    for one, other in combinations(position.on_table(), 2):
        dx, dy = one.x - other.x, one.y - other.y
        least: float = one.profile.base_radius + other.profile.base_radius - ALLOWANCE
        if dx * dx + dy * dy < least * least:
            raise ValueError(
                f"{one.name} and {other.name} stand on each other; their bases need {least:g} between them"
            )


STAGE = Stage(profile, piece, prepare, size(), WORDS)
