"""The odds of a Torrent of Fire: the hits of all weapons, then resolved together (vehicles/torrent)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from msgspec.structs import replace

from campale.dice.bags import Bags
from campale.dice.counts import Chances, chances_of, together
from campale.dice.odds import OddsError, Policy, TooMany
from campale.mechanics.steps import step
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.odds.attack_odds import MOST_BAGS, Firing, steps_of
from campale.rulesets.wzr.odds.harm import notes_of
from campale.rulesets.wzr.shooting.plan import tests_of
from campale.rulesets.wzr.vehicles.firing import TORRENT, Plans
from campale.rulesets.wzr.wounds.hits import Hit
from campale.rulesets.wzr.wounds.resolving import STAGES, Harm

Hits = tuple[Hit, ...]


class Torrent:
    """The results of several weapons that fire at once, from a copy of the position."""

    def __init__(self, position: Position, plans: Plans, policy: Policy | None = None) -> None:
        self.firings = [Firing(position, one, policy) for one in plans]
        first = self.firings[0]
        self.before, self.side = first.before, first.side
        self.bags = Bags(self.before, first.policy, most_bags=MOST_BAGS)

    def counted(self, count: Callable[[Firing], Callable[[Any], int]]) -> Chances:
        return together(one.counted(count(one)) for one in self.firings)

    @rule("vehicles/torrent", "core/simultaneous")
    def all_hits(self) -> dict[Hits, float]:
        """The combinations of hits with their chances, weapon by weapon, hits on each primary target first."""
        found: dict[Hits, float] = {(): 1.0}
        for firing in self.firings:
            made: dict[Hits, float] = {}
            for hits, share in firing.hits().items():
                ordered = tuple(sorted(hits, key=lambda hit, one=firing: hit.target != one.plan.primary))  # type: ignore[misc]
                for before, chance in found.items():
                    both = (*before, *ordered)
                    made[both] = made.get(both, 0.0) + chance * share
            if len(made) > MOST_BAGS:
                raise TooMany(f"more than {MOST_BAGS} ways in which several weapons may hit")
            found = made
        return found

    def ends(self) -> dict[Harm | None, float]:
        """The states that all hits may leave behind, with their chances."""
        found: dict[Harm | None, float] = {}
        for hits, share in self.all_hits().items():
            for (harm,), part in self.bags.ends(STAGES, hits).items():
                found[harm] = found.get(harm, 0.0) + share * part
        return found

    def steps(self) -> Iterator[Step]:
        meant = prod(one.meant for one in self.firings)
        if meant < 1.0:
            yield step("as-declared", "shooting/target-identified", chances_of({1: meant, 0: 1.0 - meant}))
        yield step("hits", "shooting/sequence", self.counted(lambda one: one.on_enemies))
        friends = self.counted(lambda one: one.on_friends)
        if len(friends) > 1:
            yield step("hits-friends", "core/friendly-fire", friends)
        rows = [row for one in self.firings for row in one.plan.targets]
        yield from steps_of(self.before, self.side, rows, self.ends())

    @property
    def decided(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*(name for one in self.firings for name in one.decided), *self.bags.decided)))


@rule("vehicles/torrent")
def of_torrent(position: Position, plans: Plans, policy: Policy | None = None) -> Forecast | None:
    """The odds of the weapons that fire at models; None if none does."""
    aimed = tuple(one for one in plans if one.primary >= 0)
    if not aimed:
        return None
    dice = sum(tests_of(position, one) for one in aimed)
    rows = [row for one in aimed for row in one.targets]
    begun = Forecast(aimed[0].shooter, aimed[0].primary, tuple(one.gun for one in aimed), (), (TORRENT,), dice=dice)
    notes = (*notes_of(position, rows), *(["without-terrain"] if len(aimed) < len(plans) else ()))
    try:
        torrent = Torrent(position, aimed, policy)
        found = tuple(torrent.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    return replace(begun, steps=found, decided=torrent.decided, notes=notes)
