"""What the routes of a club take and give. Times are seconds since the epoch."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

Role = Literal["member", "organiser"]
Short = Annotated[str, msgspec.Meta(max_length=400)]


# ---------------------------------------------------------------- taken


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of a club."""


class SignInAsked(Asked, frozen=True):
    name: Short
    phrase: Short


class ComeAsked(Asked, frozen=True):
    """Somebody comes by an invitation. With one for a new pass phrase the name is left out."""

    code: Short
    phrase: Short
    name: Short = ""


class PhraseAsked(Asked, frozen=True):
    old: Short
    new: Short


class SignOutAsked(Asked, frozen=True):
    everywhere: bool = False


class LeaveAsked(Asked, frozen=True):
    """One's account is removed: on one's pass phrase."""

    phrase: Short


class ClaimAsked(Asked, frozen=True):
    """The token of a seat that is to be counted for one's account."""

    seat: Short


class InviteAsked(Asked, frozen=True):
    """``account``: whose pass phrase is to be chosen anew; else somebody new comes."""

    role: Role = "member"
    days: Annotated[int, msgspec.Meta(ge=1, le=90)] = 14
    note: Annotated[str, msgspec.Meta(max_length=80)] = ""
    account: Short | None = None


class RoleAsked(Asked, frozen=True):
    role: Role


class Nothing(Asked, frozen=True):
    """An empty object."""


# ---------------------------------------------------------------- given


class Done(msgspec.Struct, frozen=True):
    done: bool = True


class Me(msgspec.Struct, frozen=True):
    """Who is signed in."""

    id: str
    name: str
    role: str
    created: float


class SignedIn(msgspec.Struct, frozen=True):
    """``token`` is sent with all requests to the club (``Authorization: Bearer``)."""

    token: str
    me: Me


class ClubShown(msgspec.Struct, frozen=True):
    """``is_there``: whether anybody has an account; ``me``: null where nobody is signed in with this token."""

    is_there: bool
    me: Me | None


class InvitationTo(msgspec.Struct, frozen=True):
    """What an invitation is for; with a ``name`` for a new pass phrase of that account."""

    role: str
    until: float
    name: str | None


class OpenInvitation(msgspec.Struct, frozen=True):
    id: str
    note: str
    role: str
    name: str | None
    until: float


class Invited(msgspec.Struct, frozen=True):
    """The code of an invitation is told once."""

    code: str
    until: float


class MemberShown(msgspec.Struct, frozen=True):
    """``seen``: when at the latest, to the hour; null: not for a month."""

    id: str
    name: str
    role: str
    created: float
    seen: float | None


class PlayerShown(msgspec.Struct, frozen=True):
    """A side of a battle. ``account``: whose it is counted for, if anybody's."""

    name: str
    account: str | None


class ClubTable(msgspec.Struct, frozen=True):
    """A battle of a member. ``result`` is a sentence once it is over."""

    battle: str
    book: str
    title: str
    stage: str
    players: list[PlayerShown]
    winner: int | None
    result: str | None
    created: float
    updated: float


class RungShown(msgspec.Struct, frozen=True):
    account: str
    name: str
    rating: int
    won: int
    drawn: int
    lost: int


class Export(msgspec.Struct, frozen=True):
    """All that the club knows of somebody."""

    format: str
    version: int
    account: Me
    sessions: list[dict[str, Any]]
    battles: list[ClubTable]
    chat: list[dict[str, Any]]
    invitations: list[OpenInvitation]
