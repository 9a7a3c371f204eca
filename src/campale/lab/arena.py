"""Bots against each other in a book: every pair of them, in the ready battles, from both sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from campale.lab import plan as plans
from campale.lab.plan import Fielding, Plan, Scene, Variant
from campale.lab.tables import BattleRow
from campale.referee.offers import title_in
from campale.referee.ruleset import Ruleset, Setup
from campale.simulate import starters_of

MOST_ANSWERS = 20_000


def arena(ruleset: Ruleset, players: Sequence[str], battles: int, seed: str) -> Plan:
    """A number of battles for every pair of players. Raises ValueError for a book without ready battles."""
    version, rules_hash = plans.versions(ruleset.name)
    return Plan(
        format=plans.FORMAT,
        campale=version,
        ruleset=ruleset.name,
        rules_hash=rules_hash,
        seed=seed,
        title="arena",
        variants=tuple(between(*two) for two in combinations(players, 2)),
        scenes=tuple(map(scene_of, starters_of(ruleset))),
        battles=battles,
        precision=None,
        most_answers=MOST_ANSWERS,
    )


def between(first: str, second: str) -> Variant:
    """The plan for two players; the scene says which forces they lead."""
    changes = {"first.player": first, "second.player": second}
    return Variant(f"{first}-{second}", changes, Fielding("", {}, first), Fielding("", {}, second))


def scene_of(setup: Setup) -> Scene:
    forces = [Fielding(title_in(force)["en"], force, "") for force in setup.forces]
    return Scene(setup.agreed, setup.options, (forces[0], forces[1]) if forces else None)


def results(rows: Iterable[BattleRow]) -> list[tuple[str, str, float]]:
    """The pairs of players with the score of the first; battles that stalled or failed count for nobody."""
    return [(row.first_player, row.second_player, row.score) for row in rows if row.score is not None]
