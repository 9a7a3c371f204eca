"""Charges: the target, the path, the distance, and the bonuses carried into the melee."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import numpy as np

from campale.mechanics.moves.move_paths import answer_of
from campale.referee.ask import confirm, roll
from campale.referee.position import Model, Position
from campale.referee.question import Move
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import amount
from campale.rulesets.ragnarok.basics.measuring import ALLOWANCE, CONTACT, gap, gap_between, less_than, within
from campale.rulesets.ragnarok.basics.night import spots
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.basics.sight import is_in_rear, sees
from campale.rulesets.ragnarok.battle.battlefield import touched_pieces
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged, opponents
from campale.rulesets.ragnarok.moving.movement import (
    going_of,
    keeps_off,
    length_of,
    movement_left,
    path_of,
    path_refusal,
    set_facing,
    walk_along,
    walk_of,
)
from campale.rulesets.ragnarok.turn.control_area import controls
from campale.table import planner
from campale.table.paths import Path, plan_length, upto
from campale.table.shapes import Point, facing_towards
from campale.table.sight import crossings

FARTHEST_DICE = 12
CHARGED, COUNTERCHARGED = 1, 2


class Onset(msgspec.Struct, frozen=True, array_like=True):
    """A charge that reached its target: what the melee after it needs to know."""

    charger: int
    target: int
    in_rear: bool
    is_sheltered: bool


# ---------------------------------------------------------------- charge/declaration, charge/path


@rule("charge/declaration", "control-area/radius")
def cannot_be_charged(charger: Model, target: Model) -> Fault | None:
    """Refuse a target unless it is an able enemy in view, or in the control area.

    A hidden enemy in the control area has already been found.
    """
    if is_able(target) and not target.marks("hidden") and (controls(charger, target) or sees(charger, target)):
        return None
    return Fault(target.at, model=target.row)


@rule("charge/path", "charge/distance", "move/declared-path")
def is_out_of_reach(charger: Model, target: Model) -> Fault | None:
    """Refuse a target that is farther than M + 12 cm, or that no path of that length reaches."""
    limit, away = farthest(charger), gap(charger, target)
    if not within(away, limit):
        return Fault(target.at, away, limit, target.row, rule="charge/distance")
    if charge_path(charger, target, limit) is None:
        return Fault(target.at, None, limit, target.row, word="no-charge-path")
    return None


CHARGE_RESTRICTIONS = (cannot_be_charged, is_out_of_reach)


def farthest(charger: Model) -> float:
    return float(charger.profile.movement + FARTHEST_DICE)


@rule("charge/distance")
def dice_needed(charger: Model, at: Point, radius: float) -> float:
    """Return the least total of 2D6 for a charge at a base at a place, if nothing is in the way."""
    return gap_between(charger.at, charger.profile.base_radius, at, radius) - float(charger.profile.movement)


@rule("charge/path")
def charge_path(charger: Model, target: Model, limit: float | None = None) -> Path | None:
    """Return the shortest path found into contact, clear of other enemies, or else past those near the target."""
    return clear_path(charger, target, limit) or squeezing_path(charger, target, limit)


def clear_path(
    charger: Model, target: Model, limit: float | None = None, beside: frozenset[int] = frozenset()
) -> Path | None:
    going = going_of(charger, target, beside)
    disc = (target.x, target.y, target.profile.base_radius)
    return planner.into_contact(going, charger.at, disc, None if limit is None else limit + ALLOWANCE)


@rule("charge/path")
def squeezing_path(charger: Model, target: Model, limit: float | None = None) -> Path | None:
    """Return a path to one of the places round the target, past enemies too near to that place only."""
    everybody = frozenset(enemy.row for enemy in charger.position.on_table(1 - charger.side))
    pushing = clear_path(charger, target, limit, everybody)
    if pushing is None:
        return None
    reach = charger.profile.base_radius + target.profile.base_radius + planner.CONTACT
    places = [pushing.points[-1][:2], *map(tuple, planner.ring(charger.at, target.at, reach).tolist())]
    ways = [way_beside(charger, target, place, limit) for place in places]
    return min((way for way in ways if way is not None), key=plan_length, default=None)


def way_beside(charger: Model, target: Model, place: Point, limit: float | None) -> Path | None:
    going = going_of(charger, target, neighbours(charger, target, place))
    base = np.array([[*target.at, charger.profile.base_radius + target.profile.base_radius]])
    return planner.route(
        planner.with_discs(going, base), charger.at, place, None if limit is None else limit + ALLOWANCE
    )


@rule("charge/path")
def neighbours(charger: Model, target: Model, place: Point) -> frozenset[int]:
    """Return the rows of other enemies that a charger would be too near to where it meets its target."""
    others = [enemy for enemy in charger.position.on_table(1 - charger.side) if enemy is not target]
    gaps = [gap_between(place, charger.profile.base_radius, m.at, m.profile.base_radius) for m in others]
    near = zip(others, gaps, strict=True)
    return frozenset(m.row for m, off in near if less_than(off, keeps_off(charger, m)))


@rule("charge/path")
def misses_target(charger: Model, path: Path, target: Model) -> Fault | None:
    end = path.points[-1]
    off = gap_between((end[0], end[1]), charger.profile.base_radius, target.at, target.profile.base_radius)
    return None if off <= CONTACT else Fault((end[0], end[1]), off, 0.0, target.row)


def charge_refusal(charger: Model, target: Model, path: Path, limit: float) -> Refusal | Fault | None:
    """Return why a path is not a legal charge at the target."""
    refusal = path_refusal(walk_of(charger, path, limit, charged=target))
    if refusal is not None and refusal.rule == "move/one-cm" and clear_path(charger, target, limit) is None:
        beside = neighbours(charger, target, path.points[-1][:2])
        refusal = path_refusal(walk_of(charger, path, limit, charged=target, beside=beside))
    if refusal is not None:
        return refusal
    missed = misses_target(charger, path, target) or overlaps_target(charger, path, target)
    return None if missed is None else msgspec.structs.replace(missed, rule="charge/path")


def overlaps_target(charger: Model, path: Path, target: Model) -> Fault | None:
    base = np.array([[*target.at, target.profile.base_radius]])
    going = planner.going(charger.position.ground, charger.profile.base_radius, base)
    return None if planner.trouble(going, path) is None else Fault(target.at, model=target.row)


def charge_question(charger: Model, target: Model, limit: float, prompt: str = "charge-path") -> Move:
    """Ask for the charger's path into contact."""

    def refuses(answer: tuple[tuple[Point, ...], float | None]) -> Refusal | Fault | None:
        return charge_refusal(charger, target, path_of(charger, answer), limit)

    def suggests() -> Iterator[Plain]:
        path = charge_path(charger, target, limit)
        return iter(()) if path is None else iter((answer_of(path),))

    def samples(rng: Random) -> Plain:
        del rng
        return next(suggests())

    shown = {"allowance": limit, "into_contact_with": target.row}
    return Move(charger.side, prompt, refuses, samples, suggests, shown, {"model": charger.row, "target": target.row})


# ---------------------------------------------------------------- charge/distance


@rule("charge/distance", "dice/order")
async def charge(charger: Model, target: Model, path: Path, from_hiding: bool, kind: int = CHARGED) -> None:
    """Charge: M + 2D6 must cover the path; otherwise the charger moves only M along it."""
    if not controls(charger, target) and not await spots(charger, target):
        return
    place, rear = charger.at, is_in_rear(target, charger.at)
    step = await movement_left(charger, path, float(charger.profile.movement))
    reach = step + await charge_dice(charger)
    if not within(length_of(path), reach):
        walk_along(charger, upto(path, step))
        await set_facing(charger)
        return
    walk_along(charger, path)
    face(charger, target)
    reach_target(charger, target, place, rear, from_hiding, kind)


@rule("charge/distance", "abilities/furious-charge")
async def charge_dice(charger: Model) -> int:
    """Roll 2D6; a furious model may repeat the roll, once."""
    total = (await roll(charger.side, "charge-distance", 2, model=charger.row)).total
    if charger.position.effects_on(charger, "abilities/furious-charge") and await confirm(
        charger.side, "repeat-charge", model=charger.row, total=total
    ):
        total = (await roll(charger.side, "charge-distance", 2, model=charger.row, again=True)).total
    return await amount(charger.position, total, model=charger.row)


@rule("charge/path")
def face(charger: Model, target: Model) -> None:
    charger.position.turn(charger, facing_towards(charger.at, target.at))


# ---------------------------------------------------------------- the bonuses of a charge


@rule("charge/attack-bonus", "charge/rear-bonus", "charge/sheltered-bonus", "hide/bonus")
def reach_target(charger: Model, target: Model, start: Point, in_rear: bool, from_hiding: bool, kind: int) -> None:
    """Record for the melee how the charge came in: its start, its target, and whether it came out of hiding."""
    onset = Onset(charger.row, target.row, in_rear, is_sheltered(target, start))
    kept = charger.position.declared.get("onsets", ())
    charger.position.declare("onsets", (*kept, tuple(msgspec.to_builtins(onset))))
    charger.mark("charged", kind, quietly=True)
    charger.mark("from-hiding", int(from_hiding), quietly=True)
    charger.position.write("charge-home", model=charger.row, target=target.row, rear=in_rear)


@rule("charge/sheltered-bonus")
def is_sheltered(target: Model, start: Point) -> bool:
    """Return whether the target touches a piece with some height that the line from the charger's start crosses."""
    ground = target.position.ground
    lengths, _ = crossings(ground, [(*start, 0.0)], [(*target.at, 0.0)], in_plan=True)
    crossed = {piece.name for piece, length in zip(ground.pieces, lengths[0], strict=True) if length > 0}
    return any(piece.height > 0 and piece.name in crossed for piece in touched_pieces(target))


def onsets(position: Position) -> list[Onset]:
    return [Onset(*one) for one in position.declared.get("onsets", ())]


@rule("charge/engagement")
def begin_charge(charger: Model) -> None:
    """Record a charger: until the reactions are over, it is engaged with no model."""
    position = charger.position
    position.declare("charging", (*position.declared.get("charging", ()), charger.row))


@rule("charge/engagement", "fall-back/from-charge", "charge/attack-bonus")
def settle_charges(position: Position) -> None:
    """Engage models in contact after the reactions; the bonuses of chargers that have nobody to fight are gone."""
    position.declare("charging", None)
    chargers = {row for mark in ("charged", "shot-in-charge") for row in position.of_models.rows_with(mark)}
    for charger in map(position.model, sorted(chargers)):
        if not is_engaged(charger):
            forget_charge(charger)
    forget_who_left(position)
    end_alerts(position)


@rule("fall-back/from-charge", "melee/charge-modifiers-last")
def forget_who_left(position: Position) -> None:
    """Forget charges between models no longer engaged with each other: they count in no later melee."""
    left = [one for one in onsets(position) if position.model(one.target) in opponents(position.model(one.charger))]
    position.declare("onsets", tuple(tuple(msgspec.to_builtins(one)) for one in left) or None)


@rule("alert/end")
def end_alerts(position: Position) -> None:
    """End the alert of all engaged models."""
    for model in position.marked("alert"):
        if is_engaged(model):
            model.mark("alert", 0)


def forget_charge(charger: Model) -> None:
    for mark in ("charged", "from-hiding", "shot-in-charge"):
        charger.mark(mark, 0, quietly=True)
    left = tuple(one for one in charger.position.declared.get("onsets", ()) if one[0] != charger.row)
    charger.position.declare("onsets", left or None)
