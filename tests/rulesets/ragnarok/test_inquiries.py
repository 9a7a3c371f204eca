"""What can be asked of this book: how the two are set out, in what state, and with what."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds.answers import Answer, answered
from campale.odds.form import filled_as_far, filled_in
from campale.odds.troubles import QueryError
from campale.referee.inquiries import Posed
from campale.referee.ruleset import load_ruleset
from campale.referee.words import LANGUAGES
from campale.rulesets.ragnarok.measuring import distance
from campale.rulesets.ragnarok.sight import is_obscured, sees

BOOK = load_ruleset("ragnarok")


def posed(**written: Any) -> Posed:
    return filled_in(BOOK, {name.replace("_", "-"): value for name, value in written.items()})[1]


def answer(**written: Any) -> Answer:
    return answered(BOOK, {name.replace("_", "-"): value for name, value in written.items()})


def mean(found: Answer, kind: str) -> float:
    return next(one.mean for one in found.volleys[0].stages if one.kind == kind)


@pytest.mark.covers("fire/range", "vision/geometry", "measuring/base-edge")
@pytest.mark.parametrize("apart", [1, 8, 40])
def test_all_who_shoot_see_the_target_from_as_far_as_was_asked(apart: int) -> None:
    position = posed(distance=apart, weapons="steam_musket*6" if apart > 1 else "steam_musket*2").position
    target, *shooters = position.models
    assert all(distance(one, target) == pytest.approx(apart, abs=0.001) for one in shooters)
    assert all(sees(one, target) and not is_obscured(one, target) for one in shooters)


@pytest.mark.covers("fire/mod-obscured", "vision/obscured")
@pytest.mark.parametrize("cover", ["wood", "ruin", "rubble"])
def test_cover_is_a_real_piece_and_costs_a_point(cover: str) -> None:
    position = posed(cover=cover, weapons="steam_musket*3").position
    target, *shooters = position.models
    assert all(is_obscured(one, target) for one in shooters)
    assert mean(answer(cover=cover), "hits") == pytest.approx(2 / 3)
    assert mean(answer(), "hits") == pytest.approx(1.0)


@pytest.mark.covers("aim/bonus", "hide/bonus", "prone/fire-penalty", "fatigue/effects", "reaction-fire/basic")
@pytest.mark.parametrize(
    ("written", "hits"),
    [
        ({"attacker_states": "aimed"}, 4 / 3),
        ({"attacker_states": "hidden"}, 4 / 3),
        ({"target_states": "prone"}, 2 / 3),
        ({"attacker_fatigue": 2}, 1 / 3),
        ({"kind": "reaction-fire"}, 2 / 3),
    ],
)
def test_states_are_those_of_the_rules(written: dict[str, Any], hits: float) -> None:
    assert mean(answer(**written), "hits") == pytest.approx(hits)


@pytest.mark.covers("weapon-rules/salvo", "weapon-rules/steam", "suppressive-fire/action")
def test_the_ways_to_shoot_are_those_that_are_lawful() -> None:
    def weapons(**written: Any) -> list[Any]:
        form, _ = filled_as_far(BOOK, {name.replace("_", "-"): value for name, value in written.items()})
        return [pick.value for one in form.filled if one.field.name == "weapons" for pick in one.field.picks]

    assert weapons() == ["steam_musket", "steam_musket@steam"]
    assert weapons(kind="reaction-fire") == ["steam_musket"]
    turret = {"attacker": "anvil_turret"}
    assert any(str(one).endswith("@salvo") for one in weapons(**turret))
    assert not any(str(one).endswith("@salvo") for one in weapons(**turret, attacker_states="moved"))
    with pytest.raises(QueryError, match="nothing that can be shot"):
        posed(attacker="raider")
    with pytest.raises(QueryError, match="Give from 1 to 6"):
        posed(weapons="steam_musket*4,steam_musket*4")


@pytest.mark.covers("wounds/out-of-action", "equipment-profile/shield-save")
def test_wounds_and_shields_that_are_gone_are_gone() -> None:
    fresh, hurt = (answer(target="barrow_jarl", target_wounds=wounds) for wounds in (0, 1))
    assert hurt.over[0].mean > fresh.over[0].mean
    assert answer(target_states="shield-lost").over[0].mean > answer().over[0].mean


@pytest.mark.covers("opt-night/spotting")
def test_by_night_the_target_is_spotted_first() -> None:
    dark = answer(option_night="true", distance=60)
    assert dark.volleys[0].stages[0].kind == "spotted"
    assert dark.over[0].mean < answer(distance=60).over[0].mean


@pytest.mark.covers("charge/distance", "melee/winner")
def test_a_charge_reaches_by_its_dice() -> None:
    assert mean(answer(kind="charge", distance=4), "reaches") == pytest.approx(1.0)
    assert 0.0 < mean(answer(kind="charge", distance=20), "reaches") < 1.0
    assert mean(answer(kind="melee"), "won") + mean(answer(kind="melee"), "lost") <= 1.0


def test_every_field_has_a_title_in_both_languages_and_a_rule_of_the_ledger() -> None:
    for written in ({}, {"kind": "charge"}, {"kind": "melee"}, {"target": "barrow_jarl", "exploration": 1}):
        form, _ = filled_as_far(BOOK, written)
        for one in form.filled:
            titles = [one.field.title, *(pick.title for pick in one.field.picks)]
            told = [title[language] for title in titles for language in LANGUAGES]
            assert all(told)
            assert not any(text.startswith("odds.") for text in told)
            assert not one.field.rule or one.field.rule in BOOK.ledger.entries


@pytest.mark.covers("out-of-action/further-wound")
def test_nobody_shoots_at_a_target_that_is_removed() -> None:
    """Who lies out of action may be shot at again; who is removed may not."""
    first, second = posed(weapons="steam_musket,steam_musket@steam").volleys
    after = first.after
    assert after is not None
    assert second.after is not None
    left = after(posed(weapons="steam_musket,steam_musket@steam").position)
    removed = [(one, chance) for one, chance in left if not one.model(0).is_on_table]
    assert removed
    for one, _ in removed:
        assert second.forecast(one).steps == ()
        assert second.after(one) == [(one, 1.0)]
    found = answer(weapons="steam_musket,steam_musket@steam").volleys[1]
    hits = next(one.mean for one in found.stages if one.kind == "hits")
    assert hits == pytest.approx(2.0 * (1.0 - sum(chance for _, chance in removed)))
