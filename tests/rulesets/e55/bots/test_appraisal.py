"""What a bot thinks of a position: harm that is to be expected, pooled, and what it is worth to come nearer."""

from __future__ import annotations

import pytest

from campale.referee.position import Position, Token
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.bots import forecast
from campale.rulesets.e55.bots.appraisal import (
    LONE,
    WORTH_OF_A_CLAIM,
    Prospect,
    appraise,
    claimed,
    claims,
    squads_of,
    worths_in_play,
)
from campale.rulesets.e55.definitions.measuring import exact
from campale.rulesets.e55.shooting_phase.fire import Shot, declare
from tests.rulesets.e55.kit import Squad, profile, squad, table, wall

RIFLEMAN = profile("veteran", "rifle", points=15)
MILITIAMAN = profile("militia", "carbine", points=5)
FIGHTER = profile("sergeant", "claw", points=20, a=4)


def riflemen(count: int = 5, at: tuple[float, float] = (20.0, 10.0), **given: int) -> Squad:
    return squad(RIFLEMAN, count, at=at, **given)


def militia(count: int = 5, at: tuple[float, float] = (20.0, 30.0), **given: int) -> Squad:
    return squad(MILITIAMAN, count, side=1, at=at, **given)


def kinds(profile: Profile, many: int) -> forecast.Kinds:
    return forecast.kinds_of([profile] * many)


# ---------------------------------------------------------------- forecasts


def test_rapid_fire_tells_twice_near_by_and_on_the_move_not_at_all_far_away() -> None:
    near, far = (forecast.salvo(kinds(RIFLEMAN, 5), MILITIAMAN, off, False) for off in (13, 12))
    assert far > 2 * near
    assert forecast.salvo(kinds(RIFLEMAN, 5), MILITIAMAN, 13, True) == 0.0


def test_all_kinds_of_a_squad_fire() -> None:
    gunner = profile("veteran", "machine-gun", points=15)
    mixed = forecast.kinds_of([*[RIFLEMAN] * 3, gunner])
    alone = forecast.salvo(kinds(RIFLEMAN, 3), MILITIAMAN, 20, False)
    assert forecast.salvo(mixed, MILITIAMAN, 20, False) > alone
    assert forecast.salvo(mixed, MILITIAMAN, 20, True) == forecast.salvo(kinds(RIFLEMAN, 3), MILITIAMAN, 20, True)


def test_the_nearer_it_is_the_more_a_squad_promises() -> None:
    promised = [forecast.to_come(kinds(RIFLEMAN, 5), kinds(MILITIAMAN, 5), off, 3) for off in (48, 36, 24, 12)]
    assert promised == sorted(promised)
    assert promised[0] < promised[-1]


def test_fighters_come_to_blows_where_they_get_there_in_time_and_are_the_better() -> None:
    enemy = kinds(MILITIAMAN, 5)
    assert forecast.to_come(kinds(FIGHTER, 5), enemy, 12, 2) > 0.0
    assert forecast.to_come(kinds(FIGHTER, 5), enemy, 40, 2) == 0.0
    assert forecast.assault(enemy, kinds(FIGHTER, 5)) == 0.0


# ---------------------------------------------------------------- harm pooled


def prospect(position: Position) -> Prospect:
    return Prospect(position, squads_of(position, worths_in_play(position)))


def test_the_last_of_a_unit_counts_more_than_the_first() -> None:
    view = prospect(table(riflemen(), militia(10)))
    enemy = view.squads[1]
    half = enemy.worth / 2.0
    assert view.more(enemy, half, half) > 1.5 * view.more(enemy, half, 0.0)


def test_where_objectives_decide_harm_is_worth_the_points_alone() -> None:
    view = prospect(table(riflemen(), militia(10), mission="securing"))
    enemy = view.squads[1]
    assert view.gain(enemy, enemy.worth / 2.0) == pytest.approx(enemy.worth / 2.0)
    assert view.gain(enemy, 2.0 * enemy.worth) == pytest.approx(enemy.worth)


def test_two_squads_rather_finish_one_unit_than_hurt_two() -> None:
    view = prospect(table(riflemen(), riflemen(at=(40.0, 10.0)), militia(4), militia(4, at=(40.0, 30.0))))
    ours, theirs = view.squads[:2], view.squads[2:]
    half = theirs[0].worth * 0.6
    together = view.pooled(ours, theirs, lambda one, theirs: [half] * len(theirs), {})
    apart = sum(view.gain(enemy, half) for enemy in theirs)
    assert together > apart


def test_fire_that_does_not_reach_is_worth_nothing() -> None:
    def declaring(at: tuple[float, float]) -> float:
        position = table(riflemen(1, shot=1), militia(at=at))
        before = appraise(position, 0)
        declare(position, [Shot(0, 0, 0, 0, 1, 1)])
        return appraise(position, 0) - before

    assert declaring((20.0, 30.0)) > 0.0
    assert declaring((20.0, 40.0)) == 0.0


def test_a_unit_that_runs_gives_up_its_fire_and_its_charge() -> None:
    standing, running = (table(riflemen(ran=ran), militia(at=(20.0, 20.0)), phase="movement") for ran in (0, 1))
    assert appraise(standing, 0) > appraise(running, 0)


def test_what_is_behind_a_building_is_a_poor_target() -> None:
    def seen(*pieces: object) -> float:
        position = table(riflemen(), militia(), pieces=pieces, phase="movement")  # type: ignore[arg-type]
        return appraise(position, 0)

    assert seen() > seen(wall(24.0, 20.0, 40.0))


# ---------------------------------------------------------------- objectives


TANK = profile("tank", points=75)
PLACE = (30.0, 24.0)


def claimed_by(*squads: Squad, reach: float = 5.0) -> tuple[float, float]:
    position = table(*squads, mission="seize-and-hold")
    return claimed(squads_of(position, worths_in_play(position)), PLACE, reach)


def test_a_claim_nobody_disputes_is_all_but_sure() -> None:
    ours, theirs = claimed_by(riflemen(at=PLACE))
    assert theirs == 0.0
    assert 75.0 / (75.0 + LONE) - 0.1 < ours <= 75.0 / (75.0 + LONE)


def test_a_claim_is_the_share_of_the_forces_near_by() -> None:
    ours, theirs = claimed_by(riflemen(at=(30.0, 20.0)), militia(at=(30.0, 28.0)))
    assert ours > 2 * theirs > 0.0
    assert ours + theirs < 1.0


def test_forces_far_away_claim_the_less_the_fewer_rounds_are_left() -> None:
    early, late = (claimed_by(riflemen(at=(30.0, 8.0)), reach=reach)[0] for reach in (13.0, 3.0))
    assert early > 5 * late > 0.0


def test_a_vehicle_disputes_a_claim_and_has_none() -> None:
    alone, disputed = claimed_by(riflemen(at=PLACE)), claimed_by(riflemen(at=PLACE), squad(TANK, side=1, at=PLACE))
    assert disputed[0] < 0.6 * alone[0]
    assert disputed[1] == 0.0


@pytest.mark.parametrize(("mission", "value"), [("securing", (3, 5)), ("seize-and-hold", None)])
def test_claims_count_by_what_an_objective_scores(mission: str, value: tuple[int, int] | None) -> None:
    position = table(riflemen(at=PLACE), mission=mission)
    position.lay(Token("objective", *PLACE, value=value))
    seen = squads_of(position, worths_in_play(position))
    scored = 3 if value else 1
    assert claims(position, seen, 0) == pytest.approx(
        WORTH_OF_A_CLAIM[mission] * scored * 75.0 / (75.0 + LONE), rel=0.05
    )
    assert claims(position, seen, 1) == -claims(position, seen, 0)


def test_there_are_no_claims_where_units_lost_decide() -> None:
    position = table(riflemen(at=PLACE), mission="annihilation")
    position.lay(Token("objective", *PLACE))
    assert claims(position, squads_of(position, worths_in_play(position)), 0) == 0.0


# ---------------------------------------------------------------- where to be


def test_nearer_to_the_enemy_is_better_than_far_from_him() -> None:
    near, far = (table(riflemen(at=(20.0, y)), militia(at=(20.0, 44.0)), side=1, turn=2) for y in (10.0, 4.0))
    assert appraise(near, 0) > appraise(far, 0)


def test_the_enemy_s_prospects_are_feared_less_than_ones_own_are_hoped_for() -> None:
    position = table(riflemen(), squad(RIFLEMAN, 5, side=1, at=(20.0, 30.0)), phase="movement")
    assert appraise(position, 0) + appraise(position, 1) > 0.0


@pytest.mark.parametrize("far", [20.4, 22.7, 25.1, 27.6])
def test_what_was_measured_before_changes_no_judgement(far: float) -> None:
    judged = []
    for is_measured in (False, True):
        position = table(
            squad("tank", at=(10.0, 10.0)), militia(at=(10.0 + far, 14.0)), squad("tank", side=1, at=(50, 40))
        )
        if is_measured:
            gaps = [exact(one, other) for one in position.models for other in position.models if one is not other]
            assert max(gaps) > far
        judged.append(appraise(position, 0))
    assert judged[0] == judged[1]
