"""The requests of organisers over HTTP: members, invitations, tables; and the ladder, which every member sees."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from campale.server.battle.proposed import name_of
from campale.server.club.accounts_http import Member, Organiser, club_of
from campale.server.club.house import Club
from campale.server.club.members import DAY
from campale.server.club.records import (
    ClubTable,
    InviteAsked,
    Invited,
    MemberShown,
    OpenInvitation,
    RoleAsked,
    RungShown,
)
from campale.server.club.shown import invitations_shown, names_of, rungs, tables_shown
from campale.server.routes.asking import Language
from campale.server.routes.battles import hall_of
from campale.server.routes.catalogue import playable
from campale.server.routes.openapi import Nothing, answer, body_of, does, gives, nothing

router = APIRouter(prefix="/api/club", tags=["club"])
Account = Annotated[str, Path(description="The id of an account.", max_length=60)]
Invitation = Annotated[str, Path(description="The id of an invitation.", max_length=60)]
Of = Annotated[str | None, Query(description="Of one rulebook only.", max_length=60)]


# ---------------------------------------------------------------- members


@router.get("/members", **gives(list[MemberShown], text="The members, for organisers."))
async def members(request: Request, me: Organiser) -> Response:
    club = club_of(request)
    return answer(await club.off(members_shown, club))


def members_shown(club: Club) -> list[MemberShown]:
    seen = club.members.last_seen()
    return [MemberShown(one.id, one.name, one.role, one.created, seen.get(one.id)) for one in club.members.all()]


@router.post("/members/{account}/role", **does("The member has another role.", RoleAsked))
async def with_role(
    request: Request, account: Account, asked: Annotated[RoleAsked, Depends(body_of(RoleAsked))], me: Organiser
) -> Response:
    club = club_of(request)
    await club.off(club.members.with_role, account, asked.role)
    return nothing()


@router.post("/members/{account}/remove", **does("The account is gone.", Nothing))
async def remove(
    request: Request, account: Account, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Organiser
) -> Response:
    club = club_of(request)
    await hall_of(request).read_anew(await club.off(club.members.remove, account))
    await hall_of(request).look_again()
    return nothing()


# ---------------------------------------------------------------- invitations


@router.get("/invitations", **gives(list[OpenInvitation], text="The invitations that are open, for organisers."))
async def invitations(request: Request, me: Organiser) -> Response:
    club = club_of(request)
    return answer(await club.off(lambda: invitations_shown(club.members.invitations(), names_of(club))))


@router.post("/invitations", **gives(Invited, 201, InviteAsked, "An invitation, used once."))
async def invite(
    request: Request, asked: Annotated[InviteAsked, Depends(body_of(InviteAsked))], me: Organiser
) -> Response:
    club = club_of(request)
    code = await club.off(invitation_of, club, asked, me.id)
    return answer(Invited(code, club.members.keys.now() + asked.days * DAY), 201)


def invitation_of(club: Club, asked: InviteAsked, by: str) -> str:
    account = None if asked.account is None else club.members.account(asked.account).id
    return club.members.invite(asked.role, asked.days, name_of(asked.note), by, account)


@router.post("/invitations/{invitation}/withdraw", **does("The invitation is withdrawn.", Nothing))
async def withdraw(
    request: Request, invitation: Invitation, _asked: Annotated[Nothing, Depends(body_of(Nothing))], me: Organiser
) -> Response:
    club = club_of(request)
    await club.off(club.members.withdraw, invitation)
    return nothing()


# ---------------------------------------------------------------- tables and ladder


@router.get("/tables", **gives(list[ClubTable], text="The battles of members, running and over, for organisers."))
async def tables(request: Request, me: Organiser, language: Language) -> Response:
    club = club_of(request)
    return answer(await club.off(lambda: tables_shown(club.ties.all(), names_of(club), language)))


@router.get("/ladder", **gives(list[RungShown], text="Who plays how well, for members."))
async def ladder(request: Request, me: Member, book: Of = None) -> Response:
    club = club_of(request)
    return answer(await club.off(rungs, club, None if book is None else playable(book).name))
