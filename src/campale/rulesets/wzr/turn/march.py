"""A squad on the march: the ways of all its models by one answer, given for each model when its turn comes.

This is no rule: the models walk and run one after another as if each had been asked, and whoever goes first is found so
that the others may follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.mechanics.moves import going, move_paths
from campale.mechanics.moves.asking import middle_of
from campale.referee.asking import NOT_OFFERED
from campale.referee.looks import Foretold
from campale.referee.marches import March, Step
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Form, MoveUnit, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.armoury.weapons import gun_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.movement.moves import (
    RUN,
    WALK,
    Gait,
    Way,
    allowance,
    inches_of,
    reaches_near,
    read,
    refusal_of,
)
from campale.rulesets.wzr.shooting.plan import SHOOT
from campale.rulesets.wzr.squads.coherency import strays
from campale.rulesets.wzr.squads.squads import commander
from campale.rulesets.wzr.turn.menu import PASS, cannot_take, list_of_actions
from campale.rulesets.wzr.turn.points import points_of
from campale.rulesets.wzr.turn.sentry import SENTRY
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point

ASK = "ask"
THEN: dict[Plain, tuple[str, ...]] = {ASK: (), SHOOT: (SHOOT, SENTRY, PASS), SENTRY: (SENTRY, PASS), PASS: (PASS,)}
"""The first of these that a model may do it does."""
SHARES = (1.0, 0.75, 0.5, 0.25)
SHORT = 0.01


class Leg(NamedTuple):
    """A model's part of a march: its way, and whether it walks or runs."""

    row: int
    gait: Gait
    path: Path


def march(position: Position, question: Question) -> March | None:
    """The march that a player may choose where he is asked which model acts next; None for a single model."""
    if question.prompt != "next-model" or not isinstance(question, Choose):
        return None
    unit = Unit(position, int(question.about["unit"]))
    ready = begun(position, [position.model(key) for key in question.options() if isinstance(key, int)])
    models = [model for model in ready if may_march(model)]
    if len(models) < 2:
        return None
    activation = position.now.get("activation")
    return March(
        way_of_all(unit, models),
        partial(what_then, unit, models),
        partial(steps, unit, models),
        lambda now: now.now.get("activation") == activation,
    )


def begun(position: Position, models: Sequence[Model]) -> list[Model]:
    """The models in a copy of the position, each with the AP of an activation that has just begun."""
    copy = position.copy()
    found = [copy.model(model.row) for model in models]
    for model in found:
        model.mark(marks.AP, points_of(model, is_engaged(model)))
    return found


def may_march(model: Model) -> bool:
    """Whether the model may simply walk off over the table."""
    is_free = not (model.profile.is_vehicle or is_engaged(model) or model.marks(marks.BERSERK))
    return is_free and model.z <= TOLERANCE and cannot_take(model, WALK.act) is None


# ---------------------------------------------------------------- the question


def way_of_all(unit: Unit, models: Sequence[Model]) -> MoveUnit:
    """Where do all of them go?"""

    def refuses(answer: Sequence[Any]) -> Fault | Refusal | None:
        legs, refusal = legs_of(models, answer)
        return refusal or (None if legs else NOT_OFFERED)

    def seeks(goal: Point) -> Iterator[Plain]:
        return (answer for answer in towards(models, goal) if refuses(as_read(answer)) is None)

    def suggests() -> Iterator[Plain]:
        goals = list(going.usual_goals(unit, models))
        found = (answer for share in SHARES for goal in goals for answer in towards(models, goal, (share,)))
        return (answer for answer in found if refuses(as_read(answer)) is None)

    def foretells(answer: Sequence[Any]) -> list[Foretold]:
        return running(models, answer)

    far = max(longest(model) for model in models)
    near = {row: wide for model in models for row, wide in reaches_near(model, longest(model))}
    shown: dict[str, Plain] = {"allowance": far, "usual": max(allowance(model, WALK) for model in models)}
    shown["reaches"] = [[row, wide] for row, wide in near.items()]
    about: dict[str, Plain] = {"unit": unit.row, "models": [model.row for model in models]}
    asked = MoveUnit(unit.side, "march", refuses, lambda _: next(suggests()), suggests, shown, about, seeks, foretells)
    asked.rules = ("actions/run", "actions/walk", "squads/coherency", "turn/squad-activation")
    return asked


def as_read(answer: Any) -> list[Any]:
    """An answer as its question understands it."""
    return [(tuple(tuple(map(float, point)) for point in points), facing) for points, facing in answer]


def longest(model: Model) -> float:
    may_run = cannot_take(model, RUN.act) is None
    return max(allowance(model, WALK), allowance(model, RUN) if may_run else 0.0)


def towards(models: Sequence[Model], goal: Point, shares: Sequence[float] = SHARES) -> Iterator[Plain]:
    """All of them by the same step straight towards a point: these shares of a walk."""
    (x, y), far = middle_of(models), min(allowance(model, WALK) for model in models) - SHORT
    away = max(0.001, ((goal[0] - x) ** 2 + (goal[1] - y) ** 2) ** 0.5)
    for share in shares:
        part = share * min(1.0, far / away)
        step = (goal[0] - x) * part, (goal[1] - y) * part
        yield [[[[round(m.x + step[0], 3), round(m.y + step[1], 3)]], None] for m in models]


def running(models: Sequence[Model], answer: Sequence[Any]) -> list[Foretold]:
    """How many of the models have to run."""
    legs, _ = legs_of(models, answer)
    count = sum(leg.gait is RUN for leg in legs)
    ap = list_of_actions()[RUN.act].cost
    return [Foretold("runs", "actions/run", {"count": count, "ap": ap})] if count else []


# ---------------------------------------------------------------- who goes when, and how


def legs_of(models: Sequence[Model], answer: Sequence[Any]) -> tuple[list[Leg], Refusal | Fault | None]:
    """The ways of the models that move, in an order in which each is allowed; or why there is none."""
    paths = {model.row: read(model, one) for model, one in zip(models, answer, strict=True)}
    moving = {row: path for row, path in paths.items() if not move_paths.stays(path)}
    waiting = in_order(models, moving)
    legs: list[Leg] = []
    now = models[0].position
    while waiting:
        first: Refusal | Fault | None = None
        for row in waiting:
            gait = gait_of(now.model(row), moving[row])
            refusal = why_not(now.model(row), moving[row], gait)
            if refusal is None:
                break
            first = first or refusal
        else:
            return legs, first
        waiting.remove(row)
        legs.append(Leg(row, gait, moving[row]))
        now = now.supposing({row: move_paths.end_of(moving[row])})
    return legs, first_refusal((left_behind,), [now.model(leg.row) for leg in legs])


@rule("squads/coherency", "squads/out-of-coherency")
def left_behind(models: Sequence[Model]) -> Fault | None:
    """A march leaves none of those who march out of coherency, although each may have left it lawfully at its turn."""
    return next(filter(None, (strays(model, model.at) for model in models)), None)


def in_order(models: Sequence[Model], moving: Mapping[int, Path]) -> list[int]:
    """The Commander first, because the others must stay near him; then those in front."""
    if not moving:
        return []
    going_now = [model for model in models if model.row in moving]
    ends = {row: path.points[-1] for row, path in moving.items()}
    x = sum(ends[m.row][0] - m.x for m in going_now)
    y = sum(ends[m.row][1] - m.y for m in going_now)
    leader = commander(models[0].unit)
    behind = sorted(going_now, key=lambda m: (leader is None or m.row != leader.row, -(m.x * x + m.y * y)))
    return [model.row for model in behind]


def gait_of(model: Model, path: Path) -> Gait:
    """A model runs only where a walk does not take it."""
    is_near = inches_of(model, path) <= allowance(model, WALK, path) + TOLERANCE
    return WALK if is_near or cannot_take(model, RUN.act) is not None else RUN


def why_not(model: Model, path: Path, gait: Gait) -> Refusal | Fault | None:
    return refusal_of(Way(model, path, gait))


# ---------------------------------------------------------------- what follows


def what_then(unit: Unit, models: Sequence[Model], ways: Any) -> Choose | None:
    """What do those who walk do with the AP that they have left?"""
    legs, _ = legs_of(models, as_read(ways))
    walking = [leg.row for leg in legs if leg.gait is WALK]
    about: dict[str, Plain] = {"unit": unit.row, "models": walking}
    return Choose(unit.side, "march-then", list(THEN), "march-then", about=about) if walking else None


def steps(unit: Unit, models: Sequence[Model], ways: Any, then: Plain) -> list[Step]:
    """The answers that take each model along its way, and what it does afterwards."""
    legs, _ = legs_of(models, as_read(ways))
    given = {model.row: one for model, one in zip(models, ways, strict=True)}
    found: list[Step] = []
    for row, gait, _ in legs:
        found.append(Step("next-model", "unit", unit.row, row, must=False))
        found.append(Step("act", "model", row, [gait.act, given[row]]))
        for action in THEN.get(then, ()) if gait is WALK else ():
            answer = partial(shot, models=models) if action == SHOOT else [action]
            found.append(Step("act", "model", row, answer, must=False))
    return found


def shot(question: Question, models: Sequence[Model]) -> Plain:
    """A shot at the nearest legal target, with the first weapon that lays no template and needs no Resource."""
    assert isinstance(question, Form)
    model = next(one for one in models if one.row == question.about["model"])
    menu = question.field([])
    weapons = question.field([SHOOT]) if menu is not None and menu.refusal(SHOOT) is None else None
    keys = weapons.options() if weapons is not None else None
    guns = [gun_of(model, str(key)) for key in keys or ()]
    plain = (gun for gun in guns if not (gun.is_grenade or gun.fire.is_wedge or gun.fire.area or gun.fire.burn))
    shots = (at_the_nearest(question, gun.key) for gun in plain)
    return next((one for one in shots if one is not None), None)


def at_the_nearest(form: Form, weapon: str) -> Plain:
    """The declaration of a shot with a weapon at the first of its targets; None if that is no model."""
    answers: list[Plain] = [SHOOT, weapon]
    field = form.field(answers)
    while field is not None:
        keys = field.options() or []
        first = keys[0] if keys else None
        if first is None or (field.prompt == "primary" and not isinstance(first, int)):
            return None
        answers.append(first)
        field = form.field(answers)
    return answers
