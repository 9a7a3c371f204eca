"""One who sat down at one device plays on at another: by her own link, or by her account."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Locator, expect

from tests.browser.battles import few, sat_down
from tests.browser.conftest import Sits
from tests.browser.player import Player
from tests.browser.test_club import comes, invited, region, signs_in, sound
from tests.server.conftest import Served


def own_link(player: Player) -> str:
    """The link to her seat that a player's page shows when she asks for it."""
    field = player.page.get_by_label(player.say("device.link"))
    expect(field).not_to_be_visible()
    player.page.get_by_text(player.say("device.title"), exact=True).click()
    return field.input_value()


def missing(player: Player) -> Locator:
    """What whoever looks on is told about a seat of her own."""
    return player.page.get_by_text(player.say("device.missing", title=player.say("device.title")))


def test_a_player_without_an_account_plays_on_by_her_own_link(served: Served, sits: Sits) -> None:
    desk, ben, phone = sits(), sits(), sits()
    made = sat_down(served, desk, "me", "link")
    ben.page.goto(f"/join/{made.seats[1].join}")
    ben.button("join.join").click()
    desk.agree()
    link = own_link(desk)
    sound(desk.page)
    phone.page.goto(f"/b/{made.battle}")
    expect(missing(phone)).to_be_visible()
    phone.page.goto(link)
    expect(missing(phone)).not_to_be_visible()
    assert phone.page.url.endswith(f"/b/{made.battle}")
    phone.agree()
    desk.agree()
    ben.agree()
    held = [one.page.evaluate("JSON.parse(localStorage['campale.seats'])") for one in (desk, phone)]
    assert held[0] == held[1]
    for one in (desk, phone):
        expect(one.panel.or_(one.page.get_by_text(one.say("ask.waits-for", name="P1"))).first).to_be_visible()
    phone.tab("side.table")
    assert own_link(phone) == link
    sound(phone.page)
    phone.page.goto("/")
    expect(
        phone.page.get_by_role("link", name=phone.say("home.continue", title="Union Wars").split(":")[0])
    ).to_be_visible()


def test_an_invitation_that_is_used_tells_how_to_sit_down_again(served: Served, sits: Sits) -> None:
    ada, ben = sits(), sits()
    made = sat_down(served, ada, "me", "link")
    ben.page.goto(f"/join/{made.seats[1].join}")
    ben.button("join.join").click()
    ben.page.wait_for_url("**/b/*")
    other = sits()
    other.page.goto(f"/join/{made.seats[1].join}")
    expect(other.page.get_by_text(other.say("join.taken"))).to_be_visible()
    expect(missing(other)).to_be_visible()


def test_a_seat_that_is_none_any_more_can_be_given_up(served: Served, sits: Sits) -> None:
    ada, other = sits(), sits()
    made = sat_down(served, ada, "me", "link")
    other.page.goto(f"/b/{made.battle}#seat=0.{'x' * 43}")
    expect(other.heading("battle.none")).to_be_visible()
    sound(other.page)
    other.page.get_by_role("button", name="Italiano").click()
    other.language = "it"
    expect(other.page.get_by_text(other.say("battle.none.seat"))).to_be_visible()
    other.button("battle.none.watch").click()
    expect(missing(other)).to_be_visible()


def test_a_member_finds_her_battle_where_she_signs_in(served: Served, sits: Sits) -> None:
    desk, phone = sits(), sits()
    comes(desk, invited(served), "Ada")
    made = served.create(few("link", "script"))
    desk.page.goto(f"/join/{made.seats[0].join}")
    desk.button("join.join").click()
    desk.agree()
    desk.asked()
    phone.page.goto(f"/b/{made.battle}")
    expect(missing(phone)).to_be_visible()
    phone.page.get_by_role("link", name=phone.say("device.sign-in")).click()
    signs_in(phone, "Ada")
    region(phone, "club.battles").get_by_role("link", name="Ada").click()
    phone.asked()
    expect(missing(phone)).to_have_count(0)
    title = desk.panel.get_by_role("heading").first.inner_text()
    expect(phone.panel.get_by_role("heading").first).to_have_text(title)
    phone.tab("side.table")
    expect(phone.page.get_by_text(phone.say("device.lent"))).to_be_visible()
    expect(phone.page.get_by_label(phone.say("device.link"))).to_have_count(0)
    asked = desk.panel.get_by_role("heading").first
    phone.play(Random(0), lambda: asked.inner_text() != title, often=0.0)
    assert not desk.over.is_visible()
    phone.page.goto("/")
    mine = region(phone, "mine.title")
    expect(mine.get_by_text(phone.say("mine.counted"))).to_be_visible()
    sound(phone.page)
    phone.page.goto("/club")
    phone.button("club.sign-out").click()
    phone.page.goto(f"/b/{made.battle}")
    expect(missing(phone)).to_be_visible()
