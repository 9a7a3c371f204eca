"""What can be asked of this book: how the two are set out, in what state, and with what."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds.answers import Answer, answered
from campale.odds.form import filled_as_far, filled_in
from campale.odds.troubles import QueryError
from campale.referee.odds_queries import Query
from campale.referee.position import Position, Unit
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.e55.armies.staging import basic, check_places
from campale.rulesets.e55.definitions.units import GROUND, MOVED, SPEED, members
from campale.rulesets.e55.hits.cover import covers_from
from campale.rulesets.e55.queries.layout import set_out
from campale.rulesets.e55.shooting_phase.fire import Shot, distances
from campale.rulesets.e55.shooting_phase.volley import eyes_of_volley, in_range
from campale.rulesets.e55.vehicles.vehicle_hits import face_hit

BOOK = load_ruleset("e55")


def query_of(**written: Any) -> Query:
    return filled_in(BOOK, {name.replace("_", "-"): value for name, value in written.items()})[1]


def answer(**written: Any) -> Answer:
    return answered(BOOK, {name.replace("_", "-"): value for name, value in written.items()})


def stage_mean(found: Answer, kind: str) -> float:
    return next(one.mean for one in found.volleys[0].stages if one.kind == kind)


@pytest.mark.covers("3.2.1/range", "1.1/measure-nearest-points")
@pytest.mark.parametrize("distance", [1, 5, 12, 24, 40])
@pytest.mark.parametrize(
    ("one", "many", "other", "few"),
    [
        ("veteran", 10, "militia", 10),
        ("veteran", 8, "captain", 1),
        ("biker", 5, "tank", 2),
        ("tank", 3, "great-beast", 1),
    ],
)
def test_everybody_is_as_far_off_as_was_asked_and_on_nobody(
    one: str, many: int, other: str, few: int, distance: int
) -> None:
    position = set_out(BOOK, (basic(one),) * many, (basic(other),) * few, distance)
    check_places(position)
    shots = [Shot(0, row, 0, 0, 1, 1) for row in range(many)]
    found = distances(position, shots, Unit(position, 1))
    assert min(found) == distance
    assert found.count(distance) >= min(many, few)


@pytest.mark.covers("1.1/measure-height")
def test_shooting_down_is_as_far_as_it_is_along_the_table() -> None:
    high = query_of(attacker="veteran", target="militia", distance=12, height="6").position
    assert {model.z for model in members(Unit(high, 0))} == {6.0}
    assert set(distances(high, [Shot(0, 0, 0, 0, 1, 1)], Unit(high, 1))) == {12}


def cover_in(position: Position) -> set[int | None]:
    target = Unit(position, 1)
    aimed = in_range(position, target, [Shot(0, row, 0, 0, 2, 1) for row in range(5)])
    return set(covers_from(eyes_of_volley(position, aimed), target).values())


@pytest.mark.covers("2.3.1/cover-granted", "2.3.1/cover-blocked-sight", "3.2.4/ground-cover")
@pytest.mark.parametrize(
    ("cover", "states", "value"),
    [
        ("none", "", None),
        ("woods", "", 5),
        ("bastion", "", 3),
        ("screened", "", 5),
        ("none", "to-ground", 6),
        ("woods", "to-ground", 4),
    ],
)
def test_cover_is_that_of_a_real_piece(cover: str, states: str, value: int | None) -> None:
    found = query_of(attacker="veteran", target="militia", distance=10, cover=cover, target_states=states).position
    assert cover_in(found) - {None} == ({value} if value else set())
    assert bool(Unit(found, 1).marks(GROUND)) == (states == "to-ground")


@pytest.mark.covers("7.1/armour-values")
@pytest.mark.parametrize("face", ["front", "side", "rear"])
def test_a_vehicle_shows_the_face_that_was_asked_for(face: str) -> None:
    found = query_of(attacker="veteran", target="tank", target_face=face, distance=8, target_wounds=1).position
    (tank,) = members(Unit(found, 1))
    assert face_hit(tank, Unit(found, 0)) in (face, {"side": "left"}.get(face), {"side": "right"}.get(face))
    weak, strong = (
        answer(attacker="veteran", attacker_adds="beam-gun*3", target="tank", target_face="rear"),
        answer(attacker="veteran", attacker_adds="beam-gun*3", target="tank"),
    )
    assert stage_mean(weak, "damages") > stage_mean(strong, "damages")


@pytest.mark.covers("9.1.1/heavy", "9.1.1/rapid-fire", "7.9/weapons-by-speed")
def test_whoever_has_moved_may_fire_less() -> None:
    still, moved = (
        query_of(attacker="veteran", attacker_adds="machine-gun", attacker_states=one) for one in ("", "moved")
    )
    assert not Unit(still.position, 0).marks(MOVED)
    assert Unit(moved.position, 0).marks(MOVED)

    def weapons(states: str) -> set[str]:
        form, _ = filled_as_far(
            BOOK, {"attacker": "veteran", "attacker-adds": "machine-gun", "attacker-states": states}
        )
        return {str(pick.value) for one in form.filled if one.field.name == "weapons" for pick in one.field.picks}

    assert weapons("") == {"rifle", "rifle@1", "machine-gun"}
    assert weapons("moved") == {"rifle"}
    fast = query_of(attacker="tank", attacker_adds="machine-gun", attacker_speed="combat-speed").position
    assert members(Unit(fast, 0))[0].marks(SPEED) == 1


@pytest.mark.covers("3.2/one-weapon", "3.2/profile-choice")
def test_nobody_fires_more_than_he_may() -> None:
    assert answer(attacker="veteran", weapons="rifle*5", distance=10).volleys[0].dice == 10
    with pytest.raises(QueryError, match="At most 5 of these models can take 'rifle'"):
        query_of(attacker="veteran", weapons="rifle*6", distance=10)
    with pytest.raises(QueryError, match="At most 4 of these models can take 'rifle'"):
        query_of(attacker="veteran", attacker_adds="machine-gun", weapons="machine-gun,rifle*5", distance=10)
    with pytest.raises(QueryError, match="Choose at least one weapon"):
        query_of(attacker="veteran", weapons="rifle*0")


@pytest.mark.covers("10/armies")
def test_a_card_is_armed_as_it_was_bought_and_can_be_armed_otherwise() -> None:
    names = [model.profile.id for model in members(Unit(query_of(attacker_models=8).position, 0))]
    assert len(names) == 8
    assert "keeper-warden" in names
    with pytest.raises(QueryError, match="of these models can take"):
        query_of(attacker_options="fusion-gun*20")


@pytest.mark.covers("3.3.1/charge-distance", "3.3.2/melee-sequence", "7.7/vehicles-no-charge")
def test_a_charge_comes_home_within_its_reach() -> None:
    near, far = (answer(kind="charge", attacker="veteran", target="militia", distance=d) for d in (6, 7))
    assert (stage_mean(near, "reaches"), stage_mean(far, "reaches")) == (1.0, 0.0)
    fought = answer(kind="melee", attacker="veteran", target="militia", attacker_states="charged")
    assert stage_mean(fought, "losses") == pytest.approx(stage_mean(near, "losses"))
    with pytest.raises(QueryError, match=r"may not charge this target \(7\.7/vehicles-no-charge\)"):
        query_of(kind="charge", attacker="tank", target="militia")


@pytest.mark.covers("7.7/attacking-vehicles", "7.7/vehicles-not-engaged", "7.16/walker-melee", "7.13/flyer-assault")
def test_a_combat_with_vehicles_is_told_or_said_to_be_none() -> None:
    struck = answer(kind="melee", attacker="captain", target="tank")
    charged = answer(kind="charge", attacker="captain", target="tank", distance=3)
    for kind in ("unsaved-hits", "damages", "structure", "losses"):
        assert stage_mean(struck, kind) > 0
    assert stage_mean(charged, "structure") > stage_mean(struck, "structure")
    back = answer(kind="melee", attacker="captain", target="walker")
    assert stage_mean(back, "structure") > 0
    assert stage_mean(back, "losses-back") > 0
    assert stage_mean(answer(kind="melee", attacker="walker", target="militia"), "losses") > 0
    mixed = [{"profile": "veteran", "count": 2}, {"profile": "walker", "count": 1}]
    assert answer(kind="melee", attacker=mixed, target="militia").volleys[0].gap == ""
    with pytest.raises(QueryError, match=r"cannot fight in close combat \(7\.7/vehicles-not-engaged\)"):
        query_of(kind="melee", attacker="tank", target="militia")
    with pytest.raises(QueryError, match=r"cannot be attacked in close combat in this state \(7\.13/flyer-assault\)"):
        query_of(kind="melee", attacker="veteran", target="husk-moth")


def test_every_field_has_a_title_in_both_languages_and_a_rule_of_the_ledger() -> None:
    for written in (
        {},
        {"target": "tank"},
        {"attacker": "tank"},
        {"kind": "charge"},
        {"kind": "melee"},
        {"attacker": "captain", "target": "captain"},
    ):
        form, _ = filled_as_far(BOOK, written)
        for one in form.filled:
            titles = [one.field.title, *(pick.title for pick in one.field.picks)]
            assert all(
                title[language] and not title[language].startswith("odds.")
                for title in titles
                for language in LANGUAGES
            )
            assert not one.field.rule or one.field.rule in BOOK.ledger.entries


@pytest.mark.covers("7.6/weapon-destroyed", "3.3.2/initiative-order")
def test_a_walker_that_is_struck_first_may_have_lost_the_weapon_it_strikes_with() -> None:
    """Who strikes first of the two makes all the difference to how hard its hits are."""
    beast = {"profile": "great-beast", "changes": {"i": 5}}

    def share(i: int) -> float:
        walker = {"profile": "walker", "weapons": ["dreadnought-weapon"], "changes": {"i": i}}
        found = answer(kind="melee", attacker=beast, target=walker)
        return stage_mean(found, "wounds-back") / stage_mean(found, "hits-back")

    assert share(1) < share(6)
