"""Events on the table for a page to animate: who moves where, who shoots at whom, dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campale.referee.journal import Event
from campale.referee.looks import Motion
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.journal import Seen, dice_shown, named
from campale.screen.scene import Eyes
from campale.screen.shown import XY, MotionShown

GOING = {"remove": "loss", "take-off": "leave"}
FINE = 2
"""Decimals of a way, which is only drawn."""


def motions(seen: Sequence[Seen], known: Eyes) -> list[MotionShown]:
    """The motions of some events, in order."""
    return [shown for one in seen if (shown := motion(one.event, known)) is not None]


def motion(event: Event, known: Eyes) -> MotionShown | None:
    """The motion of an event; None if nothing is visible."""
    values: Mapping[str, Any] = event.values
    if values.get("corrected"):
        return None
    if event.kind == "move":
        return moved(values)
    if event.kind in GOING:
        return MotionShown(GOING[event.kind], [values["model"]])
    key = f"roll.{values['why']}" if event.kind == "roll" else event.kind
    how = known.position.ruleset.motions.get(key, Motion())
    if event.kind == "roll":
        return rolled(event, how, known)
    return done(event, how, known) if how.kind else None


def moved(values: Mapping[str, Any]) -> MotionShown:
    """A model that moves along its path, or appears at a place."""
    if values.get("placed"):
        return MotionShown("come", [values["model"]])
    way = [fine(point) for point in values.get("path") or ()]
    how = values.get("how")
    return MotionShown("move", [values["model"]], way=way, how=how if isinstance(how, str) else "")


def rolled(event: Event, how: Motion, known: Eyes) -> MotionShown | None:
    """Dice, with roller and target; None if the journal does not show them."""
    teller = known.teller.at(event)
    if teller.words.messages.get(f"rolled.{event.values['why']}") == "":
        return None
    by, at = rows(event, how.by, teller), rows(event, how.at, teller)
    dice = dice_shown(event.values, teller)
    return MotionShown(how.kind or "dice", by, at, spot=spot_of(event.values), dice=dice, counts=how.counts)


def done(event: Event, how: Motion, known: Eyes) -> MotionShown | None:
    teller = known.teller.at(event)
    by, at, spot = rows(event, how.by, teller), rows(event, how.at, teller), spot_of(event.values)
    return MotionShown(how.kind, by, at, spot=spot) if by and (at or spot) else None


def rows(event: Event, fields: Iterable[str], teller: Teller) -> list[int]:
    """The models that some fields of an event name, directly or by their unit."""
    found: dict[int, None] = {}
    for field in fields:
        value: Plain = event.values.get(field)
        for number in value if isinstance(value, list | tuple) else (value,):
            if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
                found |= dict.fromkeys(named(field, number, teller))
    return list(found)


def spot_of(values: Mapping[str, Any]) -> XY | None:
    x, y = values.get("x"), values.get("y")
    return fine((x, y)) if isinstance(x, float) and isinstance(y, float) else None


def fine(point: Sequence[float]) -> XY:
    return round(point[0], FINE), round(point[1], FINE)
