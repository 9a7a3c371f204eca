"""The pictures: every shape of base, terrain with floors, tokens, what is drawn on top."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from campale.draw import SIDES, distances, in_letters, label, sight_line, signs_of_units, svg
from campale.referee.game import Game
from campale.referee.position import Model, Position, Token
from campale.referee.ruleset import Ruleset, Setup
from campale.table.shapes import Ellipse, Hull, Solid
from campale.table.terrain import Floor, Ground, Piece, rectangle

BASES = (Ellipse(1.0, 0.5), Hull(((-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0))))


@pytest.fixture
def position(raid: Ruleset) -> Position:
    def solid(model: Model) -> Solid:
        return Solid(BASES[model.row % 2], model.x, model.y, model.z, model.facing, 1.0)

    game = Game(raid.replacing(solid=solid), Setup("raid"))
    game.answer(0, [[5.0, 2.0, 30.0], [15.0, 2.0, 90.0]])
    game.answer(1, [[5.0, 17.0, 180.0], [15.0, 17.0, 200.0]])
    place = rectangle(5, 10, 4, 4)
    tower = Piece("tower <1>", "ruin", place, 6.0, floors=(Floor(rectangle(5, 10, 2, 2), 3.0),), tags=("cover",))
    game.position.change_ground(Ground(20, 20, (tower,)))
    game.position.lay(Token("objective", 10, 10, side=1, value=2))
    game.position.model(0).mark("wounds", 1)
    return game.position


def test_a_picture_shows_everything_on_the_table(position: Position) -> None:
    root = ElementTree.fromstring(svg(position, title="A & B"))
    texts = [element.text for element in root.iter() if element.text]
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert {"ellipse", "polygon", "pattern"} <= tags
    assert {"A & B", "tower <1> ↑6", "= 3", "objective 2", "A1", "B2"} <= set(texts)
    assert any("wounds 1" in text for text in texts)
    assert root.get("viewBox", "").count(" ") == 3


def test_the_sides_differ_by_more_than_colour(position: Position) -> None:
    patterns = {e.get("id"): len(list(e)) for e in ElementTree.fromstring(svg(position)).iter() if "pattern" in e.tag}
    assert patterns["side0"] != patterns["side1"]
    assert len(set(SIDES)) == len(SIDES)


def test_sight_and_distances_are_drawn_on_top(position: Position) -> None:
    drawn, told = sight_line(position, 0, 2)
    assert told == "A1 → B1: 0/9 (tower <1>)"
    assert sum("stroke-dasharray" in one for one in drawn) == 9
    gaps = distances(position)
    ElementTree.fromstring(svg(position, [*drawn, *gaps]))
    assert len(gaps) == 8


def test_nobody_has_a_distance_to_nobody(position: Position) -> None:
    for row in (2, 3):
        position.remove(position.model(row), "shot")
    assert distances(position) == []


def test_models_of_one_name_in_a_unit_are_named_once_by_it(position: Position) -> None:
    one, other = position.on_table(0)[:2]
    position.names = [one.name if row == other.row else name for row, name in enumerate(position.names)]
    position.unit_of[other.row] = one.unit.row
    low, high = sorted((one, other), key=lambda model: (model.y, model.row))
    assert (label(low), label(high)) == (one.unit.name, "")
    assert label(position.on_table(1)[0]) == position.on_table(1)[0].name


def test_the_table_in_letters(position: Position) -> None:
    rows = in_letters(position).splitlines()
    assert {len(row) for row in rows} == {74}
    assert any("(2)" in row for row in rows)
    assert any("▓" in row for row in rows)


def test_the_table_in_letters_by_units(position: Position) -> None:
    """A hull of 1 by 2 inches covers several cells of a wide table; an objective shows where nobody stands."""
    position.lay(Token("objective", 1.0, 1.0))
    signs = signs_of_units(position)
    assert set(signs.values()) <= set("Aa")
    rows = in_letters(position, 72, signs).splitlines()
    assert {len(row) for row in rows} == {74}
    text = "".join(rows)
    assert text.count("◎") == 2
    circles, hulls = 2, text.count("A") + text.count("a") - 2
    assert hulls > circles
    assert "?" in in_letters(position, 72, {})
