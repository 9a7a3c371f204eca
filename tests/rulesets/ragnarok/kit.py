"""What the chapter tests of Ragnarok are written with: small positions, and rules played with scripted dice.

    duel = table(rifleman := a("steam_rifleman", at=(0, 0)), a("raider", 1, at=(0, 20)))
    played = play(shoot(duel, Shot(0, 1, 0)), dice="4 4 1 1 | 2")

Facing 0 looks along +y. Dice are in the order rolled, bars and spaces apart; a die left over is a failure, and so is
an answer left over, or a question without an answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from campale.referee.journal import Journal
from campale.referee.position import RESERVE, Model, Position
from campale.referee.ruleset import load_ruleset
from campale.rulesets.ragnarok.armies.forces import trooper
from campale.rulesets.ragnarok.armies.profile import Profile, Rule
from campale.rulesets.ragnarok.battle.scenery import scenery_piece
from campale.rulesets.ragnarok.turn.tactical import tactical_phase
from campale.table.terrain import Ground, Piece
from tests.rulesets.played import Played, dice_of, first_question, play, question_after


@dataclass
class Figure:
    """A model to be put on a table."""

    profile: Profile
    side: int = 0
    at: tuple[float, float] | None = (60.0, 60.0)
    facing: float | None = None
    marks: dict[str, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)


def a(
    profile: str,
    side: int = 0,
    at: tuple[float, float] | None = (60.0, 60.0),
    facing: float | None = None,
    adds: Iterable[str] = (),
    rules: Iterable[str] = (),
    changes: dict[str, Any] | None = None,
    notes: dict[str, Any] | None = None,
    **marks: int,
) -> Figure:
    """A model of a profile: with additions by id, further special rules ("flyer 24"), changed fields, marks and notes.

    ``at`` None leaves it in reserve. Without a facing side 0 looks along +y and side 1 along -y.
    """
    armed = trooper(profile, tuple(adds)).profile
    more = tuple(Rule(name, int(value or 0)) for name, _, value in (one.partition(" ") for one in rules))
    armed = msgspec.structs.replace(armed, special_rules=armed.special_rules + more, **(changes or {}))
    return Figure(armed, side, at, facing, dict(marks), dict(notes or {}))


def piece(kind: str, x: float, y: float, turn: float = 0.0, name: str = "") -> Piece:
    """A piece of the scenery table by its centre."""
    return scenery_piece(kind, (x, y), turn, name or f"{kind}-{x:g}-{y:g}")


def table(
    *figures: Figure,
    pieces: Iterable[Piece] = (),
    options: dict[str, Any] | None = None,
    phase: str = "tactical",
    side: int = 0,
    turn: int = 3,
    mission: str = "extermination",
    **now: Any,
) -> Position:
    """A position in the middle of a battle: charisma full, side 0 at the south edge, side 1 at the north."""
    ruleset = load_ruleset("ragnarok").with_options(options or {})
    position = Position(ruleset, Ground(120.0, 120.0, tuple(pieces)))
    position.journal = Journal()
    position.now.update(phase=phase, side=side, first=0, turn=turn, round=(turn + 1) // 2, turns=12, mission=mission)
    position.now.update(now)
    for owner, edge in ((0, "south"), (1, "north")):
        position.hold(owner, "edge", (edge,))
    for figure in figures:
        put(position, figure)
    for owner in (0, 1):
        position.of_sides.set(owner, "strength", sum(figure.side == owner for figure in figures))
    position.journal.events.clear()
    return position


def put(position: Position, figure: Figure) -> Model:
    name = f"{figure.profile.title['en']} {len(position.names)}"
    unit = position.add_unit(name, figure.side)
    model = position.add_model(name, figure.profile, figure.side, unit, RESERVE)
    if figure.at is not None:
        facing = figure.facing if figure.facing is not None else (180.0 if figure.side else 0.0)
        model.move_to(*figure.at, facing=facing)
    model.mark("charisma", figure.profile.charisma, quietly=True)
    for mark, value in figure.marks.items():
        model.mark(mark, value)
    for note, value in figure.notes.items():
        model.jot(note, value)
    return model


def face_off(
    gap: float,
    shooter: str = "steam_rifleman",
    target: str = "raider",
    *more: Figure,
    one: dict[str, Any] | None = None,
    other: dict[str, Any] | None = None,
    **given: Any,
) -> Position:
    """A table with a model (row 0) and an enemy (row 1) so many cm ahead of it that looks away and reacts to nothing.

    ``one`` and ``other`` are what ``a`` is told of them.
    """
    here = a(shooter, at=(60, 10), **(one or {}))
    there = a(target, 1, **({"facing": 0} | (other or {})))
    there.at = (60, 10 + here.profile.base_radius + gap + there.profile.base_radius)
    return table(here, there, *more, **given)


def marks(model: Model, *names: str) -> tuple[int, ...]:
    return tuple(model.marks(name) for name in names)


def state(model: Model) -> str:
    """Up, down (out of action) or removed."""
    if not model.is_on_table:
        return "removed"
    return "down" if model.marks("wounds") >= model.profile.wounds else "up"


def activate(position: Position, *answers: Any, dice: str = "") -> Played:
    """One choice of the active player in the tactical phase, and all that comes of it."""
    return play(tactical_phase(position), dice, answers, position)


def way(*points: tuple[float, float], facing: float | None = 0) -> list[Any]:
    """The answer to the question of a path: the points after the start, and the facing at its end."""
    return [[list(point) for point in points], facing]


def refused(position: Position, *choice: Any) -> str:
    """The rule that refuses a choice of the active player; empty when nothing does."""
    refusal = first_question(tactical_phase(position)).refusal(list(choice))
    return "" if refusal is None else refusal.rule


__all__ = [
    "Figure",
    "Played",
    "a",
    "activate",
    "dice_of",
    "face_off",
    "first_question",
    "marks",
    "piece",
    "play",
    "put",
    "question_after",
    "refused",
    "state",
    "table",
    "way",
]
