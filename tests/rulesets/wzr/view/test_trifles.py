"""What is answered for a player who wants to be asked only when it can matter: both sides of each boundary."""

from __future__ import annotations

from campale.referee.question import Choose
from campale.rulesets.wzr.turn.activation import ENOUGH
from campale.rulesets.wzr.view.trifles import needless
from tests.rulesets.wzr.kit import squad, table


def test_the_only_model_of_a_squad_left_to_act_acts_and_of_two_one_is_asked_for() -> None:
    position = table(squad(2))
    assert needless(position, Choose(0, "next-model", [1, ENOUGH], "model")) == (1,)
    assert needless(position, Choose(0, "next-model", [0, 1, ENOUGH], "model")) is None


def test_other_questions_are_none_of_its_business() -> None:
    assert needless(table(squad()), Choose(0, "substitute", [0], "model")) is None
