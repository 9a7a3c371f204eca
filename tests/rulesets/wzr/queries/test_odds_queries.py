"""What can be asked of this book without a battle: where the two stand, with what, and figures reckoned by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tools.odds import differences, stages_of
from tools.rolling import simulated

from campale.odds.answers import Answer, answer_of, answered
from campale.odds.form import filled_as_far, filled_in
from campale.odds.troubles import QueryError
from campale.referee.odds_queries import Query
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import gap, strikes_rear
from campale.rulesets.wzr.queries.profiles import of_forces, picks
from campale.rulesets.wzr.shooting.cover import between, reclaimable

covers = pytest.mark.covers

BOOK = load_ruleset("wzr")
ONCE = 1 / 20 + 11 / 20 * 11 / 20
"""RS 12 at St 12 against A 11: a Power Shot, or a hit that A 9 does not save."""
STRUCK = 1 / 20 + 10 / 20 * 8 / 20
"""CC 11 at St 9 against A 11: a Power Shot, or a hit that A 12 does not save."""


def in_fields(written: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-", 1 if name.startswith("option") else -1): value for name, value in written.items()}


def query_of(**written: Any) -> Query:
    return filled_in(BOOK, in_fields(written))[1]


def answer(**written: Any) -> Answer:
    return answered(BOOK, in_fields(written))


def melee(**written: Any) -> Answer:
    return answer(kind="combat", **written)


def mean(found: Answer, kind: str, volley: int = 0) -> float:
    return next(one.mean for one in found.volleys[volley].stages if one.kind == kind)


def over(found: Answer, kind: str = "losses") -> float:
    return next(one.mean for one in found.over if one.kind == kind)


def trouble(**written: Any) -> str:
    with pytest.raises(QueryError) as refused:
        answer(**written)
    return str(refused.value)


def offered(name: str, **written: Any) -> list[Any]:
    form, _ = filled_as_far(BOOK, in_fields(written))
    return [pick.value for one in form.filled if one.field.name == name for pick in one.field.picks]


# ---------------------------------------------------------------- who, and where


def test_models_of_forces_and_profiles_are_offered_under_their_titles() -> None:
    found = {pick.value: pick for pick in picks()}
    assert len(found) == len(picks())
    assert {"riflemen", "riflemen/commander", "walker", "megacorporation:riflemen-1"} <= set(found)
    assert {"megacorporation:riflemen-1/commander", "megacorporation:riflemen-1/charger"} <= set(of_forces())
    assert "megacorporation:riflemen-2/charger" not in of_forces()
    assert found["megacorporation:riflemen-1/charger"].title["en"] == "Rifleman, Charger HMG"
    assert all(set(pick.title) == set(pick.under) == set(LANGUAGES) for pick in picks())


@covers("core/measuring", "vehicles/types")
@pytest.mark.parametrize("distance", ["3", "12", "24"])
@pytest.mark.parametrize(("attacker", "target"), [("riflemen", "behemoth"), ("tank", "walker"), ("riflemen", "tank")])
def test_they_stand_as_far_apart_as_was_asked(attacker: str, target: str, distance: str) -> None:
    own, foe = query_of(attacker=attacker, target=target, distance=distance).position.models
    assert gap(own, foe) == pytest.approx(float(distance))
    assert not strikes_rear(own, foe)
    own, foe = query_of(attacker=attacker, target=target, target_face="rear").position.models
    assert strikes_rear(own, foe)


@covers("shooting/cover-types", "shooting/cover-cumulative", "shooting/reclaim-cover")
def test_cover_is_made_of_real_pieces_none_of_which_is_reclaimed() -> None:
    own, foe = query_of(cover_light="1", cover_heavy="2", distance="2", option_four_covers="true").position.models
    found = between(own, foe)
    assert [one.light for one in found] == [False, False, True]
    assert reclaimable(own, found) == ()


@covers("shooting/three-covers", "shooting/cover-cumulative")
@pytest.mark.parametrize(
    ("light", "heavy", "hits"), [(0, 0, 12), (1, 0, 10), (0, 1, 8), (1, 1, 6), (2, 0, 8), (0, 2, 4)]
)
def test_each_piece_costs_what_it_costs(light: int, heavy: int, hits: int) -> None:
    assert mean(answer(cover_light=str(light), cover_heavy=str(heavy)), "hits") == pytest.approx(hits / 20)


@covers("shooting/three-covers")
def test_behind_three_pieces_nobody_is_shot_at() -> None:
    assert "None of its weapons" in trouble(cover_light="1", cover_heavy="2")
    agreed = answer(cover_light="1", cover_heavy="2", option_four_covers="true")
    assert mean(agreed, "hits") == pytest.approx(2 / 20)


@covers("core/weapon-profile")
def test_whoever_is_out_of_range_is_not_shot_at() -> None:
    assert mean(answer(distance="24"), "hits") == pytest.approx(12 / 20)
    assert "None of its weapons" in trouble(distance="25")


@covers("close-combat/engaged-definition", "shooting/legal-target")
def test_whoever_is_engaged_does_not_shoot() -> None:
    """A large base reaches 2 inches."""
    assert "None of its weapons" in trouble(target="behemoth", distance="2")
    assert mean(answer(target="undead", distance="2"), "hits") == pytest.approx(12 / 20)


# ---------------------------------------------------------------- shots


@covers("shooting/sequence", "actions/aim", "actions/rapid-fire", "cards/burn-rof")
@pytest.mark.parametrize(
    ("written", "hits", "losses"),
    [
        ({}, 12 / 20, ONCE),
        ({"attacker_states": "aimed"}, 14 / 20, 1 / 20 + 13 / 20 * 13 / 20),
        ({"kind": "rapid-fire"}, 24 / 20, 1 - (1 - ONCE) ** 2),
        ({"attacker_states": "burned"}, 24 / 20, 1 - (1 - ONCE) ** 2),
        ({"kind": "rapid-fire", "attacker_states": "burned"}, 36 / 20, 1 - (1 - ONCE) ** 3),
    ],
)
def test_ways_to_shoot(written: dict[str, Any], hits: float, losses: float) -> None:
    found = answer(**written)
    assert mean(found, "hits") == pytest.approx(hits)
    assert over(found) == pytest.approx(losses)


@covers("core/removal")
def test_of_several_shots_the_next_finds_who_is_left() -> None:
    found = answer(weapons="assault-rifle*3")
    assert [mean(found, "losses", k) for k in range(3)] == pytest.approx([ONCE * (1 - ONCE) ** k for k in range(3)])
    assert over(found) == pytest.approx(1 - (1 - ONCE) ** 3)
    assert "from 1 to 4" in trouble(weapons="assault-rifle*4,assault-rifle")


@covers("core/wound-effect")
def test_wounds_that_are_lost_count() -> None:
    fresh = answer(target="nepharite", weapons="assault-rifle*2")
    assert over(fresh) == 0.0
    hurt = answer(target="nepharite", target_wounds="2")
    assert over(hurt) == over(hurt, "wounds-lost") == pytest.approx(over(fresh, "wounds-lost") / 2)


@covers("vehicles/target-vehicle-hit", "actions/aim", "armour/av-test")
@pytest.mark.parametrize(
    ("place", "face", "lost"), [("pilot", "front", 9), ("drive", "front", 10), ("drive", "rear", 14)]
)
def test_an_aimed_shot_at_a_location_of_a_vehicle(place: str, face: str, lost: int) -> None:
    """RS 12, +4 for a vehicle, +2 for Aim; AV 12 or 11, -1 for AVV, -4 from the Rear."""
    found = answer(target="walker", attacker_states="aimed", target_location=place, target_face=face)
    assert mean(found, "hits") == pytest.approx(18 / 20)
    assert over(found, "wounds-lost") == pytest.approx(1 / 20 + 17 / 20 * lost / 20)


@covers("vehicles/ps-definition")
def test_a_location_is_offered_to_whoever_aims_at_a_vehicle() -> None:
    assert offered("target-location", target="walker", attacker_states="aimed")[:2] == ["none", "pilot"]
    assert offered("target-location", target="walker") == []
    assert offered("target-location", attacker_states="aimed") == []


@covers("templates/area-attack", "core/friendly-fire")
def test_a_grenade_may_fall_back_on_its_thrower() -> None:
    thrower = {"profile": "riflemen", "adds": ["anti-personnel"]}
    near, far = (answer(attacker=thrower, weapons="anti-personnel", distance=far) for far in ("2", "7"))
    assert 0.0 < over(near, "own-losses") < 0.2
    assert 0.0 < over(far, "own-losses") < over(near, "own-losses")
    assert over(near) == pytest.approx(mean(near, "losses"))


@covers("armoury/grenade-stun-effect")
def test_of_a_stun_grenade_it_is_told_whom_it_stuns() -> None:
    thrower = {"profile": "riflemen", "adds": ["stun-grenades"]}
    found = answer(attacker=thrower, target="riflemen", weapons="stun-grenades", distance="4")
    assert 0.5 < mean(found, "stunned") < 1.0
    assert found.over == ()


@covers("setup/modes", "cards/burn-rof", "armoury/car24-launcher")
def test_a_resource_is_burned_for_a_shot_in_the_basic_game_too() -> None:
    assert offered("attacker-states") == ["aimed", "burned"]
    assert offered("attacker-states", option_advanced="false") == ["aimed", "burned"]
    assert "car-24/2" in offered("weapons", attacker="veterans")


# ---------------------------------------------------------------- melee


@covers("close-combat/cc-test", "actions/charge-bonus", "close-combat/hold-small", "cards/burn-rof")
@pytest.mark.parametrize(
    ("written", "losses"),
    [
        ({}, STRUCK),
        ({"attacker_states": "charged"}, 1 / 20 + 10 / 20 * 9 / 20),
        ({"target_states": "held"}, STRUCK * (1 + 9 / 20)),
        ({"attacker_states": "burned"}, 1 - (1 - STRUCK) ** 2),
        ({"weapons": "bayonet*2"}, 1 - (1 - STRUCK) ** 2),
    ],
)
def test_attacks_in_melee(written: dict[str, Any], losses: float) -> None:
    assert over(melee(**written)) == pytest.approx(losses)


@covers("close-combat/backstab", "core/front-rear")
def test_a_special_action_is_offered_where_it_can_be_used() -> None:
    """A 11 is halved to 6, +1 for St 9."""
    assert offered("action", kind="combat") == ["combat"]
    assert offered("action", kind="combat", target_face="rear") == ["combat", "backstab"]
    found = melee(target_face="rear", action="backstab")
    assert over(found) == pytest.approx(1 / 20 + 10 / 20 * 13 / 20)


@covers("close-combat/crush", "core/critical")
def test_a_crush_costs_three_wounds() -> None:
    found = melee(attacker="behemoth", target="nepharite", action="crush")
    assert over(found) == pytest.approx(over(found, "wounds-lost") / 3)
    assert over(found) > 0.2


@covers("close-combat/throw-test")
def test_of_a_throw_its_test_is_told() -> None:
    found = melee(attacker="brutes", target="riflemen", action="throw")
    assert mean(found, "succeeds") == pytest.approx(14 / 20)
    assert found.over == ()


@covers("abilities/fear")
def test_fear_is_counted() -> None:
    """LD 13 -4; CC 11 or, halved, 6, +4 for the large base; A 14 and 1 more for St 9."""
    brave, afraid = 1 / 20 + 14 / 20 * 5 / 20, 1 / 20 + 9 / 20 * 5 / 20
    assert over(melee(target="behemoth"), "wounds-lost") == pytest.approx(9 / 20 * brave + 11 / 20 * afraid)


@covers("vehicles/combat", "vehicles/charge", "vehicles/charge-bonus")
def test_vehicles_in_melee() -> None:
    assert "cannot make melee attacks" in trouble(kind="combat", attacker="tank")
    assert "cannot make melee attacks" in trouble(kind="combat", attacker={"profile": "riflemen", "changes": {"cc": 0}})
    assert offered("attacker-states", kind="combat", attacker="jetbike") == ["charged", "burned"]
    rides, charges = (melee(attacker="jetbike", attacker_states=one) for one in ("", "charged"))
    assert over(charges) > over(rides)
    assert over(melee(attacker="nepharite", target="walker"), "wounds-lost") > 0.0


def test_bare_hands_have_a_title() -> None:
    found = melee(attacker={"profile": "medic"}, weapons="bare")
    assert found.volleys[0].of[0]["it"] == "mani nude"


# ---------------------------------------------------------------- the whole


@covers("shooting/sequence", "close-combat/attack-sequence", "vehicles/ps-definition")
@pytest.mark.parametrize(
    "written",
    [
        {"attacker": "walker", "target": "jetbike", "weapons": "charger*2"},
        {"kind": "rapid-fire", "target": "nepharite", "attacker-states": "aimed,burned", "weapons": "assault-rifle*2"},
        {
            "kind": "combat",
            "attacker": "brutes",
            "target": "walker",
            "attacker-states": "charged",
            "weapons": "claws*2",
        },
        {"attacker": "dark-legion:sorcerer", "target": "brutes", "weapons": "demnogonis-blast*2"},
    ],
)
def test_what_is_told_is_what_the_referee_plays(written: dict[str, str]) -> None:
    form, query = filled_in(BOOK, written)
    counters = simulated(query, 500, "played")
    for stage in stages_of(answer_of(form, query), query):
        assert differences(stage.chances, counters[stage.kind]) == []


def test_the_attacker_is_ready_for_its_next_attack() -> None:
    query = query_of(attacker="veterans", weapons="car-24/2*2")
    after = query.volleys[0].after
    assert after is not None
    for position, _ in after(query.position):
        assert position.holds(0, marks.RESOURCES) == 1
        assert position.holds(0, marks.BURNED) == 0


def test_every_field_has_a_title_in_both_languages_and_a_rule_of_the_ledger() -> None:
    vehicle = {"target": "walker", "attacker-states": "aimed"}
    for written in ({}, vehicle, {"target": "nepharite"}, {"kind": "combat", "target-face": "rear"}):
        form, _ = filled_as_far(BOOK, written)
        for one in form.filled:
            titles = [one.field.title, *(pick.title for pick in one.field.picks)]
            told = [title[language] for title in titles for language in LANGUAGES]
            assert all(told)
            assert not any(text.startswith(("odds.", "action.")) for text in told)
            assert not one.field.rule or one.field.rule in BOOK.ledger.entries


def test_an_inline_profile_is_one_model() -> None:
    assert over(answer(attacker={"profile": "riflemen", "changes": {"rs": 10}})) == pytest.approx(
        ONCE - 2 / 20 * 11 / 20
    )
    assert "a profile is a table" in trouble(attacker=[{"profile": "riflemen"}])
    assert "nobody" in trouble(attacker={"profile": "nobody"})


@covers("vehicles/location-engine")
@pytest.mark.parametrize(("target", "noted"), [("jetbike", True), ("brutes", False)])
def test_a_forecast_says_that_it_leaves_out_what_an_exploding_engine_does(target: str, noted: bool) -> None:
    found = answer(attacker="walker", target=target, weapons="charger")
    assert ("forecast.note.no-explosion" in [key for key, _ in found.notes]) is noted
