"""What is told of a word that cannot be chosen, and of a number that stands in the wrong place."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds.answers import answered
from campale.odds.troubles import QueryError
from campale.referee.ruleset import load_ruleset


def said(book: str, **written: Any) -> str:
    with pytest.raises(QueryError) as error:
        answered(load_ruleset(book), {name.replace("_", "-"): value for name, value in written.items()})
    return error.value.told("en")


def test_near_it_lists_only_what_is_near() -> None:
    near = said("e55", cover="wods")
    assert "Close to it: woods." in near
    far = said("e55", cover="zzzz")
    assert "Close to it" not in far
    assert "These can: none" in far


def test_a_long_list_is_cut_and_says_so() -> None:
    assert said("ragnarok", target="qqqq").count(",") == 8
    assert "…" in said("ragnarok", target="qqqq")


@pytest.mark.parametrize("inline", [{"profile": "veteran"}, '{"profile": "veteran"}'])
def test_whoever_is_written_inline_is_counted_there(inline: Any) -> None:
    told = said("e55", attacker=inline, attacker_models=3)
    assert 'Write "count": 3 in attacker' in told
    assert "Did you mean" in said("e55", attacker="veteran", attacker_modls=3)
