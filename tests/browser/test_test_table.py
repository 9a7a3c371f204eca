"""The test table: models set down by clicks and by keyboard, played from there, changed, kept and opened again."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect

from campale.referee.scenarios.scenario import check
from tests.browser.battles import begun, over, tokens
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.server.conftest import Served


def laying(player: Player, book: str, title: str) -> Locator:
    player.page.goto("/")
    player.page.get_by_role("link", name=player.say("test.page")).click()
    player.page.get_by_role("link", name=title).click()
    panel = player.page.get_by_role("region", name=player.say("test.lay"))
    expect(panel).to_be_visible()
    assert player.page.url.endswith(f"/test/{book}")
    return panel


def wants(player: Player, panel: Locator, side: int, profile: str, count: int | None = None) -> None:
    panel.get_by_role("radio", name=player.say(f"side.{side}")).check()
    panel.get_by_role("combobox", name=player.say("test.profile")).select_option(profile)
    if count is not None:
        panel.get_by_role("spinbutton", name=player.say("test.count")).fill(str(count))


def click(page: Page, across: float, down: float) -> None:
    """On the table, at parts of its width and depth as it is seen."""
    box = page.locator(".board rect.top").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])


def bases(player: Player, name: str) -> Locator:
    table = player.page.get_by_role("group", name=player.say("board.title"))
    return table.get_by_role("button", name=re.compile(rf"^{re.escape(name)}"))


def sound(player: Player) -> Locator:
    return player.page.get_by_role("status").get_by_text(player.say("test.sound"))


def test_models_are_set_down_by_clicks_played_changed_and_played_again(player: Player) -> None:
    panel = laying(player, "e55", "5.5")
    wants(player, panel, 0, "keeper", 3)
    click(player.page, 0.5, 0.8)
    expect(bases(player, "Keeper")).to_have_count(3)
    wants(player, panel, 1, "militia", 4)
    click(player.page, 0.5, 0.4)
    expect(bases(player, "Militiaman")).to_have_count(4)
    expect(sound(player)).to_be_visible()
    assert violations(player.page) == []
    player.button("test.play").click()
    player.page.wait_for_url("**/b/*")
    player.asked()
    expect(bases(player, "Keeper")).to_have_count(3)
    player.page.get_by_role("link", name=player.say("test.back")).click()
    expect(bases(player, "Militiaman")).to_have_count(4)
    bases(player, "Militiaman-1").click()
    player.page.keyboard.press("Delete")
    expect(bases(player, "Militiaman")).to_have_count(3)
    player.page.keyboard.press("u")
    expect(bases(player, "Militiaman")).to_have_count(4)
    player.page.get_by_role("combobox", name=player.say("test.rival")).select_option("random")
    player.button("test.play").click()
    player.page.wait_for_url("**/b/*")
    player.asked()


def test_a_table_is_laid_by_keyboard_kept_and_opened_again(player: Player, tmp_path: Path) -> None:
    panel = laying(player, "ragnarok", "Ragnarok")
    press = player.page.keyboard.press
    for side, profile in ((0, "raider"), (1, "steam_rifleman")):
        wants(player, panel, side, profile)
        panel.get_by_role("button", name=player.say("test.set-down"), exact=True).press("Enter")
    expect(bases(player, "Raider")).to_have_count(1)
    x = panel.get_by_role("spinbutton", name="x", exact=True)
    x.fill("30")
    press("Tab")
    expect(bases(player, "Steam")).to_have_attribute("aria-label", re.compile(r"at 30\.0; "))
    bases(player, "Steam").press("ArrowRight")
    expect(x).to_have_value("30.1")
    expect(sound(player)).to_be_visible()
    with player.page.expect_download() as download:
        player.button("test.save").press("Enter")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.suffix == ".yaml"
    assert check(path) == []
    player.button("test.clear").press("Enter")
    expect(bases(player, "Raider")).to_have_count(0)
    player.page.locator("input[type=file]").set_input_files(path)
    expect(bases(player, "Raider")).to_have_count(1)
    expect(bases(player, "Steam")).to_have_attribute("aria-label", re.compile(r"at 30\.1; "))


def test_what_cannot_stand_so_is_told_in_italian(player: Player) -> None:
    player.page.goto("/")
    player.page.get_by_role("button", name="Italiano").click()
    player.language = "it"
    expect(player.page.get_by_role("link", name=player.say("test.page"))).to_be_visible()
    panel = laying(player, "e55", "5.5")
    for side in (0, 1):
        wants(player, panel, side, "keeper", 1)
        panel.get_by_role("button", name=player.say("test.set-down"), exact=True).click()
        for name in ("x", "y"):
            panel.get_by_role("spinbutton", name=name, exact=True).fill("24")
            player.page.keyboard.press("Tab")
    expect(panel.get_by_role("alert")).to_contain_text("si sovrappongono")
    assert violations(player.page) == []
    player.errors.clear()


def test_a_file_that_is_no_scenario_is_told_why(player: Player) -> None:
    laying(player, "e55", "5.5")
    for text, told in (("campale: scenario/1\nruleset: [", "not valid YAML"), ("x" * 270_000, "256 kB")):
        file: FilePayload = {"name": "mine.yaml", "mimeType": "application/yaml", "buffer": text.encode()}
        player.page.locator("input[type=file]").set_input_files(file)
        expect(player.page.get_by_role("alert")).to_contain_text(told)
    player.errors.clear()


def places(player: Player) -> list[str]:
    """Where the models on the table stand, as their names tell."""
    told = player.page.locator(".board [role=button][aria-label]").evaluate_all("all => all.map(one => one.ariaLabel)")
    return sorted(found.group() for one in told if (found := re.search(r"at [\d.]+; [\d.]+", str(one))))


def test_a_moment_of_a_replay_is_laid_changed_and_played(served: Served, player: Player, tmp_path: Path) -> None:
    made = over(served)
    player.sit(made.battle, tokens(made))
    player.page.goto(f"/replay/{made.battle}")
    scrubber = player.page.get_by_role("slider", name=player.say("replay.moment"))
    scrubber.fill(str(int(scrubber.get_attribute("max") or 0) // 2))
    before = places(player)
    assert before
    player.button("replay.test").click()
    player.page.wait_for_url("**/test/ragnarok")
    expect(player.page.get_by_text(player.say("test.from-battle"))).to_be_visible()
    expect(sound(player)).to_be_visible()
    if player.page.get_by_text("is left out").count() == 0:
        assert places(player) == before
    assert violations(player.page) == []
    with player.page.expect_download() as download:
        player.button("test.save").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert check(path) == []
    player.page.locator(".board [role=button][aria-label]").first.press("ArrowRight")
    expect(sound(player)).to_be_visible()
    player.button("test.play").click()
    player.page.wait_for_url("**/b/*")
    player.asked()


def test_a_running_battle_against_a_bot_is_tried_out_and_found_again(served: Served, player: Player) -> None:
    begun(served, player, "me", "random")
    battle = player.page.url
    player.page.get_by_role("tab", name=player.say("side.table")).click()
    player.button("test.try").click()
    player.page.wait_for_url("**/test/ragnarok")
    expect(player.page.get_by_text(player.say("test.from-battle"))).to_be_visible()
    player.page.get_by_role("link", name=player.say("test.to-battle")).click()
    player.page.wait_for_url(battle)
    player.asked()
    expect(player.primary).to_be_visible()


HURT = """\
campale: scenario/1
ruleset: e55
title: {en: "A beast with a wound lost", it: "Una bestia con una ferita persa"}
tokens: [{kind: objective, at: [20, 20], value: [6, 1]}]
models:
  - {id: Hulk, profile: great-beast, at: [32, 22], marks: {wounds-lost: 1}}
  - {id: Reeds, count: 3, profile: reed-folk, side: 2, at: [40, 34], step: [1.5, 0]}
units: {Hulk: {marks: {faces: Reeds}}, Reeds: {marks: {faces: Hulk}}}
"""


def test_wounds_and_markers_of_a_file_are_drawn_and_stay_while_models_are_moved(player: Player) -> None:
    laying(player, "e55", "5.5")
    file: FilePayload = {"name": "hurt.yaml", "mimeType": "application/yaml", "buffer": HURT.encode()}
    player.page.locator("input[type=file]").set_input_files(file)
    lost = re.compile(r"3 of 4 wounds left")
    expect(bases(player, "Hulk")).to_have_attribute("aria-label", lost)
    expect(player.page.locator(".board .token")).to_have_count(1)
    expect(player.page.get_by_label(player.say("test.title"))).to_have_value("A beast with a wound lost")
    bases(player, "Hulk").press("ArrowRight")
    expect(bases(player, "Hulk")).to_have_attribute("aria-label", re.compile(r"at 32\.1; "))
    expect(bases(player, "Hulk")).to_have_attribute("aria-label", lost)
    player.button("test.clear").click()
    expect(player.page.locator(".board .token")).to_have_count(0)
