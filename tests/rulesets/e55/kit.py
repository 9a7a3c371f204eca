"""What the chapter tests of this book are written with: small positions, and rules played with scripted dice.

    battle = table(squad("veteran", 5, at=(30, 10), faces=1), squad("militia", 10, side=1, at=(30, 30)))
    played = play(one_volley(battle), dice="4 4 1 1 | 2", answers=[...])

Unit rows are those of the squads in order, model rows run through them. Facing 0 looks along +y. Dice are in the order
rolled, bars and spaces apart; a die left over is a failure, and so is an answer left over, or a question without one.
Weapons and profiles are the ledger's samples (9/sample-weapons, 9/sample-units).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from campale.referee.journal import Journal
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.question import Question
from campale.referee.ruleset import load_ruleset
from campale.rulesets.e55.armies.profile import Line, Mount, Profile, Rule, Weapon
from campale.rulesets.e55.shooting_phase.volley import STRUCK, volley_phase
from campale.table.shapes import Point
from campale.table.terrain import Floor, Ground, Piece, rectangle
from tests.rulesets.played import PROPOSAL, Played, dice_of, first_question, play, question_after

SIZE = (72.0, 48.0)


async def one_volley(position: Position) -> bool:
    """The fire at one target, and what its hits do."""
    while await volley_phase(position):
        if STRUCK not in position.declared:
            return True
    return False


def rules(*written: str) -> tuple[Rule, ...]:
    """``"heavy 3"``, ``"favoured-enemy orks"``, ``"pistol"``."""
    found = []
    for one in written:
        name, _, value = one.partition(" ")
        found.append(Rule(name, int(value)) if value.isdecimal() else Rule(name, 0, value))
    return tuple(found)


def gun(id: str, range: float, strength: int, ap: int | None, *has: str) -> Weapon:
    return Weapon(id, {"en": id, "it": id}, (Line("ranged", range, strength, False, ap, rules(*has)),))


def blade(id: str, times: int = 1, ap: int | None = None, *has: str) -> Weapon:
    return Weapon(id, {"en": id, "it": id}, (Line("melee", 0.0, times, True, ap, rules(*has)),))


def sprayer(id: str, strength: int, ap: int | None, *has: str) -> Weapon:
    return Weapon(id, {"en": id, "it": id}, (Line("template", 0.0, strength, False, ap, rules(*has)),))


WEAPONS: dict[str, Weapon] = {
    weapon.id: weapon
    for weapon in (
        gun("rifle", 24, 4, 5, "rapid-fire"),
        gun("carbine", 18, 3, 6, "assault 2"),
        gun("sidearm", 12, 4, 5, "pistol"),
        gun("machine-gun", 36, 5, 4, "heavy 3"),
        gun("marksman-rifle", 48, 5, 5, "heavy 1", "precision"),
        gun("mortar", 48, 4, 6, "heavy 1", "area"),
        gun("field-cannon", 48, 8, 3, "heavy 1", "large-area"),
        sprayer("flamethrower", 4, 5, "assault 1"),
        gun("fusion-gun", 12, 8, 1, "assault 1", "thermal"),
        gun("beam-gun", 48, 8, 2, "heavy 1", "laser"),
        gun("shrapnel-gun", 24, 5, 6, "assault 2", "rending"),
        blade("blade"),
        blade("fist", 2, 2, "slow"),
        blade("claw", 2, 2),
        blade("great-blade", 1, None, "two-handed"),
    )
}


def soldier(
    ws: int, bs: int, s: int, t: int, w: int, i: int, a: int, ld: int, save: int, **more: Any
) -> dict[str, Any]:
    return {"ws": ws, "bs": bs, "s": s, "t": t, "w": w, "i": i, "a": a, "ld": ld, "armour_save": save, **more}


KINDS: dict[str, dict[str, Any]] = {
    "militia": soldier(3, 3, 3, 3, 1, 3, 1, 7, 5),
    "veteran": soldier(4, 4, 4, 4, 1, 4, 1, 8, 3),
    "sergeant": soldier(4, 4, 4, 4, 1, 4, 2, 9, 3),
    "captain": soldier(5, 5, 4, 4, 3, 5, 3, 9, 3, invulnerable_save=5, rules=rules("independent-character")),
    "hound": soldier(4, 0, 4, 4, 1, 4, 2, 6, 6, type="beast", x=12),
    "biker": soldier(4, 4, 4, 4, 1, 4, 1, 8, 3, type="bike", x=12),
    "jetbiker": soldier(4, 4, 3, 3, 1, 4, 1, 8, 4, type="bike", subtypes=("jetbike",), x=12),
    "jump-trooper": soldier(4, 4, 4, 4, 1, 4, 1, 8, 3, subtypes=("flying-infantry",), x=12),
    "great-beast": soldier(4, 2, 6, 6, 4, 3, 3, 8, 3, type="monster"),
    "winged-beast": soldier(4, 3, 6, 5, 4, 4, 3, 8, 4, type="monster", subtypes=("flying-monster",), x=12),
    "tank": {"type": "vehicle", "bs": 4, "speed": 12, "front": 13, "side": 11, "rear": 10},
    "carrier": {
        "type": "vehicle",
        "subtypes": ("transport",),
        "bs": 4,
        "speed": 12,
        "capacity": 10,
        "front": 11,
        "side": 11,
        "rear": 10,
    },
    "walker": {
        "type": "vehicle",
        "subtypes": ("walker",),
        "ws": 4,
        "bs": 4,
        "s": 6,
        "i": 4,
        "a": 2,
        "speed": 12,
        "front": 12,
        "side": 12,
        "rear": 10,
    },
    "flyer": {"type": "vehicle", "subtypes": ("flyer",), "bs": 4, "speed": 18, "front": 10, "side": 10, "rear": 10},
    "aircraft": {
        "type": "vehicle",
        "subtypes": ("aircraft",),
        "bs": 4,
        "speed": 12,
        "flyer_speed": 18,
        "front": 10,
        "side": 10,
        "rear": 10,
    },
}


def profile(kind: str, *carried: str | Weapon | Mount, adds: Sequence[str] = (), **changes: Any) -> Profile:
    """A sample profile with what it carries, further special rules (``adds``), and changed fields."""
    fields = {**KINDS[kind], **changes}
    fields["rules"] = (*fields.get("rules", ()), *rules(*adds))
    mounts = tuple(
        one if isinstance(one, Mount) else Mount(WEAPONS[one] if isinstance(one, str) else one) for one in carried
    )
    return Profile(kind, {"en": kind, "it": kind}, **{"mounts": mounts, **fields})


@dataclass
class Squad:
    """A unit to be put on a table, or off it."""

    profiles: list[Profile]
    side: int = 0
    at: Point | Sequence[Point] | None = (36.0, 24.0)
    spacing: float = 2.0
    columns: int = 5
    facing: float | None = None
    faces: int | None = None
    z: float = 0.0
    name: str = ""
    marks: dict[str, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)

    def places(self) -> list[Point]:
        """In rows of ``columns`` from ``at`` on, ``spacing`` apart; or the places that were given."""
        assert self.at is not None
        if not isinstance(self.at[0], float | int):
            return [(float(x), float(y)) for x, y in self.at]  # type: ignore[misc]
        x, y = self.at
        step = self.spacing
        return [(x + k % self.columns * step, y + k // self.columns * step) for k in range(len(self.profiles))]  # type: ignore[operator]


def squad(
    kind: str | Profile | Sequence[Profile],
    count: int = 1,
    side: int = 0,
    at: Point | Sequence[Point] | None = (36.0, 24.0),
    *carried: str | Weapon | Mount,
    **given: Any,
) -> Squad:
    """A unit of ``count`` like models (a sample kind or a profile), or of the profiles listed.

    ``given``: fields of ``Squad``; whatever else is a count of the unit. Further arguments are weapons carried.
    """
    if isinstance(kind, str):
        profiles = [profile(kind, *carried)] * count
    else:
        profiles = [kind] * count if isinstance(kind, Profile) else list(kind)
    known = {name: given.pop(name) for name in list(given) if name in Squad.__dataclass_fields__}
    known.setdefault("marks", {})
    known["marks"] = {**known["marks"], **{name.replace("_", "-"): value for name, value in given.items()}}
    return Squad(profiles, side, at, **known)


def table(
    *squads: Squad,
    pieces: Iterable[Piece] = (),
    options: dict[str, Any] | None = None,
    phase: str = "shooting",
    side: int = 0,
    turn: int = 3,
    mission: str = "annihilation",
    **now: Any,
) -> Position:
    """A position in the middle of a battle: side 0 at the edge y = 0, side 1 at the edge y = 48."""
    ruleset = load_ruleset("e55").with_options(options or {})
    position = Position(ruleset, Ground(*SIZE, tuple(pieces)))
    position.journal = Journal()
    position.now.update(phase=phase, side=side, first=0, turn=turn, round=(turn + 1) // 2, mission=mission)
    position.now.update(now)
    for owner, edge in ((0, "south"), (1, "north")):
        position.hold(owner, "edge", (edge,))
    for one in squads:
        put(position, one)
    for number, one in enumerate(squads):
        if one.faces is not None:
            Unit(position, number).mark("faces", one.faces + 1)
    for unit in position.units:
        unit.mark("at-phase-start", len([m for m in position.models if m.unit == unit]))
    position.remember("turn")
    position.journal.events.clear()
    return position


def put(position: Position, one: Squad) -> Unit:
    unit = position.add_unit(one.name or f"{one.profiles[0].id} {len(position.unit_names)}", one.side)
    places = one.places() if one.at is not None else [None] * len(one.profiles)
    for made, place in zip(one.profiles, places, strict=True):
        model = position.add_model(made.id, made, one.side, unit, RESERVE)
        if place is not None:
            facing = one.facing if one.facing is not None else (180.0 if one.side else 0.0)
            model.move_to(*place, z=one.z, facing=facing)
    for name, value in one.marks.items():
        unit.mark(name, value)
    for name, value in one.notes.items():
        unit.jot(name, value)
    return unit


def unit(position: Position, number: int) -> Unit:
    return Unit(position, number)


def model(position: Position, row: int) -> Model:
    return position.model(row)


def block(
    x: float,
    y: float,
    width: float,
    depth: float,
    *tags: str,
    height: float = 3.0,
    floors: Sequence[float] = (),
    name: str = "",
) -> Piece:
    """A piece of scenery: a rectangle by its middle, its tags ("difficult", "screening", "cover-5"), its floors."""
    outline = rectangle(x, y, width, depth)
    levels = tuple(Floor(outline, z) for z in floors)
    return Piece(name or f"{tags[0] if tags else 'piece'}-{x:g}-{y:g}", "block", outline, height, 0.0, levels, tags)


def wood(x: float, y: float, width: float = 8.0, depth: float = 8.0, name: str = "") -> Piece:
    return block(x, y, width, depth, "difficult", "screening", "cover-5", height=6.0, name=name)


def wall(x: float, y: float, width: float = 8.0, depth: float = 1.0, name: str = "") -> Piece:
    return block(x, y, width, depth, "impassable", "solid", height=6.0, name=name)


def refused(question: Question, answer: Any) -> str:
    """The rule that refuses an answer; empty when nothing does."""
    refusal = question.refusal(answer)
    return "" if refusal is None else refusal.rule


def changed(made: Profile, **changes: Any) -> Profile:
    return msgspec.structs.replace(made, **changes)


__all__ = [
    "PROPOSAL",
    "SIZE",
    "Played",
    "Squad",
    "blade",
    "block",
    "changed",
    "dice_of",
    "first_question",
    "gun",
    "model",
    "play",
    "profile",
    "put",
    "question_after",
    "refused",
    "rules",
    "soldier",
    "sprayer",
    "squad",
    "table",
    "unit",
    "wall",
    "wood",
]
