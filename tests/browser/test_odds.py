"""The page of odds: a query filled in, its link, others beside it, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from campale.odds.answers import answered
from campale.odds.comparing import side_by_side
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


@pytest.mark.parametrize("book", ["e55", "ragnarok", "e3m"])
def test_a_query_stands_in_the_address(player: Player, book: str) -> None:
    player.page.goto(f"/odds?book={book}")
    before = shares(player)
    distance = player.page.get_by_role("spinbutton", name="Distance")
    distance.fill("7")
    distance.press("Enter")
    player.page.wait_for_url("**distance=7**")
    after = shares(player)
    named, written, *_ = read(player.page.url)
    losses = answered(load_ruleset(named), written).losses
    assert losses is not None
    told = [f"{100 * chance:.2f}%" for _, chance in losses.chances if chance >= 0.0005]
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


def test_distances_and_states_stand_side_by_side(player: Player) -> None:
    player.page.goto("/odds?book=e55&attacker=veteran&target=militia&distance=10")
    shares(player)
    result(player).get_by_text(player.say("inquiry.compare"), exact=True).click()
    what = player.page.get_by_label(player.say("inquiry.compare-what"))
    what.select_option("distance")
    row = result(player).get_by_role("textbox")
    row.fill("24, 6, 12")
    row.press("Enter")
    heads = result(player).locator("thead th")
    expect(heads).to_have_text(["Distance", "6", "12", "24"])
    result(player).get_by_role("button", name=player.say("inquiry.compare-without", field="Distance")).click()
    what.select_option("attacker-states")
    for place in (0, 1):
        result(player).locator("fieldset input").nth(place).check()
    expect(heads).to_have_count(3)
    expect(heads.nth(1)).to_have_text(player.say("inquiry.none"))


def columns(player: Player) -> list[str]:
    """All cells of a comparison."""
    expect(result(player)).to_have_attribute("aria-busy", "false")
    table = result(player).locator("table").first
    expect(table).to_be_visible()
    return table.locator("th, td").all_inner_texts()


def test_a_comparison_is_in_the_link_whole(player: Player) -> None:
    """Two targets at two distances: the address says all of it, to another visitor and to the command too."""
    player.page.goto("/odds?book=e55&attacker=veteran&target=militia&distance=10")
    shares(player)
    result(player).get_by_text(player.say("inquiry.compare"), exact=True).click()
    player.page.get_by_label(player.say("inquiry.compare-what")).select_option("target")
    picks = result(player).locator("fieldset input")
    for place in (0, 3):
        picks.nth(place).check()
    heads = result(player).locator("thead th")
    expect(heads).to_have_count(3)
    player.page.get_by_label(player.say("inquiry.compare-more")).select_option("distance")
    row = result(player).get_by_role("textbox")
    row.fill("6, 20")
    row.press("Enter")
    expect(heads).to_have_count(5)
    player.page.wait_for_url("**compare-distance=20*")
    before, address = columns(player), player.page.url
    linked = read(address)
    found = side_by_side(load_ruleset("e55"), linked.written, linked.compare)
    assert [len(values) for values in linked.compare.values()] == [2, 2]
    assert len(found.answers) == 4
    player.page.goto("about:blank")
    player.page.goto(address)
    expect(heads).to_have_count(5)
    assert columns(player) == before
    assert player.page.url == address
    expect(picks.nth(3)).to_be_checked()
    expect(row).to_have_value("6, 20")
    picks.nth(3).uncheck()
    expect(heads).to_have_count(3)


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("book=e55&compare-target=militia&compare-target=nobody", "'nobody' cannot be chosen"),
        ("book=e55&distance=6&distance=7", "gives 'distance' twice"),
        ("book=e55&x=" + "y" * 9000, "longer than 8000 characters"),
        ("book=e55&order=worst", "order of fire 'worst'"),
        ("book=e55&%3Cscript%3E=1", "is not a field"),
        ("book=chess", "'chess', which does not exist"),
    ],
)
def test_a_link_that_cannot_be_used_is_told(player: Player, query: str, part: str) -> None:
    player.page.goto(f"/odds?{query}")
    expect(player.page.get_by_role("alert")).to_contain_text(part)
    expect(result(player).locator("table")).to_have_count(0)


def test_on_a_phone_the_main_figure_is_in_view_and_leads_to_the_answer(player: Player) -> None:
    player.page.set_viewport_size({"width": 390, "height": 844})
    player.page.goto("/odds?book=e55&attacker=veteran&target=militia&distance=10")
    expect(result(player)).to_have_attribute("aria-busy", "false")
    glance = player.page.locator("button.glance")
    expect(glance).to_be_in_viewport()
    expect(result(player)).not_to_be_in_viewport()
    expect(glance).to_contain_text("%")
    glance.click()
    expect(result(player).get_by_role("heading").first).to_be_in_viewport()
    player.page.set_viewport_size({"width": 1200, "height": 800})
    expect(glance).to_be_hidden()


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
