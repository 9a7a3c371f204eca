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
    check_free_of,
    check_numbers,
    check_words,
    face_each_other,
    names_in,
    profile_known,
    take_usual,
    take_usual_edges,
    with_changes,
)
from campale.referee.position import RESERVE, Model, Position
from campale.referee.ruleset import Stage
from campale.rulesets.wzr.armies.lists import blades, powers, profiles, weapons
from campale.rulesets.wzr.armies.profile import Blade, Power, Profile, Weapon
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import ANNIHILATION, MISSIONS
from campale.rulesets.wzr.battle.scenery import piece_from, table_size
from campale.rulesets.wzr.battle.setup import STAGES
from campale.rulesets.wzr.battle.terrain import IMPASSABLE
from campale.rulesets.wzr.squads.squads import members
from campale.rulesets.wzr.structures.access import is_closed
from campale.rulesets.wzr.structures.pieces import PIECES
from campale.rulesets.wzr.turn.sequence import ACTIVATION, INITIATIVE, PHASES, TURNS
from campale.rulesets.wzr.vehicles.locations import PS_LOST
from campale.rulesets.wzr.vehicles.ram import FROM, TO
from campale.table.measure import overlaps_outline
from campale.table.terrain import Ground, Piece

NAMES = names_in(marks)

WORDS: dict[str, tuple[str, ...]] = {
    "phases": (*STAGES, *PHASES),
    "marks": (*NAMES, PS_LOST),
    "notes": (*NAMES, FROM, TO),
    "unit-marks": NAMES,
    "unit-notes": NAMES,
    "pools": (*NAMES, "points"),
    "holds": ("edge", *NAMES),
    "now": (
        *("turn", "round", "phase", "first", "last", "initiative", "activation", "mission"),
        *("scenery", "deploys", "lays", "pregame", "infiltrates", "window", "no-more-"),
    ),
    "declared": ("doing", PIECES, *NAMES),
    "causes": (
        *("shooting", "melee", "trample", "thunder-charge", "ram", "ichor", "explosion", "wreck", "collapse"),
        *("flat-out", "too-slow", "terrain", "fall", "execution", "fled"),
        *("lost-in-deployment", "rapid-deployment", "no-place", "never-came"),
    ),
}


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A listed profile with further weapons (``adds``), further abilities, and changed fields."""

    profile: str
    adds: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    changes: dict[str, Any] = {}


Thing = Weapon | Blade | Power


def thing_named(name: str, described: Described) -> Thing:
    """A weapon, melee weapon or power, described in the file or found in the arsenal."""
    if name in described:
        return described_thing(name, described[name])
    known: dict[str, Thing] = {**weapons(), **blades(), **powers()}
    return profile_known(name, known)


def described_thing(id: str, plain: Mapping[str, Any]) -> Thing:
    """A thing with ``fires`` is a weapon, one with ``does`` or ``fire`` a power, any other a melee weapon."""
    whole = {"title": {"en": id, "it": id}, **plain, "id": id}
    kind: Any = Weapon if "fires" in plain else Power if "does" in plain or "fire" in plain else Blade
    found: Thing = msgspec.convert(whole, kind)
    return found


def profile(plain: dict[str, Any], described: Described = NOTHING) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
    basic = with_changes(profile_known(wanted.profile, profiles()), wanted.changes)
    things = [thing_named(one, described) for one in wanted.adds]
    return replace(
        basic,
        abilities=(*basic.abilities, *wanted.abilities),
        weapons=(*basic.weapons, *(one for one in things if isinstance(one, Weapon))),
        blades=(*basic.blades, *(one for one in things if isinstance(one, Blade))),
        powers=(*basic.powers, *(one for one in things if isinstance(one, Power))),
    )


def prepare(position: Position) -> None:
    """The usual start: player 1 at the south edge, the Activation Phase of turn 1, unless the file says otherwise."""
    phase = position.now.setdefault("phase", "activation")
    turn = 0 if phase in STAGES else 1
    usual = {"turn": turn, "round": turn, "first": 0, "last": -1, "initiative": 0, "activation": 0}
    take_usual(position, {**usual, "scenery": "lot"} if phase == "mission" else {**usual, "mission": ANNIHILATION})
    check_moment(position)
    take_usual_edges(position)
    for unit in position.units:
        prepare_unit(position, unit.row)
    face_each_other(position)
    check_apart(position)
    check_free_of(position, (p for p in position.ground.pieces if is_impassable(position.ground, p)), is_in)


def prepare_unit(position: Position, row: int) -> None:
    """A squad's starting number and cost come from the models it has; the first of several is its Commander."""
    unit = position.units[row]
    models = [m for m in position.models if m.unit == unit]
    own = [m for m in models if not m.marks(marks.SPECIALIST)]
    usual = {
        marks.START: len(own),
        marks.AT_ACTIVATION: len(members(unit)),
        marks.POINTS: sum(m.profile.points for m in own),
    }
    for name, value in usual.items():
        if not unit.marks(name):
            unit.mark(name, value)
    if unit.note(marks.SLOT) is None and own:
        unit.jot(marks.SLOT, own[0].profile.slot)
    leads = any(m.marks(marks.COMMANDER) or m.marks(marks.SUBSTITUTE) for m in models)
    if own and len(models) > 1 and not leads:
        own[0].mark(marks.COMMANDER, 1, quietly=True)


def is_impassable(ground: Ground, piece: Piece) -> bool:
    return IMPASSABLE in piece.tags or is_closed(ground, piece)


def is_in(model: Model, piece: Piece) -> bool:
    return model.z < piece.top and overlaps_outline(model.solid, piece.outline)


def check_moment(position: Position) -> None:
    """Raises ValueError for an unknown phase, mission, side or turn."""
    sides = {"first": (0, 1), "last": (-1, 0, 1)}
    check_words(position, {"phase": (*STAGES, *PHASES), "mission": MISSIONS, **sides})
    check_numbers(position, ("turn",), 0, TURNS)


def in_reserve(position: Position, side: int) -> list[str]:
    return [unit.name for unit in position.units if unit.side == side and any_waits(position, unit.row)]


def any_waits(position: Position, row: int) -> bool:
    return any(m.where == RESERVE and position.unit_of[m.row] == row for m in position.models)


MOMENTS: dict[str, dict[str, Any]] = {name: {"phase": name} for name in (ACTIVATION, INITIATIVE)}
STAGE = Stage(profile, piece_from, prepare, table_size(), WORDS, (), None, in_reserve, profiles, MOMENTS)
