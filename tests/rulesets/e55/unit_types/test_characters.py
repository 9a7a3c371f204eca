"""Independent characters: leaving units, joining them, and what goes with them."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Effect, Position
from campale.rulesets.e55.definitions.characteristics import effects_on
from campale.rulesets.e55.leadership_and_morale.morale import has_lost_a_quarter
from campale.rulesets.e55.movement_phase.movement import allowance, leave, move, movement_phase, unit_move_question
from campale.rulesets.e55.turn.acting import refusal_of
from campale.rulesets.e55.turn.turns import count_heads
from campale.rulesets.e55.unit_types.characters import is_character, set_free, settle
from tests.rulesets.e55.kit import first_question, model, play, profile, refused, squad, table, unit

STAY: list[Any] = [[], None]


def way(*points: tuple[float, ...]) -> list[Any]:
    return [[list(point) for point in points], None]


def with_captain(at: tuple[float, float] = (24.0, 10.0), kind: Any = "captain", *more: Any, **marks: int) -> Position:
    """Unit 0: three veterans in a row from (20, 10); the captain, bought as unit 1, belongs to it as well."""
    position = table(squad("veteran", 3, at=(18, 10), **marks), squad(kind, at=at), *more, phase="movement")
    position.join(model(position, 3), unit(position, 0))
    return position


def alone(at: tuple[float, float], *others: Any) -> Position:
    """The captain (unit 0, model 0) by himself, and other units."""
    return table(squad("captain", at=at), *others, phase="movement")


def settled(position: Position, *answers: Any) -> int:
    """The unit of the captain once the phase is over."""
    play(settle(position, 0), answers=answers)
    captain = next(one for one in position.models if is_character(one))
    return captain.unit.row


def barred(position: Position, *key: Any) -> str:
    found = refusal_of(position, key)
    return "" if found is None else getattr(found, "rule", "")


# ---------------------------------------------------------------- leaving


@pytest.mark.covers("8/independent-character")
def test_a_character_moves_away_on_its_own_and_has_left_when_it_is_out_of_coherency() -> None:
    position = with_captain()
    play(leave(position, ("leave", 0, 3)), answers=[[way((26, 10))]])
    assert model(position, 3).unit.row == 0
    assert settled(position) == 1
    assert unit(position, 1).marks("moved") == 1
    assert unit(position, 0).marks("moved") == 0


@pytest.mark.covers("8/independent-character")
def test_at_a_measured_two_inches_a_character_stays_what_it_was() -> None:
    position = with_captain()
    play(leave(position, ("leave", 0, 3)), answers=[[way((25.99, 10))]])
    assert settled(position) == 0
    outside = alone((24.5, 10), squad("veteran", at=(22, 10)))
    model(outside, 0).move_to(25.0, 10)
    assert settled(outside) == 0


@pytest.mark.covers("3.1/moved-flag", "8/independent-character")
def test_a_character_that_moved_within_its_unit_has_moved_it() -> None:
    position = with_captain()
    play(leave(position, ("leave", 0, 3)), answers=[[way((24, 11))]])
    assert settled(position) == 0
    assert unit(position, 0).marks("moved") == 1
    still = with_captain()
    play(leave(still, ("leave", 0, 3)), answers=[[STAY]])
    assert settled(still) == 0
    assert unit(still, 0).marks("moved") == 0


@pytest.mark.covers("8/independent-character")
def test_it_leaves_once_before_its_unit_moves_and_with_its_own_speed() -> None:
    position = with_captain((24.5, 10), profile("captain", type="bike", x=12))
    assert allowance(unit(position, 0)) == 6.0
    assert barred(position, "leave", 0, 3) == ""
    play(movement_phase(position), answers=[("leave", 0, 3), [way((36, 10))]])
    assert barred(position, "leave", 0, 3) == "8/independent-character"
    assert barred(position, "move", 0) == ""
    play(movement_phase(position), answers=[("move", 0), [way((18, 12)), way((20, 12)), way((22, 12))]])
    assert not play(movement_phase(position)).value
    assert model(position, 3).unit.row == 1
    acted = with_captain()
    unit(acted, 0).mark("done", 1)
    assert barred(acted, "leave", 0, 3) == "3.1/move-allowance"


@pytest.mark.covers("8/independent-character", "3.1.1/restore-coherency")
def test_a_scattered_unit_closes_up_without_the_character_that_has_left() -> None:
    position = with_captain()
    model(position, 0).move_to(12, 10)
    play(leave(position, ("leave", 0, 3)), answers=[[way((29, 10))]])
    question = first_question(move(position, ("move", 0)))
    assert question.about["models"] == [0, 1, 2]
    assert question.refusal(question.suggestions()[0]) is None
    assert refused(question, [STAY, STAY, STAY]) == "3.1.1/restore-coherency"


@pytest.mark.covers("8/independent-character")
def test_in_its_units_move_a_character_stays_with_the_unit() -> None:
    position = with_captain()
    question = unit_move_question(unit(position, 0), "move", 6.0)
    assert refused(question, [STAY, STAY, STAY, way((26, 10))]) == "8/independent-character"
    assert refused(question, [STAY, STAY, STAY, way((25.9, 10))]) == ""
    assert refused(question, [way((17, 13)), way((19, 13)), way((21, 13)), STAY]) == "8/independent-character"


@pytest.mark.covers("1.1/unit-membership")
def test_an_ordinary_model_does_not_leave_its_unit_however_far_it_is() -> None:
    position = with_captain((40, 10))
    model(position, 2).move_to(30, 10)
    assert settled(position) == 1
    assert model(position, 2).unit.row == 0
    assert barred(position, "leave", 0, 3)


@pytest.mark.covers("1.1/effect-on-leaving", "1.1/unit-membership")
@pytest.mark.parametrize("mark", ["combat", "to-ground", "broken"])
def test_a_unit_in_which_nobody_may_move_is_not_left(mark: str) -> None:
    position = with_captain((40, 10), "captain", **{mark: 1})
    assert settled(position) == 0
    assert barred(position, "leave", 0, 3) in ("3.1/cannot-move", "4.2/broken-cannot-act")


@pytest.mark.covers("1.1/effect-on-leaving", "1.1/unit-effect-scope")
def test_whoever_leaves_is_free_of_what_held_the_unit_and_keeps_what_it_did() -> None:
    position = with_captain(ran=1, moved=1)
    captain = model(position, 3)
    unit(position, 1).mark("to-ground", 1)
    unit(position, 1).mark("afraid", 1)
    position.begin(Effect("8/stealth", 0, on="unit"))
    position.begin(Effect("8/fleet", 2, on="model"))
    assert [effect.rule for effect in effects_on(captain)] == ["8/stealth"]
    assert [effect.rule for effect in effects_on(model(position, 2))] == ["8/stealth", "8/fleet"]
    set_free(captain)
    assert effects_on(captain) == []
    own = unit(position, 1)
    assert (own.marks("to-ground"), own.marks("afraid")) == (0, 0)
    assert (own.marks("ran"), own.marks("moved")) == (1, 1)


@pytest.mark.covers("1.1/effect-on-leaving")
@pytest.mark.parametrize(("away", "on_him"), [(12.99, []), (13.0, ["5/casting"])])
def test_what_was_put_on_a_lone_character_does_not_come_back_when_he_is_alone_again(
    away: float, on_him: list[str]
) -> None:
    position = alone((20, away), squad("veteran", 2, at=(20, 10)))
    captain = model(position, 0)
    position.begin(Effect("5/casting", 0, on="unit", value=("ward", 4), until="turn-4"))
    position.begin(Effect("8/fleet", 0, on="model"))
    settled(position)
    set_free(captain)
    assert [effect.rule for effect in effects_on(captain)] == [*on_him, "8/fleet"]


# ---------------------------------------------------------------- joining


@pytest.mark.covers("8/independent-character")
def test_it_joins_a_unit_at_a_real_gap_under_two_inches() -> None:
    assert settled(alone((20, 12.99), squad("veteran", 2, at=(20, 10)))) == 1
    assert settled(alone((20, 13), squad("veteran", 2, at=(20, 10)))) == 0


@pytest.mark.covers("8/independent-character")
def test_it_does_not_join_vehicles_characters_alone_or_enemies() -> None:
    assert settled(alone((20, 13), squad("walker", at=(20, 10)))) == 0
    assert settled(alone((20, 12), squad("captain", at=(20, 10)))) == 0
    assert settled(alone((20, 12.5), squad("veteran", 1, 1, (20, 10)))) == 0
    mixed = squad([profile("veteran"), profile("captain")], at=(18, 10))
    assert settled(alone((20, 12), mixed)) == 1


@pytest.mark.covers("8/independent-character")
def test_close_to_several_units_its_owner_declares_to_which_it_belongs() -> None:
    squads = squad("veteran", at=(18.5, 10)), squad("militia", at=(21.5, 10))
    assert settled(alone((20, 10), *squads), 2) == 2
    assert settled(alone((20, 10), *squads), 1) == 1
    member = with_captain((24, 10), "captain", squad("militia", at=(26, 10)))
    question = play(settle(member, 0), answers=[0]).questions[0]
    assert question.options() == [0, 2]
    assert model(member, 3).unit.row == 0


@pytest.mark.covers("8/independent-character")
def test_it_passes_to_another_unit_when_it_comes_close_to_that_one_alone() -> None:
    position = with_captain((24, 10), "captain", squad("militia", at=(27.5, 10)))
    play(leave(position, ("leave", 0, 3)), answers=[[way((25.5, 10))]])
    assert settled(position) == 2
    assert unit(position, 2).marks("moved") == 1
    assert unit(position, 0).marks("moved") == 0


@pytest.mark.covers("3.1/moved-flag")
def test_a_character_who_moved_and_joins_has_moved_its_new_unit() -> None:
    position = alone((20, 12), squad("veteran", 2, at=(20, 10)))
    unit(position, 0).mark("moved", 1)
    assert settled(position) == 1
    assert unit(position, 1).marks("moved") == 1
    still = alone((20, 12), squad("veteran", 2, at=(20, 10)))
    settled(still)
    assert unit(still, 1).marks("moved") == 0


@pytest.mark.covers("8/independent-character")
@pytest.mark.parametrize("mark", ["combat", "to-ground", "broken"])
def test_a_character_who_cannot_move_does_not_change_its_unit(mark: str) -> None:
    position = alone((20, 12), squad("veteran", 2, at=(20, 10)))
    unit(position, 0).mark(mark, 1)
    assert settled(position) == 0


@pytest.mark.covers("8/independent-character", "3.1.4/facing-choice")
def test_it_joins_before_the_facing_is_chosen_and_shares_it() -> None:
    position = alone((20, 12), squad("veteran", 2, at=(20, 10)), squad("militia", 1, 1, (20, 30)))
    play(movement_phase(position), answers=[("done",)])
    assert model(position, 0).unit.row == 1


@pytest.mark.covers("4.1/trigger-casualties")
def test_neither_joining_nor_leaving_changes_how_many_a_unit_had_as_the_phase_began() -> None:
    position = alone((18, 10), squad("veteran", 7, at=(20, 10)))
    for row in (6, 7):
        position.remove(model(position, row), "dangerous")
    assert settled(position) == 1
    assert has_lost_a_quarter(unit(position, 1))
    position = with_captain()
    count_heads(position)
    position.remove(model(position, 0), "dangerous")
    assert not has_lost_a_quarter(unit(position, 0))
    set_free(model(position, 3))
    assert [has_lost_a_quarter(unit(position, number)) for number in (0, 1)] == [False, False]
