"""axe-core finds nothing against WCAG 2 A and AA on any page, in either theme."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.battles import deploying, over, set_out, tokens
from tests.browser.conftest import BOOKS
from tests.browser.player import Player
from tests.server.conftest import Served

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
BEYOND = ["heading-order", "target-size", "page-has-heading-one"]
"""Rules that the table and the replay keep, beyond those."""
NOT = "label-content-name-mismatch"
"""An experiment of axe-core's: it takes the letters drawn on a base for a label."""

RUN = f"""async tags => (await axe.run(document, {{
  runOnly: {{type: 'tag', values: tags}}, rules: {{'{NOT}': {{enabled: false}}}},
}})).violations"""


ALSO = "async rules => (await axe.run(document, {runOnly: {type: 'rule', values: rules}})).violations"


def violations(page: Page) -> list[str]:
    """Each with the parts of the page where it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    return told(page.evaluate(RUN, RULES))


def told(found: list[dict[str, Any]]) -> list[str]:
    return [f"{one['id']}: {one['help']} {[node['html'][:200] for node in one['nodes'][:3]]}" for one in found]


SETTLED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>
    Promise.allSettled(document.getAnimations().map(one => one.finished)).then(() => done()))))"""
"""The colours of another theme come with the next frames, and some of them little by little."""
LATE = 1_000
"""After so many milliseconds those are there, too, that the browser had put off."""


def violations_in_both_themes(page: Page) -> list[str]:
    """In the light theme, and what is wrong with colours in the dark one."""
    found = violations(page)
    page.emulate_media(color_scheme="dark")
    page.evaluate(SETTLED)
    dark = told(page.evaluate(ALSO, ["color-contrast"]))
    if dark:
        page.wait_for_timeout(LATE)
        dark = told(page.evaluate(ALSO, ["color-contrast"]))
    page.emulate_media(color_scheme="light")
    page.evaluate(SETTLED)
    return found + dark


@pytest.mark.parametrize(
    "path",
    ["/", *(f"/new?book={book}" for book in BOOKS), "/rules", "/rules/ragnarok", "/armies", "/puzzles", "/laboratory"],
)
def test_the_pages(player: Player, path: str) -> None:
    player.page.goto(path)
    expect(player.page.get_by_role("heading").first).to_be_visible()
    expect(player.page.get_by_text(player.say("app.loading"))).to_have_count(0)
    assert violations_in_both_themes(player.page) == []


def test_a_rule(player: Player) -> None:
    player.page.goto("/rules/ragnarok")
    player.page.get_by_role("searchbox").fill("deploy")
    player.page.get_by_role("main").get_by_role("listitem").get_by_role("link").first.click()
    expect(player.page.get_by_text(player.say("rule.source"))).to_be_visible()
    assert violations_in_both_themes(player.page) == []


def test_a_battle_with_its_questions(served: Served, player: Player) -> None:
    deploying(served, player, "me", "random")
    assert violations_in_both_themes(player.page) == []
    for tab in ("side.units", "side.chat", "side.table"):
        player.tab(tab)
        assert violations_in_both_themes(player.page) == [], tab
    player.play(Random(1), player.help("move").is_visible, often=0.0)
    assert violations_in_both_themes(player.page) == []
    player.page.keyboard.press("?")
    expect(player.page.get_by_role("dialog")).to_be_visible()
    assert violations_in_both_themes(player.page) == []


def test_a_replay(served: Served, player: Player) -> None:
    made = over(served)
    player.sit(made.battle, tokens(made))
    expect(player.over).to_be_visible()
    assert violations(player.page) == []
    player.page.goto(f"/replay/{made.battle}")
    expect(player.page.get_by_role("slider", name=player.say("replay.moment"))).to_be_visible()
    assert violations(player.page) == []
    assert player.page.evaluate(ALSO, BEYOND) == []
    player.tab("side.luck")
    expect(player.page.get_by_role("tabpanel").get_by_role("table").first).to_be_visible()
    assert violations(player.page) == []


def test_orders(served: Served, player: Player) -> None:
    set_out(served, player, "e3m", "me", "random")
    sheet = player.panel.get_by_role("group", name=player.say("ask.grid"))
    player.play(Random(3), sheet.is_visible, often=0.0)
    assert violations(player.page) == []


AREA = """\
campale: scenario/1
ruleset: e3m
title: {en: "Two targets", it: "Due bersagli"}
models:
  - {id: Wardens, count: 4, profile: line-warden, at: [20, 10], step: [1.5, 0]}
  - {id: Levies, count: 4, profile: levy, side: 2, at: [20, 20], step: [1.5, 0]}
units: {Wardens: {notes: {order: fire}}, Levies: {notes: {order: halt}}}
goal:
  text: {en: "Hit the levies.", it: "Colpisci le leve."}
  expect: {models: {Levies1: {where: gone}}}
  until: {phase: movement}
"""


def test_a_fire_area(player: Player) -> None:
    player.page.goto("/puzzles")
    file: FilePayload = {"name": "area.yaml", "mimeType": "application/yaml", "buffer": AREA.encode()}
    player.page.locator("input[type=file]").set_input_files(file)
    player.page.wait_for_url("**/b/*")
    change = player.panel.get_by_role("button", name=re.compile("⌀"))
    player.on_to(change)
    assert violations(player.page) == []
    change.click()
    expect(player.page.get_by_role("slider", name=player.say("ask.diameter"))).to_be_visible()
    assert violations(player.page) == []
