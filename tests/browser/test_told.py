"""What the table tells at the moment of choice: the odds of each target, and why a line of sight is none."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from playwright.sync_api import Locator, expect

from tests.browser.battles import BOOK, tokens
from tests.browser.forces import force
from tests.browser.player import Player
from tests.server.conftest import Served, draft
from tests.server.page import Page
from tests.server.processes.test_odds import asked, targets_of_fire

RIFLES = force(
    "crucible_league",
    {"profile": "crucible_captain", "commander": True, "expert": "weapons"},
    {"profile": "steam_rifleman", "count": 2},
)
Option = dict[str, Any]


def to_fire(served: Served) -> tuple[str, dict[int, str], list[Option], Option]:
    """A battle in which somebody may fire: its seats, who and with what, and the targets."""
    made = served.create(msgspec.structs.replace(draft(BOOK, "me", "me", is_agreed=True), forces=(RIFLES, RIFLES)))
    pages = [served.page(made, side) for side in (0, 1)]
    for page in pages:
        page.until("state")
    for _ in range(500):
        page = asked(pages)
        found = targets_of_fire(page) if page.moment["sheet"]["prompt"] == "act" else None
        if found is not None and has_choice(page, *found):
            told = chosen(page, found[0][0]), found[1]
            side = pages.index(page)
            for one in pages:
                one.stack.close()
            return made.battle, {side: tokens(made)[side]}, *told
        assert page.answer(page.proposal())["is"] == "done"
    raise AssertionError("nobody may ever fire")


def has_choice(page: Page, path: list[Any], targets: Option) -> bool:
    """Whether there are several targets, and odds of some of them."""
    rows = [one["key"] for one in targets["options"] if "refusal" not in one]
    if len(rows) < 2:
        return False
    told = [page.reply(do="weigh", question=page.question, path=path, answer=row)["forecast"] for row in rows]
    return any(one["stages"] for one in told)


def chosen(page: Page, path: list[Any]) -> list[Option]:
    """The options that lead to the targets, one after another."""
    sheet, found = page.moment["sheet"]["first"], list[Option]()
    for place, answer in enumerate(path):
        found.append(next(one for one in sheet["options"] if one["key"] == answer))
        sheet = page.reply(do="next", question=page.question, path=[path[: place + 1]])["sheet"]
    return found


def option(player: Player, text: str) -> Locator:
    return player.options.filter(has_text=re.compile(rf"^\W*\d*\s*(?:[A-Z]\s*)?{re.escape(text)}"))


def test_each_target_is_listed_with_its_odds_and_told_stage_by_stage(served: Served, player: Player) -> None:
    battle, seats, way, targets = to_fire(served)
    player.sit(battle, seats)
    player.asked()
    for one in way[:2]:
        option(player, one["text"]).first.click()
    lawful = [one["text"] for one in targets["options"] if "refusal" not in one]
    weapon = option(player, way[2]["text"])
    expect(weapon.or_(option(player, lawful[0])).first).to_be_visible()
    if weapon.count():
        weapon.first.click()
    for text in lawful:
        expect(weight_of(player, text)).to_have_text(re.compile(r"\d%|avg \d|\.$"))
    told = next(text for text in lawful if re.search(r"\d%|avg", weight_of(player, text).inner_text()))
    option(player, told).first.hover()
    stages = player.panel.get_by_role("region", name=player.say("odds.of", option=told))
    shares = re.findall(r"\d+%", weight_of(player, told).inner_text())
    assert stages.locator("tbody tr").count() >= len(shares) > 0
    option(player, told).first.click()
    expect(player.panel.locator("details summary").or_(player.options).first).to_be_visible()


def weight_of(player: Player, text: str) -> Locator:
    return option(player, text).first.locator(".weight")


def test_a_line_that_a_rule_forbids_says_which(served: Served, player: Player) -> None:
    battle, seats, way, _ = to_fire(served)
    player.sit(battle, seats)
    player.asked()
    player.base(way[0]["text"]).click()
    player.page.get_by_role("button", name=player.say("board.tool.sight"), exact=True).click()
    lines = player.page.get_by_role("list", name=player.say("board.tool.sight"), exact=True)
    expect(lines.get_by_role("listitem").first).to_be_visible()
    assert lines.get_by_role("listitem").count() > 1
    for one in lines.get_by_role("listitem").all():
        expect(one.get_by_role("button").first).to_be_visible()
