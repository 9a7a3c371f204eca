"""Chapters "setup", "profile" and "orders"."""

from __future__ import annotations

from random import Random

import pytest

from campale.referee.position import Position
from campale.rulesets._template import RULESET, orders, profile, setup
from tests.conformance.bench import carried_out, events, laid_out, model


@pytest.fixture
def position() -> Position:
    return laid_out(RULESET)


@pytest.mark.covers("setup/table")
def test_the_table_has_a_wood_in_the_middle(position: Position) -> None:
    assert (position.ground.width, position.ground.depth) == (24.0, 24.0)
    assert [piece.name for piece in position.ground.pieces_at(12.0, 12.0)] == ["wood"]
    assert position.ground.pieces_at(8.9, 12.0) == ()


@pytest.mark.covers("setup/force")
@pytest.mark.parametrize(("gunners", "is_refused"), [(0, True), (1, False), (3, False), (4, True)])
def test_a_force_has_from_one_to_twelve_points(gunners: int, is_refused: bool) -> None:
    force = {"name": {"en": "One", "it": "Una"}, "models": ["gunner"] * gunners}
    assert bool(setup.check_force(force, {})) == is_refused


@pytest.mark.covers("setup/force")
def test_a_force_of_strangers_is_not_set_out() -> None:
    (first, *_) = setup.starters()
    wrong = type(first)(first.ruleset, forces=({"name": {"en": "One"}, "models": ["dragon"]}, first.forces[1]))
    with pytest.raises(ValueError, match="no model 'dragon'"):
        setup.set_out(RULESET, wrong)


PLACES = [[4.0, 2.0, 0.0], [8.0, 2.0, 0.0], [12.0, 2.0, 0.0], [16.0, 2.0, 0.0]]


@pytest.mark.covers("setup/deployment")
def test_a_side_sets_its_models_down(position: Position) -> None:
    carried_out(setup.deploy(position), [PLACES])
    assert [m.at for m in position.on_table()] == [(x, y) for x, y, _ in PLACES]


@pytest.mark.covers("setup/deployment")
@pytest.mark.parametrize(
    ("place", "is_refused"),
    [
        ([16.0, 3.5, 0.0], False),
        ([16.0, 3.51, 0.0], True),
        ([23.6, 2.0, 0.0], True),
        ([11.1, 2.0, 0.0], True),
        ([11.0, 2.0, 0.0], False),
        ([13.1, 2.0, 0.0], False),
    ],
)
def test_models_stand_in_their_strip_and_not_on_each_other(
    position: Position, place: list[float], is_refused: bool
) -> None:
    models = setup.in_reserve(position, 0)
    places = [tuple(one) for one in (*PLACES[:3], place)]
    refusal = setup.misplaced(models, places)  # type: ignore[arg-type]
    assert (None if refusal is None else refusal.rule) == ("setup/deployment" if is_refused else None)


@pytest.mark.covers("profile/fields")
def test_a_card_shows_the_profile_in_order(position: Position) -> None:
    captain = model(position, "captain")
    captain.mark("wounds-lost", 1)
    fields = {"move": 6.0, "skill": 3, "shots": 1, "range": 8.0, "points": 4, "wounds": 2}
    assert profile.card(captain) == fields
    assert list(profile.card(captain)) == list(fields)


@pytest.mark.covers("orders/secret", "orders/reveal")
def test_an_order_is_secret_until_it_is_turned_up(position: Position) -> None:
    carried_out(orders.write_orders(position), [{0: "hold", 1: "advance"}])
    assert not orders.is_holding(position, 0)
    assert "secret-1" not in orders.seen_by(0, position.copy()).declared
    assert "secret-0" in orders.seen_by(0, position.copy()).declared
    orders.reveal_order(position, 0)
    assert orders.is_holding(position, 0)
    assert events(position, "order-revealed") == [{"side": 0, "order": "hold"}]
    orders.reveal_order(position, 0)
    assert position.revealed == 1


@pytest.mark.covers("orders/secret")
def test_a_foreign_order_is_imagined_and_ones_own_is_known(position: Position) -> None:
    carried_out(orders.write_orders(position), [{0: "hold", 1: "advance"}])
    imagined = [orders.imagine(position.copy(), 0, Random(n)).declared for n in range(20)]
    assert {one["secret-1"] for one in imagined} == {"advance", "hold"}
    assert {one["secret-0"] for one in imagined} == {"hold"}
