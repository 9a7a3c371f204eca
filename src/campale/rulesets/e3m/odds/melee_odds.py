"""The odds of a melee, Initiative by Initiative: wounds, models lost, who wins, who breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campale.dice.chain import Leaving
from campale.mechanics.chains import Chain, then
from campale.mechanics.steps import mixed, numbers, step
from campale.referee.looks import Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.melee import (
    Fight,
    Inflicted,
    Order,
    added,
    fight_of,
    initiatives,
    is_against_vehicle,
    order_of_blows,
    strike_at,
)
from campale.rulesets.e3m.assault.result import is_outnumbered, winner_of
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.odds.states import MOST_RUNS, Policy, fails, how_many, key_of, lost_of

NOBODY = -1
Rows = tuple[frozenset[int], frozenset[int]]


class Fighting:
    """The steps of one melee, from the side that looks at it. ``decided``: the prompts that the policy answers."""

    def __init__(self, position: Position, rows: Sequence[int], side: int, policy: Policy | None = None) -> None:
        self.position = position.copy()
        self.rows, self.side = tuple(rows), side
        self.fight = fight_of(self.position, rows)
        self.order = order_of_blows(self.fight)
        self.chain = Chain(self.position, policy, MOST_RUNS, key_of)

    @property
    def decided(self) -> dict[str, None]:
        return self.chain.decided

    @rule("base-melee/sequence", "base-melee/result")
    def steps(self) -> Iterator[Step]:
        ends: Leaving = {(self.chain.begun, (0, 0)): 1.0}
        for value in initiatives(self.order):
            ends = then(ends, lambda key, so_far, value=value: self.one_more(key, so_far, value))  # type: ignore[misc]
        own, foe = self.side, 1 - self.side
        yield step("wounds", "base-melee/wound-and-save", numbers(ends, lambda end: end[1][own]))
        yield step("wounds-back", "base-melee/wound-and-save", numbers(ends, lambda end: end[1][foe]))
        yield step("losses", "base-melee/casualties", numbers(ends, lambda end: self.lost(end[0], foe)), is_main=True)
        yield step("losses-back", "base-melee/casualties", numbers(ends, lambda end: self.lost(end[0], own)))
        if is_against_vehicle(self.position, self.rows):
            return
        winners = {end: self.winner(*end) for end in ends}
        yield step("won", "base-melee/result", numbers(ends, lambda end: int(winners[end] == own)))
        yield step("lost", "base-melee/result", numbers(ends, lambda end: int(winners[end] == foe)))
        for kind, loser in (("breaks", foe), ("breaks-back", own)):
            tests = mixed((p, how_many(self.failing(*end, winners[end], loser))) for end, p in ends.items())
            if len(tests) > 1:
                yield step(kind, "assault/defender-loses", tests)

    def one_more(self, key: object, so_far: Inflicted, value: int) -> Leaving:
        fight = self.fight
        struck = self.chain.after(key, blows, fight.rows, fight.attacker, self.order, value)
        found: Leaving = {}
        for (after, given), chance in struck.items():
            end = after, added(so_far, given)
            found[end] = found.get(end, 0.0) + chance
        return found

    def fight_after(self, key: object) -> Fight:
        return self.fight._replace(position=self.chain.position(key))

    def lost(self, key: object, side: int) -> int:
        return lost_of(self.position, self.chain.position(key), side)

    def winner(self, key: object, inflicted: Inflicted) -> int:
        found = winner_of(self.fight_after(key), inflicted)
        return NOBODY if found is None else found

    def failing(self, key: object, _: Inflicted, winner: int, loser: int) -> tuple[float, ...]:
        """Of each unit of a side that has lost how likely it is to fail its test; who is routed takes none."""
        if winner != 1 - loser:
            return ()
        fight = self.fight_after(key)
        worse = is_outnumbered(fight, loser)
        units = [Unit(fight.position, row) for row in self.rows]
        return tuple(
            fails(unit, "melee-lost", worse)
            for unit in units
            if unit.side == loser and members(unit) and not is_routed(unit)
        )


async def blows(position: Position, rows: Rows, attacker: int, order: Order, value: int) -> Inflicted:
    return await strike_at(Fight(position, rows, attacker), order, value)
