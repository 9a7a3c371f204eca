"""Fire in one sheet: arrows on the table, targets by a click on a unit and on its target; what is answered is drawn."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import FilePayload, Locator, expect

from tests.browser.battles import set_out
from tests.browser.player import Player
from tests.browser.test_axe import violations
from tests.server.conftest import Served

SHOOTING = """\
campale: scenario/1
ruleset: e55
title: {en: "A tank and two targets", it: "Un carro e due bersagli"}
models:
  - {id: Tank, profile: tank, at: [36, 10], facing: 0}
  - {id: Keepers, count: 3, profile: keeper, at: [46, 10], step: [1.5, 0]}
  - {id: Reeds, count: 4, profile: reed-folk, side: 2, at: [28, 30], step: [1.5, 0]}
  - {id: Stalkers, count: 4, profile: reed-folk, side: 2, at: [42, 30], step: [1.5, 0]}
units: {Keepers: {marks: {faces: Stalkers}}, Reeds: {marks: {faces: Tank}}, Stalkers: {marks: {faces: Tank}}}
now: {phase: shooting}
goal:
  text: {en: "Wipe out the Reeds.", it: "Elimina le Canne."}
  expect: {units: {Reeds: {marks: {eliminated: 1}}}}
  until: {turn: 4}
"""
"""The tank may fire at either enemy, the keepers only at whom they face."""


def arrows(player: Player) -> Locator:
    return player.page.locator(".aims .arrow")


def to_the_sheet(player: Player, scenario: str = SHOOTING) -> None:
    player.page.goto("/puzzles")
    file: FilePayload = {"name": "fire.yaml", "mimeType": "application/yaml", "buffer": scenario.encode()}
    player.page.locator("input[type=file]").set_input_files(file)
    player.page.wait_for_url("**/b/*")
    player.asked()
    expect(arrows(player)).to_have_count(2)


def first_of(player: Player, name: str) -> Locator:
    table = player.page.get_by_role("group", name=player.say("board.title"))
    return table.get_by_role("button", name=re.compile(rf"^{name}")).first


def arrow(player: Player, by: str, at: str) -> Locator:
    by_row, at_row = (first_of(player, name).get_attribute("data-row") for name in (by, at))
    return player.page.locator(f".aims .arrow[data-aim='{by_row} {at_row}']")


def test_fire_is_drawn_as_arrows_and_aimed_by_clicks(player: Player) -> None:
    to_the_sheet(player)
    assert violations(player.page) == []
    assert player.panel.locator("li.isLed").count() == 2
    led_elsewhere = "Stalkers" if arrow(player, "Tank", "Reeds").count() else "Reeds"
    first_of(player, "Tank").click(force=True)
    expect(player.panel.locator("li.isLed.isLooked")).to_be_in_viewport()
    first_of(player, led_elsewhere).click(force=True)
    expect(arrow(player, "Tank", led_elsewhere)).to_be_attached()
    expect(player.refusal).to_have_count(0)


def test_whoever_faces_another_unit_is_refused_by_its_rule(player: Player) -> None:
    to_the_sheet(player)
    first_of(player, "Keepers").click(force=True)
    first_of(player, "Reeds").click(force=True)
    expect(player.refusal).to_contain_text("What facing allows")
    expect(arrow(player, "Keepers", "Stalkers")).to_be_attached()


SCOUTS = SHOOTING.replace("{id: Tank,", "{id: Scouts, profile: keeper, at: [2, 2], facing: 0}\n  - {id: Tank,")
"""The scouts face nobody."""


def test_a_unit_left_out_is_put_into_the_sheet_by_two_clicks_or_says_why_it_cannot_fire(player: Player) -> None:
    to_the_sheet(player, SCOUTS)
    first_of(player, "Scouts").click(force=True)
    first_of(player, "Reeds").click(force=True)
    expect(player.refusal).to_contain_text("It faces no enemy")
    taken = arrow(player, "Keepers", "Stalkers")
    expect(taken).to_be_attached()
    player.panel.get_by_role("radio", name="end shooting").last.click()
    expect(taken).to_have_count(0)
    first_of(player, "Keepers").click(force=True)
    first_of(player, "Stalkers").click(force=True)
    expect(taken).to_be_attached()
    player.primary.click()
    expect(player.refusal).to_have_count(0)
    expect(taken).to_have_count(0)


def test_what_is_answered_is_drawn(served: Served, player: Player) -> None:
    """The way that an enemy declares to go is on the table while it is asked who reacts."""
    set_out(served, player, "ragnarok", "me", "script", until="reactions")
    asked = player.panel.get_by_role("heading", name="Who reacts?")
    drawn = player.page.locator(".announced .route").or_(arrows(player))
    player.play(Random(2), lambda: asked.is_visible() and drawn.count() > 0, often=0.0)
    expect(drawn.first).to_be_attached()
    assert re.fullmatch(r"[^:]+: [^:]+\. Who reacts\?", asked.inner_text())
