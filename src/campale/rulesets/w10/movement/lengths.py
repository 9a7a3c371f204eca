"""The length of a path: across, up and down, on foot or in the air (movement-phase/measuring-moves, flying/*)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.w10.basics.levels import goes_through, slabs, solids
from campale.table.climbs import air_length, climbing_length
from campale.table.levels import climbs_of, height_of, runs, with_heights
from campale.table.paths import Path, furthest_length, plan_length
from campale.table.shapes import TOLERANCE
from campale.table.terrain import Ground

LOW = 2.0
"""Models cross features up to this height, in inches, as if they were not there."""


@rule("movement-phase/measuring-moves", "movement-phase/terrain", "terrain/general", "charge-phase/terrain")
def length_of(model: Model, path: Path) -> float:
    """The length of a path in inches: through the air for a model that can FLY, otherwise on foot."""
    return length_in_the_air(model, path) if model.profile.has("fly") else length_on_foot(model, path)


@rule("movement-phase/measuring-moves", "movement-phase/terrain", "terrain/ruins-movement")
def length_on_foot(model: Model, path: Path) -> float:
    """The path of the part that moves farthest, plus climbs up and down; features up to 2 inches do not count."""
    ground, shape = model.position.ground.kept(solids), model.solid.shape
    climbed = sum(abs(counted(b) - counted(a)) for a, b in climbs_of(path))
    below = [run for run in runs(path) if height_of(run.points[0]) <= TOLERANCE] if ground.pieces else []
    over = sum(climbing_length(run, shape, ground, LOW) - plan_length(run) for run in below)
    return furthest_length(path, shape) + climbed + over


@rule("movement-phase/terrain", "flying/low-terrain")
def counted(z: float) -> float:
    """The height that counts for climbs: 0 up to 2 inches."""
    return 0.0 if z <= LOW + TOLERANCE else z


@rule("flying/over-terrain", "flying/low-terrain", "flying/air-path", "flying/base-level", "flying/finish")
def length_in_the_air(model: Model, path: Path) -> float:
    """The length through the air: slanting up, across and down, clear of everything higher than 2 inches."""
    slanted = with_heights(path, counted)
    ground = blocks_in_the_air(model, *sorted((height_of(slanted.points[0]), height_of(slanted.points[-1]))))
    return air_length(slanted, model.solid.shape, ground, LOW)


@rule("v/fly-terrain", "terrain/ruins-movement")
def blocks_in_the_air(model: Model, low: float, high: float) -> Ground:
    """Features that a flight goes over, and floors of ruins between its ends if the model cannot pass through them."""
    ground = model.position.ground
    if goes_through(model.profile) or high <= TOLERANCE:
        return ground.kept(solids)
    floors = [slab for slab in ground.kept(slabs).pieces if low + TOLERANCE < slab.top <= high + TOLERANCE]
    return Ground(ground.width, ground.depth, (*ground.kept(solids).pieces, *floors))
