"""How many acts a move takes: whoever drags a model has said whom he moves, and how; Esc takes all of it back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.battles import set_out
from tests.browser.player import SOON, Player
from tests.server.conftest import Served

COUNTING = """
window.acts = 0;
addEventListener('pointerdown', () => window.acts++, true);
addEventListener('keydown', () => window.acts++, true);
"""
WHO_MOVES = {"ragnarok": "act", "e55": "movement", "e3m": "movement-element", "w10": "move-unit"}
SETTLED = 800
"""Milliseconds in which a place that was asked for has come."""

FAR = 32
"""Pixels that a model is dragged: less than three inches, which no ground takes off a move of six."""


def acts(player: Player) -> int:
    return int(player.page.evaluate("window.acts"))


def own(player: Player) -> list[Locator]:
    """The bases of the side that is asked, one of each unit."""
    return player.page.locator(".bases .base.side-0[tabindex='0']").all()


def rests(player: Player, base: Locator) -> str | None:
    """Where a model stands once the server has found it its place."""
    where: str | None = None
    while where != (where := base.get_attribute("transform")):
        player.page.wait_for_timeout(SETTLED)
    return where


def drags_somebody(player: Player) -> Locator:
    """Drag models of one's own, one after another, until a move has begun; the one whose it is."""
    meter = player.panel.get_by_role("meter")
    for base in own(player):
        row = base.get_attribute("data-row")
        down = -FAR if (base.bounding_box() or {"y": 0})["y"] > 400 else FAR
        player.page.evaluate("window.acts = 0")
        player.drag(base, 0, down)
        try:
            expect(meter).not_to_have_attribute("aria-valuenow", "0", timeout=SOON)
        except AssertionError:
            continue
        return player.page.locator(f".bases .base[data-row='{row}']")
    raise AssertionError("nobody can be dragged")


@pytest.mark.parametrize("book", sorted(WHO_MOVES))
def test_a_move_is_a_drag_and_a_key(served: Served, player: Player, book: str) -> None:
    player.page.add_init_script(COUNTING)
    set_out(served, player, book, "me", "random", until=WHO_MOVES[book])
    base = drags_somebody(player)
    expect(player.primary).to_be_enabled()
    where = rests(player, base)
    player.page.keyboard.press("Enter")
    assert acts(player) == 2
    expect(player.panel.get_by_role("meter")).not_to_be_visible()
    expect(base).to_have_attribute("transform", where or "")


def test_esc_takes_the_drag_and_the_choices_back(served: Served, player: Player) -> None:
    set_out(served, player, "ragnarok", "me", "random", until="act")
    before = player.panel.inner_text()
    base = own(player)[0]
    where = base.get_attribute("transform")
    drags_somebody(player)
    player.page.keyboard.press("Escape")
    expect(player.panel.get_by_role("meter")).not_to_be_visible()
    assert player.panel.inner_text() == before
    expect(base).to_have_attribute("transform", where or "")


def test_the_arrows_begin_a_move_too(served: Served, player: Player) -> None:
    set_out(served, player, "ragnarok", "me", "random", until="act")
    own(player)[0].focus()
    player.page.keyboard.press("Shift+ArrowUp")
    expect(player.panel.get_by_role("meter")).not_to_have_attribute("aria-valuenow", "0")


def test_the_handle_turns_what_was_just_dragged(served: Served, player: Player) -> None:
    set_out(served, player, "ragnarok", "me", "random", until="act")
    base = drags_somebody(player)
    facing = base.locator("g").first
    before = facing.get_attribute("transform")
    player.drag(player.page.locator("[data-turn] circle"), 60, 30)
    expect(facing).not_to_have_attribute("transform", before or "")
    expect(player.primary).to_be_enabled()


def test_the_ground_and_the_enemy_pan(served: Served, player: Player) -> None:
    set_out(served, player, "ragnarok", "me", "random", until="act")
    table = player.page.get_by_role("group", name=player.say("board.title"))
    said = player.panel.inner_text()
    before = table.get_attribute("viewBox")
    player.drag(player.page.locator(".bases .base.side-1").first, 20, 10)
    expect(table).not_to_have_attribute("viewBox", before or "")
    assert player.panel.inner_text() == said


def test_why_somebody_cannot_be_dragged_is_told(served: Served, player: Player) -> None:
    """In a book of phases nobody moves any more once the fire is asked about."""
    set_out(served, player, "e55", "me", "random", until="shooting")
    player.drag(own(player)[0], 0, 30)
    expect(player.refusal).to_be_visible()
    assert player.panel.get_by_role("meter").count() == 0
