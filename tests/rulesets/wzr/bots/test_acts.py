"""What a bot of WZR that plays nothing through makes of a model's actions."""

from __future__ import annotations

from typing import Any

from campale.referee.position import Position
from campale.rulesets.wzr.battle.missions import ANNIHILATION, BREAKTHROUGH
from campale.rulesets.wzr.bots.acting import Acting
from campale.rulesets.wzr.bots.prospects import fighter
from campale.rulesets.wzr.bots.pulls import pull, towards_enemies
from tests.rulesets.wzr.guns import gun
from tests.rulesets.wzr.kit import squad, table
from tests.rulesets.wzr.melee import blade

AHEAD, ASIDE = [[[20.0, 16.0]], 0.0], [[[14.0, 10.0]], 0.0]


def meeting(far: float, mission: str = ANNIHILATION, **own: Any) -> Position:
    """Somebody of ours at (20, 10), an enemy straight ahead."""
    position = table(squad(at=(20, 10), **own), squad(side=1, at=(20, 10 + far)))
    position.now["mission"] = mission
    return position


def best(position: Position, *answers: list[Any], left: int = 2) -> object:
    acting = Acting(position, 0, left)
    return max(answers, key=acting.worth)[0]


def test_a_fighter_without_a_gun_runs_at_the_enemy() -> None:
    position = meeting(30.0, weapons=(), blades=(blade(roa=2),))
    assert best(position, ["walk", ASIDE], ["run", AHEAD], ["aim"], ["sentry"], ["pass"]) == "run"


def test_a_shooter_in_range_shoots_with_its_last_ap_and_does_so_at_the_one_it_hurts() -> None:
    position = meeting(12.0, weapons=(gun(range=24.0),))
    answers: tuple[list[Any], ...] = (["walk", ASIDE], ["shoot", "rifle", "keep", 1], ["aim"], ["sentry"], ["pass"])
    assert best(position, *answers, left=1) == "shoot"
    assert best(position, *answers) == "aim"
    acting = Acting(position, 0, 2)
    assert acting.at_once(acting.one, "shoot", ["gun", "keep", 1]) > 0.0
    assert acting.at_once(acting.one, "shoot", ["gun", "keep", "wall"]) == 0.0


def drawn_by(far: float, near: float, **own: Any) -> float:
    """What it gains to come so much nearer."""
    worths = []
    for gap in (far, near):
        position = meeting(gap, **own)
        worths.append(towards_enemies(fighter(position.model(0)), [fighter(position.model(1))]))
    return worths[1] - worths[0]


def test_nearer_is_better_above_all_to_whom_it_brings_a_fight_or_into_range() -> None:
    rifle: dict[str, Any] = {"weapons": (gun(range=24.0),), "cc": 1}
    fights = drawn_by(16.0, 8.0, weapons=(), blades=(blade(roa=2),))
    into_range, within = drawn_by(40.0, 32.0, **rifle), drawn_by(16.0, 8.0, **rifle)
    assert min(fights, into_range) > 3.0 * within > 0.0


def test_in_breakthrough_the_enemys_zone_draws_a_squad() -> None:
    position = meeting(30.0, BREAKTHROUGH)
    one = fighter(position.model(0))
    on = one._replace(y=one.y + 10.0)
    assert pull(position, on, []) > pull(position, one, [])
    position.now["mission"] = ANNIHILATION
    assert pull(position, on, []) == pull(position, one, [])
