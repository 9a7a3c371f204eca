"""The answer to a query: its volleys one after another, stage by stage, and what is left at the end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from campale.dice.odds import OddsError
from campale.odds.form import Form, filled_in
from campale.odds.link import path_of, text_of
from campale.odds.troubles import BREAKS, QueryError, broken
from campale.referee.looks import Forecast, Step
from campale.referee.odds_queries import Query, Title, Volley
from campale.referee.position import Position
from campale.referee.ruleset import Ruleset

Chances = tuple[tuple[int, float], ...]
States = Sequence[tuple[Position, float]]
LOSSES = ("losses", "out-of-action")
OWN, WON = "own-out-of-action", "won"
RISKY = 0.1
"""The answer mentions a shooter's own risk if it is greater than this."""
MOST_STATES = 400
"""The most states that a volley may leave for the next one."""


class Stage(msgspec.Struct, frozen=True):
    """Something counted: its kind (``forecast.<kind>`` in the words), its rule, the chance of each number.

    ``at_least``: the chance of that number or more, for every possible number.
    """

    kind: str
    rule: str
    chances: Chances
    mean: float
    median: int
    deviation: float
    at_least: Chances


class VolleyOdds(msgspec.Struct, frozen=True):
    """One volley: the titles of its weapons, how many dice, its stages; ``gap``: why they end before the losses."""

    of: tuple[Title, ...]
    dice: int
    ways: tuple[str, ...]
    stages: tuple[Stage, ...]
    gap: str = ""


class Answer(msgspec.Struct, frozen=True):
    """The odds of one query. ``link`` is its path, ``values`` what was filled in, as texts.

    ``over``: the totals after all volleys; ``gap``: why there are none. ``decided``: the prompts that players would
    answer on the way, answered by the policy of the query. ``all_of_them``: how many models the target has. ``notes``:
    keys of words (``odds.note.<key>``, of forecasts ``forecast.note.<key>``) with their rules.
    """

    ruleset: str
    link: str
    values: dict[str, str]
    volleys: tuple[VolleyOdds, ...]
    over: tuple[Stage, ...]
    all_of_them: int
    gap: str = ""
    decided: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    @property
    def losses(self) -> Stage | None:
        """The models lost after all volleys; for a single volley also if only its forecast gives them."""
        stages = self.over or (self.volleys[0].stages if len(self.volleys) == 1 else ())
        return next((one for one in stages if one.kind in LOSSES), None)

    @property
    def own_risk(self) -> float | None:
        """The chance that a shot costs the shooting side a model, if it is greater than ``RISKY``."""
        stages = [one for volley in self.volleys for one in volley.stages]
        if any(one.kind == WON for one in stages):
            return None
        spared = math.prod(1.0 - chance_of_at_least(one.chances, 1) for one in stages if one.kind == OWN)
        return 1.0 - spared if 1.0 - spared > RISKY else None

    @property
    def wiped_out(self) -> float | None:
        """The chance that nobody of the target is left."""
        return None if self.losses is None else chance_of_at_least(self.losses.chances, self.all_of_them)


# ---------------------------------------------------------------- asking


def answered(ruleset: Ruleset, written: Mapping[str, Any]) -> Answer:
    """The odds of a written query. Raises QueryError for values that cannot be used."""
    form, query = filled_in(ruleset, written)
    return answer_of(form, query)


def answer_of(form: Form, query: Query) -> Answer:
    """The odds of a form. Raises QueryError if the rules cannot be run on its invented profiles."""
    try:
        return told(form, query)
    except BREAKS as error:
        raise QueryError(broken(error)) from None


def told(form: Form, query: Query) -> Answer:
    volleys, decided, notes = [], dict[str, None](), dict[tuple[str, str], None]()
    states: States | None = [(query.position, 1.0)]
    gap = ""
    for volley in query.volleys:
        if states is None:
            break
        found = [(volley.forecast(position), chance) for position, chance in states]
        volleys.append(volley_odds(volley.of, found))
        for forecast, _ in found:
            decided.update(dict.fromkeys(forecast.decided))
            notes.update(dict.fromkeys((f"forecast.note.{one}", "") for one in forecast.notes))
        is_last = len(volleys) == len(query.volleys)
        states = left_after(volley, states)
        gap = "too-many" if states is None and not is_last else ""
    over = () if states is None else tuple(counted(query, kind, states) for kind in query.counted)
    own = {(f"odds.note.{key}", rule): None for key, rule in query.notes}
    values = {one.field.name: text_of(one) for one in form.filled}
    return Answer(
        form.ruleset,
        path_of(form),
        values,
        tuple(volleys),
        over,
        query.all_of_them,
        gap,
        tuple(decided),
        tuple({**notes, **own}),
    )


def left_after(volley: Volley, states: States) -> list[tuple[Position, float]] | None:
    """The possible states after a volley, from those before; None if unknown."""
    found: dict[bytes, tuple[Position, float]] = {}
    if volley.after is None:
        return None
    try:
        for position, chance in states:
            for later, share in volley.after(position):
                key = same_losses(later).to_bytes()
                known = found.get(key)
                found[key] = later, chance * share + (known[1] if known else 0.0)
            if len(found) > MOST_STATES:
                return None
    except OddsError:
        return None
    return list(found.values())


def same_losses(position: Position) -> Position:
    """A key of the position that ignores the order of losses and who caused them."""
    copy = position.copy()
    losses = [msgspec.structs.replace(one, by=-1) for one in copy.losses]
    copy.losses = sorted(losses, key=lambda one: (one.model, one.cause))
    return copy


def counted(query: Query, kind: str, states: States) -> Stage:
    found: dict[int, list[float]] = {}
    for position, chance in states:
        found.setdefault(query.counted[kind](position), []).append(chance)
    return stage_of(kind, query.rules.get(kind, ""), {number: math.fsum(parts) for number, parts in found.items()})


def volley_odds(of: tuple[Title, ...], found: Sequence[tuple[Forecast, float]]) -> VolleyOdds:
    """The combined forecast of one volley over all states in which it may be fired."""
    first = max(found, key=lambda one: len(one[0].steps))[0]
    if len(found) == 1:
        return VolleyOdds(of, first.dice, first.ways, tuple(map(stage_of_step, first.steps)), first.gap)
    gap = next((one.gap for one, _ in found if one.gap and one.steps), "")
    stages = tuple(mixed(step, found) for step in first.steps)
    return VolleyOdds(of, first.dice, first.ways, stages, gap)


def mixed(like: Step, found: Sequence[tuple[Forecast, float]]) -> Stage:
    """A stage missing from a forecast counts as 0: there was nobody left to fire at."""
    parts: dict[int, list[float]] = {}
    for forecast, chance in found:
        own = next((one.chances for one in forecast.steps if one.kind == like.kind), ((0, 1.0),))
        for number, share in own:
            parts.setdefault(number, []).append(chance * share)
    return stage_of(like.kind, like.rule, {number: math.fsum(several) for number, several in parts.items()})


# ---------------------------------------------------------------- what is read off


def stage_of_step(step: Step) -> Stage:
    return stage_of(step.kind, step.rule, dict(step.chances))


def stage_of(kind: str, rule: str, chances: Mapping[int, float]) -> Stage:
    found = tuple(sorted(chances.items()))
    mean = math.fsum(number * chance for number, chance in found)
    variance = math.fsum(chance * (number - mean) ** 2 for number, chance in found)
    return Stage(kind, rule, found, mean, median(found), math.sqrt(max(0.0, variance)), at_least(found))


def median(chances: Chances) -> int:
    """The least number that is not exceeded at least half of the time."""
    so_far = 0.0
    for number, chance in chances:
        so_far += chance
        if so_far >= 0.5 - 1e-12:
            return number
    return chances[-1][0]


def at_least(chances: Chances) -> Chances:
    found: list[tuple[int, float]] = []
    for place, (number, _) in enumerate(chances):
        found.append((number, min(1.0, math.fsum(chance for _, chance in chances[place:]))))
    return tuple(found)


def chance_of_at_least(chances: Iterable[tuple[int, float]], least: int) -> float:
    return math.fsum(chance for number, chance in chances if number >= least)
