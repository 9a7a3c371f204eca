"""What the chapter tests of WZR are written with: small positions with squads in rows.

    red, blue = squad(3, at=(20, 10)), squad(4, side=1, at=(20, 20), ld=14, abilities=("implacable",))
    position = table(red, blue)

Models of a squad stand side by side from ``at`` on, 1.5 inches apart; the first is its Commander. Facing 0 looks
along +y. A trooper has 12 in everything that is tested, M 5, St 10, LD 14 and one wound, but for the ``changes``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from campale.mechanics.frames import run_all
from campale.referee.journal import Journal
from campale.referee.position import RESERVE, Position, Unit
from campale.referee.ruleset import load_ruleset
from campale.rulesets.wzr.armies.profile import Location, Profile, Vehicle
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.turn.sequence import PROCEDURES
from campale.table.outlines import rectangle
from campale.table.terrain import Floor, Ground, Piece
from tests.rulesets.played import PROPOSAL, Played, first_question, play, question_after

APART = 1.5
TROOPER: dict[str, Any] = {
    "m": 5, "cc": 12, "rs": 12, "st": 10, "con": 12, "wp": 12, "ld": 14, "w": 1, "a": 12, "points": 10,
}  # fmt: skip


@dataclass
class Squad:
    """A squad to be put on a table."""

    profiles: list[Profile]
    side: int
    places: Sequence[tuple[float, float]]
    facing: float
    marks: dict[str, int] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=dict)
    z: float | None = None


def profile(name: str = "trooper", **changes: Any) -> Profile:
    return Profile(id=name, title={"en": name.title(), "it": name.title()}, **{**TROOPER, **changes})


def vehicle(kind: str = "walker", pa: int = 3, front: int = 0, rear: int = -4, av: int = 12, ps: int = 2) -> Vehicle:
    tops = ((10, "pilot"), (14, "weapons"), (18, "drive"), (20, "engine"))
    places = [Location(top, name, {"en": name, "it": name}, ps, av) for top, name in tops]  # type: ignore[arg-type]
    return Vehicle(kind=kind, pa=pa, front=front, rear=rear, locations=tuple(places))  # type: ignore[arg-type]


def squad(
    count: int = 1,
    side: int = 0,
    at: tuple[float, float] | Sequence[tuple[float, float]] = (24.0, 10.0),
    facing: float | None = None,
    marks: dict[str, int] | None = None,
    models: dict[str, int] | None = None,
    of: Sequence[dict[str, Any]] = (),
    z: float | None = None,
    **changes: Any,
) -> Squad:
    """``of``: what is different of the first models, one after another. ``models``: marks of each model."""
    places: Any = at if not isinstance(at[0], float | int) else [(at[0] + APART * k, at[1]) for k in range(count)]
    own = [*of, *({} for _ in range(len(places) - len(of)))]
    profiles = [profile(**{**changes, **one}) for one in own]
    facing = (180.0 if side else 0.0) if facing is None else facing
    return Squad(profiles, side, places, facing, dict(marks or {}), dict(models or {}), z)


def table(*squads: Squad, pieces: Iterable[Piece] = (), options: dict[str, Any] | None = None, **now: Any) -> Position:
    """A position in the first turn; side 0 has the south edge, side 1 the north."""
    position = Position(load_ruleset("wzr").with_options(options or {}), Ground(48.0, 48.0, tuple(pieces)))
    position.now.update(
        {"turn": 1, "round": 1, "phase": "activation", "activation": 1, "first": 0, "initiative": 0, "last": -1}
    )
    position.now.update(now)
    for one in squads:
        put(position, one)
    position.declare(marks.LOSSES_BEFORE, 0)
    position.journal = Journal()
    return position


def put(position: Position, one: Squad) -> Unit:
    unit = position.add_unit(f"Squad {len(position.unit_names) + 1}", one.side)
    for k, (kind, at) in enumerate(zip(one.profiles, one.places, strict=True)):
        model = position.add_model(f"{kind.title['en']} {len(position.names) + 1}", kind, one.side, unit, RESERVE)
        model.move_to(*at, z=one.z, facing=one.facing)
        model.mark(marks.COMMANDER, int(k == 0), quietly=True)
        for name, value in one.models.items():
            model.mark(name, value, quietly=True)
    unit.mark(marks.START, len(one.profiles))
    unit.mark(marks.AT_ACTIVATION, len(one.profiles))
    for name, value in one.marks.items():
        unit.mark(name, value)
    return unit


def resources(position: Position, side: int, cards: int) -> None:
    """So many Resource cards lie ready."""
    position.gain(side, marks.RESOURCES, cards)


def piece(
    at: tuple[float, float],
    size: tuple[float, float] = (4.0, 4.0),
    tags: Iterable[str] = ("light",),
    height: float = 0.0,
    floors: Iterable[float] = (),
    name: str = "piece",
    kind: str = "area",
) -> Piece:
    """A rectangle whose lower left corner is ``at``; ``floors``: the heights at which one can stand all over it."""
    outline = rectangle(at[0] + size[0] / 2, at[1] + size[1] / 2, *size)
    return Piece(name, kind, outline, height, 0.0, tuple(Floor(outline, z) for z in floors), tuple(tags))


def unit(position: Position, row: int) -> Unit:
    return Unit(position, row)


def finish(position: Position, dice: str = "", answers: Iterable[Any] = (), accepting: bool = False) -> Played:
    """Do all that is in hand."""
    return play(run_all(position, PROCEDURES), dice, answers, position, accepting)


__all__ = ["PROPOSAL", "Played", "Squad", "finish", "first_question", "piece", "play", "put", "question_after"]
