"""What is answered for a player who wants to be asked only when it can matter: both sides of each boundary."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.question import Choose, Order
from campale.rulesets.w10.view.trifles import needless
from tests.rulesets.w10.kit import gun, squad, table


@pytest.mark.parametrize(
    ("changes", "is_asked"),
    [
        ({"range": 12.0}, False),
        ({"a": "4"}, False),
        ({"s": 5}, True),
        ({"ap": -1}, True),
        ({"d": "2"}, True),
        ({"skill": 4}, True),
        ({"abilities": ("hazardous",)}, True),
    ],
)
def test_the_order_of_profiles_is_asked_where_their_attacks_differ(changes: dict[str, Any], is_asked: bool) -> None:
    arms = gun("first"), gun("second", **changes)
    position = table(squad("line-squad", weapons=arms), squad("line-squad", 1, 1, (30, 20)))
    order = Order(0, "profile-order", [("first", 0), ("second", 0)], "profile", {"unit": 0, "target": 1})
    assert needless(position, order) == (None if is_asked else ([("first", 0), ("second", 0)],))


def test_other_questions_are_none_of_its_business() -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 20)))
    assert needless(position, Order(0, "target-order", [1, 2], "unit", {"unit": 0})) is None
    assert needless(position, Choose(0, "profile-order", [1, 2])) is None
