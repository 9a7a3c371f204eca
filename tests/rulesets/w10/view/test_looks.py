"""What is drawn of what a model sees (visibility/*, terrain/*)."""

from __future__ import annotations

import pytest

from campale.referee.looks import CLEAR, PARTLY, UNSEEN
from campale.referee.position import Position
from campale.rulesets.w10.view.looks import sight
from campale.table.terrain import Piece
from tests.rulesets.w10.kit import piece, squad, table

covers = pytest.mark.covers


def across(*pieces: Piece) -> Position:
    """A unit looks north at another, 12 inches off."""
    return table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 22)), pieces=list(pieces))


def seen(position: Position, one: int = 0, other: int = 1) -> tuple[str, str, int, int]:
    found = sight(position.model(one), position.model(other))
    free = sum(ray.stop is None for ray in found.rays)
    return found.sees, found.rule, free, len(found.rays)


@covers("visibility/visible", "core-concepts/line-of-sight")
def test_on_open_ground_every_line_is_free() -> None:
    assert seen(across()) == (CLEAR, "visibility/fully-visible-unit", 5, 5)


@covers("terrain/ruins-visibility", "visibility/visible")
def test_ruins_in_between_stop_every_line_where_they_begin() -> None:
    position = across(piece("ruins", 30, 16))
    found = sight(position.model(0), position.model(1))
    assert (found.sees, found.rule, found.blockers) == (UNSEEN, "visibility/visible", (position.ground.pieces[0].name,))
    assert {ray.stop[1] for ray in found.rays if ray.stop} == {13.0}
    assert found.barred == ()


@covers("terrain/ruins-cover", "terrain/woods", "terrain/benefit-of-cover")
@pytest.mark.parametrize(("kind", "rule"), [("ruins", "terrain/ruins-cover"), ("woods", "terrain/woods")])
def test_who_stands_in_cover_is_partly_seen_by_the_rule_that_gives_it(kind: str, rule: str) -> None:
    assert seen(across(piece(kind, 30, 22)))[:2] == (PARTLY, rule)


@covers("terrain/not-fully-visible", "terrain/ruins-visibility")
def test_half_behind_ruins_some_lines_are_stopped() -> None:
    verdict, rule, free, drawn = seen(across(piece("ruins", 26, 16)))
    assert (verdict, rule) == (PARTLY, "terrain/not-fully-visible")
    assert 0 < free < drawn


@covers("core-concepts/line-of-sight")
def test_models_of_other_units_stand_in_the_way_and_are_named() -> None:
    wall = [squad("carrier", 1, 1, (30, 16))]
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 22)), *wall)
    found = sight(position.model(0), position.model(1))
    assert (found.sees, found.bodies) == (UNSEEN, (2,))


@covers("shooting-phase/select-targets", "core-abilities/lone-operative")
def test_what_the_rules_have_against_a_shot_is_told() -> None:
    lone = table(squad("line-squad", at=(30, 10)), squad("seer", 1, 1, (30, 25)))
    found = sight(lone.model(0), lone.model(1))
    assert (found.sees, [one.rule for one in found.barred]) == (CLEAR, ["core-abilities/lone-operative"])
    near = table(squad("line-squad", at=(30, 10)), squad("seer", 1, 1, (30, 20)))
    assert sight(near.model(0), near.model(1)).barred == ()
