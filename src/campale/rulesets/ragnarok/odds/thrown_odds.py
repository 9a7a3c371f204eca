"""The odds of a throw after its roll to hit, when its target or point is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from campale.dice.odds import OddsError
from campale.referee.looks import Forecast, Step
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import one_die
from campale.rulesets.ragnarok.odds.shooting_odds import THROW_AT, Shooting
from campale.rulesets.ragnarok.shooting.fire import THROWERS_MODIFIERS, Hits, Shot, aiming_of, to_hit
from campale.rulesets.ragnarok.shooting.thrown import thrown_at
from campale.rulesets.ragnarok.shooting.weapon_rules import weapon_of

THROW_POINT, POINT = "throw-point", "point"


@rule("weapon-rules/thrown")
async def hits_on_the_way(position: Position, shot: Shot) -> Hits | None:
    """Return the hits of a throw; None if the roll to hit, already made, would have failed."""
    thrower = position.model(shot.shooter)
    need = to_hit(aiming_of(position, shot), THROWERS_MODIFIERS)
    about = {"shooter": thrower.row, "weapon": weapon_of(thrower, shot.weapon).id}
    die = await one_die(position, thrower.side, "to-hit", need, **about)
    return Hits(shot, await thrown_at(position, shot, die.face)) if die.passed else None


@rule("weapon-rules/thrown", "weapon-rules/blast")
def steps_of_throw(shooting: Shooting) -> list[Step]:
    """Return the steps of distance, hits and saves, given that the roll to hit was passed. Raises OddsError."""
    chain = shooting.chain
    thrown = chain.after(chain.begun, hits_on_the_way, shooting.shot)
    passed = {where: chance for where, chance in thrown.items() if where[1] is not None}
    sure = sum(passed.values())
    return shooting.after_hits({where: chance / sure for where, chance in passed.items()}) if sure else []


@rule("weapon-rules/thrown")
def forecast_of_throw(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Return the forecast of a target, or of a point, named for the throw."""
    thrower = position.model(question.about["model"])
    weapon = in_hand(thrower, question.about.get("blast"))
    if weapon is None:
        return None
    is_point = question.prompt == THROW_POINT
    target = thrower.row if is_point or answer == POINT else int(answer)
    begun = Forecast(thrower.row, target, (weapon_of(thrower, weapon).id,), (), notes=("hit-already",))
    if answer == POINT:
        return replace(begun, gap="point-later")
    aimed = {THROW_AT: POINT, THROW_POINT: [float(one) for one in answer[:2]]} if is_point else {THROW_AT: target}
    shooting = Shooting(position, shot_in_hand(question.about, target, weapon), aimed=aimed)
    try:
        steps = steps_of_throw(shooting)
    except OddsError:
        return replace(begun, gap="too-many")
    decided = tuple(one for one in shooting.chain.decided if one not in (THROW_AT, THROW_POINT))
    return replace(begun, steps=tuple(steps), decided=decided)


def shot_in_hand(about: Mapping[str, Any], target: int, weapon: int) -> Shot:
    """Return the throw, as the question tells it: aimed before, or from hiding."""
    is_aimed, is_hidden = bool(about.get("aimed")), bool(about.get("hidden"))
    return Shot(about["model"], target, weapon, is_aimed=is_aimed, from_hiding=is_hidden)


def in_hand(thrower: Model, blast: Plain) -> int | None:
    """Return the index of the first thrown weapon with this Blast, or None."""
    weapons = [(k, weapon_of(thrower, k)) for k in range(len(thrower.profile.weapons))]
    fitting = [k for k, one in weapons if one.kind == "thrown" and (one.value("blast") or None) == blast]
    return fitting[0] if fitting else None
