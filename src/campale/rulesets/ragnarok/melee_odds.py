"""The odds of a melee, round after round to its end, and of a charge with the melee that it brings about.

Of the positions that a strike may leave behind those are merged that nothing tells apart: the state of every model.
The rounds of a melee that may go on for ever are solved as the chain that they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from campale.dice import counts
from campale.dice.chain import Key, Worlds
from campale.dice.counts import chances_of
from campale.dice.odds import OddsError, TooMany, first_suggestion
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok import melee
from campale.rulesets.ragnarok.bodyguard import guards
from campale.rulesets.ragnarok.charge import begin_charge, charge, charge_path, farthest, onsets, settle_charges
from campale.rulesets.ragnarok.engagement import melees
from campale.rulesets.ragnarok.melee import Dealt
from campale.rulesets.ragnarok.physical import is_able
from campale.rulesets.ragnarok.saves import STOPPED
from campale.rulesets.ragnarok.shooting_odds import Policy, orders_of, points_kept
from campale.table.paths import Path

CHARGE, MELEE, WON = "charge", "melee", "won"
MOST_PLAYED = 8_000
"""How often all that happens in a fight may be run before it is given up as too much to tell."""

MOST_ROUNDS = 400
"""How many states at the beginning of a round are gone through."""

Wounds = tuple[int, int]


class Over(NamedTuple):
    """How a melee ended: which side has won (-1: none), and how many of each side are out of action or removed."""

    winner: int
    fallen: tuple[int, int]


# ---------------------------------------------------------------- the state of things


def key_of(position: Position) -> Key:
    """All that may tell one position from another within a melee."""
    named = position.of_models.columns
    marks = tuple((name, tuple(named[name])) for name in sorted(named) if any(named[name]))
    pools = tuple(position.holds(side, "exploration") for side in (0, 1))
    return tuple(position.where), marks, pools, position.result is None


class Melee:
    """The fight of a group (rows)."""

    def __init__(self, position: Position, group: Sequence[int], policy: Policy | None = None) -> None:
        begun, kept = points_kept(position) if policy is None else (position, ())
        self.group = tuple(group)
        self.worlds = Worlds(key_of, policy or first_suggestion, MOST_PLAYED)
        self.worlds.decided.update(dict.fromkeys(kept))
        self.begun = begun.copy()
        self.begun.forget()
        self.standing = [model.row for model in position.models if is_able(model)]

    # ------------------------------------------------------------ a round

    def rounds(self, key: Key, extra: Wounds) -> dict[tuple[Key, Wounds, int | None], float]:
        """One round: the position after it, the wounds that each side dealt, and how it came out (None: it goes on)."""
        found: dict[Any, float] = {}
        for (begun, order), chance in self.worlds.after(key, "strikers", self.strikers).items():
            for (struck, dealt), share in self.struck(begun, order).items():
                name = "fall", dealt, extra
                for (after, given), last in self.worlds.after(struck, name, partial(self.falls, dealt, extra)).items():
                    outcome = after, *given
                    found[outcome] = found.get(outcome, 0.0) + chance * share * last
        return found

    async def strikers(self, position: Position) -> tuple[int, ...]:
        return tuple(await melee.strikers(position, self.group))

    def struck(self, key: Key, order: Sequence[int]) -> dict[tuple[Key, tuple[Dealt, ...]], float]:
        """All strikes of a round, one after another."""
        found: dict[tuple[Key, tuple[Dealt, ...]], float] = {(key, ()): 1.0}
        for row in order:
            before, found = found, {}
            for (begun, dealt), chance in before.items():
                for (after, wounds), share in self.strike(begun, row).items():
                    more = after, (*dealt, (row, wounds))
                    found[more] = found.get(more, 0.0) + chance * share
        return found

    def strike(self, key: Key, row: int) -> dict[tuple[Key, tuple[tuple[int, str], ...]], float]:
        """The dice of one fighter, then the saves hit by hit."""
        name = "struck", row
        if (key, name) not in self.worlds.kept:
            found: dict[Any, float] = {}
            for (rolled, hit), chance in self.worlds.after(key, ("dice", row), partial(self.dice, row)).items():
                for given, share in self.all_saved(rolled, row, *hit).items():
                    found[given] = found.get(given, 0.0) + chance * share
            self.worlds.kept[key, name] = found
        return self.worlds.kept[key, name]

    async def dice(self, row: int, position: Position) -> tuple[int, str, tuple[int, ...]]:
        fighter = position.model(row)
        attack = await melee.chosen_attack(fighter, melee.opponents_in(position, row, self.group))
        faces = await melee.faces_that_hit(attack)
        fighter.mark("has-struck", 1, quietly=True)
        return attack.target.row, attack.weapon.id, tuple(sorted(faces))

    def all_saved(self, key: Key, row: int, target: int, weapon: str, faces: tuple[int, ...]) -> dict[Any, float]:
        """The saves; where a bodyguard may take a hit in whatever order the dice have fallen."""
        orders = orders_of(faces) if guards(self.worlds.positions[key].model(target)) else [faces]
        found: dict[Any, float] = {}
        for one in orders:
            for given, share in self.saved(key, row, target, weapon, one).items():
                found[given] = found.get(given, 0.0) + share / len(orders)
        return found

    def saved(self, key: Key, row: int, target: int, weapon: str, faces: tuple[int, ...]) -> dict[Any, float]:
        found: dict[Any, float] = {(key, ()): 1.0}
        for face in faces:
            before, found = found, {}
            for (begun, wounds), chance in before.items():
                name = "save", row, target, weapon, face
                call = partial(save, row, target, weapon, face)
                for (after, one), share in self.worlds.after(begun, name, call).items():
                    more = wounds if one[1] == STOPPED else tuple(sorted((*wounds, one)))
                    found[after, more] = found.get((after, more), 0.0) + chance * share
        return found

    async def falls(self, dealt: Sequence[Dealt], extra: Wounds, position: Position) -> tuple[Wounds, int | None]:
        melee.fall(position, dealt)
        wounds = melee.wounds_dealt(position, dealt)
        outcome = melee.winner(position, self.group, (wounds[0] + extra[0], wounds[1] + extra[1]))
        is_over = melee.is_over(position, self.group, outcome)
        return wounds, (melee.NOBODY if outcome is None else outcome) if is_over else None

    # ------------------------------------------------------------ to the end

    def first_round(self) -> dict[tuple[Key, Wounds, int | None], float]:
        extra = melee.shots_at_chargers(self.begun, self.group)
        return self.rounds(self.worlds.begin(self.begun), extra)

    @rule("melee/tie", "melee/winner")
    def ends(self) -> dict[Over, float]:
        """How the melee may end."""
        found: dict[Over, float] = {}
        goes_on: dict[Key, float] = {}
        for (after, _, outcome), chance in self.first_round().items():
            if outcome is None:
                goes_on[after] = goes_on.get(after, 0.0) + chance
            else:
                over = self.over(after, outcome)
                found[over] = found.get(over, 0.0) + chance
        for over, chance in self.solved(goes_on).items():
            found[over] = found.get(over, 0.0) + chance
        return found

    def over(self, key: Key, winner: int) -> Over:
        """The losers are removed; a bodyguard may have fallen that was not in the melee itself."""
        position = self.worlds.positions[key]
        side_of = position.side_of
        lost = [row for row in self.group if winner == 1 - side_of[row]]
        out = [row for row in self.standing if row in lost or not is_able(position.model(row))]
        return Over(winner, (sum(side_of[row] == 0 for row in out), sum(side_of[row] == 1 for row in out)))

    def solved(self, begun: Mapping[Key, float]) -> dict[Over, float]:
        """From the states after a round in which nothing was decided: how often each of them comes, and its ends."""
        rounds = self.all_rounds(begun)
        if not rounds:
            return {}
        place = {key: n for n, key in enumerate(rounds)}
        again = np.zeros((len(rounds), len(rounds)))
        for key, outcomes in rounds.items():
            for (after, _, outcome), chance in outcomes.items():
                if outcome is None:
                    again[place[key], place[after]] += chance
        start = np.array([begun.get(key, 0.0) for key in rounds])
        visits = np.linalg.solve(np.eye(len(rounds)) - again.T, start)
        found: dict[Over, float] = {}
        for key, outcomes in rounds.items():
            for (after, _, outcome), chance in outcomes.items():
                if outcome is not None:
                    over = self.over(after, outcome)
                    found[over] = found.get(over, 0.0) + chance * float(visits[place[key]])
        return found

    def all_rounds(self, begun: Mapping[Key, float]) -> dict[Key, dict[tuple[Key, Wounds, int | None], float]]:
        found: dict[Key, Any] = {}
        waiting = list(begun)
        while waiting:
            key = waiting.pop()
            if key in found:
                continue
            if len(found) >= MOST_ROUNDS:
                raise TooMany("too many rounds")
            found[key] = self.rounds(key, (0, 0))
            waiting += [after for after, _, outcome in found[key] if outcome is None]
        return found


async def save(row: int, target: int, weapon: str, face: int, position: Position) -> tuple[int, str]:
    fighter = position.model(row)
    arm = next(one for one in fighter.profile.melee_weapons if one.id == weapon)
    return await melee.saved(melee.Attack(fighter, position.model(target), arm, onsets(position)), face)


# ---------------------------------------------------------------- forecasts


@rule("melee/simultaneous", "melee/winner", "melee/losers-removed")
def melee_forecast(position: Position, row: int, target: int, policy: Policy | None = None) -> Forecast | None:
    """What may come of the melee in which a model and an enemy fight; None where they fight in none."""
    group = group_of(position, row)
    if group is None or target not in group:
        return None
    fight = Melee(position, group, policy)
    steps, gap = told([(1.0, fight, (0, 0))], position.side_of[row])
    return Forecast(row, target, (), tuple(steps), (MELEE,), decided=tuple(fight.worlds.decided), gap=gap)


Fights = Sequence[tuple[float, Melee, Wounds]]
"""Melees that may come about, each with its chance, and how many of each side have fallen before it."""


def told(fights: Fights, side: int, without: Sequence[tuple[float, Wounds]] = ()) -> tuple[list[Step], str]:
    """The wounds of the first round, then the end, as far as they can be told; and why they do not go on.

    ``without``: the chances that no melee comes about, with those who have fallen by then.
    """
    try:
        first = weighed((chance, fight.first_round(), (0, 0)) for chance, fight, _ in fights)
    except OddsError:
        return [], "too-many"
    steps = [
        numbered("dealt", "melee/wound-count", first, lambda one, _: one[1][side]),
        numbered("taken", "melee/wound-count", first, lambda one, _: one[1][1 - side]),
    ]
    try:
        ends = weighed((chance, fight.ends(), before) for chance, fight, before in fights)
    except OddsError:
        return steps, "no-end"
    for chance, fallen in without:
        nothing = Over(melee.NOBODY, (0, 0)), fallen
        ends[nothing] = ends.get(nothing, 0.0) + chance
    return [
        *steps,
        numbered(
            "out-of-action", "melee/losers-removed", ends, lambda one, more: one.fallen[1 - side] + more[1 - side]
        ),
        numbered("own-out-of-action", "melee/losers-removed", ends, lambda one, more: one.fallen[side] + more[side]),
        numbered(WON, "melee/winner", ends, lambda one, _: int(one.winner == side)),
        numbered("lost", "melee/winner", ends, lambda one, _: int(one.winner == 1 - side)),
    ], ""


Weighed = dict[tuple[Any, Wounds], float]


def weighed(several: Iterable[tuple[float, Mapping[Any, float], Wounds]]) -> Weighed:
    """What may come of several things together, with those who have fallen before."""
    found: Weighed = {}
    for chance, values, before in several:
        for value, share in values.items():
            found[value, before] = found.get((value, before), 0.0) + chance * share
    return found


def numbered(kind: str, cited: str, values: Weighed, counted: Callable[[Any, Wounds], int]) -> Step:
    """The chances of a number; that of whatever is left is the chance of none."""
    found = {0: 0.0}
    for (value, before), share in values.items():
        number = counted(value, before)
        found[number] = found.get(number, 0.0) + share
    found[0] += max(0.0, 1.0 - math.fsum(found.values()))
    return Step(kind, cited, counts.pairs(chances_of(found)), kind == WON)


# ---------------------------------------------------------------- charges


@rule("charge/distance", "charge/path")
def charge_forecast(
    position: Position, row: int, target: int, path: Path | None = None, policy: Policy | None = None
) -> Forecast | None:
    """Whether a charge reaches by its path (else the proposed one), and what comes of the melee then."""
    charger, foe = position.model(row), position.model(target)
    path = path or charge_path(charger, foe, farthest(charger))
    if path is None:
        return None
    begun = Forecast(row, target, (), (), (CHARGE,), notes=("reactions",))
    return after_charge(position, begun, partial(charged, row, target, path), policy, charger.side)


def after_charge(
    position: Position, begun: Forecast, charge: Callable[[Position], Any], policy: Policy | None, side: int
) -> Forecast:
    """What comes of a charge, told to a side: whether it comes home, and the melee that it brings about then."""
    unspent, kept = points_kept(position) if policy is None else (position, ())
    worlds = Worlds(key_of_charge, policy or first_suggestion, MOST_PLAYED)
    try:
        came = worlds.after(worlds.begin(unspent), begun.ways, charge)
    except OddsError:
        return replace(begun, gap="too-many")
    sure = math.fsum(chance for (_, is_home), chance in came.items() if is_home)
    left = [(chance, worlds.positions[key]) for (key, _), chance in came.items()]
    fights = [(chance, Melee(each, group, policy), lost(unspent, each)) for chance, each, group in fought(left, begun)]
    without = [(chance, lost(unspent, each)) for chance, each in left if group_of(each, begun.actor) is None]
    reaches = Step("reaches", "charge/distance", counts.pairs(chances_of({0: max(0.0, 1.0 - sure), 1: sure})))
    steps, gap = told(fights, side, added_up(without)) if fights else ([], "")
    decided = [one for fight in fights for one in fight[1].worlds.decided]
    named = tuple(dict.fromkeys((*kept, *worlds.decided, *decided)))
    return replace(begun, steps=(reaches, *steps), decided=named, gap=gap)


def fought(left: Iterable[tuple[float, Position]], begun: Forecast) -> list[tuple[float, Position, tuple[int, ...]]]:
    """The positions in which the charger fights: it came home, or was charged in its turn."""
    found = ((chance, each, group_of(each, begun.actor)) for chance, each in left)
    return [(chance, each, group) for chance, each, group in found if group is not None]


def group_of(position: Position, row: int) -> tuple[int, ...] | None:
    return next((tuple(rows) for rows in melees(position) if row in rows), None)


def lost(before: Position, after: Position) -> Wounds:
    """How many of each side can fight no more."""
    rows = [model.row for model in before.models if is_able(model) and not is_able(after.model(model.row))]
    return sum(before.side_of[row] == 0 for row in rows), sum(before.side_of[row] == 1 for row in rows)


def added_up(several: Iterable[tuple[float, Wounds]]) -> list[tuple[float, Wounds]]:
    found: dict[Wounds, float] = {}
    for chance, fallen in several:
        found[fallen] = found.get(fallen, 0.0) + chance
    return [(chance, fallen) for fallen, chance in found.items()]


def key_of_charge(position: Position) -> Key:
    places = tuple(zip(position.x, position.y, position.z, position.facing, strict=True))
    return key_of(position), places, tuple(position.declared.get("onsets", ()))


async def charged(row: int, target: int, path: Path, position: Position) -> bool:
    charger = position.model(row)
    begin_charge(charger)
    await charge(charger, position.model(target), path, bool(charger.marks("hidden")))
    settle_charges(position)
    return bool(charger.marks("charged"))
