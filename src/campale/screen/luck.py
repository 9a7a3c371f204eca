"""How lucky each side was: its dice against their expected results.

Every roll with a need counts: each die if dice are read one by one, otherwise their sum. The chances are treated as
independent, so the number of successes is a sum of independent trials, and the share of battles with fewer is exact: a
convolution, not a simulation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

from campale.dice.needs import Need
from campale.referee.journal import Event
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import actor
from campale.screen.scene import capital
from campale.screen.shown import Luck, LuckReport, Stroke

HOW = ("harms", "neither")
"""The words ``luck.harms`` list the rolls whose success harms the roller, ``luck.neither`` those that do not count as
luck."""

MOST_SUMMED = 6**4
"""The most combinations of a sum that are enumerated; no book adds more dice."""


class Trial(NamedTuple):
    """The dice (or sums) of one roll, their chance of success, and the number of successes."""

    side: int
    why: str
    at: int
    chance: float
    dice: int
    got: int


def luck(events: Sequence[Event], teller: Teller, strokes: int = 6, ats: Sequence[int] = ()) -> LuckReport:
    """The luck in a battle's journal, as far as the viewer sees it. ``ats``: the place of each event in the record."""
    trials = list(trials_of(events, *(teller.words.messages.get(f"luck.{how}", "").split() for how in HOW)))
    sides = sorted({trial.side for trial in trials})
    kinds = dict.fromkeys((trial.side, trial.why) for trial in trials)
    return LuckReport(
        [summed(side, teller.side(side), [t for t in trials if t.side == side]) for side in sides],
        [summed(side, capital(teller.value("why", why)), of_kind(trials, side, why)) for side, why in sorted(kinds)],
        [stroke(trial, events[trial.at], teller, ats) for trial in sorted(trials, key=unlikeliness)[:strokes]],
    )


def of_kind(trials: Iterable[Trial], side: int, why: str) -> list[Trial]:
    return [trial for trial in trials if (trial.side, trial.why) == (side, why)]


# ---------------------------------------------------------------- trials


def trials_of(events: Iterable[Event], harms: Sequence[str] = (), neither: Sequence[str] = ()) -> Iterator[Trial]:
    """The rolls with a need; if success harms the roller, a miss is luck."""
    for at, event in enumerate(events):
        values = event.values
        is_test = event.kind == "roll" and values.get("needed") and isinstance(values.get("side"), int)
        if not is_test or values["why"] in neither:
            continue
        chance, dice, got = outcome(msgspec.convert(values["needed"], Need), values)
        if values["why"] in harms:
            chance, got = 1.0 - chance, dice - got
        if dice:
            yield Trial(values["side"], values["why"], at, chance, dice, got)


def outcome(need: Need, values: dict[str, Plain]) -> tuple[float, int, int]:
    """The chance of each success, the number of trials, and the number of successes."""
    faces, sides = values["answer"], int(values["sides"])
    if values.get("total"):
        return chance_of_sum(need, sides, len(faces)), 1, int(need.is_met_by(sum(faces)))
    return chance_of_die(need, sides), len(faces), sum(need.are_met_by(faces))


def chance_of_die(need: Need, sides: int) -> float:
    return sum(need.are_met_by(range(1, sides + 1))) / sides


def chance_of_sum(need: Need, sides: int, count: int) -> float:
    """The share of combinations of added dice that succeed. Raises ValueError for too many dice."""
    if sides**count > MOST_SUMMED:
        raise ValueError(f"{count}D{sides} are too many to be read as one")
    sums = [sum(faces) for faces in product(range(1, sides + 1), repeat=count)]
    return sum(need.are_met_by(sums)) / len(sums)


# ---------------------------------------------------------------- expected results


def summed(side: int, text: str, trials: Sequence[Trial]) -> Luck:
    chances = [trial.chance for trial in trials for _ in range(trial.dice)]
    got = sum(trial.got for trial in trials)
    spread = successes(chances)
    return Luck(side, text, len(chances), math.fsum(chances), got, share_below(spread, got))


def successes(chances: Sequence[float]) -> list[float]:
    """The chance of every number of successes among independent trials."""
    spread = [1.0]
    for chance in chances:
        missed = [one * (1.0 - chance) for one in spread] + [0.0]
        for number, one in enumerate(spread):
            missed[number + 1] += one * chance
        spread = missed
    return spread


def share_below(spread: Sequence[float], got: int) -> float:
    return min(1.0, math.fsum(spread[:got]) + spread[got] / 2.0)


def unlikeliness(trial: Trial) -> float:
    """How likely it was that a roll would turn out at least as well, or at least as badly, as it did."""
    spread = successes([trial.chance] * trial.dice)
    return min(math.fsum(spread[: trial.got + 1]), math.fsum(spread[trial.got :]))


def stroke(trial: Trial, event: Event, teller: Teller, ats: Sequence[int]) -> Stroke:
    """A roll with whose dice they are and what for, as the journal says it."""
    text = actor(event.values, teller.at(event)) or teller.value("why", trial.why)
    at = ats[trial.at] if ats else 0
    return Stroke(trial.side, capital(text), trial.at, trial.chance * trial.dice, trial.got, unlikeliness(trial), at)
