"""Chapters "setup", "profile" and "orders"."""

from __future__ import annotations

from random import Random

import pytest

from campale.conformance.bench import carried_out, events, laid_out, model
from campale.referee.position import Position, Unit
from campale.referee.ruleset import Setup
from campale.rulesets._template import RULESET, orders, profile, setup


@pytest.fixture
def position() -> Position:
    return laid_out(RULESET)


@pytest.mark.covers("setup/table")
def test_the_table_has_a_wood_in_the_middle_and_a_well_in_it(position: Position) -> None:
    assert (position.ground.width, position.ground.depth) == (24.0, 24.0)
    assert [piece.name for piece in position.ground.pieces_at(12.0, 12.0)] == ["wood"]
    assert position.ground.pieces_at(8.9, 12.0) == ()
    assert [(token.kind, token.x, token.y) for token in position.tokens] == [("well", 12.0, 12.0)]


@pytest.mark.covers("setup/force")
@pytest.mark.parametrize(("gunners", "is_refused"), [(1, False), (3, False), (4, True)])
def test_a_force_has_at_most_twelve_points(gunners: int, is_refused: bool) -> None:
    force = {"name": {"en": "One", "it": "Una"}, "units": [{"unit": "gunner", "size": gunners}]}
    assert [str(one) for one in setup.FORCES.messages(force, {})] == (
        ["The army is worth 16 points, at most 12. [setup/force]"] if is_refused else []
    )


@pytest.mark.covers("setup/force")
def test_units_of_like_models_are_off_the_table_at_first(position: Position) -> None:
    assert [(unit.name, unit.side) for unit in position.units] == [
        *(("captain", 0), ("rifleman", 0)),
        *(("gunner", 1), ("rifleman", 1)),
    ]
    assert [position.unit_of.count(row) for row in range(4)] == [1, 3, 1, 2]
    assert not position.on_table()


@pytest.mark.covers("setup/force")
def test_a_force_of_strangers_is_not_set_out() -> None:
    (first, *_) = setup.starters()
    force = {"name": {"en": "One", "it": "Una"}, "units": [{"unit": "dragon"}]}
    with pytest.raises(ValueError, match="no unit 'dragon'"):
        setup.set_out(RULESET, Setup(first.ruleset, forces=(force, first.forces[1])))


PLACES = [[8.0, 2.0, 0.0], [10.0, 2.0, 0.0], [12.0, 2.0, 0.0]]


@pytest.mark.covers("setup/deployment")
def test_the_units_of_the_first_side_are_set_down_before_the_others(position: Position) -> None:
    assert carried_out(setup.deploy(position), [[[4.0, 2.0, 0.0]]]).value
    assert carried_out(setup.deploy(position), [PLACES]).value
    assert [m.at for m in position.on_table()] == [(4.0, 2.0), *((x, y) for x, y, _ in PLACES)]
    assert carried_out(setup.deploy(position), [[[4.0, 22.0, 180.0]]]).value
    assert not carried_out(setup.deploy(position), [[[8.0, 22.0, 180.0], [9.0, 22.0, 180.0]]]).value


@pytest.mark.covers("setup/deployment", "move/coherency")
@pytest.mark.parametrize(
    ("place", "rule"),
    [
        ([14.0, 3.5, 0.0], None),
        ([14.0, 3.51, 0.0], "setup/deployment"),
        ([9.1, 2.0, 0.0], "setup/deployment"),
        ([9.0, 2.0, 0.0], None),
        ([8.0, 2.0, 0.0], "setup/deployment"),
        ([8.1, 2.0, 0.0], None),
        ([15.0, 2.0, 0.0], None),
        ([15.01, 2.0, 0.0], "move/coherency"),
    ],
)
def test_models_stand_in_their_strip_together_and_not_on_each_other(
    position: Position, place: list[float], rule: str | None
) -> None:
    carried_out(setup.deploy(position), [[[7.1, 2.0, 0.0]]])
    deploying = setup.deploy(position)
    question = deploying.send(None)
    refusal = question.refusal([[10.0, 2.0, 0.0], [12.0, 2.0, 0.0], place])
    deploying.close()
    assert (None if refusal is None else refusal.rule) == rule


@pytest.mark.covers("profile/fields")
def test_a_card_shows_the_profile_in_order(position: Position) -> None:
    captain = model(position, "captain")
    captain.mark("wounds", 1)
    fields = {"move": 6.0, "skill": 3, "shots": 1, "range": 8.0, "points": 4, "wounds": 2}
    assert profile.card(captain) == fields
    assert list(profile.card(captain)) == list(fields)


@pytest.mark.covers("orders/secret", "orders/reveal")
def test_an_order_is_secret_until_it_is_turned_up(position: Position) -> None:
    ours = Unit(position, 0)
    carried_out(orders.write_orders(position), [{0: "hold", 1: "advance"}])
    assert not orders.is_holding(ours)
    seen = RULESET.seen_by(0, position.copy()).declared
    assert set(seen) == {"secret-order-0"}
    assert orders.reveal_order(ours)
    assert orders.is_holding(ours)
    assert events(position, "order-revealed") == [{"side": 0, "order": "hold"}]
    assert not orders.reveal_order(ours)
    assert position.revealed == 1


@pytest.mark.covers("orders/secret")
def test_a_foreign_order_is_imagined_and_ones_own_is_known(position: Position) -> None:
    carried_out(orders.write_orders(position), [{0: "hold", 1: "advance"}])
    imagined = [RULESET.imagine(position.copy(), 0, Random(n)).declared for n in range(20)]
    assert {one["secret-order-1"] for one in imagined} == {"advance", "hold"}
    assert {one["secret-order-0"] for one in imagined} == {"hold"}
