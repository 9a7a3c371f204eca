"""A battle: the position, the step in progress, the question that is open, and the record of every answer.

The moment between two runs of a step is a boundary; there a mark (a copy of the position) is taken. A clone is the
mark plus the answers since, which are not judged again; so is the state after an undo, and that of a loaded game.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec

from campale.dice.sources import Seeded, Source
from campale.referee.journal import Event, Journal, dice_event
from campale.referee.position import Position, Result
from campale.referee.question import Question, Together
from campale.referee.refusal import Plain, Refusal
from campale.referee.rule import path_of
from campale.referee.ruleset import Ruleset, Setup, as_it_is

Marks = Literal["all", "last", "none"]
MOST_STEPS_WITHOUT_ANSWER = 10_000
MOST_DRAWS = 32


class Entry(msgspec.Struct, array_like=True):
    """One line of the record: the kind of question answered (or what was done to the battle), by whom, the answer."""

    kind: str
    side: int | None
    answer: Plain = None


class Mark(NamedTuple):
    """A boundary: the position there, how many entries and events lay before it, and the turn."""

    position: Position
    at: int
    events: int
    turn: Plain


class TurnHash(msgspec.Struct, array_like=True, frozen=True):
    """The hash of the position at the first boundary of a turn, and how many entries lay before it."""

    at: int
    turn: Plain
    state: str


class RefereeError(Exception):
    """A rule failed in an unforeseen way. The battle stands again at the question before."""


class Drift(Exception):
    """A replayed record that does not fit what is asked."""

    def __init__(self, what: str, at: int, detail: str) -> None:
        super().__init__(f"{what} differs at entry {at}: {detail}")
        self.what, self.at, self.detail = what, at, detail


def grained(answer: Plain) -> Plain:
    """The answer as it is recorded: numbers with a fraction on the grain of the position, tuples as lists."""
    if isinstance(answer, float):
        return round(answer, 4) if abs(answer) < 1e12 else answer
    if isinstance(answer, list | tuple):
        return [grained(one) for one in answer]
    if isinstance(answer, dict):
        return {key: grained(one) for key, one in answer.items()}
    return answer


class Game:
    """One battle from its set-up to its result."""

    def __init__(
        self,
        ruleset: Ruleset,
        setup: Setup,
        seed: str = "1",
        dice: Source | None = None,
        journal: bool = True,
        marks: Marks = "all",
        replaying: Sequence[Entry] = (),
        judging: bool = False,
    ) -> None:
        self.ruleset = ruleset.with_options(setup.options)
        self.setup = setup
        self.seed = seed
        self.dice: Source = dice if dice is not None else Seeded(seed)
        self.position = self.ruleset.set_out(self.ruleset, setup)
        self.position.journal = Journal() if journal else None
        self.record: list[Entry] = []
        self.line: list[Entry] = []
        self.hashes: list[TurnHash] = []
        self.marks: list[Mark] = []
        self.keeps: Marks = marks
        self.hashing = marks != "none"
        self.proposal: tuple[int, dict[str, Plain]] | None = None
        self._start(list(replaying), judging)

    def _start(self, replaying: list[Entry], judging: bool = False) -> None:
        self.held: dict[int, Plain] = {}
        self.pending: dict[int | None, Question] = {}
        self._is_together = False
        self._step: Coroutine[Any, Any, bool] | None = None
        self._replaying = replaying[::-1]
        self._judging = judging
        self._imagining: tuple[int, Random] | None = None
        self._correct_from_record()
        self._new_step()
        self._run(None)

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
        """The open question; of several at once, that of the first side that has not answered."""
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

        Raises RefereeError, with the battle put back, if a rule breaks down.
        """
        question = self.pending.get(side) if side is None else self.question_for(side)
        if question is None or self.is_over:
            return Refusal("", word="answer.not-asked")
        refusal = question.refusal(answer)
        if refusal is not None:
            return refusal
        answer = grained(answer)
        if self._is_together and side is not None:
            self.held[side] = answer
            if len(self.held) < len(self.pending):
                return None
        before = len(self.line)
        try:
            self._run(self._accepted(question, answer))
        except Exception as error:
            self._put_back(before, error)
        return None

    def _accepted(self, question: Question, answer: Plain) -> Any:
        """Enter the answer, or all those held, in the record; what the rule receives."""
        if not self._is_together:
            self._enter(question, answer)
            return question.understood(answer)
        understood = {}
        for side, one in sorted(self.held.items()):
            self._enter(self.pending[side], one)
            understood[side] = self.pending[side].understood(one)
        self.held = {}
        return understood

    def _enter(self, question: Question, answer: Plain) -> None:
        entry = Entry(question.kind, question.side, answer)
        self.line.append(entry)
        self.record.append(entry)

    def _put_back(self, before: int, error: Exception) -> None:
        told = f"seed {self.seed!r}, entry {before} of the record: {type(error).__name__}: {error}"
        if not self._has_mark_before(before):
            raise RefereeError(told) from error
        entered = len(self.line) - before
        del self.record[len(self.record) - entered :]
        self._rebuild(before)
        raise RefereeError(told) from error

    # ------------------------------------------------------------------ running

    def _new_step(self) -> None:
        self._take_mark()
        self._step = self.ruleset.step(self.position)

    def _take_mark(self) -> None:
        if self.keeps == "none":
            return
        turn = self.ruleset.turn(self.position)
        if self.hashing and (not self.hashes or self.hashes[-1].turn != turn):
            self.hashes.append(TurnHash(len(self.line), turn, self.position.state_hash()))
        mark = Mark(self.position.copy(), len(self.line), len(self.journal), turn)
        if self.keeps == "last":
            self.marks.clear()
        self.marks.append(mark)

    def _run(self, value: Any) -> None:
        """Send a value to the step in progress, and go on until a side must answer or the battle is over."""
        self.pending = {}
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
            if waits and not (self._replaying and self._acts_on_battle()):
                return
        self._finish_replay()

    def _step_done(self, more: bool, idle: int) -> int:
        if idle > MOST_STEPS_WITHOUT_ANSWER:
            raise RefereeError(f"the sequence runs on without asking anything, at {self.position.now}")
        if not more or self.position.result is not None:
            self._step = None
        else:
            self._correct_from_record()
            self._new_step()
        return idle + 1

    def _ask(self, asked: Question | Together) -> tuple[bool, Any]:
        """Answer from the record or the dice; otherwise leave it pending and wait."""
        if isinstance(asked, Together):
            return self._ask_together(asked)
        if self._replaying:
            if self._replaying[-1].kind in BATTLE_ENTRIES:
                self.pending = {asked.side: self._cited(asked)}
                return True, None
            return False, self._replayed(asked)
        if asked.is_chance:
            answer = self.dice.answer(asked)
            if answer is not None:
                self._enter(asked, answer)
                return False, self._told(asked, answer)
        self.pending = {asked.side: self._cited(asked)}
        return True, None

    def _ask_together(self, asked: Together) -> tuple[bool, Any]:
        sides = sorted(asked.questions)
        if len(self._replaying) >= len(sides) and self._replaying[-1].kind not in BATTLE_ENTRIES:
            return False, {side: self._replayed(asked.questions[side]) for side in sides}
        self.pending = {side: self._cited(asked.questions[side]) for side in sides}
        self._is_together = True
        return True, None

    def _cited(self, question: Question) -> Question:
        if self._step is not None:
            question.rules = path_of(self._step)
        return question

    def _told(self, question: Question, answer: Plain) -> Any:
        """What the rule receives of chance, with its line in the journal."""
        if self.position.journal is not None:
            self.position.journal.write(dice_event(self._cited(question), answer))
        return question.understood(answer)

    # ------------------------------------------------------------------ replaying

    def _replayed(self, question: Question) -> Any:
        entry = self._replaying.pop()
        if self._judging:
            self._judge(question, entry)
        if self._imagining is not None:
            entry = self._drawn_anew(question, entry)
        self.line.append(entry)
        return self._told(question, entry.answer) if question.is_chance else question.understood(entry.answer)

    def _judge(self, question: Question, entry: Entry) -> None:
        at = len(self.line)
        if (question.kind, question.side) != (entry.kind, entry.side):
            asked = f"{question.kind} '{question.prompt}' of side {question.side}"
            raise Drift("request", at, f"asked is {asked}, recorded is {entry.kind} of side {entry.side}")
        refusal = self._cited(question).refusal(entry.answer)
        if refusal is not None:
            raise Drift("options", at, f"'{question.prompt}' refuses {entry.answer!r} ({refusal.rule})")
        if question.is_chance and isinstance(self.dice, Seeded):
            drawn = grained(self.dice.answer(question))
            if drawn != entry.answer:
                raise Drift("dice", at, f"the seed gives {drawn}, recorded is {entry.answer}")

    def _drawn_anew(self, question: Question, entry: Entry) -> Entry:
        """In an imagined game, a secret of the other side since the mark is drawn anew."""
        side, rng = self._imagining or (None, Random(0))
        is_secret = not question.about.get("open", True)
        if is_secret and question.side != side:
            return Entry(entry.kind, entry.side, question.sample(rng))
        return entry

    def _acts_on_battle(self) -> bool:
        """Carry out a concession or an agreed draw of the record; whether the loop goes on."""
        entry = self._replaying.pop()
        self.line.append(entry)
        self._end_by(entry)
        return True

    def _finish_replay(self) -> None:
        if self._judging and self._replaying:
            raise Drift("request", len(self.line), "the battle is over, the record goes on")

    def _correct_from_record(self) -> None:
        while self._replaying and self._replaying[-1].kind == "correct":
            entry = self._replaying.pop()
            self.line.append(entry)
            self._apply_correction(entry.answer)

    def _rebuild(self, length: int) -> None:
        """Stand again where the line had a length, from the last mark before."""
        while len(self.marks) > 1 and self.marks[-1].at > length:
            self.marks.pop()
        mark = self.marks.pop()
        since = self.line[mark.at : length]
        journal = self.position.journal
        self.position = mark.position.copy()
        if journal is not None:
            journal.cut_to(mark.events)
            self.position.journal = journal
        del self.line[mark.at :]
        self.hashes = [one for one in self.hashes if one.at <= mark.at]
        self._start(since)

    # ------------------------------------------------------------------ clones

    def clone(self, journal: bool = False, dice: Source | None = None) -> Game:
        """The same battle, standing at the same question, sharing nothing that changes."""
        return self._copy(self._last_mark().position.copy(), dice or self.dice.copy(), journal)

    def _last_mark(self) -> Mark:
        if not self.marks:
            raise RefereeError("this battle keeps no marks, so it cannot be cloned")
        return self.marks[-1]

    def _copy(
        self,
        position: Position,
        dice: Source,
        journal: bool = False,
        imagining: tuple[int, Random] | None = None,
    ) -> Game:
        mark = self._last_mark()
        new = Game.__new__(Game)
        new.ruleset, new.setup, new.seed, new.dice = self.ruleset, self.setup, self.seed, dice
        new.keeps, new.proposal = "last", self.proposal
        new.position = position
        new.position.journal = Journal(self.journal[: mark.events]) if journal else None
        new.line, new.record = self.line[: mark.at], self.line[: mark.at]
        new.hashes, new.marks, new.hashing = [], [], False
        new._resume(self.line[mark.at :], self.is_over, imagining)
        new.held = {one: new._as_held(one, answer) for one, answer in self.held.items()}
        new._imagining = None
        return new

    def _as_held(self, side: int, answer: Plain) -> Plain:
        """An answer given in secret and not yet released; in an imagined game that of another side is drawn anew."""
        if self._imagining is None or self._imagining[0] == side:
            return answer
        return self.pending[side].sample(self._imagining[1])

    def _resume(self, since: list[Entry], over: bool, imagining: tuple[int, Random] | None) -> None:
        if over and not since:
            self.held, self.pending, self._step = {}, {}, None
            self._replaying, self._imagining, self._judging, self._is_together = [], None, False, False
            return
        self.held, self.pending, self._is_together = {}, {}, False
        self._replaying, self._judging, self._imagining = since[::-1], False, imagining
        self.marks.append(Mark(self.position.copy(), len(self.line), len(self.journal), None))
        self._step = self.ruleset.step(self.position)
        self._run(None)

    def imagined_by(self, side: int, rng: Random) -> Game:
        """A clone in which what the side may not know is drawn anew, and the dice to come are new ones.

        A secret is drawn at the last mark; a draw that the answers since contradict is drawn again.
        """
        if self.ruleset.imagine is as_it_is:
            return self._imagined(side, rng)
        seen, imagined = self._seen_by(side), None
        for _ in range(MOST_DRAWS):
            try:
                imagined = self._imagined(side, rng)
            except Exception:
                continue
            if imagined._seen_by(side) == seen:
                return imagined
        return imagined or self._copy(self._last_mark().position.copy(), new_dice(rng))

    def _imagined(self, side: int, rng: Random) -> Game:
        position = self.ruleset.imagine(self._last_mark().position.copy(), side, rng)
        return self._copy(position, new_dice(rng), imagining=(side, rng))

    def _seen_by(self, side: int) -> tuple[bytes, tuple[int | None, ...]]:
        """What a side sees of the position, and who is asked: a draw that changes it contradicts the answers given."""
        return self.ruleset.seen_by(side, self.position.copy()).to_bytes(), self.asked

    # ------------------------------------------------------------------ acting on the battle itself

    def undo(self, side: int) -> Refusal | None:
        """Take back the last decision of a side, unless a die, another's decision or something learned lies after."""
        if not self.line or not self._has_mark_before(len(self.line) - 1):
            return Refusal("", word="undo.nothing")
        last = self.line[-1]
        if last.kind in CHANCE_KINDS or last.side != side or last.kind in BATTLE_ENTRIES:
            return Refusal("", word="undo.not-yours" if last.side != side else "undo.die-fell")
        if self._has_revealed_since(len(self.line) - 1):
            return Refusal("", word="undo.revealed")
        self._undo_to(len(self.line) - 1)
        return None

    def _has_mark_before(self, length: int) -> bool:
        """Whether the battle can go back so far (one that keeps its last mark only can do so within a step)."""
        return any(mark.at <= length for mark in self.marks)

    def _has_revealed_since(self, length: int) -> bool:
        before = next((m for m in reversed(self.marks) if m.at <= length), None)
        return before is not None and before.position.revealed != self.position.revealed

    def _undo_to(self, length: int) -> None:
        self.record.append(Entry("undo", None, length))
        self._rebuild(length)
        self.position.write("undo", to=length)

    def concede(self, side: int) -> Refusal | None:
        """Give the battle up."""
        return self._ends_with(Entry("concede", side))

    def _ends_with(self, entry: Entry) -> Refusal | None:
        if self.is_over:
            return Refusal("", word="answer.not-asked")
        self.line.append(entry)
        self.record.append(entry)
        self._end_by(entry)
        return None

    def _end_by(self, entry: Entry) -> None:
        winner = None
        if entry.kind == "concede" and entry.side is not None:
            winner = 1 - entry.side
        self.position.finish(Result(winner, entry.kind))
        self._step = None
        self.pending = {}

    def propose(self, side: int, what: dict[str, Plain]) -> Refusal | None:
        """Propose {"draw": true}, {"undo": length of the record to go back to}, or {"correction": [changes]}."""
        if self.is_over or not set(what) <= {"draw", "undo", "correction"} or len(what) != 1:
            return Refusal("", word="proposal.unknown")
        if "correction" in what and (fault := misdescribed(self.position, what["correction"])):
            return Refusal("", word=fault)
        if "undo" in what and not (isinstance(what["undo"], int) and 0 <= what["undo"] <= len(self.line)):
            return Refusal("", word="proposal.unknown")
        if "undo" in what and not self._has_mark_before(what["undo"]):
            return Refusal("", word="undo.nothing")
        self.proposal = (side, what)
        self.record.append(Entry("propose", side, what))
        return None

    def consent(self, side: int) -> Refusal | None:
        """Agree to what the other side has proposed; it is carried out."""
        if self.proposal is None or self.proposal[0] == side:
            return Refusal("", word="proposal.none")
        what = self.proposal[1]
        self.proposal = None
        self.record.append(Entry("consent", side))
        if "draw" in what:
            return self._ends_with(Entry("draw-agreed", None))
        if "undo" in what:
            self._undo_to(what["undo"])
        else:
            self._correct(what["correction"])
        return None

    def decline(self, side: int) -> Refusal | None:
        if self.proposal is None:
            return Refusal("", word="proposal.none")
        self.proposal = None
        self.record.append(Entry("decline", side))
        return None

    def _correct(self, changes: list[list[Plain]]) -> None:
        """Go back to the last boundary, change the position there, and go on from it."""
        length = self._last_mark().at
        if length < len(self.line):
            self._undo_to(length)
        entry = Entry("correct", None, changes)
        self.line.append(entry)
        self.record.append(entry)
        self._apply_correction(changes)
        self._start([])

    def _apply_correction(self, changes: list[list[Plain]]) -> None:
        for verb, row, *values in changes:
            model = self.position.model(row)
            if verb == "move":
                self.position.move_to(model, *values, corrected=True)
            else:
                self.position.mark(model, *values)


def new_dice(rng: Random) -> Seeded:
    """Dice that no battle has."""
    return Seeded(f"imagined/{rng.getrandbits(64)}")


CHANCE_KINDS = frozenset({"roll", "direction", "draw"})
BATTLE_ENTRIES = frozenset({"concede", "draw-agreed", "correct"})
TALK = frozenset({"propose", "consent", "decline"})


def misdescribed(position: Position, changes: Plain) -> str:
    """Why a correction cannot be read: its changes are ["move", row, x, y, z, facing] or ["mark", row, name, n]."""
    if not isinstance(changes, list) or not changes:
        return "correction.unreadable"
    for change in changes:
        fits = isinstance(change, list) and len(change) >= 2 and isinstance(change[1], int)
        if not fits or not 0 <= change[1] < len(position.names):
            return "correction.unreadable"
        if change[0] == "move":
            fits = len(change) == 6 and all(isinstance(n, int | float) for n in change[2:])
        else:
            fits = change[0] == "mark" and len(change) == 4 and isinstance(change[2], str)
            fits = fits and isinstance(change[3], int)
        if not fits:
            return "correction.unreadable"
    return ""


def effective(record: Sequence[Entry]) -> list[Entry]:
    """The entries of a record that still hold: without what was undone, and without talk."""
    line: list[Entry] = []
    for entry in record:
        if entry.kind == "undo":
            del line[entry.answer :]
        elif entry.kind not in TALK:
            line.append(entry)
    return line
