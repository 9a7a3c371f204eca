"""The odds of ranged attacks, against figures worked out by hand and against many dice."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from campale.dice.sources import Seeded
from campale.mechanics.frames import push, run_all
from campale.mechanics.script_form import run
from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.referee.question import Form
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.odds.fire_odds import fire_forecast_of, fire_forecasts, forecast
from campale.rulesets.wzr.odds.torrent_odds import of_torrent
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT
from campale.rulesets.wzr.shooting.shoot import frames
from campale.rulesets.wzr.turn.menu import menu_fields
from campale.rulesets.wzr.turn.sequence import PROCEDURES
from campale.rulesets.wzr.vehicles.firing import all_plans, torrent_frames
from tests.rulesets.wzr.guns import gun, plan
from tests.rulesets.wzr.kit import piece, squad, table, vehicle

covers = pytest.mark.covers

RIFLE = gun()


def duel(
    *enemies: tuple[float, float], weapon: Any = RIFLE, pieces: Any = (), of: Any = (), **changes: Any
) -> Position:
    own = squad(at=[(24.0, 10.0)], weapons=(weapon,), **changes)
    return table(own, squad(side=1, at=list(enemies), of=of), pieces=pieces)


def means(found: Forecast | None) -> dict[str, float]:
    assert found is not None
    assert not found.gap
    return {step.kind: round(step.mean, 6) for step in found.steps}


def of(position: Position, *details: Any, action: str = SHOOT) -> dict[str, float]:
    return means(forecast(position, plan(position, *details, action=action)))


@covers("shooting/sequence", "core/power-shot")
def test_one_shot() -> None:
    """1 of 20 is a Power Shot, 11 hit and then A 12 fails on 13 to 20."""
    assert of(duel((24.0, 20.0)), "rifle", 1) == {"hits": 0.6, "losses": round(0.05 + 0.55 * 0.4, 6)}


@covers("shooting/sequence", "shooting/rof-allocation")
def test_three_shots_at_three_targets() -> None:
    position = duel((24.0, 20.0), (25.5, 20.0), (22.5, 20.0), weapon=gun("hmg", rof=3))
    assert of(position, "hmg", 1, 2, 3) == {"hits": 1.8, "losses": 0.81}


@covers("core/removal")
def test_what_is_left_of_hits_on_somebody_removed_is_lost() -> None:
    once = 0.27
    assert of(duel((24.0, 20.0)), "rifle", 1, action=RAPID)["losses"] == round(1 - (1 - once) ** 2, 6)


@covers("cards/burn-rof")
@pytest.mark.parametrize(("answer", "hits"), [("keep", 0.6), ("burn", 1.2)])
def test_a_resource_burned_for_another_shot_is_weighed_before_the_target_is_chosen(answer: str, hits: float) -> None:
    position = duel((24.0, 20.0))
    position.gain(0, marks.RESOURCES, 1)
    model = position.model(0)
    model.mark(marks.AP, 2)
    question = Form(0, "act", partial(menu_fields, model), {"model": 0, "left": 2}, ["pass"])
    assert means(fire_forecast_of(position, question, ["shoot", "rifle", answer]))["hits"] == hits


@covers("armoury/enforcer-headshot", "core/critical")
def test_a_headshot_in_wounds() -> None:
    position = duel((24.0, 20.0), weapon=gun("enforcer", "pistol", ("headshot",)), of=[{"w": 3}])
    assert of(position, "enforcer", 1) == {"hits": 0.6, "wounds-lost": round(0.05 * 2 + 0.22, 6), "losses": 0.0}


@covers("shooting/target-identified")
def test_the_test_for_a_farther_target_is_counted() -> None:
    """LD 14: in 6 of 20 the shot is at the nearest, who is in cover."""
    woods = piece((29.0, 13.0), (4.0, 2.0), ("light",))
    position = duel((24.0, 22.0), (30.0, 14.0), pieces=[woods])
    found = of(position, "rifle", 1)
    assert found["as-declared"] == 0.7
    assert found["hits"] == round(0.7 * 0.6 + 0.3 * 0.5, 6)


@covers("abilities/stealthy")
def test_the_test_to_make_out_is_counted() -> None:
    position = duel((24.0, 24.0), of=[{"abilities": ("stealthy",)}])
    assert of(position, "rifle", 1) == {"as-declared": 0.6, "hits": 0.36, "losses": round(0.6 * 0.27, 6)}


@covers("vehicles/target-vehicle-hit")
def test_a_vehicle_loses_ps() -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(gun("tube", avv=4),))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], vehicle=vehicle(av=12, ps=9)))
    assert of(position, "tube", 1) == {"hits": 0.8, "wounds-lost": round(0.05 + 0.75 * 0.6, 6), "losses": 0.0}


@covers("templates/area-attack", "templates/power-shot", "templates/deviation")
def test_a_circle_with_all_the_ways_in_which_it_deviates() -> None:
    position = duel((24.0, 20.0), (25.5, 20.0), weapon=gun("tube", "heavy", area="SE"), rs=8)
    found = of(position, "tube", 1)
    stays = 0.4 * 2
    assert found["hits"] > stays
    assert found["losses"] > 0.05 * 1.4 + 0.35 * 0.8


@covers("templates/flame", "core/friendly-fire")
def test_a_flame_and_the_friend_under_it() -> None:
    """The friend in between is heavy cover: A 12 is halved."""
    own = squad(
        at=[(24.0, 10.0), (24.0, 13.0)],
        of=[{"weapons": (gun("flamer", "special", range=None, area="FP", type="fire"),)}],
    )
    position = table(own, squad(side=1, at=[(24.0, 15.0)]))
    found = of(position, "flamer", [24.0, 15.0])
    assert found == {"hits": 1.0, "hits-friends": 1.0, "own-losses": 0.4, "losses": 0.7}


@covers("armoury/grenade-stun-effect")
def test_a_stun_grenade() -> None:
    stun = gun("stun", "grenade", ("stun",), range=None, by_strength=True, area="SE")
    position = duel((24.0, 18.0), (24.0, 19.3), weapon=stun, rs=20, of=[{}, {"abilities": ("relentless",)}])
    assert of(position, "stun", 1)["stunned"] == 0.95


@covers("armoury/burst-hits", "armoury/burst-line")
def test_a_burst_crosses_whoever_is_behind() -> None:
    position = duel((24.0, 20.0), (24.0, 24.0), weapon=gun("lance", "burst", range=18.0))
    assert of(position, "lance", 1) == {"hits": round(0.6 + 0.6 * 0.5, 6), "losses": round(0.27 + 0.3 * 0.4, 6)}


@covers("shooting/sequence", "templates/area-attack", "armoury/burst-hits")
@pytest.mark.parametrize("kind", ["hmg", "tube", "lance", "shotgun", "grenade"])
def test_the_odds_are_what_many_dice_come_to(kind: str) -> None:
    weapons = {
        "hmg": gun("hmg", rof=3, st=13),
        "tube": gun("tube", "heavy", area="ME", st=14),
        "lance": gun("lance", "burst", range=18.0, rof=2),
        "shotgun": gun("shotgun", "special", range=None, area="SG", rof=2),
        "grenade": gun("grenade", "grenade", range=None, by_strength=True, area="SE", st=13),
    }
    details: dict[str, list[Any]] = {"hmg": [1, 2, 3], "shotgun": [[24.0, 17.0]]}
    position = duel((24.0, 17.0), (25.4, 17.0), (24.0, 18.5), weapon=weapons[kind])
    answers = [kind, *details.get(kind, [1] if kind != "lance" else [1, 2])]
    expected = of(position, *answers)["losses"]
    tries, lost = 600, 0
    source = Seeded("odds")
    for _ in range(tries):
        copy = position.copy()
        push(copy, *frames(SHOOT, copy.model(0), answers))
        finish(copy, source)
        lost += 3 - len(copy.on_table(1))
    assert lost / tries == pytest.approx(expected, abs=0.12)


def finish(position: Position, source: Seeded) -> None:
    """Do all that is in hand by these dice, choices as is proposed."""
    running, value = run_all(position, PROCEDURES), None
    while True:
        try:
            question = running.send(value)
        except StopIteration:
            return
        answer = source.answer(question) if question.is_chance else question.suggestions()[0]
        value = question.understood(answer)


# ---------------------------------------------------------------- what is asked


@covers("shooting/legal-target", "shooting/reclaim-cover")
def test_what_may_be_shot_at_somebody_now() -> None:
    area = piece((22.0, 11.0), (4.0, 1.0), ("light",), name="area")
    position = duel((24.0, 20.0), (24.0, 5.0), pieces=[area])
    (found,) = fire_forecasts(position, 0, 1)
    assert found.of == ("rifle",)
    assert means(found)["hits"] == 0.6
    assert fire_forecasts(position, 0, 2) == []
    assert fire_forecasts(position, 1, 1) == []


@covers("shooting/sequence")
def test_the_odds_of_an_answer_as_far_as_it_is_given() -> None:
    position = duel((24.0, 20.0), (24.0, 24.0))
    position.model(0).mark("ap", 2)
    question = Form(0, "act", lambda filled: menu_fields(position.model(0), filled), {"model": 0})
    found = fire_forecast_of(position, question, ["shoot"])
    assert found is not None
    assert (found.actor, found.target, found.dice) == (0, 1, 1)
    assert fire_forecast_of(position, question, ["walk"]) is None
    assert fire_forecast_of(position, question, "walk") is None


# ---------------------------------------------------------------- at terrain


def at_a_wall(weapon: Any, y: float = 20.0, **lost: int) -> dict[str, float]:
    """A wall of AV 14 and 6 PS."""
    wall = piece((22.0, y), (4.0, 0.4), ("solid", "row-wall"), 2.0, name="wall")
    position = duel((40.0, 40.0), weapon=weapon, pieces=[wall])
    position.declare("pieces", tuple(lost.items()) or None)
    found = of(position, weapon.id, "wall")
    assert dict(position.declared.get("pieces", ())) == lost
    return found


@covers("structures/hit-shooting", "structures/attack-damage", "armour/av-test")
def test_shots_at_a_wall_take_structure_points() -> None:
    """16 of 20 hit; AV 14 less 4 fails on 11 to 20."""
    assert at_a_wall(gun("tube", avv=4)) == {"hits": 0.8, "ps-lost": 0.4}
    assert at_a_wall(gun("hmg", avv=4, rof=3)) == {"hits": 2.4, "ps-lost": 1.2}


@covers("structures/attack-damage", "structures/terrain-destroyed")
def test_no_more_than_is_left_of_a_wall_is_lost() -> None:
    assert at_a_wall(gun("hmg", avv=4, rof=3), wall=5)["ps-lost"] == round(1 - 0.6**3, 6)


@covers("structures/template-target", "templates/deviation")
def test_a_circle_that_deviates_may_touch_the_wall_all_the_same() -> None:
    found = at_a_wall(gun("mortar", "heavy", area="LE", avv=4))
    assert 0.8 < found["hits"] < 0.9
    assert found["ps-lost"] == round(0.5 * found["hits"], 6)


@covers("structures/template-target", "templates/flame")
def test_a_flame_at_a_wall_always_hits() -> None:
    flamer = gun("flamer", "special", range=None, area="FP", avv=4, type="fire")
    assert at_a_wall(flamer, y=14.0) == {"hits": 1.0, "ps-lost": 0.5}


# ---------------------------------------------------------------- a Torrent of Fire


def armed(*enemies: tuple[float, float], weapons: Any, pieces: Any = (), of: Any = (), **own: Any) -> Position:
    vessel = squad(at=[(24.0, 10.0)], vehicle=vehicle(), weapons=weapons, **own)
    return table(vessel, squad(side=1, at=list(enemies), of=of), pieces=pieces)


def of_plans(position: Position, *answers: Any) -> Forecast | None:
    plans = run(partial(all_plans, position.model(0)), list(answers))[1]
    assert plans
    return of_torrent(position, plans)


@covers("vehicles/torrent", "core/simultaneous")
def test_two_weapons_at_one_enemy_are_resolved_together() -> None:
    once = 0.27
    position = armed((24.0, 20.0), weapons=(gun("left"), gun("right")))
    found = of_plans(position, 1, 1)
    assert means(found) == {"hits": 1.2, "losses": round(1 - (1 - once) ** 2, 6)}
    assert found is not None
    assert (found.of, found.dice, found.ways) == (("left", "right"), 2, ("torrent",))


@covers("vehicles/torrent")
def test_wounds_of_one_weapon_are_there_for_the_next() -> None:
    position = armed((24.0, 20.0), weapons=(gun("left"), gun("right", rof=2)), of=[{"w": 2}])
    found = means(of_plans(position, 1, 1))
    p = 0.27
    assert found["wounds-lost"] == round(3 * p - p**3, 6)
    assert found["losses"] == round(3 * p**2 * (1 - p) + p**3, 6)


@covers("vehicles/torrent", "vehicles/shoot-targets")
def test_weapons_at_two_enemies_and_at_a_wall() -> None:
    wall = piece((30.0, 20.0), (4.0, 0.4), ("solid", "row-wall"), 2.0, name="wall")
    weapons = (gun("left"), gun("right"), gun("tube", avv=4))
    position = armed((24.0, 20.0), (20.0, 20.0), weapons=weapons, pieces=[wall], abilities=("target-sense",))
    both = of_plans(position, 1, 2, "wall")
    assert means(both) == {"hits": 1.2, "losses": 0.54}
    assert both is not None
    assert both.notes == ("all-targets", "without-terrain")
    assert of_torrent(position, ()) is None


@covers("vehicles/torrent", "shooting/target-identified", "vehicles/shoot-failed-ld")
def test_a_weapon_whose_test_fails_has_no_shots() -> None:
    """LD 14 for the farther one."""
    position = armed((24.0, 20.0), (28.0, 24.0), weapons=(gun("left"), gun("right")))
    assert means(of_plans(position, 1, 2)) == {"as-declared": 0.7, "hits": 1.02, "losses": round(1.7 * 0.27, 6)}


@covers("vehicles/torrent")
def test_the_odds_of_a_torrent_are_what_many_dice_come_to() -> None:
    weapons = (gun("hmg", rof=3, st=13), gun("mortar", "heavy", area="ME", st=14))
    position = armed((24.0, 20.0), (25.4, 20.0), (24.0, 21.5), weapons=weapons)
    answers = [1, 2, 3, 1]
    expected = means(of_plans(position, *answers))["losses"]
    tries, lost = 600, 0
    source = Seeded("torrent")
    for _ in range(tries):
        copy = position.copy()
        push(copy, *torrent_frames(copy.model(0), answers))
        finish(copy, source)
        lost += 3 - len(copy.on_table(1))
    assert lost / tries == pytest.approx(expected, abs=0.12)


@covers("vehicles/torrent")
def test_of_a_vehicle_the_torrent_is_told_with_each_of_its_weapons() -> None:
    position = armed((24.0, 20.0), weapons=(gun("left"), gun("right")))
    assert [one.ways for one in fire_forecasts(position, 0, 1)] == [("shooting",), ("shooting",), ("torrent",)]
    question = Form(0, "act", lambda filled: menu_fields(position.model(0), filled), {"model": 0})
    assert means(fire_forecast_of(position, question, ["torrent"]))["hits"] == 1.2
    one = armed((24.0, 20.0), weapons=(gun("left"),))
    assert [each.ways for each in fire_forecasts(one, 0, 1)] == [("shooting",)]


@covers("actions/aim")
def test_who_has_aimed_shoots_with_its_bonus() -> None:
    """RS 14 at St 12: a Power Shot, or a hit and then A 10 fails on 11 to 20."""
    position = duel((24.0, 20.0), models={"aimed": 1})
    (found,) = fire_forecasts(position, 0, 1)
    assert means(found) == {"hits": 0.7, "losses": round(0.05 + 0.65 * 0.5, 6)}
