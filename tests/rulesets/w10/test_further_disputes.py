"""More cases where two rules meet, as players dispute them: each on both sides of what decides it."""

from __future__ import annotations

from typing import Any

import pytest

from campale.rulesets.w10.attack.demise import explode_all
from campale.rulesets.w10.attack.destruction import destroy
from campale.rulesets.w10.movement.transports import board
from campale.rulesets.w10.windows.windows import options_of
from tests.rulesets.w10.abilities.test_moments import at
from tests.rulesets.w10.kit import PROPOSAL, ability, model, play, squad, table

covers = pytest.mark.covers


@covers("stratagems/fire-overwatch", "out-of-phase/definition")
@pytest.mark.parametrize(
    ("phase", "may"),
    [("command", 0), ("movement", 1), ("reinforcements", 1), ("shooting", 0), ("charge", 1), ("fight", 0)],
)
def test_overwatch_is_for_the_movement_and_the_charge_phase(phase: str, may: int) -> None:
    position = table(squad("line-squad", 1), squad("line-squad", 1, 1, at=(30, 20)), phase=phase)
    position.gain(1, "cp", 1)
    assert len(options_of(position, 1, "enemy-moves", {"mover": 0})) == may


@covers("stratagems/fire-overwatch", "movement-phase/normal-move", "transports/embark")
@pytest.mark.parametrize(("points", "asked"), [(1, 2), (0, 0)])
def test_a_normal_move_by_an_ability_is_watched_too(points: int, asked: int) -> None:
    rules = ability(moment="movement", once="turn", optional=True, inches=6, do=[{"act": "move"}])
    position = table(squad("line-squad", 1, rules=rules), squad("line-squad", 1, 1, at=(30, 24)), phase="movement")
    position.gain(1, "cp", points)
    answers: list[Any] = [("it", 0, -1), *["pass"] * (asked // 2), [[[[30, 14]], None]], *["pass"] * (asked // 2)]
    played = at(position, "movement", answers=answers)
    assert played.prompts.count("enemy-moves") == asked


@covers("stratagems/fire-overwatch", "transports/destroyed", "s/set-up")
@pytest.mark.parametrize(("phase", "asked"), [("movement", ["enemy-moves"]), ("shooting", [])])
def test_passengers_of_a_wreck_have_just_been_set_up(phase: str, asked: list[str]) -> None:
    position = table(
        squad("carrier", at=(30, 15)), squad("line-squad", 1), squad("line-squad", 1, 1, at=(30, 36)), phase=phase
    )
    board([model(position, 1)], model(position, 0))
    position.gain(1, "cp", 1)
    destroy(model(position, 0), "desperate-escape", -1)
    played = play(explode_all(position), "1 | 2", [PROPOSAL, *["pass" for _ in asked]], position)
    assert played.prompts == ["disembark", *asked]
