"""A page for the tests: it puts together what it is told, and asks over a real socket."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random
from typing import Any, Self

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from campale.referee.fair import commitment
from campale.server.sockets.wire import PROTOCOL

WAIT = 60.0
REVEALING = 999_999
"""The number of what a page asks by itself."""


class Page:
    """One connection of one seat, with the battle as it was told."""

    def __init__(
        self, address: str, battle: str, token: str = "", language: str = "en", seen: int = 0, **hello: Any
    ) -> None:
        self.url = f"ws://{address}/api/battles/{battle}/socket"
        self.token, self.language = token, language
        self.n = 0
        self.seed = ""
        self.state: dict[str, Any] = {}
        self.moment: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []
        self.models: dict[int, dict[str, Any]] = {}
        self.told: list[dict[str, Any]] = []
        self.raw: list[str] = []
        """All that was told, but for bare acknowledgements, which come now before what follows, now after."""
        self.seq = seen
        self.stack = ExitStack()
        self.socket: ClientConnection = self.stack.enter_context(connect(self.url, max_size=None, open_timeout=WAIT))
        self.ask(do="hello", protocol=PROTOCOL, token=token, language=language, seen=seen, **hello)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def ask(self, **message: Any) -> None:
        self.socket.send(msgspec.json.encode(message).decode())

    def hear(self, wait: float = WAIT) -> dict[str, Any]:
        """The next message."""
        raw = self.socket.recv(wait)
        assert isinstance(raw, str)
        message: dict[str, Any] = msgspec.json.decode(raw)
        if message.keys() != {"is", "re"}:
            self.raw.append(raw)
        self.told.append(message)
        self.take_in(message)
        return message

    def take_in(self, message: dict[str, Any]) -> None:
        if message["is"] == "state":
            self.state, self.moment = message, message["moment"]
            self.lines = message["lines"]
            self.models = {model["row"]: model for model in message["models"]}
            self.seq = message["seq"]
        elif message["is"] == "news":
            assert message["seq"] == self.seq + 1
            self.seq = message["seq"]
            self.moment = {**self.moment, **message["moment"]}
            if not self.question or self.moment.get("veil") == "secret":
                self.moment["sheet"] = None
            self.lines = [*self.lines[: message.get("cut", len(self.lines))], *message.get("lines", [])]
            self.models |= {model["row"]: model for model in message.get("models", [])}
        if message["is"] in ("state", "news"):
            self.reveal()

    def reveal(self) -> None:
        """One's seed, as soon as all are bound."""
        seats = self.moment.get("seats") or []
        have_all_agreed = self.moment.get("stage") == "agreeing" and all(seat.get("has_agreed") for seat in seats)
        if self.seed and have_all_agreed and not seats[self.state["side"]].get("has_revealed"):
            self.ask(do="reveal", n=REVEALING, seed=self.seed)

    def until(self, kind: str, wait: float = WAIT) -> dict[str, Any]:
        while True:
            message = self.hear(wait)
            if message["is"] == kind:
                return message

    def reply(self, **message: Any) -> dict[str, Any]:
        """Ask, and wait for the reply; what else is told meanwhile is taken in."""
        self.n += 1
        n = self.n
        self.ask(n=n, **message)
        while True:
            heard = self.hear()
            if heard.get("re") == n:
                return heard

    def rest(self, wait: float = 0.3) -> list[dict[str, Any]]:
        """What else comes until nothing more does."""
        heard = []
        try:
            while True:
                heard.append(self.hear(wait))
        except TimeoutError:
            return heard

    def sync(self, *others: Page) -> None:
        """Take in all that follows from what was asked here, and what of it is told to others."""
        for page in (self, *others):
            page.reply(do="ping")

    def closed(self) -> int:
        """The code with which the server closes."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 1006

    # ------------------------------------------------------------------ play

    @property
    def question(self) -> int:
        return int(self.moment.get("question") or 0)

    @property
    def is_over(self) -> bool:
        return self.moment.get("stage") == "over"

    def agree(self, seed: str = "") -> dict[str, Any]:
        """With a seed of one's own, which is revealed when all have agreed, or without."""
        self.seed = seed
        seal = commitment(seed) if seed else ""
        return self.reply(do="agree", version=self.moment["setup"]["version"], seal=seal)

    def answer(self, answer: Any, question: int | None = None) -> dict[str, Any]:
        return self.reply(do="answer", question=self.question if question is None else question, answer=answer)

    def proposal(self, rng: Random | None = None) -> Any:
        """What the sheet proposes; with a die, now and then another option."""
        sheet = self.moment["sheet"]
        if sheet["kind"] == "roll":
            return [1] * sheet["high"] if sheet.get("high") else [1]
        open_ones = [one["key"] for one in sheet.get("options", []) if "refusal" not in one]
        return rng.choice(open_ones) if rng is not None and open_ones else sheet.get("proposal")

    def play(self, rng: Random | None = None, most: int = 10_000) -> int:
        """Answer as long as something is asked; how many answers were acknowledged."""
        given = 0
        while given < most and not self.is_over:
            if self.question == 0:
                self.hear()
            elif self.answer(self.proposal(rng))["is"] == "done":
                given += 1
                self.settle()
        return given

    def settle(self) -> None:
        """Wait for the News that follows an answer: the question is another one then, or gone."""
        before = self.question
        while self.question == before and not self.is_over:
            self.hear()


def next_asked(*pages: Page) -> Page:
    """The first of them that has a question, waiting for it if need be."""
    while not any(page.question for page in pages):
        for page in pages:
            page.rest(0.05)
    return next(page for page in pages if page.question)


def all_play(pages: Sequence[Page], seed: int = 1) -> list[int]:
    """Each answers whatever it is asked until the battle is over."""
    with ThreadPoolExecutor(len(pages)) as threads:
        playing = [threads.submit(page.play, Random(f"{seed}/{number}")) for number, page in enumerate(pages)]
        return [one.result() for one in playing]
