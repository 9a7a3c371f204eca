"""Who may shoot, with what, and at whom (shooting-phase/eligible, shooting-phase/select-targets, big-guns/*)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from campale.dice.needs import Part
from campale.referee.position import Position
from campale.referee.question import Choose, Form
from campale.rulesets.w10.armies.profile import Weapon
from campale.rulesets.w10.shooting.declaring import declare
from campale.rulesets.w10.shooting.eligible import guns_of, is_eligible, to_shoot
from campale.rulesets.w10.shooting.phase import able, shoot_with_a_unit
from campale.rulesets.w10.shooting.targets import hit_parts, targets_of, why_not
from tests.rulesets.w10.kit import first_question, guns, piece, play, question_after, squad, table, unit
from tests.rulesets.w10.kit import gun as weapon

covers = pytest.mark.covers

INCH = 25.4
FOOT = 32 / INCH
PENALTY = (Part("attack/big-guns-penalty", -1),)


def refused(position: Position, row: int, target: int, number: int = 0) -> tuple[str, str] | None:
    found = why_not(guns(position, row)[number], unit(position, target))
    return None if found is None else (found.rule, found.word)


def open_to(position: Position, row: int) -> dict[int, list[str]]:
    """By target, the weapons that may shoot at it."""
    found = targets_of(position, unit(position, row).side, guns_of(unit(position, row)))
    return {target: [gun.carried.id for gun in several] for target, several in found.items()}


def duel(gun: Weapon, far: float, pieces: Any = ()) -> Position:
    return table(
        squad("line-squad", at=(30, 4), weapons=(gun,)), squad("line-squad", 1, 1, (30, 4 + FOOT + far)), pieces=pieces
    )


# ---------------------------------------------------------------- range and sight


@covers("shooting-phase/select-targets", "within/within", "core-concepts/measuring", "b/base")
@pytest.mark.parametrize(("far", "word"), [(24.0, None), (24.01, "out-of-range")])
def test_a_target_is_no_farther_than_the_range_between_the_bases(far: float, word: str | None) -> None:
    position = duel(weapon(), far)
    found = refused(position, 0, 1)
    assert found == (None if word is None else ("shooting-phase/select-targets", word))
    assert (1 in open_to(position, 0)) is (word is None)


@covers("shooting-phase/select-targets", "visibility/visible", "terrain/general")
def test_a_target_that_is_not_seen_is_refused() -> None:
    position = duel(weapon(range=40.0), 30, [piece("ruins", 30, 20)])
    assert refused(position, 0, 1) == ("visibility/visible", "not-visible")
    assert open_to(position, 0) == {}


@covers("shooting-phase/select-targets", "b/target-of-attack")
def test_one_and_the_same_model_must_be_seen_and_in_range() -> None:
    near_hidden_far_seen = squad("line-squad", 2, 1, [(30, 24), (45, 34)])
    position = table(
        squad("line-squad", at=(30, 10), weapons=(weapon(),)), near_hidden_far_seen, pieces=[piece("ruins", 30, 18)]
    )
    assert refused(position, 0, 1) is not None
    assert open_to(position, 0) == {}
    position.model(2).move_to(40, 22, facing=0.0)
    assert refused(position, 0, 1) is None


@covers("weapon-abilities/indirect-fire", "shooting-phase/select-targets")
def test_indirect_fire_needs_no_sight_but_range() -> None:
    unseen = [piece("ruins", 30, 20)]
    assert refused(duel(weapon(abilities=("indirect-fire",), range=30.0), 30, unseen), 0, 1) is None
    assert refused(duel(weapon(abilities=("indirect-fire",), range=29.9), 30, unseen), 0, 1) is not None


@covers("core-abilities/lone-operative")
@pytest.mark.parametrize(("far", "rule"), [(12.0, None), (12.01, "core-abilities/lone-operative")])
def test_a_lone_operative_is_shot_at_from_within_twelve_inches(far: float, rule: str | None) -> None:
    lone = squad("seer", 1, 1, (30, 4 + FOOT / 2 + 40 / INCH / 2 + far))
    position = table(squad("line-squad", at=(30, 4), weapons=(weapon(),)), lone)
    found = refused(position, 0, 1)
    assert (None if found is None else found[0]) == rule
    assert (1 in open_to(position, 0)) is (rule is None)


@covers("core-abilities/lone-operative", "core-abilities/leader")
def test_a_lone_operative_who_leads_a_unit_is_shot_at_like_it() -> None:
    position = table(
        squad("line-squad", at=(30, 4), weapons=(weapon(),)),
        squad("line-squad", 1, 1, (30, 24), abilities=("lone-operative",)),
        squad("seer", 1, 1, (32, 24), leads=1),
    )
    assert refused(position, 0, 1) is None


# ---------------------------------------------------------------- who may shoot


@covers("shooting-phase/eligible", "movement-phase/fall-back", "movement-phase/advance", "i/eligible-without-guns")
@pytest.mark.parametrize(
    ("mark", "can"), [("moved", True), ("stationary", True), ("advanced", False), ("fell-back", False)]
)
def test_who_advanced_or_fell_back_does_not_shoot(mark: str, can: bool) -> None:
    for weapons in ((weapon(),), ()):
        position = table(squad("line-squad", weapons=weapons, marks={mark: 1}), squad("line-squad", 1, 1, (30, 30)))
        assert is_eligible(unit(position, 0)) is can


@covers("shooting-phase/eligible", "movement-phase/fall-back", "movement-phase/advance", "b/locked-in-combat")
@pytest.mark.parametrize(
    ("at", "mark", "why", "sentence"),
    [
        ((33, 10), "moved", None, ""),
        ((33, 10), "advanced", "movement-phase/advance", "shooting-barred.advanced"),
        ((33, 10), "fell-back", "movement-phase/fall-back", "shooting-barred.fell-back"),
        ((30, 28.1), "moved", "b/locked-in-combat", "shooting-barred.engaged"),
        ((3, 1), "moved", "shooting-phase/select-targets", "shooting-barred.nobody"),
        ((33, 10), "shot", "shooting-phase/sequence", "answer.not-offered"),
    ],
)
def test_whoever_may_not_shoot_is_shown_with_the_rule(
    at: tuple[float, float], mark: str, why: str | None, sentence: str
) -> None:
    position = table(
        squad("walker"),
        squad("line-squad", 1, 1, (30, 30)),
        squad("line-squad", at=at, weapons=(weapon(),), marks={mark: 1}),
        squad("line-squad", 1, 1, (25, 20)),
    )
    refusal = first_question(shoot_with_a_unit(position, 0)).refusal(2)
    assert (refusal and refusal.rule) == why
    assert refusal is None or refusal.word == sentence


@covers("weapon-abilities/assault", "movement-phase/advance")
def test_who_advanced_shoots_assault_weapons_only() -> None:
    both = (weapon("rifle"), weapon("quick", abilities=("assault",)))
    enemy = squad("line-squad", 1, 1, (30, 20))
    advanced = table(squad("line-squad", weapons=both, marks={"advanced": 1}), enemy)
    assert open_to(advanced, 0) == {1: ["quick"]}
    assert is_eligible(unit(advanced, 0))
    walked = table(squad("line-squad", weapons=both, marks={"moved": 1}), enemy)
    assert open_to(walked, 0) == {1: ["rifle", "quick"]}


@covers("shooting-phase/select-targets", "visibility/visible")
def test_enemies_that_cannot_be_shot_at_are_shown_with_the_reason() -> None:
    enemies = [squad("line-squad", 1, 1, at) for at in ((30, 20), (30, 58), (50, 12))]
    position = table(squad("line-squad", weapons=(weapon(),)), *enemies, pieces=[piece("ruins", 40, 11)])
    form = question_after(declare(unit(position, 0)))
    assert isinstance(form, Form)
    targets = form.after([])
    assert isinstance(targets, Choose)
    assert targets.options() == [1, "hold"]
    found = {key: targets.refusal(key) for key in targets.candidates}
    assert {key: (one.rule, one.word) for key, one in found.items() if one is not None} == {
        2: ("shooting-phase/select-targets", "out-of-range"),
        3: ("visibility/visible", "not-visible"),
    }


@covers("shooting-phase/sequence", "n/not-selected")
def test_each_unit_shoots_once() -> None:
    position = table(squad("line-squad", weapons=(weapon(),)), squad("line-squad", 1, 1, (30, 20)))
    assert able(position, 0) == [0]
    play(shoot_with_a_unit(position, 0), "1", [0, [1]], position)
    assert able(position, 0) == []
    assert to_shoot(position, 0) == []


@covers("shooting-phase/select-targets", "shooting-phase/sequence")
def test_a_unit_may_hold_its_fire_and_has_been_selected_all_the_same() -> None:
    position = table(squad("line-squad", weapons=(weapon(),)), squad("line-squad", 1, 1, (30, 20)))
    play(shoot_with_a_unit(position, 0), "", [0, ["hold"]], position)
    assert to_shoot(position, 0) == []


@covers("weapon-abilities/pistol-or-others")
def test_a_model_shoots_its_pistols_or_its_other_weapons() -> None:
    both = (weapon("rifle"), weapon("pistol", abilities=("pistol",)))
    enemy = squad("line-squad", 1, 1, (30, 20))
    position = table(squad("line-squad", weapons=both), enemy)
    for chosen, ids in (("pistols", ["pistol"]), ("others", ["rifle"])):
        found = play(declare(unit(position, 0)), "", [[chosen, 1]], position).value
        assert [gun.carried.id for gun, _ in found] == ids
    large = table(squad("walker", weapons=both), enemy)
    found = play(declare(unit(large, 0)), "", [[1]], large).value
    assert [gun.carried.id for gun, _ in found] == ["rifle", "pistol"]


@covers("weapon-abilities/pistol-or-others", "datasheet/several-profiles")
def test_models_that_are_alike_may_choose_each_by_itself() -> None:
    both = (weapon("rifle"), weapon("pistol", abilities=("pistol",)))
    position = table(squad("line-squad", 3, weapons=both), squad("line-squad", 1, 1, (30, 20)))
    found = play(declare(unit(position, 0)), "", [["each", "others", "pistols", "others", 1]], position).value
    assert sorted((gun.model.row, gun.carried.id) for gun, _ in found) == [(0, "rifle"), (1, "pistol"), (2, "rifle")]
    two = replace(weapon("two"), lines=(*weapon().lines, *weapon(s=8).lines))
    several = table(squad("line-squad", 2, weapons=(two,)), squad("line-squad", 1, 1, (30, 20)))
    found = play(declare(unit(several, 0)), "", [[1, "each", 1, 0]], several).value
    assert [(gun.model.row, gun.line) for gun, _ in found] == [(0, 1), (1, 0)]


# ---------------------------------------------------------------- big guns

FIST = weapon("pistol", abilities=("pistol",))
ALL = (weapon("gun"), weapon("mortar", abilities=("blast",)), FIST)
BESIDE = 90 / INCH / 2 + FOOT / 2 + 0.5
"""Between a walker and a model half an inch from it."""


def melee() -> Position:
    """A VEHICLE (0) engaged with infantry B (1); infantry A (2) of B's side stands off, and C (3) is engaged too."""
    return table(
        squad("walker", at=(30, 20), weapons=ALL),
        squad("line-squad", 1, 1, (30, 20 + BESIDE), weapons=ALL),
        squad("line-squad", 1, 1, (45, 20), weapons=ALL),
        squad("line-squad", 1, 1, (30, 20 - BESIDE), weapons=ALL),
    )


def parts(position: Position, row: int, target: int) -> list[tuple[Part, ...]]:
    return [hit_parts(unit(position, row), gun.profile, unit(position, target), False) for gun in guns(position, row)]


@covers("big-guns/figure-4a-shoots", "i/big-guns-never-tire", "attack/big-guns-penalty")
def test_an_engaged_vehicle_shoots_at_others_with_a_penalty_but_for_pistols() -> None:
    position = melee()
    assert open_to(position, 0)[2] == ["gun", "mortar", "pistol"]
    assert parts(position, 0, 2) == [PENALTY, PENALTY, ()]


@covers("big-guns/figure-4a-shot", "i/big-guns-never-tire", "weapon-abilities/blast", "attack/big-guns-penalty")
def test_others_shoot_at_an_engaged_vehicle_with_a_penalty_and_without_blast() -> None:
    position = melee()
    assert open_to(position, 2) == {0: ["gun", "pistol"]}
    assert refused(position, 2, 0, 1) == ("weapon-abilities/blast", "")
    assert parts(position, 2, 0) == [PENALTY, PENALTY, ()]


@covers("big-guns/figure-4b-shoots", "i/big-guns-never-tire", "weapon-abilities/blast")
def test_an_engaged_vehicle_shoots_at_those_whom_it_is_engaged_with_but_no_blast() -> None:
    position = melee()
    assert open_to(position, 0)[1] == ["gun", "pistol"]
    assert refused(position, 0, 1, 1) == ("weapon-abilities/blast", "")
    assert parts(position, 0, 1)[0] == PENALTY


@covers("big-guns/figure-4b-pistols", "big-guns/figure-4c", "b/locked-in-combat", "weapon-abilities/pistol")
@pytest.mark.parametrize("row", [1, 3])
def test_engaged_infantry_shoots_pistols_at_those_whom_it_is_engaged_with(row: int) -> None:
    position = melee()
    assert is_eligible(unit(position, row))
    assert open_to(position, row) == {0: ["pistol"]}
    assert parts(position, row, 0) == [()]


@covers("b/locked-in-combat", "weapon-abilities/pistol", "shooting-phase/eligible")
def test_engaged_infantry_without_pistols_does_not_shoot_and_its_pistols_hit_nobody_else() -> None:
    near = FOOT + 1.0
    fighters = [squad("line-squad", 1, 1, (30, 20 + near)), squad("line-squad", 1, 1, (36, 20))]
    bare = table(squad("line-squad", at=(30, 20), weapons=(weapon(),)), *fighters)
    assert not is_eligible(unit(bare, 0))
    armed = table(squad("line-squad", at=(30, 20), weapons=(FIST,)), *fighters)
    assert open_to(armed, 0) == {1: ["pistol"]}
    assert refused(armed, 0, 2) == ("weapon-abilities/pistol", "")


@covers("core-concepts/engagement-range", "b/locked-in-combat", "d/unit-engagement-range", "q/any")
@pytest.mark.parametrize(("far", "locked"), [(1.0, True), (1.01, False)])
def test_a_unit_within_an_inch_of_friends_is_no_target(far: float, locked: bool) -> None:
    position = table(
        squad("line-squad", at=(30, 10), weapons=(weapon(),)),
        squad("line-squad", at=(30, 20)),
        squad("line-squad", 1, 1, (30 + FOOT + far, 20)),
    )
    assert (refused(position, 0, 2) == ("b/locked-in-combat", "")) is locked
    assert (2 in open_to(position, 0)) is not locked


@covers("attack/big-guns-penalty", "b/locked-in-combat")
def test_a_vehicle_shoots_at_infantry_engaged_with_a_friend_only_if_it_is_engaged_with_it_itself() -> None:
    enemy = squad("line-squad", 1, 1, (30, 20 + BESIDE))
    friend = squad("line-squad", at=(30, 20 + BESIDE + FOOT + 0.5))
    both = table(squad("walker", at=(30, 20), weapons=ALL), enemy, friend)
    assert open_to(both, 0) == {1: ["gun", "pistol"]}
    off = table(squad("walker", at=(30, 10), weapons=ALL), enemy, friend)
    assert open_to(off, 0) == {}


@covers("weapon-abilities/blast")
def test_blast_is_free_at_a_unit_that_is_not_engaged() -> None:
    position = table(squad("line-squad", at=(30, 10), weapons=ALL), squad("line-squad", 1, 1, (30, 20)))
    assert refused(position, 0, 1, 1) is None


@covers("attack/big-guns-penalty", "modifiers/roll-cap")
def test_both_penalties_are_one() -> None:
    position = table(
        squad("walker", at=(30, 20), weapons=ALL),
        squad("walker", 1, 1, (30, 20 + 90 / INCH + 0.5)),
    )
    assert parts(position, 0, 1)[0] == PENALTY
