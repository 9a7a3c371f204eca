"""What can be asked of this book: how the two are set out, in what state, and with what."""

from __future__ import annotations

from typing import Any

import pytest

from campale.dice.chain import orders_of
from campale.odds.answers import Answer, answered
from campale.odds.form import filled_as_far, filled_in
from campale.odds.troubles import QueryError
from campale.referee.odds_queries import Query
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.ragnarok.basics.measuring import distance
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.basics.sight import is_obscured, sees
from campale.rulesets.ragnarok.odds.shooting_odds import as_they_fall
from campale.rulesets.ragnarok.shooting.fire import Hit, Hits, Shot

BOOK = load_ruleset("ragnarok")


def query_of(**written: Any) -> Query:
    return filled_in(BOOK, {name.replace("_", "-"): value for name, value in written.items()})[1]


def answer(**written: Any) -> Answer:
    return answered(BOOK, {name.replace("_", "-"): value for name, value in written.items()})


def mean(found: Answer, kind: str) -> float:
    return next(one.mean for one in found.volleys[0].stages if one.kind == kind)


@pytest.mark.covers("fire/range", "vision/geometry", "measuring/base-edge")
@pytest.mark.parametrize("apart", [1, 8, 40])
def test_all_who_shoot_see_the_target_from_as_far_as_was_asked(apart: int) -> None:
    position = query_of(distance=apart, weapons="steam_musket*6" if apart > 1 else "steam_musket*2").position
    target, *shooters = position.models
    assert all(distance(one, target) == pytest.approx(apart, abs=0.001) for one in shooters)
    assert all(sees(one, target) and not is_obscured(one, target) for one in shooters)


@pytest.mark.covers("fire/mod-obscured", "vision/obscured")
@pytest.mark.parametrize("cover", ["wood", "ruin", "rubble"])
def test_cover_is_a_real_piece_and_costs_a_point(cover: str) -> None:
    position = query_of(cover=cover, weapons="steam_musket*3").position
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
    assert weapons(kind="reaction-fire") == ["steam_musket", "steam_musket@steam"]
    turret = {"attacker": "anvil_turret"}
    assert any(str(one).endswith("@salvo") for one in weapons(kind="reaction-fire", **turret))
    assert not any(
        str(one).endswith("@salvo") for one in weapons(kind="reaction-fire", **turret, attacker_states="moved")
    )
    assert any(str(one).endswith("@salvo") for one in weapons(**turret))
    assert not any(str(one).endswith("@salvo") for one in weapons(**turret, attacker_states="moved"))
    with pytest.raises(QueryError, match="None of its weapons"):
        query_of(attacker="draugr")
    with pytest.raises(QueryError, match="None of its weapons"):
        query_of(kind="suppressive-fire", attacker="raider")
    with pytest.raises(QueryError, match="Choose from 1 to 6"):
        query_of(weapons="steam_musket*4,steam_musket*4")


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
    first, second = query_of(weapons="steam_musket,steam_musket@steam").volleys
    after = first.after
    assert after is not None
    assert second.after is not None
    left = after(query_of(weapons="steam_musket,steam_musket@steam").position)
    removed = [(one, chance) for one, chance in left if not one.model(0).is_on_table]
    assert removed
    for one, _ in removed:
        assert second.forecast(one).steps == ()
        assert second.after(one) == [(one, 1.0)]
    found = answer(weapons="steam_musket,steam_musket@steam").volleys[1]
    hits = next(one.mean for one in found.stages if one.kind == "hits")
    assert hits == pytest.approx(2.0 * (1.0 - sum(chance for _, chance in removed)))


# ---------------------------------------------------------------- throws


THROW = {"attacker": "raider", "target": "steam_rifleman", "weapons": "throwing_axe"}


def chances_of_two_dice(least: int) -> float:
    return sum(a + b >= least for a in range(1, 7) for b in range(1, 7)) / 36


@pytest.mark.covers("weapon-rules/thrown", "fire/mod-half-range")
@pytest.mark.parametrize(("apart", "reached"), [(42, 1.0), (45, None), (52, None), (53, 0.0)])
def test_a_throw_hits_then_reaches_by_its_two_dice(apart: int, reached: float | None) -> None:
    """Raiders have COS 4: forty centimetres and two dice, and no penalty for distance."""
    hits = mean(answer(distance=apart, **THROW), "hits")
    assert hits == pytest.approx((chances_of_two_dice(apart - 40) if reached is None else reached) / 3)


@pytest.mark.covers("weapon-rules/thrown", "weapon-rules/blast")
def test_a_bomb_hits_all_round_the_target() -> None:
    bomb = {**THROW, "attacker_adds": "hand_bomb", "weapons": "hand_bomb"}
    near, far = answer(distance=2, **bomb), answer(distance=6, **bomb)
    assert [one.kind for one in near.volleys[0].stages][:2] == ["hits", "hits-friends"]
    assert "hits-friends" not in [one.kind for one in far.volleys[0].stages]
    guarded = answer(distance=6, target_guard="piston_cuirassier", **bomb)
    assert mean(guarded, "hits") == pytest.approx(2 * mean(far, "hits"))


@pytest.mark.covers("weapon-rules/thrown", "reaction-fire/basic")
def test_a_reaction_may_throw_and_suppression_may_not() -> None:
    assert mean(answer(kind="reaction-fire", distance=8, **THROW), "hits") == pytest.approx(1 / 6)
    with pytest.raises(QueryError):
        answer(kind="suppressive-fire", distance=8, **THROW)


@pytest.mark.covers("weapon-rules/thrown", "opt-night/spotting")
def test_by_night_a_throw_spots_before_it_reaches() -> None:
    """SN 3 sees thirty centimetres and two dice far, COS 4 throws farther."""
    for apart, seen in ((32, 1.0), (37, chances_of_two_dice(7)), (43, 0.0)):
        found = mean(answer(distance=apart, option_night="true", **THROW), "hits")
        assert found == pytest.approx(seen / 3 * (chances_of_two_dice(apart - 40) if apart > 42 else 1.0))


@pytest.mark.covers("weapon-rules/thrown", "exploration/points")
def test_points_may_be_spent_on_a_throw() -> None:
    """A 4 is made to hit, which leaves nothing for the distance; of what hits the throw goes a centimetre farther."""
    spent = {"exploration": 1, "policy_exploration": "spend"}
    eight, seven = chances_of_two_dice(8), chances_of_two_dice(7)
    kept, more = (answer(distance=48, **THROW, **one).over[0].mean for one in ({}, spent))
    assert kept == pytest.approx(5 / 6 * eight / 3)
    assert more == pytest.approx(5 / 6 * (seven / 3 + eight / 6))


@pytest.mark.covers("opt-night/spotting", "exploration/points")
def test_points_are_spent_where_they_help_whose_they_are() -> None:
    night = {"distance": 38, "option_night": "true", "exploration": 1, "policy_exploration": "spend"}
    kept = answer(distance=38, option_night="true").over[0].mean
    helped, hindered = (answer(**night, exploration_of=side).over[0].mean for side in ("attacker", "target"))
    assert hindered < kept < helped


@pytest.mark.covers("weapon-rules/thrown", "melee/engaged")
def test_whoever_a_bomb_has_felled_throws_no_more() -> None:
    """The one who threw first stands within the blast of the other, as the target does."""
    both = {**THROW, "distance": 2, "attacker_adds": "hand_bomb", "weapons": "hand_bomb*2"}
    query = query_of(**both)
    first, second = query.volleys
    assert first.after is not None
    felled = [one for one, _ in first.after(query.position) if not is_able(one.model(2))]
    assert felled
    for one in felled:
        assert second.forecast(one).steps == ()


@pytest.mark.covers("special/bodyguard", "melee/losers-removed")
def test_a_bodyguard_that_falls_beside_a_melee_is_counted() -> None:
    guarded = {"kind": "melee", "attacker": "barrow_jarl", "target": "raider", "target_guard": "piston_cuirassier"}
    sent, kept = (answer(**guarded, policy_bodyguard=one).losses for one in ("yes", "no"))
    assert sent is not None
    assert kept is not None
    assert max(number for number, chance in kept.chances if chance) == 1
    assert max(number for number, chance in sent.chances if chance) == 2


@pytest.mark.covers("charge/distance", "exploration/points", "fatigue/effects")
def test_points_help_a_charger_come_home() -> None:
    far = {"kind": "charge", "distance": 22, "exploration": 1}
    kept = mean(answer(**far), "reaches")
    mine, theirs = (answer(**far, exploration_of=one, policy_exploration="spend") for one in ("attacker", "target"))
    assert mean(theirs, "reaches") < kept < mean(mine, "reaches")
    tired = {**far, "attacker_fatigue": 1}
    less = mean(answer(**tired), "reaches")
    assert 0.0 < less <= mean(answer(**tired, policy_exploration="spend"), "reaches")


@pytest.mark.covers("special/bodyguard", "dice/order", "lethal/condition")
def test_a_bodyguard_takes_the_hit_that_falls_first_whatever_its_face() -> None:
    """Two hits of which one is lethal: as often the guard falls to it as the other does."""
    hits = tuple(Hit(0, face) for face in (3, 3, 6))
    assert orders_of(hits) == [(hits[0], hits[0], hits[2]), (hits[0], hits[2], hits[0]), (hits[2], hits[0], hits[0])]
    query = query_of(target="raider", target_guard="piston_cuirassier", policy_bodyguard="yes", weapons="steam_musket")
    two = Hits(Shot(1, 0, 0), (Hit(0, 3), Hit(0, 6)))
    assert [chance for _, chance in as_they_fall(query.position, two)] == [0.5, 0.5]
    unguarded = query_of(target="raider", weapons="steam_musket").position
    assert as_they_fall(unguarded, two) == [(two, 1.0)]
