"""Looking back on a battle: its replay, its luck, its report, and going on from any moment of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import httpx2
import pytest

from campale.referee.game import Game
from campale.screen.journal import lines
from campale.screen.replay import replay
from campale.server.battle.past import MOST_KEPT
from campale.server.routes import afterwards
from tests.server.conftest import TOY, Serve, Served, draft

AGREED = {"is_agreed": True}


class Table:
    """A battle on a server, both of whose seats are one's own, played by hand in the server's process."""

    def __init__(self, server: Served, book: str, answers: int = 60) -> None:
        self.server = server
        self.made = server.create(draft(book, "me", "me", **AGREED))
        self.live = server.call(server.hall.live(self.made.battle))
        self.play(answers)

    @property
    def game(self) -> Game:
        assert self.live.game is not None
        return self.live.game

    def play(self, answers: int) -> None:
        rng = Random("afterwards")

        def work() -> Any:
            for _ in range(answers):
                if self.game.is_over:
                    break
                side = self.game.asked[0]
                self.game.answer(side, self.game.pending[side].sample(rng))

        self.do(work)

    def do(self, work: Any) -> None:
        self.server.call(self.live.change(work, lambda message: None))

    def ask(self, what: str, side: int | None = None, **how: Any) -> httpx2.Response:
        """What a route says to a seat, or to whoever has none."""
        headers = {} if side is None else {"Authorization": f"Bearer {self.made.seats[side].token}"}
        method = "POST" if "json" in how else "GET"
        url = f"http://{self.server.address}/api/battles/{self.made.battle}/{what}"
        return httpx2.request(method, url, headers=headers, timeout=60, **how)

    def replayed(self, side: int | None) -> tuple[Any, list[str]]:
        """The replay as a seat is shown it and the lines of the journal, both of the same moment.

        Standing orders are carried out after a pause, so the battle may go on between the two.
        """
        while True:
            at = len(self.game.line)
            shown = self.ask("replay?lang=it", side).json()
            told: list[str] = []
            self.do(lambda told=told: told.extend(line.text for line in lines(self.game, side, "it")))
            if len(self.game.line) == at:
                return shown, told


@pytest.mark.parametrize("book", [TOY, "ragnarok", "e55", "e3m", "w10", "wzr"])
def test_a_running_battle_is_shown_from_its_beginning_to_whoever_asks(serve: Serve, book: str) -> None:
    table = Table(serve(), book)
    for side in (None, 0, 1):
        shown, journal = table.replayed(side)
        assert shown["side"] == side
        told = shown["lines"]
        for frame in shown["frames"]:
            told = [*told[: frame.get("cut")], *frame.get("lines", [])]
        assert [line["text"] for line in told] == journal


@pytest.mark.parametrize("book", ["ragnarok", "e55"])
def test_the_cards_of_a_force_are_shown_from_the_start_to_whoever_may_know_it(serve: Serve, book: str) -> None:
    """The lists of Ragnarok are open; in Edizione 5.5 each side knows its own alone."""
    table = Table(serve(), book, 0)
    is_open = book == "ragnarok"
    for side in (None, 0, 1):
        found = table.ask("forces?lang=it", side).json()
        assert [bool(one) for one in found] == [is_open or side == 0, is_open or side == 1]
        for force in filter(None, found):
            assert force["cards"]
            assert all(card["card"]["line"] and card["unit"] for card in force["cards"])


def test_the_luck_and_the_report_are_those_of_the_journal(serve: Serve) -> None:
    table = Table(serve(), "ragnarok", 400)
    found = table.ask("luck").json()
    assert sum(one["count"] for one in found["sides"]) == sum(one["count"] for one in found["kinds"]) > 0
    told = table.ask("report.md?lang=it")
    assert told.headers["content-type"].startswith("text/markdown")
    assert "## I dadi" in told.text
    assert "## La preparazione" in told.text


def test_what_has_not_begun_and_what_is_not_there_is_told(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me"))
    for what in ("replay", "luck", "report.md"):
        url = f"http://{server.address}/api/battles/{made.battle}/{what}"
        assert (httpx2.get(url).status_code, httpx2.get(url).json()["word"]) == (409, "not-begun")
        assert httpx2.get(url, headers={"Authorization": "Bearer nobody"}).status_code == 403
        assert httpx2.get(f"http://{server.address}/api/battles/none/{what}").status_code == 404


# ---------------------------------------------------------------- going on from a moment


def test_a_battle_that_is_over_goes_on_from_an_earlier_moment_against_a_bot(serve: Serve) -> None:
    table = Table(serve(), "ragnarok", 40)
    early, asked = table.game.position.to_bytes(), table.game.asked
    length = len(table.game.line)
    table.play(30)
    table.do(lambda: table.game.concede(1))
    made = table.ask("branch", None, json={"at": length, "side": asked[0], "against": "random"}).json()
    assert [seat["kind"] for seat in made["seats"]] == [("me", "bot")[side != asked[0]] for side in (0, 1)]
    live = table.server.call(table.server.hall.live(made["battle"]))
    assert live.game is not None
    assert live.game.position.to_bytes() == early
    assert live.game.asked == asked
    assert live.game.seed != table.game.seed
    told = [(line.at, line.rules) for line in lines(live.game, None, "en")]
    assert told
    assert told == [(line.at, line.rules) for line in lines(table.game, None, "en")][: len(told)]
    names = ["P0", "P1"]
    names[1 - int(asked[0] or 0)] = ""
    assert [seat.name for seat in live.seats] == names
    assert not live.chat, "Campale was not renewed since"


def test_while_a_battle_lasts_only_who_plays_in_it_may_branch_off(serve: Serve) -> None:
    table = Table(serve(), "ragnarok", 40)
    asked = {"at": 20, "against": "me"}
    assert table.ask("branch", None, json=asked).json()["word"] == "not-yours"
    assert table.ask("branch", 1, json=asked).status_code == 201


def test_a_moment_that_never_was_or_is_the_end_is_refused(serve: Serve) -> None:
    table = Table(serve(), TOY, 20)
    table.do(lambda: table.game.concede(1))
    assert table.ask("branch", 0, json={"at": 9999}).json()["word"] == "no-moment"
    assert table.ask("branch", 0, json={"at": len(table.game.line)}).json()["word"] == "battle-over"
    for wrong in ({"at": -1}, {"at": "x"}, {"at": 1, "side": 3}, {"at": 1, "against": "genius"}, {}):
        assert table.ask("branch", 0, json=wrong).status_code == 422


def test_a_branch_off_a_running_battle_draws_the_secrets_of_the_other_side_anew(serve: Serve) -> None:
    table = Table(serve(), "e55", 0)
    while not any(question.prompt == "deploy-next" for question in table.game.pending.values()):
        table.play(1)
    length = len(table.game.line)
    asked = {"at": length - 1, "side": 0, "against": "random"}
    for wrong in ({"against": "me"}, {"side": 1}):
        assert table.ask("branch", 0, json=asked | wrong).json()["word"] == "secrets-left"
    made = table.ask("branch", 0, json=asked)
    assert made.status_code == 201, made.text
    live = table.server.call(table.server.hall.live(made.json()["battle"]))
    assert live.game is not None
    assert lines(live.game, 0, "en")


# ---------------------------------------------------------------- beside the table


class Slow:
    """Something that is made only when it may be, and counts how often."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make, self.count = make, 0
        self.begun, self.may = threading.Event(), threading.Event()

    def __call__(self, *of: Any, **how: Any) -> Any:
        self.count += 1
        self.begun.set()
        assert self.may.wait(30)
        return self.make(*of, **how)


@pytest.mark.parametrize(("what", "maker"), [("replay", "replay"), ("luck", "luck"), ("report.md", "report")])
def test_a_table_is_answered_while_somebody_looks_back(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, what: str, maker: str
) -> None:
    table = Table(serve(), TOY, 10)
    slow = Slow(getattr(afterwards, maker))
    monkeypatch.setattr(afterwards, maker, slow)
    asked = table.game.asked[0]
    assert asked is not None
    with ThreadPoolExecutor(1) as asking, table.server.page(table.made, asked) as page:
        page.until("state")
        told = asking.submit(table.ask, what, asked)
        assert slow.begun.wait(30)
        assert page.answer(page.proposal())["is"] == "done"
        assert table.server.page(table.made).until("state")
        slow.may.set()
        assert told.result().status_code == 200


def test_what_is_looked_back_on_is_made_once_for_each_moment_and_seat(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(serve(), TOY, 10)
    slow = Slow(replay)
    slow.may.set()
    monkeypatch.setattr(afterwards, "replay", slow)
    first = [table.ask("replay", 0).content for _ in range(3)]
    assert (slow.count, len(set(first))) == (1, 1)
    assert table.ask("replay", 1).status_code == table.ask("replay?lang=it", 0).status_code == 200
    assert slow.count == 3, "nobody is shown what was made for another, nor in another language"
    table.play(5)
    assert table.ask("replay", 0).content != first[0]
    assert slow.count == 4


def test_what_could_not_be_made_is_tried_again(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(serve(), TOY, 10)

    def broken(*of: Any) -> Any:
        raise ValueError("out of order")

    with monkeypatch.context() as patched:
        patched.setattr(afterwards, "luck", broken)
        assert table.ask("luck").status_code == 500
    assert table.ask("luck").status_code == 200


def test_only_so_much_is_kept_of_what_was_looked_back_on(serve: Serve) -> None:
    table = Table(serve(), TOY, 10)
    for side in (None, 0, 1):
        for what in ("replay", "luck", "report.md"):
            assert table.ask(what, side).status_code == 200
    assert len(table.live.past.kept) == MOST_KEPT
