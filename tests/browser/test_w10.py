"""The 10th edition at the page: whole battles, by mouse against a bot and between two who are far apart."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Sits
from tests.browser.errands import aims_elsewhere, drags, plays_against_a_bot, plays_by_a_link
from tests.browser.player import Player
from tests.server.conftest import Served

NAME = "10th edition"
BY_MOUSE = 21
"""So often each of two decides by mouse, of a battle between them."""


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes two or three minutes of a machine that does nothing else."""
    return 1200.0


def test_a_whole_battle_by_mouse(player: Player) -> None:
    done = plays_against_a_bot(player, NAME, "random", drags, aims_elsewhere, seed=3, often=0.1)
    assert "drags" in done


def test_two_play_a_whole_battle_by_a_link(served: Served, sits: Sits) -> None:
    host, guest = sits(), sits()
    plays_by_a_link(served, host, guest, NAME, BY_MOUSE)
