"""Fire! and Torrent of Fire! (vehicles/fire, vehicles/torrent, vehicles/shoot-targets)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from campale.mechanics.frames import Frame
from campale.mechanics.script_form import Script, fields_of, run
from campale.referee.position import Model
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.armoury.weapons import Gun, gun_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.shooting.declaring import cards_left, planning, usable
from campale.rulesets.wzr.shooting.plan import NOBODY, SHOOT, Plan, frame
from campale.rulesets.wzr.shooting.shoot import DECLARED, VOLLEY, fields, frames
from campale.rulesets.wzr.turn.points import done

FIRE, TORRENT = "fire", "torrent"

Plans = tuple[Plan, ...]


@rule("vehicles/fire-one")
def has_fired(model: Model) -> Fault | None:
    """A vehicle takes one fire action a turn."""
    return Fault(model=model.row) if {FIRE, TORRENT} & set(done(model)) else None


@rule("vehicles/fire")
def can_fire(model: Model) -> bool:
    """Whether any weapon or shooting power has a target."""
    return bool(usable(model, SHOOT))


@rule("vehicles/torrent")
def can_fire_all(model: Model) -> bool:
    """Whether more than one weapon has a target."""
    return len(by_weapon(model)) > 1


def by_weapon(model: Model) -> dict[int, list[Gun]]:
    """The usable ways to fire each weapon that has a target, by its index on the profile. Powers are left out."""
    found: dict[int, list[Gun]] = {}
    for gun in usable(model, SHOOT):
        if gun.place >= 0:
            found.setdefault(gun.place, []).append(gun)
    return found


# ---------------------------------------------------------------- vehicles/torrent


@rule("vehicles/torrent", "vehicles/shoot-targets")
def all_plans(model: Model) -> Generator[Question, Any, Plans]:
    """Ask for each weapon's attack, with its own primary target, before any die is rolled."""
    weapons = by_weapon(model)
    aimed = yield from aimed_weapon(model, list(weapons))
    plans: list[Plan] = []
    for place, ways in weapons.items():
        guns = [gun for gun in ways if cards_left(gun, plans) >= 0]
        if not guns:
            continue
        gun = guns[0] if len(guns) == 1 else (yield from which_way(model, guns))
        plan = yield from planning(gun, SHOOT, NOBODY, place == aimed, plans)
        if plan is not None:
            plans.append(plan.but(held=True))
    return tuple(plans)


@rule("actions/aim")
def aimed_weapon(model: Model, places: Sequence[int]) -> Generator[Question, Any, int]:
    """Ask which weapon gets the vehicle's Aim. Returns its index, or -1 without Aim."""
    if not model.marks(marks.AIMED):
        return -1
    place = yield Choose(model.side, "aimed-weapon", list(places), "weapon", about={"model": model.row})
    return int(place)


def which_way(model: Model, guns: Sequence[Gun]) -> Generator[Question, Any, Gun]:
    key = yield Choose(model.side, "weapon", [gun.key for gun in guns], "weapon", about={"model": model.row})
    return gun_of(model, str(key))


def script(model: Model) -> Script[Plans]:
    return partial(all_plans, model)


def torrent_fields(model: Model, filled: Sequence[Any]) -> Question | None:
    return fields_of(script(model))(list(filled))


@rule("vehicles/torrent")
def torrent_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    """The frames of every weapon up to its dice, then of all of them at once."""
    plans = run(script(model), details)[1] or ()
    return (*(frame(DECLARED, plan) for plan in plans), (VOLLEY,)) if plans else ()


FIRE_FIELDS, FIRE_FRAMES = partial(fields, SHOOT), partial(frames, SHOOT)
