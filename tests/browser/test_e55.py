"""A whole battle of 750 points of Edizione 5.5 against a bot, by mouse."""

from __future__ import annotations

import pytest

from tests.browser.errands import aims_elsewhere, allots, drags, fires, plays_against_a_bot
from tests.browser.player import Player

BOOK = "5.5"


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes two or three minutes of a machine that does nothing else."""
    return 1200.0


def test_a_whole_battle_by_mouse(player: Player) -> None:
    errands = drags, aims_elsewhere, fires, allots
    done = plays_against_a_bot(player, BOOK, "greedy", *errands, seed=1, often=0.05, ready=1)
    assert {"drags", "allots"} <= done
    assert done & {"aims_elsewhere", "fires"}, "some battles ask only once how a unit fires"
