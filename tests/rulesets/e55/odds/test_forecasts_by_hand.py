"""The odds of combats and charges: as the plain enumeration tells them, and as the referee plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campale.dice.chain import Chain
from campale.dice.odds import exact
from campale.referee.position import Position
from campale.referee.question import Form
from campale.rulesets.e55.assault_phase import combat, melee
from campale.rulesets.e55.assault_phase.melee import Fight
from campale.rulesets.e55.odds import forecasts, melee_odds
from campale.rulesets.e55.odds.fire_odds import by_proposal
from campale.rulesets.e55.odds.melee_odds import charge_forecast, charged, combat_forecast
from tests.rulesets.e55.assault_phase.test_melee import men
from tests.rulesets.e55.kit import profile, question_after, squad, table, wood
from tests.rulesets.e55.odds.test_forecasts import Asked
from tests.rulesets.simulated import adds_up, chances, is_near, played, simulated, step

LINE = [(30.0 + n, 24.0) for n in range(6)]
FACING = [(30.0 + n, 25.0) for n in range(6)]


def fight(own: Any, foes: Any, count: int = 2, others: int = 2, **more: Any) -> Position:
    """Two lines in contact."""
    return table(men(*LINE[:count], kind=own, **more), men(*FACING[:others], side=1, kind=foes), phase="melee")


def beside_a_walker(battle: Position, row: int) -> Position:
    """One of the men is a walker: a unit of both kinds."""
    battle.profiles[row] = profile("walker")
    return battle


FIGHTS: dict[str, Position] = {
    "at the same moment": fight("veteran", "veteran"),
    "one before the other": fight("veteran", "militia", 2, 3),
    "a captain": fight("captain", "militia", 1, 3),
    "a beast that frightens": fight(profile("veteran", adds=("fear",)), "militia", 2, 2),
    "blades that tear": fight(profile("veteran", "claw"), "veteran", 2, 1),
    "fists at a walker": fight(profile("veteran", "fist"), "walker", 2, 1),
    "a walker among men": fight("walker", "militia", 1, 3),
    "walkers": fight("walker", "walker", 1, 1),
    "a squadron": fight(profile("veteran", "fist"), "walker", 3, 2),
    "blows at a walker among men": beside_a_walker(fight(profile("veteran", "fist"), "militia", 3, 2), 4),
    "men beside a walker": beside_a_walker(fight("militia", "militia", 2, 2), 1),
    "blows at men beside a walker": beside_a_walker(fight(profile("veteran", "fist"), "militia", 2, 5), 6),
}


async def whole_round(position: Position) -> tuple[int, int, int, int]:
    """The losses of both sides, who has won, and how many of the losers' units fail their tests."""
    units = (0, 1)
    since = len(position.losses)
    await melee.fear_tests(position, units)
    now: Fight | None = await melee.choose_attacks(position, Fight(units, False, melee.CHOOSE, since))
    while now is not None and now.stage == melee.STRIKE:
        now = await melee.strike_step(position, now)
    gone = [position.side_of[loss.model] for loss in position.losses[since:]]
    totals = [combat.total(position, units, side, since) for side in (0, 1)]
    left = [any(m.is_on_table and m.side == side for m in position.models) for side in (0, 1)]
    if not all(left):
        return gone.count(0), gone.count(1), left.index(True) if any(left) else -1, 0
    if totals[0] == totals[1]:
        return gone.count(0), gone.count(1), -1, 0
    loser = 0 if totals[0] < totals[1] else 1
    failing = await melee.who_fails(position, Fight(units, False, "", since), loser, abs(totals[0] - totals[1]))
    return gone.count(0), gone.count(1), 1 - loser, len(failing)


KINDS: dict[str, Callable[[Any], int]] = {
    "losses": lambda one: one[1],
    "losses-back": lambda one: one[0],
    "won": lambda one: int(one[2] == 0),
    "lost": lambda one: int(one[2] == 1),
    "breaks": lambda one: one[3] if one[2] == 0 else 0,
    "breaks-back": lambda one: one[3] if one[2] == 1 else 0,
}


@pytest.mark.parametrize(
    "case", ["at the same moment", "one before the other", "blades that tear", "walkers", "men beside a walker"]
)
@pytest.mark.covers("3.3.2/attack-steps", "3.3.2/initiative-order", "3.3.2/combat-result", "3.3.2/loser-morale")
def test_a_combat_is_the_plain_enumeration_of_its_round(case: str) -> None:
    position = FIGHTS[case]
    before = position.to_bytes()
    found = combat_forecast(position, 0, 1, (0, 1))
    assert (found.gap, adds_up(found)) == ("", True)
    plain = exact(position, whole_round, by_proposal)
    for kind, counted in KINDS.items():
        expected = {n: float(p) for n, p in plain.of(counted).outcomes.items()}
        told = chances(found, kind)
        assert {n: told.get(n, 0.0) for n in expected} == pytest.approx(expected, abs=1e-12), kind
    assert position.to_bytes() == before


@pytest.mark.covers("3.3.2/attack-steps", "7.4/penetration", "7.17/squadron-hits")
def test_each_blow_at_a_squadron_is_on_the_walker_that_it_strikes() -> None:
    """The steps of the round one after another, each enumerated from every position that differs.

    Taken in the order of their faces the dice of blows at two walkers would all too seldom favour one: 0.486 %.
    """
    lost = struck_down(FIGHTS["a squadron"])
    assert lost[1] == pytest.approx(0.00697976, abs=1e-8)
    found = chances(combat_forecast(FIGHTS["a squadron"], 0, 1, (0, 1)), "losses")
    assert lost == pytest.approx(found, abs=1e-12)


def struck_down(position: Position) -> dict[int, float]:
    """How many of side 1 a round takes away, by its own steps."""
    chain = Chain(position, by_proposal, key=melee_odds.key_of)

    async def begins(now: Position) -> Fight | None:
        await melee.fear_tests(now, (0, 1))
        return await melee.choose_attacks(now, Fight((0, 1), False, melee.CHOOSE, len(now.losses)))

    lost: dict[int, float] = {}
    reached = chain.after(chain.begun, begins)
    while reached:
        further: dict[tuple[Any, Any], float] = {}
        for (key, now), chance in reached.items():
            if now is None or now.stage != melee.STRIKE:
                gone = sum(one.side == 1 and not one.is_on_table for one in chain.position(key).models)
                lost[gone] = lost.get(gone, 0.0) + chance
                continue
            for left, share in chain.after(key, melee.strike_step, now).items():
                further[left] = further.get(left, 0.0) + chance * share
        reached = further
    return lost


@pytest.mark.parametrize("case", FIGHTS)
@pytest.mark.covers("3.3.2/attack-steps", "6.1/fear")
def test_a_combat_is_what_the_referee_plays(case: str) -> None:
    position = FIGHTS[case]
    found = combat_forecast(position, 0, 1, (0, 1))
    count: dict[str, Counter[int]] = {kind: Counter() for kind in KINDS}

    def once(rng: Random) -> int:
        outcome = played(whole_round(position.copy()), by_proposal, rng)
        for kind, counted in KINDS.items():
            count[kind][counted(outcome)] += 1
        return 0

    simulated(once, times=600)
    for kind, numbers in count.items():
        assert is_near(numbers, step(found, kind)), kind


@pytest.mark.covers("3.3.2/melee-to-hit", "3.3.2/attack-count")
def test_hits_and_wounds_of_both_sides_are_told() -> None:
    """Weapon skill 4 and strength 4 on toughness 4: a half, and a half again; each has one attack."""
    found = combat_forecast(FIGHTS["at the same moment"], 0, 1, (0, 1))
    assert [one.kind for one in found.steps][:4] == ["hits", "wounds", "hits-back", "wounds-back"]
    for kind, mean in (("hits", 1.0), ("wounds", 0.5), ("hits-back", 1.0), ("wounds-back", 0.5)):
        assert step(found, kind).mean == pytest.approx(mean)
    assert (found.ways, found.decided) == (("melee",), ())


@pytest.mark.covers("3.3.2/initiative-order", "3.3.2/removed-before-attacking")
def test_who_is_gone_strikes_no_more() -> None:
    found = combat_forecast(FIGHTS["one before the other"], 0, 1, (0, 1))
    assert step(found, "hits-back").mean < 3 * 1 / 2
    assert step(found, "hits-back").mean > 0


@pytest.mark.covers("7.16/walker-melee", "7.1/structure-points", "7.16/walker-hit-side")
def test_what_walkers_lose_is_told_in_structure_points() -> None:
    found = combat_forecast(FIGHTS["walkers"], 0, 1, (0, 1))
    kinds = ["hits", "hits-back", "structure", "structure-back"]
    assert [one.kind for one in found.steps][:4] == kinds
    assert step(found, "structure").chances == step(found, "structure-back").chances
    assert step(found, "structure").mean > step(found, "losses").mean
    men_at_it = combat_forecast(FIGHTS["a squadron"], 0, 1, (0, 1))
    assert [one.kind for one in men_at_it.steps][:4] == ["hits", "hits-back", "wounds-back", "structure"]
    harmless = combat_forecast(fight("veteran", "walker", 2, 1), 0, 1, (0, 1))
    assert step(harmless, "structure").mean == 0


@pytest.mark.covers("1.2/mixed-units", "7.17/squadron-hits")
def test_blows_at_men_beside_a_walker_are_told_by_what_they_do_to_either() -> None:
    """Who strikes at two initiatives has no one number of hits; wounds are not told, for hits are given out first."""
    found = combat_forecast(FIGHTS["blows at men beside a walker"], 0, 1, (0, 1))
    kinds = ["hits", "structure", "losses", "losses-back"]
    assert [one.kind for one in found.steps][: len(kinds)] == kinds
    assert step(found, "structure").mean > 0
    men_alone = combat_forecast(fight(profile("veteran", "fist"), "militia", 2, 5), 0, 1, (0, 1))
    assert 0 < step(found, "losses").mean < step(men_alone, "losses").mean


@pytest.mark.covers("7.8/wreck", "3.3.2/initiative-order")
def test_a_walker_that_is_struck_first_may_be_gone_before_it_strikes() -> None:
    beast = replace(profile("great-beast"), i=5)
    fights = [fight(beast, replace(profile("walker"), i=i), 1, 1) for i in (6, 1)]
    hasty, late = (combat_forecast(one, 0, 1, (0, 1)) for one in fights)
    for kind in ("hits-back", "wounds-back"):
        assert step(late, kind).mean < step(hasty, kind).mean


@pytest.mark.covers("7.12/open-topped-damage", "7.6/explodes")
def test_what_a_combat_does_not_tell_it_says() -> None:
    open_walker = replace(profile("walker"), subtypes=("walker", "open-topped"))
    assert combat_forecast(fight("great-beast", open_walker, 1, 1), 0, 1, (0, 1)).gap == "explosion"
    assert combat_forecast(fight("great-beast", "walker", 1, 1), 0, 1, (0, 1)).gap == ""
    apart = table(men((30, 24)), men((30, 30), side=1), phase="melee")
    assert combat_forecast(apart, 0, 1, (0, 1)).gap == "no-contact"


def test_what_is_too_much_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(melee_odds, "MOST_PLAYED", 2)
    found = combat_forecast(FIGHTS["one before the other"], 0, 1, (0, 1))
    assert (found.gap, found.steps) == ("too-many", ())


# ---------------------------------------------------------------- charges


def chargers(apart: float, kind: Any = "veteran", count: int = 3) -> Position:
    return table(
        squad(kind, count, 0, (20, 10), faces=1),
        squad("militia", 3, 1, (20, 10 + apart)),
        phase="charges",
    )


@pytest.mark.parametrize(("apart", "reaches"), [(5.0, 1.0), (12.0, 0.0)])
@pytest.mark.covers("3.3.1/charge-distance", "3.3.1/charge-succeeds")
def test_a_charge_succeeds_or_fails_by_its_distance(apart: float, reaches: float) -> None:
    position = chargers(apart)
    before = position.to_bytes()
    found = charge_forecast(position, 0, 1)
    assert chances(found, "reaches").get(1, 0.0) == pytest.approx(reaches)
    assert ("won" in [one.kind for one in found.steps]) is (reaches > 0)
    assert adds_up(found)
    assert position.to_bytes() == before


@pytest.mark.covers("3.3.1/charge-succeeds", "3.3.2/charge-attack-bonus")
def test_the_combat_after_a_charge_is_what_the_referee_plays() -> None:
    position = chargers(5.0, count=2)
    found = charge_forecast(position, 0, 1)

    async def whole(copy: Position) -> int:
        assert await charged(copy, 0, 1)
        return (await whole_round(copy))[1]

    def once(rng: Random) -> int:
        return int(played(whole(position.copy()), by_proposal, rng))

    assert is_near(simulated(once, times=300), step(found, "losses"))


@pytest.mark.covers("3.3.1/who-can-charge", "3.3.2/melee-sequence")
def test_charges_and_combats_are_told_when_they_are_declared() -> None:
    position = chargers(5.0)
    expected = charge_forecast(position, 0, 1)
    assert forecasts.forecast_of(position, Asked("charges"), ["charge", 0, 1]) == expected  # type: ignore[arg-type]
    assert forecasts.forecast_of(position, Asked("charges"), ["done"]) is None  # type: ignore[arg-type]
    assert expected in forecasts.forecasts(position, 0, 3)
    fighting = FIGHTS["at the same moment"]
    asked = Asked("fight-next")
    asked.side = 0  # type: ignore[attr-defined]
    told = forecasts.forecast_of(fighting, asked, [0, 1])  # type: ignore[arg-type]
    assert told == combat_forecast(fighting, 0, 1, (0, 1))
    assert told in forecasts.forecasts(fighting, 0, 2)


@pytest.mark.covers("3.3.1/charge-succeeds", "3.1.2/difficult")
@pytest.mark.parametrize(("apart", "reaches"), [(4.0, 1.0), (5.7, 1 / 3), (6.6, 0.0)])
def test_a_charge_over_difficult_ground_hangs_on_its_die(apart: float, reaches: float) -> None:
    """6 inches less a d3; the rest of the forecast has the chance that it reaches."""
    position = table(
        squad("veteran", 1, 0, (20, 10), faces=1),
        squad("militia", 1, 1, (20, 10 + apart)),
        phase="charges",
        pieces=[wood(20, 12, 8, 2)],
    )
    found = charge_forecast(position, 0, 1)
    assert chances(found, "reaches").get(1, 0.0) == pytest.approx(reaches)
    assert found.gap == ""
    assert adds_up(found)
    if reaches:
        assert 0 < step(found, "hits").mean <= 2 * reaches
        assert step(found, "won").mean <= reaches


@pytest.mark.covers("7.7/attacking-vehicles", "7.7/melee-hits-rear", "7.4/penetration")
def test_blows_at_a_vehicle_are_told_up_to_its_wreck_and_are_what_the_referee_plays() -> None:
    position = table(
        squad(profile("veteran", "fist"), 3, 0, (20, 10), faces=1), squad("carrier", 1, 1, (20, 15)), phase="charges"
    )
    found = charge_forecast(position, 0, 1)
    kinds = [one.kind for one in found.steps]
    assert kinds == ["reaches", "hits", "unsaved-hits", "damages", "structure", "losses"]
    assert found.notes == ("lost-vehicle",)
    assert adds_up(found)

    async def whole(copy: Position) -> int:
        assert await charged(copy, 0, 1)
        now: Fight | None = await melee.choose_attacks(copy, Fight((0,), True, melee.CHOOSE, len(copy.losses)))
        while now is not None and now.strikes:
            now = await melee.strike_step(copy, now)
        return copy.model(3).marks("structure-lost")

    def once(rng: Random) -> int:
        return int(played(whole(position.copy()), by_proposal, rng))

    assert is_near(simulated(once, times=300), step(found, "structure"))


@pytest.mark.covers("3.3.2/one-melee-weapon", "6.1/fear")
def test_a_form_of_blows_is_told_as_it_is_filled_in() -> None:
    """A claw of double strength, or a blade: the claw wounds better. The tests of fear are over by then."""
    own = profile("veteran", "claw", "blade", adds=("fear",))
    position = table(men(*LINE[:1], kind=own), men(*FACING[:1], side=1), phase="melee")
    position.declare(melee.FIGHT, Fight((0, 1), False, melee.CHOOSE, 0))
    question = question_after(melee.melee_phase(position.copy()))
    assert isinstance(question, Form)
    assert question.prompt == "strikes"
    field = question.field([])
    assert field is not None
    told = [forecasts.forecast_of(position, question, [way]) for way in field.options() or ()]
    wounds = [step(one, "wounds").mean for one in told if one is not None]
    assert len(wounds) > 1
    assert max(wounds) > min(wounds) > 0
    assert all(one is not None and "strikes" not in one.decided for one in told)
    assert forecasts.forecast_of(FIGHTS["at the same moment"], question, []) is None


@pytest.mark.covers("3.3.2/melee-sequence")
@pytest.mark.parametrize("stage", [melee.CHOOSE, melee.PILE])
def test_a_combat_is_told_by_its_own_blows_while_another_is_fought(stage: str) -> None:
    """Two combats; the one in hand, or one that has been fought to its pile-ins, leaves the other's odds alone."""
    position = table(
        men(*LINE[:1], kind="militia"),
        men(*FACING[:1], side=1),
        men((50.0, 24.0), combat=2),
        men((50.0, 25.0), side=1, kind="militia", combat=2),
        phase="melee",
    )
    expected = [combat_forecast(position, row, row + 1, (row, row + 1)) for row in (0, 2)]
    position.declare(melee.FIGHT, Fight((0, 1), False, stage, 0))
    assert [combat_forecast(position, row, row + 1, (row, row + 1)) for row in (0, 2)] == expected


@pytest.mark.covers("9.2.1/crushing-grip", "7.7/attacking-vehicles")
@pytest.mark.parametrize(("gripped", "mean"), [(0, 10 / 6), (1, 5 / 6)])
def test_who_was_gripped_is_told_not_to_strike_a_vehicle(gripped: int, mean: float) -> None:
    position = table(
        squad(profile("veteran", "fist"), 2, 0, [(29, 24), (31, 24)]),
        squad("tank", 1, 1, (30, 27), facing=180.0),
        phase="melee",
    )
    position.model(0).mark("gripped", gripped)
    assert step(combat_forecast(position, 0, 1, (0,)), "hits").mean == pytest.approx(mean)
    assert position.model(0).marks("gripped") == gripped
