"""The order of wounds (2.3/wound-order): asked of the owner where it can change how things end, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.sources import ScriptError
from campale.referee.chance import Roll
from campale.referee.position import Position
from campale.referee.question import Form
from campale.rulesets.e55.definitions.units import HEAVY_FIRE_BY
from campale.rulesets.e55.hits import casualties, resolving
from campale.rulesets.e55.hits.attacks import Wound
from campale.rulesets.e55.shooting_phase.heavy_fire import record_heavy_fire
from tests.rulesets.e55.kit import PROPOSAL, Played, model, play, profile, question_after, squad, table, unit

CAPTAIN, SERGEANT, MEN = 0, 0, (1, 2, 3)


def under_fire(leader: str, others: int, **changes: Any) -> Position:
    """A leader and his men, in the turn of two enemy units."""
    men = [profile("militia")] * others
    enemies = (squad("veteran", 1, 1, at=(30, 40)), squad("veteran", 1, 1, at=(42, 40)))
    return table(squad([profile(leader, **changes), *men]), *enemies, side=1)


def led(others: int = 3) -> Position:
    return under_fire("captain", others, invulnerable_save=None)


def take(position: Position, wounds: list[Wound], dice: str, answers: Any = ()) -> Played:
    return play(resolving.take_wounds(unit(position, 0), wounds), dice, answers, position)


def wound(by: int, strength: int = 4, ap: int | None = None, **more: Any) -> Wound:
    return Wound(strength, ap, **{"by_unit": by, "target": CAPTAIN, **more})


DEADLY = [wound(1, 8), wound(2, 8)]


# ---------------------------------------------------------------- on one model


@pytest.mark.covers("2.3/wound-order", "2.3.2/excess-wounds", "3.1/heavy-fire-losses")
@pytest.mark.parametrize(("order", "by"), [([0, 1], 1), ([1, 0], 2)])
def test_the_owner_says_which_of_two_units_kills_first_where_a_loss_makes_fire_heavy(order: list[int], by: int) -> None:
    position = led(others=3)
    played = take(position, DEADLY, "1", [[order]])
    assert (played.prompts, played.rolls) == (["settle-wounds"], ["save"])
    assert [loss.by for loss in position.losses] == [by]
    record_heavy_fire(position)
    assert unit(position, 0).note(HEAVY_FIRE_BY) == (by,)


@pytest.mark.covers("2.3/wound-order")
@pytest.mark.parametrize(
    ("others", "wounds", "dice"),
    [
        pytest.param(4, DEADLY, "1", id="one loss of five is not heavy"),
        pytest.param(0, DEADLY, "1", id="nobody is left to whom it matters"),
        pytest.param(3, [wound(1, 8), wound(1, 8)], "1", id="one unit"),
        pytest.param(3, [wound(1), wound(2)], "6 6", id="too few to kill"),
        pytest.param(3, [wound(1), wound(1, ap=2)], "6 6", id="too few to kill, and unlike"),
        pytest.param(3, [wound(by, 8, cause="melee") for by in (1, 2)], "1", id="no fire"),
    ],
)
def test_nobody_is_asked_where_it_is_all_one_by_whom_a_model_is_killed(
    others: int, wounds: list[Wound], dice: str
) -> None:
    assert take(led(others), wounds, dice).prompts == []


@pytest.mark.covers("2.3/wound-order")
def test_three_like_wounds_of_two_units_on_a_model_with_one_wound_need_no_order() -> None:
    position = under_fire("militia", 0)
    assert take(position, [wound(by) for by in (1, 2, 1)], "1").prompts == []


@pytest.mark.covers("2.3/wound-order", "2.3.2/instant-death", "2.3.2/excess-wounds")
def test_the_owner_may_face_the_wound_first_that_kills_at_once() -> None:
    """Of one unit too: the same two dice kill in one order, and cost one wound in the other."""
    for order, dice, dies in (([0, 1], "1 6", False), ([1, 0], "1", True)):
        position = led(others=0)
        played = take(position, [wound(1), wound(1, 8)], dice, [[order]])
        assert played.prompts == ["settle-wounds"]
        assert model(position, CAPTAIN).is_on_table is not dies


@pytest.mark.covers("2.3/wound-order", "2.3/ap-against-armour")
def test_wounds_that_are_saved_alike_need_no_order_and_others_do() -> None:
    one_wound = under_fire("veteran", 0)
    assert form_of(one_wound, [wound(1, ap=5), wound(1, ap=3)]) == ["order-of-wounds"]
    assert form_of(one_wound, [wound(1, ap=5), wound(1, 8, ap=6)]) == []


@pytest.mark.covers("2.3/wound-order", "3.1/heavy-fire-losses")
def test_fire_that_is_heavy_already_and_fire_out_of_ones_turn_need_no_order() -> None:
    position = led(others=7)
    for row, by in ((5, 1), (6, 1), (7, 2)):
        casualties.lose(model(position, row), "fire", by)
    assert take(position, DEADLY, "1", [[[1, 0]]]).prompts == ["settle-wounds"]
    position = led(others=7)
    for row, by in ((4, 1), (5, 1), (6, 2), (7, 2)):
        casualties.lose(model(position, row), "fire", by)
    assert take(position, DEADLY, "1").prompts == []
    position = led(others=3)
    position.now["side"] = 0
    assert take(position, DEADLY, "1").prompts == []


@pytest.mark.covers("2.3/wound-order", "3.1/heavy-fire-losses")
def test_what_else_a_unit_may_kill_counts_towards_its_fire() -> None:
    """Of eight two are a quarter: the captain, and one of the men."""
    at_one_of_the_men = wound(2, target=7)
    assert form_of(led(others=7), [*DEADLY, at_one_of_the_men]) == ["order-of-wounds"]
    assert form_of(led(others=7), [*DEADLY, wound(2, target=7, cause="melee")]) == []


# ---------------------------------------------------------------- among models and groups


def with_a_sergeant() -> Position:
    """His armour is better than that of his three men, who are alike."""
    return under_fire("veteran", 3)


def form_of(position: Position, wounds: list[Wound], *answers: Any) -> list[str]:
    """The prompts of the form that settles wounds: none where nothing is asked."""
    rule = resolving.take_wounds(unit(position, 0), wounds)
    try:
        form = question_after(rule, "", answers)
    except ScriptError:
        return []
    assert isinstance(form, Form)
    filled: list[Any] = []
    prompts: list[str] = []
    while (field := form.field(filled)) is not None:
        filled.append(field.suggestions()[0])
        prompts.append(field.prompt)
    return prompts


def dice_together(played: Played) -> list[int]:
    return [question.count for question in played.questions if isinstance(question, Roll)]


def each_one(**more: Any) -> list[Wound]:
    """A wound for everybody: they are given out without a question."""
    return [wound(1, target=-1, **more) for _ in range(4)]


@pytest.mark.covers("2.3/wound-order", "2.3.2/identical-models")
@pytest.mark.parametrize(
    ("order", "dice", "rolls"),
    [
        ([0, 1], "1 | 1 6 6", [1, 3]),
        ([1, 0], "1 6 6 | 1", [3, 1]),
    ],
)
def test_the_owner_says_whether_the_sergeant_saves_before_his_men_or_after(
    order: list[int], dice: str, rolls: list[int]
) -> None:
    position = with_a_sergeant()
    played = take(position, each_one(), dice, [[order], PROPOSAL])
    assert played.prompts == ["settle-wounds", "choose-losses"]
    assert dice_together(played) == rolls
    assert not model(position, SERGEANT).is_on_table


@pytest.mark.covers("2.3/wound-order")
def test_the_sergeant_goes_first_if_nothing_else_is_said_as_then_more_is_known_of_who_may_stay() -> None:
    men_first = table(squad([*[profile("militia")] * 3, profile("veteran")]), squad("veteran", 1, 1), side=1)
    played = take(men_first, each_one(), "1 | 6 6 6", [PROPOSAL])
    assert dice_together(played) == [1, 3]


@pytest.mark.covers("2.3/wound-order", "2.3.2/identical-models")
def test_no_order_among_models_where_nobody_chooses_who_falls_or_nothing_is_open() -> None:
    hopeless = each_one(cannot_be_saved=True)
    assert take(with_a_sergeant(), hopeless, "").prompts == []
    aimed = [wound(1, target=row) for row in (SERGEANT, *MEN)]
    assert take(with_a_sergeant(), aimed, "1 1 6 6").prompts == []
    at_the_men = [wound(1, target=-1, cannot_be_saved=True)]
    played = take(with_a_sergeant(), [*at_the_men, wound(1, cannot_be_saved=True)], "", [[MEN[0]], PROPOSAL])
    assert played.prompts == ["allot-wounds", "choose-losses"]
    played = take(with_a_sergeant(), [*at_the_men, wound(1)], "6", [[MEN[0]], PROPOSAL, PROPOSAL])
    assert played.prompts == ["allot-wounds", "settle-wounds", "choose-losses"]
