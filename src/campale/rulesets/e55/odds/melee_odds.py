"""The odds of a combat, initiative step by step: the losses of both sides, the result and its tests.

Each step is run from every state that earlier steps may have left: models gone, wounds lost. Within a step, dice are
counted as in a volley; the effects on one unit do not depend on those on another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from campale.dice import counts
from campale.dice.chain import Chain, Key, Leaving
from campale.dice.counts import Chances, chances_of, mixed
from campale.dice.odds import OddsError, exact
from campale.dice.stages import Each
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import combat, melee
from campale.rulesets.e55.assault_phase.charge import charge, gets_there
from campale.rulesets.e55.assault_phase.fighting import choose_strikes, is_hulls
from campale.rulesets.e55.assault_phase.melee import Fight
from campale.rulesets.e55.assault_phase.pile_in import defend
from campale.rulesets.e55.assault_phase.striking import Blow, hit_of, need_again, need_to_hit, roll_to_hit
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_vehicle
from campale.rulesets.e55.definitions.units import CHARGED, handles, members
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.hits.casualties import Fate
from campale.rulesets.e55.odds.fire_odds import (
    Policy,
    Struck,
    Varied,
    by_proposal,
    damages_told,
    is_mixed,
    like_the_first,
    one_each,
)
from campale.rulesets.e55.odds.going import MayExplode, among_others, apart_from_others
from campale.rulesets.e55.odds.steps import step
from campale.rulesets.e55.vehicles.damage import Battered, fate_of, silenced_mounts, structure_left, suffer_fate
from campale.rulesets.e55.vehicles.vehicle_hits import Done

CHARGE, MELEE = "charge", "melee"
MOST_PLAYED = 2500
"""How many runs of events in a fight are allowed before its odds are given up as too much."""


class Ended(NamedTuple):
    """How a combat ended: each side's lost models, the winner (-1: none), and how many units fail their tests.

    ``points``: the structure points lost by the vehicles of each side.
    """

    lost: tuple[int, int]
    winner: int
    broken: int
    points: tuple[int, int] = (0, 0)


def key_of(position: Position) -> Key:
    """Return everything that may distinguish one position from another within a combat."""
    columns = (position.of_models.columns, position.of_units.columns)
    marks = tuple(tuple((name, tuple(found[name])) for name in sorted(found) if any(found[name])) for found in columns)
    torn_off = tuple((model.row, silenced_mounts(model)) for model in position.on_table() if is_vehicle(model))
    return tuple(position.where), tuple(position.unit_of), marks, torn_off


def about_to_strike(position: Position, units: Sequence[int]) -> Fight | None:
    """Return the combat in hand if it is the one of these units, and nobody has struck yet."""
    fight = melee.in_hand(position)
    return fight if fight is not None and fight.stage == melee.CHOOSE and set(fight.units) == set(units) else None


# ---------------------------------------------------------------- a step


class Combat:
    """The round of one combat, from a position before any blows."""

    def __init__(self, position: Position, units: Sequence[int], varied: Varied | None = None) -> None:
        self.policy = by_proposal if varied is None else varied(by_proposal)
        self.begun = position.copy()
        self.chain = Chain(self.begun, self.policy, MOST_PLAYED, key_of)
        self.in_hand = about_to_strike(position, units)
        self.fight = self.in_hand or Fight(tuple(units), False, melee.CHOOSE, len(position.losses))
        self.standing = [(model.row, model.side) for unit in handles(position, units) for model in members(unit)]
        self.told: dict[tuple[int, str], list[tuple[float, Chances]]] = {}
        self.steps_of_side: dict[int, set[int]] = {0: set(), 1: set()}
        self.common: dict[Any, Any] = {}
        self.kept: dict[Any, Any] = {}

    @rule("3.3.2/attack-steps", "3.3.2/melee-sequence")
    def states(self) -> Leaving:
        """Return the states after all strikes."""
        now = self.chain.after(self.chain.begun, begins, self.fight, self.in_hand is None)
        while any(fight.strikes for _, fight in now):
            before, now = now, {}
            for (key, fight), chance in before.items():
                later = self.after_step(key, fight, chance) if fight.strikes else {(key, fight): 1.0}
                for state, share in later.items():
                    now[state] = now.get(state, 0.0) + chance * share
        return now

    def after_step(self, key: Key, fight: Fight, chance: float) -> Leaving:
        """Return the states after one initiative: the blows, and their effects on each unit."""
        found: Leaving = {}
        number = fight.strikes[0].initiative
        for (struck, blows), share in self.chain.after(key, blows_now, fight).items():
            for side in self.sides_striking(fight, number):
                self.note(side, struck, blows, chance * share)
            for fates, last in self.fates_of(struck, blows).items():
                for after, one in self.chain.after(struck, carried_out, fates, fight).items():
                    found[after] = found.get(after, 0.0) + share * last * one
        return found

    # ------------------------------------------------------------ blows

    def struck_units(self, key: Key, blows: tuple[Blow, ...]) -> list[Struck]:
        """Return the units that are struck."""
        name = "struck", key, blows
        if name not in self.kept:
            position = self.chain.position(key)
            rows = dict.fromkeys(blow.target for blow in blows)
            self.kept[name] = [self.struck(position, row, [b for b in blows if b.target == row]) for row in rows]
        found: list[Struck] = self.kept[name]
        return found

    def struck(self, position: Position, row: int, blows: Sequence[Blow]) -> Struck:
        return struck_by(position, row, blows, self.policy, self.common, among_others, rows_matter=True)

    def sides_striking(self, fight: Fight, number: int) -> list[int]:
        """Return the sides whose turn it is in a step, even if none of their models is left to strike."""
        sides = sorted({self.begun.side_of[one.model] for one in fight.strikes if one.initiative == number})
        for side in sides:
            self.steps_of_side[side].add(number)
        return sides

    def note(self, side: int, key: Key, blows: tuple[Blow, ...], chance: float) -> None:
        """Record the hits and wounds of a side in this step, for the forecast."""
        own = tuple(blow for blow in blows if self.begun.side_of[blow.model] == side)
        name = "note", key, own
        if name not in self.kept:
            several = self.struck_units(key, own)
            hits = counts.together(one.numbers(one_each, "hits") for one in several)
            living = [one for one in several if not any(map(is_vehicle, members(one.unit)))]
            wounds = counts.together(one.bags.numbers(one.to_wound, one.things, one_each) for one in living)
            self.kept[name] = hits, wounds
        hits, wounds = self.kept[name]
        self.told.setdefault((side, "hits"), []).append((chance, hits))
        self.told.setdefault((side, "wounds"), []).append((chance, wounds))

    def fates_of(self, key: Key, blows: tuple[Blow, ...]) -> dict[tuple[Fate, ...], float]:
        """Return the fates of all units that are struck, which are independent of each other."""
        found: dict[tuple[Fate, ...], float] = {(): 1.0}
        for one in self.struck_units(key, blows):
            own = fates_in(one)
            found = {(*before, *fates): p * q for before, p in found.items() for fates, q in own.items()}
        return found

    # ------------------------------------------------------------ the result

    @rule("3.3.2/combat-result", "3.3.2/loser-morale")
    def ends(self) -> dict[Ended, float]:
        found: dict[Ended, float] = {}
        for (key, fight), chance in self.states().items():
            for (_, (winner, broken)), share in self.chain.after(key, result, fight).items():
                ended = Ended(self.lost(key), winner, broken, self.points(key))
                found[ended] = found.get(ended, 0.0) + chance * share
        return found

    def lost(self, key: Key) -> tuple[int, int]:
        position = self.chain.position(key)
        gone = [side for row, side in self.standing if not position.model(row).is_on_table]
        return gone.count(0), gone.count(1)

    def tells_wounds(self, side: int) -> bool:
        """Return whether a side's wounds can be reported.

        The side must have living models, and no unit that mixes them with vehicles: there, hits are allotted before
        they wound.
        """
        units = [unit for unit in handles(self.begun, self.fight.units) if unit.side == side]
        return not all(map(is_all_vehicles, units)) and not any(map(is_mixed, units))

    def points(self, key: Key) -> tuple[int, int]:
        """Return the structure points that vehicles of each side have lost."""
        found = [0, 0]
        for row, side in self.standing:
            before, after = self.begun.model(row), self.chain.position(key).model(row)
            if is_vehicle(before):
                found[side] += structure_left(before) - (structure_left(after) if after.is_on_table else 0)
        return found[0], found[1]


# ---------------------------------------------------------------- play


async def begins(position: Position, fight: Fight, is_new: bool) -> Fight:
    """Test fear, unless that has been done already, and choose what every model does."""
    if is_new:
        await melee.fear_tests(position, fight.units)
    strikes = await choose_strikes(position, fight.units)
    return fight._replace(stage=melee.STRIKE, strikes=melee.frozen_order(strikes))


async def blows_now(position: Position, fight: Fight) -> tuple[Blow, ...]:
    return tuple(await melee.blows_of_step(position, fight))


async def carried_out(position: Position, fates: Sequence[Fate], fight: Fight) -> Fight:
    """Apply the fates of the models, all at once, then everything that follows a resolution."""
    for fate in fates:
        model = position.model(fate.row)
        if fate.left is None:
            casualties.lose(model, "melee")
        elif isinstance(fate.left, Battered):
            suffer_fate(position, fate)
        else:
            for name in {*model.marked(), *dict(fate.left)}:
                model.mark(name, dict(fate.left).get(name, 0))
    if fates:
        await casualties.settle(position)
    return melee.after_step(position, fight) or fight._replace(strikes=())


async def result(position: Position, fight: Fight) -> tuple[int, int]:
    """Return the winner of the round (-1: none), and how many of the losers' units fail their tests."""
    totals = [combat.total(position, fight.units, side, fight.since) for side in (0, 1)]
    if combat.is_over(position, fight.units):
        return next(iter(combat.sides_left(position, fight.units)), -1), 0
    if melee.is_stalemate(totals):
        return -1, 0
    loser = 0 if totals[0] < totals[1] else 1
    return 1 - loser, len(await melee.who_fails(position, fight, loser, abs(totals[0] - totals[1])))


# ---------------------------------------------------------------- blows at one unit


def struck_by(
    position: Position,
    row: int,
    blows: Sequence[Blow],
    policy: Policy,
    common: dict[Any, Any] | None = None,
    damaged: Done = apart_from_others,
    rows_matter: bool = False,
) -> Struck:
    hits = (Each("hits", hits_of, known_by=needs_of),)
    single = like_the_first((needs_of(position, blow), blow._replace(times=1), blow.times) for blow in blows)
    return Struck(position, row, single, hits, policy, {}, common, damaged, rows_matter)


def needs_of(position: Position, blow: Blow) -> Hashable:
    """Return everything that a blow depends on: its needs, and the profile of its hit."""
    model, target = position.model(blow.model), Unit(position, blow.target)
    alike = replace(hit_of(model, blow.arm, target), by_model=-1)
    return need_to_hit(model, blow.arm, target), need_again(model, blow.arm, target), alike


async def hits_of(position: Position, blows: Sequence[Blow]) -> list[Hit]:
    return [hit for _, hit in await roll_to_hit(position, blows)]


def fates_in(struck: Struck) -> dict[tuple[Fate, ...], float]:
    """Return the possible fates of a unit's models, without models that are unaffected."""
    hulls = [model.row for model in members(struck.unit) if is_vehicle(model)]
    begun = {fate_of(row, struck.position) for row in hulls}
    found: dict[tuple[Fate, ...], float] = {}
    for fates, chance in struck.bags.ends(struck.stages, struck.things).items():
        changed = tuple(fate for fate in fates if fate not in begun)
        found[changed] = found.get(changed, 0.0) + chance
    return found


# ---------------------------------------------------------------- forecasts


@rule("3.3.2/melee-sequence")
def combat_forecast(
    position: Position, actor: int, target: int, units: Sequence[int], varied: Varied | None = None
) -> Forecast:
    """Return the forecast of a combat's round, from the side of one of its models (row).

    ``units``: the rows of the combat's units.
    """
    begun = Forecast(actor, target, (), (), (MELEE,))
    unit = position.unit_of[actor]
    if tuple(units) == (unit,):
        steps, gap, decided = at_hulls([(1.0, position)], unit, target, varied)
    else:
        steps, gap, decided = told([(1.0, position)], position.side_of[actor], units, varied)
    return replace(begun, steps=tuple(steps), gap=gap, decided=decided, notes=notes_of(steps))


def notes_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the notes of a forecast: effects of destroyed vehicles on others are left out."""
    return ("lost-vehicle",) if any(one.kind == "damages" for one in steps) else ()


Told = tuple[list[Step], str, tuple[str, ...]]
"""The steps, the reason if they are incomplete, and the decisions taken as proposed."""


def told(begun: Sequence[tuple[float, Position]], side: int, units: Sequence[int], varied: Varied | None) -> Told:
    """Return the round of a combat, from any of several positions; the missing chance is that of no combat."""
    if not all(melee.has_contact(each, units) for _, each in begun):
        return [], "no-contact", ()
    fights = [(chance, Combat(each, units, varied)) for chance, each in begun]
    try:
        ends = [(chance, fight.ends()) for chance, fight in fights]
    except MayExplode:
        return [], "explosion", ()
    except OddsError:
        return [], "too-many", ()
    decided = dict.fromkeys(one for _, fight in fights for one in fight.chain.decided)
    return [*strikes_told(fights, side), *points_told(fights, ends, side), *ends_told(ends, side)], "", tuple(decided)


def strikes_told(fights: Sequence[tuple[float, Combat]], side: int) -> list[Step]:
    """Return hits and wounds of each side that strikes in a single step."""
    found = []
    for own, after in ((side, ""), (1 - side, "-back")):
        if all(len(fight.steps_of_side[own]) == 1 for _, fight in fights):
            for kind, cited in (("hits", "3.3.2/melee-to-hit"), ("wounds", "2.1/wound-table")):
                if kind == "hits" or any(fight.tells_wounds(1 - own) for _, fight in fights):
                    several = [(chance, mixed(fight.told[own, kind])) for chance, fight in fights]
                    found.append(step(kind + after, cited, whole(several)))
    return found


def whole(several: Iterable[tuple[float, Chances]]) -> Chances:
    """Return the weighted mix of numbers; the missing chance counts as 0."""
    found = mixed((chance, numbers / numbers.sum()) for chance, numbers in several)
    found[0] += max(0.0, 1.0 - float(found.sum()))
    return found


def ends_told(ends: Sequence[tuple[float, Mapping[Ended, float]]], side: int) -> list[Step]:
    other = 1 - side
    kinds: tuple[tuple[str, str, Callable[[Ended], int]], ...] = (
        ("losses", "3.3.2/combat-count", lambda one: one.lost[other]),
        ("losses-back", "3.3.2/combat-count", lambda one: one.lost[side]),
        ("won", "3.3.2/combat-result", lambda one: int(one.winner == side)),
        ("lost", "3.3.2/combat-result", lambda one: int(one.winner == other)),
        ("breaks", "3.3.2/loser-morale", lambda one: one.broken if one.winner == side else 0),
        ("breaks-back", "3.3.2/loser-morale", lambda one: one.broken if one.winner == other else 0),
    )
    return [
        step(kind, cited, whole((chance, numbered(each, counted)) for chance, each in ends))
        for kind, cited, counted in kinds
    ]


def points_told(
    fights: Sequence[tuple[float, Combat]], ends: Sequence[tuple[float, Mapping[Ended, float]]], side: int
) -> list[Step]:
    """Return the structure points lost by each side with vehicles."""
    begun = fights[0][1]
    of_vehicles = {own for row, own in begun.standing if is_vehicle(begun.begun.model(row))}
    found = []
    for kind, own in (("structure", 1 - side), ("structure-back", side)):
        if own in of_vehicles:
            lost = partial(points_of_side, own)
            found.append(step(kind, "7.1/structure-points", whole((p, numbered(each, lost)) for p, each in ends)))
    return found


def points_of_side(side: int, ended: Ended) -> int:
    return ended.points[side]


def numbered(values: Mapping[Any, float], counted: Callable[[Any], int]) -> Chances:
    found: dict[int, float] = {0: 0.0}
    for value, chance in values.items():
        found[counted(value)] = found.get(counted(value), 0.0) + chance
    return chances_of(found)


# ---------------------------------------------------------------- charges


def chance_to_get_there(position: Position, unit: int, target: int) -> float:
    """Return the chance that a charge at a unit reaches it; 1 if the odds are too many to work out."""
    chain = Chain(position, by_proposal, MOST_PLAYED, key_of_charge)
    try:
        came = chain.after(chain.begun, gets_there, unit, target)
    except OddsError:
        return 1.0
    return sum(chance for (_, reached), chance in came.items() if reached)


@rule("3.3.1/charge-distance", "3.3.1/charge-succeeds")
def charge_forecast(
    position: Position, unit: int, target: int, varied: Varied | None = None, actor: int | None = None
) -> Forecast:
    """Return whether a charge succeeds, and the combat that follows after the pile-ins."""
    models = members(Unit(position, unit))
    begun = Forecast(models[0].row if actor is None else actor, target, (), (), (CHARGE,))
    chain = Chain(position, by_proposal if varied is None else varied(by_proposal), MOST_PLAYED, key_of_charge)
    try:
        came = chain.after(chain.begun, charged, unit, target)
    except OddsError:
        return replace(begun, gap="too-many")
    home = [(chance, chain.position(key)) for (key, is_home), chance in came.items() if is_home]
    sure = sum(chance for chance, _ in home)
    reaches = step("reaches", "3.3.1/charge-succeeds", chances_of({0: max(0.0, 1.0 - sure), 1: sure}))
    more, gap, others = after_charge(home, unit, target, varied)
    decided = (*(one for one in chain.decided if one not in MOVES), *others)
    decided = tuple(dict.fromkeys(decided))
    return replace(begun, steps=(reaches, *more), decided=decided, gap=gap, notes=notes_of(more))


def after_charge(home: Sequence[tuple[float, Position]], unit: int, target: int, varied: Varied | None) -> Told:
    """Return the combat after a charge, or the blows at the vehicles that it has reached."""
    if not home:
        return [], "", ()
    position = home[0][1]
    if is_hulls(Unit(position, target)):
        return at_hulls(home, unit, target, varied)
    combats = {next((rows for rows in combat.combats(each) if unit in rows), ()) for _, each in home}
    if len(combats) != 1:
        return [], "several-ends", ()
    (rows,) = combats
    return told(home, position.unit_side[unit], rows, varied) if rows else ([], "", ())


@rule("7.7/attacking-vehicles", "7.7/melee-hits-rear")
def at_hulls(begun: Sequence[tuple[float, Position]], unit: int, target: int, varied: Varied | None) -> Told:
    """Return the blows at vehicles, which do not strike back: all at once, from any of several positions."""
    decided: dict[str, None] = {}
    try:
        each = [(chance, blows_at_hulls(position, unit, target, varied, decided)) for chance, position in begun]
    except OddsError:
        return [], "too-many", tuple(decided)
    steps = [at_several([(chance, own[place]) for chance, own in each]) for place in range(len(each[0][1]))]
    return steps, "", tuple(decided)


def at_several(steps: Sequence[tuple[float, Step]]) -> Step:
    like = steps[0][1]
    return step(like.kind, like.rule, whole((chance, chances_of(dict(one.chances))) for chance, one in steps))


def blows_at_hulls(
    position: Position, unit: int, target: int, varied: Varied | None, decided: dict[str, None]
) -> list[Step]:
    policy = by_proposal if varied is None else varied(by_proposal)
    found = exact(position, partial(at_target, unit, target), policy)
    (blows,) = found.outcomes
    struck = struck_by(position, target, blows, policy)
    steps = [step("hits", "3.3.2/melee-to-hit", struck.numbers(one_each, "hits")), *damages_told(struck)]
    decided.update({**dict.fromkeys(found.decided), **struck.bags.decided})
    return steps


async def at_target(unit: int, target: int, position: Position) -> tuple[Blow, ...]:
    """Return the blows of a unit at another."""
    strikes = await choose_strikes(position, (unit,))
    able = [strike for strike in strikes if melee.still_strikes(position, strike)]
    found = [blow for strike in able for blow in await melee.blows_of(position, strike)]
    return tuple(blow for blow in found if blow.target == target)


MOVES = ("charge-move", "pile-in", "pile-in-next", "charge-also")


def key_of_charge(position: Position) -> Key:
    places = tuple(zip(position.x, position.y, position.z, position.facing, strict=True))
    return key_of(position), places


async def charged(position: Position, unit: int, target: int) -> bool:
    """Play a charge and the pile-ins in reply; return whether the charge succeeded."""
    await charge(position, (CHARGE, unit, target))
    if not Unit(position, unit).marks(CHARGED):
        return False
    while await defend(position):
        pass
    return True
