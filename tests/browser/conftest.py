"""A browser and servers for the tests of the page. The browser is shut after each file of tests.

What drives it keeps an event loop open in its thread, which tests of other things in the same process must not find.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from tools import page as built
from tools.chromium import MISSING, chromium

from campale.referee.ruleset import EXTRA_PACKAGES
from campale.server.pages import PAGE
from campale.table import kernels
from tests.browser.player import Player
from tests.server.conftest import Serve, Served, serve

__all__ = ["serve"]

WAIT = 40_000
"""How long anything may take on a machine that has much else to do, in milliseconds."""

BOOKS = ("ragnarok", "e55")
PLAYED = "from campale.cli import main; main()"

WIDE = {"width": 1400, "height": 900}
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
Sits = Callable[..., Player]


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


@pytest.fixture(scope="module")
def browser(playwright: Playwright, browser_name: str) -> Iterator[Browser]:
    path = chromium()
    assert path is not None, MISSING
    browser = playwright[browser_name].launch(executable_path=path, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def browser_context_args() -> dict[str, Any]:
    return {"viewport": WIDE, "locale": "en-GB", "color_scheme": "light", "reduced_motion": "reduce"}


@pytest.fixture(autouse=True)
def books_of_players_alone() -> Iterator[None]:
    """A page offers the books that players have, whatever other tests in this process have added."""
    added = EXTRA_PACKAGES[:]
    EXTRA_PACKAGES.clear()
    yield
    EXTRA_PACKAGES[:] = added


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve()


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
