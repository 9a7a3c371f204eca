"""Chapters 2.3 and 2.3.2: AP against armour, the choice of a save, rolling it, second chances, what is unsaved."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.referee.question import Form
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.rulesets.e55.definitions.units import GRIPPED, LOST
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Covers, Hit, Wound
from campale.rulesets.e55.hits.saves import (
    Save,
    bonus,
    is_negated,
    need_of,
    saves_against,
    second_chance,
    worsening,
)
from campale.rulesets.e55.view.trifles import needless
from tests.rulesets.e55.kit import PROPOSAL, Played, model, play, profile, question_after, squad, table, unit


def one(kind: str = "captain", **changes: Any) -> Position:
    return table(squad(profile(kind, **changes)), squad("veteran", 2, 1, at=(36, 40)))


def take(
    position: Position, wounds: list[Wound], dice: str = "", answers: Any = (), covers: Covers | None = None
) -> Played:
    return play(resolving.take_wounds(unit(position, 0), wounds, covers or {}), dice, answers, position)


def wound(ap: int | None = None, strength: int | None = 4, **more: Any) -> Wound:
    return Wound(strength, ap, **{"by_unit": 1, **more})


def kinds(position: Position, ap: int | None, covers: Covers | None = None, **more: Any) -> list[tuple[str, int]]:
    found = saves_against(model(position, 0), wound(ap, **more), covers or {})
    return [(save.kind, save.value) for save in found]


# ---------------------------------------------------------------- 2.3 AP and armour


@pytest.mark.covers("2.3/ap-against-armour")
@pytest.mark.parametrize(("ap", "left"), [(None, 3), (5, 3), (4, 3), (3, 4), (2, 5), (1, 6)])
def test_ap_worsens_armour_of_3(ap: int | None, left: int) -> None:
    assert 3 + worsening(3, ap) == left


@pytest.mark.covers("2.3/armour-negated")
def test_at_7_the_armour_is_gone() -> None:
    assert [is_negated(value) for value in (5, 6, 7, 8)] == [False, False, True, True]
    position = one("veteran", armour_save=4)
    assert kinds(position, 3) == [("armour", 6)]
    assert kinds(position, 2) == []
    assert kinds(one("militia"), 5) == [("armour", 6)]
    assert kinds(one("militia"), 4) == []
    assert kinds(one("hound"), 6) == []


@pytest.mark.covers("2.3/armour-negated", "2.3.2/multiple-save-bonus")
def test_a_negated_armour_neither_saves_nor_helps() -> None:
    position = one("veteran", armour_save=4, invulnerable_save=5)
    assert kinds(position, 2) == [("invulnerable", 5)]
    assert kinds(position, 3) == [("invulnerable", 4), ("armour", 5)]


@pytest.mark.covers("2.3/armour-and-invulnerable")
def test_ap_changes_armour_alone() -> None:
    position = one("veteran", invulnerable_save=6)
    covers: Covers = {(1, 0): 5}
    assert kinds(position, None, covers, grants_cover=True) == [("armour", 1), ("cover", 3), ("invulnerable", 4)]
    assert kinds(position, 2, covers, grants_cover=True) == [("armour", 3), ("cover", 3), ("invulnerable", 4)]


@pytest.mark.covers("2.3/armour-per-wound")
def test_each_wound_worsens_the_printed_save_anew() -> None:
    position = one("veteran", w=3)
    take(position, [wound(3), wound(None)], "4 3")
    assert model(position, 0).marks(LOST) == 0
    position = one("veteran", w=3)
    take(position, [wound(3), wound(3)], "3 4")
    assert model(position, 0).marks(LOST) == 1


@pytest.mark.covers("2.3.1/cover-granted")
def test_cover_is_for_attacks_that_grant_it_from_the_unit_that_made_them() -> None:
    position = one("hound", armour_save=None)
    assert kinds(position, None, {(1, 0): 4}, grants_cover=True) == [("cover", 4)]
    assert kinds(position, None, {(1, 0): 4}) == []
    assert kinds(position, None, {(2, 0): 4}, grants_cover=True) == []
    assert kinds(position, None, {(1, 0): None}, grants_cover=True) == []


# ---------------------------------------------------------------- 2.3.2 choosing


@pytest.mark.covers("2.3.2/multiple-save-bonus", "1.1/saving-throws")
def test_every_other_save_improves_the_chosen_one() -> None:
    position = one("veteran", armour_save=4, invulnerable_save=6)
    found = kinds(position, None, {(1, 0): 5}, grants_cover=True)
    assert found == [("armour", 2), ("cover", 3), ("invulnerable", 4)]
    assert bonus([Save("armour", 4)]) == 0
    assert bonus([]) == 0


@pytest.mark.covers("2.3.2/choose-save")
def test_the_owner_may_take_another_save_than_the_best() -> None:
    asked = question_after(resolving.take_wounds(unit(position := one(), 0), [wound()]))
    assert isinstance(asked, Form)
    assert asked.side == 0
    assert asked.suggestions()[0] == ["armour"]
    assert asked.refusal(["cover"]) is not None
    take(position, [wound()], "3", [["invulnerable"]])
    assert model(position, 0).marks(LOST) == 1
    take(position, [wound()], "3", [["armour"]])
    assert model(position, 0).marks(LOST) == 1


@pytest.mark.covers("2.3.2/choose-save", "2.3.2/better-than-2")
def test_the_best_save_is_taken_for_whoever_is_asked_where_it_matters_and_told() -> None:
    form = question_after(resolving.take_wounds(unit(position := one(), 0), [wound()]))
    assert needless(position, form) == (["armour"],)
    told = [e.values for e in take(position, [wound()], "3", [["armour"]]).events if e.kind == "save-taken"]
    assert told == [{"unit": 0, "save": "armour", "value": 2, "instead": "invulnerable", "worse": 4}]
    other = one()
    assert not [e for e in take(other, [wound()], "5", [["invulnerable"]]).events if e.kind == "save-taken"]


@pytest.mark.covers("2.3.2/choose-save")
def test_the_question_tells_which_wounds_a_save_is_chosen_against() -> None:
    wounds = [wound(), wound(5, 8), wound(4), wound()]
    form = question_after(resolving.take_wounds(unit(one(), 0), wounds))
    assert isinstance(form, Form)
    told, filled = [], list[Any]()
    while (field := form.after(filled)) is not None:
        if field.prompt == "choose-save":
            told.append((field.about["wounds"]["en"], field.about["values"]))
            asked = Teller(load_ruleset("e55"), "it", ["Capitano"], ["Capitano"]).question(field)
            assert asked == "Capitano contro F 4 VP – ×2, F 8 VP 5, F 4 VP 4: quale tiro salvezza usi?"
        filled.append(field.suggestions()[0])
    assert told == [("S 4 AP – ×2, S 8 AP 5, S 4 AP 4", [2, 4])]


@pytest.mark.covers("2.3.2/choose-save")
def test_one_save_only_and_no_question_where_they_are_equally_good() -> None:
    played = take(one(), [wound(2)], "3")
    assert played.rolls == ["save"]
    assert played.prompts == []
    equal = one("veteran", invulnerable_save=3)
    assert take(equal, [wound()], "2").prompts == []


@pytest.mark.covers("2.3.2/no-save")
def test_without_a_save_no_die_is_rolled() -> None:
    assert take(one("veteran"), [wound()], "3").rolls == ["save"]
    position = one("veteran", armour_save=None)
    assert take(position, [wound()]).rolls == []
    assert not model(position, 0).is_on_table


@pytest.mark.covers("2.3.2/no-save", "1.1/saving-throws")
def test_a_wound_that_cannot_be_saved_is_not() -> None:
    position = one()
    assert take(position, [wound(cannot_be_saved=True)]).rolls == []
    assert model(position, 0).marks(LOST) == 1


# ---------------------------------------------------------------- 2.3.2 rolling


@pytest.mark.covers("2.3.2/roll-save")
@pytest.mark.parametrize(("die", "saved"), [("2", False), ("3", True), ("6", True)])
def test_a_save_needs_its_number(die: str, saved: bool) -> None:
    position = one("veteran")
    take(position, [wound()], die)
    assert model(position, 0).is_on_table is saved


@pytest.mark.covers("2.3.2/roll-save", "1.1/auto-success-failure")
def test_of_any_save_a_1_fails() -> None:
    need = need_of(Save("armour", 3, 0, 1))
    assert [need.is_met_by(face) for face in range(1, 7)] == [False, True, True, True, True, True]
    worse = need_of(Save("armour", 3, 3))
    assert [face for face in range(1, 7) if worse.is_met_by(face)] == [6]


@pytest.mark.covers("2.3.2/better-than-2")
@pytest.mark.parametrize(("value", "again"), [(2, None), (1, 4), (0, 3), (-1, 2), (-2, 2)])
def test_a_save_better_than_2_gives_a_second_chance(value: int, again: int | None) -> None:
    need = second_chance(Save("armour", value))
    assert (None if need is None else need.base) == again
    first = need_of(Save("armour", value))
    assert first.is_met_by(2)
    assert not first.is_met_by(1)


@pytest.mark.covers("2.3.2/better-than-2", "1.1/re-roll-once")
def test_the_second_result_stands() -> None:
    covers: Covers = {(1, 0): 5}
    position = one("veteran", invulnerable_save=6)
    played = take(position, [wound(grants_cover=True)], "1 4", [PROPOSAL], covers)
    assert played.rolls == ["save", "second-chance"]
    assert model(position, 0).is_on_table
    position = one("veteran", invulnerable_save=6)
    played = take(position, [wound(grants_cover=True)], "1 3", [PROPOSAL], covers)
    assert played.rolls == ["save", "second-chance"]
    assert not model(position, 0).is_on_table
    position = one("veteran", invulnerable_save=6)
    assert take(position, [wound(grants_cover=True)], "2", [PROPOSAL], covers).rolls == ["save"]


# ---------------------------------------------------------------- unsaved wounds


@pytest.mark.covers("2.3.2/unsaved-wound")
def test_each_unsaved_wound_costs_one_for_good() -> None:
    position = one("great-beast")
    take(position, [wound(2)] * 3, "1 5 4")
    assert model(position, 0).marks(LOST) == 2
    assert model(position, 0).is_on_table
    take(position, [wound(1)] * 2, "1 1")
    assert not model(position, 0).is_on_table


@pytest.mark.covers("2.3.2/instant-death")
@pytest.mark.parametrize(("strength", "dies"), [(7, False), (8, True), (None, False)])
def test_twice_the_toughness_kills_at_once(strength: int | None, dies: bool) -> None:
    position = one("captain", invulnerable_save=None)
    take(position, [wound(1, strength)], "1")
    assert model(position, 0).is_on_table is not dies


@pytest.mark.covers("2.3.2/instant-death")
def test_the_toughness_of_who_takes_it_counts_not_the_units() -> None:
    position = table(squad([profile("great-beast"), *[profile("militia")] * 2]))
    take(position, [wound(1, 6, target=0)], "1")
    assert model(position, 0).marks(LOST) == 1
    position = table(squad([profile("militia", w=2), *[profile("great-beast")] * 2]))
    take(position, [wound(1, 6, target=0)], "")
    assert not model(position, 0).is_on_table


@pytest.mark.covers("2.3.2/excess-wounds")
def test_wounds_left_on_the_dead_are_nobodys() -> None:
    position = one("captain", invulnerable_save=None, w=2)
    played = take(position, [wound(2)] * 4, "1 1")
    assert played.rolls == ["save", "save"]
    assert not model(position, 0).is_on_table


@pytest.mark.covers("2.3/wound-order", "1.1/dice-stream")
def test_each_wound_is_resolved_completely_before_the_next() -> None:
    position = one("captain", invulnerable_save=None, armour_save=2, cover_save=None)
    tough = one("captain", invulnerable_save=5, armour_save=2)
    played = take(tough, [wound()] * 2, "1 4 | 2", [PROPOSAL])
    assert played.rolls == ["save", "second-chance", "save"]
    assert take(position, [wound()] * 2, "1 2").rolls == ["save", "save"]


# ---------------------------------------------------------------- moments after the save


def struck(dice: str, cause: Any = "melee", rules: tuple[str, ...] = ("crushing-grip",), **changes: Any) -> Position:
    position = one("great-beast", **changes)
    play(resolving.take_hits(unit(position, 0), [Hit(6, 5, cause, rules, 1)]), dice, position=position)
    return position


@pytest.mark.covers("9.2.1/crushing-grip", "2.1/timing-suffered")
def test_who_suffers_an_unsaved_wound_of_a_grip_loses_his_next_attacks() -> None:
    assert model(struck("4 2"), 0).marks(GRIPPED) == 1
    assert model(struck("4 3"), 0).marks(GRIPPED) == 0


@pytest.mark.covers("9.2.1/crushing-grip")
def test_only_in_melee_only_with_the_rule_and_not_if_ignored() -> None:
    assert model(struck("4 2", cause="fire"), 0).marks(GRIPPED) == 0
    assert model(struck("4 2", rules=()), 0).marks(GRIPPED) == 0
    position = table(squad(profile("great-beast", adds=("feel-no-pain 5",))), squad("veteran", 1, 1))
    play(
        resolving.take_hits(unit(position, 0), [Hit(6, 5, "melee", ("crushing-grip",), 1)]), "4 2 5", position=position
    )
    assert model(position, 0).marks(GRIPPED) == 0


@pytest.mark.covers("2.1/timing-suffered")
def test_wings_may_be_clipped_by_an_unsaved_wound_that_is_survived() -> None:
    position = one("winged-beast")
    assert take(position, [wound()], "4").rolls == ["save"]
    played = take(position, [wound()], "3 1")
    assert played.rolls == ["save", "clip-wings"]
    assert model(position, 0).marks(LOST) == 1
    assert take(position, [wound(None, 10)], "3").rolls == ["save"]
