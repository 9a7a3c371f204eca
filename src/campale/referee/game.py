"""A battle: the dialogue, its clones, imagined games of it, and acts on the battle itself.

The moment between two runs of a step is a boundary; there a mark (a copy of the position) is taken. A clone is the mark
plus the answers since, which are not judged again; an undo works the same way.
"""

from __future__ import annotations

from random import Random

from campale.dice.sources import Alike, Seeded, Source
from campale.referee.dialogue import MOST_STEPS_WITHOUT_ANSWER, Dialogue
from campale.referee.journal import Journal
from campale.referee.position import Position
from campale.referee.question import unplain
from campale.referee.records.record import (
    BATTLE_ENTRIES,
    CHANCE_KINDS,
    DOUBT,
    LATE,
    TALK,
    Drift,
    Entry,
    Mark,
    Marks,
    RefereeError,
    TurnHash,
    effective,
    grained,
    is_lapse,
    is_whole,
    misdescribed,
)
from campale.referee.refusal import Plain, Refusal
from campale.referee.ruleset import as_it_is

__all__ = [
    "BATTLE_ENTRIES",
    "CHANCE_KINDS",
    "LATE",
    "MOST_STEPS_WITHOUT_ANSWER",
    "TALK",
    "Drift",
    "Entry",
    "Game",
    "Mark",
    "Marks",
    "RefereeError",
    "TurnHash",
    "effective",
    "grained",
    "misdescribed",
]

HIDDEN = Entry("hidden", None)
"""Stands for the entries before the mark of an imagined game, which may be secrets."""

MOST_IMAGININGS = 24


class Game(Dialogue):
    """One battle from its set-up to its result."""

    # ------------------------------------------------------------------ clones

    def clone(self, journal: bool = False, dice: Source | None = None) -> Game:
        """A copy of the battle at the same question, sharing nothing that changes."""
        mark = self._last_mark()
        new = self._bare(mark, dice if dice is not None else self.dice.copy())
        new.seed, new.line = self.seed, self.line[: mark.at]
        new.record, new.hashes = self.record[:], self.hashes[:]
        known = self.position.journal
        new._go_on_from(mark, self, known.first(mark.events) if journal and known is not None else None)
        new.held = dict(self.held)
        return new

    def at(self, length: int, journal: bool = False) -> Game:
        """A copy of the battle as it stood when its line had this length; the dice to come are those of now.

        Dice are not waited for: where one came next, it is rolled anew, and the copy goes on to the next question.

        Raises RefereeError for a length at which it never stood: before its first mark, or between answers that were
        given together.
        """
        if not self._can_stand_at(length):
            raise RefereeError(f"this battle never stood at {length} of its {len(self.line)} entries")
        return self._standing_at(next(mark for mark in reversed(self.marks) if mark.at <= length), length, journal)

    def imagined_by(self, side: int, rng: Random, luck: tuple[str, int] | None = None) -> Game:
        """A clone with the secrets of the other side drawn at random, and with new dice to come.

        ``luck``: a seed and a number, for dice that show the same for the same rolls (``Alike``); without it they come
        from ``rng``. Secrets are drawn at the mark; if the answers since contradict them, they are drawn again.
        """
        is_open = self.ruleset.imagine is as_it_is
        problem: Exception | None = None
        for number in range(MOST_IMAGININGS):
            try:
                return self._imagined(side, rng, not is_open and number < MOST_IMAGININGS // 2, luck)
            except Exception as error:
                problem = error
        raise RefereeError(f"nothing that side {side} may imagine fits the answers given: {problem}") from problem

    def _imagined(self, side: int, rng: Random, judging: bool, luck: tuple[str, int] | None) -> Game:
        mark = self._last_mark()
        imagine = self.ruleset.imagine
        if imagine is not as_it_is:
            mark = mark._replace(position=imagine(mark.position.copy(), side, rng))
        seed = f"imagined/{rng.getrandbits(64)}"
        new = self._bare(mark, Seeded(seed) if luck is None else Alike(*luck))
        new.seed, new.line, new.record, new.hashes = seed, [HIDDEN] * mark.at, [], []
        new._imagining, new._judging = (side, rng), judging
        new._go_on_from(mark, self, None)
        asked = tuple(new.pending), new.pending.get(side)
        if judging and asked != (tuple(self.pending), self.pending.get(side)):
            raise Drift("request", len(new.line), "the imagined battle asks something else")
        if judging and not new._seen_by(side).is_like(self._seen_by(side)):
            raise Drift("view", len(new.line), "the imagined battle looks otherwise")
        new.held = {one: answer for one, answer in self.held.items() if one == side}
        return new

    def _seen_by(self, side: int) -> Position:
        """The position as a side sees it, made once while a question is open."""
        if side not in self._seen:
            self._seen[side] = self.ruleset.seen_by(side, self.position.copy())
        return self._seen[side]

    def _last_mark(self) -> Mark:
        """Where a copy begins: the last boundary, or the end."""
        if self.is_over:
            return Mark(self.position, len(self.line), len(self.journal), None)
        if not self.marks:
            raise RefereeError("this battle keeps no marks: it cannot be cloned, taken back, corrected or saved")
        return self.marks[-1]

    def _bare(self, mark: Mark, dice: Source) -> Game:
        """A game of the same battle without a state yet."""
        new = Game.__new__(Game)
        new.ruleset, new.setup, new.dice, new.versions = self.ruleset, self.setup, dice, self.versions
        new.keeps, new.hashing, new.proposal, new.joints = "last", False, self.proposal, set()
        new.unseen = {}
        new.marks = [mark]
        new._stand_still()
        return new

    def _go_on_from(self, mark: Mark, original: Game, journal: Journal | None) -> None:
        """Play from the mark to where the original stands."""
        self.position = mark.position.copy()
        self.position.journal = journal
        self._date()
        if not original.is_over:
            self._replaying = original.line[mark.at :][::-1]
            self._step = self.ruleset.step(self.position)
            self._run(None)
        self._imagining, self._judging = None, False

    # ------------------------------------------------------------------ taking back

    def undo(self, side: int) -> Refusal | None:
        """Undo the last decision of a side, unless a die, another side's decision or something learned came after it.

        An answer that still waits for those of other sides is undone without a trace.
        """
        word = self.why_no_undo(side)
        if word:
            return Refusal("", word=word)
        if self.held:
            del self.held[side]
        else:
            self._undo_to(self.last_known_to(side))
        return None

    def why_no_undo(self, side: int) -> str:
        """The word for why a side cannot undo; empty if it can."""
        if self.held:
            return "" if side in self.held else "undo.not-yours"
        length = self.last_known_to(side)
        if not self._can_stand_at(length):
            return "undo.nothing" if length not in self.joints else "undo.revealed"
        last = self.line[length]
        if last.kind == LATE:
            return "undo.late"
        if last.kind in CHANCE_KINDS:
            return "undo.die-fell"
        if last.side != side or last.kind in BATTLE_ENTRIES:
            return "undo.not-yours"
        return "undo.revealed" if length < len(self.line) - 1 or self._has_revealed_since(length) else ""

    def is_nothing_at_stake_since(self, length: int) -> bool:
        """Whether no die was rolled and no secret revealed since the line had a length."""
        if not self._can_stand_at(length) or self._has_revealed_since(length):
            return False
        return not any(entry.kind in CHANCE_KINDS for entry in self.line[length:])

    def last_known_to(self, side: int) -> int:
        """The index of the last entry that a side knows of: the secret dice of others must not show here either."""
        at = len(self.line) - 1
        while self.unseen.get(at, side) != side:
            at -= 1
        return at

    def _can_stand_at(self, length: int) -> bool:
        """Whether there is an earlier mark, and the index is not between answers given together."""
        return bool(self.marks) and self.marks[0].at <= length <= len(self.line) and length not in self.joints

    def _has_revealed_since(self, length: int) -> bool:
        """Whether something was revealed since the line had a length."""
        mark = next(m for m in reversed(self.marks) if m.at <= length)
        if mark.position.revealed == self.position.revealed:
            return False
        return self._standing_at(mark, length).position.revealed != self.position.revealed

    def _standing_at(self, mark: Mark, length: int, journal: bool = False) -> Game:
        """A clone at the point where the line had a length, after this mark."""
        new = self._bare(mark, self.dice.copy())
        new.seed, new.line, new.record, new.hashes = self.seed, self.line[: mark.at], [], []
        known = self.position.journal
        new.position = mark.position.copy()
        new.position.journal = known.first(mark.events) if journal and known is not None else None
        new._date()
        new._replaying = self.line[mark.at : length][::-1]
        new._step = self.ruleset.step(new.position)
        new._run(None)
        return new

    def _undo_to(self, length: int) -> None:
        self.record.append(Entry("undo", None, length))
        self._rebuild(length)

    # ------------------------------------------------------------------ acting on the battle itself

    def concede(self, side: int) -> Refusal | None:
        """Give the battle up."""
        return self._ends_with(Entry("concede", side if side in (0, 1) else None))

    def lapse(self, side: int, clock: str, how: str, answer: Plain = None) -> Refusal | None:
        """A clock has run out for a side that is asked: the journal says so, and nothing else changes.

        ``how`` says what happens instead: "passed" or "proposed", with that ``answer``; or "lost" if the side loses the
        battle. The journal says so once, however often the same answer is tried.
        """
        question, told = self.question_for(side), [clock, how, grained(answer)]
        if question is None or question.side != side or self.is_over or not is_lapse(told):
            return Refusal("", word="answer.not-asked")
        entry = Entry(LATE, side, told)
        if not self.line or self.line[-1] != entry:
            self.record.append(entry)
            self._enter_lapse(question, entry, len(self.pending) == 1)
        return None

    def doubt(self, side: int, shown: Plain = None) -> Refusal | None:
        """A die settles a doubt at the table, for a side that calls for it: the journal shows it, nothing else changes.

        ``shown`` is its result if it is already in a record.
        """
        refusal = self.why_no_doubt(side)
        if refusal is not None:
            return refusal
        rule, question = self._doubted(side)
        drawn = self.dice.answer(question) if shown is None else shown
        entry = Entry(DOUBT, side, grained(self._beside_the_table(question) if drawn is None else drawn))
        self.record.append(entry)
        self._let_fall(rule, question, entry)
        return None

    def why_no_doubt(self, side: int) -> Refusal | None:
        """Why a side may not roll a die for a doubt now; None if it may."""
        if self.is_over or side not in (0, 1):
            return Refusal("", word="answer.not-asked")
        return self._why_no_doubt(side)

    def _ends_with(self, entry: Entry) -> Refusal | None:
        if self.is_over or (entry.kind == "concede" and entry.side is None):
            return Refusal("", word="answer.not-asked")
        self._lengthen(entry)
        self.record.append(entry)
        self._end_by(entry)
        return None

    def propose(self, side: int, what: dict[str, Plain]) -> Refusal | None:
        """Propose {"draw": true}, {"undo": length of the record to go back to}, or {"correction": [changes]}."""
        word = "proposal.unknown" if self.is_over else self._why_not(what)
        if word:
            return Refusal("", word=word)
        self.proposal = (side, grained(what))
        self.record.append(Entry("propose", side, grained(what)))
        return None

    def _why_not(self, what: dict[str, Plain]) -> str:
        """The word for what is wrong with a proposal now; empty if it can be carried out."""
        if len(what) != 1 or unplain(what) is not None:
            return "proposal.unknown"
        if "correction" in what:
            return misdescribed(self.position, what["correction"]) if self.marks else "proposal.unknown"
        if "undo" in what:
            back = what["undo"]
            fits = is_whole(back, 0, len(self.line)) and self._can_stand_at(back)
        else:
            fits = what.get("draw") is True
        return "" if fits else "proposal.unknown"

    def consent(self, side: int) -> Refusal | None:
        """Accept the other side's proposal; it is carried out unless it has become impossible."""
        if self.proposal is None or self.proposal[0] == side or self.is_over:
            return Refusal("", word="proposal.none")
        by, what = self.proposal
        if word := self._why_not(what):
            return Refusal("", word=word)
        self.proposal = None
        self.record.append(Entry("consent", side))
        if "draw" in what:
            return self._ends_with(Entry("draw-agreed", None))
        if "undo" in what:
            self._undo_to(what["undo"])
        else:
            try:
                self._correct(by, what["correction"])
            except RefereeError:
                self.record.pop()
                self.proposal = (by, what)
                raise
        return None

    def decline(self, side: int) -> Refusal | None:
        """Decline or withdraw a proposal."""
        if self.proposal is None:
            return Refusal("", word="proposal.none")
        self.proposal = None
        self.record.append(Entry("decline", side))
        return None

    def _correct(self, side: int, changes: list[list[Plain]]) -> None:
        """Go back to the last boundary, change the position there, and go on from it."""
        at, before, entries = self.marks[-1].at, list(self.line), len(self.record)
        if at < len(self.line):
            self.record.append(Entry("undo", None, at))
        entry = Entry("correct", side, changes)
        self.record.append(entry)
        try:
            self._rebuild(at, [entry])
        except Exception as error:
            del self.record[entries:]
            while self.marks[-1].at > at:
                self.marks.pop()
            self.line = before
            self._rebuild(len(before))
            raise RefereeError(self._told_of(error, len(before))) from error
