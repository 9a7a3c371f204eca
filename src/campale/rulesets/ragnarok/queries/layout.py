"""The models of a query on an empty table: the target, and all attackers at the given distance from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from campale.mechanics.answers import NONE
from campale.mechanics.queries.layout import APART, Body, opposing, prepared
from campale.referee.position import RESERVE, Model, Position
from campale.referee.ruleset import Ruleset
from campale.rulesets.ragnarok.armies.forces import trooper
from campale.rulesets.ragnarok.armies.profile import Profile
from campale.rulesets.ragnarok.armies.staging import STAGE
from campale.rulesets.ragnarok.battle.scenery import SCENERY, scenery_piece
from campale.table.shapes import Point
from campale.table.terrain import Ground, Piece

SIZE = 400.0
MIDDLE = SIZE / 2.0
INSIDE = 1.0
"""How far behind the edge of its cover the base of the target stands, in cm."""
TARGET, ATTACKER = 0, 1
"""The rows of target and first attacker; more attackers have the next rows."""


class States(NamedTuple):
    """The states of the attackers, and of the target."""

    attacker: Sequence[str]
    fatigue: int
    target: Sequence[str]
    wounds: int
    guard: str


class Scene(NamedTuple):
    """Attacker and target, their states, their distance, and the target's cover."""

    attacker: Profile
    target: Profile
    states: States
    distance: float = 0.0
    cover: str = NONE


def set_out(ruleset: Ruleset, scene: Scene, many: int) -> Position:
    """Place the target, and ``many`` attackers on a circle around it."""
    pieces = () if scene.cover == NONE else (cover_of(scene.cover),)
    position = Position(ruleset, Ground(SIZE, SIZE, pieces))
    bodies = [body(scene.attacker)] * many, [body(scene.target)]
    places = opposing(*bodies, scene.distance, MIDDLE, widest=360.0)
    put(position, "Target", 1, scene.target, places.targets[0], 180.0)
    for k, (x, y, turned) in enumerate(places.attackers, 1):
        put(position, f"Attacker {k}", 0, scene.attacker, (x, y), -turned % 360.0)
    if scene.states.guard != NONE:
        put_guard(position, position.model(TARGET), trooper(scene.states.guard).profile)
    position.now["night"] = int(position.options.night)
    prepared(position, STAGE)
    put_in_state(position, scene.states)
    return position


def body(profile: Profile) -> Body:
    return Body(2.0 * profile.base_radius, 2.0 * profile.base_radius)


def cover_of(kind: str) -> Piece:
    """Return a piece with the target just inside, on the side of the attackers."""
    return scenery_piece(kind, (MIDDLE, MIDDLE - INSIDE + SCENERY[kind].depth / 2.0), 0.0, "cover")


def put(position: Position, name: str, side: int, profile: Profile, at: Point, facing: float) -> Model:
    model = position.add_model(name, profile, side, position.add_unit(name, side), RESERVE)
    model.move_to(*at, facing=facing)
    return model


def put_guard(position: Position, target: Model, profile: Profile) -> None:
    """Place a bodyguard right behind the model that it protects."""
    behind = target.y + target.profile.base_radius + profile.base_radius + APART
    put(position, "Bodyguard", 1, profile, (MIDDLE, behind), 180.0).jot("ward", TARGET)


def put_in_state(position: Position, states: States) -> None:
    target = position.model(TARGET)
    for mark in states.target:
        target.mark(mark, 1)
    target.mark("wounds", states.wounds)
    for model in position.models:
        if model.side == 0:
            model.mark("fatigue", states.fatigue)
            for mark in ("moved", "hidden", "prone"):
                model.mark(mark, int(mark in states.attacker))
    position.forget()
