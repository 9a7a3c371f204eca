"""What the tests of WZR are written with: small positions with squads in rows.

    riflemen, undead = squad("riflemen", 5, at=(20, 10)), squad("undead", 6, side=1, at=(20, 20))
    position = table(riflemen, undead)

The first model of a squad of several is its Commander, with his own profile. Models stand side by side from ``at`` on,
2.25 inches apart. Facing 0 looks along +y; side 0 has the south edge, side 1 the north. The position is in the
Activation Phase of turn 2; no frame is in hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from campale.mechanics.frames import Frame, push, run_all
from campale.referee.journal import Journal
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.ruleset import load_ruleset
from campale.rulesets.wzr.armies.lists import commander_from, profiles, units
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.armies.staging import prepare, profile
from campale.rulesets.wzr.battle.scenery import LaidBuilding, whole
from campale.rulesets.wzr.turn.sequence import PROCEDURES
from campale.table.terrain import Ground, Piece
from tests.rulesets.played import Played, play

APART = 2.25


@dataclass
class Squad:
    """A squad to be put on a table."""

    profiles: list[Profile]
    side: int
    places: Sequence[tuple[float, ...]]
    facing: float
    marks: dict[str, int] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=dict)


def squad(
    name: str,
    count: int = 1,
    side: int = 0,
    at: tuple[float, float] | Sequence[tuple[float, ...]] = (24.0, 10.0),
    facing: float | None = None,
    adds: Iterable[str] = (),
    abilities: Iterable[str] = (),
    marks: dict[str, int] | None = None,
    models: dict[str, int] | None = None,
    **changes: Any,
) -> Squad:
    """``at``: the first place, or all of them (with a height, if they are up). ``adds``: weapons, melee weapons and
    powers besides their own; ``abilities``: further ones ("fear 2"). ``marks`` of the squad, ``models`` of each model.
    ``changes`` are of the profile, the Commander's included.
    """
    plain: dict[str, Any] = {"adds": list(adds), "abilities": list(abilities), "changes": changes}
    basic = profile({**plain, "profile": name})
    places: Any = at if not isinstance(at[0], float | int) else [(at[0] + APART * k, at[1]) for k in range(count)]
    found = [basic] * len(places)
    if len(found) > 1 and name in units():
        own = f"{name}/commander"
        found[0] = profile({**plain, "profile": own}) if own in profiles() else commander_from(basic, units()[name])
    facing = (180.0 if side else 0.0) if facing is None else facing
    return Squad(found, side, places, facing, dict(marks or {}), dict(models or {}))


def table(
    *squads: Squad,
    pieces: Iterable[Piece] = (),
    options: dict[str, Any] | None = None,
    size: tuple[float, float] = (48.0, 48.0),
    **now: Any,
) -> Position:
    """A position with these squads, in the order given, and nothing in hand."""
    position = Position(load_ruleset("wzr").with_options(options or {}), Ground(*size, tuple(pieces)))
    position.now.update({"turn": 2, "round": 2, **now})
    for one in squads:
        put(position, one)
    prepare(position)
    for model in position.models:
        position.turn(model, facing_of(squads, model.row))
    position.journal = Journal()
    return position


def facing_of(squads: Sequence[Squad], row: int) -> float:
    every = [one.facing for one in squads for _ in one.places]
    return every[row]


def put(position: Position, one: Squad) -> Unit:
    unit = position.add_unit(f"{one.profiles[0].title['en']} {len(position.unit_names)}", one.side)
    for kind, at in zip(one.profiles, one.places, strict=True):
        model = position.add_model(kind.title["en"], kind, one.side, unit, RESERVE)
        model.move_to(at[0], at[1], at[2] if len(at) > 2 else None, one.facing, placed=True)
        for name, value in one.models.items():
            model.mark(name, value)
    for name, value in one.marks.items():
        unit.mark(name, value)
    return unit


def unit(position: Position, row: int) -> Unit:
    return Unit(position, row)


def model(position: Position, row: int) -> Model:
    return position.model(row)


def doing(position: Position, *frames: Frame) -> Position:
    """The position with frames in hand, the first of them next."""
    push(position, *frames)
    return position


def pieces(kind: str, x: float, y: float, turn: float = 0.0, **row: Any) -> tuple[Piece, ...]:
    """A piece of scenery with the doors and windows that it has; ``row``: size, floors, doors, windows of a layout."""
    laid = LaidBuilding(kind, (x, y), turn, **row)
    return whole(kind, (x, y), turn, f"{kind}-{x:g}-{y:g}", laid.size, laid)


def piece(kind: str, x: float, y: float, turn: float = 0.0, **row: Any) -> Piece:
    """The piece alone."""
    return pieces(kind, x, y, turn, **row)[0]


def left(position: Position, row: int) -> int:
    """How many models of a squad are on the table."""
    return sum(m.is_on_table and m.unit.row == row for m in position.models)


def finish(position: Position, dice: str = "", answers: Iterable[Any] = (), accepting: bool = False) -> Played:
    """Do all that is in hand; dice and answers must come out even."""
    return play(run_all(position, PROCEDURES), dice, answers, position, accepting)
