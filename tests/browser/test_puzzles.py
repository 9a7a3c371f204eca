"""Puzzles on the page: found by book, played at the table, solved or failed, once more and the next; and one's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, expect

from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.browser.test_keyboard import held_back

AIMING = """\
campale: scenario/1
ruleset: ragnarok
title: {en: "Take aim", it: "Prendi la mira"}
models:
  - {id: Anna, profile: steam_rifleman, side: 1, at: [60, 20]}
  - {id: Rolf, profile: raider, side: 2, at: [60, 100], facing: 0}
goal:
  text: {en: "Have Anna aim.", it: "Fai mirare Anna."}
  expect: {declared: {aimed: Anna}}
  until: {turn: 4}
"""


def begin(player: Player, book: str, title: str) -> None:
    player.page.goto("/")
    player.page.get_by_role("link", name=player.say("puzzle.page")).click()
    player.page.get_by_role("region", name=book).get_by_role("button", name=title).click()
    player.page.wait_for_url("**/b/*")
    player.asked()


def pick(player: Player, words: str) -> None:
    player.options.filter(has_text=re.compile(rf"^\W*\d*\s*{re.escape(words)}")).first.click()


def test_a_puzzle_is_solved_and_the_next_is_one_click_away(player: Player) -> None:
    begin(player, "5.5", "A fair wind")
    expect(player.page.get_by_text("Get one of the Keepers less than 3″")).to_be_visible()
    for words in ("Seer: cast Fair wind", "Keepers", "Keepers: move"):
        pick(player, words)
    expect(player.help("move")).to_be_visible()
    player.command("move 8.95 n")
    player.on_to(player.page.get_by_role("status").get_by_text(player.say("puzzle.solved")))
    assert violations(player.page) == []
    player.button("puzzle.next").click()
    expect(player.heading("puzzle.title", title="The last turn")).to_be_visible()
    player.page.get_by_role("link", name=player.say("puzzle.all")).click()
    row = player.page.get_by_role("listitem").filter(has_text="A fair wind")
    expect(row).to_contain_text(player.say("puzzle.solved.short"))
    expect(player.page.get_by_text(player.say("puzzle.count", solved=1, count=6))).to_be_visible()


def test_a_click_before_a_typed_line_is_done_is_a_click_for_that_line(player: Player) -> None:
    come = held_back(player, "perform")
    begin(player, "5.5", "A fair wind")
    for words in ("Seer: cast Fair wind", "Keepers", "Keepers: move"):
        pick(player, words)
    expect(player.help("move")).to_be_visible()
    player.command("move 8.95 n")
    player.primary.click()
    come()
    expect(player.page.get_by_role("status").get_by_text(player.say("puzzle.solved"))).to_be_visible()


def test_a_puzzle_is_failed_and_begun_again(player: Player) -> None:
    begin(player, "Ragnarok", "The last turn")
    first = player.battle
    for number, key in ((1, "puzzle.hint.first"), (2, "puzzle.hint.more")):
        player.button(key).click()
        expect(player.page.get_by_text(player.say("puzzle.hint", number=number))).to_be_visible()
    expect(player.button("puzzle.hint.more")).to_have_count(0)
    pick(player, "end the tactical phase")
    expect(player.page.get_by_role("status").get_by_text(player.say("puzzle.failed"))).to_be_visible()
    assert violations(player.page) == []
    expect(player.over).to_have_count(0)
    player.button("puzzle.again").click()
    expect(player.page.get_by_text(player.say("puzzle.failed"))).to_have_count(0)
    assert player.asked()
    assert player.battle != first


def test_a_puzzle_of_ones_own_is_played_from_its_file(player: Player, tmp_path: Path) -> None:
    path = tmp_path / "aiming.yaml"
    path.write_text(AIMING, "utf-8")
    player.page.goto("/puzzles")
    player.page.locator("input[type=file]").set_input_files(path)
    player.page.wait_for_url("**/b/*")
    player.asked()
    pick(player, "Anna")
    pick(player, "Aim")
    expect(player.page.get_by_role("status").get_by_text(player.say("puzzle.solved"))).to_be_visible()
    expect(player.button("puzzle.next")).to_have_count(0)
    player.button("puzzle.again").click()
    expect(player.page.get_by_text(player.say("puzzle.solved"))).to_have_count(0)
    assert player.asked()


@pytest.mark.parametrize(
    ("text", "told"),
    [("campale: scenario/1\nruleset: [", "not valid YAML"), (AIMING.partition("goal:")[0], "it has no goal")],
)
def test_a_file_that_is_no_puzzle_is_told_why(player: Player, text: str, told: str) -> None:
    player.page.goto("/puzzles")
    expect(player.page.get_by_text(player.say("app.loading"))).to_have_count(0)
    file: FilePayload = {"name": "mine.yaml", "mimeType": "application/yaml", "buffer": text.encode()}
    player.page.locator("input[type=file]").set_input_files(file)
    expect(player.page.get_by_role("alert")).to_contain_text(re.compile(rf"mine\.yaml, line \d.*{told}"))
    player.errors.clear()
