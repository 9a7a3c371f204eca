"""The odds of a melee, round after round to its end, and of a charge with the melee that it brings about.

Of the positions that a strike may leave behind those are merged that nothing tells apart: the state of every model.
The rounds of a melee that may go on for ever are solved as the chain that they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    group = next((rows for rows in melees(position) if row in rows and target in rows), None)
    if group is None:
        return None
    fight = Melee(position, group, policy)
    begun = Forecast(row, target, (), (), (MELEE,))
    try:
        steps = steps_of(fight, position.side_of[row])
    except OddsError:
        return replace(begun, gap="too-many")
    return replace(begun, steps=tuple(steps), decided=tuple(fight.worlds.decided))


def steps_of(fight: Melee, side: int, chance: float = 1.0) -> list[Step]:
    """The wounds of the first round, then the end; all of it with a chance of coming about at all."""
    first, ends = fight.first_round(), fight.ends()
    return [
        numbered("dealt", "melee/wound-count", first, chance, lambda one: one[1][side]),
        numbered("taken", "melee/wound-count", first, chance, lambda one: one[1][1 - side]),
        numbered("out-of-action", "melee/losers-removed", ends, chance, lambda one: one.fallen[1 - side]),
        numbered("own-out-of-action", "melee/losers-removed", ends, chance, lambda one: one.fallen[side]),
        numbered(WON, "melee/winner", ends, chance, lambda one: int(one.winner == side)),
        numbered("lost", "melee/winner", ends, chance, lambda one: int(one.winner == 1 - side)),
    ]


def numbered(kind: str, cited: str, values: Mapping[Any, float], chance: float, counted: Callable[[Any], int]) -> Step:
    found = {0: 1.0 - chance}
    for value, share in values.items():
        number = counted(value)
        found[number] = found.get(number, 0.0) + chance * share
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
    unspent, kept = points_kept(position) if policy is None else (position, ())
    decided = dict.fromkeys(kept)
    try:
        steps = steps_of_charge(unspent, (row, target, path), policy, decided)
    except OddsError:
        return replace(begun, gap="too-many")
    return replace(begun, steps=tuple(steps), decided=tuple(decided))


def steps_of_charge(
    position: Position, onset: tuple[int, int, Path], policy: Policy | None, decided: dict[str, None]
) -> list[Step]:
    """The charger comes home by the same path whatever it rolls: all rolls that reach leave one position."""
    worlds = Worlds(key_of_charge, policy or first_suggestion, MOST_PLAYED)
    came = worlds.after(worlds.begin(position), CHARGE, partial(charged, *onset))
    decided.update(worlds.decided)
    home = [(key, chance) for (key, is_home), chance in came.items() if is_home]
    chance = sum(share for _, share in home)
    steps = [Step("reaches", "charge/distance", counts.pairs(chances_of({0: 1.0 - chance, 1: chance})))]
    for key, _ in home[:1] if len(home) == 1 else []:
        after = worlds.positions[key]
        group = next(rows for rows in melees(after) if onset[0] in rows)
        fight = Melee(after, group, policy)
        steps += steps_of(fight, position.side_of[onset[0]], chance)
        decided.update(fight.worlds.decided)
    return steps


def key_of_charge(position: Position) -> Key:
    places = tuple(zip(position.x, position.y, position.z, position.facing, strict=True))
    return key_of(position), places, tuple(position.declared.get("onsets", ()))


async def charged(row: int, target: int, path: Path, position: Position) -> bool:
    charger = position.model(row)
    begin_charge(charger)
    await charge(charger, position.model(target), path, bool(charger.marks("hidden")))
    settle_charges(position)
    return bool(charger.marks("charged"))
