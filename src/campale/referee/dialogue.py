"""The dialogue of a battle: it runs the step in progress, asks, takes answers, and plays a record again."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from random import Random
from typing import Any

from campale.dice.sources import Redrawn, Seeded, Source
from campale.referee.journal import Event, Journal, dice_event, late_event
from campale.referee.patience import TookTooLong, within
from campale.referee.position import Position, Result
from campale.referee.question import Question, Together, unplain
from campale.referee.records.record import (
    BATTLE_ENTRIES,
    DOUBT,
    ENDINGS,
    LATE,
    Drift,
    Entry,
    Mark,
    Marks,
    RefereeError,
    TurnHash,
    correct,
    grained,
    is_lapse,
    misdescribed,
)
from campale.referee.refusal import Plain, Refusal
from campale.referee.rule import path_of
from campale.referee.ruleset import Ruleset, Setup, switch_off

MOST_STEPS_WITHOUT_ANSWER = 10_000


class Dialogue:
    """The position, the step in progress, the open questions, and the record."""

    def __init__(
        self,
        ruleset: Ruleset,
        setup: Setup,
        seed: str = "1",
        dice: Source | None = None,
        journal: bool | Journal = True,
        marks: Marks = "all",
        replaying: Sequence[Entry] = (),
        judging: bool = False,
        position: Position | None = None,
        line: Sequence[Entry] = (),
    ) -> None:
        """A battle from its set-up, or from a boundary: its ``position``, and the ``line`` of entries before it.

        A given ``journal`` is continued.
        """
        self.ruleset = ruleset.with_options(setup.options)
        self.setup = setup
        self.seed = seed
        self.dice: Source = dice if dice is not None else Seeded(seed)
        self.position = position if position is not None else self.ruleset.set_out(self.ruleset, setup)
        self.position.journal = journal if isinstance(journal, Journal) else Journal() if journal else None
        self.record: list[Entry] = []
        self.line: list[Entry] = list(line)
        self.hashes: list[TurnHash] = []
        self.marks: list[Mark] = []
        self.keeps: Marks = marks
        self.hashing = marks != "none"
        self.proposal: tuple[int, dict[str, Plain]] | None = None
        self.versions: tuple[str, str] | None = None
        self.joints: set[int] = set()
        self.unseen: dict[int, int | None] = {}
        self._start(list(replaying), judging)

    def _start(self, replaying: list[Entry], judging: bool = False) -> None:
        self._stand_still()
        self._date()
        self._replaying.extend(reversed(replaying))
        self._judging = judging
        self._new_step()
        self._run(None)

    def _stand_still(self) -> None:
        """Nothing is asked, nothing runs."""
        self.held: dict[int, Plain] = {}
        self.pending: dict[int | None, Question] = {}
        self._seen: dict[int, Position] = {}
        self._is_together = False
        self._step: Coroutine[Any, Any, bool] | None = None
        self._replaying: list[Entry] = []
        self._judging = False
        self._imagining: tuple[int, Random] | None = None

    # ------------------------------------------------------------------ what is asked

    @property
    def is_over(self) -> bool:
        return self.position.result is not None or self._step is None

    @property
    def result(self) -> Result | None:
        return self.position.result

    @property
    def journal(self) -> list[Event]:
        return self.position.journal.events if self.position.journal is not None else []

    @property
    def question(self) -> Question | None:
        """The open question; if several are open, that of the first side that has not answered."""
        return next((q for side, q in self.pending.items() if side not in self.held), None)

    def question_for(self, side: int) -> Question | None:
        """The question open to a side, or to chance when the dice are typed in."""
        if side in self.held:
            return None
        return self.pending.get(side) or self.pending.get(None)

    @property
    def asked(self) -> tuple[int | None, ...]:
        """Who has an open question."""
        return tuple(side for side in self.pending if side not in self.held)

    # ------------------------------------------------------------------ answering

    def answer(self, side: int | None, answer: Plain) -> Refusal | None:
        """Answer the question open to a side. A refused answer changes nothing.

        Raises RefereeError, with the battle restored, if a rule fails, or if a rule of an installed ruleset takes too
        long: then no new battle of that ruleset begins.
        """
        try:
            with within(self.ruleset.patience):
                return self._answered(side, answer)
        except (RefereeError, TookTooLong) as error:
            if not isinstance(error.__cause__ or error, TookTooLong):
                raise
            switch_off(self.ruleset.name, f"a rule took more than {self.ruleset.patience:g} s")
            raise RefereeError(self._told_of(error.__cause__ or error, len(self.line))) from error

    def _answered(self, side: int | None, answer: Plain) -> Refusal | None:
        question = self.pending.get(side) if side is None else self.question_for(side)
        if question is None or self.is_over:
            return Refusal("", word="answer.not-asked")
        fault = unplain(answer)
        if fault is not None:
            return question.citing(fault)
        answer = grained(answer)
        refusal = self._judged(question, answer)
        if refusal is not None:
            return refusal
        held = dict(self.held)
        if self._is_together and side is not None:
            self.held[side] = answer
            if len(self.held) < len(self.pending):
                return None
        self._go_on(question, answer, held)
        return None

    def _judged(self, question: Question, answer: Plain) -> Refusal | None:
        try:
            return None if question.has_passed(answer) else question.refusal_of_plain(answer)
        except Exception as error:
            raise RefereeError(self._told_of(error, len(self.line))) from error

    def _go_on(self, question: Question, answer: Plain, held: dict[int, Plain]) -> None:
        """Continue with a legal answer; if a rule fails, restore the state before the answer, with the same dice."""
        before, dice = len(self.line), self.dice.copy()
        try:
            self._run(self._accepted(question, answer))
        except BaseException as error:
            self._put_back(before)
            self.held, self.dice = held, dice
            if isinstance(error, Exception):
                raise RefereeError(self._told_of(error, before)) from error
            raise

    def _told_of(self, error: BaseException, at: int) -> str:
        return f"seed {self.seed!r}, entry {at} of the record: {type(error).__name__}: {error}"

    def _accepted(self, question: Question, answer: Plain) -> Any:
        """Enter the answer, or all held answers, in the record. Returns what the rule receives."""
        if not self._is_together:
            self._enter(question, answer)
            return self._told(question, answer) if question.is_chance else question.understood(answer)
        understood = {}
        self._join(len(self.held))
        for side, one in sorted(self.held.items()):
            self._enter(self.pending[side], one)
            understood[side] = self.pending[side].understood(one)
        self.held = {}
        return understood

    def _enter(self, question: Question, answer: Plain) -> None:
        self._hide(question)
        entry = Entry(question.kind, question.side, answer)
        self._lengthen(entry)
        self.record.append(entry)

    def _lengthen(self, entry: Entry) -> None:
        self.line.append(entry)
        self._date()

    def _date(self) -> None:
        """Date the following events by the number of answers so far."""
        if self.position.journal is not None:
            self.position.journal.at = len(self.line)

    def _hide(self, question: Question) -> None:
        """Mark the next entry as a die that only its side knows of."""
        if question.is_chance and question.about.get("secret"):
            self.unseen[len(self.line)] = question.side

    def _join(self, count: int) -> None:
        """Mark the next entries as given together: the record is not cut between them."""
        at = len(self.line)
        self.joints.update(range(at + 1, at + count))

    def _put_back(self, before: int) -> None:
        if self.keeps == "none" or not self.marks:
            return
        del self.record[len(self.record) - (len(self.line) - before) :]
        self._rebuild(before)

    # ------------------------------------------------------------------ running

    def _new_step(self) -> None:
        self._take_mark()
        while self._replaying and self._replaying[-1].kind == "correct":
            entry = self._replaying.pop()
            if misdescribed(self.position, entry.answer):
                raise Drift("options", len(self.line), f"{entry.answer!r} is no correction")
            self._lengthen(entry)
            correct(self.position, entry)
            self._take_mark()
        self._step = self.ruleset.step(self.position)

    def _take_mark(self) -> None:
        if self.keeps == "none":
            return
        turn = grained(self.ruleset.turn(self.position))
        if self.hashing and (not self.hashes or self.hashes[-1].turn != turn):
            self.hashes.append(TurnHash(len(self.line), turn, self.position.state_hash()))
        mark = Mark(self.position.copy(), len(self.line), len(self.journal), turn)
        if self.keeps == "last":
            self.marks.clear()
        self.marks.append(mark)

    def _run(self, value: Any) -> None:
        """Send a value to the step in progress, and continue until a side must answer or the battle is over."""
        self.pending, self._seen = {}, {}
        self._is_together = False
        idle = 0
        while self._step is not None:
            try:
                asked = self._step.send(value)
            except StopIteration as done:
                value = None
                idle = self._step_done(done.value, idle)
                continue
            idle = 0
            waits, value = self._ask(asked)
            if waits and not self._ends_by_record():
                return
        if self._replaying:
            raise Drift("request", len(self.line), "the battle is over, the record goes on")

    def _step_done(self, more: bool, idle: int) -> int:
        if idle > MOST_STEPS_WITHOUT_ANSWER:
            raise RefereeError(f"the sequence runs on without asking anything, at {self.position.now}")
        if not more or self.position.result is not None:
            self._step = None
        else:
            self._new_step()
        return idle + 1

    def _ask(self, asked: Question | Together) -> tuple[bool, Any]:
        """Answer from the record or the dice; otherwise leave it pending and wait."""
        if isinstance(asked, Together):
            return self._ask_together(asked)
        if not isinstance(asked, Question):
            raise TypeError(f"a rule awaits {asked!r}, which is no question")
        self._beside_by_record({asked.side: asked})
        if self._replaying and self._replaying[-1].kind not in BATTLE_ENTRIES:
            return False, self._replayed(asked)
        if asked.is_chance and not self._replaying:
            answer = self._drawn(asked)
            if answer is not None:
                answer = grained(answer)
                self._enter(asked, answer)
                return False, self._told(asked, answer)
        self.pending = {asked.side: self._cited(asked)}
        return True, None

    def _drawn(self, asked: Question) -> Plain:
        """The result of the dice; a secret die is never typed in, because asking for it would give it away."""
        answer = self.dice.answer(asked)
        return self._beside_the_table(asked) if answer is None and asked.about.get("secret") else answer

    def _beside_the_table(self, asked: Question) -> Plain:
        """A die that nobody types in, even with real dice."""
        return Seeded(f"{self.seed}/secret/{len(self.line)}").answer(asked)

    def _ask_together(self, asked: Together) -> tuple[bool, Any]:
        sides = sorted(asked.questions)
        self._beside_by_record(asked.questions)
        if self._replaying and self._replaying[-1].kind not in BATTLE_ENTRIES:
            if len(self._replaying) < len(sides):
                raise Drift("request", len(self.line), f"asked are {len(sides)} sides together, the record ends")
            self._join(len(sides))
            return False, {side: self._replayed(asked.questions[side]) for side in sides}
        self.pending = {side: self._cited(asked.questions[side]) for side in sides}
        self._is_together = True
        return True, None

    def _cited(self, question: Question) -> Question:
        if self._step is not None:
            question.rules = path_of(self._step)
        return question

    def _told(self, question: Question, answer: Plain) -> Any:
        """What the rule receives from chance, with its line in the journal."""
        if self.position.journal is not None:
            self.position.enter(dice_event(self._cited(question), answer))
        return question.understood(answer)

    def _end_by(self, entry: Entry) -> None:
        winner = 1 - entry.side if entry.kind == "concede" and entry.side is not None else None
        self.position.finish(Result(winner, entry.kind))
        self._step = None
        self.pending, self.held = {}, {}

    # ------------------------------------------------------------------ replaying

    def _replayed(self, question: Question) -> Any:
        entry = self._replaying.pop()
        if self._imagining is not None:
            entry = self._drawn_anew(question, entry)
        if self._judging:
            self._judge(question, entry)
        self._hide(question)
        self._lengthen(entry)
        return self._told(question, entry.answer) if question.is_chance else question.understood(entry.answer)

    def _judge(self, question: Question, entry: Entry) -> None:
        at = len(self.line)
        if (question.kind, question.side) != (entry.kind, entry.side):
            asked = f"{question.kind} '{question.prompt}' of side {question.side}"
            raise Drift("request", at, f"asked is {asked}, recorded is {entry.kind} of side {entry.side}")
        self._judge_answer(self._cited(question), entry.answer)

    def _judge_answer(self, question: Question, answer: Plain) -> None:
        at, refusal = len(self.line), question.refusal(answer)
        if refusal is not None:
            raise Drift("options", at, f"'{question.prompt}' refuses {answer!r} ({refusal.rule})")
        if question.is_chance and isinstance(self.dice, Redrawn):
            drawn = grained(self.dice.answer(question))
            if drawn != answer:
                raise Drift("dice", at, f"the seed gives {drawn}, recorded is {answer}")

    def _drawn_anew(self, question: Question, entry: Entry) -> Entry:
        """In an imagined game, draw a secret of the other side since the mark at random again."""
        side, rng = self._imagining or (None, Random(0))
        is_secret = question.about.get("secret") or not question.about.get("open", True)
        if is_secret and question.side != side:
            return Entry(question.kind, question.side, question.sample(rng))
        return entry

    def _beside_by_record(self, asked: Mapping[Any, Question]) -> None:
        """Replay the entries that answer no question: expired clocks, dice that settle a doubt."""
        while self._replaying and self._replaying[-1].kind in (LATE, DOUBT):
            entry = self._replaying.pop()
            if entry.kind == DOUBT:
                self._fall_by_record(entry)
                continue
            if entry.side not in asked or entry.side is None or not is_lapse(entry.answer):
                raise Drift("request", len(self.line), f"no clock runs out here for side {entry.side}")
            self._enter_lapse(asked[entry.side], entry, len(asked) == 1)

    def _enter_lapse(self, question: Question, entry: Entry, is_alone: bool) -> None:
        self._lengthen(entry)
        if self.position.journal is not None and entry.side is not None:
            is_told = is_alone and bool(question.about.get("open", True))
            self.position.enter(late_event(self._cited(question), entry.side, entry.answer, is_told))

    def _fall_by_record(self, entry: Entry) -> None:
        if entry.side not in (0, 1) or self._why_no_doubt(entry.side) is not None:
            raise Drift("request", len(self.line), f"no die settles a doubt here for side {entry.side}")
        rule, question = self._doubted(entry.side)
        if self._judging:
            self._judge_answer(question, entry.answer)
        self._let_fall(rule, question, entry)

    def _why_no_doubt(self, side: int) -> Refusal | None:
        die = self.ruleset.doubt
        return Refusal("", word="doubt.none") if die is None else die.may(self.position, side)

    def _doubted(self, side: int) -> tuple[Coroutine[Any, Any, None], Question]:
        """The die of a doubt, and the rule that waits for it."""
        die = self.ruleset.doubt
        assert die is not None
        rule = die.fall(self.position, side)
        question: Question = rule.send(None)
        question.rules = path_of(rule)
        return rule, question

    def _let_fall(self, rule: Coroutine[Any, Any, None], question: Question, entry: Entry) -> None:
        """The position does not change, and the open questions stay open."""
        self._lengthen(entry)
        if self.position.journal is not None:
            self.position.enter(dice_event(question, entry.answer))
        try:
            rule.send(question.understood(entry.answer))
        except StopIteration:
            return
        raise TypeError("the die of a doubt asks for more")

    def _ends_by_record(self) -> bool:
        """Carry out a concession or an agreed draw of the record, if one comes next."""
        if not self._replaying:
            return False
        entry = self._replaying.pop()
        if entry.kind not in ENDINGS or (entry.kind == "concede") != (entry.side in (0, 1)):
            raise Drift("request", len(self.line), f"{entry.kind} of side {entry.side} in the midst of a step")
        self._lengthen(entry)
        self._end_by(entry)
        return True

    def _rebuild(self, length: int, more: Sequence[Entry] = ()) -> None:
        """Restore the state at which the line had a length, from the last mark before; ``more`` entries follow."""
        while len(self.marks) > 1 and self.marks[-1].at > length:
            self.marks.pop()
        mark = self.marks.pop()
        since = [*self.line[mark.at : length], *more]
        journal = self.position.journal
        self.position = mark.position.copy()
        if journal is not None:
            journal.cut_to(mark.events)
            self.position.journal = journal
        del self.line[mark.at :]
        self.hashes = [one for one in self.hashes if one.at <= mark.at]
        self.joints = {one for one in self.joints if one < mark.at}
        self.unseen = {at: side for at, side in self.unseen.items() if at < mark.at}
        self._start(since)
