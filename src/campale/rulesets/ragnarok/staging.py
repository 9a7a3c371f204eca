"""Scenario files of this book: profiles with additions and changes, scenery by kind, a battle well under way."""

from __future__ import annotations

from typing import Any

import msgspec

from campale.referee.position import Position
from campale.referee.ruleset import Stage
from campale.rulesets.ragnarok.battlefield import size
from campale.rulesets.ragnarok.forces import trooper
from campale.rulesets.ragnarok.missions import TURNS
from campale.rulesets.ragnarok.profile import Profile, Rule
from campale.rulesets.ragnarok.scenery import scenery_piece
from campale.table.terrain import Piece


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A profile of the army lists, what is added to it, further special rules ("flyer 24"), and changed fields."""

    profile: str
    adds: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    expert: str = ""
    changes: dict[str, Any] = {}


class Scenery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of the scenery table by kind, centre and turn."""

    kind: str
    at: tuple[float, float]
    name: str = ""
    turn: float = 0.0


def profile(plain: dict[str, Any]) -> Profile:
    wanted = msgspec.convert(plain, Model)
    armed = trooper(wanted.profile, wanted.adds).profile
    fields = msgspec.to_builtins(armed)
    unknown = set(wanted.changes) - set(fields)
    if unknown:
        raise ValueError(f"a profile has no {', '.join(sorted(unknown))}")
    rules = [msgspec.to_builtins(rule_of(text)) for text in wanted.rules]
    changed = {**fields, **wanted.changes, "special_rules": [*fields["special_rules"], *rules]}
    if wanted.expert:
        changed["expert"] = wanted.expert
    return msgspec.convert(changed, Profile)


def rule_of(text: str) -> Rule:
    name, _, value = text.partition(" ")
    return Rule(name, int(value or 0))


def piece(plain: dict[str, Any]) -> Piece:
    wanted = msgspec.convert(plain, Scenery)
    return scenery_piece(wanted.kind, wanted.at, wanted.turn, wanted.name)


def prepare(position: Position) -> None:
    """Player 1 at the south edge in its tactical phase, everybody with full charisma, unless told otherwise."""
    usual = {"phase": "tactical", "side": 0, "first": 0, "turn": 3, "round": 2, "turns": TURNS}
    for name, value in {**usual, "mission": "extermination", "scenery": "lot"}.items():
        position.now.setdefault(name, value)
    for side, edge in ((0, "south"), (1, "north")):
        if not position.hand(side, "edge"):
            position.hold(side, "edge", (edge,))
        if not position.holds(side, "strength"):
            position.of_sides.set(side, "strength", position.side_of.count(side))
    for model in position.models:
        model.mark("charisma", model.profile.charisma, quietly=True)
        position.facing[model.row] = 180.0 if model.side else 0.0


STAGE = Stage(profile, piece, prepare, size())
