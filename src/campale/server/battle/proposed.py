"""A battle requested over HTTP, checked and made into a draft; every fault is explained in a sentence."""

from __future__ import annotations

import math
from typing import Any, Literal

import msgspec

from campale.referee.offers import Offers, title_in
from campale.referee.ruleset import Ruleset, Setup, load_ruleset, ruleset_names
from campale.server.battle.draft import LONGEST_NAME, Clock, Draft, Invitation, SeatDraft, TableError, Taken
from campale.server.routes.catalogue import faults_of, offers_of, playable

SEATS = 2
LONGEST_CLOCK = 360_000.0
LONGEST_TITLE = 80

ForceAsked = str | dict[str, Any] | None
"""A force by its name, a player's own as its file has it, or none so far."""


class NewBattle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requested battle. A force that is null is brought by the player who joins by the link."""

    book: str
    forces: list[ForceAsked]
    seats: list[SeatDraft]
    agreed: dict[str, Any] = {}
    options: dict[str, Any] = {}
    dice: Literal["server", "real"] = "server"
    clock: Clock | None = None


def unusable(word: str, reasons: list[str] | None = None, **values: Any) -> TableError:
    return TableError(word, 422, reasons=reasons or [], **values)


def draft_of(asked: NewBattle, language: str) -> Draft:
    """The draft of a request. Raises TableError."""
    ruleset = playable(asked.book)
    if len(asked.seats) != SEATS or len(asked.forces) != SEATS or all(one.kind == "bot" for one in asked.seats):
        raise unusable("bad-seats")
    agreed, options = agreed_of(ruleset, asked.agreed), options_of(ruleset, asked.options)
    seats = tuple(map(seated, asked.seats))
    for k, (force, seat) in enumerate(zip(asked.forces, seats, strict=True)):
        if force is None and seat.kind != "link":
            raise unusable("force-of-nobody", side=k + 1)
    draft = Draft(
        asked.book, agreed, options, (None,) * SEATS, seats, asked.dice, checked(asked.clock), False, language
    )
    for k, force in enumerate(asked.forces):
        draft = draft if force is None else draft.with_force(k, force_of(ruleset, draft, force, language))
    check_set_out(ruleset, draft)
    return draft


def agreed_of(ruleset: Ruleset, chosen: dict[str, Any]) -> dict[str, Any]:
    try:
        return offers_of(ruleset).agreed(chosen)
    except ValueError as error:
        raise unusable("bad-setup", error=str(error)) from None


def options_of(ruleset: Ruleset, chosen: dict[str, Any]) -> dict[str, Any]:
    """The options in the form of their switches (true, not 1)."""
    try:
        ruleset.with_options(chosen)
    except ValueError as error:
        raise unusable("bad-setup", error=str(error)[:300]) from None
    known = {one.name: one.values for one in ruleset.switches}
    return {name: next(one for one in known[name] if one == value) for name, value in chosen.items()}


def seated(seat: SeatDraft) -> SeatDraft:
    """A seat with its name checked; without one it stays nameless: everybody reads a name in his own language."""
    return msgspec.structs.replace(seat, name=name_of(seat.name))


def name_of(name: str) -> str:
    name = name.strip()
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise unusable("bad-name", limit=LONGEST_NAME)
    return name


def checked(clock: Clock | None) -> Clock | None:
    if clock is not None:
        times = (clock.main, clock.reaction, clock.increment)
        if not all(math.isfinite(one) and 0.0 <= one <= LONGEST_CLOCK for one in times) or clock.main < 1.0:
            raise unusable("bad-clock")
    return clock


# ---------------------------------------------------------------- forces


def force_of(ruleset: Ruleset, draft: Draft, asked: str | dict[str, Any], language: str) -> dict[str, Any]:
    """The requested force, if it may be fielded. Raises TableError with every reason."""
    if isinstance(asked, str):
        offered = offers_of(ruleset).force(asked)
        if offered is None:
            raise unusable("no-force", force=asked[:60])
        asked = offered.plain
    if reasons := faults_of(ruleset, asked, {**draft.options, **draft.agreed}, language):
        raise unusable("bad-force", reasons)
    if not all(is_title(title) for title in title_in(asked).values()):
        raise unusable("bad-title", limit=LONGEST_TITLE)
    return asked


def is_title(title: Any) -> bool:
    return isinstance(title, str) and len(title) <= LONGEST_TITLE and title.isprintable()


def check_set_out(ruleset: Ruleset, draft: Draft) -> None:
    """Check that the book accepts the set-up; a given force stands in for one still to be brought."""
    given = [one for one in draft.forces if one is not None]
    if not given:
        return
    for side, force in enumerate(draft.forces):
        draft = draft if force is not None else draft.with_force(side, given[0])
    setup = draft.setup(tuple(str(side + 1) for side in range(SEATS)))
    try:
        under = ruleset.with_options(setup.options)
        under.set_out(under, setup)
    except ValueError as error:
        raise unusable("bad-setup", error=str(error)[:1000]) from None


def brought(invitation: Invitation, asked: ForceAsked, language: str) -> dict[str, Any] | None:
    """The force that the joining player brings; None if there is one already. Raises TableError."""
    draft, side = invitation.draft, invitation.side
    if not invitation.is_open:
        raise Taken("seat-taken")
    if draft.forces[side] is not None:
        if asked is not None:
            raise unusable("force-settled")
        return None
    if asked is None:
        raise unusable("force-missing")
    ruleset = load_ruleset(draft.book)
    force = force_of(ruleset, draft, asked, language)
    check_set_out(ruleset, draft.with_force(side, force))
    return force


# ---------------------------------------------------------------- a battle to try the table with


def demo(book: str, language: str, is_short: bool = False) -> Draft:
    """The first ready battle of a book against a bot, or the shortest; without a book, of the smallest one.

    Raises TableError.
    """
    ruleset = playable(book) if book else smallest(is_short)
    if ruleset.starters is None:
        raise unusable("no-book", book=book[:60])
    ready = ruleset.starters()
    setup = min(ready, key=lambda one: models_in(ruleset, one)) if is_short else ready[0]
    seats = (SeatDraft("me"), SeatDraft("bot"))
    forces: tuple[dict[str, Any] | None, ...] = setup.forces
    agreed = agreed_of(ruleset, setup.agreed)
    return Draft(ruleset.name, agreed, setup.options, forces, seats, is_agreed=True, language=language)


def smallest(is_short: bool = False) -> Ruleset:
    """The book with the fewest models in its first battle, or in its shortest."""
    books = [load_ruleset(name) for name in ruleset_names()]
    return min((one for one in books if one.starters and one.is_complete), key=lambda one: fewest(one, is_short))


def fewest(ruleset: Ruleset, is_short: bool) -> int:
    ready = ruleset.starters() if ruleset.starters is not None else ()
    return min((models_in(ruleset, one) for one in (ready if is_short else ready[:1])), default=0)


def models_in(ruleset: Ruleset, setup: Setup) -> int:
    offers: Offers = offers_of(ruleset)
    return sum(line.count for force in setup.forces for line in offers.roster(force)[2])
