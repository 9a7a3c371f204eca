"""A season on the page: made, entered, paired, played here or said by both, told in standings, printed."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.battles import few
from tests.browser.conftest import Sits
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.browser.test_club import comes, invited, region, sound
from tests.server.conftest import Served
from tests.server.page import Page

RULEBOOK = "Union Wars: Ragnarok"
ANY = re.compile(r"^[\d.]+$")


def makes(player: Player, title: str, points: str = "") -> str:
    """A season of two rounds, entered by who makes it; its address."""
    player.page.goto("/club")
    player.page.get_by_role("link", name=player.say("season.new")).click()
    player.page.get_by_label(player.say("season.title")).fill(title)
    player.page.get_by_label(player.say("new.book")).select_option(label=RULEBOOK)
    player.page.get_by_label(player.say("season.rounds")).fill("2")
    player.page.get_by_label(player.say("season.size")).fill(points)
    player.page.get_by_text(player.say("season.missions"), exact=True).click()
    player.page.get_by_label(player.say("season.mission.of", number=2)).select_option(label="Extermination")
    sound(player.page)
    player.button("season.make").click()
    player.page.wait_for_url("**/club/seasons/*")
    player.button("season.enter").click()
    expect(player.button("season.withdraw")).to_be_visible()
    return player.page.url


def enters(player: Player, title: str) -> None:
    player.page.goto("/club")
    player.page.get_by_role("link", name=title).click()
    player.button("season.enter").click()
    expect(player.button("season.withdraw")).to_be_visible()


def pairs(player: Player, number: int, day: str = "") -> None:
    player.page.reload()
    player.page.get_by_label(player.say("season.deadline")).fill(day)
    player.button("season.pair", number=number).click()
    expect(player.heading("season.round", number=number)).to_be_visible()


def line(player: Player, title: str, round_: int) -> Locator:
    at = player.page.get_by_role("region", name=player.say("season.round", number=round_), exact=True)
    return at.get_by_role("listitem").filter(has_text=title)


def stands(player: Player, name: str, *values: str) -> None:
    """Place, points, and battles played, won, drawn and lost of a player in the standings."""
    row = region(player, "season.standings").get_by_role("row").filter(has_text=name)
    expect(row.get_by_role("cell")).to_have_text([*values, ANY, ANY])


def played_here(served: Served, one: Player, two: Player) -> None:
    """A battle by link in which both let it count, and the first concedes."""
    made = served.create(few("link", "link"))
    tokens = []
    for player, seat in zip((one, two), made.seats, strict=True):
        player.page.goto(f"/join/{seat.join}")
        expect(player.page.get_by_role("checkbox")).to_be_checked()
        player.button("join.join").click()
        player.page.wait_for_url("**/b/*")
        tokens.append(player.page.evaluate(f"JSON.parse(localStorage['campale.seats'])['{made.battle}'][0].token"))
        player.page.goto("/club")
    with served.page(made, token=tokens[0]) as first, served.page(made, token=tokens[1]) as second:
        for page in (first, second):
            page.until("state")
            page.agree()
        assert first.reply(do="concede")["is"] == "done"


def test_a_season_of_two_rounds(served: Served, sits: Sits) -> None:
    ada, bo = sits(), sits()
    comes(ada, invited(served, "organiser"), "Ada")
    comes(bo, invited(served), "Bo")
    address = makes(ada, "Autumn league")
    enters(bo, "Autumn league")
    pairs(ada, 1, "2020-01-01")
    expect(line(ada, "Ada – Bo", 1)).to_contain_text(ada.say("season.late"))
    bo.page.reload()
    line(bo, "Ada – Bo", 1).get_by_role("combobox").select_option(label="Bo wins")
    line(bo, "Ada – Bo", 1).get_by_role("button", name=bo.say("season.say")).click()
    expect(line(bo, "Ada – Bo", 1)).to_contain_text(bo.say("season.unconfirmed", name="Bo"))
    ada.page.reload()
    expect(ada.button("season.pair", number=2)).to_be_disabled()
    sound(ada.page)
    line(ada, "Ada – Bo", 1).get_by_role("button", name=ada.say("season.confirm")).click()
    expect(ada.page.get_by_text(ada.say("season.unconfirmed", name="Bo"))).to_have_count(0)
    stands(ada, "Bo", "1", "3", "1", "1", "0", "0")
    stands(ada, "Ada", "2", "0", "1", "0", "0", "1")
    pairs(ada, 2)
    expect(line(ada, "Bo – Ada", 2)).to_contain_text(ada.say("season.no-result"))
    expect(ada.page.get_by_text(ada.say("season.mission.is", mission="Extermination"))).to_be_visible()
    played_here(served, bo, ada)
    ada.page.goto(address)
    ada.page.get_by_label(ada.say("season.battle.of", title="Bo – Ada")).select_option(index=1)
    ada.button("season.battle.take").click()
    won = line(ada, "Bo – Ada", 2).get_by_role("link", name=ada.say("season.battle"))
    expect(won).to_have_attribute("href", re.compile("^/replay/"))
    stands(ada, "Ada", "1", "3", "2", "1", "0", "1")
    stands(ada, "Bo", "1", "3", "2", "1", "0", "1")
    ada.page.get_by_role("button", name="Italiano").click()
    ada.language = "it"
    expect(ada.heading("season.standings")).to_be_visible()
    sound(ada.page)
    ada.button("season.end").click()
    expect(ada.page.get_by_text(ada.say("season.stage.over"))).to_be_visible()


def test_on_paper_stand_the_standings_and_the_rounds_alone(served: Served, sits: Sits) -> None:
    ada, bo = sits(), sits()
    comes(ada, invited(served, "organiser"), "Ada")
    comes(bo, invited(served), "Bo")
    makes(ada, "Spring league")
    enters(bo, "Spring league")
    pairs(ada, 1)
    ada.page.emulate_media(media="print", color_scheme="dark")
    expect(ada.heading("season.standings")).to_be_visible()
    expect(line(ada, "Ada – Bo", 1)).to_be_visible()
    expect(ada.page.get_by_role("button")).to_have_count(0)
    expect(ada.page.get_by_role("combobox")).to_have_count(0)
    expect(ada.page.locator("body")).to_have_css("background-color", "rgb(245, 243, 238)")


def test_a_season_is_for_members(served: Served, player: Player) -> None:
    player.page.goto("/club/seasons/none")
    expect(player.page.get_by_text(player.say("season.members"))).to_be_visible()
    comes(player, invited(served), "Ada")
    player.page.goto("/club/new-season")
    expect(player.page.get_by_text(player.say("club.organisers"))).to_be_visible()
    assert violations(player.page) == []


# ---------------------------------------------------------------- seats that the page keeps


def sits_down(player: Player, other: str) -> str:
    """At the seat that is kept, with an army; the token of the seat."""
    page = player.page
    page.wait_for_url("**/join/*")
    expect(player.heading("join.against", name=other)).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    sound(page)
    page.get_by_role("radio").first.check()
    player.button("join.join").click()
    page.wait_for_url("**/b/*")
    kept = page.evaluate("Object.values(JSON.parse(localStorage['campale.seats']))[0][0].token")
    page.goto("/club")
    return str(kept)


def test_a_pairing_is_played_with_one_click(served: Served, sits: Sits) -> None:
    ada, bo = sits(), sits()
    comes(ada, invited(served, "organiser"), "Ada")
    comes(bo, invited(served), "Bo")
    address = makes(ada, "Winter league", points="250")
    expect(ada.page.get_by_text(ada.say("season.size.are", count=250))).to_be_visible()
    enters(bo, "Winter league")
    pairs(ada, 1)
    line(ada, "Ada – Bo", 1).get_by_role("button", name=ada.say("season.play")).click()
    tokens = [sits_down(ada, "Bo")]
    bo.page.goto("/club")
    mine = region(bo, "club.battles").get_by_role("listitem").filter(has_text="Ada – Bo")
    sound(bo.page)
    mine.get_by_role("button", name=bo.say("club.sit")).click()
    tokens.append(sits_down(bo, "Ada"))
    for one in (ada, bo):
        expect(region(one, "club.battles").get_by_role("link", name="Ada – Bo")).to_be_visible()
        expect(one.page.get_by_role("button", name=one.say("club.sit"))).to_have_count(0)
    (battle,) = served.hall.club.ties.all()
    address_of = served.address, battle.battle
    with Page(*address_of, tokens[0]) as first, Page(*address_of, tokens[1]) as second:
        for page in (first, second):
            page.until("state")
            page.agree()
        assert first.reply(do="concede")["is"] == "done"
    bo.page.goto(address)
    stands(bo, "Bo", "1", "3", "1", "1", "0", "0")
    expect(line(bo, "Ada – Bo", 1).get_by_role("button", name=bo.say("season.play"))).to_have_count(0)
    expect(line(bo, "Ada – Bo", 1).get_by_role("link", name=bo.say("season.battle"))).to_be_visible()
