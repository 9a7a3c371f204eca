"""A duel: one kind of player against another over all missions, from both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup
from campale.simulate.intervals import Interval, mean, wilson
from campale.simulate.many import Played, many, pairings


class Duel(NamedTuple):
    """The first player's result: its score (a draw is one half), and figures of the battles."""

    battles: int
    won: int
    drawn: int
    lost: int
    stalled: int
    score: Interval
    answers: Interval
    seconds: Interval
    by_mission: dict[str, Interval]


def duel(
    ruleset: Ruleset,
    players: tuple[str, str],
    battles: int,
    setups: Sequence[Setup] = (),
    seed: str = "1",
    processes: int = 1,
    each: Callable[[Played], None] | None = None,
) -> Duel:
    """Play a duel over the set-ups given, or over those the ruleset starts with."""
    chosen = list(setups) or starters_of(ruleset)
    return told(many(pairings(ruleset, chosen, players, battles, seed), processes, each))


def starters_of(ruleset: Ruleset) -> list[Setup]:
    """The set-ups a ruleset offers to begin with. Raises ValueError if it offers none."""
    setups = list(ruleset.starters()) if ruleset.starters is not None else []
    if not setups:
        raise ValueError(f"{ruleset.name} offers no battle to start with")
    return setups


def told(played: Sequence[Played]) -> Duel:
    """A summary of the battles."""
    scores: dict[str, list[float]] = {}
    for one in played:
        scores.setdefault(mission_of(one.pairing.setup), []).append(one.score)
    count = Counter(result_of(one) for one in played)
    return Duel(
        len(played),
        count["won"],
        count["drawn"],
        count["lost"],
        count["stalled"],
        wilson(sum(one.score for one in played), len(played)),
        mean([one.answers for one in played]),
        mean([one.seconds for one in played]),
        {mission: wilson(sum(found), len(found)) for mission, found in scores.items()},
    )


def result_of(one: Played) -> str:
    if one.outcome in {"stalled", "draw"}:
        return "drawn" if one.outcome == "draw" else "stalled"
    return "won" if one.score == 1.0 else "lost"


def mission_of(setup: Setup) -> str:
    """The name of the mission agreed on, or of the ruleset where there is none."""
    mission: Plain = setup.agreed.get("mission", setup.ruleset)
    return str(mission.get("name", mission) if isinstance(mission, dict) else mission)
