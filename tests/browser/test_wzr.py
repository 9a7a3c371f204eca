"""WZR at the page: whole battles, by mouse against a bot and between two who are far apart; decks put together."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sits
from tests.browser.errands import aims_elsewhere, drags, last_line, plays_against_a_bot, plays_by_a_link
from tests.browser.forces import SQUADS, file_of
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.server.conftest import Served

NAME = "WZR"
ALONE, EACH = 50, 21
"""So often one decides by mouse against a bot, and each of two against each other."""


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes some minutes of a machine that does nothing else."""
    return 1200.0


def small(player: Player, folder: Path) -> None:
    """Two squads a side, without cards."""
    player.page.get_by_role("group").filter(has=player.heading("new.options")).locator("summary").first.click()
    player.page.get_by_label("Advanced game, with a deck of cards for each player").select_option(index=1)
    for side, force in enumerate(SQUADS):
        player.force(side, file_of(force, folder))


def test_a_battle_by_mouse(served: Served, player: Player, tmp_path: Path) -> None:
    more: Any = {"seed": 3, "often": 0.1, "needed": {"drags"}, "by_mouse": ALONE}
    set_up = partial(small, player, tmp_path)
    done = plays_against_a_bot(served, player, NAME, "script", drags, aims_elsewhere, **more, set_up=set_up)
    assert "drags" in done
    expect(player.over).to_be_visible()


def test_two_play_a_whole_battle_by_a_link(served: Served, sits: Sits, tmp_path: Path) -> None:
    host, guest = sits(), sits()
    plays_by_a_link(served, host, guest, NAME, EACH, partial(small, host, tmp_path))
    assert last_line(host) == last_line(guest)


# ---------------------------------------------------------------- a deck


def test_a_deck_is_put_together_with_the_army(served: Served, player: Player) -> None:
    """It comes ready; what is wrong with it is said as it is changed; it is kept with the army, and printed."""
    player.page.goto("/build?book=wzr")
    player.page.get_by_role("combobox", name=player.say("build.list")).select_option("megacorporation")
    for name in ("Captain", "Riflemen", "Yard Guard"):
        player.button("build.pick.what", name=name).click()
    faults = player.page.get_by_role("list", name=player.say("list.reasons"))
    expect(player.button("list.play")).to_be_enabled()
    deck = player.page.get_by_role("group").filter(has_text="Deck of cards")
    deck.get_by_text("Deck of cards: 35").click()
    assert violations(player.page) == []
    scope = deck.get_by_label("Long scope")
    expect(scope).to_have_value("2")
    scope.fill("4")
    scope.press("Tab")
    expect(faults).to_contain_text("Long scope")
    scope.fill("1")
    scope.press("Tab")
    expect(faults).to_contain_text("34 cards")
    deck.get_by_label("Smoke").fill("5")
    deck.get_by_label("Smoke").press("Tab")
    expect(faults).to_have_count(0)
    player.button("build.share").click()
    player.page.goto(player.page.get_by_label(player.say("copy.link")).input_value())
    expect(deck.get_by_text("Deck of cards: 37")).to_be_visible()
    deck.get_by_text("Deck of cards: 37").click()
    expect(scope).to_have_value("1")
    player.page.emulate_media(media="print")
    expect(player.page.get_by_text("Smoke × 5")).to_be_visible()
    player.page.emulate_media(media="screen")
    player.page.get_by_role("button", name="Italiano").click()
    expect(player.page.get_by_text("Mazzo di carte: 37")).to_be_visible()
    expect(player.page.get_by_label("Fumogeni")).to_have_value("5")
