"""Scenario files of this book: datasheets with changes, terrain by kind, a battle in progress."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from campale.mechanics.setup.scenarios import (
    NOTHING,
    Described,
    check_apart,
    check_numbers,
    check_words,
    described_weapon,
    names_in,
    profile_known,
    take_usual,
    take_usual_edges,
    with_changes,
)
from campale.referee.position import RETURNED, Position
from campale.referee.ruleset import Stage
from campale.rulesets.w10.abilities.uses import USES
from campale.rulesets.w10.armies.datasheets import arsenal, profiles
from campale.rulesets.w10.armies.profile import Profile, Weapon
from campale.rulesets.w10.attack.allocation import QUEUE
from campale.rulesets.w10.attack.damage import STORED
from campale.rulesets.w10.attack.destruction import FELL
from campale.rulesets.w10.basics import units
from campale.rulesets.w10.basics.attached import separate_all
from campale.rulesets.w10.basics.units import POINTS, START
from campale.rulesets.w10.battle.layouts import piece_from, table_size
from campale.rulesets.w10.battle.only_war import ROUNDS
from campale.rulesets.w10.charge.charging import begin_charging
from campale.rulesets.w10.turn.sequence import ACTS, BEFORE
from campale.rulesets.w10.windows.windows import GAINED, TURN_USED, USED

NAMES = (*names_in(units), RETURNED)

WORDS: dict[str, tuple[str, ...]] = {
    "phases": (*BEFORE, *ACTS, "end"),
    "marks": NAMES,
    "notes": NAMES,
    "unit-marks": NAMES,
    "unit-notes": NAMES,
    "holds": ("edge", "card"),
    "now": (
        "turn",
        "round",
        "phase",
        "side",
        "first",
        "begun",
        "step",
        "last",
        "attacker",
        "deploys",
        "lays",
        "size",
        "mission",
        "redeploys",
        "late",
    ),
    "declared": (QUEUE, STORED, FELL, USED, TURN_USED, USES, GAINED, "stand-in-"),
    "causes": (
        *("shooting", "melee", "mortal-wounds", "explosion", "hazardous"),
        *("desperate-escape", "coherency", "no-room", "never-arrived", "grenade", "tank-shock", "empty-transport"),
        "wreck",
    ),
}


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model of a datasheet, with other weapons and changed fields."""

    profile: str
    weapons: tuple[str, ...] | None = None
    adds: tuple[str, ...] = ()
    changes: dict[str, Any] = {}


def profile(plain: dict[str, Any], described: Described = NOTHING) -> Profile:
    wanted = msgspec.convert(plain, ModelSpec)
    known = profiles()
    listed = next((key for key in known if key.partition("/")[2] == wanted.profile), wanted.profile)
    start = profile_known(wanted.profile if wanted.profile in known else listed, known)
    own = {id: own_weapon(id, one) for id, one in described.items()}
    names = [*(wanted.weapons or ()), *wanted.adds]
    new = tuple(own[name] if name in own else weapon_known(name) for name in names)
    carried = start.weapons if wanted.weapons is None else ()
    return with_changes(replace(start, weapons=(*carried, *new)), wanted.changes)


def own_weapon(id: str, plain: dict[str, Any]) -> Weapon:
    """A weapon that a scenario file describes."""
    return msgspec.convert({**described_weapon(id, plain, "lines"), "id": id}, Weapon)


def weapon_known(name: str) -> Weapon:
    """A weapon of any datasheet, including optional ones. Raises ValueError."""
    known = arsenal()
    if name not in known:
        raise ValueError(f"there is no weapon '{name[:60]}'; there are: {', '.join(sorted(known))}")
    return known[name]


def prepare(position: Position) -> None:
    """Set the usual state: round 2, Shooting phase of side 1 at the south edge, unless the file says otherwise."""
    usual = {"turn": 3, "phase": "shooting", "side": 0, "first": 0, "begun": 1, "step": 1, "last": -1}
    take_usual(position, usual)
    check_words(position, {"phase": (*BEFORE, *ACTS, "end"), "side": (0, 1), "first": (0, 1), "begun": (0, 1)})
    check_numbers(position, ("turn",), 0, 2 * ROUNDS)
    position.now.setdefault("round", (int(position.now["turn"]) + 1) // 2)
    take_usual_edges(position)
    position.forget()
    for unit in position.units:
        models = unit.bought
        for name, value in ((START, len(models)), (POINTS, sum(m.profile.points for m in models))):
            if not unit.marks(name):
                unit.mark(name, value)
    separate_all(position)
    if position.now["phase"] == "charge" and position.now["begun"]:
        begin_charging(position, int(position.now["side"]))
    check_apart(position)


MOMENTS: dict[str, dict[str, Any]] = {
    **{name: {"phase": name, "begun": 0} for name in ("movement", "command")},
    "shooting": {"phase": "shooting"},
    **{name: {"phase": name, "begun": 0} for name in ("charge", "fight")},
}
STAGE = Stage(profile, piece_from, prepare, table_size(), WORDS, profiles=profiles, moments=MOMENTS)
