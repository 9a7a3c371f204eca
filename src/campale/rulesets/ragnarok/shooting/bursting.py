"""Blasts as they are drawn: the centre, the radius, and the models hit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campale.referee.looks import Laid
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.ragnarok.shooting.fire import under_blast
from campale.table.shapes import Point

POINT = "throw-point"
AT = (POINT, "throw-at", "target")


def laid(position: Position, question: Question, answer: Plain) -> Laid | None:
    """Return the blast of a weapon (``about["blast"]``) at a model or a point."""
    radius = question.about.get("blast")
    if question.prompt not in AT or not isinstance(radius, int | float) or not radius:
        return None
    if question.prompt == POINT:
        return burst(position, (answer[0], answer[1]), radius) if isinstance(answer, list | tuple) else None
    return burst(position, position.model(answer).at, radius) if isinstance(answer, int) else None


def burst(position: Position, centre: Point, radius: float) -> Laid:
    """Return the blast with all models that it hits."""
    return Laid(centre, float(radius), (), tuple(model.row for _, model in under_blast(position, centre, radius)))


def landed(kind: str, values: Mapping[str, Any]) -> Laid | None:
    if kind != "blast":
        return None
    return Laid((values["x"], values["y"]), float(values["radius"]), (), tuple(values["under"]))
