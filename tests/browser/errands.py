"""What a person does in a battle besides clicking on: each is done where it can be, and says whether it was."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextlib import ExitStack, suppress
from random import Random

from playwright.sync_api import Locator, expect

from campale.conformance.budget import THOROUGH
from tests.browser.player import MOST, SOON, Player
from tests.server.conftest import Served
from tests.server.page import Page, all_play

Errand = Callable[[Player], bool]

BEAT = 200
"""After so many milliseconds a question that was answered is there no more."""

CATCHING_UP = 150_000
"""Milliseconds in which a page shows the end of a battle that is played elsewhere without a pause."""


def each(player: Player, *errands: Errand) -> tuple[Callable[[], bool], set[str]]:
    """What ``Player.play`` looks for at each question, and the names of what has been done so far.

    Where an errand could not be done it is not tried again: to look for it may open what has to be closed again.
    """
    left, done = list(errands), set[str]()
    in_vain = set[tuple[Errand, str]]()

    def look() -> bool:
        if left and player.ready():
            asked = player.panel.inner_text()
            for one in left:
                if (one, asked) not in in_vain and one(player):
                    left.remove(one)
                    done.add(one.__name__)
                    break
                in_vain.add((one, asked))
        return False

    return look, done


def plays_against_a_bot(
    served: Served,
    player: Player,
    book: str,
    strength: str,
    *errands: Errand,
    seed: int,
    often: float,
    needed: set[str],
    by_mouse: float = math.inf,
    set_up: Callable[[], None] = lambda: None,
) -> set[str]:
    """A battle by mouse, from its being created to its end; the names of the errands that could be done.

    ``needed``: the errands that are waited for. ``by_mouse``: after so many decisions, and what is needed, the rest is
    answered by no page, if not all is to be tried. ``set_up``: what else is chosen than book and seats.
    """
    player.new(book)
    set_up()
    player.seat(1, "bot").get_by_label(player.say("new.strength")).select_option(strength)
    player.create()
    player.agree()
    look, done = each(player, *errands)
    most = math.inf if THOROUGH else by_mouse
    player.play(Random(seed), lambda: look() or (player.decisions >= most and needed <= done), often=often)
    if not player.over.is_visible():
        plays_out(served, player)
    return done


def plays_by_a_link(
    served: Served, host: Player, guest: Player, book: str, each: int, set_up: Callable[[], None] = lambda: None
) -> None:
    """A battle between two who are far apart, from its being created to its end.

    Each decides so often by mouse; the rest is answered by no page. ``set_up``: what the host chooses besides book and
    seats.
    """
    host.new(book)
    host.seat(0, "me").get_by_label(host.say("new.name")).fill("Ada")
    host.seat(1, "link")
    set_up()
    host.create()
    guest.page.goto(host.page.get_by_label(host.say("copy.link")).input_value())
    guest.page.get_by_label(guest.say("new.name")).fill("Ben")
    guest.button("join.join").click()
    for one in (host, guest):
        one.agree()
    decide_both(host, guest, each)
    plays_out(served, host, guest)


def last_line(player: Player) -> str:
    return player.journal.inner_text().splitlines()[-1]


def decide_both(host: Player, guest: Player, each: int) -> None:
    """Whoever is asked decides, until both have decided so often."""
    for _ in range(MOST):
        if min(host.decisions, guest.decisions) >= each:
            return
        if not any(one.try_on() for one in (host, guest)):
            host.page.wait_for_timeout(BEAT)
    raise AssertionError("one of them is not asked")


def plays_out(served: Served, *players: Player) -> None:
    """The rest of a battle is answered for them, and they come back to what is over.

    If all is to be tried, the first looks on until the end.
    """
    battle, back = players[0].battle, [one.page.url for one in players]
    tokens = [one.token(battle) for one in players]
    away = players[1:] if THOROUGH else players
    for one in away:
        one.page.goto("about:blank")
    with ExitStack() as stack:
        all_play([stack.enter_context(Page(served.address, battle, token)) for token in tokens])
    for one, url in zip(players, back, strict=True):
        if one in away:
            one.page.goto(url)
        expect(one.over).to_be_visible(timeout=CATCHING_UP)


def drags(player: Player) -> bool:
    """Drag what is to be moved over the table, see how much of its way that takes, and let it move like this."""
    if not player.help("move").is_visible():
        return False
    name = player.first_moved()
    meter = player.panel.get_by_role("meter")
    for _ in range(5):
        player.drag(player.base(name), 0, -40 if player.is_low(name) else 40)
        with suppress(AssertionError):
            expect(meter).not_to_have_attribute("aria-valuenow", "0", timeout=SOON)
            break
    expect(meter).not_to_have_attribute("aria-valuenow", "0")
    player.go_on()
    return True


def drags_again(player: Player) -> bool:
    return drags(player)


def aims_elsewhere(player: Player) -> bool:
    """On a sheet with all that is aimed: at another target than is proposed."""
    if not player.panel.get_by_role("group", name=player.say("ask.all-at")).is_visible():
        return False
    return chooses_in_a_row(player) or changes_a_row(player)


def fires(player: Player) -> bool:
    """On the sheet with the fire of the army, within it that of a unit: a weapon is used otherwise than is proposed."""
    fire = re.compile(": fire$")
    unit = player.panel.get_by_role("button", name=player.say("ask.change"))
    if not (player.panel.get_by_text(fire).first.is_visible() and unit.first.is_visible()):
        return False
    unit.first.click()
    with suppress(AssertionError):  # of a unit with a single weapon it is asked at once at whom
        expect(player.panel.get_by_role("heading", name=fire)).to_be_visible(timeout=SOON)
    return chooses_in_a_row(player) or changes_a_row(player) or chooses_from_the_list(player)


def chooses_from_the_list(player: Player) -> bool:
    """Another of what is listed than the first; the sheet that it belongs to is confirmed with it."""
    if player.options.count() < 2:
        return False
    player.options.nth(1).click()
    player.go_on()
    return True


def chooses_in_a_row(player: Player) -> bool:
    """The same, where there is so much to choose from that it is folded up."""
    row = player.panel.get_by_role("combobox").first
    if not row.is_visible():
        return False
    other = row.get_by_role("option", selected=False).first.get_attribute("value")
    row.select_option(other)
    expect(row).to_have_value(other or "")
    player.go_on()
    return True


def changes_a_row(player: Player) -> bool:
    """Take what is not taken in a row of a sheet, see that it is, and confirm all of it."""
    other = player.page.get_by_role("radio", checked=False)
    some = player.panel.get_by_role("radiogroup").filter(has=other).first
    if not some.is_visible():
        return False
    row = player.panel.get_by_role("radiogroup", name=some.get_attribute("aria-label"), exact=True)
    name = " ".join(row.get_by_role("radio", checked=False).first.inner_text().split())
    row.get_by_role("radio", name=name, exact=True).click()
    expect(row.get_by_role("radio", name=name, exact=True)).to_be_checked()
    player.go_on()
    return True


def allots(player: Player) -> bool:
    """Give a wound to another than is proposed."""
    more = player.panel.get_by_role("button", name=re.compile("one more of"), disabled=False)
    if not more.count():
        return False
    who = more.last.get_attribute("aria-label")
    holder = player.panel.get_by_role("listitem").filter(has=player.page.get_by_role("button", name=who, exact=True))
    before = int(holder.get_by_role("status").inner_text())
    holder.get_by_role("button", name=who, exact=True).click()
    expect(holder.get_by_role("status")).to_have_text(str(before + 1))
    player.go_on()
    return True


def sweeps(player: Player) -> bool:
    """On the sheet of orders: the first unit by itself, all the rest at once, then a group; and see that they are."""
    sheet = player.panel.get_by_role("group", name=player.say("ask.grid"))
    if not sheet.is_visible():
        return False
    rows = sheet.get_by_role("radiogroup")
    first, last = rows.first.get_by_role("radio"), rows.last.get_by_role("radio")
    first.nth(2).check()
    expect(first.nth(2)).to_be_checked()
    rest = re.compile(f"^{player.say('ask.grid.rest')}: ")
    sheet.get_by_role("button", name=rest).nth(1).click()
    expect(last.nth(1)).to_be_checked()
    expect(first.nth(2)).to_be_checked()
    group = sheet.get_by_role("button", name=re.compile("^Group [0-9]+: ")).first
    group.click()
    expect(sheet).to_have_attribute("aria-busy", "false")
    expect(sheet.get_by_role("radio", checked=True)).to_have_count(rows.count())
    player.go_on()
    return True


def stays(player: Player, what: Locator) -> bool:
    """Whether something is there, and not only until the next question comes."""
    if not what.is_visible():
        return False
    player.page.wait_for_timeout(BEAT)
    return what.is_visible()


def widens(player: Player) -> bool:
    """A fire area is made narrower by its handle and moved by its centre, and is told anew; then as it was proposed."""
    change = player.panel.get_by_role("button", name=re.compile("⌀"))
    if not stays(player, change):
        return False
    change.click()
    circle, edge = (
        player.page.locator("[data-size]"),
        player.page.get_by_role("slider", name=player.say("ask.diameter")),
    )
    expect(player.page.locator("[data-by]").first).to_be_attached()
    wide = float(circle.get_attribute("data-size") or 0)
    player.drag(edge, 30, 0)
    player.drag(edge, -200, 0)
    expect(circle).to_have_attribute("data-size", "1")
    player.panel.get_by_role("spinbutton", name=player.say("ask.diameter")).fill(str(wide))
    player.page.keyboard.press("Tab")
    expect(circle).to_have_attribute("data-size", f"{wide:g}")
    player.go_on()
    expect(change).to_be_visible()
    player.go_on()
    return True


def slides(player: Player) -> bool:
    """Somebody who may fire at whoever is on his way does: the bead is dragged along the route, and by keys."""
    question = player.panel.get_by_role("heading", name=re.compile("on its way"))
    if not stays(player, question) or player.options.count() < 2:
        return False
    player.options.nth(1).click()
    bead = player.page.get_by_role("slider", name=player.say("ask.along-far")).and_(player.page.locator("g"))
    expect(bead).to_be_visible()
    player.go_on()
    before = float(bead.get_attribute("data-length") or 0)
    bead.press("ArrowLeft")
    bead.press("ArrowRight")
    expect(bead).to_have_attribute("data-length", re.compile(rf"^{before:.1f}"))
    player.drag(bead.locator("circle"), 3, 3)
    player.go_on()
    return True
