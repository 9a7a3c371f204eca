"""Looking back on a battle: its replay, the luck of its dice, a written report, and a new battle from any moment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from random import Random
from typing import Annotated, Literal, NamedTuple, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Request, Response
from starlette.concurrency import run_in_threadpool

import campale
from campale.referee.game import Game
from campale.referee.journal import Event, Journal
from campale.referee.records.record import RefereeError
from campale.referee.records.saved import FORMAT, VERSION, SavedGame, packed
from campale.referee.ruleset import as_it_is, load_ruleset
from campale.screen.luck import luck
from campale.screen.replay import Played, at_moment, replay
from campale.screen.report import report
from campale.screen.scene import Eyes
from campale.screen.shown import LuckReport, NoteShown, Replay
from campale.server.battle import agreement
from campale.server.battle.draft import Created, Denied, SeatDraft, TableError, Taken
from campale.server.battle.live import Live
from campale.server.battle.noting import renewals
from campale.server.battle.past import Key
from campale.server.database.keeping import BRANCH
from campale.server.routes.asking import Language, Token
from campale.server.routes.battles import Battle, hall_of
from campale.server.routes.catalogue import ForceShown, force_tried
from campale.server.routes.openapi import JSON, answer, body_of, gives, sends

T = TypeVar("T")

router = APIRouter(prefix="/api/battles/{battle}", tags=["afterwards"])


class BranchAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where to branch off (the ``at`` of a line or a frame), the player's side, and the opponent (me: both sides)."""

    at: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    side: Literal[0, 1] = 0
    against: Literal["greedy", "search", "script", "random", "me"] = "greedy"


class Told(NamedTuple):
    events: list[Event]
    seen: Eyes
    ats: list[int]


async def begun(request: Request, battle: str, token: str) -> tuple[Live, int | None]:
    """The battle, and the side whose view the request has."""
    hall = hall_of(request)
    side = await hall.side_of(battle, token)
    return await hall.live(battle), side


# ---------------------------------------------------------------- looking back


@router.get("/replay", **gives(Replay, text="The battle from its beginning, as this seat may see it."))
async def replayed(request: Request, battle: Battle, token: Token, language: Language) -> Response:
    def made(known: tuple[Played, list[NoteShown]]) -> bytes:
        played, notes = known
        return msgspec.json.encode(replay(played, side, language, notes))

    def copied() -> tuple[Played, list[NoteShown]]:
        return played_of(live), renewals(live, language, side)

    live, side = await begun(request, battle, token)
    told = await past(request, live, ("replay", side, language), copied, made)
    return as_made(told, JSON)


@router.get("/luck", **gives(LuckReport, text="The dice of both sides against what was to be expected."))
async def lucky(request: Request, battle: Battle, token: Token, language: Language) -> Response:
    def made(journal: Told) -> bytes:
        return msgspec.json.encode(luck(journal.events, journal.seen.teller, ats=journal.ats))

    live, side = await begun(request, battle, token)
    told = await past(request, live, ("luck", side, language), lambda: told_of(live, side, language), made)
    return as_made(told, JSON)


@router.get("/report.md", **sends({"type": "string"}, text="The battle as a report.", media="text/markdown"))
async def reported(request: Request, battle: Battle, token: Token, language: Language) -> Response:
    """The battle as a report in Markdown, as this seat may tell it."""

    def made(journal: Told) -> bytes:
        agreed = agreement.lines(live.draft, side, language, live.battle.stage == "over")
        return report(journal.seen, journal.events, agreed).encode()

    live, side = await begun(request, battle, token)
    told = await past(request, live, ("report", side, language), lambda: told_of(live, side, language), made)
    name = f'attachment; filename="campale-{battle}.md"'
    return as_made(told, "text/markdown", {"Content-Disposition": name})


@router.get("/forces", **gives(list[ForceShown | None], text="The forces by seats, as this seat may know them."))
async def forces(request: Request, battle: Battle, token: Token, language: Language) -> Response:
    """The forces by seats, with a card for every kind of model; null: still to be brought, or a secret."""
    live, side = await begun(request, battle, token)
    return answer(await run_in_threadpool(forces_shown, live, side, language))


def forces_shown(live: Live, side: int | None, language: str) -> list[ForceShown | None]:
    draft, ruleset = live.draft, load_ruleset(live.draft.book)
    known = draft.forces if live.battle.stage == "over" else agreement.seen_forces(ruleset, draft, side)
    return [force_tried(ruleset, one, language) if one else None for one in known]


async def past(request: Request, live: Live, key: Key, copy: Callable[[], T], make: Callable[[T], bytes]) -> bytes:
    return await live.past.told(live, key, copy, make, hall_of(request).lookers)


def as_made(body: bytes, media: str, headers: dict[str, str] | None = None) -> Response:
    return Response(body, media_type=media, headers={"Cache-Control": "no-store", **(headers or {})})


def played_of(live: Live) -> Played:
    if live.game is None:
        raise Taken("not-begun")
    return Played.of(live.game)


def told_of(live: Live, side: int | None, language: str) -> Told:
    """The journal as a side knows it, and its view: neither changes when the battle goes on.

    The count of the record leaves out the dice that the side does not know of.
    """
    seen = live.eyes(side, language)
    if live.game is None or seen is None:
        raise Taken("not-begun")
    journal, game = live.game.position.journal or Journal(), live.game
    hidden = sorted(at for at, owner in game.unseen.items() if owner != side)
    told = [(one, at) for event, at in zip(journal.events, journal.ats, strict=True) if (one := event.as_seen_by(side))]
    return Told([event for event, _ in told], seen, [at - bisect_left(hidden, at) for _, at in told])


# ---------------------------------------------------------------- going on from a moment


@router.post("/branch", **gives(Created, 201, BranchAsked, "Another battle goes on from that moment."))
async def branch(
    request: Request,
    battle: Battle,
    asked: Annotated[BranchAsked, Depends(body_of(BranchAsked))],
    token: Token,
    language: Language,
) -> Response:
    """Start a battle from a moment of this one, with new dice.

    While this battle lasts, only its players may do so, and hidden information is drawn at random.
    """
    live, side = await begun(request, battle, token)
    played = await live.look(lambda: played_of(live))
    hall, looks_on = hall_of(request), None
    if live.battle.stage != "over":
        looks_on = side
        check_secrets(played, side, asked)
    seed = hall.keys.seed()
    saved, journal = await run_in_threadpool(branched, played, asked.at, side, looks_on, seed)
    seats = tuple(seat_of(one, live, asked) for one in (0, 1))
    return answer(await hall.imported(saved, True, seats, journal), 201)


def check_secrets(played: Played, side: int | None, asked: BranchAsked) -> None:
    """A running battle may be branched only by its players, and without the secrets of the other side."""
    if side is None:
        raise Denied("not-yours")
    is_open = played.ruleset.imagine is as_it_is
    if not is_open and (asked.side != side or asked.against == "me"):
        raise Denied("secrets-left")


def seat_of(side: int, live: Live, asked: BranchAsked) -> SeatDraft:
    if side == asked.side or asked.against == "me":
        return SeatDraft("me", live.seats[side].name)
    return SeatDraft("bot", strength=asked.against)


def branched(played: Played, at: int, side: int | None, looks_on: int | None, seed: str) -> tuple[bytes, Journal]:
    """The saved game of a branch, and what had happened before its last boundary.

    It cannot be verified, because its dice come from two seeds.
    """
    try:
        game = at_moment(played, at, side)
        hidden = [] if looks_on is None else unknown_to(looks_on, game)
        journal = happened(game, looks_on, hidden)
        if looks_on is not None and game.ruleset.imagine is not as_it_is:
            game = game.imagined_by(looks_on, Random(seed))
    except (ValueError, RefereeError):
        raise TableError("no-moment", 422) from None
    if game.is_over:
        raise Taken("battle-over")
    mark = game.marks[-1]
    setup = game.setup if looks_on is None else game.ruleset.setup_seen_by(looks_on, game.setup)
    saved = SavedGame(
        FORMAT,
        VERSION,
        campale.__version__ + BRANCH,
        game.ruleset.name,
        game.ruleset.content_hash,
        setup,
        seed,
        "seeded",
        game.line[len(hidden) :],
        [],
        packed(mark.position),
        mark.at - len(hidden),
        dict(game.held),
    )
    return msgspec.json.encode(saved), journal


def unknown_to(side: int, game: Game) -> list[int]:
    """The indices, before the last boundary, of dice that a side does not know of."""
    return [at for at, owner in sorted(game.unseen.items()) if owner != side and at < game.marks[-1].at]


def happened(game: Game, looks_on: int | None, hidden: list[int]) -> Journal:
    """The journal up to the last boundary: all of it, or what a viewer knows.

    The viewer's count of the record leaves out the ``hidden`` indices.
    """
    journal = game.position.journal
    assert journal is not None
    before = journal.first(game.marks[-1].events)
    if looks_on is None:
        return before
    seen = [(at, one.as_seen_by(looks_on)) for at, one in zip(before.ats, before.events, strict=True)]
    known = [(at - bisect_left(hidden, at), one) for at, one in seen if one is not None]
    return Journal([one for _, one in known], [at for at, _ in known])
