"""Whole units in the terminal: one direction or one point for all their models, and many places told as one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from campale.cli.common import say
from campale.draw import in_letters, signs_of_units
from campale.referee.position import ABOARD, Model, Position
from campale.referee.question import MoveUnit, Question
from campale.referee.refusal import Plain
from campale.referee.teller import Teller
from campale.table.shapes import heading

Vector = tuple[float, float]

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
STEPS = 12
"""Into how many parts a wish is cut while looking for how far a unit may go."""
ROUND_ABOUT = 1.0
RINGS = 3
WIDE = 108
"""Columns of the table where units are letters."""
FEW = 2
"""So many models are told one by one."""


# ---------------------------------------------------------------- what is told


def summary(question: Question, answer: Plain, position: Position, teller: Teller) -> str:
    """An answer in few words: of many models only how far they go and where about they stand."""
    rows = question.about.get("models", ())
    if len(rows) <= FEW or not isinstance(answer, list) or question.kind not in ("move", "place"):
        return teller.answer(question, answer)
    models = [position.model(row) for row in rows]
    ends = [end_of(model, one) for model, one in zip(models, answer, strict=True)]
    if question.kind == "move" and all(not one[0] for one in answer):
        return say("whole-stays", unit=teller.several(rows), count=len(rows))
    x, y = middle(ends)
    told = {"unit": teller.several(rows), "count": len(rows), "x": teller.words.shown(x), "y": teller.words.shown(y)}
    if question.kind == "place":
        return say("whole-place", **told)
    far = max(math.dist(model.at, end) for model, end in zip(models, ends, strict=True))
    return say("whole-move", far=teller.words.shown(round(far, 1)), **told)


def end_of(model: Model, answer: Sequence[Any]) -> Vector:
    """Where a model ends: by its way, or at its place."""
    if isinstance(answer[0], list | tuple):
        return (answer[0][-1][0], answer[0][-1][1]) if answer[0] else model.at
    return answer[0], answer[1]


def middle(points: Sequence[Sequence[float]]) -> Vector:
    return tuple(round(sum(point[k] for point in points) / len(points), 1) for k in (0, 1))  # type: ignore[return-value]


# ---------------------------------------------------------------- ways


class NoWay(Exception):
    """Nothing brings the unit any nearer to where it is wanted."""


def move_of_all(question: MoveUnit, text: str, position: Position, teller: Teller) -> Plain | None:
    """The move of all models in a direction typed, as far as it is allowed; None where no direction was typed."""
    models = [position.model(row) for row in question.about["models"]]
    wish = wished(text, models, position, teller)
    if wish is None:
        return None
    if wish == (0.0, 0.0):
        return [[[], None] for _ in models]
    reach = question.shown.get("allowance")
    most = min(1.0, reach / math.hypot(*wish)) if isinstance(reach, int | float) else 1.0
    tried = (shifted(models, wish, most * part / STEPS) for part in range(STEPS, 0, -1))
    straight = next((one for one in tried if question.refusal(one) is None), None)
    others = [one for one in question.suggestions() if question.refusal(one) is None]
    found = [one for one in (straight, *others) if one is not None and progress(models, one, wish) > 0.0]
    if not found:
        raise NoWay
    return max(found, key=lambda one: progress(models, one, wish))


def wished(text: str, models: Sequence[Model], position: Position, teller: Teller) -> Vector | None:
    """How all want to be moved: ``6 n``, ``6 45``, ``to 30,12``, ``towards 7`` or a unit's name, ``7 to 30,12 all``."""
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
    """From the model nearest to it towards the nearest model of what is named: a model's number, or a unit."""
    wanted = named.strip().lstrip("#").casefold()
    standing = [m for m in position.on_table() if m not in models]
    found = [m for m in standing if str(m.row) == wanted]
    found = found or [m for m in standing if teller.unit(m.unit.row).casefold().startswith(wanted)]
    if not found:
        return None
    one, other = min(((m, f) for m in models for f in found), key=lambda pair: math.dist(pair[0].at, pair[1].at))
    return other.x - one.x, other.y - one.y


def shifted(models: Sequence[Model], wish: Vector, share: float) -> list[Any]:
    return [[[[round(m.x + wish[0] * share, 3), round(m.y + wish[1] * share, 3)]], None] for m in models]


def progress(models: Sequence[Model], answer: Plain, wish: Vector) -> float:
    """How far all come on average the way they want, less what they go astray."""
    ends = [end_of(model, one) for model, one in zip(models, answer, strict=True)]
    gone = middle(ends)[0] - middle([m.at for m in models])[0], middle(ends)[1] - middle([m.at for m in models])[1]
    return math.hypot(*wish) - math.dist(gone, wish)


# ---------------------------------------------------------------- places


def places_about(question: Question, at: Sequence[Any], proposal: Plain) -> Plain:
    """The models as they are proposed, about another point; moved a little where there is no room."""
    x, y, facing = at
    centre = middle(proposal)

    def about(dx: float, dy: float) -> list[list[float]]:
        shift = x - centre[0] + dx, y - centre[1] + dy
        return [
            [round(one[0] + shift[0], 4), round(one[1] + shift[1], 4), one[2] if facing is None else facing]
            for one in proposal
        ]

    tried = (about(dx, dy) for dx, dy in round_about())
    return next((one for one in tried if question.refusal(one) is None), about(0.0, 0.0))


def round_about() -> Iterator[Vector]:
    yield 0.0, 0.0
    for ring in range(1, RINGS + 1):
        for turn in range(0, 360, 45):
            ahead = heading(turn)
            yield ahead[0] * ROUND_ABOUT * ring, ahead[1] * ROUND_ABOUT * ring


# ---------------------------------------------------------------- units listed


def table_told(position: Position, teller: Teller) -> list[str]:
    """The table in letters; where models stand in units, a letter for each unit, and whose it is."""
    sizes = Counter(model.unit.row for model in position.on_table())
    if max(sizes.values(), default=0) < 2:
        return [in_letters(position)]
    signs = signs_of_units(position)
    named = [f"{sign} {teller.unit(row)} ({sizes[row]})" for row, sign in signs.items()]
    return [in_letters(position, WIDE, signs), *(", ".join(named[k : k + 5]) for k in range(0, len(named), 5))]


def units_told(position: Position, teller: Teller) -> list[str]:
    """A line for every unit on the table or aboard: its models, where it is, what is marked on it."""
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


def gap_told(question: Question, key: Plain, position: Position) -> str:
    """How far an option's unit is from its target, as the ruleset measures."""
    ruleset = position.ruleset
    if ruleset.parts is None or ruleset.measure is None or not isinstance(key, list | tuple):
        return ""
    parts = ruleset.parts(position.profiles, question, key) or {}
    own, others = ([m for m in position.on_table() if m.unit.row == parts.get(name)] for name in ("unit", "target"))
    if not own or not others:
        return ""
    one, other = min(((a, b) for a in own for b in others), key=lambda pair: math.dist(pair[0].at, pair[1].at))
    return f"  ({ruleset.measure(one, other).get('distance', 0):g}″)"


def reasons(question: Any, teller: Teller) -> dict[str, list[str]]:
    """What a choice leaves out now, by why."""
    found: dict[str, list[str]] = {}
    for key in question.candidates:
        fault = question.why_not(key)
        if fault is not None:
            refusal = question.citing(fault)
            why = teller.refusal(type(refusal)(refusal.rule, word=refusal.word))
            found.setdefault(why, []).append(teller.option(question, key))
    return found
