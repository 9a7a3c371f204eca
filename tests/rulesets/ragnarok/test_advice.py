"""What a bot that plays nothing through makes of a table: who acts and how, targets of a mission, reactions."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Choose
from campale.rulesets.ragnarok.bots.advice import acts_of, advise, chances_of, lie_of
from tests.rulesets.ragnarok.kit import a, table

REACH = a("steam_rifleman").profile.ranged_weapons[0].range


def best(position: Position, prompt: str, side: int = 0, **about: Any) -> Any:
    found = advise(position, Choose(side, prompt, ("any",), about=about), about)
    return max(found, key=lambda one: one[1])[0]


def facing(gap: float, **marks: Any) -> Position:
    return table(a("steam_rifleman", at=(60, 20), **marks), a("raider", 1, at=(60, 20 + gap)))


@pytest.mark.parametrize(("gap", "act"), [(REACH - 2.0, "fire"), (REACH + 8.0, "move")])
def test_whoever_has_an_enemy_in_reach_fires_and_whoever_has_not_goes_nearer(gap: float, act: str) -> None:
    position = facing(gap)
    assert best(position, "action", model=0) == act
    assert best(position, "model") == 0


def test_the_same_again_tires_and_is_worth_less() -> None:
    tables = facing(10), facing(10, **{"used-fire": 1})
    fresh, used = (acts_of(position.model(0), lie_of(position, 0)) for position in tables)
    assert fresh["fire"] > used.get("fire", 0.0)


def test_a_phase_ends_where_nothing_is_worth_doing() -> None:
    position = facing(10)
    position.model(0).mark("charisma", 0)
    assert best(position, "model") in ("end", "hand-out")
    assert ("end", 0.0) in advise(position, Choose(0, "model", ("any",)), {})


def test_the_commander_is_a_better_target_where_he_is_to_be_felled() -> None:
    def worth(mission: str) -> float:
        position = table(a("steam_rifleman", at=(60, 20)), a("raider", 1, at=(60, 40), commander=1), mission=mission)
        return chances_of(position.model(0), lie_of(position, 0).foes)[0].fire

    assert worth("assassination") > worth("extermination") > 0.0


@pytest.mark.parametrize(("gap", "reaction"), [(10.0, "reaction-fire"), (REACH + 20.0, "none")])
def test_a_reaction_is_made_where_something_may_come_of_it(gap: float, reaction: str) -> None:
    position = table(a("raider", at=(60, 20)), a("steam_rifleman", 1, at=(60, 20 + gap)))
    assert best(position, "reaction", side=1, model=1, actor=0) == reaction


def test_what_was_done_already_in_this_turn_tires() -> None:
    def worth(used: int) -> float:
        position = table(a("raider", at=(60, 20)), a("steam_rifleman", 1, at=(60, 30)))
        position.model(1).mark("used-reaction-fire", used)
        about = {"model": 1, "actor": 0}
        return dict(advise(position, Choose(1, "reaction", ("any",), about=about), about))["reaction-fire"]

    assert worth(1) < worth(0)
