"""Dice that lie on the players' own table, and clocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle

from playwright.sync_api import Locator, expect

from tests.browser.player import Player

TOLD = 8
"""So many rolls are told to the page."""


class Rolling:
    """Somebody who rolls on his own table, and tells the page what fell: each time in another way."""

    def __init__(self, player: Player) -> None:
        self.player, self.panel = player, player.panel
        self.faces = self.panel.get_by_role("group", name=player.say("ask.faces"))
        self.typed = self.panel.get_by_label(player.say("ask.type-faces"))
        self.ways = cycle((self.by_clicks, self.by_typing, self.by_second_thoughts))
        self.told: list[int] = []

    def lying(self) -> tuple[int, int]:
        """How many dice are told already, and how many there are."""
        done, count = re.findall(r"\d+", self.panel.locator(".lying .soft").inner_text())
        return int(done), int(count)

    def tell(self) -> None:
        """A roll, told: the page goes on once all of it is there, and the journal has it."""
        way: Callable[[int, int], None] = next(self.ways)
        face, count = 1 + len(self.told) % 6, self.lying()[1]
        way(face, count)
        expect(self.panel.locator(".lying .chip")).to_have_text([str(face)] * count)
        self.player.click(self.player.primary)
        expect(self.panel.locator(".lying .chip")).to_have_count(0)
        expect(self.player.journal.get_by_label(re.compile(rf"D6: ({face}, )*{face}\.")).first).to_be_attached()
        self.told.append(face)

    def by_clicks(self, face: int, count: int) -> None:
        for _ in range(count):
            self.faces.get_by_role("button", name=str(face), exact=True).click()

    def by_typing(self, face: int, count: int) -> None:
        self.typed.fill(" ".join([str(face)] * count))

    def by_second_thoughts(self, face: int, count: int) -> None:
        """The wrong face first, which is taken back."""
        self.by_clicks(7 - face, 1)
        self.panel.locator(".lying .chip").click()
        self.by_clicks(face, count)


def begun(player: Player) -> Locator:
    """A battle of two at one screen with real dice and clocks; the clocks."""
    player.new("Ragnarok")
    player.seat(0, "me")
    player.seat(1, "me")
    player.page.get_by_role("radio", name=player.say("new.dice.real")).check()
    player.page.get_by_role("checkbox", name=player.say("new.clocks.with")).check()
    player.page.get_by_label(player.say("new.clocks.minutes")).fill("30")
    player.page.get_by_label(player.say("new.clocks.reaction")).fill("600")
    player.create()
    player.agree()
    return player.page.get_by_title(player.say("seat.clock"))


def test_real_dice_are_told_and_clocks_run(player: Player) -> None:
    clocks = begun(player)
    rolling = Rolling(player)
    mine = player.page.get_by_role("button", name="I am ")
    for _ in range(400):
        expect(player.primary.or_(mine).first).to_be_visible()
        if mine.is_visible():
            mine.click()
        elif rolling.faces.is_visible():
            rolling.tell()
        elif not player.try_on():
            player.page.wait_for_timeout(50)
        if len(rolling.told) == TOLD:
            break
    assert len(rolling.told) == TOLD
    expect(clocks).to_have_count(2)
    left = clocks.all_inner_texts()
    assert all(re.fullmatch(r"(↩ )?\d+:\d\d", one) for one in left), left
    assert any(one != "30:00" for one in left), left
    assert player.errors == []
