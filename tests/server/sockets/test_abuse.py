"""What somebody may try who wants more than his share: other people's turns, time, memory, or the server's."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from campale.server.battle import live as living
from campale.server.battle.draft import Clock, Created
from campale.server.battle.live import MOST_CHAT, Live
from campale.server.battle.noting import ALWAYS
from campale.server.battle.rematching import token_after
from campale.server.battle.seats import hashed
from campale.server.database.store import Store
from campale.server.settings import Settings
from campale.server.sockets import serving as sockets
from campale.server.sockets.serving import WHOLE_BURST, Line
from tests.server.conftest import TOY, Serve, Served, draft
from tests.server.page import Page
from tests.server.rows import battle, seats

AGREED = {"is_agreed": True}

NEVER = 1e-9
"""So few a second that nothing more is allowed while a test lasts, however slow the machine."""


LONG = 15.0
"""So long, in seconds, something is waited for that should come at once."""


def sat(server: Served, **more: Any) -> tuple[Created, Page, Page]:
    """Two people at a table that is agreed."""
    made = server.create(draft(TOY, "me", "me", **{**AGREED, **more}))
    one, two = server.page(made, 0), server.page(made, 1)
    one.until("state")
    two.until("state")
    return made, one, two


def game_of(server: Served, made: Created) -> Any:
    return server.hall.lives[made.battle].game


# ---------------------------------------------------------------- answers and agreements


@pytest.mark.parametrize("depth", [40, 480, 900])
def test_a_stale_answer_of_any_depth_is_stale(serve: Serve, depth: int, caplog: pytest.LogCaptureFixture) -> None:
    server = serve()
    made, one, _ = sat(server)
    live = server.hall.lives[made.battle]
    before = live.game
    deep = "[" * depth + "]" * depth
    with caplog.at_level(logging.ERROR):
        for do in ("answer", "check"):
            one.socket.send(f'{{"do":"{do}","n":7,"question":99,"answer":{deep}}}')
            assert one.until("failed")["word"] in ("answer.stale", "message.not-understood")
        one.socket.send(f'{{"do":"answer","n":8,"question":{one.question},"answer":{deep}}}')
        assert one.hear()["is"] in ("refused", "failed")
    assert not caplog.records
    assert live.game is before, "the battle was read from the database again"


def test_only_the_version_that_is_shown_is_agreed_to(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "link"))
    code = made.seats[1].join
    assert code is not None
    with server.page(made, 0) as page:
        page.until("state")
        assert page.reply(do="agree", version=1)["word"] == "agree.not-now"
        server.call(server.hall.join(code, "Ada"))
        page.sync()
        assert page.moment["setup"]["version"] == 2
        for version in (0, 1, 3, -1):
            assert page.reply(do="agree", version=version)["word"] == "agree.other-version"
        assert page.agree("mine")["is"] == "done"
        assert page.agree("mine")["is"] == "done"
        page.sync()
        assert page.moment["setup"]["version"] == 2


def test_two_sockets_of_a_seat_answer_a_question_once(serve: Serve) -> None:
    server = serve()
    made, one, _ = sat(server)
    question = game_of(server, made).question_for(0)
    found = {repr(given): given for given in (question.sample(Random(n)) for n in range(30))}
    answer, other, *_ = found.values()
    with server.page(made, 0) as again:
        again.until("state")
        number = one.question
        for page, n, given in ((one, 50, answer), (again, 51, other), (one, 52, answer)):
            page.ask(do="answer", n=n, question=number, answer=given)
        one.sync(again)
        told = [message for page in (one, again) for message in page.told if message.get("re", 0) >= 50]
    accepted = [message["re"] for message in told if message["is"] == "done"]
    assert accepted in ([50, 52], [51])
    assert len([entry for entry in game_of(server, made).record if entry.side == 0]) <= 1


def test_a_place_of_the_record_is_not_for_the_page_to_name(serve: Serve) -> None:
    """Which places there are would tell how many dice the other side has rolled in secret."""
    server = serve()
    made, one, two = sat(server)
    for page in (one, two, one):
        if page.question:
            page.answer(page.proposal())
        page.sync(one, two)
    length = len(game_of(server, made).line)
    assert length
    for place in range(length + 2):
        reply = one.reply(do="propose", what={"undo": place})
        assert reply["is"] == "refused" or place == 1, place


# ---------------------------------------------------------------- orders and clocks


def test_what_others_say_does_not_answer_for_anybody(serve: Serve) -> None:
    server = serve()
    made, one, two = sat(server)
    live = server.hall.lives[made.battle]
    live.is_following = True
    two.ask(do="say", text="hm")
    two.until("chat")
    two.sync()
    assert not live.is_following
    live.is_following = True
    assert one.answer("nothing of the kind")["is"] == "refused"
    one.sync()
    assert not live.is_following


def test_who_takes_back_and_answers_again_gains_no_time(serve: Serve) -> None:
    server = serve()
    made, one, two = sat(server, clock=Clock(100.0, 0.0, 30.0))
    turn = 0
    for _ in range(6):
        page = one if one.question else two
        if not page.question:
            break
        page.answer(page.proposal())
        page.sync(one, two)
        if page.moment["may_undo"]:
            turn += 1
            assert page.reply(do="undo")["is"] == "done"
            page.sync(one, two)
    assert turn > 1
    answered = [len([entry for entry in game_of(server, made).line if entry.side == side]) for side in (0, 1)]
    for side, seat in enumerate(server.hall.lives[made.battle].seats):
        assert seat.clock is not None
        assert seat.clock <= 100.0 + 30.0 * (answered[side] + 1)


# ---------------------------------------------------------------- talk


def test_talk_is_slower_than_play_and_old_talk_is_let_go(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "TALK_BURST", 5)
    monkeypatch.setattr(sockets, "TALK", NEVER)
    monkeypatch.setattr(living, "MOST_CHAT", 4)
    server = serve()
    made, one, _ = sat(server)
    for number in range(9):
        one.ask(do="say", text=f"{number} <script>alert(1)</script> \u202e\u0000")
    one.sync()
    assert len([told for told in one.told if told["is"] == "chat"]) == 5
    assert {told["word"] for told in one.told if told["is"] == "failed"} == {"message.too-many"}
    assert next(told for told in one.told if told["is"] == "chat")["line"]["text"] == "0 <script>alert(1)</script>"
    assert len(server.hall.lives[made.battle].chat) == 4
    server.end()
    again = serve()
    with again.page(made, 1) as page:
        assert [line["text"][0] for line in page.until("state")["chat"]] == ["1", "2", "3", "4"]


def test_the_last_lines_of_chat_are_read(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/campale.db")
    store.migrate()
    store.insert(battle("one"), seats("one"))
    assert store.chat("one", MOST_CHAT, ALWAYS) == []
    store.close()


def test_who_asks_much_makes_nobody_else_wait(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twelve looks that a side asks for one is under way when the other decides, and one more may slip in."""
    server = serve()
    made, one, two = sat(server)
    asked, other = (one, 1) if one.question else (two, 0)
    looking, decides, is_held = threading.Event(), threading.Event(), threading.Event()
    may_end, change = threading.Semaphore(0), Live.change

    def slow(*of: Any) -> None:
        looking.set()
        if not may_end.acquire(timeout=LONG):
            is_held.set()

    async def changed(self: Live, *of: Any) -> None:
        decides.set()
        await change(self, *of)

    monkeypatch.setattr(sockets, "look_at", slow)
    monkeypatch.setattr(Live, "change", changed)
    with ExitStack() as stack, ThreadPoolExecutor(1) as thread:
        pages = [stack.enter_context(server.page(made, other)) for _ in range(6)]
        for page in pages:
            page.until("state")
        asked.sync()
        for page in pages:
            page.ask(do="look", n=1, model=0)
            page.ask(do="look", n=2, model=0)
        assert looking.wait(LONG)
        decision = thread.submit(asked.answer, asked.proposal())
        assert decides.wait(LONG)
        may_end.release(2)
        assert decision.result()["is"] == "done"
        assert not is_held.is_set()
        may_end.release(len(pages) * 2)


# ---------------------------------------------------------------- connections


def test_a_seat_has_so_many_connections(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living, "MOST_OF_A_SEAT", 3)
    monkeypatch.setattr(living, "MOST_SPECTATORS", 2)
    server = serve()
    made = server.create(draft(TOY, "me", "me", **AGREED))
    with ExitStack() as stack:
        for side, most in ((0, 3), (None, 2)):
            pages = [stack.enter_context(server.page(made, side)) for _ in range(most)]
            for page in pages:
                page.until("state")
            with server.page(made, side) as more:
                assert more.until("failed")["word"] == "seat.full"
                assert more.closed() == 4008
            pages[0].ask(do="speak", language="it")
            assert pages[0].until("state")["language"] == "it"
            pages[0].ask(do="speak", language="it")
            pages[0].until("state")
            pages[0].sync()
            assert server.hall.lives[made.battle].here[side] == most
            pages[-1].__exit__()
            until = time.monotonic() + 10
            while server.hall.lives[made.battle].here[side] == most and time.monotonic() < until:
                time.sleep(0.02)
            with server.page(made, side) as more:
                more.until("state")


def test_who_goes_while_he_comes_is_not_spoken_to_for_ever(serve: Serve) -> None:
    server = serve()
    made, one, _ = sat(server)
    live = server.hall.lives[made.battle]

    class Gone:
        def __init__(self) -> None:
            self.is_gone, self.token = False, ""
            self.told: list[bytes] = []

        def send(self, told: bytes) -> None:
            self.told.append(told)

    async def come_and_go() -> None:
        gone = Gone()
        async with live.lock:
            coming = asyncio.ensure_future(live.come(gone, 0, "it", 0))
            await asyncio.sleep(0)
            gone.is_gone = True
            going = asyncio.ensure_future(live.go(gone))
        await coming
        await going
        assert not gone.told

    server.call(come_and_go())
    assert not live.streams[0, "it", False].listeners
    assert live.here[0] == 1
    one.sync()


def line_of(**settings: Any) -> Line:
    class Hall:
        def __init__(self) -> None:
            self.settings = Settings(**settings)

    return Line(None, Hall())  # type: ignore[arg-type]


def test_what_waits_for_a_slow_reader_is_bounded_and_given_up() -> None:
    for size, most in ((sockets.MOST_BYTES // 4, 4), (10, sockets.MOST_WAITING)):
        line = line_of()
        for _ in range(most):
            line.send(b"x" * size)
        assert line.waiting.qsize() == most
        line.send(b"x")
        assert line.waiting.qsize() == 1
        assert line.waiting.get_nowait() == sockets.TOO_SLOW
        line.send(b"more")
        line.end(1000)
        assert line.waiting.empty()


def test_one_message_that_is_larger_than_all_that_may_wait_is_sent() -> None:
    line = line_of()
    line.send(b"x" * (sockets.MOST_BYTES + 1))
    assert line.waiting.qsize() == 1
    assert not line.is_ending


def test_sockets_are_counted_as_requests_are(serve: Serve) -> None:
    server = serve(rate=0.01, burst=2)
    made = server.create(draft(TOY, "me", "me"))
    url = f"ws://{server.address}/api/battles/{made.battle}/socket"
    for _ in range(2):
        with connect(url):
            pass
    with pytest.raises(InvalidStatus) as refused, connect(url):
        pass
    assert refused.value.response.status_code == 403


# ---------------------------------------------------------------- memory and the database


def until_true(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 15
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_of_too_many_battles_in_memory_the_longest_idle_leave(serve: Serve) -> None:
    server = serve(lives=2, lease=0.3)
    made = [server.create(draft(TOY, "me", "me", **AGREED)) for _ in range(4)]
    with server.page(made[0], 0) as page:
        page.until("state")
        for one in made[1:]:
            server.call(server.hall.live(one.battle))
        until_true(lambda: len(server.hall.lives) <= 2)
        assert set(server.hall.lives) == {made[0].battle, made[3].battle}
        assert server.call(server.hall.view(made[1].battle, 0, "en")).models


def test_a_battle_that_nobody_begins_is_removed_in_the_end(serve: Serve) -> None:
    server = serve()
    old = server.create(draft(TOY, "me", "link"))
    begun, agreeing = (server.create(draft(TOY, "me", "me", is_agreed=agreed)) for agreed in (True, False))
    held = server.create(draft(TOY, "me", "me"))
    server.call(server.hall.live(held.battle))
    store = server.hall.store
    assert store.forget(time.time() - 3600) == 0
    assert store.forget(time.time() + 1) == 2
    assert store.battle(old.battle) is store.battle(agreeing.battle) is None
    assert store.seats(old.battle) == []
    assert store.battle(begun.battle) is not None
    assert store.battle(held.battle) is not None


def test_a_database_that_is_away_loses_nothing_acknowledged(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()
    made, one, two = sat(server)
    record = list(game_of(server, made).record)

    def away(*of: Any) -> Any:
        raise OSError("the database is away")

    with monkeypatch.context() as broken:
        broken.setattr(Store, "commit", away)
        broken.setattr(Live, "load", away)
        one.ask(do="answer", n=1, question=one.question, answer=one.proposal())
        assert one.until("failed")["word"] in ("battle.elsewhere", "store.failed")
        assert one.closed() == two.closed() == 4009
    with server.page(made, 0) as page:
        page.until("state")
        assert game_of(server, made).record == record
        assert page.answer(page.proposal())["is"] == "done"


def test_one_address_has_so_many_lines_at_a_time(serve: Serve) -> None:
    server = serve(lines=3)
    made = server.create(draft(TOY, "me", "me", **AGREED))
    with ExitStack() as stack:
        pages = [stack.enter_context(server.page(made, side)) for side in (0, 1, None)]
        for page in pages:
            page.until("state")
        with pytest.raises(InvalidStatus):
            server.page(made)
        pages[2].socket.close()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with suppress(InvalidStatus):
                stack.enter_context(server.page(made)).until("state")
                return
            time.sleep(0.05)
    raise AssertionError("a line that is gone is counted for ever")


def test_to_be_told_all_anew_again_and_again_is_refused_but_never_to_cover_it(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "WHOLE", NEVER)
    server = serve()
    _, one, _ = sat(server)
    told = [one.reply(do="veil", on=on).get("word", "done") for _ in range(WHOLE_BURST) for on in (False, True)]
    assert set(told[::2]) == {"done", "message.too-many"}
    assert set(told[1::2]) == {"done"}
    one.sync()
    assert one.state["moment"]["veil"] != ""
    one.ask(do="speak", language="it")
    assert one.until("failed")["word"] == "message.too-many"
    assert one.state["language"] == "en"


def test_taking_back_does_not_go_on_for_ever(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()
    made, one, two = sat(server)
    page = one if one.question else two
    page.answer(page.proposal())
    page.sync(one, two)
    monkeypatch.setattr(living, "MOST_ENTRIES", len(game_of(server, made).record))
    for message in (
        {"do": "undo"},
        {"do": "propose", "what": {"draw": True}},
        {"do": "propose", "what": {"undo": True}},
    ):
        assert page.reply(**message)["word"] == "record.full"
    assert page.reply(do="concede")["is"] == "done"


def test_what_is_said_in_one_battle_ends_somewhere(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living, "MOST_SAID", 3)
    server = serve()
    made, one, two = sat(server)
    for word in ["one", "two", "three"]:
        one.ask(do="say", text=word)
        two.until("chat")
    two.ask(do="say", text="four")
    assert two.until("failed")["word"] == "chat.full"
    assert len(server.hall.store.chat(made.battle, 10, ALWAYS)) == 3


def test_nobody_lifts_the_veil_of_another(serve: Serve) -> None:
    """Nor does a line that says it is veiled see more than its seat; a spectator has none to lift."""
    server = serve()
    made, *_ = sat(server)
    with server.page(made, None, veiled=True) as spectator, server.page(made, 1, veiled=True) as other:
        assert spectator.until("state").get("side") is None
        assert spectator.moment["veil"] == ""
        assert spectator.reply(do="veil", on=False)["word"] == "seat.spectator"
        other.until("state")
        assert other.reply(do="veil", on=False)["is"] == "done"
        assert other.until("state")["side"] == 1
        assert spectator.rest(0.1) == [] or {one["is"] for one in spectator.told} <= {"state", "news", "failed"}


def test_a_token_of_the_old_battle_opens_nothing_in_the_next(serve: Serve) -> None:
    """Nor can the next one's be worked out from what anybody but its owner knows."""
    server = serve()
    made, one, two = sat(server)
    one.reply(do="concede")
    one.reply(do="propose", what={"rematch": True})
    one.sync(two)
    assert two.reply(do="consent")["is"] == "done"
    again = one.until("again")
    tokens = [seat.token or "" for seat in made.seats]
    assert again["token"] == token_after(tokens[0], again["battle"])
    for wrong in (*tokens, made.battle, hashed(tokens[0]), token_after(hashed(tokens[0]), again["battle"])):
        with Page(server.address, again["battle"], wrong) as stranger:
            assert stranger.hear()["word"] == "not-yours"
