"""What may stand in a scenario file: the parts of its format, and their JSON Schema.

``docs/en/scenarios.md`` tells the same to people. In free values (notes, what is declared, answers)
a model is named by its id.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

SCHEMA = Path(__file__).parent / "scenario.schema.json"
LARGEST = 100_000
"""No number in a file lies farther from 0."""

SideNumber = Annotated[int, msgspec.Meta(ge=1, le=2)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
ModelId = Annotated[str, msgspec.Meta(max_length=60, pattern=r"^[A-ZÀ-Þ]")]
"""It begins with a capital letter, so that it is never taken for a word of the rules."""
Count = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]
Counts = dict[str, Count]
Length = Annotated[float, msgspec.Meta(ge=-1000, le=1000)]
Size = Annotated[float, msgspec.Meta(ge=10, le=400)]
Spot = Annotated[tuple[Length, ...], msgspec.Meta(min_length=2, max_length=3)]
"""x and y, with z where it is not that of the ground."""
Snapped = Annotated[tuple[Length, ...], msgspec.Meta(min_length=3, max_length=4)]
"""x, y, facing, and z where it is not 0."""
Told = Annotated[str, msgspec.Meta(max_length=600)] | dict[str, Annotated[str, msgspec.Meta(max_length=600)]]
"""A text, or one for each language."""
Sides = Annotated[str, msgspec.Meta(pattern=r"^[12]$")]
Where = Annotated[str, msgspec.Meta(pattern=r"^(table|reserve|fallen|gone|aboard .+)$")]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a scenario file; keys that it does not know are refused."""


# ---------------------------------------------------------------- how the battle stands


class TableSpec(Part, frozen=True):
    """The size of the table, and what lies on it: pieces in the ruleset's own terms, or prisms by their outline."""

    width: Size | None = None
    depth: Size | None = None
    pieces: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=100)] = ()


class ModelSpec(Part, frozen=True):
    """A model: its profile in the ruleset's own terms, where it is, and its marks and notes.

    ``count``: so many alike, a ``step`` apart, called by the id and a number from 1; their unit has the id's name.
    """

    id: ModelId
    profile: Word | dict[str, Any]
    side: SideNumber = 1
    at: Spot | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=200)] | None = None
    step: tuple[Length, Length] = (0.0, 0.0)
    facing: Length | None = None
    where: Where = "table"
    unit: Word | None = None
    bought_with: Word | None = None
    marks: Counts = {}
    notes: dict[str, Any] = {}


class UnitSpec(Part, frozen=True):
    """Marks and notes of a unit; a mark that means a unit is given by the name of that unit.

    ``side``: the unit is there before the models, whether it has any or not; such units come in the file's order.
    """

    marks: dict[str, Count | Word] = {}
    notes: dict[str, Any] = {}
    side: SideNumber | None = None


class SideSpec(Part, frozen=True):
    """What a side holds: pools of points, and things (cards, an edge) under a name."""

    pools: Counts = {}
    holds: dict[str, tuple[Any, ...]] = {}


class EffectSpec(Part, frozen=True):
    """Something that holds for a while: the rule it comes from, on whom, from whom, until when, how much."""

    rule: Word
    bearer: Word
    source: Word | None = None
    until: str = ""
    value: Any = None
    on: Literal["model", "unit", "side", "battle"] | None = None
    """What bears it: a model, a unit (a model without it, where both are called the same), side 1 or 2, all (0)."""


class LossSpec(Part, frozen=True):
    """A model lost: how, to whom, and when."""

    model: Word
    cause: Word
    by: Word | None = None
    moment: tuple[Any, ...] = ()


class TokenSpec(Part, frozen=True):
    kind: Word
    at: Spot
    side: SideNumber | None = None
    value: Any = None


# ---------------------------------------------------------------- what must hold


class Asked(Part, frozen=True):
    """The question that is open: of which side, which one, and what its description says (``about``)."""

    side: SideNumber | Literal["both"] | None = None
    prompt: str = ""
    kind: str = ""
    about: dict[str, Any] = {}


class Offers(Part, frozen=True):
    """The choices that a question must have and must not have; of a form, those of the field after ``filled``."""

    filled: tuple[Any, ...] = ()
    has: tuple[Any, ...] = ()
    lacks: tuple[Any, ...] = ()
    only: tuple[Any, ...] | None = None


class PieceExpected(Part, frozen=True):
    """A piece that must lie on the table: its kind, and some of its tags."""

    kind: Word | None = None
    tags: tuple[Word, ...] = ()


class ModelExpected(Part, frozen=True):
    """``near``: x, y, and how far from there its middle may be at most."""

    at: tuple[Length, Length] | None = None
    near: tuple[Length, Length, Length] | None = None
    facing: Length | None = None
    where: Where | None = None
    unit: Word | None = None
    points: int | None = None
    marks: Counts = {}
    notes: dict[str, Any] = {}


class Rolled(Part, frozen=True):
    """A handful of dice that must have been rolled; ``parts`` are all the modifiers, by their rules; ``faces`` all that
    they showed, in order.
    """

    why: Word
    side: SideNumber | None = None
    count: int | None = None
    number: int | None = None
    parts: dict[str, float] | None = None
    faces: tuple[int, ...] | None = None
    about: dict[str, Any] = {}


class Happened(Part, frozen=True):
    """An event with some of its values."""

    event: Word
    values: dict[str, Any] = {}


class Expect(Part, frozen=True):
    """What must hold at this moment; of rules, events and dice: since the step before, or in the whole battle."""

    asked: Asked | Literal["nobody"] | None = None
    offers: tuple[Offers, ...] = ()
    models: dict[str, ModelExpected] = {}
    units: dict[str, UnitSpec] = {}
    pools: dict[Sides, Counts] = {}
    holds: dict[Sides, dict[str, tuple[Any, ...]]] = {}
    now: dict[str, Any] = {}
    declared: dict[str, Any] = {}
    effects: tuple[EffectSpec, ...] = ()
    effects_not: tuple[EffectSpec, ...] = ()
    losses: tuple[LossSpec, ...] | None = None
    tokens: tuple[TokenSpec, ...] | None = None
    cites: tuple[Word, ...] = ()
    cites_not: tuple[Word, ...] = ()
    events: tuple[Word | Happened, ...] = ()
    events_not: tuple[Word | Happened, ...] = ()
    rolls: tuple[Rolled, ...] = ()
    rolls_exactly: tuple[Rolled, ...] | None = None
    """These rolls in this order, and no others."""
    rolls_not: tuple[Word, ...] = ()
    pieces: dict[Word, PieceExpected] = {}
    pieces_not: tuple[Word, ...] = ()
    reserves: dict[Sides, tuple[Word, ...]] = {}
    """All the units that a side has in reserve, by name, in any order."""
    winner: SideNumber | Literal["nobody"] | None = None
    ended_by: Word | None = None
    dice_left: int | None = None


# ---------------------------------------------------------------- what is done


class Refused(Part, frozen=True):
    """An answer that must be refused, by which rule, and with which numbers."""

    answer: Any
    rule: str | None = None
    word: str | None = None
    measured: float | None = None
    limit: float | None = None
    model: Word | None = None


class Until(Part, frozen=True):
    """How far play goes on by itself: to a question of a side (1 or 2), or a phase, or a turn."""

    side: SideNumber | None = None
    prompt: str = ""
    phase: str = ""
    turn: int | None = None


class Step(Part, frozen=True):
    """One moment of play: how far it goes on by itself, a try that is refused, an answer, an act on the battle itself,
    a look at what holds; and whether play stops here.
    """

    by: SideNumber = 1
    until: Until | None = None
    refused: Refused | tuple[Refused, ...] = ()
    answer: Any = msgspec.UNSET
    act: Literal["accept", "undo", "concede", "doubt"] | None = None
    expect: Expect | None = None
    stop: bool = False


# ---------------------------------------------------------------- a puzzle


class Goal(Part, frozen=True):
    """What makes a puzzle of a scenario: what ``side`` is to bring about, by when, against whom, with which dice.

    It is solved as soon as ``expect`` holds, or with ``at_end`` if it holds when the end comes; it has failed if that
    does not. The end is a moment (``until``), that ``side`` has given so many ``answers``, or that of the battle.
    """

    text: Told
    expect: Expect
    side: SideNumber = 1
    until: Until | None = None
    answers: Annotated[int, msgspec.Meta(ge=1, le=400)] | None = None
    at_end: bool = False
    hints: Annotated[tuple[Told, ...], msgspec.Meta(max_length=6)] = ()
    rival: Literal["script", "random"] = "script"
    seed: Word = "1"


class Scenario(Part, frozen=True):
    """A whole file. With a ``goal`` it is a puzzle, and ``solution`` are the steps that solve it.

    ``profiles``: told by all their fields, for models to name. ``whole``: nothing usual is added, but to units of
    which ``units`` does not say the side.
    """

    campale: Literal["scenario/1"]
    ruleset: Word
    title: str | dict[str, str]
    models: Annotated[tuple[ModelSpec, ...], msgspec.Meta(min_length=1, max_length=200)]
    rules: tuple[Word, ...] = ()
    options: dict[str, Any] = {}
    table: TableSpec = TableSpec()
    weapons: dict[Word, dict[str, Any]] = {}
    profiles: dict[Word, dict[str, Any]] = {}
    whole: bool = False
    units: dict[str, UnitSpec] = {}
    sides: dict[Sides, SideSpec] = {}
    now: dict[str, Any] = {}
    declared: dict[str, Any] = {}
    effects: tuple[EffectSpec, ...] = ()
    losses: tuple[LossSpec, ...] = ()
    tokens: tuple[TokenSpec, ...] = ()
    snapshots: dict[str, dict[str, Snapped]] = {}
    dice: Annotated[str, msgspec.Meta(max_length=8000)] | tuple[float, ...] = ""
    play: Annotated[tuple[Step, ...], msgspec.Meta(max_length=400)] = ()
    expect: Expect = Expect()
    goal: Goal | None = None
    solution: Annotated[tuple[Step, ...], msgspec.Meta(max_length=400)] = ()


def schema() -> dict[str, Any]:
    """The JSON Schema of scenario files."""
    made = {**msgspec.json.schema(Scenario), "title": "Campale scenario"}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(made))
    return plain
