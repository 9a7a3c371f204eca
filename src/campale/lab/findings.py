"""The results of an experiment from its tables: scores and differences with their intervals, advantages, units,
verdicts.

Scores are those of ``first``; battles that stalled or failed have none, and count for nobody. The intervals are the
stopping rule's own, over pairs: both seats of a seed are one observation, because they are played with the same dice.
The share of battles won is given too, with Wilson's interval, which treats battles as independent.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from campale.lab.keeping import read_plan
from campale.lab.plan import Plan, Variant
from campale.lab.ratings import Rating, ratings
from campale.lab.stopping import differences, estimate, least_width, pair_scores
from campale.lab.tables import read_tables
from campale.simulate.intervals import Interval, mean, student, wilson

Z80 = 0.841621
"""Added to a 95 % test, it detects a difference 8 times out of 10."""
CLOSE = 0.05
"""A score that is certainly within this distance of one half counts as even."""
RESAMPLES, SEED = 1000, 1
FEWEST_PAIRS = 5
"""With damage in fewer pairs, the worth of a kind of unit is not reported: resampling would call it certain."""

ENDED = ("first", "draw", "second")
KINDS = (*ENDED, "stalled", "failed")

STRONGER, WEAKER, EVEN, OPEN = "stronger", "weaker", "even", "open"
Row = dict[str, Any]


class Power(NamedTuple):
    """The power of this number of pairs: the smallest difference of the score from one half (or between two variants)
    that 8 of 10 such experiments would notice, and how many battles it takes to notice one of ``CLOSE``."""

    noticed: float
    battles: int


class Compared(NamedTuple):
    """A variant: its opponents, the results of its battles, the share that first won, first's score, the verdict, and
    the difference from variant 0. ``points`` are those of both forces, if they are the same in all battles.

    ``is_mirror``: both sides have the same force and the same player, so both seats of a seed are the same battle.
    """

    number: int
    label: str
    first: str
    second: str
    points: tuple[float, float] | None
    counts: dict[str, int]
    won: Interval
    pairs: list[float]
    score: Interval
    verdict: str
    power: Power
    apart: list[float]
    difference: Interval | None
    change: str
    is_mirror: bool


class Share(NamedTuple):
    """The share won and the score of something (a side, who begins, a scene) over so many battles."""

    name: str
    battles: int
    won: Interval
    score: Interval


class Worth(NamedTuple):
    """A kind of unit: what it cost and did, a battle and unit; ``worth`` in points, where enough was played.

    The worth is its cost times its return (points of damage a point of cost) over the mean return of all units.
    """

    owner: str
    name: str
    fielded: int
    points: float
    dealt: Interval
    taken: Interval
    survived: float
    lost_in: float | None
    objectives: float
    rounds_held: float
    worth: Interval | None


class Findings(NamedTuple):
    """The content of a report on a folder."""

    folder: str
    plan: Plan
    is_complete: bool
    battles: int
    seconds: float
    variants: list[Compared]
    sides: list[Share]
    starting: Share | None
    scenes: list[Share]
    units: list[Worth]
    alive: dict[str, list[float]]
    players: list[Rating]
    remarkable: list[Row]


def findings(folder: Path) -> Findings:
    """Read a folder's tables. Raises LabError if it holds no results, OSError if the tables are missing."""
    plan = read_plan(folder).plan
    table, of_units = read_tables(folder)
    is_complete = (table.schema.metadata or {}).get(b"complete") == b"yes"
    rows, units = table.to_pylist(), of_units.to_pylist()
    pairs = 1 + max((row["pair"] for row in rows), default=-1)
    return Findings(
        folder.resolve().name,
        plan,
        is_complete,
        len(rows),
        math.fsum(row["seconds"] for row in rows),
        [compared(plan, rows, number, pairs) for number in range(len(plan.variants))],
        [share(str(side), rows, score_of_side(side)) for side in (0, 1)],
        starting(rows),
        scenes(rows),
        worths(units),
        alive(rows, units),
        players(rows),
        remarkable(rows),
    )


# ---------------------------------------------------------------- variants


def compared(plan: Plan, rows: Sequence[Row], number: int, pairs: int) -> Compared:
    variant = plan.variants[number]
    own = [row for row in rows if row["variant"] == number]
    scores = {row["number"]: row["score"] for row in rows}
    of_pairs = pair_scores(plan, scores, number, pairs)
    apart = differences(plan, scores, number, pairs) if number else []
    score = estimate(of_pairs, 1.0) if of_pairs else Interval(0.5, 0.0, 1.0)
    difference = estimate(apart, 2.0) if apart else None
    counts = {kind: sum(row["winner"] == kind for row in own) for kind in KINDS}
    return Compared(
        number,
        variant.label,
        told(variant.first.force_name, variant.first.player_told),
        told(variant.second.force_name, variant.second.player_told),
        points_of(own),
        counts,
        wilson(counts["first"], sum(counts[kind] for kind in ENDED)),
        of_pairs,
        score,
        verdict(score, 0.5),
        power(apart, 2.0) if apart else power(of_pairs, 1.0),
        apart,
        difference,
        verdict(difference, 0.0) if difference is not None else "",
        is_mirror(variant),
    )


def is_mirror(variant: Variant) -> bool:
    one, other = ((of.force, of.player, of.parameters) for of in (variant.first, variant.second))
    return one == other


def told(force: str, player: str) -> str:
    return f"{force} ({player})" if force else player


def points_of(rows: Sequence[Row]) -> tuple[float, float] | None:
    """The cost of both forces of a variant; None if it is unknown or varies."""
    found = {(row["first_points"], row["second_points"]) for row in rows if row["first_points"] is not None}
    return found.pop() if len(found) == 1 else None


def verdict(found: Interval, even: float) -> str:
    """The verdict of an interval about evenness: more, less, practically even, or nothing yet."""
    if found.low > even:
        return STRONGER
    if found.high < even:
        return WEAKER
    return EVEN if found.low >= even - CLOSE and found.high <= even + CLOSE else OPEN


def power(values: Sequence[float], reach: float) -> Power:
    """From how much pairs differ among each other (no less than if one pair of them had come out otherwise): what lies
    outside the interval that the answers go by, 8 times out of 10."""
    count = len(values)
    if count < 2:
        return Power(math.inf, 0)
    spread = max(float(np.std(values, ddof=1)), 0.5 / math.sqrt(count))
    return Power(noticed(spread, count, reach), 2 * pairs_for(CLOSE, spread, reach))


def noticed(spread: float, count: int, reach: float) -> float:
    """The smallest difference that this number of pairs detects 8 times out of 10."""
    error = spread / math.sqrt(count)
    return max(student(count - 1) * error, least_width(count, reach)) + Z80 * error


def pairs_for(difference: float, spread: float, reach: float) -> int:
    """The number of pairs needed to detect a difference: more pairs always detect more."""
    low, high = 1, 2
    while noticed(spread, high, reach) > difference:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if noticed(spread, middle, reach) > difference else (low, middle)
    return high


# ---------------------------------------------------------------- advantages


def score_of_side(side: int) -> Callable[[Row], float | None]:
    return lambda row: row["score"] if row["seat"] == side or row["score"] is None else 1.0 - row["score"]


def share(name: str, rows: Iterable[Row], score: Callable[[Row], float | None]) -> Share:
    """The score, and its interval over pairs: all battles of a seed are one observation."""
    of_pairs: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        if (one := score(row)) is not None:
            of_pairs[row["pair"]].append(one)
    every = [one for several in of_pairs.values() for one in several]
    won = wilson(every.count(1.0), len(every))
    if not of_pairs:
        return Share(name, 0, won, Interval(0.5, 0.0, 1.0))
    found = estimate([math.fsum(several) / len(several) for several in of_pairs.values()], 1.0)
    return Share(name, len(every), won, found)


def starting(rows: Sequence[Row]) -> Share | None:
    """The score of the player who had the first turn."""
    begun = [row for row in rows if row["starting_side"] is not None]

    def of(row: Row) -> float | None:
        return score_of_side(row["starting_side"])(row)

    return share("", begun, of) if begun else None


def scenes(rows: Sequence[Row]) -> list[Share]:
    """First's score on each mission and layout, where there are several. A value that differs within a pair is varied,
    or depends on something varied (as the size does on a force's cost): it is not part of the scene."""
    parts = [part for part in ("mission", "layout", "size") if is_of_the_pair(rows, part)]
    found = defaultdict(list)
    for row in rows:
        found[" · ".join(str(row[part]) for part in parts if row[part] not in (None, ""))].append(row)
    return [share(name, of, lambda row: row["score"]) for name, of in sorted(found.items())] if len(found) > 1 else []


def is_of_the_pair(rows: Sequence[Row], part: str) -> bool:
    """Whether it is the same in all battles of a pair."""
    return len({(row["pair"], row[part]) for row in rows}) == len({row["pair"] for row in rows})


def players(rows: Sequence[Row]) -> list[Rating]:
    """Ratings, where several players took part."""
    met = [(row["first_player"], row["second_player"], row["score"]) for row in rows if row["score"] is not None]
    return ratings(met) if len({name for one in met for name in one[:2]}) > 1 else []


def remarkable(rows: Sequence[Row], most: int = 5) -> list[Row]:
    """A choice of battles to look at: those with the lowest losses of the winner and the highest of the loser."""
    told = [row for row in rows if row["first_left"] is not None and row["second_left"] is not None]
    return sorted(told, key=lambda row: (-abs(row["first_left"] - row["second_left"]), row["number"]))[:most]


# ---------------------------------------------------------------- units


def worths(rows: Sequence[Row]) -> list[Worth]:
    """Every kind of unit that was bought, the best return first; the worth is resampled over pairs."""
    kinds: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row["bought"]:
            kinds[row["owner"], row["kind"]].append(row)
    names = list(kinds)
    pairs = sorted({row["pair"] for row in rows})
    dealt, cost = (by_pair(kinds, names, pairs, column) for column in ("points_dealt", "points"))
    each = worth_of(dealt, cost)
    found = [kind_told(name, kinds[name], worth) for name, worth in zip(names, each, strict=True)]
    return sorted(found, key=lambda one: (one.owner, -(one.dealt.value / one.points if one.points else 0.0), one.name))


def by_pair(
    kinds: dict[tuple[str, str], list[Row]], names: Sequence[tuple[str, str]], pairs: Sequence[int], column: str
) -> np.ndarray[Any, Any]:
    """A column summed for every pair (rows) and kind of unit (columns)."""
    place = {pair: number for number, pair in enumerate(pairs)}
    found = np.zeros((len(pairs), len(names)))
    for number, name in enumerate(names):
        for row in kinds[name]:
            found[place[row["pair"]], number] += row[column]
    return found


def worth_of(dealt: np.ndarray[Any, Any], cost: np.ndarray[Any, Any]) -> list[Interval | None]:
    """The return of each kind over that of all; the middle 95 % of bootstrap resamples of the pairs.

    None for a kind with too little data; a single kind has nothing to be compared with.
    """
    if not dealt.sum():
        return [None] * dealt.shape[1]
    pairs = len(dealt)
    times = np.random.default_rng(SEED).multinomial(pairs, np.full(pairs, 1.0 / pairs), RESAMPLES)
    whole = relative(dealt.sum(axis=0), cost.sum(axis=0))
    several = relative(times @ dealt, times @ cost)
    low, high = np.nanpercentile(several, [2.5, 97.5], axis=0)
    is_told = (dealt > 0.0).sum(axis=0) >= FEWEST_PAIRS
    if is_told.sum() < 2:
        return [None] * dealt.shape[1]
    told = zip(whole, low, high, is_told, strict=True)
    return [Interval(*map(float, one)) if enough else None for *one, enough in told]


def relative(dealt: np.ndarray[Any, Any], cost: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Damage per point of cost, relative to that of all kinds together; NaN if a kind did not take part."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_return = dealt.sum(axis=-1, keepdims=True) / cost.sum(axis=-1, keepdims=True)
        found: np.ndarray[Any, Any] = np.where(cost > 0, dealt / cost / mean_return, np.nan)
    return found


def kind_told(name: tuple[str, str], rows: Sequence[Row], worth: Interval | None) -> Worth:
    points = math.fsum(row["points"] for row in rows) / len(rows)
    lost = [row["lost_in"] for row in rows if row["lost_in"] is not None]
    return Worth(
        name[0],
        name_of_kind(rows),
        len(rows),
        points,
        over_pairs(rows, "points_dealt"),
        over_pairs(rows, "points_taken"),
        math.fsum(row["points_left"] for row in rows) / math.fsum(row["points"] or 1.0 for row in rows),
        math.fsum(lost) / len(lost) if lost else None,
        math.fsum(row["objectives"] for row in rows) / len(rows),
        math.fsum(row.get("rounds_held", 0) for row in rows) / len(rows),
        None if worth is None or math.isnan(worth.value) else Interval(*(points * one for one in worth)),
    )


def name_of_kind(rows: Sequence[Row]) -> str:
    """The name of a kind, without the number if the units of a force are numbered."""
    name = str(rows[0]["name"])
    return name.rstrip("0123456789 ") or name if len({row["name"] for row in rows}) > 1 else name


def over_pairs(rows: Sequence[Row], column: str) -> Interval:
    """A column's mean over units. Values of one pair of battles are dependent: the interval is that of the pairs'
    means, and is never below 0."""
    of_pairs: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        of_pairs[row["pair"]].append(row[column])
    value = math.fsum(row[column] for row in rows) / len(rows)
    found = mean([math.fsum(several) / len(several) for several in of_pairs.values()])
    wide = found.high - found.value
    return Interval(value, -math.inf if math.isinf(wide) else max(0.0, value - wide), value + wide)


def alive(rows: Sequence[Row], units: Sequence[Row]) -> dict[str, list[float]]:
    """The share of each side's units not yet lost at the end of each round, from the beginning."""
    last = max((row["rounds"] for row in rows if row["rounds"] is not None), default=0)
    found = {}
    for owner in ("first", "second"):
        own = [row for row in units if row["owner"] == owner and row["bought"]]
        if own:
            found[owner] = [
                sum(row["lost_in"] is None or row["lost_in"] > turn for row in own) / len(own)
                for turn in range(last + 1)
            ]
    return found
