"""Luck: what was expected, what came, how many battles would have brought less."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.needs import Need
from campale.referee.journal import Event
from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.referee.telling.teller import Teller
from campale.screen.luck import chance_of_sum, luck, share_below, successes, trials_of


def rolled(*faces: int, needs: int = 4, side: int = 0, why: str = "to-hit", **more: Any) -> Event:
    needed = None if not needs else {"base": needs}
    return Event(
        "roll",
        {"side": side, "why": why, "sides": 6, "count": len(faces), "answer": list(faces), "needed": needed, **more},
    )


def teller() -> Teller:
    return Teller(load_ruleset(ruleset_names()[0]), "en", players=("1", "2"))


def test_expected_and_got_are_counted_die_by_die() -> None:
    report = luck([rolled(4, 3, 6), rolled(1, side=1), rolled(5, needs=6)], teller())
    mine, theirs = report.sides
    assert (mine.count, mine.got) == (4, 2)
    assert mine.expected == pytest.approx(1.5 + 1 / 6)
    assert (theirs.count, theirs.got, theirs.expected) == (1, 0, 0.5)


def test_rolls_that_need_nothing_are_left_out() -> None:
    assert list(trials_of([rolled(6, needs=0), Event("move", {"side": 0})])) == []


def test_where_a_success_harms_it_is_luck_to_miss_and_some_rolls_are_nobodys_luck() -> None:
    events = [rolled(1, 2, 6, needs=6, why="danger"), rolled(6, why="goes-on")]
    (trial,) = trials_of(events, ["danger"], ["goes-on"])
    assert (trial.dice, trial.got) == (3, 2)
    assert trial.chance == pytest.approx(5 / 6)
    assert len(list(trials_of(events))) == 2


def test_dice_read_as_one_are_one_trial() -> None:
    need = {"base": 7, "at_most": True}
    (trial,) = trials_of([rolled(3, 4, needed=need, total=True)])
    assert (trial.dice, trial.got) == (1, 1)
    assert trial.chance == pytest.approx(21 / 36)
    (missed,) = trials_of([rolled(4, 4, needed=need, total=True)])
    assert missed.got == 0


def test_a_sum_of_too_many_dice_is_not_counted_out() -> None:
    assert chance_of_sum(Need(2), 6, 2) == 1.0
    with pytest.raises(ValueError, match="9D6"):
        chance_of_sum(Need(2), 6, 9)


def test_the_share_is_that_of_the_binomial() -> None:
    spread = successes([0.5] * 4)
    assert spread == pytest.approx([1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16])
    assert share_below(spread, 0) == pytest.approx(1 / 32)
    assert share_below(spread, 2) == pytest.approx(0.5)
    assert share_below(spread, 4) == pytest.approx(31 / 32)


def test_the_least_likely_strokes_come_first() -> None:
    report = luck([rolled(4, 1), rolled(1, 1, 1, 1), rolled(6, 6, needs=6)], teller(), strokes=2)
    assert [one.event for one in report.strokes] == [2, 1]
    assert report.strokes[0].chance == pytest.approx(1 / 36)
    assert report.strokes[1].chance == pytest.approx(1 / 16)


def test_kinds_are_told_apart_and_told_in_words() -> None:
    report = luck([rolled(4), rolled(4, why="save"), rolled(4, side=1)], teller())
    assert [(one.side, one.count) for one in report.kinds] == [(0, 1), (0, 1), (1, 1)]


def test_a_stroke_says_whose_dice_they_are() -> None:
    e3m = Teller(load_ruleset("e3m"), "en", units=("Carrier", "Brawler"), players=("1", "2"))
    (one,) = luck([rolled(6, 6, unit=0, target=("unit", 1), weapon={"en": "Storm rifle"})], e3m).strokes
    assert one.text.startswith("Carrier fires")
