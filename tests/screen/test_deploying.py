"""A whole deployment as proposed: what belongs to it is answered by order, and nothing else is."""

from __future__ import annotations

import pytest
from tests.toys import register

from campale.referee.game import Game
from campale.referee.question import Choose, Place
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import EXTRA_PACKAGES, load_ruleset, ruleset_names
from campale.screen.deploying import DEPLOYMENT, PROPOSED, deploying, taken
from campale.screen.orders import kinds, read_orders, standing_answer
from campale.screen.proposing import proposed
from campale.screen.scene import eyes

ADDED = {package.rpartition(".")[2] for package in EXTRA_PACKAGES}
BOOKS = [name for name in ruleset_names() if name not in ADDED and load_ruleset(name).is_complete]


@pytest.mark.parametrize("book", BOOKS)
def test_everybody_is_deployed_by_order_and_nothing_else_is_answered(book: str) -> None:
    ruleset = load_ruleset(book)
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0], "deploying")
    kind = next(one for one in kinds(eyes(game, 0, "en").teller) if one.prompt == DEPLOYMENT)
    orders = read_orders({"default": "ask", **dict.fromkeys(kind.prompts, PROPOSED)})
    by_order: set[str] = set()
    by_hand: set[str] = set()
    while not game.position.now.get("turn"):
        side = game.asked[0]
        assert side is not None
        question, seen = game.question_for(side), eyes(game, side, "en")
        assert question is not None
        given = standing_answer(question, orders, seen.position, seen.teller)
        (by_hand if given is None else by_order).add(question.prompt)
        assert game.answer(side, proposed(question, seen.teller) if given is None else given[0]) is None
    assert "deploy" in by_order
    assert by_order <= set(kind.prompts)
    assert not by_hand & set(kind.prompts)


def test_a_book_that_names_no_deployment_is_deployed_by_hand() -> None:
    register()
    ruleset = load_ruleset("_template")
    assert ruleset.starters is not None
    assert deploying(eyes(Game(ruleset, ruleset.starters()[0]), 0, "en").teller) == []


def test_where_nothing_is_proposed_nothing_is_taken() -> None:
    register()
    ruleset = load_ruleset("_template")
    assert ruleset.starters is not None
    teller = eyes(Game(ruleset, ruleset.starters()[0]), 0, "en").teller
    spot: Plain = [[1.0, 1.0, 0.0]]
    nowhere = Place(0, "deploy", lambda places: Fault(), lambda rng: spot, lambda: [spot], about={"models": [0]})
    assert taken(nowhere, teller) is None
    assert taken(Choose(0, "who", ["one", "two"]), teller) == ("one",)
