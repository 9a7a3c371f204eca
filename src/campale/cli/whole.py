"""Whole units in the terminal: one direction or one point for all their models, and their places listed together."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from campale.cli.common import say
from campale.draw import in_letters, signs_of_units
from campale.referee.position import ABOARD, Model, Position
from campale.referee.question import MoveUnit, Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.forming import Formation
from campale.screen.moving import planned, together
from campale.screen.telling import Vector, middle
from campale.table.shapes import heading

COMPASS = {
    "n": 0,
    "ne": 45,
    "e": 90,
    "se": 135,
    "s": 180,
    "sw": 225,
    "so": 225,
    "w": 270,
    "o": 270,
    "nw": 315,
    "no": 315,
}
WIDE = 108
"""The columns of a map that shows units as letters."""


# ---------------------------------------------------------------- ways


class NoWay(Exception):
    """The unit cannot come nearer to its goal, or has no room at the wanted places."""


def move_of_all(question: MoveUnit, text: str, position: Position, teller: Teller) -> Plain | None:
    """The move of all models in a typed direction, as far as allowed; None if no direction was typed."""
    models = [position.model(row) for row in question.about["models"]]
    wish = wished(text, models, position, teller)
    if wish is None:
        return None
    if wish == (0.0, 0.0):
        return [[[], None] for _ in models]
    found = planned(question, position, together(models, wish))
    if found.refusal is not None:
        raise NoWay
    return found.answer


def wished(text: str, models: Sequence[Model], position: Position, teller: Teller) -> Vector | None:
    """The shift of all models: ``6 n``, ``6 45``, ``to 30,12``, ``towards 7`` or a unit's name, ``7 to 30,12 all``."""
    if text in {"stay", "resta"}:
        return 0.0, 0.0
    along = re.fullmatch(r"(\d+(?:[.,]\d+)?)\s*(?:″|\")?\s*([a-z]{1,2}|\d{1,3})", text.casefold())
    if along and (along[2].isdecimal() or along[2] in COMPASS):
        ahead = heading(float(along[2]) if along[2].isdecimal() else COMPASS[along[2]])
        far = float(along[1].replace(",", "."))
        return ahead[0] * far, ahead[1] * far
    whole = re.fullmatch(r"(?:(\d+)\s+)?(?:to|a)\s+(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)(\s+(?:all|tutti))?", text)
    if whole and bool(whole[1]) == bool(whole[4]) and (len(models) > 1 or whole[1]):
        own = [model for model in models if whole[1] is None or model.row == int(whole[1])]
        start = middle([model.at for model in own]) if own else None
        return None if start is None else (float(whole[2]) - start[0], float(whole[3]) - start[1])
    towards = re.fullmatch(r"(?:towards|verso)\s+(.+)", text)
    return None if towards is None else way_to(towards[1], models, position, teller)


def way_to(named: str, models: Sequence[Model], position: Position, teller: Teller) -> Vector | None:
    """The vector from the nearest of the models to the nearest model of the target: a model's number, or a unit."""
    wanted = named.strip().lstrip("#").casefold()
    standing = [m for m in position.on_table() if m not in models]
    found = [m for m in standing if str(m.row) == wanted]
    found = found or [m for m in standing if teller.unit(m.unit.row).casefold().startswith(wanted)]
    if not found:
        return None
    one, other = min(((m, f) for m in models for f in found), key=lambda pair: math.dist(pair[0].at, pair[1].at))
    return other.x - one.x, other.y - one.y


# ---------------------------------------------------------------- places


def places_about(question: Question, at: Sequence[Any], proposal: Plain, position: Position) -> Plain:
    """The proposed places of the models, shifted to another point, and moved slightly if there is no room."""
    x, y, facing = at
    centre = middle(proposal)
    wish = [
        [row, one[0] + x - centre[0], one[1] + y - centre[1], one[2] if facing is None else facing]
        for row, one in zip(question.about["models"], proposal, strict=True)
    ]
    return planned(question, position, wish, proposal).answer


NAMED = {
    r"line|linea": "line",
    r"two ranks|ranks|due righe|righe": "two-ranks",
    r"block|blocco": "block",
    r"wedge|cuneo": "wedge",
    r"loose|rada": "loose",
}
"""The names of the formations, in both languages."""


def in_formation(question: Question, text: str, proposal: Plain, position: Position) -> Plain | None:
    """``form two ranks at 30,6 facing 90 spaced 1``: everything but the name may be left out.

    None if the text is no formation. Raises NoWay.
    """
    typed = re.fullmatch(r"(?:form|schiera)\s+(.+)", text.casefold().strip())
    name = next((name for words, name in NAMED.items() if typed and re.match(rf"(?:{words})\b", typed[1])), None)
    if typed is None or name is None:
        return None
    at = re.search(r"(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)", typed[1])
    facing, spacing = (number_after(words, typed[1]) for words in ("facing|fronte", "spaced|spazio"))
    x, y = (float(at[1]), float(at[2])) if at else middle([(one[0], one[1]) for one in proposal])
    wish = [[question.about["models"][0], x, y, proposal[0][2] if facing is None else facing]]
    found = planned(question, position, wish, None, Formation(name, spacing))
    if found.refusal is not None:
        raise NoWay
    return found.answer


def number_after(words: str, text: str) -> float | None:
    found = re.search(rf"\b(?:{words})\s+(\d+(?:\.\d+)?)", text)
    return None if found is None else float(found[1])


# ---------------------------------------------------------------- units listed


def table_told(position: Position, teller: Teller) -> list[str]:
    """The table in letters; for models in units a letter for each unit, with its side."""
    sizes = Counter(model.unit.row for model in position.on_table())
    if max(sizes.values(), default=0) < 2:
        return [in_letters(position)]
    signs = signs_of_units(position)
    named = [f"{sign} {teller.unit(row)} ({sizes[row]})" for row, sign in signs.items()]
    return [in_letters(position, WIDE, signs), *(", ".join(named[k : k + 5]) for k in range(0, len(named), 5))]


def units_told(position: Position, teller: Teller) -> list[str]:
    """A line for every unit on the table or aboard: its models, its place, its marks."""
    lines = []
    for unit in position.units:
        standing = [m for m in position.on_table(unit.side) if m.unit.row == unit.row]
        if standing:
            x, y = (teller.words.shown(one) for one in middle([m.at for m in standing]))
            numbers = f"#{standing[0].row}" + (f"–{standing[-1].row}" if len(standing) > 1 else "")
            columns = (teller.side(unit.side), f"{teller.unit(unit.row)} ({len(standing)})", f"({x}; {y})", numbers)
            lines.append("  ".join([*columns, marks_told(position, unit.row, teller)]).rstrip())
        inside = [m for m in position.models if m.unit.row == unit.row and m.where == ABOARD]
        if inside and (carrier := inside[0].aboard_of) is not None:
            where = say("aboard", carrier=teller.model(carrier.row))
            told = (teller.side(unit.side), f"{teller.unit(unit.row)} ({len(inside)})", where)
            lines.append("  ".join([*told, marks_told(position, unit.row, teller)]).rstrip())
    return lines


def marks_told(position: Position, row: int, teller: Teller) -> str:
    told = []
    for name, column in sorted(position.of_units.columns.items()):
        key = teller.key(f"shown.{name}", f"marker.{name}")
        if column[row] and key is not None and teller.words.say(key):
            value = teller.unit(column[row] - 1) if key == f"shown.{name}" else ""
            told.append(f"{teller.words.say(key)} {value}".strip())
    return ", ".join(told)


def reasons(question: Any, teller: Teller) -> dict[str, list[str]]:
    """The options that a choice leaves out now, by reason."""
    found: dict[str, list[str]] = {}
    for key in question.candidates:
        fault = question.why_not(key)
        if fault is not None:
            refusal = question.citing(fault)
            why = teller.refusal(type(refusal)(refusal.rule, word=refusal.word))
            found.setdefault(why, []).append(teller.option(question, key))
    return found
