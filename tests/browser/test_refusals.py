"""What the book forbids is refused in words, with its rule, and shown on the table."""

from __future__ import annotations

from random import Random

from playwright.sync_api import FloatRect, Locator, expect

from tests.browser.battles import deploying
from tests.browser.player import Player
from tests.browser.refusing import refused
from tests.server.conftest import Served


def test_a_refusal_says_why_by_which_rule_and_where(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    refusal = refused(player)
    expect(player.primary).to_be_disabled()
    text = refusal.get_by_role("paragraph").first.inner_text().removeprefix("✗").strip()
    assert len(text.split()) > 5
    table = player.page.get_by_role("region", name=player.say("table.board"))
    expect(table.get_by_text(player.say("board.problem.outside"))).to_be_visible()
    rule = refusal.get_by_role("button").first
    title = rule.inner_text()
    rule.click()
    reader = player.page.get_by_role("complementary", name=player.say("rule.reader"))
    expect(reader.get_by_role("heading", name=title)).to_be_visible()
    reader.get_by_role("button", name=player.say("app.close")).click()
    expect(reader).not_to_be_visible()


def test_a_place_that_is_refused_is_brought_into_view(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    refusal = refused(player)
    for _ in range(4):
        player.page.get_by_role("button", name=player.say("board.closer")).click()
    table = player.page.get_by_role("group", name=player.say("board.title"))
    before = table.get_attribute("viewBox")
    refusal.get_by_role("button", name=player.say("ask.show-where")).click()
    expect(table).not_to_have_attribute("viewBox", before or "")


def test_what_was_refused_can_be_put_right(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    refused(player)
    player.panel.get_by_role("button", name=player.say("ask.cancel")).click()
    expect(player.refusal).not_to_be_visible()
    asked = player.panel.get_by_role("heading").first.inner_text()
    player.go_on()
    player.primary.click()
    expect(player.panel.get_by_role("heading").first).not_to_have_text(asked)


def settled(player: Player, option: Locator) -> FloatRect | None:
    """Where an option lies once the panel is laid out: some parts of it are loaded when they are wanted first."""
    boxes = [option.bounding_box()]
    while len(boxes) < 50 and (len(boxes) < 4 or any(box != boxes[-1] for box in boxes[-4:])):
        player.page.wait_for_timeout(150)
        boxes.append(option.bounding_box())
    return boxes[-1]


def test_an_option_that_is_pointed_at_stays_under_the_pointer(served: Served, player: Player) -> None:
    """Whom it is about is marked on the table; the panel is laid out as before."""
    deploying(served, player, "me", "random")
    player.play(Random(0), lambda: player.options.count() > 2, often=0.0)
    for option in player.options.all()[:4]:
        before = settled(player, option)
        option.hover()
        player.page.wait_for_timeout(100)
        assert option.bounding_box() == before
