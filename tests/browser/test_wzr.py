"""WZR at the page: a whole battle by mouse against a bot."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.errands import aims_elsewhere, drags, each
from tests.browser.player import Player

NAME = "WZR"


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes some minutes of a machine that does nothing else."""
    return 1200.0


def test_a_whole_battle_by_mouse(player: Player) -> None:
    player.new(NAME)
    player.seat(1, "bot").get_by_label(player.say("new.strength")).select_option("random")
    player.create()
    player.agree()
    look, done = each(player, drags, aims_elsewhere)
    player.play(Random(3), look, often=0.1)
    expect(player.over).to_be_visible()
    assert {"drags"} <= done
