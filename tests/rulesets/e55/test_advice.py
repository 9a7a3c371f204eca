"""What a bot that plays nothing through makes of a table: who moves and where, faces whom, fires, charges."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position, Token
from campale.referee.question import Choose
from campale.rulesets.e55.bots.advice import advise, plan_of
from campale.rulesets.e55.bots.outlook import outlook_of
from campale.rulesets.e55.turn.acting import DONE_KEY
from tests.rulesets.e55.kit import Squad, profile, squad, table

RIFLEMAN = profile("veteran", "rifle", points=15)
GUNNER = profile("veteran", "machine-gun", points=15)
MILITIAMAN = profile("militia", "carbine", points=5)
FIGHTER = profile("sergeant", "claw", points=20, a=4)


def militia(count: int = 5, at: tuple[float, float] = (20.0, 30.0), **given: Any) -> Squad:
    return squad(MILITIAMAN, count, side=1, at=at, **given)


def best(position: Position, prompt: str, **about: Any) -> Any:
    """What is worth most, of a question with that prompt."""
    side = int(position.now["side"])
    found = advise(position, Choose(side, prompt, ("any",), about=about), about)
    return max(found, key=lambda one: one[1])[0]


def moving(*squads: Squad, **now: Any) -> Position:
    return table(*squads, phase="movement", **now)


# ---------------------------------------------------------------- moving


def test_fighters_go_at_the_enemy_and_heavy_guns_in_range_stay() -> None:
    fighters = moving(squad(FIGHTER, 5, at=(20.0, 10.0)), militia(at=(20.0, 22.0)))
    assert best(fighters, "movement") == ("move", 0)
    guns = moving(squad(GUNNER, 5, at=(20.0, 10.0)), militia(at=(20.0, 40.0)))
    assert best(guns, "movement") == DONE_KEY


def test_whoever_can_hurt_nobody_in_this_turn_runs() -> None:
    assert best(moving(squad(FIGHTER, 5, at=(20.0, 4.0)), militia(at=(20.0, 44.0))), "movement") == ("run", 0)
    assert best(moving(squad(FIGHTER, 5, at=(20.0, 4.0)), militia(at=(20.0, 44.0))), "movement") != ("move", 0)


def test_an_objective_draws_a_squad_and_holds_it() -> None:
    def goal(at: tuple[float, float]) -> Any:
        position = moving(squad(RIFLEMAN, 5, at=at), militia(at=(70.0, 46.0)), mission="seize-and-hold", turn=9)
        position.lay(Token("objective", 20.0, 16.0))
        view = outlook_of(position)
        return plan_of(position, view, view.squads[0])

    assert goal((20.0, 8.0)).at == (20.0, 16.0)
    assert goal((16.0, 16.0)) is None


# ---------------------------------------------------------------- facing, fire, charges


def test_a_squad_faces_whom_it_can_hurt_most() -> None:
    position = table(squad(RIFLEMAN, 5, at=(20.0, 10.0)), militia(at=(20.0, 44.0)), militia(at=(26.0, 20.0)))
    assert best(position, "face", unit=0) == 2


@pytest.mark.parametrize(("away", "line"), [(20.0, ("shoot", 0)), (34.0, DONE_KEY)])
def test_fire_is_declared_as_far_as_it_reaches(away: float, line: Any) -> None:
    position = table(squad(RIFLEMAN, 5, at=(20.0, 10.0), faces=1), militia(at=(20.0, 10.0 + away)))
    assert best(position, "shooting") == line


def test_fire_that_comes_to_nothing_is_not_declared() -> None:
    tank = squad(profile("tank", points=75), 1, side=1, at=(20.0, 20.0))
    assert best(table(squad(MILITIAMAN, 5, at=(20.0, 10.0), faces=1), tank), "shooting") == DONE_KEY


@pytest.mark.parametrize(
    ("kind", "away", "line"),
    [(FIGHTER, 6.0, ("charge", 0, 1)), (FIGHTER, 12.0, DONE_KEY), (MILITIAMAN, 6.0, DONE_KEY)],
)
def test_only_the_better_fighters_charge_and_only_from_near(kind: Any, away: float, line: Any) -> None:
    enemy = FIGHTER if kind is MILITIAMAN else MILITIAMAN
    position = table(
        squad(kind, 5, at=(20.0, 10.0), faces=1), squad(enemy, 5, side=1, at=(20.0, 10.0 + away)), phase="charges"
    )
    assert best(position, "charges") == line
