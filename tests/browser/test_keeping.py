"""Undo, chat, conceding, and what is carried home in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from playwright.sync_api import Download, expect

from tests.browser.battles import deploying, over, tokens
from tests.browser.conftest import Sits
from tests.browser.player import Player
from tests.server.conftest import Served


def set_down(player: Player) -> str:
    """Set down the first model as proposed; what was asked."""
    asked = player.panel.get_by_role("heading").first
    title = asked.inner_text()
    player.go_on()
    player.go_on()
    expect(asked).not_to_have_text(title)
    return title


def saved(player: Player, key: str, role: Literal["button", "link"] = "button") -> Download:
    with player.page.expect_download() as download:
        player.page.get_by_role(role, name=player.say(key)).first.click()
    return download.value


def test_a_decision_is_undone(served: Served, player: Player) -> None:
    deploying(served, player, "me", "me")
    told = player.journal.inner_text()
    title = set_down(player)
    expect(player.journal).not_to_have_text(told)
    player.panel.get_by_role("button", name=player.say("ask.undo")).click()
    expect(player.panel.get_by_role("heading").first).to_have_text(title)
    assert player.journal.inner_text() == told


def test_what_is_said_is_heard_on_the_other_side(served: Served, sits: Sits) -> None:
    one, other = sits(), sits()
    made = deploying(served, one, "me", "random")
    other.page.goto(f"/b/{made.battle}")
    for somebody in (one, other):
        somebody.tab("side.chat")
    one.page.get_by_label(one.say("chat.label")).fill("Good luck!")
    one.button("chat.send").click()
    expect(other.page.get_by_role("log")).to_contain_text("Good luck!")


def test_who_concedes_loses_and_takes_all_home(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    player.tab("side.table")
    player.button("table.concede").click()
    player.button("table.concede.no").click()
    player.button("table.concede").click()
    player.button("table.concede.yes").click()
    expect(player.over).to_be_visible()
    expect(player.panel.or_(player.page.get_by_text("random 1 wins")).first).to_be_visible()
    report = saved(player, "table.report", "link")
    text = Path(report.path()).read_text("utf-8")
    assert report.suggested_filename.endswith(".md")
    assert text.startswith("# ")
    assert "Extermination" in text


def test_a_saved_game_is_looked_at_elsewhere(served: Served, sits: Sits, tmp_path: Path) -> None:
    made = over(served)
    one, other = sits(), sits()
    one.sit(made.battle, tokens(made))
    expect(one.over).to_be_visible()
    file = tmp_path / "game.json"
    saved(one, "table.save").save_as(file)
    assert json.loads(file.read_text("utf-8"))["format"] == "campale-game"
    other.page.goto("/")
    other.page.locator("input[type=file]").set_input_files(file)
    other.page.wait_for_url("**/replay/*")
    expect(other.page.get_by_role("slider", name=other.say("replay.moment"))).to_be_visible()


def test_a_file_that_is_no_game_is_refused(player: Player, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text('{"format": "campale-game"}', "utf-8")
    player.page.goto("/")
    player.page.locator("input[type=file]").set_input_files(file)
    expect(player.page.get_by_role("alert")).to_contain_text("This file cannot be used")
    player.errors.clear()
