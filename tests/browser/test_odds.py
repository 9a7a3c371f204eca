"""The page of odds: a query filled in, its link, others beside it, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from campale.odds.answers import answered
from campale.odds.link import read
from campale.referee.ruleset import load_ruleset
from tests.browser.player import Player
from tests.browser.test_axe import violations


def result(player: Player) -> Locator:
    return player.page.get_by_role("region", name=player.say("inquiry.result"))


def shares(player: Player) -> list[str]:
    """The chances of each number of losses, as they are shown."""
    cells = result(player).locator("table").first.locator("tbody td:nth-child(2)")
    expect(cells.first).to_be_visible()
    expect(result(player)).to_have_attribute("aria-busy", "false")
    return cells.all_inner_texts()


@pytest.mark.parametrize("book", ["e55", "ragnarok"])
def test_a_query_stands_in_the_address(player: Player, book: str) -> None:
    player.page.goto(f"/odds?book={book}")
    before = shares(player)
    distance = player.page.get_by_role("spinbutton", name="Distance")
    distance.fill("7")
    distance.press("Enter")
    player.page.wait_for_url("**distance=7*")
    after = shares(player)
    named, written = read(player.page.url)
    losses = answered(load_ruleset(named), written).losses
    assert losses is not None
    told = [f"{100 * chance:.2f}".rstrip("0").rstrip(".") + "%" for _, chance in losses.chances if chance >= 0.0005]
    assert after == told
    player.page.goto(player.page.url)
    assert shares(player) == after
    assert before


def test_others_beside_it_in_italian(player: Player) -> None:
    player.page.goto("/odds?book=e55")
    shares(player)
    player.page.get_by_role("button", name="it Italiano").click()
    player.language = "it"
    expect(player.heading("inquiry.title")).to_be_visible()
    result(player).get_by_text(player.say("inquiry.compare"), exact=True).click()
    player.page.get_by_label(player.say("inquiry.compare-what")).select_option("target")
    for place in (0, 3):
        result(player).locator("fieldset input").nth(place).check()
    expect(result(player).locator("thead th")).to_have_count(3)
    expect(result(player).get_by_role("row", name=player.say("inquiry.wiped-row"))).to_be_visible()


def test_what_cannot_be_is_told_where_it_stands(player: Player) -> None:
    player.page.goto("/odds?book=e55&distance=9999")
    expect(player.page.get_by_role("alert")).to_be_visible()
    distance = player.page.get_by_role("spinbutton", name="Distance")
    expect(distance).to_have_attribute("aria-invalid", "true")
    distance.fill("6")
    distance.press("Enter")
    expect(player.page.get_by_role("alert")).to_have_count(0)
    assert shares(player)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(player: Player, theme: str) -> None:
    player.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    player.page.goto("/odds?book=ragnarok")
    shares(player)
    assert violations(player.page) == []
