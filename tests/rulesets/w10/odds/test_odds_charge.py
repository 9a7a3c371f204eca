"""How likely a charge is to arrive, and that the referee agrees."""

from __future__ import annotations

import pytest

from campale.referee.looks import Forecast
from campale.rulesets.w10.charge.charging import best_charge, charge, duty_of, found_charge, is_possible
from campale.rulesets.w10.odds.charges import least_of, of_charge
from campale.rulesets.w10.odds.forecasts import forecast_of
from campale.table.terrain import Piece
from tests.rulesets.w10.kit import PROPOSAL, Squad, first_question, piece, play, squad, table, unit

FOOT = 32 / 25.4


def arrives(found: Forecast) -> float:
    (step,) = found.steps
    return dict(step.chances).get(1, 0.0)


@pytest.mark.covers("charge-phase/charge-roll")
@pytest.mark.parametrize(("far", "ways"), [(3.0, 36), (8.0, 21), (8.1, 15), (12.0, 3), (13.1, 0)])
def test_two_dice_must_bring_the_unit_within_an_inch(far: float, ways: int) -> None:
    position = table(squad("line-squad", 5), squad("line-squad", 5, 1, (30, 10 + FOOT + far)), phase="charge")
    assert arrives(of_charge(unit(position, 0), [1])) == pytest.approx(ways / 36)


@pytest.mark.covers("charge-phase/charge-roll")
def test_what_is_added_to_the_roll_counts_and_all_targets_must_be_reached() -> None:
    led = table(
        squad("line-squad", 2),
        squad("line-squad", 1, 1, (30, 18 + FOOT)),
        squad("line-squad", 1, 1, (38, 18 + FOOT)),
        squad("captain", 1, 0, (33, 10), leads=0),
        phase="charge",
    )
    one, both = of_charge(unit(led, 0), [1]), of_charge(unit(led, 0), [1, 2])
    assert arrives(one) == pytest.approx(26 / 36), "the Captain adds 1: a six is enough for eight inches"
    assert arrives(both) < arrives(one)


@pytest.mark.covers("charge-phase/charge-roll")
def test_it_is_told_at_the_choice_of_the_targets() -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 18 + FOOT)), phase="charge")
    question = first_question(charge(unit(position, 0)))
    found = forecast_of(position, question, [1])
    assert found is not None
    assert arrives(found) == pytest.approx(21 / 36)
    assert forecast_of(position, question, ["nobody"]) is None


@pytest.mark.covers("charge-phase/charge-roll")
@pytest.mark.parametrize(("dice", "has_charged"), [("3 4", 1), ("3 3", 0)])
def test_the_referee_plays_what_was_told(dice: str, has_charged: int) -> None:
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30, 18 + FOOT)), phase="charge")
    play(charge(unit(position, 0)), dice, [[1], *[PROPOSAL] * has_charged], position)
    assert unit(position, 0).marks("charged") == has_charged


FOES = squad("line-squad", 3, 1, (30, 17))
BETWEEN: dict[str, tuple[list[Squad], list[Piece]]] = {
    "nothing": ([], []),
    "a ruin": ([], [piece("ruins", 30, 13.5, (8.0, 2.0))]),
    "debris": ([], [piece("debris", 30, 13.5, (10.0, 2.0))]),
    "other enemies": ([squad("line-squad", 5, 1, (28, 14))], []),
}


@pytest.mark.covers("charge-phase/charge-roll")
@pytest.mark.parametrize("between", BETWEEN)
def test_the_least_distance_is_the_first_for_which_the_referee_finds_a_charge(between: str) -> None:
    squads, pieces = BETWEEN[between]
    one = unit(table(squad("line-squad", 3), FOES, *squads, pieces=pieces, phase="charge"), 0)
    distances = [float(far) for far in range(2, 13)]
    found = [far for far in distances if found_charge(duty_of(one, [1], far), [1]) is not None]
    assert [far for far in distances if is_possible(duty_of(one, [1], far), [1])] == found
    assert least_of(one, [1], distances) == min(found, default=None)
    assert least_of(one, [1], distances[: distances.index(min(found))] if found else distances) is None
    with_more = [far for far in distances if best_charge(duty_of(one, [1], far), [1]) is not None]
    assert with_more == [far for far in distances if found and far >= found[0]], "more inches never hurt"
