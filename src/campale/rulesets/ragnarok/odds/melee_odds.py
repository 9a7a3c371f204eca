"""The odds of a melee, round after round to its end, and of a charge with its melee.

Positions after a strike are merged if the state of every model is the same. The rounds of a melee that may go on for
ever are solved as a Markov chain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from campale.dice import counts
from campale.dice.chain import Adding, Chain, Key, Leaving, orders_of, then, until_over, weighed
from campale.dice.counts import chances_of
from campale.dice.odds import OddsError, first_suggestion
from campale.mechanics import steps
from campale.mechanics.units import NOBODY
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.close_combat import melee
from campale.rulesets.ragnarok.close_combat.charge import begin_charge, charge, charge_path, farthest, settle_charges
from campale.rulesets.ragnarok.close_combat.engagement import melees
from campale.rulesets.ragnarok.close_combat.melee import Blow, Dealt
from campale.rulesets.ragnarok.morale.bodyguard import guards
from campale.rulesets.ragnarok.odds.shooting_odds import Policy, points_kept
from campale.rulesets.ragnarok.shooting.saves import STOPPED
from campale.table.paths import Path

CHARGE, MELEE, WON = "charge", "melee", "won"
MOST_PLAYED = 8_000
"""How many runs of events in a fight are allowed before its odds are given up as too much."""

MOST_ROUNDS = 400
"""How many states at the beginning of a round are considered."""

Wounds = tuple[int, int]
Group = tuple[int, ...]
Round = tuple[Wounds, int | None]
"""The wounds that each side dealt, and the outcome: the winner, NOBODY, or None if the melee goes on."""


class Over(NamedTuple):
    """How a melee ended: the side that won (-1: none), and how many of each side are out of action or removed."""

    winner: int
    fallen: tuple[int, int]


# ---------------------------------------------------------------- the state of a position


def key_of(position: Position) -> Key:
    """Return everything that may distinguish one position from another within a melee."""
    named = position.of_models.columns
    marks = tuple((name, tuple(named[name])) for name in sorted(named) if any(named[name]))
    pools = tuple(position.holds(side, "exploration") for side in (0, 1))
    return tuple(position.where), marks, pools, position.result is None


# ---------------------------------------------------------------- the stages of a round


async def strikers(position: Position, group: Group) -> Group:
    return tuple(await melee.strikers(position, group))


async def blow(position: Position, row: int, group: Group) -> Blow:
    fighter = position.model(row)
    dealt = await melee.blow(fighter, melee.opponents_in(position, row, group))
    fighter.mark("has-struck", 1, quietly=True)
    return dealt._replace(faces=tuple(sorted(dealt.faces)))


async def save(position: Position, dealt: Blow, face: int, _: None) -> tuple[int, str]:
    """Roll the saves of a hit, which do not depend on the other hits."""
    return await melee.save(position, dealt, face)


def with_wound(wounds: tuple[tuple[int, str], ...], one: tuple[int, str]) -> tuple[tuple[int, str], ...]:
    return wounds if one[1] == STOPPED else tuple(sorted((*wounds, one)))


WOUNDS = Adding(lambda _: None, with_wound)


async def falls(position: Position, group: Group, extra: Wounds, dealt: tuple[Dealt, ...]) -> Round:
    """Apply the wounds; return how many each side dealt, and the outcome of the round (None: it goes on)."""
    melee.fall(position, dealt)
    wounds = melee.wounds_dealt(position, dealt)
    outcome = melee.winner(position, group, (wounds[0] + extra[0], wounds[1] + extra[1]))
    is_over = melee.is_over(position, group, outcome)
    return wounds, (NOBODY if outcome is None else outcome) if is_over else None


class Melee:
    """The fight of a group (rows). ``standing``: the models able to fight at the beginning, by default now."""

    def __init__(
        self,
        position: Position,
        group: Sequence[int],
        policy: Policy | None = None,
        standing: Sequence[int] | None = None,
    ) -> None:
        begun, kept = points_kept(position) if policy is None else (position, ())
        self.group = tuple(group)
        self.before = begun.copy()
        self.before.forget()
        self.chain = Chain(self.before, policy or first_suggestion, MOST_PLAYED, key_of)
        self.chain.decided.update(dict.fromkeys(kept))
        self.standing = able_in(position) if standing is None else standing
        self.struck: dict[Any, Leaving] = {}

    # ------------------------------------------------------------ a round

    def first_round(self) -> Leaving:
        return self.round(self.chain.begun, melee.shots_at_chargers(self.before, self.group))

    def round(self, key: Key, extra: Wounds = (0, 0)) -> Leaving:
        """Return the positions after a round, with each side's wounds, and the outcome (None: it goes on)."""
        struck = then(self.chain.after(key, strikers, self.group), self.all_strikes)
        return then(struck, lambda after, dealt: self.chain.after(after, falls, self.group, extra, dealt))

    def all_strikes(self, key: Key, order: Group) -> Leaving:
        """Return the strikes one after another: the row of each fighter with its unsaved hits."""
        found: Leaving = {(key, ()): 1.0}
        for row in order:
            found = then(found, partial(self.one_more, row))
        return found

    def one_more(self, row: int, key: Key, dealt: tuple[Dealt, ...]) -> Leaving:
        return {(after, (*dealt, (row, wounds))): chance for (after, wounds), chance in self.strike(key, row).items()}

    def strike(self, key: Key, row: int) -> Leaving:
        """Return the states after the dice of one fighter, then its saves hit by hit."""
        if (key, row) not in self.struck:
            self.struck[key, row] = then(self.chain.after(key, blow, row, self.group), self.saved)
        return self.struck[key, row]

    def saved(self, key: Key, blow: Blow) -> Leaving:
        """Return the unsaved hits. If a bodyguard may take one, every order of the dice is considered."""
        is_guarded = guards(self.chain.position(key).model(blow.target))
        orders = orders_of(blow.faces) if is_guarded else [blow.faces]
        unordered = blow._replace(faces=())
        return weighed(
            [
                (
                    self.chain.folded(key, (), tuple((save, unordered, face) for face in faces), WOUNDS),
                    1.0 / len(orders),
                )
                for faces in orders
            ]
        )

    # ------------------------------------------------------------ until the end

    @rule("melee/tie", "melee/winner")
    def ends(self) -> dict[Over, float]:
        """Return how the melee may end, with the chances."""
        return until_over((self.chain.begun, True), self.next_round, MOST_ROUNDS)

    def next_round(self, state: tuple[Key, bool]) -> tuple[dict[tuple[Key, bool], float], dict[Over, float]]:
        """For a position, and whether it is the first, return those in which the melee goes on, and the ends."""
        again, ends = dict[tuple[Key, bool], float](), dict[Over, float]()
        for (after, (_, winner)), chance in (self.first_round() if state[1] else self.round(state[0])).items():
            if winner is None:
                again[after, False] = again.get((after, False), 0.0) + chance
            else:
                over = self.over(after, winner)
                ends[over] = ends.get(over, 0.0) + chance
        return again, ends

    def over(self, key: Key, winner: int) -> Over:
        """Return the end: the losers are removed; a bodyguard from outside the melee may have fallen too."""
        position = self.chain.position(key)
        removed = [row for row in self.group if winner == 1 - position.side_of[row]]
        return Over(winner, fallen(position, self.standing, removed))


def able_in(position: Position) -> list[int]:
    return [model.row for model in position.models if is_able(model)]


def fallen(position: Position, standing: Sequence[int], removed: Sequence[int] = ()) -> Wounds:
    """Return how many of each side can fight no more, of the rows that could."""
    sides = [position.side_of[row] for row in standing if row in removed or not is_able(position.model(row))]
    return sides.count(0), sides.count(1)


# ---------------------------------------------------------------- forecasts


@rule("melee/simultaneous", "melee/winner", "melee/losers-removed")
def melee_forecast(position: Position, row: int, target: int, policy: Policy | None = None) -> Forecast | None:
    """Return the forecast of the melee between a model and an enemy; None if they are not in one."""
    group = group_of(position, row)
    if group is None or target not in group:
        return None
    fight = Melee(position, group, policy)
    found, gap = told([(fight, 1.0)], position.side_of[row], {})
    return Forecast(row, target, (), tuple(found), (MELEE,), decided=tuple(fight.chain.decided), gap=gap)


def told(fights: Sequence[tuple[Melee, float]], side: int, without: dict[Over, float]) -> tuple[list[Step], str]:
    """Return the wounds of the first round, then the end, as far as they are known; and why they are incomplete.

    ``fights`` come with their chances; ``without``: the ends without any fight.
    """
    try:
        first = weighed([(fight.first_round(), chance) for fight, chance in fights])
    except OddsError:
        return [], "too-many"
    dealt = [
        numbered("dealt", "melee/wound-count", first, lambda one: one[1][0][side]),
        numbered("taken", "melee/wound-count", first, lambda one: one[1][0][1 - side]),
    ]
    try:
        ends = weighed([(without, 1.0), *[(fight.ends(), chance) for fight, chance in fights]])
    except OddsError:
        return dealt, "no-end"
    return [
        *dealt,
        numbered("out-of-action", "melee/losers-removed", ends, lambda one: one.fallen[1 - side]),
        numbered("own-out-of-action", "melee/losers-removed", ends, lambda one: one.fallen[side]),
        numbered(WON, "melee/winner", ends, lambda one: int(one.winner == side)),
        numbered("lost", "melee/winner", ends, lambda one: int(one.winner == 1 - side)),
    ], ""


def numbered(kind: str, cited: str, values: Mapping[Any, float], counted: Callable[[Any], int]) -> Step:
    """Return the chances of a number; the missing chance counts as 0."""
    rest = max(0.0, 1.0 - math.fsum(values.values()))
    found = steps.numbers({**values, None: rest}, lambda one: 0 if one is None else counted(one))
    return steps.step(kind, cited, found, is_main=kind == WON)


# ---------------------------------------------------------------- charges


@rule("charge/distance", "charge/path")
def charge_forecast(
    position: Position, row: int, target: int, path: Path | None = None, policy: Policy | None = None
) -> Forecast | None:
    """Return whether a charge succeeds by its path (default: the proposed one), and the melee that follows."""
    charger, foe = position.model(row), position.model(target)
    path = path or charge_path(charger, foe, farthest(charger))
    if path is None:
        return None
    begun = Forecast(row, target, (), (), (CHARGE,), notes=("reactions",))
    return after_charge(position, begun, partial(charged, row=row, target=target, path=path), policy, charger.side)


def after_charge(
    position: Position, begun: Forecast, charge: Callable[[Position], Any], policy: Policy | None, side: int
) -> Forecast:
    """Return a charge's forecast for a side: whether it succeeds, and the melee that follows."""
    unspent, kept = points_kept(position) if policy is None else (position, ())
    chain = Chain(unspent, policy or first_suggestion, MOST_PLAYED, key_of_charge)
    try:
        came = chain.after(chain.begun, charge)
    except OddsError:
        return replace(begun, gap="too-many")
    standing, fights, without = able_in(unspent), list[tuple[Melee, float]](), dict[Over, float]()
    for (key, _), chance in came.items():
        left = chain.position(key)
        group = group_of(left, begun.actor)
        if group is not None:
            fights.append((Melee(left, group, policy, standing), chance))
        else:
            over = Over(NOBODY, fallen(left, standing))
            without[over] = without.get(over, 0.0) + chance
    sure = math.fsum(chance for (_, is_home), chance in came.items() if is_home)
    reaches = Step("reaches", "charge/distance", counts.pairs(chances_of({0: max(0.0, 1.0 - sure), 1: sure})))
    found, gap = told(fights, side, without) if fights else ([], "")
    decided = dict.fromkeys((*kept, *chain.decided, *(one for fight, _ in fights for one in fight.chain.decided)))
    return replace(begun, steps=(reaches, *found), decided=tuple(decided), gap=gap)


def group_of(position: Position, row: int) -> tuple[int, ...] | None:
    return next((tuple(rows) for rows in melees(position) if row in rows), None)


def key_of_charge(position: Position) -> Key:
    places = tuple(zip(position.x, position.y, position.z, position.facing, strict=True))
    return key_of(position), places, tuple(position.declared.get("onsets", ()))


async def charged(position: Position, row: int, target: int, path: Path) -> bool:
    charger = position.model(row)
    begin_charge(charger)
    await charge(charger, position.model(target), path, bool(charger.marks("hidden")))
    settle_charges(position)
    return bool(charger.marks("charged"))
