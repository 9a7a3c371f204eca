"""What is answered for a player who wants to be asked only when it can matter: both sides of each boundary."""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.question import Choose, Form
from campale.rulesets.e55.acting import DONE_KEY
from campale.rulesets.e55.fire import Shot, declare
from campale.rulesets.e55.trifles import needless
from tests.rulesets.e55.kit import gun, profile, squad, table

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
