"""What the chapter tests of the 10th edition are written with: small positions with squads in rows.

    red, blue = squad("line-squad", 5, at=(20, 10)), squad("walker", side=1, at=(20, 20))
    position = table(red, blue, phase="shooting")

Models of a squad stand side by side from ``at`` on, 1.5 inches apart. Side 0 has the south edge, side 1 the north.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, refusal_of
from campale.referee.chance import Roll
from campale.referee.journal import Journal
from campale.referee.position import RESERVE, Model, Position, Token, Unit
from campale.referee.refusal import Refusal
from campale.referee.ruleset import load_ruleset
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.armies.profile import Line, Profile, Weapon
from campale.rulesets.w10.armies.staging import prepare, profile
from campale.rulesets.w10.attack.values import Attack, Shots
from campale.rulesets.w10.basics.attached import attach
from campale.rulesets.w10.basics.markers import OBJECTIVE
from campale.rulesets.w10.battle.layouts import feature
from campale.rulesets.w10.shooting.eligible import Gun, guns_of
from campale.rulesets.w10.shooting.targets import shots_of
from campale.table.terrain import Ground, Piece
from tests.rulesets.played import PROPOSAL, Played, first_question, play, question_after

APART = 1.5


def ability(**plain: Any) -> dict[str, Ability]:
    """The rules of a profile with one ability, the bearer's own if nothing else is said."""
    return {"it": msgspec.convert({"title": {"en": "A", "it": "A"}, **plain}, Ability)}


@dataclass
class Squad:
    """A unit to be put on a table."""

    profiles: list[Profile]
    side: int
    places: Sequence[tuple[float, float]]
    marks: dict[str, int] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=dict)
    leads: int | None = None
    where: str = "table"


def gun(id: str = "gun", **line: Any) -> Weapon:
    """A weapon with one profile: range 24, one attack, skill 3+, Strength 4 unless told otherwise."""
    plain = {"a": "1", "s": 4, "skill": 3, "range": 24.0, **line}
    return Weapon(id, {"en": id, "it": id}, (Line(**plain),))


def blade(id: str = "blade", **line: Any) -> Weapon:
    return gun(id, **{"range": None, **line})


def squad(
    name: str,
    count: int = 1,
    side: int = 0,
    at: tuple[float, float] | Sequence[tuple[float, float]] = (30.0, 10.0),
    marks: dict[str, int] | None = None,
    models: dict[str, int] | None = None,
    leads: int | None = None,
    where: str = "table",
    last: Sequence[Weapon] | None = None,
    **changes: Any,
) -> Squad:
    """``at``: the first place, or all. ``models``: marks of each model. ``leads``: the row of the unit that it joins.

    ``last``: the weapons of the last model. ``changes``: fields of the profile, its weapons among them.
    """
    basic = replace(profile({"profile": name}), **changes)
    places: Any = at if not isinstance(at[0], float | int) else [(at[0] + APART * k, at[1]) for k in range(count)]
    profiles = [basic] * len(places)
    if last is not None:
        profiles[-1] = replace(basic, weapons=tuple(last))
    return Squad(profiles, side, places, dict(marks or {}), dict(models or {}), leads, where)


def table(
    *squads: Squad,
    pieces: Iterable[Piece] = (),
    markers: Iterable[tuple[float, float]] = (),
    options: dict[str, Any] | None = None,
    **now: Any,
) -> Position:
    """A position in the second round, in the Shooting phase of side 0 unless told otherwise."""
    ruleset = load_ruleset("w10").with_options(options or {})
    position = Position(ruleset, Ground(60.0, 44.0, tuple(pieces)))
    position.now.update(now)
    for one in squads:
        put(position, one)
    for x, y in markers:
        position.lay(Token(OBJECTIVE, x, y))
    prepare(position)
    for row, one in enumerate(squads):
        if one.leads is not None:
            attach(unit(position, row), unit(position, one.leads))
    position.journal = Journal()
    return position


def put(position: Position, one: Squad) -> None:
    unit = position.add_unit(f"{one.profiles[0].title['en']} {len(position.unit_names)}", one.side)
    for kind, at in zip(one.profiles, one.places, strict=True):
        model = position.add_model(kind.title["en"], kind, one.side, unit, RESERVE)
        if one.where == "table":
            model.move_to(*at, facing=0.0)
        for name, value in one.models.items():
            model.mark(name, value)
    for name, value in one.marks.items():
        unit.mark(name, value)
    unit.mark("start", len(one.profiles))


def unit(position: Position, row: int) -> Unit:
    return Unit(position, row)


def model(position: Position, row: int) -> Model:
    return position.model(row)


def piece(kind: str, x: float, y: float, size: tuple[float, float] | None = None, turn: float = 0.0) -> Piece:
    return feature(kind, (x, y), turn, f"{kind}-{x:g}-{y:g}", size)


def left(position: Position, row: int) -> int:
    """How many models of a unit are on the table."""
    return sum(m.is_on_table and position.unit_of[m.row] == row for m in position.models)


def wounds(position: Position, row: int) -> int:
    """How many wounds a model has lost."""
    return position.model(row).marks("wounds")


def guns(position: Position, row: int) -> list[Gun]:
    return guns_of(unit(position, row))


def shots(position: Position, row: int, target: int, only: Iterable[str] = ()) -> list[Shots]:
    """All the guns of a unit at a target; ``only``: the weapons of these ids."""
    wanted = set(only)
    chosen = [one for one in guns(position, row) if not wanted or one.carried.id in wanted]
    return [shots_of(one, unit(position, target)) for one in chosen]


def attack(line: Line, **fields: Any) -> Attack:
    """An attack of a weapon profile against Toughness 4."""
    plain: dict[str, Any] = {
        "target": 1,
        "near": False,
        "parts": (),
        "covered": False,
        "toughness": 4,
        "critical": 6,
        "charged": False,
        "by": 0,
    }
    return Attack(line, **{**plain, **fields})


def refusal(position: Position, row: int, movement: Movement, ways: dict[int, Any]) -> Refusal | None:
    """Why a unit may not move so: by the row of a model its points, or its one end; the others stay."""
    models = [m for m in position.on_table() if m.unit.row == row]
    answer = [[points_of(ways[m.row]) if m.row in ways else [], None] for m in models]
    return refusal_of(UnitMove(unit(position, row), as_paths(models, answer, movement.reads), movement))


def handfuls(played: Played, why: str) -> list[Roll]:
    """The handfuls of dice that were rolled for something."""
    return [question for question in played.questions if isinstance(question, Roll) and question.prompt == why]


def points_of(way: Any) -> list[Any]:
    return [list(way)] if isinstance(way[0], float | int) else [list(point) for point in way]


def why(position: Position, row: int, movement: Movement, ways: dict[int, Any]) -> str | None:
    """The rule that forbids a move, None if it is allowed."""
    found = refusal(position, row, movement, ways)
    return None if found is None else found.rule


__all__ = [
    "PROPOSAL",
    "Played",
    "attack",
    "blade",
    "first_question",
    "gun",
    "guns",
    "handfuls",
    "left",
    "model",
    "piece",
    "play",
    "question_after",
    "refusal",
    "shots",
    "squad",
    "table",
    "unit",
    "why",
    "wounds",
]
