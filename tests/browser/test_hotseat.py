"""Two at one screen: it is handed over at turns and for secrets."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect

from campale.screen.scene import scene
from tests.browser.battles import sat_down, tokens
from tests.browser.player import Player
from tests.server.conftest import Served, draft


def test_the_screen_is_handed_over(served: Served, player: Player) -> None:
    """Both are asked from the same page; what is secret is hidden until the other one says who he is."""
    sat_down(served, player, "me", "me")
    player.agree()
    handed: set[str] = set()
    card = player.page.get_by_role("heading", name="to choose")
    mine = player.page.get_by_role("button", name="I am ")
    for _ in range(600):
        expect(player.primary.or_(mine).first).to_be_visible()
        if mine.is_visible():
            expect(card).to_be_visible()
            expect(player.panel).to_have_count(0)
            expect(player.journal).to_be_visible()
            handed.add(mine.inner_text().strip())
            mine.click()
        elif not player.try_on():
            player.page.wait_for_timeout(50)
        if len(handed) == 2:
            break
    assert handed == {"I am P0", "I am P1"}
    expect(player.primary).to_be_visible()


class Hotseat:
    """Two at one page, with armies that are secret until they are placed."""

    def __init__(self, served: Served, player: Player) -> None:
        made = served.create(draft("e55", "me", "me", is_agreed=True))
        self.player = player
        self.live = served.hall.lives[made.battle]
        self.titles: dict[int, set[str]] = {0: set(), 1: set()}
        player.sit(made.battle, tokens(made))

    @property
    def mine(self) -> Locator:
        return self.player.page.get_by_role("button", name="I am ")

    def learned(self, side: int) -> None:
        """What the units are called that only this side knows of, as far as it is asked about them now."""
        question = self.live.question_of(side)
        titles: Any = [] if question is None else question.about.get("titles", [])
        self.titles[side] = {title["en"] for title in titles}

    def secrets(self, side: int) -> set[str]:
        """Those that the other side has nothing like, and that are not on the table."""
        game = self.live.game
        assert game is not None
        public = scene(game, None, "en")
        shown = " ".join([*(unit.name for unit in public.units), *(model.name for model in public.models)])
        return {one for one in self.titles[side] - self.titles[1 - side] if one not in shown}

    def shows(self, titles: set[str]) -> set[str]:
        """Which of them stand anywhere on the page, shown or not."""
        page = self.player.page.content()
        return {title for title in titles if re.search(rf"\b{re.escape(title)}\b", page)}

    def settled(self) -> None:
        expect(self.player.primary.or_(self.mine).first).to_be_visible()


def test_nothing_secret_of_one_is_on_the_page_while_the_other_decides(served: Served, player: Player) -> None:
    """The page shows what everybody may see until somebody says who he is, and again once the other is asked."""
    table = Hotseat(served, player)
    taken: list[int] = []
    looked = 0
    for _ in range(200):
        table.settled()
        if table.mine.is_visible():
            side = int(table.mine.inner_text()[-1])
            assert table.shows(table.secrets(0) | table.secrets(1)) == set()
            table.mine.click()
            expect(player.primary).to_be_visible()
            table.learned(side)
            assert table.shows(table.secrets(side)) == table.secrets(side), "his own he sees"
            assert table.shows(table.secrets(1 - side)) == set()
            looked += bool(table.secrets(side)) + bool(table.secrets(1 - side))
            taken.append(side)
        elif not player.try_on():
            player.page.wait_for_timeout(50)
        if len(taken) == 7:
            break
    assert set(taken) == {0, 1}
    assert looked > 4
    player.page.reload()
    table.settled()
    assert table.shows(table.secrets(0) | table.secrets(1)) == set()


def test_what_lies_under_the_veil_is_shown_and_covered_on_demand(served: Served, player: Player) -> None:
    table = Hotseat(served, player)
    table.settled()
    look = player.page.get_by_role("button", name=re.compile("^Show what only"))
    look.click()
    cover = player.button("veil.cover")
    expect(cover).to_be_visible()
    expect(player.primary).to_be_visible()
    cover.click()
    expect(look).to_be_visible()
    expect(player.primary).to_be_visible()
