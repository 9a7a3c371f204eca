"""Scenario files of this book: profiles with changes, scenery by kind, a battle in progress."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from campale.mechanics.setup.scenarios import (
    NOTHING,
    Described,
    check_apart,
    check_carried,
    check_numbers,
    check_words,
    described_weapon,
    names_in,
    profile_known,
    take_usual,
    take_usual_edges,
    with_changes,
)
from campale.referee.position import Position
from campale.referee.ruleset import Stage
from campale.rulesets.e3m.armies.lists import MountRow, mount_from, profiles
from campale.rulesets.e3m.armies.profile import Equipment, Mount, Profile, Weapon
from campale.rulesets.e3m.assault.declaring import ASSAULTS
from campale.rulesets.e3m.battle.missions import MISSIONS, TURNS
from campale.rulesets.e3m.battle.preparation import STAGES
from campale.rulesets.e3m.battle.scenery import piece_from, table_size
from campale.rulesets.e3m.command import units
from campale.rulesets.e3m.command.units import AT_STEP, LEADS, POINTS, START, UNIT_LEADER, members
from campale.rulesets.e3m.fire.kinds import OVERRUN_WITH, SPENT, USED
from campale.rulesets.e3m.turn.initiative import LEFT, POOL, USUAL
from campale.rulesets.e3m.turn.sequence import BY_NAME, CLEARED

NAMES = names_in(units)
OWN_DAMAGE = ("fire", "melee", "overrun", "path-assault", "explosion", "overheating", "dangerous-terrain")

WORDS: dict[str, tuple[str, ...]] = {
    "phases": (*STAGES, *BY_NAME),
    "marks": NAMES,
    "notes": (*NAMES, USED, OVERRUN_WITH, SPENT),
    "unit-marks": (*NAMES, *CLEARED),
    "unit-notes": (*NAMES, "begins-aboard"),
    "holds": ("edge",),
    "now": (
        *("turn", "round", "phase", "begun", "first", "last", "opens", "mission"),
        *("scenery", "deploys", "lays", "pieces"),
    ),
    "declared": ("doing", "deploying", "secret-0", "secret-1", ASSAULTS, "fought", LEFT, POOL),
    "causes": (
        *OWN_DAMAGE,
        *("destroyed", "explodes", "annihilated", "wreck", "left-table", "trapped", "no-place"),
    ),
}


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A listed profile with other or further weapons, bought equipment, and changed fields."""

    profile: str
    weapons: tuple[str | MountRow, ...] | None = None
    adds: tuple[str | MountRow, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    changes: dict[str, Any] = {}


def basic(name: str) -> Profile:
    """The profile ``list/unit``; for a unit alone, from the first list that has it."""
    known = profiles()
    listed = next((key for key in known if key.partition("/")[2] == name), name)
    return profile_known(name if name in known else listed, known)


def profile(plain: dict[str, Any], described: Described = NOTHING) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
    start = basic(wanted.profile)
    own = {id: own_weapon(id, one) for id, one in described.items()}
    carried = start.mounts if wanted.weapons is None else ()
    new = tuple(mount(one, own, wanted.profile) for one in (*(wanted.weapons or ()), *wanted.adds))
    made = replace(start, mounts=(*carried, *new), equipment=(*start.equipment, *wanted.equipment))
    return with_changes(made, wanted.changes)


def own_weapon(id: str, plain: dict[str, Any]) -> Weapon:
    """A weapon described in a file."""
    return msgspec.convert({**described_weapon(id, plain, "lines", "melee"), "id": id}, Weapon)


def mount(row: str | MountRow, own: Mapping[str, Weapon], where: str) -> Mount:
    one = MountRow(row) if isinstance(row, str) else row
    return Mount(own[one.weapon], one.side, one.is_main) if one.weapon in own else mount_from(one, where)


def prepare(position: Position) -> None:
    """The usual start: turn 2, preparatory fire, side 1 at the south edge, unless the file says otherwise."""
    usual = {"turn": 2, "phase": "preparatory", "begun": 1, "first": 0, "last": -1, "opens": -1, "mission": "quarters"}
    take_usual(position, usual)
    check_moment(position)
    position.now.setdefault("round", position.now["turn"])
    pool = tuple(chit(position, one) for one in position.declared.get(POOL, USUAL))
    position.declare(POOL, None if pool == USUAL else pool)
    if LEFT not in position.declared:
        position.declare(LEFT, pool)
    take_usual_edges(position)
    position.forget()
    for unit in position.units:
        models = members(unit)
        for name, value in (
            (START, len(models)),
            (AT_STEP, len(models)),
            (POINTS, sum(m.profile.points for m in models)),
        ):
            if not unit.marks(name):
                unit.mark(name, value)
        if models and not any(m.marks(UNIT_LEADER) for m in models):
            models[0].mark(UNIT_LEADER, 1, quietly=True)
        if any(m.marks(LEADS) for m in models) and not unit.marks("group"):
            unit.mark("group", max(m.marks(LEADS) for m in models))
    check_apart(position)
    check_carried(position)


def chit(position: Position, plain: Any) -> Any:
    """A chit as written in a file: a side, or {side, unit} for the chit of one element. Raises ValueError."""
    if not isinstance(plain, dict):
        return plain
    named = plain.get("unit")
    row = next((unit.row for unit in position.units if unit.name == named), None)
    if isinstance(named, int) and 0 <= named < len(position.names):
        row = position.unit_of[named]
    if row is None:
        raise ValueError(f"a chit is of no unit called {str(plain.get('unit'))[:60]!r}")
    return int(plain["side"]), row


def check_moment(position: Position) -> None:
    """Raises ValueError for an unknown step, mission, side or turn."""
    steps = (*STAGES, *BY_NAME)
    sides = {"first": (0, 1), "last": (-1, 0, 1), "begun": (0, 1)}
    check_words(position, {"phase": steps, "mission": MISSIONS, **sides})
    check_numbers(position, ("turn",), 0, TURNS)


MOMENTS: dict[str, dict[str, Any]] = {
    **{name: {"phase": name, "begun": 0} for name in ("command", "movement")},
    "preparatory": {"phase": "preparatory"},
    **{name: {"phase": name, "begun": 0} for name in ("declarations", "advancing", "melees")},
}
STAGE = Stage(profile, piece_from, prepare, table_size(), WORDS, profiles=profiles, moments=MOMENTS)
