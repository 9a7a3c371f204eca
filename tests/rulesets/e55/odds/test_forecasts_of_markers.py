"""The odds of markers, templates and squadrons, and of the morale test that losses call for."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campale.dice.odds import exact
from campale.referee.position import Position, Unit
from campale.rulesets.e55.definitions.dice import TENTH
from campale.rulesets.e55.leadership_and_morale import leadership, morale
from campale.rulesets.e55.odds import forecasts
from campale.rulesets.e55.odds.fire_odds import as_proposed, by_proposal
from campale.rulesets.e55.odds.forecasts import forecast
from campale.rulesets.e55.shooting_phase.fire import Shot, line_of
from campale.rulesets.e55.weapons.templates import (
    drift,
    drifted,
    hit_at,
    hit_in_each_direction,
    places_for_marker,
    ways_to_lay,
)
from campale.table.shapes import heading
from tests.rulesets.e55.kit import profile, squad, table
from tests.rulesets.e55.odds.test_forecasts import OGRE, Asked, facing, lost, shots_of, whole_volley
from tests.rulesets.simulated import adds_up, chances, is_near, played, simulated, step

MORTAR = profile("veteran", "mortar")
SPRAYER = profile("veteran", "flamethrower")
RIFLEMAN = profile("veteran", "rifle")


def with_kinds(battle: Position, **others: Any) -> Position:
    """The same table, some rows of another profile."""
    for row, kind in others.items():
        battle.profiles[int(row[1:])] = kind
    return battle


def mortars(foe: tuple[Any, int], count: int = 1, apart: float = 20.0) -> Position:
    return facing(MORTAR, foe, count=count, apart=apart)


def beside_friends() -> Position:
    """The target has another unit behind it, and a friend of the firer stands beside it."""
    return table(
        squad(MORTAR, 1, 0, (20, 10), faces=1),
        squad("militia", 3, 1, (20, 30)),
        squad("veteran", 2, 1, (20, 32)),
        squad("veteran", 2, 0, (16, 30), faces=1),
    )


MARKERS: dict[str, Position] = {
    "a mortar": mortars(("militia", 4)),
    "at models of several wounds": mortars((replace(OGRE, w=2), 2)),
    "two mortars": mortars(("militia", 2), count=2),
    "a mortar and a rifle": with_kinds(mortars(("militia", 3), count=2), r1=RIFLEMAN),
    "a sergeant among his men": with_kinds(mortars(("militia", 3)), r3=profile("sergeant")),
    "a spray": facing(SPRAYER, ("militia", 4), apart=5.0),
    "a spray and a rifle": with_kinds(
        facing(SPRAYER, ("militia", 3), count=2, apart=5.0), r1=profile("veteran", "rifle")
    ),
    "a mortar and a spray": with_kinds(mortars(("militia", 3), count=2, apart=5.0), r1=SPRAYER),
    "others near": beside_friends(),
    "at a tank": facing(MORTAR, ("carrier", 1), apart=20.0),
}


def plain(position: Position, shots: list[Shot]) -> dict[int, float]:
    found = exact(position, lambda copy: whole_volley(copy, shots), by_proposal, lost_of_target)
    return {number: float(chance) for number, chance in found.outcomes.items()}


def lost_of_target(position: Position, _: Any = None) -> int:
    rows = [row for row, of in enumerate(position.unit_of) if of == 1]
    return sum(not position.model(row).is_on_table for row in rows)


@pytest.mark.parametrize("case", [case for case in MARKERS if case not in ("two mortars", "at a tank")])
@pytest.mark.covers("9.1.1/area", "9.1/template", "2/target-kinds")
def test_markers_and_templates_are_the_plain_enumeration_of_the_volley(case: str) -> None:
    position = MARKERS[case]
    shots = shots_of(position)
    found = forecast(position, shots, 1)
    assert found.gap == ""
    assert chances(found, "losses") == pytest.approx(plain(position, shots), abs=1e-12)
    assert adds_up(found)


@pytest.mark.parametrize("case", ["two mortars", "others near", "a spray and a rifle", "at a tank"])
@pytest.mark.covers("9.1.1/area", "9.1/template")
def test_markers_and_templates_are_what_the_referee_plays(case: str) -> None:
    position = MARKERS[case]
    shots = shots_of(position)

    def once(rng: Random) -> int:
        copy = position.copy()
        played(whole_volley(copy, shots), by_proposal, rng)
        return lost_of_target(copy)

    assert is_near(simulated(once), step(forecast(position, shots, 1), "losses"))


@pytest.mark.covers("9.1.1/area", "1.1/random-direction")
@pytest.mark.parametrize(("foes", "faces"), [(("militia", 5), (1, 3, 4, 5, 6)), (("carrier", 1), (4,))])
def test_directions_told_apart_are_all_of_those_that_hit_somebody_else(
    foes: tuple[Any, int], faces: tuple[int, ...]
) -> None:
    """Every tenth of a degree."""
    battle = mortars(foes)
    x, y = battle.model(places_for_marker(battle, Shot(0, 0, 0, 0, 1, 1))[0]).at
    for off in (drift(face, 4) for face in faces):
        told = hit_in_each_direction(battle, (x, y), off, 1.5)
        hit = [hit_at(battle, drifted((x, y), off, heading(tenth * TENTH)), 1.5) for tenth in range(3600)]
        assert len(set(zip(told, hit, strict=True))) == len(set(told)) == len(set(hit)) > (off > 0)


@pytest.mark.covers("9.1.1/area")
def test_who_else_may_be_hit_is_told() -> None:
    found = forecast(beside_friends(), [Shot(0, 0, 0, 0, 1, 1)], 1)
    kinds = [one.kind for one in found.steps]
    assert kinds[:3] == ["hits", "hits-friends", "hits-others"]
    assert step(found, "hits-others").mean > 0
    alone = forecast(mortars(("militia", 3)), [Shot(0, 0, 0, 0, 1, 1)], 1)
    assert [one.kind for one in alone.steps][:2] == ["hits", "wounds"]


@pytest.mark.covers("9.1/template")
def test_a_template_hits_whom_it_covers() -> None:
    battle = MARKERS["a spray"]
    found = forecast(battle, shots_of(battle), 1)
    (sure,) = step(found, "hits").chances
    assert sure[1] == pytest.approx(1.0)
    assert sure[0] >= 1
    assert step(found, "wounds").mean == pytest.approx(sure[0] * 2 / 3)


@pytest.mark.covers("9.1.1/area", "9.1/template")
def test_a_marker_is_told_from_where_it_is_laid() -> None:
    battle = table(squad(MORTAR, 1, 0, (20, 10), faces=1), squad("militia", 3, 1, [(20, 30), (21, 30), (28, 30)]))
    about = {"model": 0, "target": 1}
    told = [forecasts.forecast_of(battle, Asked("marker", **about), row) for row in (1, 3)]  # type: ignore[arg-type]
    among, alone = (one for one in told if one is not None)
    assert among.decided == alone.decided == ()
    assert step(among, "hits").mean > step(alone, "hits").mean > 0
    proposed = forecast(battle, [Shot(0, 0, 0, 0, 1, 1)], 1)
    assert (proposed.steps, proposed.decided) == (among.steps, ("marker",))
    sprays = MARKERS["a spray"]
    ways = ways_to_lay(sprays, Shot(0, 0, 0, 0, 1, 1))
    laid = forecasts.forecast_of(sprays, Asked("template", **about), ways[0])  # type: ignore[arg-type]
    assert laid is not None
    assert step(laid, "hits").mean == len(ways[0])
    assert forecasts.forecast_of(sprays, Asked("marker", **about), 1) is None  # type: ignore[arg-type]


# ---------------------------------------------------------------- squadrons


def squadron(weapon: str, count: int, tanks: int = 2, apart: float = 14.0, kind: str = "carrier") -> Position:
    return facing(profile("veteran", weapon), (kind, tanks), count=count, apart=apart)


@pytest.mark.covers("7.17/squadron-hits", "7.4/vehicle-save")
@pytest.mark.parametrize(("count", "attacks"), [(1, 1), (2, 1)])
def test_the_hits_on_a_squadron_are_given_out_and_go_on(count: int, attacks: int) -> None:
    battle = squadron("beam-gun", count)
    shots = shots_of(battle, attacks)
    found = forecast(battle, shots, 1)
    assert [one.kind for one in found.steps] == ["hits", "unsaved-hits", "damages", "structure", "losses"]
    assert (found.gap, found.notes) == ("", ("lost-vehicle",) if step(found, "losses").mean else ())
    expected = exact(battle, lambda copy: hits_to_structure(copy, shots), as_proposed)
    told = {number: float(chance) for number, chance in expected.outcomes.items()}
    assert chances(found, "structure") == pytest.approx(told, abs=1e-12)


async def hits_to_structure(position: Position, shots: list[Shot]) -> int:
    await whole_volley(position, shots)
    return sum(model.marks("structure-lost") for model in position.models)


@pytest.mark.covers("7.17/squadron-hits")
def test_what_a_squadron_loses_is_what_the_referee_plays() -> None:
    battle = squadron("beam-gun", 10)
    shots = shots_of(battle)

    def once(rng: Random) -> int:
        copy = battle.copy()
        played(whole_volley(copy, shots), as_proposed, rng)
        return lost(copy)

    found = forecast(battle, shots, 1)
    assert adds_up(found)
    assert step(found, "losses").mean > 0.01
    assert is_near(simulated(once, times=500), step(found, "losses"))


# ---------------------------------------------------------------- morale


async def volley_and_test(position: Position, shots: list[Shot]) -> str:
    await whole_volley(position, shots)
    unit = Unit(position, 1)
    if not any(model.is_on_table for model in position.models if model.side == 1):
        return "gone"
    if not morale.must_test_for_losses(unit):
        return "stays"
    return "passes" if await leadership.morale_passed(unit, "losses") else "breaks"


@pytest.mark.covers("4.1/trigger-casualties", "4.1/morale-test", "4/leadership-test")
@pytest.mark.parametrize(
    "battle",
    [
        facing(profile("veteran", "rifle"), ("militia", 5), count=2),
        with_kinds(facing(profile("veteran", "rifle"), ("militia", 3), count=2), r4=profile("sergeant")),
        mortars(("militia", 3)),
    ],
    ids=["men", "a sergeant and his men", "under a marker"],
)
def test_the_test_for_losses_is_the_last_stage(battle: Position) -> None:
    shots = shots_of(battle)
    policy = by_proposal if line_of(battle, shots[0]).has("area") else as_proposed
    expected = exact(battle, lambda copy: volley_and_test(copy, shots), policy)
    found = forecast(battle, shots, 1)
    assert [one.kind for one in found.steps][-2:] == ["tests-morale", "breaks"]
    breaks, passes = float(expected["breaks"]), float(expected["passes"])
    assert chances(found, "breaks").get(1, 0.0) == pytest.approx(breaks, abs=1e-12)
    assert chances(found, "tests-morale").get(1, 0.0) == pytest.approx(breaks + passes, abs=1e-12)


@pytest.mark.covers("4.1/trigger-casualties")
@pytest.mark.parametrize(("foes", "tests"), [(4, False), (3, True)])
def test_a_test_that_nothing_calls_for_is_not_told(foes: int, tests: bool) -> None:
    """One model at the most is lost: of four it is no more than a quarter."""
    battle = facing(profile("veteran", "rifle"), ("militia", foes))
    found = forecast(battle, shots_of(battle), 1)
    assert ("breaks" in [one.kind for one in found.steps]) is tests
