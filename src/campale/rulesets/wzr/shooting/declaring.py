"""The declaration of a ranged attack as one form (shooting/sequence, shooting/rof-allocation)."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from campale.referee.position import Model, Position
from campale.referee.question import Aim, Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import sight_of
from campale.rulesets.wzr.armoury.weapons import (
    GUN_RESTRICTIONS,
    Gun,
    fires_rapidly,
    gun_of,
    guns_of,
    range_of,
    rof_is_fixed,
    rof_of,
)
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.basics.sight import has_line_to, spot
from campale.rulesets.wzr.cards.resources import cannot_add_attack, ready
from campale.rulesets.wzr.shooting.cover import NO_PIECE, Seen, areas, between, continuous, find, reclaimable
from campale.rulesets.wzr.shooting.pieces import pieces_in_reach
from campale.rulesets.wzr.shooting.plan import NOBODY, RAPID, Plan
from campale.rulesets.wzr.shooting.targets import (
    fires_all_round,
    further_targets,
    judged,
    legal_targets,
    nearest,
    needs_test,
    why_not,
)
from campale.rulesets.wzr.shooting.templates import under_wedge
from campale.table.measure import gap_to_outline, gap_to_point
from campale.table.shapes import TOLERANCE, Point, facing_towards, heading

Asking = Generator[Question, Any, Plan | None]

POINT, WEDGE = "point", "wedge"
BURN, KEEP = "burn", "keep"
FRONT = 75.0
"""The largest angle in degrees off the facing at which a wedge of 30 degrees is wholly in the Front."""
RARELY = 0.2
AHEAD = 5.0
FAN = (1.0, 0.6, 0.3)
"""Shares of the range at which a throw of a grenade is tried."""


# ---------------------------------------------------------------- usable guns


@rule("actions/shoot", "actions/rapid-fire")
def usable(model: Model, action: str, trigger: int = NOBODY) -> list[Gun]:
    """The guns that have something to shoot at."""
    guns = [gun for gun in guns_of(model) if first_refusal(GUN_RESTRICTIONS, gun) is None]
    guns = [gun for gun in guns if action != RAPID or fires_rapidly(gun)]
    return [gun for gun in guns if has_target(gun, trigger)]


def has_target(gun: Gun, trigger: int = NOBODY) -> bool:
    """Whether the gun can shoot at anything, whichever piece is reclaimed."""
    if gun.fire.is_wedge:
        plan = Plan(shooter=gun.model.row, gun=gun.key, trigger=trigger)
        return bool(lying_past(gun, plan)) or (trigger < 0 and bool(pieces_in_reach(gun)))
    if trigger >= 0:
        return bool(at_trigger(gun, trigger, NO_PIECE)) or any(
            at_trigger(gun, trigger, name) for name in to_reclaim(gun, [gun.model.position.model(trigger)])
        )
    if legal_targets(gun) or (gun.is_grenade and some_point(gun)):
        return True
    enemies = gun.model.position.on_table(1 - gun.model.side)
    if any(legal_targets(gun, name) for name in to_reclaim(gun, enemies)):
        return True
    return bool(pieces_in_reach(gun))


@rule("actions/sentry-reaction")
def at_trigger(gun: Gun, trigger: int, reclaimed: str) -> list[Model]:
    """A reaction shoots only at the model that triggered it."""
    target = gun.model.position.model(trigger)
    return [target] if why_not(gun, target, reclaimed) is None else []


@rule("shooting/reclaim-cover")
def to_reclaim(gun: Gun, targets: Sequence[Model]) -> tuple[str, ...]:
    """The pieces that the shooter might reclaim on the way to targets barred by nothing but cover."""
    barred = judged(gun, NO_PIECE)
    open_but_for_cover = [one for one in targets if one.row in barred and is_cover_alone(barred[one.row])]
    return reclaimable(gun.model, [one for target in open_but_for_cover for one in between(gun.model, target)])


def is_cover_alone(refusal: Refusal | None) -> bool:
    return refusal is None or refusal.rule == "shooting/three-covers"


# ---------------------------------------------------------------- the form


@rule("shooting/sequence")
def declaration(model: Model, action: str, trigger: int = NOBODY) -> Asking:
    """Ask for the weapon, the cards to burn, the piece to reclaim, and the targets."""
    guns = usable(model, action, trigger)
    if not guns:
        return None
    key = yield Choose(model.side, "weapon", [gun.key for gun in guns], "weapon", about={"model": model.row})
    plan = yield from planning(gun_of(model, str(key)), action, trigger, bool(model.marks(marks.AIMED)))
    return plan


@rule("shooting/sequence")
def planning(gun: Gun, action: str, trigger: int, aimed: bool, others: Sequence[Plan] = ()) -> Asking:
    """Ask for the attack with one gun. ``others``: attacks of the same model already declared with it."""
    model = gun.model
    plan = Plan(shooter=model.row, gun=gun.key, action=action, trigger=trigger, extra=int(action == RAPID))
    plan = plan.but(aimed=aimed)
    plan = yield from more_shots(gun, plan, others)
    found: Plan | None = yield from aiming(gun, plan)
    return found


@rule("cards/burn-rof", "cards/burn-uses", "setup/modes")
def more_shots(gun: Gun, plan: Plan, others: Sequence[Plan]) -> Generator[Question, Any, Plan]:
    """Ask for a Resource card for RoF +1, before any die; once for each model and turn."""
    model = gun.model
    barred = rof_is_fixed(gun) or cannot_add_attack(model) is not None
    if barred or any(one.burned for one in others) or cards_left(gun, others) < 1:
        return plan
    answer = yield Choose(model.side, "burn-rof", [KEEP, BURN], "word", about={"model": model.row}, odds={BURN: RARELY})
    return plan.but(extra=plan.extra + 1, burned=1) if answer == BURN else plan


@rule("cards/burn-uses", "armoury/car24-launcher")
def cards_left(gun: Gun, others: Sequence[Plan]) -> int:
    """The Resource cards still ready after paying for this gun and the other attacks."""
    model = gun.model
    prices = (one.burned + gun_of(model, one.gun).fire.burn for one in others)
    return ready(model.position, model.side) - gun.fire.burn - sum(prices)


@rule("shooting/sequence", "shooting/rof-allocation", "structures/attack-target")
def aiming(gun: Gun, plan: Plan) -> Asking:
    """Ask what is reclaimed and for the targets, again after a failed test. None: there is nothing to shoot at."""
    if gun.fire.is_wedge:
        return (yield from laying(gun, plan))
    names = [name for name in (*to_reclaim(gun, enemies_of(gun, plan)), NO_PIECE) if primaries(gun, plan, name)]
    if not names:
        return None
    plan = yield from reclaiming(gun, plan, worth_asking(gun, plan, names))
    about: dict[str, Plain] = {"model": gun.model.row, "gun": gun.key}
    rows = primaries(gun, plan, plan.reclaimed)
    odds = {row: RARELY for row in rows if isinstance(row, str)}
    closed = partial(closed_to, gun, plan)
    primary = yield Choose(gun.model.side, "primary", rows, "model", about=about, odds=odds, closed=closed)
    if primary == POINT:
        return (yield from throwing(gun, plan))
    if isinstance(primary, str):
        return plan.but(piece=primary, targets=(NOBODY,) * rof_of(gun, plan.extra))
    targets = yield from allocated(gun, plan, int(primary), legal_for(gun, plan, plan.reclaimed))
    return (yield from choosing_location(gun, plan.but(targets=targets)))


@rule("shooting/reclaim-cover")
def worth_asking(gun: Gun, plan: Plan, names: Sequence[str]) -> Sequence[str]:
    """What the player chooses from. A single piece that changes no target can only help: it is reclaimed unasked."""
    if len(names) != 2 or names[1] != NO_PIECE:
        return names
    with_it, without = (primaries(gun, plan, name) for name in names)
    return names[:1] if with_it == without else names


def enemies_of(gun: Gun, plan: Plan) -> list[Model]:
    """The enemies that the shot may aim at; in a reaction only the model that triggered it."""
    enemies = gun.model.position.on_table(1 - gun.model.side)
    return [one for one in enemies if one.row not in plan.left_out and plan.trigger in (NOBODY, one.row)]


def legal_for(gun: Gun, plan: Plan, reclaimed: str) -> list[Model]:
    found = judged(gun, reclaimed)
    return [one for one in enemies_of(gun, plan) if found[one.row] is None]


@rule("shooting/target-priority", "shooting/target-identified", "actions/sentry-reaction")
def closed_to(gun: Gun, plan: Plan) -> dict[Plain, Fault | Refusal | None]:
    """For each enemy's row, why it cannot be shot at now, or None."""
    found: dict[Plain, Fault | Refusal | None] = {}
    for row, refusal in judged(gun, plan.reclaimed).items():
        rules = {
            "actions/sentry-reaction": plan.trigger not in (NOBODY, row),
            "shooting/target-identified": row in plan.left_out,
            "shooting/target-priority": plan.bound,
        }
        found[row] = refusal or next((Refusal(rule, model=row) for rule, holds in rules.items() if holds), None)
    return found


def reclaiming(gun: Gun, plan: Plan, names: Sequence[str]) -> Generator[Question, Any, Plan]:
    """Ask which piece to reclaim, or none. There is no question if only one answer is possible."""
    if len(names) == 1:
        return plan.but(reclaimed=names[0])
    odds = {NO_PIECE: RARELY}
    name = yield Choose(gun.model.side, "reclaim", list(names), "piece", about={"model": gun.model.row}, odds=odds)
    return plan.but(reclaimed=str(name))


@rule("shooting/target-priority", "shooting/target-identified", "structures/attack-target", "armoury/grenade-point")
def primaries(gun: Gun, plan: Plan, reclaimed: str) -> list[Plain]:
    """The possible primary targets: nearest enemies, other enemies, a point for a grenade, pieces of terrain."""
    legal = legal_for(gun, plan, reclaimed)
    first = nearest(gun, legal)
    if plan.bound:
        return [one.row for one in first]
    rows: list[Plain] = [one.row for one in (*first, *(one for one in legal if one not in first))]
    if plan.trigger >= 0:
        return rows
    return [*rows, *((POINT,) if gun.is_grenade and some_point(gun) else ()), *pieces_in_reach(gun)]


@rule("shooting/rof-allocation")
def allocated(gun: Gun, plan: Plan, primary: int, legal: Sequence[Model]) -> Generator[Question, Any, tuple[int, ...]]:
    """The targets: the first is the primary; others are it or an enemy near it that has no attack yet."""
    given = [primary]
    tests = 1 if gun.fire.area else rof_of(gun, plan.extra)
    for _ in range(tests - 1):
        rows = [primary]
        if plan.trigger < 0:
            rows = further_targets(gun.model.position.model(primary), given, legal)
        if len(rows) == 1:
            given.append(primary)
            continue
        number: dict[str, Plain] = {"attack": len(given) + 1, "attacks": tests}
        about: dict[str, Plain] = {"model": gun.model.row, "gun": gun.key, "given": list(given), **number}
        row = yield Choose(gun.model.side, "further", list(rows), "model", about=about)
        given.append(int(row))
    return tuple(given)


@rule("actions/aim", "vehicles/target-vehicle-hit")
def choosing_location(gun: Gun, plan: Plan) -> Asking:
    """A model that aims at a vehicle may choose the location for its first attack."""
    target = gun.model.position.model(plan.primary)
    if not (plan.aimed and target.profile.is_vehicle) or gun.is_power or gun.fire.area:
        return plan
    names = [one.name for one in target.profile.vehicle.locations]
    name = yield Choose(gun.model.side, "location", [*names, NO_PIECE], "location", about={"model": target.row})
    return plan if name == NO_PIECE else plan.but(location=str(name))


# ---------------------------------------------------------------- grenades at a point


@rule("armoury/grenade-point", "armoury/grenade-reclaim")
def throwing(gun: Gun, plan: Plan) -> Asking:
    """Ask for the point, then what to reclaim: a piece beside the thrower on the line, or else one at the point."""
    at = yield point_question(gun)
    position = gun.model.position
    point = (float(at[0]), float(at[1]))
    covers = find(gun.model, [Seen(spot(point, position.ruleset.level(position, *point)), 1, NOBODY)])[0]
    own = reclaimable(gun.model, covers)
    plan = plan.but(at=point, reclaimed=NO_PIECE)
    return (yield from reclaiming(gun, plan, [*(own or pieces_at(position, point)), NO_PIECE]))


@rule("armoury/grenade-reclaim", "shooting/cover-cumulative")
def pieces_at(position: Position, at: Point) -> tuple[str, ...]:
    """The names of the areas that the point lies in, as their cover is named."""
    pieces, first = position.ground.kept(areas).pieces, position.ground.kept(continuous)
    over = (k for k, one in enumerate(pieces) if gap_to_outline(spot(at), one.outline) <= TOLERANCE)
    return tuple(dict.fromkeys(pieces[first[k]].name for k in over))


@rule("armoury/grenade-point")
def why_not_at(gun: Gun, at: Sequence[float]) -> Fault | Refusal | None:
    """The point must be in range, in the Front, in sight, on the table, and not on a friend."""
    model, point = gun.model, (at[0], at[1])
    ground, most = model.position.ground, range_of(gun)
    far = gap_to_point(model.solid, *point)
    if not within(far, most):
        return Fault(point, far, most, rule="armoury/grenade-range")
    on_table = 0.0 <= point[0] <= ground.width and 0.0 <= point[1] <= ground.depth
    on_friend = any(gap_to_point(m.solid, *point) <= 0.0 for m in model.position.on_table(model.side))
    ahead = fires_all_round(gun) or is_ahead(model, point)
    z = model.position.ruleset.level(model.position, *point) if on_table else 0.0
    seen = within(far, sight_of(model)) and has_line_to(model, point, z)
    if on_table and ahead and not on_friend and seen:
        return None
    return Fault(point, rule="armoury/grenade-point")


def is_ahead(model: Model, point: Point) -> bool:
    ahead = heading(model.facing)
    return (point[0] - model.x) * ahead[0] + (point[1] - model.y) * ahead[1] >= -TOLERANCE


def point_question(gun: Gun) -> Aim:
    """Ask where the grenade is thrown."""
    model, most = gun.model, range_of(gun)

    def refuses(answer: Sequence[float]) -> Fault | Refusal | None:
        return why_not_at(gun, answer)

    def samples(rng: Random) -> Plain:
        for _ in range(50):
            ahead, far = heading(model.facing + rng.uniform(-90.0, 90.0)), most * rng.random()
            point = [round(model.x + far * ahead[0], 2), round(model.y + far * ahead[1], 2)]
            if why_not_at(gun, point) is None:
                return point
        return some_point(gun)

    def suggests() -> Iterator[Plain]:
        enemies = sorted(model.position.on_table(1 - model.side), key=lambda one: gap(model, one))
        yield from (list(one.at) for one in enemies if why_not_at(gun, one.at) is None)
        yield from (point for point in (some_point(gun),) if point)

    shown: dict[str, Plain] = {"reach": most}
    return Aim(model.side, "throw-at", refuses, samples, suggests, shown, {"model": model.row, "gun": gun.key})


def some_point(gun: Gun) -> list[float]:
    """A legal point in front of the thrower, or an empty list. Kept until something moves."""
    model, kept, most = gun.model, gun.model.position.layout, range_of(gun)
    key = "throws-at", model.row, gun.key, most, sight_of(model)
    if key not in kept:
        fan = [(turn, far) for far in FAN for turn in (0.0, -40.0, 40.0, -80.0, 80.0)]
        aims = [(heading(model.facing + turn), far * most) for turn, far in fan]
        points = ([round(model.x + far * x, 2), round(model.y + far * y, 2)] for (x, y), far in aims)
        kept[key] = next((point for point in points if why_not_at(gun, point) is None), [])
    found: list[float] = kept[key]
    return list(found)


# ---------------------------------------------------------------- flames and shotguns


@rule("templates/flame", "templates/shotgun", "structures/attack-target")
def laying(gun: Gun, plan: Plan) -> Asking:
    """Ask what is reclaimed and where the wedge lies, or for a piece of terrain. None: there is nothing to hit."""
    names = lying_past(gun, plan)
    if not plan.bound and plan.trigger < 0 and (pieces := pieces_in_reach(gun)):
        rows: list[Plain] = [*([WEDGE] if names else []), *pieces]
        chosen = yield Choose(gun.model.side, "primary", rows, "model", about={"model": gun.model.row, "gun": gun.key})
        if chosen != WEDGE:
            return plan.but(piece=str(chosen), targets=(NOBODY,))
    if not names:
        return None
    plan = yield from reclaiming(gun, plan, names)
    at = yield wedge_question(gun, plan)
    point = (float(at[0]), float(at[1]))
    return plan.but(at=point, targets=(first_touched(gun, point, plan),))


@rule("shooting/reclaim-cover", "templates/flame", "templates/shotgun")
def lying_past(gun: Gun, plan: Plan) -> list[str]:
    """The pieces that can be reclaimed for laying a wedge; for a flame, only those that bar a target."""
    names = [name for name in (*to_reclaim(gun, enemies_of(gun, plan)), NO_PIECE) if is_laid_past(gun, plan, name)]
    if not gun.fire.is_flame:
        return names
    usual = legal_for(gun, plan, NO_PIECE)
    return [name for name in names if name == NO_PIECE or legal_for(gun, plan, name) != usual]


def is_laid_past(gun: Gun, plan: Plan, name: str) -> bool:
    return any(layings(gun, plan.but(reclaimed=name)))


def first_touched(gun: Gun, at: Point, plan: Plan) -> int:
    """The nearest legal enemy under the wedge, which is its primary target."""
    under = [one.row for one in under_wedge(gun, at)]
    legal = [one for one in legal_for(gun, plan, plan.reclaimed) if one.row in under]
    return nearest(gun, legal)[0].row if legal else NOBODY


@rule("templates/flame", "core/friendly-fire", "core/front-rear")
def why_not_laid(gun: Gun, plan: Plan, at: Sequence[float]) -> Fault | None:
    """The wedge lies in the Front, over an enemy that is a legal target (after a failed test, the nearest one)."""
    point = (at[0], at[1])
    turned = abs(turn_towards(gun.model, point))
    if turned > FRONT + TOLERANCE and not fires_all_round(gun):
        return Fault(point, turned, FRONT)
    touched = first_touched(gun, point, plan)
    missed = plan.bound and touched not in [one.row for one in nearest(gun, legal_for(gun, plan, plan.reclaimed))]
    return None if touched >= 0 and not missed else Fault(point)


def turn_towards(model: Model, point: Point) -> float:
    """How far a point lies off the facing, in degrees; clockwise is positive."""
    return (facing_towards(model.at, point) - model.facing + 180.0) % 360.0 - 180.0


def layings(gun: Gun, plan: Plan) -> Iterator[list[float]]:
    """Legal points to lay a wedge towards: each enemy, nearest first, as far as the Front allows."""
    model = gun.model
    for enemy in sorted(legal_for(gun, plan, plan.reclaimed), key=lambda one: gap(model, one)):
        turned = turn_towards(model, enemy.at)
        point = list(enemy.at)
        if abs(turned) > FRONT and not fires_all_round(gun):
            point = ahead_of(model, math.copysign(FRONT - 0.1, turned))
        if why_not_laid(gun, plan, point) is None:
            yield point


def ahead_of(model: Model, turned: float) -> list[float]:
    x, y = heading(model.facing + turned)
    return [round(model.x + AHEAD * x, 2), round(model.y + AHEAD * y, 2)]


def wedge_question(gun: Gun, plan: Plan) -> Aim:
    """Ask for a point that the wedge is laid towards."""
    model = gun.model

    def refuses(answer: Sequence[float]) -> Fault | None:
        return why_not_laid(gun, plan, answer)

    def suggests() -> Iterator[Plain]:
        return layings(gun, plan)

    def samples(rng: Random) -> Plain:
        point = rng.choice(list(layings(gun, plan)))
        other = ahead_of(model, turn_towards(model, (point[0], point[1])) + rng.uniform(-14.0, 14.0))
        return other if refuses(other) is None else point

    shown: dict[str, Plain] = {"reach": range_of(gun)}
    return Aim(model.side, "lay-wedge", refuses, samples, suggests, shown, {"model": model.row, "gun": gun.key})


# ---------------------------------------------------------------- tests that a plan still has to pass


@rule("shooting/target-identified", "templates/flame")
def must_identify(position: Position, plan: Plan) -> bool:
    """Whether the shooter must test: the primary target (for a wedge: the nearest under it) is not the nearest."""
    if plan.identified or plan.bound or plan.trigger >= 0 or plan.primary < 0:
        return False
    gun = gun_of(position.model(plan.shooter), plan.gun)
    legal = [one for one in legal_targets(gun, plan.reclaimed) if one.row not in plan.left_out]
    return needs_test(gun, position.model(plan.primary), legal)
