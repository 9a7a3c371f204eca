"""The odds of fire: by hand, as the plain enumeration tells them, and as the referee plays."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campale.dice import bags
from campale.dice.odds import exact
from campale.referee.position import Position, Unit
from campale.rulesets.e55.odds import forecasts
from campale.rulesets.e55.odds.fire_odds import Volley, as_proposed
from campale.rulesets.e55.odds.forecasts import forecast
from campale.rulesets.e55.odds.morale_odds import fails_after
from campale.rulesets.e55.shooting_phase import volley
from campale.rulesets.e55.shooting_phase.fire import Shot, declared
from campale.rulesets.e55.shooting_phase.shooting import declaration_phase
from tests.rulesets.e55.kit import play, profile, put, squad, table, unit
from tests.rulesets.simulated import adds_up, chances, is_near, played, simulated, step


def shots_of(position: Position, attacks: int = 1, weapon: int = 0) -> list[Shot]:
    rows = [row for row, of in enumerate(position.unit_of) if of == 0]
    return [Shot(0, row, weapon, 0, attacks, 1) for row in rows]


def facing(shooters: Any, *foes: Any, count: int = 1, apart: float = 10.0) -> Position:
    """Shooters in a line, and the enemies of one unit before them."""
    return table(squad(shooters, count, 0, (20, 10), faces=1), *(foe_at(foe, apart) for foe in foes))


def foe_at(foe: tuple[Any, int], apart: float) -> Any:
    return squad(foe[0], foe[1], 1, (20, 10 + apart))


async def whole_volley(position: Position, shots: list[Shot]) -> None:
    await volley.resolve(position, Unit(position, 1), shots)
    if volley.STRUCK in position.declared:
        await volley.resolve_hits(position)


def lost(position: Position, _: Any = None) -> int:
    rows = [row for row, of in enumerate(position.side_of) if of == 1]
    return sum(not position.model(row).is_on_table for row in rows)


# ---------------------------------------------------------------- by hand


@pytest.mark.covers("3.2.2/to-hit", "2.1/wound-table", "2.3.2/roll-save", "1.1/casualty", "2/resolution-sequence")
def test_the_stages_of_a_volley_are_those_worked_out_by_hand() -> None:
    """BS 4 and close: 2+ to hit; 4 on 3: 3+; AP 5 against 5+: 6+."""
    found = forecast(facing(profile("veteran", "rifle"), ("militia", 5)), [Shot(0, 0, 0, 0, 2, 1)], 1)
    assert [one.kind for one in found.steps] == ["hits", "wounds", "unsaved", "losses", "tests-morale", "breaks"]
    for kind, one in (("hits", 5 / 6), ("wounds", 5 / 9), ("unsaved", 25 / 54), ("losses", 25 / 54)):
        expected = {0: (1 - one) ** 2, 1: 2 * one * (1 - one), 2: one**2}
        assert chances(found, kind) == pytest.approx(expected)
    assert chances(found, "tests-morale")[1] == pytest.approx((25 / 54) ** 2), "two of five are more than a quarter"
    assert chances(found, "breaks")[1] == pytest.approx((25 / 54) ** 2 * 15 / 36), "leadership 7"
    assert (found.dice, found.decided, found.gap) == (2, (), "")


@pytest.mark.covers("4.1/trigger-casualties", "1.1/unit-ceases")
def test_a_character_left_alone_does_not_test_for_the_losses_of_his_unit() -> None:
    position = facing(profile("veteran", "rifle"), ("militia", 3))
    captain = put(position, squad("captain", 1, 1, (36, 40)))
    row = captain.models[0].row
    militia = [m.row for m in position.models if m.unit.row == 1]
    position.join(position.model(row), unit(position, 1))
    found = Volley(position, [Shot(0, 0, 0, 0, 2, 1)], 1).struck.bags
    assert fails_after(found, unit(position, 1), militia[:2], 0) is not None
    assert fails_after(found, unit(position, 1), militia, 0) is None


@pytest.mark.covers("1.1/casualty", "2.3.2/identical-excess")
def test_no_more_are_lost_than_there_are() -> None:
    found = forecast(facing(profile("veteran", "rifle"), ("militia", 1)), [Shot(0, 0, 0, 0, 2, 1)], 1)
    assert chances(found, "losses") == pytest.approx({0: (29 / 54) ** 2, 1: 1 - (29 / 54) ** 2})


@pytest.mark.covers("7.4/penetration", "7.4/vehicle-save")
def test_fire_at_a_vehicle_is_told_up_to_its_wreck() -> None:
    """Strength 8, less 1 by its distance, against 13: a 6 glances; 4 to 6 on the damage table cost a point."""
    found = forecast(facing(profile("veteran", "beam-gun"), ("tank", 1)), [Shot(0, 0, 0, 0, 1, 1)], 1)
    assert [one.kind for one in found.steps] == ["hits", "unsaved-hits", "damages", "structure", "losses"]
    assert step(found, "unsaved-hits").mean == pytest.approx(5 / 6)
    assert step(found, "damages").mean == pytest.approx(5 / 6 * 1 / 6)
    assert step(found, "structure").mean == pytest.approx(5 / 6 * 1 / 6 * 1 / 2)
    assert chances(found, "losses") == {0: pytest.approx(1.0)}
    assert found.gap == ""


# ---------------------------------------------------------------- enumeration and simulation

OGRE = replace(profile("great-beast"), w=2, t=4, armour_save=6)

ALIKE: dict[str, tuple[Position, int]] = {
    "identical models": (facing(profile("veteran", "rifle"), ("militia", 3), count=2), 2),
    "several wounds": (facing(profile("veteran", "rifle"), (OGRE, 2), count=3), 2),
    "a choice of saves": (facing(profile("veteran", "machine-gun"), ("captain", 1)), 3),
    "rending": (facing(profile("veteran", "shrapnel-gun"), ("veteran", 3), count=2), 2),
    "instant death": (facing(profile("veteran", "beam-gun"), ("captain", 1), count=3), 1),
    "cannot wound": (facing(profile("veteran", "carbine"), ("great-beast", 1), count=2), 2),
}


@pytest.mark.parametrize("case", ALIKE)
@pytest.mark.covers("2/resolution-sequence", "2.2/allocation", "2.3.2/excess-wounds")
def test_a_forecast_is_the_plain_enumeration_of_the_volley(case: str) -> None:
    position, attacks = ALIKE[case]
    shots = shots_of(position, attacks)
    plain = exact(position, lambda copy: whole_volley(copy, shots), as_proposed, lost)
    found = forecast(position, shots, 1)
    assert chances(found, "losses") == pytest.approx({n: float(p) for n, p in plain.outcomes.items()}, abs=1e-12)
    assert adds_up(found)


def mixed_target() -> Position:
    """A unit in which not all are the same: a sergeant with his men."""
    battle = facing(profile("veteran", "rifle"), ("veteran", 4), count=6)
    battle.profiles[9] = profile("sergeant")
    return battle


def mixed_fire() -> Position:
    """A squad with two kinds of weapons that need the same to hit."""
    battle = facing(profile("veteran", "rifle"), ("captain", 1), count=4)
    battle.profiles[1] = profile("veteran", "beam-gun")
    return battle


def with_a_walker(gun: str, count: int) -> Position:
    """Men and a walker in one unit."""
    battle = facing(profile("veteran", gun), ("veteran", 3), count=count)
    battle.profiles[count + 2] = profile("walker")
    return battle


PLAYED: dict[str, tuple[Position, int]] = {
    "men and a walker": (with_a_walker("machine-gun", 3), 3),
    **ALIKE,
    "a sergeant and his men": (mixed_target(), 2),
    "two kinds of weapons": (mixed_fire(), 1),
    "a tank": (facing(profile("veteran", "fusion-gun"), ("tank", 1), count=4), 1),
    "a carrier": (facing(profile("veteran", "fusion-gun"), ("carrier", 1), count=2, apart=5), 1),
    "forty dice": (facing(profile("veteran", "rifle"), ("veteran", 10), count=20, apart=20.0), 1),
}


@pytest.mark.parametrize("case", PLAYED)
@pytest.mark.covers("2/resolution-sequence", "3.2.2/to-hit")
def test_a_forecast_is_what_the_referee_plays(case: str) -> None:
    position, attacks = PLAYED[case]
    shots = shots_of(position, attacks)

    def once(rng: Random) -> int:
        copy = position.copy()
        played(whole_volley(copy, shots), as_proposed, rng)
        return lost(copy)

    found = forecast(position, shots, 1)
    assert adds_up(found)
    assert is_near(simulated(once), step(found, "losses"))


# ---------------------------------------------------------------- what is told, and what is not


@pytest.mark.covers("2.2/allocation")
def test_what_players_decide_is_named() -> None:
    found = forecast(mixed_target(), shots_of(mixed_target(), 2), 1)
    assert found.decided == ("allot-wounds", "settle-wounds")
    assert forecast(*plain_case(), 1).decided == ()


def plain_case() -> tuple[Position, list[Shot]]:
    battle, attacks = ALIKE["identical models"]
    return battle, shots_of(battle, attacks)


@pytest.mark.covers("3.2.1/range")
@pytest.mark.parametrize(("apart", "gap", "kinds"), [(30, "out-of-range", 0), (20, "", 6)])
def test_what_does_not_reach_is_said_not_to(apart: float, gap: str, kinds: int) -> None:
    battle = facing(profile("veteran", "rifle"), ("militia", 3), apart=apart)
    found = forecast(battle, shots_of(battle), 1)
    assert (found.gap, len(found.steps)) == (gap, kinds)


@pytest.mark.covers("2.2/allocation")
def test_too_many_kinds_of_wounds_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bags, "MOST_WAYS", 3)
    battle, attacks = ALIKE["several wounds"]
    found = forecast(battle, shots_of(battle, attacks), 1)
    assert ([one.kind for one in found.steps], found.gap) == (["hits", "wounds"], "too-many")


@pytest.mark.covers("3.2/legal-target", "3.2/who-can-shoot")
def test_the_odds_of_a_model_are_those_of_its_unit_at_whom_it_may_fire() -> None:
    battle = table(
        squad(profile("veteran", "rifle"), 3, 0, (20, 10), faces=1),
        squad("militia", 5, 1, (20, 20)),
        squad("militia", 5, 1, (50, 20)),
    )
    before = battle.to_bytes()
    found = forecasts.forecasts(battle, 0, 3)
    assert [(one.of, one.dice) for one in found] == [(("rifle",), 6), (("rifle",), 3)]
    assert all(adds_up(one) for one in found)
    assert forecasts.forecasts(battle, 0, 8) == []
    assert forecasts.forecasts(battle, 0, 1) == []
    assert battle.to_bytes() == before


class Asked:
    """A question as forecasts look at it."""

    def __init__(self, prompt: str, **about: Any) -> None:
        self.prompt, self.about = prompt, about


@pytest.mark.covers("3.2/declare-first")
def test_the_forecast_of_a_declaration_is_that_of_its_shots() -> None:
    battle, attacks = ALIKE["identical models"]
    fired = [0, 0, attacks]
    field = Asked("fire", unit=0, models=[0, 1], at=1)
    expected = forecast(battle, shots_of(battle, attacks), 1)
    assert forecasts.forecast_of(battle, field, ["fire", *fired]) == expected  # type: ignore[arg-type]
    assert forecasts.forecast_of(battle, field, ["hold"]) is None  # type: ignore[arg-type]
    form = Asked("shots", unit=0)
    assert forecasts.forecast_of(battle, form, [["fire", *fired]]) == expected  # type: ignore[arg-type]
    assert forecasts.forecast_of(battle, form, []) is None  # type: ignore[arg-type]
    assert forecasts.forecast_of(battle, Asked("volley"), 1) is None  # type: ignore[arg-type]


@pytest.mark.covers("7.9/independent-weapons")
def test_the_weapons_of_a_vehicle_are_told_one_by_one() -> None:
    battle = facing(profile("tank", "machine-gun"), ("militia", 3), apart=15)
    found = forecasts.forecasts(battle, 0, 1)
    assert [one.of for one in found] == [("machine-gun",)]
    at = forecasts.forecast_of(battle, Asked("fire-at", unit=0, model=0, weapon=0), ("at", 1, 0, 3))  # type: ignore[arg-type]
    assert at is not None
    assert (at.steps, at.dice) == (found[0].steps, 3)


@pytest.mark.covers("3.2/declare-first")
def test_a_forecast_leaves_the_declaration_to_the_player() -> None:
    copy = ALIKE["identical models"][0].copy()
    forecasts.forecasts(copy, 0, 2)
    assert declared(copy) == []
    assert play(declaration_phase(copy), "", [("done",)], copy).prompts == ["shooting"]


@pytest.mark.covers("1.2/mixed-units", "7.17/squadron-hits")
def test_fire_at_men_and_a_walker_is_the_plain_enumeration_of_the_volley() -> None:
    position = with_a_walker("rifle", 1)
    shots = shots_of(position, 2)
    plain = exact(position, lambda copy: whole_volley(copy, shots), as_proposed, lost)
    found = forecast(position, shots, 1)
    assert chances(found, "losses") == pytest.approx({n: float(p) for n, p in plain.outcomes.items()}, abs=1e-12)
    assert [one.kind for one in found.steps] == ["hits", "unsaved", "damages", "structure", "losses"]
    assert adds_up(found)
    assert (found.gap, found.notes) == ("", ("no-morale",))
