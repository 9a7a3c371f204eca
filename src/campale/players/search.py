"""A player that searches many lines of an activation, compares them with the same luck, and plays on as advised.

Like the greedy player it thinks on imagined games. Its first idea is the ruleset's advice; the others are less advised
answers, answers that were good in the activation before, answers that nobody advises, and lines with one decision
changed. After the decisions in which an idea differs all sides play as advised, to the end of the activation and beyond
it as far as the ruleset says (``Ruleset.horizon``): some activations, or to the end of the turn. If the side may leave
its turn, it does so after the activation.

Ideas are compared luck by luck: the same dice, the same secrets drawn, the same lots. So dice that fall alike for all
ideas have no weight, and a few plays tell much. All ideas are played with the first luck, the better half with some
more, the better half of these with more again, until the budget is spent. The player leaves the advised line only for
one that gains over it for certain.

An activation is what lies between two boundaries of the battle: one activation of the book's sequence, decisions of
the other side in it included. The budget is that of a decision: a thought ends with a plan up to the next die. It is a
number of lines, so that the same seed plays the same battle, or a time by the clock passed in; the default clock is
that of the thread, so that the player is no worse on a busy machine.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable

from campale.players.allowance import Allowance
from campale.players.greedy import Follow, GreedyPlayer, Line, Step, decides_turn, idle_of
from campale.players.ideas import GAIN, SOON, Idea, Ideas
from campale.players.tries import tries
from campale.referee.game import Game
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import WASTE
from campale.referee.seat import Seat

LINES = 30
"""The default number of lines for a decision."""
LINES_AT_LEAST = 10
"""If time is short, the player looks less far ahead, so that it can play this many lines."""
GATHERING = 0.5
"""The share of a thought that goes to finding ideas."""
ENOUGH = 5
"""The approximate number of further lucks with which the compared ideas are played."""
STALE = 10
"""After this many lines in a row without a new idea, the player looks for no more."""
FRESH, FEW = 0.5, 3
"""The share of new ideas with another first answer; the number of best ideas that the rest are variations of."""
NEW_TRIES = 8
"""The number of answers drawn at a time."""
LONGEST = 600
"""Answers after which a line is appraised even though its horizon has not come."""
KEPT = 3
"""The number of ideas of a thought that are tried again in the next one."""
ALONE, TOGETHER = 0.4, 0.75
"""Of a form that decides the turn: the shares of the budget after which no more single changes are tried, and after
which changes are put together."""
OFTEN = 3
"""The approximate number of further lucks with which the single changes are compared."""


class SearchPlayer(GreedyPlayer):
    """Searches among lines of the activation in hand. ``lines`` and ``seconds`` bound what a decision may cost."""

    name, sees_far = "search", True

    def __init__(
        self,
        seed: int | str = 1,
        lines: float | None = None,
        seconds: float = math.inf,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        super().__init__(seed, seconds=seconds, clock=clock)
        if not seconds > 0 or (lines is not None and not lines >= 1):
            raise ValueError(f"a search needs a line at the least, and some time: not {lines} lines, {seconds} seconds")
        self.is_repeatable = seconds == math.inf
        usual = LINES if self.is_repeatable else math.inf
        self.allowance = Allowance(usual if lines is None else lines, seconds, clock)
        self.kept: list[Plain] = []
        self.horizon: float = math.inf
        self.is_to_end = self.may_leave = self.is_patient = False
        """Whether lines end with the turn, not after ``horizon`` activations; whether the side may leave its turn; and
        whether the lines go on to the end however slow they are."""

    def thought_out(self, seat: Seat, question: Question) -> tuple[Step, ...]:
        """The steps of the best idea found."""
        thought = (TurnThought if decides_turn(seat, question) else Thought)(self, seat, question)
        self.kept = thought.runners_up()
        return thought.chosen()

    def is_further(self, seat: Seat, question: Question) -> bool:
        """False: this player thinks about every question."""
        return False

    def look_ahead(self, game: Game, turn: Plain) -> None:
        """Play on as advised up to the horizon, or to the end of the turn: so all lines end at the same stage.

        A turn that may be left is left: so all lines are appraised when it is over and its effects are settled.
        """
        mark, ahead = game.marks[-1], 0
        self.look_no_farther(ahead)
        for _ in range(LONGEST):
            if game.is_over or not game.asked:
                return
            if ahead >= self.horizon or (self.is_to_end and game.ruleset.turn(game.position) != turn):
                return
            side = game.asked[0]
            idle = idle_of(game.pending[side]) if self.may_leave else None
            self.give(game, side, self.advised(game, game.pending[side]) if idle is None else idle)
            if game.marks[-1] is not mark:
                mark, ahead = game.marks[-1], ahead + 1
                self.look_no_farther(ahead)

    def set_horizon(self, horizon: int | None, may_leave: bool, is_patient: bool = False) -> None:
        """Set how far the lines of a thought go, by the ruleset's horizon and whether the side may leave its turn."""
        self.may_leave, self.is_patient = may_leave, is_patient
        self.is_to_end = may_leave or horizon is None
        self.horizon = math.inf if may_leave or horizon is None else horizon

    def look_no_farther(self, ahead: int) -> None:
        """Set a nearer horizon if the first line of a thought was slow; not if the turn is left, which ends soon."""
        allowance, is_near = self.allowance, self.may_leave or self.is_patient
        if not is_near and allowance.played == 1 and allowance.passed() > 1.0 / LINES_AT_LEAST:
            self.horizon = ahead


class Thought:
    """A thought about one decision, within the player's allowance."""

    def __init__(self, player: SearchPlayer, seat: Seat, question: Question) -> None:
        self.player, self.seat, self.question = player, seat, question
        self.idle = idle_of(question)
        self.ideas = Ideas(() if self.idle is None else (self.step(self.idle),))
        self.seed = f"{player.rng.getrandbits(64)}"
        self.drawn: list[Plain] = []
        self.times: Counter[str] = Counter()
        self.differing, self.is_to_depart = 0, False
        """The number of answers in the current line up to its last departure from the advice, and whether one is due.
        """
        self.begin()
        self.gather()
        self.alive, self.lucks = list(self.ideas), 1
        self.compare()

    def begin(self) -> None:
        """Set the budget and the horizon."""
        self.player.allowance.begin()
        self.player.set_horizon(self.seat.ruleset.horizon, may_leave=self.idle is not None and self.leaves())

    def leaves(self) -> bool:
        """Whether doing nothing here ends the turn."""
        game = self.seat.imagined(self.player.rng)
        turn = game.ruleset.turn(game.position)
        try:
            self.player.play_on(game, self.seat.side, (self.step(self.idle),), [], self.player.advised)
        except Exception as error:
            self.player.failures.append(f"{type(error).__name__}: {error}")
        return bool(game.ruleset.turn(game.position) != turn)

    # ---------------------------------------------------------------- ideas

    def gather(self) -> None:
        """Collect ideas: the advised line, the idle one, the kept ones, and others, each played with the first luck."""
        spending = self.player.allowance
        known = [] if self.idle is None else [self.idle]
        known += [answer for answer in self.player.kept if self.question.refusal(answer) is None]
        begun: tuple[Step, ...] = (self.step(self.advised()),)
        follow: Follow = self.player.advised
        stale = 0
        while stale < STALE and (spending.played < 2 or spending.spent() < GATHERING):
            if begun in self.ideas:
                stale += 1
            elif spending.spend():
                stale = 0 if self.is_new(begun, follow) else stale + 1
            else:
                return
            begun, follow = ((self.step(known.pop(0)),), self.player.advised) if known else self.look_further()

    def look_further(self) -> tuple[tuple[Step, ...], Follow]:
        """A line to try: with another first answer, or like a good one up to a decision that is made otherwise."""
        rng = self.player.rng
        good = [one.whole for one in self.ideas.ranked(list(self.ideas), 1)[:FEW] if len(one.whole) > 1]
        if not good or rng.random() < FRESH:
            return (self.step(self.fresh()),), self.player.advised
        whole = rng.choice(good)
        return whole[: rng.randint(1, len(whole) - 1)], self.departing

    def is_new(self, begun: tuple[Step, ...], follow: Follow) -> bool:
        """Play a line with the first luck. Returns whether it is new, by its decisions up to the last unadvised one."""
        self.differing, self.is_to_depart = len(begun), follow == self.departing
        line = self.play(begun, 0, follow)
        steps = line.steps[: max(1, self.differing)]
        return line.worth > -math.inf and bool(steps) and self.ideas.note(steps, line.worth, line.begun)

    def departing(self, game: Game, question: Question) -> Plain:
        """Another answer than the advised one, once and before any die; then the advised ones."""
        if not self.is_to_depart or not self.player.is_sure:
            return self.player.advised(game, question)
        self.is_to_depart = False
        self.differing += 1
        assert question.side is not None
        return self.player.another(question, Seat(game, question.side))

    def advised(self) -> Plain:
        """The advised answer to the question; found once, not in every line."""
        return self.player.script.best(self.question, self.seat, {})

    def fresh(self) -> Plain:
        """A less advised or seldom tried answer to the question."""
        if self.player.rng.random() < FRESH:
            return self.player.another(self.question, self.seat)
        if not self.drawn:
            self.drawn = tries(self.question, NEW_TRIES, self.player.rng, self.times)[::-1]
        answer = self.drawn.pop()
        self.times[repr(answer)] += 1
        return answer

    def step(self, answer: Plain) -> Step:
        return Step(self.question.kind, self.question.prompt, answer)

    # ---------------------------------------------------------------- comparing

    def play(self, steps: tuple[Step, ...], luck: int, follow: Follow) -> Line:
        self.player.luck = self.seed, luck
        return self.player.played(self.seat, steps, follow)

    def compare(self) -> None:
        """Play the best ideas with more lucks.

        The first round has as many ideas as can be played ``ENOUGH`` times each.
        """
        if not self.ideas:
            return
        spending = self.player.allowance
        left = spending.played * (1.0 / max(1e-9, spending.spent()) - 1.0)
        self.alive = self.ideas.first(max(2, int(left / ENOUGH)))
        self.halve(GATHERING, 1.0)

    def halve(self, start: float, end: float) -> None:
        """Play the ideas with more lucks, the better half with more again, until one is left or the budget is spent.

        The rounds share the budget from ``start`` to ``end``, as shares of the whole.
        """
        rounds = math.ceil(math.log2(len(self.alive)))
        for number in range(1, rounds + 1):
            if len(self.alive) < 2 or not self.with_more_luck(start + (end - start) * number / rounds):
                return
            self.alive = self.ideas.better_half(self.alive, self.lucks)

    def with_more_luck(self, share: float) -> bool:
        """Play the remaining ideas with one luck after another, until ``share`` of the budget is spent.

        Returns whether any budget is left.
        """
        spending = self.player.allowance
        while True:
            for idea in self.alive:
                if not spending.spend():
                    return False
                idea.note(self.play(idea.steps, self.lucks, self.player.advised).worth)
            self.lucks += 1
            if self.lucks >= SOON:
                self.alive = self.ideas.undecided(self.alive, self.lucks)
            if len(self.alive) < 2 or spending.spent() >= share:
                return True

    def runners_up(self) -> list[Plain]:
        """The first answers of the best ideas."""
        return [one.steps[0].answer for one in self.ideas.ranked(self.alive, self.lucks)[:KEPT]]

    def chosen(self) -> tuple[Step, ...]:
        """The best idea; but to leave the turn, where nothing beats that: else the player could go on for ever."""
        if not self.ideas:
            return () if self.idle is None else (self.step(self.idle),)
        best, idle = self.ideas.best(self.alive, self.lucks), self.ideas.idle
        if self.player.may_leave and idle is not None and len(idle.worths) > 1 and best.beside(idle) <= GAIN:
            return idle.steps
        return best.steps


# ---------------------------------------------------------------- forms that decide a turn


class TurnThought(Thought):
    """A thought about a form that decides the whole turn, such as the orders of all units.

    The lines go to the end of the turn, because what is decided shows only there. The ideas are the advised form, forms
    with one field otherwise, and then forms with several of these changes. Each field is a decision, and brings the
    budget of one.
    """

    question: Form

    def begin(self) -> None:
        advised = self.advised()
        assert isinstance(advised, list)
        self.usual = advised
        self.player.allowance.begin(len(advised))
        self.player.set_horizon(None, may_leave=False, is_patient=True)

    def gather(self) -> None:
        """The advised form, and forms with one field otherwise."""
        spending = self.player.allowance
        for answer in (self.usual, *self.otherwise()):
            if self.question.refusal(answer) is None:
                if (self.ideas and spending.spent() >= ALONE) or not spending.spend():
                    return
                self.is_new((self.step(answer),), self.player.advised)

    def otherwise(self) -> list[list[Plain]]:
        """Forms with one field otherwise than advised, first those whose advice is nearly as good."""
        found: list[tuple[float, int, Plain]] = []
        for place, advised in enumerate(self.usual):
            field = self.question.field(self.usual[:place])
            assert field is not None
            told = self.seat.advice(field, {**self.question.about, **field.about})
            best = max((worth for _, worth in told), default=0.0)
            found += [(best - worth, place, answer) for answer, worth in told if answer != advised and worth != WASTE]
        found.sort(key=lambda one: one[:2])
        return [self.changed(self.usual, place, answer) for _, place, answer in found]

    def changed(self, form: list[Plain], place: int, answer: Plain) -> list[Plain]:
        return [*form[:place], answer, *form[place + 1 :]]

    def compare(self) -> None:
        """Find the changes that gain, and how many of them gain together."""
        if not self.ideas:
            return
        spending = self.player.allowance
        left = spending.played * (TOGETHER / max(1e-9, spending.spent()) - 1.0)
        self.alive = self.ideas.first(max(2, int(left / OFTEN)))
        self.halve(spending.spent(), TOGETHER)
        self.alive = [*self.alive, *self.together()]
        self.halve(spending.spent(), 1.0)

    def together(self) -> list[Idea]:
        """Forms with two, three and more of the changes that gain, the best of these first."""
        usual = self.ideas.usual
        ranked = sorted(self.ideas, key=lambda one: -one.beside(usual))
        form, places, found = self.usual, set[int](), list[Idea]()
        for idea in ranked:
            if idea.beside(usual) <= GAIN or len(idea.worths) < 2:
                continue
            place, answer = self.change_of(idea)
            other = self.changed(form, place, answer)
            if place in places or self.question.refusal(other) is not None:
                continue
            form, places = other, {*places, place}
            if len(places) > 1 and (whole := self.tried(form)) is not None:
                found.append(whole)
        return found

    def change_of(self, idea: Idea) -> tuple[int, Plain]:
        """The place of the field that an idea fills in otherwise, and its answer."""
        answer = idea.steps[0].answer
        assert isinstance(answer, list)
        return next((k, one) for k, (one, usual) in enumerate(zip(answer, self.usual, strict=True)) if one != usual)

    def tried(self, form: list[Plain]) -> Idea | None:
        """The idea of a new form, played with all lucks so far; None if there is no budget left for it."""
        steps = (self.step(form),)
        spending = self.player.allowance
        if steps in self.ideas or not spending.spend():
            return None
        idea = Idea(steps, self.play(steps, 0, self.player.advised).worth)
        for luck in range(1, self.lucks):
            spending.spend()
            idea.note(self.play(steps, luck, self.player.advised).worth)
        self.ideas.by_name[repr(steps)] = idea
        return idea
