"""Which model of the target takes an attack (attack/allocate, core-abilities/leader-protected, PRECISION)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.w10.attack.allocation import bound, forget_attacked, least_missed, may_take, takes, worth
from campale.rulesets.w10.attack.damage import mortal_wounds
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.units import members
from tests.rulesets.w10.kit import gun, model, piece, play, question_after, shots, squad, table, unit, wounds

covers = pytest.mark.covers

SURE: dict[str, Any] = {"ap": -6, "s": 20}


def shooter_at(*targets: Any, pieces: Any = (), **weapon: Any) -> Position:
    return table(squad("line-squad", weapons=(gun(**{**SURE, **weapon}),)), *targets, pieces=pieces)


def shoot(position: Position, dice: str, *answers: Any) -> Any:
    return play(resolve(unit(position, 0), shots(position, 0, 1)), dice, answers, position)


@covers("attack/allocate")
def test_the_owner_says_who_takes_attacks_first() -> None:
    position = shooter_at(squad("line-squad", 3, 1, (30, 20), w=1), a="2")
    played = shoot(position, "3 3 | 2 2 | 1 1", [3, 1, 2])
    assert [m.row for m in members(unit(position, 1))] == [2]
    assert [(q.side, q.prompt) for q in played.questions if not q.is_chance] == [(1, "who-takes")]


@covers("attack/allocate")
@pytest.mark.parametrize(("apart", "proposed"), [(1.6, [0, 1, 2]), (1.7, [1, 0, 2])])
def test_nobody_is_proposed_by_whose_going_the_rest_would_be_apart(apart: float, proposed: list[int]) -> None:
    position = table(squad("line-squad", 3, at=[(30, 20), (30 - apart, 20), (30 + apart, 20)]))
    assert least_missed(unit(position, 0), members(unit(position, 0))) == proposed


@covers("attack/allocate")
def test_a_wounded_model_must_take_the_next_attack() -> None:
    position = shooter_at(squad("line-squad", 3, 1, (30, 20), w=3))
    model(position, 2).mark("wounds", 1)
    assert bound(members(unit(position, 1))) == model(position, 2)
    played = shoot(position, "3 2 1")
    assert wounds(position, 2) == 2
    assert played.prompts == []


@covers("attack/allocate")
def test_who_was_attacked_this_phase_comes_before_who_is_wounded_and_of_those_the_weaker() -> None:
    position = shooter_at(squad("line-squad", 3, 1, (30, 20), w=3))
    one, two, three = members(unit(position, 1))
    two.mark("wounds", 2)
    one.mark("wounds", 1)
    assert bound([one, two, three]) == two
    three.mark("attacked", 1)
    assert bound([one, two, three]) == three
    forget_attacked(position)
    assert bound([one, two, three]) == two


@covers("attack/allocate")
def test_who_saved_an_attack_takes_the_next_one_too() -> None:
    position = shooter_at(squad("line-squad", 2, 1, (30, 20), w=1, sv=2), ap=0)
    shoot(position, "3 2 2", [2, 1])
    shoot(position, "3 2 1")
    assert [m.row for m in members(unit(position, 1))] == [1]


@covers("attack/allocate")
def test_a_model_is_chosen_seen_or_not() -> None:
    position = shooter_at(squad("line-squad", 2, 1, [(30, 20), (30, 32)], w=1), pieces=[piece("ruins", 30, 26)])
    shoot(position, "3 2 1", [2, 1])
    assert [m.row for m in members(unit(position, 1))] == [1]


@covers("attack/allocate")
def test_plain_models_are_proposed_first() -> None:
    strong = gun(a="3", s=9, d="3")
    position = shooter_at(squad("line-squad", 2, 1, (30, 20), last=[strong]))
    plain, armed = members(unit(position, 1))
    assert worth(plain) < worth(armed)
    question = question_after(takes(unit(position, 1)))
    assert question.suggestions()[0] == [plain.row, armed.row]


# ---------------------------------------------------------------- Leaders


def led(*, hidden: bool = False, **weapon: Any) -> Position:
    """A squad of two (rows 1 and 2) with a Captain (row 3)."""
    at = (30, 34) if hidden else (30, 22)
    return shooter_at(
        squad("line-squad", 2, 1, [(30, 20), (31.5, 20)], w=1),
        squad("captain", 1, 1, at, invulnerable=None, leads=1),
        pieces=[piece("ruins", 30, 28)],
        **weapon,
    )


@covers("core-abilities/leader-protected", "core-abilities/leader")
def test_a_leader_takes_no_attack_while_a_bodyguard_is_left_though_it_is_wounded() -> None:
    position = led()
    model(position, 3).mark("wounds", 1)
    assert [m.row for m in may_take(unit(position, 1))] == [1, 2]
    shoot(position, "3 2 1", [1, 2])
    assert wounds(position, 3) == 1


@covers("core-abilities/leader-protected", "core-abilities/leader-split")
def test_attacks_left_over_go_at_the_leader_when_the_last_bodyguard_is_dead() -> None:
    position = led(a="3")
    shoot(position, "3 3 3 | 2 2 2 | 1 | 1 | 1", [1, 2])
    assert wounds(position, 3) == 1
    assert model(position, 3).unit.row == 2


@covers("core-abilities/leader-protected", "attack/mortal-wounds")
def test_mortal_wounds_spare_the_leader_likewise() -> None:
    position = led()
    play(mortal_wounds(unit(position, 1), 3, 0, "mortal-wounds"), "", [[1, 2]], position)
    assert wounds(position, 3) == 1
    assert not model(position, 1).is_on_table


@covers("weapon-abilities/precision", "u/precision-several-characters")
def test_precision_lets_the_attacker_pick_out_a_character() -> None:
    position = led(abilities=("precision",))
    played = shoot(position, "3 2 1", 3)
    assert wounds(position, 3) == 1
    assert [(q.side, q.prompt) for q in played.questions if not q.is_chance] == [(0, "precision")]


@covers("weapon-abilities/precision")
def test_or_it_follows_the_normal_sequence() -> None:
    position = led(abilities=("precision",))
    shoot(position, "3 2 1", "normal-allocation", [1, 2])
    assert (wounds(position, 3), model(position, 1).is_on_table) == (0, False)


@covers("weapon-abilities/precision", "visibility/visible")
def test_precision_needs_a_character_that_the_attacker_sees() -> None:
    position = led(abilities=("precision",), hidden=True)
    assert shoot(position, "3 2 1", [1, 2]).prompts == ["who-takes"]


@covers("weapon-abilities/precision")
def test_without_precision_nobody_is_picked_out() -> None:
    assert shoot(led(), "3 2 1", [1, 2]).prompts == ["who-takes"]


@covers("u/precision-several-characters")
def test_with_two_characters_all_are_picked_before_any_save_and_what_is_picked_for_the_dead_is_lost() -> None:
    position = shooter_at(
        squad("line-squad", 1, 1, (30, 20), w=1),
        squad("captain", 1, 1, (30, 22), w=1, invulnerable=None, leads=1),
        squad("lieutenant", 1, 1, (32, 22), leads=1),
        a="3",
        abilities=("precision",),
    )
    played = shoot(position, "3 3 3 | 2 2 2 | 1 1", 2, 2, 3)
    asked = [q.prompt for q in played.questions]
    assert asked == ["to-hit", "to-wound", *["precision"] * 3, "save", "save"]
    assert not model(position, 2).is_on_table
    assert wounds(position, 3) == 1


@covers("u/precision-several-characters", "weapon-abilities/precision")
def test_with_one_character_each_attack_is_picked_and_saved_in_turn() -> None:
    played = shoot(led(a="2", abilities=("precision",)), "3 3 | 2 2 | 1 | 1", 3, 3)
    assert [q.prompt for q in played.questions][2:] == ["precision", "save", "precision", "save"]


@covers("u/precision-several-characters", "attack/allocate")
def test_of_two_characters_either_is_picked_and_who_was_takes_the_next_attack() -> None:
    position = shooter_at(
        squad("line-squad", 1, 1, (30, 20), w=1),
        squad("captain", 1, 1, (30, 22), sv=2, invulnerable=None, leads=1),
        squad("lieutenant", 1, 1, (32, 22), sv=2, leads=1),
        ap=0,
        abilities=("precision",),
    )
    played = shoot(position, "3 2 2", 3)
    assert played.questions[2].options() == [2, 3, "normal-allocation"]
    position.remove(model(position, 1), "shooting")
    assert bound(may_take(unit(position, 1))) == model(position, 3)


@covers("mortal-wounds/precision", "weapon-abilities/devastating-wounds")
def test_mortal_wounds_of_a_precise_attack_are_suffered_by_whom_the_attacker_picks_then_by_the_others() -> None:
    """The Captain has two wounds left: the third mortal wound goes on to the bodyguard."""
    position = led(abilities=("precision", "devastating-wounds"), d="3")
    model(position, 3).mark("wounds", model(position, 3).profile.w - 2)
    played = shoot(position, "3 6", 3, [1, 2])
    assert [q.prompt for q in played.questions if not q.is_chance] == ["precision", "who-takes"]
    assert [m.is_on_table for m in position.models[1:4]] == [False, True, False]


@covers("mortal-wounds/precision", "mortal-wounds/normal-first")
def test_or_by_the_bodyguard_if_he_picks_nobody() -> None:
    position = led(abilities=("precision", "devastating-wounds"))
    shoot(position, "3 6", "normal-allocation", [1, 2])
    assert (wounds(position, 3), model(position, 1).is_on_table) == (0, False)
