"""The attacks of a query: the ways to shoot that may be chosen, the volleys, and what is counted in the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from campale.dice.odds import first_suggestion
from campale.mechanics.queries import counting
from campale.referee.odds_queries import Policy, Query, Title, Volley
from campale.referee.position import Model, Position
from campale.rulesets.ragnarok import outcomes
from campale.rulesets.ragnarok.actions import fire_weapons, suppressive_weapons
from campale.rulesets.ragnarok.fire import REACTION, SUPPRESSIVE, Shot
from campale.rulesets.ragnarok.physical import is_able
from campale.rulesets.ragnarok.profile import Profile
from campale.rulesets.ragnarok.queries.layout import ATTACKER, TARGET
from campale.rulesets.ragnarok.queries.profiles import FIELDS
from campale.rulesets.ragnarok.weapon_rules import PLAIN, doublings, weapon_of

RULES = {
    "out-of-action": "wounds/out-of-action",
    "wounds-left": "wounds/out-of-action",
    "markers": "fire/morale-marker",
    "own-out-of-action": "melee/losers-removed",
}
NOTES = (("no-spill", "wounds/one-at-a-time"),)


class Way(NamedTuple):
    """How a weapon is fired: its place among the weapons, and whether its rate is doubled."""

    weapon: int
    doubling: str


def ways_of(model: Model, kind: str) -> dict[str, Way]:
    """Every way to shoot or throw at the target, by the weapon's id and what is done with its rate."""
    places = suppressive_weapons(model) if kind == SUPPRESSIVE else fire_weapons(model)
    usable = [k for k in places if not outcomes.comes_to_nothing(model.position, Shot(model.row, TARGET, k, kind))]
    found: dict[str, Way] = {}
    for k in usable:
        weapon = weapon_of(model, k)
        ways = [PLAIN] if kind == REACTION or weapon.kind == "thrown" else doublings(model, weapon)
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
    """Each attacker shoots in its own way, one after another."""
    is_aimed, is_hidden = "aimed" in states, "hidden" in states
    shots = [
        Shot(ATTACKER + k, TARGET, way.weapon, kind, way.doubling, is_aimed, is_hidden) for k, way in enumerate(ways)
    ]
    return query(position, tuple(volley_of(position, shot, policy) for shot in shots), policy, counted(position, kind))


def volley_of(position: Position, shot: Shot, policy: Policy | None) -> Volley:
    return Volley(
        (title_of(position.profiles[shot.shooter], Way(shot.weapon, shot.doubling)),),
        partial(outcomes.forecast, shot, policy),
        partial(outcomes.play, shot),
        partial(outcomes.after, shot, policy),
    )


def by_hand(position: Position, is_charge: bool, policy: Policy | None) -> Query:
    """A charge, or a melee in which the two stand already."""
    volley = Volley(
        (position.profiles[ATTACKER].title,),
        partial(outcomes.forecast_by_hand, is_charge, ATTACKER, TARGET, policy),
        partial(outcomes.play_by_hand, is_charge, ATTACKER, TARGET),
    )
    own, foes = (counting.number_of(counting.rows_of(position, side), is_out) for side in (0, 1))
    return query(position, (volley,), policy, {"out-of-action": foes, "own-out-of-action": own})


def query(
    position: Position, volleys: tuple[Volley, ...], policy: Policy | None, counted: dict[str, counting.Counter]
) -> Query:
    deciding = outcomes.thrown_at(TARGET, policy or first_suggestion)
    return Query(position, volleys, deciding, counted, len(counting.rows_of(position, 1)), RULES, NOTES)


# ---------------------------------------------------------------- what is counted


def counted(position: Position, kind: str) -> dict[str, counting.Counter]:
    """Of suppressive fire morale markers alone; else who is out of action, and wounds left where there are several."""
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
