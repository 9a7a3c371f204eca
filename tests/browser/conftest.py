"""A browser and servers for the tests of the page. The browser is shut after each file of tests.

What drives it keeps an event loop open in its thread, which tests of other things in the same process must not find.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from threading import Timer
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, Playwright, expect, sync_playwright
from tools import page as built
from tools.chromium import MISSING, chromium

from campale.referee.ruleset import EXTRA_PACKAGES
from campale.server.routes.pages import PAGE
from campale.table import kernels
from tests.browser.player import Player
from tests.server.conftest import Serve, Served, serve

__all__ = ["serve"]

WAIT = 40_000
"""How long anything may take on a machine that has much else to do, in milliseconds."""

LONGEST = 300.0
"""How long one test may take, in seconds: not all that can be waited for in a browser has an end of its own."""

PATIENCE = 120.0
"""How long a bot may think, in seconds: one that is broken off begins a process anew, which takes longer still."""

AGAIN = 1
"""How often a test that failed is run again, because a browser and a server share the machine with other tests."""

BOOKS = ("ragnarok", "e55", "e3m", "w10", "wzr")
PLAYED = "from campale.cli import main; main()"

WIDE = {"width": 1400, "height": 900}
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
Sits = Callable[..., Player]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is run in a browser may be run again; the summary tells what was."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=AGAIN))


@pytest.fixture(scope="session", autouse=True)
def page_is_built(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One of the processes that test builds it; the others wait."""
    common = tmp_path_factory.getbasetemp().parent / "page.lock"
    with common.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built.build()
    assert (PAGE / "index.html").is_file(), built.MISSING


@pytest.fixture(scope="session", autouse=True)
def kernels_are_compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """On a fresh clone a battle of each book compiles them first: else whoever plays in a browser waits for them.

    What was compiled is kept beside the source, and the mark that it was, too.
    """
    source = Path(kernels.__file__)
    stamp = source.stat()
    mark = source.parent / "__pycache__" / f"compiled-{stamp.st_mtime_ns:x}-{stamp.st_size:x}"
    with (tmp_path_factory.getbasetemp().parent / "kernels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not mark.exists():
            played = [
                subprocess.Popen([sys.executable, "-c", PLAYED, "battle", book], stdout=DEVNULL) for book in BOOKS
            ]
            assert [one.wait() for one in played] == [0] * len(BOOKS)
            mark.touch()


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        expect.set_options(timeout=WAIT)
        yield driver


class Launched:
    """The browser of a file of tests, begun when it is asked for, and anew where it has ended."""

    def __init__(self, kind: BrowserType) -> None:
        self.kind = kind
        self.browser: Browser | None = None
        self.process = 0

    def get(self) -> Browser:
        if self.browser is None or not self.browser.is_connected():
            path = chromium()
            assert path is not None, MISSING
            self.browser = self.kind.launch(executable_path=path, args=FLAGS)
            running = self.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
            self.process = next(one["id"] for one in running if one["type"] == "browser")
        return self.browser

    def kill(self) -> None:
        """Whatever is waited for in it fails there."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)

    def close(self) -> None:
        if self.browser is not None and self.browser.is_connected():
            self.browser.close()


@pytest.fixture(scope="module")
def launched(playwright: Playwright, browser_name: str) -> Iterator[Launched]:
    launched = Launched(playwright[browser_name])
    yield launched
    launched.close()


@pytest.fixture
def longest() -> float:
    """How long the test may take, in seconds; one that plays on for longer says so itself."""
    return LONGEST


@pytest.fixture
def browser(launched: Launched, longest: float) -> Iterator[Browser]:
    watch = Timer(longest, launched.kill)
    watch.daemon = True
    watch.start()
    yield launched.get()
    watch.cancel()


@pytest.fixture
def browser_context_args() -> dict[str, Any]:
    """Half the pixels of a screen: nothing is looked at, and drawing is dear where no graphics card does it."""
    looks = {"color_scheme": "light", "reduced_motion": "reduce", "device_scale_factor": 0.5}
    return {"viewport": WIDE, "locale": "en-GB", **looks}


@pytest.fixture(autouse=True)
def books_of_players_alone() -> Iterator[None]:
    """A page offers the books that players have, whatever other tests in this process have added."""
    added = EXTRA_PACKAGES[:]
    EXTRA_PACKAGES.clear()
    yield
    EXTRA_PACKAGES[:] = added


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve(patience=PATIENCE)


@pytest.fixture
def sits(served: Served, new_context: Callable[..., BrowserContext]) -> Iterator[Sits]:
    """Somebody sits down in a browser of his own; nothing may go wrong on his page without being noticed."""
    sitting: list[Player] = []

    def sit(address: str = served.address, **how: Any) -> Player:
        context = new_context(base_url=f"http://{address}", **how)
        context.set_default_timeout(WAIT)
        sitting.append(Player(context.new_page()))
        return sitting[-1]

    yield sit
    assert [error for one in sitting for error in one.errors] == []


@pytest.fixture
def player(sits: Sits) -> Player:
    return sits()


@pytest.fixture
def page(player: Player) -> Page:
    return player.page
