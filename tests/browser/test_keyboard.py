"""A whole battle by keyboard alone, from the first page on; what is typed before the page is ready for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from playwright.sync_api import Locator, Route, expect

from tests.browser.battles import deploying
from tests.browser.conftest import WAIT
from tests.browser.forces import FEW, file_of
from tests.browser.player import MOST, Player
from tests.server.conftest import Served

COUNT = """
window.pointed = 0;
for (const kind of ['pointerdown', 'mousedown', 'touchstart', 'wheel'])
  addEventListener(kind, () => window.pointed++, true);
addEventListener('pointermove', one => window.pointed += one.clientX || one.clientY ? 1 : 0, true);
"""
"""Chromium itself now and then moves a pointer that nobody touched from the corner to the corner."""

FAR = 300
"""So many stops of Tab no page has."""


def go_to(player: Player, where: Locator) -> None:
    """By Tab until it is there."""
    expect(where).to_be_visible()
    for _ in range(FAR):
        if where.evaluate("one => one === document.activeElement"):
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {where}")


def check(player: Player, side: int, key: str) -> None:
    """One of the radio buttons that say who plays: Tab to the group, the arrows within it."""
    group = player.page.get_by_role("group", name=player.say(f"side.{side}"), exact=True)
    who = group.get_by_role("radiogroup", name=player.say("new.who"))
    go_to(player, who.get_by_role("radio", checked=True))
    wanted = who.get_by_role("radio", name=player.say(key), exact=True)
    for _ in range(3):
        if not wanted.is_checked():
            player.page.keyboard.press("ArrowRight")
    expect(wanted).to_be_checked()


def bring(player: Player, side: int) -> None:
    """The file itself is chosen by whoever listens: outside the page."""
    group = player.page.get_by_role("group", name=player.say(f"side.{side}"), exact=True)
    go_to(player, group.locator("input[type=file]"))
    player.page.keyboard.press("Enter")
    expect(group.get_by_text(player.say("force.own"))).not_to_be_visible()


def set_up(player: Player, tmp_path: Path) -> None:
    """Who chooses files listens from the start: a chooser opens at once, and one who begins to listen then is late."""
    press = player.page.keyboard.press
    files = iter([file_of(one, tmp_path) for one in FEW])
    player.page.on("filechooser", lambda chooser: chooser.set_files(next(files)))
    player.page.goto("/")
    go_to(player, player.page.locator('a.button[href="/new?book=ragnarok"]'))
    press("Enter")
    extermination = player.page.get_by_role("radio", name="Extermination")
    go_to(player, player.page.get_by_role("region", name="Mission").get_by_role("radio", checked=True))
    while not extermination.is_checked():
        press("ArrowDown")
    check(player, 0, "new.seat.me")
    bring(player, 0)
    check(player, 1, "new.seat.bot")
    go_to(player, player.page.get_by_label(player.say("new.strength")))
    press("ArrowDown")
    bring(player, 1)
    go_to(player, player.button("new.create"))
    press("Enter")
    player.page.wait_for_url("**/b/*")
    go_to(player, player.button("waiting.agree"))
    press("Enter")


def decide(player: Player, rng: Random) -> None:
    """Enter takes what is proposed, a digit another option, Esc goes back from what is refused."""
    press = player.page.keyboard.press
    if not player.ready():
        press("Escape")
    elif rng.random() < 0.3 and (count := player.options.count()):
        press(str(1 + rng.randrange(min(9, count))))
    else:
        press("Enter")


def test_a_whole_battle_by_keyboard_alone(player: Player, tmp_path: Path) -> None:
    player.page.add_init_script(COUNT)
    set_up(player, tmp_path)
    rng = Random(3)
    for _ in range(MOST):
        if not player.asked():
            break
        decide(player, rng)
    expect(player.over).to_be_visible()
    assert player.page.evaluate("window.pointed") == 0


def held_back(player: Player, piece: str) -> Callable[[], None]:
    """A piece of the page does not come before what is returned is called."""
    waiting: list[Route] = []
    address = re.compile(rf"/assets/{piece}-[^/]+\.js$")

    def hold(route: Route) -> None:
        waiting.append(route)

    def come() -> None:
        for _ in range(WAIT // 20):
            if waiting:
                return waiting.pop().continue_()
            player.page.wait_for_timeout(20)
        raise AssertionError(f"nobody asks for {piece}")

    player.page.route(address, hold)
    return come


def test_what_is_typed_while_the_command_line_is_on_its_way_is_kept(served: Served, player: Player) -> None:
    come = held_back(player, "CommandLine")
    deploying(served, player, "me", "random")
    player.command("help")
    player.page.keyboard.type("pla")
    come()
    expect(player.page.get_by_placeholder(player.say("ask.command-hint"))).to_have_value("pla")
    expect(player.button("ask.what-can-i-do")).to_have_attribute("aria-expanded", "true")
    player.page.keyboard.type("ce")
    expect(player.page.get_by_placeholder(player.say("ask.command-hint"))).to_have_value("place")


def test_escape_leaves_a_command_line_that_is_on_its_way(served: Served, player: Player) -> None:
    come = held_back(player, "CommandLine")
    deploying(served, player, "me", "random")
    player.page.keyboard.press("/")
    expect(player.page.get_by_role("textbox", name=player.say("ask.command"))).to_be_focused()
    player.page.keyboard.press("Escape")
    expect(player.page.get_by_role("textbox", name=player.say("ask.command"))).to_have_count(0)
    come()
    player.command("help")
    expect(player.button("ask.what-can-i-do")).to_have_attribute("aria-expanded", "true")


def test_a_tab_that_was_clicked_leaves_enter_to_the_question(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    propose = re.compile(player.say("ask.propose.place"))
    expect(player.primary).to_have_text(propose)
    player.tab("side.units")
    player.tab("side.journal")
    player.page.keyboard.press("Enter")
    expect(player.primary).not_to_have_text(propose)


def test_settings_that_were_clicked_open_leave_enter_to_the_question(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    propose = re.compile(player.say("ask.propose.place"))
    expect(player.primary).to_have_text(propose)
    opened = player.page.get_by_role("dialog", name=player.say("settings.title"))
    player.button("app.settings").click()
    expect(opened).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(player.button("app.settings")).not_to_be_focused()
    expect(player.primary).to_be_enabled()
    player.page.keyboard.press("Enter")
    expect(player.primary).not_to_have_text(propose)
    expect(opened).to_have_count(0)


def test_settings_that_were_opened_by_key_leave_enter_to_the_question(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    propose = re.compile(player.say("ask.propose.place"))
    expect(player.primary).to_have_text(propose)
    opened = settings_by_key(player)
    expect(player.button("app.settings")).not_to_be_focused()
    player.page.keyboard.press("Enter")
    expect(player.primary).not_to_have_text(propose)
    expect(opened).to_have_count(0)


def test_settings_that_were_opened_by_key_give_the_focus_back(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    before = player.page.get_by_role("tab", name=player.say("side.units"))
    before.focus()
    settings_by_key(player)
    expect(before).to_be_focused()


def settings_by_key(player: Player) -> Locator:
    """Open the settings and close them, both by key; return the place of their dialog."""
    opened = player.page.get_by_role("dialog", name=player.say("settings.title"))
    player.button("app.settings").focus()
    player.page.keyboard.press("Enter")
    expect(opened).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    return opened


def test_the_journal_stays_at_its_last_line_when_less_of_it_is_shown(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    player.page.set_viewport_size({"width": 1400, "height": 560})
    player.go_on()
    player.ready()
    player.page.set_viewport_size({"width": 1400, "height": 460})
    left = "one => one.scrollHeight - one.scrollTop - one.clientHeight"
    for _ in range(FAR):
        if player.journal.evaluate(left) < 1:
            break
        player.page.wait_for_timeout(10)
    assert player.journal.evaluate(left) < 1
    expect(player.button("journal.end")).to_have_count(0)
