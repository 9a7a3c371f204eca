"""The odds of a volley: at other models hit by hit, up to the morale tests; at a vehicle strike by strike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from campale.dice.chain import Adding, Chain, weighed
from campale.dice.odds import TooMany, exact, of_stage
from campale.dice.stages import Stage
from campale.mechanics.steps import mixed, numbers, step
from campale.referee.looks import Step
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import is_forced, is_routed
from campale.rulesets.e3m.command.units import units_of, wounds_left
from campale.rulesets.e3m.fire.area import Arm
from campale.rulesets.e3m.fire.plan import VEHICLE, Volley
from campale.rulesets.e3m.fire.volley import (
    Dealt,
    Hurt,
    Scored,
    burn,
    casualties,
    note_firing,
    score_at,
    snipe,
    stages_of,
    struck_by,
    with_apart_counted,
)
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.morale.morale import take_tests
from campale.rulesets.e3m.odds.alike import Alike
from campale.rulesets.e3m.odds.states import MOST_LEFT, MOST_RUNS, Policy, key_of, lost_of, wounds_of
from campale.rulesets.e3m.odds.wound_odds import Wounding
from campale.rulesets.e3m.vehicles.damage import LOST, Struck, comes_to, damage_by, suffer_damage

COUNTED = Adding(lambda so_far: None, lambda so_far, given: so_far + given)
WOUND_STEPS = (("wounds", "base-shoot/to-wound"), ("unsaved", "base-shoot/best-save"))


class Left(NamedTuple):
    """What a volley leaves: models and wounds lost, and how many units broke or halted after a test."""

    lost: int
    wounds: int
    broken: int
    halted: int


TEST_STEPS: tuple[tuple[str, str, Callable[[Left], int]], ...] = (
    ("breaks", "fire/quarter-loss-test", lambda one: one.broken),
    ("halts", "orders/forced-halt", lambda one: one.halted),
)


class Firing:
    """The steps of one volley. ``decided``: the prompts that the policy answers on the way."""

    def __init__(self, volley: Volley, policy: Policy | None = None) -> None:
        self.policy = policy
        self.position = volley.unit.position.copy()
        there = volley.on(self.position)
        self.volley = with_apart_counted(there) if there.arms else there
        self.hull = hull_of(self.volley)
        self.alike = Alike(self.volley, -1 if self.hull is None else self.hull[1])
        self.decided: dict[str, None] = {}
        self.runs = 0
        note_firing(self.volley)

    def steps(self) -> list[Step]:
        return list(self.at_men() if self.hull is None else self.at_hull(*self.hull))

    def run(self, value: Any, stage: Stage) -> dict[Any, float]:
        """The results of a stage that leaves the position unchanged, with their chances."""
        if self.runs >= MOST_RUNS:
            raise TooMany(f"more than {MOST_RUNS} branches")
        found, runs = of_stage(value, stage, self.policy, MOST_RUNS - self.runs, self.alike)
        self.runs += runs
        self.decided.update(dict.fromkeys(found.decided))
        return {given: float(chance) for given, chance in found.outcomes.items()}

    # ------------------------------------------------------------ at other models

    @rule("fire/procedure", "fire/quarter-loss-test")
    def at_men(self) -> Iterator[Step]:
        """Hits, wounds, unsaved wounds, models lost on both sides, units that break or halt."""
        score, lay_out, *_ = stages_of(self.volley)
        scored = self.run(Scored(), score) if self.volley.arms else {Scored(): 1.0}
        given = weighed([(self.run(one, lay_out), chance) for one, chance in scored.items()])
        wounding = Wounding(self.volley, self.alike, self.run)
        if self.volley.arms:
            yield step("hits", "base-shoot/to-hit", numbers(scored, lambda one: len(one.loose) + len(one.marked)))
            for number, (kind, id) in enumerate(WOUND_STEPS):
                counts = [(chance, wounding.counted(one, number)) for one, chance in given.items()]
                yield step(kind, id, mixed(counts))
        suffering = weighed([(wounding.suffering(one), chance) for one, chance in given.items()])
        left = weighed([(self.left(wounding.dealt(one)), chance) for one, chance in suffering.items()])
        yield from self.of_wounds(left)
        yield step("losses", "base-shoot/wounds", numbers(left, lambda one: one.lost), is_main=True)
        tested = [(kind, id, numbers(left, counted)) for kind, id, counted in TEST_STEPS]
        burnt = ("losses-back", "base-weapons/special", numbers(scored, self.burnt))
        yield from (step(kind, id, found) for kind, id, found in (*tested, burnt) if len(found) > 1)

    @rule("fire/sniper-resolution")
    def of_wounds(self, left: dict[Left, float]) -> Iterator[Step]:
        """The wounds that a sniper who fires alone takes off a model that has several."""
        if self.volley.arms or self.volley.sniper is None:
            return
        if wounds_left(self.position.model(self.volley.sniper[1])) > 1:
            yield step("unsaved", "base-shoot/wounds", numbers(left, lambda one: one.wounds))

    def left(self, dealt: Dealt) -> dict[Left, float]:
        """What is left after the suffering of models, the sniper and the tests, with chances."""
        call = partial(lose_and_test, self.volley, dealt)
        found = exact(self.position, call, self.policy, self.left_on, MOST_LEFT)
        self.decided.update(dict.fromkeys(found.decided))
        return {one: float(chance) for one, chance in found.outcomes.items()}

    def left_on(self, copy: Position, _: None) -> Left:
        before, side = self.position, 1 - self.volley.unit.side
        pairs = [(unit, type(unit)(before, unit.row)) for unit in units_of(copy, side)]
        broken = sum(is_routed(now) > is_routed(then) for now, then in pairs)
        halted = sum(is_forced(now) > is_forced(then) for now, then in pairs)
        return Left(lost_of(before, copy, side), wounds_of(before, copy, side), broken, halted)

    def burnt(self, scored: Scored) -> int:
        """How many models are lost to their own overheating weapons."""
        if not scored.burnt:
            return 0
        copy = self.position.copy()
        burn(copy, scored.burnt)
        return lost_of(self.position, copy, self.volley.unit.side)

    # ------------------------------------------------------------ at a vehicle

    @rule("fire/area-vehicles", "fire/heavy-weapon-target", "base-vehicle/penetration")
    def at_hull(self, arms: tuple[Arm, ...], row: int) -> Iterator[Step]:
        """Hits, glancing or penetrating hits, and the loss of the vehicle."""
        scored = self.run(Scored(), partial(score_at, self.volley, arms, row))
        chain = Chain(self.position, self.policy, MOST_LEFT, key_of)
        ends: dict[tuple[int, int, bool], float] = {}
        for one, chance in scored.items():
            hits = [self.alike.strike(hit) for hit in strikes_on(self.position, row, one)]
            calls = tuple((strikes, row, hit) for hit in hits)
            for (key, harms), share in chain.folded(chain.begun, 0, calls, COUNTED).items():
                end = len(hits), harms, not chain.position(key).model(row).is_on_table
                ends[end] = ends.get(end, 0.0) + chance * share
        self.decided.update(chain.decided)
        yield step("hits", "base-shoot/to-hit", numbers(ends, lambda end: end[0]))
        yield step("damages", "base-vehicle/penetration", numbers(ends, lambda end: end[1]))
        yield step("losses", "base-vehicle/damage-results", numbers(ends, lambda end: int(end[2])), is_main=True)


# ---------------------------------------------------------------- its stages


def hull_of(volley: Volley) -> tuple[tuple[Arm, ...], int] | None:
    """The arms and the vehicle that they fire at, or None. An area comes before separate heavy weapons."""
    if volley.target is not None and volley.target[0] == VEHICLE:
        return volley.arms, volley.target[1]
    if volley.arms or volley.sniper or not volley.apart:
        return None
    row = volley.apart[0][1]
    return tuple(arm for arm, at in volley.apart if at == row), row


async def lose_and_test(volley: Volley, dealt: Dealt, copy: Position) -> None:
    """The last stage, the sniper, casualties, and the tests that follow."""
    there = volley.on(copy)
    hurt: Hurt = await stages_of(there)[-1](dealt)
    if there.sniper is not None:
        hurt |= await snipe(there)
    await take_tests(copy, casualties(copy, hurt, there.unit), 1 - there.unit.side)


def strikes_on(position: Position, row: int, scored: Scored) -> list[Struck]:
    """The hits on a vehicle, in the order in which they strike."""
    vehicle = position.model(row)
    return [
        *(struck_by(position, vehicle, hit) for hit in scored.loose),
        *(hit for at, hit in scored.struck if at == row),
    ]


async def strikes(position: Position, row: int, hit: Struck, _: None) -> int:
    """Whether a hit glances or penetrates. The effect of a lost vehicle on others is left out."""
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
