"""The odds of a volley: at men stage by stage, up to who breaks; at a vehicle hit by hit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from campale.dice.counts import Chances, chances_of, together
from campale.dice.odds import of_stage, stage_by_stage
from campale.mechanics.chains import Chain, Fold
from campale.mechanics.steps import mixed, numbers, step
from campale.referee.looks import Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.command.units import units_of
from campale.rulesets.e3m.fire.area import Arm
from campale.rulesets.e3m.fire.plan import VEHICLE, Volley
from campale.rulesets.e3m.fire.volley import (
    Hurt,
    Scored,
    casualties,
    note_firing,
    score_at,
    snipe,
    stages_of,
    struck_by,
)
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.morale.morale import must_test
from campale.rulesets.e3m.odds.alike import Alike
from campale.rulesets.e3m.odds.states import MOST_RUNS, Policy, fails, key_of, lost_of
from campale.rulesets.e3m.vehicles.damage import LOST, Struck, comes_to, damage_by, suffer_damage

COUNTED = Fold(lambda so_far: None, lambda so_far, given: so_far + given)


class Firing:
    """The steps of one volley. ``decided``: the prompts that are answered by the policy on the way."""

    def __init__(self, volley: Volley, policy: Policy | None = None) -> None:
        self.policy = policy
        self.position = volley.unit.position.copy()
        self.volley = volley.on(self.position)
        self.decided: dict[str, None] = {}
        note_firing(self.volley)

    def steps(self) -> list[Step]:
        at = hull_of(self.volley)
        return list(self.at_men() if at is None else self.at_hull(*at))

    # ------------------------------------------------------------ at men

    @rule("fire/procedure", "fire/quarter-loss-test")
    def at_men(self) -> Iterator[Step]:
        """Hits, wounds, unsaved wounds, models lost, units that break."""
        found = stage_by_stage(
            self.position, self.stages, Scored(), self.left, self.policy, MOST_RUNS, Alike(self.volley)
        )
        self.decided.update(dict.fromkeys(name for one in found for name in one.decided))
        scored, _, wounding, unsaved, left = ({k: float(p) for k, p in one.outcomes.items()} for one in found)
        if self.volley.arms:
            yield step("hits", "base-shoot/to-hit", numbers(scored, lambda one: len(one.loose) + len(one.marked)))
            yield step("wounds", "base-shoot/to-wound", numbers(wounding, lambda one: len(one.hits)))
            yield step("unsaved", "base-shoot/best-save", numbers(unsaved, lambda one: len(one.hits)))
        yield step("losses", "base-shoot/wounds", numbers(left, lambda one: one[0]), is_main=True)
        breaking = mixed((chance, how_many(failing)) for (_, failing), chance in left.items())
        if len(breaking) > 1:
            yield step("breaks", "fire/quarter-loss-test", breaking)

    def stages(self, copy: Position) -> tuple[Any, ...]:
        volley = self.volley.on(copy)
        *others, lose = stages_of(volley)
        return (*others, partial(lose_and_snipe, volley, lose))

    def left(self, copy: Position, hurt: Hurt) -> tuple[int, tuple[float, ...]]:
        """How many are lost, and of each unit that must test how likely it is to fail."""
        side = 1 - self.volley.unit.side
        casualties(copy, hurt, Unit(copy, self.volley.unit.row))
        failing = tuple(fails(unit, "quarter-loss") for unit in units_of(copy, side) if must_test(unit))
        return lost_of(self.position, copy, side), failing

    # ------------------------------------------------------------ at a vehicle

    @rule("fire/area-vehicles", "fire/heavy-weapon-target", "base-vehicle/penetration")
    def at_hull(self, arms: tuple[Arm, ...], row: int) -> Iterator[Step]:
        """Hits, those that glance or penetrate, the vehicle lost."""
        scored = self.scored_at(arms, row)
        chain = Chain(self.position, self.policy, MOST_RUNS, key_of)
        ends: dict[tuple[int, int, bool], float] = {}
        for one, chance in scored.items():
            hits = strikes_on(self.position, row, one)
            calls = tuple((strikes, row, hit) for hit in hits)
            for (key, harms), share in chain.folded(chain.begun, 0, calls, COUNTED).items():
                end = len(hits), harms, not chain.position(key).model(row).is_on_table
                ends[end] = ends.get(end, 0.0) + chance * share
        self.decided.update(chain.decided)
        yield step("hits", "base-shoot/to-hit", numbers(ends, lambda end: end[0]))
        yield step("damages", "base-vehicle/penetration", numbers(ends, lambda end: end[1]))
        yield step("losses", "base-vehicle/damage-results", numbers(ends, lambda end: int(end[2])), is_main=True)

    def scored_at(self, arms: tuple[Arm, ...], row: int) -> dict[Scored, float]:
        found, _ = of_stage(
            Scored(), partial(score_at, self.volley, arms, row), self.policy, MOST_RUNS, Alike(self.volley, row)
        )
        self.decided.update(dict.fromkeys(found.decided))
        return {one: float(chance) for one, chance in found.outcomes.items()}


# ---------------------------------------------------------------- the stages of it


def hull_of(volley: Volley) -> tuple[tuple[Arm, ...], int] | None:
    """The vehicle that a volley is fired at, and what with: the area comes before heavy weapons apart from it."""
    if volley.target is not None and volley.target[0] == VEHICLE:
        return volley.arms, volley.target[1]
    if volley.arms or volley.sniper or not volley.apart:
        return None
    row = volley.apart[0][1]
    return tuple(arm for arm, at in volley.apart if at == row), row


async def lose_and_snipe(volley: Volley, lose: Any, dealt: Any) -> Hurt:
    hurt: Hurt = await lose(dealt)
    return hurt if volley.sniper is None else hurt | await snipe(volley)


def strikes_on(position: Position, row: int, scored: Scored) -> list[Struck]:
    """What falls on a vehicle, in the order in which it is struck."""
    vehicle = position.model(row)
    return [
        *(struck_by(position, vehicle, hit) for hit in scored.loose),
        *(hit for at, hit in scored.struck if at == row),
    ]


async def strikes(position: Position, row: int, hit: Struck, _: None) -> int:
    """Whether a hit glances or penetrates. What a lost vehicle does to others is left out."""
    vehicle = position.model(row)
    damage = await damage_by(vehicle, hit)
    if damage is None:
        return 0
    result = comes_to(vehicle, damage.result)
    if result in LOST:
        lose_model(vehicle, result, hit.shooter)
    else:
        await suffer_damage(vehicle, result, hit.shooter)
    return 1


def by_hits(hits: list[Any]) -> tuple[int, str]:
    """Whoever takes most comes first."""
    return -len(hits), repr(hits)


def how_many(chances: tuple[float, ...]) -> Chances:
    """How many of several things happen, each with its own chance."""
    return together(chances_of({0: 1.0 - chance, 1: chance}) for chance in chances)
