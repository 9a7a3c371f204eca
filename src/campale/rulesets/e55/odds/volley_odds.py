"""The odds of a volley: what one die to hit, one marker or one template does, and how many hits all of them make.

Dice that nothing tells apart are run once, and counted (``campale.dice.counts``): a hit wounds, and a wound of
identical models that save together is saved, whatever becomes of the others. What hangs on how many there are (the
allotment, the wounds that a model has left, the models that are left) is run for every number. Of a marker every
place where it may come to lie is run of which it would hit somebody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from campale.dice import counts
from campale.dice.chain import Chain
from campale.dice.counts import Chances, chances_of
from campale.dice.odds import Distribution, TooMany, exact
from campale.referee.looks import Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.hits import cover
from campale.rulesets.e55.hits.attacks import Covers, Hit
from campale.rulesets.e55.shooting_phase import volley
from campale.rulesets.e55.shooting_phase.fire import Shot
from campale.rulesets.e55.weapons.templates import places_for_marker, ways_to_lay
from campale.rulesets.e55.weapons.weapon_rules import skill_at

MOST_RUNS = 20_000
LOSSES = "choose-losses"

Hits = tuple[Hit, ...]
Policy = Callable[[Any], Any]
Varied = Callable[[Policy], Policy]
"""Makes of the usual answers to what players decide others."""


class Attacks(NamedTuple):
    """Attacks that are alike: how many, and the chance of what one of them hits: dice, markers or templates."""

    many: int
    hits: dict[Hits, float]


class Fire:
    """All that strikes one unit at the same moment in one forecast, on a copy of the position.

    ``common`` holds what is known of dice, by all that they hang on: volleys of one query may share it.
    """

    def __init__(self, position: Position, target: int, common: dict[Any, Any] | None = None) -> None:
        self.position = position.copy()
        self.row = target
        self.common: dict[Any, Any] = {} if common is None else common
        self.decided: dict[str, None] = {}
        self.policy: Policy = as_proposed
        self.chain = Chain(self.answered, MOST_RUNS)
        self.covers: Covers = {}
        self.found: dict[Any, Any] = {}

    @property
    def target(self) -> Unit:
        return Unit(self.position, self.row)

    def answered(self, question: Any) -> Any:
        return self.policy(question)

    def odds(
        self,
        call: Callable[[Position], Coroutine[Any, Any, Any]],
        outcome: Callable[[Position, Any], Any] | None = None,
    ) -> Distribution:
        """The chances of one thing, by the enumeration of its own coroutine."""
        found = exact(self.position, call, self.answered, outcome)
        self.decided.update(dict.fromkeys(found.decided))
        return found


class Volley(Fire):
    """The fire of some shots at one unit."""

    def __init__(
        self,
        position: Position,
        shots: Sequence[Shot],
        target: int,
        varied: Varied | None = None,
        common: dict[Any, Any] | None = None,
    ) -> None:
        super().__init__(position, target, common)
        self.shots = shots
        able = volley.able(self.position, shots)
        self.aimed = volley.in_range(self.position, self.target, volley.in_order(able))
        self.direct = [one for one in self.aimed if volley.rolls_to_hit(one.line)]
        self.laid = [one for one in self.aimed if not volley.rolls_to_hit(one.line)]
        self.known: list[tuple[int, dict[Hits, float]]] | None = None
        self.attacks: list[Attacks] | None = None
        usual = by_proposal if self.laid else as_proposed
        self.policy = usual if varied is None else varied(usual)
        if self.aimed:
            firing = volley.eyes_of_volley(self.position, self.aimed)
            self.covers = cover.covers_of_all(firing, [target], self.position)
        self.covers_by_model: dict[int, list[Any]] = {}
        for (unit, row, *by), cover_from in self.covers.items():
            if by and by[0] >= 0:
                self.covers_by_model.setdefault(by[0], []).append((unit, row, cover_from))


def as_proposed(question: Any) -> Any:
    """The policy: what is proposed. Which of identical models go makes no difference to how many do."""
    if question.prompt == LOSSES:
        return list(question.holders)[: len(question.items)]
    return by_proposal(question)


def by_proposal(question: Any) -> Any:
    """The policy where it is not all one which of identical models go: some may be under a marker too."""
    proposed = question.proposals(1)
    return proposed[0] if proposed else question.sample(Random(0))


# ---------------------------------------------------------------- hits


def attacks_of(fire: Volley) -> list[Attacks]:
    """All that is fired, what is alike together; of markers and templates the hits on the target."""
    if fire.attacks is None:
        laid = [Attacks(many, on_unit(fire, found)) for many, found in laid_of(fire)]
        fire.attacks = [*pools_of(fire), *laid]
    return fire.attacks


def pools_of(fire: Volley) -> list[Attacks]:
    """The dice to hit, by what one of them needs and what its hit would be."""
    found: dict[Any, tuple[int, volley.Aimed]] = {}
    for one in fire.direct:
        needs = volley.needs_of(fire.position, fire.target, one)
        key = needs, kind_of(fire, volley.hit_of(one))
        found[key] = found.get(key, (0, one))[0] + one.shot.attacks, one
    return [Attacks(count, hits_by_need(fire, one, needs)) for (needs, _), (count, one) in found.items()]


def hits_by_need(fire: Volley, aimed: volley.Aimed, needs: Any) -> dict[Hits, float]:
    """What one die hits hangs on nothing but the shot and what it needs."""
    key = "hits", aimed, needs
    if key not in fire.common:
        fire.common[key] = hits_of_one(fire, aimed)
    found: dict[Hits, float] = fire.common[key]
    return found


def kind_of(fire: Volley, hit: Hit) -> tuple[Hit, frozenset[Any]]:
    """A hit without who made it, and the covers that hang on that."""
    return replace(hit, by_model=-1), frozenset(fire.covers_by_model.get(hit.by_model, ()))


def hits_of_one(fire: Fire, aimed: volley.Aimed) -> dict[Hits, float]:
    single = aimed._replace(shot=aimed.shot._replace(attacks=1))

    async def one_die(position: Position) -> Hits:
        return tuple(await volley.hits_by_dice(position, Unit(position, fire.row), [single]))

    return in_floats(fire.odds(one_die))


@rule("9.1/template", "9.1.1/area")
def laid_of(fire: Volley) -> list[tuple[int, dict[Hits, float]]]:
    """The markers and templates: how many are laid alike, and the chance of whom one of them hits, friends too."""
    if fire.known is None:
        found: dict[Any, tuple[int, volley.Aimed]] = {}
        for one in fire.laid:
            key = laid_alike(fire, one)
            found[key] = found.get(key, (0, one))[0] + one.shot.attacks, one
        fire.known = [(many, hits_of_laid(fire, one)) for many, one in found.values()]
    return fire.known


def laid_alike(fire: Volley, one: volley.Aimed) -> Any:
    """What decides whom a marker or template hits, and how."""
    bs = skill_at(fire.position.model(one.shot.model), one.line, one.distance)
    is_template = one.line.reach == "template"
    where = ways_to_lay(fire.position, one.shot) if is_template else places_for_marker(fire.position, one.shot)
    return one.line, bs, tuple(where), kind_of(fire, volley.hit_of(one))


def hits_of_laid(fire: Volley, aimed: volley.Aimed) -> dict[Hits, float]:
    single = aimed._replace(shot=aimed.shot._replace(attacks=1))

    async def one_laid(position: Position) -> Hits:
        return tuple(volley.hit_of(single, row) for row in await volley.under_all(position, single))

    return in_floats(fire.odds(one_laid))


def on_unit(fire: Fire, hits: Mapping[Hits, float]) -> dict[Hits, float]:
    """Of the hits of markers and templates those on the target."""
    own = fire.position.unit_of
    found: dict[Hits, float] = {}
    for several, chance in hits.items():
        there = tuple(hit for hit in several if own[hit.target] == fire.row)
        found[there] = found.get(there, 0.0) + chance
    return found


def astray(fire: Volley) -> list[Step]:
    """How many others are hit, where any may be."""
    laid = laid_of(fire)
    firer = 1 - fire.target.side
    kinds = (("hits-friends", firer), ("hits-others", 1 - firer))
    found = [(kind, counts.together(others(fire, laid, side))) for kind, side in kinds]
    return [step(kind, "9.1.1/area", chances) for kind, chances in found if len(chances) > 1]


def others(fire: Fire, laid: Iterable[tuple[int, Mapping[Hits, float]]], side: int) -> Iterable[Chances]:
    """How many models of a side, those of the target left out, each lot of markers hits."""
    position = fire.position

    def counted(hits: Hits) -> int:
        rows = [hit.target for hit in hits]
        return sum(position.side_of[row] == side and position.unit_of[row] != fire.row for row in rows)

    for many, hits in laid:
        yield counts.times(chances_of(by_number(hits, counted)), many)


# ---------------------------------------------------------------- common to all stages


def step(kind: str, cited: str, found: Chances) -> Step:
    return Step(kind, cited, counts.pairs(found), kind == MAIN)


MAIN = "losses"
"""The stage by which a forecast is told where there is room for one number."""


def in_floats(found: Distribution) -> dict[Any, float]:
    return {outcome: float(chance) for outcome, chance in found.outcomes.items()}


def by_number(outcomes: Mapping[Any, float], counted: Callable[[Any], int] = len) -> dict[int, float]:
    found: Counter[int] = Counter()
    for several, chance in outcomes.items():
        found[counted(several)] += chance  # type: ignore[assignment]
    return dict(found)


def hits_counted(attacks: Sequence[Attacks]) -> Chances:
    return counts.together(counts.times(chances_of(by_number(one.hits)), one.many) for one in attacks)


def and_then(outcomes: Mapping[Any, float], becomes: Callable[[Any], Mapping[Any, float]]) -> dict[Any, float]:
    """What becomes of each outcome."""
    found: dict[Any, float] = {}
    for outcome, chance in outcomes.items():
        for later, share in becomes(outcome).items():
            found[later] = found.get(later, 0.0) + chance * share
    return found


# ---------------------------------------------------------------- how many of each kind

MOST_NUMBERS = 1600
MOST_STRUCK = 8000


def numbers_of(
    kinds: Sequence[Any], attacks: Sequence[tuple[int, Mapping[Any, float]]]
) -> dict[tuple[int, ...], float]:
    """The chance of so many of each kind of thing, where attacks (many, what one gives) give several of them."""
    several = np.ones((1,) * len(kinds))
    for many, given in attacks:
        shifts = [(tuple(things.count(kind) for kind in kinds), chance) for things, chance in given.items()]
        for _ in range(many):
            several = one_more(several, shifts)
        if np.count_nonzero(several) > MOST_NUMBERS:
            raise TooMany("too many kinds of hits or wounds")
    return {tuple(map(int, place)): float(several[tuple(place)]) for place in np.argwhere(several > RAREST)}


def all_hits(attacks: Sequence[Attacks]) -> dict[Hits, float]:
    """The chance of all the hits that attacks may come to."""
    kinds = list(dict.fromkeys(hit for one in attacks for hits in one.hits for hit in hits))
    numbers = numbers_of(kinds, [(one.many, one.hits) for one in attacks])
    return {
        tuple(kind for kind, count in zip(kinds, number, strict=True) for _ in range(count)): chance
        for number, chance in numbers.items()
    }


RAREST = 1e-16
"""Numbers that come up more seldom than this are not gone through: it is less than numbers are rounded by."""


def one_more(several: np.ndarray[Any, Any], shifts: Sequence[tuple[tuple[int, ...], float]]) -> np.ndarray[Any, Any]:
    """With one attack more."""
    most = [max(shift[axis] for shift, _ in shifts) for axis in range(several.ndim)]
    found = np.zeros([size + more for size, more in zip(several.shape, most, strict=True)])
    for shift, chance in shifts:
        found[tuple(slice(by, by + size) for by, size in zip(shift, several.shape, strict=True))] += chance * several
    return found


def struck_of(attacks: Sequence[Attacks]) -> dict[Hits, float]:
    """The chance of which models the markers and templates hit, all together."""
    found: dict[Hits, float] = {(): 1.0}
    for one in attacks:
        for _ in range(one.many):
            found = with_one_laid(found, one.hits)
    return found


def with_one_laid(struck: Mapping[Hits, float], hits: Mapping[Hits, float]) -> dict[Hits, float]:
    found: dict[Hits, float] = {}
    for before, chance in struck.items():
        for more, share in hits.items():
            if chance * share > RAREST:
                after = tuple(sorted((*before, *more), key=order_of_hits))
                found[after] = found.get(after, 0.0) + chance * share
    if len(found) > MOST_STRUCK:
        raise TooMany("too many places for the markers")
    return found


def order_of_hits(hit: Hit) -> tuple[int, int, int]:
    return hit.target, hit.strength, -1 if hit.ap is None else hit.ap


# ---------------------------------------------------------------- sums that hang on numbers


def spread(count: Chances, becomes: Callable[[int], Chances]) -> Chances:
    """What becomes of a number of things, where it hangs on how many they are."""
    return mixed((chance, becomes(number)) for number, chance in enumerate(count) if chance > 0)


def mixed(several: Iterable[tuple[float, Chances]]) -> Chances:
    found = np.zeros(1)
    for chance, numbers in several:
        if len(numbers) > len(found):
            found = np.pad(found, (0, len(numbers) - len(found)))
        found[: len(numbers)] += chance * numbers
    return found
