"""One Cancel and one Undo at any moment, whatever is asked, for fingers too and whatever stands beside the table."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Locator, ViewportSize

from tests.browser.conftest import Sits
from tests.browser.player import Player

TELEPHONE, TABLET = (844, 390), (1024, 768)
KINDS = {
    "Ragnarok": {"deploying": "Deploy", "moving": "where does it move", "filling a form": "which action"},
    "5.5": {
        "deploying": "Deploy",
        "moving": ": move$",
        "filling a form": "Which unit shoots",
        "charging": "Which unit charges",
    },
}
"""What is done by what the question says; of a charge Ragnarok asks as of any action."""


def named(player: Player, key: str) -> Locator:
    name = re.compile(rf"^\W*{re.escape(player.say(key))}\b")
    return player.page.get_by_role("button", name=name).filter(visible=True)


def touches(player: Player) -> None:
    """Lay a finger on the table: from now on it shows what fingers need."""
    box = player.page.get_by_role("group", name=player.say("board.title")).bounding_box()
    assert box is not None
    player.page.touchscreen.tap(box["x"] + box["width"] - 8, box["y"] + box["height"] - 8)


@pytest.mark.parametrize(("book", "size"), [("Ragnarok", TELEPHONE), ("5.5", TABLET)])
def test_there_is_one_cancel_and_one_undo(sits: Sits, book: str, size: tuple[int, int]) -> None:
    player = sits(has_touch=True)
    player.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    player.demo(book)
    player.tab("side.table")
    seen, met = set[str](), set[str]()

    def looked() -> bool:
        told = " / ".join(player.panel.get_by_role("heading").all_inner_texts())
        for key in ("ask.cancel", "ask.undo"):
            count = named(player, key).count()
            assert count <= 1, (key, told)
            met.update([key] * count)
        if not seen and "Deploy" in told:
            touches(player)
        seen.update(kind for kind, words in KINDS[book].items() if re.search(words, told))
        if "moving" in seen and player.page.locator(".fingers .primary").is_visible():
            met.add("what fingers need")
        return seen == set(KINDS[book]) and len(met) == 3

    player.play(Random(4), looked, often=0.0)
    assert (seen, met) == (set(KINDS[book]), {"ask.cancel", "ask.undo", "what fingers need"})
