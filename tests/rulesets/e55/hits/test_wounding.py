"""Chapters 2 and 2.1: hits on models and units, rolling to wound; rending; bikes."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Effect, Position
from campale.rulesets.e55.definitions.characteristics import CHANGE
from campale.rulesets.e55.definitions.units import LOST
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.hits.wounding import ap_when_wounded, needed_to_wound, rending, toughness_of_unit, wounds_of
from tests.rulesets.e55.kit import Played, model, play, profile, squad, table, unit


def wounds(position: Position, hits: list[Hit], dice: str) -> Played:
    return play(wounds_of(unit(position, 0), hits), dice, position=position)


def against(kind: str, count: int = 1, **changes: Any) -> Position:
    return table(squad(profile(kind, **changes), count), squad("veteran", 2, 1, at=(36, 40)))


def hit(strength: int = 4, ap: int | None = None, **more: Any) -> Hit:
    return Hit(strength, ap, by_unit=1, **more)


# ---------------------------------------------------------------- 2.1/wound-table


@pytest.mark.covers("2.1/wound-table")
@pytest.mark.parametrize(
    ("strength", "toughness", "number"),
    [(6, 4, 2), (9, 4, 2), (5, 4, 3), (4, 4, 4), (3, 4, 5), (3, 5, 6), (3, 6, 6)],
)
def test_what_is_needed_to_wound(strength: int, toughness: int, number: int) -> None:
    need = needed_to_wound(strength, toughness)
    assert need is not None
    assert [need.is_met_by(face) for face in range(1, 7)] == [face >= number for face in range(1, 7)]


@pytest.mark.covers("2.1/wound-table", "1.1/auto-success-failure")
def test_each_die_that_reaches_the_number_wounds_and_a_1_never_does() -> None:
    played = wounds(against("veteran"), [hit(8)] * 3, "1 2 6")
    assert len(played.value) == 2


@pytest.mark.covers("2.1/cannot-wound")
def test_four_points_short_no_die_is_rolled() -> None:
    assert needed_to_wound(3, 7) is None
    assert needed_to_wound(3, 6) is not None
    played = wounds(against("great-beast", t=7), [hit(3)] * 2, "")
    assert played.value == ()
    assert played.kinds == ["cannot-wound"]
    assert len(wounds(against("great-beast"), [hit(3)], "6").value) == 1


@pytest.mark.covers("1.3/characteristic-limits", "2.1/wound-table")
def test_the_strength_of_a_hit_is_kept_within_10() -> None:
    played = wounds(against("great-beast", t=10), [hit(14)], "3")
    assert played.value == ()
    assert played.questions[0].extent()["needed"]["base"] == 4


# ---------------------------------------------------------------- 2.1/wound-toughness


@pytest.mark.covers("2.1/wound-toughness")
def test_dice_meet_the_toughness_of_the_unit_as_a_whole() -> None:
    mixed = table(squad([profile("militia")] * 3 + [profile("captain")]), squad("veteran", 1, 1))
    assert toughness_of_unit(unit(mixed, 0), False) == 3
    assert len(wounds(mixed, [hit(4)] * 2, "3 2").value) == 1


@pytest.mark.covers("2/target-kinds")
def test_a_hit_on_one_model_meets_its_own_toughness_and_harms_nobody_else() -> None:
    mixed = table(squad([profile("militia")] * 3 + [profile("captain")]), squad("veteran", 1, 1))
    assert wounds(mixed, [hit(4, target=3)], "3").value == ()
    (wound,) = wounds(mixed, [hit(4, target=3)], "4").value
    assert wound.target == 3
    played = play(resolving.take_hits(unit(mixed, 0), [hit(4, 1, target=2)]), "3", position=mixed)
    assert [m.is_on_table for m in mixed.models[:4]] == [True, True, False, True]
    assert played.prompts == []


@pytest.mark.covers("2/target-kinds")
def test_a_hit_on_a_model_that_is_gone_is_nobody_elses() -> None:
    position = against("militia", 2)
    model(position, 0).position.remove(model(position, 0), "fire")
    assert wounds(position, [hit(4, target=0)], "").value == ()
    model(position, 1).position.remove(model(position, 1), "fire")
    assert wounds(position, [hit(4)], "").value == ()


@pytest.mark.covers("6.2/bike-toughness", "6.2.1/jetbike-inherits")
@pytest.mark.parametrize(("kind", "shot", "struck"), [("biker", 5, 4), ("jetbiker", 4, 3), ("veteran", 4, 4)])
def test_bikes_are_tougher_against_shots_only(kind: str, shot: int, struck: int) -> None:
    target = unit(against(kind), 0)
    assert (toughness_of_unit(target, True), toughness_of_unit(target, False)) == (shot, struck)


@pytest.mark.covers("6.2/bike-toughness", "2.1/wound-toughness")
def test_the_bonus_of_each_bike_comes_before_the_most_frequent_value() -> None:
    position = table(squad([profile("biker"), profile("biker"), profile("veteran", t=4)]))
    assert toughness_of_unit(unit(position, 0), True) == 5


@pytest.mark.covers("6.2/bike-toughness", "2.3.2/instant-death")
def test_a_bike_dies_at_once_by_its_plain_toughness() -> None:
    position = against("biker", w=2)
    play(resolving.take_hits(unit(position, 0), [hit(8, 1, is_ranged=True)]), "2 1", position=position)
    assert not model(position, 0).is_on_table
    position = against("biker", w=2)
    play(resolving.take_hits(unit(position, 0), [hit(7, 1, is_ranged=True)]), "2 1", position=position)
    assert model(position, 0).is_on_table
    assert model(position, 0).marks(LOST) == 1


# ---------------------------------------------------------------- what a wound keeps


@pytest.mark.covers("2/hit-profile", "2.2/wound-inherits")
def test_a_wound_keeps_what_its_hit_had() -> None:
    one = Hit(5, 3, "melee", ("crushing-grip",), 1, 1, grants_cover=True)
    (wound,) = wounds(against("militia"), [one], "6").value
    kept = wound.strength, wound.ap, wound.cause, wound.rules, wound.by_unit, wound.by_model, wound.grants_cover
    assert kept == (5, 3, "melee", ("crushing-grip",), 1, 1, True)


@pytest.mark.covers("2.1/mixed-hits", "1.1/dice-stream")
def test_unlike_hits_are_kept_apart_in_the_order_scored() -> None:
    played = wounds(against("militia", 3), [hit(4, 5), hit(4, 5), hit(8, 3), hit(4, 5)], "6 1 | 6 | 6")
    assert [q.extent()["count"] for q in played.questions] == [2, 1, 1]
    assert [(w.strength, w.ap) for w in played.value] == [(4, 5), (8, 3), (4, 5)]


@pytest.mark.covers("2.1/mixed-hits")
def test_like_hits_of_several_models_are_rolled_together_and_know_their_model() -> None:
    played = wounds(against("militia", 3), [hit(4, 5, by_model=3), hit(4, 5, by_model=4)], "1 6")
    assert len(played.questions) == 1
    assert [w.by_model for w in played.value] == [4]


@pytest.mark.covers("2/hits-resolved-at-once", "2/resolution-sequence")
def test_hits_are_carried_through_to_the_losses_at_once() -> None:
    position = against("militia", 2)
    played = play(resolving.take_hits(unit(position, 0), [hit(4, 6)] * 2), "3 3 | 5 4", [[1]], position)
    assert played.rolls == ["to-wound", "save"]
    assert played.prompts == ["choose-losses"]
    assert [m.is_on_table for m in position.models[:2]] == [True, False]


@pytest.mark.covers("2/resolution-sequence")
def test_the_wounds_of_all_targets_are_rolled_before_anybody_goes() -> None:
    position = table(squad("militia", at=(10, 10)), squad("militia", side=1, at=(20, 10)))
    targets = [(unit(position, 0), [Hit(4, 1, "melee")]), (unit(position, 1), [Hit(4, 1, "melee")])]
    played = play(resolving.take_all(targets), "3 3", position=position)
    assert played.kinds.count("remove") == 2
    assert played.rolls == ["to-wound", "to-wound"]


@pytest.mark.covers("2/resolution-sequence")
def test_nobody_is_asked_to_resolve_nothing() -> None:
    position = against("militia", 2)
    assert play(resolving.take_all([]), position=position).events == []
    assert play(resolving.take_hits(unit(position, 0), [hit()]), "1", position=position).prompts == []


# ---------------------------------------------------------------- 9.1.1/rending and the moments


@pytest.mark.covers("9.1.1/rending", "2.1/timing-wounded")
def test_the_wounding_die_of_a_rending_weapon_sets_the_ap() -> None:
    torn = [hit(5, 6, rules=("rending",))] * 4
    assert [w.ap for w in wounds(against("veteran"), torn, "3 4 5 6").value] == [6, 6, 4, 2]
    plain = [hit(5, 6)] * 2
    assert [w.ap for w in wounds(against("veteran"), plain, "5 6").value] == [6, 6]


@pytest.mark.covers("9.1.1/rending")
def test_rending_needs_a_die_that_wounds_and_leaves_a_better_ap() -> None:
    torn = [hit(3, 3, rules=("rending",))] * 3
    assert [w.ap for w in wounds(against("veteran", t=5), torn, "4 5 6").value] == [2]
    assert rending(hit(4, 1, rules=("rending",)), 6) == 1
    assert rending(hit(4, 3, rules=("rending",)), 5) == 3
    assert ap_when_wounded(hit(4, None, rules=("rending",)), 5) == 4


@pytest.mark.covers("2.1/timing-wounded")
def test_a_wounding_die_tells_before_any_save() -> None:
    position = against("veteran", armour_save=4)
    played = play(resolving.take_hits(unit(position, 0), [hit(5, 6, rules=("rending",))]), "6", position=position)
    assert played.rolls == ["to-wound"]
    assert not model(position, 0).is_on_table


@pytest.mark.covers("1.3/characteristics")
def test_a_changed_toughness_is_what_dice_meet() -> None:
    position = against("militia")
    position.begin(Effect(CHANGE, 0, value=("t", 1)))
    assert toughness_of_unit(unit(position, 0), False) == 4
