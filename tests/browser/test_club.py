"""A club on the page: come by invitation, sign in, have a battle count, organise, leave."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.battles import few
from tests.browser.conftest import Sits
from tests.browser.player import Player
from tests.browser.test_axe import violations, violations_in_both_themes
from tests.server.club.people import PHRASE
from tests.server.conftest import Served


def invited(served: Served, role: str = "member") -> str:
    """The way into the club."""
    return f"/club/come/{served.hall.club.members.invite(role, 7)}"


def comes(player: Player, way: str, name: str, phrase: str = PHRASE) -> Player:
    page = player.page
    page.goto(way)
    page.get_by_label(player.say("new.name"), exact=True).fill(name)
    choose(player, phrase)
    player.button("club.come.enter").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    return player


def choose(player: Player, phrase: str) -> None:
    player.page.get_by_label(player.say("club.phrase.new")).fill(phrase)
    player.page.get_by_label(player.say("club.phrase.again")).fill(phrase)


def signs_in(player: Player, name: str, phrase: str = PHRASE) -> None:
    player.page.goto("/club")
    player.page.get_by_label(player.say("new.name"), exact=True).fill(name)
    player.page.get_by_label(player.say("club.phrase"), exact=True).fill(phrase)
    player.button("club.sign-in").click()


def region(player: Player, key: str) -> Locator:
    return player.page.get_by_role("region", name=player.say(key), exact=True)


def sound(page: Page) -> None:
    """Everybody can use it, in both themes, and on a narrow screen nothing sticks out."""
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    wide, seen = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= seen
    page.set_viewport_size({"width": 1400, "height": 900})


def test_without_a_club_the_page_says_how_one_begins(player: Player) -> None:
    player.page.goto("/")
    expect(player.heading("home.title")).to_be_visible()
    expect(player.page.get_by_role("link", name=player.say("home.club"))).to_have_count(0)
    player.page.goto("/club")
    expect(player.page.get_by_text(player.say("club.nobody"))).to_be_visible()
    assert violations(player.page) == []


def test_an_organiser_invites_and_a_member_comes_by_the_link(served: Served, sits: Sits) -> None:
    ada, bo = sits(), sits()
    comes(ada, invited(served, "organiser"), "Ada")
    ada.page.get_by_role("link", name=ada.say("club.organise")).click()
    ada.page.get_by_label(ada.say("club.invite.note")).fill("Bo, from Tuesday")
    ada.button("club.invite").click()
    link = ada.page.get_by_label(ada.say("copy.link")).input_value()
    expect(region(ada, "club.invitations")).to_contain_text("Bo, from Tuesday")
    sound(ada.page)
    bo.page.goto(link)
    expect(bo.heading("club.come")).to_be_visible()
    sound(bo.page)
    comes(bo, link, "Bo")
    sound(bo.page)
    ada.page.reload()
    expect(region(ada, "club.members").get_by_role("row")).to_have_count(3)
    expect(region(ada, "club.invitations")).not_to_contain_text("Bo, from Tuesday")
    bo.page.goto("/club/organise")
    expect(bo.page.get_by_text(bo.say("club.organisers"))).to_be_visible()


def test_who_signs_out_signs_in_again(served: Served, player: Player) -> None:
    comes(player, invited(served), "Ada")
    player.button("club.sign-out").click()
    expect(player.button("club.sign-in")).to_be_visible()
    sound(player.page)
    player.page.get_by_label(player.say("new.name"), exact=True).fill("Ada")
    player.page.get_by_label(player.say("club.phrase"), exact=True).fill("not that one")
    player.button("club.sign-in").click()
    expect(player.page.get_by_role("alert")).to_contain_text("do not belong together")
    player.errors.clear()
    signs_in(player, "ada")
    expect(player.page.get_by_role("heading", level=1)).to_contain_text("Ada")
    player.page.goto("/")
    expect(player.page.get_by_role("link", name=f"{player.say('home.club')}: Ada")).to_be_visible()


def test_a_battle_by_link_counts_for_both_and_the_ladder_shows_it(served: Served, sits: Sits) -> None:
    ada, bo = (comes(sits(), invited(served), name) for name in ("Ada", "Bo"))
    made = served.create(few("link", "link"))
    for one, seat in zip((ada, bo), made.seats, strict=True):
        one.page.goto(f"/join/{seat.join}")
        expect(one.page.get_by_label(one.say("club.count", name="Ada" if one is ada else "Bo"))).to_be_checked()
        one.button("join.join").click()
        one.page.wait_for_url("**/b/*")
    tokens = [
        json.loads(one.page.evaluate("localStorage.getItem('campale.seats')"))[made.battle][0]["token"]
        for one in (ada, bo)
    ]
    for one in (ada, bo):
        one.page.goto("/club")
        expect(region(one, "club.battles").get_by_text("Ada – Bo")).to_be_visible()
    with served.page(made, token=tokens[0]) as first, served.page(made, token=tokens[1]) as second:
        for page in (first, second):
            page.until("state")
            page.agree()
        assert first.reply(do="concede")["is"] == "done"
    ada.page.reload()
    ladder = region(ada, "club.ladder")
    expect(ladder.get_by_role("row", name="1 Bo 1512 1 0 0")).to_be_visible()
    expect(ladder.get_by_role("row", name="2 Ada 1488 0 0 1")).to_be_visible()
    sound(ada.page)
    expect(ada.page.get_by_role("button", name=re.compile(ada.say("club.let-go")))).to_have_count(0)


def test_a_battle_that_is_not_to_count_does_not(served: Served, player: Player) -> None:
    comes(player, invited(served), "Ada")
    made = served.create(few("me", "link"))
    player.page.goto(f"/join/{made.seats[1].join}")
    player.page.get_by_label(player.say("club.count", name="Ada")).uncheck()
    player.button("join.join").click()
    player.page.wait_for_url("**/b/*")
    player.page.goto("/club")
    player.page.get_by_role("button", name=player.say("club.count.what", title="")).click()
    player.page.get_by_role("button", name=player.say("club.let-go.what", title="")).click()
    expect(player.heading("club.battles.others")).to_be_visible()


def test_ones_data_is_saved_and_the_account_deleted(served: Served, player: Player) -> None:
    comes(player, invited(served), "Ada")
    with player.page.expect_download() as saving:
        player.button("club.data").click()
    with open(saving.value.path(), encoding="utf-8") as file:
        assert json.load(file)["account"]["name"] == "Ada"
    player.page.get_by_text(player.say("club.leave"), exact=True).click()
    player.page.get_by_label(player.say("club.phrase"), exact=True).fill(PHRASE)
    expect(player.button("club.leave.now")).to_be_disabled()
    player.page.get_by_label(player.say("club.leave.sure")).check()
    player.button("club.leave.now").click()
    expect(player.heading("club.title")).to_be_visible()
    assert not served.hall.club.members.are_there()


def test_the_club_in_italian(served: Served, player: Player) -> None:
    comes(player, invited(served, "organiser"), "Ada")
    player.page.get_by_role("button", name="Italiano").click()
    player.language = "it"
    expect(player.heading("club.battles")).to_be_visible()
    expect(player.page.get_by_text(player.say("club.role.organiser"))).to_be_visible()
    player.page.get_by_role("link", name=player.say("club.organise")).click()
    expect(player.heading("club.members")).to_be_visible()
    assert violations(player.page) == []
