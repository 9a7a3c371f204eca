"""Chapters 2.2 and 2.3.2: the owner gives wounds out in rounds; identical models save together."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from campale.dice import odds
from campale.referee.position import Position
from campale.referee.question import Allot, Form
from campale.rulesets.e55.definitions.units import LOST, members
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.allocation import groups_of, out_of_round, proposed
from campale.rulesets.e55.hits.attacks import Covers, Hit, Wound
from tests.rulesets.e55.kit import PROPOSAL, Played, model, play, profile, question_after, refused, squad, table, unit

FOE = squad("veteran", 3, 1, at=(36, 44))


def mixed() -> Position:
    """Two militia, a sergeant, a captain; then the enemy."""
    return table(
        squad([profile("militia")] * 2 + [profile("sergeant"), profile("captain", invulnerable_save=None)]), FOE
    )


def wound(ap: int | None = None, **more: Any) -> Wound:
    return Wound(4, ap, by_unit=1, **more)


def take(
    position: Position, wounds: list[Wound], dice: str = "", answers: Any = (), covers: Covers | None = None
) -> Played:
    return play(resolving.take_wounds(unit(position, 0), wounds, covers or {}), dice, answers, position)


def asked(position: Position, wounds: list[Wound]) -> Allot:
    question = question_after(resolving.take_wounds(unit(position, 0), wounds))
    assert isinstance(question, Allot)
    return question


def left(position: Position) -> list[int]:
    return [m.row for m in members(unit(position, 0))]


# ---------------------------------------------------------------- 2.2/allocation


@pytest.mark.covers("2.2/allocation")
def test_the_owner_gives_wounds_to_any_model_near_or_far() -> None:
    question = asked(mixed(), [wound()])
    assert (question.side, question.prompt, question.holders) == (0, "allot-wounds", [0, 1, 2, 3])
    assert all(refused(question, [row]) == "" for row in range(4))
    position = mixed()
    take(position, [wound(1)], "1", [[2]])
    assert left(position) == [0, 1, 3]


@pytest.mark.covers("2.2/allocation")
def test_who_dealt_the_wounds_is_told_with_the_question() -> None:
    assert asked(mixed(), [wound(), wound()]).about == {"unit": 0}
    dealt = [wound(by_model=5), wound(by_model=4), wound()]
    assert asked(mixed(), dealt).about == {"unit": 0, "attackers": [4, 5]}


@pytest.mark.covers("2.2/allocation", "2/target-kinds")
def test_a_wound_aimed_at_one_model_is_not_given_out_nor_counted() -> None:
    position = mixed()
    played = take(position, [wound(1, target=2), wound(1), wound(1), wound(1)], "1 | 1", [[0, 1, 3]])
    assert played.prompts == ["allot-wounds"]
    assert left(position) == [3]


@pytest.mark.covers("2.2/allocation-rounds")
def test_nobody_takes_a_second_wound_before_all_have_one() -> None:
    question = asked(mixed(), [wound()] * 5)
    assert refused(question, [3, 3, 0, 1, 2]) == ""
    assert refused(question, [3, 3, 3, 0, 1]) == "2.2/allocation-rounds"
    assert refused(question, [3, 3, 0, 1, 0]) == "2.2/allocation-rounds"
    assert refused(asked(mixed(), [wound()] * 2), [3, 3]) == "2.2/allocation-rounds"


@pytest.mark.covers("2.2/allocation-rounds")
def test_nor_a_third_before_all_have_two() -> None:
    fault = out_of_round([0, 0, 0, 1], [0, 1])
    assert fault is not None
    assert (fault.measured, fault.limit, fault.model) == (3, 2, 0)
    assert out_of_round([0, 0, 1, 1, 0], [0, 1]) is None


@pytest.mark.covers("2.2/allocation-rounds")
def test_proposals_and_samples_keep_to_the_rounds() -> None:
    question = asked(mixed(), [wound(2)] * 7)
    answers = [*question.suggestions(), *(question.sample(Random(seed)) for seed in range(8))]
    assert all(refused(question, answer) == "" for answer in answers)
    assert proposed(2, [7, 8, 9], lambda thing, holder: (3.0, 1.0, 2.0)[holder]) == [8, 9]


@pytest.mark.covers("2.2/allocation-pool")
def test_one_resolution_holds_the_wounds_of_all_units_that_cause_them_at_once() -> None:
    position = table(squad([profile("militia"), profile("sergeant")]), squad("veteran", 2, 1, at=(20, 44)), FOE)
    hits = [Hit(4, 6, by_unit=1), Hit(4, 6, by_unit=2), Hit(4, 6, by_unit=2)]
    question = question_after(resolving.take_hits(unit(position, 0), hits), "6 | 6 6")
    assert isinstance(question, Allot)
    assert len(question.items) == 3
    assert refused(question, [0, 0, 0]) == "2.2/allocation-rounds"


@pytest.mark.covers("2.2/allocation-pool", "2.1/mixed-hits")
def test_every_loss_is_put_to_the_account_of_the_unit_whose_wound_it_was() -> None:
    position = table(squad([profile("militia"), profile("sergeant")]), squad("veteran", 2, 1, at=(20, 44)), FOE)
    hits = [Hit(4, 1, by_unit=1), Hit(4, 1, by_unit=2)]
    play(resolving.take_hits(unit(position, 0), hits), "6 | 6 | 1", position=position)
    assert [(loss.model, loss.by) for loss in position.losses] == [(0, 1), (1, 2)]


@pytest.mark.covers("2.2/allocation")
def test_nothing_is_asked_where_it_cannot_matter() -> None:
    alone = table(squad("captain"), FOE)
    assert take(alone, [wound(2)] * 2, "6 6").prompts == []
    alike = table(squad("militia", 3), FOE)
    assert take(alike, [wound()] * 2, "6 6").prompts == []
    assert take(mixed(), [wound(2)] * 4, "6 6").prompts == []
    assert take(mixed(), [wound()] * 0).prompts == []


@pytest.mark.covers("2.2/allocation")
def test_unlike_wounds_are_asked_of_unlike_models_even_when_each_takes_one() -> None:
    question = asked(mixed(), [wound(2), wound(2), wound(None), wound(None)])
    plain = {"by": 1, "strength": 4}
    assert [{name: item[name] for name in ("by", "strength", "ap") if name in item} for item in question.items] == [
        plain | {"ap": 2},
        plain | {"ap": 2},
        plain,
        plain,
    ]


@pytest.mark.covers("2.2/allocation")
def test_where_cover_differs_identical_models_are_asked_for_too() -> None:
    position = table(squad("militia", 2), FOE)
    covers: Covers = {(1, 0): 4, (1, 1): None}
    question = question_after(resolving.take_wounds(unit(position, 0), [wound(2, grants_cover=True)], covers))
    assert isinstance(question, Allot)
    assert question.suggestions()[0] == [0]


# ---------------------------------------------------------------- 2.3.2/identical-models


@pytest.mark.covers("2.3.2/identical-models")
def test_models_that_match_in_everything_and_have_one_wound_are_a_group() -> None:
    made = [profile("militia"), profile("militia", "rifle"), profile("militia"), profile("captain"), profile("captain")]
    position = table(squad(made))
    assert [[m.row for m in group] for group in groups_of(unit(position, 0))] == [[0, 2], [1], [3], [4]]


@pytest.mark.covers("2.3.2/identical-models")
def test_one_wound_is_what_is_left_now() -> None:
    position = table(squad([profile("veteran", w=2)] * 3))
    assert [len(group) for group in groups_of(unit(position, 0))] == [1, 1, 1]
    model(position, 0).mark(LOST, 1)
    model(position, 2).mark(LOST, 1)
    assert [[m.row for m in group] for group in groups_of(unit(position, 0))] == [[0, 2], [1]]


@pytest.mark.covers("2.3.2/identical-models", "1.1/dice-stream")
def test_a_group_pools_its_wounds_and_every_failed_save_takes_one() -> None:
    position = table(squad("militia", 5), FOE)
    played = take(position, [wound()] * 6, "4 4 4 5 6 6", [[0, 3, 4]])
    assert played.rolls == ["save"]
    assert left(position) == [1, 2]


@pytest.mark.covers("2.3.2/identical-models")
def test_the_owner_says_who_of_the_group_goes_each_but_once() -> None:
    position = table(squad("militia", 4), FOE)
    question = question_after(resolving.take_wounds(unit(position, 0), [wound()] * 2), "1 1")
    assert isinstance(question, Allot)
    assert (question.prompt, question.side) == ("choose-losses", 0)
    assert refused(question, [3, 3]) == "2.3.2/identical-models"
    assert refused(question, [3, 0]) == ""
    assert all(refused(question, question.sample(Random(seed))) == "" for seed in range(5))


@pytest.mark.covers("2.3.2/identical-models")
def test_each_wound_of_a_group_is_saved_against_its_own_ap() -> None:
    position = table(squad("veteran", 3), FOE)
    played = take(position, [wound(2), wound(3), wound(None)], "4 4 3", [[1]])
    assert played.rolls == ["save"] * 3
    assert left(position) == [0, 2]


@pytest.mark.covers("2.3.2/identical-models", "1.1/dice-stream", "2.3.2/better-than-2")
def test_all_saves_of_a_group_come_before_its_second_chances() -> None:
    position = table(squad(profile("veteran", armour_save=2, invulnerable_save=5), 3), FOE)
    played = take(position, [wound()] * 3, "1 2 1 | 4 3", [PROPOSAL, [2]])
    assert played.rolls == ["save", "second-chance"]
    assert left(position) == [0, 1]


@pytest.mark.covers("2.3.2/identical-excess", "2.3.2/excess-wounds")
def test_more_failures_than_the_group_has_models_harm_nobody_else() -> None:
    position = table(squad([profile("militia")] * 2 + [profile("captain", invulnerable_save=None)]), FOE)
    answers = [[0, 1, 2, 0, 1]]
    take(position, [wound(4)] * 5, "6", answers)
    assert left(position) == [2]
    assert model(position, 2).marks(LOST) == 0


@pytest.mark.covers("2.3.2/identical-models", "2/target-kinds")
def test_who_fails_against_a_wound_of_his_own_goes_himself() -> None:
    position = table(squad("militia", 3), FOE)
    played = take(position, [wound(target=1)], "4")
    assert played.prompts == []
    assert left(position) == [0, 2]


@pytest.mark.covers("2.3/wound-order", "2/target-kinds")
def test_the_order_of_a_group_and_of_one_of_its_models_is_the_owners() -> None:
    position = table(squad("militia", 2), FOE)
    both = [wound(4), wound(4, target=0)]
    question = question_after(resolving.take_wounds(unit(position, 0), both))
    assert isinstance(question, Form)
    assert question.suggestions()[0] == [[0, 1]]
    take(position, both, "", [[[0, 1]], [0]])
    assert left(position) == [1]
    position = table(squad("militia", 2), FOE)
    take(position, both, "", [[[1, 0]]])
    assert left(position) == []


@pytest.mark.covers("2.3.2/identical-models")
def test_a_character_is_in_no_group() -> None:
    position = table(squad(profile("captain", w=1), 2))
    assert len(groups_of(unit(position, 0))) == 2


# ---------------------------------------------------------------- proposals


@pytest.mark.covers("2.2/allocation")
def test_the_proposal_spares_what_is_worth_most() -> None:
    position = mixed()
    assert asked(position, [wound(3)]).suggestions()[0][0] in (0, 1, 3)
    assert asked(position, [Wound(8, 1)]).suggestions()[0][0] in (0, 1)


# ---------------------------------------------------------------- exact odds


@pytest.mark.covers("2/resolution-sequence", "2.3.2/identical-models")
def test_the_stages_give_exact_odds() -> None:
    position = table(squad("militia", 5), FOE)
    hits = [Hit(4, None, by_unit=1)] * 3
    found = odds.exact(
        position,
        lambda p: resolving.take_hits(p.units[0], hits),
        lambda question: question.suggestions()[0],
        lambda p, _: len(members(p.units[0])),
    )
    fails = Fraction(2, 3) * Fraction(2, 3)
    assert {left: found.outcomes[left] for left in (5, 2)} == {5: (1 - fails) ** 3, 2: fails**3}


@pytest.mark.covers("2.3.2/roll-save", "2/target-kinds")
def test_exact_odds_know_which_of_two_is_hit() -> None:
    position = table(squad("militia", 2), FOE)
    hits = [Hit(4, 4, by_unit=1, target=row) for row in (0, 1)]
    found = odds.exact(
        position,
        lambda p: resolving.take_hits(p.units[0], hits),
        None,
        lambda p, _: tuple(m.is_on_table for m in p.models[:2]),
    )
    assert found.outcomes[True, False] == found.outcomes[False, True] == Fraction(2, 9)
