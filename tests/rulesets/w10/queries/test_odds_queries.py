"""What can be asked of this book without a battle: who stands where, with what, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from campale.odds.answers import Answer, answered
from campale.odds.form import filled_in
from campale.odds.troubles import QueryError
from campale.referee.odds_queries import Query
from campale.referee.position import Unit
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.words import LANGUAGES
from campale.rulesets.w10.basics.attached import leaders
from campale.rulesets.w10.basics.cover import cover_of
from campale.rulesets.w10.basics.units import members, near
from campale.rulesets.w10.queries.profiles import cards, picks

BOOK = load_ruleset("w10")


def in_fields(written: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in written.items()}


def query_of(**written: Any) -> Query:
    return filled_in(BOOK, in_fields(written))[1]


def answer(**written: Any) -> Answer:
    return answered(BOOK, in_fields(written))


def mean(found: Answer, kind: str) -> float:
    return next((one.mean for one in found.volleys[0].stages if one.kind == kind), 0.0)


def trouble(**written: Any) -> str:
    with pytest.raises(QueryError) as refused:
        answer(**written)
    return str(refused.value)


# ---------------------------------------------------------------- who, and where


def test_units_of_rosters_and_datasheets_are_offered_under_their_titles() -> None:
    assert {"line-squad", "captain", "beast", "hammer-500:walker"} <= set(cards())
    assert {pick.value for pick in picks()} == set(cards())
    assert all(set(pick.title) == set(pick.under) == set(LANGUAGES) for pick in picks())


@pytest.mark.parametrize("distance", [2, 12, 24])
def test_every_attacker_is_as_far_from_the_target_as_was_asked(distance: int) -> None:
    position = query_of(distance=str(distance), attacker_models="10", target_models="10").position
    own, foes = (members(Unit(position, row)) for row in (0, 1))
    assert near(position, own, foes, distance + 0.01).any(axis=1).all()
    assert not near(position, own, foes, distance - 0.01).any()


def test_leaders_are_attached_and_stand_in_the_unit() -> None:
    position = query_of(attacker_leader="captain", target_leader="lieutenant").position
    assert [m.profile.id for m in leaders(Unit(position, 0))] == ["captain"]
    assert [m.profile.id for m in leaders(Unit(position, 1))] == ["lieutenant"]
    assert len(members(Unit(position, 0))) == 6


@pytest.mark.parametrize(
    ("kind", "target", "rule"),
    [
        ("none", "line-squad", None),
        ("ruins", "line-squad", "terrain/ruins-cover"),
        ("woods", "carrier", "terrain/woods"),
        ("craters", "line-squad", "terrain/craters"),
        ("craters", "carrier", None),
    ],
)
def test_the_target_stands_in_its_cover(kind: str, target: str, rule: str | None) -> None:
    position = query_of(cover=kind, target=target).position
    own, foes = (members(Unit(position, row)) for row in (0, 1))
    assert {cover_of(model, own) for model in foes} == {rule}


# ---------------------------------------------------------------- what comes of it


def test_rifles_at_the_same_squad() -> None:
    """Five at 18 inches: 3+, 4+, 4+; at 12, within half range, two shots each."""
    far, close = answer(), answer(distance="12")
    assert [mean(far, kind) for kind in ("hits", "wounds", "unsaved")] == pytest.approx([10 / 3, 5 / 3, 5 / 6])
    assert mean(close, "hits") == pytest.approx(20 / 3)


def test_cover_and_stratagems_on_the_target_help_it() -> None:
    assert mean(answer(cover="ruins"), "unsaved") == pytest.approx(5 / 3 * 1 / 3)
    assert mean(answer(target_states="gone-to-ground"), "unsaved") == pytest.approx(5 / 3 * 1 / 3)
    assert mean(answer(target_states="smoke"), "hits") == pytest.approx(5 * 1 / 2)


def test_overwatch_hits_on_sixes() -> None:
    assert mean(answer(kind="overwatch", attacker_models="10"), "hits") == pytest.approx(10 / 6)


def test_all_models_strike_in_melee_and_a_charge_helps_lances() -> None:
    assert mean(answer(kind="melee", attacker_models="10"), "hits") == pytest.approx(20 * 2 / 3)
    stands, charged = (
        mean(answer(kind="melee", attacker="jump-squad", attacker_states=states), "wounds")
        for states in ("", "charged")
    )
    assert stands == pytest.approx(15 * 2 / 3 * 2 / 3)
    assert charged == pytest.approx(15 * 2 / 3 * 5 / 6)


def test_a_leader_adds_his_weapons_and_his_ability() -> None:
    """The Lieutenant's unit re-rolls ones to hit; his own carbine fires along."""
    found = answer(attacker_leader="lieutenant")
    assert mean(found, "hits") == pytest.approx((5 + 2) * (4 / 6 + 1 / 6 * 4 / 6))


def test_wounds_are_counted_beside_models() -> None:
    found = answer(attacker="captain", kind="melee", target="walker")
    assert mean(found, "wounds-lost") == pytest.approx(2 * mean(found, "unsaved"), abs=0.001)
    assert found.losses is not None
    assert {one.kind for one in answer(target="scout-team").volleys[0].stages} == {
        "hits",
        "wounds",
        "unsaved",
        "losses",
    }


def test_mortal_wounds_with_many_dice_to_ignore_them_are_told_exactly() -> None:
    """Six attacks at most, each up to three mortal wounds, each ignored on a 6."""
    found = answer(attacker="seer", target="beast", target_wounds="11")
    assert found.losses is not None
    assert 0.0 < found.losses.mean < 1.0
    assert found.losses.mean == pytest.approx(mean(found, "wounds-lost"))


# ---------------------------------------------------------------- what is used


def test_weapons_are_taken_in_the_order_and_number_written() -> None:
    found = answer(attacker_options="plasma-gun*1", weapons="plasma-gun,rifle*2")
    assert mean(found, "hits") == pytest.approx(3 * 2 / 3)
    assert found.volleys[0].of == ({"en": "Plasma gun", "it": "Fucile al plasma"}, {"en": "Rifle", "it": "Fucile"})


def test_what_cannot_be_used_together_is_refused() -> None:
    assert "At most" in trouble(weapons="rifle*6")
    assert "At most" in trouble(attacker="captain", kind="melee", weapons="blade*2")
    assert "Only 5 models" in trouble(attacker_options="plasma-gun*6")
    assert "None of their weapons" in trouble(attacker="walker", distance="72")
    assert "None of their weapons" in trouble(attacker_states="advanced")


def test_models_written_inline_attack_too() -> None:
    found = answer(attacker='[{"profile": "line-squad", "count": 3, "changes": {"sv": 2}}]')
    assert mean(found, "hits") == pytest.approx(2.0)
    assert "Too many models: 31" in trouble(attacker='[{"profile": "line-squad", "count": 30}, {"profile": "captain"}]')
