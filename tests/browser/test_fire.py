"""Fire in one sheet: arrows on the table, targets by a click on a unit and on its target; what is answered is drawn."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Locator, expect

from tests.browser.battles import set_out
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.server.conftest import Served

TRIED = 8
"""So many enemies are clicked at most."""


def arrows(player: Player) -> Locator:
    return player.page.locator(".aims .arrow")


def aimed(player: Player) -> dict[str, str]:
    """By the first model of each unit that fires, at which model its arrow leads."""
    keys = [str(one.get_attribute("data-aim")) for one in arrows(player).all()]
    return dict(key.split(" ") for key in keys)


def to_the_sheet(served: Served, player: Player) -> None:
    set_out(served, player, "e55", "me", "random")
    heading = player.panel.get_by_role("heading", name="Which unit shoots")
    player.play(Random(4), heading.is_visible, often=0.0)
    expect(arrows(player).first).to_be_attached()


def test_fire_is_drawn_as_arrows_and_aimed_by_clicks(served: Served, player: Player) -> None:
    to_the_sheet(served, player)
    assert violations(player.page) == []
    before = aimed(player)
    assert len(before) == player.panel.locator("li.isLed").count()
    own = next(iter(before))
    base = player.page.locator(f".bases .base[data-row='{own}']")
    base.click(force=True)
    expect(player.panel.locator("li.isLed.isLooked")).to_be_in_viewport()
    outcomes = set[str]()
    for enemy in player.page.locator(".bases .base.side-1[tabindex='0']").all()[:TRIED]:
        row = enemy.get_attribute("data-row")
        if row == before[own]:
            continue
        base.click(force=True)
        enemy.click(force=True)
        arrow = player.page.locator(f".aims .arrow[data-aim='{own} {row}']")
        expect(arrow.or_(player.refusal).first).to_be_attached()
        if not player.refusal.is_visible():
            outcomes.add("aimed")
            break
        outcomes.add("refused")
        player.page.keyboard.press("Escape")
        expect(arrows(player).first).to_be_attached()
    assert "aimed" in outcomes, outcomes


def test_what_is_answered_is_drawn(served: Served, player: Player) -> None:
    """The way that an enemy declares to go is on the table while it is asked who reacts."""
    set_out(served, player, "ragnarok", "me", "script")
    asked = player.panel.get_by_role("heading", name="Who reacts?")
    drawn = player.page.locator(".announced .route").or_(arrows(player))
    player.play(Random(2), lambda: asked.is_visible() and drawn.count() > 0, often=0.0)
    expect(drawn.first).to_be_attached()
    assert asked.inner_text().count("declares") == 1
