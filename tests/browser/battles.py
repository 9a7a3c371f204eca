"""Battles that the tests find on the table: of a few models, so that they are quick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec

from campale.server.battle.draft import Created, Draft
from tests.browser.forces import FEW
from tests.browser.player import Player
from tests.server.conftest import Served, draft
from tests.server.page import Page, all_play

BOOK = "ragnarok"


def few(*kinds: str, **more: Any) -> Draft:
    """A battle of a few models; the seats by kind, a bot by its strength."""
    return msgspec.structs.replace(draft(BOOK, *kinds, **more), forces=FEW)


def tokens(made: Created) -> dict[int, str]:
    return {seat.side: seat.token for seat in made.seats if seat.token}


def sat_down(served: Served, player: Player, *kinds: str, **more: Any) -> Created:
    """A battle that waits for the player to agree, on the page of whoever has the seats."""
    made = served.create(few(*kinds, **more))
    player.sit(made.battle, tokens(made))
    return made


def begun(served: Served, player: Player, *kinds: str, **more: Any) -> Created:
    made = sat_down(served, player, *kinds, **more)
    player.agree()
    player.asked()
    return made


def deploying(served: Served, player: Player, *kinds: str, **more: Any) -> Created:
    """A battle in which the player is to set down the first model."""
    made = served.call(served.hall.create(few(*kinds, is_agreed=True, **more), False))
    played_to(served, made, lambda sheet: sheet["kind"] == "place")
    player.sit(made.battle, tokens(made))
    player.asked()
    return made


def over(served: Served) -> Created:
    """A battle that two have played out."""
    made = served.create(few("me", "me"))
    pages = [served.page(made, side) for side in (0, 1)]
    for page in pages:
        page.until("state")
        page.agree(f"seed of {page.token}")
    all_play(pages)
    for page in pages:
        page.stack.close()
    return made


def set_out(served: Served, player: Player, book: str, *kinds: str, number: int = 0, until: str = "") -> Created:
    """A battle at its first turn, everybody set out as is proposed, and the player is asked something.

    ``until``: the prompt of what she is asked, after playing on as is proposed.
    """
    made = served.call(served.hall.create(draft(book, *kinds, number=number, is_agreed=True), True))
    if until:
        played_to(served, made, lambda sheet: sheet["prompt"] == until)
    player.sit(made.battle, tokens(made))
    player.asked()
    return made


def played_to(served: Served, made: Created, is_wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Play all seats but bots over their sockets, as is proposed, until what they are asked is wanted.

    By clicks it would take much longer.
    """
    with ExitStack() as stack:
        pages = [stack.enter_context(served.page(made, side)) for side in tokens(made)]
        for page in pages:
            page.until("state")
        while not is_wanted((asked := next_to_answer(pages)).moment["sheet"]):
            asked.answer(asked.proposal())
            asked.settle()


def next_to_answer(pages: Sequence[Page]) -> Page:
    while not any(page.question for page in pages):
        for page in pages:
            page.rest(0.05)
            assert not page.is_over, "what is wanted is never asked"
    return next(page for page in pages if page.question)
