"""A server in a process of its own, battles on it, and screens that note when they are told something.

Nothing is sent but to 127.0.0.1, and what is begun here is ended here.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, Self
from urllib.request import ProxyHandler, Request, build_opener

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from campale.referee.ruleset import Setup
from campale.server.battle.draft import Created, Draft, SeatDraft
from campale.server.battle.hall import Hall
from campale.server.settings import Settings
from campale.server.sockets.wire import PROTOCOL

PATIENCE = 120.0
"""How long a server may take to begin, or to reply."""

UNLIMITED = {"CAMPALE_RATE": "", "CAMPALE_MESSAGES": "100000", "CAMPALE_MESSAGE_BURST": "100000"}
SERVE = "from campale.cli import main; main()"


class Served:
    """``campale serve`` over a database in a folder, or another, on a port that was free."""

    def __init__(self, folder: Path, database: str = "", port: int = 0, **settings: str) -> None:
        self.database = database or f"sqlite:///{folder}/campale.db"
        self.port = port
        self.environment = {**os.environ, **UNLIMITED, **settings}
        self.address = ""

    def __enter__(self) -> Self:
        words = [sys.executable, "-c", SERVE, "serve", "--port", str(self.port), "--database", self.database]
        self.process = subprocess.Popen(
            words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        assert self.process.stdout is not None
        is_told, *_ = select.select([self.process.stdout], [], [], PATIENCE)
        found = re.search(rb"http://(127\.0\.0\.1:\d+)", self.process.stdout.readline()) if is_told else None
        if found is None:
            self.end()
            raise OSError("the server does not begin")
        self.address = found[1].decode()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def post(self, path: str, body: bytes) -> Created:
        request = Request(f"http://{self.address}{path}", body, {"Content-Type": "application/json"})
        with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as reply:
            return msgspec.json.decode(reply.read(), type=Created)

    def create(self, setup: Setup) -> Created:
        """A battle with both seats one's own."""
        asked = {
            "book": setup.ruleset,
            "agreed": setup.agreed,
            "options": setup.options,
            "forces": setup.forces,
            "seats": [{"kind": "me"}, {"kind": "me"}],
        }
        return self.post("/api/battles", msgspec.json.encode(asked))

    def made(self, setups: Iterable[Setup], *kinds: str) -> list[Created]:
        """Battles that have begun, put into the database: they come to life when somebody looks at them."""
        return asyncio.run(made(self.database, setups, kinds))

    def memory(self) -> int:
        """Bytes of the server's process that are resident, those of its helpers left out."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


async def made(database: str, setups: Iterable[Setup], kinds: tuple[str, ...]) -> list[Created]:
    hall = Hall(Settings(database=database, is_durable=False))
    try:
        return [await hall.create(draft(setup, kinds)) for setup in setups]
    finally:
        await hall.close()


def draft(setup: Setup, kinds: tuple[str, ...]) -> Draft:
    """Bots are random ones."""
    seats = tuple(SeatDraft("bot", "", "random") if kind == "bot" else SeatDraft("me") for kind in kinds)
    return Draft(setup.ruleset, setup.agreed, setup.options, setup.forces, seats, is_agreed=True)


class Counting(ClientConnection):
    """A connection that counts what comes, as it comes over the wire."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


class Screen:
    """A seat's socket, or a spectator's: what it was told last, how much, and when."""

    def __init__(self, address: str, battle: str, token: str = "") -> None:
        self.url = f"ws://{address}/api/battles/{battle}/socket"
        self.token = token
        self.n = 0
        self.moment: dict[str, Any] = {}
        self.state_bytes = 0
        self.news: list[int] = []
        self.told_at: float | None = None

    async def __aenter__(self) -> Self:
        self.socket: ClientConnection = await connect(
            self.url, max_size=None, proxy=None, open_timeout=PATIENCE, create_connection=Counting
        )
        await self.ask(do="hello", protocol=PROTOCOL, token=self.token)
        await self.hear()
        self.received_first = self.received
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.close()

    @property
    def received(self) -> int:
        return getattr(self.socket, "received", 0)

    async def ask(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            raw = await self.socket.recv(decode=False)
        at = time.perf_counter()
        message: dict[str, Any] = msgspec.json.decode(raw)
        if message["is"] == "state":
            self.moment, self.state_bytes = message["moment"], len(raw)
        elif message["is"] == "news":
            self.moment |= message["moment"]
            self.news.append(len(raw))
            self.told_at = self.told_at or at
        return message

    async def reply(self, **message: Any) -> dict[str, Any]:
        """Ask, and wait for the reply."""
        self.n += 1
        await self.ask(n=self.n, **message)
        while True:
            heard = await self.hear()
            if heard.get("re") == self.n:
                return heard

    async def agree(self) -> None:
        await self.reply(do="agree", version=self.moment["setup"]["version"])

    @property
    def question(self) -> int:
        return int(self.moment.get("question") or 0)

    @property
    def is_over(self) -> bool:
        return self.moment.get("stage") == "over"

    async def answer(self, rng: Random) -> bool:
        """Something like what a person would; whether it was taken."""
        return bool((await self.reply(do="answer", question=self.question, answer=self.chosen(rng)))["is"] == "done")

    def chosen(self, rng: Random) -> Any:
        """An open option, else what the sheet proposes."""
        sheet = self.moment["sheet"]
        options = [one["key"] for one in sheet.get("options", []) if "refusal" not in one]
        return rng.choice(options) if options else sheet.get("proposal")
