"""The odds of what is about to be thrown: the roll to hit has been made, and it is asked at whom, or at which point."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from campale.dice.odds import OddsError
from campale.referee.looks import Forecast, Step
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.ragnarok.dice import one_die
from campale.rulesets.ragnarok.fire import THROWERS_MODIFIERS, Hits, Shot, aiming_of, to_hit
from campale.rulesets.ragnarok.shooting_odds import Shooting, after_hits
from campale.rulesets.ragnarok.thrown import thrown_at
from campale.rulesets.ragnarok.weapon_rules import weapon_of

THROW_AT, THROW_POINT, POINT = "throw-at", "throw-point", "point"


class Throw(Shooting):
    """Something on its way to a model or a point."""

    def __init__(self, position: Position, shot: Shot, point: tuple[float, float] | None) -> None:
        super().__init__(position, shot)
        self.point = point

    def answered(self, question: Any) -> Any:
        if question.prompt == THROW_POINT and self.point is not None:
            return list(self.point)
        if question.prompt == THROW_AT and self.point is not None:
            return POINT
        return super().answered(question)

    async def hits(self, shot: Shot) -> Hits | None:
        """As it is thrown; None where the roll to hit, which is over by now, would have failed."""
        thrower = self.shooter
        need = to_hit(aiming_of(self.position, shot), THROWERS_MODIFIERS)
        about = {"shooter": thrower.row, "weapon": weapon_of(thrower, shot.weapon).id}
        die = await one_die(self.position, thrower.side, "to-hit", need, **about)
        return Hits(shot, await thrown_at(self.position, shot, die.face)) if die.passed else None

    @rule("weapon-rules/thrown", "weapon-rules/blast")
    def steps(self) -> list[Step]:
        """The distance and the hits, then the saves, given that the roll to hit was passed."""
        thrown = self.chain.after({self.shot: 1.0}, self.hits)
        passed = {hits: chance for hits, chance in thrown.items() if hits is not None}
        sure = sum(passed.values())
        return after_hits(self, {hits: chance / sure for hits, chance in passed.items()}) if sure else []


@rule("weapon-rules/thrown")
def forecast_of_throw(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """Of a target, or of a point, named for what is about to be thrown."""
    thrower = position.model(question.about["model"])
    weapon = in_hand(thrower, question.about.get("blast"))
    if weapon is None:
        return None
    is_point = question.prompt == THROW_POINT
    target = thrower.row if is_point or answer == POINT else int(answer)
    begun = Forecast(thrower.row, target, (weapon_of(thrower, weapon).id,), (), notes=("hit-already",))
    if answer == POINT:
        return replace(begun, gap="point-later")
    shot = Shot(thrower.row, target, weapon)
    throw = Throw(position, shot, (float(answer[0]), float(answer[1])) if is_point else None)
    try:
        steps = throw.steps()
    except OddsError:
        return replace(begun, gap="too-many")
    decided = tuple(one for one in throw.chain.decided if one not in (THROW_AT, THROW_POINT))
    return replace(begun, steps=tuple(steps), decided=decided)


def in_hand(thrower: Model, blast: Plain) -> int | None:
    """The place of the first thing to be thrown that has this Blast, or none."""
    weapons = [(k, weapon_of(thrower, k)) for k in range(len(thrower.profile.weapons))]
    fitting = [k for k, one in weapons if one.kind == "thrown" and (one.value("blast") or None) == blast]
    return fitting[0] if fitting else None
