"""Declared shots: model, weapon and target of each, and the point it is fired from. They are rows in the position."""

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
"""The name of the declaration in the position."""

POWERS = 100
"""A weapon number from here on is a psychic power: POWERS + its index among the model's powers."""


class Shot(NamedTuple):
    """One weapon of a model and how it is fired. All fields are rows or indices.

    ``weapon``: the mount, or POWERS + the power; ``line``: which of its profiles; ``attacks``: how many; ``point``: the
    carrier's fire point, or the mount whose muzzle a monster looks from (-1: neither).
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
    """Return all shots declared and not yet resolved, in the order of the declarations."""
    return [Shot(*one) for one in position.declared.get(FIRE, ())]


def declare(position: Position, shots: list[Shot]) -> None:
    position.declare(FIRE, tuple(tuple(shot) for shot in shots) or None)


@rule("7.6/weapon-destroyed")
def mounts_of(model: Model) -> list[tuple[int, Mount]]:
    """Return the ranged weapons of a model that still work, each with its index."""
    silenced = damage.silenced_mounts(model) if is_vehicle(model) else ()
    mounts = enumerate(model.profile.mounts)
    return [(k, mount) for k, mount in mounts if mount.weapon.is_ranged and k not in silenced]


@rule("3.2/profile-choice")
def lines_of(model: Model) -> list[tuple[int, int, Line]]:
    """Return everything a model may choose to fire, shooting powers included: (weapon, line, the line)."""
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
    """Return the point where a shot's line of sight starts."""
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
    """Return the distance of each shot, from its model to the nearest model of the target, cached until a change."""
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
    """Return the distances of models on round bases to the target, all at once; empty if the target has vehicles."""
    foes = members(target)
    if not foes or any(is_vehicle(foe) for foe in foes):
        return {}
    able = [row for row in rows if position.aboard_of[row] < 0 and position.profiles[row].type != "vehicle"]
    farther = np.array([flying_target(foe) for foe in foes])
    there, z = [foe.row for foe in foes], position.column("z")
    climb = z[there][None, :] - z[able][:, None]
    across = table_of_gaps(position)[np.ix_(able, there)] - np.abs(climb) + np.maximum(0.0, climb) + farther
    return {row: rounded_down(float(least)) for row, least in zip(able, across.min(axis=1), strict=True)}
