"""The two tables that an experiment gives: a row for each battle, and a row for each unit of each battle.

``BattleRow`` and ``UnitRow`` say of every column what it means and in which unit; the Parquet files are made of them,
with the same words in the metadata of every field. Rows stand in the order of their numbers. Every column but
``seconds`` is the same whatever played the battles, however often it was broken off: compare tables without it.

A *variant* is one set-up of what is compared (number 0 is what the others are compared with). A *pair* is a seed on a
scene (mission, layout, size): every variant plays every pair twice, ``first`` once on side 0 and once on side 1.
"""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Annotated, Any

import msgspec

FORMAT = "campale-lab/1"
BATTLES, UNITS = "battles.parquet", "units.parquet"
TIMES = ("seconds",)
"""The columns of battles.parquet that depend on the machine."""


def of(meaning: str, unit: str = "") -> msgspec.Meta:
    return msgspec.Meta(description=meaning, extra={"unit": unit})


class BattleRow(msgspec.Struct, array_like=True, frozen=True, kw_only=True):
    """A battle."""

    number: Annotated[int, of("The number of the battle in the experiment, from 0.")]
    pair: Annotated[int, of("The seed and scene, from 0: rows of the same pair are compared with each other.")]
    variant: Annotated[int, of("The number of the variant, from 0; 0 is the one that others are compared with.")]
    label: Annotated[str, of("What is varied, and how, as text; empty if nothing is.")]
    seat: Annotated[int, of("The side (0 or 1) that `first` had; `second` had the other.")]
    seed: Annotated[str, of("The seed of the dice and of both players.")]
    campale: Annotated[str, of("The version of Campale.")]
    ruleset: Annotated[str, of("The short name of the book.")]
    rules_hash: Annotated[str, of("The hash over every file of the book.")]
    options: Annotated[str, of("The options that were chosen, as JSON with sorted keys.")]
    agreed: Annotated[str, of("What else was agreed on, as JSON with sorted keys.")]
    mission: Annotated[str, of("The mission agreed on; empty if the battle itself settles it.")]
    layout: Annotated[str, of("The layout of the table; empty if the book has none.")]
    size: Annotated[int | None, of("The size of the battle, as the book counts it.", "points")]
    first_force: Annotated[str, of("The name of first's force.")]
    second_force: Annotated[str, of("The name of second's force.")]
    first_hash: Annotated[str, of("The hash of first's force as it was fielded.")]
    second_hash: Annotated[str, of("The hash of second's force as it was fielded.")]
    first_player: Annotated[str, of("Who played first: the name, with parameters if there are any.")]
    second_player: Annotated[str, of("Who played second.")]
    winner: Annotated[str, of("`first`, `second`, `draw`; `stalled` (broken off at the cap), `failed` (see `fault`).")]
    score: Annotated[float | None, of("First's: 1 won, 0.5 drawn, 0 lost; null if stalled or failed.", "battles")]
    winning_side: Annotated[int | None, of("The side (0 or 1) that won; null if none did.")]
    starting_side: Annotated[int | None, of("The side that had the first turn; null if nobody had it.")]
    ended_by: Annotated[str, of("The rule that ended the battle; empty if stalled or failed.")]
    rounds: Annotated[int | None, of("In which game turn the battle ended, both sides' turns being one.", "rounds")]
    first_score: Annotated[float | None, of("First's score by the mission.", "mission points")]
    second_score: Annotated[float | None, of("Second's score by the mission.", "mission points")]
    first_points: Annotated[float | None, of("What first's force was worth.", "points")]
    second_points: Annotated[float | None, of("What second's force was worth.", "points")]
    first_left: Annotated[float | None, of("What was left of first's force: the models not lost.", "points")]
    second_left: Annotated[float | None, of("What was left of second's force.", "points")]
    decisions: Annotated[int, of("Questions that players answered.", "answers")]
    rolls: Annotated[int, of("Handfuls of dice, directions and draws.", "rolls")]
    final_hash: Annotated[str, of("The hash of the last position: a replay of the row must come to the same.")]
    fault: Annotated[str, of("What broke down, in words; empty unless failed.")]
    record: Annotated[bytes | None, of("The answers, packed, of players who would not give the same ones again.")]
    seconds: Annotated[float, of("How long the battle took; depends on the machine.", "s")]


class UnitRow(msgspec.Struct, array_like=True, frozen=True, kw_only=True):
    """A unit in a battle. Damage is counted gross (what is healed again counts), in wounds and in points.

    A wound is worth its share of the model's points; a model lost takes with it whatever was left of it.
    """

    number: Annotated[int, of("The number of the battle.")]
    pair: Annotated[int, of("As in the table of battles.")]
    variant: Annotated[int, of("As in the table of battles.")]
    side: Annotated[int, of("0 or 1.")]
    owner: Annotated[str, of("`first` or `second`.")]
    unit: Annotated[int, of("Its number in the force, from 0; those that came during the battle follow.")]
    name: Annotated[str, of("Its title in English.")]
    kind: Annotated[str, of("A hash of its models' profiles: units of one kind are alike in everything.")]
    bought: Annotated[bool, of("Whether it was in the force; false for what came during the battle.")]
    models: Annotated[int, of("How many models it had.", "models")]
    models_left: Annotated[int, of("How many were not lost.", "models")]
    points: Annotated[float, of("What its models cost.", "points")]
    points_left: Annotated[float, of("What the models not lost cost.", "points")]
    wounds_dealt: Annotated[float, of("Wounds (structure points, …) it took from the enemy.", "wounds")]
    wounds_taken: Annotated[float, of("Wounds it lost, by whatever cause.", "wounds")]
    points_dealt: Annotated[float, of("The same damage in the points of the enemy models.", "points")]
    points_taken: Annotated[float, of("The same damage in the points of its own models.", "points")]
    lost_in: Annotated[int | None, of("The round in which its last model was lost; null if some were left.", "rounds")]
    objectives: Annotated[int, of("Objectives, or whatever its side held, that it stood on at the end.", "places")]
    rounds_held: Annotated[int, of("At the end of how many rounds it stood on at least one of these.", "rounds")] = 0


Row = BattleRow | UnitRow
TYPES = {int: "int64", float: "float64", str: "string", bool: "bool_", bytes: "binary"}


class Column(typing.NamedTuple):
    """A column: its type, whether it may be null, what it means, in which unit."""

    name: str
    type: type
    is_nullable: bool
    meaning: str
    unit: str


def columns(row: type[Row]) -> list[Column]:
    """The columns of a table, in order."""
    hints = typing.get_type_hints(row, include_extras=True)
    return [column_of(name, hints[name]) for name in row.__struct_fields__]


def column_of(name: str, hint: Any) -> Column:
    kind, meta = typing.get_args(hint)
    options = typing.get_args(kind)
    plain = next((one for one in options if one is not type(None)), kind)
    return Column(name, plain, bool(options), meta.description, meta.extra["unit"])


def parquet_schema(row: type[Row], about: dict[str, str] | None = None) -> Any:
    """The ``pyarrow.Schema`` of a table, with the meaning of each field and with ``about`` in its metadata."""
    import pyarrow as pa

    fields = [
        pa.field(one.name, getattr(pa, TYPES[one.type])(), one.is_nullable, {"meaning": one.meaning, "unit": one.unit})
        for one in columns(row)
    ]
    return pa.schema(fields, {"format": FORMAT, **(about or {})})


def as_table(rows: list[Any], row: type[Row], about: dict[str, str] | None = None) -> Any:
    """A ``pyarrow.Table`` of rows."""
    import pyarrow as pa

    schema = parquet_schema(row, about)
    values = {name: [getattr(one, name) for one in rows] for name in row.__struct_fields__}
    return pa.Table.from_pydict(values, schema)


def read_tables(folder: Path) -> tuple[Any, Any]:
    """The tables of battles and of units of an experiment's folder, as ``pyarrow.Table``."""
    import pyarrow.parquet as pq

    return pq.read_table(folder / BATTLES), pq.read_table(folder / UNITS)
