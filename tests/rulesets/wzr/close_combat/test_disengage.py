"""Leaving a melee: whom a path leaves, Grip and Capture, free strikes."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.referee.position import Position
from campale.rulesets.wzr.close_combat.disengage import (
    best_weapon,
    due_tests,
    free_strength,
    leave_frames,
    leaving,
    strike_of,
)
from campale.rulesets.wzr.close_combat.strength import arms
from campale.table.paths import Path, straight
from tests.rulesets.wzr.kit import Played, finish, piece, squad, table, vehicle
from tests.rulesets.wzr.melee import GRENADE, blade, facing_off, gone, needs

covers = pytest.mark.covers

AWAY = straight((20.0, 10.0), (20.0, 6.0))


def goes(position: Position, path: Path = AWAY, dice: str = "", answers: Any = (), forced: bool = False) -> Played:
    """A model leaves along a path; what it was about to do is to rest."""
    frames = leave_frames(position.model(0), path, (("rest", 0),), forced=forced)
    push(position, *frames)
    return finish(position, dice, answers)


@covers("close-combat/disengage-definition", "close-combat/disengage-free-strike")
def test_leaving_an_enemys_reach_draws_its_strike() -> None:
    position = facing_off()
    assert goes(position, dice="13").rolls == ["armour"]
    assert gone(position) == [0]


@covers("close-combat/disengage-definition", "close-combat/reach-difference")
def test_whoever_was_never_held_leaves_nobody() -> None:
    """Engaged by its own reach alone."""
    position = facing_off({"base": "medium"}, apart=0.8)
    assert leaving(position.model(0), AWAY) == []


@covers("close-combat/disengage-definition")
@pytest.mark.parametrize(
    ("points", "is_so"),
    [
        (((20.0, 10.0), (20.0, 9.3)), False),
        (((20.0, 10.0), (20.0, 9.1)), True),
        (((20.0, 10.0), (20.0, 9.1), (20.0, 10.0)), True),
        (((20.0, 10.0),), False),
    ],
)
def test_outside_at_any_point_is_leaving(points: Any, is_so: bool) -> None:
    """The enemy's reach is 1 inch; the model stands 0.2 inside."""
    position = facing_off(foe={"base": "medium"}, apart=0.2)
    assert bool(leaving(position.model(0), Path(points))) is is_so


@covers("close-combat/disengage-definition")
def test_along_a_reach_nobody_is_left() -> None:
    position = facing_off(foe={"base": "large"}, apart=0.5)
    assert leaving(position.model(0), straight((20.0, 10.0), (21.5, 10.2))) == []


@covers("close-combat/disengage-definition", "close-combat/different-levels")
def test_to_another_level_is_leaving() -> None:
    position = facing_off(foe={"base": "large"}, apart=0.5)
    up = Path(((20.0, 10.0, 0.0), (20.0, 10.0, 3.0)))
    assert [m.row for m in leaving(position.model(0), up)] == [1]


# ---------------------------------------------------------------- Grip and Capture


@covers("close-combat/grip", "close-combat/capture", "core/bases")
@pytest.mark.parametrize(
    ("own", "foes", "due"),
    [
        ("small", ["small"], []),
        ("small", ["medium", "medium"], ["grip"]),
        ("medium", ["medium"], ["grip"]),
        ("large", ["medium"], []),
        ("small", ["large"], ["capture"]),
        ("large", ["large", "large"], ["capture"]),
        ("medium", ["medium", "large"], ["grip", "capture"]),
    ],
)
def test_who_is_held(own: str, foes: list[str], due: list[str]) -> None:
    position = table(squad(base=own), *(squad(side=1, at=(24, 12), base=one) for one in foes))
    model, *enemies = position.models
    assert due_tests(model, enemies, forced=False) == due
    assert due_tests(model, enemies, forced=True) == []


@covers("close-combat/capture", "vehicles/tank-engaged")
def test_vehicles_are_never_held() -> None:
    position = facing_off({"vehicle": vehicle("tank"), "base": "large"}, {"base": "large"})
    assert due_tests(position.model(0), [position.model(1)], forced=False) == []
    position = facing_off({"base": "medium"}, {"vehicle": vehicle("bike"), "base": "medium"})
    assert due_tests(position.model(0), [position.model(1)], forced=False) == ["capture"]


@covers("close-combat/grip", "core/test")
@pytest.mark.parametrize(("die", "rolls"), [(10, ["grip", "armour"]), (11, ["grip"])])
def test_a_failed_test_loses_the_movement_without_a_strike(die: int, rolls: list[str]) -> None:
    position = facing_off({"st": 10}, {"base": "medium"})
    played = goes(position, dice=f"{die}" + (" 5" if len(rolls) > 1 else ""))
    assert played.rolls == rolls
    assert ("held" in played.kinds) is (len(rolls) == 1)


@covers("close-combat/disengage-forced", "close-combat/disengage-free-strike")
def test_under_compulsion_there_are_strikes_alone() -> None:
    position = facing_off(foe={"base": "large"})
    assert goes(position, dice="5", forced=True).rolls == ["armour"]


@covers("close-combat/capture")
def test_both_tests_are_due_when_both_are_left() -> None:
    position = table(
        squad(at=(20, 10)), squad(2, side=1, at=[(20, 11.5), (21.7, 10)], of=[{"base": "medium"}, {"base": "large"}])
    )
    assert goes(position, dice="5 11").rolls == ["grip", "capture"]


# ---------------------------------------------------------------- free strikes


@covers("close-combat/free-strike")
@pytest.mark.parametrize(("modifiers", "st"), [((1,), 10), ((), 8), ((1, 3), 14), ((-1,), 6)])
def test_double_the_best_modifier(modifiers: tuple[int, ...], st: int) -> None:
    """A Chasseur of St 8 with a weapon of +1 strikes at 10."""
    blades = tuple(blade(f"b{k}", st=one, type="fire" if one == 3 else "piercing") for k, one in enumerate(modifiers))
    position = facing_off({}, {"st": 8, "blades": blades})
    attacker, target = position.model(1), position.model(0)
    hit = strike_of(attacker, target, best_weapon(attacker, at_vehicle=False))
    assert (hit.st, hit.type, hit.power_shot) == (st, "fire" if 3 in modifiers else "piercing", False)


@covers("close-combat/free-strike", "vehicles/combat")
def test_a_vehicle_strikes_with_its_full_strength() -> None:
    position = facing_off({}, {"vehicle": vehicle(), "base": "large", "blades": (blade(st=15),), "st": 0})
    attacker = position.model(1)
    assert free_strength(attacker, arms(attacker)[0]) == 15


@covers("close-combat/free-strike-vehicle", "core/front-rear")
@pytest.mark.parametrize(("facing", "rear"), [(0.0, False), (180.0, True)])
def test_a_vehicle_is_struck_at_the_best_avv_where_the_striker_stands(facing: float, rear: bool) -> None:
    own: dict[str, Any] = {"vehicle": vehicle(), "base": "large", "facing": facing}
    position = facing_off(own, {"blades": (blade("a", st=3, avv=1), blade("b", st=1, avv=4))})
    attacker, target = position.model(1), position.model(0)
    hit = strike_of(attacker, target, best_weapon(attacker, at_vehicle=True))
    assert (hit.avv, hit.rear, hit.location) == (4, rear, "")


@covers("close-combat/free-strike-vehicle", "armoury/grenade-antivehicle-melee")
@pytest.mark.parametrize("chosen", ["sticky", "weapon"])
def test_anti_vehicle_grenades_may_strike(chosen: str) -> None:
    position = facing_off({"vehicle": vehicle(), "base": "large"}, {"weapons": (GRENADE,)})
    played = goes(position, dice="5 20 20" if chosen == "weapon" else "5 20", answers=[chosen])
    assert played.prompts == ["strike-with"]
    assert needs(played, "av-test")[0] == 12 - (6 if chosen == "sticky" else 0)


@covers("close-combat/disengage-free-strike", "core/simultaneous")
def test_the_owner_orders_the_strikes_and_the_fallen_is_struck_no_more() -> None:
    strong = squad(side=1, at=(21.2, 10), st=12)
    position = table(squad(at=(20, 10)), squad(side=1, at=(20, 11.2)), strong)
    played = goes(position, dice="13", answers=[[2, 1]])
    assert (played.prompts, [e.values["model"] for e in played.events if e.kind == "free-strike"]) == (
        ["free-strikes"],
        [2],
    )
    assert gone(position) == [0]


@covers("close-combat/disengage-free-strike", "close-combat/free-strike")
def test_strikes_that_nothing_distinguishes_are_not_ordered() -> None:
    alike = table(squad(at=(20, 10)), squad(2, side=1, at=[(20, 11.2), (21.2, 10)]))
    assert goes(alike, dice="13").prompts == []
    mad = table(squad(at=(20, 10)), squad(2, side=1, at=[(20, 11.2), (21.2, 10)], abilities=("berserk",)))
    assert goes(mad, dice="13 1", answers=[[2, 1]]).prompts == ["free-strikes"]


@covers("close-combat/disengage-free-strike", "close-combat/free-strike")
def test_the_survivor_goes_on() -> None:
    position = facing_off({"models": {"stun": 1}})
    goes(position, dice="12")
    assert position.model(0).marks("stun") == 0


@covers("close-combat/ccwr-definition", "close-combat/disengage-definition")
def test_behind_a_wall_a_reach_ends() -> None:
    wall = piece((20.7, 5), (0.2, 4.9), ("impassable",), 3.0)
    position = table(squad(at=(20, 10)), squad(side=1, at=(22, 10.2), base="large"), pieces=[wall])
    assert [m.row for m in leaving(position.model(0), straight((20.0, 10.0), (20.0, 8.9)))] == [1]
