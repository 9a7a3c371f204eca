"""Decks, hands and cards."""

from __future__ import annotations

from random import Random

import pytest

from campale.conformance.bench import carried_out, events, laid_out, model, unit
from campale.referee.position import Position
from tests.conformance.drill import RULESET, hand
from tests.conformance.drill.fire import in_smoke, need

DRAWN = [5, 0, 1, 2, 3, 4]


@pytest.fixture
def position() -> Position:
    return laid_out(RULESET)


def holding(position: Position, side: int, *cards: str) -> None:
    position.hold(side, "hand", cards)


@pytest.mark.covers("hand/deck")
def test_a_shuffled_deck_lies_as_it_was_drawn_and_nobody_sees_how(position: Position) -> None:
    carried_out(hand.shuffle(position, 0), dice=DRAWN, position=position)
    assert position.hand(0, "deck") == ("barrage", "smoke", "smoke", "smoke", "barrage", "barrage")
    assert position.journal is not None
    for side in (0, 1, None):
        assert [event.values["answer"] for event in position.journal.as_seen_by(side)] == [None]


@pytest.mark.covers("hand/draw")
def test_the_top_card_goes_to_the_hand_and_only_its_owner_sees_it(position: Position) -> None:
    position.hold(0, "deck", ("smoke", "barrage"))
    hand.take_card(position, 0)
    assert (position.hand(0, "hand"), position.hand(0, "deck")) == (("smoke",), ("barrage",))
    assert position.journal is not None
    assert [event.values for event in position.journal.as_seen_by(0)] == [{"side": 0, "card": "smoke"}]
    assert [event.values for event in position.journal.as_seen_by(1)] == [{"side": 0}]
    assert position.revealed == 1


@pytest.mark.covers("hand/draw")
def test_an_empty_deck_gives_no_card(position: Position) -> None:
    hand.take_card(position, 0)
    assert position.hand(0, "hand") == ()


@pytest.mark.covers("hand/window")
def test_a_side_is_asked_even_if_it_holds_nothing(position: Position) -> None:
    run = carried_out(hand.may_play(position, 0), ["pass"])
    assert run.prompts == ["play-card"]
    assert run.questions[0].options() == ["pass"]
    holding(position, 0, "smoke")
    other = carried_out(hand.may_play(position, 0), ["pass"])
    assert other.questions[0].description() == run.questions[0].description()


@pytest.mark.covers("hand/window", "hand/smoke")
def test_a_card_that_is_played_leaves_the_hand(position: Position) -> None:
    holding(position, 0, "smoke", "barrage", "smoke")
    squad = unit(position, "squad")
    carried_out(hand.may_play(position, 0), ["smoke", squad.row])
    assert position.hand(0, "hand") == ("barrage", "smoke")
    assert events(position, "card-played") == [{"side": 0, "card": "smoke"}]


@pytest.mark.covers("hand/window")
def test_a_card_that_is_not_held_cannot_be_played(position: Position) -> None:
    holding(position, 0, "smoke")
    question = carried_out(hand.may_play(position, 0), ["pass"]).questions[0]
    refusal = question.refusal("barrage")
    assert refusal is not None
    assert refusal.word == "answer.not-offered"


@pytest.mark.covers("hand/smoke")
def test_a_unit_in_smoke_is_harder_to_hit_and_no_other(position: Position) -> None:
    squad, carrier = unit(position, "squad"), unit(position, "carrier")
    carried_out(hand.smoke(position, 0), [squad.row])
    assert (in_smoke(squad), in_smoke(carrier)) == (-1, 0)
    assert [need(squad).is_met_by(face) for face in (4, 5)] == [False, True]
    assert [need(carrier).is_met_by(face) for face in (3, 4)] == [False, True]


@pytest.mark.covers("hand/barrage")
@pytest.mark.parametrize(("y", "is_refused"), [(8.5, True), (8.51, False)])
def test_a_barrage_is_named_more_than_four_inches_from_our_own(position: Position, y: float, is_refused: bool) -> None:
    fault = hand.too_near_our_own(position, 0, (6.0, y))
    assert (fault is not None) == is_refused


@pytest.mark.covers("hand/barrage")
def test_a_barrage_is_named_on_the_table(position: Position) -> None:
    assert hand.too_near_our_own(position, 0, (24.0, 24.0)) is None
    assert hand.too_near_our_own(position, 0, (24.1, 24.0)) is not None


@pytest.mark.covers("hand/barrage")
def test_a_barrage_scatters_and_wounds_whom_it_lands_on(position: Position) -> None:
    enemy = model(position, "gunner", 1)
    run = carried_out(hand.barrage(position, 0), [[enemy.x - 3.0, enemy.y]], dice=[80.0, 3], position=position)
    assert run.prompts == ["barrage"]
    (landed,) = events(position, "barrage-lands")
    assert landed["x"] == pytest.approx(enemy.x - 3.0 + 3 * 0.9848, abs=1e-3)
    assert enemy.marks("wounds-lost") == 1
    assert model(position, "leader", 1).marks("wounds-lost") == 0
    assert events(position, "direction")[0]["step"] == 20.0


@pytest.mark.covers("hand/barrage")
@pytest.mark.parametrize(("y", "wounded"), [(17.5, 1), (17.49, 0)])
def test_a_barrage_reaches_two_inches(position: Position, y: float, wounded: int) -> None:
    hand.land(position, (4.0, y))
    assert model(position, "gunner", 1).marks("wounds-lost") == wounded


@pytest.mark.covers("hand/barrage")
def test_a_barrage_with_no_point_to_name_comes_to_nothing(position: Position) -> None:
    soldier = model(position, "gunner")
    for x in range(3, 24, 6):
        for y in range(3, 24, 6):
            more = position.add_model("gunner", soldier.profile, 0, soldier.unit)
            more.move_to(float(x), float(y))
    assert carried_out(hand.barrage(position, 0)).questions == []


@pytest.mark.covers("terrain/collapse")
@pytest.mark.parametrize(("x", "is_standing"), [(8.0, False), (7.99, True)])
def test_a_tower_within_two_inches_falls(position: Position, x: float, is_standing: bool) -> None:
    hand.land(position, (x, 12.0))
    assert position.ground.has("tower") == is_standing
    assert position.ground.has("rubble") != is_standing
    assert [e["falls"] for e in events(position, "terrain")] == ([] if is_standing else ["tower"])


@pytest.mark.covers("hand/draw", "orders/secret")
def test_a_side_sees_backs_of_cards_and_no_foreign_orders(position: Position) -> None:
    for side in (0, 1):
        holding(position, side, "smoke")
        position.hold(side, "deck", ("barrage", "smoke"))
        position.declare(f"secret-{side}", ((0, "march"),))
    seen = hand.seen_by(0, position.copy())
    assert (seen.hand(0, "hand"), seen.hand(1, "hand")) == (("smoke",), ("?",))
    assert seen.hand(0, "deck") == seen.hand(1, "deck") == ("?", "?")
    assert "secret-0" in seen.declared
    assert "secret-1" not in seen.declared
    assert "secret-0" not in hand.seen_by(None, position.copy()).declared


@pytest.mark.covers("hand/draw", "orders/secret")
def test_what_a_side_may_not_know_is_imagined_otherwise(position: Position) -> None:
    position.hold(0, "hand", ("smoke",))
    position.hold(0, "deck", ("smoke", "barrage", "smoke", "barrage"))
    position.hold(1, "hand", ("barrage",))
    position.hold(1, "deck", ("smoke", "smoke"))
    position.declare("secret-0", ((0, "march"),))
    position.declare("secret-1", ((4, "march"),))
    imagined = [hand.imagine(position.copy(), 0, Random(n)) for n in range(20)]
    assert {one.hand(0, "hand") for one in imagined} == {("smoke",)}
    assert {one.hand(1, "hand") for one in imagined} == {("smoke",), ("barrage",)}
    assert all(sorted(one.hand(1, "hand") + one.hand(1, "deck")) == ["barrage", "smoke", "smoke"] for one in imagined)
    assert len({one.hand(0, "deck") for one in imagined}) > 1
    assert {one.declared["secret-1"] for one in imagined} == {((4, "march"),), ((4, "stand"),)}
    assert {one.declared["secret-0"] for one in imagined} == {((0, "march"),)}
