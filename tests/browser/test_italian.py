"""The page in Italian, from the middle of a battle on."""

from __future__ import annotations

import re

from playwright.sync_api import ViewportSize, expect

from tests.browser.battles import deploying, set_out
from tests.browser.player import Player
from tests.browser.refusing import refused
from tests.server.conftest import Served

ENGLISH = (
    "the journal units chat table undo decides what can place deploy deployed model models phase turn wounds move "
    "mission settings confirm proposal suggestion orders rule rules player thinking with and is of forces"
)
"""Words that no Italian sentence has."""

EXCUSED = {"chat"}
"""But these."""
HILLS = 1
"""The number of a battle of the 10th edition with hills."""


def english(text: str) -> set[str]:
    return (set(re.findall(r"[a-z]+", text.lower())) & set(ENGLISH.split())) - EXCUSED


def switch(player: Player) -> None:
    player.page.get_by_role("button", name="Italiano").click()
    player.language = "it"
    expect(player.panel.get_by_text(player.say("ask.what-can-i-do"))).to_be_visible()
    expect(player.panel).not_to_contain_text("to choose")


def test_the_language_is_switched_during_play(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    expect(player.journal).to_contain_text("Who deploys first")
    switch(player)
    expect(player.page.locator("html")).to_have_attribute("lang", "it")
    expect(player.journal).to_contain_text("Chi schiera per primo")
    player.asked()
    for tab in ("side.units", "side.chat", "side.table", "side.journal"):
        player.tab(tab)
        lines = player.page.locator("body").inner_text().splitlines()
        assert {line: found for line in lines if (found := english(line))} == {}, tab


def test_heights_to_choose_from_are_written_as_other_numbers(served: Served, player: Player) -> None:
    set_out(served, player, "w10", "me", "random", number=HILLS, until="normal-move")
    switch(player)
    heights = player.panel.locator("select option")
    expect(heights.filter(has_text="1,5″").first).to_be_attached()
    assert [text for text in heights.all_text_contents() if "." in text] == []


def test_a_refusal_is_in_italian(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    switch(player)
    text = refused(player).inner_text()
    assert text.strip()
    assert english(text) == set()


def test_the_card_of_a_model_has_room_among_the_tabs(served: Served, player: Player) -> None:
    player.page.set_viewport_size(ViewportSize(width=1280, height=800))
    set_out(served, player, "ragnarok", "me", "random")
    switch(player)
    player.page.locator(".bases [data-row]").first.click(force=True)
    player.tab("side.card")
    wide, seen = player.page.get_by_role("tablist").evaluate("one => [one.scrollWidth, one.clientWidth]")
    assert wide <= seen


def test_the_other_pages_are_in_italian(player: Player) -> None:
    player.page.goto("/")
    player.page.get_by_role("button", name="Italiano").click()
    player.language = "it"
    expect(player.heading("home.title")).to_be_visible()
    for path, key in (("/", "home.title"), ("/new?book=ragnarok", "new.title"), ("/rules/ragnarok", "rules.title")):
        player.page.goto(path)
        expect(player.heading(key)).to_be_visible()
        expect(player.page.get_by_text(player.say("app.loading"))).to_have_count(0)
        player.page.evaluate("document.querySelectorAll('main [lang=en]').forEach(one => one.remove())")
        shown = player.page.locator("h1, h2, h3, p, label, button, li, a").all_inner_texts()
        assert {text: found for text in shown if (found := english(text))} == {}, path
