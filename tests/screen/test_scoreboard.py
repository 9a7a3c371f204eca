"""What a scoreboard tells: points by side, the turn of how many, the phase of how many, who holds what."""

from __future__ import annotations

import pytest
from tests.screen.test_chaining import until

from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.screen.scene import phase_of, scene

BOOKS = ("ragnarok", "e55", "e3m", "w10", "wzr")
FIRST = {"ragnarok": "act", "e55": "movement", "e3m": "movement-element", "w10": "move-unit", "wzr": "next-model"}


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_a_scoreboard(book: str) -> None:
    standing = scene(until(book, FIRST[book]), 0, "en").standing
    assert standing.score is not None
    assert len(standing.score) == 2
    assert " of " in standing.length
    assert standing.phase
    assert standing.phases is not None
    assert 1 <= standing.phases[0] <= standing.phases[1]
    told = [standing.length, *(one.text for one in standing.places), *standing.more]
    assert sorted(told) == sorted(line for line in standing.lines if line in told)
    assert len(standing.lines) == len(told) + 1


def test_objectives_have_the_numbers_and_the_holders_that_the_lines_tell() -> None:
    shown = scene(until("e55", "movement"), 0, "en")
    objectives = [one for one in shown.tokens if one.kind == "objective"]
    assert [one.number for one in objectives] == list(range(1, len(shown.standing.places) + 1))
    assert [one.side for one in objectives] == [one.side for one in shown.standing.places]
    assert [one.text for one in objectives][:2] == ["objective 1", "objective 2"]
    assert shown.standing.places[1].text.startswith("Objective 2: ")


@pytest.mark.parametrize(("phase", "told"), [("movement", (1, 3)), ("volleys", (2, 3)), ("end", (3, 3))])
def test_phases_that_count_as_one_are_one(phase: str, told: tuple[int, int]) -> None:
    teller = Teller(load_ruleset("e55"))
    assert phase_of({"phase": phase, "turn": 1}, teller)[1] == told
    assert phase_of({"phase": phase, "turn": 0}, teller) == ("", None)


def test_before_the_first_turn_there_is_none() -> None:
    assert phase_of({"phase": "deployment"}, Teller(load_ruleset("e55"))) == ("", None)
