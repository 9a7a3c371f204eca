"""The 10th edition at the page: whole battles, by mouse against a bot and between two who are far apart."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sits
from tests.browser.errands import aims_elsewhere, drags, last_line, plays_against_a_bot, plays_by_a_link
from tests.browser.player import Player
from tests.server.conftest import Served

NAME = "10th edition"
ALONE, EACH = 50, 21
"""So often one decides by mouse against a bot, and each of two against each other."""


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes two or three minutes of a machine that does nothing else."""
    return 1200.0


def test_a_battle_by_mouse(served: Served, player: Player) -> None:
    more: Any = {"seed": 3, "often": 0.1, "needed": {"drags"}, "by_mouse": ALONE}
    done = plays_against_a_bot(served, player, NAME, "random", drags, aims_elsewhere, **more)
    assert "drags" in done
    expect(player.over).to_be_visible()


def test_two_play_a_whole_battle_by_a_link(served: Served, sits: Sits) -> None:
    host, guest = sits(), sits()
    plays_by_a_link(served, host, guest, NAME, EACH)
    assert last_line(host) == last_line(guest)
