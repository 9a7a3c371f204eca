"""A whole battle of 750 points of Edizione 5.5 against a bot, by mouse."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.errands import aims_elsewhere, allots, drags, each, fires
from tests.browser.player import Player

BOOK = "5.5"


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes two or three minutes of a machine that does nothing else."""
    return 1200.0


def test_a_whole_battle_by_mouse(player: Player) -> None:
    player.new(BOOK)
    player.page.get_by_label(player.say("new.ready")).select_option(index=1)
    player.seat(1, "bot").get_by_label(player.say("new.strength")).select_option("greedy")
    player.create()
    player.agree()
    look, done = each(player, drags, aims_elsewhere, fires, allots)
    player.play(Random(1), look, often=0.05)
    expect(player.over).to_be_visible()
    assert {"drags", "allots"} <= done
    assert done & {"aims_elsewhere", "fires"}, "some battles ask only once how a unit fires"
