"""Measures between edges, the height of the ground, limits, roundings."""

from __future__ import annotations

import pytest

from campale.cli.terminal import Terminal
from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.seat import Seat
from campale.rulesets.ragnarok.armies.setting_out import measured
from campale.rulesets.ragnarok.basics.measuring import (
    beyond,
    distance,
    distance_to_place,
    distance_to_point,
    gap,
    half,
    less_than,
    rounded_up,
    third,
    touch,
    within,
)
from campale.rulesets.ragnarok.battle.battlefield import gap_to
from campale.rulesets.ragnarok.moving.movement import too_far, walk_of
from campale.table.paths import Path
from tests.rulesets.ragnarok.kit import a, piece, table


@pytest.mark.covers("measuring/base-edge")
@pytest.mark.parametrize(("y", "away"), [(70.0, 17.25), (53.0, 0.25), (52.75, 0.0), (52.0, 0.0)])
def test_a_distance_is_between_the_nearest_edges_and_never_below_nothing(y: float, away: float) -> None:
    position = table(a("raider", at=(60, 50)), a("draugr", 1, at=(60, y)))
    assert gap(position.model(0), position.model(1)) == away
    assert distance(position.model(0), position.model(1)) == away


@pytest.mark.covers("measuring/base-edge")
def test_markers_and_scenery_are_measured_from_the_base_edge_too() -> None:
    ruin = piece("ruin", 60, 80)
    model = table(a("draugr", at=(60, 50)), pieces=[ruin]).model(0)
    assert distance_to_point(model, (60.0, 60.0)) == 8.5
    assert distance_to_point(model, (60.0, 51.0)) == 0.0
    assert gap_to(model, ruin) == pytest.approx(22.5)


@pytest.mark.covers("measuring/comparisons")
@pytest.mark.parametrize(
    ("length", "is_within", "is_less"),
    [(29.99, True, True), (30.0, True, False), (30.0009, True, False), (30.0011, False, False)],
)
def test_within_takes_the_limit_in_and_more_and_less_are_strict(length: float, is_within: bool, is_less: bool) -> None:
    assert within(length, 30.0) is is_within
    assert beyond(length, 30.0) is not is_within
    assert less_than(length, 30.0) is is_less


@pytest.mark.covers("measuring/three-dimensions")
def test_the_height_of_the_ground_counts_in_a_distance() -> None:
    position = table(a("raider", at=(60, 50)), a("raider", 1, at=(60, 60)), pieces=[piece("hill", 60, 65)])
    low, high = position.model(0), position.model(1)
    assert (low.z, high.z) == (0.0, 3.0)
    assert gap(low, high) == 7.5
    assert distance(low, high) == distance(high, low) == round((7.5**2 + 3**2) ** 0.5, 4)


@pytest.mark.covers("measuring/three-dimensions")
@pytest.mark.parametrize(("y", "flat", "rise"), [(57.4, 6.15, 0.0), (57.6, 6.35, 3.0)])
def test_a_place_on_a_hill_is_three_centimetres_up(y: float, flat: float, rise: float) -> None:
    model = table(a("raider", at=(60, 50)), pieces=[piece("hill", 60, 65)]).model(0)
    straight = round((flat**2 + rise**2) ** 0.5, 4)
    assert distance_to_point(model, (60.0, y)) == pytest.approx(straight)
    assert distance_to_place(model, (60.0, y), 1.25) == pytest.approx(((flat - 1.25) ** 2 + rise**2) ** 0.5, abs=1e-4)


@pytest.mark.covers("measuring/three-dimensions")
@pytest.mark.parametrize(("length", "is_refused"), [(13.0, False), (13.01, True)])
def test_a_move_up_a_hill_is_measured_on_the_flat(length: float, is_refused: bool) -> None:
    model = table(a("raider", at=(60, 50)), pieces=[piece("hill", 60, 65)]).model(0)
    walk = walk_of(model, Path(((60.0, 50.0), (60.0, 50.0 + length))), 13.0)
    assert (too_far(walk) is not None) is is_refused


@pytest.mark.covers("measuring/base-edge", "battlefield/elevation")
@pytest.mark.parametrize(("y", "do_touch"), [(60.05, True), (60.06, False)])
def test_bases_half_a_millimetre_apart_are_in_contact(y: float, do_touch: bool) -> None:
    position = table(a("raider", at=(60, 57.5)), a("raider", 1, at=(60, y)), pieces=[piece("hill", 60, 66.3)])
    assert touch(position.model(0), position.model(1)) is do_touch


@pytest.mark.covers("measuring/premeasure")
def test_anybody_may_measure_between_two_models_and_how_far_the_first_one_reaches() -> None:
    captain, enemy = a("crucible_captain", at=(60, 50), commander=1), a("raider", 1, at=(60, 60), facing=0)
    position = table(captain, enemy, pieces=[piece("hill", 60, 65)])
    assert measured(*position.models) == {
        "distance": 8.0777,
        "gap": 7.5,
        "rise": 3.0,
        "arc": "front",
        "control_area": 8,
        "command_radius": 40,
        "boiler_pistol": 24.0,
    }
    back = measured(position.model(1), position.model(0))
    assert back == {"distance": 8.0777, "gap": 7.5, "rise": 3.0, "arc": "rear", "control_area": 6}


@pytest.mark.covers("measuring/premeasure", "vision/front-rear")
@pytest.mark.parametrize(("y", "arc"), [(60.0, "front"), (59.99, "rear")])
def test_the_middle_of_a_base_decides_in_which_arc_it_lies(y: float, arc: str) -> None:
    position = table(a("raider", at=(60, 60)), a("raider", 1, at=(70, y)))
    assert measured(*position.models)["arc"] == arc


@pytest.mark.covers("measuring/premeasure")
def test_measuring_is_part_of_the_ruleset_for_both_sides_at_any_time() -> None:
    assert load_ruleset("ragnarok").measure is measured


@pytest.mark.covers("rounding/up")
def test_fractions_are_rounded_up() -> None:
    assert [half(n) for n in (12, 13, 45, 0)] == [6, 7, 23, 0]
    assert [third(n) for n in (1, 3, 4, 6, 8)] == [1, 1, 2, 2, 3]
    assert [rounded_up(x) for x in (2.0, 2.1, 0.1 * 3 / 0.3 * 2)] == [2, 3, 2]


def at_the_first_decision() -> Game:
    """A battle whose deployment is over."""
    ruleset = load_ruleset("ragnarok")
    setup = ruleset.starters()[0] if ruleset.starters is not None else Setup("ragnarok")
    game, player = Game(ruleset, setup, "3"), RandomPlayer(1)
    while game.position.now["phase"] != "tactical":
        side = game.asked[0]
        game.answer(side, player.answer(Seat(game, side or 0)))
    return game


@pytest.mark.covers("measuring/premeasure")
@pytest.mark.parametrize("typed", ["measure 0 9", "misura 0 9"])
def test_in_the_terminal_anything_is_measured_while_a_question_is_open(typed: str) -> None:
    game = at_the_first_decision()
    shown: list[str] = []
    terminal = Terminal(game, {}, "en", lambda _: "", shown.append)
    question = game.question
    assert question is not None
    assert terminal.command(typed, question)
    assert shown[0].startswith("  distance: ")
    assert "  control area: 8" in shown
    assert game.question is question


@pytest.mark.covers("undecided/die")
def test_in_the_terminal_a_doubt_is_settled_by_a_word() -> None:
    game = at_the_first_decision()
    lines = iter(["doubt"])
    terminal = Terminal(game, {}, "en", lambda _: next(lines), lambda _: None)
    side = game.asked[0]
    before = game.position.to_bytes()
    terminal.turn_of(side)
    assert [event.kind for event in game.journal[-2:]] == ["roll", "dispute"]
    assert game.position.to_bytes() == before
