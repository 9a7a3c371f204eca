"""What anybody may send: each gets a reply or is turned away, and nothing breaks."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from campale.server.battle.draft import Created
from campale.server.sockets.serving import MOST_IGNORED
from tests.server.conftest import SHORT, TOY, Served, draft

BROKEN = {1006, 1011, 4011}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("sockets")
    one = Served(msgspec_replaced(f"sqlite:///{folder}/campale.db"))
    one.begin()
    yield one
    one.end()


def msgspec_replaced(database: str) -> Any:
    from dataclasses import replace

    return replace(SHORT, database=database, hello=1.0, largest_message=20_000)


@pytest.fixture(scope="module")
def made(server: Served) -> Created:
    return server.create(draft(TOY, "me", "me", is_agreed=True))


def url(server: Served, made: Created) -> str:
    return f"ws://{server.address}/api/battles/{made.battle}/socket"


def test_a_page_of_another_place_is_turned_away(server: Served, made: Created) -> None:
    for origin in ("https://elsewhere.example", "null", f"http://{server.address}.elsewhere.example", "http://[::1"):
        with pytest.raises(InvalidStatus) as refused, connect(url(server, made), additional_headers={"Origin": origin}):
            pass
        assert refused.value.response.status_code == 403
    with connect(url(server, made), additional_headers={"Origin": f"http://{server.address}"}) as socket:
        socket.send('{"do":"hello","protocol":2}')
        assert '"is":"state"' in str(socket.recv(10))


@pytest.mark.parametrize(
    ("first", "word", "code"),
    [
        ('{"do":"ping","n":3}', "hello.none", 4002),
        ('{"do":"hello","protocol":99}', "hello.protocol", 4000),
        ('{"do":"hello"}', "message.not-understood", 4000),
        ("no json", "message.not-understood", 4000),
        ("", "message.not-understood", 4000),
        (b"\xff\xfe", "message.not-understood", 4000),
        ("[" * 5000, "message.not-understood", 4000),
        ('{"do":"hello","protocol":2,"token":"' + "x" * 1000 + '"}', "not-yours", 4003),
        ('{"do":"hello","protocol":2,"token":"\\u0000\\u00e9"}', "not-yours", 4003),
    ],
)
def test_a_first_message_that_is_no_hello(
    server: Served, made: Created, first: str | bytes, word: str, code: int
) -> None:
    with connect(url(server, made)) as socket:
        socket.send(first)
        assert msgspec.json.decode(socket.recv(10))["word"] == word
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


def test_who_says_nothing_is_turned_away(server: Served, made: Created) -> None:
    with connect(url(server, made)) as socket:
        assert msgspec.json.decode(socket.recv(10))["word"] == "hello.none"


def test_a_message_that_is_too_large(server: Served, made: Created) -> None:
    with server.page(made) as page:
        page.until("state")
        page.socket.send("x" * 30_000)
        assert page.until("failed")["word"] == "message.too-large"
        assert page.closed() == 1009


def test_too_many_messages_are_not_heard(server: Served, made: Created) -> None:
    bucketed = server.hall.settings.messages, server.hall.settings.message_burst
    object.__setattr__(server.hall.settings, "messages", 1e-9)
    object.__setattr__(server.hall.settings, "message_burst", 10)
    try:
        with server.page(made) as page:
            page.until("state")
            for n in range(1, 40):
                page.ask(do="ping", n=n)
            replies = [page.hear() for _ in range(39)]
            assert [one["re"] for one in replies] == list(range(1, 40))
            assert {one.get("word") for one in replies} == {None, "message.too-many"}
            with suppress(ConnectionClosed):
                for n in range(MOST_IGNORED + 10):
                    page.ask(do="ping", n=n)
            assert page.closed() == 4008
    finally:
        object.__setattr__(server.hall.settings, "messages", bucketed[0])
        object.__setattr__(server.hall.settings, "message_burst", bucketed[1])


NUMBERS = st.integers() | st.floats() | st.integers(-3, 40)
LEAVES = (
    st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | st.sampled_from(["advance", "hold", "draw", "undo"])
)
PLAIN = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
DOING = "hello answer check next fill plan look say agree reveal veil undo propose consent decline standing speak"
VERBS = st.sampled_from([*DOING.split(), "ping", "state"])
FIELDS = {
    "n": st.integers(0, 5) | PLAIN,
    "question": st.integers(0, 6) | PLAIN,
    "answer": PLAIN,
    "path": st.lists(st.lists(PLAIN, max_size=3), max_size=3) | PLAIN,
    "answers": st.none() | st.lists(PLAIN, max_size=4),
    "changed": st.integers(-2, 4) | PLAIN,
    "wish": st.lists(st.lists(st.none() | NUMBERS, max_size=5), max_size=4) | PLAIN,
    "kept": PLAIN,
    "model": st.integers(-2, 300) | PLAIN,
    "text": st.text(max_size=30) | PLAIN,
    "version": st.integers(0, 3) | PLAIN,
    "seed": st.text(max_size=300) | PLAIN,
    "seal": st.sampled_from(["", "0" * 64, "F" * 64]) | PLAIN,
    "on": st.booleans() | PLAIN,
    "what": st.fixed_dictionaries({}, optional={"draw": PLAIN, "undo": PLAIN, "correction": PLAIN}) | PLAIN,
    "orders": st.dictionaries(st.text(max_size=6), PLAIN, max_size=3) | PLAIN,
    "language": st.sampled_from(["en", "it", "xx"]) | PLAIN,
}
TAKEN = {
    "answer": ("n", "question", "answer"),
    "check": ("n", "question", "answer", "path"),
    "next": ("n", "question", "path"),
    "fill": ("n", "question", "answers", "changed", "path"),
    "plan": ("n", "question", "wish", "kept", "path"),
    "look": ("n", "model"),
    "say": ("text",),
    "agree": ("n", "version", "seal"),
    "reveal": ("n", "seed"),
    "veil": ("n", "on"),
    "propose": ("n", "what"),
    "standing": ("n", "orders"),
    "speak": ("language",),
}


TOLD = {"state", "news", "pong", "failed", "refused", "checked"}
HEARD = TOLD | {"done", "next", "filled", "planned", "looked", "chat"}


@st.composite
def messages(draw: st.DrawFn) -> str:
    """A message that is nearly right, or anything else."""
    verb = draw(VERBS)
    names = TAKEN.get(verb, ("n",)) if draw(st.integers(0, 9)) else tuple(FIELDS)
    found: dict[str, Any] = {"do": verb, **{name: draw(FIELDS[name]) for name in names}}
    return encoded(found) if draw(st.integers(0, 19)) else draw(st.text(max_size=40))


def encoded(message: dict[str, Any]) -> str:
    import json

    return json.dumps(message)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(sent=st.lists(messages(), min_size=1, max_size=12), side=st.sampled_from([0, 1, None]))
def test_whatever_is_sent_is_replied_to_and_breaks_nothing(
    server: Served, made: Created, sent: list[str], side: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), server.page(made, side) as page:
        page.until("state")
        page.n = 1_000_000
        with suppress(ConnectionClosed):
            for message in sent:
                page.socket.send(message)
            page.reply(do="ping")
            assert page.told[-1]["is"] == "pong"
            assert {one["is"] for one in page.told} <= HEARD
        if page.told[-1]["is"] != "pong":
            assert page.closed() not in BROKEN
        assert not [one for one in page.told if one.get("word") == "broken"], sent
    assert not caplog.records, caplog.text
    assert server.hall.lives[made.battle].battle.stage in ("playing", "over")
