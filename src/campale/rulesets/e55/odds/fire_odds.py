"""The odds of fire at one unit, and of everything else that strikes it at once: the very stages that are played."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from campale.dice.bags import Bags
from campale.dice.counts import Chances, certainly, mixed
from campale.dice.odds import TooMany
from campale.dice.stages import All, AnyStage, Each, Parts
from campale.referee.looks import Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_vehicle, living
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import allocation, cover, resolving
from campale.rulesets.e55.hits.attacks import Covers, Hit, Wound
from campale.rulesets.e55.hits.casualties import Fate
from campale.rulesets.e55.hits.resolving import Account, OnLiving, Suffered
from campale.rulesets.e55.hits.saves import Borne, Lot
from campale.rulesets.e55.odds.aimed_odds import on_single_models
from campale.rulesets.e55.odds.going import apart_from_others
from campale.rulesets.e55.odds.morale_odds import ByKind, tests_for
from campale.rulesets.e55.odds.steps import step
from campale.rulesets.e55.shooting_phase import volley
from campale.rulesets.e55.shooting_phase.fire import Shot
from campale.rulesets.e55.shooting_phase.volley import Aimed
from campale.rulesets.e55.vehicles import damage
from campale.rulesets.e55.vehicles.damage import Damage
from campale.rulesets.e55.vehicles.vehicle_hits import Done, OnVehicles
from campale.rulesets.e55.weapons.templates import places_for_marker, ways_to_lay
from campale.rulesets.e55.weapons.weapon_rules import skill_at

LOSSES = "choose-losses"
MOST_FATES = 4000
"""How many fates of a unit are distinguished, model by model."""

T = TypeVar("T")
Policy = Callable[[Any], Any]
Varied = Callable[[Policy], Policy]
"""Turns the usual policy into another one."""


def as_proposed(question: Any) -> Any:
    """Answer with the proposal. Which of identical models fall makes no difference to how many do."""
    if question.prompt == LOSSES:
        return list(question.holders)[: len(question.items)]
    return by_proposal(question)


def by_proposal(question: Any) -> Any:
    """Answer with the proposal, also for the choice of identical models: some of them may be under a marker too."""
    proposed = question.proposals(1)
    return proposed[0] if proposed else question.sample(Random(0))


# ---------------------------------------------------------------- hits on a unit


class Parted(NamedTuple):
    """A hit on a unit of both kinds, and whether it is on its vehicles."""

    is_on_vehicle: bool
    hit: Hit


class Struck:
    """The possible results of things that strike a unit at one moment, from a copy of the position.

    ``to_hit`` are the stages from the things to the hits. ``common`` caches results of dice by everything they depend
    on; several objects may share it.
    """

    def __init__(
        self,
        position: Position,
        row: int,
        things: Sequence[Any],
        to_hit: tuple[AnyStage, ...],
        policy: Policy,
        covers: Covers,
        common: dict[Any, Any] | None = None,
        damaged: Done = apart_from_others,
        rows_matter: bool = False,
    ) -> None:
        self.position, self.row, self.things, self.to_hit = position.copy(), row, things, to_hit
        self.alike = Alike(self.unit, rows_matter)
        self.bags = Bags(self.position, policy, self.alike, common, most_bags=MOST_FATES if rows_matter else None)
        self.living = OnLiving(row, covers)
        self.vehicles = OnVehicles(row, covers, damaged, is_free)

    @property
    def unit(self) -> Unit:
        return Unit(self.position, self.row)

    @property
    def to_wound(self) -> tuple[AnyStage, ...]:
        return *self.to_hit, *self.living.to_wound

    @property
    def stages(self) -> tuple[AnyStage, ...]:
        """Return the stages from the things to the fates of the models."""
        if is_all_vehicles(self.unit):
            return *self.to_hit, *self.vehicles.stages
        if is_mixed(self.unit):
            return *self.to_hit, All("parted", self.parted), Parts("kinds", kind_of, hit_in, self.of_kind)
        return *self.to_hit, *self.living.to_wound, *self.living.wounded

    async def parted(self, position: Position, hits: tuple[Hit, ...]) -> list[Parted]:
        on_living, on_vehicles = await resolving.parted(Unit(position, self.row), hits, self.living.covers)
        return [*(Parted(False, hit) for hit in on_living), *(Parted(True, hit) for hit in on_vehicles)]

    def of_kind(self, position: Position, is_on_vehicle: bool) -> tuple[AnyStage, ...]:
        return self.vehicles.stages if is_on_vehicle else (*self.living.to_wound, *self.living.wounded)

    def numbers(self, counted: Callable[[Any], int], until: str = "") -> Chances:
        return self.bags.numbers(self.stages, self.things, counted, until)


def is_mixed(unit: Unit) -> bool:
    """Return whether a unit has vehicles and living models together."""
    return bool(living(unit)) and any(is_vehicle(model) for model in members(unit))


def kind_of(position: Position, parted: Parted) -> bool:
    return parted.is_on_vehicle


def hit_in(position: Position, parted: Parted) -> tuple[Hit]:
    return (parted.hit,)


def is_free(hit: Hit) -> bool:
    return hit.target < 0


class Alike:
    """Maps things with the same result for a unit to one representative.

    Who dealt a wound makes no difference, nor who is credited with a loss. Models identical in everything but their
    place stand for each other, unless ``rows`` matter.
    """

    def __init__(self, unit: Unit, rows_matter: bool = False) -> None:
        self.twins = {} if rows_matter else twins_of(unit)

    def __call__(self, thing: Any) -> Any:
        if isinstance(thing, Wound):
            return thing if thing.by_model == -1 else replace(thing, by_model=-1)
        if isinstance(thing, Borne):
            return of_row(self.twins.get(thing.row, thing.row), thing)
        if isinstance(thing, Account):
            return Account("fire", -1)
        return self.lot(thing) if isinstance(thing, Lot) else thing

    def lot(self, lot: Lot) -> Lot:
        row = lot.rows[0] if len(lot.rows) > 1 else self.twins.get(lot.rows[0], lot.rows[0])
        rows = lot.rows if len(lot.rows) > 1 else (row,)
        return Lot(rows, tuple(of_row(row, one) for one in lot.borne), lot.together)


def of_row(row: int, borne: Borne) -> Borne:
    wound = borne.wound if borne.wound.target < 0 else replace(borne.wound, target=row)
    return borne if (borne.row, borne.wound.target) == (row, wound.target) else replace(borne, row=row, wound=wound)


def twins_of(unit: Unit) -> dict[int, int]:
    """Return for each model (row) the first of the models identical to it."""
    first: dict[Hashable, int] = {}
    return {model.row: first.setdefault(allocation.sameness(model), model.row) for model in living(unit)}


# ---------------------------------------------------------------- a volley


class Volley:
    """The fire of some shots at one unit."""

    def __init__(
        self,
        position: Position,
        shots: Sequence[Shot],
        target: int,
        varied: Varied | None = None,
        common: dict[Any, Any] | None = None,
    ) -> None:
        self.position, self.row, self.shots = position.copy(), target, shots
        able = volley.able(self.position, shots)
        self.aimed = volley.in_range(self.position, self.target, volley.in_order(able))
        self.direct = [one for one in self.aimed if volley.rolls_to_hit(one.line)]
        self.laid = [one for one in self.aimed if not volley.rolls_to_hit(one.line)]
        usual = by_proposal if self.laid else as_proposed
        self.policy = usual if varied is None else varied(usual)
        self.covers: Covers = {}
        if self.aimed:
            firing = volley.eyes_of_volley(self.position, self.aimed)
            self.covers = cover.covers_of_all(firing, [target], self.position)
        self.covers_by_model: dict[int, list[Any]] = {}
        for (unit, row, *by), cover_from in self.covers.items():
            if by and by[0] >= 0:
                self.covers_by_model.setdefault(by[0], []).append((unit, row, cover_from))
        self.struck = Struck(self.position, target, attacks_of(self), to_hit(self), self.policy, self.covers, common)

    @property
    def target(self) -> Unit:
        return Unit(self.position, self.row)

    @property
    def decided(self) -> dict[str, None]:
        return self.struck.bags.decided


def attacks_of(fire: Volley) -> list[Aimed]:
    """Return the attacks one by one."""
    return like_the_first(
        (
            alike_to_hit(fire, one) if volley.rolls_to_hit(one.line) else alike_laid(fire, one),
            one._replace(shot=one.shot._replace(attacks=1)),
            one.shot.attacks,
        )
        for one in (*fire.direct, *fire.laid)
    )


def like_the_first(several: Iterable[tuple[Hashable, T, int]]) -> list[T]:
    """Return each thing as many times as its number; things with the same key are replaced by the first."""
    first: dict[Hashable, T] = {}
    many: dict[Hashable, int] = {}
    for key, thing, number in several:
        first.setdefault(key, thing)
        many[key] = many.get(key, 0) + number
    return [thing for key, thing in first.items() for _ in range(many[key])]


def alike_to_hit(fire: Volley, one: Aimed) -> Hashable:
    return volley.needs_of(fire.position, fire.target, one), without_firer(fire, volley.hit_of(one))


@rule("9.1/template", "9.1.1/area")
def alike_laid(fire: Volley, one: Aimed) -> Hashable:
    """Return everything that decides what a marker or template hits, and how."""
    bs = skill_at(fire.position.model(one.shot.model), one.line, one.distance)
    is_template = one.line.reach == "template"
    where = ways_to_lay(fire.position, one.shot) if is_template else places_for_marker(fire.position, one.shot)
    return one.line, bs, tuple(where), without_firer(fire, volley.hit_of(one))


def without_firer(fire: Volley, hit: Hit) -> Hashable:
    """Return a hit without the model that made it, and the covers that depend on that model."""
    return replace(hit, by_model=-1), frozenset(fire.covers_by_model.get(hit.by_model, ()))


def to_hit(fire: Volley) -> tuple[AnyStage, ...]:
    """Return the stages to the hits on the target; markers and templates may hit other units too."""
    if not fire.laid:
        return (Each("hits", volley.hits_of, (fire.row,), known_by=needs_of),)
    return Each("scored", volley.hits_of, (fire.row,), known_by=needs_of), Each("hits", on_unit, (fire.row,))


def needs_of(position: Position, one: Aimed) -> Hashable:
    """Return what a die to hit depends on: the shot and its need; None for markers and templates."""
    if not volley.rolls_to_hit(one.line):
        return None
    return one, volley.needs_of(position, Unit(position, one.shot.target), one)


async def on_unit(position: Position, hits: Iterable[Hit], row: int) -> list[Hit]:
    return [hit for hit in hits if hit.target < 0 or position.unit_of[hit.target] == row]


# ---------------------------------------------------------------- stages


@rule("3.2.2/to-hit", "2/resolution-sequence")
def hits_told(fire: Volley) -> list[Step]:
    """Return the steps for hits, and for hits on other models where these are possible."""
    found = [step("hits", "3.2.2/to-hit", fire.struck.numbers(one_each, "hits"))]
    firer = 1 - fire.target.side
    for kind, side in (("hits-friends", firer), ("hits-others", 1 - firer)) if fire.laid else ():
        chances = fire.struck.numbers(OthersOf(fire, side), "scored")
        if len(chances) > 1:
            found.append(step(kind, "9.1.1/area", chances))
    return found


class OthersOf:
    """Counts hits on models of a side, except the target's."""

    def __init__(self, fire: Volley, side: int) -> None:
        self.fire, self.side = fire, side

    def __call__(self, hit: Hit) -> int:
        position, row = self.fire.position, hit.target
        return int(row >= 0 and position.side_of[row] == self.side and position.unit_of[row] != self.fire.row)


def one_each(_: Any) -> int:
    return 1


def unsaved(thing: Any) -> int:
    return len(thing.unsaved) if isinstance(thing, Suffered) else int(isinstance(thing, Account))


def damages(thing: Any) -> int:
    return int(isinstance(thing, Damage))


def lost(thing: Any) -> int:
    return int(isinstance(thing, Fate) and thing.left is None)


class StructureLost:
    """Counts structure points that vehicles lose; a destroyed vehicle loses all of them."""

    def __init__(self, unit: Unit) -> None:
        vehicles = [vehicle for vehicle in members(unit) if is_vehicle(vehicle)]
        self.left = {vehicle.row: damage.structure_left(vehicle) for vehicle in vehicles}
        self.whole = {vehicle.row: vehicle.profile.structure for vehicle in vehicles}

    def __call__(self, thing: Any) -> int:
        if not isinstance(thing, Fate) or thing.row not in self.left:
            return 0
        before = self.left[thing.row]
        return before if thing.left is None else before - int(self.whole[thing.row]) + int(thing.left.lost)


@rule("7.4/vehicle-save", "7.4/penetration", "7.5/damage-roll")
def damages_told(struck: Struck) -> list[Step]:
    """Return the steps for hits on vehicles."""
    return [
        step("unsaved-hits", "7.4/vehicle-save", struck.numbers(one_each, "unsaved-hits")),
        step("damages", "7.4/penetration", struck.numbers(one_each, "damages")),
        *lost_told(struck),
    ]


def lost_told(struck: Struck) -> list[Step]:
    return [
        step("structure", "7.1/structure-points", struck.numbers(StructureLost(struck.unit))),
        step("losses", "1.1/casualty", struck.numbers(lost)),
    ]


@rule("1.2/mixed-units", "7.17/squadron-hits")
def mixed_told(fire: Volley) -> list[Step]:
    """Return the steps for both kinds: wounds and damages not saved, structure points and models lost."""
    if fire.laid:
        raise TooMany("hits aimed at single models of a mixed unit")
    struck = fire.struck
    return [
        step("unsaved", "2.3.2/roll-save", struck.numbers(unsaved, "unsaved")),
        step("damages", "7.4/penetration", struck.numbers(damages, "damages")),
        *lost_told(struck),
    ]


@rule("2.3.2/roll-save", "1.1/casualty")
def wounds_told(fire: Volley) -> Iterator[Step]:
    """Yield the steps for living models: wounds, unsaved wounds, losses, and the test for them."""
    struck = fire.struck
    yield step("wounds", "2.1/wound-table", struck.bags.numbers(struck.to_wound, struck.things, one_each))
    stages, until = struck.stages, "unsaved"
    if fire.laid:
        stages, until = (*struck.to_hit, *on_single_models(struck.living, fire.position, struck.alike.twins).stages), ""
    kinds = ByKind(fire.target)
    not_saved = struck.bags.numbers(stages, struck.things, unsaved, until)
    by_kind = struck.bags.numbers(stages, struck.things, kinds)
    yield step("unsaved", "2.3.2/roll-save", not_saved)
    yield step("losses", "1.1/casualty", in_all(kinds, by_kind))
    yield from tests_for(struck.bags, fire.target, kinds, by_kind, fire.aimed[0].shot.unit)


def in_all(kinds: ByKind, by_kind: Chances) -> Chances:
    """Return the chances of the number of models lost, of any kind."""
    return mixed((chance, certainly(len(kinds.rows(n)))) for n, chance in enumerate(by_kind.tolist()) if chance > 0)
