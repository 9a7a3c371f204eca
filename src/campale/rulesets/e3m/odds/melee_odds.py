"""The odds of a melee, by Initiative and unit: wounds, models lost, the winner, units that break."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from campale.dice.chain import Chain, Key, Leaving, then, weighed
from campale.dice.counts import chances_of, times
from campale.dice.odds import OddsError
from campale.mechanics.steps import mixed, numbers, step
from campale.mechanics.units import NOBODY
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.melee import (
    CAUSE,
    Blows,
    Fight,
    Inflicted,
    added,
    blows_at,
    choose_targets,
    fight_of,
    give_out,
    hit,
    hit_vehicle,
    how_many,
    initiatives,
    is_against_vehicle,
    lose,
    order_of_blows,
    save,
    wound,
)
from campale.rulesets.e3m.assault.result import is_outnumbered, winner_of
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.fire.wounds import remove_the_dead
from campale.rulesets.e3m.odds.states import MOST_LEFT, Policy, fails, happening, key_of, lost_of
from campale.rulesets.e3m.odds.volley_odds import strikes
from campale.rulesets.e3m.vehicles.damage import Struck

Rows = tuple[frozenset[int], frozenset[int]]


class Fighting:
    """The steps of one melee, seen from one side. ``decided``: the prompts that the policy answers."""

    def __init__(self, position: Position, rows: Sequence[int], side: int, policy: Policy | None = None) -> None:
        self.position = position.copy()
        self.rows, self.side = tuple(rows), side
        self.fight = fight_of(self.position, rows)
        self.order = order_of_blows(self.fight)
        self.strokes: dict[Struck, Struck] = {}
        self.failures: dict[Hashable, float] = {}
        self.chain = Chain(self.position, policy, MOST_LEFT, key_of)

    @property
    def decided(self) -> dict[str, None]:
        return self.chain.decided

    @property
    def has_vehicles(self) -> bool:
        return any(m.profile.has_armour for side in (0, 1) for m in self.fight.models(side))

    def steps(self) -> Iterator[Step]:
        ends = self.fought()
        return self.at_vehicle(ends) if is_against_vehicle(self.position, self.rows) else self.of_both(ends)

    @rule("base-melee/sequence", "base-melee/result")
    def of_both(self, ends: Leaving) -> Iterator[Step]:
        own, foe = self.side, 1 - self.side
        yield step("wounds", "base-melee/wound-and-save", numbers(ends, lambda end: end[1][own]))
        yield step("wounds-back", "base-melee/wound-and-save", numbers(ends, lambda end: end[1][foe]))
        yield step("losses", "base-melee/casualties", numbers(ends, lambda end: self.lost(end[0], foe)), is_main=True)
        yield step("losses-back", "base-melee/casualties", numbers(ends, lambda end: self.lost(end[0], own)))
        winners = {end: self.winner(*end) for end in ends}
        yield step("won", "base-melee/result", numbers(ends, lambda end: int(winners[end] == own)))
        yield step("lost", "base-melee/result", numbers(ends, lambda end: int(winners[end] == foe)))
        for kind, loser in (("breaks", foe), ("breaks-back", own)):
            tests = mixed((p, happening(self.failing(*end, winners[end], loser))) for end, p in ends.items())
            if len(tests) > 1:
                yield step(kind, "assault/defender-loses", tests)

    @rule("base-vehicle/assaulting-vehicles", "base-vehicle/melee-no-result")
    def at_vehicle(self, ends: Leaving) -> Iterator[Step]:
        """The steps against a vehicle that does not strike back: no side wins or tests."""
        own, foe = self.side, 1 - self.side
        yield step("damages", "base-vehicle/penetration", numbers(ends, lambda end: end[1][own]))
        yield step(
            "losses", "base-vehicle/damage-results", numbers(ends, lambda end: self.lost(end[0], foe)), is_main=True
        )

    # ------------------------------------------------------------ blow by blow

    @rule("base-melee/sequence", "base-general/dice-order")
    def fought(self) -> Leaving:
        """The states that the melee may leave behind, with the wounds inflicted by each side."""
        first = self.fight.attacker
        units = [m.unit.row for side in (first, 1 - first) for m in self.fight.models(side)]
        ends: Leaving = {(self.chain.begun, (0, 0)): 1.0}
        for value in initiatives(self.order):
            for unit in dict.fromkeys(units):
                ends = then(ends, partial(self.unit_strikes, value, unit))
            ends = then(ends, self.buried)
        return ends

    def unit_strikes(self, value: int, unit: int, key: Key, so_far: Inflicted) -> Leaving:
        """The blows of one unit, one target after another."""
        rows = tuple(row for row, one in self.order if one == value and self.position.unit_of[row] == unit)
        if not rows:
            return {(key, so_far): 1.0}
        side = self.position.unit_side[unit]
        found: Leaving = {}
        for (same, aimed), chance in self.chain.after(key, aims, self.engaged, rows).items():
            ends: Leaving = {(same, 0): chance}
            for blows in aimed:
                ends = then(ends, partial(self.struck, blows))
            for (after, wounds), share in ends.items():
                end = after, added(so_far, (wounds, 0) if side == 0 else (0, wounds))
                found[end] = found.get(end, 0.0) + share
        return found

    def struck(self, blows: Blows, key: Key, wounds: int) -> Leaving:
        kind, row = blows.target
        is_hull = kind == "model" and self.position.model(row).profile.has_armour
        found: Leaving = {}
        for (after, more), chance in (self.vehicle if is_hull else self.men)(blows, key).items():
            found[after, wounds + more] = found.get((after, wounds + more), 0.0) + chance
        return found

    def men(self, blows: Blows, key: Key) -> Leaving:
        """Each blow separately up to the unsaved wound; then all unsaved wounds as they are assigned."""
        count = how_many(blows, Fight(self.chain.position(key), *self.engaged))
        if not count:
            return {(key, 0): 1.0}
        ends = self.chain.after(key, one_blow, self.engaged, blows)
        unsaved = times(chances_of({n: chance for (_, n), chance in ends.items()}), count)
        given = [(self.chain.after(key, fall, self.engaged, blows, n), float(p)) for n, p in enumerate(unsaved) if p]
        return weighed(given)

    def vehicle(self, blows: Blows, key: Key) -> Leaving:
        """Blow by blow. The effect of a lost vehicle on others is left out."""
        ends: Leaving = {}
        for (same, struck), share in self.chain.after(key, strokes, self.engaged, blows).items():
            some: Leaving = {(same, 0): share}
            for one in struck:
                like = self.strokes.setdefault(one._replace(shooter=-1), one)
                some = then(some, partial(self.stroke, blows, like))
            ends = weighed([(ends, 1.0), (some, 1.0)])
        return ends

    def stroke(self, blows: Blows, struck: Struck, key: Key, wounds: int) -> Leaving:
        found: Leaving = {}
        for (same, hits), chance in self.chain.after(key, lands, self.engaged, blows, struck).items():
            ends = self.chain.after(same, strikes, blows.target[1], struck, None) if hits else {(same, 0): 1.0}
            for (after, more), share in ends.items():
                found[after, wounds + more] = found.get((after, wounds + more), 0.0) + chance * share
        return found

    def buried(self, key: Key, so_far: Inflicted) -> Leaving:
        return {(after, so_far): chance for (after, _), chance in self.chain.after(key, bury).items()}

    @property
    def engaged(self) -> tuple[Rows, int]:
        return self.fight.rows, self.fight.attacker

    # ------------------------------------------------------------ the result

    def fight_after(self, key: Key) -> Fight:
        return self.fight._replace(position=self.chain.position(key))

    def lost(self, key: Key, side: int) -> int:
        return lost_of(self.position, self.chain.position(key), side)

    def winner(self, key: Key, inflicted: Inflicted) -> int:
        found = winner_of(self.fight_after(key), inflicted)
        return NOBODY if found is None else found

    def failing(self, key: Key, _: Inflicted, winner: int, loser: int) -> tuple[float, ...]:
        """For each unit of a side that lost, the chance that it fails its test. Routed units take none."""
        if winner != 1 - loser:
            return ()
        fight = self.fight_after(key)
        worse = is_outnumbered(fight, loser)
        units = [Unit(fight.position, row) for row in self.rows]
        return tuple(
            fails(unit, "melee-lost", worse, self.failures)
            for unit in units
            if unit.side == loser and members(unit) and not is_routed(unit)
        )


# ---------------------------------------------------------------- the forecast


def of_melee(
    position: Position, rows: Sequence[int], unit: Unit, target: Unit, policy: Policy | None = None
) -> Forecast:
    fighting = Fighting(position, rows, unit.side, policy)
    notes = ("lost-vehicle",) if fighting.has_vehicles else ()
    begun = Forecast(members(unit)[0].row, members(target)[0].row, (), (), ("melee",), notes=notes)
    try:
        steps = tuple(fighting.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    return replace(begun, steps=steps, decided=tuple(fighting.decided))


# ---------------------------------------------------------------- its stages


Engaged = tuple[Rows, int]
"""A fight without its position."""


async def aims(position: Position, engaged: Engaged, strikers: tuple[int, ...]) -> tuple[Blows, ...]:
    """The blows of a unit's models that still stand, with their targets."""
    models = [model for row in strikers if (model := position.model(row)).is_on_table]
    return tuple(await choose_targets(models[0].side, models, Fight(position, *engaged))) if models else ()


async def one_blow(position: Position, engaged: Engaged, blows: Blows) -> int:
    """Whether a single blow hits, wounds and is not saved, as 0 or 1."""
    fight = Fight(position, *engaged)
    return await save(blows, fight, await wound(blows, fight, await hit(blows, fight, 1)))


async def fall(position: Position, engaged: Engaged, blows: Blows, unsaved: int) -> int:
    """Assign this many wounds, and lose them."""
    fight = Fight(position, *engaged)
    return await lose(blows, fight, [], await give_out(blows, fight, unsaved))


async def strokes(position: Position, engaged: Engaged, blows: Blows) -> tuple[Struck, ...]:
    return await blows_at(blows, Fight(position, *engaged))


async def lands(position: Position, engaged: Engaged, blows: Blows, struck: Struck) -> bool:
    """Whether a single blow at a vehicle hits."""
    return bool(await hit_vehicle(blows, Fight(position, *engaged), (struck,)))


async def bury(position: Position) -> None:
    """Remove the dead after both sides have struck."""
    remove_the_dead(position.on_table(), CAUSE)
