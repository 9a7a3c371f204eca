"""The odds of melees: by hand, as the plain enumeration tells them, and as the referee plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from tools.odds import differences

from campale.dice.odds import exact, first_suggestion
from campale.mechanics.frames import DOING, stack
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.rulesets.e3m.assault.declaring import declare
from campale.rulesets.e3m.assault.melee import fight_out, is_against_vehicle, melees
from campale.rulesets.e3m.assault.moves import assault_move
from campale.rulesets.e3m.assault.result import lost_test, next_melee, settle, winner_of
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import units_of
from campale.rulesets.e3m.odds import melee_odds
from campale.rulesets.e3m.odds.forecasts import forecast_of, forecasts
from campale.rulesets.e3m.odds.melee_odds import of_melee
from tests.rulesets.e3m.kit import piece, question_after, squad, table
from tests.rulesets.e3m.odds.test_odds_fire import gone, newly
from tests.rulesets.simulated import adds_up, chances, played, step


def line(kind: str, count: int, side: int = 0, at: float = 20.0, y: float | None = None, **more: Any) -> Any:
    """Models side by side, in contact with those opposite."""
    places = [(at + 1.2 * k, (20.0 + side) if y is None else y) for k in range(count)]
    return squad(kind, count, side, places, **more)


def battle(*squads: Any, charged: bool = True, pieces: Any = (), **options: Any) -> Position:
    """The first unit has made the assault, with the bonus or without."""
    position = table(*squads, phase="melees", pieces=pieces, options=options)
    Unit(position, 0).mark("attacker", 1)
    Unit(position, 0).mark("charged-in", int(charged))
    return position


def told(position: Position) -> Forecast:
    (rows,) = melees(position)
    own, foe = (next(Unit(position, row) for row in rows if position.unit_side[row] == side) for side in (0, 1))
    return of_melee(position, rows, own, foe)


async def fought(rows: Sequence[int], position: Position) -> tuple[int, int, int]:
    """The melee and the tests of the losers: the wounds of both sides, and who has won (-1: nobody)."""
    fight, inflicted = await fight_out(position, rows)
    if is_against_vehicle(position, rows):
        return (*inflicted, -1)
    winner = winner_of(fight, inflicted)
    position.declare(DOING, None)
    settle(fight, rows, inflicted)
    for kind, row, *values in reversed(stack(position)):
        if kind == "lose" and not is_routed(Unit(position, int(row))):
            await lost_test(position, int(row), int(values[1]))
    return (*inflicted, -1 if winner is None else winner)


Ended = tuple[int, int, int]
COUNTED: dict[str, Callable[[Position, Position, Ended], int]] = {
    "wounds": lambda before, after, ended: ended[0],
    "damages": lambda before, after, ended: ended[0],
    "wounds-back": lambda before, after, ended: ended[1],
    "losses": lambda before, after, ended: gone(before, after, 1),
    "losses-back": lambda before, after, ended: gone(before, after, 0),
    "won": lambda before, after, ended: int(ended[2] == 0),
    "lost": lambda before, after, ended: int(ended[2] == 1),
    "breaks": lambda before, after, ended: newly(before, after, is_routed),
    "breaks-back": lambda before, after, ended: own_broken(before, after),
}


def own_broken(before: Position, after: Position) -> int:
    return sum(is_routed(unit) and not is_routed(Unit(before, unit.row)) for unit in units_of(after, 0))


def enumerated(position: Position, kind: str) -> dict[int, float]:
    (rows,) = melees(position)
    found = exact(position, partial(fought, rows), None, lambda after, ended: COUNTED[kind](position, after, ended))
    return {number: float(chance) for number, chance in found.outcomes.items() if chance}


# ---------------------------------------------------------------- by hand


@pytest.mark.covers("base-melee/sequence", "base-melee/to-hit", "base-melee/charge-bonus", "assault/tie-to-defender")
def test_one_against_one_by_hand() -> None:
    """A line warden that has charged: two attacks at Initiative 4; the brawler strikes at 2, if he still stands."""
    found = told(battle(line("line-warden", 1), line("brawler", 1, 1)))
    one = 1 / 2 * 1 / 2 * 5 / 6
    dies = 1 - (1 - one) ** 2
    assert chances(found, "losses") == pytest.approx({0: 1 - dies, 1: dies}, abs=1e-12)
    assert step(found, "won").mean == pytest.approx(dies, abs=1e-12), "whoever has inflicted as little has lost"
    back = step(found, "losses-back").mean
    assert 0.0 < back < 1.0 - dies
    stands = told(battle(line("line-warden", 1), line("brawler", 1, 1), charged=False))
    assert step(stands, "losses").mean == pytest.approx(one, abs=1e-12)


@pytest.mark.covers("assault/attacker-loses", "base-morale/test")
def test_a_tie_goes_to_the_defender_and_the_attacker_tests() -> None:
    """Nobody can wound; the wardens test on Leadership 8, and fail with 9 or more."""
    found = told(battle(line("line-warden", 2, s=1, t=10, bare_t=10), line("brawler", 2, 1, s=1, t=10, bare_t=10)))
    assert step(found, "losses").mean == step(found, "losses-back").mean == 0.0
    assert chances(found, "lost") == {1: 1.0}
    assert chances(found, "breaks-back")[1] == pytest.approx(10 / 36, abs=1e-12)
    assert all(one.kind != "breaks" for one in found.steps)


# ---------------------------------------------------------------- as the plain enumeration tells them

FIGHTS: dict[str, Callable[[], Position]] = {
    "one before the other": lambda: battle(line("line-warden", 2), line("brawler", 2, 1)),
    "at the same moment": lambda: battle(line("line-warden", 2), line("line-warden", 2, 1)),
    "without the bonus": lambda: battle(line("line-warden", 2), line("brawler", 3, 1), charged=False),
    "several wounds": lambda: battle(line("line-warden", 3), line("captain", 1, 1, at=21.2)),
    "wounded already": lambda: battle(line("line-warden", 2), line("captain", 1, 1, models={"wounds": 1})),
    "fists last": lambda: battle(line("bulwark", 1), line("brawler", 2, 1, y=21.3)),
    "rending": lambda: battle(line("render", 2), line("line-warden", 2, 1)),
    "cleavers": lambda: battle(line("brawler", 2), line("line-warden", 2, 1)),
    "in cover": lambda: battle(line("line-warden", 2), line("brawler", 2, 1), pieces=[piece("wood", 21.0, 24.0)]),
    "in cover, with grenades": lambda: battle(
        line("line-warden", 2, equipment=["frag-grenades"]),
        line("brawler", 2, 1),
        pieces=[piece("wood", 21.0, 24.0)],
    ),
    "on the march": lambda: battle(line("line-warden", 2), line("brawler", 2, 1, order="march")),
    "routed already": lambda: battle(line("line-warden", 2), line("brawler", 2, 1, order="retreat")),
    "fearless": lambda: battle(line("line-warden", 2), line("brawler", 2, 1, is_fearless=True)),
    "two units against one": lambda: battle(
        line("line-warden", 1), line("line-warden", 1, at=21.2), line("brawler", 2, 1)
    ),
    "one unit against two": lambda: battle(
        line("line-warden", 2), line("brawler", 1, 1), line("scrapper", 1, 1, at=21.2)
    ),
    "a special model": lambda: battle(line("line-warden", 2), line("brawler", 1, 1), line("champion", 1, 1, at=21.2)),
    "a great creature": lambda: battle(line("line-warden", 2), line("crusher", 1, 1, y=21.7)),
}


@pytest.mark.covers("base-melee/sequence", "base-melee/initiative-order", "base-melee/result", "assault/defender-loses")
@pytest.mark.parametrize("name", FIGHTS)
def test_a_forecast_is_the_plain_enumeration_of_the_melee(name: str) -> None:
    position = FIGHTS[name]()
    before = position.to_bytes()
    found = told(position)
    assert found.gap == ""
    assert adds_up(found)
    kinds = {one.kind for one in found.steps}
    for kind in ("wounds", "wounds-back", "losses", "losses-back", "won", "lost", "breaks", "breaks-back"):
        here = chances(found, kind) if kind in kinds else {0: 1.0}
        assert here == pytest.approx(enumerated(position, kind), abs=1e-12), kind
    assert position.to_bytes() == before


HULLS: dict[str, Callable[[], Position]] = {
    "fists at a tank": lambda: battle(line("bulwark", 1), squad("gun-tank", 1, 1, (20, 24.8))),
    "grenades at a tank": lambda: battle(
        line("line-warden", 2, equipment=["krak-grenades"]), squad("gun-tank", 1, 1, (20, 24.5))
    ),
    "charges at one that has moved": lambda: battle(
        line("line-warden", 1, equipment=["fusion-charges"]), squad("skimmer", 1, 1, (20, 22.5))
    ),
    "a great creature at a tank": lambda: battle(
        line("crusher", 1, a=0), squad("carrier", 1, 1, (20, 25.2)), charged=False
    ),
}


@pytest.mark.covers("base-vehicle/assaulting-vehicles", "base-weapons/grenades", "base-vehicle/melee-no-result")
@pytest.mark.parametrize("name", HULLS)
def test_blows_at_vehicles_are_the_plain_enumeration_but_for_explosions(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a wreck does to others is left out, and the forecast says so."""
    position = HULLS[name]()
    found = told(position)
    assert found.notes == ("lost-vehicle",)
    assert adds_up(found)
    monkeypatch.setattr("campale.rulesets.e3m.vehicles.damage.explode", nothing)
    for kind in ("damages", "losses"):
        assert chances(found, kind) == pytest.approx(enumerated(position, kind), abs=1e-12), kind


async def nothing(*_: Any) -> None:
    """Nobody is hurt."""


# ---------------------------------------------------------------- as the referee plays


@pytest.mark.covers("base-vehicle/walkers")
def test_walkers_as_the_referee_plays_them() -> None:
    position = battle(squad("strider", 1, 0, (20, 20)), squad("can-walker", 1, 1, (20, 24)))
    assert off_by(position, ("wounds", "losses", "losses-back", "won"), times=600) == {}


@pytest.mark.covers("base-melee/who-fights")
def test_ten_against_ten_as_the_referee_plays_them() -> None:
    position = battle(line("scout", 10), line("brawler", 10, 1))
    assert off_by(position, ("losses", "losses-back", "won", "breaks", "breaks-back"), times=300) == {}


def off_by(position: Position, kinds: Sequence[str], times: int) -> dict[str, list[str]]:
    """What lies too far from what was told, of melees that are played."""
    rng, found = Random(1), {kind: Counter[int]() for kind in kinds}
    for _ in range(times):
        copy = position.copy()
        ended = played(fought((0, 1), copy), first_suggestion, rng)
        for kind in kinds:
            found[kind][COUNTED[kind](position, copy, ended)] += 1
    forecast = told(position)
    assert adds_up(forecast)
    wrong = {kind: differences(step(forecast, kind).chances, found[kind]) for kind in kinds}
    return {kind: what for kind, what in wrong.items() if what}


# ---------------------------------------------------------------- at the table


@pytest.mark.covers("base-melee/sequence")
def test_a_melee_is_told_from_either_side() -> None:
    position = battle(line("line-warden", 2), line("brawler", 2, 1))
    (own,) = [one for one in forecasts(position, 0, 2) if one.ways == ("melee",)]
    (theirs,) = [one for one in forecasts(position, 2, 0) if one.ways == ("melee",)]
    assert chances(own, "losses") == chances(theirs, "losses-back")
    assert chances(own, "won") == chances(theirs, "lost")


@pytest.mark.covers("initiative/melee-order")
def test_each_melee_that_may_come_next_is_weighed() -> None:
    position = battle(
        line("line-warden", 2), line("brawler", 2, 1), line("line-warden", 1, at=40.0), line("brawler", 3, 1, at=40.0)
    )
    question = question_after(next_melee(position))
    first, second = (forecast_of(position, question, row) for row in (0, 2))
    assert first is not None
    assert second is not None
    assert step(first, "won").mean > step(second, "won").mean
    assert forecast_of(position, question, 99) is None


@pytest.mark.covers("assault/assault-move", "base-melee/charge-bonus")
def test_an_assault_move_is_weighed_by_the_melee_that_it_brings() -> None:
    """The two wardens go into contact: the melee of both, with the charge bonus."""
    position = table(
        squad("line-warden", 2, 0, [(20, 16), (21.2, 16)], order="assault", marks={"charged": 1}),
        squad("brawler", 2, 1, [(20, 21), (21.2, 21)]),
        phase="assault",
    )
    position.declare("assaults", ((0, (1,)),))
    question = question_after(assault_move(position, 0))
    answer = next(iter(question.suggestions()))
    before = position.to_bytes()
    found = forecast_of(position, question, answer)
    assert found is not None
    assert found.notes == ("no-close-up",)
    expected = told(
        battle(squad("line-warden", 2, 0, [(20, 20), (21.2, 20)]), squad("brawler", 2, 1, [(20, 21), (21.2, 21)]))
    )
    assert step(found, "losses").mean == pytest.approx(step(expected, "losses").mean, abs=1e-12)
    stays = [[[list(position.model(row).at)], one[1]] for row, one in enumerate(answer)]
    assert forecast_of(position, question, stays) is None
    assert position.to_bytes() == before


@pytest.mark.covers("assault/declaration", "assault/maximum-contact")
def test_a_declaration_is_weighed_by_the_melee_that_the_straight_move_brings() -> None:
    position = table(
        squad("line-warden", 2, 0, [(20, 16), (21.2, 16)], order="assault"),
        squad("brawler", 2, 1, [(20, 21), (21.2, 21)]),
        squad("brawler", 1, 1, [(40, 40)]),
        phase="declarations",
    )
    question = question_after(declare(position, 0))
    before = position.to_bytes()
    found = forecast_of(position, question, [1, "none"])
    assert found is not None
    assert found.notes == ("no-close-up", "as-declared")
    expected = told(
        battle(squad("line-warden", 2, 0, [(20, 20), (21.2, 20)]), squad("brawler", 2, 1, [(20, 21), (21.2, 21)]))
    )
    assert step(found, "losses").mean == pytest.approx(step(expected, "losses").mean, abs=1e-12)
    assert forecast_of(position, question, ["none"]) is None
    assert position.to_bytes() == before


@pytest.mark.covers("base-melee/sequence")
def test_too_many_cases_are_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(melee_odds, "MOST_LEFT", 3)
    found = told(battle(line("line-warden", 2), line("brawler", 2, 1)))
    assert (found.gap, found.steps) == ("too-many", ())
