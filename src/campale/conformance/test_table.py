"""Conditions on the table in every book: no base overlaps another or the edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from campale.conformance.playing import played
from campale.referee.position import RETURNED, Model, Position
from campale.table.measure import bounding_radius, on_table, overlaps
from campale.table.shapes import TOLERANCE, Solid

Battle = tuple[str, int]


def test_no_base_lies_on_another(battle: Battle) -> None:
    before: dict[int, Solid] = {}
    for mark in played(*battle).marks:
        models = {model.row: model for model in mark.position.on_table()}
        now = {row: model.solid for row, model in models.items()}
        for one, other in near(now):
            if now[one] == before.get(one) and now[other] == before.get(other):
                continue
            assert not overlaps(now[one], now[other]) or may_overlap(models[one], models[other]), mark.position.now
        before = now


def near(solids: dict[int, Solid]) -> Iterator[tuple[int, int]]:
    """The pairs whose circles around their bases meet: no others can overlap."""
    rows = np.array(list(solids), np.int64)
    places = np.array([(solid.x, solid.y, bounding_radius(solid.shape)) for solid in solids.values()]).reshape(-1, 3)
    gaps = np.hypot(*(places[:, None, axis] - places[None, :, axis] for axis in (0, 1)))
    touching = gaps <= places[:, None, 2] + places[None, :, 2] + TOLERANCE
    for one, other in np.argwhere(np.triu(touching, 1)).tolist():
        yield int(rows[one]), int(rows[other])


def may_overlap(one: Model, other: Model) -> bool:
    allows = one.position.ruleset.may_overlap
    return allows is not None and allows(one, other)


def test_no_base_is_off_the_table(battle: Battle) -> None:
    for mark in played(*battle).marks:
        for model in mark.position.on_table():
            assert on_table(model.solid, mark.position.ground), (model, mark.position.now)


def test_a_loss_is_off_the_table_and_was_lost_once(battle: Battle) -> None:
    game = played(*battle)
    for mark in game.marks:
        assert gone_twice(mark.position) == [], mark.position.now


def gone_twice(position: Position) -> list[int]:
    """Models lost more often than they came; a returning model is a new row, or has the mark of a return."""
    lost = Counter(loss.model for loss in position.losses)
    there = {row: 1 + position.model(row).marks(RETURNED) - position.model(row).is_on_table for row in lost}
    return [row for row, times in lost.items() if times > there[row]]


def test_coordinates_are_on_the_grain(battle: Battle) -> None:
    for mark in played(*battle).marks:
        for column in (mark.position.x, mark.position.y, mark.position.z, mark.position.facing):
            assert all(round(value, 4) == value for value in column)
