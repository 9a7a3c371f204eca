"""The odds of hits on vehicles: by hand, as the plain enumeration tells them, and as the referee plays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from campale.dice.odds import exact, first_suggestion
from campale.referee.looks import Forecast
from campale.rulesets.e3m.fire.kinds import ADVANCING, PREPARATORY, Kind
from campale.rulesets.e3m.fire.plan import Volley
from campale.rulesets.e3m.odds.forecasts import forecasts, of_volley
from tests.rulesets.e3m.kit import piece, squad, table
from tests.rulesets.e3m.odds.test_odds_fire import declared, fired, gone
from tests.rulesets.simulated import adds_up, chances, is_near, played, simulated, step

FRONT, REAR = 180.0, 0.0


def tank(kind: str = "gun-tank", facing: float = FRONT, at: tuple[float, float] = (20.0, 30.0), **more: Any) -> Any:
    return squad(kind, 1, 1, at, facing=facing, **more)


def by(weapon: str, count: int = 1, **more: Any) -> Any:
    return squad("line-warden", count, 0, (20, 10), special=[weapon] * count, **more)


def volley_of(attacker: Any, *foes: Any, kind: Kind = PREPARATORY, pieces: Any = (), **answers: Any) -> Volley:
    options = answers.pop("options", None)
    return declared(table(attacker, *foes, pieces=pieces, options=options), kind, **answers)


def told(attacker: Any, *foes: Any, **more: Any) -> Forecast:
    return of_volley(volley_of(attacker, *foes, **more))


# ---------------------------------------------------------------- by hand


@pytest.mark.covers("base-vehicle/penetration", "base-vehicle/glancing-table", "base-vehicle/penetrating-table")
def test_one_beam_at_the_front_of_a_tank() -> None:
    """3+ to hit; Strength 9 against 13: a 4 glances (lost on a 6), 5 and 6 penetrate (lost on 4, 5, 6)."""
    found = told(by("beam-cannon"), tank(front=13))
    assert [one.kind for one in found.steps] == ["hits", "damages", "losses"]
    assert chances(found, "hits") == pytest.approx({0: 1 / 3, 1: 2 / 3}, abs=1e-12)
    assert chances(found, "damages")[1] == pytest.approx(2 / 3 * 3 / 6, abs=1e-12)
    assert chances(found, "losses")[1] == pytest.approx(2 / 3 * (1 / 6 * 1 / 6 + 2 / 6 * 3 / 6), abs=1e-12)
    assert found.notes == ("lost-vehicle",)


@pytest.mark.covers("base-vehicle/hull-down")
def test_hull_down_turns_half_of_the_penetrating_hits() -> None:
    found = told(by("beam-cannon"), tank(front=13), pieces=[piece("rubble", 20.0, 30.0, size=(10, 10))])
    half = 2 / 6 * (1 / 2 * 3 / 6 + 1 / 2 * 1 / 6)
    assert chances(found, "losses")[1] == pytest.approx(2 / 3 * (1 / 6 * 1 / 6 + half), abs=1e-12)


@pytest.mark.covers("base-vehicle/facing")
def test_the_side_that_is_seen_counts() -> None:
    """Armour 13 in front, 11 on the side, 10 behind: 5, 3 and 2 or more penetrate, one less glances."""
    for facing, penetrating in ((FRONT, 2), (90.0, 4), (REAR, 5)):
        found = told(by("beam-cannon"), tank(facing=facing))
        lost = 2 / 3 * (1 / 6 * 1 / 6 + penetrating / 6 * 3 / 6)
        assert chances(found, "losses")[1] == pytest.approx(lost, abs=1e-12)


@pytest.mark.covers("base-weapons/special")
def test_lance_and_melta_by_hand() -> None:
    """Armour 14 counts as 12 against a lance; melta adds a die within half range."""
    found = told(by("bright-beam"), tank(front=14))
    assert chances(found, "damages")[1] == pytest.approx(2 / 3 * 3 / 6, abs=1e-12)
    near = told(by("fusion-gun"), tank(front=14, at=(20.0, 19.0)))
    assert chances(near, "damages")[1] == pytest.approx(2 / 3 * 26 / 36, abs=1e-12)


@pytest.mark.covers("base-vehicle/damage-results")
def test_one_that_is_immobilised_twice_without_a_weapon_is_lost() -> None:
    """A carrier without weapons: of the glancing table 4 and 5 both immobilise, and what is immobile is destroyed."""
    armed = step(told(by("beam-cannon"), tank("carrier", front=14)), "losses").mean
    bare = step(told(by("beam-cannon"), tank("carrier", front=14, mounts=(), models={"immobilised": 1})), "losses").mean
    assert bare > armed
    assert bare == pytest.approx(2 / 3 * (1 / 6 * 3 / 6 + 1 / 6 * 5 / 6), abs=1e-12)


@pytest.mark.covers("fire/heavy-weapon-target")
def test_shots_at_other_targets_are_left_out_and_the_answer_says_so() -> None:
    """The area comes first; what a heavy weapon does to a vehicle beside it is not told."""
    foes = (squad("brawler", 2, 1, (20, 24)), tank(at=(40.0, 30.0)))
    found = told(squad("line-warden", 3, 0, (20, 10), special=["beam-cannon"]), *foes, heavy_at="vehicle")
    assert found.notes == ("other-targets",)
    assert found.of == ("battle-rifle",)


# ---------------------------------------------------------------- as the plain enumeration tells them

VOLLEYS: dict[str, Callable[[], Volley]] = {
    "one beam": lambda: volley_of(by("beam-cannon"), tank()),
    "two beams": lambda: volley_of(by("beam-cannon", 2), tank()),
    "rifles and a beam": lambda: volley_of(squad("line-warden", 2, 0, (20, 10), special=["beam-cannon"]), tank()),
    "reduced": lambda: volley_of(by("rocket-tube", 2, order="assault"), tank(), kind=ADVANCING),
    "heavies apart": lambda: volley_of(
        by("beam-cannon"), tank(), squad("brawler", 2, 1, (30, 24)), fire_at=("vehicle", 1)
    ),
    "a tank at a tank": lambda: volley_of(squad("gun-tank", 1, 0, (20, 10)), tank(facing=REAR)),
    "hull down": lambda: volley_of(by("beam-cannon", 2), tank(), pieces=[piece("rubble", 20.0, 30.0, size=(10, 10))]),
    "open-topped": lambda: volley_of(by("beam-cannon"), tank("clan-wagon")),
    "a walker": lambda: volley_of(by("beam-cannon"), tank("strider")),
    "a fast flyer": lambda: volley_of(by("beam-cannon"), tank("skimmer", models={"fast": 1})),
    "immobilised already": lambda: volley_of(by("beam-cannon", 2), tank(models={"immobilised": 1})),
    "the other table": lambda: volley_of(by("beam-cannon"), tank(), options={"glancing_immobilised_4": True}),
    "overheating": lambda: volley_of(by("plasma-gun"), tank(facing=REAR)),
    "a sniper rifle": lambda: volley_of(by("sniper-rifle"), tank()),
    "krak of a blast": lambda: volley_of(by("missile-launcher"), tank(facing=REAR), weapon_line=(0, 1)),
}


@pytest.mark.covers("base-vehicle/penetration", "fire/area-vehicles", "fire/heavy-weapon-target")
@pytest.mark.parametrize("name", VOLLEYS)
def test_a_forecast_is_the_plain_enumeration_of_the_volley(name: str) -> None:
    volley = VOLLEYS[name]()
    before = volley.unit.position
    found = of_volley(volley)
    assert found.gap == ""
    assert adds_up(found)
    ends = exact(before, partial(fired, volley), None, lambda after, _: gone(before, after, 1))
    expected = {number: float(chance) for number, chance in ends.outcomes.items() if chance}
    assert chances(found, "losses") == pytest.approx(expected, abs=1e-12)


# ---------------------------------------------------------------- as the referee plays


@pytest.mark.covers("base-weapons/ordnance", "base-weapons/blast-cover", "base-vehicle/ordnance-table")
def test_a_siege_gun_at_a_vehicle_as_the_referee_plays_it() -> None:
    """The marker may come down beside it, or touch it with its rim at half Strength."""
    volley = volley_of(squad("siege-tank", 1, 0, (20, 6)), tank("carrier", facing=90.0))
    position = volley.unit.position
    found = of_volley(volley)
    assert adds_up(found)

    def once(rng: Random) -> int:
        copy = position.copy()
        played(fired(volley, copy), first_suggestion, rng)
        return gone(position, copy, 1)

    assert is_near(simulated(once), step(found, "losses"))


# ---------------------------------------------------------------- overruns


@pytest.mark.covers("vehicles/overrun-morale", "vehicles/overrun-flying", "vehicles/overrun-who")
def test_the_test_of_whoever_is_overrun() -> None:
    """Leadership 7 fails with 15 of 36; the routed always do, the targets of a flyer never; nobody overruns a tank."""

    def fails(vehicle: str, *foes: Any, order: str = "fire") -> float | None:
        position = table(squad(vehicle, 1, 0, (20, 10), order=order), *foes)
        found = [one for one in forecasts(position, 0, 1) if one.ways == ("overrun",)]
        return step(found[0], "fails").mean if found else None

    men = squad("brawler", 3, 1, (20, 24))
    assert fails("gun-tank", men) == pytest.approx(15 / 36, abs=1e-12)
    assert fails("gun-tank", squad("brawler", 3, 1, (20, 24), order="retreat")) == 1.0
    assert fails("skimmer", men) == 0.0
    assert fails("gun-tank", men, order="ready") is None
    assert fails("gun-tank", tank()) is None
    assert fails("strider", men) is None


@pytest.mark.covers("vehicles/overrun-who", "base-vehicle/damage-results")
@pytest.mark.parametrize(
    ("x", "marks", "models", "shown"),
    [
        (40, {}, {}, True),
        (20.625, {}, {}, False),
        (17, {}, {}, True),
        (40, {"stationary": 1}, {}, False),
        (40, {}, {"immobilised": 1}, False),
    ],
)
def test_no_odds_of_an_overrun_of_men_in_cover_or_by_who_moves_no_more(
    x: float, marks: dict[str, int], models: dict[str, int], shown: bool
) -> None:
    """Two men, with a small wood elsewhere, over both of them, or over one only."""
    tank = squad("gun-tank", 1, 0, (20, 10), marks=marks, models=models)
    position = table(tank, squad("brawler", 2, 1, (20, 24)), pieces=[piece("wood", x, 24, size=(6.5, 4.0))])
    assert any(one.ways == ("overrun",) for one in forecasts(position, 0, 1)) is shown
