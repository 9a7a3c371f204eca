"""How fast exact odds are: forecasts of the books, beside icepool doing the same and 10^6 numpy samples.

Run as ``python -m benchmarks odds``. Times are those of the processor, in milliseconds, the best of several runs, with
nothing remembered from one to the next. The greatest error is that of a chance against exact fractions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import icepool
import numpy as np
from msgspec.structs import replace
from tests.rulesets.e3m import kit as e3m
from tests.rulesets.e55.kit import profile, squad, table
from tests.rulesets.ragnarok.kit import a, face_off
from tests.rulesets.ragnarok.kit import table as ragnarok_table

from campale.mechanics.script_form import as_proposed
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.rulesets.e3m.fire.declaring import declaration
from campale.rulesets.e3m.fire.kinds import PREPARATORY
from campale.rulesets.e3m.odds.forecasts import of_volley
from campale.rulesets.e3m.odds.melee_odds import of_melee
from campale.rulesets.e55.odds import forecasts as of_e55
from campale.rulesets.e55.odds.melee_odds import charge_forecast, combat_forecast
from campale.rulesets.e55.shooting_phase.fire import Shot
from campale.rulesets.ragnarok.odds import forecasts as of_ragnarok
from campale.rulesets.ragnarok.odds import melee_odds as ragnarok_melee
from campale.rulesets.ragnarok.odds.nerve_odds import Nerves

TIMES = 7
SAMPLES = 1_000_000
BATCH = 50_000
GIANT = replace(profile("great-beast"), w=3, t=4, armour_save=3)


def milliseconds(work: Callable[[], Any], times: int = TIMES) -> float:
    """The best of several runs."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best * 1000


# ---------------------------------------------------------------- the same fire, three ways


def battle(dice: int, foe: Any, foes: int) -> tuple[Position, list[Shot]]:
    """Rifles with two shots each, or three: 2+ to hit at this distance."""
    each = 2 if dice <= 40 else 3
    shooters = squad(profile("veteran", "rifle"), dice // each, 0, (20, 10), faces=1)
    position = table(shooters, squad(foe, foes, 1, (20, 20)))
    return position, [Shot(0, row, 0, 0, each, 1) for row in range(dice // each)]


def forecast(position: Position, shots: list[Shot]) -> Forecast:
    return of_e55.forecast(position, shots, 1)


def by_icepool(dice: int, one: Fraction, saved: Fraction, foes: int, wounds: int) -> Any:
    """The models lost, exactly: so many dice that wound, each model saving the wounds that come upon it in turn."""
    coming = dice @ icepool.coin(one.numerator, one.denominator)
    unsaved = icepool.coin((1 - saved).numerator, (1 - saved).denominator)
    if wounds == 1:
        return coming.map(lambda many: (many @ unsaved).map(lambda lost: min(lost, foes)) if many else 0)
    dies = [icepool.coin(0, 1)] + [(many @ unsaved) >= wounds for many in range(1, dice // foes + 2)]

    def lost(many: int) -> Any:
        share, more = divmod(many, foes)
        return more @ dies[share + 1] + (foes - more) @ dies[share] if many else 0

    return coming.map(lost)


def by_samples(dice: int, need: tuple[int, int, int], foes: int, wounds: int) -> float:
    """The mean of the models lost in 10^6 volleys: every die is rolled."""
    rng, lost = np.random.default_rng(1), 0
    for _ in range(SAMPLES // BATCH):
        hit = rng.integers(1, 7, (BATCH, dice), np.int8) >= need[0]
        wound = hit & (rng.integers(1, 7, (BATCH, dice), np.int8) >= need[1])
        fails = wound & (rng.integers(1, 7, (BATCH, dice), np.int8) < need[2])
        if wounds == 1:
            lost += int(np.minimum(fails.sum(1), foes).sum())
            continue
        taker = (np.cumsum(wound, 1) - 1) % foes
        volley, die = np.nonzero(fails)
        suffered = np.bincount(volley * foes + taker[volley, die], minlength=BATCH * foes)
        lost += int((suffered >= wounds).sum())
    return lost / SAMPLES


def compared(dice: int, foe: Any, foes: int, wounds: int, need: tuple[int, int, int]) -> dict[str, Any]:
    """A volley: the time of the forecast, of icepool and of samples; the greatest error of a chance."""
    position, shots = battle(dice, foe, foes)
    one = Fraction(7 - need[0], 6) * Fraction(7 - need[1], 6)
    saved = Fraction(7 - need[2], 6)
    exactly = by_icepool(dice, one, saved, foes, wounds)
    told = dict(next(step for step in forecast(position, shots).steps if step.kind == "losses").chances)
    error = max(abs(told.get(n, 0.0) - float(exactly.probability(n))) for n in range(foes + 1))
    ours = milliseconds(lambda: forecast(position, shots))
    pool = milliseconds(lambda: by_icepool(dice, one, saved, foes, wounds), 3)
    begun = time.process_time()
    mean = by_samples(dice, need, foes, wounds)
    samples = (time.process_time() - begun) * 1000
    return {
        "forecast_ms": ours,
        "icepool_ms": pool,
        "icepool_over_forecast": pool / ours,
        "a_million_samples_ms": samples,
        "samples_over_forecast": samples / ours,
        "greatest_error": error,
        "mean": float(exactly.mean()),
        "mean_of_the_samples": mean,
    }


# ---------------------------------------------------------------- the rest


def of_the_first_book() -> dict[str, float]:
    found = {}
    lone, shots = battle(40, "captain", 1)
    found["40_dice_at_a_captain_ms"] = milliseconds(lambda: forecast(lone, shots))
    squads = table(squad(profile("veteran", "mortar"), 2, 0, (20, 10), faces=1), squad("militia", 10, 1, (20, 35)))
    two = [Shot(0, row, 0, 0, 1, 1) for row in (0, 1)]
    found["two_markers_at_ten_ms"] = milliseconds(lambda: of_e55.forecast(squads, two, 1), 3)
    tanks = table(squad(profile("veteran", "beam-gun"), 6, 0, (20, 10), faces=1), squad("tank", 3, 1, (20, 28)))
    six = [Shot(0, row, 0, 0, 1, 1) for row in range(6)]
    found["six_beams_at_a_squadron_ms"] = milliseconds(lambda: of_e55.forecast(tanks, six, 1))
    ten = [(20.0 + n, 20.0) for n in range(10)]
    facing = [(20.0 + n, 21.0) for n in range(10)]
    fight = table(squad("veteran", 10, 0, ten, combat=1), squad("militia", 10, 1, facing, combat=1), phase="melee")
    found["a_combat_of_ten_and_ten_ms"] = milliseconds(lambda: combat_forecast(fight, 0, 1, (0, 1)), 3)
    apart = table(squad("veteran", 5, 0, (20, 10), faces=1), squad("militia", 5, 1, (20, 15)), phase="charges")
    found["a_charge_of_five_at_five_ms"] = milliseconds(lambda: charge_forecast(apart, 0, 1), 3)
    return found


def of_the_second_book() -> dict[str, float]:
    found = {}
    rifle, turret = face_off(20), face_off(20, "anvil_turret", "raider")
    for name, position in (("four_ways_of_a_rifle_ms", rifle), ("four_ways_of_a_turret_ms", turret)):
        model, aim = position.model(0), position.model(1)
        shots = of_ragnarok.shots_at(model, aim)

        def all_ways(position: Position = position, shots: Any = shots) -> None:
            nerves = Nerves()
            for shot in shots:
                of_ragnarok.forecast(position, shot, None, nerves)

        found[name] = milliseconds(all_ways)
    one, other = a("piston_cuirassier", at=(60, 40)), a("raider", 1, at=(60, 60))
    other.at = (60.0, 40.0 + one.profile.base_radius + other.profile.base_radius)
    duel = ragnarok_table(one, other)
    found["a_melee_to_its_end_ms"] = milliseconds(lambda: ragnarok_melee.melee_forecast(duel, 0, 1))
    far = face_off(15, "raider", "steam_rifleman", other={"facing": 180})
    found["a_charge_and_its_melee_ms"] = milliseconds(lambda: ragnarok_melee.charge_forecast(far, 0, 1), 3)
    return found


def of_the_third_book() -> dict[str, float]:
    places = [(20.0 + 1.1 * (k % 10), 10.0 - 1.1 * (k // 10)) for k in range(20)]
    foes = e3m.squad("brawler", 10, 1, (20.0, 20.0))
    fire = e3m.table(e3m.squad("line-warden", 20, 0, places), foes)
    siege = e3m.table(e3m.squad("siege-tank", 1, 0, (20.0, 6.0)), e3m.squad("brawler", 10, 1, (20.0, 30.0)))
    beams = e3m.squad("line-warden", 6, 0, (20.0, 10.0), special=["beam-cannon"] * 6)
    hull = e3m.table(beams, e3m.squad("gun-tank", 1, 1, (20.0, 30.0)))
    found = {}
    for name, position in (
        ("40_dice_at_ten_ms", fire),
        ("a_siege_gun_at_ten_ms", siege),
        ("six_beams_at_a_tank_ms", hull),
    ):
        volley = as_proposed(partial(declaration, Unit(position, 0), PREPARATORY, ()))
        assert volley is not None
        found[name] = milliseconds(partial(of_volley, volley), 3)
    line, facing = ([(20.0 + 1.2 * k, y) for k in range(10)] for y in (20.0, 21.0))
    for name, foe in (("a_melee_of_ten_and_ten_ms", "brawler"), ("at_one_initiative_ms", "line-warden")):
        duel = e3m.table(e3m.squad("scout", 10, 0, line), e3m.squad(foe, 10, 1, facing), phase="melees")
        found[name] = milliseconds(partial(of_melee, duel, (0, 1), Unit(duel, 0), Unit(duel, 1)), 3)
    return found


def run() -> dict[str, Any]:
    return {
        "40 dice at ten models of one wound": compared(40, "veteran", 10, 1, (2, 4, 3)),
        "120 dice at ten models of three wounds": compared(120, GIANT, 10, 3, (2, 4, 3)),
        "Edizione 5.5": of_the_first_book(),
        "Ragnarok": of_the_second_book(),
        "Edition 3.m": of_the_third_book(),
    }


if __name__ == "__main__":
    print(run())
