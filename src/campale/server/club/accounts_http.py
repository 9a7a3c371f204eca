"""Accounts over HTTP: join by invitation, sign in and out, list the member's battles, download his data."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from campale.server.battle.draft import Denied
from campale.server.club.house import Club
from campale.server.club.members import ORGANISER, Session, SignedOut
from campale.server.club.records import (
    ClaimAsked,
    ClubShown,
    ClubTable,
    ComeAsked,
    Export,
    InvitationTo,
    LeaveAsked,
    Me,
    PhraseAsked,
    SeatFound,
    SeatHeld,
    SignedIn,
    SignInAsked,
    SignOutAsked,
)
from campale.server.club.shown import invitations_shown, me_of, names_of, tables_shown
from campale.server.club.tables import AccountRow
from campale.server.routes.asking import Language, Token
from campale.server.routes.battles import hall_of
from campale.server.routes.openapi import Nothing, answer, body_of, does, gives, nothing

EXPORT, EXPORT_VERSION = "campale-account", 1

router = APIRouter(prefix="/api/club", tags=["club"])
Code = Annotated[str, Path(description="The code of an invitation.", max_length=60)]
Battle = Annotated[str, Path(description="The id of a battle.", max_length=60)]


def club_of(request: Request) -> Club:
    return hall_of(request).club


async def signed_in(request: Request, token: Token) -> AccountRow:
    """The account of the asker. Raises SignedOut."""
    club = club_of(request)
    return await club.off(club.members.of_token, token)


async def organising(request: Request, token: Token) -> AccountRow:
    """The account of the asker, who must be an organiser. Raises SignedOut, Denied."""
    account = await signed_in(request, token)
    if account.role != ORGANISER:
        raise Denied("club.organisers-only")
    return account


Member = Annotated[AccountRow, Depends(signed_in)]
Organiser = Annotated[AccountRow, Depends(organising)]


def told(session: Session, status: int = 200) -> Response:
    return answer(SignedIn(session.token, me_of(session.account)), status)


# ---------------------------------------------------------------- coming and going


@router.get("", **gives(ClubShown, text="Whether there is a club, and who is signed in."))
async def club(request: Request, token: Token) -> Response:
    found = club_of(request)
    try:
        me: Me | None = me_of(await found.off(found.members.of_token, token))
    except SignedOut:
        me = None
    is_there = me is not None or await found.off(found.members.are_there)
    return answer(ClubShown(is_there, me))


@router.get("/come/{code}", **gives(InvitationTo, text="What an invitation is for."))
async def invited(request: Request, code: Code) -> Response:
    found = club_of(request)
    row = await found.off(found.members.invited, code)
    name = None if row.account is None else (await found.off(found.members.account, row.account)).name
    return answer(InvitationTo(row.role, row.until, name))


@router.post("/come", **gives(SignedIn, 201, ComeAsked, "There is a new account, or a new pass phrase."))
async def come(request: Request, asked: Annotated[ComeAsked, Depends(body_of(ComeAsked))]) -> Response:
    found = club_of(request)
    session = await found.hashing(found.members.come, asked.code, asked.name, asked.phrase)
    await hall_of(request).look_again()
    return told(session, 201)


@router.post("/sign-in", **gives(SignedIn, 200, SignInAsked, "Signed in."))
async def sign_in(request: Request, asked: Annotated[SignInAsked, Depends(body_of(SignInAsked))]) -> Response:
    found = club_of(request)
    return told(await found.hashing(found.members.sign_in, asked.name, asked.phrase))


@router.post("/sign-out", **does("Signed out.", SignOutAsked))
async def sign_out(
    request: Request, asked: Annotated[SignOutAsked, Depends(body_of(SignOutAsked))], token: Token
) -> Response:
    found = club_of(request)
    await found.off(found.members.sign_out, token, asked.everywhere)
    await hall_of(request).look_again()
    return nothing()


@router.post("/phrase", **gives(SignedIn, 200, PhraseAsked, "The pass phrase is another, all other sessions end."))
async def change_phrase(
    request: Request, asked: Annotated[PhraseAsked, Depends(body_of(PhraseAsked))], me: Member
) -> Response:
    found = club_of(request)
    session = await found.hashing(found.members.change_phrase, me, asked.old, asked.new)
    await hall_of(request).look_again()
    return told(session)


# ---------------------------------------------------------------- the member's battles


@router.get("/battles", **gives(list[ClubTable], text="The battles of one's account."))
async def battles(request: Request, me: Member, language: Language) -> Response:
    found = club_of(request)
    return answer(await found.off(lambda: tables_shown(found.ties.of_account(me.id), names_of(found), language)))


@router.post("/battles", **does("The seat is counted for one's account.", ClaimAsked))
async def claim(request: Request, asked: Annotated[ClaimAsked, Depends(body_of(ClaimAsked))], me: Member) -> Response:
    found = club_of(request)
    await found.off(found.ties.claim, me.id, asked.seat)
    return nothing()


@router.get("/battles/{battle}/seat", **gives(SeatHeld, text="The side at which one's account sits."))
async def held(request: Request, battle: Battle, me: Member) -> Response:
    """The seat of the asker's account in a battle: a session's token opens it, as the seat's own token does."""
    found = club_of(request)
    return answer(SeatHeld((await found.off(found.ties.seats, me.id)).get(battle)))


@router.post("/battles/{battle}/seat", **gives(SeatFound, 200, Nothing, "The way to the seat of one's account."))
async def seat(
    request: Request, battle: Battle, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Member
) -> Response:
    found = club_of(request)
    return answer(SeatFound(battle, await found.off(found.ties.code, me.id, battle)))


@router.post("/battles/{battle}/let-go", **does("It is no longer counted for one's account.", Nothing))
async def let_go(
    request: Request, battle: Battle, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Member
) -> Response:
    found = club_of(request)
    await found.off(found.ties.let_go, me.id, battle)
    await hall_of(request).look_again()
    return nothing()


# ---------------------------------------------------------------- the member's data


@router.get("/data", **gives(Export, text="All that the club knows of oneself."))
async def data(request: Request, me: Member, language: Language) -> Response:
    found = club_of(request)
    exported = answer(await found.off(exported_of, found, me, language))
    exported.headers["Content-Disposition"] = 'attachment; filename="campale-account.json"'
    return exported


def exported_of(club: Club, me: AccountRow, language: str) -> Export:
    names = names_of(club)
    return Export(
        EXPORT,
        EXPORT_VERSION,
        me_of(me),
        [{"created": one.created, "used": one.used} for one in club.members.sessions(me.id)],
        tables_shown(club.ties.of_account(me.id), names, language),
        club.ties.write_out(me.id),
        club.seasons.of_account(me.id),
        invitations_shown(club.members.invitations(me.id), names),
    )


@router.post("/leave", **does("The account is gone.", LeaveAsked))
async def leave(request: Request, asked: Annotated[LeaveAsked, Depends(body_of(LeaveAsked))], me: Member) -> Response:
    found = club_of(request)
    await hall_of(request).read_anew(await found.hashing(gone, found, me, asked.phrase))
    await hall_of(request).look_again()
    return nothing()


def gone(club: Club, me: AccountRow, phrase: str) -> list[str]:
    club.members.judge(me, phrase)
    return club.members.remove(me.id)
