"""What a screen is told: wounds left, how near an objective must be, how the battle stands."""

from __future__ import annotations

import pytest

from campale.referee.journal import Event
from campale.referee.position import Token
from campale.referee.question import Choose
from campale.referee.refusal import Plain
from campale.referee.telling.transcript import lines
from campale.rulesets.ragnarok.armies.setting_out import counts_within, health
from campale.rulesets.ragnarok.battle.missions import HOLDING
from campale.rulesets.ragnarok.turn.tactical import fields
from campale.rulesets.ragnarok.view.telling import standing
from tests.rulesets.ragnarok.kit import a, table
from tests.screen.test_scene import teller_of


def test_wounds_are_those_left_of_those_there_were() -> None:
    battle = table(a("steam_rifleman", at=(60, 30), wounds=1), a("raider", 1, at=(60, 60)))
    full = battle.model(0).profile.wounds
    assert health(battle.model(0)) == (full - 1, full)
    assert health(battle.model(1)) == (battle.model(1).profile.wounds,) * 2


def test_only_objectives_count_from_a_distance() -> None:
    battle = table(a("steam_rifleman", at=(60, 30)))
    assert counts_within(battle, Token("objective", 1.0, 1.0)) == HOLDING
    assert counts_within(battle, Token("smoke", 1.0, 1.0)) == 0.0


def test_who_holds_an_objective_is_told_in_the_mission_of_objectives_alone() -> None:
    battle = table(a("steam_rifleman", at=(60, 30)), a("raider", 1, at=(60, 90)))
    battle.lay(Token("objective", 60.0, 34.0))
    battle.now |= {"mission": "objectives", "turn": 3, "round": 2, "turns": 12}
    told = dict(standing(battle))
    assert told["mission"] == {"mission": "objectives"}
    assert told["length"] == {"round": 2, "turns": 12}
    assert told["score"] == {"score": [1, 0]}
    assert told["objective"] == {"number": 1, "owner": 0}
    battle.now["mission"] = "extermination"
    assert "objective" not in dict(standing(battle))


@pytest.mark.covers("tactical/charisma-limit", "suppression/effect", "special/scout")
@pytest.mark.parametrize(
    ("suppressed", "scout", "told"),
    [
        (False, False, ["Move (1 CAR)", "Hide (2 CAR)", "Ability"]),
        (True, False, ["Move (2 CAR)", "Hide (4 CAR)", "Ability"]),
        (False, True, ["Move (free)", "Hide (2 CAR)", "Ability"]),
    ],
)
def test_an_action_says_what_it_costs_the_model(suppressed: bool, scout: bool, told: list[str]) -> None:
    battle = table(a("raider", at=(60, 30), rules=("scout",) if scout else ()))
    battle.now |= {"turn": 1, "round": 1, "side": 0, "phase": "tactical"}
    battle.model(0).mark("suppressed", int(suppressed))
    question = fields(battle, 0, [0])
    assert isinstance(question, Choose)
    teller = teller_of(battle)
    assert [teller.option(question, name) for name in ("move", "hide", "ability")] == told


def test_who_reacts_is_asked_without_an_article_that_could_be_wrong() -> None:
    battle = table(a("raider", at=(60, 30)))
    question = Choose(1, "reactions", ["none"], about={"actor": 0, "action": "move"})
    assert ": Movimento. Chi reagisce?" in teller_of(battle, "it").question(question)
    assert ": Move. Who reacts?" in teller_of(battle).question(question)


def test_who_reacts_is_asked_with_the_target_of_what_is_answered() -> None:
    battle = table(a("raider", at=(60, 30)), a("steam_rifleman", 1, at=(60, 50)))
    about = {"actor": 0, "action": "fire", "shown": {"aims": [[0, 1]]}}
    question = Choose(1, "reactions", ["none"], about=about)
    assert teller_of(battle).question(question).endswith("Fire at Steam Rifleman 1. Who reacts?")
    assert teller_of(battle, "it").question(question).endswith("Fuoco contro Steam Rifleman 1. Chi reagisce?")


@pytest.mark.parametrize(
    ("why", "told"), [("fatigue", ["2 + 5 = 7"]), ("armour-save", ["2 5"]), ("to-hit", ["2", "5"])]
)
def test_dice_rolled_one_by_one_for_the_same_thing_stand_in_one_line(why: str, told: list[str]) -> None:
    rolled: dict[str, Plain] = {"why": why, "side": 0, "model": 0, "count": 1, "sides": 6, "needed": None}
    events = [Event("roll", {**rolled, "answer": [face]}) for face in (2, 5)]
    told_now = [line.text for line in lines(events, teller_of(table(a("raider", at=(60, 30)))))]
    assert [text.rpartition(": ")[2] for text in told_now] == told
