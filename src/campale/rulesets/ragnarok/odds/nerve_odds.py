"""The positions after a shot, and the tests of nerve in the control phase of the models it hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from campale.dice import counts
from campale.dice.chain import Chain
from campale.dice.counts import Chances, chances_of
from campale.dice.odds import first_suggestion
from campale.mechanics import steps
from campale.referee.looks import Step
from campale.referee.position import Model, Position
from campale.rulesets.ragnarok.basics.physical import is_able, is_out_of_action, is_prone
from campale.rulesets.ragnarok.morale import psychology

TESTS = (
    ("pinned", "pinning/effect"),
    ("suppressed", "suppression/effect"),
    ("flees", "suppression/flight"),
)


class After:
    """What a shot leaves behind.

    It has the position, the rows of the models changed in it, how many of each side have fallen, and how many that were
    already down are removed.
    """

    def __init__(self, before: Position, after: Position) -> None:
        self.position = after
        self.changed = changed(before, after)
        gone = [row for row, where in enumerate(after.where) if where != before.where[row]]
        rows = [row for row in (*self.changed, *gone) if fell(before.model(row), after.model(row))]
        self.fallen = tuple(sum(before.side_of[row] == side for row in rows) for side in (0, 1))
        lay = [row for row in gone if is_out_of_action(before.model(row))]
        self.removed = tuple(sum(before.side_of[row] == side for row in lay) for side in (0, 1))


class Nerves:
    """The tests of the control phase, if nothing else happens to a model until then.

    Results for a model in a state are cached from one shot to the next.
    """

    def __init__(self, policy: Callable[[Any], Any] | None = None) -> None:
        self.policy = policy or first_suggestion
        self.kept: dict[Any, tuple[dict[str, float], tuple[str, ...]]] = {}

    def steps(self, left: Iterable[tuple[float, After]], decided: dict[str, None]) -> list[Step]:
        """Return how many models fail each test; decisions of players in the tests are added to ``decided``."""
        tests = [(chance, [self.of(one, row, decided) for row in one.changed]) for chance, one in left]
        found = []
        for kind, cited in TESTS:
            failed = steps.mixed((chance, failing(several, kind)) for chance, several in tests)
            found += [steps.step(kind, cited, failed)] if len(failed) > 1 else []
        return found

    def of(self, after: After, row: int, decided: dict[str, None]) -> dict[str, float]:
        """Return the chance of a model to fail each of its tests."""
        key = row, state_of(after.position, row), after.fallen
        if key not in self.kept:
            self.kept[key] = tested(after.position, row, self.policy)
        chances, prompts = self.kept[key]
        decided.update(dict.fromkeys(prompts))
        return chances


def failing(several: Iterable[Mapping[str, float]], kind: str) -> Chances:
    """Return the chances of the number that fail."""
    return counts.together(chances_of({0: 1.0 - one[kind], 1: one[kind]}) for one in several if one[kind])


def tested(position: Position, row: int, policy: Callable[[Any], Any]) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return a model's chances to be pinned, to be suppressed, and to flee, by the tests of the control phase."""
    chain = Chain(position, policy)
    found = dict.fromkeys((kind for kind, _ in TESTS), 0.0)
    for test in (pinned, suppressed):
        for (_, result), chance in chain.after(chain.begun, test, row).items():
            if result:
                found[result] += chance
    return found, tuple(chain.decided)


async def pinned(position: Position, row: int) -> str:
    copy = position.copy()
    model = copy.model(row)
    if psychology.must_test_pinning(model):
        await psychology.pinning_test(model)
    return "pinned" if is_prone(model) and not is_prone(position.model(row)) else ""


async def suppressed(position: Position, row: int) -> str:
    copy = position.copy()
    model = copy.model(row)
    if psychology.must_test_suppression(model):
        await psychology.suppression_test(model)
    if position.model(row).is_on_table and not model.is_on_table:
        return "flees"
    return "suppressed" if model.marks("suppressed") > position.model(row).marks("suppressed") else ""


def changed(before: Position, after: Position) -> list[int]:
    """Return the rows of the models on the table with a changed count."""
    return [model.row for model in after.on_table() if state_of(before, model.row) != state_of(after, model.row)]


def fell(before: Model, after: Model) -> bool:
    return is_able(before) and not is_able(after)


def state_of(position: Position, row: int) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((name, position.of_models.get(row, name)) for name in position.of_models.named(row)))
