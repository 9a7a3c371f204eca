"""Declared fire, pooled wounds, and blows of the dead."""

from __future__ import annotations

import pytest

from campale.conformance.bench import carried_out, events, laid_out, model, unit
from campale.referee.position import FALLEN, GONE, Model, Position
from campale.referee.refusal import Plain
from tests.conformance.drill import RULESET, fire, melee


@pytest.fixture
def position() -> Position:
    """The squads twelve inches from each other, the carriers far from everybody."""
    position = laid_out(RULESET)
    return brought_near(position)


def brought_near(position: Position) -> Position:
    for side in (0, 1):
        for one in unit(position, "squad", side).models:
            one.move_to(one.x, 4.0 if side == 0 else 17.0)
        model(position, "carrier", side).move_to(22.0, 2.0 if side == 0 else 22.0)
    return position


def rows(position: Position, side: int) -> list[int]:
    return [one.row for one in unit(position, "squad", side).models]


@pytest.mark.covers("fire/declare")
@pytest.mark.parametrize(("y", "is_refused"), [(17.0, False), (17.01, True)])
def test_a_target_is_within_twelve_inches(position: Position, y: float, is_refused: bool) -> None:
    for one in unit(position, "squad", 1).models:
        one.move_to(one.x, y)
    fault = fire.out_of_range(unit(position, "squad"), unit(position, "squad", 1))
    assert (fault is not None) == is_refused


@pytest.mark.covers("fire/declare")
def test_all_declare_at_once_and_what_is_declared_becomes_data(position: Position) -> None:
    ours, theirs = unit(position, "squad"), unit(position, "squad", 1)
    run = carried_out(fire.declare_fire(position), [{0: [theirs.row, None], 1: [ours.row, None]}])
    assert run.prompts == ["declare-fire", "declare-fire"]
    assert position.declared["fire"] == ((ours.row, theirs.row), (theirs.row, ours.row))
    assert events(position, "fire-declared") == [{"fire": [[ours.row, theirs.row], [theirs.row, ours.row]]}]
    assert not [m for m in position.models if m.marks("wounds-lost")]


@pytest.mark.covers("fire/declare")
def test_the_form_refuses_a_target_out_of_range(position: Position) -> None:
    carrier = unit(position, "carrier", 1)
    form = fire.declarations(position, 0)
    assert form.refusal([carrier.row, None]) is not None
    assert form.refusal([None, None]) is None


@pytest.mark.covers("fire/pool", "fire/allot")
def test_the_wounds_of_all_who_fire_at_a_target_are_one_pool(position: Position) -> None:
    ours, carrier, theirs = unit(position, "squad"), unit(position, "carrier"), unit(position, "squad", 1)
    position.declare("fire", ((ours.row, theirs.row), (theirs.row, ours.row), (carrier.row, theirs.row)))
    first, second, *_ = rows(position, 1)
    run = carried_out(fire.resolve_next_target(position), [[first, second]], dice=[4, 1, 1, 1, 6])
    assert run.value is True
    assert run.prompts == ["allot-wounds"]
    assert [position.model(row).marks("wounds-lost") for row in (first, second)] == [1, 1]
    assert position.declared["fire"] == ((theirs.row, ours.row),)


@pytest.mark.covers("fire/pool")
def test_a_three_does_not_wound_and_no_target_left_is_the_end(position: Position) -> None:
    ours, theirs = unit(position, "squad"), unit(position, "squad", 1)
    position.declare("fire", ((ours.row, theirs.row),))
    assert carried_out(fire.resolve_next_target(position), dice=[3, 3, 3, 3]).questions == []
    assert carried_out(fire.resolve_next_target(position)).value is False


@pytest.mark.covers("fire/allot")
@pytest.mark.parametrize(
    ("taken", "is_refused"),
    [([0, 1, 2, 3], False), ([0, 1, 2, 3, 0], False), ([0, 0], True), ([0, 1, 2, 3, 0, 0], True)],
)
def test_nobody_takes_a_second_before_all_have_one(position: Position, taken: list[int], is_refused: bool) -> None:
    fault = fire.not_in_rounds(taken, rows(position, 0))
    assert (fault is not None) == is_refused


@pytest.mark.covers("fire/allot")
def test_the_owner_gives_the_wounds_out(position: Position) -> None:
    squad = unit(position, "squad")
    run = carried_out(fire.allot(squad, 5), [[3, 2, 1, 0, 3]])
    assert run.questions[0].side == 0
    assert run.questions[0].refusal([0, 0, 1, 2, 3]) is not None
    assert [position.model(row).marks("wounds-lost") for row in (0, 1, 2, 3)] == [1, 1, 1, 2]
    assert model(position, "leader").where == FALLEN


@pytest.mark.covers("fire/allot")
def test_who_is_alone_takes_all_without_being_asked(position: Position) -> None:
    assert carried_out(fire.allot(unit(position, "carrier"), 5)).questions == []
    assert model(position, "carrier").where == FALLEN
    assert carried_out(fire.allot(unit(position, "carrier"), 1)).questions == []


@pytest.mark.covers("fire/at-once")
def test_the_fallen_fire_and_are_taken_away_at_the_end(position: Position) -> None:
    squad, fallen = unit(position, "squad"), model(position, "gunner")
    fallen.mark("wounds-lost", 1)
    fire.wound(fallen, "fire", fallen=True)
    assert fallen.where == FALLEN
    assert len(fire.firing(squad)) == 4
    carried_out(fire.wounds_by(squad, unit(position, "squad", 1)), dice=[1, 1, 1, 1])
    fire.take_the_fallen_away(position)
    assert fallen.where == GONE
    assert len(fire.firing(squad)) == 3


def in_contact(position: Position) -> tuple[Model, Model]:
    """A gunner of ours and an enemy scout side by side, and nobody near."""
    gunner, scout = model(position, "gunner"), model(position, "scout", 1)
    gunner.move_to(2.0, 10.5)
    scout.move_to(3.0, 10.5)
    gunner.mark("wounds-lost", 1)
    return gunner, scout


@pytest.mark.covers("melee/blows")
def test_the_quick_strike_first(position: Position) -> None:
    gunner, scout = in_contact(position)
    assert melee.strikers(position)[0].row == scout.row
    carried_out(melee.fight(position), dice=[1, 4], position=position)
    assert [event["model"] for event in events(position, "roll")] == [scout.row, gunner.row]
    assert scout.where == FALLEN
    assert gunner.is_on_table


@pytest.mark.covers("melee/blows")
@pytest.mark.parametrize(("x", "is_struck"), [(4.0, True), (4.01, False)])
def test_a_blow_reaches_an_inch(position: Position, x: float, is_struck: bool) -> None:
    gunner, scout = in_contact(position)
    scout.move_to(x, 10.5)
    assert (melee.opponent(gunner) is not None) == is_struck


@pytest.mark.covers("melee/blows")
def test_a_three_strikes_nobody_down(position: Position) -> None:
    _, scout = in_contact(position)
    carried_out(melee.fight(position), dice=[3, 3])
    assert scout.is_on_table


@pytest.mark.covers("melee/dead-strike")
@pytest.mark.parametrize(("option", "dice", "is_avenged"), [(True, [4, 4], True), (False, [4], False)])
def test_who_fell_in_the_melee_still_strikes(option: bool, dice: list[float], is_avenged: Plain) -> None:
    position = brought_near(laid_out(RULESET, dead_strike=option))
    gunner, scout = in_contact(position)
    carried_out(melee.fight(position), dice=dice)
    assert gunner.where == FALLEN
    assert (scout.where == FALLEN) == is_avenged
    fire.take_the_fallen_away(position)
    assert gunner.where == GONE
