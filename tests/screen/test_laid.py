"""Templates on the screen: what an option or an aim would lay, whom it would hit, what the journal tells was laid."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.e55 import kit as e55
from tests.rulesets.ragnarok import kit as ragnarok

from campale.referee.journal import Event
from campale.referee.question import Aim, Choose
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.screen.laying import laid_by, landed
from campale.screen.sheet import sheet
from campale.screen.shown import LaidShown


def teller(position: Any) -> Teller:
    names = [f"m{row}" for row in range(len(position.names))]
    return Teller(position.ruleset, "en", names, list(position.unit_names), (), position.profiles, position.unit_of)


def test_an_option_shows_the_marker_that_it_lays_and_whom_it_would_hit() -> None:
    position = e55.table(e55.squad("militia", at=(10, 10)), e55.squad("militia", 2, 1, at=(30, 30)))
    first, second = (model for model in position.models if model.side == 1)
    near = 1.0 + abs(second.x - first.x) + abs(second.y - first.y)
    question = Choose(0, "marker", [first.row, second.row], "model", about={"model": 0, "target": 1, "radius": near})
    shown = sheet(question, teller(position), position)
    laid = shown.options[0].laid
    assert laid is not None
    assert (laid.radius, laid.under, laid.outline) == (near, [first.row, second.row], [])
    small = Choose(0, "marker", [first.row, second.row], "model", about={"model": 0, "target": 1, "radius": 0.01})
    assert [one.laid.under for one in sheet(small, teller(position), position).options if one.laid] == [
        [first.row],
        [second.row],
    ]


def test_a_teardrop_is_an_outline_that_begins_at_its_narrow_end() -> None:
    position = e55.table(e55.squad("militia", at=(10, 10)), e55.squad("militia", 1, 1, at=(12, 10)))
    question = Choose(0, "template", [(1,)], "models", about={"model": 0, "target": 1, "poses": [[10.5, 10.0, 90.0]]})
    laid = laid_by(position, question, (1,))
    assert laid is not None
    assert laid.under == [1]
    assert laid.at == (10.5, 10.0)
    assert max(x for x, _ in laid.outline) == pytest.approx(18.5, abs=0.01)
    assert min(x for x, _ in laid.outline) == pytest.approx(10.5, abs=0.01)


def test_an_aim_shows_the_blast_where_it_is_proposed() -> None:
    position = ragnarok.table(
        ragnarok.a("raider", 0, (20, 20)), ragnarok.a("raider", 1, (40, 20)), ragnarok.a("raider", 1, (46, 20))
    )

    def aim(**about: Any) -> Aim:
        return Aim(
            0, "throw-point", lambda a: None, lambda rng: [40.0, 20.0], lambda: [[40.0, 20.0]], {"reach": 9}, about
        )

    laid = sheet(aim(model=0, blast=3), teller(position), position).laid
    assert laid is not None
    assert (laid.at, laid.radius, laid.under) == ((40.0, 20.0), 3.0, [1])
    assert laid_by(position, aim(model=0, blast=9), [40.0, 20.0]).under == [1, 2]  # type: ignore[union-attr]
    assert sheet(aim(model=0), teller(position), position).laid is None


def test_a_line_of_the_journal_shows_where_it_came_down() -> None:
    ruleset = load_ruleset("e55")
    drifted = Event("marker", {"x": 3.0, "y": 4.0, "radius": 1.5, "under": (2,)})
    assert landed([Event("turn", {}), drifted], ruleset) == LaidShown((3.0, 4.0), 1.5, [], [2])
    assert landed([Event("turn", {})], ruleset) is None
    assert landed([drifted], load_ruleset("ragnarok")) is None
    blast = Event("blast", {"x": 3.0, "y": 4.0, "radius": 5, "under": [1], "model": 0})
    assert landed([blast], load_ruleset("ragnarok")) == LaidShown((3.0, 4.0), 5.0, [], [1])
