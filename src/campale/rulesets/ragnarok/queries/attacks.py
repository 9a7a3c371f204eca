"""The attacks of a query: the ways to shoot to choose from, the volleys, and the results counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from campale.dice.odds import first_suggestion
from campale.mechanics.queries import counting
from campale.mechanics.queries.decisions import answering
from campale.mechanics.queries.volleys import Reckoned
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Policy, Query, Title, Volley
from campale.referee.position import Model, Position
from campale.rulesets.ragnarok.armies.profile import Profile
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.close_combat.charge import charge_path, farthest
from campale.rulesets.ragnarok.close_combat.engagement import melees
from campale.rulesets.ragnarok.close_combat.melee import fight
from campale.rulesets.ragnarok.odds.forecasts import forecast_by
from campale.rulesets.ragnarok.odds.melee_odds import charge_forecast, charged, melee_forecast
from campale.rulesets.ragnarok.odds.shooting_odds import THROW_AT, Shooting, comes_to_nothing, is_thrown
from campale.rulesets.ragnarok.queries.layout import ATTACKER, TARGET
from campale.rulesets.ragnarok.queries.profiles import FIELDS
from campale.rulesets.ragnarok.shooting.fire import SUPPRESSIVE, Shot, shoot
from campale.rulesets.ragnarok.shooting.thrown import throw
from campale.rulesets.ragnarok.shooting.weapon_rules import PLAIN, doublings, weapon_of
from campale.rulesets.ragnarok.turn.actions import fire_weapons, suppressive_weapons

RULES = {
    "out-of-action": "wounds/out-of-action",
    "wounds-left": "wounds/out-of-action",
    "markers": "fire/morale-marker",
    "own-out-of-action": "melee/losers-removed",
}
NOTES = (("no-spill", "wounds/one-at-a-time"),)


class Way(NamedTuple):
    """How a weapon is fired: its index among the weapons, and whether its rate is doubled."""

    weapon: int
    doubling: str


def ways_of(model: Model, kind: str) -> dict[str, Way]:
    """Return every way to shoot or throw at the target, by the weapon's id and the doubling of its rate."""
    places = suppressive_weapons(model) if kind == SUPPRESSIVE else fire_weapons(model)
    usable = [k for k in places if not comes_to_nothing(model.position, Shot(model.row, TARGET, k, kind))]
    found: dict[str, Way] = {}
    for k in usable:
        weapon = weapon_of(model, k)
        ways = [PLAIN] if weapon.kind == "thrown" else doublings(model, weapon)
        for way in ways:
            found.setdefault(weapon.id if way == PLAIN else f"{weapon.id}@{way}", Way(k, way))
    return found


def title_of(shooter: Profile, way: Way) -> Title:
    title = shooter.weapons[way.weapon].title
    if way.doubling == PLAIN:
        return title
    more = FIELDS.title(f"doubling.{way.doubling}")
    return {tongue: f"{one}, {more[tongue]}" for tongue, one in title.items()}


# ---------------------------------------------------------------- the volleys


def by_fire(position: Position, kind: str, ways: Sequence[Way], states: Sequence[str], policy: Policy | None) -> Query:
    """Return a query in which each attacker shoots in its own way, one after another."""
    is_aimed, is_hidden = "aimed" in states, "hidden" in states
    shots = [
        Shot(ATTACKER + k, TARGET, way.weapon, kind, way.doubling, is_aimed, is_hidden) for k, way in enumerate(ways)
    ]
    return query(position, tuple(volley_of(position, shot, policy) for shot in shots), policy, counted(position, kind))


def volley_of(position: Position, shot: Shot, policy: Policy | None) -> Volley:
    title = title_of(position.profiles[shot.shooter], Way(shot.weapon, shot.doubling))
    reckoned = Reckoned(partial(begin, shot, policy), partial(forecast, shot), after)
    return Volley((title,), reckoned.forecast, partial(play, shot), reckoned.after)


def begin(shot: Shot, policy: Policy | None, position: Position) -> Shooting | Position:
    """Return the shot, or the position itself if the shot is void."""
    return position if comes_to_nothing(position, shot) else Shooting(position, shot, policy)


def forecast(shot: Shot, begun: Shooting | Position) -> Forecast:
    return forecast_by(begun) if isinstance(begun, Shooting) else Forecast(shot.shooter, shot.target, (), ())


def after(begun: Shooting | Position) -> list[tuple[Position, float]]:
    return begun.after() if isinstance(begun, Shooting) else [(begun, 1.0)]


async def play(shot: Shot, position: Position) -> Position:
    """Play the shot as the referee does."""
    if not comes_to_nothing(position, shot):
        await (throw if is_thrown(position, shot) else shoot)(position, shot)
    return position


def by_hand(position: Position, is_charge: bool, policy: Policy | None) -> Query:
    """Return a query for a charge, or for a melee between two models already in contact."""
    volley = Volley(
        (position.profiles[ATTACKER].title,),
        partial(forecast_by_hand, charge_forecast if is_charge else melee_forecast, policy),
        charge_and_fight if is_charge else fight_here,
    )
    own, foes = (counting.number_of(counting.rows_of(position, side), is_out) for side in (0, 1))
    return query(position, (volley,), policy, {"out-of-action": foes, "own-out-of-action": own})


def forecast_by_hand(told: Callable[..., Forecast | None], policy: Policy | None, position: Position) -> Forecast:
    return told(position, ATTACKER, TARGET, policy=policy) or Forecast(ATTACKER, TARGET, (), (), gap="no-way")


async def charge_and_fight(position: Position) -> Position:
    """Play the charge, and if it succeeds the melee to its end."""
    model = position.model(ATTACKER)
    path = charge_path(model, position.model(TARGET), farthest(model))
    if path is None or not await charged(position, ATTACKER, TARGET, path):
        return position
    return await fight_here(position)


async def fight_here(position: Position) -> Position:
    """Play the melee to its end."""
    await fight(position, next(rows for rows in melees(position) if ATTACKER in rows))
    return position


def query(
    position: Position, volleys: tuple[Volley, ...], policy: Policy | None, counted: dict[str, counting.Counter]
) -> Query:
    deciding = answering({THROW_AT: lambda _: TARGET}, policy or first_suggestion)
    return Query(position, volleys, deciding, counted, len(counting.rows_of(position, 1)), RULES, NOTES)


# ---------------------------------------------------------------- the results counted


def counted(position: Position, kind: str) -> dict[str, counting.Counter]:
    """Return the counters: for suppressive fire morale markers alone; else losses, wounds left, and markers."""
    rows = counting.rows_of(position, 1)
    markers = counting.total_of(rows, lambda model: model.marks("morale"))
    if kind == SUPPRESSIVE:
        return {"markers": markers}
    left = {"wounds-left": counting.left_of((TARGET,), wounds_left)} if position.profiles[TARGET].wounds > 1 else {}
    return {"out-of-action": counting.number_of(rows, is_out), **left, "markers": markers}


def is_out(model: Model) -> bool:
    return not is_able(model)


def wounds_left(model: Model) -> int:
    return max(0, int(model.profile.wounds) - model.marks("wounds"))
