"""Trample and Thunder Charge: straight runs over smaller bases (close-combat/trample-*, thunder-charge)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from campale.mechanics.frames import Frame, push
from campale.mechanics.moves import going
from campale.referee.position import Model, Position
from campale.referee.question import Aim
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.running_over import KINDS, Kind, Meeting, off_the_table, run_frames
from campale.rulesets.wzr.close_combat.special import LARGE, MEDIUM, Special
from campale.rulesets.wzr.movement.moves import TRAMPLING, allowance
from campale.rulesets.wzr.squads.coherency import strays
from campale.rulesets.wzr.turn.points import done, moved
from campale.rulesets.wzr.wounds.hits import automatic, hit_frames
from campale.table.paths import straight
from campale.table.shapes import TOLERANCE, Point, facing_towards, heading, rounded

TRAMPLE, THUNDER = Special("trample", MEDIUM), Special("thunder-charge", LARGE)
RUN_BEGINS = "run-begins"
MOVES = ("walk", "run", "charge", "leap", "dive")
RUNS = {one.name: one for one in (TRAMPLE, THUNDER)}


# ---------------------------------------------------------------- runners and goals


@rule("turn/action-once", "close-combat/trample-move")
def has_moved(model: Model) -> Fault | None:
    """A run excludes every other movement action in the activation."""
    return Fault(model=model.row, word="run-alone") if any(one in MOVES for one in done(model)) else None


@rule("close-combat/trample-move", "movement/distance-cap", "movement/terrain-penalty")
def too_far(model: Model, point: Point) -> Fault | None:
    """A run covers at most twice M, less the cost of the ground."""
    far, limit = math.dist(model.at, point), allowance(model, TRAMPLING, straight(model.at, point))
    return Fault(point, round(far, 2), limit, model.row) if far > limit + TOLERANCE else None


@rule("squads/coherency")
def leaves_its_squad(model: Model, point: Point) -> Fault | None:
    """Like any movement, a run ends within coherency."""
    return strays(model, point)


POINT_RESTRICTIONS = (off_the_table, too_far, leaves_its_squad)


@rule("close-combat/trample-move")
def fields(name: str, model: Model, filled: Sequence[Any]) -> Aim | None:
    """Ask for the point of the table that the model runs to."""

    def refuses(point: Sequence[float]) -> Fault | Refusal | None:
        at = rounded(point[0]), rounded(point[1])
        stays = math.dist(at, model.at) <= TOLERANCE
        return Fault(at, rule="close-combat/trample-move") if stays else first_refusal(POINT_RESTRICTIONS, model, at)

    def suggests() -> Iterator[Plain]:
        return (list(point) for point in goals(model) if refuses(point) is None)

    def samples(rng: Random) -> Plain:
        return rng.choice(list(suggests()) or [list(model.at)])

    shown: dict[str, Plain] = {"within": allowance(model, TRAMPLING)}
    return None if filled else Aim(model.side, name, refuses, samples, suggests, shown, {"model": model.row})


def goals(model: Model) -> Iterator[Point]:
    """Points through the nearest enemies and beyond, then straight ahead and back."""
    far = allowance(model, TRAMPLING) - 0.01
    aims = [facing_towards(model.at, goal) for goal in going.usual_goals(model.unit, [model])]
    for aim in (*aims, model.facing, model.facing + 180.0):
        for share in (1.0, 0.5):
            x, y = heading(aim)
            yield rounded(model.x + share * far * x), rounded(model.y + share * far * y)


def is_possible(model: Model) -> bool:
    return any(first_refusal(POINT_RESTRICTIONS, model, point) is None for point in goals(model))


def frames(name: str, model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    return ((RUN_BEGINS, name, model.row, rounded(details[0][0]), rounded(details[0][1])),)


@rule("close-combat/trample-move", "close-combat/thunder-charge", "movement/rotation")
async def run_begins(position: Position, name: str, row: int, x: float, y: float) -> None:
    """The model faces along its run. The run counts as movement, so it spoils Aim."""
    model = position.model(row)
    position.turn(model, facing_towards(model.at, (x, y)))
    model.mark(marks.AIMED, 0)
    model.jot(marks.MOVED, rounded(moved(model) + math.dist(model.at, (x, y))))
    push(position, *run_frames(name, model, (x, y)))


# ---------------------------------------------------------------- models in the way


@rule("close-combat/trample-hits", "close-combat/trample-stop", "close-combat/thunder-charge", "core/friendly-fire")
def meets(special: Special, runner: Model, other: Model) -> Meeting:
    """The runner strikes smaller bases of either side. Vehicles and bases at least as large stop it."""
    return "strikes" if other.profile.size < special.size and not other.profile.is_vehicle else "stops"


@rule("close-combat/trample-hits", "close-combat/thunder-charge", "core/automatic-hit")
def strike(special: Special, runner: Model, other: Model, driven: float) -> tuple[Frame, ...]:
    """An automatic hit at the runner's unmodified St."""
    if meets(special, runner, other) == "stops":
        return ()
    return hit_frames([automatic(other.row, int(runner.profile.st), special.name, by=runner.row)])


@rule("close-combat/trample-stop", "close-combat/thunder-charge")
def goes_on(runner: Model, other: Model) -> bool:
    """A struck model that is not removed ends the run."""
    return not other.is_on_table


def kind_of_run(special: Special) -> Kind:
    return Kind(partial(meets, special), partial(strike, special), goes_on)


KINDS.update({name: kind_of_run(one) for name, one in RUNS.items()})
