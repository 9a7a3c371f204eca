"""The scene: what is told of the models that stand on the table, and of those that lie there."""

from __future__ import annotations

import pytest
from tests.rulesets.e55 import kit as e55
from tests.rulesets.ragnarok.kit import a, table

from campale.referee.game import Game
from campale.referee.position import Position, Result
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.screen.scene import model_shown, result_of


def teller_of(position: Position, language: str = "en") -> Teller:
    names = [model.name for model in position.models]
    profiles = position.profiles
    return Teller(position.ruleset, language, names, list(position.unit_names), (), profiles, position.unit_of)


def test_who_is_out_of_action_on_the_table_is_shown_as_down() -> None:
    position = table(a("raider", at=(60, 60)), a("raider", 1, at=(60, 75), wounds=1))
    teller = teller_of(position)
    standing, fallen = (model_shown(model, teller, {}, []) for model in position.models)
    assert (standing.is_down, standing.wounds) == (False, (1, 1))
    assert (fallen.is_down, fallen.wounds, fallen.where) == (True, (0, 1), "table")
    position.remove(position.model(1), "shot")
    assert not model_shown(position.model(1), teller, {}, []).is_down


def test_nobody_is_down_where_whoever_falls_is_removed() -> None:
    position = e55.table(e55.squad("militia", 2))
    teller = teller_of(position)
    assert not any(model_shown(model, teller, {}, []).is_down for model in position.models)


def test_whoever_has_joined_another_unit_is_shown_with_the_one_bought() -> None:
    position = e55.table(e55.squad("militia", 2), e55.squad("captain"))
    teller = teller_of(position)
    assert [model_shown(model, teller, {}, []).bought_with for model in position.models] == [-1, -1, -1]
    position.join(position.model(2), e55.unit(position, 0))
    shown = [model_shown(model, teller, {}, []) for model in position.models]
    assert [(one.unit, one.bought_with) for one in shown] == [(0, -1), (0, -1), (0, 1)]


@pytest.mark.parametrize(
    ("winner", "brief"), [(1, "The battle is over: Blue wins."), (None, "The battle is over: a draw.")]
)
def test_a_result_beside_the_score_does_not_count_it_again(winner: int | None, brief: str) -> None:
    ruleset = load_ruleset("e55")
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0], "result")
    game.position.finish(Result(winner, "10.2/winner", {"points": [3, 12]}))
    teller = teller_of(game.position)
    assert result_of(game.position, teller, is_brief=True) == brief
    assert result_of(game.position, teller) == f"{brief[:-1]} (points 3, 12)."
