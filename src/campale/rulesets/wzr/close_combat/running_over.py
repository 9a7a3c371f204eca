"""Runs over models in the way: Trample, Thunder Charge, and Ram (close-combat/trample-*, vehicles/ram).

They share one frame: the runner goes on to its first contact, the contact is resolved, and the runner goes on unless
something has stopped it. The kind of run decides what a contact means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from campale.mechanics.frames import Frame, push
from campale.mechanics.moves import going
from campale.mechanics.moves.move_paths import surroundings
from campale.referee.position import Model, Position
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.movement.ground import climbed, fence_of
from campale.rulesets.wzr.structures.floors import may_rest
from campale.rulesets.wzr.wounds.removals import PINNING_AT_ONCE
from campale.table import fields
from campale.table.measure import gap
from campale.table.paths import Path, at, distance_at, plan_length, start_facing, straight, upto
from campale.table.shapes import TOLERANCE, Point, Solid, rounded
from campale.table.sweeps import Met, first_within
from campale.table.terrain import Ground, Piece

RUN_OVER, RUN_ON, RUN_ENDS = "run-over", "run-on", "run-ends"
STEP = 0.1
SHORT = 0.0005
"""How far the runner stops before what it may not enter, in inches."""

Meeting = Literal["strikes", "stops", "passes"]
"""The runner strikes the model it meets, is stopped by it, or passes it as if it were not there."""


class Kind(NamedTuple):
    """A kind of run.

    ``meets(runner, other)``: what a contact means. ``strike(runner, other, driven)``: the frames of a contact after
    ``driven`` inches of running. ``goes_on(runner, other)``: whether the run goes on after them. ``ends(runner)``: the
    frames at its end.
    """

    meets: Callable[[Model, Model], Meeting]
    strike: Callable[[Model, Model, float], tuple[Frame, ...]]
    goes_on: Callable[[Model, Model], bool]
    ends: Callable[[Model], tuple[Frame, ...]] = lambda runner: ()


KINDS: dict[str, Kind] = {}
"""The kinds by name; the module of each rule adds its own."""


@rule("movement/basic")
def off_the_table(model: Model, point: Point) -> Fault | None:
    """A run may not aim at a point beyond the table edges."""
    ground = model.position.ground
    inside = 0.0 <= point[0] <= ground.width and 0.0 <= point[1] <= ground.depth
    return None if inside else Fault(point)


class Run(NamedTuple):
    """A run under way: its kind, the runner's row, its end, the inches run, and the rows of models struck."""

    kind: str
    row: int
    end: Point
    driven: float = 0.0
    struck: tuple[int, ...] = ()


@rule("morale/pinning-test", "abilities/brutal")
def run_frames(kind: str, model: Model, end: Point) -> tuple[Frame, ...]:
    """The frames of a run from where the model stands. It is one attack: pinning tests at once wait for its end."""
    return (RUN_OVER, *Run(kind, model.row, (rounded(end[0]), rounded(end[1])))), (PINNING_AT_ONCE,)


async def run_over(position: Position, kind: str, row: int, end: Point, driven: float, struck: Sequence[int]) -> None:
    """Run to the next contact."""
    runner, run = position.model(row), Run(kind, row, end, driven, tuple(struck))
    if not runner.is_on_table:
        return
    path = way_on(runner, end)
    met, others = first_met(runner, path, run)
    limit = first_bar(runner, path)
    far = min(plan_length(path) if met is None else run_before(runner, others, met), limit)
    advance(runner, path, far)
    run = run._replace(driven=rounded(driven + far))
    if met is None or met.distance > limit + TOLERANCE:
        push(position, (RUN_ENDS, kind, row))
        return
    other = others[met.other]
    position.write("run-into", model=row, target=other.row)
    if KINDS[kind].meets(runner, other) == "stops":
        push(position, *KINDS[kind].strike(runner, other, run.driven), (RUN_ENDS, kind, row))
        return
    run = run._replace(struck=(*run.struck, other.row))
    push(position, *KINDS[kind].strike(runner, other, run.driven), (RUN_ON, other.row, *run))


def way_on(runner: Model, end: Point) -> Path:
    """The straight path to the end, with the runner's facing."""
    if (rounded(runner.x), rounded(runner.y)) == (rounded(end[0]), rounded(end[1])):
        return Path((runner.at,), runner.facing)
    return straight(runner.at, end, runner.facing)


def first_met(runner: Model, path: Path, run: Run) -> tuple[Met | None, list[Model]]:
    """The first model that the runner meets, of those that it has not struck and does not pass."""
    meets = KINDS[run.kind].meets
    everybody = [m for m in runner.position.on_table() if m.row != runner.row and m.row not in run.struck]
    others = [m for m in everybody if meets(runner, m) != "passes" and shares_height(runner, m)]
    if not others or plan_length(path) <= TOLERANCE:
        return None, others
    solids = [m.solid for m in others]
    return first_within(path, runner.profile.shape, solids, 0.0, tolerance=-SHORT, unless_receding=True), others


def run_before(runner: Model, others: list[Model], met: Met) -> float:
    """How far the runner gets before a contact: 0 if the two touch already."""
    return 0.0 if gap(runner.solid, others[met.other].solid) <= TOLERANCE else met.distance


def shares_height(runner: Model, other: Model) -> bool:
    top, bottom = runner.z + runner.profile.height, runner.z
    return bool(other.z < top and bottom < other.z + other.profile.height)


@rule("close-combat/trample-stop", "movement/impassable", "movement/obstacles", "movement/basic", "structures/intact")
def first_bar(runner: Model, path: Path) -> float:
    """How far the runner may go before impassable ground, a wall it would have to climb, or the edge stops it.

    On or in a structure it stops where its base would no longer rest on its floor.
    """
    ground, far = runner.position.ground, plan_length(path)
    fence = Ground(ground.width, ground.depth, (*fence_of(runner, False, runner.z).pieces, *climbed_by(runner)))
    trouble = fields.first_trouble(surroundings(runner, runner.profile.shape, [], [], fence).field, path)
    if trouble is not None:
        far = max(0.0, min(far, distance_at(path, trouble.progress) - SHORT))
    while far > TOLERANCE and not rests_at(runner, path, far):
        far = max(0.0, far - STEP)
    return far


@rule("movement/climb", "movement/obstacles")
def climbed_by(runner: Model) -> tuple[Piece, ...]:
    """The obstacles that models climb in a Walk, Run or Charge, but not in a run over others."""
    return runner.position.ground.kept(climbed()).pieces if runner.z <= TOLERANCE else ()


def rests_at(runner: Model, path: Path, far: float) -> bool:
    x, y = (rounded(one) for one in upto(path, far).points[-1][:2])
    return may_rest(runner, Solid(runner.profile.shape, x, y, runner.z, runner.facing, runner.profile.height))


def advance(runner: Model, path: Path, far: float) -> None:
    if far <= TOLERANCE:
        return
    place = at(path, far)
    way = straight(runner.at, (rounded(place.x), rounded(place.y)), start_facing(path))
    going.put(runner, way, z=runner.z)


async def run_on(
    position: Position, other: int, kind: str, row: int, end: Point, driven: float, struck: Sequence[int]
) -> None:
    """Go on with the run, unless the model met has stopped it after all."""
    runner = position.model(row)
    if not runner.is_on_table:
        return
    if KINDS[kind].goes_on(runner, position.model(other)):
        push(position, (RUN_OVER, kind, row, end, driven, tuple(struck)))
    else:
        push(position, (RUN_ENDS, kind, row))


async def run_ends(position: Position, kind: str, row: int) -> None:
    runner = position.model(row)
    if runner.is_on_table:
        push(position, *KINDS[kind].ends(runner))
