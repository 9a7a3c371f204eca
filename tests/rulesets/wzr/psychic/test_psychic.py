"""Psychic powers: shot with, and cast (psychic/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.frames import push
from campale.referee.position import Position
from campale.rulesets.wzr.armoury.weapons import was_cast
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.psychic.powers import cast_fields, cast_frames, castable, targets_of
from campale.rulesets.wzr.shooting.declaring import usable
from campale.rulesets.wzr.shooting.plan import SHOOT
from campale.rulesets.wzr.turn.menu import list_of_actions
from campale.rulesets.wzr.wounds.armour import save_need
from campale.rulesets.wzr.wounds.hits import Hit
from tests.rulesets.wzr.guns import is_lost, needs, power, shoot
from tests.rulesets.wzr.kit import finish, piece, squad, table, vehicle

covers = pytest.mark.covers

BLAST = power()
FURY = power("fury", "blessing", "impenetrable-15")
DECAY = power("decay", "hindrance", "armour-minus-6")


def psychic(
    *powers: Any, enemies: Any = ((24.0, 20.0),), friends: Any = (), pieces: Any = (), **changes: Any
) -> Position:
    own = squad(at=[(24.0, 10.0), *friends], of=[{"powers": powers, **changes}])
    return table(own, squad(side=1, at=list(enemies)), pieces=pieces)


def cast(position: Position, name: str, target: int, dice: str, row: int = 0) -> None:
    push(position, *cast_frames(position.model(row), [name, target]))
    assert finish(position, dice).rolls == ["cast"]


# ---------------------------------------------------------------- psychic/shooting


@covers("psychic/shooting", "psychic/types", "psychic/example-demnogonis-blast")
def test_a_shooting_power_tests_wp() -> None:
    position = psychic(BLAST, wp=17, rs=3)
    assert needs(position, "blast", 1) == [17]
    assert shoot(position, "blast", 1, dice="17 | 3").rolls == ["to-hit", "will"]
    assert is_lost(position, 1)


@covers("psychic/shooting", "shooting/modifiers", "abilities/bulky", "actions/aim")
def test_cover_modifies_wp_aim_and_bulky_do_not() -> None:
    woods = piece((22.0, 14.0), tags=("heavy",))
    own = squad(at=[(24.0, 10.0)], powers=(BLAST,), wp=17, abilities=("marksman",))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], abilities=("bulky", "camouflage 2")), pieces=[woods])
    position.model(0).mark(marks.AIMED, 1)
    assert needs(position, "blast", 1) == [11]


@covers("psychic/shooting-defence", "armour/impenetrable")
@pytest.mark.parametrize(("die", "lost"), [(2, False), (3, True)])
def test_wp_stands_in_for_armour(die: int, lost: bool) -> None:
    own = squad(at=[(24.0, 10.0)], powers=(BLAST,))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], wp=12, a=20, impenetrable=18))
    shoot(position, "blast", 1, dice=f"12 | {die}")
    assert is_lost(position, 1) is lost


@covers("psychic/shooting-vehicles", "vehicles/reroll-avv0")
def test_a_vehicle_tests_av_at_avv_0() -> None:
    own = squad(at=[(24.0, 10.0)], powers=(BLAST,))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], vehicle=vehicle(av=12)))
    assert shoot(position, "blast", 1, dice="12 | 5 | 13 12").rolls == ["to-hit", "location", "av-test", "av-test"]
    assert not any(name.startswith("ps-lost") for name in position.model(1).marked())


@covers("psychic/once-each", "psychic/one-ranged-attack")
def test_a_squad_uses_each_power_once_in_a_turn_failed_or_not() -> None:
    own = squad(at=[(24.0, 10.0), (25.5, 10.0)], powers=(BLAST, power("other")))
    position = table(own, squad(side=1, at=[(24.0, 20.0)]))
    shoot(position, "blast", 1 + 1, dice="13")
    assert [one.key for one in usable(position.model(1), SHOOT)] == ["other"]
    assert [one.key for one in usable(position.model(0), SHOOT)] == ["other"]


# ---------------------------------------------------------------- psychic/blessing, psychic/hindrance


@covers("psychic/blessing", "core/durations", "psychic/example-muawijhe-fury", "armour/impenetrable")
@pytest.mark.parametrize(("die", "works"), [("12", True), ("13", False)])
def test_a_blessing_takes_a_wp_test_and_lasts_to_the_end_of_the_turn(die: str, works: bool) -> None:
    position = psychic(FURY, friends=[(26.0, 12.0)])
    cast(position, "fury", 1, die)
    hit = Hit(target=1, st=20)
    assert save_need(position.model(1), hit).number == (15 if works else 2)
    assert save_need(position.model(0), hit).number == (15 if works else 2)
    assert save_need(position.model(2), Hit(target=2, st=20)).number == 2
    position.end_effects(marks.TURN)
    assert save_need(position.model(1), hit).number == 2


@covers("psychic/hindrance", "psychic/example-demnogonis-decay", "armour/impenetrable")
def test_a_hindrance_falls_on_the_whole_squad_of_its_target() -> None:
    own = squad(at=[(24.0, 10.0)], powers=(DECAY,))
    position = table(own, squad(side=1, at=[(24.0, 20.0), (40.0, 40.0)], impenetrable=7))
    cast(position, "decay", 1, "12")
    assert save_need(position.model(2), Hit(target=2)).number == 7
    assert save_need(position.model(2), Hit(target=2, st=4)).number == 12


@covers("psychic/blessing", "psychic/hindrance")
@pytest.mark.parametrize(("given", "target", "rule"), [(FURY, 0, "psychic/blessing"), (DECAY, 1, "psychic/hindrance")])
def test_the_journal_cites_what_kind_of_power_it_is(given: Any, target: int, rule: str) -> None:
    position = psychic(given)
    cast(position, given.id, target, "12")
    assert position.journal is not None
    told = [event for event in position.journal.events if event.kind in ("cast", "roll")]
    assert told
    other = {"psychic/blessing", "psychic/hindrance"} - {rule}
    assert all(rule in event.rules and not other & set(event.rules) for event in told)


@covers("psychic/once-each")
def test_a_power_is_cast_once_by_a_squad_two_powers_by_one_model() -> None:
    position = psychic(FURY, DECAY)
    cast(position, "fury", 0, "20")
    assert was_cast(position.model(0), "fury")
    assert [one.id for one in castable(position.model(0))] == ["decay"]
    assert list_of_actions()["cast"].again


@covers("psychic/blessing", "psychic/blessing-engaged", "psychic/hindrance", "core/front-rear")
def test_whom_powers_go_on() -> None:
    wall = piece((19.4, 14.0), (4.0, 0.2), ("solid",), 4.0)
    enemies = [(24.0, 11.2), (24.0, 28.6), (24.0, 29.7), (21.0, 18.0)]
    position = psychic(FURY, DECAY, enemies=enemies, friends=[(26.0, 9.4), (26.0, 9.0)], pieces=[wall])
    model = position.model(0)
    assert [one.row for one in targets_of(model, FURY)] == [0, 1]
    assert [one.row for one in targets_of(model, DECAY)] == [0, 1, 3, 4]


@covers("psychic/blessing-engaged", "psychic/hindrance", "close-combat/engaged-ap")
def test_the_engaged_may_cast() -> None:
    action = list_of_actions()["cast"]
    assert action.engaged
    assert action.in_reach
    assert action.cost == 1


@covers("psychic/blessing")
def test_friends_are_offered_a_blessing_and_enemies_come_first_for_a_hindrance() -> None:
    position = psychic(FURY, DECAY)
    model = position.model(0)
    assert cast_fields(model, []).options() == ["fury", "decay"]  # type: ignore[union-attr]
    assert cast_fields(model, ["fury"]).options() == [0]  # type: ignore[union-attr]
    assert cast_fields(model, ["decay"]).options() == [1, 0]  # type: ignore[union-attr]
