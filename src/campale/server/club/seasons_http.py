"""Seasons over HTTP: members look, enter and report results; organisers create seasons and pair the rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Request, Response

from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.server.battle.draft import Draft, SeatDraft, TableError
from campale.server.battle.proposed import NewBattle, agreed_of, draft_of, name_of
from campale.server.club.accounts_http import Member, Organiser, club_of
from campale.server.club.house import Club
from campale.server.club.members import ORGANISER
from campale.server.club.records import (
    EntrantShown,
    PairingAsked,
    PairingShown,
    PlacedShown,
    PlayAsked,
    ResultAsked,
    RoundAsked,
    RoundShown,
    SeasonAsked,
    SeasonLine,
    SeasonMade,
    SeasonShown,
    SeatFound,
)
from campale.server.club.seasons import JOINING, Paired, Season, result_of
from campale.server.club.shown import names_of
from campale.server.club.tables import AccountRow, PairingRow, RoundRow, SeasonRow
from campale.server.routes.asking import Language
from campale.server.routes.battles import hall_of
from campale.server.routes.catalogue import missions_of, offers_of, playable
from campale.server.routes.openapi import Nothing, answer, body_of, does, gives, nothing

router = APIRouter(prefix="/api/club/seasons", tags=["seasons"])
Of = Annotated[str, Path(description="The id of a season.", max_length=60)]


async def done(request: Request, work: Callable[..., Any], *of: Any) -> Response:
    await club_of(request).off(work, *of)
    return nothing()


# ---------------------------------------------------------------- looking


@router.get("", **gives(list[SeasonLine], text="The seasons, the newest first, for members."))
async def seasons(request: Request, me: Member, language: Language) -> Response:
    club = club_of(request)
    return answer(await club.off(lambda: [line_of(one, language) for one in club.seasons.all()]))


@router.get("/{season}", **gives(SeasonShown, text="A season with its rounds and standings, for members."))
async def season(request: Request, season: Of, me: Member, language: Language) -> Response:
    club = club_of(request)
    return answer(await club.off(lambda: shown(club, club.seasons.season(season), me, language)))


def book_title(book: str, language: str) -> str:
    """The title of a rulebook; a missing one goes by its short name."""
    return load_ruleset(book).title[language] if book in ruleset_names() else book


def line_of(row: SeasonRow, language: str) -> SeasonLine:
    return SeasonLine(row.id, row.title, row.book, book_title(row.book, language), row.kind, row.stage)


def shown(club: Club, found: Season, me: AccountRow, language: str) -> SeasonShown:
    row, names, mine = found.row, names_of(club), found.mine(me.id)
    titles = titles_of(row.book, language)
    return SeasonShown(
        row.id,
        row.title,
        row.about,
        row.book,
        book_title(row.book, language),
        row.kind,
        row.stage,
        found.rounds_in_all(),
        [titles.get(one, one) for one in found.missions()],
        [
            EntrantShown(one.number, one.account, names.get(one.account or ""), bool(one.has_left))
            for one in found.entrants
        ],
        [round_shown(one, found, titles) for one in found.rounds],
        [msgspec.convert(msgspec.structs.asdict(one), PlacedShown) for one in found.standings()],
        mine.number if mine is not None else None,
        row.points,
    )


def titles_of(book: str, language: str) -> dict[str, str]:
    """The titles of a rulebook's missions by their short names; a missing rulebook has none."""
    found = missions_of(load_ruleset(book), language) if book in ruleset_names() else []
    return {one.name: one.title for one in found}


def round_shown(row: RoundRow, found: Season, titles: dict[str, str]) -> RoundShown:
    mission = found.mission(row.number)
    pairings = [pairing_shown(one) for one in found.pairings if one.round == row.number]
    return RoundShown(row.number, titles.get(mission, mission), row.begun, row.deadline, pairings)


def pairing_shown(one: PairingRow) -> PairingShown:
    result = None if one.result is None else result_of(one)
    return PairingShown(one.place, one.one, one.two, result, one.by, bool(one.confirmed), one.battle)


# ---------------------------------------------------------------- playing


@router.post("/{season}/enter", **does("One has entered.", Nothing))
async def enter(
    request: Request, season: Of, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Member
) -> Response:
    return await done(request, club_of(request).seasons.enter, season, me.id)


@router.post("/{season}/withdraw", **does("One is paired no more.", Nothing))
async def withdraw(
    request: Request, season: Of, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Member
) -> Response:
    return await done(request, club_of(request).seasons.withdraw, season, me.id)


@router.post("/{season}/result", **does("The result is entered; the other confirms it.", ResultAsked))
async def result(
    request: Request, season: Of, asked: Annotated[ResultAsked, Depends(body_of(ResultAsked))], me: Member
) -> Response:
    at, organises = (asked.round, asked.place), me.role == ORGANISER
    return await done(request, club_of(request).seasons.enter_result, season, at, asked.result, me.id, organises)


@router.post("/{season}/confirm", **does("The result counts.", PairingAsked))
async def confirm(
    request: Request, season: Of, asked: Annotated[PairingAsked, Depends(body_of(PairingAsked))], me: Member
) -> Response:
    return await done(request, club_of(request).seasons.confirm, season, (asked.round, asked.place), me.id)


@router.post("/{season}/battle", **does("The pairing is played by this battle.", PlayAsked))
async def battle(
    request: Request, season: Of, asked: Annotated[PlayAsked, Depends(body_of(PlayAsked))], me: Member
) -> Response:
    at = asked.round, asked.place
    return await done(request, club_of(request).seasons.play, season, at, asked.battle, me.id)


@router.post(
    "/{season}/play", **gives(SeatFound, 200, PairingAsked, "The battle of one's pairing, and one's seat there.")
)
async def play(
    request: Request,
    season: Of,
    asked: Annotated[PairingAsked, Depends(body_of(PairingAsked))],
    me: Member,
    language: Language,
) -> Response:
    club, at = club_of(request), (asked.round, asked.place)
    found = await club.off(club.seasons.paired, season, at, me.id)
    battle = found.battle
    if battle is None:
        created = await hall_of(request).create(await club.off(draft_for, club, found, language))
        battle = await club.off(club.seasons.seat, season, at, created.battle, me.id)
    return answer(SeatFound(battle, await club.off(club.ties.code, me.id, battle)))


def draft_for(club: Club, found: Paired, language: str) -> Draft:
    """The battle of a pairing, with the season's rulebook, mission and size; each player brings an army."""
    names, offers = names_of(club), offers_of(playable(found.season.book))
    settled = {offers.mission: found.mission, offers.size: found.season.points}
    seats = [SeatDraft("link", names[one]) for one in found.accounts]
    agreed = {term: value for term, value in settled.items() if term and value}
    return draft_of(NewBattle(found.season.book, [None, None], seats, agreed), language)


# ---------------------------------------------------------------- organising


@router.post("", **gives(SeasonMade, 201, SeasonAsked, "The season is open to all members."))
async def make(
    request: Request, asked: Annotated[SeasonAsked, Depends(body_of(SeasonAsked))], me: Organiser
) -> Response:
    club = club_of(request)
    return answer(SeasonMade(await club.off(made, club, asked)), 201)


def made(club: Club, asked: SeasonAsked) -> str:
    """Create a season. Raises TableError."""
    ruleset = playable(asked.book)
    known = {"", *(one.name for one in missions_of(ruleset, "en"))}
    if not set(asked.missions) <= known:
        raise TableError("club.no-mission", 422, mission=next(one for one in asked.missions if one not in known))
    if "\0" in asked.about:
        raise TableError("bad-request", 422)
    if asked.points is not None:
        agreed_of(ruleset, {offers_of(ruleset).size: asked.points})
    id_, now = club.members.keys.battle(), club.members.keys.now()
    missions = msgspec.json.encode(asked.missions).decode()
    title = name_of(asked.title)
    club.seasons.make(
        SeasonRow(id_, title, asked.about, ruleset.name, asked.kind, asked.rounds, missions, JOINING, now, asked.points)
    )
    return id_


@router.post("/{season}/pair", **does("The next round is paired.", RoundAsked))
async def pair(
    request: Request, season: Of, asked: Annotated[RoundAsked, Depends(body_of(RoundAsked))], me: Organiser
) -> Response:
    return await done(request, club_of(request).seasons.pair, season, asked.deadline)


@router.post("/{season}/end", **does("The season is over.", Nothing))
async def end(
    request: Request, season: Of, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Organiser
) -> Response:
    return await done(request, club_of(request).seasons.end, season)


@router.post("/{season}/remove", **does("The season is gone.", Nothing))
async def remove(
    request: Request, season: Of, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Organiser
) -> Response:
    return await done(request, club_of(request).seasons.remove, season)
