"""Chapter "fire": whose shots they are, at men and at vehicles, and what scattering markers do to bystanders."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.odds import first_suggestion
from campale.referee.position import Position
from campale.rulesets.e3m.fire.area import arms_of
from campale.rulesets.e3m.fire.declaring import choose_rollers, declaration, targets_of
from campale.rulesets.e3m.fire.kinds import ADVANCING, OPPORTUNITY, PREPARATORY
from campale.rulesets.e3m.fire.volley import fire, told_by
from campale.rulesets.e3m.morale.morale import take_tests
from campale.rulesets.e3m.turn.sequence import preparing
from tests.rulesets.e3m.kit import finish, left, model, piece, play, squad, table, unit

covers = pytest.mark.covers


# ---------------------------------------------------------------- the sniper alone


@covers("turn/eligible-elements", "fire/sniper", "fire/sniper-resolution")
def test_a_sniper_alone_makes_preparatory_fire() -> None:
    """Beyond 24 inches nobody else has a target; the unit counts in step 3 and has made its fire."""
    position = table(squad("line-warden", 3, at=(36, 2)), squad("brawler", 2, side=1, at=(36, 46)))
    assert preparing(position, 0) == [0]
    played = play(fire(unit(position, 0), PREPARATORY), "3 | 4", [["snipe", 3]], position)
    assert left(position, 1) == 1
    assert played.rolls == ["sniper", "to-wound"]
    assert preparing(position, 0) == []
    assert targets_of(unit(position, 0), OPPORTUNITY, ()) == ["hold"]


@covers("fire/sniper-resolution", "hierarchy/attach-detach")
@pytest.mark.parametrize(("hidden", "need"), [(False, 2), (True, 3)])
def test_the_best_shot_who_sees_the_victim_is_the_sniper(hidden: bool, need: int) -> None:
    """The captain with the pistol of the scouts whom he has joined; one of the scouts, where a wall hides him."""
    position = table(
        squad("scout", 2, at=(20, 20)),
        squad("captain", at=[(22.5, 20)]),
        squad("brawler", at=[(20, 34)], side=1),
        pieces=[piece("building", 23, 24, size=(3, 3))] if hidden else [],
    )
    position.join(model(position, 2), unit(position, 0))
    played = play(fire(unit(position, 0), PREPARATORY), "1", [["snipe", 3]], position)
    rolled: list[Any] = [question for question in played.questions if question.prompt == "sniper"]
    assert [one.needed.number for one in rolled] == [need]


@covers("fire/sniper", "base-profile/weapons")
def test_how_a_heavy_weapon_fires_is_asked_only_if_it_may_fire() -> None:
    """The missile launcher fires into an area; it has no part in a sniper's shot."""
    position = table(
        squad("line-warden", 3, at=(36, 12), special=["missile-launcher"]), squad("brawler", 2, side=1, at=(36, 40))
    )
    assert [prompt for prompt, _ in asked_for(position, "snipe")] == ["fire-at", "snipe"]
    assert "weapon-line" in [prompt for prompt, _ in asked_for(position, "area")]


def asked_for(position: Position, target: str) -> list[tuple[str, Any]]:
    """The questions about the fire of the first unit at a target, answered by their first options, and the answers."""
    found: list[tuple[str, Any]] = []
    asking = declaration(unit(position, 0), PREPARATORY, ())
    try:
        question = next(asking)
        while True:
            answer = target if question.prompt == "fire-at" else first_suggestion(question)
            found.append((question.prompt, answer))
            question = asking.send(question.understood(answer))
    except StopIteration:
        return found


@covers("orders/halt-invisible", "fire/sniper-resolution")
def test_who_lies_in_cover_is_no_victim() -> None:
    halted = squad("brawler", 1, side=1, at=(36, 40), order="halt")
    wood = [piece("wood", 36, 40)]
    assert targets_of(unit(table(squad("line-warden", 1, at=(36, 2)), halted, pieces=wood), 0), PREPARATORY, ()) == [
        "hold"
    ]
    open_ground = table(squad("line-warden", 1, at=(36, 2)), halted)
    assert targets_of(unit(open_ground, 0), PREPARATORY, ()) == ["snipe", "hold"]


# ---------------------------------------------------------------- at a vehicle, shooter by shooter


def two_sides() -> Position:
    """Two shooters at a buggy that faces east: one sees its rear, the other its side."""
    return table(
        squad("deckhand", at=[(20, 20), (34, 10)], special=["bright-beam", "bright-beam"]),
        squad("clan-buggy", 1, at=[(34, 20)], side=1, facing=90.0),
    )


@covers("base-vehicle/facing", "fire/area-vehicles")
def test_the_dice_at_a_vehicle_belong_to_shooters_who_see_different_sides() -> None:
    position = two_sides()
    line = model(position, 0).profile.mounts[0].weapon.lines[0]
    assert told_by(position, line, 0, 2)[0] == "rear"
    assert told_by(position, line, 1, 2)[0] == "right"
    played = play(fire(unit(position, 0), PREPARATORY), "1 6 | 1", [[("vehicle", 2), "area", "area"]], position)
    assert played.rolls == ["to-hit", "penetration"]


@covers("base-weapons/special")
@pytest.mark.parametrize(("far", "counts"), [(6.0, True), (6.1, False)])
def test_melta_counts_within_half_range(far: float, counts: bool) -> None:
    position = table(
        squad("deckhand", at=[(20, 20)], special=["fusion-gun"]),
        squad("clan-buggy", 1, at=[(20, 22.5 + far)], side=1),
    )
    line = model(position, 0).profile.mounts[0].weapon.lines[0]
    assert told_by(position, line, 0, 1)[1] is counts


# ---------------------------------------------------------------- who rolls at reduced strength


def mixed(*special: str) -> Position:
    """Two leapers and a captain, who is the better shot, in front of three brawlers."""
    position = table(
        squad("leaper", 2, at=(20, 20), order="assault", special=special),
        squad("captain", 1, at=(22.5, 20), order="assault", special=special[:1]),
        squad("brawler", 3, side=1, at=(20, 28)),
    )
    position.join(model(position, 2), unit(position, 0))
    return position


@covers("fire/reduced-strength")
def test_where_only_their_skill_differs_the_best_roll_first_and_nobody_is_asked() -> None:
    position = mixed()
    assert "who-rolls" not in prompts(position)
    arms = [arms_of(model(position, row), ADVANCING)[0] for row in (0, 1, 2)]
    with pytest.raises(StopIteration) as ended:
        next(choose_rollers(ADVANCING, arms))
    assert [arm.model.row for arm in ended.value.value] == [2, 0, 1]


@covers("fire/reduced-strength", "base-weapons/special")
def test_the_owner_says_who_rolls_where_it_makes_a_difference() -> None:
    """A weapon that may burn its bearer."""
    assert "who-rolls" in prompts(mixed("plasma-gun", "plasma-gun"))


def prompts(position: Position) -> list[str]:
    steps = declaration(unit(position, 0), ADVANCING, ())
    asked = [next(steps)]
    try:
        while True:
            asked.append(steps.send(asked[-1].understood(asked[-1].suggestions()[0])))
    except StopIteration:
        return [question.prompt for question in asked]


@covers("fire/reduced-strength")
def test_at_full_strength_all_roll_and_nobody_is_asked() -> None:
    position = two_sides()
    arms = [arms_of(model(position, row), PREPARATORY)[0] for row in (0, 1)]
    with pytest.raises(StopIteration):
        next(choose_rollers(PREPARATORY, arms, model(position, 2)))
    assert next(choose_rollers(ADVANCING, arms, model(position, 2))).prompt == "who-rolls"


# ---------------------------------------------------------------- under a marker that scatters


def siege(order: str = "fire", wood: bool = False) -> Position:
    """A siege tank fires at a buggy; three brawlers stand 5 inches to the east of it."""
    return table(
        squad("siege-tank", 1, at=[(36, 10)]),
        squad("clan-buggy", 1, at=[(36, 30)], side=1),
        squad("brawler", at=[(40, 30), (40.9, 29), (41.2, 30.4)], side=1, order=order),
        pieces=[piece("wood", 41, 30, size=(4, 4))] if wood else (),
    )


@covers("base-weapons/ordnance", "base-shoot/cover-save", "base-general/dice-order", "base-weapons/pinning")
@pytest.mark.parametrize(("wood", "saves"), [(False, ""), (True, "| 5 5 4")])
def test_bystanders_have_their_cover_and_are_pinned(wood: bool, saves: str) -> None:
    """An arrow, 90 degrees, 5 inches: the marker comes down on the brawlers; all to-wound dice, then all saves."""
    position = siege(wood=wood)
    answers = [[("vehicle", 1), ("one", (0,))]]
    played = play(fire(unit(position, 0), PREPARATORY), f"3 | 90 | 5 | 2 2 2 {saves}", answers, position)
    assert left(position, 2) == (2 if wood else 0)
    assert played.rolls[3:] == ["to-wound", *(["save"] if wood else [])]
    if wood:
        assert position.declared["doing"][-1] == ("tests", (2,), 1)


@covers("base-weapons/ordnance")
def test_ordnance_strikes_the_vehicle_that_fired_it_too() -> None:
    position = table(squad("siege-tank", 1, at=[(36, 10)]), squad("clan-buggy", 1, at=[(36, 18.5)], side=1))
    answers = [[("vehicle", 1), ("one", (0,))]]
    played = play(fire(unit(position, 0), PREPARATORY), "3 | 180 | 6 | 1 1", answers, position)
    struck = [q.about["vehicle"] for q in played.questions if q.prompt == "penetration"]
    assert struck == [0]


@covers("base-weapons/pinning", "fire/quarter-loss-test")
def test_a_unit_pinned_by_one_loss_is_forced_to_halt_if_it_fails() -> None:
    position = table(squad("brawler", 8, side=1))
    play(take_tests(position, (0,), 1), "6 6", position=position)
    finish(position)
    assert unit(position, 0).marks("forced") == 1
