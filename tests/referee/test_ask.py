from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from campale.dice.needs import Need
from campale.dice.sources import Scripted
from campale.referee.ask import (
    choose,
    confirm,
    direction,
    draw,
    fill_in,
    number,
    order,
    reroll,
    roll,
    through,
    together,
)
from campale.referee.chance import Roll, Rolled
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault


def driven(coroutine: Coroutine[Any, Any, Any], *answers: Any) -> tuple[Any, list[Any]]:
    """What a rule gives when asked questions are answered so, and the questions."""
    asked, value, left = [], None, list(answers)
    while True:
        try:
            asked.append(coroutine.send(value))
        except StopIteration as done:
            assert left == []
            return done.value, asked
        value = left.pop(0)


def run(coroutine: Coroutine[Any, Any, Any], answered: Callable[[Any], Any]) -> Any:
    """What a rule gives when every question is answered as soon as it is asked."""
    value = None
    while True:
        try:
            value = answered(coroutine.send(value))
        except StopIteration as done:
            return done.value


def test_a_single_lawful_answer_is_not_asked_for() -> None:
    assert driven(choose(0, "c", (1,))) == (1, [])
    assert driven(choose(0, "c", (1, 2), forbids=lambda key: Fault() if key == 1 else None)) == (2, [])
    assert driven(number(0, "n", 3, 3)) == (3, [])
    assert driven(order(0, "o", [["a", 1]])) == ([("a", 1)], [])
    assert driven(order(0, "o", [])) == ([], [])
    assert driven(fill_in(0, "f", lambda filled: None)) == ([], [])
    assert driven(together({})) == ({}, [])
    assert driven(roll(0, "r", 0)) == (Rolled(()), [])
    assert driven(draw(0, "d", [1, 2], 0)) == ([], [])


def test_where_a_secret_would_show_it_is_asked_all_the_same() -> None:
    given, asked = driven(choose(0, "c", (1,), always=True, unit=3), 1)
    assert given == 1
    assert asked == [Choose(0, "c", (1,), about={"unit": 3})]


@pytest.mark.parametrize(
    "rule",
    [
        lambda: choose(0, "nothing", ()),
        lambda: choose(0, "nothing", (1,), forbids=lambda key: Fault(), always=True),
        lambda: number(0, "nothing", 2, 1),
        lambda: draw(0, "nothing", [1], 2),
    ],
)
def test_a_question_without_a_lawful_answer_is_a_mistake_of_the_rule(rule: Any) -> None:
    with pytest.raises(ValueError, match="nothing"):
        driven(rule())


def test_the_verbs_give_what_was_answered() -> None:
    assert driven(confirm(0, "sure"), "yes")[0] is True
    assert driven(confirm(0, "sure"), "no")[0] is False
    assert driven(number(0, "n", 1, 6, suggested=(2,)), 4)[0] == 4
    assert driven(direction(0, "d", 0.1), 12)[0] == 12.0
    assert driven(order(0, "o", [1, 2]), [2, 1])[0] == [2, 1]

    def one(filled: list[Any]) -> Question | None:
        return None if filled else Choose(0, "field", (1, 2))

    assert driven(fill_in(0, "f", one), [2])[0] == [2]
    assert driven(together({0: Choose(0, "c", (1, 2))}), {0: 2})[0] == {0: 2}


@pytest.mark.parametrize(
    ("which", "again", "faces"),
    [
        ("all", 4, (5, 5, 5, 5)),
        ("failures", 2, (5, 5, 4, 6)),
        ("successes", 2, (1, 3, 5, 5)),
        ({1}, 1, (5, 3, 4, 6)),
        ((1, 6), 2, (5, 3, 4, 5)),
        ({2}, 0, (1, 3, 4, 6)),
    ],
)
def test_dice_are_rolled_again_once(which: Any, again: int, faces: tuple[int, ...]) -> None:
    rolled = Rolled((1, 3, 4, 6), Need(4))
    answers = [Rolled((5,) * again, Need(4))] if again else []
    found, asked = driven(reroll(0, "again", rolled, which), *answers)
    assert found.faces == faces
    assert [one.count for one in asked] == ([again] if again else [])
    assert driven(reroll(0, "once more", found, which))[1] == [] or which == "successes"


def test_a_die_that_came_up_badly_twice_stays() -> None:
    once, _ = driven(reroll(0, "again", Rolled((1, 6), Need(4))), Rolled((2,), Need(4)))
    assert driven(reroll(0, "again", once)) == (once, [])
    with pytest.raises(ValueError, match="misses"):
        driven(reroll(0, "again", once, "misses"))


def test_an_attack_goes_through_its_stages_in_order() -> None:
    async def hit(shots: int) -> int:
        return (await roll(0, "hit", shots, needed=Need(4))).successes

    async def save(hits: int) -> tuple[int, int]:
        return hits, (await roll(1, "save", hits, needed=Need(5))).successes

    script = Scripted([4, 3, 6, 5, 1])
    asked: list[tuple[str, int]] = []

    def answered(question: Roll) -> Rolled:
        asked.append((question.prompt, question.count))
        return Rolled(tuple(script.answer(question)), question.needed)

    assert run(through((hit, save), 3), answered) == (2, 1)
    assert asked == [("hit", 3), ("save", 2)]
    assert script.left == []
