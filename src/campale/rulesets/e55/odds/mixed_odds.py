"""The odds of hits on a unit of living models and vehicles together: given out among all, then each kind in its way."""

from __future__ import annotations

from collections.abc import Sequence

from campale.dice import counts
from campale.dice.counts import Chances
from campale.dice.odds import TooMany
from campale.referee.looks import Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.odds.hull_odds import NOTHING, Four, Hulls
from campale.rulesets.e55.odds.volley_odds import Attacks, Fire, Hits, all_hits, mixed, numbers_of, step
from campale.rulesets.e55.odds.wound_odds import MOST_WAYS, Losing, Lost, Wounding, is_aimed, wounds_by

Parts = tuple[Hits, Hits]
"""The hits on the living, and those on the vehicles."""


@rule("1.2/mixed-units", "7.17/squadron-hits")
def stages_of_mixed(fire: Fire, attacks: Sequence[Attacks]) -> list[Step]:
    """What is not saved of either kind, the structure points lost, and all the models."""
    if any(is_aimed(one) for one in attacks):
        raise TooMany("hits aimed at single models of a mixed unit")
    unit = Mixed(fire)
    found: list[tuple[float, Lost | None, Four]] = []
    for hits, chance in few_hits(attacks).items():
        found.append((chance, *unit.of(hits)))
    return [
        step("unsaved", "2.3.2/roll-save", mixed((chance, unsaved_of(living)) for chance, living, _ in found)),
        step("damages", "7.4/penetration", mixed((chance, four[1]) for chance, _, four in found)),
        step("structure", "7.1/structure-points", mixed((chance, four[2]) for chance, _, four in found)),
        step("losses", "1.1/casualty", mixed((chance, lost_of(living, four)) for chance, living, four in found)),
    ]


def unsaved_of(living: Lost | None) -> Chances:
    return counts.NONE if living is None else living.unsaved


def lost_of(living: Lost | None, four: Four) -> Chances:
    return four[3] if living is None else counts.together([living.numbers, four[3]])


def few_hits(attacks: Sequence[Attacks]) -> dict[Hits, float]:
    """All the hits that attacks may come to, if they are not too many."""
    found = all_hits(attacks)
    if len(found) > MOST_WAYS:
        raise TooMany("too many numbers of hits")
    return found


def parted(fire: Fire, hits: Hits) -> Parts:
    async def given(position: Position) -> Parts:
        return await resolving.parted(Unit(position, fire.row), hits, fire.covers)

    found: Parts = next(iter(fire.odds(given).outcomes))
    return found


class Mixed:
    """A unit of both kinds, and what is known of hits on it."""

    def __init__(self, fire: Fire) -> None:
        self.fire = fire
        self.losing, self.hulls = Losing(fire), Hulls(fire)
        self.kept: dict[Hits, Lost] = {}

    def of(self, hits: Hits) -> tuple[Lost | None, Four]:
        if not hits:
            return None, NOTHING
        living, vehicles = parted(self.fire, hits)
        given: dict[int, list[Hit]] = {}
        for hit in vehicles:
            given.setdefault(hit.target, []).append(hit)
        return self.on_living(living), self.hulls.all_of(given, ())

    def on_living(self, hits: Hits) -> Lost | None:
        """The wounds of so many hits, given out among those who can be wounded."""
        if not hits:
            return None
        if hits not in self.kept:
            wounding = [Wounding(1, wounds_by(self.fire, hit)) for hit in hits]
            kinds = list(dict.fromkeys(one for each in wounding for wounds in each.wounds for one in wounds))
            self.kept[hits] = self.losing.of(kinds, numbers_of(kinds, wounding), {(): 1.0})
        return self.kept[hits]
