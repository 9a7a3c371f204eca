"""A record replayed as it was made: every entry by its author, in order, including undos and talk.

So it refuses everything that no lawful game could have recorded: a decision undone after dice without consent, a
correction that nobody agreed to, a message out of turn, anything after the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.dice.sources import Seeded
from campale.referee.game import Game
from campale.referee.records.record import CHANCE_KINDS, DOUBT, LATE, Drift, Entry, RefereeError, grained, is_lapse
from campale.referee.refusal import Plain, Refusal
from campale.referee.ruleset import Ruleset, Setup


class Recorded:
    """The dice of a record, entry by entry; each is judged and, if there is a seed, compared with the seed's dice."""

    def __init__(self, record: Sequence[Entry], seed: str | None) -> None:
        self.left = [(at, entry) for at, entry in enumerate(record) if entry.kind in CHANCE_KINDS][::-1]
        self.drawn = None if seed is None else Seeded(seed)
        self.end = len(record)

    def copy(self) -> Recorded:
        """This object itself: dice that have been read stay read, in copies too."""
        return self

    def answer(self, question: Any) -> Plain:
        if not self.left:
            raise Drift("request", self.end, f"'{question.prompt}' is left to chance, and the record ends")
        at, entry = self.left.pop()
        kind = "roll" if entry.kind == DOUBT else entry.kind
        if (question.kind, question.side) != (kind, entry.side):
            asked = f"{question.kind} '{question.prompt}' of side {question.side}"
            raise Drift("request", at, f"asked is {asked}, recorded is {entry.kind} of side {entry.side}")
        refusal = question.refusal(entry.answer)
        if refusal is not None:
            raise Drift("options", at, f"'{question.prompt}' refuses {entry.answer!r}")
        given = None if self.drawn is None else grained(self.drawn.answer(question))
        if given is not None and given != entry.answer:
            raise Drift("dice", at, f"the seed gives {given}, recorded is {entry.answer}")
        return entry.answer


def played_again(ruleset: Ruleset, setup: Setup, seed: str, record: Sequence[Entry], is_seeded: bool) -> Game:
    """The game of a record. Raises Drift, with the number of the entry, if no game could have this record."""
    game = Game(ruleset, setup, seed, Recorded(record, seed if is_seeded else None), False)
    same = compared(game, record, 0)
    for at, entry in enumerate(record):
        if at >= len(game.record):
            try:
                done(game, at, entry)
            except RefereeError as error:
                raise error.__cause__ if isinstance(error.__cause__, Drift) else error from None
            same = compared(game, record, same)
    if same != len(record):
        raise Drift("request", same, f"{told(record[same])} is recorded, and others had to answer with it")
    return game


def compared(game: Game, record: Sequence[Entry], same: int) -> int:
    """How many entries are the same; counting starts from the number known to be."""
    for at in range(same, len(game.record)):
        if at >= len(record):
            raise Drift("request", at, f"after that comes {told(game.record[at])}, and the record ends")
        if game.record[at] != record[at]:
            raise Drift("request", at, f"what comes is {told(game.record[at])}, recorded is {told(record[at])}")
    return len(game.record)


def told(entry: Entry) -> str:
    return f"{entry.kind} of side {entry.side}"


def done(game: Game, at: int, entry: Entry) -> None:
    """Carry out an entry. Raises Drift if it was not possible."""
    if game.is_over:
        raise Drift("request", at, f"the battle is over, recorded is {told(entry)}")
    if entry.kind == "undo":
        take_back(game, at, entry)
    elif entry.kind in BESIDE:
        allowed(BESIDE[entry.kind](game, entry), at, entry)
    else:
        answer(game, at, entry)


def answer(game: Game, at: int, entry: Entry) -> None:
    question = game.question_for(entry.side) if entry.side in (0, 1) else None
    if question is None or (question.kind, question.side) != (entry.kind, entry.side):
        asked = "; ".join(f"{one.kind} '{one.prompt}' of side {one.side}" for one in game.pending.values())
        raise Drift("request", at, f"asked is {asked}, recorded is {told(entry)}")
    refusal = game.answer(entry.side, entry.answer)
    if refusal is not None:
        raise Drift("options", at, f"'{question.prompt}' refuses {entry.answer!r} ({refusal.rule or refusal.word})")


def take_back(game: Game, at: int, entry: Entry) -> None:
    """Undo a side's own last decision, without anybody's consent."""
    for side in (0, 1):
        if not game.held and not game.why_no_undo(side) and game.last_known_to(side) == entry.answer:
            game.undo(side)
            return
    raise Drift("options", at, f"nobody may take back to {entry.answer!r} without the other's consent")


def allowed(refusal: Refusal | None, at: int, entry: Entry) -> None:
    if refusal is not None:
        raise Drift("options", at, f"{told(entry)} is refused ({refusal.word or refusal.rule})")


def lapse(game: Game, entry: Entry) -> Refusal | None:
    if entry.side not in (0, 1) or not is_lapse(entry.answer):
        return Refusal("", word="answer.not-asked")
    return game.lapse(entry.side, *entry.answer)


def propose(game: Game, entry: Entry) -> Refusal | None:
    if entry.side not in (0, 1) or not isinstance(entry.answer, dict):
        return Refusal("", word="proposal.unknown")
    return game.propose(entry.side, entry.answer)


def consent(game: Game, entry: Entry) -> Refusal | None:
    return game.consent(entry.side) if entry.side in (0, 1) else Refusal("", word="proposal.none")


def decline(game: Game, entry: Entry) -> Refusal | None:
    return game.decline(entry.side) if entry.side in (0, 1) else Refusal("", word="proposal.none")


def concede(game: Game, entry: Entry) -> Refusal | None:
    return game.concede(entry.side) if entry.side in (0, 1) else Refusal("", word="answer.not-asked")


def doubt(game: Game, entry: Entry) -> Refusal | None:
    return game.doubt(entry.side) if entry.side in (0, 1) else Refusal("", word="answer.not-asked")


def without_consent(game: Game, entry: Entry) -> Refusal | None:
    """The refusal of an entry that may only follow a consent."""
    return Refusal("", word="proposal.none")


BESIDE = {
    LATE: lapse,
    DOUBT: doubt,
    "propose": propose,
    "consent": consent,
    "decline": decline,
    "concede": concede,
    "draw-agreed": without_consent,
    "correct": without_consent,
}


def places_of_line(record: Sequence[Entry], talk: frozenset[str]) -> list[int]:
    """The indices of the entries of a record that still hold."""
    found: list[int] = []
    for at, entry in enumerate(record):
        if entry.kind == "undo":
            del found[entry.answer :]
        elif entry.kind not in talk:
            found.append(at)
    return found
