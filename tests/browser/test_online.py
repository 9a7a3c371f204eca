"""Two people far apart: a link, a page loaded anew, and a server killed and begun again in the middle."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import WAIT
from tests.browser.forces import FEW, file_of
from tests.browser.player import MOST, Player
from tests.server.test_kill import SERVER

ROOT = Path(__file__).parents[2]


class Killed:
    """A server in a process of its own, that is killed and begun again at the same address."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as one:
            self.port = int(one.getsockname()[1])
        self.database = f"sqlite:///{folder}/online.db"
        self.begin()

    def begin(self) -> None:
        command = [sys.executable, "-W", "error", "-c", SERVER, self.database, str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT)
        until = time.monotonic() + WAIT / 1000
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            assert self.process.poll() is None
            time.sleep(0.05)
        raise AssertionError("the server does not begin")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Killed]:
    server = Killed(tmp_path)
    yield server
    server.kill()


def came(killed: Killed, new_context: Callable[..., BrowserContext]) -> Player:
    context = new_context(base_url=f"http://127.0.0.1:{killed.port}")
    context.set_default_timeout(WAIT)
    return Player(context.new_page())


def invite(host: Player, tmp_path: Path) -> str:
    """A battle against whoever comes by the link; the link."""
    host.new("Ragnarok")
    host.page.get_by_role("radio", name="Extermination").check()
    host.seat(0, "me").get_by_label(host.say("new.name")).fill("Ada")
    host.seat(1, "link")
    for side in (0, 1):
        host.force(side, file_of(FEW[side], tmp_path))
    host.create()
    return host.page.get_by_label(host.say("copy.link")).input_value()


def decide(players: list[Player], times: int) -> None:
    """Whoever is asked decides, so many times in all."""
    until = sum(one.decisions for one in players) + times
    for _ in range(MOST):
        if sum(one.decisions for one in players) >= until or any(one.over.is_visible() for one in players):
            return
        if not any(one.try_on() for one in players):
            asked = players[0].going.or_(players[0].over)
            with suppress(AssertionError):
                expect(asked.first).to_be_visible(timeout=300)
    raise AssertionError("nobody is asked any more")


def told(player: Player) -> list[str]:
    """The journal as it is shown."""
    return player.journal.inner_text().splitlines()


def test_two_play_by_a_link_though_all_breaks(
    killed: Killed, new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    ada, ben = came(killed, new_context), came(killed, new_context)
    ben.page.goto(invite(ada, tmp_path))
    ben.page.get_by_label(ben.say("new.name")).fill("Ben")
    ben.button("join.join").click()
    for one in (ada, ben):
        one.agree()
    decide([ada, ben], 16)
    expect(ada.page.get_by_text("Ben").first).to_be_visible()
    before = [told(one) for one in (ada, ben)]
    killed.kill()
    expect(ada.page.get_by_text(ada.say("battle.lost"))).to_be_visible()
    killed.begin()
    expect(ada.page.get_by_text(ada.say("battle.lost"))).not_to_be_visible()
    ben.page.reload()
    for one, known in zip((ada, ben), before, strict=True):
        expect(one.journal).to_contain_text(known[-1])
        assert told(one)[: len(known)] == known
    decide([ada, ben], 16)
    for one, known in zip((ada, ben), before, strict=True):
        assert one.over.is_visible() or len(told(one)) > len(known) or one.journal.inner_text() != "\n".join(known)
