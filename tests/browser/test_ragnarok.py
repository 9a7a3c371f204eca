"""A whole battle of Ragnarok against a bot, by mouse."""

from __future__ import annotations

from pathlib import Path
from random import Random

from playwright.sync_api import expect

from tests.browser.errands import drags, drags_again, each
from tests.browser.forces import FEW, file_of
from tests.browser.player import Player

BOOK = "Ragnarok"


def test_a_whole_battle_by_mouse(player: Player, tmp_path: Path) -> None:
    player.new(BOOK)
    player.page.get_by_role("radio", name="Extermination").check()
    player.seat(0, "me")
    player.seat(1, "bot").get_by_label(player.say("new.strength")).select_option("random")
    for side in (0, 1):
        player.force(side, file_of(FEW[side], tmp_path))
    player.create()
    player.agree()
    look, done = each(player, drags, drags_again)
    player.play(Random(1), look)
    expect(player.over).to_be_visible()
    assert done == {"drags", "drags_again"}
