"""What can be asked of this book without a battle: how the two are set out, in what state, with what, and by whom."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from campale.mechanics.queries.layout import MIDDLE
from campale.mechanics.setup.scenarios import check_apart
from campale.odds.answers import Answer, answered
from campale.odds.form import filled_as_far, filled_in
from campale.odds.troubles import QueryError
from campale.referee.odds_queries import Query
from campale.referee.position import Position, Unit
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.e3m.armies.staging import basic
from campale.rulesets.e3m.assault.melee import fight_of, melees
from campale.rulesets.e3m.command.units import SPECIAL, members
from campale.rulesets.e3m.fire.area import base_of
from campale.rulesets.e3m.movement.sight import NONE, covers
from campale.rulesets.e3m.queries.layout import Scene, nearest, set_out
from campale.rulesets.e3m.vehicles.damage import face_towards, speed
from campale.table.measure import gap, gap_to_point

BOOK = load_ruleset("e3m")


def query_of(**written: Any) -> Query:
    return filled_in(BOOK, {name.replace("_", "-"): value for name, value in written.items()})[1]


def answer(**written: Any) -> Answer:
    return answered(BOOK, {name.replace("_", "-"): value for name, value in written.items()})


def mean(found: Answer, kind: str) -> float:
    return next((one.mean for one in found.volleys[0].stages if one.kind == kind), 0.0)


def trouble(**written: Any) -> str:
    with pytest.raises(QueryError) as refused:
        answer(**written)
    return str(refused.value)


def of_side(position: Position, side: int) -> list[Any]:
    return [m for m in position.models if m.side == side]


# ---------------------------------------------------------------- where they stand


@pytest.mark.covers("base-general/within", "fire/area-centre")
@pytest.mark.parametrize("distance", [6, 12, 24])
@pytest.mark.parametrize(
    ("one", "many", "other", "few"), [("line-warden", 10, "brawler", 10), ("biker", 5, "levy", 20)]
)
def test_those_who_fire_at_men_are_as_far_from_their_middle_as_was_asked(
    one: str, many: int, other: str, few: int, distance: int
) -> None:
    position = set_out(BOOK, Scene((basic(one),) * many, (basic(other),) * few, distance))
    check_apart(position)
    gaps = [round(gap_to_point(base_of(m), MIDDLE, MIDDLE), 2) for m in of_side(position, 0)]
    assert min(gaps) == pytest.approx(distance, abs=0.02)
    assert sum(one <= distance + 0.02 for one in gaps) >= min(many, 3)


@pytest.mark.covers("base-vehicle/facing", "base-general/within")
@pytest.mark.parametrize("face", ["front", "side", "rear"])
@pytest.mark.parametrize("kind", ["gun-tank", "strider"])
def test_a_vehicle_shows_the_face_that_was_asked(kind: str, face: str) -> None:
    position = set_out(BOOK, Scene((basic("line-warden"),) * 3, (basic(kind),), 9, face=face))
    (vehicle,) = of_side(position, 1)
    first = of_side(position, 0)[0]
    shown = face_towards(vehicle, first.at)
    assert shown == face or (face == "side" and shown in ("left", "right"))
    assert round(gap(first.solid, vehicle.solid), 2) == 9


@pytest.mark.covers("base-general/coherency")
@pytest.mark.parametrize("apart", [0.0, 0.5, 1.0, 2.0])
def test_targets_stand_as_far_apart_as_was_asked(apart: float) -> None:
    position = set_out(BOOK, Scene((basic("line-warden"),), (basic("brawler"),) * 8, 20, apart=apart))
    check_apart(position)
    targets = of_side(position, 1)
    nearest_ones = [min(gap(one.solid, other.solid) for other in targets if other is not one) for one in targets]
    assert nearest_ones == pytest.approx([apart] * 8, abs=0.002)


@pytest.mark.covers("base-melee/who-fights")
@pytest.mark.parametrize(("own", "foes"), [(1, 1), (5, 5), (10, 10), (3, 10), (10, 3)])
def test_in_a_melee_both_are_in_contact(own: int, foes: int) -> None:
    position = set_out(BOOK, Scene((basic("line-warden"),) * own, (basic("brawler"),) * foes, is_melee=True))
    check_apart(position)
    assert melees(position) == [(0, 1)]
    assert len(fight_of(position, (0, 1)).rows[0]) >= min(own, foes)


def test_nobody_stands_among_those_he_fires_at() -> None:
    scene = Scene((basic("line-warden"),) * 10, (basic("brawler"),) * 20, 1.0, apart=2.0)
    least = nearest(scene)
    position = set_out(BOOK, scene._replace(distance=least))
    check_apart(position)
    assert f"not from {least} to" in trouble(target="brawler", target_models=20, target_spread="2", distance=1)


# ---------------------------------------------------------------- in what state


@pytest.mark.covers("terrain/cover-saves", "terrain/in-cover")
@pytest.mark.parametrize(("cover", "save"), [("none", NONE), ("wood", 5), ("ruin", 4), ("crops", 6), ("marsh", 6)])
@pytest.mark.parametrize("target", ["brawler", "gun-tank"])
def test_the_target_stands_in_the_cover_that_was_asked(cover: str, save: int, target: str) -> None:
    position = query_of(attacker="line-warden", target=target, cover=cover, distance=8, attacker_models=10).position
    found = covers(position, of_side(position, 0), of_side(position, 1))
    assert set(found.ravel().tolist()) == {save}


@pytest.mark.covers("orders/halt-save", "orders/halt-invisible", "orders/hidden-lost")
def test_a_target_on_halt() -> None:
    """5+ in the open; in cover nobody sees it until it has fired."""
    asked: dict[str, Any] = {"attacker": "line-warden", "target": "levy", "distance": 14}
    assert mean(answer(**asked, target_order="halt"), "losses") < mean(answer(**asked), "losses")
    assert "None of their weapons can fire" in trouble(**asked, target_order="halt", cover="wood")
    assert mean(answer(**asked, target_order="halt-fired", cover="wood"), "losses") > 0.0


@pytest.mark.covers("assault/cannot-respond")
@pytest.mark.parametrize("order", ["march", "forced-halt", "retreat"])
def test_whoever_cannot_respond_does_not_strike_back(order: str) -> None:
    free = answer(kind="melee", attacker="line-warden", target="brawler")
    bound = answer(kind="melee", attacker="line-warden", target="brawler", target_order=order)
    assert mean(free, "wounds-back") > 0.0
    assert mean(bound, "wounds-back") == 0.0


@pytest.mark.covers("vehicles/moved-status", "base-vehicle/assaulting-vehicles")
@pytest.mark.parametrize("moved", ["stationary", "slow", "fast"])
def test_how_far_a_vehicle_has_moved(moved: str) -> None:
    query = query_of(kind="melee", attacker="crusher", target="gun-tank", target_speed=moved)
    assert speed(of_side(query.position, 1)[0]) == moved


@pytest.mark.covers("base-shoot/wounds")
def test_wounds_that_are_lost_already() -> None:
    whole, hurt = (answer(attacker="scrapper", target="crusher", target_wounds=lost, distance=14) for lost in (0, 2))
    assert mean(hurt, "losses") > mean(whole, "losses")


@pytest.mark.covers("base-melee/charge-bonus")
def test_the_charge_bonus_may_be_left_out() -> None:
    one, other = (answer(kind="melee", target="brawler", attacker_charge=charge) for charge in ("charged", "stands"))
    assert mean(one, "wounds") > mean(other, "wounds")


# ---------------------------------------------------------------- with what


@pytest.mark.covers("fire/full-strength", "fire/reduced-strength", "fire/advancing-heavy", "base-weapons/moved-models")
def test_each_kind_of_fire_has_its_shots_and_weapons() -> None:
    asked: dict[str, Any] = {"attacker": "line-warden", "attacker_options": "beam-cannon*2", "target": "brawler"}
    asked["distance"] = 9
    full, defensive, advancing = (answer(kind=kind, **asked) for kind in ("preparatory", "defensive", "advancing"))
    assert full.values["weapons"] == defensive.values["weapons"] == "battle-rifle*3,beam-cannon*2"
    assert advancing.values["weapons"] == "battle-rifle*3"
    moved = answer(kind="defensive", **asked, attacker_states="moved")
    assert moved.values["weapons"] == "battle-rifle*3"
    assert mean(full, "hits") > mean(defensive, "hits") > mean(advancing, "hits")


@pytest.mark.covers("fire/area-diameter", "fire/area-hittable")
def test_a_wider_circle_reaches_more_of_them() -> None:
    asked = {"attacker": "line-warden", "attacker_models": 10, "target": "brawler", "distance": 10}
    losses = [mean(answer(**asked, diameter=wide), "losses") for wide in (1, 3, 5, 8, 10)]
    assert all(one <= more + 1e-12 for one, more in pairwise(losses))
    assert losses[0] < 1.0 < losses[-1]


@pytest.mark.covers("fire/eligible-shooters", "fire/mixed-weapons")
def test_some_of_a_squad_may_stay_out_of_it() -> None:
    asked: dict[str, Any] = {"attacker": "line-warden", "attacker_options": "beam-cannon*2", "target": "brawler"}
    volleys = [
        answer(**asked, weapons=text) for text in ("beam-cannon*2", "battle-rifle*2,beam-cannon", "battle-rifle*3")
    ]
    assert [mean(one, "hits") for one in volleys] == pytest.approx([2 * 2 / 3, 5 * 2 / 3, 6 * 2 / 3])
    assert "At most 2 of these models can fire" in trouble(**asked, weapons="beam-cannon*3")
    hull = {**asked, "target": "gun-tank"}
    assert "All 2 with" in trouble(**hull, weapons="battle-rifle*3,beam-cannon")


@pytest.mark.covers("fire/eligible-shooters")
@pytest.mark.parametrize(
    "text", ["missile-launcher/1,missile-launcher/2", "missile-launcher/2*2", "missile-launcher/2"]
)
def test_equal_weapons_fire_each_in_its_own_way(text: str) -> None:
    asked: dict[str, Any] = {"attacker": "line-warden", "attacker_options": "missile-launcher*2", "target": "brawler"}
    assert answer(**asked, weapons=text).values["weapons"] == text


@pytest.mark.covers("fire/vehicle-weapons", "vehicles/overrun-fire")
def test_the_weapons_of_a_vehicle() -> None:
    """All of them, or one; in an overrun the secondary ones."""
    asked: dict[str, Any] = {"attacker": "troop-tank", "target": "brawler"}
    assert answer(**asked).values["weapons"] == "multi-beamer,heavy-machine-gun"
    assert mean(answer(**asked, weapons="multi-beamer"), "hits") < mean(answer(**asked), "hits")
    assert answer(kind="overrun-fire", **asked).values["weapons"] == "heavy-machine-gun"


@pytest.mark.covers("vehicles/overrun-who")
@pytest.mark.parametrize(
    ("attacker", "target", "option", "may"),
    [
        ("troop-tank", "levy", "false", True),
        ("troop-tank", "biker", "false", True),
        ("troop-tank", "crusher", "false", False),
        ("troop-tank", "gun-tank", "false", False),
        ("strider", "levy", "false", False),
        ("line-warden", "levy", "false", False),
        ("biker", "levy", "false", False),
        ("biker", "levy", "true", True),
    ],
)
def test_who_overruns_whom(attacker: str, target: str, option: str, may: bool) -> None:
    written = {"kind": "overrun-fire", "attacker": attacker, "target": target, "option-light_overrun": option}
    if may:
        assert mean(answered(BOOK, written), "hits") > 0.0
        return
    with pytest.raises(QueryError, match="no overrun between these two"):
        answered(BOOK, written)


@pytest.mark.covers("hierarchy/special-models", "base-melee/casualties")
def test_a_squad_of_captains_is_no_squad_of_special_models() -> None:
    """Special by its list is who stands alone, as a chief; the captains of the Brood are a unit like others."""
    position = query_of(kind="melee", attacker="brood-captain", target="clan-chief").position
    assert [m.marks(SPECIAL) for m in position.models] == [0, 0, 0, 1]


@pytest.mark.covers("armies/list-format", "base-weapons/grenades")
def test_the_brood_is_offered_no_grenades() -> None:
    assert "attacker-equipment" in answer(attacker="brawler", target="levy", distance=8).values
    assert "attacker-equipment" not in answer(attacker="spitter", target="levy", distance=8).values


@pytest.mark.covers("fire/sniper")
def test_one_of_a_squad_fires_as_a_sniper() -> None:
    with_one = answer(attacker="line-warden", target="brawler", attacker_states="sniper")
    assert with_one.values["weapons"] == "battle-rifle*4"
    alone = answer(attacker="line-warden", target="brawler", attacker_states="sniper", distance=60)
    assert "weapons" not in alone.values
    assert mean(alone, "losses") == pytest.approx(1 / 3)


@pytest.mark.covers("fire/surplus-hits")
def test_the_surplus_may_be_given_out_evenly() -> None:
    asked = {"attacker": "line-warden", "attacker_models": 10, "target": "brawler", "distance": 8}
    proposed, even = (answer(**asked, policy_hits=how) for how in ("proposed", "evenly"))
    assert mean(proposed, "hits") == mean(even, "hits")
    assert mean(proposed, "losses") < mean(even, "losses")


@pytest.mark.covers("base-weapons/grenades")
def test_grenades_or_blows_at_a_vehicle() -> None:
    asked: dict[str, Any] = {"kind": "melee", "attacker": "line-warden", "target": "gun-tank", "target_face": "rear"}
    armed = {**asked, "attacker_equipment": "krak-grenades"}
    assert mean(answer(**armed), "damages") > mean(answer(**armed, policy_grenades="strike"), "damages")
    assert "policy-grenades" not in answer(**asked).values


# ---------------------------------------------------------------- who


@pytest.mark.covers("armies/list-format", "hierarchy/unit-composition")
def test_every_unit_and_every_profile_can_be_asked_about() -> None:
    form, _ = filled_as_far(BOOK, {})
    picks = next(one.field.picks for one in form.filled if one.field.name == "attacker")
    assert {"citadel-wardens-600:line-warden", "brawler", "levy-regiment/captain"} <= {one.value for one in picks}
    assert all(one.title[tongue] and one.under[tongue] for one in picks for tongue in LANGUAGES)
    for pick in picks:
        for kind in ("melee", "preparatory"):
            form, query = filled_as_far(BOOK, {"kind": kind, "attacker": pick.value, "target": pick.value})
            assert query is not None or form.troubles
            assert not any(one.key == "breaks-down" for one in form.troubles), pick.value


def test_models_are_written_inline() -> None:
    both = [{"profile": "line-warden", "count": 3}, {"profile": "line-warden", "weapons": ["flamethrower"]}]
    assert answer(attacker=both, distance=5).values["weapons"] == "battle-rifle*3,flamethrower"
    unit = {"list": "rust-clans", "unit": "brawler", "size": 15}
    assert len(members(Unit(query_of(target=unit).position, 1))) == 15
    assert "unit of its own" in trouble(target=[{"profile": "gun-tank"}] * 2)
    assert "at most 30" in trouble(target=[{"profile": "brawler", "count": 20}] * 2)
    assert "Did you mean 'brawler'" in trouble(target={"list": "rust-clans", "unit": "brawlr"})
    assert "cannot fight in melee" in trouble(kind="melee", attacker="gun-tank", target="carrier")


# ---------------------------------------------------------------- as it must be


def own(name: str, **changes: int) -> dict[str, Any]:
    return {"profile": name, "count": 3, "changes": changes}


@pytest.mark.covers("base-shoot/to-hit", "base-shoot/to-wound", "base-melee/to-hit")
def test_more_skill_strength_or_men_never_cost_less() -> None:
    asked: dict[str, Any] = {"target": "brawler", "distance": 14}
    fire = [mean(answer(**asked, attacker=own("line-warden", bs=bs)), "losses") for bs in range(1, 8)]
    men = [mean(answer(**asked, attacker={"profile": "line-warden", "count": n}), "losses") for n in range(1, 8)]
    blows = [
        mean(answer(kind="melee", target="brawler", attacker=own("line-warden", ws=ws)), "wounds") for ws in range(9)
    ]
    for several in (fire, men, blows):
        assert all(one <= more + 1e-12 for one, more in pairwise(several))
        assert several[0] < several[-1]


@pytest.mark.covers("base-vehicle/glancing-table")
def test_an_option_of_the_book_changes_the_odds() -> None:
    asked: dict[str, Any] = {"kind": "advancing", "attacker": "scrapper", "distance": 20}
    one, other = answered(BOOK, asked), answered(BOOK, {**asked, "option-reduced_as_moved": "true"})
    assert mean(one, "hits") < mean(other, "hits")


def test_by_that_option_nobody_who_moved_fires_a_rifle_farther_than_twelve_inches() -> None:
    asked = {"kind": "advancing", "attacker": "scrapper", "attacker-states": "moved", "option-reduced_as_moved": "true"}
    assert mean(answered(BOOK, {**asked, "distance": 12}), "hits") > 0.0
    with pytest.raises(QueryError, match="None of their weapons can fire"):
        answered(BOOK, {**asked, "distance": 20})
