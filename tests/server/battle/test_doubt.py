"""A die that settles a doubt at the table, over the line: either seat may call for it, whoever is asked."""

from __future__ import annotations

from tests.server.conftest import Serve, draft
from tests.server.page import Page


def test_either_seat_lets_a_die_settle_a_doubt_in_the_tactical_phase(serve: Serve) -> None:
    server = serve()
    made = server.create(draft("ragnarok", "me", "me", is_agreed=True))
    with server.page(made, 0) as one, server.page(made, 1, language="it") as other:
        for page in (one, other):
            page.until("state")
        assert not one.moment["may_doubt"]
        assert one.reply(do="doubt")["refusal"]["rule"]["id"] == "undecided/die"
        while not one.moment["may_doubt"]:
            answer_one(one, other)
        for page in (one, other):
            before = one.question, other.question
            assert page.reply(do="doubt")["is"] == "done"
            one.sync(other)
            assert (one.question, other.question) == before
            for seat, word in ((one, "doubt"), (other, "dubbio")):
                assert word in str(seat.lines[-1])


def answer_one(*pages: Page) -> None:
    """Whoever is asked takes what is proposed."""
    asked = next(page for page in pages if page.question)
    asked.answer(asked.proposal())
    asked.sync(*[page for page in pages if page is not asked])
