"""What is answered for a player who wants to be asked only when it can matter: both sides of each boundary."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.referee.question import Choose
from campale.rulesets.e3m.command.orders import show
from campale.rulesets.e3m.view.trifles import needless
from tests.rulesets.e3m.kit import squad, table, unit

NO_MORE = "finished"


def moving(order: str = "assault", is_shown: bool = True) -> Position:
    position = table(squad("captain", order=order), squad("scout", 3, at=(50, 10), order="assault"))
    if is_shown:
        show(position, [unit(position, 0), unit(position, 1)])
    return position


@pytest.mark.parametrize("prompt", ["move-unit", "declare-unit"])
def test_the_only_unit_of_a_group_is_named_and_of_two_one_is_asked_for(prompt: str) -> None:
    assert needless(moving(), Choose(0, prompt, [0, NO_MORE], "unit")) == (0,)
    assert needless(moving(), Choose(0, prompt, [0, 1, NO_MORE], "unit")) is None


def test_whoever_would_show_its_order_or_retreat_is_asked_about() -> None:
    question = Choose(0, "move-unit", [0, NO_MORE], "unit")
    assert needless(moving(is_shown=False), question) is None
    assert needless(moving("retreat"), question) is None


def test_other_questions_are_none_of_its_business() -> None:
    assert needless(moving(), Choose(0, "assault-unit", [0, NO_MORE], "unit")) is None
