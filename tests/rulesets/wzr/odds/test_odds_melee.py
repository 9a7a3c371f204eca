"""The odds of melee attacks and Charges, against figures reckoned by hand."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push, run_all
from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.terrain import SOLID
from campale.rulesets.wzr.close_combat.attack import Attack, Onset
from campale.rulesets.wzr.odds.melee_odds import charge_forecast, forecast, melee_forecast_of, melee_forecasts
from campale.rulesets.wzr.turn.sequence import PROCEDURES
from tests.rulesets.wzr.kit import first_question, piece, squad, table, vehicle
from tests.rulesets.wzr.melee import blade, facing_off, form

covers = pytest.mark.covers

HIT, PASSES = 12 / 20, 12 / 20
ONCE = 1 / 20 + 11 / 20 * (1 - PASSES)
"""CC 12 against A 12 at St 10: a Power Shot, or a hit that is not saved."""


def told(found: Forecast, kind: str) -> dict[int, float]:
    return next({k: round(p, 9) for k, p in one.chances} for one in found.steps if one.kind == kind)


def chances(*values: float) -> dict[int, float]:
    return {k: round(p, 9) for k, p in enumerate(values) if p}


def struck(position: Position, *targets: int, arm: str = "bare", name: str = "combat", onset: Any = ()) -> Forecast:
    return forecast(position, Attack(0, name, arm, (), targets or (1,), onset=tuple(onset)))


@covers("close-combat/cc-test", "core/power-shot")
def test_one_attack() -> None:
    found = struck(facing_off())
    assert told(found, "hits") == chances(1 - HIT, HIT)
    assert told(found, "losses") == chances(1 - ONCE, ONCE)
    assert (found.decided, found.gap, found.dice) == ((), "", 1)


@covers("close-combat/cc-test")
def test_two_attacks_on_one_and_on_two() -> None:
    position = facing_off({"blades": (blade(roa=2),)}, {"w": 2})
    found = struck(position, 1, 1, arm="sword")
    assert told(found, "wounds-lost") == chances((1 - ONCE) ** 2, 2 * ONCE * (1 - ONCE), ONCE**2)
    assert told(found, "losses") == chances(1 - ONCE**2, ONCE**2)
    position = table(
        squad(at=(20, 10), base="medium", blades=(blade(roa=2),)), squad(2, side=1, at=[(20, 11.4), (18.8, 10.9)])
    )
    found = struck(position, 1, 2, arm="sword")
    assert told(found, "losses") == chances((1 - ONCE) ** 2, 2 * ONCE * (1 - ONCE), ONCE**2)
    assert found.notes == ("all-targets",)


@covers("abilities/duelist", "core/reroll")
def test_a_duelists_re_roll_is_used() -> None:
    found = struck(facing_off({"abilities": ("duelist",)}))
    again = 1 - HIT
    assert told(found, "losses") == chances(1 - ONCE * (1 + again), ONCE * (1 + again))
    assert found.decided == ("roll-again",)


@covers("abilities/fear")
def test_fear_halves_in_so_many_cases() -> None:
    position = facing_off({"ld": 14}, {"abilities": ("fear 2",)})
    afraid = 1 / 20 + 5 / 20 * (1 - PASSES)
    loss = 12 / 20 * ONCE + 8 / 20 * afraid
    assert told(struck(position), "losses") == chances(1 - loss, loss)
    assert position.model(0).marks(marks.FEAR_TESTED) == 0


@covers("close-combat/crush", "core/critical")
def test_a_crush() -> None:
    found = struck(facing_off({"base": "large"}, {"w": 4}), name="crush")
    assert told(found, "wounds-lost") == {0: round(1 - ONCE, 9), 3: round(ONCE, 9)}


@covers("close-combat/throw-test", "close-combat/hold-small")
def test_of_what_does_not_wound_the_test_is_told() -> None:
    found = struck(facing_off({"base": "medium"}), name="throw")
    assert (told(found, "succeeds"), len(found.steps)) == (chances(1 - HIT, HIT), 1)


@covers("actions/charge-bonus", "close-combat/charge-from-above")
def test_what_a_charge_brings() -> None:
    found = struck(facing_off(), onset=Onset(1, 0, 2, 0))
    loss = 1 / 20 + 11 / 20 * (1 - 9 / 20)
    assert told(found, "losses") == chances(1 - loss, loss)


@covers("structures/hit-melee")
def test_a_wall_loses_ps() -> None:
    wall = piece((18, 10.6), (4, 1), (SOLID, "row-wall"), 3.0, name="wall")
    position = table(squad(at=(20, 10), blades=(blade(roa=2, avv=4),)), squad(side=1, at=(40, 40)), pieces=[wall])
    push(position, ("model-ends", 0))
    found = forecast(position, Attack(0, "combat", "sword", (), ("wall", "wall")))
    assert told(found, "ps-lost") == chances(0.25, 0.5, 0.25)
    assert position.declared.get("pieces") is None


@covers("vehicles/melee-against")
def test_a_vehicle_loses_ps() -> None:
    position = facing_off({"base": "medium", "blades": (blade(avv=3),)}, {"vehicle": vehicle("bike"), "base": "medium"})
    found = struck(position, arm="sword")
    lost = 1 / 20 + 11 / 20 * (1 - 9 / 20)
    assert told(found, "wounds-lost") == chances(1 - lost, lost)


# ---------------------------------------------------------------- charges


def charging(*others: Any, **own: Any) -> Position:
    return table(squad(at=(20, 10), **own), squad(side=1, at=(20, 16)), *others)


@covers("actions/charge", "actions/charge-bonus")
def test_a_charge_nobody_counters_arrives() -> None:
    found = charge_forecast(charging(), 0, [1])
    assert found is not None
    loss = 1 / 20 + 11 / 20 * (1 - 11 / 20)
    assert (told(found, "arrives"), told(found, "losses")) == ({1: 1.0}, chances(1 - loss, loss))
    assert found.notes == ("reactions",)


@covers("actions/charge")
def test_a_charge_on_one_who_has_several_wounds_tells_those_that_he_loses() -> None:
    """What does not kill him is told too; of one who has a single wound there is no more to tell than his loss."""
    position = table(squad(at=(20, 10), blades=(blade(roa=1),)), squad(side=1, at=(20, 16), w=2))
    found, alone = charge_forecast(position, 0, [1]), charge_forecast(charging(), 0, [1])
    assert found is not None
    assert alone is not None
    assert [one.kind for one in found.steps] == ["arrives", "wounds-lost", "losses"]
    assert [one.kind for one in alone.steps] == ["arrives", "losses"]
    assert told(found, "wounds-lost")[1] > 0
    assert found.main is not None
    assert found.main.kind == "losses"


@covers("close-combat/counter-charge-trigger")
def test_a_counter_charge_may_stop_it() -> None:
    position = charging(squad(side=1, at=(21.9, 13), base="medium", ld=11, a=20))
    push(position, ("model-ends", 0))
    found = charge_forecast(position, 0, [1])
    assert found is not None
    assert told(found, "arrives") == chances(11 / 20, 9 / 20)
    free, halted = 1 / 20 + 11 / 20 * (1 - 11 / 20), 1 / 20 + 11 / 20 / 20
    loss = 9 / 20 * free + 11 / 20 * halted
    assert told(found, "losses") == chances(1 - loss, loss)
    assert "counter-charge" in found.decided


@covers("abilities/fear", "actions/charge")
def test_fear_as_it_is_declared() -> None:
    position = table(squad(at=(20, 10), ld=14), squad(side=1, at=(20, 16), abilities=("fear 2",)))
    found = charge_forecast(position, 0, [1])
    assert found is not None
    loss = 12 / 20 * (1 / 20 + 11 / 20 * 9 / 20) + 8 / 20 * (1 / 20 + 5 / 20 * 9 / 20)
    assert told(found, "losses") == chances(1 - loss, loss)


# ---------------------------------------------------------------- what is asked


def test_what_may_be_done_now() -> None:
    assert [one.ways for one in melee_forecasts(facing_off({"base": "medium"}), 0, 1)] == [
        ("melee",), ("special", "brutal-attack"), ("special", "cleave"), ("special", "throw"),
    ]  # fmt: skip
    assert [one.ways for one in melee_forecasts(charging(), 0, 1)] == [("charge",)]
    assert melee_forecasts(facing_off(), 0, 0) == []


def test_of_an_answer() -> None:
    position = facing_off()
    question = form(position.model(0))
    question.about["model"] = 0
    found = melee_forecast_of(position, question, ["combat"])
    assert found is not None
    assert told(found, "hits") == chances(1 - HIT, HIT)
    assert melee_forecast_of(position, question, ["walk"]) is None
    found = melee_forecast_of(charging(), question, ["charge", 1])
    assert found is not None
    assert found.ways == ("charge",)


def test_of_the_attack_at_the_end_of_a_charge() -> None:
    position = facing_off({"base": "medium"})
    push(position, ("charge-attack", 0, 1, False, 0.0))
    question = first_question(run_all(position, PROCEDURES))
    assert question.prompt == "charge-attack"
    found = melee_forecast_of(position, question, ["combat"])
    assert found is not None
    loss = 1 / 20 + 11 / 20 * (1 - 10 / 20)
    assert told(found, "losses") == chances(1 - loss, loss)


@covers("vehicles/terrain-walker-light", "vehicles/charge", "actions/charge")
@pytest.mark.parametrize("ground", ["light", "heavy"])
def test_a_walker_charges_over_ground_that_it_must_test_for(ground: str) -> None:
    """CC 12, St 14 against A 12: a Power Shot, or a hit that A 8 does not save."""
    walker = squad(at=(24, 10), base="large", m=6, vehicle=vehicle("walker"))
    position = table(walker, squad(side=1, at=(24, 20)), pieces=[piece((22, 14), (4, 2), (ground,))])
    found = charge_forecast(position, 0, [1])
    loss = 1 / 20 + 11 / 20 * 12 / 20
    assert found is not None
    assert (told(found, "arrives"), told(found, "losses")) == ({1: 1.0}, chances(1 - loss, loss))


@covers("close-combat/charge-above-jump", "movement/fall")
def test_a_charger_that_does_not_survive_its_leap_reaches_nobody() -> None:
    """From 4 inches: Con 12 fails on 13 to 20, and St 10 wounds A 12 on 13 to 20."""
    house = piece((20, 8), (6, 6), ("intact", "row-wood"), 4.0, (4.0,))
    position = table(squad(at=(22, 12.8), z=4.0), squad(side=1, at=(22, 18)), pieces=[house])
    found = charge_forecast(position, 0, [1])
    assert found is not None
    assert told(found, "arrives") == chances(0.16, 0.84)


@covers("structures/hit-melee", "structures/collapse")
def test_blows_that_bring_a_building_down_are_told_too() -> None:
    """Two hits at AVV 4 on AV 16: each test fails on 13 to 20, and one PS is left."""
    house = piece((20, 10.6), (8, 8), ("intact", "row-wood"), 3.0)
    position = table(squad(blades=(blade(roa=2, avv=4),)), squad(side=1, at=(24, 30)), pieces=[house])
    position.declare("pieces", (("piece", 5),))
    found = forecast(position, Attack(0, "combat", "sword", (), ("piece", "piece")))
    assert told(found, "ps-lost") == chances(0.36, 0.64)
