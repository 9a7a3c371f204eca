"""WZR at the page: a whole battle by mouse against a bot."""

from __future__ import annotations

import pytest

from tests.browser.errands import aims_elsewhere, drags, plays_against_a_bot
from tests.browser.player import Player

NAME = "WZR"


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes some minutes of a machine that does nothing else."""
    return 1200.0


def test_a_whole_battle_by_mouse(player: Player) -> None:
    done = plays_against_a_bot(player, NAME, "random", drags, aims_elsewhere, seed=3, often=0.1)
    assert "drags" in done
