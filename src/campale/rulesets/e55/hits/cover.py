"""Cover (2.3.1, 7.3/vehicle-cover): the save it gives each model against each unit that fires at it."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import solid
from campale.rulesets.e55.definitions.sight import Eye, blocked, by_model, eyes_of, eyes_see, hidden_share, views
from campale.rulesets.e55.definitions.types import is_monster, is_vehicle
from campale.rulesets.e55.definitions.units import handles, in_play, is_on_ground, members
from campale.rulesets.e55.hits.attacks import Covers
from campale.rulesets.e55.movement_phase.terrain import cover_of
from campale.rulesets.e55.psychic_powers import powers
from campale.rulesets.e55.unit_types import special
from campale.table.measure import wholly_inside_outline
from campale.table.outlines import box, contains
from campale.table.shapes import TOLERANCE
from campale.table.terrain import Ground, Piece

BLOCKED_SIGHT, OUT_OF_SIGHT = 5, 2
BY_RULE, GROUND_ALONE = 5, 6
STEALTH, SHROUDED, GROUND_BETTER = 2, 1, 1

Firing = Sequence[tuple[int, Sequence[Eye]]]
"""The rows of the units that fire, each with the eyes of its firing models."""


# ---------------------------------------------------------------- 2.3.1/cover-area-terrain


def pieces_with_cover(ground: Ground) -> tuple[Piece, ...]:
    return tuple(piece for piece in ground.pieces if cover_of(piece) is not None)


def is_about(piece: Piece, model: Model) -> bool:
    """Return whether the centre of a model is in the bounding box of a piece, within the tolerance."""
    west, south, east, north = box(piece.outline)
    x, y = model.at
    return west - TOLERANCE <= x <= east + TOLERANCE and south - TOLERANCE <= y <= north + TOLERANCE


@rule("2.3.1/cover-area-terrain", "3.1.2/terrain-extent")
def covers_about(model: Model) -> list[int]:
    """Return the covers of the pieces that contain the centre of a model's base."""
    pieces = model.position.ground.kept(pieces_with_cover)
    found = (cover_of(p) for p in pieces if is_about(p, model) and contains(p.outline, *model.at))
    return [cover for cover in found if cover is not None]


@rule("6.1/mc-area-cover")
def has_no_area_cover(model: Model) -> bool:
    return is_monster(model)


@rule("2.3.1/cover-single-model")
def cover_of_one(model: Model) -> int | None:
    """Return the best cover of a piece that contains a model's whole base."""
    if has_no_area_cover(model):
        return None
    pieces = model.position.ground.kept(pieces_with_cover)
    inside = (p for p in pieces if is_about(p, model) and wholly_inside_outline(solid(model), p.outline))
    return min((cover for piece in inside if (cover := cover_of(piece)) is not None), default=None)


@rule("2.3.1/cover-area-terrain")
def cover_of_unit(unit: Unit) -> int | None:
    """Return the cover of the terrain around more than half of a unit.

    With several pieces, it is the worst cover needed for that half.
    """
    models = members(unit)
    if len(models) == 1:
        return cover_of_one(models[0])
    found = sorted(min(covers) for model in models if (covers := covers_about(model)))
    most = len(models) // 2
    return found[most] if len(found) > most else None


# ---------------------------------------------------------------- 2.3.1/cover-blocked-sight


@rule("2.3.1/cover-blocked-sight")
def cover_of_sight(position: Position, eyes: Sequence[Eye], target: Unit) -> int | None:
    """Return 5+ if half of a unit is screened from more than half of the models that fire."""
    found = views(position, eyes, target)
    screened = blocked(position, found)
    hidden = [by_model(eyes, screened[:, at], every=True) for at in range(len(found.rows))]
    from_most = sum(2 * sum(of_firers) > len(of_firers) for of_firers in hidden)
    return BLOCKED_SIGHT if found.rows and 2 * from_most >= len(found.rows) else None


@rule("2.3.1/cover-out-of-sight")
def cover_unseen(shooter: Unit, eyes: Sequence[Eye], target: Unit) -> int | None:
    """Return 2+ against a unit that does not see the target, if something lets it hit anyway.

    All models of a unit may fire at what the unit sees, even those that see nothing; their fire is not out of sight.
    A unit inside a transport sees from its fire points.
    """
    if eyes_see(target.position, eyes, target):
        return None
    on_foot = [eye for model in in_play(shooter) if not is_vehicle(model) for eye in eyes_of(model)]
    return None if eyes_see(target.position, on_foot, target) else OUT_OF_SIGHT


# ---------------------------------------------------------------- cover from rules


@rule("2.3.1/cover-from-rule")
def printed_cover(model: Model) -> int | None:
    """Return a cover save that the profile states, or that a power gives."""
    found = model.profile.cover_save, powers.ward(model.unit)
    return min((one for one in found if one is not None), default=None)


@rule("8/stealth")
def stealthy(model: Model, cover: int | None) -> int | None:
    if not special.has(model, "stealth"):
        return cover
    return BY_RULE if cover is None else cover - STEALTH


@rule("8/shrouded")
def shrouded(model: Model, cover: int | None) -> int | None:
    if not special.has(model, "shrouded"):
        return cover
    return BY_RULE if cover is None else cover - SHROUDED


@rule("3.2.4/ground-cover")
def on_the_ground(model: Model, cover: int | None) -> int | None:
    if not is_on_ground(model.unit):
        return cover
    return GROUND_ALONE if cover is None else cover - GROUND_BETTER


IMPROVEMENTS = (shrouded, stealthy, on_the_ground)
"""Shrouded first: without other cover it gives 5+, and stealth makes that 3+."""


@rule("2.3.1/cover-best-only")
def best_cover(model: Model, found: Sequence[int | None]) -> int | None:
    """Return the best of a model's covers against the same hits, then improved by its rules."""
    cover = min((one for one in (*found, printed_cover(model)) if one is not None), default=None)
    for improved in IMPROVEMENTS:
        cover = improved(model, cover)
    return cover


# ---------------------------------------------------------------- against all who fire


@rule("2.3.1/cover-granted", "2.3.1/cover-blocked-sight", "3.2/same-target-simultaneous")
def covers_from(firing: Firing, target: Unit) -> Covers:
    """Return the cover of each model of a unit against each unit that fires at it."""
    found: dict[tuple[int, ...], int | None] = {}
    for shooter, eyes in firing:
        unseen = cover_unseen(Unit(target.position, shooter), eyes, target)
        sight = cover_of_sight(target.position, eyes, target), unseen
        for model in members(target):
            if is_vehicle(model):
                found.update(covers_of_vehicle(shooter, eyes, model, unseen))
                continue
            area = None if has_no_area_cover(model) else area_cover(model.unit)
            found[shooter, model.row] = best_cover(model, (*sight, area))
            if len(members(target)) > 1:
                found[shooter, model.row, -1] = best_cover(model, (*sight, cover_of_one(model)))
    return found


def area_cover(unit: Unit) -> int | None:
    key = ("area-cover", unit.row)
    if key not in unit.position.cache:
        unit.position.cache[key] = cover_of_unit(unit)
    cover: int | None = unit.position.cache[key]
    return cover


@rule("7.3/vehicle-cover")
def is_hidden_enough(shares: Sequence[float]) -> bool:
    """Return whether at least half of a vehicle is hidden from every point that a model fires from."""
    return all(share >= 0.5 for share in shares)


def covers_of_vehicle(
    shooter: int, eyes: Sequence[Eye], vehicle: Model, unseen: int | None
) -> dict[tuple[int, ...], int | None]:
    """Return a vehicle's cover against each firing model: none unless half of the vehicle is hidden from that model."""
    shares: dict[int, list[float]] = {}
    for (row, _), share in zip(eyes, hidden_share(eyes, vehicle), strict=True):
        shares.setdefault(row, []).append(share)
    hidden = best_cover(vehicle, (BLOCKED_SIGHT, cover_of_one(vehicle), unseen))
    return {(shooter, vehicle.row, row): hidden if is_hidden_enough(of) else None for row, of in shares.items()}


def covers_of_all(firing: Firing, targets: Sequence[int], position: Position) -> Covers:
    """Return the covers of several units hit at the same moment, cached until a change."""
    kept, key = position.cache, ("covers", tuple(firing), tuple(targets))
    if key not in kept:
        found: dict[tuple[int, ...], int | None] = {}
        for target in handles(position, targets):
            found.update(covers_from(firing, target))
        kept[key] = found
    return dict(kept[key])
