"""What the table looks like: room on a telephone, terrain behind the armies, a score that shows that it changed."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.battles import over, played_to, set_out, tokens
from tests.browser.player import Player
from tests.server.conftest import Served, draft

TELEPHONE = ViewportSize(width=390, height=844)
MOST_OF_A_TELEPHONE = 0.15
LAID = [
    ("e55", "seize-and-hold", "objective", 12.0),
    ("ragnarok", "objectives", "objective", 10.0),
    ("w10", None, "marker", 6.0),
]
"""Books in which players lay markers: the mission, the question, and how far from the edges."""

COLOUR = "(one, key) => getComputedStyle(one)[key]"


def bottom(of: Any) -> float:
    box = of.bounding_box()
    assert box is not None
    return float(box["y"] + box["height"])


@pytest.mark.parametrize("book", ["e55", "ragnarok", "w10"])
def test_a_telephone_is_left_to_the_table(served: Served, player: Player, book: str) -> None:
    player.page.set_viewport_size(TELEPHONE)
    set_out(served, player, book, "me", "random")
    tools = player.page.get_by_role("toolbar")
    expect(tools).to_be_visible()
    assert bottom(tools) <= MOST_OF_A_TELEPHONE * TELEPHONE["height"]
    player.page.get_by_role("button", name=player.say("app.settings"), exact=True).click()
    player.page.get_by_role("dialog").get_by_label("Italiano").check()
    player.language = "it"
    expect(player.page.get_by_role("heading", name=player.say("settings.title"))).to_be_visible()


@pytest.mark.parametrize("language", ["Italiano", "English"])
def test_all_tabs_beside_the_table_are_seen_on_a_small_screen(served: Served, player: Player, language: str) -> None:
    player.page.set_viewport_size(ViewportSize(width=1280, height=800))
    set_out(served, player, "e55", "me", "random")
    player.base("Lamp captain").click()
    player.page.get_by_role("button", name=language).click()
    tabs = player.page.get_by_role("tablist")
    expect(tabs.get_by_role("tab")).to_have_count(5)
    expect(tabs.get_by_role("tab").last).to_have_text({"Italiano": "Tavolo", "English": "Table"}[language])
    assert tabs.evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_the_score_pulses_where_it_changes(served: Served, player: Player) -> None:
    set_out(served, player, "e55", "me", "random")
    points = player.page.get_by_role("banner").locator(".points")
    expect(points).to_have_count(2)
    expect(points.and_(player.page.locator(".pulses"))).to_have_count(0)
    before = points.all_inner_texts()
    player.play(Random(4), lambda: points.all_inner_texts() != before, often=0.0)
    after = points.all_inner_texts()
    pulsing = ["pulses" in (one.get_attribute("class") or "") for one in points.all()]
    assert all(pulse or one == other for one, other, pulse in zip(before, after, pulsing, strict=True))
    assert any(pulsing)


def test_terrain_stands_back_behind_the_armies(served: Served, player: Player) -> None:
    set_out(served, player, "e55", "me", "random")
    piece = player.page.locator(".pieces .look").first
    assert float(piece.evaluate(COLOUR, "opacity")) == pytest.approx(0.75)
    assert float(player.page.locator(".bases .base").first.evaluate(COLOUR, "opacity")) == 1.0


def test_red_is_kept_for_refusals(served: Served, player: Player) -> None:
    """How far one shoots, whom an act is aimed at and what costs dice have colours of their own."""
    set_out(served, player, "e55", "me", "random")
    bad = player.page.evaluate("getComputedStyle(document.body).getPropertyValue('--bad')")
    assert bad
    red = player.page.evaluate(
        "() => { const one = document.body.appendChild(document.createElement('i'));"
        " one.style.color = 'var(--bad)'; return getComputedStyle(one).color; }"
    )
    player.base("Lamp captain").click()
    player.page.keyboard.press("g")
    ring = player.page.locator(".rings .ring.weapon path").first
    expect(ring).to_be_attached()
    assert ring.evaluate(COLOUR, "stroke") != red


def test_a_rule_stands_once_for_the_lines_that_cite_it(served: Served, player: Player) -> None:
    set_out(served, player, "w10", "me", "random")
    lines = player.journal.locator(".line")
    player.play(Random(4), lambda: lines.count() > 12, often=0.0)
    cited = player.journal.evaluate(
        "box => [...box.querySelectorAll('h2, h3, .line')].map(one => one.matches('.line') ? "
        "[...one.querySelectorAll('.rules .rule')].map(rule => rule.title).join() : 'heading')"
    )
    assert not [one for one, other in pairwise(cited) if one == other not in ("", "heading")]
    assert "" in cited
    expect(player.journal.get_by_role("button", name="§", exact=True)).to_have_count(0)


def test_luck_has_the_colour_of_whom_it_was_good_for(served: Served, player: Player) -> None:
    """Of dice that came as they come it tells nothing."""
    shares = {(0, 0.9): 0, (0, 0.2): 1, (1, 0.8): 1, (1, 0.1): 0, (1, 0.52): None}
    rows = [
        {"side": side, "text": "hits", "count": 9, "expected": 3.0, "got": 4, "share": share} for side, share in shares
    ]
    made = over(served)
    player.page.route("**/luck*", lambda route: route.fulfill(json={"sides": rows, "kinds": [], "strokes": []}))
    player.sit(made.battle, tokens(made))
    player.page.goto(f"/replay/{made.battle}")
    player.tab("side.luck")
    cells = player.page.locator("td.share")
    expect(cells).to_have_count(len(rows))
    for cell, side in zip(cells.all(), shares.values(), strict=True):
        found = re.search(r"side-(\d)", cell.get_attribute("class") or "")
        assert (None if found is None else int(found[1])) == side


@pytest.mark.parametrize(("book", "mission", "prompt", "edges"), LAID)
def test_where_a_marker_may_lie_is_drawn(
    served: Served, player: Player, book: str, mission: str | None, prompt: str, edges: float
) -> None:
    """All that is far enough from the edges, and a circle about each marker that lies there."""
    asked = draft(book, "me", "random", is_agreed=True)
    agreed = {**asked.agreed, **({"mission": mission} if mission else {})}
    made = served.call(served.hall.create(msgspec.structs.replace(asked, agreed=agreed), False))
    played_to(served, made, lambda sheet: sheet["prompt"] == prompt)
    player.sit(made.battle, tokens(made))
    player.asked()
    area = player.page.locator(".apart > .line")
    expect(area).to_have_attribute("x", f"{edges:g}")
    expect(area).to_have_attribute("y", f"{edges:g}")
    barred = player.page.locator(".apart g .line")
    player.play(Random(0), lambda: barred.count() > 0, often=0.0)
    expect(barred.first).to_be_attached()
