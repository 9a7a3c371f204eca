"""Standing orders: what is answered for a player, and what he is asked all the same."""

from __future__ import annotations

from typing import Any

import pytest
from tests.toys import register

from campale.referee.game import Game
from campale.referee.question import Allot, Choose, Form, Number, Order, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import load_ruleset
from campale.screen.orders import at_first, is_paced, kinds, read_orders, standing_answer
from campale.screen.scene import Eyes, eyes

MATTER = {"default": "matter"}


@pytest.fixture
def seen() -> Eyes:
    """The template's book: red's rows 0 to 3, blue's from 4 on; the first two of either 6 apart."""
    register()
    ruleset = load_ruleset("_template")
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0])
    while game.position.now["phase"] == "deployment":
        question = game.question
        assert question is not None
        game.answer(question.side, question.proposals(1)[0])
    known = eyes(game, 0, "en")
    for row, x in ((0, 4.0), (1, 4.0), (4, 10.0), (5, 20.0)):
        known.position.x[row], known.position.y[row] = x, 8.0
    return known


def given(question: Question, orders: dict[str, Any], seen: Eyes) -> tuple[Plain] | None:
    return standing_answer(question, read_orders(orders), seen.position, seen.teller)


def fire_back(at: int = 4, **about: Plain) -> Choose:
    return Choose(0, "return-fire", ["yes", "no"], "word", about={"model": 0, "at": at, **about})


def no(key: Plain) -> Fault | None:
    return Fault() if key == "yes" else None


def test_whoever_wants_to_be_asked_is_asked(seen: Eyes) -> None:
    assert given(Choose(0, "who", ["one"]), {}, seen) is None
    assert given(Choose(0, "who", ["one"]), {"default": "matter", "who": "ask"}, seen) is None
    assert given(Choose(0, "who", ["one"]), {"default": "ask", "who": "matter"}, seen) == ("one",)


def test_one_lawful_answer_is_no_question(seen: Eyes) -> None:
    assert given(Choose(0, "who", ["yes", "one"], forbids=no), MATTER, seen) == ("one",)
    assert given(Choose(0, "who", ["yes", "one"]), MATTER, seen) is None
    assert given(Choose(0, "who", []), MATTER, seen) is None
    assert given(Number(0, "who", 3, 3), MATTER, seen) == (3,)
    assert given(Number(0, "who", 3, 4), MATTER, seen) is None
    assert given(Order(0, "who", [5]), MATTER, seen) == ([5],)
    assert given(Order(0, "who", [5, 6]), MATTER, seen) is None
    lone = Allot(0, "who", ["hit", "hit"], [2], lambda a: None, lambda rng: [2, 2])
    assert given(lone, MATTER, seen) == ([2, 2],)
    both = Allot(0, "who", ["hit"], [2, 3], lambda a: None, lambda rng: [2])
    assert given(both, MATTER, seen) is None


def test_that_there_is_no_choice_does_not_show_in_what_is_written_in_secret(seen: Eyes) -> None:
    assert given(Choose(0, "order", ["one"], about={"open": False}), MATTER, seen) is None


def test_a_form_is_filled_in_where_each_field_has_one_answer(seen: Eyes) -> None:
    def form(*last: str) -> Form:
        fields = [Choose(0, "a", ["x"]), Choose(0, "b", last)]
        return Form(0, "both", lambda filled: fields[len(filled)] if len(filled) < 2 else None)

    assert given(form("y"), MATTER, seen) == (["x", "y"],)
    assert given(form("y", "z"), MATTER, seen) is None


def test_to_pass_is_to_do_nothing_where_that_is_lawful(seen: Eyes) -> None:
    assert given(fire_back(), {"return-fire": "pass"}, seen) == ("no",)
    assert given(Choose(0, "who", ["one", "two"]), {"who": "pass"}, seen) is None
    assert given(Choose(0, "act", [("go", 1), ("done",)]), {"act": "pass"}, seen) == (("done",),)
    idle = Form(0, "act", lambda f: None if f else Choose(0, "a", ["x", "end"]), idle=["end"])
    assert given(idle, {"act": "pass"}, seen) == (["end"],)


def test_an_order_to_act_holds_within_its_length(seen: Eyes) -> None:
    """From row 0 to row 4 it is 6 from middle to middle, as this book, which tells no measure, has it."""

    def order(within: float) -> dict[str, Any]:
        return {"return-fire": {"act": ["charge", "yes"], "within": within}}

    assert given(fire_back(), order(6.0), seen) == ("yes",)
    assert given(fire_back(), order(5.9), seen) == ("no",)
    assert given(fire_back(5), order(6.0), seen) == ("no",)
    assert given(
        Choose(0, "return-fire", ["yes", "no"], forbids=no, about={"model": 0, "at": 4}), order(9.0), seen
    ) == ("no",)


def test_what_is_asked_besides_is_the_nearest_target(seen: Eyes) -> None:
    def fields(filled: list[Any]) -> Question | None:
        if not filled:
            return Choose(0, "reaction", ["none", "fire"], about={"model": 0})
        return Choose(0, "whom", [5, 4], "model", about={"model": 0}) if filled == ["fire"] else None

    form = Form(0, "reactions", fields, about={"target": 4})
    order = {"act": ["fire"], "within": 7.0}
    assert given(form, {"reactions": order}, seen) == (["fire", 4],)
    assert given(form, {"reactions": {**order, "within": 2.0}}, seen) == (["none"],)


def test_what_the_book_holds_needless_is_answered_unless_one_wants_to_be_asked(seen: Eyes) -> None:
    position = seen.position
    position.ruleset = position.ruleset.replacing(
        needless=lambda _, question: ("two",) if question.prompt == "trifle" else None
    )
    assert given(Choose(0, "trifle", ["one", "two"]), MATTER, seen) == ("two",)
    assert given(Choose(0, "matter", ["one", "two"]), MATTER, seen) is None
    assert given(Choose(0, "trifle", ["one", "two"]), {"default": "ask"}, seen) is None
    assert given(Choose(0, "trifle", ["one", "two"]), {"default": "matter", "trifle": "ask"}, seen) is None
    assert given(Choose(0, "trifle", ["one", "two"], about={"open": False}), MATTER, seen) is None
    assert given(Choose(0, "trifle", ["one", "three"]), MATTER, seen) is None, "what is not lawful is not answered"


def test_what_is_not_worth_its_price_is_passed(seen: Eyes) -> None:
    def advised(*worth: float) -> dict[str, Any]:
        ruleset = seen.position.ruleset
        advice = list(zip(["no", "yes", "both"], worth, strict=False))
        seen.position.ruleset = ruleset.replacing(advise=lambda _, question, about: advice)
        return {"return-fire": "worthwhile"}

    def question(**about: Plain) -> Choose:
        return Choose(0, "return-fire", ["no", "yes", "both"], about=about)

    assert given(question(), advised(1.0, 1.0, 0.5), seen) == ("no",)
    assert given(question(), advised(1.0, 0.9, 1.1), seen) is None
    assert given(question(), {"default": "matter"}, seen) is None
    assert given(question(open=False), advised(1.0, 0.0), seen) == ("no",), "after a pause, for it goes by secrets"
    assert is_paced(question(open=False), {"return-fire": "worthwhile"})
    assert not is_paced(question(), {"return-fire": "worthwhile"})
    assert given(question(), advised(), seen) is None, "the book has no advice"
    assert given(Choose(0, "return-fire", ["yes", "both"]), advised(1.0, 0.0), seen) is None, "nobody may pass"
    assert given(Choose(0, "return-fire", ["yes"]), advised(1.0), seen) == ("yes",), "there is one answer"


def test_a_form_is_worth_it_where_one_of_its_fields_is(seen: Eyes) -> None:
    def advise(position: Any, question: Question, about: Any) -> list[tuple[Plain, float]]:
        return [("no", 0.0), ("yes", about["worth"] * about["all"])] if question.prompt == "one" else []

    def form(*worth: float, knows: int = 1) -> Form:
        def fields(filled: list[Any]) -> Question | None:
            if len(filled) == len(worth):
                return None
            return Choose(0, "one", ["no", "yes"], about={"worth": worth[len(filled)]})

        return Form(0, "return-fire", fields, about={"all": knows})

    seen.position.ruleset = seen.position.ruleset.replacing(advise=advise)
    orders = {"return-fire": "worthwhile"}
    assert given(form(0.0, -1.0), orders, seen) == (["no", "no"],)
    assert given(form(0.0, 0.1), orders, seen) is None
    assert given(form(0.0, 0.1, knows=-1), orders, seen) == (["no", "no"],), "what the form is about is known"


@pytest.mark.parametrize(
    "orders",
    [
        "ask",
        {"default": "pass"},
        {"default": {"act": ["yes"], "within": 3}},
        {"x": "never"},
        {"x": {"act": [], "within": 3}},
        {"x": {"act": ["yes"], "within": -1}},
        {"x": {"act": ["yes"], "within": True}},
        {"x": {"act": [1], "within": 1}},
        {"x": {"act": ["yes"]}},
        {"x" * 99: "ask"},
        {str(n): "ask" for n in range(300)},
        {"x": ["ask"]},
    ],
)
def test_orders_that_cannot_be_read_are_refused(orders: Any) -> None:
    with pytest.raises(ValueError, match=r"polic|default"):
        read_orders(orders)


def test_the_kinds_of_orders_are_told(seen: Eyes) -> None:
    (kind,) = kinds(seen.teller)
    assert (kind.prompt, kind.title, kind.acts) == ("return-fire", "Return fire", [("yes", "yes")])


def test_what_ones_own_secrets_force_is_answered_after_a_pause_that_is_always_the_same(seen: Eyes) -> None:
    closed = Choose(0, "watch", ["nobody"], about={"open": False})
    choice = Choose(0, "watch", ["nobody", "yes"], about={"open": False})
    assert given(closed, {"default": "matter", "watch": "own"}, seen) == ("nobody",)
    assert given(closed, MATTER, seen) is None
    assert given(choice, {"default": "own"}, seen) is None
    assert given(Choose(0, "who", ["one"]), {"default": "own"}, seen) == ("one",)
    for question in (closed, choice):
        assert is_paced(question, {"default": "own"})
        assert is_paced(question, {"default": "ask", "watch": "own"})
        assert not is_paced(question, MATTER)
    assert not is_paced(Choose(0, "watch", ["nobody"]), {"default": "own"})


def test_a_book_says_with_which_orders_one_begins() -> None:
    words = {"standing-orders": "watch fire", "standing-orders.watch.at-first": "own"}
    assert at_first(words) == {"default": "matter", "watch": "own"}
    assert at_first({}) == {"default": "matter"}
    assert read_orders(at_first(words)) == at_first(words)
