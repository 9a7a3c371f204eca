"""Scenario files of this book: profiles of the lists with changes, scenery by kind, a battle well under way."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import msgspec
from msgspec.structs import replace

from campale.referee.position import ABOARD, Position
from campale.referee.reading import meant
from campale.referee.ruleset import Stage
from campale.rulesets.e3m.armies.lists import MountRow, mount_from, profiles
from campale.rulesets.e3m.armies.profile import Equipment, Mount, Profile, Weapon
from campale.rulesets.e3m.assault.declaring import ASSAULTS
from campale.rulesets.e3m.battle.missions import MISSIONS
from campale.rulesets.e3m.battle.preparation import STAGES
from campale.rulesets.e3m.battle.scenery import piece_from, table_size
from campale.rulesets.e3m.battle.zones import NORTH, SOUTH
from campale.rulesets.e3m.command import units
from campale.rulesets.e3m.command.units import AT_STEP, LEADS, POINTS, START, UNIT_LEADER, members
from campale.rulesets.e3m.fire.vehicle_fire import OVERRUN_WITH, SPENT, USED
from campale.rulesets.e3m.turn.initiative import LEFT, POOL, USUAL
from campale.rulesets.e3m.turn.sequence import BY_NAME, CLEARED
from campale.table.measure import overlaps

EDGES = (SOUTH, NORTH)
NAMES = tuple(one for name, one in vars(units).items() if name.isupper() and isinstance(one, str))
OWN_DAMAGE = ("fire", "melee", "overrun", "path-assault", "explosion", "overheating", "dangerous-terrain")

WORDS: dict[str, tuple[str, ...]] = {
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
    """A profile of a list, other weapons, what is bought for it, and changed fields."""

    profile: str
    weapons: tuple[str | MountRow, ...] | None = None
    adds: tuple[str | MountRow, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    changes: dict[str, Any] = {}


def basic(name: str) -> Profile:
    """A profile by ``list/unit``, or by the unit alone: then the first list that has it."""
    known = profiles()
    found = known.get(name) or next((one for key, one in known.items() if key.partition("/")[2] == name), None)
    if found is None:
        raise ValueError(f"there is no profile '{name[:60]}'. {meant(name, known)}")
    return found


NOTHING: Mapping[str, dict[str, Any]] = {}


def profile(plain: dict[str, Any], described: Mapping[str, dict[str, Any]] = NOTHING) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
    start = basic(wanted.profile)
    own = {id: described_weapon(id, one) for id, one in described.items()}
    carried = start.mounts if wanted.weapons is None else ()
    new = tuple(mount(one, own, wanted.profile) for one in (*(wanted.weapons or ()), *wanted.adds))
    made = replace(start, mounts=(*carried, *new), equipment=(*start.equipment, *wanted.equipment))
    return changed(made, wanted.changes) if wanted.changes else made


def described_weapon(id: str, plain: dict[str, Any]) -> Weapon:
    """A weapon that a file describes, by its lines or by the one that it has."""
    named = {"title": {"en": id, "it": id}, **plain}
    if "lines" not in plain and "melee" not in plain:
        title = named.pop("title")
        named = {"title": title, "lines": [named]}
    return msgspec.convert({**named, "id": id}, Weapon)


def mount(row: str | MountRow, own: Mapping[str, Weapon], where: str) -> Mount:
    one = MountRow(row) if isinstance(row, str) else row
    return Mount(own[one.weapon], one.side, one.is_main) if one.weapon in own else mount_from(one, where)


def changed(made: Profile, changes: dict[str, Any]) -> Profile:
    fields = msgspec.to_builtins(made)
    unknown = sorted(set(changes) - set(fields))
    if unknown:
        raise ValueError(f"a profile has no {', '.join(unknown)}. {meant(unknown[0], fields)}")
    return msgspec.convert({**fields, **changes}, Profile)


def prepare(position: Position) -> None:
    """The second turn, in the preparatory fire, side 1 at the south edge, unless told otherwise."""
    usual = {"turn": 2, "phase": "preparatory", "begun": 1, "first": 0, "last": -1, "opens": -1, "mission": "quarters"}
    for name, value in usual.items():
        position.now.setdefault(name, value)
    check_moment(position)
    position.now.setdefault("round", position.now["turn"])
    pool = tuple(chit(position, one) for one in position.declared.get(POOL, USUAL))
    position.declare(POOL, None if pool == USUAL else pool)
    if LEFT not in position.declared:
        position.declare(LEFT, pool)
    for side in (0, 1):
        if not position.hand(side, "edge"):
            position.hold(side, "edge", (EDGES[side],))
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
    check_places(position)


def chit(position: Position, plain: Any) -> Any:
    """A chit as a file writes it: a side, or {side, unit} for that of one element."""
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
    """Raises ValueError for a step, mission, side or turn that there is not."""
    known: dict[str, tuple[Any, ...]] = {
        "phase": (*STAGES, *BY_NAME),
        "mission": MISSIONS,
        "first": (0, 1),
        "last": (-1, 0, 1),
        "begun": (0, 1),
    }
    for name, values in known.items():
        value = position.now[name]
        if isinstance(value, bool) or value not in values:
            raise ValueError(f"{name} cannot be {value!r}, only one of {', '.join(map(str, values))}")
    turn = position.now["turn"]
    if not isinstance(turn, int) or isinstance(turn, bool) or not 0 <= turn <= 6:
        raise ValueError(f"turn cannot be {turn!r}, only a whole number from 0 to 6")


def check_places(position: Position) -> None:
    """Raises ValueError for two bases that lie on each other, or one who is aboard of what carries nobody."""
    for one, other in combinations(position.on_table(), 2):
        if overlaps(one.solid, other.solid):
            raise ValueError(f"{one.name} and {other.name} stand on each other")
    for model in position.models:
        carrier = model.aboard_of if model.where == ABOARD else None
        if carrier is not None and not carrier.profile.capacity:
            raise ValueError(f"{model.name} is aboard of {carrier.name}, which carries nobody")


STAGE = Stage(profile, piece_from, prepare, table_size(), WORDS)
