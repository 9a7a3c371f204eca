"""What is kept of pairs of models is asked once for each, and is what it would be anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from campale.mechanics.pairs import Verdicts, kept_by_pair
from campale.referee.position import Model, Position
from tests.rulesets.e3m.kit import model, squad, table


def test_a_pair_is_judged_once_until_something_moves() -> None:
    asked: list[tuple[int, int]] = []

    def gaps(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> Verdicts:
        pairs = [(one.row, other.row) for one, other in zip(ones, others, strict=True)]
        asked.extend(pairs)
        return np.array([abs(position.x[one] - position.x[other]) for one, other in pairs], np.int8)

    position = table(squad("scout", at=[(10, 10), (20, 10)]), squad("brawler", at=[(30, 10), (50, 10)], side=1))
    own, foes = [model(position, 0), model(position, 1)], [model(position, 2), model(position, 3)]
    assert kept_by_pair(position, own[:1], foes, gaps).tolist() == [[20, 40]]
    assert kept_by_pair(position, own, foes, gaps).tolist() == [[20, 40], [10, 30]]
    assert asked == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert kept_by_pair(position, foes[1:], own[:1], gaps).tolist() == [[40]]
    asked.clear()
    own[0].move_to(15, 10)
    assert kept_by_pair(position, own[:1], foes, gaps).tolist() == [[15, 35]]
    assert asked == [(0, 2), (0, 3)]
    assert kept_by_pair(position, [], foes, gaps).shape == (0, 2)
