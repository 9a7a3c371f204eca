"""The moment of a battle as a seat sees it: seats, agreement, question, proposal."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from campale.referee.game import Game
from campale.referee.question import Question
from campale.referee.ruleset import everything, load_ruleset
from campale.referee.telling.teller import Teller
from campale.screen.journal import Journal, numbered
from campale.screen.scene import Eyes, Scene
from campale.screen.sheet import sheet
from campale.screen.shown import Sheet
from campale.server.battle.agreement import lines, title
from campale.server.battle.draft import Draft
from campale.server.battle.fair import explained
from campale.server.battle.puzzling import puzzle_shown
from campale.server.database.schema import SeatRow
from campale.server.sockets.wire import Moment, ProposalShown, SeatShown, SetupShown
from campale.server.told import called, told

if TYPE_CHECKING:
    from campale.server.battle.live import Live
    from campale.server.sockets.stream import Stream


MOST_TOLD = 8
"""The most changes of a correction, or lines to be undone, that are listed one by one."""


class Asked(NamedTuple):
    """A seat's open question with its number; with its sheet, if that was sent already."""

    number: int
    question: Question | None
    sheet: Sheet | None


def moment_of(live: Live, to: Stream, seen: Eyes | None, scene: Scene | None, asked: Asked) -> Moment:
    game, side, language = live.game, to.side, to.language
    veil = veil_of(live, to)
    proposal = proposal_shown(live, language, seen)
    return Moment(
        stage=live.battle.stage,
        seats=seats_shown(live),
        setup=setup_shown(live, to.eyes, language),
        standing=None if scene is None or game is None else scene.standing,
        waiting_for=waiting_for(live),
        question=asked.number,
        sheet=None if veil == SECRET else sheet_of(asked, seen),
        veil=veil,
        proposal=proposal,
        has_proposal=proposal is not None,
        may_undo=may_undo(live, side),
        may_doubt=may_doubt(live, side),
        may_try=may_try(live, side),
        may_test=may_test(live, side),
        result=None if scene is None or game is None else scene.result,
        puzzle=puzzle_shown(live, language),
    )


OPEN, SECRETS, SECRET = "open", "secrets", "secret"


def veil_of(live: Live, to: Stream) -> str:
    """The reason for a veil, as far as the other side may know it: that a question is secret is no secret."""
    game = live.game
    if not to.is_veiled or to.side is None:
        return ""
    question = None if live.is_held_back(to.side) else live.question_of(to.side)
    if game is not None and question is not None and is_secret(question, game):
        return SECRET
    return OPEN if load_ruleset(live.battle.book).seen_by is everything else SECRETS


def is_secret(question: Question, game: Game) -> bool:
    """Whether a question is secret: because the book says so, or because both sides decide at the same time."""
    return question.about.get("open") is False or bool(game.held) or len(game.asked) > 1


def seats_shown(live: Live) -> list[SeatShown]:
    of = live.battle.version, live.battle.stage
    shown = [seat_shown(seat, *of, live.here[seat.side] > 0) for seat in live.seats]
    clocks = [(live.clocks.reaction(seat.side), seat.side in live.clocks.running) for seat in live.seats]
    return [
        msgspec.structs.replace(one, reaction=reaction, is_timed=is_timed)
        for one, (reaction, is_timed) in zip(shown, clocks, strict=True)
    ]


def seat_shown(seat: SeatRow, version: int, stage: str, is_here: bool) -> SeatShown:
    has_agreed = seat.kind == "bot" or seat.agreed == version or stage in ("playing", "over")
    named = seat.side, seat.name, seat.kind, f"side-{seat.side}"
    return SeatShown(*named, is_here, has_agreed, has_revealed(seat), seat.clock)


def has_revealed(seat: SeatRow) -> bool:
    return not seat.seal or bool(seat.seed)


def setup_shown(live: Live, side: int | None, language: str) -> SetupShown:
    """The set-up as a seat may see it; sent once for every version."""
    version, seals = live.battle.version, [seat.seal for seat in live.seats]
    known = live.setups.get((side, language))
    if known is None or (known.version, known.seals) != (version, seals):
        agreed = lines(live.draft, side, language)
        known = SetupShown(version, agreed, live.battle.commitment, seals, explained(language))
        live.setups[side, language] = known
    return known


def waiting_for(live: Live) -> list[int]:
    """The sides that have to do something, as everybody may know."""
    if live.battle.stage == "playing" and live.game is not None:
        return sides_asked(live.game.asked, len(live.seats))
    if live.battle.stage == "open":
        return [seat.side for seat in live.seats if seat.kind == "open"]
    if live.battle.stage == "agreeing":
        people = [seat for seat in live.seats if seat.kind == "person"]
        late = [seat.side for seat in people if seat.agreed != live.battle.version]
        return late or [seat.side for seat in people if not has_revealed(seat)]
    return []


def sides_asked(asked: tuple[int | None, ...], count: int) -> list[int]:
    """The sides with a question. Chance that belongs to nobody (typed by hand) is asked of everybody."""
    return list(range(count)) if None in asked else [side for side in asked if side is not None]


def sheet_of(asked: Asked, seen: Eyes | None) -> Sheet | None:
    if asked.question is None or seen is None:
        return None
    return asked.sheet or sheet(asked.question, seen.teller, seen.position)


def may_doubt(live: Live, side: int | None) -> bool:
    if side is None or live.game is None or live.battle.stage != "playing":
        return False
    return live.game.why_no_doubt(side) is None


def may_try(live: Live, side: int | None) -> bool:
    """Whether bots may play the battle on for a seat: against a player elsewhere it would be advice."""
    return side is not None and live.battle.stage == "playing" and not live.draft.is_apart


def may_test(live: Live, side: int | None) -> bool:
    """Whether a seat may lay the battle on a test table now.

    Only alone, or against a bot in a book without secrets.
    """
    if not may_try(live, side):
        return False
    is_open = load_ruleset(live.battle.book).seen_by is everything
    return is_open or all(seat.kind == "me" for seat in live.draft.seats)


def may_undo(live: Live, side: int | None) -> bool:
    if side is None or live.game is None or live.battle.stage != "playing":
        return False
    return not live.game.why_no_undo(side)


def proposal_shown(live: Live, language: str, seen: Eyes | None) -> ProposalShown | None:
    proposed = live.game.proposal if live.game is not None and live.battle.stage == "playing" else None
    if proposed is None:
        return None if live.battle.rematch is None else proposal(live, live.battle.rematch, "rematch", language)
    side, what = proposed
    kind, value = next(iter(what.items()))
    if kind == "undo" and (undone := lines_undone(live, value, seen)):
        return proposal(live, side, kind, language, "undo.told", what=shortened(undone, "proposal.undo.more", language))
    return proposal(live, side, kind, language, what=corrected(live, value, language))


def lines_undone(live: Live, at: Any, seen: Eyes | None) -> list[str]:
    """The journal, for those eyes, of the answers after a place of the record, without dice."""
    journal = live.game.position.journal if live.game is not None else None
    if live.game is None or journal is None or seen is None:
        return []
    known = Journal(seen.teller.language, seen.side)
    known.take(live.game)
    first = next((n for n, event in enumerate(known.starts) if journal.ats[event] > at), len(known.seen))
    told = (one.line for one in numbered(known.seen[first:], seen, "", True))
    return [line.text.rstrip(".") for line in told if line.text and not line.level and line.dice is None]


def shortened(parts: list[str], more: str, language: str) -> str:
    left = len(parts) - MOST_TOLD
    return "; ".join([*parts[:MOST_TOLD], *([told(language, more, count=left)] if left > 0 else [])])


def proposal(live: Live, side: int, kind: str, language: str, word: str = "", **values: str) -> ProposalShown:
    who = called(live.seats[side].name, side, language)
    return ProposalShown(side, kind, told(language, f"proposal.{word or kind}", who=who, **values))


def corrected(live: Live, changes: Any, language: str) -> str:
    """A correction's changes in words, because nobody agrees to changes unseen; empty for other proposals."""
    seen = live.eyes(None, language)
    if not isinstance(changes, list) or seen is None:
        return ""
    parts = [change_told(change, seen.teller, language) for change in changes]
    return shortened(parts, "proposal.correction.more", language)


def change_told(change: list[Any], teller: Teller, language: str) -> str:
    verb, row, *values = change
    model = teller.model(row)
    if verb == "move":
        return told(language, "proposal.correction.move", model=model, x=values[0], y=values[1])
    return told(
        language, "proposal.correction.mark", model=model, mark=teller.word("marker", values[0]), count=values[1]
    )


# ---------------------------------------------------------------- before the battle


def title_of(draft: Draft, language: str) -> str:
    return title(draft, language)


def preview(live: Live, side: int | None, language: str) -> Eyes | None:
    """The table before the battle, once all forces are known."""
    if any(force is None for force in live.draft.forces):
        return None
    setup = live.draft.setup(tuple(seat.name for seat in live.seats))
    ruleset = load_ruleset(setup.ruleset).with_options(setup.options)
    position = ruleset.seen_by(side, ruleset.set_out(ruleset, setup))
    stands: Any = SimpleNamespace(ruleset=ruleset, setup=setup, position=position)
    return Eyes(side, position, Teller.of(cast(Game, stands), language, position))
