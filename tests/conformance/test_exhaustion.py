"""Every rule of a ruleset is applied sooner or later."""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from typing import Any

import pytest

from campale.conformance.budget import EXHAUSTION_ANSWERS
from campale.referee.question import Number, Question
from campale.referee.rule import rule
from campale.referee.ruleset import load_ruleset
from tests.conformance.exhaustion import never_applied, watching
from tests.toys import ONLY_TESTED, register

register()


@pytest.mark.parametrize("name", ONLY_TESTED)
def test_every_rule_is_applied(name: str) -> None:
    """Books with many rules take longer: ``python -m tools.exhaustion RULESET``."""
    assert never_applied(load_ruleset(name), 1000, Random(1), EXHAUSTION_ANSWERS) == []


@rule("test/nothing")
def nothing() -> int:
    return 0


@rule("test/something")
def something() -> int:
    return 1


class Asked:
    """Awaited, it asks."""

    def __await__(self) -> Generator[Question, None, None]:
        yield Number(0, "number", 1, 2)


@rule("test/asks")
async def asks() -> None:
    await Asked()


def test_a_rule_that_returns_nothing_was_not_applied() -> None:
    seen: set[str] = set()
    with watching(seen):
        nothing()
        something()
    assert seen == {"test/something"}


def test_a_coroutine_that_asks_has_not_come_to_its_end() -> None:
    seen: set[str] = set()
    coroutine: Any = asks()
    with watching(seen):
        coroutine.send(None)
    assert seen == set()
    with watching(seen), pytest.raises(StopIteration):
        coroutine.send(None)
    assert seen == {"test/asks"}
