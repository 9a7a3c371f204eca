"""A long table on a telephone held upright: it is turned, and pointers, keys and words follow."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, ViewportSize, expect

from tests.browser.battles import set_out
from tests.browser.player import Player
from tests.browser.staged import battle, staged
from tests.browser.test_acts import WHO_MOVES, own, rests
from tests.browser.test_test_table import bases, laying, wants
from tests.server.conftest import Served

UPRIGHT, ON_ITS_SIDE = ViewportSize(width=390, height=844), ViewportSize(width=844, height=390)
FAR, NEAR = 24.0, 5.0
"""Pixels that a model is dragged, and by which it may stand beside where it was let go."""

FILLED = 0.75
"""The share of the width of the screen that a turned table takes at least."""

TABLE = (72.0, 48.0)
"""The table of a test battle of Edition 5.5, in inches."""

TURNED = """() => {
  const edge = document.querySelector('.board rect.edge')?.getBoundingClientRect();
  return edge && edge.height > edge.width;
}"""
PLACE = re.compile(r"at (-?[\d.]+); (-?[\d.]+)")


def box(of: Locator) -> FloatRect:
    found = of.bounding_box()
    assert found is not None
    return found


def middle(of: Locator) -> tuple[float, float]:
    found = box(of)
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def place(base: Locator) -> tuple[float, float]:
    """Where a model stands by what is told of it."""
    found = PLACE.search(base.get_attribute("aria-label") or "")
    assert found is not None
    return float(found[1]), float(found[2])


def edge(player: Player) -> FloatRect:
    return box(player.page.locator(".board rect.edge"))


def stands_upright(player: Player) -> None:
    player.wait_for(TURNED)
    assert edge(player)["width"] > FILLED * UPRIGHT["width"]
    for name in player.page.locator(".tags text").all()[:5]:
        told = box(name)
        assert told["width"] > told["height"], name.inner_text()


def moved(player: Player, right: float, down: float) -> Locator:
    """One of the player's models that was dragged by so many pixels, and stands there."""
    for base in own(player):
        row = base.get_attribute("data-row")
        x, y = middle(base)
        player.drag(base, right, down)
        again = player.page.locator(f".bases .base[data-row='{row}']")
        rests(player, again)
        to = middle(again)
        if abs(to[0] - x - right) < NEAR and abs(to[1] - y - down) < NEAR:
            return again
        player.page.keyboard.press("Escape")
    raise AssertionError("nobody can be dragged there")


@pytest.mark.parametrize("book", ["e55", "e3m", "w10"])
def test_the_table_is_turned_as_the_telephone_is(served: Served, player: Player, book: str) -> None:
    player.page.set_viewport_size(ON_ITS_SIDE)
    set_out(served, player, book, "me", "random")
    assert edge(player)["width"] > edge(player)["height"]
    player.page.set_viewport_size(UPRIGHT)
    stands_upright(player)


@pytest.mark.parametrize("book", ["e55", "w10"])
def test_hands_and_keys_follow(served: Served, player: Player, book: str) -> None:
    player.page.set_viewport_size(UPRIGHT)
    set_out(served, player, book, "me", "random", until=WHO_MOVES[book])
    stands_upright(player)
    stood = {one.get_attribute("data-row"): place(one) for one in own(player)}
    base = moved(player, -FAR, 0)
    before, now = stood[base.get_attribute("data-row")], place(base)
    assert now[0] == pytest.approx(before[0], abs=0.3)
    assert now[1] < before[1] - 1
    base.focus()
    (x, y), (right, far) = middle(base), place(base)
    player.page.keyboard.press("Shift+ArrowDown")
    expect(base).not_to_have_attribute("aria-label", re.compile(rf"at {right}; {far}"))
    rests(player, base)
    assert middle(base)[1] > y + 1
    assert middle(base)[0] == pytest.approx(x, abs=2)
    assert place(base)[0] > right


def test_a_replay_is_turned_too(player: Player) -> None:
    player.page.set_viewport_size(UPRIGHT)
    staged(player, battle())
    player.page.locator("body").press("Home")
    stands_upright(player)
    guard = player.page.locator(".bases .base.side-0").first
    (x, y), stood = middle(guard), place(guard)
    player.page.locator("body").press("End")
    expect(guard).not_to_have_attribute("aria-label", re.compile(rf"at {stood[0]}; {stood[1]}"))
    rests(player, guard)
    inches = edge(player)["width"] / battle()["table"]["depth"]
    now = place(guard)
    assert middle(guard)[0] - x == pytest.approx((now[1] - stood[1]) * inches, abs=NEAR)
    assert middle(guard)[1] - y == pytest.approx((now[0] - stood[0]) * inches, abs=NEAR)


def test_a_test_table_is_turned_too(player: Player) -> None:
    player.page.set_viewport_size(UPRIGHT)
    panel = laying(player, "e55", "5.5")
    wants(player, panel, 0, "keeper", 3)
    player.wait_for(TURNED)
    seen = edge(player)
    player.page.mouse.click(seen["x"] + 0.25 * seen["width"], seen["y"] + 0.5 * seen["height"])
    keepers = bases(player, "Keeper")
    expect(keepers).to_have_count(3)
    stands_upright(player)
    placed = [place(one) for one in keepers.all()]
    for x, y in placed:
        assert x == pytest.approx(0.5 * TABLE[0], abs=4)
        assert y == pytest.approx(0.25 * TABLE[1], abs=4)
