from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from campale.referee.chance import Direction, Draw, Roll, Rolled
from campale.referee.question import (
    LONGEST_ANSWER,
    MOST_SUGGESTIONS,
    Aim,
    Allot,
    Along,
    Choose,
    Form,
    Move,
    MoveUnit,
    Number,
    Order,
    Place,
    Question,
    Spatial,
    unplain,
)
from campale.referee.refusal import Fault, Plain, Refusal


def near(answer: Any) -> Fault | None:
    """Points may not lie beyond x = 10."""
    where = answer if isinstance(answer, tuple) and isinstance(answer[0], float) else (0.0, 0.0)
    return Fault(where=where[:2], measured=where[0], limit=10.0) if where[0] > 10 else None


def steps(filled: list[Any]) -> Question | None:
    if not filled:
        return Choose(0, "speed", ("slow", "fast"))
    return Number(0, "steps", 1, 2 if filled[0] == "slow" else 9) if len(filled) == 1 else None


def a_spatial(kind: type[Spatial], sample: Any, **about: Any) -> Spatial:
    return kind(0, kind.kind, near, lambda rng: sample, lambda: [sample] * 50, {"limit": 10}, about)


def of_one(taken: list[int]) -> Fault | None:
    return Fault(word="one") if len(set(taken)) > 1 else None


CHOOSE = Choose(0, "choose", (1, 2, ("a", 3)), forbids=lambda key: Fault(rule="toy/no") if key == 2 else None)
EVERY: dict[str, Question] = {
    "choose": CHOOSE,
    "order": Order(0, "order", [4, ("b", 1), "c"]),
    "number": Number(0, "number", 2, 5),
    "form": Form(0, "form", steps),
    "place": a_spatial(Place, [[1.0, 2.0, 0.0], [3.0, 2.0, 0.0]], models=[0, 1]),
    "move": a_spatial(Move, [[[1.0, 2.0], [1.0, 3.0, 1.0]], 90.0]),
    "march": a_spatial(MoveUnit, [[[[1.0, 2.0]], None]], models=[0]),
    "along": Along(0, "along", lambda at: Fault() if at not in (None, 2.0) else None, lambda rng: 2.0, lambda: [None]),
    "aim": a_spatial(Aim, [1.0, 2.0]),
    "allot": Allot(0, "allot", ["a", "b"], [7, 8], of_one, lambda rng: [8, 8] if rng else [7, 7]),
    "roll": Roll(0, "roll", 3),
    "direction": Direction(0, "direction", 18.0),
    "draw": Draw(0, "draw", ["x", ("y", 1), "z"], 2),
}
DEEP: Any = []
for _ in range(60):
    DEEP = [DEEP]
HOSTILE: list[Any] = [
    math.nan,
    math.inf,
    -math.inf,
    [math.nan, 1.0],
    [[[math.inf, 1.0]], None],
    2**60,
    DEEP,
    [0] * (LONGEST_ANSWER + 1),
    "x" * (LONGEST_ANSWER + 1),
    {"a": math.nan},
    {math.nan: 1},
    {"a": 1},
    {},
    object(),
    b"bytes",
    {1, 2},
    "",
    "no such word",
    True,
    [True],
    [True, True],
    [None],
    [[]],
    [[], []],
    [[[]], None],
    [[["x", "y"]], None],
    -1,
    0.5,
    1.0e300,
    [1, 2, 3, 4, 5, 6, 7, 8],
    ["a"],
    [{}],
    [[1.0], [2.0]],
    [None, None],
]
every = pytest.mark.parametrize("question", EVERY.values(), ids=EVERY.keys())


@every
@pytest.mark.parametrize("answer", HOSTILE, ids=lambda answer: type(answer).__name__)
def test_an_answer_of_another_shape_is_refused_and_nothing_breaks(question: Question, answer: Any) -> None:
    assert isinstance(question.refusal(answer), Refusal)


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (math.nan, "answer.not-finite"),
        (10**17, "answer.not-finite"),
        (-1e17, "answer.not-finite"),
        (DEEP, "answer.too-large"),
        ([0] * (LONGEST_ANSWER + 1), "answer.too-large"),
        ("x" * (LONGEST_ANSWER + 1), "answer.too-large"),
        (object(), "answer.wrong-shape"),
        ({math.inf: 1}, "answer.not-finite"),
    ],
)
def test_what_is_not_plain_is_named_before_any_rule_sees_it(answer: Any, word: str) -> None:
    fault = unplain(answer)
    assert fault is not None
    assert fault.word == word


@every
def test_every_sample_suggestion_and_option_is_accepted(question: Question) -> None:
    rng = Random(1)
    offered = [question.sample(rng) for _ in range(20)] + question.suggestions() + (question.options() or [])
    assert [one for one in offered if question.refusal(one) is not None] == []
    assert len(question.suggestions()) <= MOST_SUGGESTIONS * 4


def test_a_refusal_names_the_rule_that_forbids_or_the_one_that_asks() -> None:
    number = Number(0, "number", 1, 3)
    number.rules = ("toy/outer", "toy/inner")
    assert number.refusal(9) == Refusal("toy/inner", measured=9, limit=3, word="answer.beyond")
    assert number.refusal(0) == Refusal("toy/inner", measured=0, limit=1, word="answer.beyond")
    assert CHOOSE.refusal(2) == Refusal("toy/no")
    cited = Choose(0, "c", (1,), forbids=lambda key: Refusal("toy/cited", limit=1.0))
    assert cited.refusal(1) == Refusal("toy/cited", limit=1.0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (Choose(0, "c", (0, 1)), True),
        (Choose(0, "c", (("a", 1),)), ["a", True]),
        (Order(0, "o", (0, 1)), [False, True]),
        (Allot(0, "a", ["x"], [1], of_one, lambda rng: [1]), [True]),
        (Number(0, "n", 0, 1), True),
        (Roll(0, "r"), [True]),
    ],
)
def test_yes_is_not_one(question: Question, answer: Any) -> None:
    assert question.refusal(answer) is not None


def test_the_rule_receives_the_key_that_it_offered() -> None:
    """A file gives lists for tuples, and 1.0 for 1: the rule must not notice."""
    assert CHOOSE.understood(["a", 3]) == ("a", 3)
    assert [type(one) for one in (CHOOSE.understood(1.0), EVERY["allot"].understood([7.0, 7.0])[0])] == [int, int]
    assert EVERY["order"].understood(["c", 4.0, ["b", 1]]) == ["c", 4, ("b", 1)]
    assert EVERY["move"].understood([[[1, 2]], None]) == (((1.0, 2.0),), None)
    assert EVERY["march"].understood([[[[1, 2]], 9]]) == [(((1.0, 2.0),), 9.0)]
    assert EVERY["place"].understood([[1, 2, 3]]) == [(1.0, 2.0, 3.0)]
    assert EVERY["along"].understood(2) == 2.0
    assert EVERY["along"].understood(None) is None
    assert EVERY["draw"].understood([1, 0]) == [("y", 1), "x"]
    assert EVERY["roll"].understood([1, 6, 2]) == Rolled((1, 6, 2))
    assert EVERY["form"].understood(["slow", 1]) == ["slow", 1]
    assert EVERY["form"].understood(["slow", 1, 1]) == ["slow", 1]


def test_all_items_must_be_ordered_and_each_once() -> None:
    order = EVERY["order"]
    assert order.refusal([4, ["b", 1], "c"]) is None
    for wrong in ([4, "c"], [4, 4, "c"], [4, ["b", 1], "c", "c"], 4):
        assert order.refusal(wrong) is not None


def test_a_number_suggests_what_the_rule_proposes_within_bounds() -> None:
    assert Number(0, "n", 1, 9).suggestions() == [1, 5, 9]
    assert Number(0, "n", 1, 9, suggested=(3, 12)).suggestions() == [3]
    assert Number(0, "n", 1, 2).options() == [1, 2]
    assert Number(0, "n", 1, 1000).options() is None


def test_a_form_asks_its_fields_one_by_one() -> None:
    form = EVERY["form"]
    assert isinstance(form, Form)
    first, second = form.field(()), form.field(("slow",))
    assert first == Choose(0, "speed", ("slow", "fast"))
    assert second == Number(0, "steps", 1, 2)
    assert form.field(("slow", 2)) is None
    assert form.refusal(["slow"]) is not None
    assert form.refusal(["slow", 1, 1]) is not None
    assert form.refusal(["slow", 3]) is not None
    assert form.refusal(["fast", 3]) is None


def test_a_spatial_question_is_judged_by_its_rule() -> None:
    aim = EVERY["aim"]
    assert aim.refusal([11.0, 2.0]) == Refusal("", where=(11.0, 2.0), measured=11.0, limit=10.0)
    assert Aim(0, "aim", near, lambda rng: [1.0, 2.0]).suggestions() == []


def test_a_choice_may_find_its_candidates_when_it_is_asked() -> None:
    found: list[Any] = [1, [2, 3]]
    choice = Choose(0, "late", lambda: found)
    assert choice.candidates == [1, (2, 3)]
    assert choice.options() == [1, (2, 3)]
    choice.options().clear()
    assert choice.options() == [1, (2, 3)]
    with pytest.raises(ValueError, match="late"):
        Choose(0, "late", ()).sample(Random(1))
    with pytest.raises(NotImplementedError):
        Question(0, "bare").sample(Random(1))


def test_a_sample_does_not_hang_on_who_has_looked_at_the_options() -> None:
    one, two = Choose(0, "c", range(30)), Choose(0, "c", range(30))
    two.options()
    assert one.sample(Random(5)) == two.sample(Random(5))


def test_keys_that_are_closed_are_shown_and_refused_with_the_reason() -> None:
    asked: list[int] = []

    def closed() -> dict[Plain, Fault | Refusal | None]:
        asked.append(1)
        return {"a": Fault(), "b": None, "c": Refusal("core/far", limit=3.0)}

    choice = Choose(0, "where", ["a"], closed=closed)
    assert (choice.options(), choice.suggestions(), choice.sample(Random(1))) == (["a"], ["a"], "a")
    assert choice.refusal("a") is None
    assert not asked
    assert choice.refusal("c") == Refusal("core/far", limit=3.0)
    assert choice.candidates == ["a", "c"]
    assert choice.refusal("b") is not None
    assert choice.options() == ["a"]
    assert asked == [1]


def test_a_choice_says_how_its_sample_is_drawn() -> None:
    keys = [("done",), *((k,) for k in range(8))]
    rng = Random(3)
    seldom = [Choose(0, "menu", keys, odds={("done",): 0.1}).sample(rng) for _ in range(2000)]
    assert 10 <= seldom.count(("done",)) <= 45
    assert all(200 <= seldom.count(key) <= 300 for key in keys[1:])
    often = [Choose(0, "form", keys, odds={("done",): 8.0}).sample(rng) for _ in range(2000)]
    assert 920 <= often.count(("done",)) <= 1080
    barred = Choose(0, "menu", keys, odds={("done",): 8.0}, forbids=lambda key: None if key == (5,) else Fault())
    assert barred.sample(rng) == (5,)


def test_questions_are_equal_when_their_descriptions_are() -> None:
    same = Choose(0, "choose", (7,), about={"model": 1})
    assert same == Choose(0, "choose", (8, 9), about={"model": 1})
    assert same != Choose(1, "choose", (7,), about={"model": 1})
    assert same != Choose(0, "choose", (7,), about={"model": 2})
    assert same != Choose(0, "choose", (7,), of="model", about={"model": 1})
    assert Number(0, "n", 1, 2) != Number(0, "n", 1, 3)
    assert EVERY["order"] == Order(0, "order", [4, ("b", 1), "c"])
    assert EVERY["order"] != Order(0, "order", [4, ("b", 1)])
    assert Question(0, "bare").refusal("anything") is None
    assert same != "choose"
    with pytest.raises(TypeError):
        hash(same)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        (Roll(0, "r", 2), [1, 7]),
        (Roll(0, "r", 2), [0, 1]),
        (Roll(0, "r", 2), [1.5, 1]),
        (Roll(0, "r", 2), [1]),
        (Direction(0, "d", 18.0), 17.0),
        (Direction(0, "d", 18.0), 360.0),
        (Draw(0, "d", "abc", 2), [0, 0]),
        (Draw(0, "d", "abc", 2), [0, 3]),
        (Draw(0, "d", "abc", 2), [0]),
    ],
)
def test_chance_cannot_give_what_is_not_there(question: Question, wrong: Any) -> None:
    assert question.refusal(wrong) is not None


def test_dice_remember_which_were_rolled_again() -> None:
    rolled = Rolled((1, 2, 3))
    again = rolled.with_again((0, 2), Rolled((6, 5)))
    assert again == Rolled((6, 2, 5), None, (0, 2))
    assert again.with_face(1, 4) == Rolled((6, 4, 5), None, (0, 2))
    assert (again.total, again.count, again.successes) == (13, 3, 3)
