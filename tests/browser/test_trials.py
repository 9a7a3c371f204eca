"""A battle played on many times, at the page: from where it stands, and the turning point of one that is over."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.battles import begun, over, tokens
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.server.conftest import Served


def test_a_running_battle_is_played_many_times(served: Served, player: Player) -> None:
    begun(served, player, "me", "random")
    player.tab("side.table")
    part = player.page.get_by_role("region", name=player.say("trials.title"))
    part.get_by_label(player.say("trials.count")).select_option("100")
    for name in part.get_by_role("combobox", name=re.compile("^Bot")).all():
        name.select_option("random")
    part.get_by_role("button", name=player.say("trials.begin")).press("Enter")
    stop = part.get_by_role("button", name=player.say("trials.stop"))
    expect(stop.or_(part.get_by_text(player.say("trials.done", done=100, of=100))).first).to_be_visible()
    expect(part.get_by_text(player.say("trials.done", done=100, of=100))).to_be_visible()
    expect(part.get_by_role("row", name=re.compile(rf"^{player.say('trials.won')} \d+% \(\d+–\d+\)"))).to_be_visible()
    assert violations(player.page) == []
    player.page.reload()
    player.tab("side.table")
    expect(part.get_by_text(player.say("trials.done", done=100, of=100))).to_be_visible()


def test_many_times_are_stopped_half_way(served: Served, player: Player) -> None:
    begun(served, player, "me", "random")
    player.tab("side.table")
    part = player.page.get_by_role("region", name=player.say("trials.title"))
    part.get_by_role("button", name=player.say("trials.begin")).click()
    part.get_by_role("button", name=player.say("trials.stop")).click()
    expect(part.get_by_role("button", name=player.say("trials.begin"))).to_be_visible()
    expect(part.get_by_role("status")).to_have_text(re.compile(r"^\d{1,3} of 1000 played\.$"))


def test_the_turning_point_of_a_battle_leads_to_its_moment(served: Served, player: Player) -> None:
    made = over(served)
    player.sit(made.battle, tokens(made))
    part = player.page.get_by_role("region", name=player.say("turning.title"))
    part.get_by_role("button", name=player.say("turning.begin")).click()
    expect(part.get_by_role("progressbar")).to_be_visible()
    expect(part.get_by_role("progressbar")).to_have_count(0, timeout=240_000)
    expect(part.get_by_role("img")).to_be_visible()
    part.get_by_text(player.say("turning.each")).click()
    assert part.get_by_role("listitem").count() > 1
    assert violations(player.page) == []
    part.get_by_role("listitem").get_by_role("link").nth(1).click()
    player.page.wait_for_url(re.compile(r"/replay/\w+\?at=\d+$"))


def test_the_decisions_that_cost_most_lead_to_their_moments(served: Served, player: Player) -> None:
    """On the result card, and in the replay."""
    made = over(served)
    player.sit(made.battle, tokens(made))
    part = player.page.get_by_role("region", name=player.say("analysis.title"))
    part.get_by_role("button", name=player.say("analysis.begin")).press("Enter")
    expect(part.get_by_role("progressbar")).to_be_visible()
    expect(part.get_by_role("progressbar")).to_have_count(0, timeout=240_000)
    costly = part.get_by_role("listitem")
    assert 0 < costly.count() <= 5
    for word in ("analysis.played", "analysis.better", "analysis.why"):
        expect(costly.first.get_by_text(player.say(word), exact=True)).to_be_visible()
    assert violations(player.page) == []
    costly.first.get_by_role("link").press("Enter")
    player.page.wait_for_url(re.compile(r"/replay/\w+\?at=\d+$"))
    player.tab("side.analysis")
    expect(costly.first).to_be_visible()
    costly.last.get_by_role("link").click()
    assert violations(player.page) == []
