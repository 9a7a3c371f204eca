"""Dragging a model before its move question: the answers that lead to the question of its move or place.

The open question may be which unit acts, and how. Dragging a model answers it: the search takes the choices about this
model, by the shortest path. It never chooses a target for a player, and answers only fields that are choices.
"""

from __future__ import annotations

from collections import deque

from campale.referee.lawful import NoAnswer
from campale.referee.marches import MARCH
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain, Refusal
from campale.screen.dragging import rows_of
from campale.screen.scene import Eyes
from campale.screen.sheet import Astray, at_path, completed, is_whole, refusal_shown
from campale.screen.shown import RefusalShown
from campale.screen.telling import Marker

MOST_TRIES = 80
"""The most fields examined."""
LEADS_ON = "moves"
"""The key of the words that lists forms with a move after their end: a prompt, or ``prompt.option``."""

Way = list[list[Plain]]


def lifted(question: Question, row: int, seen: Eyes) -> tuple[Way | None, RefusalShown | None]:
    """The answers that lead to the move of a model, form by form; None if there is none, with a reason if known."""
    search = Search(question, row, seen)
    way = search.found()
    why = search.refusal if way is None else None
    return way, None if why is None else refusal_shown(why, seen.teller)


class Search:
    """A breadth-first search, in the order in which the options are listed."""

    def __init__(self, question: Question, row: int, seen: Eyes) -> None:
        self.question, self.row, self.teller, self.position = question, row, seen.teller, seen.position
        self.marker = Marker(seen.position, seen.teller)
        self.leads_on = set(seen.teller.words.messages.get(LEADS_ON, "").split())
        self.refusal: Refusal | None = None

    def found(self) -> Way | None:
        ways: deque[Way] = deque([[]])
        for _ in range(MOST_TRIES):
            if not ways:
                break
            way = ways.popleft()
            field = self.field_at(way)
            if field is None:
                continue
            if self.is_goal(field):
                return way
            more = self.from_here(field, way)
            marching = next((one for one in more if self.is_march(one)), None)
            if marching is not None:
                return marching
            ended = next((one for one in more if self.ends_in_move(field, one)), None)
            if ended is not None:
                return ended
            ways.extend(more)
        return None

    def field_at(self, way: Way) -> Question | None:
        try:
            return at_path(self.question, way)
        except Astray:
            return None

    def is_goal(self, field: Question) -> bool:
        if isinstance(field, Form) and is_whole(field, self.teller):
            return any(self.row in rows_of(one) for one in self.fields_of(field))
        return self.row in rows_of(field)

    def is_march(self, way: Way) -> bool:
        """Whether the way leads to a march of which this model is part."""
        field = self.field_at(way) if way[-1][-1:] == [MARCH] else None
        return field is not None and self.row in rows_of(field)

    def fields_of(self, form: Form) -> list[Question]:
        try:
            return [field for field, _ in completed(form, [], -1, self.teller, self.position)[0]]
        except NoAnswer:
            return []

    def from_here(self, field: Question, way: Way) -> list[Way]:
        if isinstance(field, Form):
            return [] if is_whole(field, self.teller) else [[*way, []]]
        if not isinstance(field, Choose) or not way:
            return []
        return [[*way[:-1], [*way[-1], key]] for key in self.keys_of(field)]

    def keys_of(self, field: Choose) -> list[Plain]:
        """The march, if there is one; then the open options of this model, or if it has none those about nobody."""
        marked = {key: self.marker.of_option(field, key) for key in field.candidates}
        own = [key for key, one in marked.items() if self.row in one.actors and not one.targets]
        among = own or [key for key, one in marked.items() if not one.actors and not one.targets]
        among = [key for key in marked if key == MARCH and key not in among] + among
        faults = {key: field.why_not(key) for key in among}
        shut = next((fault for key, fault in faults.items() if key in own and fault is not None), None)
        if shut is not None and self.refusal is None:
            self.refusal = field.citing(shut)
        return [key for key in among if faults[key] is None]

    def ends_in_move(self, field: Question, way: Way) -> bool:
        """Whether others have the next question, and the move comes after them."""
        if not isinstance(field, Choose):
            return False
        key = way[-1][-1]
        is_own = field.prompt in self.leads_on and self.row in self.marker.of_option(field, key).actors
        return is_own or f"{field.prompt}.{key}" in self.leads_on
