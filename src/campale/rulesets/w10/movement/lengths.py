"""How long a way is: across, up and down, on foot or through the air (movement-phase/measuring-moves, flying/*)."""

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
"""Features no higher than this are crossed as if they were not there."""


@rule("movement-phase/measuring-moves", "movement-phase/terrain", "terrain/general", "charge-phase/terrain")
def length_of(model: Model, path: Path) -> float:
    """In the air for who can FLY, else on foot."""
    return length_in_the_air(model, path) if model.profile.has("fly") else length_on_foot(model, path)


@rule("movement-phase/measuring-moves", "movement-phase/terrain", "terrain/ruins-movement")
def length_on_foot(model: Model, path: Path) -> float:
    """The way of the part that goes farthest, and all that is climbed up and down, but features of 2 inches at most."""
    ground, shape = model.position.ground.kept(solids), model.solid.shape
    climbed = sum(abs(counted(b) - counted(a)) for a, b in climbs_of(path))
    below = [run for run in runs(path) if height_of(run.points[0]) <= TOLERANCE] if ground.pieces else []
    over = sum(climbing_length(run, shape, ground, LOW) - plan_length(run) for run in below)
    return furthest_length(path, shape) + climbed + over


@rule("movement-phase/terrain", "flying/low-terrain")
def counted(z: float) -> float:
    """A height as it counts for climbs: 0 up to 2 inches."""
    return 0.0 if z <= LOW + TOLERANCE else z


@rule("flying/over-terrain", "flying/low-terrain", "flying/air-path", "flying/base-level", "flying/finish")
def length_in_the_air(model: Model, path: Path) -> float:
    """Slanting up, across and down, clear of all that is higher than 2 inches."""
    slanted = with_heights(path, counted)
    ground = blocks_in_the_air(model, *sorted((height_of(slanted.points[0]), height_of(slanted.points[-1]))))
    return air_length(slanted, model.solid.shape, ground, LOW)


@rule("v/fly-terrain", "terrain/ruins-movement")
def blocks_in_the_air(model: Model, low: float, high: float) -> Ground:
    """What a flight goes over; floors of ruins between its ends too, for who does not pass through them."""
    ground = model.position.ground
    if goes_through(model.profile) or high <= TOLERANCE:
        return ground.kept(solids)
    floors = [slab for slab in ground.kept(slabs).pieces if low + TOLERANCE < slab.top <= high + TOLERANCE]
    return Ground(ground.width, ground.depth, (*ground.kept(solids).pieces, *floors))
