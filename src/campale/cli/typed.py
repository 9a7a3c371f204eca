"""Reads typed text as the answer to any kind of question."""

from __future__ import annotations

import math
import re
from typing import Any

from campale.cli import whole
from campale.cli.common import say
from campale.referee.position import Position
from campale.referee.question import MoveUnit, Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.table.shapes import facing_towards

NUMBER = r"[+-]?\d+(?:\.\d+)?"
POINT = re.compile(rf"({NUMBER})\s*,\s*({NUMBER})(?:\s*,\s*({NUMBER}))?")
FINENESS = 24
"""The number of parts of a way when searching how far a model may go."""


class NotUnderstood(Exception):
    """The text cannot be read as an answer. Without a message, the possible answers are listed."""


class Typed:
    """Reads answers to the questions of one position. ``proposal`` is what Enter gives."""

    def __init__(self, position: Position, teller: Teller) -> None:
        self.position = position
        self.teller = teller

    def answer(self, question: Question, text: str, proposal: Plain) -> Plain:
        """The typed answer. Raises NotUnderstood."""
        by_kind = getattr(self, question.kind)
        try:
            return by_kind(question, text.strip(), proposal)
        except (ValueError, IndexError, OverflowError):
            raise NotUnderstood from None

    # ------------------------------------------------------------------ choices

    def choose(self, question: Any, text: str, proposal: Plain) -> Plain:
        return self.picked(question, question.options(), text)

    def picked(self, question: Any, options: list[Plain], text: str) -> Plain:
        """One option of a numbered list: by its number, its shown words, or its key."""
        if text.isdecimal() and 1 <= int(text) <= len(options):
            return options[int(text) - 1]
        wanted = text.casefold()
        shown = [(key, self.teller.option(question, key).casefold()) for key in options]
        exact = [key for key, words in shown if words == wanted or str(key).casefold() == wanted]
        begun = exact or [key for key, words in shown if words.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        forbidden = [
            k for k in getattr(question, "candidates", []) if self.teller.option(question, k).casefold() == wanted
        ]
        if forbidden:
            return forbidden[0]
        raise NotUnderstood

    def number(self, question: Any, text: str, proposal: Plain) -> Plain:
        return int(text)

    def order(self, question: Any, text: str, proposal: Plain) -> Plain:
        places = [int(word) for word in re.split(r"[\s,]+", text)]
        if sorted(places) != list(range(1, len(question.items) + 1)):
            raise NotUnderstood
        return [question.items[place - 1] for place in places]

    def allot(self, question: Any, text: str, proposal: Plain) -> Plain:
        rows = [int(word) for word in re.split(r"[\s,]+", text)]
        return rows * len(question.items) if len(rows) == 1 else rows

    # ------------------------------------------------------------------ places and ways

    def place(self, question: Any, text: str, proposal: Plain) -> Plain:
        """``at x,y[,facing]``, for all models or for each, or ``7 at x,y`` to change one place of the proposal.

        ``form line`` sets them down in formation (see ``whole``).
        """
        models = list(question.about.get("models", ()))
        try:
            formed = whole.in_formation(question, text, proposal, self.position) if models else None
        except whole.NoWay:
            raise NotUnderstood(say("no-room-so")) from None
        if formed is not None:
            return formed
        places = [[float(n) if n else None for n in match.groups()] for match in POINT.finditer(text)]
        first = re.match(r"(\d+)\s+at\b", text)
        if first and len(places) == 1:
            changed = [list(one) for one in proposal]
            row = int(first[1])
            changed[models.index(row)] = self.standing(places[0], row)
            return changed
        if len(places) == 1 < len(models):
            return whole.places_about(question, places[0], proposal, self.position)
        if len(places) != len(models):
            raise NotUnderstood
        return [self.standing(at, row) for at, row in zip(places, models, strict=True)]

    def standing(self, at: list[Any], row: int) -> list[float]:
        """A place with a facing: by default towards the middle of the table."""
        x, y, facing = at
        ground = self.position.ground
        return [x, y, facing_towards((x, y), (x, ground.depth / 2)) if facing is None else facing]

    def move(self, question: Any, text: str, proposal: Plain) -> Plain:
        """``to x,y [x,y ...] [facing 90]``, ``towards 7``, ``stay``; with ``7`` before it for one of several models.

        Without a number the text applies to all of several models (see ``whole``).
        """
        if not isinstance(question, MoveUnit):
            return self.way(question, text, question.about.get("model"), lambda way: way)
        models = list(question.about.get("models", ()))
        try:
            together = whole.move_of_all(question, text, self.position, self.teller)
        except whole.NoWay:
            raise NotUnderstood(say("no-way-so")) from None
        if together is not None:
            return together
        first = re.match(r"(\d+)\s+(?=to|a\b|towards|verso|stay|resta|facing|fronte)", text)
        if len(models) == 1 and first is None:
            return [self.way(question, text, models[0], lambda way: [way])]
        if first is None:
            raise NotUnderstood(say("type.moves"))
        place = models.index(int(first[1]))
        ways = list(proposal)

        def with_way(way: Plain) -> Plain:
            return [*ways[:place], way, *ways[place + 1 :]]

        return with_way(self.way(question, text[first.end() :], models[place], with_way))

    def way(self, question: Any, text: str, row: Any, whole: Any) -> Plain:
        if text in {"stay", "resta"}:
            return [[], None]
        towards = re.match(r"(?:towards|verso)\s+(\d+)", text)
        if towards:
            return self.towards(question, row, self.position.model(int(towards[1])), whole)
        facing = re.search(rf"(?:facing|verso|fronte)\s+({NUMBER})", text)
        path = text[: facing.start()] if facing else text
        points = [[float(m[1]), float(m[2])] for m in POINT.finditer(path)]
        if not points and not facing:
            raise NotUnderstood
        return [points, float(facing[1]) if facing else None]

    def towards(self, question: Any, row: Any, target: Any, whole: Any) -> Plain:
        """The way straight towards a model, as far as the question allows."""
        if not isinstance(row, int):
            raise NotUnderstood
        model = self.position.model(row)
        far = math.dist(model.at, target.at)
        facing = facing_towards(model.at, target.at)
        reach = question.shown.get("allowance")
        most = min(1.0, float(reach) / far) if isinstance(reach, int | float) and far else 1.0
        for part in range(FINENESS, 0, -1):
            share = most * part / FINENESS
            to = [round(a + (b - a) * share, 3) for a, b in zip(model.at, target.at, strict=True)]
            for way in ([[to], facing], [[to], None]):
                if question.refusal(whole(way)) is None:
                    return way
        raise NotUnderstood(say("no-way-towards", model=target.name))

    def along(self, question: Any, text: str, proposal: Plain) -> Plain:
        return None if text in {"pass", "passa"} else float(text)

    def aim(self, question: Any, text: str, proposal: Plain) -> Plain:
        match = POINT.search(text)
        if match is None:
            raise NotUnderstood
        return [float(n) for n in match.groups() if n]

    # ------------------------------------------------------------------ dice typed by hand

    def roll(self, question: Any, text: str, proposal: Plain) -> Plain:
        words = re.findall(r"\d+", text)
        if len(words) == 1 and question.sides <= 9 and len(words[0]) == question.count:
            words = list(words[0])
        if len(words) != question.count:
            raise NotUnderstood
        return [int(word) for word in words]

    def direction(self, question: Any, text: str, proposal: Plain) -> Plain:
        return float(text)

    def draw(self, question: Any, text: str, proposal: Plain) -> Plain:
        """The indices in the pool, typed as numbers from one."""
        return [int(word) - 1 for word in re.findall(r"\d+", text)]
