"""What the blows of one step of a combat make of vehicles: how much of their structure is left, what is torn off.

Hit after hit, each from every state that those before may have left a vehicle in. Of all that damage does to a vehicle
only what tells in the same round is kept apart: its structure points, and the weapons that it strikes with no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.dice.odds import OddsError, TooMany, exact
from campale.referee.position import Model, Position
from campale.rulesets.e55.definitions.units import DESTROYED, STRUCTURE_LOST
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.odds.hull_odds import Hulls, damages_by, saved_by_vehicle, until_gone
from campale.rulesets.e55.odds.volley_odds import Attacks, Fire, all_hits, and_then, in_floats
from campale.rulesets.e55.vehicles import damage
from campale.rulesets.e55.vehicles.damage import Damage, silenced_mounts

MOST_FATES = 4000


class MayExplode(OddsError):
    """A vehicle may explode among those who fight: what that does to all of them is not gone through."""


class Battered(NamedTuple):
    """A vehicle that is still there: the structure points that it has lost, the places of its weapons that are gone."""

    lost: int
    silenced: tuple[int, ...]


State = Battered | None
Fate = tuple[tuple[int, Any], ...]
"""What has become of models (by row): their counts or state after it, or None for those that are gone."""


def battered(vehicle: Model) -> State:
    """None once it is gone."""
    return Battered(vehicle.marks(STRUCTURE_LOST), silenced_mounts(vehicle)) if vehicle.is_on_table else None


def batter(vehicle: Model, state: Battered) -> None:
    vehicle.mark(STRUCTURE_LOST, state.lost)
    if state.silenced != silenced_mounts(vehicle):
        vehicle.jot(DESTROYED, state.silenced)


def fates_of_hulls(fire: Fire, attacks: Sequence[Attacks]) -> dict[Fate, float]:
    """What becomes of the vehicles of a unit, each by its row; those on which nothing tells are left out."""
    hulls = Battering(fire)
    found: dict[Fate, float] = {}
    for hits, chance in all_hits(attacks).items():
        for fate, share in hulls.of(hits).items():
            found[fate] = found.get(fate, 0.0) + chance * share
    return found


class Battering(Hulls):
    """The vehicles of a unit, and what becomes of them."""

    def of(self, hits: Sequence[Hit]) -> dict[Fate, float]:
        given = self.given(tuple(hit for hit in hits if hit.target < 0))
        found: dict[Fate, float] = {(): 1.0}
        for row in self.rows:
            own = (*given.get(row, ()), *(hit for hit in hits if hit.target == row))
            begun = battered(self.position.models[row])
            fates = self.states(row, tuple(Counter(own).items())) if own else {begun: 1.0}
            found = {
                (*fate, *(((row, state),) if state != begun else ())): p * q
                for fate, p in found.items()
                for state, q in fates.items()
            }
            if len(found) > MOST_FATES:
                raise TooMany("too many fates of vehicles")
        return found

    def states(self, row: int, hits: tuple[tuple[Hit, int], ...]) -> Mapping[State, float]:
        """Of one vehicle, after hits of some kinds."""
        key = "states", row, hits
        if key not in self.kept:
            if not hits:
                self.kept[key] = {battered(self.position.models[row]): 1.0}
            else:
                *others, (last, many) = hits
                before = (*others, (last, many - 1)) if many > 1 else tuple(others)
                self.kept[key] = and_then(self.states(row, before), partial(self.after_hit, row, last))
        found: Mapping[State, float] = self.kept[key]
        return found

    def after_hit(self, row: int, hit: Hit, state: State) -> Mapping[State, float]:
        key = "after", row, hit, state
        if key not in self.kept:
            self.kept[key] = and_then(self.damages(row, hit), partial(self.after_damages, row, state))
        found: Mapping[State, float] = self.kept[key]
        return found

    def damages(self, row: int, hit: Hit) -> Mapping[tuple[Damage, ...], float]:
        """What one hit does that is not saved."""
        key = "damages", row, hit
        if key not in self.kept:
            unsaved = in_floats(self.fire.odds(partial(saved_by_vehicle, row, (hit,), self.fire.covers)))
            by_hits = partial(damages_by, row)
            self.kept[key] = and_then(unsaved, lambda hits: in_floats(self.fire.odds(partial(by_hits, hits))))
        found: Mapping[tuple[Damage, ...], float] = self.kept[key]
        return found

    def after_damages(self, row: int, state: State, damages: tuple[Damage, ...]) -> Mapping[State, float]:
        if state is None or not damages:
            return {state: 1.0}
        copy = self.position.copy()
        batter(copy.models[row], state)
        found = exact(copy, partial(damaged, row, damages), self.fire.answered, partial(left, row))
        self.fire.decided.update(dict.fromkeys(found.decided))
        return in_floats(found)


async def damaged(row: int, damages: Sequence[Damage], position: Position) -> None:
    """Damage after damage. Raises MayExplode."""
    vehicle = position.model(row)
    for one in damages:
        if vehicle.is_on_table and await until_gone(vehicle, damage.damage(vehicle, one)) and vehicle.is_on_table:
            raise MayExplode("an explosion")


def left(row: int, position: Position, _: Any) -> State:
    return battered(position.model(row))
