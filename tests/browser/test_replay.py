"""A battle played again: step by step, by phase, from a link, and on from any moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, expect

from campale.server.battle.draft import Created
from tests.browser.battles import over, tokens
from tests.browser.conftest import Sits
from tests.browser.player import Player
from tests.server.conftest import SHORT, Served


class Replay:
    """What one sees of a replay."""

    def __init__(self, player: Player, battle: str, seats: dict[int, str]) -> None:
        self.player = player
        player.sit(battle, seats)
        player.page.goto(f"/replay/{battle}")
        expect(self.scrubber).to_be_visible()

    @property
    def scrubber(self) -> Locator:
        return self.player.page.get_by_role("slider", name=self.player.say("replay.moment"))

    @property
    def count(self) -> Locator:
        """How far it is: ``3/120``. The journal tells dice like that."""
        return self.player.page.get_by_text(re.compile(rf"^\d+/{self.last}$"))

    @property
    def at(self) -> int:
        return int(self.count.inner_text().partition("/")[0])

    @property
    def last(self) -> int:
        return int(self.scrubber.get_attribute("max") or 0)

    def press(self, key: str) -> int:
        """Click a button; where one is then."""
        before = self.count.inner_text()
        self.player.button(f"keys.replay.{key}").click()
        expect(self.count).not_to_have_text(before)
        return self.at


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of these: nothing of what they look at changes."""
    server = Served(replace(SHORT, database=f"sqlite:///{tmp_path_factory.mktemp('replay')}/campale.db"))
    server.begin()
    yield server
    server.end()


@pytest.fixture(scope="module")
def finished(served: Served) -> Created:
    return over(served)


@pytest.fixture
def replay(finished: Created, player: Player) -> Replay:
    return Replay(player, finished.battle, tokens(finished))


def test_one_steps_on_and_back(replay: Replay) -> None:
    replay.scrubber.fill("0")
    assert [replay.press("on") for _ in range(3)] == [1, 2, 3]
    assert replay.press("back") == 2
    phase = replay.press("phase.on")
    assert phase > 2
    assert replay.press("phase.back") < phase
    replay.player.page.locator("body").press("End")
    expect(replay.count).to_have_text(f"{replay.last}/{replay.last}")
    expect(replay.player.page.get_by_role("status").first).to_be_visible()


def test_the_scrubber_shows_the_table_as_it_was(replay: Replay) -> None:
    table = replay.player.page.get_by_role("group", name=replay.player.say("board.title"))
    models = table.get_by_role("button")
    replay.scrubber.fill("0")
    expect(models).to_have_count(0)
    replay.scrubber.fill(str(replay.last // 2))
    assert replay.at == replay.last // 2
    expect(models).not_to_have_count(0)


def test_a_link_leads_to_the_moment(replay: Replay, sits: Sits) -> None:
    replay.scrubber.fill(str(replay.last // 2))
    replay.player.page.get_by_role("button", name=replay.player.say("replay.share")).click()
    replay.player.page.wait_for_url("**?at=*")
    other = sits()
    other.page.goto(replay.player.page.url)
    expect(other.page.get_by_text(replay.count.inner_text(), exact=True)).to_be_visible()


def test_one_plays_on_from_a_moment(replay: Replay) -> None:
    player, last = replay.player, replay.last
    replay.scrubber.fill(str(last // 3))
    player.page.get_by_role("button", name=player.say("replay.branch")).click()
    against = re.compile(f"^{player.say('replay.branch.against')}")
    player.page.get_by_role("combobox", name=against).select_option("random")
    player.button("replay.branch.go").click()
    player.page.wait_for_url("**/b/*")
    assert player.asked()
    player.go_on()
    expect(player.refusal).not_to_be_visible()


def test_the_luck_of_both_sides_is_told(replay: Replay) -> None:
    replay.player.tab("side.luck")
    panel = replay.player.page.get_by_role("tabpanel")
    expect(panel.get_by_role("table").first).to_be_visible()
    expect(panel).to_contain_text(replay.player.say("luck.expected"))
