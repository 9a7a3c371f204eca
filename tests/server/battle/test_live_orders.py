"""Standing orders: what they say is answered at once, as an ordinary answer, and can be taken back."""

from __future__ import annotations

from random import Random

from campale.referee.records.record import CHANCE_KINDS
from tests.server.conftest import Serve, Served, draft
from tests.server.page import Page

AT_FIRST = {"default": "matter", "reactions": "worthwhile", "reaction-order": "proposed"}
"""With which orders everybody begins in this book."""


def prompts(serve: Serve, policy: str, most: int) -> tuple[int, int]:
    """How many questions a person got in a battle against a bot, and how many answers of his are in the record.

    The policy is that for whatever orders can be given for. So many questions at most are looked at.
    """
    server = serve()
    made = server.create(draft("ragnarok", "me", "random", is_agreed=True))
    with server.page(made, 0) as page:
        kinds = page.until("state")["order_kinds"]
        orders = {"default": "ask", **{kind["prompt"]: policy for kind in kinds}}
        assert page.reply(do="standing", orders=orders)["is"] == "done"
        asked = answered = 0
        while asked < most and asked == answered and not page.is_over:
            asked += page.play(Random(asked), 4)
            page.sync()
            answered = own_answers(server, made.battle)
    server.end()
    return asked, answered


def own_answers(server: Served, battle: str) -> int:
    game = server.hall.lives[battle].game
    assert game is not None
    return len([entry for entry in game.record if entry.side == 0 and entry.kind not in CHANCE_KINDS])


def test_what_is_to_be_passed_is_passed(serve: Serve) -> None:
    asked, answered = prompts(serve, "pass", 1_000)
    assert asked < answered
    asked, answered = prompts(serve, "ask", 24)
    assert asked == answered


def test_orders_are_kept_and_shown_to_their_seat_alone(serve: Serve) -> None:
    server = serve()
    made = server.create(draft("ragnarok", "me", "me", is_agreed=True))
    with server.page(made, 0) as page, server.page(made, 1) as other:
        assert page.until("state")["orders"] == AT_FIRST
        kinds = page.state["order_kinds"]
        assert kinds
        orders = {"default": "ask", kinds[0]["prompt"]: "pass"}
        other.until("state")
        assert page.reply(do="standing", orders=orders)["is"] == "done"
        assert page.reply(do="standing", orders={"default": "attack"})["word"] == "orders.unknown"
        page.sync(other)
        assert {message["is"] for message in other.told[1:]} <= {"news", "pong"}
        assert not any("orders" in message for message in other.told[1:])
    server.end()
    again = serve()
    with again.page(made, 0) as page, again.page(made, 1) as other, again.page(made) as spectator:
        assert page.until("state")["orders"] == orders
        assert other.until("state")["orders"] == AT_FIRST
        assert "orders" not in spectator.until("state")


def begun_with(serve: Serve) -> tuple[Page, Page]:
    server = serve()
    made = server.create(draft("ragnarok", "me", "me", is_agreed=True))
    pages = server.page(made, 0), server.page(made, 1)
    for page in pages:
        kinds = page.until("state")["order_kinds"]
        page.reply(do="standing", orders={"default": "matter", **{kind["prompt"]: "pass" for kind in kinds}})
    return pages


def test_what_was_answered_by_order_is_taken_back_with_the_decision_before(serve: Serve) -> None:
    pages = begun_with(serve)
    rng = Random(2)
    for _ in range(20):
        for page in (*pages, *pages):
            page.sync()
        page = next(page for page in pages if page.question)
        asked, before = page.moment["sheet"], page.question
        assert page.answer(page.proposal(rng))["is"] == "done"
        page.sync()
        if page.moment["may_undo"]:
            assert page.reply(do="undo")["is"] == "done"
            page.sync()
            assert page.question > before
            by_order = {kind["prompt"] for kind in page.state["order_kinds"]}
            assert page.moment["sheet"]["prompt"] in {asked["prompt"], *by_order}
            assert page.answer(page.proposal(rng))["is"] == "done"
    for page in pages:
        page.__exit__()
