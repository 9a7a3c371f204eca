"""A sensible beginner, to measure others by: forward to the objectives, shoot the nearest in range, charge if in reach.

It knows no book and no plan. Where to go it sees on the table; whom it may shoot or charge the questions name; what it
has no opinion of, such as who acts next, it leaves to what the ruleset advises. It imagines no games.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from campale.players.eyes import Eyes, ends_of, middle
from campale.players.script import ScriptPlayer
from campale.referee.position import Model
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.seat import Seat
from campale.referee.spatial import Move, MoveUnit, Spatial
from campale.table.shapes import Point

Answers = list[Plain]

MOST_LINES = 24
"""So many ways to fill in a form are looked at."""
SOUGHT, PROPOSED = 3, 12
"""So many answers to a move are looked at of those that seek the goal, and of those proposed."""


class Way(NamedTuple):
    """A form filled in: how far the enemy is whom it names (None: nobody), what it may fell, how far it leads."""

    answers: Answers
    foe: float | None
    expected: float | None
    advance: float | None

    @property
    def is_shot(self) -> bool:
        """Whether it may fell the enemy whom it names."""
        return self.foe is not None and self.expected is not None and self.expected > 0.0

    @property
    def is_charge(self) -> bool:
        return self.foe is not None and self.expected is None and self.advance is not None


class BeginnerPlayer(ScriptPlayer):
    """Forward, shoot, charge; the rest as it is advised."""

    name = "beginner"

    def best(self, question: Question, seat: Seat, form: Mapping[str, Plain]) -> Plain:
        given = seat.offhand(question)
        found = given or self.own_way(question, seat, {**form, **question.about})
        return found[0] if found is not None else super().best(question, seat, form)

    def own_way(self, question: Question, seat: Seat, about: Mapping[str, Plain]) -> tuple[Plain] | None:
        """What it does by its three rules, or None where they say nothing."""
        if isinstance(question, Form):
            return None if seat.is_reacting else self.acted(question, seat, about)
        if isinstance(question, Choose):
            return self.nearest(question, seat, about)
        return self.forward(question, seat) if isinstance(question, Move | MoveUnit) else None

    # ------------------------------------------------------------------ a form: shoot, else charge, else go forward

    def acted(self, form: Form, seat: Seat, about: Mapping[str, Plain]) -> tuple[Plain] | None:
        eyes = Eyes(seat)
        ways = [self.way(form, answers, eyes) for answers in islice(self.lines(form, [], seat, about), MOST_LINES)]
        shots = [way for way in ways if way.is_shot]
        if shots:
            return (min(shots, key=lambda way: (way.foe, -(way.expected or 0.0))).answers,)
        charges = [way for way in ways if way.is_charge]
        if charges:
            return (min(charges, key=lambda way: way.foe or 0.0).answers,)
        moves = [way for way in ways if way.foe is None and (way.advance or 0.0) > 0.0]
        return (max(moves, key=lambda way: way.advance or 0.0).answers,) if moves else None

    def lines(
        self, form: Form, answers: Answers, seat: Seat, about: Mapping[str, Plain], is_open: bool = True
    ) -> Iterator[Answers]:
        """The form filled in, with every option of the first choice that names nobody (``is_open``: none came yet)."""
        field = form.field(answers)
        if field is None:
            yield answers
            return
        options = field.options() if is_open and isinstance(field, Choose) else None
        if options and not any(Eyes(seat).named(field, option) for option in options):
            for option in options:
                yield from self.lines(form, [*answers, option], seat, about, False)
            return
        yield from self.lines(form, [*answers, self.best(field, seat, about)], seat, about, is_open)

    def way(self, form: Form, answers: Answers, eyes: Eyes) -> Way:
        """What a form filled in comes to."""
        foe, advance, movers = None, None, eyes.movers(form.about)
        for place, answer in enumerate(answers):
            field = form.field(answers[:place])
            assert field is not None
            movers = eyes.movers(field.about) or movers
            if isinstance(field, Choose):
                named = eyes.named(field, answer)
                movers = [one for one in named if one.side == eyes.side] or movers
                foes = [one for one in named if one.side != eyes.side]
                foe = distance(movers, foes) if foes and movers else foe
            elif isinstance(field, Move | MoveUnit):
                advance = gained(field, movers, answer, eyes)
        forecast_of = eyes.ruleset.forecast_of
        forecast = forecast_of(eyes.position, form, answers) if foe is not None and forecast_of is not None else None
        main = None if forecast is None else forecast.main
        return Way(answers, foe, None if main is None else main.mean, advance)

    # ------------------------------------------------------------------ whom, and where to

    def nearest(self, question: Choose, seat: Seat, about: Mapping[str, Plain]) -> tuple[Plain] | None:
        """The option that names the nearest enemy, of those that are worth something where the ruleset says so."""
        eyes = Eyes(seat)
        worths = {repr(option): worth for option, worth in seat.advice(question, about)}
        found = []
        for option in question.options():
            named = eyes.named(question, option)
            foes = [one for one in named if one.side != seat.side]
            if foes and (not worths or worths.get(repr(option), 0.0) > 0.0):
                own = [one for one in named if one.side == seat.side] or eyes.movers(about)
                found.append((distance(own or eyes.position.on_table(seat.side), foes), repr(option), option))
        return (min(found)[-1],) if found else None

    def forward(self, question: Spatial, seat: Seat) -> tuple[Plain] | None:
        """The proposed way that leads nearest to the goal; where the first one ends at an enemy, that one."""
        eyes = Eyes(seat)
        movers = eyes.movers(question.about)
        start, proposed = eyes.start(movers), question.proposals(PROPOSED)
        goal = None if start is None else eyes.goal(start)
        if goal is None or not proposed:
            return None
        if eyes.strikes(ends_of(question, movers, proposed[0])):
            return (proposed[0],)
        sought = list(islice(question.seeks(goal), SOUGHT)) if question.seeks is not None else []
        lawful = [way for way in (*sought, *proposed) if question.refusal(way) is None]
        return (min(lawful, key=lambda way: left(question, movers, way, goal)),) if lawful else None


def gained(question: Question, movers: Sequence[Model], answer: Plain, eyes: Eyes) -> float:
    """By how much a move brings its models nearer to where they are to go."""
    start = eyes.start(movers)
    goal = None if start is None else eyes.goal(start)
    if start is None or goal is None:
        return 0.0
    return math.dist(start, goal) - left(question, movers, answer, goal)


def left(question: Question, movers: Sequence[Model], answer: Plain, goal: Point) -> float:
    """How far from the goal a move leaves its models."""
    return math.dist(middle(list(ends_of(question, movers, answer).values())), goal)


def distance(ones: Sequence[Model], others: Sequence[Model]) -> float:
    """Between those nearest to one another; 0 where there is nobody to measure from."""
    return min((math.dist(one.at, other.at) for one in ones for other in others), default=0.0)
