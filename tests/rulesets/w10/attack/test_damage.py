"""Damage, Feel No Pain, mortal wounds, Deadly Demise (attack/inflict-damage, mortal-wounds/*, core-abilities/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.w10.attack.damage import mortal_wounds, points_of, suffer
from campale.rulesets.w10.attack.demise import explode
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.fight.fight import fight
from tests.rulesets.w10.kit import attack, blade, gun, handfuls, left, model, play, shots, squad, table, unit, wounds

covers = pytest.mark.covers

SURE: dict[str, Any] = {"ap": -6, "s": 20}
"""Wounds on 2 or more, and leaves no save."""


def shooter_at(*targets: Any, options: dict[str, Any] | None = None, **weapon: Any) -> Position:
    return table(squad("line-squad", weapons=(gun(**{**SURE, **weapon}),)), *targets, options=options)


@covers("attack/inflict-damage", "d/normal-damage", "s/suffers-damage")
def test_a_model_loses_a_wound_for_each_point_and_is_destroyed_with_its_last() -> None:
    position = shooter_at(squad("line-squad", 1, 1, (30, 20), w=3))
    play(suffer(model(position, 1), 2, 0, "shooting"), position=position)
    assert (wounds(position, 1), left(position, 1)) == (2, 1)
    play(suffer(model(position, 1), 1, 0, "shooting"), position=position)
    assert left(position, 1) == 0


@covers("attack/inflict-damage", "destroyed/model")
def test_what_is_over_of_normal_damage_is_lost() -> None:
    position = shooter_at(squad("line-squad", 2, 1, (30, 20), w=2), d="3")
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 2 1", [[1, 2]], position)
    assert (left(position, 1), wounds(position, 2)) == (1, 0)


@covers("t/damage-roll", "datasheet/random-characteristics")
def test_a_random_damage_is_rolled_for_each_attack() -> None:
    position = shooter_at(squad("walker", 1, 1, (30, 20)), a="2", d="D3")
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), "3 3 | 2 2 | 1 1 | 1 | 6", position=position)
    assert wounds(position, 1) == 1 + 3
    assert played.rolls.count("damage") == 2


@covers("modifiers/floor-s-t-a-d", "weapon-abilities/melta", "d/normal-damage")
def test_melta_counts_only_near() -> None:
    line = gun(d="2", abilities=("melta 2",)).lines[0]
    position = shooter_at(squad("line-squad", 1, 1, (30, 20)))
    points = [play(points_of(position, attack(line, near=near)), position=position).value for near in (True, False)]
    assert points == [4, 2]


# ---------------------------------------------------------------- Feel No Pain


@covers("i/feel-no-pain-example", "i/feel-no-pain", "core-abilities/feel-no-pain-choice")
@pytest.mark.parametrize(("dice", "lost"), [("1 6", 1), ("4 4", 2), ("5 5", 0)])
def test_feel_no_pain_is_rolled_for_each_point(dice: str, lost: int) -> None:
    position = shooter_at(squad("line-squad", 1, 1, (30, 20), w=3, feel_no_pain=5))
    played = play(suffer(model(position, 1), 2, 0, "shooting"), dice, position=position)
    assert wounds(position, 1) == lost
    assert played.rolls == ["feel-no-pain"]


@covers("mortal-wounds/no-saves", "attack/mortal-wounds", "i/feel-no-pain")
def test_mortal_wounds_allow_no_save_but_feel_no_pain() -> None:
    position = shooter_at(squad("line-squad", 1, 1, (30, 20), w=4, sv=2, invulnerable=2, feel_no_pain=5))
    played = play(mortal_wounds(unit(position, 1), 3, 0, "mortal-wounds"), "5 4 1", position=position)
    assert wounds(position, 1) == 2
    assert set(played.rolls) == {"feel-no-pain"}


# ---------------------------------------------------------------- mortal wounds


@covers("attack/mortal-wounds", "mortal-wounds/one-at-a-time")
def test_mortal_wounds_go_on_to_the_next_model() -> None:
    position = shooter_at(squad("line-squad", 3, 1, (30, 20), w=2))
    play(mortal_wounds(unit(position, 1), 5, 0, "mortal-wounds"), "", [[2, 1, 3]], position)
    assert [(m.row, wounds(position, m.row)) for m in unit(position, 1).models] == [(3, 1)]


@covers("mortal-wounds/one-at-a-time")
def test_what_is_left_when_the_unit_is_gone_is_lost() -> None:
    position = shooter_at(squad("line-squad", 1, 1, (30, 20), w=2))
    play(mortal_wounds(unit(position, 1), 5, 0, "mortal-wounds"), position=position)
    assert left(position, 1) == 0


@covers("weapon-abilities/devastating-wounds", "modifiers/devastating-damage", "mortal-wounds/normal-first")
def test_a_devastating_wound_is_as_many_mortal_wounds_as_its_damage_with_melta() -> None:
    position = shooter_at(squad("line-squad", 3, 1, (30, 16), w=2), d="2", abilities=("devastating-wounds", "melta 1"))
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), "3 6", [[1, 2, 3]], position)
    assert [(m.row, wounds(position, m.row)) for m in unit(position, 1).models] == [(2, 1), (3, 0)]
    assert "save" not in played.rolls


@covers("mortal-wounds/normal-first")
def test_normal_damage_comes_before_mortal_wounds_though_they_were_rolled_first() -> None:
    walker = squad("walker", 1, 1, (30, 20), feel_no_pain=6)
    position = shooter_at(walker, a="2", d="D3", abilities=("devastating-wounds",))
    dice = "3 3 | 6 2 | 3 | 3 | 5 | 1 1 1 | 1 | 1"
    played = play(resolve(unit(position, 0), shots(position, 0, 1)), dice, position=position)
    assert played.rolls[:5] == ["to-hit", "to-wound", "save", "damage", "damage"]
    assert [q.count for q in handfuls(played, "feel-no-pain")] == [3, 1, 1]


def two_targets(mortal_wounds: str) -> tuple[Position, Any]:
    """Both targets suffer a devastating wound each; the shooter has a plain gun for the second one besides."""
    one, two = gun("one", **SURE, abilities=("devastating-wounds",)), gun("two", **SURE)
    position = table(
        squad("line-squad", weapons=(one, two)),
        squad("walker", 1, 1, (26, 20), feel_no_pain=6),
        squad("walker", 1, 1, (34, 20), feel_no_pain=6),
        options={"mortal_wounds": mortal_wounds},
    )
    return position, [*shots(position, 0, 1, ["one"]), *shots(position, 0, 2, ["two"])]


@covers("mortal-wounds/normal-first")
@pytest.mark.parametrize(
    ("option", "order"),
    [("all", [(2, "shooting"), (1, "mortal-wounds")]), ("per-target", [(1, "mortal-wounds"), (2, "shooting")])],
)
def test_mortal_wounds_wait_for_all_normal_damage_or_for_that_of_their_target(option: str, order: list[Any]) -> None:
    position, all_ = two_targets(option)
    dice = {"all": "3 6 | 3 3 | 1 | 1 | 1", "per-target": "3 6 | 1 | 3 3 | 1 | 1"}
    played = play(resolve(unit(position, 0), all_), dice[option], [[1, 2]], position)
    pains = [q.about["model"] for q in handfuls(played, "feel-no-pain")]
    assert pains == [row for row, _ in order]


@covers("mortal-wounds/normal-first")
def test_mortal_wounds_that_wait_for_a_target_that_is_gone_are_lost() -> None:
    one, two = gun("one", **SURE, abilities=("devastating-wounds",)), gun("two", **SURE)
    position = table(
        squad("line-squad", weapons=(one, two)),
        squad("line-squad", 1, 1, (30, 20), w=1),
        squad("line-squad", 1, 1, (40, 20)),
    )
    answers = [[["one", 0], ["two", 0]]]
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 6 | 3 3 1", answers, position)
    assert (left(position, 1), left(position, 2)) == (0, 1)


# ---------------------------------------------------------------- Deadly Demise


def dying(options: dict[str, Any] | None = None) -> Position:
    """A walker about to die, with one unit of each side exactly 6 inches and one just more than 6 inches from it."""
    half = 90 / 50.8 + 32 / 50.8
    return table(
        squad("line-squad", weapons=(gun(**SURE, d="3"),), at=(30, 10)),
        squad("walker", 1, 1, (30, 22), models={"wounds": 7}),
        squad("line-squad", 1, 1, (30 + half + 6.0, 22), w=9),
        squad("line-squad", 1, 1, (30 - half - 6.01, 22), w=9),
        squad("line-squad", 1, 0, (30, 22 + half + 6.0), w=9),
        options=options,
    )


@covers("core-abilities/deadly-demise", "c/with-ability-x")
def test_a_six_hurts_every_unit_within_six_inches_each_by_its_own_roll() -> None:
    position = dying()
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 2 1 | 6 | 5 1", position=position)
    assert [wounds(position, row) for row in (0, 2, 3, 4)] == [0, 3, 0, 1]


@covers("core-abilities/deadly-demise")
def test_a_five_hurts_nobody() -> None:
    position = dying()
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 2 1 | 5", position=position)
    assert [wounds(position, row) for row in (2, 4)] == [0, 0]


@covers("core-abilities/deadly-demise")
@pytest.mark.parametrize(
    ("option", "rolls"),
    [
        ("after-attacks", ["to-hit", "to-wound", "save", "to-hit", "to-wound", "save", "deadly-demise"]),
        ("at-once", ["to-hit", "to-wound", "save", "deadly-demise", "to-hit", "to-wound", "save"]),
    ],
)
def test_the_die_waits_for_the_attacks_of_the_unit_or_interrupts_them(option: str, rolls: list[str]) -> None:
    position = dying({"deadly_demise": option})
    all_ = [*shots(position, 0, 1), *shots(position, 0, 2)]
    dice = {"after-attacks": "3 2 1 | 3 2 1 | 1", "at-once": "3 2 1 | 1 | 3 2 1"}
    played = play(resolve(unit(position, 0), all_), dice[option], [[1, 2]], position)
    assert played.rolls == rolls


@covers("core-abilities/deadly-demise", "fight-phase/fight-sequence")
def test_it_is_rolled_before_the_unit_consolidates() -> None:
    position = table(
        squad("line-squad", at=(30, 10), weapons=(blade(**SURE, d="3"),)),
        squad("walker", 1, 1, (30, 10 + 90 / 50.8 + 32 / 50.8 + 0.0), models={"wounds": 7}),
        squad("line-squad", 1, 1, (33.4, 11)),
        phase="fight",
    )
    played = play(fight(unit(position, 0)), "3 2 1 | 1", [], position, accepting=True)
    asked = [question.prompt for question in played.questions]
    assert asked[-2:] == ["deadly-demise", "consolidate"]


@covers("core-abilities/deadly-demise", "destroyed/by")
def test_those_whom_an_explosion_kills_explode_in_their_turn() -> None:
    position = table(
        squad("line-squad", weapons=(gun(**SURE, d="3"),), at=(30, 2)),
        squad("walker", 1, 1, (30, 22), models={"wounds": 7}),
        squad("walker", 1, 1, (36, 22), models={"wounds": 7}),
    )
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 2 1 | 6 | 1 | 1", position=position)
    assert (left(position, 1), left(position, 2)) == (0, 0)
    assert [one.cause for one in position.losses] == ["shooting", "explosion"]


@covers("core-abilities/deadly-demise")
def test_the_unit_of_the_model_suffers_too() -> None:
    position = table(squad("walker", 2, 1, [(30, 22), (34, 22)], models={"wounds": 0}), squad("line-squad"))
    position.remove(model(position, 0), "shooting")
    play(explode(model(position, 0)), "6 | 5", position=position)
    assert wounds(position, 1) == 3


@covers("destroyed/unit", "destroyed/by")
def test_a_loss_is_to_the_account_of_who_attacked() -> None:
    position = shooter_at(squad("line-squad", 1, 1, (30, 20), w=1))
    play(resolve(unit(position, 0), shots(position, 0, 1)), "3 2 1", position=position)
    assert [(one.model, one.by) for one in position.losses] == [(1, 0)]
