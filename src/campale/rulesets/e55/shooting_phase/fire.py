"""Shots as they are declared: who fires what at whom, and from where. Kept as plain rows in the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line, Mount
from campale.rulesets.e55.definitions.footprints import eyes, fire_points, muzzle
from campale.rulesets.e55.definitions.measuring import flying_target, rounded_down, shot_distance, table_of_gaps
from campale.rulesets.e55.definitions.sight import Eye
from campale.rulesets.e55.definitions.types import is_monster, is_vehicle
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.psychic_powers import powers, psychic
from campale.rulesets.e55.vehicles import damage

FIRE = "fire"
"""The name of the declaration."""

POWERS = 100
"""A weapon numbered from here on is a psychic power: its place among the model's powers."""


class Shot(NamedTuple):
    """One weapon of a model and how it is fired. All are rows or places.

    ``weapon``: the mount, or POWERS + the power; ``line``: which of its profiles; ``attacks``: how many; ``point``: the
    fire point of the carrier, or the mount at whose muzzle a monster looks (-1: neither).
    """

    unit: int
    model: int
    weapon: int
    line: int
    attacks: int
    target: int
    point: int = -1


@rule("3.2/declare-first")
def declared(position: Position) -> list[Shot]:
    """All that has been declared and not yet resolved, in the order of the declarations."""
    return [Shot(*one) for one in position.declared.get(FIRE, ())]


def declare(position: Position, shots: list[Shot]) -> None:
    position.declare(FIRE, tuple(tuple(shot) for shot in shots) or None)


@rule("7.6/weapon-destroyed")
def mounts_of(model: Model) -> list[tuple[int, Mount]]:
    """The ranged weapons of a model that still work, each with its place."""
    silenced = damage.silenced_mounts(model) if is_vehicle(model) else ()
    mounts = enumerate(model.profile.mounts)
    return [(k, mount) for k, mount in mounts if mount.weapon.is_ranged and k not in silenced]


@rule("3.2/profile-choice")
def lines_of(model: Model) -> list[tuple[int, int, Line]]:
    """Everything a model may choose to fire: (weapon, line, the line), its shooting powers included."""
    found = [
        (k, n, line)
        for k, mount in mounts_of(model)
        for n, line in enumerate(powers.lines_of(model, mount.weapon))
        if line.reach != "melee"
    ]
    places = {id(one): k for k, one in enumerate(model.profile.powers)}
    castable = [(places[id(one)], one.shooting) for one in psychic.shooting_lines(model)]
    return found + [(POWERS + k, 0, line) for k, line in castable if line is not None]


def line_of(position: Position, shot: Shot) -> Line:
    model = position.model(shot.model)
    if shot.weapon >= POWERS:
        line: Line = model.profile.powers[shot.weapon - POWERS].shooting
        return line
    return powers.line_of(model, model.profile.mounts[shot.weapon].weapon, shot.line)


@rule("1.1/los-line", "6.1/mc-muzzle", "7.10/fire-points")
def eye_of(position: Position, shot: Shot) -> Eye:
    """The point that a shot's line of sight starts at."""
    model = position.model(shot.model)
    carrier = model.aboard_of
    if carrier is not None and shot.point >= 0:
        return shot.model, fire_points(carrier)[shot.point]
    mounts = model.profile.mounts
    if is_vehicle(model) and shot.weapon < POWERS:
        return shot.model, muzzle(model, mounts[shot.weapon])
    if is_monster(model) and shot.point >= 0:
        return shot.model, muzzle(model, mounts[shot.point])
    return shot.model, eyes(model)


# ---------------------------------------------------------------- 3.2.1: distances of shots


@rule("3.2.1/range")
def distances(position: Position, shots: Sequence[Shot], target: Unit) -> list[int]:
    """How far each shot has to go: from its own model to the nearest model of the target. Kept until a change."""
    kept, key = position.cache, ("distances", tuple(shots), target.row)
    if key not in kept:
        kept[key] = tuple(distances_now(position, shots, target))
    return list(kept[key])


def distances_now(position: Position, shots: Sequence[Shot], target: Unit) -> list[int]:
    found = plain_distances(position, list(dict.fromkeys(shot.model for shot in shots)), target)
    return [found[shot.model] if shot.model in found else distance_of(position, shot, target) for shot in shots]


def distance_of(position: Position, shot: Shot, target: Unit) -> int:
    model = position.model(shot.model)
    return shot_distance(model, target, None if model.aboard_of is None else eye_of(position, shot)[1])


def plain_distances(position: Position, rows: list[int], target: Unit) -> dict[int, int]:
    """The distances of models on round bases to others such, all at once."""
    foes = members(target)
    if not foes or any(is_vehicle(foe) for foe in foes):
        return {}
    able = [row for row in rows if position.aboard_of[row] < 0 and position.profiles[row].type != "vehicle"]
    farther = np.array([flying_target(foe) for foe in foes])
    there, z = [foe.row for foe in foes], position.column("z")
    climb = z[there][None, :] - z[able][:, None]
    across = table_of_gaps(position)[np.ix_(able, there)] - np.abs(climb) + np.maximum(0.0, climb) + farther
    return {row: rounded_down(float(least)) for row, least in zip(able, across.min(axis=1), strict=True)}
