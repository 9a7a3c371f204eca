"""What may stand in an experiment file, and its JSON Schema.

``docs/en/laboratory.md`` explains it for people. ``first`` is the army examined, ``second`` its opponent. The
comparison stands under ``vary``: a path into the file and the values to put there, each plain or as ``{label: ...,
value: ...}``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from campale.lab.errors import say
from campale.referee.reading import FileError, Written, read, read_file, shaped

SCHEMA = Path(__file__).parent / "experiment.schema.json"
MOST_BATTLES = 10_000_000
MOST_ANSWERS = 200_000

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Text = Annotated[str, msgspec.Meta(max_length=400)]
Battles = Annotated[int, msgspec.Meta(ge=2, le=MOST_BATTLES, multiple_of=2)]
Route = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Values = Annotated[tuple[Any, ...], msgspec.Meta(min_length=1, max_length=200)]
Width = Annotated[float, msgspec.Meta(ge=0.001, le=0.5)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of an experiment file; keys that it does not know are refused."""


class Contender(Part, frozen=True):
    """``force``: a name of those that come with the book, ``{file: ...}`` beside this file, or a force written out.

    ``player``: a name, or ``{name: ..., parameter: value}``.
    """

    force: Word | dict[str, Any]
    player: Word | dict[str, Any] = "greedy"


class Precision(Part, frozen=True):
    """Play until the 95 % intervals of all variants are this narrow, looked at after every batch.

    ``of``: first's score, or its difference from variant 0's (which needs something that is varied). ``batch``,
    ``least`` and ``most`` are battles of each variant.
    """

    half_width: Width
    of: Literal["score", "difference"]
    most: Battles
    batch: Battles = 40
    least: Battles = 80


class Experiment(Part, frozen=True):
    """A whole file. ``battles`` are those of each variant; either they or a ``precision`` must be given."""

    campale: Literal["experiment/1"]
    ruleset: Word
    first: Contender
    second: Contender
    title: Text | dict[str, Text] = ""
    options: dict[str, Any] = {}
    agreed: dict[str, Any] = {}
    missions: Values | None = None
    layouts: Values | None = None
    sizes: Values | None = None
    vary: dict[Route, Values] = {}
    together: dict[Route, Values] = {}
    battles: Battles | None = None
    precision: Precision | None = None
    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=80)] | int = "1"
    most_answers: Annotated[int, msgspec.Meta(ge=1, le=MOST_ANSWERS)] = 20_000


def schema() -> dict[str, Any]:
    """The JSON Schema of experiment files."""
    made = {**msgspec.json.schema(Experiment), "title": "Campale experiment"}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(made))
    return plain


def read_experiment(path: Path) -> tuple[Experiment, Written]:
    """The file, with the line of every part. Raises FileError."""
    return sound(*read_file(path, Experiment, SCHEMA))


def experiment_in(source: str, name: str) -> tuple[Experiment, Written]:
    """The same of a file's text. Raises FileError."""
    return sound(*shaped(read(source, name), Experiment, SCHEMA))


def sound(experiment: Experiment, written: Written) -> tuple[Experiment, Written]:
    """What no schema says. Raises FileError."""
    if (experiment.battles is None) == (experiment.precision is None):
        raise FileError(say("at", at=written.where(()), what=say("battles")))
    precision = experiment.precision
    if precision is not None and precision.least > precision.most:
        raise FileError(say("at", at=written.where(("precision", "least")), what=say("least")))
    if precision is not None and precision.of == "difference" and not (experiment.vary or experiment.together):
        raise FileError(say("at", at=written.where(("precision", "of")), what=say("no-difference")))
    return experiment, written
