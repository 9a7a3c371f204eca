"""What is answered for a player who wants to be asked only when it can matter: both sides of each boundary."""

from __future__ import annotations

import pytest

from campale.referee.position import Position
from campale.referee.question import Choose, Form
from campale.rulesets.e55.definitions.units import FACES
from campale.rulesets.e55.shooting_phase.fire import Shot, declare
from campale.rulesets.e55.shooting_phase.shooting import declaration_phase
from campale.rulesets.e55.turn.acting import DONE_KEY
from campale.rulesets.e55.view.trifles import needless, vain
from tests.rulesets.e55.kit import first_question, gun, profile, question_after, squad, table, unit

FAR = 24.0


def facing(apart: float, phase: str, side: int = 0, rifle: float = FAR) -> Position:
    """Two units of one model so far apart, centre to centre; the first has a gun of that range."""
    armed = profile("militia", gun("rifle", rifle, 4, 5))
    bare = profile("militia", mounts=())
    position = table(squad([armed], at=(10, 10), faces=1), squad([bare], side=1, at=(10, 10 + apart), faces=0))
    position.now.update(phase=phase, side=side, turn=1)
    return position


def menu(side: int, prompt: str, *keys: tuple[object, ...]) -> Choose:
    return Choose(side, prompt, [DONE_KEY, *keys], "act")


def test_fire_that_reaches_is_asked_for_and_fire_that_does_not_is_none() -> None:
    shoot = menu(0, "shooting", ("shoot", 0))
    assert needless(facing(20.0, "shooting"), shoot) is None
    assert needless(facing(40.0, "shooting"), shoot) == (DONE_KEY,)


def test_whatever_is_not_fire_is_asked_for_at_any_distance() -> None:
    assert needless(facing(40.0, "shooting"), menu(0, "shooting", ("shoot", 0), ("cast", 0, 0, 0))) is None


def test_whoever_may_be_shot_at_is_asked_whether_he_lies_down_and_nobody_else() -> None:
    lie = menu(1, "to-ground", ("to-ground", 1))
    assert needless(facing(20.0, "to-ground"), lie) is None
    assert needless(facing(40.0, "to-ground"), lie) == (DONE_KEY,)
    disarmed = menu(0, "to-ground", ("to-ground", 0))
    assert needless(facing(5.0, "to-ground", side=1), disarmed) == (DONE_KEY,)


@pytest.mark.parametrize(("apart", "is_vain"), [(6.9, False), (7.2, True), (12.0, True)])
def test_a_charge_without_a_chance_is_in_vain_though_it_may_be_declared(apart: float, is_vain: bool) -> None:
    position, line = facing(apart, "charges"), ("charge", 0, 1)
    assert vain(position, menu(0, "charges", line), line) is is_vain
    assert (needless(position, menu(0, "charges", line)) == (DONE_KEY,)) is is_vain
    assert not vain(position, menu(0, "charges", line), DONE_KEY)


def test_a_charge_that_may_get_there_is_asked_for_and_one_that_cannot_is_none() -> None:
    charge = menu(0, "charges", ("charge", 0, 1))
    assert needless(facing(6.5, "charges"), charge) is None
    assert needless(facing(12.0, "charges"), charge) == (DONE_KEY,)
    assert needless(facing(12.0, "charges"), menu(0, "charges", ("charge", 0, 1), ("awaken", 0, 0, 0))) is None


def two_targets(second: float) -> Position:
    armed = profile("militia", gun("rifle", FAR, 4, 5))
    bare = profile("militia", mounts=())
    position = table(
        squad([armed, armed], at=(10, 10)),
        squad([bare], side=1, at=(10, 25)),
        squad([bare], side=1, at=(10, 10 + second)),
    )
    position.now.update(phase="volleys", side=0, turn=1)
    declare(position, [Shot(0, 0, 0, 0, 1, 1), Shot(0, 1, 0, 0, 1, 2)])
    return position


def test_the_order_of_volleys_is_asked_for_where_two_of_them_reach() -> None:
    order = Choose(0, "volley", [1, 2], "unit")
    assert needless(two_targets(20.0), order) is None
    assert needless(two_targets(40.0), order) == (1,)


def test_other_questions_are_none_of_its_business() -> None:
    position = facing(40.0, "shooting")
    assert needless(position, Choose(0, "movement", [DONE_KEY, ("move", 0)], "act")) is None
    assert needless(position, Form(0, "shooting", lambda filled: None)) is None


# ---------------------------------------------------------------- fire in vain


def shooting(position: Position, *answers: object) -> tuple[Choose, Choose]:
    """The menu of the shooting phase, and the first field of the declaration of the first unit."""
    position.now["phase"] = "shooting"
    asked = first_question(declaration_phase(position))
    form = question_after(declaration_phase(position), answers=[("shoot", 0)])
    assert isinstance(asked, Choose)
    assert isinstance(form, Form)
    field = form.field([])
    assert isinstance(field, Choose)
    return asked, field


@pytest.mark.covers("3.2.1/range")
@pytest.mark.parametrize(("apart", "is_vain"), [(24.0, False), (26.5, True)])
def test_fire_beyond_its_range_is_in_vain_though_it_may_be_declared(apart: float, is_vain: bool) -> None:
    position = facing(apart, "shooting")
    asked, field = shooting(position)
    assert vain(position, asked, ("shoot", 0)) is is_vain
    shot = next(key for key in field.lawful() if key[0] == "fire")
    assert vain(position, field, shot) is is_vain
    assert not vain(position, asked, DONE_KEY)
    assert not vain(position, field, ("hold",))


def test_fire_at_the_unit_that_is_faced_is_in_vain_where_only_another_one_is_in_reach() -> None:
    position = two_targets(37.0)
    declare(position, [])
    unit(position, 0).mark(FACES, 3)
    asked, _ = shooting(position)
    assert vain(position, asked, ("shoot", 0))
    unit(position, 0).mark(FACES, 2)
    assert not vain(position, asked, ("shoot", 0))


@pytest.mark.covers("7.9/independent-weapons")
@pytest.mark.parametrize(("second", "is_vain"), [(20.0, False), (40.0, True)])
def test_a_weapon_of_a_vehicle_fires_in_vain_at_whom_it_does_not_reach(second: float, is_vain: bool) -> None:
    tank = profile("tank", gun("cannon", FAR, 8, 3))
    bare = profile("militia", mounts=())
    position = table(
        squad([tank], at=(10, 10)),
        squad([bare], side=1, at=(10, 22)),
        squad([bare], side=1, at=(14, 10 + second)),
    )
    position.now.update(side=0, turn=1)
    asked, field = shooting(position)
    assert not vain(position, asked, ("shoot", 0))
    at = {key[1]: vain(position, field, key) for key in field.candidates if key[0] == "at"}
    assert at == {1: False, 2: is_vain}


@pytest.mark.covers("7.10/fire-points")
@pytest.mark.parametrize(("apart", "is_vain"), [(20.0, False), (40.0, True)])
def test_fire_out_of_a_transport_is_in_vain_beyond_its_range(apart: float, is_vain: bool) -> None:
    carrier = profile("carrier", fire_points=((1.5, 0.0, 2.0),))
    armed, bare = profile("militia", gun("rifle", FAR, 4, 5)), profile("militia", mounts=())
    position = table(
        squad([armed], at=(10, 6), faces=1),
        squad([bare], side=1, at=(10 + apart, 10)),
        squad([carrier], at=(10, 10)),
    )
    position.now.update(side=0, turn=1)
    position.take_off(position.model(0), aboard_of=position.model(2))
    asked, field = shooting(position)
    assert vain(position, asked, ("shoot", 0)) is is_vain
    assert {vain(position, field, key) for key in field.candidates if key[0] == "from"} == {is_vain}
