"""What the chapter tests of Edition 3.m are written with: small positions with units in rows.

    red, blue = squad("line-warden", 3, at=(20, 10)), squad("brawler", 4, side=1, at=(20, 20))
    position = table(red, blue, phase="preparatory")

Models of a squad stand side by side from ``at`` on, 1.25 inches apart. Facing 0 looks along +y.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from campale.mechanics.frames import run_all
from campale.referee.journal import Journal
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.ruleset import load_ruleset
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.armies.staging import prepare, profile
from campale.rulesets.e3m.battle.scenery import scenery_piece
from campale.rulesets.e3m.command.units import COMMANDER, GROUP, LEADS, ORDER, SPECIAL, UNIT_LEADER
from campale.rulesets.e3m.turn.sequence import PROCEDURES
from campale.table.terrain import Ground, Piece
from tests.rulesets.played import PROPOSAL, Played, first_question, play, question_after

APART = 1.25


@dataclass
class Squad:
    """A unit to be put on a table."""

    profiles: list[Profile]
    side: int
    places: Sequence[tuple[float, float]]
    order: str | None
    group: int
    facing: float
    marks: dict[str, int] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=dict)
    aboard: int | None = None


def squad(
    name: str,
    count: int = 1,
    side: int = 0,
    at: tuple[float, float] | Sequence[tuple[float, float]] = (36.0, 10.0),
    order: str | None = "fire",
    group: int = 0,
    facing: float | None = None,
    special: Iterable[str] = (),
    equipment: Iterable[str] = (),
    marks: dict[str, int] | None = None,
    models: dict[str, int] | None = None,
    aboard: int | None = None,
    **changes: Any,
) -> Squad:
    """``at``: the first place, or all of them. ``special``: weapons that the last models carry instead of their own.

    ``aboard``: the row of the model in which they ride. ``models``: marks of each model.
    """
    plain: dict[str, Any] = {"profile": name, "equipment": list(equipment), "changes": changes}
    basic = profile(plain)
    arms = list(special)
    armed = [profile({**plain, "weapons": [one]}) for one in arms]
    places: Any = at if not isinstance(at[0], float | int) else [(at[0] + APART * k, at[1]) for k in range(count)]
    facing = (180.0 if side else 0.0) if facing is None else facing
    profiles = [basic] * (len(places) - len(armed)) + armed
    return Squad(profiles, side, places, order, group, facing, dict(marks or {}), dict(models or {}), aboard)


def table(*squads: Squad, pieces: Iterable[Piece] = (), options: dict[str, Any] | None = None, **now: Any) -> Position:
    """A position in the second turn; side 0 has the south edge, side 1 the north."""
    ruleset = load_ruleset("e3m").with_options(options or {})
    position = Position(ruleset, Ground(72.0, 48.0, tuple(pieces)))
    position.now.update(now)
    for one in squads:
        put(position, one)
    prepare(position)
    position.journal = Journal()
    return position


def put(position: Position, one: Squad) -> Unit:
    unit = position.add_unit(f"{one.profiles[0].title['en']} {len(position.unit_names)}", one.side)
    unit.jot(ORDER, one.order)
    unit.mark(GROUP, one.group)
    for k, (kind, at) in enumerate(zip(one.profiles, one.places, strict=True)):
        model = position.add_model(kind.title["en"], kind, one.side, unit, RESERVE)
        if one.aboard is None:
            model.move_to(*at, facing=one.facing)
        else:
            position.take_off(model, aboard_of=position.model(one.aboard))
        model.mark(UNIT_LEADER, int(k == 0), quietly=True)
        model.mark(SPECIAL, int(kind.role != "unit"), quietly=True)
        model.mark(COMMANDER, int(kind.role == "commander"), quietly=True)
        for name, value in one.models.items():
            model.mark(name, value)
    for name, value in one.marks.items():
        unit.mark(name, value)
    return unit


def unit(position: Position, row: int) -> Unit:
    return Unit(position, row)


def model(position: Position, row: int) -> Model:
    return position.model(row)


def piece(kind: str, x: float, y: float, turn: float = 0.0, size: tuple[float, float] | None = None) -> Piece:
    return scenery_piece(kind, (x, y), turn, f"{kind}-{x:g}-{y:g}", size)


def left(position: Position, row: int) -> int:
    """How many models of a unit are left."""
    return sum(m.where in (0, 2) and position.unit_of[m.row] == row for m in position.models)


def finish(position: Position, dice: str = "", answers: Iterable[Any] = (), accepting: bool = False) -> Played:
    """Do all that is in hand."""
    return play(run_all(position, PROCEDURES), dice, answers, position, accepting)


__all__ = [
    "LEADS",
    "PROPOSAL",
    "Played",
    "Squad",
    "finish",
    "first_question",
    "left",
    "model",
    "piece",
    "play",
    "put",
    "question_after",
    "squad",
    "table",
    "unit",
]
