"""Edition 3.m at the page: whole battles, and orders that the other side does not see before they are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, WebSocket, expect

from campale.conformance.budget import THOROUGH
from tests.browser.battles import tokens
from tests.browser.conftest import Sits
from tests.browser.errands import BEAT, allots, drags, plays_against_a_bot, plays_out, slides, sweeps, widens
from tests.browser.player import Player
from tests.server.conftest import Served, draft

BOOK, NAME = "e3m", "3.m"
QUIET = 5
ALONE = 50
"""So often one decides by mouse against a bot."""
OPEN = {"order-hidden", "order-halt"}
"""What is told of the units of the other side: whoever is out of command is on Halt, and that is shown."""


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes a minute of a machine that does nothing else."""
    return 900.0


def test_a_battle_by_mouse(served: Served, player: Player) -> None:
    needed = {"sweeps", "drags", "widens"}
    more: Any = {"seed": 5, "often": 0.1, "needed": needed, "by_mouse": ALONE}
    done = plays_against_a_bot(served, player, NAME, "random", sweeps, drags, widens, slides, allots, **more)
    assert needed <= done
    expect(player.over).to_be_visible()


class Heard:
    """All that a page was told by the server."""

    def __init__(self, player: Player) -> None:
        self.frames: list[dict[str, Any]] = []
        player.page.on("websocket", self.listen)

    def listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(json.loads(frame)))

    def orders(self, side: int) -> set[str]:
        """What was told of the orders of the units of a side."""
        units = [unit for frame in self.frames for unit in frame.get("units", ()) if unit["side"] == side]
        keys = {mark["key"] for unit in units for mark in unit.get("marks", ())}
        return {key for key in keys if key.startswith("order-")}


def gives(player: Player, order: str) -> None:
    """All units get the same order."""
    sheet = player.panel.get_by_role("group", name=player.say("ask.grid"))
    sheet.get_by_role("button", name=f"{player.say('ask.grid.rest')}: {order}").click()
    given = sheet.get_by_role("radio", name=order, exact=True)
    expect(given.and_(sheet.get_by_role("radio", checked=True))).to_have_count(given.count())
    expect(sheet).to_have_attribute("aria-busy", "false")
    player.go_on()


ORDERS = """
campale: scenario/1
ruleset: e3m
title: {en: Orders}
models:
  - {id: Warden, profile: line-warden, at: [20, 10], marks: {leads: 1}}
  - {id: Second, profile: line-warden, at: [30, 10]}
  - {id: Clan, profile: scrapper, side: 2, at: [22, 46], marks: {leads: 2}}
now: {phase: command, begun: 0}
units: {Second: {marks: {group: 1}}}
goal:
  text: {en: Give orders.}
  expect: {models: {Warden: {near: [20, 29, 3.5]}}}
  until: {phase: declarations}
solution:
  - answer: [march, march]
  - until: {side: 1, prompt: movement-element}
  - answer: 1
  - answer: Warden
  - answer: [[[[20, 27]], null]]
"""

GOES_ON = """sheet => {
    const button = document.querySelector('button[aria-keyshortcuts=Enter]:not(:disabled)');
    if (document.querySelector(`[role=group][aria-label="${sheet}"]`) || !button) return false;
    button.click();
    return true;
}"""
"""Presses the large button, but not that of the sheet of orders: both are looked for at the same moment."""


def to_the_sheets(players: list[Player], sheets: list[Locator]) -> None:
    """Whoever is asked decides, until nobody is asked but for orders."""
    quiet = 0
    while quiet < QUIET:
        went_on = [one.page.evaluate(GOES_ON, one.say("ask.grid")) for one in players]
        quiet = quiet + 1 if not any(went_on) and any(sheet.is_visible() for sheet in sheets) else 0
        players[0].page.wait_for_timeout(BEAT)


def test_nobody_confirms_a_sheet_that_is_not_shown_yet(player: Player, tmp_path: Path) -> None:
    """The sheet is loaded when it is asked for the first time; until it is there, Enter gives no orders unseen."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    player.page.route("**/assets/Grid-*.js", hold)
    orders = tmp_path / "orders.yaml"
    orders.write_text(ORDERS, encoding="utf-8")
    player.page.goto("/puzzles")
    with player.page.expect_request("**/assets/Grid-*.js"):
        player.page.locator("input[type=file]").set_input_files(orders)
    while not held:
        player.page.wait_for_timeout(BEAT)
    expect(player.primary).to_be_disabled()
    player.page.keyboard.press("Enter")
    expect(player.panel.get_by_role("group", name=player.say("ask.grid"))).to_have_count(0)
    for one in held:
        one.continue_()
    expect(player.panel.get_by_role("group", name=player.say("ask.grid"))).to_be_visible()
    expect(player.primary).to_be_enabled()


def test_two_play_by_link_and_nobody_sees_an_order_that_is_not_shown(served: Served, sits: Sits) -> None:
    made = served.create(draft(BOOK, "me", "me"))
    players = [sits(), sits()]
    heard = [Heard(one) for one in players]
    for side, one in enumerate(players):
        one.sit(made.battle, {side: tokens(made)[side]})
        one.agree()
    sheets = [one.panel.get_by_role("group", name=one.say("ask.grid")) for one in players]
    to_the_sheets(players, sheets)
    asked = [side for side, sheet in enumerate(sheets) if sheet.is_visible()]
    for side in asked:
        gives(players[side], ("March", "Ready")[side])
    for side in asked:
        own, other = ("march", "ready")[side], 1 - side
        expect(players[side].page.locator(f"[data-mark$=order-{own}]").first).to_be_visible()
        expect(players[other].page.locator("[data-mark$=order-hidden]").first).to_be_visible()
        assert heard[other].orders(side) <= OPEN
        assert f"order-{own}" not in json.dumps(heard[other].frames)
    if THOROUGH:
        plays_out(served, *players)
