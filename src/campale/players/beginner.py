"""A sensible beginner, to measure others by: forward to the objectives, shoot the nearest in range, charge if in reach.

It knows no book and makes no plans. It sees on the table where to go; the questions name the targets that it may shoot
or charge; in all else, such as who acts next, it follows the ruleset's advice. It imagines no games.
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
"""The number of ways to fill in a form that are considered."""
SOUGHT, PROPOSED = 3, 12
"""The numbers of answers to a move that are considered: those that seek the goal, and those proposed."""


class Way(NamedTuple):
    """A filled-in form: the distance to the enemy it names (None: no enemy), the expected effect, the ground gained."""

    answers: Answers
    foe: float | None
    expected: float | None
    advance: float | None

    @property
    def is_shot(self) -> bool:
        """Whether the form can be expected to harm the enemy it names."""
        return self.foe is not None and self.expected is not None and self.expected > 0.0

    @property
    def is_charge(self) -> bool:
        return self.foe is not None and self.expected is None and self.advance is not None


class BeginnerPlayer(ScriptPlayer):
    """Forward, shoot, charge; everything else as the ruleset advises."""

    name = "beginner"

    def best(self, question: Question, seat: Seat, form: Mapping[str, Plain]) -> Plain:
        given = seat.offhand(question)
        found = given or self.own_way(question, seat, {**form, **question.about})
        return found[0] if found is not None else super().best(question, seat, form)

    def own_way(self, question: Question, seat: Seat, about: Mapping[str, Plain]) -> tuple[Plain] | None:
        """The answer by the player's three rules, or None where they say nothing."""
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
        """The form filled in, once per option of the first choice that names nobody (``is_open``: not yet met)."""
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
        """The way that a filled-in form describes."""
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

    # ------------------------------------------------------------------ targets and goals

    def nearest(self, question: Choose, seat: Seat, about: Mapping[str, Plain]) -> tuple[Plain] | None:
        """The option that names the nearest enemy; if the ruleset gives advice, only options with a worth above 0."""
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
        """The way that leads nearest to the goal; but the first proposal, if it ends in contact with an enemy."""
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
    """The distance by which a move brings its models nearer to their goal."""
    start = eyes.start(movers)
    goal = None if start is None else eyes.goal(start)
    if start is None or goal is None:
        return 0.0
    return math.dist(start, goal) - left(question, movers, answer, goal)


def left(question: Question, movers: Sequence[Model], answer: Plain, goal: Point) -> float:
    """The distance from the goal at which a move leaves its models."""
    return math.dist(middle(list(ends_of(question, movers, answer).values())), goal)


def distance(ones: Sequence[Model], others: Sequence[Model]) -> float:
    """The distance between the nearest models of two groups; 0 if there is nobody to measure from."""
    return min((math.dist(one.at, other.at) for one in ones for other in others), default=0.0)
