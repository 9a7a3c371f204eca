"""A whole battle of a few squads of Edizione 5.5 against a bot, by mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.errands import aims_elsewhere, allots, drags, fires, plays_against_a_bot
from tests.browser.forces import WATCH, file_of
from tests.browser.player import Player
from tests.server.conftest import Served

BOOK = "5.5"


@pytest.fixture
def longest() -> float:
    """By mouse the battle takes a minute or two of a machine that does nothing else."""
    return 1200.0


def test_a_whole_battle_by_mouse(served: Served, player: Player, tmp_path: Path) -> None:
    def set_up() -> None:
        for side in (0, 1):
            player.force(side, file_of(WATCH, tmp_path))

    errands, needed = (drags, aims_elsewhere, fires, allots), {"drags", "allots"}
    more: Any = {"seed": 1, "often": 0.05, "needed": needed}
    done = plays_against_a_bot(served, player, BOOK, "script", *errands, **more, set_up=set_up)
    assert needed <= done
    expect(player.over).to_be_visible()
    assert done & {"aims_elsewhere", "fires"}, "some battles ask only once how a unit fires"
