"""Answers and options in few words, and the models that they are about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from campale.referee.handles import Model
from campale.referee.lawful import is_passing
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller, is_point
from campale.screen.shown import XY

Vector = tuple[float, float]


FEW = 2
"""The most models named one by one."""

AIMED_AT = frozenset({"target", "targets", "at", "victim", "defender", "defenders", "on", "under", "ward", "smitten"})
"""The fields of a question or an option that name its targets."""


# ---------------------------------------------------------------- answers in few words


def summary(question: Question, answer: Plain, position: Position, teller: Teller) -> str:
    """An answer in few words: for many models how far they go and roughly where they stand, for a form its acts."""
    if isinstance(question, Form) and isinstance(answer, list | tuple):
        return what_is_done(question, answer, position, teller)
    rows = question.about.get("models", ())
    if len(rows) <= FEW or not isinstance(answer, list) or question.kind not in ("move", "place"):
        return teller.answer(question, answer)
    models = [position.model(row) for row in rows]
    ends = [end_of(model, one) for model, one in zip(models, answer, strict=True)]
    if question.kind == "move" and all(not one[0] for one in answer):
        return teller.words.say("whole-stays", unit=teller.several(rows), count=len(rows))
    x, y = middle(ends)
    told = {"unit": teller.several(rows), "count": len(rows), "x": teller.words.shown(x), "y": teller.words.shown(y)}
    if question.kind == "place":
        return teller.words.say("whole-place", **told)
    far = max(math.dist(model.at, end) for model, end in zip(models, ends, strict=True))
    return teller.words.say("whole-move", far=teller.far(round(far, 1)), **told)


def what_is_done(form: Form, answers: Sequence[Plain], position: Position, teller: Teller) -> str:
    """The fields with an answer other than doing nothing."""
    fields = [(field, one) for place, one in enumerate(answers) if (field := form.field(answers[:place])) is not None]
    done = [(field, one) for field, one in fields if not (isinstance(field, Choose) and is_passing(one))]
    return "; ".join(
        f"{teller.question(field).removesuffix('?')}: {summary(field, one, position, teller)}"
        for field, one in done or fields[:1]
    )


def end_of(model: Model, answer: Sequence[Any]) -> Vector:
    """Where a model ends: at the end of its way, or at its place."""
    if isinstance(answer[0], list | tuple):
        return (answer[0][-1][0], answer[0][-1][1]) if answer[0] else model.at
    return answer[0], answer[1]


def middle(points: Iterable[Sequence[float]]) -> Vector:
    """The middle of some points, to a tenth."""
    found = list(points)
    x, y = (round(sum(point[k] for point in found) / len(found), 1) for k in (0, 1))
    return x, y


def gap_told(question: Question, key: Plain, position: Position, teller: Teller) -> str:
    """How far an option's unit is from its target, as the ruleset measures."""
    ruleset = position.ruleset
    if ruleset.parts is None or ruleset.measure is None or not isinstance(key, list | tuple):
        return ""
    parts = ruleset.parts(position.profiles, question, key) or {}
    own, others = (standing_of(position, parts.get(name)) for name in ("unit", "target"))
    if not own or not others:
        return ""
    one, other = min(((a, b) for a in own for b in others), key=lambda pair: math.dist(pair[0].at, pair[1].at))
    measured = ruleset.measure(one, other).get("distance", 0)
    return f"  ({teller.far(float(measured))})"


def standing_of(position: Position, unit: Plain) -> list[Model]:
    return [model for model in position.on_table() if position.unit_of[model.row] == unit]


# ---------------------------------------------------------------- the models concerned


class Marked(NamedTuple):
    """Who does something, to whom, and where."""

    actors: list[int]
    targets: list[int]
    at: XY | None = None


Aim = tuple[list[int], list[int]]
"""The acting models and their targets."""


class Marker:
    """Finds the models that the fields of a question and its options are about."""

    def __init__(self, position: Position, teller: Teller) -> None:
        self.position, self.teller = position, teller
        self.rows: dict[int, list[int]] = {}
        for model in position.on_table():
            self.rows.setdefault(position.unit_of[model.row], []).append(model.row)

    def of_fields(self, fields: Mapping[str, Plain]) -> Marked:
        actors: list[int] = []
        targets: list[int] = []
        for field, value in fields.items():
            kind = next((kind for kind in ("unit", "model") if field in self.teller.fields[kind]), "")
            (targets if field in AIMED_AT else actors).extend(self.of_kind(kind, value))
        return Marked(distinct(actors), distinct(targets))

    def of_kind(self, kind: str, value: Plain) -> list[int]:
        """The rows of models that a value of a kind stands for."""
        numbers = value if isinstance(value, list | tuple) else [value]
        whole = [one for one in numbers if isinstance(one, int) and not isinstance(one, bool) and one >= 0]
        if kind == "unit":
            return [row for one in whole for row in self.rows.get(one, ())]
        return [one for one in whole if one < len(self.position.names)] if kind == "model" else []

    def of_option(self, question: Any, key: Plain) -> Marked:
        """The models of an option: by the parts that the ruleset names, or else by the kind of its keys."""
        parts = self.position.ruleset.parts
        named = parts(self.position.profiles, question, key) if parts is not None else None
        if named is not None:
            return self.of_fields(named)
        of = self.teller.words.messages.get(f"alias.{question.of}", question.of)
        if of == "piece" and isinstance(key, str) and self.position.ground.has(key):
            return Marked([], [], middle(self.position.ground.piece(key).outline))
        if is_point(key):
            return Marked([], [], (float(key[0]), float(key[1])))
        rows = self.of_kind(of, key)
        own = [row for row in rows if self.position.side_of[row] == question.side]
        return Marked(own, [row for row in rows if row not in own])


def aimed(question: Question, answer: Plain, marker: Marker) -> list[Aim]:
    """The actors and targets of an answer, for a form by each of its fields; a passing model has no target."""
    if isinstance(question, Form) and isinstance(answer, list | tuple):
        within = [(question.field(answer[:place]), one) for place, one in enumerate(answer)]
        return [aim for field, one in within if field is not None for aim in aimed(field, one, marker)]
    if not isinstance(question, Choose) or is_passing(answer):
        return []
    about, chosen = marker.of_fields(question.about), marker.of_option(question, answer)
    actors, targets = chosen.actors or about.actors, chosen.targets or about.targets
    return [(actors, targets)] if actors and targets else []


def distinct(rows: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(rows))
