"""How large the page is, and how it lies on screens of all sizes."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Request, Response, ViewportSize, expect

from campale.referee.telling.words import LANGUAGES
from campale.server.routes.pages import PAGE
from tests.browser.battles import begun, deploying, over, tokens
from tests.browser.player import Player
from tests.browser.refusing import refused
from tests.server.conftest import Served

MOST, MOST_OF_A_TABLE = 60_000, 122_000
"""Bytes that come before the first page is shown, and with a battle, as they travel; the typeface apart."""

MOST_OF_A_TYPEFACE = 30_000
"""Bytes of the one typeface: the page is there before it, and it comes once."""

DIGITS = """() => ['1111', '8888'].map((text) => {
  const one = document.body.appendChild(document.createElement('span'));
  one.textContent = text;
  const { width } = one.getBoundingClientRect();
  one.remove();
  return width;
})"""

OF_A_TABLE = {
    "index",
    "common",
    "en",
    "Battle",
    "Waiting",
    "SetUp",
    "Copy",
    "OtherDevice",
    "signed.svelte",
    "asking",
    "table",
    "drawing",
    "figures",
    "Zones",
}
"""The pieces of the page that somebody needs who is to set down a model."""

SOMETIMES = {"Badges", "Tokens"}
"""Those that he needs if others stand there already, or there are objectives."""

SIZES = [(1400, 900), (1024, 768), (390, 844)]
ONE_LINE = 52.0
"""Pixels of height of a line with a button in it."""

WIDTHS = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"


def test_the_first_load_is_small() -> None:
    index = (PAGE / "index.html").read_text("utf-8")
    named = {one.lstrip("/") for one in re.findall(r'(?:src|href)="(/[^"]+)"', index)}
    files = [PAGE / "index.html", *(PAGE / one for one in sorted(named))]
    sizes = {one.name: len(gzip.compress(one.read_bytes())) for one in files}
    words = [len(gzip.compress(one.read_bytes())) for one in (PAGE / "assets").glob("??-*.js")]
    assert len(words) == len(LANGUAGES)
    assert any(name.endswith(".js") for name in sizes)
    assert sum(sizes.values()) + max(words) < MOST, (sizes, words)


def test_a_table_comes_with_little_more(served: Served, player: Player) -> None:
    """What is loaded until somebody has a model to set down, whichever side is asked first and has set down some."""
    asked: list[Request] = []
    come: list[Request] = []
    player.page.on("request", lambda one: asked.append(one) if "/api/" not in one.url else None)
    player.page.on("requestfinished", lambda one: come.append(one) if "/api/" not in one.url else None)
    begun(served, player, "me", "random")
    player.play(Random(0), player.help("place").is_visible, often=0.0)
    while len(come) < len(asked):
        player.page.wait_for_timeout(20)
    sizes = {Path(one.url).name: one.sizes()["responseBodySize"] for one in come}
    assert {name.partition("-")[0] for name in sizes if name.endswith(".js")} - SOMETIMES == OF_A_TABLE
    typeface = [sizes.pop(name) for name in list(sizes) if name.endswith(".woff2")]
    always = [size for name, size in sizes.items() if name.partition("-")[0] not in SOMETIMES]
    assert sum(always) < MOST_OF_A_TABLE, sizes
    assert len(typeface) == 1
    assert typeface[0] < MOST_OF_A_TYPEFACE


def test_the_typeface_is_the_page_s_own_with_its_licence(player: Player) -> None:
    player.page.goto("/")
    player.wait_for("[...document.fonts].some((one) => one.status === 'loaded')")
    loaded = player.page.evaluate("[...document.fonts].map((one) => [one.family, one.status, one.display])")
    assert loaded == [["Source Sans", "loaded", "swap"]]
    narrow, wide = player.page.evaluate(DIGITS)
    assert narrow == wide > 0
    licence = player.page.request.get("/source-sans-licence.txt")
    assert licence.ok
    assert "SIL OPEN FONT LICENSE" in licence.text().upper()


def scrolls_sideways(player: Player) -> bool:
    wide, seen = player.page.evaluate(WIDTHS)
    return bool(wide > seen)


@pytest.mark.parametrize("size", SIZES)
def test_no_page_scrolls_sideways(served: Served, player: Player, size: tuple[int, int]) -> None:
    player.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    for path in (
        "/",
        "/new?book=ragnarok",
        "/new?book=e55",
        "/new?book=e3m",
        "/rules/ragnarok",
        "/armies",
        "/puzzles",
        "/laboratory",
    ):
        player.page.goto(path)
        expect(player.page.get_by_role("heading").first).to_be_visible()
        expect(player.page.get_by_text(player.say("app.loading"))).to_have_count(0)
        assert not scrolls_sideways(player), path


@pytest.mark.parametrize("size", SIZES)
def test_no_battle_scrolls_sideways(served: Served, player: Player, size: tuple[int, int]) -> None:
    player.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    made = deploying(served, player, "me", "random")
    assert not scrolls_sideways(player)
    expect(player.primary).to_be_in_viewport(ratio=1)
    player.play(Random(1), player.help("move").is_visible, often=0.0)
    assert not scrolls_sideways(player)
    expect(player.primary).to_be_in_viewport(ratio=1)
    player.page.goto(f"/replay/{made.battle}")
    expect(player.page.get_by_role("slider", name=player.say("replay.moment"))).to_be_visible()
    assert not scrolls_sideways(player)


def test_a_large_battle_does_not_scroll_sideways(player: Player) -> None:
    player.demo("5.5")
    player.play(Random(1), lambda: player.decisions > 8, often=0.0)
    for width, height in SIZES:
        player.page.set_viewport_size(ViewportSize(width=width, height=height))
        expect(player.page.get_by_role("region", name=player.say("table.board"))).to_be_visible()
        assert not scrolls_sideways(player), width


def test_a_list_longer_than_the_panel_scrolls_the_panel_alone(player: Player) -> None:
    player.demo("5.5")
    player.page.set_viewport_size(ViewportSize(width=1280, height=800))
    player.play(Random(1), lambda: player.options.count() > 12, often=0.0)
    high, seen = player.page.evaluate("[document.documentElement.scrollHeight, document.documentElement.clientHeight]")
    assert high == seen


def test_what_draws_in_three_dimensions_comes_when_it_is_wanted(served: Served, player: Player) -> None:
    loaded: list[str] = []
    player.page.on("response", lambda response: loaded.append(name_of(response)))
    deploying(served, player, "me", "random")
    player.go_on()
    name = player.first_moved()
    assert not any(one.startswith("Eye") for one in loaded)
    player.base(name).click()
    player.page.get_by_role("toolbar").get_by_role("button", name=player.say("board.tool.eye")).click()
    eye = player.page.get_by_role("region", name=player.say("board.tool.eye"))
    expect(eye.get_by_text(player.say("board.eye.of", model=name)).first).to_be_visible()
    assert any(one.startswith("Eye") and one.endswith(".js") for one in loaded)
    eye.get_by_role("button", name=player.say("board.close")).click()
    expect(eye).not_to_be_visible()


def name_of(response: Response) -> str:
    return Path(response.url).name


def test_a_replay_that_is_over_fits_a_telephone(served: Served, player: Player) -> None:
    made = over(served)
    player.page.set_viewport_size(ViewportSize(width=390, height=844))
    player.sit(made.battle, tokens(made))
    expect(player.heading("over.title").and_(player.over)).to_be_visible()
    assert not scrolls_sideways(player)


def test_the_end_of_a_battle_is_told_once(served: Served, player: Player) -> None:
    made = over(served)
    player.sit(made.battle, tokens(made))
    card = player.page.get_by_role("region", name=player.say("table.board")).locator("~ .ask")
    expect(player.over).to_have_text(re.compile(r": (a draw|.+ wins)"))
    assert card.inner_text().count(player.say("over.title")) == 1


@pytest.mark.parametrize("size", SIZES)
def test_the_filter_of_the_journal_lies_over_none_of_its_lines(player: Player, size: tuple[int, int]) -> None:
    player.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    player.demo("Ragnarok")
    told = player.journal.get_by_role("button", name=player.say("journal.jump")).first
    player.play(Random(3), lambda: told.count() > 0, often=0.0)
    sieve, lines = player.button("journal.filter").bounding_box(), player.journal.bounding_box()
    assert sieve is not None
    assert lines is not None
    assert sieve["y"] + sieve["height"] <= lines["y"]


def test_a_battle_that_is_not_there_is_told_and_nothing_else(served: Served, player: Player) -> None:
    """The line is not lost, and nothing is tried again."""
    player.page.goto("/b/nothing-of-the-kind")
    expect(player.heading("battle.none")).to_be_visible()
    expect(player.page.get_by_text(player.say("battle.lost"))).to_have_count(0)


def test_a_rulebook_that_is_switched_off_is_told_with_its_reason(player: Player) -> None:
    off = [{"name": "hillfort", "package": "hillfort", "why": "ZeroDivisionError: division by zero"}]
    player.page.route("**/api/books-off", lambda route: route.fulfill(json=off))
    player.page.goto("/")
    told = player.page.get_by_role("note").filter(has_text="hillfort")
    expect(told).to_have_text(player.say("home.off", **off[0]))
    expect(player.page.get_by_role("article")).not_to_have_count(0)


def test_what_is_asked_has_its_roles(served: Served, player: Player) -> None:
    """What the tests look for by how it is written is what its role and its name say to whoever cannot see it."""
    deploying(served, player, "me", "random")
    said = player.page.get_by_role
    panel = said("region", name=player.say("ask.panel"), exact=True)
    expect(panel.and_(player.panel)).to_be_visible()
    expect(panel.get_by_role("button").and_(player.primary)).to_be_visible()
    expect(said("log", name=player.say("side.journal")).and_(player.journal)).to_be_visible()
    expect(panel.get_by_role("alert").and_(refused(player))).to_be_visible()
    table = said("group", name=player.say("board.title"))
    expect(table.get_by_role("button").and_(player.base(player.first_moved()))).to_be_visible()
    player.play(Random(3), lambda: player.options.count() > 0, often=0.0)
    listed = panel.get_by_role("list", name=player.say("ask.options")).get_by_role("button")
    expect(listed).to_have_count(player.options.count())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_note_that_campale_was_updated_is_one_line(player: Player, language: str) -> None:
    """A newer page on the server names another first script; the page learns it when it is looked at again."""
    player.page.set_viewport_size(ViewportSize(width=1280, height=800))
    player.language = language
    player.page.add_init_script(f"localStorage.setItem('campale.language', '{language}')")
    player.page.goto("/")
    note = player.page.get_by_role("alert").filter(has_text=player.say("renewed.text"))
    expect(player.page.get_by_role("heading").first).to_be_visible()
    expect(note).to_have_count(0)
    player.page.route("**/", lambda route: route.fulfill(body="<html></html>"))
    player.page.evaluate("dispatchEvent(new Event('vite:preloadError'))")
    expect(note).to_be_visible()
    box = note.bounding_box()
    assert box is not None
    assert box["height"] < ONE_LINE
