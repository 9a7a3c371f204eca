"""The positions that may come of one shooting, each with its chance: what the next one begins with.

Who has shot shoots no more: what the shooting has made of the shooter is no part of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from campale.dice import counts
from campale.dice.chain import Leaving, Worlds
from campale.dice.counts import chances_of
from campale.dice.odds import OddsError
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position
from campale.rulesets.ragnarok import fire, forecasts
from campale.rulesets.ragnarok.actions import no_target
from campale.rulesets.ragnarok.charge import charge_path, farthest
from campale.rulesets.ragnarok.dice import richest
from campale.rulesets.ragnarok.engagement import melees
from campale.rulesets.ragnarok.fire import Hits, Losses, Shot
from campale.rulesets.ragnarok.melee import fight
from campale.rulesets.ragnarok.melee_odds import MOST_PLAYED, charge_forecast, charged, melee_forecast
from campale.rulesets.ragnarok.physical import is_able
from campale.rulesets.ragnarok.shooting_odds import Policy, Shooting, alike, as_they_fall, points_kept, unasked
from campale.rulesets.ragnarok.thrown import hits_of_throw, targets_of_throw, throw
from campale.rulesets.ragnarok.thrown_odds import THROW_AT
from campale.rulesets.ragnarok.weapon_rules import weapon_of

MOST_POSITIONS = 4000

Left = list[tuple[Position, float]]


def after(shot: Shot, policy: Policy | None, position: Position) -> Left:
    """As the forecast has it; raises OddsError where there are too many cases."""
    if comes_to_nothing(position, shot):
        return [(position, 1.0)]
    if policy is not None and richest(position) is not None:
        return [(after, chance) for after, _, chance in Spending(shot, policy, position).outcomes()]
    shooting = Shooting(position, shot, policy)
    values: dict[Any, float] = {shot: 1.0}
    for stage in stages_to_hit(position, shot):
        values = shooting.chain.after(values, partial(stage, shooting.position))
    saved = shooting.saved(values)
    return [(without_shooter(position, shooting.applied(one).position, shot), p) for one, p in saved.items()]


def comes_to_nothing(position: Position, shot: Shot) -> bool:
    """Nobody shoots who has fallen to what was shot before, nor at what is gone, or hidden by where it lies now."""
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    if not (is_able(shooter) and target.is_on_table):
        return True
    if is_thrown(position, shot):
        return all(one is not target for one in targets_of_throw(shooter))
    return no_target(shooter, shot.target, shot.weapon) is not None


def is_thrown(position: Position, shot: Shot) -> bool:
    return weapon_of(position.model(shot.shooter), shot.weapon).kind == "thrown"


def stages_to_hit(position: Position, shot: Shot) -> tuple[Callable[..., Any], ...]:
    """From the shot to its hits."""
    return (hits_of_throw,) if is_thrown(position, shot) else (fire.spot, fire.screen, fire.roll_to_hit)


async def play(shot: Shot, position: Position) -> Position:
    """As the referee plays it."""
    if not comes_to_nothing(position, shot):
        await (throw if is_thrown(position, shot) else fire.shoot)(position, shot)
    return position


def without_shooter(before: Position, after: Position, shot: Shot) -> Position:
    """The position with the shooter as it was."""
    row = shot.shooter
    for name in after.of_models.named(row):
        after.of_models.set(row, name, before.of_models.get(row, name))
    after.where[row] = before.where[row]
    after.forget()
    return after


# ---------------------------------------------------------------- where points are spent on the way


class Spending:
    """A shot on whose dice points are spent: each stage may change the position, and goes on from what it left."""

    def __init__(self, shot: Shot, policy: Policy, position: Position) -> None:
        self.shot = shot
        self.worlds = Worlds(Position.to_bytes, thrown_at(shot.target, policy), MOST_PLAYED)
        self.begun = self.worlds.begin(position)

    def outcomes(self) -> list[tuple[Position, int, float]]:
        """The positions that may be left, with the hits that were not saved."""
        values: dict[Any, float] = {(self.begun, self.shot): 1.0}
        for stage in stages_to_hit(self.worlds.positions[self.begun], self.shot):
            values = and_then(values, partial(self.step, stage))
        values = and_then(values, self.saved)
        return [(self.left(key, losses), len(losses.wounds), chance) for (key, losses), chance in values.items()]

    def step(self, stage: Any, key: Any, value: Any) -> Leaving:
        return self.worlds.after(key, (stage.__name__, value), lambda copy: stage(copy, value))

    def saved(self, key: Any, hits: Hits) -> Leaving:
        found: Leaving = {}
        for one, part in as_they_fall(self.worlds.positions[key], hits):
            for after, share in self.saved_so(key, one).items():
                found[after] = found.get(after, 0.0) + part * share
        return found

    def saved_so(self, key: Any, hits: Hits) -> Leaving:
        begun, stages = fire.hit_by_hit(self.worlds.positions[key], hits)
        values: dict[Any, float] = {(key, alike(begun)): 1.0}
        for place in range(len(stages)):
            values = and_then(values, partial(self.one_save, hits, place))
        return values

    def one_save(self, hits: Hits, place: int, key: Any, losses: Losses) -> Leaving:
        async def save(copy: Position) -> Any:
            _, stages = fire.hit_by_hit(copy, hits)
            return alike(await stages[place](losses))

        return self.worlds.after(key, (hits, place, losses), save)

    def left(self, key: Any, losses: Losses) -> Position:
        copy = self.worlds.positions[key].copy()
        copy.forget()
        unasked(fire.apply(copy, losses))
        return without_shooter(self.worlds.positions[self.begun], copy, self.shot)


def thrown_at(target: int, policy: Policy) -> Policy:
    """What is thrown is thrown at the target of the query; all else is as the policy has it."""
    return lambda question: target if question.prompt == THROW_AT else policy(question)


def and_then(values: Leaving, becomes: Callable[[Any, Any], Leaving]) -> Leaving:
    found: Leaving = {}
    for (key, value), chance in values.items():
        for after, share in becomes(key, value).items():
            found[after] = found.get(after, 0.0) + chance * share
    return found


def forecast(shot: Shot, policy: Policy | None, position: Position) -> Forecast:
    """The table's own forecast; where points are spent only what is not saved, and who falls."""
    if comes_to_nothing(position, shot):
        return Forecast(shot.shooter, shot.target, (), ())
    if policy is None or richest(position) is None:
        return forecasts.forecast(position, shot, policy)
    told = forecasts.forecast(points_kept(position)[0], shot)
    unsaved, fallen = dict[int, float](), dict[int, float]()
    try:
        outcomes = Spending(shot, policy, position).outcomes()
    except OddsError:
        return replace(told, steps=(), gap="too-many", decided=("exploration-points",))
    for after, wounds, chance in outcomes:
        out = sum(is_able(one) and not is_able(after.model(one.row)) for one in position.models)
        unsaved[wounds] = unsaved.get(wounds, 0.0) + chance
        fallen[out] = fallen.get(out, 0.0) + chance
    steps = ("unsaved", "fire/saves", unsaved), ("out-of-action", "wounds/out-of-action", fallen)
    made = tuple(Step(kind, cited, counts.pairs(chances_of(found))) for kind, cited, found in steps)
    return replace(told, steps=made, decided=("exploration-points",))


# ---------------------------------------------------------------- by hand


def forecast_by_hand(is_charge: bool, shooter: int, target: int, policy: Policy | None, position: Position) -> Forecast:
    """Of a charge, or of the melee in which the two stand."""
    tell = charge_forecast if is_charge else melee_forecast
    found = tell(position, shooter, target, policy=policy)
    return found or Forecast(shooter, target, (), (), gap="no-way")


async def play_by_hand(is_charge: bool, charger: int, target: int, position: Position) -> Position:
    """The charge, if it comes home, and the melee to its end."""
    if is_charge:
        model = position.model(charger)
        path = charge_path(model, position.model(target), farthest(model))
        if path is None or not await charged(charger, target, path, position):
            return position
    group = next(rows for rows in melees(position) if charger in rows)
    await fight(position, group)
    return position
