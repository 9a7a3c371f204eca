"""Lists of other programs on the page: dropped and pasted, mended, kept, and played at once."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.mechanics.rosters import alone, as_rosz, blade, gun, roster, stats, unit, upgrade
from tests.mechanics.rosters import model as models
from tests.server.conftest import Served

DUST = "Faction: Adepts of Dust"
DROP = """([name, content]) => {
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name));
  return carried;
}"""
TEXT = """Road of Ash (240 points)

Line
Incursion (1000 points)

CHARACTERS

Captian (80 points)
  • Warlord
  • 1x Blade

BATTLELINE

Line Squad (160 points)
  • 10x Line trooper
    ◦ 10x Rifle
"""


def a_list(strength: str = "6") -> bytes:
    """A lord and a squad; the lord's gun has a Strength that may not be readable."""
    inner = [
        upgrade("Great blade", 1, [blade("Great blade")]),
        upgrade("Old lamp", 1, [gun("Old lamp", f'24" 2 3+ {strength} -1 1')]),
        upgrade("Warlord"),
    ]
    lord = alone(
        "Dust Lord", 80, inner, ["Character", "Infantry", DUST], profiles=[stats("Dust Lord", '6" 4 3+ 5 6+ 1')]
    )
    squad = [models("Ash Warden", 5, [upgrade("Lamp gun", 5, [gun("Lamp gun")])])]
    wardens = unit("Ash Wardens", 90, squad, ["Infantry", DUST], profiles=[stats("Ash Wardens", '6" 4 3+ 2 6+ 2')])
    return as_rosz(roster([lord, wardens], name="Road of Ash"))


@pytest.fixture
def desk(served: Served, player: Player) -> Player:
    player.page.goto("/")
    player.page.get_by_role("link", name=player.say("home.armies")).click()
    expect(player.heading("list.title")).to_be_visible()
    return player


def drop(player: Player, data: bytes) -> None:
    carried = player.page.evaluate_handle(DROP, ["list.rosz", base64.b64encode(data).decode()])
    place = player.page.get_by_role("region", name=player.say("list.bring"))
    place.dispatch_event("dragover", {"dataTransfer": carried})
    place.dispatch_event("drop", {"dataTransfer": carried})


def result(player: Player) -> Locator:
    return player.page.get_by_role("region", name=player.say("list.result"))


def test_a_file_is_dropped_mended_and_played_at_once(desk: Player) -> None:
    drop(desk, a_list(strength="*"))
    found = result(desk)
    expect(found.get_by_role("heading", name=re.compile("Road of Ash"))).to_be_visible()
    expect(found.get_by_text(desk.say("list.count.not-understood", count=1))).to_be_visible()
    needed = desk.page.get_by_role("region", name=desk.say("list.needed"))
    needed.get_by_label("S of Old lamp").fill("5")
    needed.get_by_label("S of Old lamp").press("Enter")
    expect(needed).to_have_count(0)
    expect(found.get_by_text(desk.say("list.count.not-understood", count=1))).to_have_count(0)
    desk.button("list.play").click()
    desk.page.wait_for_url("**/b/*")
    desk.agree()
    assert desk.asked()


def test_a_text_is_pasted_and_its_unit_is_chosen(desk: Player) -> None:
    desk.page.get_by_label(desk.say("list.paste")).fill(TEXT)
    desk.button("list.read").click()
    needed = desk.page.get_by_role("region", name=desk.say("list.needed"))
    expect(desk.button("list.play")).to_be_disabled()
    needed.get_by_label(re.compile("Captian")).select_option(label="Captain")
    expect(needed).to_have_count(0)
    expect(desk.button("list.play")).to_be_enabled()
    expect(result(desk).get_by_text("Captain costs", exact=False)).to_have_count(0)


def test_an_army_is_kept_and_stands_among_the_forces(desk: Player) -> None:
    drop(desk, a_list())
    desk.button("list.keep").click()
    kept = desk.page.get_by_role("region", name=desk.say("list.kept"))
    expect(kept.get_by_text("Road of Ash")).to_be_visible()
    desk.page.reload()
    kept.get_by_role("link", name=desk.say("list.battle")).click()
    expect(desk.button("new.create")).to_be_visible()
    mine = desk.page.get_by_role("group", name=desk.say("side.0"), exact=True)
    expect(mine.get_by_role("radio", name=re.compile("Road of Ash"))).to_be_checked()
    desk.create()
    expect(desk.page.get_by_text("Road of Ash (170)")).to_be_visible()
    desk.page.goto("/armies")
    kept.get_by_role("button", name=desk.say("list.forget.what", name="Road of Ash")).click()
    expect(kept.get_by_text(desk.say("list.kept.none"))).to_be_visible()


def test_what_cannot_be_read_is_said_in_the_language_of_the_page(desk: Player, tmp_path: Path) -> None:
    desk.page.get_by_role("button", name="Italiano").click()
    desk.language = "it"
    expect(desk.heading("list.title")).to_be_visible()
    bomb = tmp_path / "list.ros"
    bomb.write_text('<!DOCTYPE r [<!ENTITY a "a">]><roster name="&a;"/>', "utf-8")
    desk.page.locator("input[type=file]").set_input_files(bomb)
    expect(desk.page.get_by_role("alert")).to_contain_text("dichiara un tipo di documento")


def test_names_are_text_whatever_they_say(desk: Player) -> None:
    desk.page.get_by_label(desk.say("list.paste")).fill(TEXT.replace("Captian", "<img src=x onerror=alert(1)>"))
    desk.button("list.read").click()
    expect(result(desk).get_by_text("<img src=x").first).to_be_visible()
    expect(result(desk).locator("img")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_became_of_a_list_can_be_read_by_everybody(desk: Player, scheme: str) -> None:
    desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    drop(desk, a_list(strength="*"))
    expect(result(desk).get_by_role("heading").first).to_be_visible()
    result(desk).evaluate("all => all.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert violations(desk.page) == []
    wide, seen = desk.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= seen
