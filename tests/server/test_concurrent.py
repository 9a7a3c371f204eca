"""Twenty tables at a time: bots, people and onlookers, and none holds up another."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from campale.referee.records.saved import verify
from tests.server.conftest import TOY, Serve, draft

TABLES = 20


def test_twenty_tables_of_bots_and_people_play_to_the_end(serve: Serve) -> None:
    server = serve()
    kinds = [("me", "random"), ("random", "me"), ("me", "me"), ("random", "random")]
    made = [server.create(draft(TOY, *kinds[n % 4], is_agreed=True)) for n in range(TABLES)]
    with ExitStack() as stack, ThreadPoolExecutor(TABLES * 2) as threads:
        pages = [
            stack.enter_context(server.page(battle, seat.side))
            for battle in made
            for seat in battle.seats
            if seat.token is not None
        ]
        for page in pages:
            page.until("state")
        playing = [threads.submit(page.play) for page in pages]
        with server.page(made[0]) as onlooker:
            onlooker.until("state")
            while not all(one.done() for one in playing):
                assert onlooker.reply(do="ping")
                time.sleep(0.02)
        assert all(one.result() > 0 for one in playing)
    until = time.monotonic() + 30
    for battle in made:
        while server.call(server.hall.summary(battle.battle, "en")).stage != "over":
            assert time.monotonic() < until
            time.sleep(0.05)
    for battle in made[:4]:
        assert verify(server.call(server.hall.kept(battle.battle)).saved).identical
