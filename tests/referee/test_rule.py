"""Citations: the path of rules in force, where a rule is suspended and where it runs."""

from __future__ import annotations

from functools import partial
from typing import Any

from campale.referee.ask import choose, number
from campale.referee.game import Game
from campale.referee.journal import Event, Journal
from campale.referee.position import Position
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import BY_CODE, each_once, innermost, marked_functions, path_here, path_of, rule, rules_of
from campale.referee.telling.transcript import cited
from tests.referee.playing import act, begun
from tests.referee.toy import RULESET, SETUP, fire, orders


@rule("toy/outer")
async def outer(position: Position) -> bool:
    position.write("before")
    await unmarked(position)
    position.write("after", paths=helper())
    return False


async def unmarked(position: Position) -> None:
    await inner(position)


@rule("toy/inner", "toy/inner-too")
async def inner(position: Position) -> None:
    position.write("within", paths=helper())
    await number(0, "n", 1, 2)
    position.reveal("again")


@rule("toy/helper")
def helper() -> list[str]:
    return list(path_here())


def test_an_event_is_cited_by_the_rules_that_are_running() -> None:
    game = Game(RULESET.replacing(step=outer), SETUP)
    question = game.question
    assert question is not None
    assert question.rules == ("toy/outer", "toy/inner-too", "toy/inner")
    assert game.answer(0, 1) is None
    assert [(event.kind, event.rules) for event in game.journal] == [
        ("before", ("toy/outer",)),
        ("within", ("toy/outer", "toy/inner-too", "toy/inner")),
        ("again", ("toy/outer", "toy/inner-too", "toy/inner")),
        ("after", ("toy/outer",)),
    ]
    assert game.journal[1].values["paths"] == ["toy/outer", "toy/inner-too", "toy/inner", "toy/helper"]
    assert game.journal[3].values["paths"] == ["toy/outer", "toy/helper"]


def test_a_die_is_cited_by_the_innermost_rule_that_rolls_it() -> None:
    game = act(begun(), "fire")
    rolls = [event.rules for event in game.journal if event.kind == "roll"]
    assert rolls[0] == ("toy/activation", "toy/fire", "toy/hit")
    assert rolls[-1] == ("toy/activation", "toy/fire", "toy/save")
    assert innermost(rolls[-1]) == "toy/save"
    assert innermost(()) == ""
    assert game.question is not None
    assert game.question.rules[-1] == "toy/suffer"


def test_a_rule_in_force_twice_is_told_at_its_innermost_place() -> None:
    assert each_once(("toy/hit", "toy/fire", "toy/save", "toy/hit")) == ("toy/fire", "toy/save", "toy/hit")
    assert each_once(("toy/hit", "toy/fire")) == ("toy/hit", "toy/fire")


@rule("toy/fifth")
async def asks_within(position: Position) -> bool:
    await asks(position)
    return False


@rule("toy/fourth", "toy/fifth")
async def asks(position: Position) -> None:
    await within(position)


@rule("toy/fifth")
async def within(position: Position) -> None:
    position.write("told")
    await number(0, "n", 1, 2)


def test_a_question_and_its_line_cite_the_innermost_rule_even_if_outer_ones_have_its_id() -> None:
    game = Game(RULESET.replacing(step=asks_within), SETUP)
    assert game.question is not None
    assert innermost(game.question.rules) == "toy/fifth"
    assert cited(game.journal[-1]) == ("toy/fifth",)


def test_secret_questions_are_cited_and_refusals_too() -> None:
    game = act(begun(), "orders")
    assert [question.rules[-1] for question in game.pending.values()] == ["toy/orders"] * 2
    assert game.answer(0, "x") == Refusal("toy/orders", word="answer.not-offered")


def test_two_like_functions_are_two_rules() -> None:
    marked: list[Any] = []
    for name in ("toy/one", "toy/two"):
        namespace: dict[str, Any] = {"rule": rule, "__name__": name}
        exec(compile(f"@rule({name!r})\ndef same():\n    return 1\n", "<same>", "exec"), namespace)
        marked.append(namespace["same"])
    assert marked[0].__code__ == marked[1].__code__
    assert [rules_of(one) for one in marked] == [("toy/one",), ("toy/two",)]


def test_rules_are_found_by_function_and_by_package() -> None:
    assert rules_of(orders) == ("toy/orders", "toy/reveal")
    assert rules_of(test_rules_are_found_by_function_and_by_package) == ()
    assert rules_of(len) == ()
    ids = [one.ids for one in marked_functions("tests.referee.toy")]
    assert ids[0] == ("toy/activation",)
    assert all(BY_CODE[id(one.code)] is one for one in marked_functions("tests.referee"))
    assert marked_functions("tests.ref") == ()
    coroutine = fire(begun().position.model(0))
    assert path_of(coroutine) == ("toy/fire",)
    coroutine.close()


def test_the_first_restriction_that_forbids_is_cited() -> None:
    @rule("toy/high")
    def too_high(n: int) -> Fault | None:
        return Fault(measured=n, limit=5) if n > 5 else None

    def odd(n: int) -> Fault | None:
        return Fault(word="odd") if n % 2 else None

    assert first_refusal((too_high, odd), 4) is None
    assert first_refusal((too_high, odd), 7) == Refusal("toy/high", measured=7, limit=5)
    assert first_refusal((too_high, odd), 3) == Refusal("", word="odd")


def test_a_journal_is_cut_back_and_copied() -> None:
    journal = Journal()
    for kind in ("a", "b", "c"):
        journal.write(Event(kind, seen_by=(0,) if kind == "b" else None))
    copy = journal.copy()
    journal.cut_to(1)
    assert (len(journal), len(copy)) == (1, 3)
    assert [event.kind for event in copy.as_seen_by(1)] == ["a", "c"]
    assert [event.kind for event in copy.as_seen_by(0)] == ["a", "b", "c"]


def test_a_choice_made_by_the_referee_leaves_no_entry() -> None:
    async def step(position: Position) -> bool:
        await choose(0, "only", (1,))
        await choose(0, "two", (1, 2))
        return False

    game = Game(RULESET.replacing(step=step), SETUP)
    assert game.line == []
    assert game.question is not None
    assert game.question.prompt == "two"


def test_a_partial_is_cited_as_the_function_it_completes() -> None:
    marked = next(iter(marked_functions("tests.referee.toy")))
    assert rules_of(partial(marked.function, 1)) == marked.ids
    assert rules_of(partial(len)) == ()
