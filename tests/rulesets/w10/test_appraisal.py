"""What a bot thinks of a position: what is left of the forces, command points, markers held and near."""

from __future__ import annotations

import pytest

from campale.referee.position import GONE, Position
from campale.rulesets.w10.basics.markers import REACH
from campale.rulesets.w10.basics.units import POINTS
from campale.rulesets.w10.bots.appraisal import FAR, PER_CP, PER_MARKER, appraise, nearness
from campale.rulesets.w10.windows.windows import CP
from tests.rulesets.w10.kit import squad, table


def facing(*markers: float) -> Position:
    """Two equal squads a table's depth apart, and markers so far to the south of the first of them."""
    red, blue = (squad("line-squad", 5, one, (30, 42 * (1 - one) + 1), {POINTS: 100}) for one in (0, 1))
    return table(red, blue, markers=[(30.0, 43.0 - away) for away in markers], round=2)


def test_equal_forces_are_worth_the_same_to_both() -> None:
    position = facing()
    assert appraise(position, 0) == appraise(position, 1) == 0.0


def test_what_waits_in_reserve_is_not_lost_and_what_is_destroyed_is() -> None:
    position = facing()
    model = position.model(0)
    position.take_off(model)
    assert appraise(position, 0) == 0.0
    position.take_off(model, GONE)
    assert appraise(position, 0) < 0.0


def test_a_command_point_is_not_spent_for_nothing() -> None:
    position = facing()
    position.gain(0, CP, 2)
    assert appraise(position, 0) == 2 * PER_CP == -appraise(position, 1)


def test_to_be_near_to_a_marker_counts_before_it_is_held() -> None:
    near, far = (appraise(facing(away), 0) for away in (6.0, 12.0))
    assert near > far > 0.0
    held = appraise(facing(2.0), 0)
    assert held > near + PER_MARKER


@pytest.mark.parametrize(("away", "found"), [(REACH, 1.0), (REACH + FAR / 2, 0.5), (REACH + FAR, 0.0)])
def test_nearness_begins_at_the_reach_of_a_marker(away: float, found: float) -> None:
    position = facing(away)
    assert nearness(position, position.tokens[0], 0) == pytest.approx(found)
