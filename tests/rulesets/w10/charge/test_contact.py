"""Moves that must end in contact or nearer, and charges at several targets (charge-phase/charge-move, m/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.contact import in_contact
from campale.mechanics.moves.unit_moves import is_lawful
from campale.referee.position import Position
from campale.referee.question import Question
from campale.rulesets.w10.basics.units import members
from campale.rulesets.w10.charge import charging
from campale.rulesets.w10.charge.charging import best_charge, charge_at, duty_of
from campale.rulesets.w10.charge.reaching import is_out_of_reach
from campale.rulesets.w10.fight.pile_in import closest_enemies, consolidate, pile_in
from tests.rulesets.w10.kit import PROPOSAL, blade, model, play, question_after, squad, table, unit

covers = pytest.mark.covers

FOOT = 32 / 25.4
KNIFE = (blade("knife", a="1", s=4),)


def refused(question: Question | None, *ways: Any) -> str | None:
    """The rule by which a move is refused: for each model its end, or None if it stays."""
    assert question is not None
    found = question.refusal([[[list(way)] if way else [], None] for way in ways])
    return None if found is None else found.rule


# ---------------------------------------------------------------- contact with whom


def between_two() -> Position:
    """A model with an enemy 1.5 inches before it and another 2 inches beside it."""
    return table(
        squad("line-squad", at=(30, 20), weapons=KNIFE, marks={"charged": 1}),
        squad("line-squad", 1, 1, (30, 20 + FOOT + 1.5)),
        squad("line-squad", 1, 1, (30 + FOOT + 2.0, 20.6)),
        phase="fight",
    )


@covers("m/pile-in-move", "m/closest")
def test_contact_is_owed_to_the_closest_enemy_model() -> None:
    question = question_after(pile_in(unit(between_two(), 0)))
    beside = (30 + 2.0, 20.6)
    assert refused(question, beside) == "m/pile-in-move"
    assert refused(question, (30, 21.5)) is None


@covers("m/pile-in-move")
def test_with_another_enemy_it_may_be_in_contact_only_where_the_closest_cannot_be_touched() -> None:
    ring = [(30 + 1.35 * k, 20 + 1.5 * FOOT + 1.8) for k in (-1, 1)]
    wall = squad("line-squad", at=[(30, 21.45), *ring], marks={"charged": 1})
    position = table(
        squad("line-squad", at=(30, 18), weapons=KNIFE, marks={"charged": 1}),
        squad("line-squad", 1, 1, (30, 22.9)),
        wall,
        phase="fight",
        step=2,
    )
    played = play(pile_in(unit(position, 0)), "", [], position, accepting=True)
    assert "pile-in" not in played.prompts or not in_contact(model(position, 0).solid, [model(position, 1)])


@covers("m/closest", "m/pile-in-move")
def test_of_two_equally_close_enemies_either_will_do() -> None:
    position = table(
        squad("line-squad", at=(30, 20), weapons=KNIFE, marks={"charged": 1}),
        squad("line-squad", 2, 1, [(30 - FOOT - 2, 20), (30 + FOOT + 2, 20)]),
        phase="fight",
    )
    assert [m.row for m in closest_enemies(model(position, 0))] == [1, 2]
    question = question_after(pile_in(unit(position, 0)))
    assert refused(question, (28, 20)) is None
    assert refused(question, (32, 20)) is None
    assert refused(question, (28.1, 20)) == "m/pile-in-move"


# ---------------------------------------------------------------- as near as possible


def two_with_one_left_behind() -> Position:
    """The first touches; the second is 4 inches from the only enemy that is left."""
    return table(
        squad("line-squad", 2, at=[(30, 20), (30, 16.5)], weapons=KNIFE),
        squad("line-squad", 1, 1, (30, 20 + FOOT)),
        squad("line-squad", 2, 0, [(30 - FOOT - 0.01, 20), (30 + FOOT + 0.01, 20)]),
        phase="fight",
    )


@covers("m/consolidation-toward-enemy", "i/as-close-as-possible", "m/pile-in-move")
@pytest.mark.parametrize(("act", "rule"), [(consolidate, "m/consolidation-toward-enemy"), (pile_in, None)])
def test_consolidating_models_end_as_near_as_they_can_those_that_pile_in_need_not(act: Any, rule: str | None) -> None:
    question = question_after(act(unit(two_with_one_left_behind(), 0)))
    assert refused(question, None, (30, 17.5)) == rule
    assert refused(question, None, (30.6367, 18.9)) is None
    assert refused(question, None, None) is None


@covers("m/consolidation-toward-enemy", "i/as-close-already")
def test_the_move_that_is_proposed_owes_nothing() -> None:
    position = two_with_one_left_behind()
    play(consolidate(unit(position, 0)), "", [PROPOSAL], position)
    assert model(position, 1).y == pytest.approx(18.9, abs=0.1)


# ---------------------------------------------------------------- charges at several targets


def apart() -> Position:
    """Five in a row; two targets 9 inches apart, that a unit reaches only in a chain."""
    return table(
        squad("line-squad", 5, at=(27, 10)),
        squad("line-squad", 1, 1, (25, 17)),
        squad("line-squad", 1, 1, (35, 17)),
        phase="charge",
    )


@covers("charge-phase/charge-roll", "charge-phase/charge-move")
def test_a_charge_at_two_targets_is_found_where_only_a_chain_reaches_both() -> None:
    position = apart()
    duty = duty_of(unit(position, 0), [1, 2], 8.0)
    witness = best_charge(duty, [1, 2])
    assert witness is not None
    assert is_lawful(duty.search.unit, duty.search.models, duty.search.movement, witness)


@covers("charge-phase/charge-roll")
def test_what_is_too_far_for_everybody_fails_without_a_question() -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 10 + FOOT + 8.1)), phase="charge")
    duty = duty_of(unit(position, 0), [1], 7.0)
    assert is_out_of_reach(duty.search, [1])
    assert play(charge_at(unit(position, 0), [1]), "3 4", [], position).kinds[-1] == "charge-failed"


@covers("charge-phase/charge-roll")
@pytest.mark.parametrize(("way", "charged"), [([[30, 16]], 1), ([], 0)])
def test_a_charge_that_was_not_found_may_be_shown(monkeypatch: pytest.MonkeyPatch, way: Any, charged: int) -> None:
    monkeypatch.setattr(charging, "best_charge", lambda duty, targets: None)
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 16 + FOOT)), phase="charge")
    question = question_after(charge_at(unit(position, 0), [1]), "3 4")
    assert refused(question, (30, 14)) == "charge-phase/charge-roll"
    assert refused(question, (30, 15.5)) == "charge-phase/charge-move"
    played = play(charge_at(unit(position, 0), [1]), "3 4", [[[way, None]]], position)
    assert played.prompts == ["charge-not-found"]
    assert unit(position, 0).marks("charged") == charged
    assert ("charge-failed" in played.kinds) is not charged


@covers("charge-phase/charge-move")
def test_a_charge_passes_over_models_of_its_own_side() -> None:
    friends = squad("line-squad", 7, 0, [(24 + 1.5 * k, 13) for k in range(9)])
    enemy = squad("line-squad", 1, 1, (30, 16 + FOOT))
    position = table(squad("line-squad", at=(30, 10)), enemy, friends, phase="charge")
    play(charge_at(unit(position, 0), [1]), "3 3", [PROPOSAL], position)
    assert in_contact(model(position, 0).solid, members(unit(position, 1)))
