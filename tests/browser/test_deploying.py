"""Setting up and moving whole units in the browser: formations, the whole deployment, way-points, fingers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import WAIT
from tests.browser.player import Player

BOOK = "Edition 5.5"
Point = tuple[float, float]
STEPS = 6
NEAR = 2
"""So many pixels a base may seem to have moved, for it is drawn otherwise when it is nobody's turn."""
UNITS = re.compile(r"(Quay watch|Keepers|Gull-eyes|Gale jumpers)[^:]*:\s*move")


def to(player: Player, words: str) -> None:
    """Take what is proposed until something is asked in these words."""
    for _ in range(40):
        player.asked()
        if player.panel.get_by_role("heading", name=re.compile(words)).first.is_visible():
            return
        player.go_on()
    raise AssertionError(words)


def ends(page: Page) -> list[Point]:
    """The middles of the bases of whoever the question is about."""
    boxes = [one.bounding_box() for one in page.locator("g.base.actor").all()]
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box is not None]


def middle(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def moving(player: Player) -> None:
    """Everybody is deployed in one click, and a unit of the player's is to move."""
    player.demo(BOOK)
    to(player, "^Deploy .*")
    player.button("ask.deploy-all").click()
    to(player, "^Which unit moves")
    unit, back = (
        player.options.filter(has_text=UNITS).first,
        player.panel.get_by_role("button", name=re.compile(f"^{player.say('ask.cancel')}")),
    )
    expect(unit.or_(back).first).to_be_visible()
    for _ in range(4):
        if not unit.is_visible():
            back.first.click()
            expect(unit.or_(back).first).to_be_visible()
    unit.click()
    expect(player.panel.get_by_role("meter")).to_be_visible()


def stands_in_a_row(player: Player, axis: int) -> None:
    """All of them have, or come to have, the same place on an axis: the server may still be finding them room."""
    for _ in range(int(WAIT / 100)):
        places = [one[axis] for one in ends(player.page)]
        if max(places) - min(places) < 2.0:
            return
        player.page.wait_for_timeout(100)
    raise AssertionError(f"they do not stand in a row: {places}")


def width(page: Page) -> float:
    """How wide the first base of whoever the question is about is drawn, in pixels."""
    box = page.locator("g.base.actor").first.bounding_box()
    assert box is not None
    return box["width"]


def is_closer(page: Page, least: float) -> None:
    """The table is, or comes to be, seen from so near that a base is this wide."""
    for _ in range(int(WAIT / 100)):
        if width(page) > least:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"a base is {width(page)} pixels wide, not {least}")


def test_a_unit_stands_in_the_formation_chosen_and_is_turned_as_one(player: Player) -> None:
    player.demo(BOOK)
    to(player, "^Deploy Keepers")
    line = player.button("ask.formation.line")
    line.click()
    expect(line).to_have_attribute("aria-pressed", "true")
    expect(player.page.locator("g.base.actor")).to_have_count(9)
    expect(player.primary).to_have_text(re.compile("^Deploy here"))
    stands_in_a_row(player, 1)
    for _ in range(6):
        player.button("ask.turn.right").click()
    stands_in_a_row(player, 0)
    player.page.keyboard.press("f")
    expect(player.button("ask.formation.two-ranks")).to_have_attribute("aria-pressed", "true")
    player.command("form wedge spaced 0.5")
    expect(player.button("ask.formation.wedge")).to_have_attribute("aria-pressed", "true")


def test_what_was_set_down_by_hand_stays_when_the_rest_is_deployed(player: Player) -> None:
    player.demo(BOOK)
    to(player, "^Deploy Keepers")
    player.button("ask.formation.wedge").click()
    expect(player.button("ask.formation.wedge")).to_have_attribute("aria-pressed", "true")
    expect(player.primary).to_have_text(re.compile("^Deploy here"))
    expect(player.primary).to_be_enabled()
    drafted = sorted((round(x), round(y)) for x, y in ends(player.page))
    names = [one.get_attribute("data-row") for one in player.page.locator("g.base.actor").all()]
    player.button("ask.deploy-rest").click()
    to(player, "^Which unit moves")
    bases = [player.page.locator(f"g.base[data-row='{row}']").bounding_box() for row in names]
    stand = sorted((round(b["x"] + b["width"] / 2), round(b["y"] + b["height"] / 2)) for b in bases if b is not None)
    assert len(stand) == len(drafted)
    for (x, y), (u, v) in zip(stand, drafted, strict=True):
        assert abs(x - u) <= NEAR
        assert abs(y - v) <= NEAR


def test_all_are_deployed_in_one_click_and_a_unit_goes_by_way_points(player: Player) -> None:
    moving(player)
    page = player.page
    x, y = middle(ends(page))
    page.keyboard.down("Control")
    page.mouse.click(x + 3.0, y - 20.0)
    page.mouse.click(x, y - 35.0)
    page.keyboard.up("Control")
    expect(page.locator(".moving circle.turn").first).to_be_visible()
    expect(page.locator(".board .budget")).to_be_visible()


@pytest.fixture
def fingers() -> Callable[[Page], Callable[..., None]]:
    """Puts fingers on a page: ``touchStart``, ``touchMove``, ``touchEnd`` at points."""

    def of(page: Page) -> Callable[..., None]:
        line: CDPSession = page.context.new_cdp_session(page)

        def put(kind: str, *points: Point) -> None:
            spots = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
            line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

        return put

    return of


def test_a_finger_drags_under_a_loupe_and_confirms_on_the_table(
    sits: Callable[..., Player], fingers: Callable[[Page], Callable[..., None]]
) -> None:
    player = sits(has_touch=True)
    player.page.set_viewport_size({"width": 820, "height": 1180})
    moving(player)
    page, put = player.page, fingers(player.page)
    far = width(page)
    x, y = middle(ends(page))
    put("touchStart", (x - 40, y - 90), (x + 40, y - 90))
    for step in range(1, STEPS):
        put("touchMove", (x - 40 - 9 * step, y - 90), (x + 40 + 9 * step, y - 90))
    put("touchEnd")
    is_closer(page, 1.3 * far)
    x, y = ends(page)[0]
    put("touchStart", (x, y))
    for step in range(1, STEPS):
        put("touchMove", (x, y - 6 * step))
    expect(page.locator(".loupe")).to_be_visible()
    put("touchEnd")
    expect(page.locator(".loupe")).not_to_be_visible()
    confirm = page.locator(".board").get_by_role("button", name=player.say("ask.confirm.move"))
    expect(confirm).to_be_enabled()
    confirm.click()
    expect(confirm).not_to_be_visible()
