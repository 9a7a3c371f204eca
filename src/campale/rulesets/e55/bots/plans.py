"""Where a squad goes in this turn, by the worth of places for harm and for objectives: a judgement, not a rule."""

from __future__ import annotations

import math
from typing import NamedTuple

from campale.referee.position import Position
from campale.rulesets.e55.bots.appraisal import apart
from campale.rulesets.e55.bots.forecast import RUSH, stride_of
from campale.rulesets.e55.bots.outlook import Outlook, Squad, claims_without, harm_from, held_from, is_lone
from campale.rulesets.e55.bots.posts import reach_of
from campale.table.shapes import Point

RUN = 3.5
"""The average die of a run, in inches."""
GAIN = 1.0
"""How many points better than staying a move has to be."""
MOST_GOALS = 2


class Goal(NamedTuple):
    """Where a squad might go, by which act, the worth of that in points, and the gain over staying."""

    at: Point
    worth: float
    act: str
    gain: float


def plan_of(position: Position, view: Outlook, one: Squad) -> Goal | None:
    """Return where a squad goes in this turn, None if it should stay; cached until something moves."""
    kept, key = position.layout, ("plan", one.unit, position.now["turn"])
    if key not in kept:
        kept[key] = best_goal(position, view, one, stride_of(one.kinds[0][0]))
    found: Goal | None = kept[key]
    return found


def best_goal(position: Position, view: Outlook, one: Squad, stride: float) -> Goal | None:
    """Return the best of the places; a squad runs if it can harm no enemy in this turn."""
    claims = claims_without(position, view, one)
    stays = harm_from(position, view, one) + held_from(position, one, claims, one.at)
    act = "move" if is_in_reach(view, one, stride) else "run"
    far, fires, found = stride + (RUN if act == "run" else 0.0), act == "move", list[Goal]()
    for goal in [*goals_of(view, one, [claim.at for claim in claims]), *foremost(view, one)]:
        at = step_to(one.at, goal, far)
        if goes_ahead(view, one, at):
            continue
        worth = harm_from(position, view, one, at, True, fires) + held_from(position, one, claims, at)
        found.append(Goal(goal, worth, act, worth - stays))
    best = max(found, key=lambda goal: goal.worth, default=None)
    return None if best is None or best.gain < GAIN else best


def goes_ahead(view: Outlook, one: Squad, at: Point) -> bool:
    """Return whether a step takes a model alone ahead of all squads of its side, with no enemy in reach of a charge."""
    then = from_the_enemy(view, one.side, at)
    fronts = [from_the_enemy(view, one.side, mate) for mate in foremost(view, one)]
    return bool(fronts) and RUSH < then < min(from_the_enemy(view, one.side, one.at), *fronts)


def foremost(view: Outlook, one: Squad) -> list[Point]:
    """Return where the foremost squad of a side stands, for a model that is alone."""
    mates = [mate.at for mate in view.squads.values() if mate.side == one.side and not is_lone(mate)]
    return sorted(mates, key=lambda at: from_the_enemy(view, one.side, at))[:1] if is_lone(one) else []


def from_the_enemy(view: Outlook, side: int, at: Point) -> float:
    return min((apart(at, enemy.at) for enemy in view.enemies(side)), default=math.inf)


def is_in_reach(view: Outlook, one: Squad, stride: float) -> bool:
    """Return whether a squad may fire at an enemy, or charge one, after it has moved."""
    far = max(RUSH, *(reach_of(profile) for profile, _ in one.kinds)) + stride
    gaps = view.gaps[one.place]
    return any(gaps[enemy.place] <= far for enemy in view.enemies(one.side))


def goals_of(view: Outlook, one: Squad, objectives: list[Point]) -> list[Point]:
    """Return the nearest objectives, the nearest enemies, and a point away from the nearest enemy."""
    places = sorted(objectives, key=lambda at: apart(one.at, at))[:MOST_GOALS]
    enemies = sorted(view.enemies(one.side), key=lambda enemy: view.gaps[one.place][enemy.place])
    places += [enemy.at for enemy in enemies[:MOST_GOALS]]
    return [*places, *((2.0 * one.at[0] - e.at[0], 2.0 * one.at[1] - e.at[1]) for e in enemies[:1])]


def step_to(at: Point, goal: Point, far: float) -> Point:
    share = min(1.0, far / max(0.01, apart(at, goal)))
    return at[0] + share * (goal[0] - at[0]), at[1] + share * (goal[1] - at[1])
