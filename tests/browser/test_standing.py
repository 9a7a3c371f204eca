"""A scoreboard, what the other side's turn has changed, a card beside the table, a first battle, an end."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.browser.battles import over, set_out, tokens
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.server.conftest import Served

MOST_LEVELS = 4
"""How deep an answer may have been begun."""


@pytest.mark.parametrize("width", [1400, 1024])
def test_the_scoreboard_hides_nothing(served: Served, player: Player, width: int) -> None:
    player.page.set_viewport_size(ViewportSize(width=width, height=768))
    set_out(served, player, "e55", "me", "random")
    bar = player.page.get_by_role("banner")
    for told in ("score.you", "score.phase"):
        assert player.say(told, place=1, of=3) in bar.inner_html()
    expect(bar.get_by_text(re.compile("^Turn 1 of 5"))).to_be_in_viewport(ratio=1)
    places = bar.get_by_role("list", name=player.say("score.places")).get_by_role("listitem")
    assert places.count() > 2
    for place in (places.first, places.last):
        expect(place).to_be_in_viewport(ratio=1)
        assert "(" not in (place.get_attribute("title") or "").partition(": ")[0]
    assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")


def turn_of_the_other_side(player: Player) -> tuple[str, Locator]:
    """Plays on until the card of a turn of the other side is there. Returns the other's name, and the card.

    An answer that was begun before the card came is taken back: the card makes room for it.
    """
    name = str(player.page.locator(".seat[data-side='1'] .name").get_attribute("title"))
    card = player.page.get_by_role("region", name=player.say("turned.turn", name=name), exact=True)
    player.play(Random(1), card.is_visible, often=0.0)
    for _ in range(MOST_LEVELS):
        if card.get_by_role("listitem").count():
            break
        player.page.keyboard.press("Escape")
        player.page.wait_for_timeout(200)
    return name, card


def test_the_turn_of_the_other_side_is_told_with_its_moments(served: Served, player: Player) -> None:
    made = set_out(served, player, "ragnarok", "me", "random", number=2)
    name, card = turn_of_the_other_side(player)
    line = card.get_by_role("listitem").last
    expect(line).to_contain_text(re.compile("Score"))
    assert violations(player.page) == []
    turns = player.journal.get_by_role("button", expanded=True)
    expect(turns.filter(has_text=name)).to_have_count(1)
    player.tab("side.units")
    line.get_by_role("button").click()
    expect(player.journal.locator(".isNow")).to_be_in_viewport()
    line.get_by_role("link").click()
    player.page.wait_for_url(f"**/replay/{made.battle}?at=*")


def test_the_turn_of_the_other_side_makes_room_once_an_answer_is_begun(served: Served, player: Player) -> None:
    set_out(served, player, "ragnarok", "me", "random", number=2)
    _, card = turn_of_the_other_side(player)
    lines = card.get_by_role("listitem")
    expect(lines).not_to_have_count(0)
    player.panel.get_by_role("button", name=re.compile("^1 ")).first.click()
    expect(lines).to_have_count(0)
    player.page.keyboard.press("Escape")
    expect(lines).not_to_have_count(0)


def test_a_card_is_a_tab_that_esc_closes(served: Served, player: Player) -> None:
    set_out(served, player, "ragnarok", "me", "random")
    tab = player.page.get_by_role("tab", name=player.say("side.card"), exact=True)
    expect(tab).to_have_count(0)
    player.page.locator(".bases .base.side-1").first.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(player.page.get_by_role("tabpanel").get_by_role("article")).to_be_visible()
    board = player.page.get_by_role("region", name=player.say("table.board"))
    expect(board.get_by_role("article")).to_have_count(0)
    assert violations(player.page) == []
    player.page.keyboard.press("Escape")
    expect(tab).to_have_count(0)
    expect(player.journal).to_be_visible()


def test_one_plays_at_once_is_shown_about_and_goes_on_later(player: Player) -> None:
    player.page.goto("/")
    player.button("home.now").click()
    player.page.wait_for_url("**/b/*")
    player.asked()
    expect(player.page.get_by_text(re.compile("^Round 1 of|^Turn 1 of"))).to_be_visible()
    mark = player.page.get_by_role("region", name=player.say("coach.title"))
    for name in ("drag", "confirm", "undo", "score", "look"):
        expect(mark).to_contain_text(player.say(f"coach.{name}"))
        assert violations(player.page) == []
        mark.get_by_role("button").first.click()
    expect(mark).to_have_count(0)
    player.page.reload()
    player.asked()
    expect(mark).to_have_count(0)
    battle = player.battle
    player.page.goto("/")
    go_on = player.page.get_by_role("link", name=re.compile(player.say("home.continue", title="")))
    expect(go_on).to_have_attribute("href", f"/b/{battle}")


def test_nobody_is_shown_about_once_the_battle_is_over(player: Player) -> None:
    player.page.goto("/")
    player.button("home.now").click()
    player.page.wait_for_url("**/b/*")
    player.asked()
    mark = player.page.get_by_role("region", name=player.say("coach.title"))
    expect(mark).to_be_visible()
    player.page.get_by_role("tab", name=player.say("side.table")).click()
    player.button("table.concede").click()
    player.button("table.concede.yes").click()
    expect(player.over).to_be_visible()
    expect(mark).to_have_count(0)


def test_the_end_tells_the_score_the_losses_and_the_luck(served: Served, player: Player) -> None:
    made = over(served)
    player.sit(made.battle, tokens(made))
    expect(player.over).to_be_visible()
    table = player.page.get_by_role("table")
    for row in ("over.losses", "over.luck", "over.by-turn"):
        expect(table.get_by_role("rowheader", name=player.say(row), exact=True)).to_be_visible()
    units = table.get_by_role("rowheader", name=player.say("over.units"), exact=True)
    expect(units).to_have_count(0)  # each unit is one model here
    expect(table.get_by_role("rowheader", name=re.compile("^Turn 1 of")).first).to_be_attached()
    player.page.get_by_role("link", name=player.say("over.replay")).click()
    player.page.wait_for_url(f"**/replay/{made.battle}")


def test_standing_orders_have_a_dialog_of_their_own(served: Served, player: Player) -> None:
    """It comes from the tab of the table too; Esc closes it, and what was changed stays."""
    set_out(served, player, "ragnarok", "me", "random")
    player.tab("side.table")
    lead = player.page.get_by_role("tabpanel").get_by_role("button", name=re.compile(player.say("ask.orders")))
    lead.click()
    dialog = player.page.get_by_role("dialog", name=player.say("ask.orders"))
    reactions = dialog.get_by_label("Reactions to enemy actions")
    expect(reactions).to_have_value("worthwhile")
    assert violations(player.page) == []
    reactions.select_option("ask")
    player.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    lead.click()
    expect(reactions).to_have_value("ask")
