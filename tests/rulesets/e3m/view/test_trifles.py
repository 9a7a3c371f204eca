"""What is answered for a player who wants to be asked only when it can matter: both sides of each boundary."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.referee.question import Choose
from campale.rulesets.e3m.command.orders import secret
from campale.rulesets.e3m.odds.assault_odds import of_declaration
from campale.rulesets.e3m.turn.sequence import BY_NAME, name_element
from campale.rulesets.e3m.view.trifles import needless, vain
from campale.screen.orders import standing_answer
from tests.rulesets.e3m.kit import first_question, piece, squad, table
from tests.screen.test_scene import teller_of

NO_MORE = "finished"


def moving(order: str = "assault", hidden: tuple[int, ...] = ()) -> Position:
    position = table(squad("captain", order=order), squad("scout", 3, at=(50, 10), order="assault"))
    position.declare(secret(0), tuple((row, "assault") for row in hidden))
    return position


@pytest.mark.parametrize("prompt", ["move-unit", "declare-unit"])
def test_the_only_unit_of_a_group_is_named_and_of_two_one_is_asked_for(prompt: str) -> None:
    assert needless(moving(), Choose(0, prompt, [0, NO_MORE], "unit")) == (0,)
    assert needless(moving(), Choose(0, prompt, [0, 1, NO_MORE], "unit")) is None


def test_a_unit_that_would_show_its_order_or_retreat_is_asked_about() -> None:
    question = Choose(0, "move-unit", [0, NO_MORE], "unit")
    assert needless(moving(hidden=(0,)), question) is None
    assert needless(moving("retreat"), question) is None


@pytest.mark.covers("orders/reveal", "hierarchy/independent-models")
def test_an_independent_model_has_been_named_with_its_group_and_is_not_asked_about_again() -> None:
    alone, in_a_group = ({"group": group} for group in (-1, 1))
    assert needless(moving(hidden=(0,)), Choose(0, "move-unit", [0, NO_MORE], "unit", about=alone)) == (0,)
    assert needless(moving(hidden=(0,)), Choose(0, "move-unit", [0, NO_MORE], "unit", about=in_a_group)) is None
    assert needless(moving("retreat"), Choose(0, "move-unit", [0, NO_MORE], "unit", about=alone)) is None


@pytest.mark.covers("turn/no-passing", "orders/reveal")
@pytest.mark.parametrize("is_shown", [True, False])
def test_the_only_element_left_is_named_for_its_owner_unless_the_lack_of_a_choice_would_show(is_shown: bool) -> None:
    position = moving(hidden=() if is_shown else (1,))
    question = first_question(name_element(position, BY_NAME["advancing"], 0, [0]))
    answer = standing_answer(question, {"default": "matter"}, position, teller_of(position))
    assert answer == ((0,) if is_shown else None)


def test_other_questions_are_none_of_its_business() -> None:
    assert needless(moving(), Choose(0, "assault-unit", [0, NO_MORE], "unit")) is None


def blocked(count: int) -> Position:
    """Scouts in front of enemies, and wardens of their own in between."""
    return table(
        squad("scout", 3, at=(30, 20), order="assault"),
        squad("brawler", 5, side=1, at=(27, 25)),
        pieces=[piece("building", 31, 22.5, size=(2.0 * count, 1))],
    )


def test_an_assault_is_in_vain_where_no_way_leads_into_contact() -> None:
    for count, is_vain in ((1, False), (12, True)):
        position = blocked(count)
        target = Choose(0, "assault-target", [1, "none"], "unit", about={"unit": 0})
        assert vain(position, target, 1) is is_vain
        assert vain(position, Choose(0, "declare-unit", [0, "none"], "unit"), 0) is is_vain
        assert not vain(position, target, "none")
        found = of_declaration(position, 0, [1])
        assert found is not None
        assert (found.gap == "no-way") is is_vain
