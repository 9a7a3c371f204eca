"""Scenario files of this book: profiles of the lists with changes, scenery by kind, a battle in progress."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from campale.mechanics.phases import round_of
from campale.mechanics.setup.scenarios import (
    NOTHING,
    Described,
    check_apart,
    check_carried,
    check_free_of,
    check_numbers,
    check_words,
    described_weapon,
    face_each_other,
    names_in,
    profile_known,
    take_usual,
    take_usual_edges,
    with_changes,
)
from campale.referee.position import Model, Position
from campale.referee.reading import meant
from campale.referee.ruleset import Stage
from campale.rulesets.e55.armies.army_lists import SAMPLES, army_list, profiles
from campale.rulesets.e55.armies.arsenal import Arsenal, MountRow, PowerRow, WeaponRow, arsenal, keyword, mount_from
from campale.rulesets.e55.armies.forces import UnitSpec, decode, encode
from campale.rulesets.e55.armies.profile import Profile, SpecialRule
from campale.rulesets.e55.armies.setting_out import RESERVES, ROSTER, ROWS, STARTS
from campale.rulesets.e55.battle.holding_back import notes_of
from campale.rulesets.e55.battle.missions import MISSIONS
from campale.rulesets.e55.battle.scenery import piece_from, table_size
from campale.rulesets.e55.definitions import units
from campale.rulesets.e55.definitions.units import AT_PHASE_START, COMBAT, FACED_THEN, FACES, WARP, faced_by, in_play
from campale.rulesets.e55.hits.attacks import Cause
from campale.rulesets.e55.movement_phase.terrain import impassable_pieces
from campale.rulesets.e55.turn.sequence import preparations
from campale.table.measure import overlaps, overlaps_outline
from campale.table.terrain import Piece

BEFORE = ("scenery", "mission", "objectives", "edges", "reserves", "deployment")
NOT_YET = {"side": (), "turn": (), "first": BEFORE, "mission": BEFORE[:2], "edge": BEFORE[:4]}
"""For each setting, the steps of the preparations in which it is not settled yet."""
NAMES = names_in(units)
"""Every name of a count or note."""

WORDS: dict[str, tuple[str, ...]] = {
    "marks": NAMES,
    "notes": NAMES,
    "unit-marks": NAMES,
    "unit-notes": NAMES,
    "holds": ("edge", "roster", "rows", "starts", "reserves"),
    "pools": ("points",),
    "now": (
        *("phase", "side", "first", "turn", "round", "mission", "points", "cover", "scenery", "objectives"),
        *("deployment", "deploys", "ready", "places-first", "beginning", "to-deploy", "let-in", "lost-before"),
    ),
    "declared": ("charging", "fight", "fire", "fought", "piled-in", "rallying", "struck", "tested-for-losses"),
    "causes": (
        *get_args(Cause),
        *("deep-strike", "fall-back-blocked", "fall-back-edge", "no-place", "worn-out"),
    ),
}


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A profile of a list, with further special rules ("feel-no-pain 5"), other weapons, powers, and changed fields."""

    profile: str
    rules: tuple[str, ...] = ()
    weapons: tuple[str | MountRow, ...] | None = None
    adds: tuple[str | MountRow, ...] = ()
    powers: tuple[str, ...] = ()
    riders: int | None = None
    changes: dict[str, Any] = {}


def known_profiles() -> dict[str, Profile]:
    """Return the profiles of the lists by id; the samples' take precedence."""
    return {**profiles(), **army_list(SAMPLES).profiles}


def basic(name: str) -> Profile:
    return profile_known(name, known_profiles())


def with_own(described: Described) -> Arsenal:
    """Return the arsenal with the weapons and powers that a file describes.

    Weapons have lines, or name the one they are based on; powers have a kind.
    """
    weapons, powers = dict[str, WeaponRow](), dict[str, PowerRow]()
    for id_, plain in described.items():
        written = described_weapon(id_, plain, "lines", "kind")
        if "kind" in plain:
            powers[id_] = msgspec.convert(written, PowerRow)
        else:
            weapons[id_] = msgspec.convert(written, WeaponRow)
    return arsenal().with_more(weapons, powers) if described else arsenal()


def profile(plain: dict[str, Any], described: Described = NOTHING) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
    start, armoury = basic(wanted.profile), with_own(described)
    carried = start.mounts if wanted.weapons is None else ()
    new = [mount_from(one, armoury, wanted.profile) for one in (*(wanted.weapons or ()), *wanted.adds)]
    unknown = [one for one in wanted.powers if one not in armoury.powers]
    if unknown:
        raise ValueError(f"there is no power '{unknown[0][:60]}'. {meant(unknown[0], armoury.powers)}")
    made = replace(
        start,
        mounts=(*carried, *new),
        rules=(*start.rules, *(keyword(one, get_args(SpecialRule), wanted.profile) for one in wanted.rules)),
        powers=(*start.powers, *(armoury.powers[one] for one in wanted.powers)),
    )
    changes = wanted.changes if wanted.riders is None else {"riders": wanted.riders, **wanted.changes}
    return with_changes(made, changes)


def in_reserve(position: Position, side: int) -> list[str]:
    return [decode(text).title["en"] for note in notes_of(position, side) for text, _ in note.units]


class ComingSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit not yet in play. ``comes_with``: the number, in the same list, of the unit that it comes with."""

    name: str
    profile: str | dict[str, Any]
    count: Annotated[int, msgspec.Meta(ge=1, le=60)] = 1
    comes_with: int = -1


class NoteSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units in reserve: the game turn in which they are to enter, and their way."""

    units: Annotated[tuple[ComingSpec, ...], msgspec.Meta(min_length=1, max_length=20)]
    turn: Annotated[int, msgspec.Meta(ge=2, le=8)] = 2
    way: Literal["edge", "west", "east"] = "edge"
    is_sure: bool = False


def held(name: str, things: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the army still to be deployed, and the notes of the reserves, in the ruleset's own form."""
    if name == ROSTER:
        return tuple(coming(one) for one in msgspec.convert(things, tuple[ComingSpec, ...]))
    if name == RESERVES:
        return tuple(note(one) for one in msgspec.convert(things, tuple[NoteSpec, ...]))
    return things


def coming(one: ComingSpec) -> str:
    plain = {"profile": one.profile} if isinstance(one.profile, str) else one.profile
    return encode(UnitSpec(one.name, {"en": one.name, "it": one.name}, (profile(plain),) * one.count))


def note(one: NoteSpec) -> tuple[Any, ...]:
    return tuple((coming(unit), unit.comes_with) for unit in one.units), one.turn, one.way, int(one.is_sure)


def prepare(position: Position) -> None:
    """Set the usual state, wherever the file does not say otherwise.

    It is the third player turn, that of the first player, whose table edge is the south one.
    """
    phase = position.now.setdefault("phase", "shooting")
    usual = {"side": 0, "turn": 0 if phase in preparations() else 3, "first": 0, "mission": "annihilation"}
    take_usual(position, {name: value for name, value in usual.items() if phase not in NOT_YET[name]})
    check_moment(position)
    position.now.setdefault("round", round_of(int(position.now["turn"])))
    if phase not in NOT_YET["edge"]:
        take_usual_edges(position)
    for side in (0, 1):
        for name in (ROWS, STARTS):
            if not position.hand(side, name):
                position.hold(side, name, (-1,) * len(position.hand(side, ROSTER)))
    face_each_other(position)
    for model in position.models:
        if model.profile.psyker:
            model.mark(WARP, model.profile.psyker, quietly=True)
    position.forget()
    for unit in position.units:
        unit.mark(AT_PHASE_START, len(in_play(unit)))
    check_places(position)
    begin_turn_here(position)


def begin_turn_here(position: Position) -> None:
    """Let the turn begin with the position as it stands, wherever the file does not say otherwise."""
    given = position.snapshots.get("turn", {})
    position.remember("turn")
    position.snapshots["turn"] = {**position.snapshots["turn"], **given}
    for unit in position.units:
        faced = faced_by(unit)
        unit.jot(FACED_THEN, None if faced is None else faced.row)


def check_moment(position: Position) -> None:
    """Raise ValueError for an unknown phase, mission, side or turn."""
    phases = tuple(position.ruleset.book.phases)
    check_words(position, {"phase": phases, "mission": MISSIONS, "side": (0, 1), "first": (0, 1)})
    check_numbers(position, ("turn", "round"), 0)


def check_places(position: Position) -> None:
    """Raise ValueError for overlapping footprints, a passenger without a carrier, or a unit alone in a combat."""
    check_apart(position, are_on_each_other)
    check_free_of(position, impassable_pieces(position.ground), is_in)
    check_carried(position)
    fights = [unit.marks(COMBAT) for unit in position.units if unit.marks(COMBAT) and in_play(unit)]
    lonely = next((number for number in fights if fights.count(number) == 1), None)
    if lonely is not None:
        raise ValueError(f"only one unit is in combat {lonely}; the other side of it is missing")


def are_on_each_other(one: Model, other: Model) -> bool:
    """Return whether two models overlap on the same floor."""
    return abs(one.z - other.z) < 1.0 and overlaps(one.solid, other.solid)


def is_in(model: Model, piece: Piece) -> bool:
    """Return whether a base overlaps a piece at its height."""
    is_level = piece.z <= model.z < piece.z + max(piece.height, 0.1)
    return is_level and overlaps_outline(model.solid, piece.outline)


MOMENTS: dict[str, dict[str, Any]] = {
    name: {"phase": name} for name in ("movement", "start", "shooting", "charges", "melee")
}
STAGE = Stage(profile, piece_from, prepare, table_size(), WORDS, (FACES,), held, in_reserve, known_profiles, MOMENTS)
