"""The fire of a query: the weapons on offer, the volley declared with them, and the final counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.dice.odds import first_suggestion
from campale.mechanics.frames import DOING, stack
from campale.mechanics.queries import counting
from campale.mechanics.queries.decisions import answering
from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import ATTACKER, MIDDLE, TARGET
from campale.mechanics.queries.profiles import MOST_MODELS
from campale.mechanics.script_form import EACH, as_answered
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Pick, Policy, Query, Title
from campale.referee.odds_queries import Volley as Attack
from campale.referee.position import Model, Position, Unit
from campale.rulesets.e3m.armies.profile import Weapon
from campale.rulesets.e3m.command.orders import is_forced, is_routed
from campale.rulesets.e3m.command.units import members, units_of, wounds_left
from campale.rulesets.e3m.fire import vehicle_fire
from campale.rulesets.e3m.fire.area import Area, Arm, arms_of, hit_in
from campale.rulesets.e3m.fire.declaring import AREA, NOBODY, PART, SNIPE, declaration
from campale.rulesets.e3m.fire.kinds import Kind
from campale.rulesets.e3m.fire.plan import HOLD, Volley
from campale.rulesets.e3m.fire.volley import resolve
from campale.rulesets.e3m.morale.morale import take_tests
from campale.rulesets.e3m.odds.forecasts import of_volley
from campale.rulesets.e3m.queries.profiles import FIELDS

Key = tuple[str, int]
"""A weapon profile: the weapon's id, and the index of its line."""

PROPOSED, EVENLY = "proposed", "evenly"
TESTS = ("tests", "pinning-tests")
"""The frames of the tests after a volley, and after the fire of an overrun."""


class Wanted(NamedTuple):
    """How a unit is to fire.

    ``weapons``: the number of each weapon profile in the announced order (None: as proposed); ``diameter`` of the area
    (None: the greatest); ``snipes``: whether a model snipes.
    """

    weapons: Mapping[Key, int] | None = None
    diameter: float | None = None
    snipes: bool = False


# ---------------------------------------------------------------- the fields


def volley_fields(position: Position, kind: Kind, snipes: bool) -> Asked:
    """Ask for the weapons and the width of the area; return the volley."""
    wanted = Wanted(snipes=snipes)
    volley = declared(position, kind, wanted)
    if volley is None:
        raise FIELDS.fault("attacker", "nothing-to-fire")
    offered = named(position, kind)
    if volley.arms:
        names = {key: name for name, key in offered.items()}
        picks = tuple(Pick(name, title_of(position, key)) for name, key in offered.items())
        default = [[names[key], many] for key, many in counted_arms(volley).items()]
        entries = yield FIELDS.counted("weapons", "attack", picks, MOST_MODELS, default, "fire/mixed-weapons")
        wanted = wanted._replace(weapons=summed(entries, offered))
        volley = as_wanted(position, kind, wanted, names)
    if volley.area is not None:
        most = int(volley.area[2])
        wide = yield FIELDS.number("diameter", "attack", most, (1, most), "fire/area-diameter", "inch")
        volley = declared(position, kind, wanted._replace(diameter=float(wide))) or volley
    return volley


def named(position: Position, kind: Kind) -> dict[str, Key]:
    """Every usable weapon profile by a name: the weapon's id, and its line if it has several."""
    found: dict[str, Key] = {}
    for model in members(Unit(position, ATTACKER)):
        for arm in able(model, kind):
            id, line = arm.key
            several = len(weapon_of(position, arm.key).lines) > 1
            found.setdefault(f"{id}/{line + 1}" if several else id, arm.key)
    return found


def able(model: Model, kind: Kind) -> list[Arm]:
    return (vehicle_fire.arms_of if model.profile.has_armour else arms_of)(model, kind)


def weapon_of(position: Position, key: Key) -> Weapon:
    weapons: list[Weapon] = [weapon for m in members(Unit(position, ATTACKER)) for weapon in m.profile.weapons]
    return next(one for one in weapons if one.id == key[0])


def title_of(position: Position, key: Key) -> Title:
    """The title of the weapon, with the number of its line if it has several."""
    weapon = weapon_of(position, key)
    line = f" ({key[1] + 1})" if len(weapon.lines) > 1 else ""
    return {tongue: one + line for tongue, one in weapon.title.in_both.items()}


def counted_arms(volley: Volley) -> dict[Key, int]:
    """How many models fire with each weapon profile, in the announced order."""
    counts = Counter(arm.key for arm in volley.arms)
    return {key: counts[key] for key in dict.fromkeys((*volley.order, *counts))}


def summed(entries: Sequence[Sequence[Any]], offered: Mapping[str, Key]) -> dict[Key, int]:
    found: dict[Key, int] = {}
    for name, many in entries:
        found[offered[name]] = found.get(offered[name], 0) + many
    if not found:
        raise FIELDS.fault("weapons", "nothing")
    return found


def as_wanted(position: Position, kind: Kind, wanted: Wanted, names: Mapping[Key, str]) -> Volley:
    """The volley with exactly these weapons."""
    assert wanted.weapons is not None
    volley = declared(position, kind, wanted)
    found = {} if volley is None else counted_arms(volley)
    for key, many in wanted.weapons.items():
        if found.get(key, 0) < many:
            raise FIELDS.fault("weapons", "too-many", thing=names[key], most=found.get(key, 0))
    for key, many in found.items():
        if many > wanted.weapons.get(key, 0):
            raise FIELDS.fault("weapons", "all-fire", thing=names[key], count=many)
    assert volley is not None
    return volley


# ---------------------------------------------------------------- the declaration


def declared(position: Position, kind: Kind, wanted: Wanted) -> Volley | None:
    """The fire form filled in as wanted, and as proposed where nothing is wanted."""
    unit = Unit(position, ATTACKER)
    answers: dict[str, Callable[[Any], Any]] = {
        "fire-at": partial(fires_at, position, kind, wanted),
        "weapon-line": partial(takes, position, kind, wanted),
        "vehicle-weapons": partial(takes_mounts, position, wanted),
        "leave-out": partial(leaves_out, position, kind, wanted),
        "profile-order": partial(in_order, wanted),
        "fire-area": partial(aims, position, kind, wanted),
        "snipe": partial(snipes, wanted),
    }
    return as_answered(partial(declaration, unit, kind, (TARGET,)), answering(answers, first_suggestion))


def fires_at(position: Position, kind: Kind, wanted: Wanted, question: Any) -> Any:
    """Fire into an area with all models or some of them, or at the one target."""
    options = [one for one in question.options() if one != SNIPE or wanted.snipes]
    if wanted.weapons is None or PART not in options:
        return next((one for one in options if one != HOLD), HOLD)
    firing = sum(bool(able(model, kind)) for model in members(Unit(position, ATTACKER)))
    return PART if sum(wanted.weapons.values()) < firing - int(wanted.snipes) else AREA


def takes(position: Position, kind: Kind, wanted: Wanted, question: Any) -> Any:
    """The wanted way to fire that falls to the models, or that each chooses its own."""
    falls, options = shared_out(position, kind, wanted), question.options()
    keys = {falls[row] for row in question.about["models"]}
    if len(keys) > 1 and EACH in options:
        return EACH
    model = position.model(question.about["models"][0])
    return next((one for one in options if one != EACH and Arm(model, *one).key in keys), options[0])


def shared_out(position: Position, kind: Kind, wanted: Wanted) -> dict[int, Key]:
    """What each model of the unit fires, by row: in order, a wanted weapon profile that is left, or else its first."""
    left, found = dict(wanted.weapons or {}), {}
    for model in members(Unit(position, ATTACKER)):
        keys = [arm.key for arm in able(model, kind)]
        if keys:
            found[model.row] = next((key for key in keys if left.get(key, 0) > 0), keys[0])
            left[found[model.row]] = left.get(found[model.row], 0) - 1
    return found


def takes_mounts(position: Position, wanted: Wanted, question: Any) -> Any:
    """The wanted set of the vehicle's weapons, or the first one offered."""
    options = question.options()
    if wanted.weapons is None:
        return options[0]
    mounts = members(Unit(position, ATTACKER))[0].profile.mounts
    want: Counter[str] = Counter()
    for (id, _), many in wanted.weapons.items():
        want[id] += many
    alike = (one for one in options if Counter(mounts[k].weapon.id for k in one[1]) == want)
    return next(alike, options[0])


def leaves_out(position: Position, kind: Kind, wanted: Wanted, question: Any) -> Any:
    """A model whose weapon is fired by enough others already."""
    left, falls = dict(wanted.weapons or {}), shared_out(position, kind, wanted)
    for row in question.options():
        if row != NOBODY:
            left[falls[row]] = left.get(falls[row], 0) - 1
            if left[falls[row]] < 0:
                return row
    return NOBODY


def in_order(wanted: Wanted, question: Any) -> list[Any]:
    items = [tuple(one) for one in question.items]
    order = list(wanted.weapons or ())
    return sorted(items, key=lambda key: order.index(key) if key in order else len(order))


def aims(position: Position, kind: Kind, wanted: Wanted, question: Any) -> list[float]:
    """The middle of the target, or a place where more of its models are hit."""
    proposed = [tuple(one) for one in question.suggestions()]
    widest = max(one[2] for one in proposed)
    wide = widest if wanted.diameter is None else wanted.diameter
    centres = [(MIDDLE, MIDDLE), *((x, y) for x, y, _ in proposed)]
    lawful = [[x, y, wide] for x, y in centres if question.refusal([x, y, wide]) is None]
    arms = [arm for model in members(Unit(position, ATTACKER)) for arm in able(model, kind)]
    return max(lawful, key=lambda area: len(hit_in(position, arms, as_area(area))), default=list(proposed[0]))


def as_area(numbers: Sequence[float]) -> Area:
    return numbers[0], numbers[1], numbers[2]


def snipes(wanted: Wanted, question: Any) -> Any:
    """Snipe at the first enemy that the sniper sees."""
    return next((one for one in question.options() if wanted.snipes and one != NOBODY), NOBODY)


# ---------------------------------------------------------------- decisions of players


def policy_field() -> Asked:
    """Ask how the defender allocates hits; return the policy."""
    given = yield FIELDS.choice("policy-hits", "policy", (PROPOSED, EVENLY), "fire/surplus-hits")
    return answering({"lay-down": evenly}, first_suggestion) if given == EVENLY else first_suggestion


def evenly(question: Any) -> list[int]:
    """One hit for each model without one, then one each in turn."""
    rows, marked = list(question.holders), set(question.about["marked"])
    turn = [row for row in rows if row not in marked]
    while len(turn) < len(question.items):
        turn += rows
    return turn[: len(question.items)]


# ---------------------------------------------------------------- the query


RULES = {
    "losses": "base-shoot/wounds",
    "losses-back": "base-weapons/special",
    "wounds-left": "base-shoot/wounds",
    "breaks": "fire/quarter-loss-test",
    "halts": "orders/forced-halt",
}


def query(position: Position, volley: Volley, policy: Policy) -> Query:
    ids = dict.fromkeys(arm.key[0] for arm in (*volley.arms, *((volley.sniper[0],) if volley.sniper else ())))
    titles = tuple(weapon_of(position, (id, 0)).title.in_both for id in ids)
    attack = Attack(titles, partial(forecast, volley, policy), partial(play, volley))
    rows = counting.rows_of(position, 1)
    return Query(position, (attack,), policy, counted(position), len(rows), RULES, notes(position))


def forecast(volley: Volley, policy: Policy, position: Position) -> Forecast:
    return of_volley(volley.on(position), Unit(position, TARGET), policy)


async def play(volley: Volley, position: Position) -> Position:
    """Resolve the volley as the referee does, with its tests, up to the retreats of broken units.

    The tests after fire in an overrun, which wait until it is over, are taken too.
    """
    await resolve(volley.on(position))
    pinned = next((frame[1] for frame in reversed(stack(position)) if frame[0] in TESTS), ())
    position.declare(DOING, None)
    await take_tests(position, tuple(pinned), 1 - volley.unit.side)
    return position


def counted(position: Position) -> dict[str, counting.Counter]:
    """Counters of models lost on both sides, and of target units that break or halt."""
    own, foes = (counting.rows_of(position, side) for side in (0, 1))
    found = {"losses": counting.lost(foes)}
    if position.model(foes[0]).profile.has_armour:
        return found
    of_tests = {"breaks": newly(position, 1, is_routed), "halts": newly(position, 1, is_forced)}
    return {**found, **of_tests, "losses-back": counting.lost(own)}


def newly(before: Position, side: int, is_so: Callable[[Unit], bool]) -> counting.Counter:
    """A counter of a side's units that have become so."""
    known = frozenset(unit.row for unit in units_of(before, side) if is_so(unit))
    return lambda after: sum(is_so(unit) and unit.row not in known for unit in units_of(after, side))


def notes(position: Position) -> tuple[tuple[str, str], ...]:
    """A note: wounds beyond those of one model are lost."""
    models = members(Unit(position, TARGET))
    if models[0].profile.has_armour:
        return ()
    several = any(wounds_left(model) > 1 for model in models)
    return (("no-spill" if several else "no-excess", "base-shoot/wounds"),)
