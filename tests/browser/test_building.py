"""An army put together on the page: points and faults as they arise, kept, shared, printed and played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.server.conftest import Served

BOOK = "10th edition: Rules Commentary"


@pytest.fixture
def bench(served: Served, player: Player) -> Player:
    """The training roster of the tenth edition, with nobody picked yet."""
    player.page.goto("/armies")
    player.page.get_by_role("link", name=player.say("build.title")).click()
    player.page.get_by_role("link", name=BOOK).click()
    player.page.get_by_role("combobox", name=player.say("build.list")).select_option(label="Training roster")
    return player


def pick(player: Player, *names: str) -> None:
    for name in names:
        player.button("build.pick.what", name=name).click()


def army(player: Player) -> Locator:
    return player.page.get_by_role("region", name=player.say("build.picked"))


def faults(player: Player) -> Locator:
    return player.page.get_by_role("list", name=player.say("list.reasons"))


def captain_and_squad(player: Player) -> None:
    pick(player, "Captain", "Line Squad")
    army(player).get_by_label("WARLORD").check()
    army(player).get_by_label("Models").select_option("10")
    army(player).get_by_label("Plasma gun").fill("2")
    army(player).get_by_label("Plasma gun").press("Enter")


def test_points_and_faults_arise_as_units_are_picked(bench: Player) -> None:
    pick(bench, "Captain", "Line Squad")
    expect(bench.page.get_by_text(bench.say("build.sum", cost=160, points=500))).to_be_visible()
    expect(faults(bench)).to_contain_text("WARLORD")
    army(bench).get_by_label("WARLORD").check()
    expect(faults(bench)).to_have_count(0)
    army(bench).get_by_label("Plasma gun").fill("3")
    army(bench).get_by_label("Plasma gun").press("Enter")
    expect(faults(bench)).to_contain_text("Plasma gun 3 times")
    bench.button("build.drop.what", name="Line Squad").click()
    expect(bench.page.get_by_text(bench.say("build.sum", cost=80, points=500))).to_be_visible()


def test_an_army_is_kept_and_changed(bench: Player) -> None:
    captain_and_squad(bench)
    expect(faults(bench)).to_have_count(0)
    bench.button("list.keep").click()
    bench.page.get_by_role("link", name=bench.say("list.kept")).click()
    kept = bench.page.get_by_role("region", name=bench.say("list.kept"))
    kept.get_by_role("link", name=bench.say("build.change")).click()
    expect(army(bench).get_by_label("Plasma gun")).to_have_value("2")
    bench.button("build.again.what", name="Line Squad").click()
    expect(bench.page.get_by_text(bench.say("build.sum", cost=400, points=500))).to_be_visible()
    expect(army(bench).get_by_text("Line Squad 2")).to_be_visible()


def test_an_army_is_shared_by_its_link(bench: Player) -> None:
    captain_and_squad(bench)
    bench.button("build.share").click()
    link = bench.page.get_by_label(bench.say("copy.link")).input_value()
    bench.page.goto("/")
    bench.page.goto(link)
    expect(bench.page.get_by_text(bench.say("build.sum", cost=240, points=500))).to_be_visible()
    expect(army(bench).get_by_label("Plasma gun")).to_have_value("2")
    bench.page.goto("/build?book=w10&army=e30")
    expect(bench.page.get_by_role("alert")).to_contain_text(bench.say("build.unreadable"))


def test_an_army_is_played_at_once(bench: Player) -> None:
    captain_and_squad(bench)
    expect(bench.button("list.play")).to_be_enabled()
    bench.button("list.play").click()
    bench.page.wait_for_url("**/b/*")
    expect(bench.page.get_by_text("Training roster (240)")).to_be_visible()


def test_on_paper_stand_the_cards_alone(bench: Player) -> None:
    captain_and_squad(bench)
    expect(bench.button("build.print")).to_be_enabled()
    bench.page.emulate_media(media="print")
    expect(bench.page.get_by_text("Line Squad × 8", exact=False)).to_be_visible()
    expect(bench.page.get_by_text(bench.say("build.kinds"))).not_to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_put_an_army_together(bench: Player, scheme: str) -> None:
    bench.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    pick(bench, "Captain", "Line Squad")
    expect(faults(bench)).to_be_visible()
    assert violations(bench.page) == []
    bench.page.set_viewport_size({"width": 390, "height": 844})
    wide, seen = bench.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= seen


def test_every_book_has_lists_to_pick_from(served: Served, player: Player) -> None:
    player.page.goto("/build")
    books = player.page.get_by_role("group", name=player.say("rules.books")).get_by_role("link")
    expect(books.first).to_be_visible()
    for name in books.all_inner_texts():
        link = player.page.get_by_role("link", name=name, exact=True)
        link.click()
        expect(link).to_have_attribute("aria-current", "true")
        add = player.page.get_by_role("button", name=re.compile("^Add ")).first
        add.click()
        expect(army(player).get_by_role("listitem")).to_have_count(1)
