"""What is counted while a battle of the laboratory is played."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from campale.lab.planning import plan_of
from campale.lab.playing import Watch, play, players_of
from campale.referee.game import Game
from campale.referee.records.tally import Tally, UnitTally
from campale.referee.ruleset import load_ruleset
from campale.simulate import play_on
from tests.lab.conftest import REAL, Write


def test_a_round_counts_once_it_is_over_and_the_last_one_at_the_end() -> None:
    """One unit holds at the ends of the first and third round, whatever it does in between; the other never does."""

    def tally(position: Any, setup: Any) -> Tally:
        units = (
            UnitTally(0, "a", (), True, 1, 1.0, 1.0, objectives=position.stands),
            UnitTally(1, "b", (), True, 1, 1.0, 1.0),
        )
        return Tally(None, None, None, units)

    position = SimpleNamespace(now={}, stands=2)
    game: Any = SimpleNamespace(position=position, ruleset=SimpleNamespace(tally=tally))
    watch = Watch(SimpleNamespace())  # type: ignore[arg-type]
    for now, stands in ((None, 1), (1, 0), (1, 1), (2, 1), (2, 0), (3, 0), (3, 1)):
        position.now = {} if now is None else {"round": now}
        position.stands = stands
        watch(game)
    watch.count(watch.tally(game))
    assert dict(watch.held) == {0: 2}


@pytest.mark.parametrize(
    "changes",
    [
        {"missions": ["objectives"]},
        {
            "ruleset": "e55",
            "first": {"force": "lantern-guard-750", "player": "random"},
            "second": {"force": "mire-brood-750", "player": "random"},
            "missions": None,
        },
    ],
)
def test_rounds_held_are_no_more_than_rounds_and_counting_changes_nothing(
    write: Write, changes: dict[str, Any]
) -> None:
    battle = plan_of(write(REAL, **changes)).battle(0)
    rows = play(battle)
    assert rows.battle.fault == ""
    assert rows.battle.rounds is not None
    assert all(0 <= unit.rounds_held <= rows.battle.rounds for unit in rows.units)
    assert all(unit.rounds_held >= 1 for unit in rows.units if unit.objectives)
    game = Game(load_ruleset(battle.setup.ruleset), battle.setup, battle.seed, journal=False, marks="none")
    play_on(game, players_of(battle), battle.most_answers)
    assert game.position.state_hash() == rows.battle.final_hash
