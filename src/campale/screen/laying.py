"""Templates and markers: what an answer would lay on the table, and what an event has laid there."""

from __future__ import annotations

from collections.abc import Iterable

from campale.referee.journal import Event
from campale.referee.looks import Laid
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset
from campale.referee.telling.teller import Teller
from campale.screen.shown import XY, LaidShown

FINE = 2
"""Decimals of an outline, which is only drawn."""


def laid_by(position: Position, question: Question, answer: Plain, teller: Teller | None = None) -> LaidShown | None:
    """The template that an answer would lay. Without a teller it has no words."""
    tells = position.ruleset.laid
    found = tells(position, question, answer) if tells is not None else None
    return None if found is None else laid_shown(found, teller)


def is_sized(question: Question | None) -> bool:
    """Whether the player chooses the width of an aim: then refused answers have a template too."""
    return question is not None and question.kind == "aim" and "diameter" in getattr(question, "shown", {})


def landed(events: Iterable[Event], ruleset: Ruleset) -> LaidShown | None:
    """The last template that some events have laid."""
    tells = ruleset.landed
    found = [laid for event in events if tells is not None and (laid := tells(event.kind, event.values)) is not None]
    return laid_shown(found[-1]) if found else None


def laid_shown(laid: Laid, teller: Teller | None = None) -> LaidShown:
    told = [] if teller is None else [teller.filled(f"laid.{kind}", values) for kind, values in laid.told]
    rows = list(laid.under), list(laid.by), list(laid.idle)
    return LaidShown(fine(laid.at), laid.radius, [fine(point) for point in laid.outline], *rows, laid.most, told)


def fine(point: tuple[float, float]) -> XY:
    return round(point[0], FINE), round(point[1], FINE)
