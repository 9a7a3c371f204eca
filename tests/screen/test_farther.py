"""A drag beyond a walk becomes the run, and a shorter one the walk again."""

from __future__ import annotations

from typing import Any

from tests.rulesets.wzr.worlds import squad, table

from campale.referee.question import Form
from campale.referee.telling.teller import Teller
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.turn.menu import menu_fields
from campale.screen.farther import Farther, planned_farther

WALK, RUN, MORE = 5.0, 10.0, 0.12


def dragged(action: str, far: float, ap: int = 2) -> Farther:
    """One of two models, dragged ahead over open ground."""
    position = table(squad("riflemen", 2, at=(20, 20)), squad("undead", side=1, at=(24, 46)))
    model = position.model(0)
    model.mark(marks.AP, ap)
    menu = Form(0, "act", lambda filled: menu_fields(model, filled), {"model": 0, "left": ap})
    wish: Any = [[0, model.x, model.y + far, None]]
    return planned_farther(menu, [[action]], position, Teller(position.ruleset, "en"), wish, None)


def test_a_walk_stays_a_walk_up_to_its_length_and_is_a_run_beyond() -> None:
    assert dragged("walk", WALK).path is None
    found = dragged("walk", WALK + MORE)
    assert found.path == [["run"]]
    assert found.plan.refusal is None


def test_a_run_that_a_walk_would_do_is_a_walk() -> None:
    assert dragged("run", WALK).path == [["walk"]]
    assert dragged("run", WALK + MORE).path is None


def test_what_no_action_reaches_is_the_longest_and_without_ap_for_it_there_is_none() -> None:
    assert dragged("walk", RUN + 3.0).path == [["run"]]
    assert dragged("walk", RUN + 3.0, ap=1).path is None
